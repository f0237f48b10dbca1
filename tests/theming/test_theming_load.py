"""Finding and loading themes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from everyleaf.errors import ThemeError
from everyleaf.theming.load import load_theme
from everyleaf.theming.locate import find_theme_dir, list_themes
from everyleaf.theming.theme import Theme

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def theme_dir(tmp_path: Path) -> Path:
    """A theme with one stylesheet and no templates."""
    location = tmp_path / "plain"
    (location / "static").mkdir(parents=True)
    (location / "templates").mkdir()
    (location / "theme.toml").write_text('title = "Plain"\nstylesheets = ["a.css"]\n')
    (location / "static" / "a.css").write_text("p { margin: 0 }\n")
    return location


def write_template(theme_dir: Path, text: str, name: str = "page.html.j2") -> None:
    (theme_dir / "templates" / name).write_text(text, encoding="utf-8")


def test_first_folder_that_has_the_theme_wins(tmp_path: Path):
    for folder, names in (("wheel", ["a"]), ("checkout", ["a", "b"])):
        for name in names:
            (tmp_path / folder / name).mkdir(parents=True)
            (tmp_path / folder / name / "theme.toml").touch()
    candidates = (tmp_path / "missing", tmp_path / "wheel", tmp_path / "checkout")

    assert find_theme_dir("a", candidates=candidates) == tmp_path / "wheel" / "a"
    assert find_theme_dir("b", candidates=candidates) == tmp_path / "checkout" / "b"
    assert list_themes(candidates=candidates) == ["a", "b"]


@pytest.mark.parametrize("name", ["nope", "../default", "", "Default", "default/"])
def test_unknown_theme_is_an_error_that_lists_the_known_ones(name: str):
    with pytest.raises(ThemeError) as caught:
        find_theme_dir(name)

    assert repr(name) in caught.value.message
    assert "default" in caught.value.hint


def test_theme_is_loaded_once():
    assert load_theme("default") is load_theme("default")


def test_asset_is_named_by_its_content(theme_dir: Path):
    before = Theme(theme_dir).asset_url("a.css")
    (theme_dir / "static" / "a.css").write_text("p { margin: 1em }\n")

    after = Theme(theme_dir)

    assert before.startswith("assets/a.")
    assert after.asset_url("a.css") != before
    assert [asset.url for asset in after.assets()] == [after.asset_url("a.css")]
    assert after.assets()[0].body == b"p { margin: 1em }\n"


@pytest.mark.parametrize(
    ("manifest", "words"),
    [
        ("title =", "cannot read 'theme.toml'"),
        ("colour = 1\nstylesheets = 2", "title: Field required"),
        ('title = "x"\ncolour = 1', "colour: Extra inputs"),
        ('title = "x"\nscripts = ["lost.js"]', "no static file 'lost.js'"),
    ],
    ids=["no toml", "missing key", "unknown key", "missing file"],
)
def test_manifest_that_does_not_fit_is_an_error(theme_dir: Path, manifest: str, words: str):
    (theme_dir / "theme.toml").write_text(manifest)

    with pytest.raises(ThemeError) as caught:
        Theme(theme_dir)

    assert words in caught.value.message


def test_text_is_escaped_and_made_visible_everywhere(theme_dir: Path):
    write_template(theme_dir, '<p title="{{ page }}">{{ page }}</p>')

    html = "".join(Theme(theme_dir).pieces("page.html.j2", '<b>"\x00\u202e'))

    assert html == '<p title="&lt;b&gt;&#34;[U+202E]">&lt;b&gt;&#34;[U+202E]</p>'


def test_numbers_are_printed_as_they_are(theme_dir: Path):
    write_template(theme_dir, "{{ page }} {{ page | count }}")

    assert "".join(Theme(theme_dir).pieces("page.html.j2", 12345)) == "12345 12,345"


def test_name_that_is_not_there_is_an_error(theme_dir: Path):
    write_template(theme_dir, "{{ page.absent }}")

    with pytest.raises(ThemeError, match=r"'page\.html\.j2' of theme 'plain'"):
        list(Theme(theme_dir).pieces("page.html.j2", "x"))


def test_missing_template_is_an_error(theme_dir: Path):
    with pytest.raises(ThemeError, match=r"has no template 'page\.html\.j2'"):
        Theme(theme_dir).template("page.html.j2")


def test_broken_template_is_an_error_with_its_line(theme_dir: Path):
    write_template(theme_dir, "fine\n{% if %}")

    with pytest.raises(ThemeError) as caught:
        Theme(theme_dir).template("page.html.j2")

    assert "is broken" in caught.value.message
    assert caught.value.hint.startswith("line 2: ")
