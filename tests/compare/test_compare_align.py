"""Steps side by side: nothing is lost, nothing changes its place."""

from __future__ import annotations

from hypothesis import given, strategies as st

from everyleaf.compare.sketch import Step, StepKind, align
from everyleaf.transcript.document import Outcome

STEPS = st.lists(
    st.builds(
        Step,
        uuid=st.just("u"),
        kind=st.just(StepKind.TOOL),
        name=st.sampled_from(["Bash", "Edit"]),
        words=st.sampled_from("abc"),
        ending=st.sampled_from(["", "exit 1"]),
    ),
    max_size=12,
)


def step(words: str, ending: str = "") -> Step:
    return Step("u", StepKind.TOOL, "Bash", words, ending, Outcome.OK)


@given(STEPS, STEPS)
def test_each_side_keeps_all_its_steps_in_order(left, right):
    rows = align(left, right)

    assert [row.left for row in rows if row.left] == left
    assert [row.right for row in rows if row.right] == right
    assert all(row.left or row.right for row in rows)


@given(STEPS)
def test_a_sequence_beside_itself_is_the_same_all_through(steps):
    assert all(row.is_same for row in align(steps, steps))


@given(STEPS, STEPS)
def test_sides_that_are_swapped_lose_nothing_either(left, right):
    rows = align(right, left)

    assert [row.right for row in rows if row.right] == left
    assert [row.left for row in rows if row.left] == right


def test_the_same_call_that_ended_otherwise_is_matched_and_not_the_same():
    (row,) = align([step("npm test")], [step("npm test", "exit 1")])

    assert row.left is not None
    assert row.right is not None
    assert row.left.signature == row.right.signature
    assert not row.is_same


def test_a_step_that_only_one_side_took_stands_alone():
    rows = align([step("a"), step("b"), step("c")], [step("a"), step("c")])

    assert [(bool(row.left), bool(row.right)) for row in rows] == [
        (True, True),
        (True, False),
        (True, True),
    ]


def test_late_steps_of_a_long_side_are_matched_too():
    left = [step(f"l{n}") for n in range(600)] + [step("late"), step("x")]
    right = [step("late"), step("y")]

    rows = align(left, right)

    assert [row.left for row in rows if row.left] == left
    assert [row.left for row in rows if row.is_same] == [step("late")]
