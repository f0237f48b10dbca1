"""Which session names which other one, without sharing a record with it."""

from __future__ import annotations

from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.model import MarkerKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from everyleaf.graph.trees import Tree
    from everyleaf.model import SessionRecords


class MentionKind(StrEnum):
    """How a session names another one."""

    CONTINUED_IN = "continued-in"
    """It says that it goes on there."""
    PLAN = "plan"
    """Both work from one plan; the other is the next older one that does."""
    SUMMARY = "summary"
    """It holds a summary of the other: the CLI wrote one into the next session."""


class Mention(Struct, frozen=True, order=True):
    """That a session names the session `other`."""

    kind: MentionKind
    other: str


def find_mentions(
    files: Sequence[SessionRecords], trees: Sequence[Tree]
) -> dict[str, tuple[Mention, ...]]:
    """Return what each session names, sorted; sessions that name none are left out.

    Only sessions of `trees` are named, and none names itself. Near-linear.
    """
    known = {tree.session for tree in trees}
    found: dict[str, set[Mention]] = {}
    for session, mention in (
        *_continued(files),
        *_summarised(files, trees),
        *_sharing_plans(files),
    ):
        if mention.other != session and {session, mention.other} <= known:
            found.setdefault(session, set()).add(mention)
    return {session: tuple(sorted(found[session])) for session in sorted(found)}


def _continued(files: Iterable[SessionRecords]) -> Iterator[tuple[str, Mention]]:
    for file in files:
        for marker in file.markers:
            if marker.kind is MarkerKind.CONTINUED_IN:
                yield file.session, Mention(MentionKind.CONTINUED_IN, marker.text)


def _summarised(
    files: Iterable[SessionRecords], trees: Iterable[Tree]
) -> Iterator[tuple[str, Mention]]:
    """Yield mentions by summaries that stand in a file beside their conversation's."""
    wanted: dict[str, list[str]] = {}
    for file in files:
        for marker in file.markers:
            if marker.kind is MarkerKind.SUMMARY and marker.leaf_uuid:
                wanted.setdefault(marker.leaf_uuid, []).append(file.session)
    for tree in trees:
        for uuid in wanted.keys() & tree.index.keys():
            for session in wanted[uuid]:
                yield session, Mention(MentionKind.SUMMARY, tree.session)


def _sharing_plans(files: Iterable[SessionRecords]) -> Iterator[tuple[str, Mention]]:
    """Yield a mention from each session to the one before it that has the same plan."""
    begun: dict[str, dict[str, str]] = {}
    for file in files:
        if file.agent_id is None and file.records:
            at = _first_time(file)
            for plan in file.plans:
                sessions = begun.setdefault(plan, {})
                sessions[file.session] = min(sessions.get(file.session, at), at)
    for sessions in begun.values():
        for older, newer in pairwise(_by_time(sessions)):
            yield newer, Mention(MentionKind.PLAN, older)


def _first_time(file: SessionRecords) -> str:
    return min((r.timestamp for r in file.records if r.timestamp), default="")


def _by_time(begun: Mapping[str, str]) -> list[str]:
    return sorted(begun, key=lambda session: (begun[session], session))
