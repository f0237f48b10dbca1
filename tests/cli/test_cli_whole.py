"""The real command in a real process: what it leaves on disk, and how it ends."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sessions import write_session

EXAMPLE = Path(__file__).parents[2] / "examples/archive"


def start(*arguments: object, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "everyleaf", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    )


def call(*arguments: object, **environment: str) -> tuple[int, str, str]:
    with start(*arguments, **environment) as process:
        out, err = process.communicate()
    return process.returncode, out, err


def read_tree(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, built once."""
    output_dir = tmp_path_factory.mktemp("example") / "site"
    code, _, err = call("build", EXAMPLE, "--out", output_dir)
    assert code == 0, err
    return output_dir


def test_every_kept_path_has_a_page_and_a_markdown_file(site):
    _, out, _ = call("paths", EXAMPLE, "--ids", "none", "-q")
    paths = [json.loads(line) for line in out.splitlines()]
    listed = [json.loads(line) for line in (site / "paths.jsonl").read_text().splitlines()]

    assert len(paths) == len(listed) > 1
    assert len(list((site / "markdown").glob("transcript_*.md"))) == len(paths)
    for path in paths:
        suffix = "" if path["number"] == 1 else f"_path{path['number']}"
        assert (site / f"transcripts/transcript_{path['session']}{suffix}.html").exists()


def test_a_second_build_writes_nothing(site):
    before = read_tree(site)

    code, out, _ = call("build", EXAMPLE, "--out", site, "-q")

    assert code == 0
    assert "records all placed, wrote 0, kept " in out
    assert ", deleted 0;" in out
    assert read_tree(site) == before


def test_no_page_names_a_folder_of_this_machine(site, tmp_path):
    places = [str(EXAMPLE.parent).encode(), str(tmp_path.parent).encode()]

    for url, body in read_tree(site).items():
        assert not any(place in body for place in places), url


def test_a_session_that_vanished_keeps_its_pages_and_an_excluded_one_does_not(tmp_path):
    archive, out = tmp_path / "archive", tmp_path / "site"
    session = "0f2a7c1e"
    write_session(archive / "-w-app", session, prefix="g")
    write_session(archive / "-w-app", "stays", prefix="s")
    # A search index holds what was read now: it loses what has vanished.
    call("build", archive, "--out", out, "-q", "--no-search")
    (archive / "-w-app" / f"{session}.jsonl").unlink()

    code, vanished, err = call("build", archive, "--out", out, "-q", "--no-search")
    has_page = (out / f"transcripts/transcript_{session}.html").exists()
    is_listed = session in (out / "index.html").read_text()
    _, excluded, _ = call(
        "build", archive, "--out", out, "-q", "--no-search", "--exclude", session
    )

    assert code == 0, err
    assert has_page
    assert is_listed
    assert "deleted 0;" in vanished
    assert "deleted 0;" not in excluded
    assert not any(session.encode() in body for body in read_tree(out).values())


@pytest.mark.parametrize(
    ("named", "built"),
    [
        ("notes-2", ["notes-2"]),
        ("notes-20", ["notes-2025"]),
        ("notes", ["notes-2", "notes-2025"]),
        ("notes-2.jsonl", ["notes-2"]),
        ("anywhere/notes-2025.jsonl", ["notes-2025"]),
    ],
)
def test_a_session_is_built_by_its_id_by_how_that_begins_and_by_its_file(
    tmp_path, named, built
):
    for prefix, session in zip("abc", ("notes-2", "notes-2025", "other"), strict=True):
        write_session(tmp_path / "archive/-w-app", session, prefix=prefix)

    asked = ("build", tmp_path / "archive", "--out", tmp_path / "site", "--no-search")
    code, _, err = call(*asked, "--session", named)

    assert code == 0, err
    pages = (tmp_path / "site/sessions").glob("*.html")
    assert sorted(page.stem for page in pages) == [f"session_{each}" for each in built]


def test_what_is_empty_is_no_folder_and_no_title(tmp_path):
    write_session(tmp_path / "archive/-w-app", "s", prefix="g")
    out = tmp_path / "site"

    nowhere = call("build", "", "--out", out)
    code, _, err = call("build", tmp_path / "archive", "--out", out, "--title", " ")

    assert nowhere[0] == 2
    assert "it is empty" in nowhere[2]
    assert code == 0, err
    assert "<title>Session archive</title>" in (out / "index.html").read_text()
    assert "'absent' is no folder" in call("verify", "absent")[2]


def test_one_format_alone_stands_at_the_root(tmp_path):
    code, _, err = call("build", EXAMPLE, "--format", "md", "--out", tmp_path / "talks")

    assert code == 0, err
    assert list((tmp_path / "talks").glob("transcript_*.md"))
    assert not list((tmp_path / "talks").rglob("*.html"))


@pytest.mark.parametrize(
    ("source", "message"),
    [("absent", "error: no such file or folder"), ("empty", "error: no session files")],
)
def test_a_source_without_sessions_is_an_error_with_a_hint(tmp_path, source, message):
    (tmp_path / "empty").mkdir()

    code, out, err = call("build", tmp_path / source, "--out", tmp_path / "site")

    assert (code, out) == (1, "")
    assert err.startswith(message)
    assert "\nhint: " in err
    assert not (tmp_path / "site").exists()


def test_an_output_folder_in_the_source_is_refused_before_any_work(tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "archive")
    before = read_tree(tmp_path)

    code, _, err = call("build", tmp_path / "archive", "--out", tmp_path / "archive/site")

    assert code == 1
    assert "lie in one another" in err
    assert read_tree(tmp_path) == before


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_an_interrupt_ends_plainly_and_leaves_a_folder_to_build_on(tmp_path):
    out = tmp_path / "site"
    process = start("build", EXAMPLE, "--out", out, "--jobs", 1, "--no-cache")
    assert process.stderr is not None
    # What is drawn afterwards takes longer than a slow test may sleep.
    while not process.stderr.readline().startswith("reading"):
        assert process.poll() is None

    process.send_signal(signal.SIGINT)
    shown, err = process.communicate(timeout=30)
    code, _, complaint = call("build", EXAMPLE, "--out", out)

    assert (process.returncode, shown) == (130, "")
    assert "Traceback" not in err
    assert "interrupted" in err
    assert code == 0, complaint
