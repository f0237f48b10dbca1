"""What sessions and paths are called, and when they were (`paths.md` §7)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.graph.atlas import NONE
from everyleaf.model import Kind, MarkerKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from everyleaf.graph.atlas import Atlas
    from everyleaf.graph.trees import Tree
    from everyleaf.model import SessionRecords

UNTITLED = "Untitled"

_WARMUP_SUMMARY = re.compile(
    r"\b(warmup|readiness|initialization|ready|assistant ready|codebase|exploration|"
    r"introduction|search|repository)\b",
    re.IGNORECASE,
)


class _Summary(Struct, frozen=True):
    text: str
    file: tuple[str, str]
    line: int
    leaf_time: str
    is_foreign: bool
    """Stands in a file of another session."""


class Name(Struct, frozen=True):
    """A title, and the time to list by where the title brings one."""

    title: str
    time: str = ""


class _Told(Struct, frozen=True):
    """What a session's own file says of its title; looked up once, not once a path."""

    title: str
    agent_name: str
    is_warmup: bool


class Namer:
    """Names the paths of an archive from titles, summaries and first words."""

    def __init__(
        self, atlas: Atlas, files: Iterable[SessionRecords], sidechain_words: dict[str, str]
    ) -> None:
        """Collect what `files` say of each other.

        Args:
            atlas: All main conversations.
            files: Every session file; those that hold nothing but summaries too.
            sidechain_words: Session → first words of its first sidechain reply.
        """
        self._atlas = atlas
        self._sidechain_words = sidechain_words
        self._told = {tree.key: _tell(tree) for tree in atlas.trees}
        self._summaries: dict[int, list[_Summary]] = {}
        """gid → the summaries whose leaf the unit holds."""
        self._nearest: list[int] = [NONE] * len(atlas.parents)
        """gid → nearest unit at or above it that a summary names, else `NONE`."""
        self._first_words: list[tuple[str, str]] = [("", "")] * len(atlas.parents)
        """gid → (first prompt, first reply) from the very root down to it."""
        self._collect(files)
        self._walk_down()

    def name(self, leaf: int) -> Name:
        """Return the title of the path that ends in `leaf` (a gid)."""
        tree, _ = self._atlas.unit(leaf)
        told = self._told[tree.key]
        if told.title:
            return Name(told.title)
        summary = self._summary(leaf, is_warmup=told.is_warmup)
        if summary is not None:
            return Name(summary.text, summary.leaf_time if summary.is_foreign else "")
        if told.agent_name:
            return Name(told.agent_name)
        prompt, reply = self._first_words[leaf]
        return Name(
            prompt or reply or self._sidechain_words.get(tree.session, "") or UNTITLED
        )

    def session_name(self, tree: Tree) -> str:
        """Return a title for a session that has no path of its own."""
        told = self._told[tree.key]
        own = told.title or told.agent_name
        return own or self._sidechain_words.get(tree.session, "") or UNTITLED

    def _summary(self, leaf: int, *, is_warmup: bool) -> _Summary | None:
        at = self._nearest[leaf]
        while at != NONE:
            fitting = [
                summary
                for summary in self._summaries[at]
                if not (is_warmup and _WARMUP_SUMMARY.search(summary.text))
            ]
            if fitting:
                return max(fitting, key=lambda summary: (summary.line, summary.file))
            above = self._atlas.parents[at]
            at = self._nearest[above] if above != NONE else NONE
        return None

    def _collect(self, files: Iterable[SessionRecords]) -> None:
        atlas = self._atlas
        wanted: dict[str, list[tuple[SessionRecords, str, int]]] = {}
        for file in files:
            for marker in file.markers:
                if marker.kind is MarkerKind.SUMMARY and marker.leaf_uuid and marker.text:
                    wanted.setdefault(marker.leaf_uuid, []).append(
                        (file, marker.text, marker.line)
                    )
        if not wanted:
            return
        for tree in atlas.trees:
            for uuid, position in _found(tree, wanted):
                gid = atlas.gid_of(tree, position)
                for file, text, line in wanted[uuid]:
                    summary = _Summary(
                        text,
                        (file.project, file.file),
                        line,
                        tree.records[position].timestamp,
                        file.session != tree.session,
                    )
                    self._summaries.setdefault(gid, []).append(summary)

    def _walk_down(self) -> None:
        atlas = self._atlas
        for gid in atlas.order:
            above = atlas.parents[gid]
            nearest = NONE if above == NONE else self._nearest[above]
            self._nearest[gid] = gid if gid in self._summaries else nearest
            prompt, reply = ("", "") if above == NONE else self._first_words[above]
            if not prompt or not reply:
                tree, unit = atlas.unit(gid)
                for at in tree.units.members[unit]:
                    words = tree.records[at].words
                    if not words:
                        continue
                    if (
                        not prompt
                        and tree.kinds[at] is Kind.PROMPT
                        and not is_warmup_text(words)
                    ):
                        prompt = words
                    elif not reply and tree.kinds[at] is Kind.REPLY:
                        reply = words
            self._first_words[gid] = (prompt, reply)


def _found(tree: Tree, wanted: Iterable[str]) -> list[tuple[str, int]]:
    index = tree.index
    return [(uuid, index[uuid]) for uuid in wanted if uuid in index]


def _tell(tree: Tree) -> _Told:
    title = last_marker(tree, MarkerKind.CUSTOM_TITLE)
    return _Told(
        title or last_marker(tree, MarkerKind.AI_TITLE),
        last_marker(tree, MarkerKind.AGENT_NAME),
        is_warmup(tree),
    )


def last_marker(tree: Tree, kind: MarkerKind) -> str:
    """Return the text of the last marker of `kind` in the session, or an empty text."""
    texts = [
        marker.text
        for file in tree.files
        for marker in file.markers
        if marker.kind is kind and marker.text
    ]
    return texts[-1] if texts else ""


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
        if kind is Kind.PROMPT
    ] or list(sidechain_prompts)
    return bool(prompts) and all(is_warmup_text(words) for words in prompts)
