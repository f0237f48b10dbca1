"""`everyleaf serve`, in a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import click
import pytest

from everyleaf.cli import serve as serving
from everyleaf.cli.command import everyleaf, run
from sessions import line

EXAMPLE = Path(__file__).parents[2] / "examples" / "archive"
LINE = line("user", "u1", None, 0, "Hello")
NEXT = line("user", "u2", "u1", 1, "More words")


@contextmanager
def served(*arguments):
    """Yield (process, address) of a preview; end it with Ctrl-C."""
    process = subprocess.Popen(
        [sys.executable, "-m", "everyleaf", "serve", *map(str, arguments), "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            if found := re.match(r"(http://127\.0\.0\.1:\d+/) shows", line):
                yield process, found[1]
                break
        else:
            pytest.fail("it ended before it served anything")
    finally:
        process.kill()
        process.stderr.close()
        process.wait()


def page(address):
    with urllib.request.urlopen(address, timeout=20) as answer:  # noqa: S310  (our own)
        return answer.read().decode()


def built(address):
    """Return the page when the first build has ended."""
    deadline = time.monotonic() + 40
    while "is being built" in (shown := page(address)):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    return shown


def build(source, site_dir):
    arguments = ["build", "-q", str(source), "--out", str(site_dir), "--jobs", "1"]
    assert run(everyleaf, arguments) == 0


@pytest.fixture
def archive(tmp_path):
    folder = tmp_path / "archive"
    folder.mkdir()
    (folder / "s.jsonl").write_text(LINE)
    return folder


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_a_built_site_is_shown_until_ctrl_c(tmp_path, archive):
    build(archive, tmp_path / "site")

    with served(tmp_path / "site") as (process, address):
        shown = page(address)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0

    assert "Hello" in shown
    assert "live.js" not in shown


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_watching_builds_at_once_and_again_when_a_session_grows(tmp_path, archive):
    transcript = "transcripts/transcript_s.html"

    with served(tmp_path / "site", "--watch", "--source", archive) as (process, address):
        assert "More words" not in built(address + transcript)
        deadline = time.monotonic() + 40
        # Once more each time: the watcher may not have begun yet.
        while time.monotonic() < deadline and "More words" not in page(
            address + transcript
        ):
            (archive / "s.jsonl").write_text(LINE + NEXT)
            time.sleep(0.5)
        shown = page(address + transcript)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0

    assert "More words" in shown
    assert "/.everyleaf/live.js" in shown
    assert "live.js" not in (tmp_path / "site" / transcript).read_text()
    assert not (tmp_path / "site" / "pagefind").exists()


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_watching_builds_as_the_settings_say_and_the_command_line_wins(
    tmp_path, archive, monkeypatch
):
    settings = (
        'title = "Not this"\nexclude = ["other*"]\nformat = ["html"]\npublic = false\n'
    )
    (tmp_path / "everyleaf.toml").write_text(settings)
    (archive / "other.jsonl").write_text(LINE.replace('"s"', '"other"'))
    monkeypatch.chdir(tmp_path)

    with served("site", "--watch", "--source", archive, "--title", "My own") as (
        process,
        address,
    ):
        first = built(address)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0

    assert "My own" in first
    assert "1 session" in re.sub("<[^>]*>", "", first)
    assert not (tmp_path / "site" / "markdown").exists()


def test_settings_that_make_no_sense_are_said_before_anything_is_served(
    tmp_path, archive, capsys
):
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("titles = 'x'")
    arguments = ["serve", str(tmp_path / "site"), "--watch", "--source", str(archive)]

    assert run(everyleaf, [*arguments, "--config", str(wrong)]) != 0

    assert "did you mean 'title'?" in capsys.readouterr().err
    assert not (tmp_path / "site").exists()


def test_no_folder_is_proposed_that_cannot_be_made(tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("a file")

    assert run(everyleaf, ["serve", str(tmp_path / "notes.txt")]) == 1

    assert "hint: build one first: everyleaf build --out site\n" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("is_there", "said"), [(True, "not made by"), (False, "no folder")]
)
def test_only_a_site_of_ours_is_shown(tmp_path, capsys, is_there, said):
    folder = tmp_path / "site"
    if is_there:
        folder.mkdir()

    code = run(everyleaf, ["serve", str(folder)])

    err = capsys.readouterr().err
    assert code == 1
    assert said in err
    assert f"hint: build one first: everyleaf build --out {folder}" in err


def test_a_taken_port_is_an_error(tmp_path, archive, capsys):
    from everyleaf.preview import open_preview  # noqa: PLC0415  (one test only)

    build(archive, tmp_path / "site")
    with open_preview(tmp_path / "site", 0) as address:
        port = address.rsplit(":", 1)[1].rstrip("/")

        code = run(everyleaf, ["serve", str(tmp_path / "site"), "--port", port])

    assert code == 1
    assert "choose another --port" in capsys.readouterr().err


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_watching_answers_before_anything_is_built(tmp_path, archive):
    with served(tmp_path / "site", "--watch", "--source", archive) as (process, address):
        first = page(address + "transcripts/transcript_s.html")
        shown = built(address + "transcripts/transcript_s.html")
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0

    assert "is being built" in first
    assert "/.everyleaf/live.js" in first
    assert "Hello" in shown


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_watching_shows_the_site_as_it_was_until_it_is_built(tmp_path, archive):
    build(archive, tmp_path / "site")
    transcript = "transcripts/transcript_s.html"
    (archive / "s.jsonl").write_text(LINE + NEXT)

    with served(tmp_path / "site", "--watch", "--source", archive) as (process, address):
        first = page(address + transcript)
        deadline = time.monotonic() + 40
        while "More words" not in page(address + transcript):
            assert time.monotonic() < deadline
            time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0

    assert "Hello" in first
    assert "More words" not in first


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_watching_leaves_the_index_and_other_projects_of_a_site_alone(tmp_path, archive):
    other = LINE.replace("/w/app", "/w/other").replace('"s"', '"t"').replace("u1", "t1")
    (archive / "app").mkdir()
    (archive / "other").mkdir()
    (archive / "s.jsonl").rename(archive / "app/s.jsonl")
    (archive / "other/t.jsonl").write_text(other)
    build(archive, tmp_path / "site")
    before = {file for file in (tmp_path / "site").rglob("*") if file.is_file()}
    source = tmp_path / "site/pagefind/everyleaf-source.json"
    indexed = [source.read_text()]
    grown = tmp_path / "site/transcripts/transcript_s.html"
    (archive / "app/s.jsonl").write_text(LINE + NEXT)

    watched = ["--watch", "--source", archive, "--project", "app"]
    with served(tmp_path / "site", *watched) as (process, _):
        deadline = time.monotonic() + 40
        while "More words" not in grown.read_text():
            assert time.monotonic() < deadline
            time.sleep(0.2)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    after = {file for file in (tmp_path / "site").rglob("*") if file.is_file()}
    lists = (tmp_path / "site/index.html").read_text()
    indexed.append(source.read_text())
    build(archive, tmp_path / "site")
    indexed.append(source.read_text())

    assert before == after
    assert "transcript_t.html" in lists
    assert "source gone" not in lists
    assert indexed[0] == indexed[1] != indexed[2]


def test_what_is_watched_without_a_word_is_what_the_settings_name(
    tmp_path, archive, monkeypatch, capsys
):
    def interrupt(sources, rebuild):
        rebuild()
        watched.extend(sources)
        raise KeyboardInterrupt

    watched: list[Path] = []
    monkeypatch.setattr(serving, "_stay", interrupt)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "everyleaf.toml").write_text('source = ["archive"]')

    assert run(everyleaf, ["serve", "--watch", "--port", "0"]) == 0

    assert [each.resolve() for each in watched] == [archive]
    assert "Hello" in (tmp_path / "site/transcripts/transcript_s.html").read_text()
    assert "hint" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "option", ["--source=.", "--title=T", "--project=p", "--include-archive"]
)
def test_what_a_build_is_told_is_wrong_usage_where_nothing_is_watched(option, capsys):
    assert run(everyleaf, ["serve", option]) == 2

    assert f"{option.partition('=')[0]} is for --watch" in capsys.readouterr().err


def test_an_archive_that_is_not_there_is_said_before_anything_is_served(tmp_path, capsys):
    arguments = [
        "serve",
        str(tmp_path / "site"),
        "--watch",
        "--source",
        str(tmp_path / "nowhere"),
    ]

    assert run(everyleaf, arguments) == 1

    err = capsys.readouterr().err
    assert "nowhere" in err
    assert "http://" not in err


def test_a_folder_of_sessions_is_not_named_as_a_place_to_build(archive, capsys):
    assert run(everyleaf, ["serve", str(archive)]) == 1

    assert "hint: build one first: everyleaf build --out site\n" in capsys.readouterr().err


def test_watching_never_shows_a_folder_of_somebody_else(tmp_path, archive, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/diary.html").write_text("private")

    assert (
        run(
            everyleaf,
            ["serve", str(tmp_path / "mine"), "--watch", "--source", str(archive)],
        )
        == 1
    )

    err = capsys.readouterr().err
    assert "was not made by everyleaf" in err
    assert "http://" not in err


@pytest.mark.parametrize("watches", [False, True])
def test_it_stays_until_it_is_interrupted(tmp_path, archive, capsys, monkeypatch, watches):
    opened: list[str] = []

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(serving, "_stay", interrupt)
    monkeypatch.setattr(click, "launch", opened.append)
    build(archive, tmp_path / "site")
    more = ["--watch", "--source", str(archive)] if watches else []

    code = run(everyleaf, ["serve", str(tmp_path / "site"), "--port", "0", "--open", *more])

    err = capsys.readouterr().err
    assert code == 0
    assert err.endswith("stopped\n")
    assert len(opened) == 1
    assert opened[0].startswith("http://127.0.0.1:")
