"""Which words go into which index, and which indexes stay."""

from __future__ import annotations

import json
from importlib import metadata

import pytest
from hypothesis import given, strategies as st

from everyleaf.outputs import StagedFile
from everyleaf.search.index import (
    INDEX_BYTES,
    INDEX_DIR,
    SOURCE_URL,
    index_of,
    source_of,
    split_words,
    unchanged,
)

SMALL = INDEX_BYTES // 10
SIZES = st.sampled_from([1, SMALL, INDEX_BYTES - 1, INDEX_BYTES, 9 * INDEX_BYTES])


def words(number, size=SMALL, digest="0f"):
    return size, StagedFile(f"data/search/s{number:03}.json", digest)


@given(st.lists(SIZES, min_size=1, max_size=40))
def test_each_session_is_in_one_index(sizes):
    files = [words(number, size) for number, size in enumerate(sizes)]

    indexes = split_words(files)

    held = [file for one in indexes.values() for file in one.words]
    assert sorted(held, key=lambda one: one.url) == [file for _, file in files]
    first = indexes[INDEX_DIR]
    assert first.size_bytes == max(one.size_bytes for one in indexes.values())
    urls = [f"{folder}index/en_1.pf_index" for folder in indexes]
    assert [index_of(url) for url in urls] == list(indexes)
    assert split_words(reversed(files)) == indexes


def test_indexes_grow_in_number_and_not_in_size():
    few = [words(n) for n in range(400)]

    indexes = split_words(few).values()

    assert 32 <= len(indexes) <= 64
    assert max(one.size_bytes for one in indexes) < 2 * INDEX_BYTES


def test_a_message_more_changes_one_index():
    before = split_words(words(n) for n in range(100))
    after = split_words(words(n, digest="1f" if n == 7 else "0f") for n in range(100))

    assert sum(before[folder] != one for folder, one in after.items()) == 1


def test_without_words_there_is_no_index():
    assert split_words([]) == {}


def test_the_list_of_indexes_and_other_files_belong_to_none():
    assert (index_of(SOURCE_URL), index_of("data/search/s.json")) == ("", "")


def test_an_index_stays_while_its_words_do():
    told = [words(n) for n in range(100)]
    before = source_of(split_words(told).values()).body

    same = split_words(told)
    grown = split_words([*told[:-1], words(99, digest="1f")])

    assert unchanged(same, before) == set(same)
    assert len(unchanged(grown, before)) == len(same) - 1


def test_another_pagefind_makes_all_anew(monkeypatch):
    indexes = split_words([words(1)])
    before = source_of(indexes.values()).body

    def unknown(_name):
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "version", unknown)

    assert unchanged(indexes, before) == set()


@pytest.mark.parametrize("before", [b"", b"[1]", b'{"indexes": 3}', b"[" * 100_000])
def test_whatever_stands_in_the_list_of_another_build_is_no_error(before):
    assert unchanged(split_words([words(1)]), before) == set()


def test_the_list_says_where_a_browser_finds_indexes():
    told = [words(n) for n in range(20)]

    listed = json.loads(source_of(split_words(told).values()).body)["indexes"]

    assert {name.split("/")[0] for name in listed} == {"", "more"}
    assert all(name.endswith("/") for name in listed if name)
