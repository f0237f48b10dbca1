from __future__ import annotations

from typing import TYPE_CHECKING

import hypothesis
import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from everyleaf.graph.forest import Turn, TurnKind, Variant
from everyleaf.model import Kind
from everyleaf.records.schema import parse_record
from everyleaf.transcript.build import build_turn
from everyleaf.transcript.calls import UNKNOWN_CALL
from everyleaf.transcript.document import (
    Checklist,
    Code,
    Compaction,
    Fold,
    Manner,
    Notice,
    NoticeKind,
    Outcome,
    Prompt,
    Prose,
    Reply,
    Rewritten,
    Task,
    Thinking,
    ToolCall,
    TurnDocument,
)
from transcript.written import (
    Raw,
    assistant,
    attachment,
    call,
    document,
    placed,
    record,
    result,
    system,
    user,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def text(words: str) -> Raw:
    return {"type": "text", "text": words}


def places(made: TurnDocument) -> list[str]:
    return [uuid for entry in made.entries for uuid in (entry.uuid, *entry.also)]


# -- replies -----------------------------------------------------------------------------


def test_fragments_of_a_reply_become_one_entry():
    first, second = assistant(text("One.")), assistant(text("Two."))

    made = document(first, second)

    (entry,) = made.entries
    assert isinstance(entry, Reply)
    assert entry.parts == (Prose("One."), Prose("Two."))
    assert (entry.uuid, entry.also) == (first["uuid"], (second["uuid"],))


def test_call_between_fragments_keeps_its_place():
    made = document(assistant(text("One.")), assistant(call("LS")), assistant(text("Two.")))

    assert [type(entry) for entry in made.entries] == [Reply, ToolCall, Reply]


def test_blocks_in_one_record_have_anchors_of_their_own():
    raw = assistant({"type": "thinking", "thinking": "hm"}, text("Yes."), call("LS"))

    made = document(raw)

    assert [type(entry) for entry in made.entries] == [Thinking, Reply, ToolCall]
    assert places(made) == [raw["uuid"], f"{raw['uuid']}-2", f"{raw['uuid']}-3"]


def test_thinking_of_which_only_a_signature_was_kept_is_empty():
    (entry,) = document(
        assistant({"type": "thinking", "thinking": "", "signature": "x"})
    ).entries

    assert isinstance(entry, Thinking)
    assert entry.text == ""


def test_reply_without_a_word_still_has_a_place():
    silent, spoken = assistant(text(" ")), assistant(text("Yes."))

    alone, together = document(silent), document(spoken, silent)

    assert isinstance(alone.entries[0], Notice)
    assert together.entries[0].also == (silent["uuid"],)


def test_api_error_in_the_place_of_a_reply_is_trouble():
    raw = assistant(text("API Error: 500"), model="<synthetic>", isApiErrorMessage=True)

    (entry,) = document(raw).entries

    assert isinstance(entry, Notice)
    assert (entry.kind, entry.is_trouble) == (NoticeKind.API_ERROR, True)


def test_api_errors_of_both_kinds_join_with_their_words_kept():
    retry = system("api_error", error={"status": 500})
    gave_up = assistant(
        text("API Error: 500\nsorry"), model="<synthetic>", isApiErrorMessage=True
    )

    (entry,) = document(retry, gave_up).entries

    assert isinstance(entry, Notice)
    assert entry.text == "API Error: 500 …"
    assert entry.parts[-1] == Prose("API Error: 500\nsorry")


def test_answer_that_nobody_asked_for_is_left_out():
    asked = user("<bash-input>ls</bash-input>")
    nothing = assistant(text("No response requested."), model="<synthetic>")

    (entry,) = document(asked, nothing, kinds=(Kind.PROMPT, Kind.REPLY)).entries

    assert isinstance(entry, Prompt)
    assert entry.also == (nothing["uuid"],)


def test_what_the_cli_said_in_the_models_place_is_dim():
    (entry,) = document(assistant(text("Goodbye."), model="<synthetic>")).entries

    assert isinstance(entry, Notice)
    assert (entry.kind, entry.is_trouble) == (NoticeKind.META, False)


def test_reply_that_was_taken_back_is_marked():
    taken = assistant(text("Wrong."))
    refusal = system(
        "model_refusal_fallback", content="x", retractedMessageUuids=[taken["uuid"]]
    )
    other = assistant(text("Wrong."))
    better = assistant(text("Right."), supersedes=[other["uuid"]])

    first = document(taken, refusal).entries[0]
    second, third = document(other, better).entries

    assert isinstance(first, Reply)
    assert isinstance(second, Reply)
    assert isinstance(third, Reply)
    assert (first.is_withdrawn, second.is_withdrawn, third.is_withdrawn) == (
        True,
        True,
        False,
    )


def test_server_tool_is_paired_with_its_result_inside_of_the_reply():
    made = assistant(
        {
            "type": "server_tool_use",
            "id": "s1",
            "name": "web_search",
            "input": {"query": "leaf"},
        },
        {
            "type": "web_search_tool_result",
            "tool_use_id": "s1",
            "content": [
                {"type": "web_search_result", "title": "A", "url": "https://a.org"}
            ],
        },
        {
            "type": "mcp_tool_use",
            "id": "m1",
            "name": "get",
            "server_name": "db",
            "input": {},
        },
        {"type": "mcp_tool_result", "tool_use_id": "m1", "content": [text("row")]},
    )

    search, query = document(made).entries

    assert isinstance(search, ToolCall)
    assert isinstance(query, ToolCall)
    assert (search.target, search.outcome_text) == ("leaf", "1 link")
    assert (query.label, query.outcome_text) == ("db: get", "row")


def test_secret_answer_of_a_server_tool_is_not_shown():
    made = assistant(
        {"type": "server_tool_use", "id": "s1", "name": "advisor", "input": {}},
        {
            "type": "advisor_tool_result",
            "tool_use_id": "s1",
            "content": {"type": "advisor_redacted_result", "encrypted_content": "SECRET"},
        },
    )

    assert "SECRET" not in repr(document(made))


def test_reply_that_a_later_turn_takes_back_is_marked_with_its_thinking_and_calls():
    taken = assistant(
        {"type": "thinking", "thinking": "Hm."}, text("Wrong."), call("LS", {}, "t1")
    )

    entries = document(taken, withdrawn=frozenset({str(taken["uuid"])})).entries

    assert [type(entry) for entry in entries] == [Thinking, Reply, ToolCall]
    assert all(
        entry.is_withdrawn
        for entry in entries
        if isinstance(entry, Thinking | Reply | ToolCall)
    )


def test_refusal_that_a_fork_brought_along_takes_nothing_back():
    taken = assistant(text("Fine."))
    refusal = system(
        "model_refusal_fallback",
        content="x",
        retractedMessageUuids=[taken["uuid"]],
        neutralizedByFork=True,
    )

    reply, notice = document(taken, refusal).entries

    assert isinstance(reply, Reply)
    assert isinstance(notice, Notice)
    assert (reply.is_withdrawn, notice.is_trouble) == (False, False)


def test_compaction_by_the_api_is_a_divider_with_its_summary():
    block = {"type": "compaction", "content": "We wrote it.", "encrypted_content": "SECRET"}

    before, divider, after = document(assistant(text("A"), block, text("B"))).entries

    assert isinstance(before, Reply)
    assert isinstance(after, Reply)
    assert isinstance(divider, Compaction)
    assert divider.facts == ("by the API",)
    assert divider.summary == (Prose("We wrote it."),)


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ({"from": "claude-a", "to": "claude-b"}, "Model changed: claude-a → claude-b"),
        (
            {"from": {"model": "a"}, "to": {"model": "b"}},
            "Model changed: a → b",
        ),
        ({}, "Model changed"),
    ],
)
def test_fallback_by_the_api_names_both_models(block: dict[str, object], said: str):
    (notice,) = document(assistant({"type": "fallback", **block})).entries

    assert isinstance(notice, Notice)
    assert (notice.kind, notice.text) == (NoticeKind.MODEL, said)


