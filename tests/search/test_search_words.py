"""The words of entries that can be found."""

from __future__ import annotations

import pytest

from everyleaf.search.pages import LONGEST, SearchText, plain, said_in
from everyleaf.transcript.document import (
    CheckItem,
    Checklist,
    Chip,
    Code,
    Commit,
    Fold,
    Notice,
    NoticeKind,
    Outcome,
    Prompt,
    Prose,
    Reply,
    Rewritten,
    Table,
    Thinking,
    ToolCall,
)
from hanging import ends_soon

ANCHORS = {letter: f"m-{letter}" for letter in "abcdef"}


def find(*entries):
    return list(said_in(entries, ANCHORS))


def prompt(uuid, *parts):
    return Prompt(uuid=uuid, parts=parts)


def test_prompts_and_replies_are_found_as_plain_words():
    found = find(
        prompt("a", Prose("Fix **the** lexer\nnow"), Chip("File", "lexer.py", "2 lines")),
        Reply(uuid="b", parts=(Prose("See `lex()`."), Code("def lex():\n  pass"))),
    )

    assert found == [
        SearchText("prompt", "m-a", "Fix the lexer\nnow\nFile lexer.py 2 lines"),
        SearchText("reply", "m-b", "See lex().\ndef lex():\npass"),
    ]


def test_a_tool_call_is_found_by_its_one_line_and_not_by_its_output():
    call = ToolCall(
        uuid="a",
        tool_use_id="t",
        name="mcp__github__create_issue",
        about="Run the tests",
        target="pytest\n-q",
        outcome=Outcome.ERROR,
        outcome_text="exit 1",
        answered=(Code("thousands of lines"),),
        commits=(Commit("b2a248a", "Fix it"),),
    )

    assert find(call) == [
        SearchText(
            "tool",
            "m-a",
            "github: create_issue Run the tests pytest -q exit 1 b2a248a Fix it",
        )
    ]


@pytest.mark.parametrize(
    ("name", "outcome", "answered"),
    [
        (
            "Write",
            Outcome.DENIED,
            (Prose("Not *there*"), Fold("what the model was told", (Code("Stop."),))),
        ),
        ("AskUserQuestion", Outcome.OK, (Checklist((CheckItem("Not there", "chosen"),)),)),
    ],
)
def test_what_a_person_answers_a_tool_is_found_as_theirs(name, outcome, answered):
    asked = ToolCall(
        uuid="a",
        tool_use_id="t",
        name=name,
        target="notes.md",
        outcome=outcome,
        outcome_text="said",
        answered=answered,
    )

    assert find(asked) == [
        SearchText("answer", "m-a", f"{name} notes.md said Not there"),
    ]


def test_thinking_and_notices_are_not_found_but_links():
    notice = Notice(uuid="b", kind=NoticeKind.HOOK, text="A hook ran")
    link = Notice(uuid="c", kind=NoticeKind.LINK, text="Pull request #94 of acme/app")

    assert find(Thinking(uuid="a", text="Hm."), notice, link) == [
        SearchText("notice", "m-c", "Pull request #94 of acme/app")
    ]


def test_what_was_written_again_is_found_too():
    again = Rewritten(uuid="a", where="line 8", entries=(prompt("b", Prose("Otherwise")),))

    assert find(again) == [SearchText("prompt", "m-b", "Otherwise")]


def test_an_entry_without_a_place_or_without_words_is_not_found():
    assert find(prompt("x", Prose("Nowhere")), prompt("a", Prose(" "), Table(()))) == []


def test_what_is_pasted_is_cut():
    (found,) = find(prompt("a", Prose("x " * LONGEST), Prose("behind")))

    assert len(found.text) <= LONGEST + len(" behind")
    assert len(found.text) > LONGEST // 2


def test_characters_that_no_page_shows_are_not_found_either():
    (found,) = find(prompt("a", Prose("if \u202e} \x07access")))

    assert found.text == "if [U+202E]} access"


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("# Title\n> said\n- one\n* two", "Title said one two"),
        ("```python\nx = a + b\n```", "x = a + b"),
        ("```what of this``` now?\nAsk.", "what of this now? Ask."),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", "a b 1 2"),
        ("Title\n=====\n> > said\n>\n- [ ] ![one](x.png)\n\n---", "Title said one"),
        ("[text](http://x_(y)) and [ref][1]", "text and [ref][1]"),
        ("**91.4%** of **a.go**. Not x*.py", "91.4% of a.go. Not x*.py"),
        ("a - b, snake_case, -x", "a - b, snake_case, -x"),
        ("see (`a/b.toml`).", "see (a/b.toml)."),
    ],
)
def test_marks_of_markdown_go_and_words_stay(markdown, words):
    assert plain(markdown) == words


@pytest.mark.parametrize("piece", ["[", "](", "`", "*", "> ", "[a](", "~~~\n", "\t", "|-"])
def test_no_text_takes_long(piece):
    with ends_soon():
        plain(piece * 50_000)
