"""Things that belong together, directly or through others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Iterable


class Grouping(Struct):
    """Numbers in groups, each named by its least member; one that was not met is alone."""

    _above: dict[int, int] = field(default_factory=dict[int, int])

    def leader(self, number: int) -> int:
        """Return the least member of the group of `number`; near-constant time."""
        above = self._above
        while (higher := above.get(number, number)) != number:
            above[number] = above.get(higher, higher)
            number = higher
        return number

    def unite(self, one: int, other: int) -> None:
        """Make one group of those of two numbers."""
        low, high = sorted((self.leader(one), self.leader(other)))
        if low != high:
            self._above[high] = low

    def groups(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """Return `numbers`, in their order, by the leader of each."""
        found: dict[int, list[int]] = {}
        for number in numbers:
            found.setdefault(self.leader(number), []).append(number)
        return found

    def met(self) -> list[int]:
        """Return all numbers that are in a group with another one, sorted."""
        return sorted({*self._above, *self._above.values()})
