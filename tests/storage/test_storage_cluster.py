"""Workers of a cluster that get sessions from a bucket, not from who drives the build."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cluster.clusters import Blind, Cluster, CutSmall, NoStore
from everyleaf.errors import ClusterError, ConfigError, StorageError
from everyleaf.memo import SharedMemo, open_shared
from everyleaf.outputs import StagedFile
from everyleaf.publish.disk import STAGING
from everyleaf.publish.remote import far_work, open_far_writer
from everyleaf.sources.far import FarPlace, far_place, fetch_source
from everyleaf.sources.lines import HEAD_BYTES
from everyleaf.storage import Storage
from golden import archives
from redact.keykinds import make_keys
from sessions import write_session
from state.building import build, contents
from storage.buckets import BUCKET, at, held

if TYPE_CHECKING:
    from collections.abc import Collection

    from s3fs import S3FileSystem


def test_each_worker_fetches_what_its_jobs_name(
    bucket: S3FileSystem, cluster: Cluster, tmp_path: Path
) -> None:
    source = tmp_path / "logs"
    archives.write_secrets(source)
    bucket.put(f"{source}/", f"{BUCKET}/logs/", recursive=True)
    build(source, tmp_path / "here", has_search=False)
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
        assert any(f"/{name}/cache/unpacked/" in file for file in cluster.kept())


def test_a_site_goes_to_a_bucket_from_workers_that_see_nothing_of_its_copy(
    bucket: S3FileSystem, cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "logs"
    archives.write_secrets(source)
    bucket.put(f"{source}/", f"{BUCKET}/logs/", recursive=True)
    build(source, tmp_path / "here", has_search=False)
    asked = {"cluster": cluster.address, "has_search": False}
    with cluster.client() as client:
        client.register_plugin(Blind(tmp_path))
        client.register_plugin(CutSmall())

        cold = build(at("logs"), at("site"), **asked)
        first = held(bucket, "site")
        archives.append_line(source)
        bucket.put(f"{source}/", f"{BUCKET}/logs/", recursive=True)
        # What is remembered lies in the bucket.
        monkeypatch.setenv("EVERYLEAF_CACHE_DIR", str(tmp_path / "another machine"))
        more = build(at("logs"), at("site"), **asked)

        client.unregister_worker_plugin(CutSmall.name)
    assert first == contents(tmp_path / "here")
    build(source, tmp_path / "here", has_search=False)
    assert held(bucket, "site") == contents(tmp_path / "here")
    assert cold.cluster is not None
    assert more.counts.families == 1
    assert 0 < more.counts.bytes_read < cold.counts.bytes_read / 5
    kept = held(bucket, ".site.everyleaf")
    assert kept
    assert not any(name.startswith("stage") for name in kept)
    # As beside a folder, nothing that lies there tells a secret.
    keys = [key.encode() for _, key in make_keys(7).values()]
    assert any(key in body for body in contents(source).values() for key in keys)
    assert not any(key in body for body in kept.values() for key in keys)


def test_turns_of_a_long_session_are_drawn_by_workers_that_never_saw_it(
    bucket: S3FileSystem, cluster: Cluster, tmp_path: Path
) -> None:
    source = tmp_path / "logs"
    write_session(source / "-w-app", "long", 300)
    bucket.put(f"{source}/", f"{BUCKET}/logs/", recursive=True)
    asked = {"has_search": False, "redact": {"is_on": False}}
    build(source, tmp_path / "here", **asked)
    with cluster.client() as client:
        client.register_plugin(CutSmall())

        build(at("logs"), tmp_path / "there", cluster=cluster.address, **asked)

        client.unregister_worker_plugin(CutSmall.name)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    copies = [file for file in cluster.kept() if file.endswith("/-w-app/long.jsonl")]
    assert len(copies) == 2


def test_who_drives_a_cluster_fetches_only_what_files_begin_with(
    bucket: S3FileSystem, cluster: Cluster, tmp_path: Path
) -> None:
    source = tmp_path / "logs"
    long = write_session(source / "-w-app", "long", 300)
    zeroed = write_session(source / "-w-app", "zeroed", 300, prefix="z")
    zeroed.write_bytes(bytes(70_000) + b"\n" + zeroed.read_bytes())
    spilled = source / "-w-app" / "long" / "tool-results" / "x.txt"
    spilled.parent.mkdir(parents=True)
    spilled.write_text("spilled")
    (source / "-w-app" / "ignored.jsonl").write_bytes(long.read_bytes())
    (source / ".everyleafignore").write_text("ignored.jsonl\n")
    bucket.put(f"{source}/", f"{BUCKET}/logs/", recursive=True)
    asked = {"has_search": False}
    build(source, tmp_path / "here", **asked)

    build(at("logs"), tmp_path / "there", cluster=cluster.address, **asked)

    assert contents(tmp_path / "there") == contents(tmp_path / "here")
    (copied,) = (tmp_path / "cache" / "addresses").glob("*/logs")
    held = contents(copied)
    assert held.keys() == contents(source).keys()
    name = "-w-app/long.jsonl"
    assert held[name] == long.read_bytes()[:HEAD_BYTES].ljust(long.stat().st_size, b"\0")
    assert held["-w-app/zeroed.jsonl"] == zeroed.read_bytes()
    assert held["-w-app/long/tool-results/x.txt"] == bytes(7)


def test_nothing_stays_beside_a_site_in_a_bucket_without_a_cache(
    bucket: S3FileSystem, cluster: Cluster, tmp_path: Path
) -> None:
    source = tmp_path / "logs"
    write_session(source, "s")
    asked: dict[str, object] = {"cluster": cluster.address}
    build(source, tmp_path / "here")

    build(source, at("site"), has_cache=False, **asked)
    build(source, at("other"), cache_dir=at("notes"), has_search=False, **asked)

    assert held(bucket, "site") == contents(tmp_path / "here")
    names = {key.split("/")[1] for key in bucket.find(BUCKET)}
    assert names == {"site", "other", "notes"}


def test_a_worker_that_cannot_write_to_the_store_is_found_before_all_else(
    bucket: S3FileSystem, cluster: Cluster, tmp_path: Path
) -> None:
    write_session(tmp_path / "logs", "s")
    with cluster.client() as client:
        client.register_plugin(NoStore())
        with pytest.raises(ClusterError, match=r"'s3://team/\.site\.everyleaf'") as told:
            build(tmp_path / "logs", at("site"), cluster=cluster.address)
        client.unregister_worker_plugin(NoStore.name)

    assert "credentials" in told.value.hint
    assert bucket.find(BUCKET) == []


@pytest.mark.parametrize(
    ("site", "cache_dir"),
    [(at("site"), Path("/net/notes")), (Path("/net/site"), at("notes")), (at(""), None)],
)
def test_a_cluster_keeps_its_work_where_the_site_is(
    site: Path, cache_dir: Path | None
) -> None:
    with (
        pytest.raises(ConfigError, match="cannot keep its work") as told,
        open_shared(site, cache_dir, is_kept=True),
    ):
        pass

    assert "--cache-dir" in told.value.hint


def test_what_somebody_else_writes_between_workers_is_not_believed(
    bucket: S3FileSystem, tmp_path: Path
) -> None:
    stage = f"{BUCKET}/.site.everyleaf/stage"
    bucket.pipe_file(f"{stage}/left", b"by a build that was killed")
    (tmp_path / STAGING).mkdir()
    with open_far_writer(tmp_path, "s3://team/site", at(".site.everyleaf")) as writer:
        cleared = bucket.exists(f"{stage}/left")
        with far_work():
            one = writer.put("a.html", b"page")
            writer.put_aside("work", b"work")
        first = [*writer.gather([one, StagedFile("b.html", "")])]
        with far_work():
            whole = writer.aside("work").read_bytes()
        for name in bucket.find(stage):
            bucket.pipe_file(name, bucket.cat_file(name)[:-1] + b"!")

        with pytest.raises(StorageError, match="not what a worker wrote"):
            writer.aside("work")
        with pytest.raises(StorageError, match="not what a worker wrote"):
            writer.aside("missing")
        with pytest.raises(StorageError, match="not what a worker wrote"):
            list(writer.gather([one]))

    assert not cleared
    assert [each.url for each in first] == ["a.html", "b.html"]
    assert whole == b"work"
    assert bucket.find(BUCKET) == []


def test_values_that_are_asked_for_together_come_together(
    bucket: S3FileSystem, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"value {number}" for number in range(250)]
    with far_work():
        for name in names:
            SharedMemo(at("notes"), "site").save(name, name)
    asked: list[int] = []
    read_all = Storage.read_all

    def counted(self: Storage, some: Collection[str]) -> dict[str, bytes]:
        asked.append(len(some))
        return read_all(self, some)

    monkeypatch.setattr(Storage, "read_all", counted)
    monkeypatch.setattr(Storage, "read", lambda *_: None)
    memo = SharedMemo(at("notes"), "site")
    memo.look()
    values = memo.load_all([*names, "missing"], str)

    assert len(bucket.find(BUCKET)) == len(names)
    assert values == dict(zip(names, names, strict=True))
    assert asked == [200, 50]


def test_work_that_fails_writes_nothing_more(bucket: S3FileSystem) -> None:
    memo = SharedMemo(at("notes"), "site")

    def fail() -> None:
        with far_work():
            assert memo.save("lost", 1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with far_work():
        memo.save("kept", 2)

    assert memo.load("lost", int) is None
    assert not memo.has("lost")
    assert memo.has("kept")
    assert memo.load("kept", int) == 2
    SharedMemo(at("notes"), "site").drop_unused()
    assert bucket.find(BUCKET) == []


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
