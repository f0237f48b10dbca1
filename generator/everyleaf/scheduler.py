"""Which job is handed out when: session groups; of a long one, turns before pages."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from everyleaf import renderjobs
from everyleaf.pages.work import PageCounts


class _Split(Struct):
    """A long group that is drawn in several jobs."""

    pages: renderjobs.GroupJob
    """To be handed out when all chunks are drawn."""
    chunks: int
    """How many are not drawn yet."""
    counts: PageCounts = PageCounts()
    """Of the chunks."""


class Scheduler:
    """Hands out the jobs of a site, and puts together what comes back of long groups.

    A group is one job. Whoever opens one that takes long answers with its turns in chunks:
    those are drawn by all workers, and then its pages, so that no worker is left alone with
    a long group while the others have nothing to do.
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
                self._begin(done)
            case renderjobs.DrawnChunk():
                split = self._split[done.number]
                split.chunks -= 1
                split.counts += done.counts
                if not split.chunks:
                    self.ahead.append(split.pages)
            case renderjobs.DrawnGroup():
                return self._finish(done)
            case _ as never:
                assert_never(never)
        return None

    def _begin(self, split: renderjobs.SplitGroup) -> None:
        group = self._begun[split.number]
        names = split.chunks
        self.ahead.extend(renderjobs.ChunkJob(split.number, name) for name in names)
        self._split[split.number] = _Split(replace(group, chunks=names), len(names))

    def _finish(self, done: renderjobs.DrawnGroup) -> renderjobs.DrawnGroup:
        del self._begun[done.number]
        split = self._split.pop(done.number, None)
        return replace(done, counts=done.counts + split.counts) if split else done
