"""Every command on a settings folder that is in use, on damage, and on real sessions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from everyleaf.cli.command import everyleaf, run
from sessions import OTHER, SESSION, Home, Talk

SHARED = next(
    (
        place
        for place in (Path(__file__).parents[3] / "shared", Path("/work/shared"))
        if place.is_dir()
    ),
    None,
)
LIVE = "88e54b32-0000-4000-8000-000000000003"
GROWING = "99e54b32-0000-4000-8000-000000000004"
FILE = "/home/ada/parser/lexer.py"
LOOKING = {
    "list": ("list", "{all}", "--warmup"),
    "list-json": ("list", "{all}", "--json", "--warmup"),
    "paths": ("paths", "{all}", "--ids", "none"),
    "find": ("find", "the", "--source", "{all}"),
    "find-regex": ("find", "--regex", "[a-z]+er", "--json", "--source", "{all}"),
    "check": ("check", "{all}"),
    "check-json": ("check", "{all}", "--json"),
    "feedback": ("feedback", "{all}"),
    "feedback-json": ("feedback", "{all}", "--json"),
    "files": ("files", "{all}"),
    "files-json": ("files", "{all}", "--json"),
    "stats": ("stats", "{all}"),
    "stats-svg": ("stats", "{all}", "--svg"),
}
"""What looks at a whole archive; each must find something, and end in 0."""
NAMING = {
    "tree": ("tree", "{one}", "--source", "{all}"),
    "tree-svg": ("tree", "{one}", "--svg", "--source", "{all}"),
    "tree-dot": ("tree", "{one}", "--dot", "--source", "{all}"),
    "tree-mermaid": ("tree", "{one}", "--mermaid", "--source", "{all}"),
    "tree-json": ("tree", "{one}", "--json", "--source", "{all}"),
    "show": ("show", "{one}", "--source", "{all}"),
    "show-text": ("show", "{one}", "--format", "text", "--source", "{all}"),
    "show-json": ("show", "{one}", "--json", "--source", "{all}"),
    "agents": ("agents", "{one}", "--source", "{all}"),
    "diff": ("diff", "{one}", "{one}", "--source", "{all}"),
    "rename": ("rename", "{one}", "A title", "--dry-run", "--source", "{all}"),
    "goto": ("goto", "{one}", ":1", "--dry-run", "--source", "{all}"),
}
"""What names a session; each must end in 0 where the session has a path of its own."""


@pytest.fixture
def ask(capsys, monkeypatch, tmp_path):
    """Run a command in this process; return its exit code, stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("EVERYLEAF_BACKUP_DIR", str(tmp_path / "backups"))
    monkeypatch.setattr("everyleaf.revise.session.SETTLED_SECONDS", 0.0)

    def run_command(line, archive, session=""):
        words = [word.format(all=archive, one=session) for word in line]
        code = run(everyleaf, words if words[0] in NAMED_QUIETLY else [*words, "-q"])
        return code, *capsys.readouterr()

    return run_command


NAMED_QUIETLY = frozenset({"rename", "goto", "restore"})


def _talk(home, session, project="-home-ada-parser"):
    talk = Talk(home.folder / "projects" / project / f"{session}.jsonl", session)
    talk.prompt("Write the lexer")
    talk.call(
        "Write",
        {"file_path": FILE, "content": "one\n"},
        result={"type": "create", "filePath": FILE, "content": "one\n"},
    )
    asked = talk.reply("Which tokens?")
    talk.prompt("All of them")
    talk.reply("Done, all of them.")
    talk.prompt("Only the numbers", parent=asked)
    talk.reply("Done, the numbers.")
    return talk


def _half(talk):
    """Write all of a session, and the half of a line that is about to be written."""
    line = json.dumps(talk.records[-1] | {"uuid": "r-half"}).encode()
    talk.save(more=line[: len(line) // 2])


def _write(location, text):
    location.parent.mkdir(parents=True, exist_ok=True)
    location.write_text(text)


@pytest.fixture
def living(tmp_path, monkeypatch):
    """A settings folder while its owner works: two sessions are open, one of them here."""
    home = Home(tmp_path / ".claude")
    folder = home.folder
    main = _talk(home, SESSION)
    call = main.call("Agent", {"prompt": "Look around", "subagent_type": "Explore"})
    main.note(type="file-history-snapshot", messageId="m", snapshot={})
    main.note(type="last-prompt", lastPrompt="Only the numbers", sessionId=SESSION)
    main.save()
    agent = home.agent("a1", toolUseId=call, agentType="Explore", description="Look")
    agent.prompt("Look around")
    agent.reply("Looked around.")
    agent.save()
    _write(home.project / SESSION / "tool-results" / "toolu_1.txt", "a long output\n")
    _talk(home, OTHER, "-home-ada-thesis").save()
    _talk(home, LIVE, "-home-ada-thesis").save()
    _half(_talk(home, GROWING))
    _write(home.project / "memory" / "MEMORY.md", "- likes tests\n")
    for name, told in (
        (str(os.getpid()), {"pid": os.getpid(), "sessionId": LIVE, "cwd": "/home/ada"}),
        ("999999999", {"pid": 999_999_999, "sessionId": SESSION}),
        ("half", None),
    ):
        text = json.dumps(told) if told else '{"pid": 12'
        _write(folder / "sessions" / f"{name}.json", text)
    rows = [
        {"display": "Write the lexer", "project": "/home/ada/parser", "sessionId": SESSION},
        {"display": "A prompt of long ago", "project": "/home/ada/gone", "sessionId": "g"},
    ]
    lines = [json.dumps({**row, "timestamp": 1_767_261_600_000}) for row in rows]
    _write(folder / "history.jsonl", "\n".join(lines) + '\n{"display": "ha')
    _write(folder / "settings.json", '{"cleanupPeriodDays": 30}')
    _write(folder / "file-history" / SESSION / "0123456789abcdef@v1", "none\n")
    _write(folder / "todos" / f"{SESSION}-agent-{SESSION}.json", "[]")
    _write(folder / "plugins" / "config.json", "{}")
    _write(folder / "plugins" / "cache" / "log.jsonl", '{"type": "user"}\n')
    _write(folder / "statsig" / "statsig.cached.json", "{}")
    _write(folder / "shell-snapshots" / "snapshot-bash-1.sh", "alias ls=ls\n")
    _write(folder / "debug" / f"{SESSION}.txt", "debug\n")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder))
    return home


