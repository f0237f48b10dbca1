"""In which order the families of a site are drawn, and which of them in chunks."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from everyleaf.familytasks import ChunkDone, ChunkTask, FamilyDone, FamilyTask

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.familytasks import Task


@dataclass(slots=True)
class _Cut:
    """A family of which chunks are drawn."""

    task: FamilyTask
    """To be handed out when all of them are."""
    missing: int
    turns: int = 0
    records: int = 0


class Agenda:
    """Hands out the work for families: chunks of a long one, and then its pages.

    What is handed out is as small as it may be, so that no worker is left alone with a long
    family while the others have nothing to do.
    """

    def __init__(self, families: Iterable[FamilyTask], *, has_html: bool) -> None:
        """Take `families`, largest first; they are asked for one at a time."""
        self.ahead: deque[Task] = deque()
        """What can be begun now, and is to be before what was not handed out yet."""
        self._families = families
        self._has_html = has_html
        self._cut: dict[int, _Cut] = {}

    def __iter__(self) -> Iterator[Task]:
        """Yield what can be begun at any time."""
        from everyleaf.pages.chunks import cut, iter_chunks  # noqa: PLC0415  (slow to import)

        for number, family in enumerate(self._families):
            task = replace(family, number=number)
            chunks = [] if task.is_known else cut(task.work)
            if len(chunks) < 2:
                yield task
                continue
            names = tuple(f"{number}-{part}" for part in range(len(chunks)))
            self._cut[number] = _Cut(replace(task, chunks=names), len(chunks))
            works = iter_chunks(task.work, chunks, has_html=self._has_html)
            for name, work in zip(names, works, strict=True):
                yield ChunkTask(work, number, name)

    def take(self, done: FamilyDone | ChunkDone) -> FamilyDone | None:
        """Return the family that is done with this; None: there is more to do for it."""
        if isinstance(done, FamilyDone):
            before = self._cut.pop(done.number, None)
            if before is None:
                return done
            counts = replace(
                done.counts,
                turns=done.counts.turns + before.turns,
                records=done.counts.records + before.records,
            )
            return replace(done, counts=counts)
        family = self._cut[done.number]
        family.turns += done.turns
        family.records += done.records
        family.missing -= 1
        if not family.missing:
            self.ahead.append(family.task)
        return None
