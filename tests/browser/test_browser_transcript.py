"""The transcript page as a reader meets it."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from browser.waiting import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Page

    from browser.conftest import Reader


def box_width(page: Page) -> int:
    width: int = page.evaluate("document.documentElement.scrollWidth")
    return width


def loaded_width(page: Page) -> int:
    """Scroll to the first picture and return how wide it is once it is there."""
    image = page.locator("img").first
    image.scroll_into_view_if_needed()
    width: int = image.evaluate("image => image.decode().then(() => image.naturalWidth)")
    return width


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        """Keep the test's output clean."""


@pytest.fixture
def served_url(page_file: Path) -> Iterator[str]:
    """The same page over HTTP, as a host serves it."""
    handler = partial(QuietHandler, directory=str(page_file.parent.parent))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/transcripts/t.html"
        server.shutdown()


@pytest.mark.parametrize("width", [360, 800, 1440])
@pytest.mark.parametrize("is_unfolded", [False, True], ids=["folded", "unfolded"])
def test_page_never_scrolls_sideways(reader: Reader, *, width: int, is_unfolded: bool):
    page = reader.open(width=width)
    if is_unfolded:
        page.keyboard.press("e")

    assert box_width(page) == width


def test_page_on_disk_breaks_no_security_policy(reader: Reader):
    page = reader.open()
    page.keyboard.press("e")

    assert page.locator("html.js").count() == 1
    assert loaded_width(page) == 3
    assert reader.troubles == []


def test_page_on_a_host_breaks_no_security_policy(reader: Reader, served_url: str):
    reader.url = served_url
    page = reader.open()

    page.keyboard.press("t")

    assert page.locator("html.js").count() == 1
    assert loaded_width(page) == 3
    assert reader.troubles == []


def test_policy_stops_inline_scripts(reader: Reader):
    page = reader.open()

    page.evaluate(
        "() => { const s = document.createElement('script');"
        " s.textContent = 'document.title = \"broken\"'; document.body.append(s) }"
    )

    assert page.title() != "broken"
    assert any("Content Security Policy" in trouble for trouble in reader.troubles)


def test_theme_is_remembered(reader: Reader):
    page = reader.open(scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)

    page.get_by_role("button", name="Colours").click()
    page.get_by_role("button", name="Colours").click()
    page.reload()

    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.get_by_role("button", name="Colours: Dark").is_visible()
    assert page.evaluate(ground) != light


def test_third_press_returns_to_the_system_choice(reader: Reader):
    page = reader.open(scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)

    for _ in range(3):
        page.keyboard.press("t")
    page.reload()

    assert page.get_by_role("button", name="Colours: Auto").is_visible()
    assert page.evaluate(ground) == dark


def test_page_without_scripts_shows_everything(reader: Reader):
    page = reader.open(runs_scripts=False, width=1440)

    assert page.locator(".js-only:visible").count() == 0
    assert page.get_by_role("heading", name="Prompt 3").is_visible()
    assert page.locator(".outline-list a").first.is_visible()
    page.locator(".tool.ok > summary").first.click()
    assert page.locator(".tool.ok .diff").first.is_visible()


def test_outline_is_folded_on_a_phone_and_open_on_a_wide_screen(reader: Reader):
    phone = reader.open(width=360)
    desk = reader.open(width=1440)

    assert not phone.locator(".outline-list").is_visible()
    assert desk.locator(".outline-list").is_visible()


def test_outline_marks_the_part_in_view(reader: Reader):
    page = reader.open(width=1440)

    page.locator(".outline-list a", has_text="Ask number 3").click()

    page.locator(".outline-list [aria-current]", has_text="number 3").wait_for()


def test_keys_step_through_prompts(reader: Reader):
    page = reader.open(width=1440)

    page.keyboard.press("j")
    page.keyboard.press("j")
    second = page.evaluate("document.activeElement.id")
    page.keyboard.press("k")

    assert second == "m-000000c8"
    assert page.evaluate("document.activeElement.id") == "m-00000064"
    assert place_of(page).endswith("#m-00000064")
    page.locator(".outline-list [aria-current]", has_text="Ask number 1").wait_for()


