"""Small archives from literals, taken through the real stages up to a family's work."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from everyleaf.graph.describe import describe
from everyleaf.graph.forest import Status
from everyleaf.graph.solve import solve
from everyleaf.outputs import Output
from everyleaf.pages.facts import PathFacts, SessionFacts
from everyleaf.pages.families import SiteContext, iter_families
from everyleaf.pages.family import render_family
from everyleaf.pages.filepages import ListedFacts, list_session
from everyleaf.pages.lists import ListDrawer, put_lists
from everyleaf.pages.pagesink import PageSink
from everyleaf.pages.work import SourceRef
from everyleaf.records.index import index_file
from everyleaf.sources.discover import find_sources
from sessions import uuid, write_records

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from everyleaf.outputs import StagedFile
    from everyleaf.pages.addresses import SiteSettings
    from everyleaf.pages.facts import ReportFacts
    from everyleaf.pages.work import FamilyWork, PageCounts
    from sessions import Record


def families(folder: Path, files: Mapping[str, Sequence[Record]]) -> list[FamilyWork]:
    """Write `files` (name in the project folder → records) and return their families."""
    project = folder / "projects" / "-home-me-parser"
    for name, records in files.items():
        write_records(project / name, records)
    found = find_sources([folder / "projects"])
    indexed = [index_file(one, source_index=n) for n, one in enumerate(found.files)]
    forest = solve([one.records for one in indexed])
    sources = {
        number: SourceRef(str(one.location), one.file, str(project / "tool-results"))
        for number, one in enumerate(found.files)
    }
    around = SiteContext({"-home-me-parser": "parser"}, sources, {})
    return list(iter_families(forest, describe(forest), around))


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


def listed(session: SessionFacts) -> ListedFacts:
    """Return what lists get to know of a session."""
    return msgspec.msgpack.decode(list_session(session), type=ListedFacts)


class DrawnFamily(NamedTuple):
    """All that a family of sessions adds to a site."""

    outputs: tuple[Output, ...]
    owners: dict[str, tuple[str, ...]]
    """The sessions that account for each url, sorted."""
    facts: tuple[SessionFacts, ...]
    counts: PageCounts


def draw_family(work: FamilyWork, settings: SiteSettings) -> DrawnFamily:
    """Return what a family adds to a site where nothing stands."""
    taken: list[Output | StagedFile] = []
    sink = PageSink(taken.append)
    facts, counts = render_family(work, settings, sink)
    outputs = [one for one in taken if isinstance(one, Output)]
    owners = {url: tuple(sorted(owners)) for url, owners in sorted(sink.owners.items())}
    return DrawnFamily(tuple(outputs), owners, facts, counts)


def draw_lists(
    sessions: Iterable[SessionFacts], settings: SiteSettings, reading: ReportFacts
) -> list[Output]:
    """Return every list of a site."""
    taken: list[Output | StagedFile] = []
    # Nothing stands, so that all of it is drawn.
    sink = PageSink(taken.append)
    lists = ListDrawer(settings, sink)
    put_lists(lists, sessions, reading)
    lists.files(map(listed, sessions), 0, 1)
    return [one for one in taken if isinstance(one, Output)]
