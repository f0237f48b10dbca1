"""Keys of every kind, in every field and encoding: none may be in any byte of a site."""

from __future__ import annotations

import html
import re

import pytest

from everyleaf.build import build_site
from everyleaf.config import BuildOptions, Format
from everyleaf.redact.forms import forms_of
from redact.planting import plant

ASKED: dict[str, dict[str, object]] = {
    "plainly": {},
    "by two workers, in the plain theme": {"jobs": 2, "theme": "plain"},
    "as Markdown alone": {"formats": (Format.MARKDOWN,)},
}


@pytest.fixture(scope="module", params=ASKED.values(), ids=list(ASKED))
def planted(request, scanner, tmp_path_factory):  # noqa: ARG001  (it lets the scanner start)
    folder = tmp_path_factory.mktemp("planted")
    keys, places = plant(folder / "projects", seed=20260504)
    asked = {"jobs": 1} | request.param
    options = BuildOptions(
        sources=(folder / "projects",), output_dir=folder / "site", **asked
    )
    report = build_site(options, on_progress=lambda *_: None)
    return folder / "site", keys, places, report


def test_sixty_kinds_stand_in_two_hundred_places(planted):
    _, keys, places, report = planted

    assert len(keys) >= 60
    assert places >= 200
    assert report.abandoned


def test_no_byte_of_the_site_holds_a_planted_key(planted):
    site, keys, _, _ = planted

    forms = {
        form.encode(): name
        for name, key in keys.items()
        for value in (key, *(line for line in key.split("\n") if len(line) > 40))
        for form in (*forms_of(value), html.escape(value))
    }
    leaked = set()
    for file in sorted(site.rglob("*")):
        if not file.is_file():
            continue
        body = file.read_bytes()
        bodies = (body, re.sub(rb"<[^<>]*>", b"", body))
        leaked |= {(forms[f], file.name) for f in forms for b in bodies if f in b}
    assert not leaked


def test_the_owner_of_the_home_folder_is_on_no_page(planted):
    site, _, _, _ = planted

    assert not [f for f in site.rglob("*") if f.is_file() and b"berthold" in f.read_bytes()]


def test_placeholders_and_the_report_say_what_was_there(planted):
    site, _, _, _ = planted

    text = next(site.rglob("transcript_*.md")).read_text(encoding="utf-8")
    assert re.search(r"redacted: github-token \d", text.replace("\\", ""))
    for report in site.glob("report.html"):
        assert "github-token" in report.read_text(encoding="utf-8")
