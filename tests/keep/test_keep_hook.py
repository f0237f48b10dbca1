"""What Claude Code runs: it keeps one session, and never fails it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from everyleaf.keep.stored import list_sessions
from everyleaf.store import Store

ONE = "00000000-0000-4000-8000-000000000001"


def run(store, told):
    body = told if isinstance(told, bytes) else json.dumps(told).encode()
    command = [sys.executable, "-m", "everyleaf", "keep", "--hook", "--to", str(store)]
    return subprocess.run(command, input=body, capture_output=True, check=False)


@pytest.fixture
def transcript(tmp_path):
    project = tmp_path / ".claude" / "projects" / "-w-p"
    project.mkdir(parents=True)
    (project / f"{ONE.replace('1', '2')}.jsonl").write_text("another's\n")
    made = project / f"{ONE}.jsonl"
    made.write_text('{"type": "user"}\n')
    return made


def told_of(transcript):
    return {
        "session_id": ONE,
        "transcript_path": str(transcript),
        "hook_event_name": "SessionEnd",
        "reason": "exit",
    }


def test_the_session_that_ended_is_kept_alone_with_what_belongs_to_it(transcript, tmp_path):
    result = transcript.with_suffix("") / "tool-results" / "t.txt"
    history = tmp_path / ".claude" / "file-history" / ONE / "0123@v1"
    for beside in (result, history):
        beside.parent.mkdir(parents=True)
        beside.write_text("beside")

    done = run(tmp_path / "kept", told_of(transcript))

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (kept,) = list_sessions(Store(tmp_path / "kept"))
    assert (kept.session, kept.project, kept.files) == (ONE, "-w-p", 3)


def test_a_session_that_is_to_be_left_alone_is_not_kept(transcript, tmp_path):
    (transcript.parents[1] / ".everyleafignore").write_text(f"{ONE}.jsonl\n")

    done = run(tmp_path / "kept", told_of(transcript))

    assert done.returncode == 0
    assert not (tmp_path / "kept").exists()


def test_it_loads_no_more_than_it_needs(transcript, tmp_path):
    code = (
        "import sys\n"
        f"sys.argv = ['everyleaf', 'keep', '--hook', '--to', {str(tmp_path / 'kept')!r}]\n"
        "from everyleaf.__main__ import main\n"
        "main()\n"
        "sys.stdout.write(' '.join(sys.modules))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        input=json.dumps(told_of(transcript)).encode(),
        capture_output=True,
        check=True,
    )

    loaded = set(done.stdout.decode().split())
    assert "everyleaf.store" in loaded
    assert not loaded & {"click", "pydantic", "rich", "everyleaf.cli", "everyleaf.sources"}
    assert len(list_sessions(Store(tmp_path / "kept"))) == 1


@pytest.mark.parametrize(
    "told",
    [
        b"",
        b"{",
        b"[]",
        b"\xff",
        {},
        {"transcript_path": None},
        {"transcript_path": "/nowhere/at/all.jsonl"},
        {"transcript_path": "/etc/passwd"},
        {"transcript_path": ""},
    ],
)
def test_it_never_fails_a_session_and_leaves_a_word_in_the_store(tmp_path, told):
    store = tmp_path / "kept"

    done = run(store, told)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (log,) = (store / "log").iterdir()
    assert "Error" in log.read_text()


def test_a_store_that_cannot_be_written_fails_no_session(transcript, tmp_path):
    (tmp_path / "kept").write_text("a file")

    done = run(tmp_path / "kept", told_of(transcript))

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_store_that_only_has_a_log_becomes_one(transcript, tmp_path):
    run(tmp_path / "kept", b"")

    run(tmp_path / "kept", told_of(transcript))

    assert len(list_sessions(Store(tmp_path / "kept"))) == 1
