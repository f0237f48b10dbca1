"""Turns as HTML."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import given, settings, strategies as st
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from everyleaf.render.html import NUMBER_MARK
from everyleaf.render.view import OutlineKind
from everyleaf.theming.formats import visible
from everyleaf.transcript.document import (
    AgentPage,
    AnyEntry,
    CheckItem,
    Checklist,
    Chip,
    Code,
    Compaction,
    Diff,
    DiffLine,
    Fold,
    Hunk,
    Link,
    Links,
    Manner,
    Notice,
    NoticeKind,
    Outcome,
    Part,
    Picture,
    Prompt,
    Prose,
    Reply,
    Rewritten,
    Table,
    Thinking,
    ToolCall,
)
from render.drawn import (
    PNG,
    dangers,
    document,
    draw,
    fresh_uuid,
    number_prompts,
    parse,
    render,
    text_of,
    texts,
    uuids_of,
)

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

AT = "2026-03-14T09:26:53.589Z"


def prompt(text: str = "Do it", **more: object) -> Prompt:
    values: dict[str, object] = {"uuid": fresh_uuid(), "words": text} | more
    return Prompt(parts=(Prose(text, keeps_breaks=True),), **values)  # type: ignore[arg-type]


def tool_call(outcome: Outcome = Outcome.OK, **more: object) -> ToolCall:
    values: dict[str, object] = {
        "uuid": fresh_uuid(),
        "name": "Bash",
        "target": "ls -l",
    } | more
    return ToolCall(tool_use_id="t1", outcome=outcome, **values)  # type: ignore[arg-type]


class HtmlSnapshot(SingleFileSnapshotExtension):
    """One file a snapshot, which an editor and a reviewer can read as what it is."""

    _write_mode = WriteMode.TEXT
    file_extension = "html"


DIFF = Diff("a.py", (Hunk(3, 3, (DiffLine("-", "x = 1"), DiffLine("+", "x = 2"))),), 1, 1)
KINDS: dict[str, AnyEntry] = {
    "prompt": Prompt(
        uuid="0000000a-1", at=AT, words="Why", parts=(
            Prose("Why *so*?\nTell me.", keeps_breaks=True), Chip("File", "a.py", "2 to 4"),
        ),
    ),
    "steering": Prompt(uuid="0000000b-1", manner=Manner.STEERING, parts=(Prose("stop"),)),
    "command": Prompt(
        uuid="0000003a-1", manner=Manner.COMMAND,
        parts=(Chip("Command", "/model", "opus"),),
    ),
    "shell": Prompt(
        uuid="0000003b-1", manner=Manner.SHELL, is_numbered=False,
        parts=(Code("git status", language="bash"), Code("clean", is_terminal=True)),
    ),
    "memory": Prompt(
        uuid="0000003c-1", manner=Manner.MEMORY, is_numbered=False,
        parts=(Prose("Use tabs."),),
    ),
    "undelivered": Prompt(
        uuid="0000003d-1", manner=Manner.UNDELIVERED, is_numbered=False,
        parts=(Prose("And the docs"),),
    ),
    "reply": Reply(
        uuid="0000000c-1", at=AT, also=("0000000c-2",), parts=(Prose("Because **x**."),)
    ),
    "withdrawn-reply": Reply(uuid="0000000d-1", parts=(Prose("No."),), is_withdrawn=True),
    "thinking": Thinking(uuid="0000000e-1", text="First *this*,\nthen that."),
    "thinking-not-recorded": Thinking(uuid="0000000f-1", text=""),
    "tool": ToolCall(
        uuid="0000001a-1", also=("0000001a-2",), at=AT, tool_use_id="t", name="Edit",
        target="a.py",
        outcome=Outcome.OK, outcome_text="+1 -1", duration_ms=1500, answered=(DIFF,),
    ),
    "tool-denied": ToolCall(
        uuid="0000001b-1", tool_use_id="t", name="mcp__git__push", target="",
        outcome=Outcome.DENIED,
        asked=(Table((("force", "true"),)),), answered=(Prose("Not yet."),),
    ),
    "compaction": Compaction(
        uuid="0000001c-1", at=AT, summary=(Prose("It was fixed."),),
        facts=("auto", "155,000 → 9,000 tokens", "1 message kept", "took 48 s"),
    ),
    "earlier-part-missing": Compaction(uuid="0000001d-1", has_boundary=False),
    "notice": Notice(uuid="0000001e-1", kind=NoticeKind.HOOK, text="Hook ran"),
    "notice-trouble": Notice(
        uuid="0000001f-1", kind=NoticeKind.API_ERROR, text="Overloaded", is_trouble=True,
        parts=(Code("529"),),
    ),
    "rewritten": Rewritten(
        uuid="0000002a-1", where="line 8",
        entries=(Reply(uuid="0000002a-1", parts=(Prose("Or so."),)),),
    ),
}  # fmt: skip


def test_every_kind_of_entry_and_manner_of_prompt_is_recorded():
    prompts = [entry for entry in KINDS.values() if isinstance(entry, Prompt)]

    assert {type(entry) for entry in KINDS.values()} == set(get_args(AnyEntry))
    assert {prompt.manner for prompt in prompts} == set(Manner)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_entry_looks_as_recorded(kind: str, snapshot: SnapshotAssertion):
    turn = draw(KINDS[kind])

    html, _ = number_prompts(turn, 3)
    assert str(html) == snapshot(extension_class=HtmlSnapshot)


def ids_of(html: str) -> list[str]:
    return [name for element in parse(html).iter() if (name := element.get("id"))]


def test_every_record_of_an_entry_has_its_anchor():
    entries = (*KINDS.values(), tool_call(also=("0000003a-1", "0000003b-1")))

    turn = draw(*entries)

    expected = {f"m-{uuid[:8]}" for uuid in uuids_of(entries)}
    assert expected <= set(ids_of(turn.text))


def test_ids_are_unique_even_if_a_record_is_shown_twice():
    twice = Reply(uuid="0000000a-1", parts=(Prose("again"),), also=("0000000a-1",))
    rewritten = Rewritten(uuid="x", where="", entries=(twice,))

    turn = draw(KINDS["prompt"], twice, rewritten)

    assert max(Counter(ids_of(turn.text)).values()) == 1
    assert turn.text.count("<p>again</p>") == 2


def test_record_without_an_anchor_gets_no_id():
    turn = render(document(KINDS["reply"], KINDS["compaction"]), {})

    assert ids_of(turn.text) == []
    assert turn.outline == ()
    assert "permalink" not in turn.text


def test_prompts_are_numbered_when_a_page_is_assembled():
    turn = draw(prompt("one"), prompt("two"))

    html, outline = number_prompts(turn, 7)

    assert texts(html, tag="h2") == ["Prompt 7: one", "Prompt 8: two"]
    assert [(item.number, item.words) for item in outline] == [(7, "one"), (8, "two")]


def test_what_is_not_counted_has_no_number():
    turn = draw(
        prompt("x", is_numbered=False), Rewritten(uuid="a", where="", entries=(prompt(),))
    )

    assert NUMBER_MARK not in turn.text
    assert turn.outline == ()


def test_number_mark_cannot_come_from_a_transcript():
    html, _ = number_prompts(draw(prompt(f"a{NUMBER_MARK}b")), 5)

    assert "anumberb" in html


def test_compactions_stand_in_the_outline_without_a_number():
    turn = draw(prompt(), KINDS["compaction"], KINDS["earlier-part-missing"])

    _, outline = number_prompts(turn, 1)

    assert [(item.kind, item.anchor, item.number) for item in outline[1:]] == [
        (OutlineKind.COMPACTION, "m-0000001c", None),
        (OutlineKind.COMPACTION, "m-0000001d", None),
    ]


@pytest.mark.parametrize(
    ("outcome", "is_open"),
    [
        (Outcome.OK, False),
        (Outcome.ERROR, True),
        (Outcome.DENIED, True),
        (Outcome.INTERRUPTED, False),
        (Outcome.MISSING, False),
    ],
)
def test_only_trouble_is_open(*, outcome: Outcome, is_open: bool):
    turn = draw(tool_call(outcome))

    fold = next(parse(turn.text).iter("details"))
    assert (fold.get("open") is not None) == is_open
    assert outcome.value in fold.get("class", "").split()


def test_summary_line_tells_tool_target_outcome_and_time():
    turn = draw(tool_call(Outcome.ERROR, outcome_text="exit 1", duration_ms=62_000))

    assert texts(turn.text, tag="summary") == ["Bash ls -l failed exit 1 1 min 2 s"]


@pytest.mark.parametrize(
    ("agent_id", "answered", "links"),
    [
        ("a1", (), 1),
        ("lost", (), 0),
        ("a1", (AgentPage("a1", "its page"),), 1),
        (None, (), 0),
    ],
    ids=["page", "no page", "linked by a part", "no agent"],
)
def test_agent_is_linked_once(agent_id: str | None, answered: tuple[Part, ...], links: int):
    turn = draw(tool_call(agent_id=agent_id, answered=answered))

    assert turn.text.count('href="../agents/agent_s1_a1.html"') == links


def test_pictures_and_outputs_of_a_turn_are_kept_once_each():
    picture = Picture(PNG, "image/png")

    turn = draw(Reply(uuid="a", parts=(picture, Fold("more", (picture, Code("x\n" * 99))))))

    assert sorted(blob.name.rsplit(".", 1)[1] for blob in turn.blobs) == ["png", "txt"]
    assert list(turn.blobs) == sorted(turn.blobs, key=lambda blob: blob.name)


def test_same_turn_gives_the_same_bytes():
    assert draw(*KINDS.values()) == draw(*KINDS.values())


MARKUP = "<>&\"'`{}%#=/\\()[]!|*_~-\n\t \r\x00\x1b\x07\x85\u202e\u2066\ud800\ufeff"
WILD = st.text(alphabet=st.one_of(st.sampled_from(MARKUP), st.characters()), max_size=30)
ATTACKS = [
    "</script><script>alert(1)</script>",
    '" onmouseover="x',
    "{{ 7 * 7 }}",
    "{% raw %}",
    "javascript:alert(1)",
    "</details></section>",
    "&lt;b&gt;",
    "<!--",
    "]]>",
    "</pre></code>",
]


def hunk_of(word: str) -> Hunk:
    return Hunk(1, 1, (DiffLine("-", word), DiffLine("+", f"{word}x")))


def parts_of(word: str) -> tuple[Part, ...]:
    """Return a part of each kind that says `word` wherever it can."""
    return (
        Prose(word), Prose(word, keeps_breaks=True), Code(word, word, caption=word),
        Code(word, "html", first_line=1), Code(word, is_terminal=True),
        Picture(word, word, word), Picture("", alt=word, problem=word),
        Chip(word, word, word), Diff(word, (hunk_of(word),), 1, 1),
        Table(((word, word),)), Table(((word,),), head=(word,)),
        Checklist((CheckItem(word, word, is_changed=True),)), Links((Link(word, word),)),
        AgentPage("a1", word), AgentPage("lost", word), Fold(word, (Prose(word),)),
    )  # fmt: skip


def entries_of(word: str) -> tuple[AnyEntry, ...]:
    """Return an entry of each kind that says `word` wherever it can."""
    parts = parts_of(word)
    inner = Reply(uuid=word, parts=parts)
    return (
        Prompt(uuid=word + "1", at=word, parts=parts, words=word),
        Reply(uuid=word + "2", at=word, also=(word,), parts=parts),
        Thinking(uuid=word + "3", text=word),
        ToolCall(
            uuid=word + "4", tool_use_id=word, name=word, target=word, outcome=Outcome.OK,
            outcome_text=word, asked=parts, answered=parts,
        ),
        Compaction(uuid=word + "5", at=word, facts=(word,), summary=parts),
        Notice(uuid=word + "6", kind=NoticeKind.OTHER, text=word, parts=parts),
        Rewritten(uuid=word + "7", where=word, entries=(inner,)),
    )  # fmt: skip


def test_a_link_to_thinking_without_words_leads_to_what_comes_next():
    said = Reply(uuid="0000000b-1", parts=(Prose("Done."),))
    silent = Thinking(uuid="0000000a-1", text=""), Thinking(uuid="0000000c-1", text="")

    turn = draw(silent[0], said, silent[1])

    header = turn.text[turn.text.index("<header") : turn.text.index("</header>")]
    assert '<span id="m-0000000a"></span><span id="m-0000000c"></span>' in header


@given(st.one_of(WILD, st.sampled_from(ATTACKS)))
@settings(max_examples=40, deadline=None)
def test_whatever_a_transcript_says_adds_no_element_and_no_danger(word: str):
    calm = draw(*entries_of("calm"))

    turn = draw(*entries_of(f"x{word}"))

    assert dangers(turn.text) == []
    assert outline_of_elements(turn.text) == outline_of_elements(calm.text)


def outline_of_elements(html: str) -> list[str]:
    """Return the frame of a turn: its entries, folds and sections, in order."""
    frame = {"section", "article", "aside", "details", "summary", "header", "figure"}
    return [
        f"{element.tag}.{element.get('data-kind', '')}"
        for element in parse(html).iter()
        if element.tag in frame and element.get("class") != "footnotes"
    ]


@given(WILD)
@settings(max_examples=40, deadline=None)
def test_text_of_code_comes_out_as_it_went_in(word: str):
    turn = draw(Reply(uuid="a", parts=(Code(f"<{word}>"), Code(f"<{word}>", "python"))))

    assert texts(turn.text, tag="code") == [visible(f"<{word}>")] * 2


@given(WILD)
@settings(max_examples=40, deadline=None)
def test_short_texts_come_out_as_they_went_in(word: str):
    turn = draw(
        tool_call(target=f"<{word}>"), Notice(uuid="n", kind=NoticeKind.META, text=word)
    )

    assert texts(turn.text, tag="code") == [visible(f"<{word}>")]
    notice = next(div for div in parse(turn.text).iter("div") if div.get("role") == "note")
    assert text_of(notice).strip() == visible(word).strip()
