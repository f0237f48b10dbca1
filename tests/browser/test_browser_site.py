"""The built example as a reader meets it: every kind of page, in every way to read it."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import (  # type: ignore[import-untyped]  # no types
    Axe,
)
from playwright.sync_api import expect

from browser.conftest import AXE, Reader
from browser.kinds import EDITED, FORKED, KINDS
from browser.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        """Keep the test's output clean."""


def reading(browser: Browser, url: str) -> Iterator[Reader]:
    someone = Reader(browser, url)
    yield someone
    for context in someone.contexts:
        context.close()


@pytest.fixture
def site(browser: Browser, example_dir: Path) -> Iterator[Reader]:
    """The site from a folder on disk."""
    yield from reading(browser, f"{example_dir.as_uri()}/")


@pytest.fixture
def plain(browser: Browser, plain_dir: Path) -> Iterator[Reader]:
    """The site in the plain theme, from a folder on disk."""
    yield from reading(browser, f"{plain_dir.as_uri()}/")


@pytest.fixture
def hosted(browser: Browser, example_dir: Path) -> Iterator[Reader]:
    """The site from a host."""
    handler = partial(QuietHandler, directory=str(example_dir))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield from reading(browser, f"http://127.0.0.1:{server.server_address[1]}/")
        server.shutdown()


