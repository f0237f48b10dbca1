"""Shortened views, front matter, and the task list that goes from turn to turn."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest
from hypothesis import strategies as st

from everyleaf.config import Detail
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.markdown import _quoted
from everyleaf.theming.formats import visible
from pages.making import draw_family, families
from sessions import FORKED, boundary, call, prompt, reply, result, summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sessions import Record

WORKED = (
    prompt("p1", None, "Write a parser"),
    call("c1", "p1", "Bash", command="make parser"),
    result("t1", "c1", "built in 3 s"),
    reply("r1", "t1", "It is written."),
)


def pages(folder: Path, records: Sequence[Record], **settings: object) -> dict[str, str]:
    """Return the pages of a session `s` of `records`, by address."""
    (work,) = families(folder, {"s.jsonl": records})
    chosen = SiteSettings(title="Archive", **settings)  # type: ignore[arg-type]
    outputs = draw_family(work, chosen).outputs
    return {one.url: one.body.decode() for one in outputs if not one.url.startswith("data")}


def markdown(folder: Path, records: Sequence[Record], **settings: object) -> str:
    (text,) = pages(folder, records, has_html=False, **settings).values()
    return text


def html(folder: Path, records: Sequence[Record], **settings: object) -> str:
    (text,) = pages(folder, records, has_markdown=False, **settings).values()
    return text


# -- how much is shown -------------------------------------------------------------------


@pytest.mark.parametrize("draw", [markdown, html])
def test_digest_has_prompts_answers_and_a_line_of_what_was_done(tmp_path: Path, draw):
    page = draw(tmp_path, WORKED, detail=Detail.DIGEST)

    assert "Write a parser" in page
    assert "1 command" in page
    assert "It is written." in page
    assert "make parser" not in page
    assert "built in 3 s" not in page


def test_what_came_of_a_conversation_is_said_where_it_ended_without_a_reply(tmp_path):
    records = (*WORKED[:2], result("t1", "c1", "6 passed in 0.12s"))

    ended, whole = html(tmp_path, records), html(tmp_path, WORKED)

    assert ended.count('<p class="ended">6 tests passed</p>') == 2  # Head, and its bar.
    assert "It ended without a reply." in ended
    assert "It ended without a reply." not in whole
    assert re.search(r'<b>Last reply:</b> <a href="#m-\w+">It is written.</a>', whole)


def test_a_line_of_work_counts_calls_by_kind_and_says_what_failed(tmp_path: Path):
    made = [prompt("p1", None, "Look")]
    for number, tool in enumerate(("Grep", "Grep", "Task", "Nope", "Nope", "Nope")):
        name, above = f"c{number}", made[-1]["uuid"]
        answer = result(f"t{number}", name, "no")
        answer["message"]["content"][0]["is_error"] = number in {3, 4}
        made += [call(name, None, tool, pattern="x") | {"parentUuid": above}, answer]
    made.append(reply("r1", "t5", "Done."))

    page = markdown(tmp_path, made, detail=Detail.DIGEST)
    assert "6 calls: 2 searches, 1 agent, 3 others; 2 calls failed" in page


def test_a_line_of_work_of_one_kind_does_not_say_it_twice(tmp_path: Path):
    made = [
        prompt("p1", None, "Look"),
        call("c1", "p1", "Glob", pattern="x"),
        result("t1", "c1", "one"),
        call("c2", "t1", "Grep", pattern="x"),
        result("t2", "c2", "two"),
        reply("r1", "t2", "Done."),
    ]
    assert "\n*2 searches*\n" in markdown(tmp_path, made, detail=Detail.DIGEST)


@pytest.mark.parametrize("draw", [markdown, html])
def test_what_the_person_said_within_a_call_is_never_gathered(tmp_path: Path, draw):
    made = [prompt("p1", None, "Look")]
    for number in range(9):
        name, above = f"c{number}", made[-1]["uuid"]
        tool = "AskUserQuestion" if number == 4 else "Read"
        answer = "A red one, please" if number == 4 else "unseen"
        made += [call(name, None, tool, pattern="x") | {"parentUuid": above}]
        made.append(result(f"t{number}", name, answer))
    made.append(reply("r1", "t8", "Done."))

    digest = draw(tmp_path / "digest", made, detail=Detail.DIGEST)
    whole = draw(tmp_path / "whole", made)

    assert re.search("4 reads.*A red one, please.*4 reads", digest, re.DOTALL)
    if draw is html:
        assert re.search(
            "4 reads.*</details>.{0,400}<details [^>]*personal[^>]* open>"
            ".*A red one, please"
            '.*<details class="work" open><summary><span>4 reads',
            whole,
            re.DOTALL,
        )
    else:
        assert "<details open><summary><b>AskUserQuestion" in whole


def test_the_heading_of_a_reply_tells_its_words(tmp_path: Path):
    made = [prompt("p1", None, "Go"), reply("r1", "p1", "## **It** is `written`.\n\nMore")]

    page = html(tmp_path, made)

    assert "<h3>Claude<span class=hidden>: It is `written`. …</span></h3>" in page


@pytest.mark.parametrize("draw", [markdown, html])
def test_talk_page_has_what_was_said_and_no_output_of_tools(tmp_path: Path, draw):
    page = draw(tmp_path, WORKED, detail=Detail.TALK)

    assert "Write a parser" in page
    assert "It is written." in page
    assert "make parser" in page
    assert "built in 3 s" not in page


@pytest.mark.parametrize("draw", [markdown, html])
def test_prompts_page_has_the_words_of_the_person_alone(tmp_path: Path, draw):
    page = draw(tmp_path, WORKED, detail=Detail.PROMPTS)

    assert "Write a parser" in page
    assert "It is written." not in page
    assert "make parser" not in page


@pytest.mark.parametrize("draw", [markdown, html])
@pytest.mark.parametrize("detail", list(Detail))
def test_page_says_in_its_head_whether_it_is_a_shortened_view(
    tmp_path: Path, draw, detail: Detail
):
    page = draw(tmp_path, WORKED, detail=detail)

    assert ("a shortened view" in page) == (detail is not Detail.FULL)


def test_shortened_page_counts_what_it_does_not_show(tmp_path: Path):
    page = markdown(tmp_path, WORKED, detail=Detail.PROMPTS)

    assert "Total Messages: 4" in page
    assert "- Models: claude-x" in page


BRANCHED = (
    prompt("p1", None, "Write a parser"),
    reply("r1", "p1", "Which kind?"),
    call("c1", "r1", "Bash", command="make slow"),
    result("t1", "c1", "slow"),
    call("c2", "r1", "Bash", command="make fast"),
    result("t2", "c2", "fast"),
    prompt("p2", "t1", "A slow one"),
    prompt("p3", "t2", "A fast one"),
    reply("r3", "p3", "Fast it is."),
)
"""Two paths that part with calls, of which a page of prompts shows nothing."""


@pytest.mark.parametrize("detail", list(Detail))
def test_links_into_a_shortened_page_lead_somewhere(tmp_path: Path, detail: Detail):
    site = pages(tmp_path, BRANCHED, detail=detail)

    links = [
        (posixpath.normpath(posixpath.join(posixpath.dirname(url), target or there)), place)
        for url, text in site.items()
        for there in [posixpath.basename(url)]
        for target, place in re.findall(r"""(?:href="|\]\()([^"#)]*)#(m-[^")]*)""", text)
    ]
    assert any(page.endswith(".html") for page, _ in links)
    assert [link for link in links if f'id="{link[1]}"' not in site[link[0]]] == []


