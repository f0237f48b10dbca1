"""Captures as they come: broken off, in pieces, nested, beside the session's own file."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, strategies as st

from everyleaf.graph.solve import solve
from everyleaf.model import Kind
from everyleaf.records.captures import merge_captures
from everyleaf.records.index import index_file
from everyleaf.records.recover import read_object
from everyleaf.sources.discover import find_sources
from records.streams import INIT, SID, begun, block, delta, event, read, said, text, write

OUTER = {"type": "tool_use", "id": "t1", "name": "Task", "input": {"prompt": "look"}}
INNER = {"type": "tool_use", "id": "t2", "name": "Task", "input": {"prompt": "deeper"}}


def on_disk(uuid, parent, kind, content, **more):
    message: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        message["id"] = more.pop("id", f"m-{uuid}")
    names = {"uuid": uuid, "parentUuid": parent, "sessionId": SID}
    return {"type": kind, **names, "message": message, **more}


def told(folder):
    """Return the records of all files of a folder, captures merged with the others."""
    files = find_sources([folder]).files
    indexed = [index_file(file, source_index=n) for n, file in enumerate(files)]
    return merge_captures([one.records for one in indexed])


def test_a_capture_that_broke_off_in_a_line_keeps_what_arrived(tmp_path):
    location = write(tmp_path / "run.jsonl", INIT, said("user", "u1", "hi"))
    with location.open("a") as file:
        file.write(json.dumps(said("assistant", "a1", text("half an answer")))[:90])

    indexed = read(location)

    uuids = [record.uuid for record in indexed.records.records]
    assert uuids[:2] == ["i1", "u1"]
    assert [issue.line for issue in indexed.issues] == [3]


def test_a_message_that_broke_off_in_its_pieces_is_told_as_far_as_it_came(tmp_path):
    location = write(
        tmp_path / "run.jsonl",
        INIT,
        said("user", "u1", "hi"),
        begun("m1"),
        block(0, text=""),
        delta(0, text="It begins "),
        delta(0, text="and"),
    )
    with location.open("a") as file:
        file.write(json.dumps(delta(0, text=" breaks off"))[:40])

    (last,) = [r for r in read(location).records.records if r.kind is Kind.REPLY]

    joined: Any = read_object(location, last)
    assert joined["message"]["content"] == [{"type": "text", "text": "It begins and"}]


def test_an_agent_of_an_agent_has_a_chain_of_its_own(tmp_path):
    location = write(
        tmp_path / "run.jsonl",
        said("assistant", "a1", [OUTER]),
        said("user", "s1", text("look"), parent_tool_use_id="t1"),
        said("assistant", "s2", [INNER], parent_tool_use_id="t1"),
        said("user", "d1", text("deeper"), parent_tool_use_id="t2"),
        said("assistant", "d2", text("seen"), parent_tool_use_id="t2"),
        said("assistant", "s3", text("seen, too"), parent_tool_use_id="t1"),
        said("assistant", "a2", text("Done")),
    )

    records = read(location).records.records
    forest = solve(told(tmp_path))

    assert [(r.uuid, r.parent_uuid) for r in records] == [
        ("a1", None),
        ("s1", None),
        ("s2", "s1"),
        ("d1", None),
        ("d2", "d1"),
        ("s3", "s2"),
        ("a2", "a1"),
    ]
    assert sorted(agent.agent_id for agent in forest.agents) == ["of-t1", "of-t2"]
    assert forest.unplaced == ()


@pytest.mark.parametrize(
    "subtype", ["error_max_turns", "error_during_execution", "error_max_budget_usd"]
)
def test_a_run_that_failed_ends_in_a_note(tmp_path, subtype):
    failed = {"type": "result", "subtype": subtype, "is_error": True, "session_id": SID}

    indexed = read(
        write(
            tmp_path / "run.jsonl", INIT, said("user", "u1", "hi"), {**failed, "uuid": "r"}
        )
    )

    assert [record.kind for record in indexed.records.records[1:]] == [
        Kind.PROMPT,
        Kind.NOTE,
    ]
    assert indexed.issues == ()


def test_a_message_is_told_once_where_pieces_capture_and_session_file_tell_it(tmp_path):
    write(
        tmp_path / "run.jsonl",
        INIT,
        said("user", None, "hi"),
        begun("m1"),
        block(0, text=""),
        delta(0, text="yes"),
        event(type="content_block_stop", index=0),
        said("assistant", "a1", text("yes"), id="m1"),
        event(type="message_stop"),
    )
    write(
        tmp_path / f"{SID}.jsonl",
        on_disk("u1", None, "user", "hi"),
        on_disk("a1", "u1", "assistant", text("yes"), id="m1"),
    )

    spoken = [r.uuid for one in told(tmp_path) for r in one.records if r.kind != Kind.NOTE]

    assert spoken == ["u1", "a1"]


MESSAGES = st.lists(
    st.tuples(
        st.sampled_from(["user", "assistant"]),
        st.sampled_from(["capture", "session", "both"]),
        st.sampled_from(["", "t1", "t2"]),
        st.booleans(),
    ),
    min_size=1,
    max_size=12,
)
"""(who said it, which files tell it, below which call, whether pieces tell it, too)"""


@given(MESSAGES)
def test_every_record_is_there_once_whatever_tells_it(messages):
    capture: list[object] = [INIT]
    session: list[object] = []
    agents: dict[str, list[object]] = {"t1": [], "t2": []}
    tails: dict[str, str | None] = {}
    for number, (kind, where, call, in_pieces) in enumerate(messages):
        uuid = f"r{number}"
        if where != "session":
            if in_pieces and kind == "assistant":
                capture += [begun(f"m-{uuid}", call or None), block(0, text="")]
                capture += [delta(0, text=f"words {number}")]
            below = {"parent_tool_use_id": call or None}
            capture.append(said(kind, uuid, text(f"words {number}"), **below))
        if where != "capture":
            more = {"isSidechain": True, "agentId": f"of-{call}"} if call else {}
            told_by = agents[call] if call else session
            words = text(f"words {number}")
            told_by.append(on_disk(uuid, tails.get(call), kind, words, **more))
            tails[call] = uuid
    with TemporaryDirectory() as folder:
        write(Path(folder, "run.jsonl"), *capture)
        if session:
            write(Path(folder, f"{SID}.jsonl"), *session)
        for call, records in agents.items():
            if records:
                place = Path(folder, SID, "subagents")
                place.mkdir(parents=True, exist_ok=True)
                write(place / f"agent-of-{call}.jsonl", *records)
        merged = told(Path(folder))

    found = sorted(r.uuid for one in merged for r in one.records if r.uuid != "i1")
    assert found == sorted(f"r{number}" for number in range(len(messages)))
    assert solve(merged).unplaced == ()
