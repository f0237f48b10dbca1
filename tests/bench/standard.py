"""Cold builds of the standard archives: what they take, stage by stage, and how it grows.

    just bench [--runs 3] [--jobs 0] [--plot build/bench/growth.svg]

The archives are those of the simulator with seed 7, at an eighth, a quarter, a half and all
of 200 sessions, and the corpus where it is there. Figures are medians; memory is the peak
of all processes together. On a machine that does other work, CPU seconds are the ones to
compare. Goals: twice the archive in at most 2.1 times the time; the corpus at 12 MB a
second.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from bench.inputs import SESSIONS, Simulated, find_corpus
from bench.measuring import Folder, Measured, input_mb, measure, measure_folder
from bench.plot import growth_svg

EIGHTHS = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True)
class Row:
    """What building one archive took."""

    name: str
    mb: float
    runs: tuple[Measured, ...]
    wrote: Folder

    @property
    def cpu_s(self) -> float:
        """Return the median."""
        return statistics.median(run.cpu_s for run in self.runs)

    @property
    def wall_s(self) -> float:
        """Return the median."""
        return statistics.median(run.wall_s for run in self.runs)

    def line(self) -> str:
        """Return the row of the table."""
        peak = max(run.peak_mb for run in self.runs)
        return (
            f"| {self.name} | {self.mb:.1f} | {self.wall_s:.2f} | {self.cpu_s:.2f} |"
            f" {self.mb / self.wall_s:.1f} | {peak:.0f} | {self.wrote.pages:,} |"
            f" {self.wrote.files:,} | {self.wrote.mb:.1f} |"
        )


def build_row(name: str, source: Path, *, runs: int, jobs: int) -> Row:
    """Return what `runs` cold builds of `source` took, each into a folder of its own."""
    taken: list[Measured] = []
    wrote = Folder(0, 0, 0.0)
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "site"
            module = [sys.executable, "-m", "bench.stages", str(source), str(out)]
            taken.append(measure([*module, "--jobs", str(jobs)]))
            wrote = measure_folder(out)
    return Row(name, input_mb(source), tuple(taken), wrote)


def print_stages(row: Row) -> None:
    """Print the stages of the run in the middle."""
    middle = sorted(row.runs, key=lambda run: run.cpu_s)[len(row.runs) // 2]
    say(f"\nStages of {row.name}:\n\n| stage | wall s | CPU s |\n| --- | ---: | ---: |")
    for stage, lap in json.loads(middle.said).items():
        say(f"| {stage} | {lap['wall']:.2f} | {lap['cpu']:.2f} |")


def say(line: str) -> None:
    """Print `line` at once: builds take their time."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure, print, plot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--plot", type=Path, default=Path("build/bench/growth.svg"))
    options = parser.parse_args()
    say("| archive | MB | wall s | CPU s | MB/s | peak MB | pages | files | MB written |")
    say("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for eighths in EIGHTHS:
            sessions = SESSIONS * eighths // EIGHTHS[-1]
            source = Simulated(sessions).make(Path(folder))
            name = f"seed 7, {sessions} sessions"
            rows.append(build_row(name, source, runs=options.runs, jobs=options.jobs))
            say(rows[-1].line())
    corpus = find_corpus()
    if corpus:
        real = build_row("corpus", corpus, runs=options.runs, jobs=options.jobs)
        say(real.line())
    for half, whole in pairwise(rows):
        size, cpu = whole.mb / half.mb, whole.cpu_s / half.cpu_s
        say(f"{half.name} to {whole.name}: {size:.2f} x the input, {cpu:.2f} x the CPU")
    print_stages(rows[-1])
    options.plot.parent.mkdir(parents=True, exist_ok=True)
    options.plot.write_text(growth_svg([(row.mb, row.cpu_s) for row in rows]), "utf-8")
    say(f"\nplot: {options.plot}")


if __name__ == "__main__":
    main()
