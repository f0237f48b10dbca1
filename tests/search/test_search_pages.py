"""What is found, as a file of the site."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from everyleaf.search.pages import (
    SearchPage,
    SearchText,
    parse_search_pages,
    write_search_pages,
)
from search.conftest import page

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SAID = st.builds(SearchText, TEXT, TEXT, TEXT, st.integers(0, 99), TEXT)
PAGES = st.builds(
    SearchPage,
    st.from_regex(r"transcripts/[a-z._-]{1,9}\.html", fullmatch=True),
    TEXT, TEXT, TEXT, TEXT,
    st.lists(SAID, max_size=3).map(tuple),
    TEXT, TEXT, TEXT,
)  # fmt: skip


@given(st.lists(PAGES, max_size=3).map(tuple))
def test_what_is_written_is_read_back(pages):
    assert parse_search_pages(write_search_pages(pages)) == pages


def test_half_a_character_does_not_stop_a_build():
    body = write_search_pages([page(1, "broken \ud83d")])

    assert parse_search_pages(body)[0].said[0].text == "broken ?"


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'{"version": 2, "pages": []}', b'{"version": 1}'],
)
def test_a_file_of_another_kind_holds_nothing(body):
    assert parse_search_pages(body) == ()


def test_parts_that_make_no_sense_are_left_out():
    pages = [page(1, "good", "bad"), page(2), page(3, url="javascript:alert(1)")]
    record = json.loads(write_search_pages(pages))
    record["pages"][0]["said"][1] = ["prompt", 7, "bad"]
    del record["pages"][1]["url"]

    (left,) = parse_search_pages(json.dumps(record).encode())

    assert [said.text for said in left.said] == ["good"]
