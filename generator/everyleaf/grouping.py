"""What belongs together: by a key, or directly and through others (union-find)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from msgspec import Struct

K = TypeVar("K")
N = TypeVar("N", int, str)
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


class DisjointSets(Struct, Generic[N]):
    """Sets of numbers or names, each called by its least; one that was not met is alone."""

    _above: dict[N, N] = {}

    def find(self, one: N) -> N:
        """Return the least member of the set of `one`; near-constant time."""
        above = self._above
        while (higher := above.get(one, one)) != one:
            above[one] = above.get(higher, higher)
            one = higher
        return one

    def union(self, one: N, other: N) -> None:
        """Make one set of those of two."""
        low, high = sorted((self.find(one), self.find(other)))
        if low != high:
            self._above[high] = low

    def groups(self, some: Iterable[N]) -> dict[N, list[N]]:
        """Return `some`, in their order, by the least member of the set of each."""
        return grouped((self.find(one), one) for one in some)

    def members(self) -> list[N]:
        """Return all that are in a set with another one, sorted."""
        return sorted(set(self._above).union(self._above.values()))
