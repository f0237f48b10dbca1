from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest
from moto.server import ThreadedMotoServer
from s3fs import S3FileSystem

from cluster.clusters import Cluster, running
from storage.buckets import BUCKET, let_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(
    server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[S3FileSystem]:
    """Return the files of a bucket, and let this user find it."""
    let_in(monkeypatch, server)
    monkeypatch.setenv("EVERYLEAF_CACHE_DIR", str(tmp_path / "cache"))
    S3FileSystem.clear_instance_cache()
    files = S3FileSystem(use_listings_cache=False)
    files.mkdir(BUCKET)
    yield files
    files.rm(BUCKET, recursive=True)


@pytest.fixture(scope="module")
def cluster(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with pytest.MonkeyPatch.context() as patch:
        let_in(patch, server)
        with running(tmp_path_factory.mktemp("cluster")) as cluster:
            yield cluster
