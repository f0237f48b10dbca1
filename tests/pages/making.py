"""Small archives from literals, taken through the real stages up to a family's work."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from everyleaf.graph.describe import describe
from everyleaf.graph.forest import Status
from everyleaf.graph.solve import solve
from everyleaf.pages.facts import PathFacts, SessionFacts
from everyleaf.pages.families import Surroundings, iter_families
from everyleaf.pages.lists import put_lists
from everyleaf.pages.pagesink import PageSink
from everyleaf.pages.work import SourceRef
from everyleaf.records.index import index_file
from everyleaf.sources.discover import find_sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from everyleaf.outputs import Output
    from everyleaf.pages.addresses import SiteSettings
    from everyleaf.pages.sessionpage import ReportFacts
    from everyleaf.pages.work import FamilyWork

Record = dict[str, object]


def uuid(name: str) -> str:
    """Return a uuid whose first eight characters are `name`, filled with zeros."""
    return f"{name:0<8}-0000-4000-8000-000000000000"


def prompt(name: str, parent: str | None, text: str, **fields: object) -> Record:
    message = {"role": "user", "content": text}
    return _record("user", name, parent, message=message, **fields)


def reply(name: str, parent: str | None, text: str, **fields: object) -> Record:
    return _reply(name, parent, [{"type": "text", "text": text}], **fields)


def call(name: str, parent: str | None, tool: str, **given: object) -> Record:
    block = {"type": "tool_use", "id": f"toolu_{name}", "name": tool, "input": given}
    return _reply(name, parent, [block])


def result(name: str, parent: str, text: str) -> Record:
    block = {"type": "tool_result", "tool_use_id": f"toolu_{parent}", "content": text}
    return _record("user", name, parent, message={"role": "user", "content": [block]})


def boundary(name: str, parent: str) -> Record:
    meta = {"trigger": "manual", "preTokens": 1000}
    return _record(
        "system",
        name,
        None,
        subtype="compact_boundary",
        logicalParentUuid=uuid(parent),
        compactMetadata=meta,
    )


def summary(name: str, parent: str, text: str) -> Record:
    return prompt(name, parent, text, isCompactSummary=True)


def _reply(
    name: str, parent: str | None, content: list[object], **fields: object
) -> Record:
    usage = {"input_tokens": 10, "output_tokens": 5}
    message: Record = {
        "id": f"msg_{name}",
        "role": "assistant",
        "model": "claude-x",
        "content": content,
        "usage": usage,
    }
    return _record("assistant", name, parent, message=message, requestId="r", **fields)


def _record(kind: str, name: str, parent: str | None, **fields: object) -> Record:
    # The order of names in the alphabet is the order in time.
    minute = sum(map(ord, name)) % 60
    return {
        "type": kind,
        "uuid": uuid(name),
        "parentUuid": uuid(parent) if parent else None,
        "timestamp": f"2026-01-31T14:{minute:02}:00.000Z",
        "cwd": "/home/me/parser",
        "version": "2.1.0",
        "gitBranch": "main",
        "isSidechain": False,
        **fields,
    }


def families(folder: Path, files: Mapping[str, Sequence[Record]]) -> list[FamilyWork]:
    """Write `files` (name in the project folder → records) and return their families."""
    project = folder / "projects" / "-home-me-parser"
    for name, records in files.items():
        file = project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    found = find_sources([folder / "projects"])
    indexed = [index_file(one, source_index=n) for n, one in enumerate(found.files)]
    forest = solve([one.records for one in indexed])
    sources = {
        number: SourceRef(str(one.location), one.file, str(project / "tool-results"))
        for number, one in enumerate(found.files)
    }
    around = Surroundings({"-home-me-parser": "parser"}, sources, {})
    return list(iter_families(forest, describe(forest), around))


FORKED = (
    prompt("p1", None, "Write a parser"),
    reply("r1", "p1", "Which kind?"),
    prompt("p2", "r1", "A slow one"),
    reply("r2", "p2", "Slow it is."),
    prompt("p3", "r1", "A fast one"),
    reply("r3", "p3", "Fast it is."),
)
"""Path 1 (p1 r1 p2 r2) was left for path 2 (p1 r1 p3 r3)."""


def path_facts(number: int = 1, **changes: object) -> PathFacts:
    """Return the facts of a path with `changes`."""
    values: dict[str, object] = {
        "number": number,
        "status": Status.ACTIVE,
        "reason": "the only path",
        "title": "Write a parser",
        "label": "",
        "url": f"transcripts/transcript_s_{number}.html",
        "markdown_url": f"markdown/transcript_s_{number}.md",
        "messages": 4,
        "prompts": 2,
        "replies": 2,
        "tool_calls": 0,
        "errors": 0,
        "compactions": 0,
        "inferred": 0,
        "started": "2026-01-31T14:00:00Z",
        "ended": "2026-01-31T15:00:00Z",
        "fork_point": None,
        "shared": 0,
        "taken_over_by": None,
        "is_withdrawn": False,
        "is_merged_copy": False,
        "leaf_uuid": uuid("leaf"),
        "own_ids": (uuid("p1"),),
    }
    return PathFacts(**{**values, **changes})  # type: ignore[arg-type]


def session_facts(session: str = "s", **changes: object) -> SessionFacts:
    """Return the facts of a session with one path, with `changes`."""
    values: dict[str, object] = {
        "session": session,
        "project": "parser",
        "title": "Write a parser",
        "ended": "2026-01-31T15:00:00Z",
        "of": 1,
        "is_warmup": False,
        "url": f"sessions/session_{session}.html",
        "paths": (path_facts(),),
    }
    return SessionFacts(**{**values, **changes})  # type: ignore[arg-type]


def draw_lists(
    sessions: Iterable[SessionFacts], settings: SiteSettings, reading: ReportFacts
) -> list[Output]:
    """Return every list of a site."""
    outputs: list[Output] = []
    # Nothing stands, so that all of it is drawn.
    put_lists(sessions, settings, reading, PageSink(outputs.append))  # type: ignore[arg-type]
    return outputs
