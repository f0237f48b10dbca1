"""Sources and sites in a bucket of a server that speaks S3: moto, as s3fs is tested."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin

import pytest
from click.testing import CliRunner

from everyleaf.build import build_site
from everyleaf.cli.command import everyleaf
from everyleaf.config import BuildOptions, RedactOptions
from everyleaf.errors import ConfigError, OutputError, StorageError
from everyleaf.storage import Storage, address_of, open_storage, plain
from sessions import write_session
from state.building import ROOT, build, contents
from storage.buckets import BUCKET, at, held

if TYPE_CHECKING:
    from collections.abc import Sequence

    from s3fs import S3FileSystem

QUICK = {"redact": {"is_on": False}, "has_search": False}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Return a folder with a session, which is in no bucket."""
    folder = tmp_path / "logs" / "-w-app"
    write_session(folder, "one")
    return folder


def test_a_bucket_gives_and_takes_the_same_site_as_folders(
    bucket: S3FileSystem, tmp_path: Path
) -> None:
    source = tmp_path / "logs"
    shutil.copytree(
        ROOT / "examples/archive/projects/-home-ada-code-ladle", source / "ladle"
    )
    bucket.put(f"{source}/", f"{BUCKET}/logs/", recursive=True)
    build(source, tmp_path / "site", redact={"is_on": False})

    cold = build(at("logs"), at("site"), redact={"is_on": False})
    first = held(bucket, "site")
    again = build(at("logs"), at("site"), redact={"is_on": False})

    assert first == contents(tmp_path / "site")
    assert cold.wrote == len(first) - 1
    assert (again.wrote, again.counts.bytes_read) == (0, 0)
    assert held(bucket, "logs") == contents(source)


def dead_links(site: dict[str, bytes]) -> set[str]:
    """Return the links of pages to files of the site that are not there."""
    dead: set[str] = set()
    for url in filter(lambda url: url.endswith(".html"), site):
        for link in re.findall(r'(?:href|src)="([^"#?]+)', site[url].decode()):
            target = unquote(urljoin(url, link))
            if ":" not in target and not target.startswith("//"):
                target = target + "index.html" if target.endswith("/") else target
                dead |= {f"{url}: {target}"} if target not in site else set()
    return dead


