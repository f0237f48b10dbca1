from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, strategies as st

from everyleaf.model import (
    AgentCall,
    AgentLink,
    Envelope,
    ForkedFrom,
    Kind,
    Marker,
    MarkerKind,
)
from everyleaf.records.envelope import (
    FileScope,
    Span,
    make_envelope,
    prompt_digest,
    said_anew,
    value_digest,
)

SPAN = Span(line=3, offset=10, size_bytes=20)


def make(raw: dict[str, Any], span: Span = SPAN, scope: FileScope | None = None) -> Any:
    return make_envelope(raw, span, scope or FileScope("s.jsonl"))


def envelope(raw: dict[str, Any]) -> Envelope:
    made = make(raw)
    assert isinstance(made, Envelope)
    return made


def message(role: str, content: object, **fields: object) -> dict[str, Any]:
    return {
        "type": role,
        "uuid": "u",
        "parentUuid": "p",
        "message": {"role": role, "content": content},
        **fields,
    }


def result(content: object, **fields: object) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": "t1", "content": content}
    return message("user", [block], **fields)


def boundary(metadata: object, **fields: object) -> dict[str, Any]:
    return {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "b",
        "parentUuid": None,
        "compactMetadata": metadata,
        **fields,
    }


def test_envelope_of_a_reply_names_its_message_and_its_calls():
    content = [
        {"type": "text", "text": "Look:"},
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}},
        {"type": "server_tool_use", "id": "t2", "name": "web_search", "input": {}},
        {"type": "mcp_tool_use", "id": "t3", "name": "x", "input": {}},
    ]
    raw = message(
        "assistant",
        content,
        requestId="r1",
        timestamp="2026-01-01T00:00:00Z",
        isSidechain=True,
        agentId="ag",
    )
    raw["message"]["id"] = "m1"

    made = envelope(raw)

    assert (made.uuid, made.parent_uuid, made.kind) == ("u", "p", Kind.REPLY)
    assert (made.line, made.offset, made.size_bytes) == (3, 10, 20)
    assert (made.message_id, made.request_id, made.agent_id) == ("m1", "r1", "ag")
    assert made.timestamp == "2026-01-01T00:00:00Z"
    assert made.tool_use_ids == ("t1", "t2", "t3")
    assert made.words == "Look:"
    assert made.is_sidechain
    assert not made.is_synthetic


def test_reply_made_by_the_cli_is_synthetic():
    raw = message("assistant", "No response requested.")
    raw["message"]["model"] = "<synthetic>"

    assert envelope(raw).is_synthetic


def test_child_shares_the_string_of_its_parent():
    scope = FileScope("s.jsonl")
    parent = make(message("user", "a"), SPAN, scope)
    child = make(
        {**message("user", "b"), "uuid": "c", "parentUuid": str(b"u", "ascii")}, SPAN, scope
    )

    assert child.parent_uuid is parent.uuid


def test_string_and_single_text_block_have_equal_digests():
    as_string = envelope(message("user", "hi"))
    as_blocks = envelope(message("user", [{"type": "text", "text": "hi"}]))

    assert as_string.digest == as_blocks.digest
    assert as_string.blocks == as_blocks.blocks == (prompt_digest("hi"),)


def test_what_stands_around_the_content_does_not_count():
    plain = result("out")
    copy = result(
        "out", cwd="/x", gitBranch="b", toolUseResult={"a": 1}, promptId="q", slug="s"
    )
    copy["message"]["usage"] = {"input_tokens": 0}
    copy["message"]["content"][0]["cache_control"] = {"type": "ephemeral"}

    assert envelope(plain).digest == envelope(copy).digest
    assert (
        envelope(plain).digest == envelope(result([{"type": "text", "text": "out"}])).digest
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (message("user", "a"), message("user", "b")),
        (message("user", ["x"]), message("user", "x")),
        (
            message("user", [{"type": "image", "source": 1}]),
            message("user", [{"type": "image", "source": 2}]),
        ),
        (result("a"), result("b")),
        (result([{"type": "image", "n": 1}]), result([{"type": "image", "n": 2}])),
        (boundary({}, content="a"), boundary({}, content="b")),
    ],
)
def test_other_content_has_another_digest(one, other):
    assert envelope(one).digest != envelope(other).digest


