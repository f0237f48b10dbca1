"""How sessions of a project belong together, from facts alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from everyleaf.graph.forest import (
    Contained,
    Diverged,
    Mention,
    MentionKind,
    PathRef,
    Status,
)
from everyleaf.pages.facts import (
    RunFacts,
    SessionFacts,
    newest_first,
    parse_session_facts,
    write_session_facts,
)
from everyleaf.pages.relations import (
    MAX_LANES,
    MAX_ROWS,
    Relation,
    assign_lanes,
    find_relations,
    relations_view,
)
from pages.making import path_facts, session_facts

HERE = "projects/parser.html"


def diverged(name: str, **shared: int) -> SessionFacts:
    others = tuple(Diverged(PathRef(other, 1), count) for other, count in shared.items())
    return session_facts(name, title=f"Title {name}", paths=(path_facts(diverged=others),))


def contained(name: str, by: str) -> SessionFacts:
    copy = Contained(PathRef(name, 1), PathRef(by, 1), Status.ACTIVE, "Copy", 3, "u")
    return session_facts(name, paths=(), dropped=(copy,))


def carried_on(name: str, origin: str) -> SessionFacts:
    run = RunFacts(
        number=1,
        parent=0,
        path=1,
        status=Status.ACTIVE,
        words="",
        anchor="",
        messages=1,
        prompts=1,
        origin=origin,
    )
    return session_facts(name, runs=(run,))


def test_sessions_on_their_own_have_no_picture() -> None:
    assert relations_view([session_facts("a"), session_facts("b")], HERE) is None


def test_each_pair_is_named_once() -> None:
    found = find_relations([diverged("a", b=3), diverged("b", a=3)])

    assert [(one.kind, one.shared) for one in found] == [("diverged", 3)]


def test_carrying_on_says_more_than_sharing() -> None:
    found = find_relations([diverged("a", b=3), carried_on("b", "a"), contained("c", "a")])

    assert found == [Relation("b", "a", "carried-on"), Relation("c", "a", "contained")]


def test_sessions_that_are_not_listed_are_left_out() -> None:
    assert find_relations([diverged("a", elsewhere=3), contained("b", "b")]) == []


def test_many_copies_are_tied_together_by_as_few_relations_as_it_takes() -> None:
    names = [f"s{number}" for number in range(30)]
    copies = [diverged(one, **{o: 5 for o in names if o != one}) for one in names]

    assert len(find_relations(copies)) == len(names) - 1


def test_rows_are_newest_first_with_groups_together() -> None:
    sessions = newest_first(
        [
            session_facts("old", title="Old", ended="2026-01-01T00:00:00Z"),
            session_facts("alone", ended="2026-01-02T00:00:00Z"),
            contained("copy", "old"),
            diverged("x", y=2),
            session_facts("y", ended="2026-02-02T00:00:00Z"),
        ]
    )

    view = relations_view(sessions, HERE)

    assert view is not None
    assert [node.url for node in view.nodes] == [
        "../sessions/session_y.html",
        "../sessions/session_x.html",
        "../sessions/session_copy.html",
        "../sessions/session_old.html",
    ]
    kinds = [stroke.kind for stroke in view.strokes]
    assert kinds == ["contained", "arrow", "diverged"]
    assert view.rows[0].says == "is contained in"
    assert view.rows[1].says == "shares 2 messages with"
    assert "Thick" not in view.key


def test_too_many_sessions_are_cut_and_counted() -> None:
    count = MAX_ROWS + 9
    sessions = [
        session_facts("root"),
        *(carried_on(f"s{n:03}", "root") for n in range(count)),
    ]

    view = relations_view(sessions, HERE)

    assert view is not None
    assert len(view.nodes) == MAX_ROWS
    assert view.hidden == count + 1 - MAX_ROWS
    assert len(view.rows) == count
    assert len(view.strokes) <= 2 * MAX_LANES
    numbers = [int(n) for stroke in view.strokes for n in re.findall(r"-?\d+", stroke.d)]
    assert min(numbers) >= 0


spans = st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted).map(tuple)


@given(st.lists(spans, max_size=30))
def test_no_two_lines_of_a_lane_meet(some: list[tuple[int, int]]) -> None:
    lanes = assign_lanes(some)

    taken = [
        (lane, row)
        for (first, last), lane in zip(some, lanes, strict=True)
        for row in range(first, last + 1)
    ]
    assert len(taken) == len(set(taken))
    assert set(lanes) == set(range(len(set(lanes))))


@given(st.permutations(["a", "b", "c", "d"]))
def test_the_order_of_sessions_changes_no_relation(order: list[str]) -> None:
    known = {
        "a": diverged("a", b=3, c=4),
        "b": diverged("b", a=3, c=3),
        "c": contained("c", "d"),
        "d": carried_on("d", "a"),
    }

    assert find_relations(known[name] for name in order) == find_relations(known.values())


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (MentionKind.CONTINUED_IN, "One goes on in Two"),
        (MentionKind.PLAN, "One works from the same plan as Two"),
        (MentionKind.SUMMARY, "Two holds a summary of One"),
    ],
)
def test_sessions_that_name_each_other_are_drawn(kind: MentionKind, says: str):
    one = session_facts("one", title="One", mentions=(Mention(kind, "two"),))
    two = session_facts("two", title="Two")

    view = relations_view(newest_first([one, two]), HERE)

    assert view is not None
    assert [stroke.kind for stroke in view.strokes] == [kind, "arrow"]
    assert [f"{row.title} {row.says} {row.other}" for row in view.rows] == [says]
    assert view.key


def test_a_mention_between_related_sessions_is_not_drawn_again():
    plan = Mention(MentionKind.PLAN, "c")
    sessions = [
        replace(diverged("a", b=3), mentions=(plan,)),
        diverged("b", c=2),
        diverged("c"),
    ]

    assert [relation.kind for relation in find_relations(sessions)] == [
        "diverged",
        "diverged",
    ]


def test_mentions_are_kept_in_the_facts():
    facts = session_facts("one", mentions=(Mention(MentionKind.SUMMARY, "two"),))

    assert parse_session_facts(write_session_facts(facts)) == facts
