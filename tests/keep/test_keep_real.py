"""Claude Code itself runs the hook, and goes on with what was restored.

Needs npm and tmux; the first run installs the CLI into the cache folder.
"""

from __future__ import annotations

import time

import pytest
from click.testing import CliRunner

from everyleaf.cli.command import everyleaf
from everyleaf.keep.stored import list_sessions
from everyleaf.store import Store
from revise.shapes import Writer
from revise.terminal import Claude, install
from sessions import write_records

NEWEST = "2.1.330"
SESSION = "66e54b32-0000-4000-8000-000000000001"
HOOK_SECONDS = 30


@pytest.fixture
def claude(tmp_path, monkeypatch):
    command = install(NEWEST)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "home" / ".claude"))
    made = Claude(command, tmp_path / "home")
    trunk, first, second = Writer(SESSION, str(made.cwd), NEWEST).fork()
    write_records(made.project / f"{SESSION}.jsonl", [*trunk, *first, *second])
    return made


def call(*arguments):
    result = CliRunner().invoke(everyleaf, list(map(str, arguments)))
    assert result.exception is None, result.output
    return result.output


def test_a_session_that_ends_is_kept(claude, tmp_path):
    call("keep", "--install", "--yes", "--to", tmp_path / "kept")

    claude.resumed(SESSION)

    until = time.monotonic() + HOOK_SECONDS
    while not (tmp_path / "kept" / "states").exists() and time.monotonic() < until:
        time.sleep(0.1)
    (kept,) = list_sessions(Store(tmp_path / "kept"))
    assert kept.session == SESSION
    assert not (tmp_path / "kept" / "log").exists()


def test_a_restored_session_resumes(claude, tmp_path):
    call("keep", claude.home / ".claude", "--to", tmp_path / "kept", "-q")
    before = claude.titles(), claude.resumed(SESSION)
    (claude.project / f"{SESSION}.jsonl").unlink()

    call("keep", tmp_path / "kept", "--restore", SESSION, "--to", claude.home / ".claude")

    assert (claude.titles(), claude.resumed(SESSION)) == before