def test_error_and_success_of_a_call_differ():
    failed = result("out")
    failed["message"]["content"][0]["is_error"] = True

    assert envelope(failed).digest != envelope(result("out")).digest


def test_boundary_digest_is_of_its_content_alone():
    one = boundary({"trigger": "auto"}, content="Conversation compacted")
    other = boundary({"trigger": "manual"}, content="Conversation compacted")

    assert envelope(one).digest == envelope(other).digest


def test_blocks_without_cache_marks_equal_those_with():
    block = {"type": "image", "source": {"data": "x"}}

    assert (
        envelope(message("user", [block])).digest
        == envelope(message("user", [{**block, "cache_control": {}}])).digest
    )


def test_prompt_keeps_a_digest_for_each_block():
    made = envelope(
        message("user", [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])
    )

    assert made.blocks == (prompt_digest("a"), prompt_digest("b"))


def test_boundary_names_what_it_kept_once_and_in_order():
    kept = {"anchorUuid": "s", "uuids": ["a", 5, "b"], "allUuids": ["a", "x", "b", None]}

    made = envelope(boundary({"preservedMessages": kept}, logicalParentUuid="l"))

    assert made.kind is Kind.BOUNDARY
    assert made.logical_parent_uuid == "l"
    assert made.preserved == ("a", "b", "x")


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        5,
        {},
        {"preservedMessages": []},
        {"preservedSegment": {"headUuid": "h", "tailUuid": "t"}},
    ],
)
def test_boundary_without_a_list_kept_nothing(metadata):
    assert envelope(boundary(metadata)).preserved == ()


def test_boundary_of_a_stream_is_written_in_snake_case():
    raw = boundary(None)
    del raw["compactMetadata"]
    raw["compact_metadata"] = {"preserved_messages": {"uuids": ["a"], "all_uuids": ["b"]}}

    assert envelope(raw).preserved == ("a", "b")


def test_copy_says_where_it_came_from():
    made = envelope(message("user", "x", forkedFrom={"sessionId": "s", "messageUuid": "m"}))

    assert made.forked_from == ForkedFrom("s", "m")


@pytest.mark.parametrize("forked", [None, 5, {}, {"sessionId": "s"}, {"messageUuid": 5}])
def test_broken_origin_counts_as_none(forked):
    assert envelope(message("user", "x", forkedFrom=forked)).forked_from is None


def test_calls_of_agents_carry_the_digest_of_their_prompt():
    calls: list[dict[str, Any]] = [
        {"type": "tool_use", "id": f"t{i}", "name": name, "input": {"prompt": "go"}}
        for i, name in enumerate(["Task", "Agent", "Skill", "WebFetch"])
    ]
    calls += [{"type": "tool_use", "id": "t9", "name": "Task", "input": 5}]

    asked = envelope(message("assistant", calls)).asked

    root = envelope(message("user", "go", isSidechain=True))
    assert asked == tuple(AgentCall(f"t{i}", root.blocks[0]) for i in range(3))


def test_calls_of_agents_say_what_for_in_words_that_were_masked():
    given = {"prompt": "go", "subagent_type": "Explore", "description": "find\nanna"}
    call = {"type": "tool_use", "id": "t1", "name": "Agent", "input": given}
    raw = message("assistant", [call])
    made = envelope(raw)

    (asked,) = made.asked
    assert (asked.agent_type, asked.description) == ("Explore", "find anna")
    masked = json.loads(json.dumps(raw).replace("anna", "[name]"))
    assert said_anew(made, masked).asked[0].description == "find [name]"


