"""`everyleaf audit`, of sources and of sites."""

from __future__ import annotations

import gzip
import html
import json

import pytest
from click.testing import CliRunner

from everyleaf.audit import Exposed, audit
from everyleaf.build import build_site
from everyleaf.cli.command import everyleaf
from everyleaf.config import Allowed, BuildOptions, OwnRule, RedactOptions
from everyleaf.errors import RedactError
from everyleaf.redact.detect import Detector
from redact.keykinds import make_keys
from redact.planting import STEM, plant

KEY = make_keys(7)["github-pat"][1]


def test_an_audit_of_sources_names_line_and_kind_but_not_the_value(tmp_path):
    keys, _ = plant(tmp_path, seed=3)

    exposed = audit([tmp_path], on_progress=lambda *_: None)

    assert any(
        one.kind == "github-token" and one.line and STEM in one.file for one in exposed
    )
    assert not [one for one in exposed if any(key in one.preview for key in keys.values())]


def test_an_audit_of_a_site_looks_into_every_kind_of_file(tmp_path):
    (tmp_path / "manifest.json").write_text("{}")
    (tmp_path / "a.html").write_text(f"<b>{KEY[:9]}</b>{KEY[9:]}")
    (tmp_path / "b.md").write_text(KEY)
    (tmp_path / "c.svg").write_text(f"<text a='{KEY}'/>")
    (tmp_path / "d.json").write_text(json.dumps({"a": KEY}))
    (tmp_path / "e.pf_fragment").write_bytes(gzip.compress(f"pagefind_dcd{KEY}".encode()))
    (tmp_path / "f.txt").write_text(KEY)
    (tmp_path / "clean.md").write_text("nothing here")

    exposed = audit([tmp_path], on_progress=lambda *_: None)

    places = {one.file for one in exposed if one.kind == "github-token"}
    assert places == {"a.html", "b.md", "c.svg", "d.json", "e.pf_fragment", "f.txt"}


def test_an_audit_of_a_site_names_each_line(tmp_path):
    (tmp_path / "manifest.json").write_text("{}")
    (tmp_path / "a.html").write_text(
        f"<p>\n<b>{KEY[:9]}</b>{KEY[9:]}\n\nwrite to ada&#64;corp.io\n{KEY}"
    )
    (tmp_path / "b.jsonl").write_text('{"a": "ada@corp.io"}\n\n{"b": "x ada@corp.io"}\n')
    (tmp_path / "c.pf").write_bytes(gzip.compress(b"\nwrite to ada@corp.io"))

    exposed = audit(
        [tmp_path], on_progress=lambda *_: None, options=RedactOptions(is_public=True)
    )

    assert [(one.file, one.line, one.kind) for one in exposed] == [
        ("a.html", 2, "github-token"),
        ("a.html", 4, "email"),
        ("a.html", 5, "github-token"),
        ("b.jsonl", 1, "email"),
        ("b.jsonl", 3, "email"),
        ("c.pf", 0, "email"),
    ]


def test_a_place_without_a_line_is_printed_alone(monkeypatch, tmp_path):
    found = [Exposed("a.pf", 0, "email", "ada@… (20 characters)")]
    monkeypatch.setattr("everyleaf.audit.audit", lambda *_, **__: found)

    result = CliRunner().invoke(everyleaf, ["audit", str(tmp_path)], standalone_mode=False)

    assert result.stdout == "a.pf: email: ada@… (20 characters)\n1 finding\n"


def test_a_clean_site_has_nothing_to_show(tmp_path):
    (tmp_path / "manifest.json").write_text("{}")

    assert audit([tmp_path], on_progress=lambda *_: None) == []


def test_people_are_found_in_a_site_that_is_to_be_public(tmp_path):
    (tmp_path / "manifest.json").write_text("{}")
    (tmp_path / "a.md").write_text("write to berthold@corp.io")
    public = RedactOptions(is_public=True)
    allowed = RedactOptions(is_public=True, allow=(Allowed("*@corp.io", "a list"),))

    exposed = audit([tmp_path], on_progress=lambda *_: None, options=public)

    assert [(one.kind, one.file) for one in exposed] == [("email", "a.md")]
    assert audit([tmp_path], on_progress=lambda *_: None) == []
    assert audit([tmp_path], on_progress=lambda *_: None, options=allowed) == []


def test_findings_are_printed_as_json_without_their_values(tmp_path):
    (tmp_path / "manifest.json").write_text("{}")
    (tmp_path / "a.md").write_text("write to berthold@corp.io")

    result = CliRunner().invoke(
        everyleaf, ["audit", str(tmp_path), "--public", "--json"], standalone_mode=False
    )

    assert result.return_value == 1
    preview = "bert… (16 characters)"
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"file": "a.md", "line": 1, "kind": "email", "preview": preview}
    ]
    assert "berthold@corp.io" not in result.stdout


OWN = (OwnRule("customer", word="Söhne & Co. (x)"), OwnRule("case", pattern=r"AC-\d+"))


def test_own_words_and_patterns_are_found_in_sources_and_in_sites(tmp_path):
    said = {"role": "user", "content": "Ask Söhne & Co. (x) for AC-1111"}
    record = {"type": "user", "uuid": "u", "parentUuid": None, "message": said}
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/s.jsonl").write_text(json.dumps(record))
    (tmp_path / "site").mkdir()
    (tmp_path / "site/manifest.json").write_text("{}")
    (tmp_path / "site/a.html").write_text(html.escape(said["content"]))
    (tmp_path / "site/b.html").write_text("[redacted: customer 1], [redacted: case 2]")

    exposed = audit(
        [tmp_path / "logs", tmp_path / "site"],
        on_progress=lambda *_: None,
        options=RedactOptions(own=OWN),
    )

    assert {(one.file.rpartition("/")[2], one.kind) for one in exposed} == {
        (place, kind) for place in ("s.jsonl", "a.html") for kind in ("customer", "case")
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [("see build.log of it", "build.log"), ("type Token = Harbour;", "Harbour")],
)
def test_an_own_pattern_holds_whatever_form_a_value_has(tmp_path, text, value):
    own = OwnRule("password", pattern=value.replace(".", "[.]"))
    found = Detector(tmp_path, (own,), is_own_only=True).find(text) or []

    assert [(hit.kind, hit.value) for hit in found] == [("password", value)]


def test_own_patterns_are_masked_also_where_they_look_like_examples(tmp_path):
    said = {"role": "user", "content": "See AC-1111, AC-1234567 and AC-0000000000"}
    record = {"type": "user", "uuid": "u", "parentUuid": None, "message": said}
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/s.jsonl").write_text(json.dumps(record))
    options = BuildOptions(
        sources=(tmp_path / "logs",),
        output_dir=tmp_path / "site",
        redact=RedactOptions(own=OWN),
        jobs=1,
    )

    build_site(options, on_progress=lambda *_: None)

    shown = next((tmp_path / "site/markdown").glob("transcript_*.md")).read_text()
    assert "redacted: case 3" in shown
    assert "AC-" not in shown


def test_a_pattern_that_cannot_be_matched_stops_the_build_and_says_so(tmp_path):
    (tmp_path / "s.jsonl").write_text('{"type": "user", "message": {"content": "Hello"}}')
    options = RedactOptions(own=(OwnRule("case", pattern="(?=a)b"),))

    with pytest.raises(RedactError) as raised:
        audit([tmp_path], on_progress=lambda *_: None, options=options)

    assert "each pattern in [redact]" in raised.value.hint
