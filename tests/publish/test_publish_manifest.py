"""The manifest: what it says, and which ones are believed."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from everyleaf.digest import digest_hex
from everyleaf.publish.manifest import (
    FileDigest,
    Listed,
    Manifest,
    load_manifest,
    parse_manifest,
)

NAMES = st.text(alphabet="abc-_", min_size=1, max_size=6)
LISTED = st.tuples(NAMES, st.lists(NAMES, max_size=3).map(tuple)).map(
    lambda of: Listed(*of)
)
MANIFESTS = st.dictionaries(NAMES.map("t/{}.html".format), LISTED, max_size=4).map(Manifest)


def as_json(**changes: object) -> bytes:
    record: dict[str, object] = {
        "format": "everyleaf-manifest",
        "version": 1,
        "files": {"a.html": {"digest": "0f", "sessions": ["s"]}},
    }
    return json.dumps(record | changes).encode()


def known(manifest: bytes, digest: str = "") -> dict[str, FileDigest]:
    digests = {"a.html": digest, "manifest.json": digest_hex(manifest)}
    return {url: FileDigest(one, b"") for url, one in digests.items()}


@given(MANIFESTS)
def test_a_manifest_survives_the_disk(manifest):
    assert parse_manifest(manifest.to_json()) == manifest


def test_the_order_of_files_changes_no_byte():
    files = {"b": Listed("1"), "a": Listed("2", ("s",))}

    assert Manifest(files).to_json() == Manifest(dict(reversed(files.items()))).to_json()


def test_a_manifest_of_ours_is_believed():
    assert parse_manifest(as_json()) == Manifest({"a.html": Listed("0f", ("s",))})


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b"[]",
        b"{}",
        b'{"name": "My app", "icons": []}',
        as_json(version=3),
        as_json(format="other"),
        as_json(files=[]),
        as_json(files={"a.html": "0f"}),
        as_json(files={"a.html": {"digest": 5, "sessions": []}}),
        as_json(files={"a.html": {"digest": "0f", "sessions": [5]}}),
        as_json(files={"a.html": {"digest": "0f", "sessions": "s"}}),
    ],
)
def test_what_is_no_manifest_of_ours_counts_as_none(body):
    assert parse_manifest(body) is None


@pytest.mark.parametrize("url", ["../../etc/passwd", "/etc/passwd", "a/../b", "C:x"])
def test_a_manifest_that_names_a_file_outside_the_folder_is_not_believed(url):
    body = as_json(files={url: {"digest": "0f", "sessions": []}})

    assert parse_manifest(body) is None


def test_only_the_very_manifest_that_is_known_is_believed_unseen(tmp_path):
    written = as_json(files={"C:x": {"digest": "0f", "sessions": []}})
    (tmp_path / "manifest.json").write_bytes(written)

    assert load_manifest(tmp_path, known=known(b"another")) is None
    assert load_manifest(tmp_path, known=known(written))


def test_what_is_known_is_shared_with_the_manifest(tmp_path):
    there = known(as_json(), "0f")
    (tmp_path / "manifest.json").write_bytes(as_json())

    read = load_manifest(tmp_path, known=there)

    assert read
    assert read.files == {"a.html": Listed("0f", ("s",))}
    assert read.files["a.html"].digest is there["a.html"].digest


def test_a_folder_without_a_manifest_has_none(tmp_path):
    assert load_manifest(tmp_path) is None
    assert load_manifest(tmp_path / "absent") is None


def test_a_manifest_that_is_a_link_is_not_read(tmp_path):
    (tmp_path / "elsewhere.json").write_bytes(as_json())
    (tmp_path / "manifest.json").symlink_to(tmp_path / "elsewhere.json")

    assert load_manifest(tmp_path) is None