def test_what_the_model_saw_of_a_result_stands_with_its_call_once():
    replaced = record(
        "content-replacement",
        replacements=[
            {"kind": "tool-result", "toolUseId": "toolu_1", "replacement": "[cleared]"},
            {"kind": "tool-result", "toolUseId": "elsewhere", "replacement": "x"},
        ],
    )

    (entry,) = document(
        assistant(call("LS", {"path": "/a"})), result("a.txt"), replaced, replaced
    ).entries

    assert isinstance(entry, ToolCall)
    folds = [part for part in entry.answered if isinstance(part, Fold)]
    assert folds == [Fold("what the model was given instead", (Code("[cleared]"),))]


# -- calls and results -------------------------------------------------------------------


def test_parallel_calls_are_paired_in_whatever_order_the_results_came():
    one, two = assistant(call("LS", {}, "t1")), assistant(call("LS", {}, "t2"))
    second, first = result("b", call_id="t2"), result("a", call_id="t1")

    made = document(one, two, second, first)

    assert [entry.also for entry in made.entries] == [(first["uuid"],), (second["uuid"],)]


def test_result_written_before_its_call_is_shown_once_with_the_call():
    given, made = result("done"), assistant(call("Bash", {"command": "make"}))

    (entry,) = document(given, made).entries

    assert isinstance(entry, ToolCall)
    assert (entry.name, entry.target, entry.outcome) == ("Bash", "make", Outcome.OK)
    assert (entry.uuid, entry.also) == (made["uuid"], (given["uuid"],))


