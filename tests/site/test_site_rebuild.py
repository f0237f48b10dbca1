"""Building again: the same bytes, nothing written twice, nothing published lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from everyleaf.errors import SourceError
from sessions import write_session
from state.building import contents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from everyleaf.report import BuildReport

    Build = Callable[..., BuildReport]


def test_second_build_of_the_same_input_writes_nothing(
    tmp_path: Path, example_archive: Path, build_into: Build
) -> None:
    first = build_into(example_archive, tmp_path / "site")

    second = build_into(example_archive, tmp_path / "site")

    assert (second.wrote, second.deleted) == (0, 0)
    assert second.kept == first.wrote


def test_touched_files_are_not_written_again(
    tmp_path: Path, example_archive: Path, build_into: Build
) -> None:
    source = tmp_path / "archive"
    shutil.copytree(example_archive, source)
    build_into(source, tmp_path / "site")
    for file in source.rglob("*.jsonl"):
        os.utime(file, (1, 1))

    again = build_into(source, tmp_path / "site")

    assert again.wrote == 0


def test_same_input_gives_the_same_bytes_in_other_circumstances(
    tmp_path: Path, example_archive: Path, example_site: tuple[Path, BuildReport]
) -> None:
    shuffled = tmp_path / "shuffled"
    files = [file for file in example_archive.rglob("*") if file.is_file()]
    for file in reversed(files):
        copy = shuffled / file.relative_to(example_archive)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
    environment = os.environ | {
        "PYTHONHASHSEED": "7",
        "TZ": "Pacific/Kiritimati",
        "LC_ALL": "C",
    }
    command = [sys.executable, "-m", "everyleaf", "build", str(shuffled), "-q"]
    command += ["--out", str(tmp_path / "there"), "--jobs", "2"]

    subprocess.run(command, check=True, env=environment, capture_output=True)

    assert contents(example_site[0]) == contents(tmp_path / "there")


def test_pages_of_a_vanished_session_stay_and_are_listed(
    tmp_path: Path, build_into: Build
) -> None:
    source = tmp_path / "projects" / "-w-app"
    gone = write_session(source, "gone", prefix="g")
    write_session(source, "stays", prefix="s")
    build_into(source.parent, tmp_path / "site")
    gone.unlink()

    build_into(source.parent, tmp_path / "site")

    assert (tmp_path / "site" / "transcripts" / "transcript_gone.html").is_file()
    index = (tmp_path / "site" / "index.html").read_text()
    rows = {row.split('"')[0]: row for row in index.split('class="row-title" href="')[1:]}
    assert "source gone" in rows["transcripts/transcript_gone.html"]
    assert "source gone" not in rows["transcripts/transcript_stays.html"]


def test_pages_of_an_excluded_session_go_at_once(tmp_path: Path, build_into: Build) -> None:
    source = tmp_path / "projects" / "-w-app"
    write_session(source, "unwanted", prefix="g")
    write_session(source, "stays", prefix="s")
    build_into(source.parent, tmp_path / "site")

    build_into(source.parent, tmp_path / "site", exclude=("unwanted",))

    left = contents(tmp_path / "site")
    assert not [name for name in left if "unwanted" in name]
    assert not [name for name, body in left.items() if b"unwanted" in body]


def test_pages_of_an_ignored_session_go_at_once(tmp_path: Path, build_into: Build) -> None:
    source = tmp_path / "projects" / "-w-app"
    write_session(source, "secret", prefix="g")
    write_session(source, "stays", prefix="s")
    build_into(source.parent, tmp_path / "site")
    (source / ".everyleafignore").write_text("secret*\n")

    build_into(source.parent, tmp_path / "site")

    left = contents(tmp_path / "site")
    assert not [name for name in left if "secret" in name]
    assert [name for name in left if "stays" in name]


def test_one_session_is_published_by_the_beginning_of_its_id(
    tmp_path: Path, build_into: Build
) -> None:
    source = tmp_path / "projects" / "-w-app"
    write_session(source, "abc-1", prefix="g")
    write_session(source, "abd-2", prefix="s")

    build_into(source.parent, tmp_path / "site", sessions=("abc",))

    names = contents(tmp_path / "site")
    assert "data/abc-1.json" in names
    assert "data/abd-2.json" not in names
    with pytest.raises(SourceError, match="no session fits 'x'") as caught:
        build_into(source.parent, tmp_path / "site", sessions=("x",))
    assert caught.value.hint == "`everyleaf list` shows how the ids of sessions begin"


def test_pages_of_an_excluded_session_go_even_when_its_source_has_gone(
    tmp_path: Path, build_into: Build
) -> None:
    source = tmp_path / "projects" / "-w-app"
    secret = write_session(source, "secret", prefix="g")
    write_session(source, "stays", prefix="s")
    build_into(source.parent, tmp_path / "site")
    secret.unlink()

    build_into(source.parent, tmp_path / "site", exclude=("secret",))

    assert not [name for name in contents(tmp_path / "site") if "secret" in name]


def test_page_that_is_contained_in_another_now_leads_there(
    tmp_path: Path, build_into: Build
) -> None:
    source = tmp_path / "projects" / "-w-app"
    write_session(source, "first", exchanges=1)
    build_into(source.parent, tmp_path / "site")
    write_session(source, "resumed", exchanges=2)

    report = build_into(source.parent, tmp_path / "site")

    stub = (tmp_path / "site" / "transcripts" / "transcript_first.html").read_text()
    assert report.contained == 1
    assert "transcript_resumed.html#m-a0000000" in stub


def test_one_more_message_changes_only_its_own_pages_and_the_lists(
    tmp_path: Path, build_into: Build
) -> None:
    source = tmp_path / "projects" / "-w-app"
    write_session(source, "grows", prefix="g")
    write_session(source, "stays", prefix="s")
    build_into(source.parent, tmp_path / "site")
    before = contents(tmp_path / "site")
    write_session(source, "grows", exchanges=2, prefix="g")

    build_into(source.parent, tmp_path / "site")

    after = contents(tmp_path / "site")
    changed = {name for name in after if before.get(name) != after[name]}
    # The index of all words is made anew; of its documents, only those of the session are.
    index = {name for name in changed if name.startswith("pagefind/")}
    assert sum("/fragment/" in name for name in index) == 1
    assert changed - index <= {
        "transcripts/transcript_grows.html",
        "data/search/grows.json",
        "markdown/transcript_grows.md",
        "sessions/session_grows.html",
        "data/grows.json",
        "index.html",
        "projects/app.html",
        "report.html",
        "manifest.json",
        "paths.jsonl",
        "markdown/index.md",
    }
    assert "transcripts/transcript_grows.html" in changed


def test_input_is_never_written_to(
    tmp_path: Path, example_archive: Path, build_into: Build
) -> None:
    source = tmp_path / "archive"
    shutil.copytree(example_archive, source)
    before = contents(source)
    for place in sorted(source.rglob("*")):
        place.chmod(0o555 if place.is_dir() else 0o444)

    build_into(source, tmp_path / "site")

    assert contents(source) == before


def test_markdown_alone_has_its_files_at_the_root(
    tmp_path: Path, example_archive: Path, build_into: Build
) -> None:
    build_into(example_archive, tmp_path / "docs", formats=("md",))

    names = set(contents(tmp_path / "docs"))
    assert any(name.startswith("transcript_") and name.endswith(".md") for name in names)
    assert not [name for name in names if name.endswith((".html", ".css", ".js"))]


def test_project_that_does_not_exist_is_an_error_and_costs_no_page(
    tmp_path: Path, build_into: Build
) -> None:
    source = tmp_path / "projects" / "-w-app"
    write_session(source, "stays")
    build_into(source.parent, tmp_path / "site")
    before = contents(tmp_path / "site")

    with pytest.raises(SourceError, match="no project fits 'ap'") as caught:
        build_into(source.parent, tmp_path / "site", projects=("ap",))

    assert caught.value.hint == "the projects are: app"
    assert contents(tmp_path / "site") == before


def test_file_without_a_record_is_an_error(tmp_path: Path, build_into: Build) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("dear diary\n")

    with pytest.raises(SourceError, match=r"a session: notes\.txt:1: not JSON"):
        build_into(file, tmp_path / "site")
