"""Shows how far a build is, on stderr: a bar on a terminal, else a line a stage."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Generator

    from everyleaf.workers import OnProgress

FIRST = "finding sessions"
"""What is done before the first stage reports."""
WAITING = {"looking for secrets": "waiting for the scanner"}
"""Stage → what is waited for when all of it is done, until the next one begins."""
REFRESH_S = 0.1
"""Seconds between two pictures of the bar."""


@contextmanager
def show_progress(*, is_quiet: bool, has_bars: bool = True) -> Generator[OnProgress]:
    """Yield the callable that stages report through: `on_progress(stage, done, total)`.

    A stage of which there is nothing (a `total` of 0) is a note, and said as it is.

    Bars would draw over a question: `has_bars` says that none will be asked.
    """
    if is_quiet:
        yield lambda _stage, _done, _total: None
    elif has_bars and sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        with _bars() as on_progress:
            yield on_progress
    else:
        yield _lines()


def _lines() -> OnProgress:
    """Print a line for each stage that is done, for logs; one begins where one ended."""
    begun = time.perf_counter()

    def on_progress(stage: str, done: int, total: int) -> None:
        nonlocal begun
        if not total:
            click.echo(stage, err=True)
        elif done >= total:
            now = time.perf_counter()
            seconds, begun = now - begun, now
            count = f"{done:,} in " if total > 1 else ""
            rate = f", {done / seconds:,.0f}/s" if seconds > 0 and total > 1 else ""
            click.echo(f"{stage}: {count}{seconds:.1f} s{rate}", err=True)

    return on_progress


@contextmanager
def _bars() -> Generator[OnProgress]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
    )

    tasks: dict[str, TaskID] = {}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    # Without auto-refresh rich starts no thread, which would keep workers from forking.
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as bars:
        shown = 0.0
        last = bars.add_task(FIRST, total=None, rate="")
        bars.refresh()

        def on_progress(stage: str, done: int, total: int) -> None:
            nonlocal shown, last
            if not total:
                bars.console.print(stage, markup=False, highlight=False)
                return
            if stage not in tasks:
                if tasks:
                    bars.update(last, rate=bars.tasks[last].fields["done"])
                else:
                    bars.update(last, visible=False)
                last = tasks[stage] = bars.add_task(stage, total=total, rate="", done="")
            elapsed = bars.tasks[tasks[stage]].elapsed
            rate = f"{done / elapsed:,.0f}/s" if elapsed else ""
            says = WAITING.get(stage, rate) if done == total else rate
            bars.update(tasks[stage], completed=done, total=total, rate=says, done=rate)
            now = time.perf_counter()
            if done == total or now - shown > REFRESH_S:
                bars.refresh()
                shown = now

        yield on_progress
