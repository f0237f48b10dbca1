"""Entries and parts as Markdown: one small picture of each, and the laws they share."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, get_args

import pytest
from hypothesis import given, strategies as st
from markdown_it import MarkdownIt

from everyleaf.render.entries import Fragment, assign_anchors
from everyleaf.render.markdown import MARKDOWN_NUMBER_MARK, render_markdown
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
    Picture,
    Prompt,
    Prose,
    Reply,
    Rewritten,
    Table,
    Thinking,
    ToolCall,
    TurnDocument,
    TurnFacts,
)

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

    from everyleaf.transcript.document import Part

HOST = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")
GIF = base64.b64encode(b"GIF89a\x0c\0\x07\0\0\0\0").decode()
UUID = "0a1b2c3d-0000-4000-8000-000000000001"
OTHER = "4e5f6a7b-0000-4000-8000-000000000002"


def draw(*entries: AnyEntry) -> Fragment:
    uuids = [uuid for entry in entries for uuid in (entry.uuid, *entry.also)]
    document = TurnDocument("s", 0, entries, TurnFacts(), tuple(uuids))
    return render_markdown(
        document,
        assign_anchors(uuids),
        blob_root="../blobs/",
        agent_url=lambda session, agent: (
            f"agent_{session}_{agent}.md" if agent == "a1" else None
        ),
    )


def draw_parts(*parts: Part) -> str:
    return draw(Reply(uuid=UUID, parts=parts)).text.partition("**Reply**\n\n")[2]


ENTRIES: dict[str, AnyEntry] = {
    "prompt": Prompt(
        uuid=UUID,
        at="2026-01-31T14:05:09Z",
        parts=(Prose("Do *it*\nnow", keeps_breaks=True),),
    ),
    "command": Prompt(
        uuid=UUID, manner=Manner.COMMAND, parts=(Chip("command", "/model", "opus"),)
    ),
    "steering": Prompt(
        uuid=UUID, manner=Manner.STEERING, parts=(Prose("wait"),), is_numbered=False
    ),
    "shell": Prompt(
        uuid=UUID,
        manner=Manner.SHELL,
        parts=(Code("git status", language="bash"), Code("clean", is_terminal=True)),
        is_numbered=False,
    ),
    "memory": Prompt(
        uuid=UUID, manner=Manner.MEMORY, parts=(Prose("Use tabs."),), is_numbered=False
    ),
    "undelivered": Prompt(
        uuid=UUID,
        manner=Manner.UNDELIVERED,
        parts=(Prose("And the docs"),),
        is_numbered=False,
    ),
    "reply": Reply(uuid=UUID, parts=(Prose("# Done\n\nSee `a.py`."),), model="m"),
    "withdrawn reply": Reply(uuid=UUID, parts=(Prose("Hm."),), is_withdrawn=True),
    "thinking": Thinking(uuid=UUID, text="Let me see <b>"),
    "thinking without text": Thinking(uuid=UUID, text=" "),
    "tool call": ToolCall(
        uuid=UUID,
        also=(OTHER,),
        tool_use_id="t1",
        name="Bash",
        target="ls <dir>\n&& pwd",
        outcome=Outcome.OK,
        outcome_text="2 lines",
        duration_ms=1500,
        asked=(Code("ls", language="bash", caption="List *all*"),),
        answered=(Code("\x1b[31ma\x1b[0m\nbar 10%\rbar 100%", is_terminal=True),),
    ),
    "tool error": ToolCall(
        uuid=UUID,
        tool_use_id="t1",
        name="mcp__x__y",
        target="",
        outcome=Outcome.ERROR,
        answered=(Code("```\nboom"),),
    ),
    "missing result": ToolCall(
        uuid=UUID, tool_use_id="t1", name="Read", target="a.py", outcome=Outcome.MISSING
    ),
    "agent call": ToolCall(
        uuid=UUID,
        tool_use_id="t1",
        name="Task",
        target="Explore",
        outcome=Outcome.OK,
        asked=(Prose("Look."),),
        agent_id="a1",
    ),
    "compaction": Compaction(
        uuid=UUID,
        facts=("auto", "155,000 → 12,000 tokens", "1 message kept", "took 1 min 2 s"),
        summary=(Prose("# Summary\n\nAll."),),
    ),
    "compaction without a boundary": Compaction(
        uuid=UUID, has_boundary=False, facts=("5 tokens",)
    ),
    "notice": Notice(uuid=UUID, kind=NoticeKind.MODEL, text="now *opus*"),
    "trouble": Notice(
        uuid=UUID, kind=NoticeKind.API_ERROR, text="3 errors", is_trouble=True
    ),
    "notice with parts": Notice(
        uuid=UUID, kind=NoticeKind.COMMAND, text="/cost <x>", parts=(Code("$1"),)
    ),
    "rewritten": Rewritten(
        uuid=OTHER,
        where="line 12",
        entries=(Prompt(uuid=UUID, parts=(Prose("other words"),)),),
    ),
}

PARTS: dict[str, Part] = {
    "code": Code("x = 1\n", language="src/a.py", first_line=12),
    "picture": Picture(GIF, media_type="image/gif", alt="a [b]"),
    "broken picture": Picture("%%", alt="shot"),
    "missing picture": Picture("", problem="too large"),
    "chip": Chip("file", "a`b.py", "lines 1 to 3"),
    "diff": Diff(
        "a.py",
        (Hunk(1, 1, (DiffLine(" ", "a"), DiffLine("-", "b"), DiffLine("+", "```"))),),
        added=1,
        removed=1,
    ),
    "diff without lines": Diff("a.py", (), added=0, removed=0),
    "table": Table((("a|b", "<c>"), ("d\ne",)), head=("One", "Two")),
    "fields": Table((("name", "value"), ("", "x"))),
    "long fields": Table((("name", "value"), ("body", "one\ntwo"), ("", "# three"))),
    "no rows": Table(()),
    "checklist": Checklist(
        (
            CheckItem("one", "completed"),
            CheckItem("two", "in_progress", is_changed=True),
            CheckItem("three", "pending"),
            CheckItem("four", "deleted"),
        )
    ),
    "links": Links((Link("A [b]", "https://example.org/a b>"), Link("x", "javascript:x"))),
    "agent page": AgentPage("a1", "Explore"),
    "agent without a page": AgentPage("a2", ""),
    "fold": Fold("more <b>", (Prose("- a"), Prose("    four")), is_open=True),
}


def test_every_kind_of_entry_and_manner_of_prompt_is_drawn() -> None:
    prompts = [entry for entry in ENTRIES.values() if isinstance(entry, Prompt)]

    assert {type(entry) for entry in ENTRIES.values()} == set(get_args(AnyEntry))
    assert {prompt.manner for prompt in prompts} == set(Manner)


@pytest.mark.parametrize("name", ENTRIES)
def test_each_kind_of_entry_is_drawn(name: str, snapshot: SnapshotAssertion) -> None:
    drawn = draw(ENTRIES[name]).text

    assert drawn.replace(MARKDOWN_NUMBER_MARK, "7") == snapshot


@pytest.mark.parametrize("name", PARTS)
def test_each_kind_of_part_is_drawn(name: str, snapshot: SnapshotAssertion) -> None:
    assert draw_parts(PARTS[name]) == snapshot


def test_every_uuid_has_its_anchor_once() -> None:
    call = ENTRIES["tool call"]
    again = Reply(uuid=OTHER, parts=(Prose("x"),))

    text = draw(call, again).text

    assert re.findall(r'<a id="([^"]+)">', text) == ["m-0a1b2c3d", "m-4e5f6a7b"]


def test_a_prompt_that_another_entry_stands_for_is_not_counted() -> None:
    text = draw(Reply(uuid=UUID, parts=()), Prompt(uuid=UUID, parts=(Prose("again"),))).text

    assert MARKDOWN_NUMBER_MARK not in text
    assert "**Prompt**\n\nagain" in text


def test_a_prompt_in_what_was_written_again_is_no_heading() -> None:
    assert MARKDOWN_NUMBER_MARK not in draw(ENTRIES["rewritten"]).text


def test_long_output_leads_to_a_blob_that_holds_all_of_it() -> None:
    text = "\n".join(f"<b> {number}" for number in range(500))

    drawn = draw(Reply(uuid=UUID, parts=(Code(text),)))

    (blob,) = drawn.blobs
    assert blob.body.decode() == text
    assert f"*500 lines, [show all](../blobs/{blob.name})*" in drawn.text
    assert "<b> 250" not in drawn.text


def test_a_picture_is_a_file() -> None:
    drawn = draw(Reply(uuid=UUID, parts=(PARTS["picture"],)))

    (blob,) = drawn.blobs
    assert f"![a \\[b\\]](../blobs/{blob.name})" in drawn.text


def test_lists_that_follow_each_other_stay_apart() -> None:
    drawn = draw_parts(Prose("- a"), Checklist((CheckItem("b", "pending"),)))

    tokens = HOST.parse(drawn)
    assert sum(token.type == "bullet_list_open" for token in tokens) == 2


TEXT = st.text(alphabet="ab #`<>-|[]()!*_\\/=~\n\r\t\x1b\x00:.1", max_size=50)
ANY_PART = st.one_of(
    TEXT.map(Prose),
    st.builds(Code, TEXT, TEXT, TEXT, is_terminal=st.booleans()),
    st.builds(Chip, TEXT, TEXT, TEXT),
    st.builds(Picture, TEXT, TEXT, TEXT, TEXT),
    st.lists(TEXT.map(lambda text: (text, text)), max_size=3).map(
        lambda rows: Table(tuple(rows))
    ),
    TEXT.map(lambda text: Table(((text, text),), head=(text,))),
    TEXT.map(lambda text: Checklist((CheckItem(text, "pending"), CheckItem(text, text)))),
    st.builds(Link, TEXT, TEXT).map(lambda one: Links((one,))),
    TEXT.map(lambda text: AgentPage("a1", text)),
    TEXT.map(lambda text: Diff(text, (Hunk(1, 1, (DiffLine("+", text),)),), 1, 0)),
    TEXT.map(lambda text: Fold(text, (Prose(text),))),
)


@given(st.lists(ANY_PART, max_size=4).map(tuple), TEXT)
def test_no_text_changes_the_structure_of_the_document(
    parts: tuple[Part, ...], text: str
) -> None:
    entries = (
        Prompt(uuid="u-000001", parts=parts, at=text),
        ToolCall(
            uuid="u-000002",
            tool_use_id="t",
            name=text,
            target=text,
            outcome=Outcome.ERROR,
            outcome_text=text,
            asked=parts,
            answered=parts,
        ),
        Notice(uuid="u-000003", kind=NoticeKind.OTHER, text=text or "x", parts=parts[:1]),
        Compaction(uuid="u-000004", facts=(text,), summary=parts),
        Thinking(uuid="u-000005", text=text),
        Rewritten(
            uuid="u-000006", where=text, entries=(Reply(uuid="u-000007", parts=parts),)
        ),
    )

    tokens = HOST.parse(draw(*entries).text)

    headings = [t for t in tokens if t.type == "heading_open" and t.tag in {"h1", "h2"}]
    blocks = [t.content for t in tokens if t.type == "html_block"]
    opened = sum(block.startswith("<details") for block in blocks)
    assert [(token.tag, token.level) for token in headings] == [("h2", 0)]
    assert opened == sum(block.startswith("</details>") for block in blocks)
    assert all(re.match(r"</?details|<!-- -->", block) for block in blocks)
    inline = [
        c.content for t in tokens for c in t.children or () if c.type == "html_inline"
    ]
    assert all(re.fullmatch(r'<a id="m-[\w-]+">|</a>|<br>', tag) for tag in inline)
    assert sum(tag.startswith("<a") for tag in inline) >= 6