def test_talk_in_markdown_has_each_call_on_a_line_and_no_empty_fold(tmp_path: Path):
    page = markdown(tmp_path, WORKED, detail=Detail.TALK)

    assert "</a>**Bash** `make parser`" in page
    assert "<details>" not in page


# -- front matter ------------------------------------------------------------------------


def test_file_begins_with_its_front_matter_only_when_asked(tmp_path: Path):
    plain = markdown(tmp_path / "a", WORKED)
    headed = markdown(tmp_path / "b", WORKED, has_front_matter=True)

    assert plain.startswith("# CLAUDE CODE SESSION TRANSCRIPT\n")
    assert headed.startswith("---\n")
    assert headed.endswith(f"---\n\n{plain}")


def test_front_matter_says_which_path_it_is_and_what_became_of_it(tmp_path: Path):
    files = pages(tmp_path, FORKED, has_html=False, has_front_matter=True)

    (left,) = (text for text in files.values() if 'status: "ABANDONED"' in text)
    assert left.split("\n---\n")[0].splitlines() == [
        "---",
        'title: "Write a parser"',
        'session: "s"',
        "path: 1",
        "of: 2",
        'status: "ABANDONED"',
        'project: "parser"',
        "date: 2026-01-31T14:44:00Z",
        'models: ["claude-x"]',
        'tags: ["claude-code", "abandoned"]',
    ]


