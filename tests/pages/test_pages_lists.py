"""The pages that list, made of facts alone; stubs and sitemaps."""

from __future__ import annotations

import json
import re
import weakref
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

import html5lib
import pytest
from msgspec.structs import replace

from everyleaf.collector import collector_paused
from everyleaf.graph.forest import Contained, PathRef, Status
from everyleaf.issues import DESCRIPTIONS, Issue, IssueCode
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.facts import (
    AgentFacts,
    EditFacts,
    IssueFacts,
    ReportFacts,
    RunFacts,
    SessionFacts,
    newest_first,
)
from everyleaf.pages.feeds import feed, llms_txt, sitemaps
from everyleaf.pages.lists import ListDrawer, put_lists, stubs
from everyleaf.pages.listviews import (
    FIRST,
    IN_SIGHT,
    LEFT_URL,
    LONG,
    index_view,
    split_list,
)
from everyleaf.pages.pagesink import PageSink, Standing, StandingTurns
from everyleaf.pages.reportpage import MAX_ROWS, report_view
from everyleaf.pages.sessionpage import session_view
from everyleaf.theming.formats import MINUS
from everyleaf.theming.headers import style_digest
from everyleaf.theming.load import load_theme
from everyleaf.transcript.document import (
    PULL_REQUEST,
    Commit,
    FileChange,
    FileEdit,
    Usage,
)
from pages.making import draw_lists, listed, path_facts, session_facts
from sessions import uuid

if TYPE_CHECKING:
    from collections.abc import Iterable

SITE = SiteSettings("My <archive>")
OLD = session_facts("old", title="Old", ended="2025-12-31T23:59:00Z")
NEW = session_facts("new", title="New", ended="2026-01-01T00:00:00Z")
NEWER = session_facts("newer", title="Newer", ended="2026-01-20T00:00:00+00:00")
FULL = session_facts(
    paths=(
        path_facts(1, status=Status.ABANDONED, label="Slow", is_withdrawn=True),
        path_facts(2, compactions=1),
    ),
    of=3,
    dropped=(Contained(PathRef("s", 3), PathRef("t", 1), Status.ACTIVE, "Copy", 3, "u"),),
    agents=(
        AgentFacts(
            agent_id="a1",
            agent_type="Explore",
            description="Look",
            url="agents/agent_s_a1.html",
            markdown_url="",
            messages=3,
            started="",
            ended="",
        ),
        AgentFacts(
            agent_id="a2",
            agent_type="",
            description="",
            url="",
            markdown_url="",
            messages=0,
            started="",
            ended="",
        ),
    ),
    issues=(
        IssueFacts(line=0, code="stub", message="nothing in it"),
        IssueFacts(line=7, code="cycle", message="a <loop>"),
        IssueFacts(line=8, code="of-a-later-version", message="?"),
    ),
)
STUB_SITE = SiteSettings("Archive")
COPY = Contained(PathRef("s", 2), PathRef("t", 1), Status.ACTIVE, "T", 3, uuid("leaf"))
URL = "transcripts/transcript_s_path2.html"
MAPPED_SITE = SiteSettings("Mine", base_url="https://a.example/x/")
SESSION = session_facts("s", project="a & b", paths=(path_facts(1), path_facts(2)))


def render(
    *sessions: SessionFacts,
    reading: ReportFacts | None = None,
    settings: SiteSettings = SITE,
) -> dict[str, str]:
    outputs = draw_lists(sessions, settings, reading or ReportFacts())
    return {output.url: output.body.decode() for output in outputs}


def parse(page: str) -> Element:
    tree = html5lib.HTMLParser(strict=False, namespaceHTMLElements=False).parse(page)
    assert isinstance(tree, Element)
    return tree


def texts(elements: Iterable[Element]) -> list[str]:
    return [" ".join("".join(element.itertext()).split()) for element in elements]


def titles(page: str) -> list[str]:
    return texts(e for e in parse(page).iter("a") if e.get("class") == "row-title")


def test_a_site_has_all_its_lists() -> None:
    pages = render(OLD, session_facts("t", project="other"))

    assert set(pages) == {
        "index.html",
        "report.html",
        "404.html",
        ".gitattributes",
        "_headers",
        "paths.jsonl",
        "llms.txt",
        "markdown/index.md",
        "projects/parser.html",
        "projects/other.html",
        "sessions/session_old.html",
        "sessions/session_t.html",
    }


def test_only_the_page_of_a_session_belongs_to_a_session() -> None:
    sink = PageSink(lambda _: None)
    put_lists(ListDrawer(SITE, sink), [OLD, NEW], ReportFacts())

    assert {url: names for url, names in sink.owners.items() if names} == {
        "sessions/session_old.html": {"old"},
        "sessions/session_new.html": {"new"},
    }


def test_sessions_stand_newest_first_by_month() -> None:
    page = render(OLD, NEWER, NEW)["index.html"]

    assert titles(page) == ["Newer", "New", "Old"]
    heads = texts(parse(page).iter("h2"))
    assert heads == ["January 2026 2", "December 2025 1"]


