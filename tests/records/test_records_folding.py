"""Progress records are folded where they change nothing, and come back whole."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from everyleaf.graph.describe import describe
from everyleaf.graph.solve import solve
from everyleaf.graph.views import Views
from everyleaf.model import Kind
from everyleaf.records import folding
from everyleaf.records.folding import iter_unfolded, unfold
from everyleaf.records.index import index_file
from everyleaf.sources.files import Role, SourceFile
from sessions import write_records

if TYPE_CHECKING:
    from collections.abc import Iterable

    from everyleaf.graph.forest import Turn
    from everyleaf.graph.solve import Forest
    from everyleaf.model import SessionRecords

Raw = dict[str, Any]
AT = "2026-01-01T00:00:0{}Z"


def record(kind: str, uuid: str, parent: str | None, **fields: Any) -> Raw:
    shared = {"sessionId": "s", "cwd": "/w", "version": "2.1.0", "gitBranch": "main"}
    return {
        **shared,
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "timestamp": AT.format(1),
        **fields,
    }


def prompt(uuid: str, parent: str | None = None, **fields: Any) -> Raw:
    return record("user", uuid, parent, message={"content": f"ask {uuid}"}, **fields)


def reply(uuid: str, parent: str | None, **fields: Any) -> Raw:
    call = {"type": "tool_use", "id": f"toolu_{uuid}", "name": "Bash", "input": {}}
    message = {"id": f"msg_{uuid}", "role": "assistant", "content": [call]}
    return record("assistant", uuid, parent, message=message, **fields)


def result(uuid: str, parent: str, **fields: Any) -> Raw:
    block = {"type": "tool_result", "tool_use_id": f"toolu_{parent}", "content": "ok"}
    return record("user", uuid, parent, message={"content": [block]}, **fields)


def progress(uuid: str, parent: str | None, **fields: Any) -> Raw:
    told = {"data": {"type": "bash_progress", "output": "x"}, "toolUseID": "t"}
    return record("progress", uuid, parent, **{**told, **fields})


def told(uuid: str, parent: str, agent: str, call: str = "t") -> Raw:
    data = {"type": "agent_progress", "agentId": agent}
    return progress(uuid, parent, data=data, parentToolUseID=call)


def title() -> Raw:
    return {"type": "custom-title", "customTitle": "A title", "sessionId": "s"}


def source_of(folder: Path, raws: Iterable[Raw], session: str = "s") -> SourceFile:
    location = write_records(folder / f"{session}.jsonl", raws)
    return SourceFile(
        project="-w",
        file=location.name,
        place=str(location),
        session=session,
        role=Role.SESSION,
        size_bytes=location.stat().st_size,
        tool_results_dir=str(folder),
    )


def read(raws: Iterable[Raw], *, is_folding: bool = True) -> SessionRecords:
    with TemporaryDirectory() as folder:
        source = source_of(Path(folder), raws)
        return index_file(source, source_index=0, is_folding=is_folding).records


def folded(records: SessionRecords) -> list[str]:
    return [one.uuid for block in records.folded for one in iter_unfolded(block)]


def left(records: SessionRecords) -> list[str]:
    """Return what is in the files that the graph gets."""
    (file,) = unfold([records])
    assert not file.folded
    return [one.uuid for one in file.records]


TURN = [prompt("u1"), reply("a1", "u1")]


def test_progress_of_a_command_is_folded_and_comes_back_as_it_was():
    raws = [*TURN, *(progress(f"p{n}", "a1") for n in range(5)), result("r1", "a1")]

    records = read(raws)

    assert folded(records) == [f"p{n}" for n in range(5)]
    assert [one.uuid for one in records.records] == ["u1", "a1", "r1"]
    assert unfold([records], is_whole=True) == [read(raws, is_folding=False)]


def test_more_than_a_block_comes_back_in_the_order_of_the_file(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(folding, "BLOCK_RECORDS", 3)
    raws = [*TURN, *(progress(f"p{n}", "a1") for n in range(8)), result("r1", "a1")]

    records = read(raws)

    assert len(records.folded) == 3
    assert unfold([records], is_whole=True) == [read(raws, is_folding=False)]


def test_progress_that_hangs_from_progress_is_folded_however_long_the_chain(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(folding, "KNOWN_NOTES", 3)
    chain = [progress(f"p{n}", f"p{n - 1}" if n else "a1") for n in range(9)]

    records = read([*TURN, *chain, result("r1", "a1")])

    assert len(folded(records)) == 9


@pytest.mark.parametrize(
    "odd",
    [
        progress("p", None),
        progress("p", "nowhere"),
        progress("p", "a1", timestamp=AT.format(0)),
        progress("p", "a1", isSidechain=True),
        told("p", "a1", "agent1"),
        progress("p", "a1", forkedFrom={"sessionId": "o", "messageUuid": "x"}),
    ],
)
def test_progress_that_could_tell_something_is_kept(odd: Raw):
    assert folded(read([*TURN, odd, result("r1", "a1")])) == []


def test_progress_of_an_agent_is_folded_where_its_call_is_known():
    raws = [*TURN, told("p1", "a1", "x"), told("p2", "a1", "x"), told("p3", "a1", "y")]

    assert folded(read([*raws, told("p4", "a1", "x"), result("r1", "a1")])) == ["p2"]


def test_after_a_compaction_nothing_is_folded_before_the_next_prompt():
    between = record("system", "s0", None, subtype="compact_boundary", content="Compacted")
    raws = [
        *(*TURN, between, progress("p1", "a1"), reply("a2", "a1"), progress("p2", "a2")),
        *(prompt("u2", "a2"), reply("a3", "u2"), progress("p3", "a3"), prompt("u3", "a3")),
    ]

    assert folded(read(raws)) == ["p3"]


def test_a_command_that_a_reply_hangs_from_begins_a_turn():
    typed = {"content": "<command-name>/go</command-name>"}
    raws = [
        record("user", "c1", None, message=typed),
        progress("p0", "c1"),
        reply("a1", "c1"),
        progress("p1", "a1"),
        result("r1", "a1"),
    ]

    assert folded(read(raws)) == ["p1"]


def test_the_last_before_a_line_beside_the_tree_is_kept():
    raws = [
        *TURN,
        progress("p1", "a1"),
        progress("p2", "a1"),
        title(),
        progress("p3", "a1"),
    ]

    assert folded(read(raws)) == ["p1"]


def test_reading_on_folds_on(tmp_path: Path):
    later = [
        prompt("u2", "a1"),
        reply("a2", "u2"),
        progress("p9", "a2"),
        prompt("u3", "a2"),
    ]
    raws = [*TURN, progress("p1", "a1"), progress("p2", "a1"), prompt("u0", "a1")]
    before = index_file(source_of(tmp_path, raws), source_index=0, is_folding=True)
    source = source_of(tmp_path, [*raws, *later])

    after = index_file(source, source_index=0, before=before, is_folding=True).records

    assert folded(after) == ["p1", "p2", "p9"]
    assert unfold([after], is_whole=True) == [read([*raws, *later], is_folding=False)]


def test_what_a_record_or_a_marker_names_is_unfolded_with_all_above_it():
    chain = [progress("p1", "a1"), progress("p2", "p1"), progress("p3", "p2")]
    marker = {"type": "last-prompt", "leafUuid": "q2", "explicit": True}
    raws = [*TURN, *chain, progress("q1", "a1"), progress("q2", "a1"), reply("a2", "p2")]

    assert left(read([*raws, progress("x", "a1"), marker])) == [
        *("u1", "a1", "p1", "p2", "q2", "a2", "x")
    ]


def test_a_uuid_that_was_written_twice_is_unfolded():
    raws = [*TURN, progress("p1", "a1"), progress("p2", "a1"), progress("p1", "a1")]

    assert left(read([*raws, result("r1", "a1")])) == ["u1", "a1", "p1", "p1", "r1"]


def test_where_a_parent_is_missing_all_is_unfolded():
    raws = [*TURN, progress("p1", "a1"), progress("p2", "a1"), reply("a2", "nowhere")]

    assert left(read(raws)) == ["u1", "a1", "p1", "p2", "a2"]


def test_of_a_session_in_two_files_all_is_unfolded():
    records = read([*TURN, progress("p1", "a1"), result("r1", "a1")])

    first, second = unfold([records, records])

    assert [one.uuid for one in first.records] == ["u1", "a1", "p1", "r1"]
    assert first == second


LOOKS = ({"gitBranch": "b"}, {"version": "3"}, {"cwd": ""})
ODDITIES = ("missing", "twice", "sidechain", "boundary", "marker", "look", "time", "fork")


@st.composite
def sessions(draw: st.DrawFn) -> list[Raw]:
    """Draw a session of turns with progress between them, with one or two oddities."""
    odd = {draw(st.sampled_from(ODDITIES)), draw(st.sampled_from(ODDITIES))}
    raws, messages = [*TURN], ["u1", "a1"]
    notes: list[str] = []
    for number in range(draw(st.integers(1, 16))):
        uuid = f"{number:08}-x"
        above = draw(st.sampled_from([*messages[-1:] * 4, *messages[-2:], *notes[-2:]]))
        if "fork" in odd:
            above = draw(st.sampled_from([above, *messages]))
        fields: Raw = {}
        if _is_now("look", odd, draw):
            fields |= draw(st.sampled_from(LOOKS))
        if "time" in odd:
            fields["timestamp"] = AT.format(draw(st.integers(0, 3)))
        if _is_now("sidechain", odd, draw):
            fields["isSidechain"] = True
        if _is_now("missing", odd, draw):
            above = "missing"
        if _is_now("twice", odd, draw):
            raws.append(dict(draw(st.sampled_from(raws))))
        if _is_now("marker", odd, draw):
            raws.append({"type": "last-prompt", "leafUuid": above, "explicit": True})
        if _is_now("boundary", odd, draw):
            kept = {"preservedMessages": {"uuids": [*messages[-2:], *notes[-1:]]}}
            more = {"logicalParentUuid": above, "compactMetadata": kept}
            fields |= {"subtype": "compact_boundary", **more}
            raws.append(record("system", uuid, None, **fields))
            messages.append(uuid)
            continue
        make = draw(st.sampled_from([prompt, reply, result, told_at, *[progress] * 5]))
        raws.append(make(uuid, above, **fields))
        (notes if raws[-1]["type"] == "progress" else messages).append(uuid)
    return raws


def told_at(uuid: str, parent: str, **fields: Any) -> Raw:
    return {**told(uuid, parent, "ab"[len(parent) % 2]), **fields}


def _is_now(oddity: str, odd: set[str], draw: st.DrawFn) -> bool:
    return oddity in odd and draw(st.integers(0, 2)) == 0


def _told_of(forest: Forest) -> list[object]:
    """Return all that a site is made of, but the progress records in its turns."""
    views = Views(forest.units, forest.copies)
    turns = [
        views.turn(unit_id) for leaf in forest.kept for unit_id in forest.units.up(leaf)
    ]
    return [
        describe(forest),
        forest.issues,
        forest.calls,
        forest.unplaced,
        [(one.session, one.index, one.kind, one.seam, _said(one)) for one in turns],
    ]


def _said(turn: Turn) -> list[object]:
    return [placed for placed in turn.records if placed.kind is not Kind.NOTE]


@given(sessions())
def test_what_is_left_out_changes_neither_paths_nor_issues_nor_turns(raws: list[Raw]):
    whole = solve([read(raws, is_folding=False)])
    rest = solve(unfold([read(raws)]))

    assert _told_of(rest) == _told_of(whole)


@given(sessions())
def test_a_turn_looks_as_if_nothing_were_left_out(raws: list[Raw]):
    whole, rest = (
        solve(files) for files in ([read(raws, is_folding=False)], unfold([read(raws)]))
    )

    assert _facts(rest, raws) == _facts(whole, raws)


def _facts(forest: Forest, raws: list[Raw]) -> list[object]:
    """Return for each turn what facts take from the last or first record that has it."""
    views, found = Views(forest.units, forest.copies), list[object]()
    for leaf in forest.kept:
        for unit_id in forest.units.up(leaf):
            said = [raws[one.envelope.line - 1] for one in views.turn(unit_id).records]
            told = [raw for raw in said if raw["type"] != "progress"]
            branch = next((r["gitBranch"] for r in reversed(told) if r["gitBranch"]), "")
            version = next((r["version"] for r in reversed(told) if r["version"]), "")
            folder = next((r["cwd"] for r in told if r["cwd"]), "")
            found.append((unit_id, branch, version, folder))
    return found


@given(sessions())
def test_folding_loses_nothing(raws: list[Raw]):
    assert unfold([read(raws)], is_whole=True) == [read(raws, is_folding=False)]
