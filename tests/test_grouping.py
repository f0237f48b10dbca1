"""Numbers that belong together, directly or through others."""

from __future__ import annotations

from hypothesis import given, strategies as st

from everyleaf.grouping import DisjointSets

LINKS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=20)


@given(LINKS)
def test_groups_are_what_links_reach(links: list[tuple[int, int]]) -> None:
    together = DisjointSets()
    for one, other in links:
        together.union(one, other)

    groups = together.groups(range(13))

    for number in range(13):
        reached = {number}
        while more := {b for pair in links for a, b in (pair, pair[::-1]) if a in reached}:
            if more <= reached:
                break
            reached |= more
        assert groups[min(reached)] == sorted(reached)


@given(LINKS)
def test_met_is_who_is_not_alone(links: list[tuple[int, int]]) -> None:
    together = DisjointSets()
    for one, other in links:
        together.union(one, other)

    assert together.members() == sorted(
        {n for pair in links if pair[0] != pair[1] for n in pair}
    )
