"""JSON in one convention: a line each of many, one object of one, the same names."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from everyleaf.cli.command import everyleaf, run
from sessions import OTHER, Home

PATH = re.compile(r"[^:]+:\d+")


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Two sessions, one with a fork and an agent; a file is written, an address is told."""
    home = Home(tmp_path_factory.mktemp("home") / ".claude")
    talk = home.talk()
    talk.prompt("Write it", gitBranch="main")
    asked = {"file_path": "/home/ada/parser/a.py", "content": "x\n"}
    talk.call("Write", asked)
    first = talk.reply("Done", gitBranch="feature/parser")
    talk.prompt("Again")
    talk.reply("Done again", gitBranch="feature/parser")
    talk.prompt("Otherwise", parent=first)
    talk.reply("Done otherwise", gitBranch="feature/lexer")
    talk.save()
    other = home.talk(OTHER)
    other.prompt("Write to berthold@corp.io")
    other.reply("No")
    other.save()
    agent = home.agent("a1")
    agent.prompt("Look")
    agent.call("Write", asked)
    agent.save()
    return home.folder


@pytest.fixture
def ask(archive, capsys):
    def run_command(*arguments):
        run(everyleaf, [*arguments, "--source", str(archive), "-q"])
        return capsys.readouterr().out

    return run_command


MANY = {
    "list": ["list", "--json"],
    "paths": ["paths"],
    "find": ["find", "done", "--json"],
    "files": ["files", "--json"],
    "feedback": ["feedback", "--json"],
    "audit": ["audit", "--public", "--json"],
}
ONE = {
    "tree": ["tree", "latest", "--json"],
    "show": ["show", "latest", "--json"],
    "agents": ["agents", "66e5", "--json"],
    "diff": ["diff", "66e5:1", "66e5:2", "--json"],
    "stats": ["stats", "--json"],
    "check": ["check", "--json"],
}
WITHOUT = {
    "serve": "answers browsers until it is stopped",
    "manual": "shows pages of prose, Markdown in a pipe",
    "completion": "prints a script for a shell",
}
"""Commands that print no JSON, and why."""


def test_every_command_prints_json_but_those_that_have_nothing_to_tell_a_program():
    without = {
        name
        for name, command in everyleaf.commands.items()
        if not any("--json" in parameter.opts for parameter in command.params)
    }

    assert without == set(WITHOUT)


@pytest.mark.parametrize("command", MANY)
def test_of_many_each_is_a_line(ask, command):
    lines = ask(*MANY[command]).splitlines()

    assert lines
    assert all(isinstance(json.loads(line), dict) for line in lines)


@pytest.mark.parametrize("command", ONE)
def test_one_is_one_object(ask, command):
    assert isinstance(json.loads(ask(*ONE[command])), dict)


def _iter_objects(value):
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for item in value if isinstance(value, list) else ():
        yield from _iter_objects(item)


@pytest.mark.parametrize("command", MANY | ONE)
def test_the_same_thing_has_the_same_name_everywhere(ask, command):
    out = ask(*(MANY | ONE)[command])
    told = [json.loads(one) for one in (out.splitlines() if command in MANY else [out])]

    for one in (each for top in told for each in _iter_objects(top)):
        assert not {"agent_id", "agent_type", "tokens", "session_id"} & set(one)
        assert not [name for name in one if name.startswith("is_")]
        # Runs of `tree` are on a path of their session, which the whole names once.
        if "runs" not in told[0]:
            for name in ("path", "taken_over_by", "contained_in"):
                value = one.get(name)
                assert value is None or PATH.fullmatch(value), (name, value)
        if isinstance(one.get("usage"), dict):
            assert set(one["usage"]) == {"input", "output", "cache_read", "cache_written"}


def test_the_old_word_for_not_masking_goes_on_working_with_a_hint(archive, capsys):
    said = {}
    for word in ("--no-redact", "--raw"):
        assert run(everyleaf, ["list", str(archive), "--json", "-q", word]) == 0
        said[word] = capsys.readouterr()

    assert said["--raw"].out == said["--no-redact"].out
    assert "/home/ada/parser" in said["--raw"].out
    assert said["--no-redact"].err == ""
    assert said["--raw"].err == (
        "hint: --raw is called --no-redact now, as in every command\n"
    )


