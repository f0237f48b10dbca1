"""Workers of a cluster that get sessions from a bucket, not from who drives the build."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cluster.clusters import running
from everyleaf.errors import StorageError
from everyleaf.sources.far import FarPlace, far_place, fetch_source
from golden import archives
from state.building import build, contents
from storage.buckets import BUCKET, at

if TYPE_CHECKING:
    from pathlib import Path

    from s3fs import S3FileSystem


def test_each_worker_fetches_what_its_jobs_name(
    bucket: S3FileSystem, tmp_path: Path
) -> None:
    source = tmp_path / "logs"
    archives.write_secrets(source)
    bucket.put(f"{source}/", f"{BUCKET}/logs/", recursive=True)
    build(source, tmp_path / "here", has_search=False)
    (tmp_path / "cluster").mkdir()

    with running(tmp_path / "cluster") as cluster:
        asked = {"cluster": cluster.address, "has_search": False}
        build(at("logs"), tmp_path / "there", **asked)
        archives.append_line(source)
        bucket.put(f"{source}/", f"{BUCKET}/logs/", recursive=True)
        first = contents(tmp_path / "there")
        more = build(at("logs"), tmp_path / "there", **asked)

    assert first == contents(tmp_path / "here")
    build(source, tmp_path / "here", has_search=False)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    assert more.counts.families == 1
    for name in ("w0", "w1"):
        fetched = tmp_path / "cluster" / name / "cache" / "unpacked"
        assert any(fetched.rglob("*.jsonl"))


def test_a_place_at_an_address_is_fetched_once_and_in_its_version(
    bucket: S3FileSystem, tmp_path: Path
) -> None:
    for name in ("a.jsonl", "a/tool-results/x.txt", "a/tool-results/y/z.txt", "a0.txt"):
        bucket.pipe_file(f"{BUCKET}/logs/p/{name}", name.encode())
    copy = fetch_source(f"s3://{BUCKET}/logs")

    file, folder = far_place(copy / "p/a.jsonl"), far_place(copy / "p/a/tool-results")
    missing = far_place(copy / "p/b/tool-results")

    assert far_place(tmp_path / "p/a.jsonl") is None
    assert file is not None
    assert folder is not None
    assert missing is not None
    assert file.fetch().read_bytes() == b"a.jsonl"
    assert file.fetch() == file.fetch() != copy / "p/a.jsonl"
    assert set(contents(folder.fetch())) == {"x.txt", "y/z.txt"}
    assert not missing.fetch().exists()
    changed = FarPlace(file.address, file.name, ((file.name, "another version"),))
    with pytest.raises(StorageError, match="has changed") as told:
        changed.fetch()
    assert told.value.hint == "build again"


def test_a_folder_that_becomes_a_file_is_one(bucket: S3FileSystem) -> None:
    bucket.pipe_file(f"{BUCKET}/logs/p/a/b/c.txt", b"one")
    bucket.pipe_file(f"{BUCKET}/logs/p/x", b"one")
    fetch_source(f"s3://{BUCKET}/logs")
    bucket.rm(f"{BUCKET}/logs", recursive=True)
    bucket.pipe_file(f"{BUCKET}/logs/p/a", b"two")
    bucket.pipe_file(f"{BUCKET}/logs/p/x/y.txt", b"two")

    copy = fetch_source(f"s3://{BUCKET}/logs")

    assert contents(copy) == {"p/a": b"two", "p/x/y.txt": b"two"}


def test_a_disk_that_refuses_a_copy_is_told(
    bucket: S3FileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bucket.pipe_file(f"{BUCKET}/logs/p/a.jsonl", b"one")
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("EVERYLEAF_CACHE_DIR", str(tmp_path / "file"))

    with pytest.raises(StorageError, match="cannot write to") as told:
        fetch_source(f"s3://{BUCKET}/logs")

    assert "EVERYLEAF_CACHE_DIR" in told.value.hint
