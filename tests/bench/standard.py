"""Builds of the standard archives: what they take, stage by stage, and how it grows.

    just bench [--runs 3] [--jobs 0] [--sessions 200] [--plot build/bench/growth.svg]

The archives are those of the simulator with seed 7, at an eighth, a quarter, a half and all
of 200 sessions, and the corpus where it is there. Builds are cold, without the search index
but where it says so; what the scanner of secrets found is known. Then the same again with
nothing changed, with every file touched, and with a line more. Figures are medians; memory
is the peak of all processes together. On a machine that does other work, CPU seconds are
the ones to compare. It ends with the goals.
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
    from collections.abc import Sequence

    from bench.rows import Row

EIGHTHS = (1, 2, 4, 8)
MOST_GROWTH, MOST_SEARCH, LEAST_MB_A_S, MOST_MB = 2.1, 0.5, 12, 300
MOST_UNCHANGED_S, MOST_LINE_S = 0.3, 0.6


def print_stages(row: Row) -> None:
    """Print the stages of the run in the middle."""
    say(f"\nStages of {row.name}:\n\n| stage | wall s | CPU s |\n| --- | ---: | ---: |")
    for stage, lap in json.loads(row.middle.said).items():
        say(f"| {stage} | {lap['wall']:.2f} | {lap['cpu']:.2f} |")


def print_goals(
    growth: Sequence[Row], searched: Row, corpus: Row | None, again: Sequence[Row]
) -> None:
    """Print the goals that these measurements tell of."""
    whole = growth[-1]
    unchanged, touched, line = (row.wall_s for row in again)
    times = max((b.wall_s / a.wall_s) / (b.mb / a.mb) * 2 for a, b in pairwise(growth))
    say("\n| goal | at most | measured |\n| --- | ---: | ---: |")
    say(f"| nothing changed | {MOST_UNCHANGED_S} s | {unchanged:.2f} s |")
    say(f"| every file touched | {MOST_UNCHANGED_S} s | {touched:.2f} s |")
    say(f"| one line appended | {MOST_LINE_S} s | {line:.2f} s |")
    search = searched.wall_s / whole.wall_s - 1
    say(f"| search index on top | {MOST_SEARCH} x the build | {search:.2f} x |")
    say(f"| memory of {whole.name} | {MOST_MB} MB | {whole.peak_mb:.0f} MB |")
    say(f"| doubling the archive | {MOST_GROWTH} x the time | {times:.2f} x |")
    if corpus is not None:
        limit_s = corpus.mb / LEAST_MB_A_S
        say(f"| corpus, {corpus.mb:.0f} MB | {limit_s:.1f} s | {corpus.wall_s:.1f} s |")


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
        searched = bench.cold(f"{whole.name}, search", sources[-1], has_search=True)
        place = None if options.no_corpus else find_corpus()
        corpus = bench.cold("corpus", place) if place else None
        again = again_rows(bench, sources[-1])
    for row in (whole, *((corpus,) if corpus else ())):
        print_stages(row)
    for half, double in pairwise(growth):
        size, wall = double.mb / half.mb, double.wall_s / half.wall_s
        cpu = double.cpu_s / half.cpu_s
        say(f"\n{double.name}: {size:.2f} x the input of {half.name},")
        say(f"{wall:.2f} x the wall seconds, {cpu:.2f} x the CPU seconds")
    print_goals(growth, searched, corpus, again)
    options.plot.parent.mkdir(parents=True, exist_ok=True)
    options.plot.write_text(growth_svg([(row.mb, row.cpu_s) for row in growth]), "utf-8")
    say(f"\nplot: {options.plot}")


if __name__ == "__main__":
    main()