@pytest.mark.parametrize("frames", [0, 1, 2, 3])
def test_keys_step_as_fast_as_they_are_struck(reader: Reader, frames: int):
    page = reader.open(width=1440)

    seen = page.evaluate(
        """async (frames) => {
            const after = (done) => requestAnimationFrame(() => setTimeout(done));
            const seen = [];
            for (const key of "jjkjjkk") {
                const struck = new KeyboardEvent("keydown", { key, bubbles: true });
                document.body.dispatchEvent(struck);
                seen.push(document.activeElement.id);
                for (let left = frames; left; left -= 1) await new Promise(after);
            }
            return seen;
        }""",
        frames,
    )

    assert seen == [f"m-{number:08x}" for number in (100, 200, 100, 200, 300, 200, 100)]


def test_keys_step_through_paths(reader: Reader):
    page = reader.open()

    page.keyboard.press("]")
    page.wait_for_url("**?next")
    page.keyboard.press("[")

    page.wait_for_url("**?previous")


def test_key_unfolds_everything_and_folds_it_again(reader: Reader):
    page = reader.open()
    closed = "document.querySelectorAll('main details:not([open])').length"

    page.keyboard.press("e")
    left_closed = page.evaluate(closed)
    page.keyboard.press("e")

    assert left_closed == 0
    assert page.evaluate(closed) > 5


def test_help_lists_the_keys(reader: Reader):
    page = reader.open()

    page.keyboard.press("?")

    dialog = page.get_by_role("dialog", name="Keyboard shortcuts")
    assert dialog.is_visible()
    assert "previous prompt" in dialog.inner_text()
    page.keyboard.press("Escape")
    assert not dialog.is_visible()


def test_escape_closes_the_help_before_what_it_lies_over(reader: Reader):
    page = reader.open()
    page.keyboard.press("/")
    finder = page.locator(".finder")
    page.locator("h1").click()
    page.keyboard.press("?")

    page.keyboard.press("Escape")

    assert not page.get_by_role("dialog", name="Keyboard shortcuts").is_visible()
    assert finder.is_visible()
    page.keyboard.press("Escape")
    assert not finder.is_visible()


def test_filters_live_in_the_address(reader: Reader):
    page = reader.open(width=1440)

    page.get_by_role("switch", name="Tools").click()
    page.get_by_role("switch", name="Thinking").click()

    assert place_of(page).endswith("#/hide=thinking,tool")
    assert page.locator(".tool:visible, .thinking:visible").count() == 0
    assert page.locator(".reply:visible").count() > 0
    assert reader.troubles == []


def test_notices_before_the_first_prompt_stand_beside_each_other(reader: Reader):
    page = reader.open(width=360)

    page.evaluate(
        """() => {
          const notice = document.querySelector(".turn .notice");
          const prompt = document.querySelector(".turn:first-child > .prompt");
          prompt.before(notice.cloneNode(true), notice.cloneNode(true));
        }"""
    )
    boxes = [one.bounding_box() for one in page.locator(".notice:has(~ .prompt)").all()]

    (first, second) = filter(None, boxes)
    assert first["y"] == second["y"]
    assert first["x"] < second["x"]


def test_address_with_filters_hides_what_it_names(reader: Reader):
    page = reader.open(width=1440, at="#/hide=reply,nonsense")

    assert page.locator(".reply:visible").count() == 0
    assert page.locator(".tool:visible").count() > 0
    button = page.get_by_role("switch", name="Replies")
    assert button.get_attribute("aria-checked") == "false"
    button.click()
    assert page.locator(".reply:visible").count() > 0
    assert "#" not in place_of(page)


def test_link_to_a_message_in_a_fold_opens_it(reader: Reader):
    page = reader.open(at="#m-00000070")

    fold = page.locator("#m-00000070")
    assert fold.evaluate("element => element.open") is True


def test_code_can_be_copied(reader: Reader):
    page = reader.open()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    page.locator(".reply pre.code").first.hover()
    page.locator(".reply .code-box").first.get_by_role("button", name="Copy").click()

    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith(
        "def f(x: int) -> str:"
    )


def test_copy_button_is_no_part_of_what_is_copied(reader: Reader):
    page = reader.open()

    page.locator(".reply pre.code").first.hover()

    text = page.locator(".reply .code-box code").first.inner_text()
    assert "Copy" not in text


