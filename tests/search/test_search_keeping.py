"""When an index is made, and when the earlier one stays."""

from __future__ import annotations

from importlib import metadata
from types import SimpleNamespace

import pytest

from everyleaf.digest import digest_hex
from everyleaf.outputs import Output
from everyleaf.search import index as indexing
from everyleaf.search.index import SOURCE_URL, SearchWords
from everyleaf.search.pages import write_search_pages
from search.conftest import page


@pytest.fixture(autouse=True)
def made(monkeypatch):
    """Stand in for Pagefind; return the pages that it was asked for, a list each time."""
    asked = []

    def build(pages):
        asked.append([one.url for one in pages])
        return [Output("pagefind/pagefind.js", b"code")] if asked[-1] else []

    monkeypatch.setattr(indexing, "build_index", build)
    return asked


def words_file(number, *texts):
    return Output(f"data/search/s{number}.json", write_search_pages([page(number, *texts)]))


def write(folder, outputs):
    before = {}
    for output in outputs:
        (folder / output.url).parent.mkdir(parents=True, exist_ok=True)
        (folder / output.url).write_bytes(output.body)
        before[output.url] = SimpleNamespace(digest=digest_hex(output.body))
    return before


def index(folder, before, *outputs, kept=()):
    with SearchWords(folder) as words:
        words.keep(kept)
        for output in outputs:
            words.take(output)
        return list(words.index(before))


def test_pages_are_indexed_in_the_order_of_their_files(tmp_path, made):
    outputs = index(tmp_path, {}, words_file(2, "b"), words_file(1, "a"))

    assert made == [["transcripts/t1.html", "transcripts/t2.html"]]
    assert [output.url for output in outputs] == ["pagefind/pagefind.js", SOURCE_URL]


def test_other_files_are_not_indexed(tmp_path, made):
    index(tmp_path, {}, Output("data/s.json", words_file(1, "a").body))

    assert made == [[]]


def test_the_same_words_keep_the_index_whatever_their_order(tmp_path, made):
    first = index(tmp_path, {}, words_file(1, "a"), words_file(2, "b"))
    before = write(tmp_path, first)

    second = index(tmp_path, before, words_file(2, "b"), words_file(1, "a"))

    assert len(made) == 1
    assert sorted(second, key=str) == sorted(first, key=str)


def test_other_words_make_it_anew(tmp_path, made):
    before = write(tmp_path, index(tmp_path, {}, words_file(1, "a")))

    index(tmp_path, before, words_file(1, "changed"))

    assert len(made) == 2


@pytest.mark.parametrize("damage", ["delete", "edit"])
def test_an_index_that_is_not_whole_is_made_anew(tmp_path, made, damage):
    before = write(tmp_path, index(tmp_path, {}, words_file(1, "a")))
    file = tmp_path / "pagefind/pagefind.js"
    file.unlink() if damage == "delete" else file.write_bytes(b"other")

    index(tmp_path, before, words_file(1, "a"))

    assert len(made) == 2


def test_an_earlier_session_stays_searchable_without_its_source(tmp_path, made):
    write(tmp_path, [words_file(1, "a")])

    index(tmp_path, {}, words_file(2, "b"), kept=["data/search/s1.json", "data/search/x"])

    assert made == [["transcripts/t1.html", "transcripts/t2.html"]]


def test_another_pagefind_makes_it_anew(tmp_path, made, monkeypatch):
    before = write(tmp_path, index(tmp_path, {}, words_file(1, "a")))

    def unknown(_name):
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "version", unknown)
    index(tmp_path, before, words_file(1, "a"))

    assert len(made) == 2
