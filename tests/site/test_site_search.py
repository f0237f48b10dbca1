"""Search in a built site: every message once, on a page that has it."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from everyleaf import sitework
from everyleaf.config import Format
from everyleaf.redact.lastlook import LastLook
from everyleaf.search import index
from everyleaf.search.pages import parse_search_pages
from sessions import write_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from everyleaf.outputs import Output
    from everyleaf.report import BuildReport
    from everyleaf.search.pages import SearchPage

    Build = Callable[..., BuildReport]
    Site = tuple[Path, BuildReport]


def pages_of(output_dir: Path) -> list[SearchPage]:
    files = sorted((output_dir / "data" / "search").glob("*.json"))
    return [page for file in files for page in parse_search_pages(file.read_bytes())]


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def test_a_message_is_found_once_however_many_pages_show_it(example_site: Site) -> None:
    output_dir, _ = example_site

    found = Counter(
        (said.anchor, said.text) for page in pages_of(output_dir) for said in page.said
    )

    assert found
    assert {one for one, count in found.items() if count > 1} == set()


def test_every_prompt_and_reply_with_words_is_found(example_site: Site) -> None:
    output_dir, _ = example_site
    shown: set[str] = set()
    for file in (output_dir / "transcripts").glob("*.html"):
        text = file.read_text(encoding="utf-8")
        shown |= set(
            re.findall(r'<article class="entry (?:prompt|reply)[^>]* id="(.+?)"', text)
        )

    found = {said.anchor for page in pages_of(output_dir) for said in page.said}

    assert shown
    assert shown - found == set()


def test_a_result_leads_to_its_message(example_site: Site) -> None:
    output_dir, _ = example_site

    for page in pages_of(output_dir):
        text = (output_dir / page.url).read_text(encoding="utf-8")
        assert [said for said in page.said if f'id="{said.anchor}"' not in text] == []


def test_a_shared_beginning_is_found_on_the_active_path(example_site: Site) -> None:
    output_dir, _ = example_site
    pages = {page.url: page for page in pages_of(output_dir)}

    facts = [json.loads(file.read_bytes()) for file in output_dir.glob("data/*.json")]
    for session in facts:
        active = [path for path in session["paths"] if path["status"] == "ACTIVE"]
        left = [path for path in session["paths"] if path["shared"] and active]
        for path in left:
            if path["status"] == "ABANDONED" and path["taken_over_by"]:
                assert len(pages[path["url"]].said) <= path["messages"] - path["shared"]
    assert {page.status for page in pages.values()} == {"active", "abandoned", "subagent"}


def test_without_search_no_page_speaks_of_it(
    tmp_path: Path, example_archive: Path, build_into: Build
) -> None:
    build_into(example_archive, tmp_path / "site")
    build_into(example_archive, tmp_path / "site", has_search=False)

    built = contents(tmp_path / "site")

    assert not any(
        "search" in url or "pagefind" in url for url in built if "assets" not in url
    )
    assert b"search.html" not in built["index.html"]
    assert b"wasm-unsafe-eval" not in built["_headers"]


def test_only_the_page_that_searches_allows_webassembly(example_site: Site) -> None:
    output_dir, _ = example_site

    allowing = [
        file.name
        for file in output_dir.rglob("*.html")
        if "wasm-unsafe-eval" in file.read_text(encoding="utf-8")
    ]

    assert allowing == ["search.html"]


def test_markdown_alone_and_a_theme_without_scripts_have_no_search(
    tmp_path: Path, example_archive: Path, build_into: Build
) -> None:
    build_into(example_archive, tmp_path / "md", formats=(Format.MARKDOWN,))
    build_into(example_archive, tmp_path / "plain", theme="plain")

    for name in ("md", "plain"):
        assert not (tmp_path / name / "pagefind").exists()
        assert not (tmp_path / name / "search.html").exists()


def test_two_builds_have_the_same_index(
    tmp_path: Path, example_archive: Path, build_into: Build, example_site: Site
) -> None:
    build_into(example_archive, tmp_path / "site")

    again = contents(tmp_path / "site" / "pagefind")

    assert again == contents(example_site[0] / "pagefind")


def test_a_session_that_has_gone_is_still_found(
    tmp_path: Path, example_archive: Path, build_into: Build
) -> None:
    source = tmp_path / "archive"
    shutil.copytree(example_archive, source)
    build_into(source, tmp_path / "site")
    before = contents(tmp_path / "site" / "pagefind")
    gone = next(
        file
        for file in sorted(source.rglob("*.jsonl"))
        if (tmp_path / "site" / "data" / "search" / f"{file.stem}.json").is_file()
        and "subagents" not in file.parts
    )
    gone.unlink()

    build_into(source, tmp_path / "site")

    assert (tmp_path / "site" / "data" / "search" / f"{gone.stem}.json").is_file()
    others = {
        url
        for url, body in before.items()
        if url.startswith("fragment/") and gone.stem.encode() not in gzip.decompress(body)
    }
    assert others
    assert others <= contents(tmp_path / "site" / "pagefind").keys()


def test_what_stands_of_the_index_is_not_looked_through_again(
    tmp_path: Path,
    example_archive: Path,
    build_into: Build,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = tmp_path / "archive"
    shutil.copytree(example_archive, source)
    build_into(source, tmp_path / "site")
    looked: list[str] = []
    clean = LastLook.clean

    def noted(self: LastLook, url: str, body: bytes) -> tuple[bytes, tuple[str, ...]]:
        looked.append(url)
        return clean(self, url, body)

    monkeypatch.setattr(LastLook, "clean", noted)
    project = next(source.rglob("*.jsonl")).parent
    write_session(project, "11111111-0000-4000-8000-000000000000", prefix="new")

    build_into(source, tmp_path / "site")

    standing = contents(tmp_path / "site" / "pagefind")
    again = [url for url in looked if url.startswith("pagefind/")]
    assert 0 < len(again) < len(standing) / 2


@pytest.fixture
def indexed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give each session an index of its own; return the folders of those that are made."""
    made: list[str] = []

    def build_index(pages: Iterable[SearchPage], folder: str) -> list[Output]:
        made.append(folder)
        return index.build_index(pages, folder)

    monkeypatch.setattr(index, "INDEX_BYTES", 1)
    monkeypatch.setattr(sitework, "build_index", build_index)
    return made


