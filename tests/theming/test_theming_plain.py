"""The plain theme: small, and without a script."""

from __future__ import annotations

import re
from itertools import product

import pytest

from everyleaf.theming.load import load_theme
from everyleaf.theming.locate import find_theme_dir
from everyleaf.theming.manifest import PageKind
from theming.contrast import contrast

CSS = (find_theme_dir("plain") / "static" / "plain.css").read_text(encoding="utf-8")
PAIRS = dict(re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}, #[0-9a-f]{6})\)", CSS))


@pytest.mark.parametrize("kind", PageKind)
def test_every_page_has_one_small_style_sheet_and_no_script(kind: PageKind):
    theme = load_theme("plain")

    (sheet,) = theme.stylesheets(kind)
    assert len(sheet.body) <= 8_000
    assert theme.scripts(kind) == theme.early_scripts() == []


def test_nothing_of_the_default_theme_is_written():
    assert {file.url.split(".")[-1] for file in load_theme("plain").assets()} == {
        "css",
        "svg",
    }


@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        *product(["text", "muted", "link", "trouble", "prompt"], ["ground", "raised"]),
        *product(["text", "muted"], ["add", "del"]),
    ],
)
def test_text_can_be_read_on_its_ground(ink: str, ground: str):
    inks, grounds = PAIRS[ink].split(", "), PAIRS[ground].split(", ")

    assert all(contrast(*pair) >= 4.5 for pair in zip(inks, grounds, strict=True))
