"""Index, project and session pages as a reader meets them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from browser.conftest import Reader
from browser.waiting import until
from everyleaf.graph.forest import Diverged, PathRef, Status
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.facts import EditFacts, ReportFacts, RunFacts, newest_first
from everyleaf.pages.listviews import index_view
from everyleaf.preview import open_preview
from everyleaf.render.view import OutlineItem, OutlineKind
from everyleaf.theming.load import load_theme
from everyleaf.transcript.document import FileChange, FileEdit
from hanging import HANG_MS
from pages.making import draw_lists, path_facts, session_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from everyleaf.pages.facts import SessionFacts

NOW = "2026-03-10T12:00:00Z"
TIMES = {
    "This morning": "2026-03-10T08:00:00Z",
    "The day before": "2026-03-09T23:30:00Z",
    "Days ago": "2026-03-04T10:00:00Z",
    "Weeks ago": "2026-02-15T10:00:00Z",
    "Last winter": "2025-12-31T10:00:00Z",
    "Last autumn": "2025-10-01T10:00:00Z",
}


def run(number: int, parent: int, path: int, words: str, **changes: object) -> RunFacts:
    values: dict[str, object] = {
        "number": number,
        "parent": parent,
        "path": path,
        "status": Status.ACTIVE if path == 2 else Status.ABANDONED,
        "words": words,
        "anchor": f"m-{number:08}",
        "messages": 2,
        "prompts": 1,
    }
    return RunFacts(**{**values, **changes})  # type: ignore[arg-type]


LEFT = path_facts(
    1,
    status=Status.ABANDONED,
    label="Try it slowly",
    shared=2,
    reason="later branch at the fork, line 4 over 2",
)
STAYED = path_facts(
    2,
    compactions=1,
    models=(("opus", 1.0),),
    diverged=(Diverged(PathRef("copy", 1), 2),),
    answered="The parser is fast",
)
FORKED = session_facts(
    "forked",
    title="A session that forked",
    project="lexer",
    ended="2026-03-04T09:00:00Z",
    of=2,
    paths=(LEFT, STAYED),
    runs=(
        run(1, 0, 2, "Write a parser", agents=2),
        run(2, 1, 1, "Try it slowly", compactions=1),
        run(3, 1, 2, "Try it fast"),
    ),
)
COPY = session_facts(
    "copy",
    project="lexer",
    title="A copy of it",
    ended="2025-10-02T10:00:00Z",
    paths=(
        path_facts(
            1,
            url="transcripts/transcript_5e55-copy-of-it.html",
            diverged=(Diverged(PathRef("forked", 2), 2),),
            models=(("haiku", 1.0),),
            files=(
                FileChange("a/trie.go", 90, 0),
                FileChange("b/Checkpoint_test.go", 1, 0),
            ),
        ),
    ),
    edits=(
        EditFacts(
            path=1,
            project="lexer",
            at="2025-10-02T10:00:00Z",
            words="Go",
            anchor="m-1",
            edits=(FileEdit("m-2", "b/Checkpoint_test.go", "", 1, 0),),
        ),
    ),
)
WARMUP = session_facts("warm", title="Warmup", is_warmup=True)
PLAIN = [
    session_facts(name.replace(" ", "-"), title=name, ended=at)
    for name, at in TIMES.items()
]


def write_site(
    site_dir: Path, sessions: Iterable[SessionFacts], *, has_search: bool = False
) -> Path:
    settings = SiteSettings("An archive", has_search=has_search)
    lists = draw_lists(sessions, settings, ReportFacts())
    for output in (*load_theme("default").assets(), *lists):
        file = site_dir / output.url
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(output.body)
    return site_dir


@pytest.fixture(scope="module")
def site_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(tmp_path_factory.mktemp("lists"), [*PLAIN, FORKED, COPY, WARMUP])


@pytest.fixture
def lists(browser: Browser, site_dir: Path) -> Iterator[Reader]:
    someone = Reader(browser, f"{site_dir.as_uri()}/")
    yield someone
    for context in someone.contexts:
        context.close()


def open_at(reader: Reader, at: str, moment: str = NOW) -> Page:
    """Open a page as if it were `moment`."""
    page = reader.open()
    page.clock.set_fixed_time(moment)
    page.goto(f"{reader.url}{at}")
    return page


def shown(page: Page) -> list[str]:
    return page.locator(".groups .row:visible > .row-title").all_inner_texts()


def headings(page: Page) -> list[str]:
    return page.locator(".groups :is(h2, h3):visible").all_inner_texts()


def test_sessions_stand_first_by_month_and_every_time_names_its_zone(lists: Reader):
    page = open_at(lists, "index.html")

    assert headings(page)[:2] == ["March 2026 4", "February 2026 1"]
    assert shown(page)[:2] == ["This morning", "The day before"]
    times = page.locator(".row small").all_text_contents()
    assert len(times) == 9
    assert all(time.endswith(" UTC") for time in times)
    first = page.locator(".groups .row").first.bounding_box()
    projects = page.locator(".side summary", has_text="Projects").first.bounding_box()
    assert first is not None
    assert projects is not None
    assert first["y"] < 450
    assert projects["x"] > first["x"] + first["width"]


@pytest.mark.parametrize(
    ("width", "runs_scripts"), [(360, True), (1280, True), (1280, False)]
)
def test_the_number_of_projects_leads_to_all_of_them_unfolded(
    browser: Browser, tmp_path: Path, width: int, *, runs_scripts: bool
):
    sessions = [
        session_facts(f"s{n}", title=f"Session {n}", project=f"project {n:02}")
        for n in range(60)
    ]
    site_dir = write_site(tmp_path, sessions)
    reader = Reader(browser, f"{site_dir.as_uri()}/")
    page = reader.open(at="index.html", width=width, runs_scripts=runs_scripts)
    fold = page.locator(".side .fold .fold")
    assert fold.get_by_role("link").first.is_visible() is False

    page.get_by_role("link", name="60 projects").click()
    expect(fold.get_by_role("link").first).to_be_in_viewport()
    assert fold.get_by_role("link").count() == 60
    reader.contexts[0].close()


def test_projects_and_months_stand_before_the_list_on_a_phone(lists: Reader):
    page = lists.open(at="index.html", width=360)
    fold = page.locator(".side > .fold", has_text="Months")
    assert fold.get_by_role("link").first.is_visible() is False
    box, row = fold.bounding_box(), page.locator(".groups .row").first.bounding_box()
    assert box is not None
    assert row is not None
    assert box["y"] < row["y"] < 740

    fold.locator("summary").click()

    fold.get_by_role("link", name="March 2026").wait_for()
    wide = lists.open(at="index.html", width=1280)
    assert wide.get_by_role("link", name="March 2026").is_visible()


def test_counts_beside_the_list_are_of_what_fits_the_filter(lists: Reader):
    page = open_at(lists, "index.html")
    side = page.locator(".side li:visible")
    before = side.all_inner_texts()

    page.get_by_label("Filter by title").fill("this morning")

    after = side.all_inner_texts()
    assert "March 2026\n4" in before
    assert "March 2026\n1" in after
    assert not any("February" in words for words in after)
    assert "lexer" in after
    page.get_by_label("Filter by title").fill("nowhere at all")
    expect(page.get_by_text("Months", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Clear filters").click()
    page.get_by_text("9 of 9 sessions").wait_for()
    assert side.all_inner_texts() == before


def test_what_titles_do_not_say_can_be_searched_for_in_messages(
    browser: Browser, tmp_path: Path, lists: Reader
):
    write_site(tmp_path, PLAIN, has_search=True)
    reader = Reader(browser, f"{tmp_path.as_uri()}/")
    page = reader.open(at="index.html")
    link = page.get_by_role("link", name="Search all messages for")
    assert link.count() == 0

    page.get_by_label("Filter by title").fill("ref_count & more")

    assert page.locator(".finder output").inner_text() == "Nothing on this page fits."
    assert page.get_by_role("button", name="Clear filters").is_visible()
    assert link.inner_text() == "Search all messages for “ref_count & more”"
    page.set_viewport_size({"width": 360, "height": 740})
    assert link.evaluate("link => link.getClientRects().length") == 1
    href = link.evaluate("link => link.href")
    assert href.endswith("/search.html#/q=ref_count+%26+more")
    reader.contexts[0].close()
    unsearched = open_at(lists, "index.html#/q=ref_count")
    assert unsearched.get_by_text("Search all messages for").count() == 0


def test_the_filter_stays_in_sight_with_its_results_under_it(
    browser: Browser, tmp_path: Path
):
    sessions = [session_facts(f"s{n}", title=f"Session {n}") for n in range(60)]
    site_dir = write_site(tmp_path, sessions)
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{site_dir.as_uri()}/index.html")
    page.evaluate("scrollTo(0, 2000)")

    box = page.get_by_label("Filter by title or file").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 100
    page.get_by_label("Filter by title or file").fill("session 59")
    result = page.locator(".groups .row:visible").bounding_box()
    assert result is not None
    assert box["y"] < result["y"] < 800
    page.close()


def test_a_fold_of_sessions_alike_counts_what_fits(browser: Browser, tmp_path: Path):
    one = (path_facts(prompts=1),)
    like = [
        session_facts(
            f"s{n}",
            title="You are an analyst who looks at each change of the code",
            paths=one,
            ended=f"2026-03-{n:02}T10:00:00Z",
        )
        for n in range(1, 10)
    ]
    site_dir = write_site(tmp_path, [*like, session_facts("x", title="Another")])
    page = browser.new_page()
    page.goto(f"{site_dir.as_uri()}/index.html#/q=analyst&to=2026-03-04")

    assert page.locator(".finder output").inner_text() == "4 of 10 sessions"
    assert page.locator(".alike").is_visible()
    facts = page.locator(".alike > summary .row-meta > :not(.project):visible")
    assert facts.all_inner_texts() == ["4 of 9 sessions of one prompt"]
    assert page.locator(".alike .row:visible").count() == 0
    page.locator(".alike > summary").click()
    assert page.locator(".alike .row:visible").count() == 4
    page.get_by_label("Filter by title").fill("another")
    assert page.locator(".alike").is_visible() is False

    page.get_by_role("button", name="Clear filters").click()

    page.get_by_text("10 of 10 sessions").wait_for()
    assert facts.first.inner_text() == "9 sessions of one prompt"
    assert page.get_by_role("button", name="Clear filters").is_visible() is False
    page.wait_for_url(lambda url: "#" not in url)
    page.close()


def test_a_row_that_fits_by_what_is_folded_in_it_opens(browser: Browser, tmp_path: Path):
    begun = "You are an analyst who looks at each change of the code"
    like = [
        session_facts(f"s{n}", title=begun, paths=(path_facts(prompts=1, answered=said),))
        for n, said in enumerate(["It grew", "It shrank", "It is the same", "Nothing"])
    ]
    site_dir = write_site(tmp_path, [*like, session_facts("x", title="Another")])
    page = browser.new_page()
    page.goto(f"{site_dir.as_uri()}/index.html#/q=shrank")

    titles = page.locator(".alike .row:visible .row-title")
    assert titles.all_inner_texts() == ["It shrank"]
    fact = page.locator(".alike > summary .row-meta > :not(.project):visible").first
    assert fact.inner_text() == "1 of 4 sessions of one prompt"
    page.get_by_label("Filter by title").fill("analyst")
    assert titles.count() == 0
    assert page.locator(".alike").is_visible()
    page.close()


def test_an_attempt_that_fits_is_shown_and_folded_again(lists: Reader):
    page = open_at(lists, "index.html#/q=SLOWLY+it")
    attempt = page.locator(".groups .attempts .row")

    assert attempt.first.is_visible()
    page.get_by_label("Filter by title").fill("")
    assert attempt.first.is_visible() is False


def test_on_a_phone_both_days_have_one_width(lists: Reader):
    page = open_at(lists, "index.html#/from=2025-01-01")
    page.set_viewport_size({"width": 360, "height": 740})

    days = page.locator("[type=date]").all()
    assert len({day.evaluate("one => one.offsetWidth") for day in days}) == 1


def test_on_a_phone_the_words_to_filter_by_stay_in_sight(browser: Browser, tmp_path: Path):
    sessions = [session_facts(f"s{n}", title=f"Session {n}") for n in range(60)]
    site_dir = write_site(tmp_path, sessions)
    page = Reader(browser, f"{site_dir.as_uri()}/").open(width=360, at="index.html")
    page.locator(".finder summary").click()
    edges = {round(one.bounding_box()["x"]) for one in page.locator(".more > select").all()}  # type: ignore[index]
    page.locator(".finder summary").click()

    page.evaluate("scrollTo(0, 3000)")
    field = page.get_by_label("Filter by title or file").bounding_box()

    assert field
    assert 40 < field["y"] < 80
    assert field["width"] > 300
    assert len(edges) <= 2
    ground = page.get_by_label("Filter by title or file").evaluate(
        "it => [getComputedStyle(it).boxShadow,"
        " getComputedStyle(document.body).backgroundColor]"
    )
    assert ground[0].startswith(f"{ground[1]} 0px 0px 0px ")  # All around it, no row shows.
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("width", [800, 1440])
def test_a_long_title_is_one_line_where_there_is_room(
    browser: Browser, tmp_path: Path, width: int
):
    words = "Summarize the intent and the goals of this coding session in a few words " * 2
    sessions = [session_facts(f"s{n}", title=f"{n} {words}") for n in range(5)]
    site_dir = write_site(tmp_path, sessions)
    page = Reader(browser, f"{site_dir.as_uri()}/").open(width=width, at="index.html")

    box = page.locator(".row-title").first.bounding_box()

    assert box
    assert box["height"] < 30


ROUNDS = (
    OutlineItem(OutlineKind.PROMPT, "m-1", "Write a parser", number=1),
    OutlineItem(OutlineKind.TESTS, "m-2", "6 tests passed"),
    OutlineItem(OutlineKind.COMMIT, "m-3", f"Commit abc1234 {'Make it fast ' * 20}"),
    OutlineItem(OutlineKind.PROMPT, "m-4", "Make it faster", number=2),
)


@pytest.mark.parametrize("width", [360, 1440])
def test_a_prompt_and_what_came_of_it_have_the_room_of_the_row(
    browser: Browser, tmp_path: Path, width
):
    session = session_facts("s", runs=(run(1, 0, 1, "Write a parser", steps=ROUNDS),))
    site_dir = write_site(tmp_path, [session])
    page = Reader(browser, f"{site_dir.as_uri()}/").open(
        at="sessions/session_s.html", width=width
    )

    words = page.get_by_role("link", name="Write a parser").bounding_box()
    tests = page.locator(".rounds").get_by_text("6 tests passed").bounding_box()
    commit = page.locator(".rounds").get_by_text("Commit abc1234").bounding_box()

    assert words
    assert tests
    assert commit
    assert tests["y"] >= words["y"] + words["height"]
    assert tests["x"] - words["x"] < 10
    row = page.locator(".rounds > li").first.bounding_box()
    assert row
    assert commit["width"] > row["width"] * 0.8
    link = page.locator(".rounds").get_by_role("link", name="Commit abc1234")
    assert not link.evaluate("e => e.scrollWidth > e.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_session_says_what_was_done_once(lists: Reader):
    page = lists.open(at="sessions/session_forked.html")

    words = page.locator("main").inner_text()

    assert words.count("A session that forked") == 1
    assert len(re.findall(r"\bMarkdown\b", words)) == 1


def test_a_session_says_who_asked_and_how_it_ended_without_scrolling(lists: Reader):
    for width in (360, 800, 1440):
        page = lists.open(at="sessions/session_forked.html", width=width)

        for words in ("A session that forked", "Write a parser", "The parser is fast"):
            box = page.locator("main").get_by_text(words, exact=True).first.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] < 800


def test_reasons_are_in_a_readers_words_with_the_rule_on_hover(lists: Reader):
    page = lists.open(at="sessions/session_forked.html")

    note = page.locator(".row-note", has_text="It later went on")
    assert note.get_attribute("title") == "later branch at the fork, line 4 over 2"


def test_relations_look_like_links(lists: Reader):
    page = lists.open(at="projects/lexer.html")

    colours = page.evaluate(
        """() => [".drawn .words", ".row-title"].map((selector) => {
          const style = getComputedStyle(document.querySelector(selector));
          return selector === ".row-title" ? style.color : style.fill;
        })"""
    )
    assert colours[0] == colours[1]


def test_without_scripts_the_list_is_whole_and_by_month(lists: Reader):
    page = lists.open(runs_scripts=False, at="index.html")

    assert headings(page)[0] == "March 2026 4"
    assert len(shown(page)) == 8
    assert page.locator(".finder").is_visible() is False
    page.locator(".warmups > summary").click()
    assert page.get_by_role("link", name="Warmup").is_visible()


def test_words_filter_titles_and_attempts_and_live_in_the_address(lists: Reader):
    page = open_at(lists, "index.html")

    page.keyboard.press("/")
    page.keyboard.type("SLOWLY it")
    page.wait_for_url("**#/q=SLOWLY+it")

    assert shown(page) == ["A session that forked", "Try it slowly"]
    assert headings(page) == ["March 2026 1"]
    assert page.locator(".finder output").inner_text() == "1 of 9 sessions"
    assert page.locator(".warmups").is_visible() is False
    page.reload()
    assert shown(page) == ["A session that forked", "Try it slowly"]


@pytest.mark.parametrize(
    ("state", "titles"),
    [
        ("status=abandoned", ["A session that forked", "Try it slowly"]),
        ("compacted=1", ["A session that forked"]),
        ("project=lexer", ["A session that forked", "A copy of it"]),
        ("project=lexer&status=active", ["A copy of it"]),
        ("q=lexer", ["A session that forked", "A copy of it"]),
        ("q=nothing+like+this", []),
        ("q=5E55-COPY", ["A copy of it"]),
        ("q=-copy-of-it", []),
        ("model=opus", ["A session that forked"]),
        ("model=haiku", ["A copy of it"]),
        ("from=2026-03-09", ["This morning", "The day before"]),
        ("from=2025-10-02&to=2026-01-01", ["Last winter", "A copy of it"]),
    ],
)
def test_an_address_filters_the_list(lists: Reader, state: str, titles: list[str]):
    page = open_at(lists, f"index.html#/{state}")

    assert shown(page) == titles


def test_what_an_address_does_not_know_changes_nothing(lists: Reader):
    page = open_at(lists, "index.html#/status=nonsense&project=none&colour=red")

    assert len(shown(page)) == 8


def test_choices_are_kept_when_the_page_is_opened_again(lists: Reader):
    page = open_at(lists, "index.html")

    page.get_by_label("Project", exact=True).select_option("lexer")
    page.get_by_text("More filters").click()
    page.get_by_label("Status").select_option("active")
    page.get_by_label("Model").select_option("haiku")
    page.get_by_label("From").fill("2025-10-01")
    page.get_by_label("With a compaction").check()
    page.get_by_label("With a compaction").uncheck()
    page.wait_for_url("**#/project=lexer&status=active&model=haiku&from=2025-10-01")
    page.reload()

    assert page.get_by_label("Project", exact=True).input_value() == "lexer"
    assert page.get_by_label("From").input_value() == "2025-10-01"
    assert shown(page) == ["A copy of it"]


@pytest.mark.parametrize("width", [800, 1280])
def test_the_button_of_more_filters_stays_where_it_is(lists: Reader, width: int):
    page = open_at(lists, "index.html")
    page.set_viewport_size({"width": width, "height": 800})
    button = page.get_by_text("More filters")
    before = button.bounding_box()

    button.click()

    assert page.get_by_label("Status").is_visible()
    assert button.bounding_box() == before


def test_a_row_says_which_file_fits_and_marks_it(lists: Reader):
    page = open_at(lists, "index.html#/q=copy+checkpoint")

    assert shown(page) == ["A copy of it"]
    names = page.locator(".row:visible .files").all_inner_texts()
    assert names == ["Checkpoint_test.go", "trie.go"]
    marked = page.evaluate("[...CSS.highlights.get('found')].map(String)")
    assert sorted(marked) == ["Checkpoint", "copy"]
    page.get_by_label("Filter by title").fill("copy")
    assert page.locator(".row:visible .files:visible").all_inner_texts() == ["trie.go"]


def test_a_file_that_fits_leads_to_its_page(lists: Reader):
    page = open_at(lists, "index.html#/q=checkpoint")

    page.locator(".row").get_by_role("link", name="Checkpoint_test.go").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("b/Checkpoint_test.go")


@pytest.mark.parametrize("width", [360, 800, 1440])
def test_what_one_chooses_of_the_status_is_not_cut(lists: Reader, width: int):
    page = open_at(lists, "index.html#/status=abandoned")
    page.set_viewport_size({"width": width, "height": 800})

    room = page.get_by_label("Status").evaluate("""e => {
        const given = e.offsetWidth;
        e.style.cssText = "width: max-content; max-width: none; justify-self: start";
        return given - e.offsetWidth;
    }""")

    assert room >= 0


def test_the_bar_says_no_name_twice(lists: Reader):
    page = open_at(lists, "index.html")
    page.set_viewport_size({"width": 800, "height": 300})

    page.mouse.wheel(0, 2000)

    until(page, "scrollY > 200")
    page.wait_for_timeout(100)
    assert page.locator(".bar .crumbs").inner_text() == "An archive"


def test_warm_ups_unfold_and_stay_so(lists: Reader):
    page = open_at(lists, "index.html")

    page.locator(".warmups > summary").click()
    page.wait_for_url("**#/warmups=1")
    page.reload()

    assert page.get_by_role("link", name="Warmup").is_visible()


def test_what_is_folded_at_the_end_is_counted_as_such(browser: Browser, tmp_path: Path):
    idle = [session_facts(name, title=name, is_warmup=True) for name in ("One", "Two")]
    talks = [session_facts(f"s{n}", title=f"Talk {n}") for n in range(8)]
    site_dir = write_site(tmp_path, [*talks, *idle])
    page = browser.new_page()
    page.goto(f"{site_dir.as_uri()}/index.html")
    told = page.locator(".finder output")
    fold = page.locator(".warmups > summary")

    assert told.inner_text() == "10 of 10 sessions; 2 folded at the end"
    assert fold.inner_text().startswith("2 sessions without a conversation")
    page.get_by_label("Filter by title").fill("two")
    assert told.inner_text() == "1 of 10 sessions; 1 folded at the end"
    assert fold.inner_text().startswith("1 of 2 sessions without a conversation")
    page.close()


def test_an_empty_filter_leaves_no_trace_in_the_address(lists: Reader):
    page = open_at(lists, "index.html#/q=slowly")

    page.get_by_label("Filter by title").fill("")
    page.wait_for_url("**/index.html")

    assert len(shown(page)) == 8


def test_every_piece_of_the_tree_leads_to_its_message(lists: Reader):
    page = lists.open(at="sessions/session_forked.html")

    links = page.locator("svg a").evaluate_all(
        "all => all.map(a => a.getAttribute('href'))"
    )

    assert links == [
        "../transcripts/transcript_s_2.html#m-00000001",
        "../transcripts/transcript_s_1.html#m-00000002",
        "../transcripts/transcript_s_2.html#m-00000003",
    ]
    assert lists.troubles == []


def test_the_active_line_is_solid_and_the_abandoned_one_dashed(lists: Reader):
    page = lists.open(at="sessions/session_forked.html")

    dashes = {
        kind: page.locator(f".stroke.{kind}").first.evaluate(
            "line => getComputedStyle(line).strokeDasharray"
        )
        for kind in ("active", "abandoned")
    }

    assert dashes["active"] == "none"
    assert dashes["abandoned"] != "none"


def test_every_mark_of_the_tree_can_be_seen(lists: Reader):
    page = lists.open(at="sessions/session_forked.html")

    for kind in ("fork", "compaction", "agent", "elsewhere"):
        mark = page.locator(f".mark.{kind}").first
        assert mark.evaluate("mark => getComputedStyle(mark).opacity") == "1"
        assert mark.is_visible()


@pytest.mark.parametrize("width", [360, 800, 1440])
@pytest.mark.parametrize(
    "at",
    ["index.html", "projects/lexer.html", "sessions/session_forked.html", "report.html"],
)
def test_lists_never_scroll_sideways(lists: Reader, at: str, width: int):
    page = lists.open(at=at, width=width)

    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize(
    ("at", "link"),
    [
        ("sessions/session_forked.html", "Try it slowly"),
        ("projects/lexer.html", "A copy of it"),
    ],
)
def test_a_phone_shows_the_list_in_place_of_the_picture(lists: Reader, at: str, link: str):
    page = lists.open(at=at, width=360)

    assert page.locator("svg.drawn").is_visible() is False
    assert page.locator(".as-list").get_by_role("link", name=link).is_visible()


@pytest.mark.parametrize("width", [360, 1280])
def test_a_picture_is_printed_once_as_itself_or_as_a_list(lists: Reader, width: int):
    page = lists.open(at="sessions/session_forked.html", width=width)

    page.emulate_media(media="print")

    shown = [page.locator(one).is_visible() for one in ("svg.drawn", ".as-list")]
    assert shown == [width > 640, width < 640]
    assert page.locator(".bar, .foot, .finder").locator("visible=true").count() == 0


def test_a_list_of_months_says_how_many_sessions_there_are_in_all(
    browser: Browser, tmp_path: Path
):
    sessions = [
        session_facts(f"s{n}", title=f"One {n}", ended=f"2026-0{1 + n % 3}-01T10:00:00Z")
        for n in range(2_100)
    ]
    site_dir = write_site(tmp_path, sessions)
    reader = Reader(browser, f"{site_dir.as_uri()}/")
    page = reader.open(at="index.html")
    assert page.locator(".finder output").inner_text() == (
        "700 of 700 on this page, 2,100 in all"
    )

    page.get_by_label("Filter by title").fill("one 21")
    page.get_by_role("link", name="January 2026").click()
    page.wait_for_url("**/months/2026-01.html#/q=one+21")

    assert page.locator(".finder output").inner_text() == "14 of 700 sessions"
    assert page.get_by_role("link", name="Newer").is_visible()
    assert reader.troubles == []
    reader.contexts[0].close()


def test_the_page_for_lost_readers_has_its_style_at_any_depth(
    lists: Reader, browser: Browser, site_dir: Path, tmp_path: Path
):
    deep = tmp_path / "a" / "b" / "404.html"
    deep.parent.mkdir(parents=True)
    deep.write_bytes((site_dir / "404.html").read_bytes())
    someone = Reader(browser, deep.as_uri())
    for scheme, ground in (("light", "rgb(252, 251, 249)"), ("dark", "rgb(21, 23, 26)")):
        page = someone.open(scheme=scheme)
        drawn = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert drawn == ground
    assert someone.troubles == lists.troubles == []
    for context in someone.contexts:
        context.close()


@pytest.mark.parametrize(
    ("at", "way"), [("gone.html", "beside it"), ("files/gone.html", "one folder up")]
)
def test_the_page_for_lost_readers_leads_back_from_a_folder(
    browser: Browser, site_dir: Path, at: str, way: str
):
    with open_preview(site_dir, 0) as address:
        someone = Reader(browser, address)
        page = someone.open(at=at)
        links = page.locator("a:not(.skip)").evaluate_all("some => some.map(a => a.href)")
        assert len(links) == 2  # None is offered without the address that it is for.
        page.get_by_role("link", name=f"the list {way}").click()
        page.wait_for_url(f"{address}index.html")
        assert page.get_by_role("heading", name="An archive").is_visible()
        for context in someone.contexts:
            context.close()


def test_two_thousand_sessions_open_and_filter(browser: Browser, tmp_path: Path):
    sessions = [
        session_facts(
            f"{number:08x}-0000-4000-8000-000000000000",
            title=f"Make parser {number} twice as fast",
            ended=f"20{10 + number % 16}-{1 + number % 12:02}-01T10:00:00Z",
            project=f"project {number % 20}",
        )
        for number in range(2_000)
    ]
    write_site(tmp_path, [])
    index = load_theme("default").pieces(
        "index.html.j2", index_view(newest_first(sessions), SiteSettings("An archive"))
    )
    (tmp_path / "index.html").write_text("".join(index), "utf-8")
    lists = Reader(browser, f"{tmp_path.as_uri()}/")

    page = lists.open(at="index.html")
    took = page.evaluate(
        """() => {
            const field = document.querySelector(".finder [name=q]");
            field.value = "parser 1999";
            const begun = performance.now();
            field.dispatchEvent(new Event("input", { bubbles: true }));
            document.body.getBoundingClientRect();
            return performance.now() - begun;
        }"""
    )

    assert page.locator(".groups .row:not([hidden])").count() == 1
    assert took < HANG_MS
    assert lists.troubles == []
    lists.contexts[0].close()
