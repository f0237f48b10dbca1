"""The folders of a theme: those whose files decide what it makes."""

from __future__ import annotations

import pytest

from everyleaf.theming.locate import CANDIDATES, theme_dirs


def make(folder, manifest: str):
    folder.mkdir()
    (folder / "theme.toml").write_text(manifest)
    return folder


def test_built_in_theme_is_made_of_the_built_in_folders():
    assert theme_dirs("default") == list(CANDIDATES)


def test_own_theme_brings_the_themes_that_it_extends(tmp_path):
    base = make(tmp_path / "base", 'extends = "default"')
    own = make(tmp_path / "own", 'extends = "../base"')

    assert theme_dirs(str(own)) == [*CANDIDATES, own, base]


@pytest.mark.parametrize("manifest", ["= =", "extends = 3", 'extends = "./"'])
def test_manifest_that_makes_no_sense_leads_nowhere(tmp_path, manifest):
    own = make(tmp_path / "own", manifest)

    assert theme_dirs(str(own)) == [*CANDIDATES, own]
