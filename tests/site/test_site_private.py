"""A private site: nobody but its owner may read it, whatever stood there before."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest

from everyleaf.build import build_site
from everyleaf.config import BuildOptions
from everyleaf.errors import ConfigError
from everyleaf.publish.disk import OWNER_ALONE, StagingWriter, close_to_others, open_stage

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name != "posix", reason="files have no modes")

SESSION = "2d394510-3420-491c-88d4-6877083ba9a7"


def build(source: Path, output_dir: Path, **asked: object) -> None:
    options = BuildOptions.model_validate(
        {"sources": (source,), "output_dir": output_dir, "sessions": (SESSION,)}
        | {"jobs": 1, "has_search": False}
        | asked
    )
    build_site(options, on_progress=lambda *_: None)


def modes(folder: Path) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {"files": set(), "folders": set()}
    for place in (folder, *folder.rglob("*")):
        kind = "folders" if place.is_dir() else "files"
        found[kind].add(stat.S_IMODE(place.lstat().st_mode))
    return found


PRIVATE = {"files": {0o600}, "folders": {0o700}}


def test_a_private_site_is_open_to_its_owner_alone(example_archive, tmp_path):
    build(example_archive, tmp_path / "site", is_private=True)

    assert modes(tmp_path / "site") == PRIVATE


def test_what_an_earlier_build_left_open_is_closed(example_archive, tmp_path):
    build(example_archive, tmp_path / "site")
    opened = modes(tmp_path / "site")

    build(example_archive, tmp_path / "site", is_private=True)

    assert 0o600 not in opened["files"]
    assert modes(tmp_path / "site") == PRIVATE


def test_what_somebody_opened_is_closed_also_where_nothing_has_changed(
    example_archive, tmp_path
):
    site = tmp_path / "site"
    build(example_archive, site, is_private=True)
    (site / "index.html").chmod(0o644)
    (site / "transcripts").chmod(0o755)

    build(example_archive, site, is_private=True)

    assert modes(site) == PRIVATE


def test_files_are_private_before_they_are_in_their_place(tmp_path):
    with open_stage(tmp_path, OWNER_ALONE) as stage:
        stage.add("a.html", b"")
        StagingWriter(tmp_path, OWNER_ALONE).put("b.html", b"")
        staging_dir = stage.location("a.html").parent

        assert modes(staging_dir) == PRIVATE


def test_a_link_is_not_followed_to_close_what_it_leads_to(tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("")
    outside.chmod(0o644)
    (tmp_path / "site").mkdir()
    (tmp_path / "site/a.html").symlink_to(outside)

    close_to_others(tmp_path / "site", ["a.html", "gone.html"])

    assert stat.S_IMODE(outside.stat().st_mode) == 0o644


def test_a_site_is_not_both_public_and_private(example_archive, tmp_path):
    with pytest.raises(ConfigError, match="both public and private"):
        build(example_archive, tmp_path / "site", is_private=True, is_public=True)

    assert not (tmp_path / "site").exists()
