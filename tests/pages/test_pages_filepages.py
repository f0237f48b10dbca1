"""The page of a file: who edited it, at whose prompt."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from everyleaf.pages import filepages
from everyleaf.pages.addresses import SiteSettings, draw_page, file_url
from everyleaf.pages.facts import ReportFacts, SessionFacts, parse_session_facts
from everyleaf.pages.filepages import (
    MOST_LINES,
    OPEN_LINES,
    FilePage,
    file_pages,
)
from everyleaf.render.diffs import FIRST_LINES
from pages.making import draw_family, draw_lists, families, listed
from sessions import call, prompt, reply, result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from everyleaf.pages.facts import EditFacts
    from sessions import Record

A = "/home/me/parser/src/a.py"


def edit(name: str, after: str, file: str = A, new: str = "y", **more: str) -> list[Record]:
    made = call(f"{name}c", after, "Edit", file_path=file, old_string="x", new_string=new)
    return [{**made, **more}, {**result(f"{name}r", f"{name}c", "edited"), **more}]


def draw(folder: Path, records: Sequence[Record]) -> tuple[SessionFacts, dict[str, str]]:
    (work,) = families(folder, {"s.jsonl": records})
    outputs = draw_family(work, SiteSettings("Archive")).outputs
    pages = {output.url: output.body.decode() for output in outputs}
    facts = parse_session_facts(pages["data/s.json"].encode())
    assert facts is not None
    return facts, pages


FORKED = [
    prompt("p1", None, "Write a parser"),
    *edit("a", "p1"),
    prompt("p2", "ar", "Make it slow"),
    *edit("b", "p2"),
    *edit("c", "br"),
    reply("r2", "cr", "Slow."),
    prompt("p3", "ar", "Make it fast"),
    *edit("d", "p3"),
    reply("r3", "dr", "Fast."),
]


def told(page: FilePage) -> list[tuple[str, str, list[tuple[str, int]]]]:
    return [
        (one.label, one.status, [(each.words, len(each.edits)) for each in one.prompts])
        for session in page.view().sessions
        for one in session.attempts
    ]


def test_each_edit_stands_with_the_prompt_that_led_to_it(tmp_path):
    facts, _ = draw(tmp_path, FORKED)

    (page,) = file_pages([listed(facts)])

    assert page.url == file_url("parser", "src/a.py")
    assert told(page) == [
        ("Path 1", "ABANDONED", [("Make it slow", 2)]),
        ("Path 2", "ACTIVE", [("Write a parser", 1), ("Make it fast", 1)]),
    ]


def test_edits_prompts_and_attempts_lead_to_their_places(tmp_path):
    facts, pages = draw(tmp_path, FORKED)
    (page,) = file_pages([listed(facts)])

    links = [
        url
        for session in page.view().sessions
        for one in session.attempts
        for each in one.prompts
        for url in (each.url, *(edit.url for edit in each.edits))
    ]

    assert len(links) == 7
    for link in links:
        url, _, anchor = link.removeprefix("../").partition("#")
        assert f'id="{anchor}"' in pages[url]


@pytest.mark.parametrize(
    ("new", "in_sight", "folded"), [(12, 13, 0), (13, 8, 6), (64, 8, 57), (65, 8, 52)]
)
def test_no_fold_or_link_is_for_a_few_lines(tmp_path, new, in_sight, folded):
    records = [prompt("p1", None, "Go"), *edit("a", "p1", new="\n".join("y" * new))]
    facts, _ = draw(tmp_path, records)

    (page,) = file_pages([listed(facts)])

    (shown,) = page.view().sessions[0].attempts[0].prompts[0].edits
    assert shown.lines.added + shown.lines.removed == in_sight
    assert shown.folded.added + shown.folded.removed == folded
    assert shown.more == 1 + new - in_sight - folded


def test_an_edit_shows_the_lines_that_it_begins_with_and_counts_the_rest(tmp_path):
    new = "\n".join(["y", "<b>", *map(str, range(98)), "z" * 500])
    facts, _ = draw(tmp_path, [prompt("p1", None, "Go"), *edit("a", "p1", new=new)])

    outputs = draw_lists([facts], SiteSettings("Archive"), ReportFacts())
    (page,) = (one.body.decode() for one in outputs if one.url.startswith("files/"))

    lines = re.findall(r"<(ins|del)((?: data-[on]=\d+)+)><u>(.)</u>([^\n]*)", page)
    assert lines[:3] == [
        ("del", " data-o=1", "-", "x"),
        ("ins", " data-n=1", "+", "y"),
        ("ins", " data-n=2", "+", "&lt;b&gt;"),
    ]
    in_sight, folded = page.split("<summary>94 more lines of this edit</summary>")
    assert in_sight.count("<u>") == OPEN_LINES
    assert folded.count("<u>") == FIRST_LINES - OPEN_LINES
    assert "<ins data-n=8><u>+</u>" in folded  # It goes on with the numbers.
    assert re.search(r"<a href=[^>]*>42 further lines in the conversation</a>", folded)
    assert re.search(r"<a href=[^>]*>Edit in line 1</a>", page)


def test_lines_of_an_edit_that_stand_apart_have_a_head_each(tmp_path):
    old = "\n".join(["a", *map(str, range(9)), "b"])
    new = old.replace("a", "x").replace("b", "y")
    made = call("ac", "p1", "Edit", file_path=A, old_string=old, new_string=new)
    facts, _ = draw(tmp_path, [prompt("p1", None, "Go"), made, result("ar", "ac", "ok")])

    (page,) = file_pages([listed(facts)])

    (shown,) = page.view().sessions[0].attempts[0].prompts[0].edits
    heads = re.findall(r"@@ [^@]+ @@", shown.body)
    assert heads == ["@@ -1,1 +1,1 @@", "@@ -11,1 +11,1 @@"]


def test_of_many_edits_the_first_stand_open_and_each_shows_fewer_lines(tmp_path):
    facts, _ = draw(tmp_path, [prompt("p1", None, "Go"), *edit("a", "p1")])
    (made,) = facts.edits
    many = replace(made, edits=made.edits * (MOST_LINES // 2 + 1))

    (page,) = file_pages([listed(replace(facts, edits=(many,)))])

    (led,) = page.view().sessions[0].attempts[0].prompts
    assert {one.lines.added + one.lines.removed for one in led.edits} == {1}
    html = draw_page(SiteSettings("Archive"), "file.html.j2", page.url, page.view())
    in_sight, folded = html.decode().split("more edits</summary>")
    assert in_sight.count('">Edit in line 1</a>') == 3
    assert folded.count('">Edit in line 1</a>') == len(many.edits) - 3


def test_a_transcript_leads_to_the_pages_of_its_files(tmp_path):
    facts, pages = draw(tmp_path, FORKED)
    urls = {page.url for page in file_pages([listed(facts)])}

    transcript = pages["transcripts/transcript_s_path2.html"]
    links = re.findall(r'href="\.\./(files/[^"]+)"', transcript)

    assert len(links) == 3  # The table of files, and each of two edits.
    assert set(links) == urls
    assert file_url("parser", "src/a.py") in pages["compare/compare_s_1_2.html"]


def test_a_file_known_by_another_name_has_a_page_that_leads_on(tmp_path):
    inside = {"cwd": "/home/me/parser/src"}
    records = [prompt("p1", None, "Go"), *edit("a", "p1"), *edit("b", "ar", **inside)]
    facts, _ = draw(tmp_path, records)

    moved, page = file_pages([listed(facts)])

    assert (moved.sessions, moved.url) == ((), file_url("parser", "a.py"))
    assert moved.target == page.url == file_url("parser", "src/a.py")


def test_names_are_safe_and_differ_where_only_case_does():
    one, other = file_url("p", "README.md"), file_url("p", "readme.md")

    assert one.lower() != other.lower()
    assert re.fullmatch(r"files/[A-Za-z0-9._-]+\.html", file_url("a/b", "x/<é>:?/con.txt"))
    assert len(file_url("p" * 300, "f" * 300).split("/")[1]) < 255


def test_sessions_of_a_long_page_are_listed_before_it_and_the_only_path_is_not_named(
    tmp_path,
):
    plain = [prompt("p1", None, "Write a parser"), *edit("a", "p1"), reply("r", "ar", "!")]
    one, _ = draw(tmp_path / "one", plain)
    forked, _ = draw(tmp_path / "forked", FORKED)
    sessions = [one, replace(one, session="t"), replace(forked, session="u")]

    site = draw_lists(sessions, SiteSettings("Archive"), ReportFacts())
    pages = {page.url: page.body.decode() for page in site}
    page = pages[file_url("parser", "src/a.py")]

    jumps = re.findall(r'<li><a href="#(session-\d)">', page)
    assert jumps == re.findall(r'<section class="group" id="(session-\d)">', page)
    assert len(jumps) == 3
    assert page.count("<h3>") == 2
    assert ">Path 2</a>" in page


def test_a_page_looks_at_the_edits_of_its_file_alone(tmp_path, monkeypatch):
    files = [f"/home/me/parser/src/{name}.py" for name in "abcdef"]
    steps = [
        edit(f"e{n}", f"e{n - 1}r" if n else "p1", file) for n, file in enumerate(files)
    ]
    facts, _ = draw(tmp_path, [prompt("p1", None, "Write"), *chain.from_iterable(steps)])
    pages = list(file_pages([listed(facts)]))
    made: list[str] = []

    def noted(facts: EditFacts, *told: Any) -> Any:
        made.extend(edit.file for edit in facts.edits)
        return done(facts, *told)

    done = filepages._Done
    monkeypatch.setattr(filepages, "_Done", noted)
    for page in pages:
        page.view()

    assert sorted(made) == [f"src/{name}.py" for name in "abcdef"]
