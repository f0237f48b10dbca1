"""Keys of every kind, in every field and encoding: none may be in any byte of an export."""

from __future__ import annotations

import pytest

from everyleaf.export.html import draw_block
from export.conftest import FORMS
from redact.planting import plant
from redact.test_redact_planted import all_forms, leaks


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planted") / "projects"
    keys, _ = plant(folder, seed=20260504)
    return folder, keys


@pytest.mark.parametrize("form", FORMS)
def test_no_byte_of_an_export_holds_a_planted_key(form, planted, export):
    source, keys = planted
    folder, exported = export(source, form)

    forms = all_forms(keys)
    leaked = set()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            body = file.read_bytes().replace(b"\\n", b"\n").replace(b'\\"', b'"')
            leaked |= {(name, file.name) for name in leaks(forms, body)}
            leaked |= {(name, file.name) for name in leaks(forms, file.name.encode())}
    assert not leaked
    assert exported.files


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '<a href="javascript:alert(1)">x</a>',
        '<details onclick="x">',
        "<b><i>x</i></b>",
    ],
)
def test_tags_that_are_not_ours_become_text(text):
    drawn = draw_block(text)

    assert "&lt;" in drawn
    assert "<script" not in drawn
    assert "<img" not in drawn
    assert "<details o" not in drawn


def test_links_that_lead_nowhere_are_text():
    drawn = draw_block("[x](transcript_y.md) [y](javascript:z) [z](https://example.org)")

    assert drawn.count("<a ") == 1
    assert 'href="https://example.org"' in drawn
