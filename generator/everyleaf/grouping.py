"""What belongs together: by a key, or directly and through others (union-find)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from msgspec import Struct

K = TypeVar("K")
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the second parts of `pairs` by their first ones, all in the order met.

    >>> grouped((len(word), word) for word in ("a", "of", "I"))
    {1: ['a', 'I'], 2: ['of']}
    """
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


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
        return grouped((self.find(number), number) for number in numbers)

    def members(self) -> list[int]:
        """Return all numbers that are in a set with another one, sorted."""
        return sorted({*self._above, *self._above.values()})
