"""Sessions that name each other without sharing a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from everyleaf.graph.describe import describe
from everyleaf.graph.forest import Mention, MentionKind
from everyleaf.graph.solve import solve
from everyleaf.model import Envelope, Kind, Marker, MarkerKind, SessionRecords

if TYPE_CHECKING:
    from collections.abc import Sequence


def session(name: str, *, day: int = 1, **changes: object) -> SessionRecords:
    """Return a session of one prompt, `u-<name>`."""
    prompt = Envelope(
        uuid=f"u-{name}",
        parent_uuid=None,
        kind=Kind.PROMPT,
        line=1,
        offset=0,
        size_bytes=9,
        timestamp=f"2026-03-{day:02}T10:00:00Z",
        words=f"words of {name}",
        digest=len(name),
    )
    bare = SessionRecords(name, "p", f"{name}.jsonl", (prompt,))
    return replace(bare, **changes)


def mentions(files: Sequence[SessionRecords]) -> dict[str, tuple[Mention, ...]]:
    return describe(solve(files)).mentions


def summary_of(leaf: str) -> tuple[Marker, ...]:
    return (Marker(MarkerKind.SUMMARY, 1, "What was done", leaf),)


def continued_in(name: str) -> tuple[Marker, ...]:
    return (Marker(MarkerKind.CONTINUED_IN, 9, name),)


def test_a_session_names_the_one_that_it_goes_on_in():
    files = [session("old", markers=continued_in("new")), session("new")]

    assert mentions(files) == {"old": (Mention(MentionKind.CONTINUED_IN, "new"),)}


def test_a_session_knows_who_holds_a_summary_of_it():
    files = [session("old"), session("new", markers=summary_of("u-old"))]

    assert mentions(files) == {"old": (Mention(MentionKind.SUMMARY, "new"),)}


def test_of_two_holders_of_one_name_the_second_is_known_by_its_number():
    notes = [session("notes"), session("new", session="notes", project="q")]
    notes[1] = replace(notes[1], markers=summary_of("u-old"))

    assert mentions([session("old"), *notes]) == {
        "old": (Mention(MentionKind.SUMMARY, "notes-2"),)
    }


def test_of_sessions_with_one_plan_each_names_the_one_before_it():
    files = [
        session("third", day=3, plans=("brave-red-fox",)),
        session("first", day=1, plans=("brave-red-fox", "calm-blue-owl")),
        session("second", day=2, plans=("brave-red-fox",)),
        session("other", day=2, plans=("odd-green-elk",)),
    ]

    assert mentions(files) == {
        "second": (Mention(MentionKind.PLAN, "first"),),
        "third": (Mention(MentionKind.PLAN, "second"),),
    }


def test_of_two_sessions_with_one_name_the_second_is_known_by_its_number():
    plan, onward = ("brave-red-fox",), continued_in("last")
    files = [
        session("notes", day=1, plans=plan),
        session("new", day=2, session="notes", project="q", plans=plan, markers=onward),
        session("last", day=3, plans=plan),
    ]

    assert mentions(files) == {
        "last": (Mention(MentionKind.PLAN, "notes-2"),),
        "notes-2": (
            Mention(MentionKind.CONTINUED_IN, "last"),
            Mention(MentionKind.PLAN, "notes"),
        ),
    }


@pytest.mark.parametrize(
    "markers", [summary_of("u-one"), continued_in("one"), continued_in("gone")]
)
def test_a_session_names_neither_itself_nor_what_is_not_there(markers: tuple[Marker, ...]):
    assert mentions([session("one", markers=markers, plans=("plan",))]) == {}


def test_plans_of_agents_say_nothing():
    agent = session("one", agent_id="a", plans=("plan",))

    assert mentions([session("two", plans=("plan",)), agent, session("one")]) == {}
