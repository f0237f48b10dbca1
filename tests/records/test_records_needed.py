"""What no model has is left out before a record is masked, and nothing else is."""

from __future__ import annotations

import copy

from hypothesis import given, strategies as st

from everyleaf.records.load import drop_original, keep_needed
from everyleaf.records.schema import OtherRecord, UserRecord, parse_record
from records.test_records_schema import JSON, RECORDS

BLOCKS = st.fixed_dictionaries(
    {"type": st.sampled_from(["thinking", "text", "tool_use", "novelty"])},
    optional=dict.fromkeys(("thinking", "signature", "text", "id", "input", "a"), JSON),
)
MESSAGES = st.fixed_dictionaries(
    {},
    optional={
        "id": JSON,
        "role": JSON,
        "model": JSON,
        "stop_reason": JSON,
        "content": JSON | st.lists(BLOCKS | JSON, max_size=3),
        "usage": JSON | st.fixed_dictionaries({"input_tokens": JSON, "speed": JSON}),
    },
)
WRITTEN = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant", "system", "attachment", "future"])},
    optional={
        "uuid": JSON,
        "timestamp": JSON,
        "gitBranch": JSON,
        "git_branch": JSON,
        "toolUseResult": JSON,
        "message": JSON | MESSAGES,
        "attachment": JSON,
    },
)


@given(WRITTEN | st.dictionaries(st.text(max_size=6), RECORDS))
def test_the_model_of_a_record_does_not_miss_what_is_left_out(raw):
    before = copy.deepcopy(raw)

    kept = keep_needed(raw)

    if raw.get("type") != "progress":
        assert parse_record(kept) == parse_record(before)
    assert raw == before


def test_ids_and_signatures_are_left_out():
    block = {"type": "thinking", "thinking": "hm", "signature": "x" * 500}
    usage = {"input_tokens": 3, "service_tier": "standard"}
    message = {"role": "assistant", "content": [block], "usage": usage}

    kept = keep_needed({"type": "assistant", "uuid": "a1", "message": message})

    assert kept == {
        "type": "assistant",
        "message": {
            "role": "assistant",
            "content": [{"type": "thinking", "thinking": "hm"}],
            "usage": {"input_tokens": 3},
        },
    }


def test_what_a_progress_record_tells_is_left_out():
    record = parse_record(
        keep_needed({"type": "progress", "data": {"output": "…"}, "cwd": "/w"})
    )

    assert isinstance(record, OtherRecord)
    assert (record.cwd, record.raw) == ("/w", {"type": "progress", "cwd": "/w"})


def edit(**changed: object) -> dict[str, object]:
    result: dict[str, object] = {
        "oldString": "a",
        "newString": "b",
        "originalFile": "a\n",
        "structuredPatch": [{"oldStart": 1, "newStart": 1, "lines": ["-a", "+b"]}],
        **changed,
    }
    return {"type": "user", "toolUseResult": result}


def test_an_edit_with_its_patch_loses_the_file_as_it_was():
    raw = edit()

    record = parse_record(drop_original(raw))

    assert isinstance(record, UserRecord)
    assert isinstance(record.tool_use_result, dict)
    assert set(record.tool_use_result) == {"oldString", "newString", "structuredPatch"}
    assert raw == edit()


def test_the_file_as_it_was_stays_where_a_diff_may_be_made_of_it():
    raws: list[dict[str, object]] = [
        edit(structuredPatch=[]),
        edit(oldString=None),
        {"toolUseResult": "x"},
    ]

    for raw in raws:
        assert drop_original(raw) is raw
