"""How tall turns are said to be, and which words are long."""

from __future__ import annotations

import pytest

from everyleaf.render.entries import is_long, tallness
from everyleaf.transcript.document import (
    AnyEntry,
    Code,
    Fold,
    Outcome,
    Prompt,
    Prose,
    Reply,
    Thinking,
    ToolCall,
)

LINES = "A line of words.\n" * 30


def call(outcome: Outcome) -> ToolCall:
    return ToolCall(
        tool_use_id="t",
        name="Bash",
        target="make",
        outcome=outcome,
        answered=(Code(LINES),),
    )


@pytest.mark.parametrize(
    "entry",
    [
        call(Outcome.OK),
        Thinking(text=LINES),
        Prompt(parts=(Fold("more", (Prose(LINES),)),)),
    ],
)
def test_what_can_be_unfolded_is_taller_then(entry: AnyEntry) -> None:
    folded, unfolded = tallness([entry]), tallness([entry], is_unfolded=True)

    assert folded < 10
    assert unfolded - folded > 30


@pytest.mark.parametrize("entry", [call(Outcome.ERROR), Reply(parts=(Prose(LINES),))])
def test_what_is_open_stays_as_tall_as_it_is(entry: AnyEntry) -> None:
    assert tallness([entry]) == tallness([entry], is_unfolded=True) > 30


def test_only_words_are_long() -> None:
    words = (Prose(LINES),)

    assert is_long(Prompt(parts=words))
    assert is_long(Reply(parts=words))
    assert not is_long(Reply(parts=(Prose("Yes."),)))
    assert not is_long(Prompt(parts=(Fold("more", words),)))
    assert not is_long(call(Outcome.ERROR))