ALL_LAID_OUT = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { content-visibility: visible !important }");
  document.adoptedStyleSheets = [sheet];
}"""
"""What is far off the screen has an estimated height: neighbours overlap a little."""


def findings(page: Page) -> list[str]:
    """Return what axe-core has against `page`, with the elements it means."""
    page.evaluate(ALL_LAID_OUT)
    violations = Axe().run(page, options=AXE).response["violations"]
    return [
        f"{found['id']}: {node['html'][:120]}"
        for found in violations
        for node in found["nodes"]
    ]


def findings_in_both_schemes(page: Page) -> list[str]:
    found = findings(page)
    page.emulate_media(color_scheme="dark")
    return found + findings(page)


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_in_light_and_dark(site: Reader, kind: str):
    page = site.open(at=KINDS[kind])
    page.keyboard.press("e")

    assert findings_in_both_schemes(page) == []


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_in_the_plain_theme(plain: Reader, kind: str):
    page = plain.open(at=KINDS[kind])

    assert findings_in_both_schemes(page) == []


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_nothing_on_a_phone(site: Reader, kind: str):
    page = site.open(at=KINDS[kind], width=360)

    assert findings(page) == []


@pytest.mark.parametrize("theme", ["site", "plain"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_phone_never_scrolls_sideways(
    request: pytest.FixtureRequest, kind: str, theme: str
):
    page = request.getfixturevalue(theme).open(at=KINDS[kind], width=360)
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")

    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize("kind", KINDS)
def test_pages_on_disk_break_no_security_policy(site: Reader, kind: str):
    page = site.open(at=KINDS[kind])
    for key in "e?t":
        page.keyboard.press(key)

    # The page for lost readers loads nothing, so that it can be shown anywhere.
    assert page.locator("html.js").count() == (kind != "not found")
    assert site.troubles == []


@pytest.mark.parametrize("kind", KINDS)
def test_pages_on_a_host_break_no_security_policy(hosted: Reader, kind: str):
    page = hosted.open(at=KINDS[kind])
    for key in "e?t":
        page.keyboard.press(key)

    # The page for lost readers loads nothing, so that it can be shown anywhere.
    assert page.locator("html.js").count() == (kind != "not found")
    assert hosted.troubles == []


@pytest.mark.parametrize("kind", KINDS)
def test_without_scripts_a_page_offers_nothing_that_needs_them(site: Reader, kind: str):
    page = site.open(at=KINDS[kind], runs_scripts=False)

    assert page.locator(".js-only:visible, button:visible").count() == 0
    assert page.get_by_role("heading", level=1).is_visible()
    assert len(page.locator("main").inner_text()) > 60


def test_a_reader_goes_from_path_to_path_at_the_fork(site: Reader):
    page = site.open(at=KINDS["transcript"])
    fork = page.locator(".fork").first

    fork.get_by_role("link", name="Sort it by aisle.").click()
    page.wait_for_url(f"**/transcript_{FORKED}.html#m-*")
    first = page.locator(".lede").inner_text()
    page.locator(".fork .branch", has_text="drag lines").locator("a").first.click()
    page.wait_for_url(f"**/transcript_{FORKED}_path2.html#m-*")
    second = page.locator(".lede").inner_text()
    page.locator(".fork .branch", has_text="Sort by recipe first").locator(
        "a"
    ).first.click()
    page.wait_for_url(f"**/transcript_{FORKED}_path4.html#m-*")

    assert "ABANDONED" in first
    assert "ABANDONED" in second
    assert "ACTIVE" in page.locator(".lede").inner_text()
    assert page.locator(".entry:target").is_visible()


def test_keys_go_through_all_paths_of_a_session(site: Reader):
    page = site.open(at=f"transcripts/transcript_{FORKED}.html")

    seen = [page.locator(".path-nav .here").first.inner_text()]
    for number in (2, 3, 4):
        page.keyboard.press("]")
        page.wait_for_url(f"**/transcript_{FORKED}_path{number}.html")
        seen.append(page.locator(".path-nav .here").first.inner_text())

    assert seen == [f"Path {number} of 4" for number in (1, 2, 3, 4)]


def test_an_abandoned_path_leads_to_what_is_its_own(site: Reader):
    page = site.open(at=KINDS["abandoned"])

    page.get_by_role("link", name="first message that is only here").click()

    target = page.locator(":target")
    assert "drag lines" in target.inner_text()
    assert target.is_visible()


def test_an_abandoned_path_is_compared_with_the_one_that_took_over(site: Reader):
    page = site.open(at=f"transcripts/transcript_{EDITED}.html")

    page.get_by_role("link", name="Compare with the taken path").click()
    page.wait_for_url("**/compare/*")

    heads = page.locator(".heads .verdict-words").all_inner_texts()
    assert [words.split()[0] for words in heads] == ["Abandoned", "Taken:"]
    for part in ("Prompts", "Outcomes", "Steps", "Files", "Endings"):
        page.get_by_role("link", name=part, exact=True).click()
        assert page.locator(":target").is_visible()
    assert page.locator("#files .split ins.sl").count() > 0
    page.locator("#steps a").first.click()
    page.wait_for_url(f"**/transcript_{EDITED}*.html#m-*")
    assert site.troubles == []


def test_a_comparison_leads_with_its_verdicts_and_can_be_copied(hosted: Reader):
    page = hosted.open(at=KINDS["compare"])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    said = page.locator(".verdict-words").all_inner_texts()
    page.get_by_role("button", name="Copy as Markdown").click()

    assert said == [
        "Abandoned after 42 s: type check failed, 3 files do not compile.",
        "Taken: 10 tests passed, pull request #12.",
    ]
    verdict, asked = page.locator(".verdict").last.locator("p").all()
    assert verdict.bounding_box()["y"] < 200  # type: ignore[index]
    size = "it => parseFloat(getComputedStyle(it).fontSize)"
    assert verdict.evaluate(size) > asked.evaluate(size)
    page.get_by_role("status").get_by_text("Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "| Working time | 42 s | 47 s | +5 s |" in copied


@pytest.mark.parametrize(("width", "columns"), [(360, 1), (1280, 2)])
def test_a_file_is_a_split_diff_with_both_numbers(site: Reader, width: int, columns: int):
    page = site.open(at=KINDS["compare"], width=width)

    row = page.locator("#files .sr", has=page.locator("ins")).first
    cells = row.locator(".sl:visible")
    edges = {cell.bounding_box()["x"] for cell in cells.all()}  # type: ignore[index]

    assert len(edges) == columns
    numbers = cells.evaluate_all("cells => cells.map(it => it.dataset.n)")
    assert all(number.isdigit() for number in numbers)


def test_on_a_phone_a_row_leaves_out_its_time_and_a_folder_without_room(site: Reader):
    page = site.open(at=KINDS["transcript"], width=360)
    row = page.locator(".tool:not([open]):has(.outcome-text + .took):has(.target)").first
    row.evaluate("it => it.closest('.work')?.setAttribute('open', '')")

    row.locator(".target").evaluate(
        "it => { it.outerHTML = '<code class=target><span>internal/strategy/</span>"
        "bootstrap_integration_test.go, lines 1-9</code>'; }"
    )

    target, folder = row.locator(".target"), row.locator(".target > span")
    box = target.bounding_box()
    assert not row.locator(".took").is_visible()
    assert folder.bounding_box()["y"] >= box["y"] + box["height"] - 1  # type: ignore[index]
    row.locator("summary").click()
    assert page.locator(".tool[open] > summary .outcome-text + .took").first.is_visible()


def test_on_a_phone_code_in_a_table_leaves_room_for_what_is_beside_it(site: Reader):
    page = site.open(at=KINDS["agent"], width=360)
    cells = f"<td><code>/workspace/{'folder/' * 9}file.js</code><td>An entry point"

    page.locator(".reply .prose").first.evaluate(
        "(it, cells) => { it.innerHTML = `<div class=table-scroll id=here>"
        "<table class=table><tr>${cells}</table></div>`; }",
        cells,
    )

    assert page.locator("#here").evaluate("it => it.scrollWidth <= it.clientWidth")


def test_on_a_phone_a_change_is_all_that_was_then_all_that_is(site: Reader):
    page = site.open(at=KINDS["compare"], width=360)

    changed = "blocks => blocks.map(it => [...it.querySelectorAll('.sl:is(ins, del)')])"
    order = (
        ".map(all => all.sort((a, b) => a.offsetTop - b.offsetTop).map(it => it.tagName))"
    )
    found = page.locator("#files .sr").evaluate_all(changed + order)

    assert any(it.count("DEL") > 1 and it.count("INS") > 1 for it in found)
    assert all(it == sorted(it) for it in found)
    numbers = page.locator("#files .sl:visible:not(del)").evaluate_all(
        "cells => cells.map(it => +it.dataset.n)"
    )
    falls = sum(later < one for one, later in pairwise(numbers))
    assert falls < page.locator("#files h3").count()  # Each file begins again.
    assert page.get_by_text(
        "Red, \N{MINUS SIGN}: abandoned. Green, +: taken."
    ).first.is_visible()


def test_both_sides_stand_side_by_side_or_below_each_other(site: Reader):
    def left_edges(width: int) -> list[float]:
        halves = site.open(at=KINDS["compare"], width=width).locator("#prompts .half")
        return [half.bounding_box()["x"] for half in halves.all()]  # type: ignore[index]

    wide, phone = left_edges(1280), left_edges(360)

    assert wide[0] < wide[1]
    assert phone[0] == phone[1]


def test_filters_stay_when_the_page_is_read_again(site: Reader):
    page = site.open(at=KINDS["transcript"], width=1440)

    page.get_by_role("switch", name="Tools").click()
    page.reload()

    assert page.locator(".tool:not(.personal):visible").count() == 0
    button = page.get_by_role("switch", name="Tools")
    assert button.get_attribute("aria-checked") == "false"


def test_folds_are_the_readers_own_and_of_one_page(site: Reader):
    page = site.open(at=KINDS["transcript"])
    page.keyboard.press("e")

    page.goto(f"{site.url}{KINDS['abandoned']}")

    assert page.locator(".tool:not([open])").count() > 0


def test_a_link_to_a_message_can_be_copied(hosted: Reader):
    page = hosted.open(at=KINDS["transcript"])
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    page.locator(".prompt .permalink").first.click()

    page.get_by_role("status").get_by_text("Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(f"{hosted.url}{KINDS['transcript']}#m-")


@pytest.mark.parametrize("width", [360, 1280])
def test_wide_code_scrolls_inside_its_box(site: Reader, width: int):
    page = site.open(at=KINDS["compare"], width=width)

    page.locator("#files details.fold").first.evaluate("fold => fold.open = true")
    box = page.locator("#files pre.diff").first
    widths = box.evaluate("pre => [pre.scrollWidth, pre.clientWidth, pre.tabIndex]")

    assert widths[1] < width
    assert widths[0] >= widths[1]
    assert widths[2] == 0


def test_a_changed_line_breaks_on_a_phone_and_other_code_says_that_it_goes_on(site: Reader):
    page = site.open(at=KINDS["compare"], width=360)
    page.locator("#files details.fold").first.evaluate("fold => fold.open = true")

    diff = page.locator("#files pre.diff").first
    assert diff.evaluate("pre => pre.scrollWidth - pre.clientWidth") == 0
    other = page.locator(".code, .table-scroll").first
    expect(other).to_have_css("animation-name", "goes-on")


@pytest.mark.parametrize("kind", ["index", "project", "session", "transcript"])
def test_a_file_name_leads_to_the_page_of_the_file(site: Reader, kind: str):
    page = site.open(at=KINDS[kind])
    page.evaluate(
        "for (const fold of document.querySelectorAll('details')) fold.open = true"
    )
    link = page.locator("main a[href*='files/']").first
    name = link.inner_text()

    link.click()
    page.wait_for_url("**/files/*.html*")

    assert page.get_by_role("heading", level=1).inner_text().endswith(name)


def test_the_closed_line_of_an_edit_leads_to_its_file(site: Reader):
    page = site.open(at=f"transcripts/transcript_{EDITED}_path2.html")
    call = page.locator(".tool:visible:not([open]):has(+ .to-file)").first
    link = call.locator("+ .to-file")
    expect(link).to_be_hidden()
    call.hover()

    link.click()
    page.wait_for_url("**/files/*.html*")

    assert page.get_by_role("heading", level=1).inner_text() == "src/scale.ts"


@pytest.mark.parametrize("kind", ["digest", "agent", "withdrawn", "abandoned"])
def test_on_a_phone_a_conversation_begins_in_the_upper_half(site: Reader, kind: str):
    at = KINDS.get(kind, "transcripts/transcript_1cb8ba1e-154f-4d28-a256-f6df8adc903a.html")
    page = site.open(at=at, width=360)

    box = page.locator(".prompt").first.bounding_box()

    assert box is not None
    assert box["y"] <= 370
    lead = page.locator(".lead").bounding_box()
    assert lead is not None
    assert lead["height"] < 26  # One line: the prompt says when.


def test_on_a_phone_the_outline_holds_what_can_be_done_to_the_page(site: Reader):
    page = site.open(at=KINDS["transcript"], width=360)
    unfold = page.get_by_role("button", name="Unfold all")
    assert not unfold.is_visible()

    page.locator(".steps").get_by_text("Prompt").click()
    unfold.click()

    assert page.locator(".tool:not([open])").count() == 0


def test_the_outline_shows_words_without_their_markdown(site: Reader):
    page = site.open(at=f"transcripts/transcript_{EDITED}.html", width=1440)

    said = page.locator(".outline-list").inner_text()

    assert "the page says 0.6666666666666666 cups" in said
    assert "`" not in said


def test_a_withdrawn_prompt_is_below_the_title_of_its_session(site: Reader):
    page = site.open(at=KINDS["withdrawn"])

    words = page.locator(".prompt .prose").inner_text()
    title = page.get_by_role("heading", level=1).inner_text()
    page.locator(".doors").get_by_role("link", name="Session").click()

    assert title not in words
    assert page.get_by_role("heading", level=1).inner_text() == title


def test_headings_on_the_page_of_a_file_lead_nowhere(site: Reader):
    page = site.open(at=KINDS["file"])

    headings = page.locator("h2")

    assert set(headings.get_by_role("link").all_inner_texts()) == {"conversation"}


def test_a_withdrawn_prompt_tells_its_own_figures_alone(site: Reader):
    page = site.open(at=KINDS["withdrawn"])

    assert page.locator(".lead > span").all_inner_texts() == [
        "2026-03-11 18:19 UTC",
    ]
    assert page.locator(".path-nav").count() == 1


def test_a_page_of_one_prompt_offers_nothing_to_choose_from(site: Reader):
    page = site.open(at=KINDS["withdrawn"], width=360)
    steps = page.locator(".steps button:visible")
    assert steps.all_inner_texts() == []

    page.set_viewport_size({"width": 1440, "height": 900})

    assert page.get_by_role("button", name="Print").is_visible()
    assert page.get_by_role("switch").count() == 0
    assert not page.locator(".outline").is_visible()


def test_an_agents_last_words_are_its_result(site: Reader) -> None:
    page = site.open(at=KINDS["agent"], width=1440)

    page.locator(".outline-list").get_by_role("link", name="Result").click()

    result = page.get_by_role("heading", name="Result", level=2)
    assert result.is_visible()
    assert result.locator("+ .turn .reply").is_visible()
    assert page.locator(".result + .turn ~ .turn").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_added_and_removed_lines_have_a_colour_each(site: Reader, scheme: str):
    for kind in ("index", "transcript", "file"):
        page = site.open(at=KINDS[kind], scheme=scheme)
        colours = [
            page.locator(one).first.evaluate("it => getComputedStyle(it).color")
            for one in (".plus", ".minus", "body")
        ]
        assert len(set(colours)) == 3, kind


@pytest.mark.parametrize("kind", ["session", "compare", "file", "report", "project"])
def test_the_bar_names_the_page_once_its_title_has_gone(site: Reader, kind: str):
    page = site.open(at=KINDS[kind], width=360)
    title = page.get_by_role("heading", level=1).inner_text()
    page.evaluate("document.querySelector('main').style.minHeight = '200vh'")
    assert not page.locator(".bar-title").is_visible()

    page.evaluate("scrollTo(0, 600)")
    # A bar with less in it is laid out anew: a click before that meets what goes away.
    expect(page.locator(".bar-title")).to_be_visible()
    expect(page.locator(".crumb:visible")).to_have_count(1)
    page.locator(".bar-title button").click()

    assert page.locator(".bar-title").inner_text() == title
    until(page, "scrollY === 0")


def test_search_can_be_reached_from_any_page(site: Reader):
    page = site.open(at=KINDS["report"])

    page.keyboard.press("/")
    page.wait_for_url("**/index.html#search")

    assert page.evaluate("document.activeElement.type") == "search"


@pytest.mark.parametrize("width", [360, 1440])
def test_the_page_of_a_file_shows_what_each_edit_changed(site: Reader, width: int):
    page = site.open(at=KINDS["file"], width=width)

    added = page.locator(".lane.active .edited ins").first
    removed = page.locator(".lane.abandoned .edited del").first

    assert added.is_visible()
    assert added.inner_text().startswith("+")
    assert removed.inner_text().startswith("-")
    grounds = [
        one.evaluate("e => getComputedStyle(e).backgroundColor") for one in (added, removed)
    ]
    assert len(set(grounds)) == 2
    numbers = added.evaluate("it => getComputedStyle(it, '::after').content")
    assert numbers.strip('"').isdigit()
    page.locator(".edit a").first.click()
    page.wait_for_url("**/transcripts/*#m-*")


def test_the_first_screen_of_a_session_says_what_came_of_it_and_what_to_read(site: Reader):
    page = site.open(at=f"sessions/session_{EDITED}.html", width=1440)

    for words in (
        "10 tests passed",
        "Read path 2, which was taken",
        "Abandoned: Exact amounts",
    ):
        box = page.get_by_text(words).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 800
    page.locator(".doors").get_by_role("link", name="Abandoned: Exact amounts").click()
    page.wait_for_url("**/compare/*")
