"""Rows of a table: an archive, and what building it took over several runs."""

from __future__ import annotations

import statistics
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.measuring import Folder, Measured, everyleaf, input_mb, measure, measure_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

HEAD = (
    "| archive | MB | wall s | CPU s | MB/s | peak MB | pages | files | MB written |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)


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

    @property
    def peak_mb(self) -> float:
        """Return the highest."""
        return max(run.peak_mb for run in self.runs)

    @property
    def middle(self) -> Measured:
        """Return the run in the middle."""
        return sorted(self.runs, key=lambda run: run.wall_s)[len(self.runs) // 2]

    def line(self) -> str:
        """Return the row of the table."""
        return (
            f"| {self.name} | {self.mb:.1f} | {self.wall_s:.2f} | {self.cpu_s:.2f} |"
            f" {self.mb / self.wall_s:.1f} | {self.peak_mb:.0f} | {self.wrote.pages:,} |"
            f" {self.wrote.files:,} | {self.wrote.mb:.1f} |"
        )


@dataclass(frozen=True, slots=True)
class Bench:
    """Where builds are measured, and how often."""

    folder: Path
    runs: int
    jobs: int

    @property
    def cache(self) -> Path:
        """Return the cache folder of all builds."""
        return self.folder / "cache"

    @property
    def copy(self) -> Path:
        """Return the archive that is built again and again, and changed."""
        return self.folder / "grows" / "projects"

    def cold(self, name: str, source: Path, *, has_search: bool = False) -> Row:
        """Return what builds of `source` took, each into a new folder; print it.

        One that is not counted goes before, so that all of it has been scanned.
        """
        taken: list[Measured] = []
        wrote = Folder(0, 0, 0.0)
        for number in range(self.runs + 1):
            out = self.folder / f"{source.parent.name}-{has_search}-{number}"
            taken.append(measure(self._staged(source, out, has_search), self.cache))
            wrote = measure_folder(out)
        row = Row(name, input_mb(source), tuple(taken[1:]), wrote)
        say(row.line())
        return row

    def command(self, arguments: Sequence[str]) -> float:
        """Return the seconds that a command of everyleaf took, the median of all runs."""
        command = [*everyleaf(), *arguments]
        return statistics.median(
            measure(command, self.cache).wall_s for _ in range(self.runs)
        )

    def again(self, name: str, source: Path, runs: Sequence[Measured], out: Path) -> Row:
        """Return `runs`, which built `source` into `out`; print it."""
        row = Row(name, input_mb(source), tuple(runs), measure_folder(out))
        say(row.line())
        return row

    def _staged(self, source: Path, out: Path, has_search: bool) -> list[str]:  # noqa: FBT001  (named where it is called)
        module = [sys.executable, "-m", "bench.stages", str(source), str(out)]
        searched = ["--search"] if has_search else []
        return [*module, "--jobs", str(self.jobs), *searched]


def say(line: str) -> None:
    """Print `line` at once: builds take their time."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
