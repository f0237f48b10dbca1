"""Disjoint sets: things that belong together, directly or through others (union-find)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class DisjointSets(Struct):
    """Sets of numbers, each named by its least member; one that was not met is alone."""

    _above: dict[int, int] = {}

    def find(self, number: int) -> int:
        """Return the least member of the set of `number`; near-constant time."""
        above = self._above
        while (higher := above.get(number, number)) != number:
            above[number] = above.get(higher, higher)
            number = higher
        return number

    def union(self, one: int, other: int) -> None:
        """Make one set of those of two numbers."""
        low, high = sorted((self.find(one), self.find(other)))
        if low != high:
            self._above[high] = low

    def groups(self, numbers: Iterable[int]) -> dict[int, list[int]]:
        """Return `numbers`, in their order, by the least member of the set of each."""
        found: dict[int, list[int]] = {}
        for number in numbers:
            found.setdefault(self.find(number), []).append(number)
        return found

    def members(self) -> list[int]:
        """Return all numbers that are in a set with another one, sorted."""
        return sorted({*self._above, *self._above.values()})
