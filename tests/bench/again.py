"""A site built, and once more: nothing changed, every file touched, a line appended."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

from bench.measuring import everyleaf, measure
from sessions import append_prompt

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bench.measuring import Measured
    from bench.rows import Bench, Row


def again_rows(bench: Bench, source: Path) -> list[Row]:
    """Return what building a copy of `source` took, and again: unchanged, touched, longer.

    By the command that people run; the first time once.
    """
    copy, out = bench.copy, bench.folder / "grown"
    shutil.copytree(source, copy)
    command = [*everyleaf(), "build", "-q"]
    command += ["--no-search", "--jobs", str(bench.jobs), str(copy), "--out", str(out)]
    first = bench.again("first", copy, [measure(command, bench.cache)], out)

    def repeat(name: str, change: Callable[[Path], None]) -> Row:
        runs: list[Measured] = []
        for _ in range(bench.runs):
            change(copy)
            runs.append(measure(command, bench.cache))
        return bench.again(name, copy, runs, out)

    return [
        first,
        repeat("built again, nothing changed", lambda _: None),
        repeat("built again, every file touched", touch_all),
        repeat("built again, one line appended", append_line),
    ]


def touch_all(folder: Path) -> None:
    """Give every session file another time."""
    for file in sorted(folder.rglob("*.jsonl")):
        status = file.stat()
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000_000))


def append_line(folder: Path) -> None:
    """Append a prompt to the session in the middle, behind its last message."""
    files = sorted(folder.glob("*/*.jsonl"))
    file = files[len(files) // 2]
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line]
    last = next(r for r in reversed(records) if r.get("uuid") and "message" in r)
    own = f"{len(records):08x}-0000-4000-8000-000000000000"
    more = {"uuid": own, "timestamp": last["timestamp"]}
    append_prompt(file, last, f"And what of line {len(records)}?", **more)
