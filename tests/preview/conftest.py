"""A folder with a site of two pages, and one beside it that nobody may see."""

from __future__ import annotations

import pytest


@pytest.fixture
def site_dir(tmp_path):
    folder = tmp_path / "site"
    (folder / "transcripts").mkdir(parents=True)
    (folder / "assets").mkdir()
    (folder / "index.html").write_text("<head></head>first page")
    (folder / "transcripts" / "t é.html").write_text("<head></head>transcript")
    (folder / "assets" / "a.1.css").write_text("css")
    (folder / "404.html").write_text("<head></head>not here")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("hidden")
    (tmp_path / "secret.txt").write_text("outside")
    return folder
