"""The default theme: what its files promise."""

from __future__ import annotations

import inspect
import re
from itertools import product

import pytest

from everyleaf.render import view
from everyleaf.theming.load import load_theme
from everyleaf.theming.locate import find_theme_dir
from everyleaf.theming.manifest import PageKind
from theming.contrast import contrast

THEME_DIR = find_theme_dir("default")
SHEETS = sorted((THEME_DIR / "static").glob("*.css"))
CSS = "".join(file.read_text(encoding="utf-8") for file in SHEETS)
PAIR = re.compile(r"light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")
VARIABLES = dict(re.findall(r"--([\w-]+): (light-dark\([^)]+\));", CSS))
LOST = "notfound.html.j2"
"""Has its style inside, since it is shown at any depth."""
STANDALONE = "comparealone.html.j2"
"""What `everyleaf diff` prints: one file without assets beside it, no page of a site."""
TEMPLATES = sorted(file.name for file in (THEME_DIR / "templates").glob("*.j2"))


def colour(value: str) -> tuple[str, str]:
    """Return the colours of a CSS value in light and in dark."""
    name = re.fullmatch(r"var\(--([\w-]+)\)", value)
    found = PAIR.fullmatch(VARIABLES[name[1]] if name else value)
    assert found is not None, value
    return found[1], found[2]


def inks() -> dict[str, str]:
    """Return the colours of code and terminal output, by the selector that sets them."""
    selector = r"(?:\.code )?(?:\.(?:ink\d|[a-z]{1,2})|[bi])\b[^{]*"
    rules = re.findall(rf"^({selector})\{{ color: ([^;]+);", CSS, re.MULTILINE)
    return {one.strip(): value for many, value in rules for one in many.split(",")}


TEXTS = ["text", "muted", "link", "prompt", "active", "abandoned", "error", "accent"]
GROUNDS = ["bg", "surface", "sunk", "prompt-bg"]
ON_OWN_GROUND = [
    ("active", "active-bg"),
    ("abandoned", "abandoned-bg"),
    ("error", "error-bg"),
    ("text", "add-bg"),
    ("text", "del-bg"),
    ("text", "add-word"),
    ("text", "del-word"),
    ("muted", "add-bg"),
    ("muted", "del-bg"),
    ("text", "mark"),
    ("text", "line"),
    ("bg", "text"),
    ("link", "abandoned-bg"),
    ("text", "abandoned-bg"),
    ("muted", "error-bg"),
    ("muted", "hover"),
    ("error", "hover"),
]


@pytest.mark.parametrize(("ink", "ground"), [*product(TEXTS, GROUNDS), *ON_OWN_GROUND])
def test_text_can_be_read_on_its_ground(ink: str, ground: str):
    pairs = zip(colour(f"var(--{ink})"), colour(f"var(--{ground})"), strict=True)

    assert all(contrast(*pair) >= 4.5 for pair in pairs)


@pytest.mark.parametrize(("selector", "ink"), inks().items())
@pytest.mark.parametrize("ground", ["sunk", "surface"])
def test_colours_of_code_can_be_read(selector: str, ink: str, ground: str):
    pairs = zip(colour(ink), colour(f"var(--{ground})"), strict=True)

    assert all(contrast(*pair) >= 4.5 for pair in pairs), selector


def test_contrast_is_looked_at_for_all_colours_of_code():
    assert len(inks()) >= 16


@pytest.mark.parametrize("kind", PageKind)
def test_what_a_page_loads_stays_within_its_budget(kind: PageKind):
    theme = load_theme("default")

    sheets = sum(len(file.body) for file in theme.stylesheets(kind))
    scripts = sum(len(file.body) for file in (*theme.early_scripts(), *theme.scripts(kind)))

    assert 0 < sheets <= 32_768
    assert 0 < scripts <= 24_576


@pytest.mark.parametrize("kind", PageKind)
def test_a_page_loads_no_file_twice(kind: PageKind):
    theme = load_theme("default")

    urls = [file.url for file in (*theme.stylesheets(kind), *theme.scripts(kind))]

    assert len(urls) == len(set(urls))


def test_nothing_is_loaded_from_another_host_or_inline():
    pages = (name for name in TEMPLATES if name not in {STANDALONE, LOST})
    files = [THEME_DIR / "templates" / name for name in pages]
    text = CSS + "".join(file.read_text(encoding="utf-8") for file in files)

    assert not re.search(r"""(?:src|href)=["']?(?:https?:)?//|(?<!_)url\(|@import""", text)
    assert not re.search(r"<script(?![^>]* src=)|<style| style=|\son[a-z]+=", text)


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_compiles(name: str):
    assert load_theme("default").template(name).name == name


def test_static_files_are_outputs_of_the_site():
    theme = load_theme("default")

    outputs = {output.url: output.body for output in theme.assets()}

    static = sorted((THEME_DIR / "static").iterdir())
    assert {theme.asset_url(file.name): file.read_bytes() for file in static} == outputs


def test_every_static_file_is_loaded_by_some_page():
    theme = load_theme("default")
    loaded = {file.url for kind in PageKind for file in theme.stylesheets(kind)}
    loaded |= {file.url for kind in PageKind for file in theme.scripts(kind)}
    loaded |= {file.url for file in theme.early_scripts()}

    assert {file.url for file in theme.assets()} - loaded == {theme.asset_url("icon.svg")}


def test_every_field_of_a_view_says_what_it_is():
    source = inspect.getsource(view)

    fields = re.findall(r"^    (\w+): .*\n(.*)\n", source, re.MULTILINE)
    assert len(fields) > 60
    assert [name for name, following in fields if not following.startswith('    """')] == []
