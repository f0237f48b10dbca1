"""Claude Code itself shows what `rename`, `goto` and `restore` say it will.

Needs npm and tmux; the first run installs the CLI into the cache folder. The older version,
and every shape of a file (five minutes), run with EVERYLEAF_CLAUDE=all.
"""

from __future__ import annotations

import json
import os

import pytest
from click.testing import CliRunner

from everyleaf.cli.command import everyleaf
from revise.shapes import SHAPES, Writer, uuid
from revise.terminal import Claude, install
from sessions import write_records

NEWEST, OLDER = "2.1.330", "2.1.197"
is_all = os.environ.get("EVERYLEAF_CLAUDE") == "all"
only_with_all = pytest.mark.skipif(not is_all, reason="set EVERYLEAF_CLAUDE=all to run it")
pytestmark = pytest.mark.long
VERSIONS = [NEWEST, pytest.param(OLDER, marks=only_with_all)]

MACHINE, REGEX = "A state machine it is", "A regex it is"


@pytest.fixture(params=VERSIONS)
def claude(request, tmp_path, monkeypatch):
    command = install(request.param)
    monkeypatch.setenv("EVERYLEAF_BACKUP_DIR", str(tmp_path / "backups"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "home" / ".claude"))
    monkeypatch.setattr("everyleaf.revise.session.SETTLED_SECONDS", 0)
    return Claude(command, tmp_path / "home")


def summary(text):
    return {"type": "summary", "summary": text, "leafUuid": uuid("c2")}


def custom_title(session, text):
    return {"type": "custom-title", "customTitle": text, "sessionId": session}


UNSAVED = {
    "messageId": uuid("a1"),
    "trackedFileBackups": {},
    "timestamp": "2026-01-01T00:00:00.000Z",
}
# version → the off-tree records that it puts before and after a conversation.
HABITS = {
    "1.0.113": lambda _: ([summary("Made of 1.0")], []),
    "2.0.27": lambda session: (
        [{"type": "file-history-snapshot", "messageId": uuid("a1"), "snapshot": UNSAVED}],
        [custom_title(session, "Made of 2.0")],
    ),
    "2.1.100": lambda session: (
        [],
        [{"type": "ai-title", "aiTitle": "Made of 2.1.100", "sessionId": session}],
    ),
    "2.1.197": lambda session: (
        [],
        [
            {
                "type": "last-prompt",
                "lastPrompt": "Made of 2.1.197",
                "leafUuid": uuid("c1"),
                "sessionId": session,
            }
        ],
    ),
    "2.1.330": lambda session: (
        [custom_title(session, "Older title")],
        [custom_title(session, "Made of 2.1.330"), Writer(session, "").pin("c2")],
    ),
}


def write_sessions(claude):
    """Write one session a version, as that version does; return them by version."""
    sessions = {}
    for number, (version, habits) in enumerate(HABITS.items()):
        session = f"66e54b32-0000-4000-8000-{number:012}"
        trunk, first, second = Writer(session, str(claude.cwd), version).fork()
        before, after = habits(session)
        records = [*before, *trunk, *first, *second, *after]
        # As if each had been begun apart: the oldest ones are told apart by their uuids.
        lines = "".join(f"{json.dumps(each)}\n" for each in records)
        own = lines.replace("00000000000a", f"00000000000{number}")
        (claude.project / f"{session}.jsonl").write_text(own)
        sessions[version] = session
    beside = claude.project / sessions["2.1.330"] / "custom-title.json"
    beside.parent.mkdir()
    beside.write_text(json.dumps({"customTitle": "Made of 2.1.330"}))
    return sessions


def call(*arguments):
    result = CliRunner().invoke(everyleaf, arguments)
    assert result.exception is None, result.output
    return result.output


def test_titles_and_branches_are_those_that_rename_goto_and_restore_tell_of(claude):
    sessions = write_sessions(claude)
    titles = claude.titles()
    assert len(titles) == len(sessions)

    for version, session in sessions.items():
        told = call("rename", session, f"Named by {version}")
        assert f"Claude Code now lists it as 'Named by {version}'" in told
        told = call("goto", session, ":1")
        assert f"path 1, up to line {told_line(told)}: '{MACHINE}'" in told

    assert claude.titles() == sorted(f"Named by {version}" for version in sessions)
    for session in sessions.values():
        assert claude.resumed(session)[-1] == MACHINE

    for session in sessions.values():
        told = call("restore", session, "--to", "2")
        assert f": '{REGEX}'" in told
    assert claude.titles() == titles
    for session in sessions.values():
        assert claude.resumed(session)[-1] == REGEX


def told_line(told):
    return told.rpartition("up to line ")[2].partition(":")[0]


@only_with_all
@pytest.mark.parametrize("shape", SHAPES)
def test_a_resume_ends_with_the_record_that_is_written_down_for_the_shape(claude, shape):
    session = "66e54b32-0000-4000-8000-000000000001"
    records = SHAPES[shape].write(Writer(session, str(claude.cwd)))
    write_records(claude.project / f"{session}.jsonl", records)

    assert claude.resumed(session)[-1] == SHAPES[shape].last
