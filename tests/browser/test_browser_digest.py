"""A long transcript as a reader meets it: digest, map, place, finding words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from browser.conftest import Reader
from browser.waiting import outlast, rest, until
from everyleaf.build import build_site
from everyleaf.config import BuildOptions
from sessions import call, prompt, reply, result, write_records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from sessions import Record

PROMPTS = 14
CALLS = 5
CODE = (
    "\n\n```text\n"
    + "line\n" * 90
    + "far " * 90
    + "quagga\n"
    + "line\n" * 90
    + "```\n<https://example.com/>"
)
"""A block higher and wider than a window, with a word in its middle."""
LONG = "#m-r0600000"
"""The entry that holds it."""
COLOURED = "\n\n```python\nreturn okapi_of(7, 'tusk')\n```\n"


def records() -> Iterator[Record]:
    """Yield a session of prompts, each with calls, one of them of a test, and an answer."""
    above = None
    for number in range(PROMPTS):
        head = f"{number:02}"
        yield prompt(f"p{head}", above, f"Question {number}: what of the {'tide ' * 30}?")
        above = f"p{head}"
        for at in range(CALLS):
            name = f"c{head}{at}"
            ran = {"command": "pytest", "description": "Run the tests"}
            deep = "of_many/" * 20 if at == 2 else ""
            asked = ran if at == 3 else {"file_path": f"/home/me/parser/{deep}f{at}.py"}
            yield call(name, above, "Bash" if at == 3 else "Read", **asked)
            failed = "2 failed, " if number == 4 else ""
            said = f"== {failed}6 passed in 0.12s ==" if at == 3 else "zanzibar " * 10
            yield result(f"e{name[1:]}", name, said)
            above = f"e{name[1:]}"
        code = {6: CODE, 8: COLOURED}.get(number, "")
        yield reply(
            f"r{head}", above, f"Answer {number}. " + "Many words of it. " * 60 + code
        )
        above = f"r{head}"


@pytest.fixture(scope="module")
def long_url(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("long")
    file = folder / "projects" / "-home-me-parser" / "s.jsonl"
    write_records(file, records())
    site: Path = folder / "site"
    options = BuildOptions(sources=(folder / "projects",), output_dir=site, jobs=1)
    build_site(options, on_progress=lambda *_: None)
    return next((site / "transcripts").glob("*.html")).as_uri()


@pytest.fixture
def long(browser: Browser, long_url: str) -> Iterator[Reader]:
    reader = Reader(browser, long_url)
    yield reader
    for context in reader.contexts:
        context.close()
    assert reader.troubles == []


def test_work_is_one_line_until_it_is_opened(long: Reader) -> None:
    page = long.open()

    works = page.locator(".work > summary")
    assert works.count() == PROMPTS
    assert works.first.inner_text() == "5 calls: 4 reads, 1 command; 6 tests passed"
    assert works.nth(4).inner_text() == "5 calls: 4 reads, 1 command; 2 of 8 tests failed"
    assert page.locator(".work.troubled").count() == 1
    assert page.locator(".tool:visible").count() == 0
    assert page.locator(".prompt:visible").count() == PROMPTS
    assert page.locator(".reply:visible").count() == PROMPTS

    works.first.click()

    assert page.locator(".tool:visible").count() == CALLS
    page.get_by_role("button", name="Show all work").click()
    assert page.locator(".tool:visible").count() == CALLS * PROMPTS


@pytest.mark.parametrize("width", [360, 1440])
def test_a_long_path_is_cut_before_the_name_of_its_file(long: Reader, width: int) -> None:
    page = long.open(width=width)
    page.locator(".work > summary").first.click()

    row = page.locator("code.target", has_text="f2.py").first
    name, box, shown = row.evaluate("""(row) => {
        const name = document.createRange();
        name.selectNodeContents(row.lastChild);
        return [name, row, row.firstChild].map((one) => one.getBoundingClientRect().right);
    }""")

    assert row.text_content() == f"{'of_many/' * 20}f2.py"
    assert shown < name <= box
    assert row.evaluate("row => row.firstChild.scrollWidth > row.firstChild.clientWidth")


def test_all_stands_open_without_scripts(long: Reader) -> None:
    page = long.open(runs_scripts=False)

    assert page.locator(".tool:visible").count() == CALLS * PROMPTS


def test_an_address_opens_the_work_that_it_leads_into(long: Reader) -> None:
    page = long.open(at="#m-c0730000")

    assert page.locator("#m-c0730000").is_visible()
    assert page.locator(".work[open]").count() == 1


def test_outline_follows_the_reader_and_stays_in_sight(long: Reader) -> None:
    page = long.open(width=1440)
    page.locator(".prompt").nth(9).scroll_into_view_if_needed()
    page.evaluate("document.querySelectorAll('.prompt')[9].scrollIntoView()")
    rest(page)

    current = page.locator(".outline-list [aria-current]")

    assert "Question 9" in current.inner_text()
    box = current.bounding_box()
    assert box is not None
    assert 0 < box["y"] < 800


@pytest.mark.parametrize("number", range(1, PROMPTS, 4))
def test_the_address_of_a_prompt_marks_it_and_not_its_shut_work(
    long: Reader, number: int
) -> None:
    page = long.open(width=1440, at=f"#m-p{number:02}00000")
    rest(page)

    assert f"Question {number}" in page.locator("[aria-current]").inner_text()
    assert f"Question {number}" in page.locator(".about a").first.inner_text()


def test_the_last_prompt_is_the_current_one_where_the_page_ends(long: Reader) -> None:
    page = long.open(width=1440, at=f"#m-p{PROMPTS - 1:02}00000")
    rest(page)

    assert f"Question {PROMPTS - 1}" in page.locator("[aria-current]").inner_text()


def test_the_bar_names_the_session_once_its_title_has_gone(long: Reader) -> None:
    page = long.open(width=1440)
    title = page.locator(".bar-title")
    assert not title.is_visible()

    page.evaluate("scrollTo(0, 3000)")

    title.wait_for(state="visible")
    assert "Question 0" in title.inner_text()
    # Of one path, there is nothing to tell.
    assert page.locator(".status:visible").count() == 0


def test_a_phone_steps_from_prompt_to_prompt_at_the_bottom(long: Reader) -> None:
    page = long.open(width=360)
    place = page.locator(".steps").get_by_text("Prompt")
    assert place.inner_text() == f"Prompt 1 of {PROMPTS}"

    page.get_by_role("button", name="Next prompt").click()
    page.get_by_role("button", name="Next prompt").click()

    rest(page)
    number = int(place.inner_text().split()[1])
    assert number == 3
    place.click()
    assert page.locator(".outline-list [aria-current]").is_visible()


def test_the_button_says_what_it_does_after_all_was_folded(long: Reader) -> None:
    page = long.open(width=1440)
    button = page.locator("[data-action='digest']")
    expect(button).to_have_text("Show all work")

    page.keyboard.press("e")
    expect(button).to_have_text("Digest")
    page.keyboard.press("e")

    expect(button).to_have_text("Show all work")


def test_the_map_jumps(long: Reader) -> None:
    page = long.open(width=1440)

    box = page.locator(".map").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 5, box["y"] + box["height"] - 1)

    expect(page.locator("[aria-current]")).to_contain_text("Last reply")


def test_where_the_page_ends_the_outline_is_at_its_end(long: Reader) -> None:
    page = long.open(width=1440)
    current = page.locator("[aria-current]")
    expect(current).to_have_text(re.compile("Question 0"))

    # What comes into sight is drawn, and then the end may be farther down.
    last = "document.querySelector('.to-result [aria-current]')?.innerText"
    down = "scrollTo(0, document.documentElement.scrollHeight)"
    until(page, f"{down} || {last}?.includes('Last reply')")


def test_nothing_moves_once_a_linked_message_is_in_sight(long: Reader) -> None:
    page = long.open(at="#m-c0730000", width=1440)
    rest(page)

    moved = """() => new Promise((done) => {
      new PerformanceObserver((list) => done(list.getEntries().map((one) => one.value)))
        .observe({ type: 'layout-shift', buffered: true });
      setTimeout(() => done([]), 300);
    })"""
    assert sum(page.evaluate(moved)) == 0
    style = page.evaluate("document.documentElement.getAttribute('style')")
    # The page is in sight, and what stands over it counts where one scrolls to.
    assert re.fullmatch(r"--top: [\d.]+px;?", style)
    assert page.locator(".bar-title").is_visible()


def test_a_link_to_a_message_that_is_not_here_says_so(long: Reader) -> None:
    page = long.open(at="#m-00000000")

    expect(page.get_by_text("is not on this page")).to_be_in_viewport()
    assert page.locator(".about").is_visible() is False
    assert long.open().get_by_text("is not on this page").count() == 0


def test_on_a_phone_the_bar_leads_home_and_what_it_opens_to_the_project(
    long: Reader,
) -> None:
    page = long.open(width=360)
    page.evaluate("scrollTo(0, 3000)")
    page.locator(".bar-title").wait_for()
    assert page.locator(".brand").is_visible()

    page.locator(".bar-title button").click()

    about = page.locator(".about")
    link = about.get_by_role("link", name="parser", exact=True)
    expect(link).to_be_in_viewport()
    box, last = about.bounding_box(), link.bounding_box()
    assert box is not None
    assert last is not None
    assert 0 < box["y"] + box["height"] - last["y"] - last["height"] < 20


def test_words_are_found_on_the_page_and_folds_opened(long: Reader) -> None:
    page = long.open()

    page.keyboard.press("/")
    page.get_by_role("searchbox", name="Find in this conversation").fill("Zanzibar")

    found = page.locator(".found")
    expect(found).to_have_text(re.compile("^1 of 1,.* · tool call$"))
    expect(page.locator(".work[open]")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(found).to_have_text(re.compile("^2 of"))
    page.keyboard.press("Shift+Enter")


def test_one_escape_closes_what_finds_for_good_and_leads_back(long: Reader) -> None:
    page = long.open()
    page.get_by_role("button", name="Find in this conversation (/)").focus()
    page.keyboard.press("Enter")
    page.get_by_role("searchbox").fill("Zanzibar")
    page.locator(".found:not(:empty)").wait_for()

    page.keyboard.press("Escape")

    page.wait_for_timeout(300)  # As long as the field waits for more.
    expect(page.locator(".finder")).to_be_hidden()
    assert page.evaluate("document.activeElement.dataset.action") == "find"
    assert page.evaluate("CSS.highlights.size") == 0


def test_words_may_be_typed_with_a_pause(long: Reader) -> None:
    page = long.open()

    page.keyboard.press("/")
    page.keyboard.type("qua")
    page.locator(".finder .found:not(:empty)").wait_for()
    page.keyboard.type("gga")

    expect(page.locator(".finder input")).to_have_value("quagga")


def where_found(page: Page) -> list[float]:
    """Return left, top, right and bottom of the match one is at, once the page is quiet."""
    page.locator(".found:not(:empty)").wait_for()
    rest(page)
    area: list[float] = page.evaluate(
        "() => { const [match] = CSS.highlights.get('found-now');"
        " const area = match.getBoundingClientRect();"
        " return [area.left, area.top, area.right, area.bottom]; }"
    )
    return area


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize(
    "at",
    ["", "#/find=quagga&at=m-r0600000", "#/find=zanzibar+quagga&at=m-r0600000"],
    ids=["typed", "from-the-search", "one-of-two-words"],
)
def test_a_word_in_a_long_block_of_code_is_marked_in_sight(
    long: Reader, width: int, at: str
) -> None:
    page = long.open(width=width, at=at)
    if not at:
        page.keyboard.press("/")
        page.get_by_role("searchbox").fill("quagga")

    left, top, right, bottom = where_found(page)

    box = page.locator(".finder").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < top < bottom < 740
    assert 0 < left < right < width
    # With what stands before it.
    block = page.locator(f"{LONG} .code-box:has(.code)").first
    assert block.evaluate("it => it.firstChild.scrollLeft") == 0


@pytest.mark.parametrize("words", ["a", "zanzibar", "return okapi_of(7, 'TUSK')"])
def test_all_there_is_of_some_words_is_found_whatever_their_colours(
    long: Reader, words: str
) -> None:
    page = long.open(at=f"#/find={words}")

    page.evaluate(
        "document.querySelectorAll('#conversation button').forEach(b => b.remove())"
    )
    hidden = page.locator("#conversation .hidden").all_text_contents()
    said = str(page.locator("#conversation").text_content()).lower()
    count = said.count(words.lower()) - "".join(hidden).lower().count(words.lower())
    assert count > (0 if "okapi" in words else 1_000)
    expect(page.locator(".found")).to_contain_text(re.compile(f"^1 of {count:,} · "))
    assert page.evaluate("[...CSS.highlights.get('found-now')].length") == 1
    marked = page.evaluate("[...CSS.highlights.get('found-now')][0].toString()")
    assert marked.lower() == words.lower()


def test_escape_closes_what_words_were_sought_in(long: Reader) -> None:
    page = long.open()
    page.keyboard.press("/")
    page.keyboard.type("zanzibar")
    expect(page.locator(".found")).to_have_text(re.compile("^1 of"))

    page.keyboard.press("Escape")

    page.wait_for_timeout(400)  # The field may not be emptied: that would seek again.
    expect(page.locator(".finder")).to_be_hidden()


def test_a_step_of_the_outline_to_what_a_filter_hides_lifts_the_filter(
    long: Reader,
) -> None:
    page = long.open(at="#/hide=prompt")

    page.locator(".outline-list .to-prompt a").nth(9).click()

    expect(page.locator("[data-filter=prompt]")).to_have_attribute("aria-checked", "true")
    expect(page.locator("h2", has_text="Question 9")).to_be_in_viewport()


def test_the_head_says_what_it_came_to_and_what_was_said_last(long: Reader) -> None:
    page = long.open()

    ended = page.locator(".page-head .ended")
    told = [re.compile(r"^6 tests passed"), re.compile(r"^Last reply: Answer \d+")]
    expect(ended).to_have_text(told)
    expect(ended.last).to_be_in_viewport()


def test_what_a_filter_hides_is_not_found(long: Reader) -> None:
    page = long.open(at="#/hide=tool&find=zanzibar")

    expect(page.locator(".found")).to_have_text("nothing found")


def height(page: Page, entry: str) -> float:
    found: float = page.locator(entry).evaluate("it => it.getBoundingClientRect().height")
    return found


def test_long_words_of_a_digest_are_cut_until_they_are_asked_for(long: Reader) -> None:
    page = long.open()
    assert height(page, LONG) < 300
    page.locator(LONG).evaluate("it => it.scrollIntoView({ block: 'center' })")
    rest(page)  # Else the browser's driver scrolls within it, as a finder does.

    page.locator(LONG).get_by_role("button", name="Show all").click()

    assert height(page, LONG) > 2000
    expect(page.locator(LONG).get_by_role("button", name="Show all")).to_be_hidden()


def test_an_address_opens_long_words_and_a_step_to_them_does_not(long: Reader) -> None:
    stepped = long.open(width=1440)
    stepped.locator(".outline-list a", has_text="Question 6").click()
    assert height(stepped, LONG) < 300

    linked = long.open(at=LONG)

    assert height(linked, LONG) > 2000


def test_a_browser_that_leads_into_long_words_opens_them(long: Reader) -> None:
    linked = long.open(at="#:~:text=quagga")  # As Ctrl-F does.
    expect(linked.locator(LONG)).to_have_class(re.compile("whole"))
    assert height(linked, LONG) > 2000

    stepped = long.open()
    stepped.locator(f"{LONG} a[href^=https]").evaluate("link => link.focus()")
    expect(stepped.locator(LONG)).to_have_class(re.compile("whole"))

    assert height(stepped, LONG) > 2000
    box = stepped.locator(f"{LONG} a[href^=https]").bounding_box()
    assert box is not None
    assert 0 < box["y"] < 740


@pytest.mark.parametrize("way", ["print", "no scripts"])
def test_nothing_is_cut_in_print_and_without_scripts(long: Reader, way: str) -> None:
    page = long.open(runs_scripts=way == "print")
    page.emulate_media(media="print" if way == "print" else "screen")

    assert height(page, LONG) > 2000
    assert page.get_by_role("button", name="Show all").count() == 0


def test_the_ring_around_a_target_is_whole(long: Reader) -> None:
    page = long.open(width=1440, at=LONG)

    edges = page.locator(LONG).evaluate(
        "it => [it, it.closest('.turn')].map(one => {"
        " const area = one.getBoundingClientRect();"
        " return [-area.left, -area.top, area.right, area.bottom]; })"
    )

    outline = 3 + 2
    assert all(turn - ring >= outline for ring, turn in zip(*edges, strict=True))


def test_switches_stay_in_sight(long: Reader) -> None:
    page = long.open(width=1440)
    page.set_viewport_size({"width": 1440, "height": 500})
    page.evaluate("document.querySelectorAll('.prompt')[12].scrollIntoView()")
    page.locator("[aria-current]", has_text="Question 12").wait_for()

    box = page.get_by_role("switch", name="Tools").bounding_box()

    assert box is not None
    assert 48 < box["y"] < 200


def test_words_that_nobody_sees_are_not_found(long: Reader) -> None:
    page = long.open()

    page.keyboard.press("/")
    page.get_by_role("searchbox").fill("Question 11:")

    expect(page.locator(".found")).to_have_text("1 of 1 · prompt")


def test_the_outline_on_a_phone_closes_for_what_was_chosen_there(long: Reader) -> None:
    page = long.open(width=360)
    page.locator(".steps").get_by_text("Prompt").click()

    page.locator(".outline-box").get_by_role("button", name="Find").click()

    expect(page.locator(".outline-box")).to_be_hidden()
    expect(page.get_by_role("searchbox")).to_be_focused()


def test_a_search_elsewhere_arrives_with_its_words(long: Reader) -> None:
    page = long.open(at="#/at=m-p0500000&find=tide")

    page.locator(".found").wait_for()
    assert "prompt" in page.locator(".found").inner_text()


def test_folding_everything_keeps_the_readers_place(long: Reader) -> None:
    page = long.open(width=1440)
    page.keyboard.press("e")
    rest(page)  # The page keeps the place before that for some frames.
    page.evaluate("document.querySelectorAll('.prompt')[8].scrollIntoView()")
    rest(page)
    place = (
        "Math.round(document.querySelectorAll('.prompt')[8].getBoundingClientRect().top)"
    )
    before = page.evaluate(place)

    page.keyboard.press("e")
    rest(page)

    assert abs(page.evaluate(place) - before) <= 40


def test_unfolding_below_much_folded_work_keeps_the_place(long: Reader) -> None:
    page = long.open(width=1440)
    page.evaluate(
        """() => {
          const work = document.querySelector(".work");
          const turn = work.querySelector(".turn");
          for (let at = 0; at < 200; at += 1) work.append(turn.cloneNode(true));
        }"""
    )
    page.evaluate("document.querySelectorAll('.prompt')[5].scrollIntoView()")
    rest(page)
    place = (
        "Math.round(document.querySelectorAll('.prompt')[5].getBoundingClientRect().top)"
    )

    for _ in range(2):
        before = page.evaluate(place)
        page.keyboard.press("e")
        rest(page)
        assert abs(page.evaluate(place) - before) <= 40


def test_unfolding_keeps_the_call_that_a_link_led_to(long: Reader) -> None:
    page = long.open(width=1440, at="#m-c0730000")
    expect(page.locator(".about")).to_be_visible()
    rest(page)
    place = "document.getElementById('m-c0730000').getBoundingClientRect().top"
    before = page.evaluate(place)

    page.keyboard.press("e")
    rest(page)

    assert abs(page.evaluate(place) - before) <= 40


@pytest.mark.parametrize("state", ["digest", "unfolded"])
def test_the_scrollbar_is_true_within_a_tenth(long: Reader, state: str) -> None:
    page = long.open(width=1440)
    if state == "unfolded":
        page.keyboard.press("e")
        rest(page)
    claimed = page.evaluate("document.documentElement.scrollHeight")

    page.evaluate(
        "for (const turn of document.querySelectorAll('.turn'))"
        " turn.style.contentVisibility = 'visible'"
    )

    real = page.evaluate("document.documentElement.scrollHeight")
    assert abs(claimed - real) < real / 10


def test_switches_say_how_many_there_are(long: Reader) -> None:
    page = long.open(width=1440)

    tools = page.get_by_role("switch", name="Tools")
    assert tools.inner_text().split() == ["Tools", str(CALLS * PROMPTS)]
    assert page.get_by_role("switch", name="Thinking").count() == 0


@pytest.mark.parametrize("width", [360, 1440])
def test_from_a_link_to_a_message_one_learns_what_this_is_without_scrolling(
    long: Reader, width: int
) -> None:
    page = long.open(width=width, at="#m-c0730000")
    outlast(page, 700)
    before = page.evaluate("scrollY")

    about = page.locator(".about")
    words = (about.get_by_text(words) for words in ("Question 7", f"Answer {PROMPTS - 1}"))
    for found in (*words, about.get_by_role("link", name="Session", exact=True)):
        box = found.bounding_box()
        assert box is not None
        assert 0 < box["y"] < 200
    assert "Question 0" in page.locator(".bar-title").inner_text()
    target, strip = page.locator("#m-c0730000").bounding_box(), about.bounding_box()
    assert target is not None
    assert strip is not None
    assert strip["y"] + strip["height"] < target["y"] < 400
    page.keyboard.press("Escape")
    assert not about.is_visible()
    page.locator(".bar-title button").dispatch_event("click")
    assert about.is_visible()
    assert page.evaluate("scrollY") == before


def test_what_a_link_is_about_goes_when_one_reads_on(long: Reader) -> None:
    page = long.open(width=1440, at="#m-c0730000")
    about = page.locator(".about")
    expect(about).to_contain_text("Question 7")
    outlast(page, 700)

    page.mouse.wheel(0, 900)

    expect(about).to_be_hidden()


def test_a_link_to_a_message_leads_to_the_top_of_the_window(long: Reader) -> None:
    page = long.open(width=1440, at="#m-r0700000")
    rest(page)

    top = page.evaluate("document.getElementById('m-r0700000').getBoundingClientRect().top")
    strip = page.locator(".about").bounding_box()
    assert strip is not None
    assert 0 < top - (strip["y"] + strip["height"]) < 60


def test_what_entries_do_not_repeat_is_said_when_it_is_asked_for(long: Reader) -> None:
    page = long.open(width=1440, at="#m-c0730000")

    link = page.locator("#m-c0730000 .permalink")
    link.hover()
    assert link.get_attribute("title") == "Copy a link to this message"
    assert link.get_attribute("aria-label") == "Copy a link to this message"
    time = page.locator("#m-c0730000 time")
    time.hover()
    assert str(time.get_attribute("title")).endswith(" UTC")
    sides = page.locator("#m-c0730000").get_by_role("group")
    assert [side.get_attribute("aria-label") for side in sides.all()] == ["Input", "Result"]


@pytest.mark.parametrize("width", [360, 1440])
def test_nothing_moves_while_a_page_is_opened(long: Reader, width: int) -> None:
    page = long.open(width=width)
    rest(page)

    moved = page.evaluate(
        """() => new Promise((done) => {
            let sum = 0;
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) sum += entry.value;
            }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => done(sum), 100);
        })"""
    )

    assert page.get_by_role("switch", name="Thinking").count() == 0
    assert moved == 0


def test_scrolling_with_all_open_moves_nothing_by_itself(long: Reader) -> None:
    page = long.open(width=1440)
    page.evaluate(
        """() => { window.shifted = 0; new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) window.shifted += entry.value;
        }).observe({ type: "layout-shift" }); }"""
    )
    page.get_by_role("button", name="Show all work").click()
    outlast(page, 600)  # What follows a click within half a second is no shift.

    page.evaluate(
        """() => new Promise((done) => {
            const step = () => {
                scrollBy({ top: 200, behavior: "instant" });
                const { scrollHeight } = document.documentElement;
                if (scrollY + innerHeight >= scrollHeight - 2) done();
                else requestAnimationFrame(step);
            };
            step();
        })"""
    )

    assert page.evaluate("shifted") < 0.05


@pytest.mark.parametrize("wheels", [4, 9, 14])
@pytest.mark.parametrize("state", ["digest", "work"])
def test_what_is_read_stays_where_it_is_when_all_is_unfolded(
    long: Reader, state: str, wheels: int
) -> None:
    page = long.open(width=1440)
    if state == "work":
        page.get_by_role("button", name="Show all work").click()
        rest(page)
    page.mouse.move(860, 400)
    for _ in range(wheels):
        page.mouse.wheel(0, 400)
        outlast(page, 30)
    rest(page)
    place = page.evaluate_handle(
        """() => {
          const top = (it) => it.getBoundingClientRect().top;
          const shown = [...document.querySelectorAll('.prompt, .reply, .work, .tool')]
            .filter((it) => !it.parentElement.closest('details:not([open])'))
            .filter((it) => top(it) > 49);
          const words = shown.find((it) => it.matches('.prompt, .reply'));
          return top(words) < 280 ? words : shown[0];
        }"""
    )
    top = "it => it.getBoundingClientRect().top"
    before = page.evaluate(top, place)
    marked = page.locator("[aria-current]").inner_text()

    page.keyboard.press("e")
    rest(page)

    assert abs(page.evaluate(top, place) - before) <= 4
    assert page.locator("[aria-current]").inner_text() == marked


def test_work_that_holds_calls_alone_goes_with_them(long: Reader) -> None:
    page = long.open(width=1440)
    page.locator(".work").nth(1).evaluate(
        "it => it.querySelector('.tool').className = 'entry notice'"
    )

    page.get_by_role("switch", name="Tools").click()

    shown = page.locator(".work").evaluate_all("all => all.map(it => it.checkVisibility())")
    assert shown == [number == 1 for number in range(PROMPTS)]
