"""Which words go into which index, and which indexes stay."""

from __future__ import annotations

import json
from importlib import metadata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everyleaf.outputs import StagedFile
from everyleaf.search.index import (
    INDEX_DIR,
    OWN_BYTES,
    SOURCE_URL,
    index_of,
    source_of,
    split_words,
    unchanged,
)

SMALL = OWN_BYTES // 10
SIZES = st.sampled_from([1, SMALL, OWN_BYTES - 1, OWN_BYTES, 9 * OWN_BYTES])


def words(number, project="app", size=SMALL, digest="0f"):
    return project, size, StagedFile(f"data/search/s{number:03}.json", digest)


@given(st.lists(st.tuples(st.text(max_size=3), SIZES), min_size=1, max_size=40))
def test_each_session_is_in_one_index_and_each_project_too(told):
    files = [words(number, *one) for number, one in enumerate(told)]
    projects = {file.url: project for project, _, file in files}

    indexes = split_words(files)

    held = [file for one in indexes.values() for file in one.words]
    assert sorted(held, key=lambda one: one.url) == [file for _, _, file in files]
    of_index = [{projects[file.url] for file in one.words} for one in indexes.values()]
    assert sum(map(len, of_index)) == len(set(projects.values()))
    first = indexes[INDEX_DIR]
    assert first.size_bytes == max(one.size_bytes for one in indexes.values())
    urls = [f"{folder}index/en_1.pf_index" for folder in indexes]
    assert [index_of(url) for url in urls] == list(indexes)
    assert split_words(reversed(files)) == indexes


def test_a_project_with_many_words_has_an_index_of_its_own_and_small_ones_share():
    many = [words(n, "large", OWN_BYTES // 2) for n in range(4)]
    few = [words(10 + n, f"small{n}", OWN_BYTES // 20) for n in range(15)]

    first, other = split_words([*few, *many]).values()

    assert {file for _, _, file in many} == set(other.words)
    assert other.folder == INDEX_DIR
    assert len(first.words) == len(few)


def test_shared_indexes_grow_in_number_and_not_in_size():
    few = [words(n, f"p{n}") for n in range(400)]

    indexes = split_words(few).values()

    assert 32 <= len(indexes) <= 64
    assert max(one.size_bytes for one in indexes) < 2 * OWN_BYTES


def test_without_words_there_is_no_index():
    assert split_words([]) == {}


def test_the_list_of_indexes_and_other_files_belong_to_none():
    assert (index_of(SOURCE_URL), index_of("data/search/s.json")) == ("", "")


def test_an_index_stays_while_its_words_do():
    told = [words(1, "a", OWN_BYTES), words(2, "b", 2 * OWN_BYTES)]
    before = source_of(split_words(told).values()).body

    same = split_words(told)
    grown = split_words([told[1], words(1, "a", OWN_BYTES, "1f")])

    assert unchanged(same, before) == set(same)
    assert unchanged(grown, before) == {INDEX_DIR}


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
    told = [words(1, "a", OWN_BYTES), words(2, "b", 2 * OWN_BYTES)]

    listed = json.loads(source_of(split_words(told).values()).body)["indexes"]

    assert [name.split("/")[0] for name in sorted(listed)] == ["", "more"]
    assert all(name.endswith("/") for name in listed if name)
