from __future__ import annotations

from typing import Any

from hypothesis import given, strategies as st
from msgspec.structs import replace

from everyleaf.model import Envelope, Kind, SessionRecords
from everyleaf.records.captures import merge_captures


def record(
    uuid: str, parent: str | None = None, kind: Kind = Kind.REPLY, **more
) -> Envelope:
    return Envelope(uuid, parent, kind, line=1, offset=0, size_bytes=1, **more)


def chain(*uuids: str) -> tuple[Envelope, ...]:
    return tuple(
        record(uuid, parent) for uuid, parent in zip(uuids, (None, *uuids), strict=False)
    )


def file(name: str, *records: Envelope, is_capture: bool = False, **more) -> SessionRecords:
    return SessionRecords("s", "-p", name, records, is_capture=is_capture, **more)


def kept(*files: SessionRecords) -> list[list[tuple[str, str | None, Kind]]]:
    return [
        [(r.uuid, r.parent_uuid, r.kind) for r in merged.records]
        for merged in merge_captures(files)
        if merged.is_capture
    ]


def test_what_the_session_file_has_is_there_once_and_the_rest_hangs_from_it():
    note = record("result", "a2", Kind.NOTE)
    capture = file("run", *chain("init", "a1", "a2"), note, is_capture=True)
    session = file("s", *chain("u1", "a1", "n", "a2"))

    assert kept(
        session,
        replace(capture, records=(record("init", None, Kind.NOTE), *capture.records[1:])),
    ) == [[("init", "a1", Kind.NOTE), ("result", "a2", Kind.NOTE)]]


def test_a_capture_that_goes_on_after_the_session_file_continues_it():
    assert kept(
        file("s", *chain("u1", "a1")),
        file("run", *chain("a1", "a2", "a3"), is_capture=True),
    ) == [[("a2", "a1", Kind.REPLY), ("a3", "a2", Kind.REPLY)]]


def test_a_record_that_the_session_file_lost_is_put_back_in_its_place():
    torn = file("s", record("u1"), record("u2", "a1", Kind.PROMPT))

    assert kept(torn, file("run", *chain("u1", "a1", "u2"), is_capture=True)) == [
        [("a1", "u1", Kind.REPLY)]
    ]


def test_a_message_that_nothing_on_disk_hangs_from_makes_no_branch():
    assert kept(
        file("s", *chain("u1", "a1")), file("run", *chain("u1", "x", "a1"), is_capture=True)
    ) == [[("x", "u1", Kind.NOTE)]]


def test_records_without_uuids_are_known_by_response_call_or_words():
    session = file(
        "s",
        record("u1", None, Kind.PROMPT, digest=1),
        record("a1", "u1", message_id="m", digest=2),
        record("r1", "a1", Kind.RESULT, tool_use_ids=("t",), digest=3),
    )
    capture = file(
        "run",
        record("x", None, Kind.PROMPT, digest=1),
        record("y", "x", message_id="m", digest=2),
        record("z", "y", Kind.RESULT, tool_use_ids=("t",), digest=4),
        is_capture=True,
    )

    assert kept(session, capture) == [[]]


def test_the_same_words_twice_are_two_prompts():
    again = record("x2", "x1", Kind.PROMPT, digest=1)

    assert kept(
        file("s", record("u1", None, Kind.PROMPT, digest=1)),
        file("run", record("x1", None, Kind.PROMPT, digest=1), again, is_capture=True),
    ) == [[("x2", "u1", Kind.PROMPT)]]


def test_captures_of_one_session_are_one_conversation_in_order_of_time():
    later = file("a", record("a2", timestamp="2026-01-02"), is_capture=True)
    first = file("b", record("a1", timestamp="2026-01-01"), is_capture=True)

    assert kept(later, first) == [[("a2", "a1", Kind.REPLY)], [("a1", None, Kind.REPLY)]]


def test_an_agents_records_go_to_its_own_file():
    inner: dict[str, Any] = {"is_sidechain": True, "agent_id": "of-t"}
    agent = file("agent-a7", *chain("s1", "s2"), agent_id="a7")
    capture = file(
        "run", record("s1", None, **inner), record("s3", "s1", **inner), is_capture=True
    )

    (left,) = [one for one in merge_captures([agent, capture]) if one.is_capture]

    assert [(r.uuid, r.parent_uuid, r.agent_id) for r in left.records] == [
        ("s3", "s1", "a7")
    ]


def test_other_sessions_are_left_alone():
    capture = file("run", *chain("a"), is_capture=True)
    other = replace(file("o", *chain("a")), session="other")

    assert merge_captures([capture, other]) == [capture, other]


@given(st.lists(st.sampled_from("abcdef"), unique=True), st.sets(st.sampled_from("abcdef")))
def test_no_record_is_lost_and_none_is_there_twice(said, on_disk):
    session = file("s", *chain(*[uuid for uuid in said if uuid in on_disk]))
    capture = file("run", *chain(*said), is_capture=True)

    merged = merge_captures([session, capture])

    assert sorted(r.uuid for one in merged for r in one.records) == sorted(said)
