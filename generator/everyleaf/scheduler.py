"""Which job is handed out when: session groups; of a long one, turns before pages."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from everyleaf import renderjobs


class _Split(Struct):
    """A long group that is drawn in several jobs."""

    pages: renderjobs.GroupJob
    """To be handed out when all chunks are drawn."""
    left: int
    """How many chunks, or comparisons, are not drawn yet."""
    parts: list[renderjobs.DrawnChunk] = []
    """Those that are."""
    drawn: renderjobs.DrawnGroup | None = None
    """All but comparisons."""


class Scheduler:
    """Hands out the jobs of a site, and puts together what comes back of long groups.

    A group is one job. Whoever opens one that takes long answers with its turns in chunks:
    those are drawn by all workers, then its pages, by one, then its comparisons by all.
    """

    def __init__(self, groups: Iterable[renderjobs.GroupJob]) -> None:
        """Take `groups`, largest first; they are asked for one at a time."""
        self.ahead: deque[renderjobs.Job] = deque()
        """What goes on with groups that were begun: to be handed out before new ones."""
        self.lost: list[str] = []
        """Names of the files of groups that could not be drawn."""
        self._groups = groups
        self._begun: dict[int, renderjobs.GroupJob] = {}
        self._split: dict[int, _Split] = {}
        """Both by the number of the group."""

    def __iter__(self) -> Iterator[renderjobs.Job]:
        """Yield the groups that were not begun."""
        for group in self._groups:
            self._begun[group.number] = group
            yield group

    def take(self, done: renderjobs.Done) -> renderjobs.DrawnGroup | None:
        """Return the group that is done with this; None: there is more to do for it."""
        if done.number not in self._begun:
            return None  # Of a group that was lost meanwhile.
        match done:
            case renderjobs.LostGroup():
                group = self._begun.pop(done.number)
                self._split.pop(done.number, None)
                self.lost += [one.file.file for one in group.archive.files]
            case renderjobs.SplitGroup():
                group = replace(self._begun[done.number], chunks=done.chunks)
                self._split[done.number] = _Split(group, len(done.chunks))
                self._hand_out(done.number, done.chunks)
            case renderjobs.DrawnChunk():
                split = self._split[done.number]
                split.parts.append(done)
                split.left -= 1
                if split.drawn is None and not split.left:
                    self.ahead.append(split.pages)
                return self._finish(split.drawn)
            case renderjobs.DrawnGroup():
                if whole := self._split.get(done.number):
                    whole.drawn, whole.left = done, len(done.rest)
                    self._hand_out(done.number, done.rest)
                return self._finish(done)
            case _ as never:
                assert_never(never)
        return None

    def _hand_out(self, number: int, names: Iterable[str]) -> None:
        self.ahead.extend(renderjobs.ChunkJob(number, name) for name in names)

    def _finish(self, drawn: renderjobs.DrawnGroup | None) -> renderjobs.DrawnGroup | None:
        split = self._split.get(drawn.number) if drawn else None
        if drawn is None or (split and split.left):
            return None
        del self._begun[drawn.number]
        self._split.pop(drawn.number, None)
        return drawn.join(split.parts) if split else drawn