@pytest.mark.parametrize(
    ("raw", "agents"),
    [
        (result("x", toolUseResult={"agentId": "a1"}), ["a1"]),
        (result("x", toolUseResult={"agentIds": ["a1", 5, "a2", "a1"]}), ["a1", "a2"]),
        (
            result("x", toolUseResult={"agent_id": "a1", "resumedAgentId": "a0"}),
            ["a1", "a0"],
        ),
        (result("x", tool_use_result={"agentId": "a1"}), ["a1"]),
        (
            result(
                "done\nagentId: a1b2 (use SendMessage)\n<usage>x</usage>", toolUseResult="s"
            ),
            ["a1b2"],
        ),
        (
            result(
                [{"type": "text", "text": "out"}, {"type": "text", "text": "agentId: a1"}]
            ),
            ["a1"],
        ),
        (result("the agentId: a1 in a sentence"), []),
        (result("x", toolUseResult={"agentId": 5}), []),
        (result("x"), []),
    ],
)
def test_result_names_the_agent_that_gave_it(raw, agents):
    assert envelope(raw).links == tuple(AgentLink("t1", agent) for agent in agents)


def test_result_without_a_call_names_no_agent():
    raw = message("user", [{"type": "tool_result", "content": "agentId: a1"}])

    assert envelope(raw).links == ()


def test_notifications_name_agent_and_call_wherever_they_arrive():
    ids = "<task-id>a1</task-id>\n<tool-use-id>t1</tool-use-id>"
    note = f"<task-notification>\n{ids}</task-notification>"
    queued = {
        "type": "queued_command",
        "commandMode": "task-notification",
        "prompt": note + note.replace("a1", "a2"),
    }

    assert envelope(message("user", note)).links == (AgentLink("t1", "a1"),)
    attachment = {"type": "attachment", "uuid": "u", "attachment": queued}
    assert envelope(attachment).links == (AgentLink("t1", "a1"), AgentLink("t1", "a2"))
    assert envelope(message("user", "<task-notification><task-id>a</task-id>")).links == ()


def test_progress_names_agent_and_call():
    raw: dict[str, Any] = {
        "type": "progress",
        "uuid": "u",
        "parentToolUseID": "t1",
        "data": {"type": "agent_progress", "agentId": "a1"},
    }

    assert envelope(raw).links == (AgentLink("t1", "a1"),)
    assert envelope({**raw, "data": 5}).links == ()
    assert envelope({**raw, "parentToolUseID": None}).links == ()


def test_message_without_a_uuid_gets_one_of_its_place():
    raw = message("user", "hi")
    del raw["uuid"]

    made = envelope(raw)

    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", made.uuid)
    assert made.uuid == envelope(raw).uuid
    others = [SPAN._replace(line=4), SPAN._replace(piece=1)]
    scopes = [make(raw, span) for span in others]
    scopes.append(make(raw, SPAN, FileScope("t.jsonl")))
    assert len({made.uuid, *(other.uuid for other in scopes)}) == 4


def test_record_without_uuid_or_message_is_left_out():
    assert make({"type": "system", "content": "x"}) is None