def test_a_listed_session_says_where_it_is_and_ran_and_on_which_branch(ask, archive):
    rows = {row["session"]: row for row in map(json.loads, ask(*MANY["list"]).splitlines())}

    for session, row in rows.items():
        assert Path(row["file"]) == archive / f"projects/-home-ada-parser/{session}.jsonl"
        assert row["cwd"] == "~/parser"
    assert {row["branch"] for row in rows.values()} == {"feature/lexer", None}


@pytest.fixture
def do(archive, tmp_path, monkeypatch, capsys):
    """Run a command that writes, on a copy of the archive; return what it says in JSON."""
    shutil.copytree(archive, tmp_path / "claude")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setenv("EVERYLEAF_BACKUP_DIR", str(tmp_path / "backups"))
    monkeypatch.setattr("everyleaf.revise.session.SETTLED_SECONDS", 0)

    def run_command(*arguments):
        assert run(everyleaf, [*arguments, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert not [name for name in told if name.startswith("is_")]
        return told

    return run_command


def test_a_build_tells_what_it_wrote(do):
    built = do("build", "--no-search", "--jobs", "1", "-q")
    again = do("build", "--no-search", "--jobs", "1", "-q")

    assert (built["sessions"], built["paths"], built["placed"]) == (2, 3, True)
    assert (again["wrote"], again["kept"]) == (0, built["wrote"])
    assert do("verify", "site")["files"] == built["wrote"]
    assert {*built["issues"][0]} == {"code", "file", "line", "message", "session"}


def test_an_export_tells_which_files_hold_which_paths(do):
    told = do("export", "66e5", "--as", "html", "-o", "share", "-q")
    rows = do("export", "--all", "--as", "messages", "--parquet", "-o", "rows", "-q")

    assert (told["sessions"], told["paths"], told["wrote"]) == (1, 2, 2)
    for made in (told, rows):
        assert len({one["path"] for one in made["files"]}) == made["paths"]
        assert all(PATH.fullmatch(one["path"]) for one in made["files"])
        assert all(Path(one["file"]).is_file() for one in made["files"])


def test_a_change_of_a_session_tells_what_came_of_it(do):
    planned = do("rename", "66e5", "Ladders", "--dry-run")
    named = do("rename", "66e5", "Ladders")
    again = do("rename", "66e5", "Ladders")
    moved = do("goto", "66e5", ":1")
    undone = do("restore", "66e5")

    assert [planned["written"], planned["backup"], planned["now"]] == [False, None, None]
    assert planned["details"] == named["details"] != []
    assert [again["written"], again["details"]] == [False, []]
    assert named["now"]["title"] == again["now"]["title"] == "Ladders"
    assert moved["now"]["paths"] == [f"{moved['session']}:1"]
    assert undone["now"]["paths"] == named["now"]["paths"] == [f"{moved['session']}:2"]
    assert named["written"]
    assert moved["written"]
    assert undone["written"]
    assert Path(moved["backup"]).read_bytes() == Path(undone["file"]).read_bytes()
    assert Path(undone["backup"]).read_bytes() != Path(undone["file"]).read_bytes()


def test_a_store_tells_what_it_took_holds_and_gave_back(do, tmp_path):
    kept = do("keep", "--to", "kept", "-q")
    verified = do("keep", "kept", "--verify", "-q")
    restored = do("keep", "kept", "--restore", "66e5", "--to", "back")
    shown = do("keep", "--install", "--to", "kept")
    added = do("keep", "--install", "--yes", "--to", "kept")
    taken = do("keep", "--uninstall")

    assert kept["sessions"] == verified["sessions"] == 2
    assert (kept["unread"], verified["whole"], verified["damages"]) == ([], True, [])
    assert restored["wrote"] == len(restored["files"]) > 0
    assert all(Path(one["file"]).is_file() for one in restored["files"])
    assert [shown["written"], added["written"], taken["written"]] == [False, True, True]
    assert "keep --hook" in shown["diff"]
    assert shown["file"] == str(tmp_path / "claude" / "settings.json")


def test_init_tells_which_files_are_new(do):
    first, again = do("init", "repo"), do("init", "repo")

    assert first["files"] == [{"file": "everyleaf.toml", "new": True}]
    assert again["files"] == [{"file": "everyleaf.toml", "new": False}]
    assert (first["wrote"], first["kept"], again["kept"]) == (1, 0, 1)
    assert first["next"].startswith("everyleaf build")
