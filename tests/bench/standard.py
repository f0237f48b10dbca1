"""Builds of the standard archives: what they take, stage by stage, and how it grows.

    just bench [--runs 3] [--jobs 0] [--sessions 200] [--plot build/bench/growth.svg]

The archives are those of the simulator with seed 7, at an eighth, a quarter, a half and all
of 200 sessions, and the corpus where it is there. Builds are cold, without the search index
but where it says so; what the scanner of secrets found is known. Then the same again with
nothing changed, with every file touched, and with a line more. Figures are medians; memory
is the peak of all processes together. On a machine that does other work, CPU seconds are
the ones to compare. `just bench-goals` holds them against the goals.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from bench.again import again_rows
from bench.inputs import SESSIONS, Simulated, find_corpus
from bench.plot import growth_svg
from bench.rows import HEAD, Bench, say

if TYPE_CHECKING:
    from bench.rows import Row

EIGHTHS = (1, 2, 4, 8)


def print_stages(row: Row) -> None:
    """Print the stages of the run in the middle."""
    say(f"\nStages of {row.name}:\n\n| stage | wall s | CPU s |\n| --- | ---: | ---: |")
    for stage, lap in json.loads(row.middle.said).items():
        say(f"| {stage} | {lap['wall']:.2f} | {lap['cpu']:.2f} |")


def main() -> None:
    """Measure, print, plot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--no-corpus", action="store_true")
    parser.add_argument("--plot", type=Path, default=Path("build/bench/growth.svg"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        bench = Bench(folder, runs=options.runs, jobs=options.jobs)
        say(HEAD)
        sizes = [options.sessions * eighths // EIGHTHS[-1] for eighths in EIGHTHS]
        sources = [Simulated(sessions).make(folder) for sessions in sizes]
        growth = [
            bench.cold(f"seed 7, {sessions} sessions", source)
            for sessions, source in zip(sizes, sources, strict=True)
        ]
        whole = growth[-1]
        bench.cold(f"{whole.name}, search", sources[-1], has_search=True)
        place = None if options.no_corpus else find_corpus()
        corpus = bench.cold("corpus", place) if place else None
        again_rows(bench, sources[-1])
    for row in (whole, *((corpus,) if corpus else ())):
        print_stages(row)
    for half, double in pairwise(growth):
        size, wall = double.mb / half.mb, double.wall_s / half.wall_s
        cpu = double.cpu_s / half.cpu_s
        say(f"\n{double.name}: {size:.2f} x the input of {half.name},")
        say(f"{wall:.2f} x the wall seconds, {cpu:.2f} x the CPU seconds")
    options.plot.parent.mkdir(parents=True, exist_ok=True)
    options.plot.write_text(growth_svg([(row.mb, row.cpu_s) for row in growth]), "utf-8")
    say(f"\nplot: {options.plot}")


if __name__ == "__main__":
    main()
