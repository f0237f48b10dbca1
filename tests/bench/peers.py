"""everyleaf beside the tools that people use today: one input, one run, in turns.

    just bench-peers [--runs 5] [--sessions 200]

Both peers are installed from the package index into environments that go with the run.
claude-code-log gets a copy of the input for each run, since it writes into it. Each tool
does what it does by default: claude-code-log session pages alone (its combined pages left
out), claude-code-transcripts pages without subagents, everyleaf HTML, Markdown, index,
session and compare pages, masked, without its search index, which neither has. What its
scanner of secrets found is known from a build before, which is not counted; nothing else
is. Memory is the peak of all processes together. Goals: 0.7 times the wall seconds of
claude-code-transcripts, 0.25 times those of claude-code-log; and
0.5 times the first where everyleaf draws HTML alone and masks nothing, as that tool does.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.inputs import SESSIONS, Simulated
from bench.measuring import (
    Folder,
    Measured,
    everyleaf,
    input_mb,
    measure,
    measure_folder,
)
from bench.rows import say

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[[Path, Path], list[str]]
    """From the input and the output folder to what to run."""

PLAIN = "everyleaf --format html --no-redact"
"""What claude-code-transcripts does: pages alone, and nothing is looked for."""
PEERS = {"claude-code-log": "1.7.0", "claude-code-transcripts": "0.6"}


def install(name: str, folder: Path) -> str:
    """Install the peer into an environment below `folder`, and return its command."""
    home = folder / name
    pinned = f"{name}=={PEERS[name]}"
    subprocess.run(["uv", "venv", "-q", str(home)], check=True)
    python = str(home / "bin" / "python")
    subprocess.run(["uv", "pip", "install", "-q", "-p", python, pinned], check=True)
    return str(home / "bin" / name)


def commands(folder: Path) -> dict[str, Command]:
    """Return how each tool is called."""
    log, transcripts = (install(name, folder) for name in PEERS)
    ours = everyleaf()
    return {
        f"claude-code-log {PEERS['claude-code-log']}": lambda source, out: [
            *(log, str(source), "--all-projects", "--combined", "no", "-o", str(out))
        ],
        f"claude-code-transcripts {PEERS['claude-code-transcripts']}": lambda source, out: [
            *(transcripts, "all", "-q", "-s", str(source), "-o", str(out))
        ],
        "everyleaf": lambda source, out: [
            *(*ours, "build", "-q", "--no-search", str(source), "--out", str(out))
        ],
        PLAIN: lambda source, out: [
            *(*ours, "build", "-q", "--no-search", "--format", "html", "--no-redact"),
            *(str(source), "--out", str(out)),
        ],
    }


def run_once(command: Command, source: Path, folder: Path) -> tuple[Measured, Folder]:
    """Return what `command` takes on a copy of `source`, and what it wrote.

    Of earlier runs in `folder` it finds only what the scanner found. Their files stay till
    the end: ext4 makes new ones slowly for some seconds after thousands were deleted.
    """
    run = Path(tempfile.mkdtemp(dir=folder))
    copy, out = run / "input", run / "out"
    shutil.copytree(source, copy)
    taken = measure(command(copy, out), folder / "cache")
    return taken, measure_folder(out)


@dataclass(frozen=True, slots=True)
class Beside:
    """What each tool took on one input, in turns with the others."""

    taken: dict[str, list[Measured]]
    wrote: dict[str, Folder]

    def wall_s(self, name: str) -> float:
        """Return the median of a tool whose name begins so."""
        runs = next(runs for tool, runs in self.taken.items() if tool.startswith(name))
        return statistics.median(run.wall_s for run in runs)


def measure_beside(source: Path, folder: Path, runs: int) -> Beside:
    """Measure all three in turns, so that what else the machine does hits all alike."""
    tools = commands(folder)
    beside = Beside({name: [] for name in tools}, {})
    run_once(tools["everyleaf"], source, folder)  # So that all is scanned.
    for _ in range(runs):
        for name, command in tools.items():
            measured, beside.wrote[name] = run_once(command, source, folder)
            beside.taken[name].append(measured)
    return beside


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        source = Simulated(options.sessions).make(folder)
        beside = measure_beside(source, folder, options.runs)
        say(f"{input_mb(source):.1f} MB of sessions, medians of {options.runs}\n")
    print_table(beside)


def print_table(beside: Beside) -> None:
    """Print a row for each tool, and how everyleaf stands to it."""
    medians = {
        name: (
            statistics.median(run.wall_s for run in runs),
            statistics.median(run.cpu_s for run in runs),
            max(run.peak_mb for run in runs),
        )
        for name, runs in beside.taken.items()
    }
    our_wall, our_cpu, _ = medians["everyleaf"]
    say("| tool | wall s | CPU s | peak MB | pages | MB | our wall | our CPU |")
    say("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, (wall, cpu, peak) in medians.items():
        say(
            f"| {name} | {wall:.2f} | {cpu:.2f} | {peak:.0f} |"
            f" {beside.wrote[name].pages:,} | {beside.wrote[name].mb:.1f} |"
            f" {our_wall / wall:.2f} x | {our_cpu / cpu:.2f} x |"
        )


if __name__ == "__main__":
    main()