def test_skip_link_leads_to_the_content(reader: Reader):
    page = reader.open()

    page.keyboard.press("Tab")
    skip = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")

    assert skip == "Skip to the content"
    assert page.evaluate("document.activeElement.id") == "main"


def test_print_shows_what_is_open_and_leaves_navigation_out(reader: Reader):
    page = reader.open()

    page.emulate_media(media="print")

    assert page.locator(".tool.ok .diff").first.is_visible() is False
    page.locator(".tool.ok:has(.diff) > summary").first.click()
    assert page.locator(".tool.ok .diff").first.is_visible()
    assert page.locator(".bar, .outline-box, .path-nav").first.is_visible() is False
    sign = "getComputedStyle(document.querySelector('main summary'), '::before').display"
    assert page.evaluate(sign) == "none"
    style = "getComputedStyle(document.querySelector('.reply .by')).breakAfter"
    assert page.evaluate(style) == "avoid"
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.frame')).minHeight")
        == "0px"
    )
    expect(page.locator(".foot")).to_contain_text("project")
    expect(page.locator(".foot")).to_contain_text("session s")


def test_page_has_one_title_and_its_landmarks(reader: Reader):
    page = reader.open()

    assert page.get_by_role("heading", level=1).count() == 1
    for tag in ("body > header", "main", "body > footer"):
        assert page.locator(tag).count() == 1
    names = page.locator("nav").evaluate_all("navs => navs.map(nav => nav.ariaLabel)")
    assert all(names)


def test_the_outline_of_a_phone_covers_all_above_its_bar_and_can_be_closed(reader: Reader):
    page = reader.open(width=360, at="#m-000000c8")
    expect(page.locator(".about")).to_be_visible()
    page.locator(".steps [data-action=outline]").click()

    expect(page.locator(".about")).to_be_hidden()
    close = page.get_by_role("button", name="Close the outline")
    sheet, bar, button = (
        it.evaluate("it => it.getBoundingClientRect().toJSON()")
        for it in (page.locator(".outline-box"), page.locator(".steps"), close)
    )
    assert abs(sheet["bottom"] - bar["top"]) <= 1
    assert min(button["width"], button["height"]) >= 24

    close.click()
    expect(page.locator(".outline-box")).to_be_hidden()
    expect(page.locator(".steps [data-action=outline]")).to_be_focused()


def test_a_link_to_thinking_without_words_frames_what_it_leads_to(reader: Reader):
    page = reader.open(at="#m-00000066")

    framed = page.locator(".entry:has(> * > span:target)")

    expect(framed).to_have_css("outline-style", "solid")
    assert framed.evaluate("it => it.offsetHeight") > 20


def test_what_is_wider_fades_at_its_right_until_it_is_scrolled_to_its_end(reader: Reader):
    page = reader.open(width=1440)
    page.keyboard.press("e")
    wide = page.locator(".reply .table-scroll").first

    expect(wide).not_to_have_css("mask-image", "none")
    wide.evaluate("it => it.scrollTo(it.scrollWidth, 0)")

    expect(wide).to_have_css("mask-image", "none")


def test_each_paragraph_begins_where_its_script_does_and_code_at_the_left(reader: Reader):
    page = reader.open(width=1440)
    mixed = (
        "<p>\u0645\u0631\u062d\u0628\u0627</p><pre class=code>def f():</pre><p>Hello</p>"
    )

    sides = page.locator(".reply .prose").first.evaluate(
        """(it, mixed) => {
          it.innerHTML = mixed;
          const place = it.getBoundingClientRect(), range = document.createRange();
          return [...it.children].map(one => {
            range.selectNodeContents(one);
            const { left, right } = range.getBoundingClientRect();
            return left - place.left < place.right - right ? "left" : "right";
          });
        }""",
        mixed,
    )

    assert sides == ["right", "left", "left"]


def test_a_wide_table_is_printed_as_wide_as_the_paper(reader: Reader):
    page = reader.open(width=800)
    page.keyboard.press("e")

    page.emulate_media(media="print")

    over = "it => it.scrollWidth - it.clientWidth"
    assert page.locator(".reply .table-scroll").first.evaluate(over) <= 0
