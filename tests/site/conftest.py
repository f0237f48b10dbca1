"""A built example, shared by the tests of a module."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from everyleaf.build import build_site
from everyleaf.config import BuildOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from everyleaf.build import BuildReport

ROOT = Path(__file__).parents[2]

Build = "Callable[..., BuildReport]"


def build(source: Path, output_dir: Path, **chosen: object) -> BuildReport:
    """Build `source` in this process, without saying anything."""
    options = BuildOptions.model_validate(
        {"sources": (source,), "output_dir": output_dir, "jobs": 1} | chosen
    )
    return build_site(options, on_progress=lambda _stage, _done, _total: None)


@pytest.fixture(scope="session")
def example_archive() -> Path:
    """Return the archive that comes with the project."""
    return ROOT / "examples" / "archive"


@pytest.fixture(scope="session")
def example_site(
    example_archive: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, BuildReport]:
    """Return the built example and its report; not to be changed."""
    output_dir = tmp_path_factory.mktemp("example") / "site"
    return output_dir, build(example_archive, output_dir)


@pytest.fixture(scope="session")
def build_into() -> Callable[..., BuildReport]:
    """Return what builds a source into a folder."""
    return build
