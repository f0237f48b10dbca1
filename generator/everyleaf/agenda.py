"""In which order the session groups of a site are drawn, and which of them in chunks."""

from __future__ import annotations

from collections import deque
from functools import reduce
from itertools import count
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.grouptasks import (
    ChunkDone,
    ChunkTask,
    FamilyTask,
    GroupDone,
    GroupTask,
    PagesTask,
    encode_work,
)
from everyleaf.pages import chunks
from everyleaf.pages.work import PageCounts
from everyleaf.state.groups import KeptGroup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from everyleaf.grouptasks import Task
    from everyleaf.pages.work import FamilyWork, Part


class _Cut(Struct):
    """A long family of which something was handed out."""

    number: int
    family: FamilyTask | None
    """None when its pages were handed out."""
    chunks: tuple[str, ...]
    parts: tuple[Part, ...]
    """Of its pages, to be handed out when all chunks are drawn."""
    missing: int
    """Chunks that are not."""
    is_huge: bool = False
    turns: int = 0
    records: int = 0
    done: list[GroupDone] = field(default_factory=list["GroupDone"])


class _Open(Struct):
    """A long group of which something was handed out."""

    missing: int
    """Families that are not drawn."""
    done: list[GroupDone]


class Agenda:
    """Hands out the work for groups: of a long one its families, chunks first, then pages.

    What is handed out is as small as it may be, so that no worker is left alone with a long
    group while the others have nothing to do. A long group is solved here, when it is its
    turn: whoever draws a part of it gets no more than that part.
    """

    def __init__(
        self,
        groups: Iterable[GroupTask],
        *,
        has_html: bool,
        knows: Callable[[FamilyWork], bool] = lambda _: False,
        renew: Callable[[int | None], None] = lambda _: None,
    ) -> None:
        """Take `groups`, largest first; they are asked for one at a time.

        `knows` says whether most of a family need not be drawn again. `renew` is called
        before the pages of a huge family are handed out: who draws them is to hold nothing
        else. It is told how much work is left, once that is known.
        """
        self.ahead: deque[Task] = deque()
        """What can be begun now, and is to be before what was not handed out yet."""
        self._groups = groups
        self._has_html = has_html
        self._knows = knows
        self._renew = renew
        self._opened: dict[int, _Open] = {}
        self._cut: dict[int, _Cut] = {}
        """Long families, by their number."""
        self._numbers = count()
        self._is_all_begun = False

    def __iter__(self) -> Iterator[Task]:
        """Yield what can be begun at any time."""
        for group in self._groups:
            if group.part.size_bytes <= chunks.LONG_BYTES:
                yield group
            else:
                yield from self._iter_long(group)
        self._is_all_begun = True

    def _iter_long(self, group: GroupTask) -> Iterator[Task]:
        families, sums = group.solve()
        begun = GroupDone(
            group.number, KeptGroup(sums=sums), {}, (), PageCounts(0, 0, 0), 0
        )
        self._opened[group.number] = _Open(len(families), [begun])
        families.reverse()
        while families:
            work = families.pop()
            number = next(self._numbers)
            is_known = bool(group.standing.files) and self._knows(work)
            task = FamilyTask(work, group.standing, group.number, number)
            yield from self._iter_family(task, number, is_known=is_known)

    def _iter_family(
        self, task: FamilyTask, number: int, *, is_known: bool
    ) -> Iterator[Task]:
        turns = [] if is_known else chunks.cut(task.work)
        if len(turns) < 2:
            yield task
            return
        names = tuple(f"{number}-{part}" for part in range(len(turns)))
        parts = chunks.parts_of(task.work, has_html=self._has_html)
        works = chunks.iter_chunks(task.work, turns, has_html=self._has_html)
        self._cut[number] = _Cut(
            number, task, names, parts, len(names), is_huge=chunks.is_huge(task.work)
        )
        for name, work in zip(names, works, strict=True):
            yield ChunkTask(work, number, name)

    def take(self, done: GroupDone | ChunkDone) -> GroupDone | None:
        """Return the group that is done with this; None: there is more to do for it."""
        if isinstance(done, ChunkDone):
            self._take_chunk(self._cut[done.family], done)
            return None
        if done.family is None:
            return done
        cut = self._cut.get(done.family)
        if cut is not None:
            cut.done.append(done)
            if len(cut.done) < len(cut.parts):
                return None
            del self._cut[done.family]
            done = _joined(cut)
        return self._take_family(done)

    def _take_chunk(self, cut: _Cut, done: ChunkDone) -> None:
        cut.turns += done.turns
        cut.records += done.records
        cut.missing -= 1
        if not cut.missing:
            self.ahead.extend(_pages(cut))
            if cut.is_huge:
                self._renew(self._left())

    def _take_family(self, done: GroupDone) -> GroupDone | None:
        opened = self._opened[done.number]
        opened.done.append(done)
        opened.missing -= 1
        if opened.missing:
            return None
        del self._opened[done.number]
        begun, *families = opened.done
        families.sort(key=lambda one: one.family or 0)
        return reduce(GroupDone.joined, families, begun)

    def _left(self) -> int | None:
        """Return how many pieces of work may still come; None: nobody knows."""
        if not self._is_all_begun or any(cut.missing for cut in self._cut.values()):
            return None
        return sum(len(cut.parts) - len(cut.done) for cut in self._cut.values())


def _pages(cut: _Cut) -> list[PagesTask]:
    """Return what is to be done when all chunks are drawn, and let the family go."""
    family, cut.family = cut.family, None
    if family is None:
        return []
    work = encode_work(family.work)
    return [
        PagesTask(work, family.standing, family.group, cut.number, cut.chunks, part)
        for part in cut.parts
    ]


def _joined(cut: _Cut) -> GroupDone:
    """Return all that was drawn of a family, whichever part was done first."""
    first, *others = sorted(cut.done, key=lambda done: done.part)
    whole = reduce(GroupDone.joined, others, first)
    counts = replace(
        whole.counts,
        turns=whole.counts.turns + cut.turns,
        records=whole.counts.records + cut.records,
    )
    return replace(whole, counts=counts)
