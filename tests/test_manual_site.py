"""`just manual`: the manual as pages that the program draws."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import html5lib
import pytest

from browser.conftest import Reader
from everyleaf.cli.manual import topics
from everyleaf.preview import open_preview

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SCRIPT = Path(__file__).parents[1] / "generator" / "manual_site.py"


def write_manual(folder: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(SCRIPT), str(folder)])
        runpy.run_path(str(SCRIPT), run_name="__main__")


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("manual") / "site"
    write_manual(folder)
    return folder


def test_every_topic_and_command_has_a_page(manual):
    assert {f"{name}.html" for name in topics()} <= {page.name for page in manual.iterdir()}


def test_every_link_leads_to_a_page_or_a_section_of_one(manual):
    pages = {page.name: page.read_text("utf-8") for page in manual.glob("*.html")}

    for name, text in pages.items():
        for link in re.findall(r'(?:href|src)="(?!https?:|data:)([^"]*)"', text):
            # What is not found is shown for addresses below a folder.
            address = link.removeprefix("../") if name == "404.html" else link
            file, _, anchor = address.partition("#")
            assert (manual / (file or name)).is_file(), (name, link)
            assert not anchor or f'id="{anchor}"' in pages[file or name], (name, link)


def test_a_page_is_sound_html_under_our_policy(manual):
    parser = html5lib.HTMLParser(strict=True)

    for page in manual.glob("*.html"):
        text = page.read_text("utf-8")
        parser.parse(text)
        assert "Content-Security-Policy" in text
        assert "<!--" not in text


def test_what_was_made_stays_as_it_is_when_nothing_changes(manual, capsys):
    write_manual(manual)

    assert re.match(r"wrote 0, kept \d+, deleted 0", capsys.readouterr().out)


def test_each_page_ends_two_screens_from_where_it_began(browser: Browser, manual: Path):
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    heights: dict[str, int] = {}
    for file in manual.glob("*.html"):
        page.goto(file.as_uri())
        heights[file.name] = page.evaluate("document.documentElement.scrollHeight")
    context.close()

    assert {name: high for name, high in heights.items() if high > 2 * 900} == {}


def test_a_reader_finds_a_word_in_the_section_that_has_it(browser: Browser, manual: Path):
    with open_preview(manual, 0) as address:
        someone = Reader(browser, address)
        page = someone.open(at="search.html")
        page.fill("[name=q]", "umask")
        page.wait_for_selector(".result mark")
        page.click(".result a")

        page.wait_for_url("**/publishing.html#for-everybody-or-for-you-alone")
        for context in someone.contexts:
            context.close()
    assert someone.troubles == []
