"""Which folders may be written to."""

from __future__ import annotations

import os

import pytest

from everyleaf.errors import OutputError
from everyleaf.publish.manifest import Listed, Manifest, check_output_dir


def test_a_folder_that_does_not_exist_is_free_and_is_not_made(tmp_path):
    assert check_output_dir(tmp_path / "new") == Manifest()
    assert not (tmp_path / "new").exists()


def test_an_empty_folder_is_free(tmp_path):
    assert check_output_dir(tmp_path) == Manifest()


def test_hidden_files_make_no_folder_foreign(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".nojekyll").touch()

    assert check_output_dir(tmp_path) == Manifest()


def test_a_folder_with_other_files_is_refused_with_a_hint(tmp_path):
    (tmp_path / "thesis.tex").touch()

    with pytest.raises(OutputError, match="not made by everyleaf") as caught:
        check_output_dir(tmp_path)

    assert "--force" in caught.value.hint


def test_a_folder_with_other_files_can_be_forced(tmp_path):
    (tmp_path / "thesis.tex").touch()

    assert check_output_dir(tmp_path, is_forced=True) == Manifest()


def test_a_foreign_manifest_does_not_make_a_folder_ours(tmp_path):
    (tmp_path / "manifest.json").write_text('{"name": "A web app"}')

    with pytest.raises(OutputError, match="not made by everyleaf"):
        check_output_dir(tmp_path)


def test_a_folder_with_our_manifest_is_ours(tmp_path):
    manifest = Manifest({"index.html": Listed("0f")})
    (tmp_path / "manifest.json").write_bytes(manifest.to_json())
    (tmp_path / "index.html").touch()

    assert check_output_dir(tmp_path).files == manifest.files


@pytest.mark.parametrize("out", ["site", "site/deep/er"])
def test_a_file_is_no_output_folder_nor_is_anything_in_it(tmp_path, out):
    (tmp_path / "site").touch()

    with pytest.raises(OutputError, match="is not a folder"):
        check_output_dir(tmp_path / out, is_forced=True)


@pytest.mark.parametrize("out", [".", "site/deep"])
def test_what_cannot_be_written_is_told_before_any_work(tmp_path, out, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)

    with pytest.raises(OutputError, match="cannot write into"):
        check_output_dir(tmp_path / out)


@pytest.mark.parametrize(
    "out", ["logs", "logs/site", "logs/deep/site", ".", "logs/../logs"]
)
def test_an_output_folder_in_or_around_the_source_is_refused_even_by_force(tmp_path, out):
    (tmp_path / "logs").mkdir()

    with pytest.raises(OutputError, match="lie in one another"):
        check_output_dir(tmp_path / out, sources=[tmp_path / "logs"], is_forced=True)


def test_an_output_folder_that_is_a_link_into_the_source_is_refused(tmp_path):
    (tmp_path / "logs/deep").mkdir(parents=True)
    (tmp_path / "site").symlink_to(tmp_path / "logs/deep", target_is_directory=True)

    with pytest.raises(OutputError, match="lie in one another"):
        check_output_dir(tmp_path / "site", sources=[tmp_path / "logs"])


def test_an_output_folder_beside_the_source_is_fine(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/one.jsonl").touch()

    check_output_dir(
        tmp_path / "logs-site", sources=[tmp_path / "logs", tmp_path / "logs/one.jsonl"]
    )


def test_a_folder_that_cannot_be_read_is_a_plain_error(tmp_path, monkeypatch):
    def refuse(_folder):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(tmp_path), "iterdir", refuse)  # root may read anywhere

    with pytest.raises(OutputError, match="Permission denied"):
        check_output_dir(tmp_path)
