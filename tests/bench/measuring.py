"""What a command takes: seconds, and memory of all its processes together."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Sequence

SAMPLE_S = 0.25
"""Seconds between two looks at the memory; a shorter peak is missed.

A look takes 10 ms or more of a core, which a command that uses all cores would miss.
"""
SCANNER = "kingfisher"


@dataclass(frozen=True, slots=True)
class Measured:
    """What one run of a command took."""

    wall_s: float
    cpu_s: float
    """User and system time of the command and of all that it waited for."""
    peak_mb: float
    """Largest sum over its processes at one time; memory that they share counts once."""
    said: str
    """Its standard output."""


@dataclass(frozen=True, slots=True)
class Folder:
    """What a build wrote."""

    files: int
    pages: int
    """HTML and Markdown."""
    mb: float


def measure(
    command: Sequence[str], cache: Path | None = None, *, is_scanner_counted: bool = True
) -> Measured:
    """Run `command` with `cache` as everyleaf's, or an empty one; return what it took.

    The memory of the scanner of secrets, a program of its own, can be left out.

    Raises:
        CalledProcessError: It failed.
    """
    with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryFile("w+") as said:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdout=said,
            stderr=subprocess.DEVNULL,
            env=_environment(cache or Path(empty)),
        )
        peak = 0.0
        while True:
            peak = max(
                peak, _memory_mb(process.pid, but="" if is_scanner_counted else SCANNER)
            )
            try:
                process.wait(SAMPLE_S)
                break
            except subprocess.TimeoutExpired:
                continue
        wall_s = time.perf_counter() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        cpu_s = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
        said.seek(0)
        return Measured(wall_s, cpu_s, peak, said.read())


def everyleaf() -> list[str]:
    """Return the command that people run, of this environment."""
    return [str(Path(sys.executable).with_name("everyleaf"))]


def _environment(cache: Path) -> dict[str, str]:
    """Return the environment of a person: code that was compiled once stays compiled."""
    here = {**os.environ, "EVERYLEAF_CACHE_DIR": str(cache)}
    here.pop("PYTHONDONTWRITEBYTECODE", None)
    return here


def measure_folder(folder: Path) -> Folder:
    """Return how much `folder` holds."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    pages = sum(file.suffix in {".html", ".md"} for file in files)
    return Folder(len(files), pages, sum(file.stat().st_size for file in files) / 1e6)


def input_mb(folder: Path) -> float:
    """Return how much session files hold."""
    return sum(file.stat().st_size for file in folder.rglob("*.jsonl")) / 1e6


def _memory_mb(pid: int, but: str) -> float:
    """Return what the process and all below it hold now, in MB, `but` for a program."""
    total = 0
    try:
        first = psutil.Process(pid)
        processes = [first, *first.children(recursive=True)]
    except psutil.Error:
        return 0.0
    for process in processes:
        try:
            if process.name() == but:
                continue
            memory = process.memory_full_info()
        except psutil.Error:
            continue  # It has just ended.
        # Pages that forked processes share count once in `pss`, where the system knows it.
        total += getattr(memory, "pss", memory.uss)
    return total / 1e6
