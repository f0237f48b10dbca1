"""What Claude Code runs when a session ends or is compacted: it keeps that session.

A session must never fail because of it: whatever goes wrong is written to the store's log,
and the exit code is 0. It imports little, since the CLI waits for it, 1.5 seconds unless a
hook has a time of its own.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from everyleaf.store import Store

_LOG_BYTES = 1 << 20
"""A log is not written on beyond that: what repeats itself says nothing new."""


def run_hook(arguments: Sequence[str]) -> None:
    """Keep the session that standard input names; `arguments` are `--to DIR`.

    Ctrl-C, or closing the terminal, may be why the session ended: they do not end this.
    """
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    if not arguments:
        return
    folder = Path(arguments[-1])
    try:
        told = msgspec.json.decode(sys.stdin.buffer.read(), type=_HookInput)
        keep_session(Store(folder), Path(told.transcript_path).expanduser())
    except Exception as error:  # noqa: BLE001  (see above: a session goes on, whatever it is)
        _log(folder, error)


class _HookInput(msgspec.Struct):
    """What Claude Code tells every hook, as far as it is needed."""

    transcript_path: str


def keep_session(store: Store, transcript: Path) -> None:
    """Add what is new of a session, as it lies in the folder of a project.

    Raises:
        EveryleafError: the store cannot be written, or is torn.
        FileNotFoundError: there is no such session.
    """
    if transcript.suffix != ".jsonl" or not transcript.is_file():
        raise FileNotFoundError(2, "no such session", str(transcript))
    if _is_left_alone(transcript):
        return
    store.create()
    added = store.keep(transcript.stem, iter_session(transcript))
    if added.unread:
        raise PermissionError(13, "cannot be read", ", ".join(added.unread))


def _is_left_alone(transcript: Path) -> bool:
    """Return whether a person says so in an ignore file: a store is there to be read."""
    if not any((above / ".everyleafignore").is_file() for above in transcript.parents):
        return False
    from everyleaf.sources.gathering import ignoring_above  # noqa: PLC0415  (seldom)

    return ignoring_above(transcript).leaves_out(transcript)


def iter_session(transcript: Path) -> Iterator[tuple[str, Path]]:
    """Yield a name and a place for each file of a session: its own, and those beside it."""
    project, session = transcript.parent, transcript.stem
    name = f"projects/{project.name}/{session}"
    yield f"{name}.jsonl", transcript
    yield from iter_folder(name, project / session)
    yield from iter_history(transcript, session)


def iter_history(transcript: Path, session: str) -> Iterator[tuple[str, Path]]:
    """Yield the copies of files that the CLI made in a session before it edited them."""
    projects = next((each for each in transcript.parents if each.name == "projects"), None)
    if projects is not None:
        histories = projects.parent / "file-history"
        yield from iter_folder(f"file-history/{session}", histories / session)


def iter_folder(name: str, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield a name, which begins with `name`, and a place for each file below `folder`.

    Links are passed over: they may lead anywhere.
    """
    for place, folders, files in os.walk(folder):
        folders.sort()
        below = Path(place).relative_to(folder).as_posix()
        prefix = name if below == "." else f"{name}/{below}"
        for file in sorted(files):
            location = Path(place, file)
            if location.is_file() and not location.is_symlink():
                yield f"{prefix}/{os.fsencode(file).decode(errors='replace')}", location


def _log(folder: Path, error: Exception) -> None:
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    with suppress(OSError):  # There is nobody to tell.
        # A file for each process: those of several machines come together by copying.
        place = folder / "log"
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with (place / f"{moment[:10]}-{os.getpid()}.txt").open("a") as handle:
            if handle.tell() < _LOG_BYTES:
                handle.write(f"{moment} {type(error).__name__}: {error}\n")
