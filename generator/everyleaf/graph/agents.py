"""Subagents: a tree of their own each, linked to the call that started them.

Source: format notes §4.9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.edges import link
from everyleaf.graph.numbers import number_leaves
from everyleaf.graph.trees import grow_tree
from everyleaf.graph.turns import contract
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import CONVERSATION, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from everyleaf.graph.identity import Origins
    from everyleaf.graph.trees import Part, Tree
    from everyleaf.model import Envelope, SessionRecords

_UNPUBLISHED = ("acompact", "aprompt_suggestion")
"""Helpers of the CLI that hold nothing but a copy of the main conversation."""
_SIDE_QUESTION = "aside_question"


class AgentTree(Struct, frozen=True):
    """A subagent with its turns."""

    session: str
    agent_id: str
    tree: Tree
    leaves: tuple[int, ...]
    """Unit numbers of its leaves, by number."""
    tool_use_id: str | None
    agent_type: str
    description: str
    parent_agent_id: str | None

    @property
    def is_told(self) -> bool:
        """Return whether its own file is missing: its caller noted what is known of it."""
        first = self.tree.records[0]
        return any(told is first for told in self.tree.files[0].told)

    @property
    def main_leaf(self) -> int:
        """Return the leaf below what was written last: where the agent ended.

        Notes alone at the end make no leaf: then it is the last one by number.
        """
        units = self.tree.units
        unit = units.of[-1]
        while units.children[unit]:
            unit = units.children[unit][-1]
        return unit if unit in self.leaves or not self.leaves else self.leaves[-1]


def split_sidechains(records: Sequence[Envelope]) -> tuple[list[Envelope], list[Envelope]]:
    """Return (main, sidechain) records of a session file, each in file order."""
    side = [record for record in records if record.is_sidechain]
    if not side:
        return list(records), side
    return [record for record in records if not record.is_sidechain], side


def group_sidechain(file: SessionRecords, side: Sequence[Envelope]) -> dict[str, Part]:
    """Return the agents that stand inside a session file (1.0.x), by agent id.

    Records without an agent id belong to the agent of the root that they hang from, which
    is named by its uuid.
    """
    index: dict[str, str] = {}
    members: dict[str, list[Envelope]] = {}
    last = ""
    for record in side:
        name = record.agent_id or index.get(record.parent_uuid or "")
        if name is None:
            is_root = record.parent_uuid is None or not last
            name = f"side-{record.uuid[:8]}" if is_root else last
        index.setdefault(record.uuid, name)
        members.setdefault(name, []).append(record)
        last = name
    return {name: (file, found) for name, found in members.items()}


def group_told(files: Iterable[SessionRecords]) -> dict[str, list[Part]]:
    """Return the agents that only progress records of `files` tell of, by agent id."""
    told: dict[str, list[Part]] = {}
    for file in files:
        members: dict[str, list[Envelope]] = {}
        for record in file.told:
            members.setdefault(record.agent_id or "", []).append(record)
        for agent_id, records in members.items():
            told.setdefault(agent_id, []).append((file, records))
    return told


def grow_agent(
    session: str,
    agent_id: str,
    parts: Sequence[Part],
    main: Tree | None,
    origins: Origins,
) -> tuple[AgentTree | None, list[Issue]]:
    """Return the agent's tree, or None where nothing of it is published, and what was odd.

    What stands in the main conversation as well (forked agents up to 2.1.117 begin with all
    of it) is left out here.
    """
    file = parts[0][0]
    if agent_id.startswith(_UNPUBLISHED):
        message = f"helper {agent_id} copies the conversation; not published"
        return None, [_issue(file, IssueCode.INTERNAL_AGENT, message, session)]
    own = [
        (part, [record for record in members if not _is_copy(record, main, origins)])
        for part, members in parts
    ]
    if not any(record.kind in CONVERSATION for _, members in own for record in members):
        if agent_id.startswith(_SIDE_QUESTION):
            message = f"helper {agent_id} says nothing of its own; not published"
            return None, [_issue(file, IssueCode.INTERNAL_AGENT, message, session)]
        return None, []
    tree, issues = grow_tree(session, agent_id, own, origins)
    tree.canonical = [record.uuid for record in tree.records]
    issues += link(tree)
    if tree.parents and tree.parents[0] < 0:
        # It begins where its parent called it, as every agent does.
        tree.inferred.discard(0)
    contract(tree)
    return _describe_agent(tree, [part for part, _ in parts]), issues


def _describe_agent(tree: Tree, files: Sequence[SessionRecords]) -> AgentTree:
    """Return the agent of a contracted `tree`, with what its `files` say about it."""
    described = next((file for file in files if file.agent_type), files[0])
    calls = (file.agent_tool_use_id for file in files if file.agent_tool_use_id)
    return AgentTree(
        session=tree.session,
        agent_id=tree.agent_id or "",
        tree=tree,
        leaves=tuple(number_leaves(tree)),
        tool_use_id=next(calls, None),
        agent_type=described.agent_type,
        description=described.agent_description,
        parent_agent_id=described.parent_agent_id,
    )


def _is_copy(record: Envelope, main: Tree | None, origins: Origins) -> bool:
    if main is None:
        return False
    return record.uuid in main.index or (
        record.forked_from is not None and origins.canonical(record.uuid) in main.index
    )


def _issue(file: SessionRecords, code: IssueCode, message: str, session: str) -> Issue:
    return Issue(file.file, 0, code, message, session=session)


def find_calls(
    agents: Sequence[AgentTree], trees: Iterable[Tree]
) -> dict[tuple[str, str], str]:
    """Return the call that started each agent: (session, agent id) → tool_use_id.

    First that applies: the agent's `.meta.json`; a record that names both; a call whose
    prompt is the agent's first prompt, each call used once, in file order.
    """
    links: dict[tuple[str, str], str] = {}
    asked: dict[tuple[str, int], list[str]] = {}
    for tree in trees:
        for record in tree.records:
            for found in record.links:
                if found.tool_use_id:
                    links.setdefault((tree.session, found.agent_id), found.tool_use_id)
            for each in record.asked:
                key = (tree.session, each.prompt)
                asked.setdefault(key, []).append(each.tool_use_id)
    calls: dict[tuple[str, str], str] = {}
    for agent in agents:
        call = agent.tool_use_id or links.get(_key(agent))
        if call:
            calls[_key(agent)] = call
    _match_by_prompt([agent for agent in agents if _key(agent) not in calls], asked, calls)
    return calls


def describe_agents(
    agents: Iterable[AgentTree],
    trees: Iterable[Tree],
    calls: dict[tuple[str, str], str],
) -> tuple[AgentTree, ...]:
    """Return `agents`, those without a description with what their `calls` say of them."""
    asked = {
        (tree.session, call.tool_use_id): call
        for tree in trees
        for record in tree.records
        for call in record.asked
    }
    described: list[AgentTree] = []
    for agent in agents:
        call = asked.get((agent.session, calls.get(_key(agent), "")))
        if call is None or agent.description:
            described.append(agent)
            continue
        kind = agent.agent_type or call.agent_type
        described.append(replace(agent, agent_type=kind, description=call.description))
    return tuple(described)


def _key(agent: AgentTree) -> tuple[str, str]:
    return (agent.session, agent.agent_id)


def _match_by_prompt(
    agents: Iterable[AgentTree],
    asked: dict[tuple[str, int], list[str]],
    calls: dict[tuple[str, str], str],
) -> None:
    used = {(session, call) for (session, _), call in calls.items()}
    for agent in agents:
        first = next(
            (r for r in agent.tree.records if r.kind is Kind.PROMPT and r.blocks), None
        )
        if first is None:
            continue
        same = asked.get((agent.session, first.blocks[0]), ())
        free = [call for call in same if (agent.session, call) not in used]
        if free:
            calls[_key(agent)] = free[0]
            used.add((agent.session, free[0]))
