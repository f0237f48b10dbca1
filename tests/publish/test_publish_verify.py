"""What differs from the manifest is told, file by file."""

from __future__ import annotations

import pytest

from everyleaf.digest import digest_hex
from everyleaf.errors import OutputError
from everyleaf.publish.manifest import Listed, Manifest
from everyleaf.publish.site import verify_site


@pytest.fixture
def site(tmp_path):
    files = {"index.html": b"<h1>", "data/s.json": b"{}"}
    for url, body in files.items():
        (tmp_path / url).parent.mkdir(exist_ok=True)
        (tmp_path / url).write_bytes(body)
    manifest = Manifest({url: Listed(digest_hex(body)) for url, body in files.items()})
    (tmp_path / "manifest.json").write_bytes(manifest.to_json())
    return tmp_path


def test_a_folder_as_it_was_published_is_whole(site):
    verdict = verify_site(site)

    assert verdict.is_whole
    assert (verdict.files, verdict.missing, verdict.changed, verdict.extra) == (
        2,
        (),
        (),
        (),
    )


def test_a_missing_a_changed_and_an_extra_file_are_named(site):
    (site / "index.html").unlink()
    (site / "data/s.json").write_bytes(b"[]")
    (site / "data/notes.txt").write_bytes(b"")

    verdict = verify_site(site)

    assert not verdict.is_whole
    assert verdict.missing == ("index.html",)
    assert verdict.changed == ("data/s.json",)
    assert verdict.extra == ("data/notes.txt",)


def test_files_of_others_change_nothing_and_hidden_ones_are_not_listed(site):
    (site / ".git").mkdir()
    (site / ".git/HEAD").write_bytes(b"")
    (site / "CNAME").write_bytes(b"")

    verdict = verify_site(site)

    assert verdict.is_whole
    assert verdict.extra == ("CNAME",)


def test_a_link_in_place_of_a_file_is_a_change(site):
    (site / "index.html").unlink()
    (site / "index.html").symlink_to(site / "data/s.json")

    assert verify_site(site).changed == ("index.html",)


def test_a_folder_without_a_manifest_is_none_of_ours(tmp_path):
    with pytest.raises(OutputError, match="not made by everyleaf"):
        verify_site(tmp_path)
