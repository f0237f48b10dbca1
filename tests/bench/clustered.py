"""A build by two processes of this machine beside one by two of Dask's, after their start.

    PYTHONPATH=tests uv run python -m bench.clustered ARCHIVE jobs
    PYTHONPATH=tests uv run python -m bench.clustered ARCHIVE cluster [--no-search]

Prints seconds, what the driving process took, and how the work was spread.
"""

from __future__ import annotations

import resource
import shutil
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.rows import say
from everyleaf.build import build_site
from everyleaf.config import BuildOptions


def take(source: Path, out: Path, **chosen: object) -> None:
    """Build, and print what it took."""
    started = [time.perf_counter()]

    def told(stage: str, _done: int, total: int) -> None:
        if not total and "worker" in stage and len(started) == 1:
            started.append(time.perf_counter())

    words = {"sources": (source,), "output_dir": out, "has_cache": False, **chosen}
    options = BuildOptions.model_validate(words)
    begun, cpu = time.perf_counter(), time.process_time()
    report = build_site(options, on_progress=told)
    seconds = time.perf_counter() - started[-1]
    own = time.process_time() - cpu
    start = started[-1] - begun
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    say(f"{chosen}: {seconds:.1f} s after {start:.1f} s")
    say(f"  driver: {own:.1f} s CPU, {most:.0f} MB at most")
    if report.cluster:
        jobs = sum(kind.jobs for kind in report.cluster.kinds)
        busy = sum(report.cluster.busy)
        say(f"  {jobs} jobs, {busy:.1f} s of work, busiest {report.cluster.busy[0]:.1f}")
        for kind in report.cluster.kinds:
            say(f"  {kind}")
    shutil.rmtree(out)


def main() -> None:
    """Build as the command line asks."""
    source, how = Path(sys.argv[1]), sys.argv[2]
    chosen: dict[str, object] = {"jobs": 2} if how == "jobs" else {"cluster": "local:2"}
    chosen["has_search"] = "--no-search" not in sys.argv
    with TemporaryDirectory() as folder:
        take(source, Path(folder, "site"), **chosen)


if __name__ == "__main__":
    main()
