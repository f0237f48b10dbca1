"""Whatever a session holds: no script of its own runs in a browser, nothing is fetched."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from everyleaf.build import build_site
from everyleaf.config import BuildOptions
from fuzz.hostile import ATTACKS, EXAMPLES
from fuzz.test_fuzz_build import NAME, _attacked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

EVERY = int(os.environ.get("EVERYLEAF_FUZZ_BROWSER_EVERY", "4"))
"""Every so many attacks is tried; 1: all."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    # Without the policy, so that what is written into pages must be harmless itself.
    with browser.new_context(bypass_csp=True) as context:
        yield context.new_page()


def listen(page):
    """Return a list that hears of every dialog and every request of `page`."""
    troubles: list[str] = []

    def hear(dialog):
        troubles.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", hear)
    page.on("request", lambda request: troubles.append(request.url))
    return troubles


def test_a_script_that_ran_would_be_heard(page, tmp_path):
    file = tmp_path / "a.html"
    policy = '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">'
    file.write_text(f"{policy}<img src=x onerror=alert(1)>")
    troubles = listen(page)

    page.goto(file.as_uri())
    page.wait_for_timeout(200)

    assert "1" in troubles


def test_no_script_of_a_session_runs_and_nothing_is_fetched(page, tmp_path):
    troubles = listen(page)
    for number, attack in enumerate(ATTACKS[::EVERY]):
        records = [_attacked(record, attack) for record in EXAMPLES[0][:6]]
        source = tmp_path / str(number) / "projects/-srv-x" / f"{NAME}.jsonl"
        source.parent.mkdir(parents=True)
        source.write_bytes(b"\n".join(json.dumps(one).encode() for one in records))
        site = tmp_path / str(number) / "site"
        options = BuildOptions(
            sources=(source.parent,), output_dir=site, has_search=False, jobs=1
        )
        build_site(options, on_progress=lambda *_: None)
        for file in sorted(site.rglob("*.html")):
            page.goto(file.as_uri())
            for each in page.query_selector_all("details:not([open]) > summary"):
                each.evaluate("each => each.parentElement.open = true")
    own = tmp_path.as_uri()
    assert not [each for each in troubles if not each.startswith(own)]
