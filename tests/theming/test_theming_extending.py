"""A theme that goes on from another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from everyleaf.errors import ThemeError
from everyleaf.theming.locate import find_theme_dir
from everyleaf.theming.manifest import PageKind
from everyleaf.theming.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Return what makes a theme of a manifest and of files, by their place in it."""

    def make_theme(name: str, manifest: str, **files: str) -> Path:
        theme_dir = tmp_path / name
        (theme_dir / "static").mkdir(parents=True)
        (theme_dir / "templates").mkdir()
        (theme_dir / "theme.toml").write_text(f'title = "{name}"\n{manifest}')
        for place, text in files.items():
            suffix = ".css" if place.startswith("static") else ".html.j2"
            (theme_dir / (place.replace("__", "/") + suffix)).write_text(text)
        return theme_dir

    return make_theme


def urls(theme: Theme, kind: PageKind | None = None) -> list[str]:
    return [file.url.split("/")[1].split(".")[0] for file in theme.stylesheets(kind)]


def test_a_template_stands_for_the_one_of_the_base(make: Make):
    make("base", "", templates__page="{% include 'part.html.j2' %}", templates__part="old")
    mine = make("mine", 'extends = "../base"', templates__part="new {{ page }}")

    assert "".join(Theme(mine).pieces("page.html.j2", "page")) == "new page"


def test_the_base_stays_within_reach_under_its_name(make: Make):
    make("base", "", templates__page="[{% block content %}old{% endblock %}]")
    mine = make(
        "mine",
        'extends = "../base"',
        templates__page="{% extends 'base/page.html.j2' %}"
        "{% block content %}{{ super() }} and new{% endblock %}",
    )

    assert "".join(Theme(mine).pieces("page.html.j2", None)) == "[old and new]"


def test_style_sheets_of_the_theme_come_after_all_of_its_base(make: Make):
    make(
        "base",
        'stylesheets = ["a.css"]\n[kinds.index]\nstylesheets = ["b.css"]',
        static__a="a", static__b="b",
    )  # fmt: skip
    mine = make("mine", 'extends = "../base"\nstylesheets = ["c.css"]', static__c="c")
    theme = Theme(mine)

    assert urls(theme, PageKind.INDEX) == ["a", "b", "c"]
    assert urls(theme, PageKind.REPORT) == ["a", "c"]


def test_a_static_file_stands_for_the_one_of_the_base(make: Make):
    make("base", 'stylesheets = ["a.css"]', static__a="old")
    mine = make("mine", 'extends = "../base"', static__a="new")

    assert [file.body for file in Theme(mine).assets()] == [b"new"]


def test_a_theme_may_leave_the_files_of_its_base(make: Make):
    make("base", 'stylesheets = ["a.css"]', static__a="a", templates__page="kept")
    mine = make(
        "mine",
        'extends = "../base"\ninherits_files = false\nstylesheets = ["b.css"]',
        static__b="b",
    )
    theme = Theme(mine)

    assert [file.body for file in theme.assets()] == [b"b"]
    assert "".join(theme.pieces("page.html.j2", None)) == "kept"


def test_pages_of_the_base_come_first_and_can_be_replaced(make: Make):
    page = '[[pages]]\nurl = "{0}.html"\ntemplate = "{1}.html.j2"\ntitle = "{1}"\n'
    make("base", page.format("about", "old") + page.format("legal", "legal"),
         templates__old="", templates__legal="")  # fmt: skip
    mine = make(
        "mine", 'extends = "../base"\n' + page.format("about", "new"), templates__new=""
    )

    assert [page.title for page in Theme(mine).pages] == ["new", "legal"]


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("../out.html", "String should match pattern"),
        ("sub/page.html", "String should match pattern"),
        ("index.html", "is a page of every site"),
    ],
)
def test_an_added_page_stands_beside_the_index(make: Make, url: str, words: str):
    page = f'[[pages]]\nurl = "{url}"\ntemplate = "a.html.j2"\ntitle = "A"'

    with pytest.raises(ThemeError) as caught:
        Theme(make("mine", page, templates__a=""))

    assert words in caught.value.message


