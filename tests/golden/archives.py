"""The archives whose sites are held, and what becomes of an archive between two builds.

What comes from ../shared is only written into the folder of a test: the project keeps
digests of it, nothing else.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from everyleaf.digest import digest_hex
from redact.keykinds import make_keys
from sessions import append_prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Record = dict[str, object]
    WriteArchive = Callable[[Path], None]

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "archive"
SHARED = next(
    (place for place in (ROOT.parent / "shared", Path("/work/shared")) if place.is_dir()),
    ROOT.parent / "shared",
)
"""The simulator and real sessions: beside the checkout, where they are at hand at all."""
REAL_SESSIONS = 20
REAL_BYTES = 300_000
"""A larger session is left out: all of them would take minutes."""

SETTINGS = """\
[redact]
people = "on"
keep-emails = ["*@example.org"]

[[redact.mask]]
kind = "place"
word = "Skerry Sound"

[[redact.mask]]
kind = "ticket"
pattern = '#\\d+'
"""


def write_example(folder: Path) -> None:
    """Write the archive that comes with the project."""
    shutil.copytree(EXAMPLE, folder, copy_function=shutil.copyfile)


def write_secrets(folder: Path) -> None:
    """Write the example, and people who tell a key of each kind, and who they are."""
    write_example(folder)
    keys = make_keys(7).values()
    told = [kind.around.replace("{key}", key) for kind, key in keys]
    people = "I am ada@tides.test, and build.corp.internal is at 10.1.2.3."
    session = find_sessions(folder)[0]
    last = list(_iter_messages(session))[-1]
    _append_prompt(session, last, "\n\n".join([*told, people]))
    again = _sharing_sessions(folder)[0]
    last = list(_iter_messages(again))[-1]
    _append_prompt(again, last, "\n\n".join(f"Not {key}!" for _, key in keys))


def write_mixed(folder: Path) -> None:
    """Write sessions of every version, with copies of one another."""
    simulate(folder, "--profile", "mixed", "--sessions", "12", "--turns", "10")


def write_broken(folder: Path) -> None:
    """Write sessions of the last version, and a project of damaged ones."""
    simulate(folder, "--profile", "v21", "--sessions", "8", "--turns", "8", "--broken")


def simulate(folder: Path, *options: str) -> None:
    """Write what the simulator makes with `options`."""
    simulator = SHARED / "tools" / "simulate.py"
    if not simulator.is_file():
        pytest.skip(f"the simulator is not here: {simulator}")
    command = [sys.executable, str(simulator), str(folder), "--seed", "7", *options]
    subprocess.run(command, check=True, capture_output=True)


def write_real(folder: Path) -> None:
    """Write every n-th real session that is not large, with what lies in its folder."""
    corpus = SHARED / "corpus"
    if not corpus.is_dir():
        pytest.skip(f"the real sessions are not here: {corpus}")
    small = [file for file in find_sessions(corpus) if file.stat().st_size < REAL_BYTES]
    chosen = small[:: max(len(small) // REAL_SESSIONS, 1)][:REAL_SESSIONS]
    for file in chosen:
        copy = folder / file.relative_to(corpus)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, copy)
        beside = file.with_suffix("")
        if beside.is_dir():
            shutil.copytree(beside, copy.with_suffix(""), copy_function=shutil.copyfile)


def find_sessions(folder: Path) -> list[Path]:
    """Return the session files below `folder`, without those of agents, by name."""
    return sorted(
        file
        for file in folder.rglob("*.jsonl")
        if not file.name.startswith("agent-") and "subagents" not in file.parts
    )


def write_settings(file: Path) -> None:
    """Write settings that mask people, and words of the example."""
    file.write_text(SETTINGS, encoding="utf-8")


def append_line(archive: Path) -> None:
    """Let the conversation of a session go on, of one that shares records if any does."""
    session = (_sharing_sessions(archive) or find_sessions(archive))[0]
    last = list(_iter_messages(session))[-1]
    _append_prompt(session, last, "And one line more, please.")


def append_fork(archive: Path) -> None:
    """Go back to the middle of the session that `append_line` takes; ask something else."""
    session = _sharing_sessions(archive)[0]
    replies = [one for one in _iter_messages(session) if one["type"] == "assistant"]
    _append_prompt(session, replies[len(replies) // 2], "Rather the other way round.")


def delete_session(archive: Path) -> None:
    """Delete a session that shares records with another, and what lies in its folder."""
    session = _sharing_sessions(archive)[-1]
    session.unlink()
    shutil.rmtree(session.with_suffix(""), ignore_errors=True)


def _sharing_sessions(archive: Path) -> list[Path]:
    """Return the sessions with a record that another one has as well, by name."""
    uuids = {
        file: {str(one["uuid"]) for one in _iter_messages(file)}
        for file in find_sessions(archive)
    }
    return [
        file
        for file, own in uuids.items()
        if any(own & others for other, others in uuids.items() if other != file)
    ]


def _iter_messages(session: Path) -> Iterator[Record]:
    for line in session.read_bytes().splitlines():
        try:
            record = cast("Record | None", json.loads(line))
        except ValueError:
            continue  # A damaged line, as archives have them.
        if not isinstance(record, dict) or "uuid" not in record:
            continue
        if record["type"] in {"user", "assistant"} and not record.get("isSidechain"):
            yield record


def _append_prompt(session: Path, parent: Record, text: str) -> None:
    """Append a prompt that follows `parent`; it is said after everything else."""
    own = f"{digest_hex(text.encode(), size=4)}-0000-4000-8000-000000000000"
    append_prompt(session, parent, text, uuid=own, timestamp="2026-12-01T09:00:00.000Z")