def write_project(source: Path, name: str, exchanges: int) -> None:
    file = write_session(source / name, name, exchanges, prefix=name)
    file.write_text(file.read_text().replace("/w/app", f"/w/{name}"))


def test_only_the_index_of_a_session_that_changed_is_made_anew(
    tmp_path: Path, build_into: Build, indexed: list[str]
) -> None:
    source = tmp_path / "projects"
    for exchanges, name in enumerate("cba", 1):
        write_project(source, name, exchanges)
    build_into(source, tmp_path / "site")
    first = sorted(indexed)
    indexed.clear()
    write_project(source, "c", 2)

    build_into(source, tmp_path / "site")
    again = list(indexed)
    build_into(source, tmp_path / "cold")

    assert len(set(first)) == 3
    assert len(again) == 1
    assert again[0] != "pagefind/"
    assert contents(tmp_path / "site") == contents(tmp_path / "cold")
    programs = [*(tmp_path / "site").rglob("pagefind.js"), *tmp_path.glob("site/**/wasm.*")]
    assert len(programs) == 2


@pytest.mark.parametrize("damage", ["delete", "edit"])
def test_an_index_that_is_not_whole_is_made_anew(
    tmp_path: Path, build_into: Build, indexed: list[str], damage: str
) -> None:
    source = tmp_path / "projects"
    for exchanges, name in enumerate("ba", 1):
        write_project(source, name, exchanges)
    build_into(source, tmp_path / "site")
    before = contents(tmp_path / "site")
    indexed.clear()
    file = next((tmp_path / "site" / "pagefind" / "more").rglob("*.pf_fragment"))
    file.unlink() if damage == "delete" else file.write_bytes(b"other")

    build_into(source, tmp_path / "site", is_forced=True)

    assert [folder.startswith("pagefind/more/") for folder in indexed] == [True]
    assert contents(tmp_path / "site") == before