def test_two_results_written_before_their_call_are_both_shown_with_it():
    early, again = result("done"), result("done twice")

    (entry,) = document(early, again, assistant(call("Bash"))).entries

    assert isinstance(entry, ToolCall)
    assert entry.also == (early["uuid"], again["uuid"])
    assert [p.summary for p in entry.answered if isinstance(p, Fold)] == ["answered again"]


def test_result_without_its_call_has_an_entry_of_its_own():
    (entry,) = document(result("words")).entries

    assert isinstance(entry, ToolCall)
    assert (entry.name, entry.outcome) == (UNKNOWN_CALL, Outcome.OK)


def test_tool_of_a_lone_result_is_known_by_the_shape_of_its_result():
    (entry,) = document(
        result("", {"stdout": "x", "stderr": "", "interrupted": False})
    ).entries

    assert isinstance(entry, ToolCall)
    assert entry.name == "Bash"


def test_second_result_of_a_call_is_folded_behind_the_first():
    first, second = result("one"), result("two")

    (entry,) = document(assistant(call("Teleport")), first, second).entries

    assert isinstance(entry, ToolCall)
    assert entry.also == (first["uuid"], second["uuid"])
    assert isinstance(entry.answered[-1], Fold)


def test_text_of_a_skill_is_folded_into_its_call():
    made, given = assistant(call("Skill", {"skill": "x"})), result("Launching skill: x")
    body = user("Do this.", isMeta=True, sourceToolUseID="toolu_1")

    (entry,) = document(made, given, body).entries

    assert isinstance(entry, ToolCall)
    assert entry.answered == (Fold("text given to the model", (Prose("Do this."),)),)


def test_text_of_a_tool_whose_call_is_elsewhere_is_a_notice():
    (entry,) = document(user("Do this.", isMeta=True, sourceToolUseID="gone")).entries

    assert isinstance(entry, Notice)
    assert entry.kind is NoticeKind.META


def test_interruption_beside_a_result_is_a_notice():
    given = result("x")
    given["message"]["content"].append(text("[Request interrupted by user]"))  # type: ignore[index]

    _, entry = document(assistant(call("LS")), given).entries

    assert isinstance(entry, Notice)
    assert entry.kind is NoticeKind.INTERRUPT


def test_text_beside_a_result_is_a_persons():
    given = result("x")
    given["message"]["content"].append(text("and hurry"))  # type: ignore[index]

    _, entry = document(assistant(call("LS")), given).entries

    assert isinstance(entry, Prompt)
    assert (entry.words, entry.manner) == ("and hurry", Manner.STEERING)


def test_steering_stands_where_it_was_typed():
    steering = attachment("queued_command", prompt="Stop", commandMode="prompt")

    made = document(assistant(text("One.")), steering, assistant(text("Two.")))

    assert [type(entry) for entry in made.entries] == [Reply, Prompt, Reply]


def test_task_list_is_carried_from_turn_to_turn():
    create = document(
        assistant(call("TaskCreate", {"subject": "Build"})),
        result("", {"task": {"id": "1", "subject": "Build"}}),
    )
    update = document(
        assistant(call("TaskUpdate", {"taskId": "1", "status": "completed"})),
        result("", {"taskId": "1"}),
        tasks=create.tasks,
    )
    delete = document(
        assistant(call("TaskUpdate", {"taskId": "1", "status": "deleted"})),
        result("", {"taskId": "1"}),
        tasks=update.tasks,
    )

    (entry,) = update.entries
    assert isinstance(entry, ToolCall)
    assert entry.target == "#1 Build"
    assert update.tasks == (Task("1", "Build", "completed"),)
    (checklist,) = delete.entries[0].answered  # type: ignore[union-attr]
    assert isinstance(checklist, Checklist)
    assert checklist.items[0].status == "deleted"
    assert delete.tasks == ()


# -- compaction --------------------------------------------------------------------------

BOUNDARY = {
    "trigger": "auto",
    "preTokens": 160_000,
    "postTokens": 9_000,
    "durationMs": 41_000,
    "preservedMessages": {"uuids": ["a", "b"]},
}


def test_boundary_carries_its_facts_and_its_summary():
    boundary = system("compact_boundary", compactMetadata=BOUNDARY)
    summary = user("This session is being continued", isCompactSummary=True)

    (entry,) = document(boundary, summary).entries

    assert isinstance(entry, Compaction)
    assert entry.facts == (
        "auto",
        "160,000 → 9,000 tokens",
        "2 messages kept",
        "took 41 s",
    )
    assert entry.summary == (Prose("This session is being continued"),)
    assert entry.also == (summary["uuid"],)


