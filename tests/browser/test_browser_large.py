"""A transcript of 5,000 records, opened and scrolled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from browser.conftest import Reader
from everyleaf.build import build_site
from everyleaf.config import BuildOptions
from hanging import HANG_MS
from sessions import nth, write_records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

RECORDS = 5_000
SESSION = "5e551000-0000-4000-8000-000000000000"


def record(number: int) -> dict[str, object]:
    """Return a prompt or a reply of a long conversation about nothing."""
    is_prompt = number % 10 == 0
    text = (
        f"Message {number}: **what** about `name_{number}`?\n\n```python\nx = {number}\n```"
    )
    uuids = [f"{at:08x}-0000-4000-8000-000000000000" for at in (number, number - 1)]
    return nth(
        number,
        "user" if is_prompt else "assistant",
        {"type": "text", "text": text},
        uuid=uuids[0],
        parentUuid=uuids[1] if number else None,
        timestamp=f"2026-03-01T{number // 600:02}:{number // 10 % 60:02}:00.000Z",
    )


@pytest.fixture(scope="module")
def large_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("large")
    file = source / "projects" / "-home-ada-long" / f"{SESSION}.jsonl"
    write_records(file, map(record, range(RECORDS)))
    output_dir = source / "site"
    options = BuildOptions(sources=(source / "projects",), output_dir=output_dir, jobs=1)
    build_site(options, on_progress=lambda *_: None)
    return output_dir / "transcripts" / f"transcript_{SESSION}.html"


@pytest.fixture
def reader(browser: Browser, large_page: Path) -> Iterator[Reader]:
    someone = Reader(browser, large_page.as_uri())
    yield someone
    for context in someone.contexts:
        context.close()


def test_it_is_soon_ready_and_scrolls_to_its_end(reader: Reader):
    page = reader.open(width=1440)

    ready = page.evaluate("performance.getEntriesByType('navigation')[0].domComplete")
    scrolled = page.evaluate(
        """() => new Promise((done) => {
            const begun = performance.now();
            scrollTo(0, document.documentElement.scrollHeight);
            requestAnimationFrame(() => requestAnimationFrame(
                () => done(performance.now() - begun)));
        })"""
    )

    print(f"ready after {ready:.0f} ms, at the end {scrolled:.0f} ms later")  # noqa: T201
    assert page.locator(".entry").count() == RECORDS
    assert ready < HANG_MS
    assert scrolled < HANG_MS
    conversation = page.locator("#conversation")
    assert conversation.get_by_text(f"Message {RECORDS - 1}:").first.is_visible()
    assert reader.troubles == []


def test_a_step_to_the_next_prompt_hangs_nowhere(reader: Reader):
    page = reader.open(width=1440)

    took = page.evaluate(
        """() => {
            const begun = performance.now();
            document.body.dispatchEvent(
                new KeyboardEvent("keydown", { key: "j", bubbles: true }));
            document.body.getBoundingClientRect();
            return performance.now() - begun;
        }"""
    )

    assert page.evaluate("document.activeElement.id").startswith("m-")
    assert took < HANG_MS
