"""Which module shows which tool: the list to extend for a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.transcript.tools import (
    agents,
    asking,
    bash,
    edits,
    generic,
    mcp,
    plain,
    reading,
    searching,
    servers,
    shells,
    skills,
    tasks,
    web,
)

if TYPE_CHECKING:
    from everyleaf.transcript.tools.call import Tool

_FAMILIES: tuple[tuple[Tool, ...], ...] = (
    bash.TOOLS,
    shells.TOOLS,
    reading.TOOLS,
    edits.TOOLS,
    searching.TOOLS,
    web.TOOLS,
    tasks.TOOLS,
    agents.TOOLS,
    asking.TOOLS,
    skills.TOOLS,
    plain.TOOLS,
    servers.TOOLS,
)
_BY_NAME: dict[str, Tool] = {
    name: tool for family in _FAMILIES for tool in family for name in tool.names
}


def find_tool(name: str) -> Tool:
    """Return how calls of the tool `name` are shown; every name has an answer."""
    default = mcp.TOOL if name.startswith(mcp.PREFIX) else generic.GENERIC
    return _BY_NAME.get(name, default)


def known_tools() -> tuple[str, ...]:
    """Return the names that have a module of their own, sorted."""
    return tuple(sorted(_BY_NAME))
