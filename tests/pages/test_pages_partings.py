"""Where paths part: as two whole paths would be cut, at the cost of what is looked at."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from everyleaf.compare.split import Attempt, ForkSplit, conversation_ids, part_ways
from everyleaf.graph.forest import PathRef, PlacedRecord, Status, Turn, TurnKind
from everyleaf.model import Envelope, Kind
from everyleaf.pages.forks import COMPARED_BUDGET, REACH, ForkSplits, find_reach
from everyleaf.pages.work import TurnKey, TurnTree
from pages.making import FORKED, families


def tree_of(parents: list[int]) -> tuple[TurnTree, dict[PathRef, TurnKey]]:
    """Turns of one to three messages, each below the earlier one named; -1: a root."""
    turns = {("s", n): turn_of(n, messages=n % 3 + 1) for n in range(len(parents))}
    above = {("s", n): ("s", p) if p >= 0 else None for n, p in enumerate(parents)}
    leaves = [n for n in range(len(parents)) if n not in parents]
    refs = {PathRef("s", number): ("s", n) for number, n in enumerate(leaves, 1)}
    return TurnTree(turns, above, {}), refs


def turn_of(number: int, *, messages: int) -> Turn:
    records = tuple(
        PlacedRecord(
            Envelope(f"{number}-{at}", None, Kind.REPLY, 1, 0, 0),
            f"{number}-{at}",
            Kind.REPLY,
        )
        for at in range(messages)
    )
    return Turn(number, "s", 0, TurnKind.RESPONSE, records)


def against_all(refs: dict[PathRef, TurnKey]) -> dict[PathRef, tuple[PathRef, ...]]:
    return {ref: tuple(other for other in refs if other != ref) for ref in refs}


@st.composite
def trees(draw: st.DrawFn) -> list[int]:
    size = draw(st.integers(2, 40))
    return [-1] + [draw(st.integers(-1, n - 1)) for n in range(1, size)]


@given(trees())
def test_two_paths_of_a_tree_part_where_their_turns_do(parents):
    tree, refs = tree_of(parents)
    partings = ForkSplits(tree, refs, against_all(refs), None)

    for left, right in combinations(refs, 2):
        whole = [[tree.turns[key] for key in tree.chain(refs[r])] for r in (left, right)]

        assert partings.split(left, right) == part_ways(*whole)


@given(trees(), st.integers(1, 6))
def test_a_reach_cuts_both_sides_and_says_how_much_is_beyond(parents, reach):
    tree, refs = tree_of(parents)
    partings = ForkSplits(tree, refs, against_all(refs), reach)

    for left, right in combinations(refs, 2):
        whole = [[tree.turns[key] for key in tree.chain(refs[r])] for r in (left, right)]
        all_of_it, cut = part_ways(*whole), partings.split(left, right)

        assert cut.messages == all_of_it.messages
        check_side(cut.left, all_of_it.left, reach)
        check_side(cut.right, all_of_it.right, reach)


def check_side(cut: Attempt, whole: Attempt, reach: int) -> None:
    assert cut.own == whole.own[: len(cut.own)]
    assert cut.beyond == messages(whole.own) - messages(cut.own)
    assert messages(cut.own[:-1]) < reach
    assert not cut.beyond or messages(cut.own) >= reach


def messages(turns: tuple[Turn, ...]) -> int:
    return sum(len(conversation_ids(turn)) for turn in turns)


def test_a_side_keeps_the_first_turn_and_the_last_before_the_fork():
    # Its first turn names the folder that the path began in.
    trunk = list(range(-1, 29))
    tree, refs = tree_of([*trunk, 20, 29])

    parting = ForkSplits(tree, refs, against_all(refs), 4).split(*refs)

    assert [turn.index for turn in parting.left.shared] == [0, 19, 20]


@pytest.mark.parametrize("forks", [20, 40, 80])
def test_what_is_asked_of_turns_grows_as_the_attempts_do(forks):
    class Counted(dict[TurnKey, Turn]):
        asked = 0

        def __getitem__(self, key: TurnKey) -> Turn:
            self.asked += 1
            return super().__getitem__(key)

    length = forks * 50
    attempts = range(0, length, 50)
    tree, refs = tree_of([*range(-1, length - 1), *attempts])
    turns = Counted(tree.turns)
    trunk = max(refs, key=lambda ref: len(tree.chain(refs[ref])))
    others = tuple(ref for ref in refs if ref != trunk)
    compared = {trunk: others, **dict.fromkeys(others, (trunk,))}
    partings = ForkSplits(replace(tree, turns=turns), refs, compared, 20)

    for ref in compared[trunk]:
        partings.split(ref, trunk)

    # Held against all that follows, it would be forks times length / 2.
    assert turns.asked < 2 * length


def test_pages_look_at_all_until_that_is_much(tmp_path):
    (work,) = families(tmp_path, {"s.jsonl": FORKED})
    left, right = (item.path for item in work.sessions[0].paths)
    paths = {left.ref: left, right.ref: right}
    long = replace(right, messages=COMPARED_BUDGET + 10)
    withdrawn = replace(left, is_withdrawn=True)
    pair = [(left.ref, right.ref)]

    assert left.status is Status.ABANDONED
    assert find_reach(paths, pair) is None
    assert find_reach({**paths, right.ref: long}, pair) == REACH
    assert find_reach({left.ref: withdrawn, right.ref: long}, pair) is None


def test_paths_of_two_trees_part_as_their_records_say():
    tree, refs = tree_of([-1, 0, 1, -1, 3])
    partings = ForkSplits(tree, refs, against_all(refs), None)

    assert partings.split(*refs) == ForkSplit(
        Attempt((), tuple(tree.turns["s", n] for n in (0, 1, 2))),
        Attempt((), tuple(tree.turns["s", n] for n in (3, 4))),
        0,
    )