def test_tags_name_a_compaction_and_a_withdrawn_prompt(tmp_path: Path):
    records = (
        *WORKED,
        boundary("b1", "r1"),
        summary("s1", "b1", "All of it."),
        prompt("p2", "s1", "Never mind"),
        prompt("p3", "s1", "Go on"),
        reply("r3", "p3", "Gone on."),
    )

    files = pages(tmp_path, records, has_html=False, has_front_matter=True)

    tags = {
        line for text in files.values() for line in text.splitlines() if "tags:" in line
    }
    assert tags == {
        'tags: ["claude-code", "active", "compacted"]',
        'tags: ["claude-code", "abandoned", "compacted", "withdrawn"]',
    }


def test_file_of_an_agent_has_front_matter_too(tmp_path: Path):
    agent = [
        {**record, "isSidechain": True, "agentId": "a1", "sessionId": "s"}
        for record in (prompt("q1", None, 'Look: "it"'), reply("q2", "q1", "Seen."))
    ]
    (work,) = families(tmp_path, {"s.jsonl": WORKED, "s/subagents/agent-a1.jsonl": agent})
    settings = SiteSettings(title="Archive", has_front_matter=True)

    outputs = draw_family(work, settings).outputs

    (text,) = (o.body.decode() for o in outputs if o.url.startswith("markdown/agent"))
    assert text.startswith('---\ntitle: "Look: \\"it\\""\nsession: "s"\nagent: "a1"\n')
    assert 'tags: ["claude-code", "subagent"]\n---\n' in text


def test_note_links_lead_to_files_that_are_there(tmp_path: Path):
    agent = [
        {**record, "isSidechain": True, "agentId": "a1", "sessionId": "s"}
        for record in (prompt("q1", None, "Look"), reply("q2", "q1", "Seen."))
    ]
    started = {**FORKED[-1], "message": {"role": "assistant", "id": "m", "content": []}}
    call = {"type": "tool_use", "id": "t1", "name": "Agent", "input": {"prompt": "Look"}}
    started["message"]["content"] = [call]
    ended = {"type": "tool_result", "tool_use_id": "t1", "content": "Seen."}
    answer = {
        **prompt("p9", FORKED[-1]["uuid"], ""),
        "message": {"role": "user", "content": [ended]},
        "toolUseResult": {"agentId": "a1", "status": "completed"},
    }
    files = {
        "s.jsonl": [*FORKED[:-1], started, answer],
        "s/subagents/agent-a1.jsonl": agent,
    }
    (work,) = families(tmp_path, files)
    settings = SiteSettings(title="Archive", has_front_matter=True, has_note_links=True)

    outputs = draw_family(work, settings).outputs

    notes = {Path(o.url).stem: o.body.decode() for o in outputs if o.url.endswith(".md")}
    heads = {name: text.split("\n---\n")[0] for name, text in notes.items()}
    linked = {name: re.findall(r'"\[\[(.*?)\]\]"', head) for name, head in heads.items()}
    assert linked == {
        "transcript_s_path1_abandoned": ["transcript_s_path2"],
        "transcript_s_path2": ["transcript_s_path1_abandoned", "agent_s_a1"],
        "agent_s_a1": ["transcript_s_path1_abandoned", "transcript_s_path2"],
    }
    assert 'taken_over_by: ["[[' in heads["transcript_s_path1_abandoned"]


_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\]|\\U[0-9a-f]{8})*)"')
_ESCAPED = re.compile(r'\\(["\\])|\\U([0-9a-f]{8})')


@hypothesis.given(st.text())
@hypothesis.example("\\U")
@hypothesis.example('\\"')
def test_no_text_leaves_its_quotes_in_the_front_matter(text: str):
    quoted = _quoted(text)

    found = _QUOTED.fullmatch(quoted)
    assert found is not None
    assert quoted.isprintable()
    read = _ESCAPED.sub(lambda one: one[1] or chr(int(one[2], 16)), found[1])
    assert read == " ".join(visible(text).split())


# -- the task list -----------------------------------------------------------------------


def task(number: str, subject: str) -> Record:
    return {"task": {"id": number, "subject": subject}}


def test_change_of_a_task_shows_the_name_that_an_earlier_turn_gave_it(tmp_path: Path):
    created = {**result("t1", "c1", "ok"), "toolUseResult": task("1", "Grow the trees")}
    changed = {"success": True, "taskId": "1", "updatedFields": ["status"]}
    records = (
        prompt("p1", None, "Start"),
        call("c1", "p1", "TaskCreate", subject="Grow the trees"),
        created,
        prompt("p2", "t1", "Now do it"),
        call("c2", "p2", "TaskUpdate", taskId="1", status="completed"),
        {**result("t2", "c2", "ok"), "toolUseResult": changed},
    )

    page = markdown(tmp_path, records)

    assert "- [x] #1 Grow the trees" in page.split("Now do it")[1]
