"""Building in this process, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from everyleaf.build import build_site
from everyleaf.config import BuildOptions

if TYPE_CHECKING:
    from everyleaf.report import BuildReport

ROOT = Path(__file__).parents[2]


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def build(source: Path, output_dir: Path, **chosen: object) -> BuildReport:
    """Build `source` in this process, without saying anything."""
    options = BuildOptions.model_validate(
        {"sources": (source,), "output_dir": output_dir, "jobs": 1} | chosen
    )
    return build_site(options, on_progress=lambda _stage, _done, _total: None)
