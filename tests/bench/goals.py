"""Every goal there is for speed and memory, measured in one run: the table of the manual.

    just bench-goals [--runs 5] [--long-runs 5] [--many 5200]

Needs the simulator, and for one row the corpus. With `--runs 3 --long-runs 1` it takes less
than half an hour; nothing else should run meanwhile. Seconds are medians of `--runs`, the
other tools in turns with everyleaf; what was found in the sessions is known from a build
before. Large single files are medians of `--long-runs`, of which nothing is known; 1 GB of
sessions is built once, and then again. Memory is the peak of all processes together; of
several runs the highest.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from bench.again import again_rows
from bench.forked_file import measure_forked
from bench.inputs import EXAMPLE, SESSIONS, Simulated, find_corpus
from bench.measuring import everyleaf, measure
from bench.peers import PLAIN, measure_beside
from bench.progress_file import measure_progress
from bench.rows import HEAD, Bench, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bench.built import Built

MANY_SESSIONS = 5_200
"""As many as the simulator makes 1 GB of."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A row of the table."""

    name: str
    most: float
    measured: float
    unit: str
    told: str = ""
    """Seconds, where the row is a ratio of them."""

    def line(self) -> str:
        """Return the row."""
        verdict = "met" if self.measured <= self.most else "missed"
        shown = f"{self._shown(self.measured)}{f' ({self.told})' if self.told else ''}"
        return f"| {self.name} | {self._shown(self.most)} | {shown} | {verdict} |"

    def _shown(self, value: float) -> str:
        if self.unit in {"s", "x"} and value < 10:
            return f"{value:.2f}".removesuffix("0") + f" {self.unit}"
        return f"{value:,.0f} {self.unit}"


def beside_goals(folder: Path, source: Path, runs: int) -> Iterator[Goal]:
    """Yield how everyleaf stands to the other tools."""
    folder.mkdir()
    beside = measure_beside(source, folder, runs)
    for ours, peer, most in (
        ("everyleaf", "claude-code-transcripts", 0.7),
        (PLAIN, "claude-code-transcripts", 0.5),
        ("everyleaf", "claude-code-log", 0.25),
    ):
        mine, theirs = beside.wall_s(ours), beside.wall_s(peer)
        name = f"{ours.removeprefix('everyleaf ')}, cold, wall, beside {peer}"
        yield Goal(name, most, mine / theirs, "x", f"{mine:.1f} s, {theirs:.1f} s")


def short_goals(bench: Bench, source: Path, corpus: Path | None) -> Iterator[Goal]:
    """Yield what building `source` again takes, and the corpus."""
    say(HEAD)
    _, *rows = again_rows(bench, source)
    for row, most in zip(rows, (0.25, 0.3, 0.9), strict=True):
        yield Goal(row.name, most, row.wall_s, "s")
    if corpus is not None:
        row = bench.cold("real sessions", corpus)
        told = f"{row.mb:.0f} MB, {row.mb / row.wall_s:.1f} MB/s"
        yield Goal("real sessions, cold, wall", row.mb / 12, row.wall_s, "s", told)


def many_goals(bench: Bench, source: Path) -> Iterator[Goal]:
    """Yield what 1 GB of sessions takes: cold once, then again, then to show one."""
    first, same, _, line = again_rows(bench, source)
    yield Goal("1 GB of sessions, cold: memory", 350, first.peak_mb, "MB")
    yield Goal("1 GB of sessions, unchanged", 1.0, same.wall_s, "s")
    yield Goal("1 GB of sessions, one line appended", 1.5, line.wall_s, "s")
    yield Goal("the same: memory", 200, line.peak_mb, "MB")
    files = sorted(bench.copy.glob("*/*.jsonl"))
    stems = [file.stem for file in files if not file.stem.startswith("agent-")]
    show = ["show", "--source", str(bench.copy), stems[len(stems) // 2]]
    bench.command(show)  # What follows is warm.
    yield Goal("show of one of them, warm", 0.6, bench.command(show), "s")


def start_goals(bench: Bench) -> Iterator[Goal]:
    """Yield what a person waits for first: help, and the example on a new machine."""
    yield Goal("everyleaf --help", 0.2, bench.command(["--help"]), "s")
    cold: list[float] = []
    for number in range(bench.runs):
        out = bench.folder / f"example-{number}"
        command = [*everyleaf(), "build", "-q", str(EXAMPLE), "--out", str(out)]
        cold.append(measure(command, bench.folder / f"new-{number}").wall_s)
    yield Goal("the example, nothing known", 5, statistics.median(cold), "s")


def long_goals(runs: int) -> Iterator[Goal]:
    """Yield what builds of single large files take."""

    def repeat(name: str, build: Callable[[], Built]) -> list[Built]:
        built = [build() for _ in range(runs)]
        for one in built:
            say(one.line(name))
        return built

    forked = repeat("forked", lambda: measure_forked(100_000, 1_000))
    wall_s = statistics.median(one.taken.wall_s for one in forked)
    yield Goal("100,000 records, 1,000 forks: wall", 45, wall_s, "s")
    yield Goal("the same: memory", 500, _peak_mb(forked), "MB")
    progress = repeat("progress", lambda: measure_progress(1_000))
    yield Goal("a file of 1 GB, progress: memory", 250, _peak_mb(progress), "MB")


def _peak_mb(built: list[Built]) -> float:
    return max(one.taken.peak_mb for one in built)


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--long-runs", type=int, default=5)
    parser.add_argument("--many", type=int, default=MANY_SESSIONS, help="sessions of 1 GB")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        source = Simulated(SESSIONS).make(folder)
        bench = Bench(folder, runs=options.runs, jobs=0)
        many = Bench(folder / "many", runs=options.runs, jobs=0)
        many.folder.mkdir()
        goals: list[Goal] = []
        for goal in chain(
            beside_goals(folder / "beside", source, options.runs),
            short_goals(bench, source, find_corpus()),
            start_goals(bench),
            long_goals(options.long_runs),
            many_goals(many, Simulated(options.many).make(many.folder)),
        ):
            say(goal.line())  # That is long: what was measured is not lost with it.
            goals.append(goal)
    say("\n| | goal | measured | |\n| --- | ---: | ---: | --- |")
    for goal in goals:
        say(goal.line())


if __name__ == "__main__":
    main()
