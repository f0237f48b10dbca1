"""What a build has to do after a change, in counts: the guard of incremental builds."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from everyleaf.cli.command import everyleaf, run
from everyleaf.config import OwnRule, RedactOptions
from everyleaf.pages.addresses import SiteSettings, draw_page
from everyleaf.redact.lastlook import LastLook
from sessions import line, write_session
from state.building import ROOT, build, contents

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.render.view import PageView
    from everyleaf.report import BuildReport

SESSIONS = 3
PAGES_OF_ONE = 3
"""A session with one path: its transcript in two formats, and its own page."""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return an archive of three sessions with two exchanges each."""
    project = tmp_path / "projects" / "-w-app"
    for letter in "abc":
        write_session(project, f"session-{letter}", 2, prefix=letter)
    return project


def did(report: BuildReport) -> tuple[int, int, int, int]:
    """Return (files written, pages drawn, records drawn, families drawn)."""
    counts = report.counts
    return report.wrote, counts.pages, counts.records, counts.families


def test_cold_build_draws_every_page_once(tmp_path: Path, source: Path) -> None:
    report = build(source, tmp_path / "site")

    size = sum(file.stat().st_size for file in source.iterdir())
    assert report.counts.pages == SESSIONS * PAGES_OF_ONE
    assert report.counts.records == SESSIONS * 4
    assert report.counts.families == SESSIONS
    assert report.counts.bytes_read == size
    assert report.wrote == len(contents(tmp_path / "site")) - 1


def test_unchanged_archive_is_neither_read_nor_drawn_nor_written(
    tmp_path: Path, source: Path
) -> None:
    first = build(source, tmp_path / "site")

    again = build(source, tmp_path / "site")

    assert did(again) == (0, 0, 0, 0)
    assert again.counts.bytes_read == 0
    assert (again.kept, again.paths, again.issues) == (
        first.wrote,
        first.paths,
        first.issues,
    )


