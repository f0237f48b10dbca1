"""What a survey saw is remembered: by all it was made of, masked as it was shown."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from everyleaf.attempts import compare_attempts
from everyleaf.config import OwnRule, RedactOptions
from everyleaf.explore.sessions import read_paths
from everyleaf.memo import FILE
from everyleaf.opening.reading import Scope
from everyleaf.survey.check import check
from everyleaf.survey.feedback import gather_feedback
from everyleaf.survey.files import list_changes
from everyleaf.survey.stats import gather_stats
from sessions import OTHER, SESSION

EXAMPLE = Path(__file__).parents[2] / "examples/archive"
RAW = RedactOptions(is_on=False)


def quiet(*_):
    """Take a report of progress."""


def asked(folder, **options):
    return Scope((folder,), **options)


COMMANDS = {
    "stats": lambda scope: gather_stats(scope, quiet),
    "files": lambda scope: list_changes(scope, quiet, "*"),
    "feedback": lambda scope: gather_feedback(scope, quiet),
    "check": lambda scope: check(scope, quiet, now_s=1_800_000_000),
    "paths": lambda scope: read_paths(scope, quiet),
    "diff": lambda scope: compare_attempts(scope, quiet, ("66e54b32:1", "66e54b32:2")),
}


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.setattr("everyleaf.opening.reading.REMEMBERED_BYTES", 0)
    monkeypatch.setenv("EVERYLEAF_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def read_again(monkeypatch):
    """Return the sources that were read, and the sessions that were looked at."""
    seen: list[tuple[str, str]] = []
    monkeypatch.setattr("everyleaf.indexing.index_file", _watched(seen, "file"))
    for name in ("stats.look_at_work", "files.look_at_files", "feedback.look_at_talk"):
        _watch_reader(monkeypatch, name.split(".")[0], seen)
    monkeypatch.setattr("everyleaf.survey.check.count_strings", _counted(seen))
    return seen


def _watched(seen, said):
    from everyleaf.records.index import index_file  # noqa: PLC0415  (before it is replaced)

    def index(source, **options):
        seen.append((said, source.session))
        return index_file(source, **options)

    return index


@pytest.fixture
def looked_through(monkeypatch, cache):
    """Return the session files that were read to look for secrets."""
    from everyleaf.redact.sources import read_contents  # noqa: PLC0415  (as above)

    seen: list[Path] = []

    def read(location, *args, **options):
        seen.append(location)
        return read_contents(location, *args, **options)

    monkeypatch.setattr("everyleaf.redact.find.default_memory", lambda _: cache / "found")
    monkeypatch.setattr("everyleaf.redact.sources.read_contents", read)
    return seen


def _watch_reader(monkeypatch, module, seen):
    from everyleaf.opening.reading import FamilyReader  # noqa: PLC0415  (as above)

    def read(work):
        seen.extend(("looked", session.session) for session in work.sessions)
        return FamilyReader(work)

    monkeypatch.setattr(f"everyleaf.survey.{module}.FamilyReader", read)


def _counted(seen):
    from everyleaf.survey.check import count_strings  # noqa: PLC0415  (as above)

    def count(source):
        seen.append(("counted", source.session))
        return count_strings(source)

    return count


def talked(home, session=SESSION, words="See /home/ada/parser and kestrel"):
    talk = home.talk(session)
    talk.prompt(words)
    talk.call("Bash", {"command": "ls"})
    talk.reply("Done")
    talk.save()
    return talk


@pytest.mark.parametrize("name", COMMANDS)
def test_the_second_time_says_the_same_and_reads_no_session(name, read_again):
    first = COMMANDS[name](asked(EXAMPLE))
    was_read = len(read_again)
    again = COMMANDS[name](asked(EXAMPLE))

    assert was_read > 0
    assert read_again[was_read:] == []
    assert again == first


def test_a_session_that_is_known_is_not_read_to_look_for_secrets(home, looked_through):
    talked(home)
    read_paths(asked(home.folder), quiet)
    looked_through.clear()

    read_paths(asked(home.folder), quiet)

    assert looked_through == []


@pytest.mark.parametrize("name", COMMANDS)
def test_without_notes_it_is_the_same(name, monkeypatch):
    noted = [COMMANDS[name](asked(EXAMPLE)) for _ in range(2)]
    monkeypatch.setattr("everyleaf.opening.reading.REMEMBERED_BYTES", 10**9)

    assert noted == [COMMANDS[name](asked(EXAMPLE))] * 2


def test_only_a_session_that_grew_is_looked_at_again(home, read_again):
    talked(home, OTHER)
    talk = talked(home)
    before = gather_stats(asked(home.folder), quiet)
    read_again.clear()
    talk.prompt("And a test")
    talk.save()

    after = gather_stats(asked(home.folder), quiet)

    assert (before.total.prompts, after.total.prompts) == (2, 3)
    assert {session for _, session in read_again} == {SESSION}


def test_an_output_beside_a_session_that_changed_is_read_again(home, read_again):
    talk = talked(home)
    spilled = talk.file.with_suffix("") / "tool-results" / "b1.txt"
    spilled.parent.mkdir(parents=True)
    spilled.write_text("one")
    gather_stats(asked(home.folder), quiet)
    read_again.clear()
    spilled.write_text("two")

    gather_stats(asked(home.folder), quiet)

    assert read_again == [("looked", SESSION)]


def test_each_way_of_masking_has_its_own_words(home):
    talked(home)
    own = RedactOptions(own=(OwnRule("bird", word="kestrel"),))
    words = {"masked": RedactOptions(), "raw": RAW, "own": own}

    def said(way):
        return gather_feedback(asked(home.folder, redact=words[way]), quiet).said[0].text

    first = {way: said(way) for way in words}
    again = {way: said(way) for way in words}

    assert first == again
    assert "ada" in first["raw"]
    assert "ada" not in first["masked"]
    assert "kestrel" in first["masked"]
    assert "kestrel" not in first["own"]


def test_no_note_of_a_masked_run_holds_what_is_masked(home, cache):
    talked(home)
    own = RedactOptions(own=(OwnRule("bird", word="kestrel"),))

    for command in ("stats", "files", "feedback", "check"):
        COMMANDS[command](asked(home.folder, redact=own))

    notes = [file for file in (cache / "archives").rglob("*") if file.is_file()]
    assert notes
    assert all(b"kestrel" not in file.read_bytes() for file in notes)
    assert all(file.stat().st_mode & 0o077 == 0 for file in notes)


def noted(cache):
    """Return name and bytes of the notes of commands."""
    (kept,) = (cache / "archives").rglob(FILE)
    with closing(sqlite3.connect(kept)) as file:
        return file.execute(
            "SELECT name, body FROM memo WHERE name LIKE 'note-%'"
        ).fetchall()


def test_a_damaged_note_is_made_again(home, cache):
    talked(home)
    first = gather_stats(asked(home.folder), quiet)
    (kept,) = (cache / "archives").rglob(FILE)
    with closing(sqlite3.connect(kept)) as file, file:
        for name, body in noted(cache):
            wrong = body[:-1] + bytes([body[-1] ^ 1])
            file.execute("UPDATE memo SET body = ? WHERE name = ?", (wrong, name))

    assert gather_stats(asked(home.folder), quiet) == first


def test_what_is_not_asked_for_any_more_is_forgotten(home, cache):
    talk = talked(home)
    gather_stats(asked(home.folder), quiet)
    kept = len(noted(cache))
    talk.prompt("And a test")
    talk.save()

    gather_stats(asked(home.folder), quiet)

    assert len(noted(cache)) == kept == 1


def test_patterns_share_what_is_remembered(read_again):
    everything = list_changes(asked(EXAMPLE), quiet, "*")
    read_again.clear()

    some = list_changes(asked(EXAMPLE), quiet, "*.py")

    assert read_again == []
    assert some == tuple(one for one in everything if one.file.endswith(".py"))
    assert 0 < len(some) < len(everything)
