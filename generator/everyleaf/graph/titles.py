"""What sessions and paths are called (`paths.md` §7), and which sessions name others."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.graph.forest import Mention, MentionKind
from everyleaf.graph.units import NONE
from everyleaf.model import Kind, MarkerKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from everyleaf.graph.trees import Tree
    from everyleaf.graph.units import UnitIndex
    from everyleaf.model import SessionRecords

# Looking up a member of an enum costs ten times a name in Python 3.11; these loops are hot.
_PROMPT, _REPLY = Kind.PROMPT, Kind.REPLY

UNTITLED = "Untitled"

_WARMUP_SUMMARY = re.compile(
    r"\b(warmup|readiness|initialization|ready|assistant ready|codebase|exploration|"
    r"introduction|search|repository)\b",
    re.IGNORECASE,
)


class _Summary(Struct, frozen=True):
    text: str
    place: tuple[int, tuple[str, str]]
    """(line, (project, file)): the latest counts."""
    time: str
    """When the record that it names was written; empty in that session's own file."""


class _OwnTitles(Struct, frozen=True):
    """What a session's own files say of its title; looked up once, not once a path."""

    title: str
    agent_name: str
    is_warmup: bool


class Namer:
    """Names the paths of an archive from titles, summaries and first words."""

    def __init__(
        self,
        units: UnitIndex,
        files: Iterable[SessionRecords],
        sidechain_words: Mapping[str, str],
    ) -> None:
        """Collect what `files` say of each other.

        Args:
            units: All main conversations.
            files: Every session file; those that hold nothing but summaries too.
            sidechain_words: Session → first words of its first sidechain reply.
        """
        self._units = units
        self._sidechain_words = sidechain_words
        self._own = {tree.session: _own_titles(tree) for tree in units.trees}
        self._summaries: dict[int, list[_Summary]] = {}
        """Unit id → the summaries whose leaf the unit holds."""
        for tree, uuid, file, text, line in _iter_summaries(files, units.trees):
            at = tree.index[uuid]
            time = tree.records[at].timestamp if file.session != tree.session else ""
            summary = _Summary(text, (line, (file.project, file.file)), time)
            if text:
                self._summaries.setdefault(units.id_of(tree, at), []).append(summary)
        self._nearest: list[int] = [NONE] * len(units.parents)
        """Unit id → nearest unit at or above it that a summary names, else `NONE`."""
        self._first_words: list[tuple[str, str]] = [("", "")] * len(units.parents)
        """Unit id → (first prompt, first reply) from the very root down to it."""
        self._walk_down()

    def name(self, leaf: int) -> tuple[str, str]:
        """Return the title of the path that ends in the unit `leaf`.

        Behind it the time to list it by where the title brings one, else an empty text.
        """
        tree, _ = self._units.unit(leaf)
        own = self._own[tree.session]
        if own.title:
            return own.title, ""
        summary = self._summary(leaf, is_warmup=own.is_warmup)
        if summary is not None:
            return summary.text, summary.time
        prompt, reply = self._first_words[leaf]
        return own.agent_name or prompt or reply or self._last_resort(tree), ""

    def session_name(self, tree: Tree) -> str:
        """Return a title for a session that has no path of its own."""
        own = self._own[tree.session]
        return own.title or own.agent_name or self._last_resort(tree)

    def _last_resort(self, tree: Tree) -> str:
        return self._sidechain_words.get(tree.session, "") or UNTITLED

    def _summary(self, leaf: int, *, is_warmup: bool) -> _Summary | None:
        at = self._nearest[leaf]
        while at != NONE:
            fitting = [
                summary
                for summary in self._summaries[at]
                if not (is_warmup and _WARMUP_SUMMARY.search(summary.text))
            ]
            if fitting:
                return max(fitting, key=lambda summary: summary.place)
            above = self._units.parents[at]
            at = self._nearest[above] if above != NONE else NONE
        return None

    def _walk_down(self) -> None:
        units = self._units
        for unit_id in units.order:
            above = units.parents[unit_id]
            nearest = NONE if above == NONE else self._nearest[above]
            self._nearest[unit_id] = unit_id if unit_id in self._summaries else nearest
            prompt, reply = ("", "") if above == NONE else self._first_words[above]
            if not prompt or not reply:
                tree, unit = units.unit(unit_id)
                for at in tree.units.members[unit]:
                    words, kind = tree.records[at].words, tree.kinds[at]
                    if kind is _PROMPT and not is_warmup_text(words):
                        prompt = prompt or words
                    elif kind is _REPLY:
                        reply = reply or words
            self._first_words[unit_id] = (prompt, reply)