def test_what_was_read_before_a_build_broke_off_is_not_read_again(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("everyleaf.site.Site.iter_outputs", _break_off)
        broken.setattr("everyleaf.indexing.IndexState.keep_facts", lambda *_: None)
        with pytest.raises(KeyboardInterrupt):
            build(source, tmp_path / "site")

    report = build(source, tmp_path / "site")

    assert report.counts.bytes_read == 0
    assert report.counts.records == SESSIONS * 4


def test_names_that_are_no_utf_8_are_read_written_and_remembered(tmp_path: Path) -> None:
    odd = os.fsdecode(b"na\xefve")
    source, site = tmp_path / odd / "projects" / f"-w-{odd}", tmp_path / f"{odd}-site"
    write_session(source, "a", 2, prefix="a")
    write_session(source, odd, 2, prefix="b")
    kept = str(tmp_path / f"{odd}-kept")

    first, again = build(source, site), build(source, site)
    codes = [
        run(everyleaf, [*command, "-q"])
        for command in (["list", str(source)], ["keep", str(source), "--to", kept])
    ]

    assert (first.paths, again.kept, did(again)) == (2, first.wrote, (0, 0, 0, 0))
    assert [*codes, run(everyleaf, ["list", kept, "-q"])] == [0, 0, 0]


def _break_off(*_: object) -> None:
    raise KeyboardInterrupt


def test_touched_archive_is_an_unchanged_one(tmp_path: Path, source: Path) -> None:
    build(source, tmp_path / "site")
    for file in source.iterdir():
        os.utime(file, (1, 1))

    again = build(source, tmp_path / "site")

    assert did(again) == (0, 0, 0, 0)
    assert again.counts.bytes_read == 0


def test_one_more_line_leaves_the_pages_of_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    def draw(settings: SiteSettings, template: str, url: str, view: PageView) -> bytes:
        drawn.extend([url] * url.startswith("files/"))
        return draw_page(settings, template, url, view)

    monkeypatch.setattr("everyleaf.pages.addresses.draw_page", draw)
    shutil.copytree(ROOT / "examples" / "archive", tmp_path / "projects")
    build(tmp_path / "projects", tmp_path / "site", has_search=False)
    cold, drawn[:] = len(drawn), []
    file = next((tmp_path / "projects").rglob("66e54b32*.jsonl"))
    leaf = json.loads(file.read_bytes().splitlines()[-1])
    more = line("user", "more-1", leaf.get("uuid"), 9, "On")
    file.write_bytes(file.read_bytes() + more.encode())

    build(tmp_path / "projects", tmp_path / "site", has_search=False)

    assert cold > 10
    assert len(drawn) <= 2  # The session's two files, if its paths were numbered anew.


def test_one_more_line_draws_its_session_alone(tmp_path: Path, source: Path) -> None:
    build(source, tmp_path / "site")
    size = (source / "session-b.jsonl").stat().st_size
    file = write_session(source, "session-b", 3, prefix="b")

    again = build(source, tmp_path / "site")

    assert again.counts.families == 1
    assert again.counts.pages == PAGES_OF_ONE
    # Two that are new, and two whose anchors are longer than usual on this page alone.
    assert again.counts.records == 4
    assert again.counts.bytes_read == file.stat().st_size - size


def test_what_stands_as_it_was_is_not_looked_through_again(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    clean = LastLook.clean

    def note(self: LastLook, url: str, body: bytes) -> tuple[bytes, tuple[str, ...]]:
        looked.append(url)
        return clean(self, url, body)

    monkeypatch.setattr(LastLook, "clean", note)
    build(source, tmp_path / "site", has_search=False)
    cold, looked[:] = [*looked], []
    before = contents(tmp_path / "site")
    write_session(source, "session-b", 3, prefix="b")

    build(source, tmp_path / "site", has_search=False)

    after = contents(tmp_path / "site")
    # But for the session's own files, drawn by who knows of no others.
    again = [url for url in looked if before.get(url) == after[url] and "-b." not in url]
    assert again == []
    assert any(url.startswith("assets/") for url in cold)


def test_one_more_session_draws_itself_alone(tmp_path: Path, source: Path) -> None:
    build(source, tmp_path / "site")
    file = write_session(source, "an-early-name", 1, prefix="n")

    again = build(source, tmp_path / "site")

    assert again.counts.families == 1
    assert again.counts.pages == PAGES_OF_ONE
    assert again.counts.records == 2
    assert again.counts.bytes_read == file.stat().st_size


def test_one_more_fork_draws_its_session_alone(tmp_path: Path, source: Path) -> None:
    build(source, tmp_path / "site")
    fork = line("user", "bf000001-0000", "ba0000000-0000", 59, "or else")
    with (source / "session-b.jsonl").open("a") as file:
        file.write(fork)

    again = build(source, tmp_path / "site")

    assert again.abandoned == 1
    assert again.counts.families == 1
    # Two transcripts in two formats, the session's page, and a comparison.
    assert again.counts.pages == 6
    assert again.counts.records == 5
    assert again.counts.bytes_read == len(fork)


def test_other_theme_draws_everything_and_reads_nothing(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    themes = tmp_path / "themes"
    shutil.copytree(ROOT / "themes", themes)
    monkeypatch.setattr("everyleaf.state.contents.theme_dirs", lambda _name: [themes])
    build(source, tmp_path / "site")
    (themes / "default" / "static" / "more.css").write_text("p { margin: 0 }")

    again = build(source, tmp_path / "site")

    assert again.counts.families == SESSIONS
    assert again.counts.pages == SESSIONS * PAGES_OF_ONE
    assert again.counts.records == SESSIONS * 4
    assert again.counts.bytes_read == 0


def test_other_title_draws_everything(tmp_path: Path, source: Path) -> None:
    build(source, tmp_path / "site")

    again = build(source, tmp_path / "site", title="Other")

    assert again.counts.families == SESSIONS
    assert b"Other" in (tmp_path / "site" / "index.html").read_bytes()


def test_page_that_was_changed_by_hand_is_drawn_again(tmp_path: Path, source: Path) -> None:
    build(source, tmp_path / "site")
    before = contents(tmp_path / "site")
    page = tmp_path / "site" / "transcripts" / "transcript_session-a.html"
    page.write_text("mine")

    again = build(source, tmp_path / "site")

    assert again.edited == ("transcripts/transcript_session-a.html",)
    assert (again.wrote, again.counts.families) == (1, 1)
    assert contents(tmp_path / "site") == before


def test_site_that_was_deleted_is_made_again(tmp_path: Path, source: Path) -> None:
    first = build(source, tmp_path / "site")
    shutil.rmtree(tmp_path / "site")

    again = build(source, tmp_path / "site")

    assert again.wrote == first.wrote


def test_without_the_cache_everything_is_drawn_and_nothing_written(
    tmp_path: Path, source: Path
) -> None:
    build(source, tmp_path / "site")

    again = build(source, tmp_path / "site", has_cache=False)

    assert (again.wrote, again.counts.families) == (0, SESSIONS)


def test_spilled_output_that_changed_is_drawn_again(tmp_path: Path, source: Path) -> None:
    build(source, tmp_path / "site")
    spilled = source / "session-a" / "tool-results"
    spilled.mkdir(parents=True)
    (spilled / "one.txt").write_text("long")

    again = build(source, tmp_path / "site")

    assert again.counts.families == 1


def test_word_that_is_masked_from_now_on_is_on_no_page(
    tmp_path: Path, source: Path
) -> None:
    build(source, tmp_path / "site")
    own = OwnRule("word", word="says 1")

    again = build(source, tmp_path / "site", redact=RedactOptions(own=(own,)))

    told = {
        name: body
        for name, body in contents(tmp_path / "site").items()
        if b"says 1" in body
    }
    assert again.counts.families == SESSIONS
    assert told == {}


def test_pruned_build_deletes_the_pages_of_a_vanished_session(
    tmp_path: Path, source: Path
) -> None:
    build(source, tmp_path / "site")
    (source / "session-b.jsonl").unlink()
    kept = build(source, tmp_path / "site")

    pruned = build(source, tmp_path / "site", is_pruned=True)

    names = contents(tmp_path / "site")
    assert kept.deleted == 0
    assert pruned.deleted >= PAGES_OF_ONE
    assert not [name for name in names if "session-b" in name]
    assert b"session-b" not in names["index.html"]