@pytest.mark.parametrize("line", LOOKING.values(), ids=LOOKING)
def test_a_folder_in_use_can_be_looked_at(ask, living, line):
    code, out, err = ask(line, living.folder)

    assert code == 0, err
    assert out


@pytest.mark.parametrize("session", [SESSION, OTHER, LIVE, GROWING])
@pytest.mark.parametrize("line", NAMING.values(), ids=NAMING)
def test_a_session_in_use_can_be_named(ask, living, line, session):
    code, out, err = ask(line, living.folder, session[:4])

    assert code == 0, err
    assert out


def test_without_a_source_the_folder_of_the_settings_is_meant(ask, living):
    rows = ask(("list", "--json"), living.folder)[1].splitlines()

    found = {json.loads(row)["session"] for row in rows}
    assert found == {SESSION, OTHER, LIVE, GROWING}


def test_what_lies_beside_the_sessions_is_no_session(ask, living):
    report = json.loads(ask(("check", "{all}", "--json"), living.folder)[1])

    assert (report["files"], report["sessions"]) == (5, 4)
    found = {(one["code"], one["session"]) for one in report["findings"]}
    assert ("unreadable-line", GROWING) in found or ("recovered-line", GROWING) in found
    assert not any("plugins" in one["file"] for one in report["findings"])


def test_prompts_of_the_history_without_a_session_are_listed(ask, living):
    rows = ask(("feedback", "{all}", "--json"), living.folder)[1].splitlines()

    lost = [one for one in map(json.loads, rows) if one["kind"] == "lost-prompt"]
    assert [one["text"] for one in lost] == ["A prompt of long ago"]


def test_a_file_is_printed_as_a_path_left_it(ask, living):
    code, out, _ = ask(("files", "--at", "66e5:1", "lexer.py", "{all}"), living.folder)

    assert (code, out) == (0, "one\n")


def test_a_folder_in_use_is_built(ask, living, tmp_path):
    line = ("build", "{all}", "--out", str(tmp_path / "site"), "--no-search")

    code, out, err = ask(line, living.folder)

    assert code == 0, err
    assert "4 sessions, 8 paths" in out


@pytest.mark.parametrize(
    "line",
    [("rename", "{one}", "A title"), ("goto", "{one}", ":1")],
    ids=lambda line: line[0],
)
def test_a_session_that_is_open_elsewhere_is_not_written_to(ask, living, line):
    before = _bytes(living.folder)

    code, _, err = ask((*line, "--source", "{all}"), living.folder, LIVE)

    assert code == 1
    assert f"is open in process {os.getpid()}" in err
    assert _bytes(living.folder) == before


@pytest.mark.parametrize(
    "line",
    [("rename", "{one}", "A title"), ("goto", "{one}", ":1")],
    ids=lambda line: line[0],
)
def test_a_change_can_be_undone_to_the_byte_where_others_work(ask, living, line):
    before = _bytes(living.folder)

    assert ask((*line, "--source", "{all}"), living.folder, SESSION[:5])[0] == 0
    changed = _bytes(living.folder)
    code, _, err = ask(("restore", "{one}", "--source", "{all}"), living.folder, SESSION)

    assert code == 0, err
    differing = {name for name in before if changed[name] != before[name]}
    assert differing == {f"projects/-home-ada-parser/{SESSION}.jsonl"}
    assert _bytes(living.folder) == before


def _bytes(folder):
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


@pytest.fixture(scope="session", params=["901", "corpus"])
def archive(request, tmp_path_factory):
    """Damage, and real sessions: where they are at hand."""
    if SHARED is None:
        pytest.skip("neither the simulator nor the corpus is here")
    made = tmp_path_factory.mktemp("shared") / "a"
    if request.param == "corpus":
        _link_some(SHARED / "corpus", made)
        return made
    command = [sys.executable, SHARED / "tools/simulate.py", made, "--seed", request.param]
    options = ["--sessions", "8", "--broken"]
    subprocess.run([*command, *options], check=True, capture_output=True)
    return made


def _link_some(corpus, made):
    """Link to every eighth real file that is not large: all of them take minutes."""
    files = sorted(corpus.rglob("*.jsonl"))
    small = [file for file in files if file.stat().st_size < 200_000]
    for file in small[::8]:
        link = made / file.relative_to(corpus)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(file)


@pytest.mark.parametrize("line", LOOKING.values(), ids=LOOKING)
def test_damage_and_real_sessions_can_be_looked_at(ask, archive, line):
    code, out, err = ask(line, archive)

    assert code == 0, err
    assert out


def test_every_session_that_is_listed_can_be_named(ask, archive):
    rows = ask(("list", "{all}", "--json", "--warmup"), archive)[1].splitlines()
    listed = [json.loads(row) for row in rows]
    some = listed[:: max(len(listed) // 3, 1)]

    for row in some:
        for name, line in NAMING.items():
            code, _, err = ask(line, archive, row["session"])
            if row["paths"]:
                assert code == 0, (name, row, err)
            else:
                assert code in {0, 1, 2}, (name, row, err)
