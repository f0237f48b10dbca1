"""Turns of a long group that were drawn before its pages: on disk, read as pages ask.

A chunk is two files: its fragments (`Chunk`), and beside that what
they show, one turn behind the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.outputs import StagedFile  # noqa: TC001  (msgspec reads it)
from everyleaf.pages.fragments import FragmentText, TurnFragment
from everyleaf.transcript.document import Task  # noqa: TC001  (msgspec reads it)

# msgspec reads the annotations, so their names must exist when the module runs.

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import Self

    from everyleaf.pages.work import TurnKey


class ChunkTurn(Struct, frozen=True):
    """A turn that was drawn."""

    fragment: TurnFragment
    tasks: int
    """Number of the task list that it was drawn with, as if that stood before it."""
    offset: int
    """Where its HTML begins in the file of its chunk; its Markdown comes right behind."""
    html: int
    """Length in bytes, as the next one."""
    markdown: int


class Chunk(Struct, frozen=True):
    """Turns that were drawn together."""

    turns: list[ChunkTurn]
    lists: list[tuple[Task, ...]]
    """Task lists that they were drawn with."""
    blobs: dict[str, StagedFile]
    """Where the bytes are of what they link to, by name."""

    def encode(self) -> bytes:
        """Return all of it as bytes."""
        return msgspec.msgpack.encode(self)


class ChunkFiles:
    """The turns of a group that are drawn. Use as `with ChunkFiles(…)`.

    What pages show of them stays on disk, and is read as often as it is asked for; the
    file of a chunk stays open while nothing else is asked for.
    """

    def __init__(self, chunks: Iterable[tuple[Path, Path]]) -> None:
        """Read `chunks`, given as their files: fragments, and what they show."""
        self.blobs: dict[str, StagedFile] = {}
        """Where the bytes are of what the turns link to, by name."""
        self._turns: dict[TurnKey, tuple[ChunkTurn, tuple[Task, ...], Path]] = {}
        self._opened: tuple[Path, BinaryIO] | None = None
        for known_file, texts_file in chunks:
            chunk = msgspec.msgpack.decode(known_file.read_bytes(), type=Chunk)
            self.blobs |= chunk.blobs
            for turn in chunk.turns:
                tasks = chunk.lists[turn.tasks]
                self._turns[turn.fragment.key] = (turn, tasks, texts_file)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Close the file that is open."""
        self._close()

    def __contains__(self, key: TurnKey) -> bool:
        """Return whether a turn is drawn."""
        return key in self._turns

    def find(self, key: TurnKey, tasks: tuple[Task, ...]) -> TurnFragment | None:
        """Return a turn; None where it must be drawn with `tasks` before it.

        What it was made of is left out where that were other tasks, none of which it shows.
        """
        found = self._turns.get(key)
        if found is None:
            return None
        fragment, thought = found[0].fragment, found[1]
        if tasks == thought:
            return fragment
        return None if fragment.reads_tasks else replace(fragment, input_digest="")

    def text(self, key: TurnKey) -> FragmentText:
        """Return what pages show of a turn that is drawn."""
        turn, _, texts_file = self._turns[key]
        if self._opened is None or self._opened[0] != texts_file:
            self._close()
            self._opened = (texts_file, texts_file.open("rb"))
        file = self._opened[1]
        file.seek(turn.offset)
        both = file.read(turn.html + turn.markdown)
        return FragmentText(both[: turn.html], both[turn.html :])

    def _close(self) -> None:
        if self._opened is not None:
            self._opened[1].close()
            self._opened = None
