"""`rename`, `goto` and `restore` in a real process, on a copy of the example."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from everyleaf.cli.command import everyleaf

EXAMPLE = Path(__file__).parents[2] / "examples/archive"


@pytest.fixture
def archive(tmp_path, monkeypatch):
    monkeypatch.setenv("EVERYLEAF_BACKUP_DIR", str(tmp_path / "backups"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setattr("everyleaf.revise.session.SETTLED_SECONDS", 0)
    return Path(shutil.copytree(EXAMPLE, tmp_path / "claude"))


def call(*arguments, stdin=None):
    result = CliRunner().invoke(everyleaf, [str(each) for each in arguments], input=stdin)
    return result.exception, result.stdout


def refused(*arguments, stdin=None):
    """Return what a person is told where a command fails."""
    result = CliRunner().invoke(everyleaf, [str(each) for each in arguments], input=stdin)
    assert result.stdout == ""
    assert "\nerror: " in f"\n{result.stderr}"
    return result.stderr


def read(archive):
    return {file: file.read_bytes() for file in sorted(archive.rglob("*.jsonl"))}


def forked(archive):
    """Return a session with two paths, and the number of its abandoned one."""
    listed = [json.loads(line) for line in call("paths", archive, "-q")[1].splitlines()]
    path = next(
        each for each in listed if each["status"] == "ABANDONED" and each["of"] == 2
    )
    return path["session"], path["number"]


def statuses(archive, session):
    listed = [json.loads(line) for line in call("paths", archive, "-q")[1].splitlines()]
    return {each["number"]: each["status"] for each in listed if each["session"] == session}


def test_goto_switches_the_branch_that_paths_calls_active_and_restore_undoes_it(archive):
    session, number = forked(archive)
    before, was = read(archive), statuses(archive, session)

    _, out = call("goto", f"{session[:8]}:{number}", "--source", archive)

    assert f"to undo: everyleaf restore {session}" in out
    assert statuses(archive, session)[number] == "ACTIVE"
    assert sorted(was.values()) == sorted(statuses(archive, session).values())
    _, out = call("restore", session, "--source", archive)
    assert "undo: resume session" in out
    assert read(archive) == before


def test_what_claude_code_makes_of_it_is_told_after_each_change(archive):
    session, number = forked(archive)

    outputs = [
        call("rename", session, "A better name")[1],
        call("goto", session, f":{number}")[1],
        call("goto", session, f":{number}")[1],
        call("restore", session, "--to", "2")[1],
    ]

    named = "Claude Code now lists it as 'A better name'"
    there = f"and resumes path {number}, up to line "
    assert [named in out for out in outputs] == [True, True, True, False]
    assert [there in out for out in outputs] == [False, True, True, False]


def test_a_session_rewound_to_before_its_first_prompt_is_told_of(archive):
    session, _ = forked(archive)
    pin = {"type": "last-prompt", "leafUuid": None, "explicit": True, "sessionId": session}
    with next(archive.rglob(f"{session}.jsonl")).open("a") as file:
        file.write(f"{json.dumps(pin)}\n")

    _, out = call("rename", session, "A better name")

    assert "and begins anew there" in out


def test_restore_lists_what_it_can_put_back_and_does_so(archive):
    session, number = forked(archive)
    before = read(archive)
    call("rename", session, "A better name")
    call("goto", session, f":{number}")

    _, out = call("restore", session, "--list")

    rows = [line.partition("UTC")[::2] for line in out.splitlines()]
    assert [row[0].split()[0] for row in rows] == ["1", "2"]
    assert [row[1].strip() for row in rows] == [
        f"before: resume on path {number}",
        "before: rename to 'A better name'",
    ]
    _, out = call("restore", session, "--list", "--json")
    listed = [json.loads(line) for line in out.splitlines()]
    assert [one["number"] for one in listed] == [1, 2]
    assert [one["words"] for one in listed] == [
        row[1].strip().removeprefix("before: ") for row in rows
    ]
    assert [one["at"][:10] + " " + one["at"][11:-1] for one in listed] == [
        " ".join(row[0].split()[1:]) for row in rows
    ]
    _, out = call("restore", session, "--to", "2")
    assert f"undo all since: rename session {session}" in out
    assert read(archive) == before


def test_goto_asks_for_a_branch_that_is_not_named(archive):
    session, _ = forked(archive)

    error, _ = call("goto", session)

    assert isinstance(error, SystemExit)
    assert error.code == 2


def test_restore_lists_or_puts_back(archive):
    session, _ = forked(archive)

    error, _ = call("restore", session, "--list", "--to", "1")

    assert isinstance(error, SystemExit)
    assert error.code == 2


def test_rename_gives_the_title_that_paths_shows(archive):
    session, _ = forked(archive)

    call("rename", session, "A better name")

    listed = [json.loads(line) for line in call("paths", "-q")[1].splitlines()]
    assert "A better name" in {p["title"] for p in listed if p["session"] == session}


@pytest.mark.parametrize("command", [("rename", "New"), ("goto", ":1"), ("restore",)])
def test_a_dry_run_shows_the_change_and_writes_nothing(archive, command):
    session, _ = forked(archive)
    call("rename", session, "Old")
    call("goto", session, ":2")
    before = read(archive)

    error, out = call(command[0], session, *command[1:], "--dry-run")

    assert error is None
    assert "nothing was written (--dry-run)" in out
    assert read(archive) == before


def test_renaming_to_the_present_title_says_that_nothing_is_to_do(archive):
    session, _ = forked(archive)
    call("rename", session, "Old")
    before = read(archive)

    _, out = call("rename", session, "Old")

    assert "nothing to do" in out
    assert read(archive) == before


def test_several_branches_are_asked_about_on_a_terminal(archive, monkeypatch):
    session, number = forked(archive)
    monkeypatch.setattr("everyleaf.cli.output.is_attended", lambda: True)

    error, out = call("goto", session, "e", "--dry-run", stdin=f"{number}\n")

    assert error is None
    assert f"on path {number}" in out


def test_several_branches_without_a_terminal_are_an_error_that_names_them(archive):
    session, _ = forked(archive)

    told = refused("goto", session, "e", stdin="")

    assert "branches" in told
    assert "hint: say which path: :" in told


def test_a_session_that_several_ids_begin_like_is_an_error_that_names_them(archive):
    assert "no session fits" in refused("rename", "", "New", "--source", archive)

    names = sorted(file.stem for file in (archive / "projects").glob("*/*.jsonl"))
    first = next(a[0] for a, b in pairwise(names) if a[0] == b[0])
    told = refused("rename", first, "New", "--source", archive)

    assert "sessions" in told
    assert "hint: say " in told


def test_a_file_can_be_named_instead_of_a_session(archive):
    session, _ = forked(archive)
    file = next(archive.rglob(f"{session}.jsonl"))

    call("rename", file, "By file")

    assert b"By file" in file.read_bytes()
