from __future__ import annotations

from hypothesis import given, strategies as st

from everyleaf.records.schema import (
    AssistantRecord,
    ImageBlock,
    OtherRecord,
    ServerResultBlock,
    SystemRecord,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    ToolUseBlock,
    UnknownBlock,
    UserRecord,
    parse_record,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=10,
)
KEYS = st.sampled_from(
    [
        "type",
        "uuid",
        "timestamp",
        "message",
        "content",
        "toolUseResult",
        "isMeta",
        "origin",
        "attachment",
        "subtype",
        "compactMetadata",
        "usage",
        "id",
        "text",
        "input",
        "tool_use_id",
        "source",
        "mcpMeta",
        "cwd",
        "requestId",
    ]
)
TYPES = st.sampled_from(
    [
        "user",
        "assistant",
        "system",
        "attachment",
        "progress",
        "text",
        "tool_use",
        "tool_result",
        "thinking",
        "image",
        "document",
        "web_search_tool_result",
        "fallback",
        "nobody",
    ]
)
RECORDS = st.recursive(
    JSON | TYPES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner | TYPES),
    max_leaves=20,
)


def test_text_content_becomes_one_text_block():
    record = parse_record({"type": "user", "message": {"content": "hello"}})

    assert isinstance(record, UserRecord)
    assert record.message.content == (TextBlock(text="hello"),)


def test_each_block_type_has_its_model():
    blocks = [
        {"type": "text", "text": "a"},
        {"type": "thinking", "thinking": "b", "signature": "s"},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "ls"}},
        {
            "type": "tool_result",
            "tool_use_id": "1",
            "content": [{"type": "text", "text": "c"}],
        },
        {"type": "image", "source": {"type": "base64", "data": "AAAA"}},
        {"type": "web_search_tool_result", "tool_use_id": "2", "content": []},
        {"type": "novelty", "value": 1},
    ]

    record = parse_record({"type": "assistant", "message": {"content": blocks}})

    assert isinstance(record, AssistantRecord)
    assert [type(block) for block in record.message.content] == [
        TextBlock,
        ThinkingBlock,
        ThinkingBlock,
        ToolUseBlock,
        ToolResultBlock,
        ImageBlock,
        ServerResultBlock,
        UnknownBlock,
    ]


def test_unknown_block_keeps_all_of_itself():
    block = {"type": "novelty", "value": [1, {"a": None}]}

    record = parse_record({"type": "user", "message": {"content": [block, 3]}})

    assert isinstance(record, UserRecord)
    assert record.message.content == (
        UnknownBlock(type="novelty", raw={"type": "novelty", "value": [1, {"a": None}]}),
        UnknownBlock(type="unknown", raw={"value": 3}),
    )


def test_unknown_record_type_keeps_all_of_itself():
    raw: dict[str, object] = {"type": "future", "uuid": "1", "news": {"a": 1}}

    record = parse_record(raw)

    assert isinstance(record, OtherRecord)
    assert (record.type, record.raw) == ("future", raw)


def test_field_of_a_wrong_type_becomes_its_default_and_its_neighbours_stay():
    raw = {
        "type": "assistant",
        "timestamp": 7,
        "isMeta": "yes",
        "requestId": "req_1",
        "message": {
            "id": 3,
            "model": "m",
            "usage": {"input_tokens": "9", "output_tokens": 4},
        },
    }

    record = parse_record(raw)

    assert isinstance(record, AssistantRecord)
    assert (record.timestamp, record.is_meta) == ("", False)
    assert (record.request_id, record.message.model) == ("req_1", "m")
    assert (record.message.usage.input_tokens, record.message.usage.output_tokens) == (0, 4)


def test_stream_records_in_snake_case_are_understood():
    record = parse_record({"type": "user", "tool_use_result": {"stdout": "x"}})

    assert isinstance(record, UserRecord)
    assert record.tool_use_result == {"stdout": "x"}


def test_system_record_keeps_the_fields_of_its_subtype():
    record = parse_record({"type": "system", "subtype": "api_error", "retryAttempt": 2})

    assert isinstance(record, SystemRecord)
    assert record.raw["retryAttempt"] == 2


def test_lone_surrogate_does_not_cost_the_text():
    record = parse_record({"type": "user", "message": {"content": "a\ud800b"}})

    assert isinstance(record, UserRecord)
    assert record.message.content == (TextBlock(text="a\ud800b"),)


@given(st.dictionaries(KEYS, RECORDS), TYPES)
def test_no_record_is_refused(raw: dict[str, object], written_type: str):
    record = parse_record({**raw, "type": written_type})

    assert isinstance(record.timestamp, str)


def test_results_nested_in_results_do_not_cost_the_record():
    block: dict[str, object] = {"type": "text", "text": "deep"}
    for _ in range(900):
        block = {"type": "tool_result", "tool_use_id": "t", "content": [block]}

    record = parse_record({"type": "user", "message": {"content": [block]}})

    assert isinstance(record, UserRecord)
    (result,) = record.message.content
    assert isinstance(result, ToolResultBlock)
    assert isinstance(result.content[0], UnknownBlock)
