"""One build, with the seconds of each of its stages: a process that `standard` starts.

    PYTHONPATH=tests uv run python -m bench.stages SOURCE OUT [--jobs 1] [--search]

Prints one JSON object: for each stage its wall and CPU seconds, in order.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import psutil

STARTED = psutil.Process().create_time()


class Stopwatch:
    """Takes the time whenever the build says that another stage has begun."""

    def __init__(self) -> None:
        """Begin with what the process did before it could know the time."""
        self.laps: dict[str, dict[str, float]] = {}
        self._stage = "starting"
        self._wall, self._cpu = 0.0, 0.0

    def on_progress(self, stage: str, done: int, total: int) -> None:
        """Take note of a stage; after its last item, what follows has no name yet."""
        if stage != self._stage:
            self.lap(stage)
        if done == total:
            self.lap("lists and writing" if stage.startswith("drawing") else "between")

    def lap(self, following: str) -> None:
        """End the stage that runs now."""
        wall, cpu = time.time() - STARTED, _cpu_s()
        lap = self.laps.setdefault(self._stage, {"wall": 0.0, "cpu": 0.0})
        lap["wall"] += wall - self._wall
        lap["cpu"] += cpu - self._cpu
        self._stage, self._wall, self._cpu = following, wall, cpu


def _cpu_s() -> float:
    """Return the seconds of this process and of all below it, ended or not."""
    me = psutil.Process()
    total = 0.0
    for process in (me, *me.children(recursive=True)):
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
        total += times.children_user + times.children_system
    return total


def main() -> None:
    """Build, and print where the time went."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--search", action="store_true")
    options = parser.parse_args()
    watch = Stopwatch()
    # Imported here, so that it counts as starting.
    from everyleaf.build import build_site  # noqa: PLC0415
    from everyleaf.config import BuildOptions  # noqa: PLC0415

    build_site(
        BuildOptions(
            sources=(options.source,),
            output_dir=options.out,
            jobs=options.jobs,
            has_search=options.search,
        ),
        on_progress=watch.on_progress,
    )
    watch.lap("")
    sys.stdout.write(json.dumps(watch.laps))


if __name__ == "__main__":
    main()