def test_a_session_without_a_time_stands_last() -> None:
    page = render(session_facts("x", title="Timeless", ended=""), OLD)["index.html"]

    assert titles(page) == ["Old", "Timeless"]
    assert "Unknown time" in page


def test_rows_name_their_models_by_number_for_scripts() -> None:
    both = path_facts(models=(("opus", 0.9), ("haiku", 0.1)))
    page = parse(
        render(
            session_facts("a", paths=(both,)),
            session_facts("b", paths=(path_facts(models=(("opus", 1.0),)),)),
            session_facts("c"),
            session_facts("d"),
        )["index.html"]
    )
    rows = [e for e in page.iter("li") if e.get("class") == "row"]
    (select,) = (e for e in page.iter("select") if e.get("name") == "model")

    assert [e.text for e in select.iter("option")] == ["Any model", "haiku", "opus"]
    assert sorted(row.get("data-m") or "" for row in rows) == ["", "", "0 1", "1"]


def test_a_list_of_three_has_nothing_to_filter() -> None:
    assert "data-finder" not in render(OLD, NEWER, NEW)["index.html"]


def test_a_list_of_one_model_has_nothing_to_choose_from() -> None:
    paths = (path_facts(models=(("opus", 1.0),)),)
    some = (session_facts(name, paths=paths) for name in "abcd")
    page = parse(render(*some)["index.html"])

    assert [e for e in page.iter("form") if "data-finder" in e.attrib]
    assert not [e for e in page.iter("select") if e.get("name") == "model"]


def test_the_index_shows_projects_if_there_are_several() -> None:
    alone = render(OLD)["index.html"]
    both = render(OLD, session_facts("t", project="other"))["index.html"]

    assert "projects/parser.html" not in alone
    assert 'href="projects/parser.html"' in both
    assert 'href="projects/other.html"' in both


def test_abandoned_attempts_unfold_under_their_session() -> None:
    left = path_facts(1, status=Status.ABANDONED, label="Try <this>", shared=1)
    page = render(session_facts(paths=(left, path_facts(2))))["index.html"]

    assert titles(page) == ["Write a parser", "Try <this>"]
    assert "1 abandoned attempt<" in page
    assert "3 messages of its own" in page
    assert 'href="transcripts/transcript_s_2.html"' in page


def test_warm_ups_are_folded_away() -> None:
    tree = parse(
        render(OLD, session_facts("w", title="Warmup", is_warmup=True))["index.html"]
    )

    folds = [e for e in tree.iter("details") if "warmups" in str(e.get("class"))]
    assert [titles_in(fold) for fold in folds] == [["Warmup"]]


def titles_in(element: Element) -> list[str]:
    return texts(e for e in element.iter("a") if e.get("class") == "row-title")


def test_an_empty_archive_says_so() -> None:
    assert "no conversation yet" in render()["index.html"]


def test_a_session_without_a_title_or_a_prompt_is_folded_away() -> None:
    empty = session_facts("e", title="Untitled", paths=(path_facts(prompts=0),))
    asked = session_facts("a", title="Untitled")

    view = index_view(newest_first([OLD, empty, asked]), SiteSettings("Archive"))

    assert [one.url for one in view.warmups] == ["transcripts/transcript_s_1.html"]
    assert sum(group.sessions for group in view.groups) == 2


def test_a_project_lists_its_own_sessions() -> None:
    pages = render(OLD, session_facts("t", title="Theirs", project="other"))

    assert titles(pages["projects/parser.html"]) == ["Old"]
    assert titles(pages["projects/other.html"]) == ["Theirs"]


def test_a_session_page_shows_paths_copies_agents_and_issues() -> None:
    page = render(FULL)["sessions/session_s.html"]

    assert titles(page) == ["The path taken", "Slow", "Look"]
    assert 'href="../transcripts/transcript_s_1.html"' in page
    assert 'href="../transcripts/transcript_t.html"' in page
    assert "is contained in path 1 of session t" in page
    assert 'href="../agents/agent_s_a1.html"' in page
    assert "Agent a2" in page
    assert "line 7" in page
    assert "a &lt;loop&gt;" in page
    assert "withdrawn" in page


def test_a_session_of_which_only_agents_are_here_counts_no_paths() -> None:
    alone = session_facts("s", paths=(), agents=FULL.agents)

    page = render(alone)["sessions/session_s.html"]

    assert "not hold this session's own conversation" in page
    assert "0 paths" not in page
    assert '<p class="lead"></p>' not in page


def test_the_report_groups_issues_by_code_with_what_each_means() -> None:
    page = render(FULL, OLD)["report.html"]

    codes = [e.get("id") for e in parse(page).iter("details")]
    assert codes == ["cycle", "stub", "of-a-later-version"]
    assert DESCRIPTIONS[IssueCode.CYCLE] in page
    assert 'href="sessions/session_s.html"' in page
    assert "3 things odd in the files" in page


