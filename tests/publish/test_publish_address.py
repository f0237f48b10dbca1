"""Addresses: what may be written, and what cannot stand side by side."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from everyleaf.errors import OutputError
from everyleaf.publish.manifest import check_urls, find_obstacles, fold, is_safe


@pytest.mark.parametrize(
    "url",
    [
        "index.html",
        "transcripts/transcript_5f3e.html",
        "blobs/0123abcd.png",
        "a b/c.html",
        "projects/größe.html",
    ],
)
def test_plain_relative_addresses_are_safe(url):
    assert is_safe(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/etc/passwd",
        "../secret",
        "a/../../b",
        "a/./b",
        "a//b",
        "a/",
        "a\\b",
        "C:evil",
        "file.txt:stream",
        "a\0b",
        "a\nb",
        "trailing.",
        "trailing ",
        "what?.html",
        "\ud800.html",
        "a\u202eb.html",
    ],
)
def test_addresses_that_leave_the_folder_or_some_disk_are_not_safe(url):
    assert not is_safe(url)


@given(st.text(alphabet="ab./\\: \0", max_size=12))
def test_a_safe_address_never_climbs(url):
    parts = url.split("/")

    if is_safe(url):
        assert ".." not in parts
        assert "" not in parts


def test_every_bad_address_is_named_in_one_error():
    with pytest.raises(OutputError) as caught:
        check_urls(["../a", "fine.html", "b/"])

    assert "'../a', 'b/'" in caught.value.message
    assert "fine" not in caught.value.message


@pytest.mark.parametrize(
    "url", ["manifest.json", "Manifest.JSON", ".everyleaf-staging/0", "manifest.json/a"]
)
def test_addresses_that_publishing_needs_itself_are_refused(url):
    with pytest.raises(OutputError, match="cannot be written"):
        check_urls([url])


def test_addresses_that_differ_in_case_only_collide():
    with pytest.raises(OutputError) as caught:
        check_urls(["t/A.html", "t/a.html", "t/b.html", "x/É", "x/e\u0301"])

    assert "'t/A.html' and 't/a.html'; 'x/" in caught.value.message
    assert "b.html" not in caught.value.message


def test_a_file_in_the_place_of_a_folder_collides():
    with pytest.raises(OutputError) as caught:
        check_urls(["a/b/c", "A"])

    assert "'A' and 'a/b/c'" in caught.value.message


def test_addresses_side_by_side_do_not_collide():
    check_urls(["a/b", "a/c", "ab", "a.b/c"])


@given(st.text(max_size=8))
def test_folding_twice_is_folding_once(url):
    assert fold(fold(url)) == fold(url)


@pytest.mark.parametrize(
    ("old", "wanted"),
    [
        ("projects/Parser.html", "projects/parser.html"),
        ("a", "a/b.html"),
        ("a/b/c.html", "A"),
    ],
)
def test_an_old_file_in_the_place_of_a_new_one_is_an_obstacle(old, wanted):
    assert find_obstacles([old, "other.html"], [wanted]) == {old}


def test_a_file_that_is_written_again_is_no_obstacle():
    assert find_obstacles(["a/b.html", "a/c.html"], ["a/b.html"]) == set()
