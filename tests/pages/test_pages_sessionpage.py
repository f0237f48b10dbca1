"""The page of a session: what was asked, what came of it, and which path to read."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.facts import ReportFacts, parse_session_facts
from everyleaf.pages.sessionpage import (
    RoundRow,
    SessionView,
    StepLink,
    session_view,
)
from everyleaf.render.view import OutlineKind
from pages.making import draw_family, draw_lists, families
from sessions import call, prompt, result, spoken

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sessions import Record

COMMITTED = "[main abc1234] Make it fast\n 1 file changed, 2 insertions(+)"


def run(name: str, parent: str, said: str) -> list[Record]:
    return [
        call(f"{name}c", parent, "Bash", command="git commit -m x"),
        result(f"{name}r", f"{name}c", said),
    ]


FORKED = [
    *spoken(None, "p1 Write a parser", "r1 Written."),
    *spoken("r1", "p2 Make it slow"),
    *run("a", "p2", "1 failed, 5 passed in 0.31s"),
    *spoken("ar", "r2 Slow.", "p3 Slower"),
    *spoken("p3", "r3 Slower."),
    prompt("p4", "r1", "Make it fast"),
    *run("b", "p4", "2 failed, 4 passed in 0.31s"),
    *run("c", "br", "6 passed in 0.31s"),
    *run("d", "cr", COMMITTED),
    *spoken("dr", "r4 Fast."),
]


def view_of(folder: Path, records: Sequence[Record]) -> tuple[SessionView, dict[str, str]]:
    (work,) = families(folder, {"s.jsonl": records})
    outputs = draw_family(work, SiteSettings("Archive")).outputs
    pages = {output.url: output.body.decode() for output in outputs}
    facts = parse_session_facts(pages["data/s.json"].encode())
    assert facts is not None
    lists = draw_lists([facts], SiteSettings("Archive"), ReportFacts())
    return session_view(facts), pages | {one.url: one.body.decode() for one in lists}


def told(rounds: Sequence[RoundRow]) -> list[tuple[int | None, str, list[str]]]:
    return [(one.number, one.words, [step.text for step in one.came]) for one in rounds]


def test_each_path_tells_what_was_asked_and_what_came_of_it(tmp_path):
    view, _ = view_of(tmp_path, FORKED)

    taken, left = view.paths
    assert told(left.rounds) == [
        (2, "Make it slow", ["1 of 6 tests failed"]),
        (3, "Slower", []),
    ]
    assert told(taken.rounds) == [
        (1, "Write a parser", []),
        (2, "Make it fast", ["6 tests passed", "Commit abc1234 Make it fast"]),
    ]
    assert [step.text for step in taken.came] == [
        "6 tests passed",
        "Commit abc1234 Make it fast",
    ]


def test_what_came_of_it_counts_the_commits_that_it_does_not_name(tmp_path):
    more: list[Record] = []
    last = "r4"
    for n in range(3):
        more += run(f"e{n}", last, COMMITTED.replace("abc1234", f"abc123{n}"))
        last = f"e{n}r"

    view, _ = view_of(tmp_path, [*FORKED, *more])

    assert view.main is not None
    assert (len(view.main.came), view.main.earlier) == (3, "2 earlier commits")
    pulled = StepLink(OutlineKind.PULL_REQUEST, "Pull request #1", "#a")
    main = replace(view.main, rounds=(RoundRow(1, "Pull", "#", (pulled,) * 5),))
    assert main.earlier == "4 earlier commits, 3 earlier pull requests"


def test_the_head_tells_attempts_from_withdrawn_prompts(tmp_path):
    withdrawn = [*FORKED, prompt("p9", "r1", "Make it fsat")]

    view, _ = view_of(tmp_path, [*withdrawn[:2], withdrawn[-1], *withdrawn[2:-1]])

    assert "1 abandoned attempt, 1 withdrawn prompt" in view.lead


def test_a_commit_names_its_branch_where_the_head_does_not(tmp_path):
    elsewhere = json.loads(json.dumps(FORKED).replace("[main ", "[topic "))

    view, _ = view_of(tmp_path, elsewhere)

    assert view.paths[0].came[-1].text == "Commit abc1234 Make it fast (topic)"


def test_the_page_leads_to_what_was_asked_where_it_stands(tmp_path):
    view, pages = view_of(tmp_path, FORKED)

    rounds = [one for row in view.paths for one in row.rounds]
    links = [url for one in rounds for url in (one.url, *(s.url for s in one.came))]

    assert len(links) == 7
    for link in links:
        url, _, anchor = link.removeprefix("../").partition("#")
        assert f'id="{anchor}"' in pages[url]


def test_the_page_says_which_path_to_read_and_what_was_left(tmp_path):
    view, _ = view_of(tmp_path, FORKED)

    assert view.main is view.paths[0]
    assert view.left == (view.paths[1],)
    assert view.left[0].compare_url == "../compare/compare_s_1_2.html"


@pytest.mark.parametrize("count", [12, 13])
def test_many_prompts_are_folded_behind_the_first(tmp_path, count):
    said = (f"p{number:02} Go on with {number}" for number in range(count))
    _, pages = view_of(tmp_path, spoken(None, *said))

    page = pages["sessions/session_s.html"]

    assert ("<summary>1 more prompt</summary>" in page) is (count > 12)
    numbers = re.findall(r'<li value="(\d+)"', page)
    assert [int(number) for number in numbers] == list(range(1, count + 1))


@pytest.mark.parametrize("is_replied", [True, False])
def test_a_session_and_its_transcript_say_alike_whether_it_ended_with_a_reply(
    tmp_path: Path, *, is_replied: bool
):
    records = [*spoken(None, "p1 Go", "r1 Waiting for the others."), *run("a", "r1", "ok")]
    records += spoken("ar", "r2 All is done.") if is_replied else []
    _, pages = view_of(tmp_path, records)

    facts = parse_session_facts(pages["data/s.json"].encode())
    assert facts is not None
    lists = draw_lists([facts], SiteSettings("Archive"), ReportFacts())
    page = next(one.body.decode() for one in lists if one.url == "sessions/session_s.html")

    said = re.findall(r"<dt>Ended[^<]*</dt><dd>([^<]*)", page)
    transcript = pages["transcripts/transcript_s.html"]
    assert said == ["All is done." if is_replied else "Without a reply."]
    # In the head, and in what a link to a message shows.
    assert transcript.count("It ended without a reply.") == (0 if is_replied else 2)