def _own_titles(tree: Tree) -> _OwnTitles:
    last = {
        marker.kind: marker.text
        for file in tree.files
        for marker in file.markers
        if marker.text
    }
    return _OwnTitles(
        last.get(MarkerKind.CUSTOM_TITLE) or last.get(MarkerKind.AI_TITLE, ""),
        last.get(MarkerKind.AGENT_NAME, ""),
        is_warmup(tree),
    )


def _iter_summaries(
    files: Iterable[SessionRecords], trees: Iterable[Tree]
) -> Iterator[tuple[Tree, str, SessionRecords, str, int]]:
    """Yield (tree that holds the leaf, its uuid, file, text, line) of every summary."""
    wanted: dict[str, list[tuple[SessionRecords, str, int]]] = {}
    for file in files:
        for marker in file.markers:
            if marker.kind is MarkerKind.SUMMARY and marker.leaf_uuid:
                place = (file, marker.text, marker.line)
                wanted.setdefault(marker.leaf_uuid, []).append(place)
    for tree in trees if wanted else ():
        for uuid, places in wanted.items():
            if uuid in tree.index:
                yield from ((tree, uuid, *place) for place in places)


def is_warmup_text(words: str) -> bool:
    """Return whether a prompt is the CLI's own warm-up and no person's."""
    return words.strip().lower() == "warmup"


def is_warmup(tree: Tree, sidechain_prompts: Sequence[str] = ()) -> bool:
    """Return whether the session has prompts, and all of them are warm-ups.

    `sidechain_prompts` count where the main conversation has none.
    """
    prompts = [
        record.words
        for record, kind in zip(tree.records, tree.kinds, strict=True)
        if kind is _PROMPT
    ] or list(sidechain_prompts)
    return bool(prompts) and all(is_warmup_text(words) for words in prompts)


def find_mentions(
    files: Sequence[SessionRecords], trees: Sequence[Tree]
) -> dict[str, tuple[Mention, ...]]:
    """Return the others that each session names, sorted; who names none is left out.

    It goes on there, holds a summary of it, or works from the plan of an older one. Only
    sessions of `trees` are named, and none names itself. Near-linear.
    """
    known = {tree.session for tree in trees}
    found: dict[str, set[Mention]] = {}

    def add(session: str, kind: MentionKind, other: str) -> None:
        if other != session and {session, other} <= known:
            found.setdefault(session, set()).add(Mention(kind, other))

    for file in files:
        for marker in file.markers:
            if marker.kind is MarkerKind.CONTINUED_IN:
                add(file.session, MentionKind.CONTINUED_IN, marker.text)
    for tree, _, file, _, _ in _iter_summaries(files, trees):
        add(file.session, MentionKind.SUMMARY, tree.session)
    for sessions in _begun_by_plan(files).values():
        by_time = sorted(sessions, key=lambda session: (sessions[session], session))
        for older, newer in pairwise(by_time):
            add(newer, MentionKind.PLAN, older)
    return {session: tuple(sorted(found[session])) for session in sorted(found)}


def _begun_by_plan(files: Iterable[SessionRecords]) -> dict[str, dict[str, str]]:
    """Return, for each plan, the sessions that work from it and when they began."""
    begun: dict[str, dict[str, str]] = {}
    for file in files:
        if file.plans and file.agent_id is None and file.records:
            at = min((r.timestamp for r in file.records if r.timestamp), default="")
            for plan in file.plans:
                sessions = begun.setdefault(plan, {})
                sessions[file.session] = min(sessions.get(file.session, at), at)
    return begun
