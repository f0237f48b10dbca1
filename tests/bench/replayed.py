"""Jobs of a large archive on more workers than there are here: they sleep, Dask is real.

    uv run python tests/bench/replayed.py SECONDS JOBS WORKERS…

Each job takes about SECONDS, as even as jobs of a build are (half of them up to twice as
long), and goes through `ClusterEngine` to a thread of one of eight worker processes, of
which there are as many as WORKERS. Efficiency is the sum of what jobs slept, over workers
times wall; what the engine itself costs is told by SECONDS of 0.
"""

from __future__ import annotations

import random
import sys
import time
from contextlib import nullcontext
from functools import partial
from typing import Any

from distributed import Client, LocalCluster

from everyleaf.cluster import jobs
from everyleaf.cluster.engine import ClusterEngine
from everyleaf.workers import Load, iter_done

PROCESSES = 8


class Replay(ClusterEngine):
    """An engine that takes each thread for a worker."""

    threads = 0

    @property
    def workers(self) -> int:
        return self.threads


def sleep(_name: str, seconds: float) -> float:
    """Take as long as a job does."""
    time.sleep(seconds)
    return seconds


def run(job: tuple[str, float]) -> float:
    return sleep(*job)


def sleep_together() -> None:
    """Let threads of this worker do jobs at the same time: sleeping takes no processor."""
    lock: Any = nullcontext()
    jobs._one_at_a_time = lock


def replay(seconds: float, many: int, workers: int) -> None:
    choose = random.Random(7)  # noqa: S311  (the same each time)
    # Names and digests of twenty files go with each.
    names = "x" * 2_000
    items = [
        (names, choose.choice((1, choose.uniform(1, 2))) * seconds) for _ in range(many)
    ]
    start: Any = LocalCluster
    connect: Any = Client
    with (
        start(
            n_workers=PROCESSES,
            threads_per_worker=workers // PROCESSES,
            dashboard_address=None,
            silence_logs=50,
        ) as cluster,
        connect(cluster, set_as_default=False) as client,
    ):
        client.run(sleep_together)
        engine = Replay(client, "default", lambda *_: None)
        engine.threads = workers
        load: Load[tuple[str, float]] = Load("replay", lambda _: 1, 1, many)
        list(iter_done(engine, run, items[:workers], load=load))  # All are awake.
        begun, cpu = time.perf_counter(), time.process_time()
        slept = sum(done for _, done in iter_done(engine, run, items, load=load))
        wall, own = time.perf_counter() - begun, time.process_time() - cpu
        engine.shutdown()
    share = slept / (workers * wall)
    print(  # noqa: T201
        f"{many:,} jobs of {seconds} s, {workers} workers: {wall:.1f} s, efficiency"
        f" {share:.0%}, {own / many * 1000:.1f} ms CPU of driver and scheduler a job"
    )


def main() -> None:
    seconds, many = float(sys.argv[1]), int(sys.argv[2])
    for workers in map(int, sys.argv[3:]):
        partial(replay, seconds, many)(workers)


if __name__ == "__main__":
    main()
