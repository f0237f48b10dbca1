"""Every goal there is for speed and memory, measured in one run: the table of the manual.

    just bench-goals [--runs 5] [--long-runs 5]

Needs the simulator, and for one row the corpus. Takes about half an hour; nothing else
should run meanwhile. Short builds are medians of `--runs`, the other tools in turns with
everyleaf among them, what the scanner of secrets finds known. Those that take minutes are
medians of `--long-runs` and scanned anew each time; 1 GB of sessions is built once. Memory
is the peak of all processes together, the scanner left out where the goal says so; of
several runs the highest.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from bench.again import again_rows
from bench.built import build_file
from bench.forked_file import measure_forked
from bench.inputs import SESSIONS, Simulated, find_corpus
from bench.peers import measure_beside
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
    ours = beside.wall_s("everyleaf")
    for peer, most in (("claude-code-transcripts", 0.7), ("claude-code-log", 0.3)):
        theirs = beside.wall_s(peer)
        told = f"{ours:.1f} s, {theirs:.1f} s"
        yield Goal(f"cold, wall, beside {peer}", most, ours / theirs, "x", told)


def short_goals(bench: Bench, sources: list[Path], corpus: Path | None) -> Iterator[Goal]:
    """Yield what builds of `sources` take, each twice as large as the one before."""
    say(HEAD)
    growth = [bench.cold(source.parent.name, source) for source in sources]
    whole = growth[-1]
    searched = bench.cold("with search", sources[-1], has_search=True)
    for row, most in zip(again_rows(bench, sources[-1]), (0.3, 0.3, 0.6), strict=True):
        yield Goal(row.name, most, row.wall_s, "s")
    if corpus is not None:
        row = bench.cold("real sessions", corpus)
        told = f"{row.mb:.0f} MB, {row.mb / row.wall_s:.1f} MB/s"
        yield Goal("real sessions, cold, wall", row.mb / 12, row.wall_s, "s", told)
    yield Goal("search index on top", 0.5, searched.wall_s / whole.wall_s - 1, "x")
    times = max(b.wall_s / a.wall_s / (b.mb / a.mb) * 2 for a, b in pairwise(growth))
    yield Goal("twice the archive, wall", 2.1, times, "x")
    yield Goal("memory", 300, whole.peak_mb, "MB")


def long_goals(runs: int) -> Iterator[Goal]:
    """Yield what builds take that need minutes."""

    def repeat(name: str, build: Callable[[], Built], times: int = runs) -> list[Built]:
        built = [build() for _ in range(times)]
        for one in built:
            say(one.line(name))
        return built

    forked = repeat("forked", lambda: measure_forked(100_000, 1_000))
    wall_s = statistics.median(one.taken.wall_s for one in forked)
    yield Goal("100,000 records, 1,000 forks: wall", 60, wall_s, "s")
    yield Goal("the same: memory", 1_000, _peak_mb(forked), "MB")
    yield Goal("the same: size of the site", 20, max(one.times for one in forked), "x")
    progress = repeat("progress", lambda: measure_progress(1_000))
    yield Goal("a file of 1 GB, progress: memory", 300, _peak_mb(progress), "MB")
    make = Simulated(MANY_SESSIONS).make
    many = repeat("1 GB", lambda: build_file(make, is_scanner_counted=False), times=1)
    yield Goal("1 GB of sessions: memory", 500, _peak_mb(many), "MB")


def _peak_mb(built: list[Built]) -> float:
    return max(one.taken.peak_mb for one in built)


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--long-runs", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sizes = (SESSIONS // 4, SESSIONS // 2, SESSIONS)
        sources = [Simulated(sessions).make(folder) for sessions in sizes]
        bench = Bench(folder, runs=options.runs, jobs=0)
        goals = [
            *beside_goals(folder / "beside", sources[-1], options.runs),
            *short_goals(bench, sources, find_corpus()),
            *long_goals(options.long_runs),
        ]
    say("\n| | goal | measured | |\n| --- | ---: | ---: | --- |")
    for goal in goals:
        say(goal.line())


if __name__ == "__main__":
    main()