def test_the_report_says_what_an_issue_is_before_its_code() -> None:
    page = render(FULL)["report.html"]

    heads = texts(parse(page).iter("summary"))
    assert heads[0] == f"{DESCRIPTIONS[IssueCode.CYCLE]} 1 time, cycle"


def test_the_report_says_what_was_masked_in_which_sessions() -> None:
    masked = (("home-folder", "s", 3), ("github-token", "s", 1), ("home-folder", "x", 9))

    page = parse(render(FULL, reading=ReportFacts(redactions=masked))["report.html"])

    (section,) = (e for e in page.iter("section") if e.get("id") == "masked")
    assert texts(section.iter("summary")) == [
        "Github token 1 time in 1 session, github-token",
        "Home folders 12 times in 2 sessions, home-folder",
    ]
    assert texts(section.iter("li")) == [
        "Write a parser 1 time",
        "x 9 times",
        "Write a parser 3 times",
    ]
    assert {e.get("href") for e in section.iter("a")} == {"sessions/session_s.html"}


def test_the_report_tells_sessions_of_one_title_apart() -> None:
    ended = {"s": "2026-01-31T10:00:00Z", "t": "2026-02-01T10:00:00Z"}
    same = [
        session_facts(name, title="Build it", project="lexer", ended=at)
        for name, at in ended.items()
    ]
    masked = (("github-token", "s", 2), ("github-token", "t", 1), ("github-token", "u", 1))
    alone = session_facts("u", title="Mend it")

    report = render(*same, alone, reading=ReportFacts(redactions=masked))["report.html"]

    (section,) = (e for e in parse(report).iter("section") if e.get("id") == "masked")
    assert texts(section.iter("li")) == [
        "Build it · lexer · 2026-01-31 10:00 UTC 2 times",
        "Build it · lexer · 2026-02-01 10:00 UTC 1 time",
        "Mend it 1 time",
    ]


def test_the_report_of_an_archive_that_was_not_redacted_does_not_call_it_clean() -> None:
    clean = render(OLD)["report.html"]
    unredacted = render(OLD, settings=replace(SITE, is_redacted=False))["report.html"]

    assert "there was no secret" in clean
    assert "there was no secret" not in unredacted


def test_a_project_says_what_was_done_in_it_and_to_which_files() -> None:
    def edited(*edits: tuple[str, int, int]) -> EditFacts:
        made = tuple(FileEdit("m-1", file, "", new, old) for file, new, old in edits)
        return EditFacts(path=1, project="p", at="", words="", anchor="", edits=made)

    path = path_facts(
        working_s=3_600,
        commits=(Commit("abc1234"),),
        # What subagents did is in the list of files alone.
        files=(FileChange("a.py", 1_000, 2),),
    )
    one = session_facts("a", project="p", paths=(path,), edits=(edited(("b.py", 1, 0)),))
    other = session_facts(
        "b",
        project="p",
        paths=(path_facts(working_s=60),),
        edits=(edited(("a.py", 1, 2), ("b.py", 0, 1)), edited(("b.py", 5, 0))),
    )

    page = parse(render(one, other)["projects/p.html"])

    (stats, *_) = (e for e in page.iter("ul") if e.get("class") == "stats")
    assert texts(stats.iter("li"))[2:] == [
        "1 h 1 min of work",
        "1 commit",
        f"+7 {MINUS}3 lines",
    ]
    (files,) = (e for e in page.iter("ul") if e.get("id") == "files")
    assert texts(files.iter("li")) == [
        f"b.py +6 {MINUS}1",
        f"a.py +1 {MINUS}2",
    ]


def test_the_report_adds_issues_of_files_that_are_no_session_of_the_site() -> None:
    issues = (
        Issue("a/b.jsonl", 0, IssueCode.FOREIGN_FILE, "left alone"),
        Issue("s.jsonl", 7, IssueCode.CYCLE, "known already", session="s"),
        Issue("x.jsonl", 3, IssueCode.UNREADABLE_LINE, "torn", session="x"),
    )

    page = render(FULL, reading=ReportFacts(issues=issues))["report.html"]

    assert "a/b.jsonl" in page
    assert "x.jsonl, line 3" in page
    assert "known already" not in page


def test_the_report_counts_types_and_unknown_fields() -> None:
    reading = ReportFacts(types={"user": 2, "assistant": 1200}, fields={"<new>": 1})

    page = render(reading=reading)["report.html"]

    assert page.index("assistant") < page.index(">user<")
    assert "1,200" in page
    assert "&lt;new&gt;" in page
    assert "Nothing was masked, and nothing odd in the files." in page


def test_the_report_has_one_row_for_all_of_a_session() -> None:
    issues = tuple(IssueFacts(line=n, code="replay", message="m") for n in range(1, 12))
    pages = render(session_facts(issues=issues))

    rows = texts(parse(pages["report.html"]).iter("tr"))
    assert rows[1:] == ["Write a parserlines 1, 2, 3, 4, 5, 6, 7, 8 and 3 morem"]
    assert 'title="Session s"' in pages["report.html"]
    assert len(texts(parse(pages["sessions/session_s.html"]).iter("tr"))) == 12


