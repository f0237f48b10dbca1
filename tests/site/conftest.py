"""A built example, shared by the tests of a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from state.building import ROOT, build

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from everyleaf.report import BuildReport

Build = "Callable[..., BuildReport]"


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
