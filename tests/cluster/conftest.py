from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cluster.clusters import Cluster, running
from golden import archives
from sessions import write_session
from state.building import build

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("cluster")
    # The rules of secrets are compiled once, here.
    write_session(folder / "logs", "s")
    build(folder / "logs", folder / "site")
    with running(folder) as cluster:
        yield cluster


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return forks, agents, oddities, and secrets that several sessions tell."""
    archives.write_secrets(tmp_path / "logs")
    return tmp_path / "logs"