def test_boundary_with_few_facts_is_still_one():
    (entry,) = document(system("compact_boundary", compactMetadata="none")).entries

    assert isinstance(entry, Compaction)
    assert entry.facts == ()


def test_summary_without_a_boundary_says_so():
    (entry,) = document(user("Earlier …", isCompactSummary=True)).entries

    assert isinstance(entry, Compaction)
    assert not entry.has_boundary


def test_analysis_in_an_old_summary_is_folded():
    words = "<analysis>long</analysis>\n<summary>short</summary>"

    (entry,) = document(user(words, isCompactSummary=True)).entries

    assert isinstance(entry, Compaction)
    assert entry.summary == (Prose("short"), Fold("analysis", (Prose("long"),)))


def test_boundary_of_an_odd_type_is_still_drawn():
    (entry,) = document(user("x"), kinds=[Kind.SUMMARY]).entries

    assert isinstance(entry, Compaction)


# -- variants and conservation -----------------------------------------------------------


def test_record_written_again_differently_stands_folded_behind_the_first():
    made = document(user("Fix it"), kinds=[Kind.PROMPT], rewritten=user("Fix it all"))

    _, again = made.entries
    assert isinstance(again, Rewritten)
    assert again.where == "line 7 of session other-session"
    assert again.uuid == f"{made.records[0]}-v1"
    (inner,) = again.entries
    assert isinstance(inner, Prompt)
    assert inner.words == "Fix it all"


def test_copy_without_a_message_is_one_quiet_line():
    for empty in (record("user"), user(""), user([])):
        _, again = document(user("Fix it"), rewritten=empty).entries

        assert isinstance(again, Rewritten)
        (inner,) = again.entries
        assert isinstance(inner, Notice)
        assert inner.text == "This copy has no message."


def test_result_written_again_is_shown_by_the_tool_of_its_call():
    made, given = assistant(call("LS", {"path": "/src"})), result("one")
    records = [placed(made), placed(given)]
    again = result("two")
    variant = Variant(1, "other-session", placed(again, line=7).envelope)
    records[1] = replace(records[1], variants=(variant,))
    found = {str(raw["uuid"]): raw for raw in (made, given, again)}

    built = build_turn(
        Turn(0, "session", 0, TurnKind.RESPONSE, tuple(records)),
        lambda _source, envelopes: [parse_record(found[e.uuid]) for e in envelopes],
    )

    entry, rewritten = built.entries
    assert isinstance(rewritten, Rewritten)
    (inner,) = rewritten.entries
    assert isinstance(inner, ToolCall)
    assert (inner.name, inner.target, inner.outcome_text) == ("LS", "/src", "two")
    assert isinstance(entry, ToolCall)
    assert entry.outcome_text == "one"


MAKERS: dict[str, Callable[[], Raw]] = {
    "text": lambda: assistant(text("Yes.")),
    "empty": assistant,
    "call": lambda: assistant(call("Bash", {"command": "ls"}, "t1")),
    "other call": lambda: assistant(call("Bash", {"command": "ls"}, "t2")),
    "both": lambda: assistant(text("Yes."), call("LS", {}, "t3")),
    "result": lambda: result("x", call_id="t1"),
    "other result": lambda: result("x", call_id="t2"),
    "meta": lambda: user("x", isMeta=True),
    "prompt": lambda: user("Fix it"),
    "steering": lambda: attachment("queued_command", prompt="x", commandMode="prompt"),
    "boundary": lambda: system("compact_boundary"),
    "summary": lambda: user("x", isCompactSummary=True),
    "command": lambda: user("<command-name>/x</command-name>"),
    "output": lambda: user("<local-command-stdout>x</local-command-stdout>"),
    "error": lambda: system("api_error", error={}),
    "hidden": lambda: system("turn_duration"),
}
KINDS = st.lists(st.sampled_from(sorted(MAKERS)), min_size=1, max_size=12)


@hypothesis.settings(max_examples=200)
@hypothesis.given(KINDS)
def test_each_conversation_record_has_exactly_one_place(kinds: list[str]):
    raws = [MAKERS[kind]() for kind in kinds]

    made = document(*raws)

    found = places(made)
    assert set(made.records) <= set(found)
    assert len(found) == len(set(found))


@hypothesis.settings(max_examples=50)
@hypothesis.given(KINDS)
def test_same_records_give_the_same_document(kinds: list[str]):
    raws = [MAKERS[kind]() for kind in kinds]

    assert document(*raws) == document(*raws)