def test_endless_lists_of_issues_are_cut_and_say_how_many_there_are() -> None:
    count = MAX_ROWS + 5
    one = IssueFacts(line=1, code="replay", message="m")
    sessions = [session_facts(f"{n}", issues=(one,)) for n in range(count)]

    report = report_view(sessions, ReportFacts())
    alone = session_view(session_facts(issues=(one,) * count))

    for view in (report.groups, alone.issues):
        assert (len(view[0].rows), view[0].hidden) == (MAX_ROWS, 5)


def test_paths_jsonl_has_a_line_for_each_kept_path() -> None:
    lines = [json.loads(line) for line in render(FULL, OLD)["paths.jsonl"].splitlines()]

    found = [
        (line["session"], line["number"], line["of"], line["status"]) for line in lines
    ]
    assert found == [
        ("s", 1, 3, "ABANDONED"),
        ("s", 2, 3, "ACTIVE"),
        ("old", 1, 1, "ACTIVE"),
    ]


def begun(name: str, *moments: str, **changes: object) -> SessionFacts:
    paths = [path_facts(n, started=moment) for n, moment in enumerate(moments, 1)]
    return session_facts(name, paths=tuple(paths), **changes)


def test_the_markdown_index_has_a_line_a_path_by_the_time_at_which_it_began() -> None:
    old = begun("old", "2025-12-31T23:59:00Z", ended="2026-05-01T00:00:00Z")
    forked = begun("forked", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z")
    text = render(old, forked, begun("new", "2026-01-30T00:00:00Z"))["markdown/index.md"]

    assert text.split("\n\n") == [
        "# My &lt;archive>",
        "## parser",
        "### January 2026",
        (
            "- 2026-01-30 [Write a parser](transcript_s_1.md)\n"
            "- 2026-01-02 [Write a parser](transcript_s_1.md)\n"
            "- 2026-01-03 [Write a parser](transcript_s_2.md)"
        ),
        "### December 2025",
        "- 2025-12-31 [Write a parser](transcript_s_1.md)\n",
    ]


def test_the_markdown_index_names_what_was_abandoned() -> None:
    assert ") — WITHDRAWN: Slow\n" in render(FULL)["markdown/index.md"]


def test_one_format_only_has_only_its_lists() -> None:
    markdown = render(OLD, settings=SiteSettings("A", has_html=False))
    html = render(OLD, settings=SiteSettings("A", has_markdown=False))

    assert set(markdown) == {"index.md", ".gitattributes"}
    assert not any(url.endswith(".md") for url in html)


@pytest.mark.parametrize(
    "url", ["index.html", "projects/parser.html", "report.html", "404.html"]
)
def test_list_pages_have_one_title_and_no_markup_from_outside(url: str) -> None:
    hostile = "<script>alert(1)</script>"
    issue = IssueFacts(line=1, code="cycle", message=hostile)
    session = session_facts(title=hostile, issues=(issue,))

    page = parse(render(session, session_facts("t", project="b"))[url])

    assert len(list(page.iter("h1"))) == 1
    assert all(script.get("src") for script in page.iter("script"))


def many(count: int) -> list[SessionFacts]:
    """Return sessions of a whole year, newest first."""
    return newest_first(
        session_facts(
            f"{number:08x}-0000-4000-8000-000000000000",
            title="Make the parser twice as fast without new memory",
            ended=f"2026-{1 + number % 12:02}-{1 + number % 28:02}T10:00:00Z",
            paths=(
                path_facts(
                    models=(("claude-opus-4-5", 1.0),),
                    url=f"transcripts/transcript_{number:08x}-0000-4000-8000-000000000000.html",
                    working_s=1234 + number,
                    tool_calls=321,
                    files=(
                        FileChange("src/parser.py", 1234, 567),
                        FileChange("a.md", 1, 0),
                    ),
                ),
            ),
        )
        for number in range(count)
    )


@pytest.mark.parametrize("title", ["Make it fast", "速" * 500])
def test_a_list_that_is_not_long_is_one_lean_page_whatever_the_titles(title: str) -> None:
    sessions = [replace(one, title=title) for one in many(LONG)]

    page = "".join(
        load_theme("default").pieces("index.html.j2", index_view(sessions, SITE))
    )

    assert len(split_list(sessions, None)) == 1
    assert len(page.encode()) < 1_000_000


def test_a_longer_list_is_split_by_month() -> None:
    pages = render(*many(3_000))

    months = sorted(url for url in pages if url.startswith("months/"))
    assert months[0] == "months/2026-01.html"
    assert months[1] == "months/2026-01_parser.html"
    assert len(months) == 20
    assert (
        max(len(body) for url, body in pages.items() if url.endswith(".html")) < 1_000_000
    )
    assert 'href="months/2026-01.html"' in pages["index.html"]
    assert 'href="../months/2026-01_parser.html"' in pages["projects/parser.html"]
    listed = [title for url in ["index.html", *months[::2]] for title in titles(pages[url])]
    assert len(listed) == 3_000
    assert "3,000 in all" in pages["index.html"]


def test_the_markdown_index_of_a_longer_list_leads_to_months() -> None:
    sessions = [
        replace(one, paths=(replace(one.paths[0], started=one.ended),))
        for one in many(LONG + 200)
    ]

    texts_by_url = render(*sessions)

    indexes = [url for url in texts_by_url if url.startswith("markdown/index")]
    links = re.findall(r"\]\((.+?)\)", texts_by_url["markdown/index.md"])
    assert links[0] == "index_parser_2026-12.md"
    assert sorted(f"markdown/{link}" for link in links) == sorted(indexes)[1:]
    listed = [texts_by_url[f"markdown/{link}"].count("\n- ") for link in links]
    assert sum(listed) == LONG + 200
    assert texts_by_url["markdown/index_parser_2026-12.md"].startswith(
        "# parser, December 2026\n\n- 2026-12-"
    )


def test_a_long_month_is_split_so_that_a_new_session_changes_its_first_page_alone() -> None:
    sessions = many(2 * LONG + 5)
    same_month = [replace(one, ended="2026-05-01T00:00:00Z") for one in sessions]

    first, *parts = split_list(newest_first(same_month), "a")
    newer, *same = split_list([session_facts("new"), *newest_first(same_month)], "a")

    assert len(first.sessions) == 5
    assert [part.url for part in parts] == [
        "months/2026-05.2_a.html",
        "months/2026-05_a.html",
    ]
    assert len(newer.sessions) == 6
    assert same == parts
    assert [part.name for part in parts] == ["May 2026, part 2", "May 2026, part 1"]


def test_a_part_of_a_month_is_called_by_its_days() -> None:
    days = [f"2026-05-{1 + n // 100:02}T00:00:00Z" for n in range(LONG + 5)]
    sessions = [session_facts(f"s{n}", ended=day) for n, day in enumerate(days)]

    _, part = split_list(newest_first(sessions), None)

    assert part.name == "May 2026, 1 to 10"


def test_the_first_page_of_a_split_list_has_what_is_new() -> None:
    first, *further = split_list(many(2_400), None)

    assert len(first.sessions) == FIRST - FIRST % 200
    assert sum(len(part.sessions) for part in further) == 2_400 - len(first.sessions)


def test_a_row_says_how_much_was_done() -> None:
    changes = tuple(FileChange(name, 4, 1) for name in ("/x/lexer.go", "a.md", "b"))
    url = "https://code.example/ada/parser/pull/12"
    pulled = Commit("", "#12", kind=PULL_REQUEST, url=url)
    commits = (Commit("abc"), pulled, Commit("def"))
    path = path_facts(
        working_s=3660, tool_calls=12, prompts=3, files=changes, commits=commits
    )

    page = parse(render(session_facts(paths=(path,)))["projects/parser.html"])

    rows = (e for e in page.iter("li") if e.get("class") == "row")
    done = "1 h 1 min3 prompts12 calls2 commitspull request #12"
    files = f" lexer.go and 2 more +12 {MINUS}3"
    assert texts(rows) == [f"Write a parser ended 2026-01-31 15:00 UTC{done}{files}"]
    assert url in [e.get("href") for e in page.iter("a")]


def test_a_row_counts_its_pull_requests_and_the_filter_finds_each_and_each_commit() -> None:
    commits = tuple(Commit("", f"#{n}", kind=PULL_REQUEST) for n in (77, 78, 90))
    made = Commit("b2a248a5", "Mend it")
    one, several = path_facts(commits=commits[:1]), path_facts(commits=(*commits, made))

    pages = render(session_facts(paths=(one,)), session_facts("t", paths=(several,)))

    page = pages["projects/parser.html"]
    assert "3 pull requests, the last #90" in page
    assert page.count("data-p=") == page.count('data-p="#77 #78 #90 b2a248a"') == 1


def test_sessions_of_one_prompt_that_begin_alike_are_one_row() -> None:
    one = (path_facts(prompts=1, tool_calls=2),)
    like = [
        session_facts(
            f"s{n}", title=f"You are an analyst of changes to the code: {n}", paths=one
        )
        for n in range(40)
    ]
    two = [session_facts(f"t{n}", title="Just a pair", paths=one) for n in range(2)]

    page = parse(render(*like, *two, session_facts("long"))["index.html"])

    folds = [e for e in page.iter("details") if e.get("class") == "alike"]
    assert len(folds) == 1
    assert "40 sessions of one prompt80 calls" in "".join(folds[0].itertext())
    assert len(titles_in(folds[0])) == 40
    assert "43" in texts(e for e in page.iter("h2"))[0]


def test_a_row_that_nothing_else_tells_of_says_what_was_replied() -> None:
    short = path_facts(prompts=1, answered="verdict: neutral")
    told = path_facts(prompts=1, answered="Told", files=(FileChange("a.go", 1, 0),))
    long = path_facts(prompts=2, answered="Told")
    like = [
        session_facts(
            f"s{n}",
            title="You are an analyst of changes to the code: judge",
            paths=(path_facts(prompts=1, answered=f"Answer {n}"),),
        )
        for n in range(3)
    ]

    rows = render(
        session_facts("a", title="can you judge this", paths=(short,)),
        session_facts("b", title="Tell it", paths=(told,)),
        session_facts("c", title="Tell all", paths=(long,)),
        *like,
    )["index.html"]

    notes = texts(e for e in parse(rows).iter("p") if e.get("class") == "row-note")
    assert notes == ["verdict: neutral"]
    folds = [e for e in parse(rows).iter("details") if e.get("class") == "alike"]
    assert titles_in(folds[0]) == ["Answer 0", "Answer 1", "Answer 2"]
    assert "Judge this" in titles_in(parse(rows))


def test_rows_that_are_called_alike_or_by_a_command_say_what_was_replied() -> None:
    change = FileChange("a.go", 1, 0)
    answers = {"a": "First", "b": "Second", "c": "Third", "d": "Fourth"}
    titles = {"a": "Build it", "b": "Build it", "c": "/init-project", "d": "Another"}

    rows = render(
        *(
            session_facts(
                name,
                title=titles[name],
                paths=(path_facts(prompts=2, answered=said, files=(change,)),),
            )
            for name, said in answers.items()
        )
    )["index.html"]

    notes = texts(e for e in parse(rows).iter("p") if e.get("class") == "row-note")
    assert sorted(notes) == ["First", "Second", "Third"]


def test_what_was_left_is_told_as_attempts_and_withdrawn_prompts() -> None:
    paths = (
        path_facts(1, status=Status.ABANDONED, is_withdrawn=True),
        path_facts(2, status=Status.ABANDONED),
        path_facts(3, status=Status.ABANDONED, is_withdrawn=True),
        path_facts(4),
    )

    page = parse(render(session_facts(paths=paths))["index.html"])

    (stats, *_) = (e for e in page.iter("ul") if e.get("class") == "stats")
    assert texts(stats.iter("li"))[1:3] == ["1 abandoned attempt", "2 withdrawn prompts"]
    (fold,) = (e for e in page.iter("details") if "attempts" in e.get("class", ""))
    assert texts(fold.iter("summary")) == ["1 abandoned attempt, 2 withdrawn prompts"]
    chips = [e for e in fold.iter("span") if "status" in e.get("class", "").split()]
    assert texts(chips) == ["WITHDRAWN", "ABANDONED", "WITHDRAWN"]
    assert "all paths" in texts(page.iter("a"))


@pytest.mark.parametrize(("sessions", "links"), [(IN_SIGHT, 0), (IN_SIGHT + 1, 1)])
def test_what_was_left_leads_to_the_sessions_with_it_where_there_is_a_filter(
    sessions: int, links: int
) -> None:
    paths = (path_facts(1, status=Status.ABANDONED), path_facts(2))
    made = [session_facts(f"s{n}", paths=paths) for n in range(sessions)]

    page = render(*made)["index.html"]

    assert page.count(f'href="{LEFT_URL}"') == links


def test_the_latest_projects_stand_before_all() -> None:
    sessions = [
        session_facts(f"s{n}", project=f"p{n}", ended=f"2026-01-{n:02}T00:00:00Z")
        for n in range(10, 20)
    ]

    view = index_view(newest_first(sessions), SITE)

    assert [card.name for card in view.latest] == ["p19", "p18", "p17", "p16", "p15", "p14"]
    assert len(view.projects) == 10


def test_a_feed_has_the_newest_sessions_where_the_address_is_known() -> None:
    hostile = session_facts("h", title="<b>\x00&", ended="2026-02-01T00:00:00Z")

    (output,) = feed(newest_first([OLD, hostile]), MAPPED_SITE)

    root = ET.fromstring(output.body)  # noqa: S314  (written by ourselves a line ago)
    atom = "{http://www.w3.org/2005/Atom}"
    entries = root.findall(f"{atom}entry")
    assert [one.findtext(f"{atom}title") for one in entries] == ["<b>&", "Old"]
    url = entries[0].findtext(f"{atom}id")
    assert url == "https://a.example/x/sessions/session_h.html"
    assert root.findtext(f"{atom}updated") == "2026-02-01T00:00:00Z"
    assert feed([OLD], SITE) == []


def test_cards_and_the_feed_are_named_where_the_address_is_known() -> None:
    pages = render(OLD, settings=MAPPED_SITE)

    assert 'type="application/atom+xml"' in pages["index.html"]
    assert 'property="og:title" content="Old"' in pages["sessions/session_old.html"]
    assert 'property="og:description"' in pages["sessions/session_old.html"]
    assert "og:" not in render(OLD)["sessions/session_old.html"]


def test_language_models_are_told_where_the_markdown_stands() -> None:
    text = llms_txt([FULL], SITE)

    assert text.startswith("# My &lt;archive>\n\n> ")
    assert "- [Write a parser](markdown/transcript_s_1.md): 2026-01-31, withdrawn\n" in text
    assert "(https://a.example/x/markdown/transcript_s_2.md)" in llms_txt(
        [FULL], MAPPED_SITE
    )


def test_a_page_that_stands_and_is_made_of_the_same_is_not_drawn_again() -> None:
    first = sink()
    put_lists(
        ListDrawer(SITE, first), [OLD, session_facts("t", project="other")], ReportFacts()
    )
    there = Standing(dict.fromkeys(first.made, "digest"), first.made)
    again = sink(there)

    changed = session_facts("t", project="other", ended="2026-02-01T00:00:00Z")
    put_lists(ListDrawer(SITE, again), [OLD, changed], ReportFacts(), {"old"})

    fresh = {url for url in again.made if again.made[url] != first.made[url]}
    assert fresh == {
        "index.html",
        "projects/other.html",
        "sessions/session_t.html",
    }
    assert again.pages == len(fresh)


def test_of_a_long_list_the_months_of_a_session_with_another_digest_are_drawn() -> None:
    sessions = many(LONG + 200)
    digests = {one.session: one.session.encode() for one in sessions}
    first, again = sink(), sink()
    put_lists(ListDrawer(SITE, first, digests=digests), sessions, ReportFacts())

    oldest = min(sessions, key=lambda one: one.ended)
    digests[oldest.session] = b"another"
    put_lists(ListDrawer(SITE, again, digests=digests), sessions, ReportFacts())

    fresh = {url for url in again.made if again.made[url] != first.made[url]}
    month = oldest.ended[:7]
    assert {url for url in fresh if "20" in url} == {
        f"months/{month}.html",
        f"months/{month}_parser.html",
        f"markdown/index_parser_{oldest.started[:7]}.md",
    }


def sink(standing: Standing | None = None) -> PageSink:
    return PageSink(lambda _: None, context="c", standing=standing or Standing())


def test_what_the_page_for_lost_readers_has_inside_is_allowed_by_the_host() -> None:
    pages = render(OLD)

    digest = style_digest(pages["404.html"].split("<style>")[1].split("</style>")[0])
    assert digest in pages["404.html"].split("<style>")[0]
    assert f"style-src 'self' '{digest}';" in pages["_headers"]


def test_the_order_in_which_sessions_come_changes_nothing() -> None:
    assert render(OLD, NEW, FULL) == render(FULL, NEW, OLD)


def test_the_page_for_lost_readers_works_in_a_subfolder() -> None:
    links = [
        str(element.get(name))
        for element in parse(render(OLD)["404.html"]).iter()
        for name in ("href", "src")
        if element.get(name)
    ]

    pages = [link for link in links if link.endswith("index.html")]
    assert pages == ["index.html", "../index.html"]
    assert not any(link.startswith("/") for link in links)


def test_rows_say_to_scripts_which_sessions_were_compacted() -> None:
    page = render(OLD, session_facts("c", paths=(path_facts(compactions=1),)))["index.html"]

    compacted = [e for e in parse(page).iter("li") if e.get("data-compacted") is not None]
    assert len(compacted) == 1


def test_a_row_names_its_project_on_the_index_only() -> None:
    pages = render(OLD, session_facts("t", project="other"))

    assert ">parser</span>" in pages["index.html"]
    assert ">parser</span>" not in pages["projects/parser.html"]


def test_a_project_shows_how_its_sessions_belong_together() -> None:
    copy = Contained(PathRef("c", 1), PathRef("old", 1), Status.ACTIVE, "Copy", 3, "u")
    copied = session_facts("c", title="The copy", paths=(), dropped=(copy,))

    pages = render(OLD, copied, session_facts("t", project="other"))

    assert "is contained in" in pages["projects/parser.html"]
    assert "belong together" not in pages["projects/other.html"]
    assert "belong together" not in pages["index.html"]


def test_a_stub_leads_to_the_same_message_without_a_script() -> None:
    ((stub, _),) = stubs([session_facts(dropped=(COPY,))], STUB_SITE, {URL})

    page = html5lib.parse(stub.body.decode(), namespaceHTMLElements=False)
    assert stub.url == URL
    assert [a.get("href") for a in page.iter("a")] == ["transcript_t.html#m-leaf0000"]
    refresh = [meta.get("content") for meta in page.iter("meta") if meta.get("http-equiv")]
    assert "0; url=transcript_t.html#m-leaf0000" in refresh
    assert not list(page.iter("script"))


def test_only_a_page_that_was_published_leaves_a_stub() -> None:
    session = session_facts(dropped=(COPY,))

    ((stub, owner),) = stubs([session], STUB_SITE, {URL})

    assert (stub.url, owner) == (URL, "s")
    assert b"transcript_t.html#m-leaf0000" in stub.body
    assert not list(stubs([session], STUB_SITE, set()))
    assert not list(stubs([session], SiteSettings("A", has_html=False), {URL}))


def locations(body: bytes) -> list[str | None]:
    # Written by ourselves a line ago.
    return [element.text for element in ET.fromstring(body).iter() if element.text]  # noqa: S314


def test_a_sitemap_lists_every_page_by_its_absolute_address():
    (sitemap,) = sitemaps([SESSION], MAPPED_SITE)

    listed = [text for text in locations(sitemap.body) if text and text.strip()]
    assert sitemap.url == "sitemap.xml"
    assert listed[0] == "https://a.example/x/"
    assert sorted(listed) == listed
    assert all(text.startswith("https://a.example/x/") for text in listed)
    for path in SESSION.paths:
        assert f"https://a.example/x/{path.url}" in listed


def test_a_long_sitemap_is_cut_into_files_that_the_first_one_names():
    first, *parts = sitemaps([SESSION], MAPPED_SITE, most=2)

    named = [text for text in locations(first.body) if text and text.strip()]
    assert named == [MAPPED_SITE.absolute(part.url) for part in parts]
    assert [len(part.body.split(b"<url>")) - 1 for part in parts[:-1]] == [2] * (
        len(parts) - 1
    )


def test_there_is_no_sitemap_without_a_base_address():
    assert sitemaps([SESSION], SiteSettings("Mine")) == []
    assert (
        sitemaps([SESSION], SiteSettings("M", base_url="https://a/", has_html=False)) == []
    )


def test_pages_name_their_absolute_address_but_not_the_one_for_dead_links():
    pages = {
        output.url: output.body.decode()
        for output in draw_lists([SESSION], MAPPED_SITE, ReportFacts())
    }

    link = '<link rel="canonical" href="https://a.example/x/{}">'
    assert link.format("") in pages["index.html"]
    assert link.format(SESSION.url) in pages[SESSION.url]
    assert "canonical" not in pages["404.html"]
    assert 'href="/x/index.html"' in pages["404.html"]


def test_pages_keep_search_engines_out_unless_the_site_is_public():
    robots = '<meta name="robots" content="noindex">'
    for is_public in (False, True):
        settings = SiteSettings("Mine", is_public=is_public)
        for output in draw_lists([SESSION], settings, ReportFacts()):
            if output.url.endswith(".html"):
                assert (robots in output.body.decode()) is not is_public
            if output.url == "_headers":
                assert (b"noindex" in output.body) is not is_public


def test_lists_show_nothing_of_what_is_kept_from_them() -> None:
    paths = (
        path_facts(1, status=Status.ABANDONED, label="No", tools=(("Bash", 3),)),
        path_facts(2, days=("2026-01-31",), answered="Yes", compactions=1, tool_calls=3),
        path_facts(
            3,
            status=Status.ABANDONED,
            fork_point=uuid("p1"),
            taken_over_by=PathRef("s", 2),
            usage=Usage(input=1_000, output=2_000),
            branch="main",
            version="2.1.0",
            contains=(
                Contained(PathRef("t", 2), PathRef("s", 3), Status.ACTIVE, "Old", 2, "u"),
            ),
        ),
    )
    agent = AgentFacts(
        agent_id="a1",
        agent_type="Explore",
        description="Look",
        url="agents/a1.html",
        markdown_url="markdown/a1.md",
        messages=3,
        started="2026-01-30T14:00:00Z",
        ended="2026-01-31T14:00:00Z",
        parent_agent_id="a0",
        usage=Usage(input=1_000, output=2_000),
        models=(("opus", 1.0),),
        days=("2026-01-30", "2026-01-31"),
        tools=(("Read", 2),),
        files=(FileChange("b.py", 1, 0),),
        asked="Look around",
    )
    run = RunFacts(
        number=1,
        parent=0,
        path=2,
        status=Status.ACTIVE,
        words="Go on",
        anchor="",
        messages=3,
        prompts=1,
        origin="t",
    )
    whole = session_facts("s", paths=paths, agents=(agent,), runs=(run,))
    less = listed(whole).whole()

    drawn = render(whole, session_facts("t"))
    drawn_of_less = render(less, session_facts("t"))

    own_page = whole.url  # It is drawn with the session's other pages, of all facts.
    assert {**drawn, own_page: ""} == {**drawn_of_less, own_page: ""}
    assert drawn[own_page] != drawn_of_less[own_page]


def test_what_stood_on_pages_is_in_no_cycle_that_outlives_its_group() -> None:
    with collector_paused():
        turns = StandingTurns({}, lambda _: None)
        watched = weakref.ref(turns)
        del turns

        assert watched() is None


def test_what_is_the_same_in_every_row_of_the_report_is_said_once() -> None:
    same = tuple(IssueFacts(line=0, code="stub", message="nothing in it") for _ in "ab")
    report = render(
        session_facts("s", issues=same[:1]), session_facts("t", issues=same[1:])
    )["report.html"]

    assert report.count("nothing in it") == 1
    assert '<th scope="col">What</th>' not in report
