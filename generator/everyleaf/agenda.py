"""In which order the families of a site are drawn, and which of them in chunks."""

from __future__ import annotations

from collections import deque
from functools import reduce
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.familytasks import (
    ChunkDone,
    ChunkTask,
    FamilyDone,
    FamilyTask,
    PagesTask,
    encode_work,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from everyleaf.familytasks import Task
    from everyleaf.pages.work import Part


class _Cut(Struct):
    """A long family of which something was handed out."""

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
    done: list[FamilyDone] = field(default_factory=list[FamilyDone])


class Agenda:
    """Hands out the work for families: chunks of a long one, and then its pages.

    What is handed out is as small as it may be, so that no worker is left alone with a long
    family while the others have nothing to do.
    """

    def __init__(
        self,
        families: Iterable[FamilyTask],
        *,
        has_html: bool,
        renew: Callable[[int | None], None] = lambda _: None,
    ) -> None:
        """Take `families`, largest first; they are asked for one at a time.

        `renew` is called before the pages of a huge family are handed out: who draws them
        is to hold nothing else. It is told how much work is left, once that is known.
        """
        self.ahead: deque[Task] = deque()
        """What can be begun now, and is to be before what was not handed out yet."""
        self._families = families
        self._has_html = has_html
        self._renew = renew
        self._cut: dict[int, _Cut] = {}
        self._is_all_begun = False

    def __iter__(self) -> Iterator[Task]:
        """Yield what can be begun at any time."""
        # Slow to import, and of no use where nothing is drawn.
        from everyleaf.pages.chunks import (  # noqa: PLC0415
            cut,
            is_huge,
            iter_chunks,
            parts_of,
        )

        for number, family in enumerate(self._families):
            task = replace(family, number=number)
            chunks = [] if task.is_known else cut(task.work)
            if len(chunks) < 2:
                yield task
                continue
            names = tuple(f"{number}-{part}" for part in range(len(chunks)))
            parts = parts_of(task.work, has_html=self._has_html)
            self._cut[number] = _Cut(
                task, names, parts, len(names), is_huge=is_huge(task.work)
            )
            works = iter_chunks(task.work, chunks, has_html=self._has_html)
            for name, work in zip(names, works, strict=True):
                yield ChunkTask(work, number, name)
        self._is_all_begun = True

    def take(self, done: FamilyDone | ChunkDone) -> FamilyDone | None:
        """Return the family that is done with this; None: there is more to do for it."""
        cut = self._cut.get(done.number)
        if cut is None:
            return done if isinstance(done, FamilyDone) else None
        if isinstance(done, ChunkDone):
            cut.turns += done.turns
            cut.records += done.records
            cut.missing -= 1
            if not cut.missing:
                self.ahead.extend(_pages(cut))
                if cut.is_huge:
                    self._renew(self._left())
            return None
        cut.done.append(done)
        if len(cut.done) < len(cut.parts):
            return None
        del self._cut[done.number]
        return _joined(cut)

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
        PagesTask(work, family.standing, family.number, cut.chunks, part)
        for part in cut.parts
    ]


def _joined(cut: _Cut) -> FamilyDone:
    """Return all that was drawn of a family, whichever part was done first."""
    first, *others = sorted(cut.done, key=lambda done: done.part)
    whole = reduce(FamilyDone.joined, others, first)
    counts = replace(
        whole.counts,
        turns=whole.counts.turns + cut.turns,
        records=whole.counts.records + cut.records,
    )
    return replace(whole, counts=counts)