@pytest.mark.parametrize(
    ("raw", "marker"),
    [
        (
            {"type": "summary", "summary": "T\nx", "leafUuid": "l"},
            Marker(MarkerKind.SUMMARY, 3, "T x", "l"),
        ),
        (
            {"type": "custom-title", "customTitle": "T", "uuid": "u"},
            Marker(MarkerKind.CUSTOM_TITLE, 3, "T"),
        ),
        ({"type": "ai-title", "aiTitle": "T"}, Marker(MarkerKind.AI_TITLE, 3, "T")),
        ({"type": "agent-name", "agentName": "N"}, Marker(MarkerKind.AGENT_NAME, 3, "N")),
        (
            {"type": "last-prompt", "leafUuid": "l"},
            Marker(MarkerKind.LAST_PROMPT, 3, "", "l"),
        ),
        (
            {"type": "last-prompt", "leafUuid": None, "explicit": True},
            Marker(MarkerKind.LAST_PROMPT, 3, is_explicit=True),
        ),
        ({"type": "last-prompt", "explicit": True}, Marker(MarkerKind.LAST_PROMPT, 3)),
        (
            {"type": "last-prompt", "leafUuid": 5, "explicit": True},
            Marker(MarkerKind.LAST_PROMPT, 3),
        ),
        (
            {
                "type": "continued-in",
                "continuedInSessionId": "s2",
                "timestamp": "2026-01-01T00:00:00Z",
            },
            Marker(MarkerKind.CONTINUED_IN, 3, "s2", timestamp="2026-01-01T00:00:00Z"),
        ),
        ({"type": "mode", "mode": "normal"}, None),
        ({"type": "file-history-snapshot", "messageId": "u", "uuid": "u"}, None),
        ({"type": "brand-new"}, None),
        ({}, None),
    ],
)
def test_off_tree_records_are_markers_or_nothing(raw, marker):
    assert make(raw) == marker


WRONG = (
    st.none()
    | st.integers()
    | st.lists(st.integers(), max_size=2)
    | st.dictionaries(st.text(max_size=2), st.integers(), max_size=2)
    | st.text(max_size=5)
)
FIELDS = st.sampled_from(
    """
    uuid parentUuid logicalParentUuid timestamp message attachment toolUseResult forkedFrom
    data compactMetadata origin subtype isMeta leafUuid summary agentId requestId content
    parentToolUseID
    """.split()  # noqa: SIM905  (a list would be a column of strings)
)
TYPES = st.sampled_from(
    [
        "user",
        "assistant",
        "system",
        "attachment",
        "progress",
        "summary",
        "last-prompt",
        "new",
    ]
)
BLOCKS = st.lists(
    st.dictionaries(
        st.sampled_from(["type", "text", "id", "name", "input", "tool_use_id", "content"]),
        WRONG | TYPES,
    )
    | WRONG,
    max_size=3,
)
BODY = st.fixed_dictionaries(
    {},
    optional={
        "content": BLOCKS | WRONG,
        "prompt": BLOCKS | WRONG,
        "id": WRONG,
        "model": WRONG,
        "type": WRONG,
        "preservedMessages": WRONG,
    },
)


@given(st.dictionaries(FIELDS, WRONG | BODY), TYPES | WRONG)
def test_wrong_types_anywhere_never_raise(fields, kind):
    raw = {"type": kind, **fields}

    made = make(raw)

    assert made == make(json.loads(json.dumps(raw)))


DEEP = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
    ),
)


@given(st.dictionaries(st.text(), DEEP, max_size=4), DEEP)
def test_arbitrary_objects_never_raise(raw, content):
    make(raw)
    make(message("user", content))
    make(
        message(
            "assistant",
            [
                content,
                {"type": "tool_use", "id": content, "name": content, "input": content},
            ],
        )
    )


def test_content_too_deep_or_too_large_for_the_fast_writer_has_a_digest():
    deep: object = "x"
    for _ in range(2000):
        deep = [deep]
    wide = {"b": 1 << 80, "a": [1, 2]}

    assert value_digest(deep) == value_digest([deep][0]) != value_digest([deep])
    assert (
        value_digest(wide)
        == value_digest({"a": [1, 2], "b": 1 << 80})
        != value_digest({"a": [1, 2], "b": 1 << 81})
    )
    assert value_digest([1 << 80, []]) != value_digest([[1 << 80]])


@pytest.mark.parametrize("hostile", ["<script>", "<" * 50, 5, None, {}, "yesterday"])
def test_a_time_that_is_none_is_left_out(hostile):
    made = make({"type": "user", "uuid": "u", "message": {}, "timestamp": hostile})

    assert isinstance(made, Envelope)
    assert made.timestamp == ""
