"""Search and the preview, as a reader meets them: in a browser, over http."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import (  # type: ignore[import-untyped]  # no types
    Axe,
)
from playwright.sync_api import expect

from browser.conftest import AXE, Reader
from browser.waiting import place_of, rest, until
from everyleaf.build import build_site
from everyleaf.config import BuildOptions
from everyleaf.preview import open_preview
from everyleaf.search import index
from sessions import FORKED as TWO_WAYS, call, nth, prompt, result, write_records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page, Route

QUINCES = {
    **{at: f"Prompt {at}: quinces, a marmalade of them" for at in (10, 20, 30)},
    50: "Make marmalade quince now",
}
"""The words of one question, begun with and as they were typed."""
SIGNS = {
    44: "Prompt 44 → see PR #7 there",
    46: "ask git / GitHub first // files │ merge, MODE=fast",
    52: "Then `a || pick(b) * c` and » run",
    54: "Environments first: only .env.local is read",
    60: "On soph/issue-63-deferred-credential-tool see ADR-0018 and #228-229",
    58: "마이그레이션(2ce9805)을 #230에서, 1a2b3c4..5d6e7f8, run(theHook)",
    56: "With go 1.24.0 there are 124 lines, 0.6666666666666666, v0.16 and mcp>=2.0.1",
    48: "ライブラリのアップデートをする",
}
"""Words with signs alone between them, and words with nothing between them."""
PROMPT = "Look for the needle in cmd/planner.go please"


def lines(count: int) -> str:
    made: list[str] = []
    parent = None
    for number in range(count):
        is_prompt = number % 2 == 0
        text = f"Prompt {number}: lorem ipsum dolor" if is_prompt else "Sure. " * 60
        if number == 40:
            text = PROMPT
        if number == 42:
            text = "Prompt 42: lorem, a winter of tide-marks"
        text = (QUINCES | SIGNS).get(number, text)
        role = "user" if is_prompt else "assistant"
        uuid = f"{number:08}-0000-4000-8000-000000000000"
        minute = f"2026-01-01T{number // 60:02}:{number % 60:02}:00Z"
        said = {"type": "text", "text": text}
        record = nth(number, role, said, uuid=uuid, parentUuid=parent, timestamp=minute)
        parent = uuid
        made.append(json.dumps(record) + "\n")
    return "".join(made)


def build(archive: Path, site_dir: Path, *, has_search: bool) -> None:
    options = BuildOptions(
        sources=(archive,), output_dir=site_dir, jobs=1, has_search=has_search
    )
    build_site(options, on_progress=lambda _stage, _done, _total: None)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    folder.mkdir()
    title = {"type": "custom-title", "sessionId": "s", "customTitle": "A winter of tides"}
    (folder / "s.jsonl").write_text(f"{lines(80)}{json.dumps(title)}\n")
    return folder


@contextmanager
def reading(
    browser: Browser, archive: Path, *, has_search: bool = True
) -> Iterator[Reader]:
    """Someone who reads a site of an archive, and meets no trouble."""
    site_dir = archive.parent / "site"
    build(archive, site_dir, has_search=has_search)
    with open_preview(site_dir, 0) as address:
        reader = Reader(browser, address)
        yield reader
        for context in reader.contexts:
            context.close()
    assert reader.troubles == []


@pytest.fixture
def searched(browser: Browser, archive: Path) -> Iterator[Reader]:
    """Someone who reads a site that can be searched."""
    with reading(browser, archive) as reader:
        yield reader


def find(page: Page, words: str) -> None:
    page.fill("[data-seeker] [name=q]", words)
    page.wait_for_selector(".result, .seeker-said:has-text('Nothing')")


def test_a_slash_leads_to_the_search_and_a_result_to_its_message(searched: Reader) -> None:
    page = searched.open()

    page.keyboard.press("/")
    page.wait_for_url("**/search.html")
    find(page, "needle")
    page.click(".passage.to-prompt")

    page.wait_for_url("**/transcripts/transcript_s.html#/find=needle&at=m-00000040")
    entry = page.locator("#m-00000040")
    assert PROMPT in entry.inner_text()
    assert 0 <= entry.evaluate("e => e.getBoundingClientRect().top") < 700


def test_what_was_found_is_marked_and_the_address_keeps_the_question(
    searched: Reader,
) -> None:
    page = searched.open(at="search.html#/q=needle")
    page.wait_for_selector(".result")
    marked = page.locator(".passage mark").all_inner_texts()
    excerpt = page.locator(".passage > span").last.inner_text()

    page.select_option("[name=status]", "abandoned")
    page.wait_for_selector(".seeker-said:has-text('Nothing found')")

    assert marked == ["needle"]
    assert excerpt.strip() == PROMPT  # No full stop that nobody wrote.
    assert page.locator(".result").count() == 0
    assert place_of(page).endswith("search.html#/q=needle&status=abandoned")
    page.select_option("[name=status]", "active")
    page.wait_for_selector(".result")


def test_a_question_in_the_query_of_the_address_is_asked(searched: Reader) -> None:
    page = searched.open(at="search.html?q=needle")
    page.wait_for_selector(".result")
    field = page.locator("[data-seeker] [name=q]")
    assert field.input_value() == "needle"

    field.fill("lorem")

    page.wait_for_url("**/search.html#/q=lorem")
    page.reload()
    page.wait_for_selector(".result")
    assert field.input_value() == "lorem"


def said(page: Page, words: str) -> str:
    page.locator(".seeker-said").evaluate("said => { said.textContent = '' }")
    page.fill("[data-seeker] [name=q]", words)
    page.wait_for_selector(".seeker-said:not(:empty, :text('Searching'))")
    return page.locator(".seeker-said").inner_text()


def test_what_is_exact_comes_first_and_what_is_not_is_said_to_be_similar(
    searched: Reader,
) -> None:
    page = searched.open(at="search.html")

    told = [said(page, words) for words in ("needle", "lorem", "needles", "qqqqxx")]

    assert told[0] == "1 message in 1 session"
    assert told[1].endswith("messages in 1 session")
    assert told[2] == "Nothing exact; similar: 1 message in 1 session"
    assert "Nothing" in told[3]


def test_words_as_they_were_typed_are_among_the_first(searched: Reader) -> None:
    page = searched.open(at="search.html")

    find(page, "marmalade quince")

    said = page.locator(".passage > span:last-child").all_inner_texts()
    assert [text.strip() for text in said] == [QUINCES[at] for at in (10, 20, 50)]


@pytest.mark.parametrize("width", [360, 1440])
def test_who_arrives_steps_through_the_messages_that_the_search_counted(
    searched: Reader, width: int
) -> None:
    page = searched.open(at="search.html", width=width)
    find(page, "marmalade quince")
    expect(page.locator(".seeker-said")).to_have_text("4 messages in 1 session")
    page.click(".passage.to-prompt >> nth=2")

    expect(page.locator(".found")).to_have_text(re.compile("^message 4 of 4"))
    rest(page)
    entry = page.locator(".entry.at")
    assert entry.get_attribute("id") == "m-00000050"
    ends = page.locator(".finder").evaluate("e => e.getBoundingClientRect().bottom")
    assert entry.evaluate("e => e.getBoundingClientRect().top") >= ends
    page.click(".finder [data-action=down]")
    expect(page.locator(".found")).to_have_text(re.compile("^message 1 of 4"))
    expect(entry).to_have_attribute("id", "m-00000010")


DENIED = {
    "type": "tool_result",
    "tool_use_id": "toolu_c",
    "is_error": True,
    "content": "The user doesn't want to proceed with this tool use. The tool use was"
    " rejected. To tell you how to proceed, the user said:\nask the harbour master",
}


def test_what_a_person_said_when_refusing_is_found_and_arrived_at(
    browser: Browser, archive: Path
) -> None:
    refused = result("r", "c", "")
    refused["message"]["content"] = [DENIED]
    records = [
        prompt("p", None, "Sail away."),
        call("c", "p", "Bash", command="make sail", description="Hoist the spinnaker"),
        refused,
    ]
    write_records(archive / "s.jsonl", records)
    with reading(browser, archive) as reader:
        page = reader.open(at="search.html")
        assert said(page, '"hoist the spinnaker"') == "1 message in 1 session"
        assert said(page, '"the harbour master"') == "1 message in 1 session"
        kind = page.locator(".passage .kind")
        assert kind.inner_text().startswith("Answer at prompt 1")

        page.click(".passage")

        expect(page.locator(".found")).to_have_text("message 1 of 1 · answer")
        expect(page.get_by_text("ask the harbour master").first).to_be_in_viewport()


LONG_LOG = [
    prompt("p", None, "Read the log."),
    call("c", "p", "Bash", command="cat app.log"),
    result("r", "c", "\n".join(f"line {at} of the log" for at in range(4000))),
    *(
        prompt(f"q{at}", f"q{at - 1}" if at > 1 else "r", f"{at}: Log the log")
        for at in range(1, 10)
    ),
]


def test_what_the_search_led_to_stays_until_other_words_are_typed(
    browser: Browser, archive: Path
) -> None:
    write_records(archive / "s.jsonl", LONG_LOG)
    with reading(browser, archive) as reader:
        page = reader.open(at="search.html")
        find(page, '"log → the log"')
        page.click(".passage >> nth=1")
        found, field = page.locator(".found"), page.locator(".finder input")
        marks = "[...CSS.highlights.get('found')].length"
        expect(found).to_have_text("message 2 of 9 · prompt")

        with page.expect_response("**/blobs/*"):
            field.click()
        page.wait_for_timeout(400)  # Longer than typing waits.

        expect(found).to_have_text("message 2 of 9 · prompt")
        assert page.evaluate(marks) == 9
        field.press("Escape")
        assert page.evaluate("CSS.highlights.size") == 0
        page.keyboard.press("/")
        assert page.evaluate(marks) == 9
        field.press("Enter")
        expect(found).to_have_text("message 3 of 9 · prompt")
        field.fill('"log the log"')
        expect(found).to_have_text(re.compile(r"^\d of 9 · prompt"))
        onward = page.get_by_role("link", name="Search all sessions")
        onward.click()
        expect(page.locator(".seeker-said")).to_have_text("9 messages in 1 session")


def test_who_arrives_from_a_phrase_meets_it_with_its_signs(
    browser: Browser, archive: Path
) -> None:
    asked = ["if err != nil {", "if err == nil { // once", "So if err != nil { again"]
    records = [
        prompt(f"p{at}", f"p{at - 1}" if at else None, it) for at, it in enumerate(asked)
    ]
    write_records(archive / "s.jsonl", records)
    with reading(browser, archive) as reader:
        page = reader.open(at="search.html")
        assert said(page, '"if err != nil {"') == "2 messages and 1 title in 1 session"
        assert said(page, '"err == nil {"') == "1 message in 1 session"
        assert page.locator(".passage mark").all_inner_texts() == ["err == nil"]
        page.click(".passage")

        expect(page.locator(".found")).to_have_text("message 1 of 1 · prompt")


def test_who_arrives_from_a_sentence_meets_it_before_its_words(
    browser: Browser, archive: Path
) -> None:
    asked = "It was a title. " * 40 + "Then the push got a 401 from it."
    strewn = prompt("o", None, "A 401 got the push.")
    write_records(archive / "s.jsonl", [strewn, prompt("p", "o", asked)])
    with reading(browser, archive) as reader:
        page = reader.open(at="search.html")
        find(page, "push got a 401")
        page.click(".passage")

        expect(page.locator(".found")).to_have_text("message 2 of 2 · prompt")
        marks = "[...CSS.highlights.get('found')].map(String)"
        assert page.evaluate(marks)[-1] == "push got a 401"
        expect(page.locator(".finder input")).to_have_value("push got a 401")


def test_who_arrives_from_words_meets_them_where_they_begin(
    browser: Browser, archive: Path
) -> None:
    write_records(
        archive / "s.jsonl", [prompt("p", None, "Write a title of 4.01 KB: it is 401")]
    )
    with reading(browser, archive) as reader:
        page = reader.open(at="search.html")
        find(page, "401 it")
        page.click(".passage")

        marks = "[...CSS.highlights.get('found')].map(String)"
        expect(page.locator(".found")).to_have_text("message 1 of 1 · prompt")
        assert page.evaluate(marks) == ["it", "401"]


def test_next_leads_to_the_command_of_a_call_where_it_is_shown(
    browser: Browser, archive: Path
) -> None:
    records = [
        prompt("p", None, "Rebase it"),
        call("a", "p", "Bash", command="git rebase main", description="Move it"),
        result("b", "a", "done"),
        call("c", "b", "Bash", command="git rebase --abort", description="Take back"),
        result("d", "c", "done"),
    ]
    write_records(archive / "s.jsonl", records)
    with reading(browser, archive) as reader:
        page = reader.open(at="search.html")
        find(page, "git rebase")
        page.click(".passage >> nth=0")
        expect(page.locator(".found")).to_have_text("message 1 of 2 · tool call")
        page.click("[data-action=down]")
        expect(page.locator(".found")).to_have_text("message 2 of 2 · tool call")

        drawn = (
            "[...CSS.highlights.get('found-now')].map((it) => it.getClientRects().length)"
        )
        assert page.evaluate(drawn) == [1]


def test_who_arrives_stays_at_the_message_whatever_others_say(
    browser: Browser, archive: Path
) -> None:
    asked = ["Run git-sync", *(f"Lorem {at}" for at in range(40)), "Now gitsync it"]
    records = [
        prompt(f"p{at}", f"p{at - 1}" if at else None, it) for at, it in enumerate(asked)
    ]
    write_records(archive / "s.jsonl", records)
    with reading(browser, archive) as reader:
        page = reader.open(at="search.html")
        assert said(page, "gitsync") == "2 messages and 1 title in 1 session"
        page.click(".passage:has-text('Run git-sync')")

        expect(page.locator(".found")).to_have_text("nothing found")
        expect(page.locator("#m-p0000000")).to_be_in_viewport()


def test_outputs_that_come_late_leave_the_match_in_its_place(
    browser: Browser, archive: Path
) -> None:
    write_records(archive / "s.jsonl", LONG_LOG)
    with reading(browser, archive, has_search=False) as reader:
        page = reader.open(at="transcripts/transcript_s.html#m-q6000000")
        held: list[Route] = []
        page.route("**/blobs/*", lambda it: held.append(it))  # noqa: PLW0108  (bound: refused)
        page.reload()  # What a page that is there already asks for may yet pass by.
        page.keyboard.press("/")
        page.keyboard.type("the log")
        found = page.locator(".found")
        expect(found).to_have_text(re.compile(r"^\d+ of \d+ · prompt"))
        page.keyboard.press("Enter")
        now = "CSS.highlights.get('found-now').keys().next().value.startContainer.data"
        before, told = page.evaluate(now), found.inner_text()

        for route in held:
            route.continue_()

        # There are more before it now.
        expect(found).to_have_text(re.compile(r"^4,0\d\d of 4,0\d\d · prompt"))
        assert found.inner_text() != told
        assert page.evaluate(now) == before


def test_find_looks_into_long_outputs_where_a_server_has_them(
    browser: Browser, tmp_path: Path, archive: Path
) -> None:
    printed = "\n".join(f"line {at} of the log" for at in range(4000))
    records = [
        prompt("p", None, "Read the log."),
        call("c", "p", "Bash", command="cat app.log"),
        result("r", "c", printed.replace("line 2000 of", "line 2000: Xylophone  in")),
    ]
    write_records(archive / "s.jsonl", records)
    with reading(browser, archive, has_search=False) as reader:
        page = reader.open(at="transcripts/transcript_s.html")
        page.keyboard.press("/")
        page.keyboard.type("xylophone in the")
        expect(page.locator(".found")).to_have_text("1 of 1 · long output")
        expect(page.locator(".gap a")).to_be_in_viewport()
        page.goto((tmp_path / "site/transcripts/transcript_s.html").as_uri())
        page.keyboard.press("/")
        page.keyboard.type("xylophone")
        told = "nothing found; long outputs are not searched"
        expect(page.locator(".found")).to_have_text(told)


@pytest.mark.parametrize(
    ("words", "told", "marked"),
    [
        ('"sure. sure"', "40 messages in 1 session", {". ".join(["Sure"] * 32)}),
        # A phrase is found as it is, signs too.
        (
            '"sure sure"',
            "Nothing exact; similar: 40 messages in 1 session",
            {". ".join(["Sure"] * 32)},
        ),
        ('"the needle in"', "1 message in 1 session", {"the needle in"}),
        ('".env"', "1 message in 1 session", {"env.local"}),
        # A number with a dot is no other without.
        ("go 1.24", "1 message in 1 session", {"go 1.24.0"}),
        ('"1.24"', "1 message in 1 session", {"1.24.0"}),
        ("124", "1 message in 1 session", {"124"}),
        ("1.2", "Nothing found", set()),
        # Some parts of a name with hyphens are found like all of it.
        (
            "deferred-credential",
            "1 message in 1 session",
            {"issue-63-deferred-credential-tool"},
        ),
        (
            '"63-deferred"',
            "1 message in 1 session",
            {"issue-63-deferred-credential-tool"},
        ),
        ("ADR 0018", "1 message in 1 session", {"ADR-0018"}),
        ("#228", "1 message in 1 session", {"228"}),
        ("#229", "Nothing found", set()),
        # So is what signs of programs part, and a number in Korean.
        ("2ce9805", "1 message in 1 session", {"2ce9805"}),
        ("5d6e7f8", "1 message in 1 session", {"5d6e7f8"}),
        ("#230", "1 message in 1 session", {"230"}),
        ("theHook", "1 message in 1 session", {"theHook"}),
        ("run(thehook)", "1 message in 1 session", {"run(theHook"}),
        ('"go 1.24"', "1 message in 1 session", {"go 1.24.0"}),
        ("2.0", "1 message in 1 session", {"2.0.1"}),
        ("0.16", "1 message in 1 session", {"0.16"}),
        ("0.6666666666666666", "1 message in 1 session", {"0.6666666666666666"}),
        ("v0.16", "1 message in 1 session", {"v0.16"}),
        ("mcp>=2.0.1", "1 message in 1 session", {"mcp>=2.0.1"}),
        ('"needle please"', "Nothing found", set()),
        ("(cmd/planner.go),", "1 message in 1 session", {"cmd/planner.go"}),
        ("prompt 4", "1 message in 1 session", {"Prompt 4"}),
        ("PR #4", "Nothing found", set()),
        ('"see PR #7 there"', "1 message in 1 session", {"see PR #7 there"}),
        ('"Prompt 44 → see"', "1 message in 1 session", {"Prompt 44 → see"}),
        ('"git / GitHub first"', "1 message in 1 session", {"git / GitHub first"}),
        ('"cmd/planner.go"', "1 message in 1 session", {"cmd/planner.go"}),
        (
            '"git/GitHub"',
            "Nothing exact; similar: 1 message in 1 session",
            {"git / GitHub"},
        ),
        ('"needle/please"', "Nothing found", set()),
        ('"│ merge,"', "1 message in 1 session", {"merge"}),
        ('"» run"', "1 message in 1 session", {"run"}),
        ('"a || pick(b) * c"', "1 message in 1 session", {"a pick(b) * c"}),
        ('"quinces,"', "3 messages in 1 session", {"quinces"}),
        (
            '"tide;"',
            "Nothing exact; similar: 1 message and 1 title in 1 session",
            {"tide-marks"},
        ),
        ('"first // files │"', "1 message in 1 session", {"first // files"}),
        (
            '"GitHub first && files"',
            "Nothing exact; similar: 1 message in 1 session",
            {"GitHub first // files"},
        ),
        ("files │ merge", "1 message in 1 session", {"files │ merge"}),
        ("mode=fast", "1 message in 1 session", {"MODE=fast"}),
        ('"lorem, a" "of tide"', "1 message in 1 session", {"lorem, a", "of tide-marks"}),
        ("→", "Nothing found", set()),
        ("アップデート", "1 message in 1 session", {"アップデート"}),
        ("アップル", "Nothing found", set()),
        ('"needle"', "1 message in 1 session", {"needle"}),
        ('"A winter of tides"', "1 title in 1 session", set()),
        (
            '"the needle in" please',
            "1 message in 1 session",
            {"the needle in", "please"},
        ),
        # Slips of the keys.
        ("neelde", "Nothing exact; similar: 1 message in 1 session", {"needle"}),
        ("needl3", "Nothing exact; similar: 1 message in 1 session", {"needle"}),
        ("need please", "1 message in 1 session", {"needle", "please"}),
        ("pleasing", "Nothing exact; similar: 1 message in 1 session", {"please"}),
        ("pleased", "Nothing exact; similar: 1 message in 1 session", {"please"}),
        ("looking", "Nothing exact; similar: 1 message in 1 session", {"Look"}),
        # Pagefind takes "in" and "for" for them.
        ("inquiry", "Nothing found", set()),
        ("forest", "Nothing found", set()),
        (
            "needle forest",
            "forest is not found. Without it: 1 message in 1 session",
            {"needle"},
        ),
        (
            "look needles",
            "needles is not found. Without it: 1 message in 1 session",
            {"Look"},
        ),
    ],
)
def test_what_is_asked_for_is_found_and_marked_and_nothing_far_from_it(
    searched: Reader, words: str, told: str, marked: set[str]
) -> None:
    page = searched.open(at="search.html")

    assert said(page, words) == told
    assert set(page.locator(".passage mark").all_inner_texts()) == marked
    assert page.locator(".result").count() == ("Nothing found" not in told)


def test_what_is_asked_for_is_parted_as_the_index_parts_words(searched: Reader) -> None:
    some = [
        "a",
        "Bx",
        "z0",
        "_",
        "12",
        "2024",
        "#228",
        "v1.2",
        "longname",
        "é",
        "가",
        "か",
        "字",
    ]
    signs = [*".-:=<>~@^,+→()/ ", "..", "->", "==", ">="]
    chance = Random(7)  # noqa: S311  (no secret)
    texts = [
        "".join(chance.choices(some + signs, k=chance.randint(2, 9))) for _ in range(5_000)
    ]
    page = searched.open(at="search.html")

    differ = page.evaluate(
        """(pairs) => pairs.filter(([asked, indexed]) => {
          const bared = (words) => words.map(bare).filter(Boolean).join(" ");
          return bared(asked.split(BETWEEN)) !== bared(indexed.split(/\\s+/));
        })""",
        [(text, index.spaced(text)) for text in texts],
    )

    assert differ == []


def test_of_what_fits_alike_what_was_said_stands_before_what_a_tool_said(
    browser: Browser, tmp_path: Path
) -> None:
    call = {"type": "tool_use", "name": "Bash", "input": {"command": "walrus"}}
    said_so = {"type": "text", "text": "It was the walrus"}
    first = nth(0, "user", "Ask the walrus", uuid="a", parentUuid=None)
    used = [
        nth(
            n,
            "assistant",
            {**call, "id": f"t{n}"},
            parentUuid=f"r{n - 1}" if n > 1 else "a",
        )
        for n in (1, 2, 3)
    ]
    last = nth(4, "assistant", said_so)
    write_records(tmp_path / "archive" / "s.jsonl", [first, *used, last])
    with reading(browser, tmp_path / "archive") as reader:
        page = reader.open(at="search.html#/q=walrus")
        page.wait_for_selector(".passage")
        kinds = page.locator(".passage .kind b").all_inner_texts()
        page.get_by_role("button", name="2 more here").click()
        further = page.locator(".passage .kind b").all_inner_texts()

    # The best first, and of those, as they were said.
    assert kinds == ["Prompt", "Tool", "Reply"]
    assert further == [*kinds, "Tool", "Tool"]


def test_where_nothing_is_found_the_next_step_is_offered(searched: Reader) -> None:
    page = searched.open(at="search.html#/q=needle&status=subagent")
    nothing = page.locator(".nothing")
    nothing.wait_for()
    assert page.locator(".seeker-said").inner_text() == "Nothing found"
    link = nothing.get_by_role("link").evaluate("link => link.href")
    assert link.endswith("/index.html#/q=needle")

    nothing.get_by_role("button").click()

    page.locator(".passage").wait_for()
    assert nothing.is_visible() is False
    assert page.locator("[name=status]").input_value() == ""


@pytest.mark.parametrize("words", ["planner.go", "cmd/planner.go"])
def test_a_file_is_found_by_its_name(searched: Reader, words: str) -> None:
    page = searched.open(at="search.html")

    assert said(page, words) == "1 message in 1 session"
    assert "cmd/planner.go" in page.locator(".passage").inner_text()


def test_what_more_a_page_holds_is_behind_one_button(searched: Reader) -> None:
    page = searched.open(at="search.html")
    said(page, "lorem")
    shown = page.locator(".passage").count()
    more = page.locator(".result").get_by_role("button")
    assert more.count() == 1
    hidden = int(more.inner_text().removesuffix(" more here"))

    more.click()

    assert page.locator(".passage").count() == shown + hidden > 10
    assert more.count() == 0
    assert page.evaluate("document.activeElement.className").startswith("passage")


def test_a_result_says_which_prompt_it_is_or_answers_and_when(searched: Reader) -> None:
    page = searched.open(at="search.html#/q=needle")
    page.wait_for_selector(".passage")
    (asked,) = page.locator(".passage .kind").all_inner_texts()

    said(page, "sure")
    answered = page.locator(".passage .kind").first.inner_text()

    assert asked.split() == ["Prompt", "21", "2026-01-01", "00:40", "UTC"]
    assert answered.split()[:3] == ["Reply", "to", "prompt"]


@pytest.mark.parametrize("width", [360, 800, 1440])
def test_nothing_that_is_said_of_a_result_is_covered(searched: Reader, width: int) -> None:
    page = searched.open(at="search.html#/q=needle", width=width)
    page.wait_for_selector(".passage")

    covered = page.evaluate(
        """() => [...document.querySelectorAll(".row-meta > *, .passage time, mark")]
          .filter((one) => {
            const box = one.getBoundingClientRect();
            // Parts of a line overlap a little, where they show nothing.
            const x = one.tagName === "TIME" ? box.right - 3 : box.left + box.width / 2;
            return !one.contains(document.elementFromPoint(x, box.bottom - 5));
          }).map((one) => one.textContent)"""
    )

    assert page.locator(".passage time").count() == 1
    assert covered == []


def test_a_result_of_a_path_that_was_left_says_so(browser: Browser, tmp_path: Path) -> None:
    write_records(tmp_path / "archive" / "s.jsonl", TWO_WAYS)
    with reading(browser, tmp_path / "archive") as reader:
        page = reader.open(at="search.html#/q=slow")
        page.wait_for_selector(".result")
        meta = page.locator(".result .row-meta > *").all_inner_texts()
        session = page.locator(".result .row-meta a")

        assert meta[:3] == ["ABANDONED", "Path 1 of 2", "parser"]
        assert meta[4:] == ["in Write a parser"]
        session.click()
        page.wait_for_url("**/sessions/session_s.html")


def test_messages_of_sessions_with_an_index_each_are_found_together(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "INDEX_BYTES", 1)
    for name in ("ant", "bee", "cat"):
        folder = tmp_path / "archive" / f"-w-{name}"
        folder.mkdir(parents=True)
        told = lines(50).replace("needle", f"needle of the {name}")
        told = told.replace("0000-4000", f"{name.encode().hex()[:4]}-4000")
        (folder / f"{name}.jsonl").write_text(told.replace("/w/app", f"/w/{name}"))
    with reading(browser, tmp_path / "archive") as reader:
        page = reader.open(at="search.html")
        for asked, found in (
            ("look for the needle", "3 messages in 3 sessions"),
            ('"needle of the bee"', "1 message in 1 session"),
        ):
            page.fill("[data-seeker] [name=q]", asked)
            page.wait_for_selector(f".seeker-said:text-is('{found}')")
        page.select_option("[name=project]", "cat")
        page.fill("[data-seeker] [name=q]", "needle")
        page.wait_for_selector(".result .row-meta:has-text('cat')")

    assert len(list((tmp_path / "site" / "pagefind" / "more").iterdir())) == 2


def test_filters_alone_list_what_fits(searched: Reader) -> None:
    page = searched.open(at="search.html#/month=2026-01")

    page.wait_for_selector(".result")

    meta = page.locator(".result .row-meta > span").all_inner_texts()
    assert meta == ["app", "ended 2026-01-01 01:19 UTC"]


@pytest.mark.parametrize("at", ["search.html", "search.html#/q=lorem"])
def test_axe_finds_nothing_in_light_and_dark(searched: Reader, at: str) -> None:
    page = searched.open(at=at)
    if "#" in at:
        page.wait_for_selector(".result")

    found = [(scheme, axe(page, scheme)) for scheme in ("light", "dark")]

    assert found == [("light", []), ("dark", [])]


def axe(page: Page, scheme: str) -> list[str]:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of two words
    found = Axe().run(page, options=AXE).response["violations"]
    return [violation["id"] for violation in found]


@pytest.mark.parametrize("width", [360, 800, 1440])
def test_results_fit_the_window(searched: Reader, width: int) -> None:
    page = searched.open(width=width, at="search.html#/q=lorem")

    page.wait_for_selector(".result")

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_from_a_folder_the_page_says_how_to_get_search(
    browser: Browser, tmp_path: Path, archive: Path
) -> None:
    build(archive, tmp_path / "site", has_search=True)
    someone = Reader(browser, (tmp_path / "site" / "search.html").as_uri())
    page = someone.open()

    page.wait_for_selector(".no-server")

    assert "everyleaf serve" in page.inner_text(".no-server")
    assert page.locator("[data-seeker]").count() == 0
    assert someone.troubles == []
    someone.contexts[0].close()


def watched(page: Page) -> None:
    """Wait until a page knows of itself what a change is seen by, and is at rest."""
    until(
        page,
        "performance.getEntriesByType('resource')"
        ".some((it) => it.initiatorType === 'fetch')",
    )
    rest(page)


def test_an_open_page_follows_a_growing_session_and_keeps_the_place(
    browser: Browser, tmp_path: Path, archive: Path
) -> None:
    build(archive, tmp_path / "site", has_search=False)
    with open_preview(tmp_path / "site", 0, is_live=True) as address:
        someone = Reader(browser, address)
        page = someone.open(at="transcripts/transcript_s.html")
        page.evaluate("document.getElementById('m-00000040').scrollIntoView()")
        watched(page)
        top = "document.getElementById('m-00000040').getBoundingClientRect().top"
        before = page.evaluate(top)

        (archive / "s.jsonl").write_text(lines(90))
        build(archive, tmp_path / "site", has_search=False)
        page.wait_for_selector("#m-00000088", state="attached", timeout=20_000)
        page.wait_for_load_state("load")
        rest(page)

        assert abs(page.evaluate(top) - before) < 4
        assert page.evaluate("scrollY") > 500
        assert someone.troubles == []
        someone.contexts[0].close()


@pytest.mark.parametrize("before", [1, 80], ids=["fits-the-window", "is-long"])
def test_who_reads_the_end_of_a_growing_session_stays_at_its_end(
    browser: Browser, tmp_path: Path, archive: Path, before: int
) -> None:
    (archive / "s.jsonl").write_text(lines(before))
    build(archive, tmp_path / "site", has_search=False)
    with open_preview(tmp_path / "site", 0, is_live=True) as address:
        someone = Reader(browser, address)
        page = someone.open(at="transcripts/transcript_s.html")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        watched(page)
        # Turns get their true heights when they are drawn, on a busy machine after that.
        below = "document.documentElement.scrollHeight - innerHeight - scrollY"
        until(page, f"(scrollBy(0, {below}), {below} < 4)")

        for after in (120, 160):
            (archive / "s.jsonl").write_text(lines(after))
            build(archive, tmp_path / "site", has_search=False)
            last = f"#m-{after - 1:08}"
            page.wait_for_selector(last, state="attached", timeout=20_000)
            page.wait_for_load_state("load")
            watched(page)

            until(page, f"{below} < 4")
            assert page.locator(last).evaluate("e => e.getBoundingClientRect().top") < 800
        assert someone.troubles == []
        someone.contexts[0].close()


def test_a_list_that_fits_the_window_stays_at_its_top_when_it_grows(
    browser: Browser, tmp_path: Path, archive: Path
) -> None:
    build(archive, tmp_path / "site", has_search=False)
    with open_preview(tmp_path / "site", 0, is_live=True) as address:
        someone = Reader(browser, address)
        page = someone.open()
        watched(page)

        for number in range(60):
            text = lines(2).replace("-0000-4000-", f"-{number:04}-4000-")
            # Sessions that begin alike would be one row.
            text = text.replace("Prompt 0", f"{number} is asked for")
            (archive / f"s{number}.jsonl").write_text(text.replace('"s"', f'"s{number}"'))
        build(archive, tmp_path / "site", has_search=False)
        page.wait_for_selector("[href$='s59.html']", state="attached", timeout=20_000)
        page.wait_for_load_state("load")
        rest(page)

        assert page.evaluate("document.documentElement.scrollHeight") > 1600
        assert page.evaluate("scrollY") == 0
        someone.contexts[0].close()


def test_a_page_that_is_opened_before_the_first_build_shows_what_is_built(
    browser: Browser, tmp_path: Path, archive: Path
) -> None:
    with open_preview(tmp_path / "site", 0, is_live=True) as address:
        someone = Reader(browser, address)
        page = someone.open(at="transcripts/transcript_s.html")
        said = page.inner_text("h1")
        watched(page)
        build(archive, tmp_path / "site", has_search=False)

        page.wait_for_selector("#m-00000000", state="attached", timeout=20_000)

        assert said == "The site is being built"
        assert place_of(page).endswith("transcript_s.html")
        someone.contexts[0].close()
