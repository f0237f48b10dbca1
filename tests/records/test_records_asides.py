from __future__ import annotations

import json

import hypothesis
from hypothesis import strategies as st

from everyleaf.model import Envelope, Kind
from everyleaf.records.asides import Asides
from everyleaf.records.envelope import Span

Raw = dict[str, object]


AT = "2026-01-01T00:00:00Z"


def queue(operation: str, content: str | None = None) -> Raw:
    written: Raw = {"type": "queue-operation", "operation": operation, "timestamp": AT}
    return written if content is None else {**written, "content": content}


def typed(text: str) -> Raw:
    return {"type": "user", "message": {"content": text}}


def link(url: object) -> Raw:
    return {"type": "pr-link", "prUrl": url}


def found(*raws: Raw) -> tuple[Envelope, ...]:
    asides = Asides("s.jsonl")
    for line, raw in enumerate(raws, start=1):
        asides.take(raw, Span(line, line * 100, 50))
    return asides.found()


def lines(*raws: Raw) -> list[int]:
    return [envelope.line for envelope in found(*raws)]


def test_prompt_that_waits_at_the_end_was_never_delivered():
    (envelope,) = found(queue("enqueue", "And the docs"))

    assert envelope.kind is Kind.NOTE
    assert (envelope.line, envelope.offset, envelope.size_bytes) == (1, 100, 50)
    assert envelope.timestamp == AT


def test_prompt_that_was_taken_out_in_turn_is_not_shown_again():
    assert lines(queue("enqueue", "One"), queue("enqueue", "Two"), queue("dequeue")) == [2]


def test_prompt_that_was_taken_out_by_its_text_leaves_the_others():
    first, second = queue("enqueue", "One"), queue("enqueue", "Two")

    assert lines(first, second, queue("remove", "Two")) == [1]
    assert lines(first, second, queue("absorb", "Three")) == [2]


def test_prompt_that_stands_in_the_conversation_was_delivered():
    steering: Raw = {
        "type": "attachment",
        "attachment": {"type": "queued_command", "prompt": "Two"},
    }

    assert lines(queue("enqueue", "One"), typed("One\n")) == []
    assert lines(queue("enqueue", "Two"), steering) == []
    assert lines(queue("enqueue", "One"), typed("Another")) == [1]


def test_prompt_that_was_pulled_back_counts_unless_it_was_sent_after_all():
    pulled = (queue("enqueue", "One"), queue("enqueue", "Two"), queue("popAll"))

    assert lines(*pulled) == [1, 2]
    assert lines(*pulled, queue("dequeue"), typed("Three")) == [1, 2]
    assert lines(*pulled, typed("One\nand then Two")) == []


def test_artifact_that_is_named_again_counts_once():
    frame: Raw = {"type": "frame-link", "frameUrl": "https://example.org/a"}

    assert lines(frame, frame) == [1]


def test_worktree_counts_where_the_session_moves():
    into: Raw = {"type": "worktree-state", "worktreeSession": {"worktreePath": "/w/1"}}
    out: Raw = {"type": "worktree-state", "worktreeSession": None}

    assert lines(out, into, into, out, out, into) == [2, 4, 6]


def test_replaced_results_are_known_by_their_calls():
    one = {"kind": "tool-result", "toolUseId": "t1", "replacement": "[cleared]"}

    (envelope,) = found(
        {"type": "content-replacement", "replacements": [one, one, "x"]},
        {"type": "content-replacement", "replacements": []},
    )

    assert envelope.tool_use_ids == ("t1",)


def test_what_no_person_typed_is_not_missed():
    note = "<task-notification>\n<task-id>a</task-id>\n</task-notification>"

    assert lines(queue("enqueue", note), queue("enqueue"), queue("enqueue", " ")) == []


def test_operations_that_make_no_sense_are_left_alone():
    odd: Raw = {"type": "queue-operation", "operation": ["enqueue"], "content": {"a": 1}}

    assert lines(queue("dequeue"), odd, queue("shuffle"), {"type": 7}) == []


def test_pull_request_that_is_named_again_counts_once_where_it_was_first():
    one, two = "https://example.org/pull/1", "https://example.org/pull/2"

    assert lines(link(one), link(two), link(one), link(None)) == [1, 2]


def test_records_come_in_the_order_of_the_file():
    assert lines(queue("enqueue", "One"), link("u"), queue("enqueue", "Two")) == [1, 2, 3]


@hypothesis.given(
    st.lists(
        st.sampled_from(
            [queue("enqueue", "One"), queue("dequeue"), queue("remove", "One"), link("u")]
        )
    )
)
def test_no_more_is_left_than_was_put_in_and_no_uuid_twice(raws: list[Raw]):
    left = found(*raws)

    put_in = sum(json.dumps(raw).count("enqueue") for raw in raws)
    assert sum(one.line for one in left) <= sum(range(len(raws) + 1))
    assert len(left) <= put_in + 1
    assert len({one.uuid for one in left}) == len(left)
