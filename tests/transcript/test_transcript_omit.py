from __future__ import annotations

import hypothesis
import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from everyleaf.config import Detail
from everyleaf.transcript.document import (
    AnyEntry,
    Chip,
    Code,
    Compaction,
    Fold,
    Manner,
    Notice,
    NoticeKind,
    Outcome,
    Picture,
    Prompt,
    Prose,
    Reply,
    Rewritten,
    Thinking,
    ToolCall,
    TurnDocument,
    TurnFacts,
)
from everyleaf.transcript.entries import shorten, uuids_of

SAID = (Prose("Why?"),)
TYPED = Prompt(uuid="p", parts=SAID)
ANSWERED = Reply(uuid="r", parts=(Prose("So."),), also=("r2",))
THOUGHT = Thinking(uuid="t", text="Hm.")
CALLED = ToolCall(
    uuid="c",
    also=("c2",),
    tool_use_id="toolu_1",
    name="Bash",
    target="make",
    outcome=Outcome.OK,
    outcome_text="3 lines",
    asked=(Code("make"),),
    answered=(Code("done"),),
    agent_id="a1",
)
COMPACTED = Compaction(uuid="b", facts=("auto",), summary=(Prose("All of it."),))
STOPPED = Notice(uuid="i", kind=NoticeKind.INTERRUPT, text="Stopped", parts=SAID)
FAILED = Notice(uuid="e", kind=NoticeKind.API_ERROR, text="529", is_trouble=True)
DIM = Notice(uuid="m", kind=NoticeKind.META, text="A hook ran")
AGAIN = Rewritten(uuid="w", where="line 7", entries=(TYPED, THOUGHT))
AGAIN_SILENT = Rewritten(uuid="x", where="line 8", entries=(THOUGHT,))
ALL: tuple[AnyEntry, ...] = (
    TYPED,
    ANSWERED,
    THOUGHT,
    CALLED,
    COMPACTED,
    STOPPED,
    FAILED,
    DIM,
    AGAIN,
    AGAIN_SILENT,
)


def turn(*entries: AnyEntry) -> TurnDocument:
    return TurnDocument("s", 0, entries, TurnFacts(prompts=1), ("p",))


def names(document: TurnDocument) -> list[str]:
    return [entry.uuid for entry in document.entries]


def test_full_view_is_the_document_itself():
    document = turn(*ALL)

    assert shorten(document, Detail.FULL) is document


def test_talk_has_prompts_and_replies_whole_and_no_thinking():
    shown = shorten(turn(TYPED, THOUGHT, ANSWERED), Detail.TALK)

    assert shown.entries == (TYPED, replace(ANSWERED, also=(*ANSWERED.also, THOUGHT.uuid)))


def test_talk_has_a_tool_call_as_one_line_that_still_leads_to_its_agent():
    (call,) = shorten(turn(CALLED), Detail.TALK).entries

    assert isinstance(call, ToolCall)
    assert (call.asked, call.answered) == ((), ())
    assert (call.name, call.target, call.outcome_text) == ("Bash", "make", "3 lines")
    assert (call.uuid, call.also, call.agent_id) == ("c", ("c2",), "a1")


def test_talk_has_compactions_and_trouble_as_one_line_and_leaves_dim_notices_out():
    shown = shorten(turn(COMPACTED, STOPPED, FAILED, DIM), Detail.TALK)

    compacted, stopped, failed = shown.entries
    assert isinstance(compacted, Compaction)
    assert compacted.summary == ()
    assert isinstance(stopped, Notice)
    assert (stopped.text, stopped.parts) == ("Stopped", ())
    assert failed == replace(FAILED, also=(DIM.uuid,))


def test_talk_of_what_was_written_again_is_the_talk_in_it():
    shown = shorten(turn(AGAIN, AGAIN_SILENT), Detail.TALK)

    (again,) = shown.entries
    assert isinstance(again, Rewritten)
    assert (again.uuid, again.entries) == ("w", (TYPED,))


@pytest.mark.parametrize("detail", list(Detail))
def test_no_link_into_a_turn_is_lost_as_long_as_something_of_it_is_shown(detail: Detail):
    whole = (THOUGHT, TYPED, DIM, ANSWERED, AGAIN, THOUGHT, FAILED, STOPPED, DIM)

    shown = shorten(turn(*whole), detail).entries

    left = {uuid for entry in shown for uuid in uuids_of(entry)}
    assert {entry.uuid for entry in whole} <= left


def test_prompts_are_the_words_of_the_person_alone():
    shown = shorten(turn(*ALL), Detail.PROMPTS)

    assert names(shown) == ["p", "w"]


def test_context_folded_beside_a_prompt_is_not_the_persons_words():
    reminder, output = Fold("system reminder", SAID), Code("ok", is_terminal=True)
    said = (Chip("command", "/fix"), *SAID, Code("ls", "bash"), Picture("", alt="Image #1"))
    prompt = Prompt(uuid="p", parts=(reminder, *said, output), manner=Manner.COMMAND)

    (shown,) = shorten(turn(prompt), Detail.PROMPTS).entries

    assert isinstance(shown, Prompt)
    assert shown.parts == said


@pytest.mark.parametrize("detail", list(Detail))
def test_facts_are_those_of_the_whole_turn(detail: Detail):
    document = turn(*ALL)

    shown = shorten(document, detail)

    assert (shown.facts, shown.records) == (document.facts, document.records)


@hypothesis.given(st.lists(st.sampled_from(ALL)))
def test_each_shorter_view_is_a_part_of_the_longer_one_in_its_order(
    entries: list[AnyEntry],
):
    views = (Detail.FULL, Detail.TALK, Detail.PROMPTS)
    full, talk, prompts = (names(shorten(turn(*entries), detail)) for detail in views)
    assert names(shorten(turn(*entries), Detail.DIGEST)) == talk

    for shorter, longer in ((talk, full), (prompts, talk)):
        rest = iter(longer)
        assert all(name in rest for name in shorter)
