"""Looking for text in bytes: nothing that decoding would find is missed."""

from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import given, strategies as st

from everyleaf.config import RedactOptions
from everyleaf.errors import SourceError
from everyleaf.explore.query import Query, check_pattern
from everyleaf.explore.search import scan_files, search
from everyleaf.opening.reading import Scope
from everyleaf.sources.discover import find_sources
from everyleaf.workers import InProcess
from sessions import prompt

TEXT = st.text(st.sampled_from('ab \\"/\n\té日本<>&Éß_.-'), min_size=1, max_size=6)


def scan(folder, body, needle):
    file = folder / "s.jsonl"
    file.write_bytes(body)
    found = find_sources([file], include_archive=True)
    return scan_files(found, needle, InProcess(), lambda *_: None)[0]


@given(before=TEXT, needle=TEXT, after=TEXT, is_ascii=st.booleans())
def test_a_text_is_found_however_json_wrote_it(
    tmp_path_factory, before, needle, after, is_ascii
):
    record = prompt("p1", None, before + needle + after)
    line = json.dumps(record).encode() if is_ascii else orjson.dumps(record)

    found = scan(tmp_path_factory.mktemp("s"), b"{}\n" + line, Query(needle))

    assert [hit.line for hit in found.hits] == [2]


def test_case_counts_only_on_request(tmp_path):
    line = json.dumps(prompt("p1", None, "Parser and PARSER")).encode()

    assert scan(tmp_path, line, Query("parser")).hits[0].count == 2
    assert scan(tmp_path, line, Query("Parser", is_exact=True)).hits[0].count == 1
    assert scan(tmp_path, line, Query("parseR", is_exact=True)).hits == ()


def test_lines_are_counted_across_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr("everyleaf.opening.named.BLOCK_BYTES", 100)
    texts = ["one", "two needle", "three", "four", "needle", "six"]
    lines = [json.dumps(prompt(f"p{n}", None, text)) for n, text in enumerate(texts)]

    for needle in (Query("needle"), Query("ne+dle", is_pattern=True)):
        found = scan(tmp_path, "\n".join(lines).encode(), needle)
        assert [hit.line for hit in found.hits] == [2, 5]


def test_a_pattern_that_would_run_for_ever_ends_in_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr("everyleaf.explore.query.PATTERN_SECONDS", 0.05)
    file = tmp_path / "s.jsonl"
    file.write_text(json.dumps(prompt("p1", None, "a" * 60 + "!")))

    with pytest.raises(SourceError, match="takes too long"):
        search(
            Scope((file,), redact=RedactOptions(is_on=False)),
            lambda *_: None,
            Query("(a|aa)+$", is_pattern=True),
        )


def test_a_broken_pattern_says_where_it_breaks():
    assert check_pattern("a+") == ""
    assert "position 3" in check_pattern("a(b")
