"""The theme that the manual tells people to copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from everyleaf.build import build_site
from everyleaf.config import BuildOptions

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output_dir = tmp_path_factory.mktemp("harbour") / "site"
    options = BuildOptions(
        sources=(ROOT / "examples" / "archive",),
        output_dir=output_dir,
        projects=("ladle",),
        jobs=1,
        theme=str(ROOT / "examples" / "themes" / "harbour"),
    )
    build_site(options, on_progress=lambda *_: None)
    return output_dir


def test_every_page_ends_with_the_line_of_the_theme(site_dir: Path):
    pages = sorted(site_dir.glob("*/*.html")) + sorted(site_dir.glob("*.html"))

    bare = [page.name for page in pages if "harbour office" not in page.read_text("utf-8")]
    assert len(pages) > 20
    assert bare == []


def test_the_style_of_the_theme_comes_last(site_dir: Path):
    page = (site_dir / "index.html").read_text("utf-8")

    sheets = [line for line in page.splitlines() if 'rel="stylesheet"' in line]
    assert "assets/harbour." in sheets[-1]
    assert len(sheets) == 3


def test_the_page_of_the_theme_is_linked_from_the_index(site_dir: Path):
    assert '<a href="about.html">About this archive</a>' in (
        site_dir / "index.html"
    ).read_text("utf-8")
    assert "<h1>About this archive</h1>" in (site_dir / "about.html").read_text("utf-8")
