"""How the path engine grows: a table of seconds and memory for each shape and size.

    PYTHONPATH=tests uv run python -m bench.graph_growth [--largest 1000000]

Every cell is a process of its own. Seconds are the processor's and those of `solve` alone;
memory is the peak of the process, envelopes included. Goals: a million records in under
10 s and 1.5 GB, and twice the records in at most 2.3 times the time.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time

from bench.archives import SHAPES

HALVINGS = 3


def measure(shape: str, size: int) -> dict[str, float]:
    """Return what solving `size` records of `shape` takes, in this process."""
    # Only the cells need these.
    from everyleaf.collector import collector_paused  # noqa: PLC0415
    from everyleaf.graph.solve import solve  # noqa: PLC0415

    files = SHAPES[shape](size)
    started = time.process_time()
    with collector_paused():
        forest = solve(files)
    seconds = time.process_time() - started
    peak_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": seconds, "mb": peak_kb / 1024, "paths": len(forest.kept)}


def measure_apart(shape: str, size: int) -> dict[str, float]:
    """Return what `measure` says in a fresh process."""
    module = [sys.executable, "-m", "bench.graph_growth"]
    cell = [*module, "--cell", shape, "--largest", str(size)]
    shown = subprocess.run(cell, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(shown.stdout)
    return figures


def print_table(largest: int) -> None:
    """Print a row for each shape and size, as soon as it is known."""
    say("| shape | records | paths | seconds | to half the size | peak MB |")
    say("| --- | ---: | ---: | ---: | ---: | ---: |")
    for shape in SHAPES:
        before = 0.0
        for halvings in range(HALVINGS, -1, -1):
            size = largest >> halvings
            cell = measure_apart(shape, size)
            ratio = f"{cell['seconds'] / before:.2f}" if before else ""
            before = cell["seconds"]
            say(
                f"| {shape} | {size:,} | {cell['paths']:,} | {before:.2f} | {ratio} |"
                f" {cell['mb']:,.0f} |"
            )


def say(line: str) -> None:
    """Print `line` at once: the large cells take their time."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure one cell, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=1_000_000)
    parser.add_argument("--cell", choices=SHAPES)
    options = parser.parse_args()
    if options.cell:
        say(json.dumps(measure(options.cell, options.largest)))
    else:
        print_table(options.largest)


if __name__ == "__main__":
    main()
