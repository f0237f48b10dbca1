from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from cases.notation import read_case
from everyleaf.archive import find_summaries
from everyleaf.graph.describe import describe
from everyleaf.graph.solve import solve
from everyleaf.model import Marker, MarkerKind, SessionRecords
from everyleaf.records.index import Counts, Indexed, facts_of, group_files
from graph.archives import archives, garbage

if TYPE_CHECKING:
    from collections.abc import Sequence

CASES = sorted((Path(__file__).parents[1] / "cases").glob("*.case"))


def grouped(files: Sequence[SessionRecords]) -> list[list[SessionRecords]]:
    """Return the files of each session group."""
    facts = {at: facts_of(Indexed(file, (), Counts())) for at, file in enumerate(files)}
    return [[files[at] for at in numbers] for numbers in group_files(facts)]


def told_apart(files: Sequence[SessionRecords], *, is_strict: bool = False) -> set[str]:
    """Return all that is said of an archive whose groups are solved by themselves."""
    facts = {at: facts_of(Indexed(file, (), Counts())) for at, file in enumerate(files)}
    summaries = find_summaries(facts)
    said: set[str] = set()
    for numbers in group_files(facts):
        brought = [one for number in numbers for one in summaries.get(number, ())]
        group = [files[number] for number in numbers]
        said |= told(group, brought, is_strict=is_strict)
    return said


def told(
    files: Sequence[SessionRecords],
    summaries: Sequence[SessionRecords] | None = None,
    *,
    is_strict: bool = False,
) -> set[str]:
    """Return all that is said of an archive: paths, titles, agents, mentions, issues."""
    forest = solve(files, is_strict=is_strict)
    description = describe(forest, None, summaries)
    agents = [
        (one.session, one.agent_id, one.meta.description, one.meta.tool_use_id)
        for one in forest.agents
    ]
    return {
        *map(repr, forest.issues),
        *map(repr, forest.unplaced),
        *map(repr, forest.calls.items()),
        *map(repr, agents),
        *map(repr, description.titles.items()),
        *map(repr, description.warmups),
        *(str(path.__reduce__()) for path in description.paths.values()),
        *map(repr, description.mentions.items()),
    }


@given(archives(), st.lists(st.integers(0, 40), max_size=3))
def test_no_session_needs_more_than_its_group(
    files: list[SessionRecords], links: list[int]
) -> None:
    named = [uuid for file in files for uuid in (record.uuid for record in file.records)]
    for number, link in enumerate(links):  # Summaries and links that lead elsewhere.
        at = link % len(files)
        leaf = named[(link * 7) % len(named)]
        summary = Marker(MarkerKind.SUMMARY, 90 + number, f"Summary {link}", leaf)
        other = files[(at + 1) % len(files)].session
        goes_on = Marker(MarkerKind.CONTINUED_IN, 95 + number, other)
        files[at] = replace(
            files[at], markers=(*files[at].markers, summary, goes_on), plans=("plan",)
        )

    assert told_apart(files) == told(files)


@given(garbage())
def test_no_session_of_garbage_needs_more_than_its_group(
    files: list[SessionRecords],
) -> None:
    assert told_apart(files) == told(files)


@pytest.mark.parametrize("location", CASES, ids=lambda location: location.stem)
def test_no_session_of_a_case_needs_more_than_its_group(location: Path) -> None:
    case = read_case(location.read_text("utf-8"))

    apart = told_apart(case.files, is_strict=case.is_strict)

    assert apart == told(case.files, is_strict=case.is_strict)


def test_files_that_name_nothing_of_each_other_are_groups_of_their_own() -> None:
    files = [SessionRecords(name, "p", f"{name}.jsonl", ()) for name in "abc"]

    assert grouped(files) == [[file] for file in files]


def test_a_summary_is_brought_to_what_it_names_and_joins_no_groups() -> None:
    opened = read_case(CASES[0].read_text("utf-8")).files[0]
    leaf = opened.records[0].uuid
    summary = Marker(MarkerKind.SUMMARY, 1, "What was done", leaf)
    lost = Marker(MarkerKind.SUMMARY, 2, "What nobody has", "gone")
    files = [
        SessionRecords("sums", "p", "sums.jsonl", (), markers=(summary, lost)),
        replace(opened, session="s", file="s.jsonl"),
    ]
    facts = {at: facts_of(Indexed(file, (), Counts())) for at, file in enumerate(files)}

    assert len(group_files(facts)) == 2
    assert find_summaries(facts) == {
        0: [replace(files[0], markers=(lost,))],
        1: [replace(files[0], markers=(summary,))],
    }


def test_a_holder_of_summaries_that_shares_its_name_is_known_by_its_number() -> None:
    told_of = "=== old\nu1 <- -\n=== sums project=p\nu2 <- -\n"
    files = read_case(f"Twice.\n\n{told_of}=== sums project=q\nu3 <- -\n--- paths\n").files
    marker = Marker(MarkerKind.SUMMARY, 1, "So", "u1")
    files = (*files[:2], replace(files[2], markers=(marker,)))

    assert told_apart(files) == told(files)
    assert "sums-2" in str(describe(solve(files)).mentions["old"])


def test_of_summaries_in_one_line_the_same_titles_a_path_in_whatever_order() -> None:
    opened = read_case(CASES[0].read_text("utf-8")).files[0]
    leaf = opened.records[0].uuid
    markers = [Marker(MarkerKind.SUMMARY, 1, text, leaf) for text in ("one", "two")]
    summaries = [
        SessionRecords("sums", "p", "sums.jsonl", (), (marker,)) for marker in markers
    ]
    forest = solve([opened])

    told, other = (describe(forest, None, way) for way in (summaries, summaries[::-1]))

    assert told == other
    assert {path.title for path in told.paths.values()} == {"two"}


def test_an_agent_is_in_the_group_of_its_session() -> None:
    session = SessionRecords("s", "p", "s.jsonl", ())
    agent = SessionRecords("s", "p", "s/agent-a.jsonl", (), agent_id="a")
    other = SessionRecords("t", "p", "t.jsonl", ())

    assert grouped([session, other, agent]) == [[session, agent], [other]]


@given(archives(), st.integers(1, 200))
def test_groups_are_the_same_however_many_keys_are_compared_at_once(
    files: list[SessionRecords], part_bytes: int
) -> None:
    whole = grouped(files)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("everyleaf.records.index._PART_BYTES", part_bytes)
        assert grouped(files) == whole
