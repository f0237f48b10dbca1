"""One archive, built in a process of its own while nothing is known of it."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bench.measuring import input_mb, measure, measure_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.measuring import Folder, Measured

HEAD = (
    "| MB | wall s | CPU s | peak MB | pages | MB written | times |\n"
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
)


@dataclass(frozen=True, slots=True)
class Built:
    """What building it took."""

    mb: float
    taken: Measured
    wrote: Folder

    @property
    def times(self) -> float:
        """Return how many times the size of the archive the site has."""
        return self.wrote.mb / self.mb

    def line(self, name: str) -> str:
        """Return a row of the table that begins with a column of names and `HEAD`."""
        taken, wrote = self.taken, self.wrote
        return (
            f"| {name} | {self.mb:.1f} | {taken.wall_s:.1f} | {taken.cpu_s:.1f} |"
            f" {taken.peak_mb:.0f} | {wrote.pages:,} | {wrote.mb:.1f} | {self.times:.1f} |"
        )


ONE_PROMPT = {
    "type": "user",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "message": {"role": "user", "content": "Hello"},
}


def build_file(write: Callable[[Path], Path], *, is_scanner_counted: bool = True) -> Built:
    """Build the archive that `write` makes below a folder; it returns where.

    All of it is scanned for secrets, by a scanner whose rules are compiled: that is done
    once on a machine. The memory of the scanner can be left out.
    """
    with TemporaryDirectory() as place:
        source, cache_dir = write(Path(place)), Path(place) / "cache"
        shutil.copytree(Path(_compiled().name) / "rules", cache_dir / "rules")
        site = Path(place) / "site"
        taken = measure(
            _command(source, site), cache_dir, is_scanner_counted=is_scanner_counted
        )
        return Built(input_mb(source), taken, measure_folder(site))


@cache
def _compiled() -> TemporaryDirectory[str]:
    """Return the cache folder of a build that had the scanner compile its rules."""
    cache_dir = TemporaryDirectory()
    with TemporaryDirectory() as place:
        source = Path(place) / "-w" / "one.jsonl"
        source.parent.mkdir()
        source.write_text(json.dumps(ONE_PROMPT) + "\n", "utf-8")
        measure(_command(source, Path(place) / "site"), Path(cache_dir.name))
    return cache_dir


def _command(source: Path, site: Path) -> list[str]:
    command = [sys.executable, "-m", "everyleaf", "build", str(source)]
    return [*command, "--out", str(site), "--no-search", "-q"]
