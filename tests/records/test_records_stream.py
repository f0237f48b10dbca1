from __future__ import annotations

from typing import Any

import pytest

from everyleaf.model import AgentLink, Kind
from everyleaf.records.recover import read_object
from records.streams import INIT, SID, begun, block, delta, event, read, said, text, write

CALL = {"type": "tool_use", "id": "t1", "name": "Task", "input": {"prompt": "look"}}
ANSWER = {"type": "tool_result", "tool_use_id": "t1", "content": "seen"}
FINISH = {"type": "result", "subtype": "success", "session_id": SID}


@pytest.fixture(params=["run.jsonl", "run.json"])
def capture(request, tmp_path):
    return lambda *records: write(tmp_path / request.param, *records)


def shape(indexed) -> list[tuple[str, str | None, Kind]]:
    return [(r.uuid, r.parent_uuid, r.kind) for r in indexed.records.records]


def test_records_hang_from_each_other_in_order_of_arrival(capture):
    indexed = read(
        capture(INIT, said("user", "u1", "hi"), said("assistant", "a1", text("yes")))
    )

    assert shape(indexed) == [
        ("i1", None, Kind.NOTE),
        ("u1", "i1", Kind.PROMPT),
        ("a1", "u1", Kind.REPLY),
    ]
    assert indexed.records.session == SID
    assert indexed.records.is_capture
    assert indexed.issues == ()


def test_the_facts_of_a_session_count_once_and_what_only_moves_a_bar_never(capture):
    progress = {"type": "tool_progress", "uuid": "p", "session_id": SID}
    other = {**INIT, "uuid": "i3", "model": "other"}

    indexed = read(capture(INIT, {**INIT, "uuid": "i2"}, progress, other))

    assert [record.uuid for record in indexed.records.records] == ["i1", "i3"]
    assert dict(indexed.counts.types) == {"system": 3, "tool_progress": 1}


def test_the_result_is_a_note_at_the_end_with_or_without_a_uuid(capture):
    indexed = read(capture(said("user", "u1", "hi"), FINISH, {**FINISH, "uuid": "r"}))

    first, second = indexed.records.records[1:]
    assert (first.kind, first.parent_uuid, second.uuid) == (Kind.NOTE, "u1", "r")
    assert indexed.issues == ()


def test_what_an_agent_says_is_a_chain_of_its_own_under_its_call(capture):
    inner = {"parent_tool_use_id": "t1"}
    named = {"tool_use_result": {"agentId": "a77"}}

    records = read(
        capture(
            said("assistant", "a1", [CALL]),
            said("user", "s1", text("look"), **inner),
            said("assistant", "s2", text("seen"), **inner),
            said("user", "u2", [ANSWER], **named),
        )
    ).records.records

    assert [(r.uuid, r.parent_uuid, r.is_sidechain, r.agent_id) for r in records] == [
        ("a1", None, False, None),
        ("s1", None, True, "a77"),
        ("s2", "s1", True, "a77"),
        ("u2", "a1", False, None),
    ]
    assert records[1].links == (AgentLink("t1", "a77"),)


def test_an_agent_that_no_result_names_is_named_after_its_call(capture):
    (record,) = read(
        capture(said("user", "s1", "look", parent_tool_use_id="t1"))
    ).records.records

    assert record.agent_id == "of-t1"


def test_a_task_that_was_started_names_its_agent(capture):
    started = {"type": "system", "subtype": "task_started", "uuid": "n", "session_id": SID}
    started |= {"task_id": "b42", "tool_use_id": "t1"}

    records = read(
        capture(started, said("user", "s1", "look", parent_tool_use_id="t1"))
    ).records.records

    assert records[1].agent_id == "b42"


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("a reminder", Kind.NOTE),
        ("This session is being continued from a previous conversation", Kind.SUMMARY),
    ],
)
def test_what_the_cli_said_in_the_users_place_is_no_prompt(capture, words, kind):
    indexed = read(capture(said("user", "u1", words, isSynthetic=True)))

    assert [record.kind for record in indexed.records.records] == [kind]


def test_a_message_told_in_pieces_and_as_a_whole_is_there_once(capture):
    indexed = read(
        capture(
            begun("m1"),
            block(0, text=""),
            delta(0, text="ye"),
            delta(0, text="s"),
            said("assistant", "a1", text("yes"), id="m1"),
            event(type="content_block_stop", index=0),
            event(type="message_stop"),
        )
    )

    assert [record.uuid for record in indexed.records.records] == ["a1"]


def test_pieces_without_a_whole_message_are_put_together_and_read_again(capture):
    location = capture(
        said("user", "u1", "hi"),
        begun("m1"),
        block(0, text=""),
        delta(0, text="yes"),
        said("assistant", "a1", text("yes"), id="m1"),
        begun("m9", "t9"),
        block(1, "tool_use", id="t1", name="Bash", input={}),
        delta(1, "input_json_delta", partial_json='{"command": '),
        delta(1, "input_json_delta", partial_json='"ls"}'),
        block(2, text=""),
        delta(2, text="and \u201cmo"),
        FINISH,
    )

    records = read(location).records.records

    assert [r.kind for r in records] == [Kind.PROMPT, Kind.REPLY, Kind.REPLY, Kind.NOTE]
    assert [r.parent_uuid for r in records[1:]] == ["u1", "a1", records[2].uuid]
    joined: Any = read_object(location, records[2])
    assert joined["message"]["content"] == [
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "ls"}},
        {"type": "text", "text": "and \u201cmo"},
    ]
    assert records[2].message_id == "m1"


def test_input_that_broke_off_is_kept_as_text(capture):
    location = capture(
        INIT,
        begun("m1"),
        block(0, "tool_use", id="t1", name="Bash", input={}),
        delta(0, "input_json_delta", partial_json='{"comm'),
        begun("m2"),
    )

    records = read(location).records.records

    assert len(records) == 2
    joined: Any = read_object(location, records[1])
    (told,) = joined["message"]["content"]
    assert told["input"] == {"__unparsedToolInput": '{"comm'}
