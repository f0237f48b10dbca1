"""A list of a large archive is remembered: by the bytes of its files, by nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from everyleaf.config import RedactOptions
from everyleaf.explore.sessions import read_sessions
from everyleaf.opening.reading import Scope
from sessions import OTHER, Home

EXAMPLE = Path(__file__).parents[2] / "examples/archive"


@pytest.fixture(autouse=True)
def _everything_is_large(monkeypatch, tmp_path):
    monkeypatch.setattr("everyleaf.opening.reading.REMEMBERED_BYTES", 0)
    monkeypatch.setenv("EVERYLEAF_CACHE_DIR", str(tmp_path / "cache"))


def listed(folder):
    scope = Scope((folder,), redact=RedactOptions(is_on=False))
    return read_sessions(scope, lambda *_: None)


def refuse(*_, **__):
    raise AssertionError("read again")


def test_the_second_list_is_the_first_one_and_parses_nothing(monkeypatch):
    first = listed(EXAMPLE)
    monkeypatch.setattr("everyleaf.indexing.index_file", refuse)
    monkeypatch.setattr("everyleaf.explore.sessions._read_answers", refuse)

    assert listed(EXAMPLE) == first


def test_a_list_without_notes_is_the_same(monkeypatch):
    noted = [listed(EXAMPLE), listed(EXAMPLE)]
    monkeypatch.setattr("everyleaf.opening.reading.REMEMBERED_BYTES", 10**9)

    assert noted == [listed(EXAMPLE)] * 2


def test_a_session_that_grew_is_read_again_though_its_time_is_the_same(tmp_path):
    home = Home(tmp_path / ".claude")
    for talk in (home.talk(), home.talk(OTHER)):
        talk.prompt("Write a parser")
        talk.reply("Done.")
        talk.save()
    before = listed(home.folder)

    talk.prompt("And a test")
    talk.reply("Done, too.")
    talk.save()
    after = listed(home.folder)

    assert [one.prompts for one in before] == [1, 1]
    assert [one.prompts for one in after] == [1, 2]
    assert after[1].usage.output == 2 * before[1].usage.output