def test_a_page_without_its_template_is_an_error_before_anything_is_built(make: Make):
    page = '[[pages]]\nurl = "a.html"\ntemplate = "a.html.j2"\ntitle = "A"'

    with pytest.raises(ThemeError, match=r"has no template 'a\.html\.j2'"):
        Theme(make("mine", page))


@pytest.mark.parametrize("base", ["nothing", "../nothing", "/etc", "Default"])
def test_a_base_that_is_not_there_is_an_error_that_names_the_known_ones(
    make: Make, base: str
):
    with pytest.raises(ThemeError) as caught:
        Theme(make("mine", f'extends = "{base}"'))

    assert caught.value.message == f"theme 'mine' extends {base!r}, which is not there"
    assert "default, plain" in caught.value.hint


def test_themes_that_extend_each_other_are_an_error(make: Make):
    make("one", 'extends = "../other"')
    other = make("other", 'extends = "../one"')

    with pytest.raises(ThemeError) as caught:
        Theme(other)

    assert caught.value.message == "themes extend each other: other → one → other"


def test_a_theme_may_not_have_the_name_of_its_base(make: Make):
    with pytest.raises(ThemeError) as caught:
        Theme(make("default", 'extends = "default"'))

    assert "both named 'default'" in caught.value.message
    assert "rename" in caught.value.hint


@pytest.mark.parametrize("place", ["static/a.css", "templates/a.html.j2", "static"])
def test_a_link_that_leads_out_of_the_theme_is_an_error(
    make: Make, tmp_path: Path, place: str
):
    mine = make("mine", "")
    secret = tmp_path / "outside"
    secret.mkdir()
    (secret / "secret.css").write_text("secret")
    link = mine / place
    if link.is_dir():
        link.rmdir()
    link.symlink_to(secret if place == "static" else secret / "secret.css")

    with pytest.raises(ThemeError) as caught:
        Theme(mine)

    assert "leads out of the theme" in caught.value.message
    assert "copy" in caught.value.hint


def test_a_template_that_names_a_missing_one_says_which_and_where(make: Make):
    mine = make("mine", "", templates__page="{% extends 'lost.html.j2' %}")

    with pytest.raises(ThemeError) as caught:
        list(Theme(mine).pieces("page.html.j2", None))

    assert caught.value.message == (
        "theme 'mine' has no template 'lost.html.j2', which 'page.html.j2' uses"
    )


def test_a_template_cannot_be_taken_from_outside(make: Make):
    mine = make("mine", "", templates__page="{% include '../theme.toml' %}")

    with pytest.raises(ThemeError, match="has no template"):
        list(Theme(mine).pieces("page.html.j2", None))


def test_an_unknown_name_is_an_error_that_says_the_line(make: Make):
    make("base", "", templates__page="{% include 'part.html.j2' %}", templates__part="")
    mine = make("mine", 'extends = "../base"', templates__part="fine\n{{ colour }}")

    with pytest.raises(ThemeError) as caught:
        list(Theme(mine).pieces("page.html.j2", None))

    assert "'colour' is undefined" in caught.value.message
    assert caught.value.hint.startswith("part.html.j2, line 2")


def test_an_unknown_filter_is_an_error(make: Make):
    mine = make("mine", "", templates__page="{{ page | shout }}")

    with pytest.raises(ThemeError) as caught:
        list(Theme(mine).pieces("page.html.j2", "x"))

    assert "shout" in caught.value.hint


def test_a_folder_without_a_manifest_is_no_theme(tmp_path: Path):
    with pytest.raises(ThemeError) as caught:
        find_theme_dir(str(tmp_path))

    assert "it has no theme.toml" in caught.value.message
    assert 'extends = "default"' in caught.value.hint


def test_a_folder_is_found_by_its_place(make: Make):
    mine = make("mine", "")

    assert find_theme_dir(str(mine)) == mine.resolve()


def test_a_built_in_name_is_never_a_folder(make: Make, monkeypatch: pytest.MonkeyPatch):
    mine = make("default", "")
    monkeypatch.chdir(mine.parent)

    assert find_theme_dir("default") != mine
    assert find_theme_dir("./default") == mine.resolve()
