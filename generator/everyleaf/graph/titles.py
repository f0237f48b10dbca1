"""Warm-ups, summaries, and which sessions name others."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from everyleaf.graph.forest import Mention, MentionKind
from everyleaf.model import Kind, MarkerKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from everyleaf.graph.trees import Tree
    from everyleaf.model import SessionRecords

_PROMPT = Kind.PROMPT


def iter_summaries(
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
    for tree, _, file, _, _ in iter_summaries(files, trees):
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
