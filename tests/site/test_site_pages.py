"""Every page of the built example: valid, small, and the same in every theme."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import html5lib
import pytest

from sessions import SESSION, prompt, reply, write_records

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from everyleaf.report import BuildReport

    Site = tuple[Path, BuildReport]

OVERHEAD_BYTES = 12_000
"""Of a transcript's page, besides its conversation and the outline of it."""


@pytest.fixture(scope="module")
def plain_site(
    example_archive: Path,
    tmp_path_factory: pytest.TempPathFactory,
    build_into: Callable[..., BuildReport],
) -> Site:
    output_dir = tmp_path_factory.mktemp("plain") / "site"
    return output_dir, build_into(example_archive, output_dir, theme="plain")


def test_what_is_said_in_an_odd_shape_is_shown(
    tmp_path: Path, build_into: Callable[..., BuildReport]
) -> None:
    said = {"type": "text", "text": "Said in an object"}
    odd = [
        prompt("p1", None, "Begin"),
        reply("r1", "p1", "") | {"message": {"role": "assistant", "content": said}},
        prompt("p2", "r1", "") | {"message": "Said without a message"},
        reply("r2", "p2", ""),
    ]
    odd[3]["message"]["content"] = [{"type": "text", "text": ["Said in a list"]}]
    write_records(tmp_path / "projects" / "-w-app" / f"{SESSION}.jsonl", odd)
    build_into(tmp_path / "projects", tmp_path / "site")
    pages = [*(tmp_path / "site").rglob(f"transcript_{SESSION}*")]

    assert {page.suffix for page in pages} == {".html", ".md"}
    for page in pages:
        text = page.read_text("utf-8")
        assert "Said in an object" in text
        assert "Said without a message" in text
        assert "Said in a list" in text


def errors(file: Path) -> list[str]:
    """Return what a strict HTML parser has against `file`."""
    parser = html5lib.HTMLParser()
    parser.parse(file.read_bytes(), transport_encoding="utf-8")
    return [f"{file.name}:{place[0]}: {code}" for place, code, _ in parser.errors]


def test_every_page_is_valid_html(example_site: Site):
    pages = sorted(example_site[0].rglob("*.html"))

    assert len(pages) > 50
    assert [error for page in pages for error in errors(page)] == []


def test_every_page_of_the_plain_theme_is_valid_html(plain_site: Site):
    pages = sorted(plain_site[0].rglob("*.html"))

    assert len(pages) > 50
    assert [error for page in pages for error in errors(page)] == []


@pytest.mark.parametrize("theme", ["example_site", "plain_site"])
def test_what_the_first_paint_waits_for_stands_before_the_content(
    request: pytest.FixtureRequest, theme: str
):
    for file in sorted(request.getfixturevalue(theme)[0].rglob("*.html")):
        page = file.read_text("utf-8")
        awaited = re.findall('<link rel="expect" href="#([^"]*)" blocking="render">', page)
        if '<header class="bar"' in page:
            (name,) = awaited
            # Else a page would wait until it is whole, and a long one would stay white.
            assert f' id="{name}"' in page[: page.index('<main id="main"')], file.name
        else:
            assert awaited == [], file.name


def test_a_transcript_costs_little_besides_its_conversation(example_site: Site):
    sizes = {
        page.name: len(without_conversation(page.read_text("utf-8")).encode())
        for page in sorted(example_site[0].glob("transcripts/*.html"))
    }

    assert max(sizes.values()) <= OVERHEAD_BYTES, sizes


def without_conversation(page: str) -> str:
    begin = page.index('<div class="conversation" id="conversation">')
    end = page.rindex("</div>", begin, page.index("</main>"))
    rest = page[:begin] + page[end:]
    return re.sub(r'<ol class="outline-list">.*?</ol>', "", rest, flags=re.DOTALL)


def test_the_plain_theme_has_the_same_pages_and_loads_no_script(
    example_site: Site, plain_site: Site
):
    def pages(site: Site) -> set[str]:
        return {str(page.relative_to(site[0])) for page in site[0].rglob("*.html")}

    # To search is what no page can do without a script.
    assert pages(plain_site) == pages(example_site) - {"search.html"}
    scripts = [
        page.name
        for page in plain_site[0].rglob("*.html")
        if "<script" in page.read_text("utf-8")
    ]
    assert scripts == []
    assert sorted(file.suffix for file in (plain_site[0] / "assets").iterdir()) == [
        ".css",
        ".svg",
    ]