def test_no_reader_meets_a_link_to_nothing_while_a_site_is_sent(
    bucket: S3FileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "logs" / "-w-app"
    write_session(source, "one", prefix="1")
    write_session(source, "two", prefix="2")
    build(source, at("site"), **QUICK)
    write_session(source, "one", 3, prefix="1")
    write_session(source, "three", prefix="3")
    (source / "two.jsonl").unlink()
    seen: list[set[str]] = []
    monkeypatch.setattr("everyleaf.storage._AT_ONCE", 3)
    send, delete = Storage.send, Storage.delete

    def looking(self: Storage, names: Sequence[str], folder: Path) -> None:
        send(self, names, folder)
        seen.append(dead_links(held(bucket, "site")))

    def listing(self: Storage, names: Sequence[str]) -> None:
        assert dead_links(held(bucket, "site")) == set()
        delete(self, names)

    monkeypatch.setattr(Storage, "send", looking)
    monkeypatch.setattr(Storage, "delete", listing)
    told = build(source, at("site"), is_pruned=True, **QUICK)

    assert told.deleted > 0
    assert len(seen) > 5
    # Of the new pages, which nothing leads to yet, some come before others.
    reached = [{d for d in dead if "three" not in d.split(": ")[0]} for dead in seen]
    assert reached == [set()] * len(seen)
    assert seen[-1] == set()
    build(source, tmp_path / "site", **QUICK)
    assert held(bucket, "site") == contents(tmp_path / "site")


def test_what_breaks_off_is_mended_by_the_next_build_from_anywhere(
    bucket: S3FileSystem, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(source, at("site"), **QUICK)
    write_session(source, "one", 3)
    with monkeypatch.context() as patch:
        patch.setattr(Storage, "delete", lambda *_: 1 / 0)
        patch.setattr("everyleaf.storage._AT_ONCE", 2)
        with pytest.raises(ZeroDivisionError):
            build(source, at("site"), title="Other", **QUICK)
    bucket.pipe_file(f"{BUCKET}/site/index.html", b"by hand")
    monkeypatch.setenv("EVERYLEAF_CACHE_DIR", str(tmp_path / "another machine"))

    told = build(source, at("site"), **QUICK)

    build(source, tmp_path / "site", **QUICK)
    assert held(bucket, "site") == contents(tmp_path / "site")
    assert told.wrote > 0


def test_of_two_builds_to_one_address_the_later_one_sends_nothing(
    bucket: S3FileSystem, source: Path
) -> None:
    build(source, at("site"), **QUICK)
    write_session(source, "one", 2)
    sent: list[dict[str, bytes]] = []

    def hurry(*_: object) -> None:
        if not sent:
            bucket.pipe_file(f"{BUCKET}/site/manifest.json", b"{}")
            sent.append(held(bucket, "site"))

    options = BuildOptions(
        sources=(source,), output_dir=at("site"), redact=RedactOptions(is_on=False), jobs=1
    )
    with pytest.raises(OutputError, match="meanwhile") as told:
        build_site(options, on_progress=hurry)

    assert told.value.hint
    assert held(bucket, "site") == sent[0]


@pytest.mark.usefixtures("bucket")
def test_of_two_that_replace_what_both_have_seen_one_succeeds(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for address in (f"s3://{BUCKET}/site", folder.as_uri()):
        storage = open_storage(address)

        assert storage.replace("manifest.json", b"one", None)
        assert not storage.replace("manifest.json", b"two", None)
        first = storage.version("manifest.json")
        assert storage.replace("manifest.json", b"three", first)
        assert not storage.replace("manifest.json", b"four", first)
        assert storage.read("manifest.json") == b"three"


def test_a_session_that_vanished_keeps_its_pages_in_a_bucket(
    bucket: S3FileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "logs" / "-w-app"
    write_session(source, "one", prefix="1")
    write_session(source, "two", prefix="2")
    build(source, at("site"), **QUICK)
    (source / "two.jsonl").unlink()
    monkeypatch.setenv("EVERYLEAF_CACHE_DIR", str(tmp_path / "another machine"))

    build(source, at("site"), **QUICK)

    assert "data/two.json" in held(bucket, "site")


def test_a_site_that_somebody_deleted_is_sent_again(
    bucket: S3FileSystem, source: Path
) -> None:
    build(source, at("site"), **QUICK)
    first = held(bucket, "site")
    bucket.rm(f"{BUCKET}/site", recursive=True)

    told = build(source, at("site"), **QUICK)

    assert told.wrote > 0
    assert held(bucket, "site") == first


def test_what_somebody_else_put_there_is_left_alone(
    bucket: S3FileSystem, source: Path
) -> None:
    bucket.pipe_file(f"{BUCKET}/other/notes.txt", b"mine")

    with pytest.raises(OutputError, match="not made by everyleaf"):
        build(source, at("other"), **QUICK)
    build(source, at("site"), **QUICK)
    bucket.pipe_file(f"{BUCKET}/site/data/two.json", b"mine")
    write_session(source, "two", prefix="2")
    with pytest.raises(OutputError, match="did not write"):
        build(source, at("site"), **QUICK)
    assert bucket.cat(f"{BUCKET}/site/data/two.json") == b"mine"
    build(source, at("site"), is_forced=True, **QUICK)

    assert bucket.cat(f"{BUCKET}/site/data/two.json") != b"mine"
    assert bucket.cat(f"{BUCKET}/other/notes.txt") == b"mine"


def test_only_what_changed_is_fetched_again(
    bucket: S3FileSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        file = write_session(tmp_path, name, prefix=name)
        bucket.put(str(file), f"{BUCKET}/logs/-w-app/{name}.jsonl")
    runner = CliRunner()
    before = runner.invoke(everyleaf, ["list", f"s3://{BUCKET}/logs", "--no-redact"])
    file = write_session(tmp_path, "two", 2, prefix="two")
    bucket.put(str(file), f"{BUCKET}/logs/-w-app/two.jsonl")
    fetched: list[str] = []
    fetch = Storage.fetch

    def counted(self: Storage, names: Sequence[str], folder: Path) -> None:
        fetched.extend(names)
        fetch(self, names, folder)

    monkeypatch.setattr(Storage, "fetch", counted)
    after = runner.invoke(everyleaf, ["list", f"s3://{BUCKET}/logs", "--no-redact"])
    bucket.rm(f"{BUCKET}/logs/-w-app/one.jsonl")
    less = runner.invoke(everyleaf, ["list", f"s3://{BUCKET}/logs", "--no-redact"])

    assert fetched == ["-w-app/two.jsonl"]
    assert before.stdout != after.stdout
    assert (after.stdout.count("says"), less.stdout.count("says")) == (2, 1)


def test_trouble_with_a_store_is_told_with_a_hint(
    bucket: S3FileSystem, tmp_path: Path
) -> None:
    write_session(tmp_path / "logs", "one")
    bucket.pipe_file(f"{BUCKET}/one.jsonl", b"{}")
    bucket.pipe_file(f"{BUCKET}/bad/../x.jsonl", b"{}")

    for source, out, error in (
        (tmp_path / "logs", Path("s3://nowhere/site"), StorageError),
        (Path("s3://nowhere/logs"), tmp_path / "site", StorageError),
        (at("one.jsonl"), tmp_path / "site", StorageError),
        (at("bad"), tmp_path / "site", StorageError),
        (at("logs"), at("logs/site"), OutputError),
        (tmp_path / "logs", Path("gs://bucket/site"), ConfigError),
    ):
        with pytest.raises(error) as told:
            build(source, out)
        assert told.value.hint
    with pytest.raises(ConfigError, match="no modes of files"):
        build(tmp_path / "logs", at("site"), is_private=True)


def test_a_file_address_is_a_folder_of_this_disk(tmp_path: Path) -> None:
    write_session(tmp_path / "logs", "one")

    build(Path(f"file://{tmp_path}/logs"), Path(f"file://{tmp_path}/site"), **QUICK)

    assert (tmp_path / "site" / "index.html").is_file()
    assert plain(Path("C:/logs")) == Path("C:/logs")
    assert address_of(Path("https://team/logs")) == ""
