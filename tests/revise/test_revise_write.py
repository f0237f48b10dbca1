"""A file is written whole or not at all, never while in use, and can be had back."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from everyleaf.errors import OutputError, SourceError
from everyleaf.revise.plan import (
    ByteEdit,
    SessionChange,
    find_targets,
    plan_goto,
    plan_rename,
)
from everyleaf.revise.session import check_idle
from everyleaf.revise.write import (
    apply_change,
    find_backups,
    plan_restore,
    put_back,
    write_new,
)
from revise.made import NAME, conversation, record

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def rename(session, title):
    opened = session.open()
    return apply_change(opened, plan_rename(opened, title), at=NOW)


def goto(session, wanted):
    opened = session.open()
    (target,) = find_targets(opened, wanted)
    change = plan_goto(opened, target)
    if change.edits:
        apply_change(opened, change, at=NOW)


def restore(session, number=1):
    opened = session.open()
    return put_back(opened, plan_restore(opened, number), at=NOW)


def files(folder):
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize("change", [lambda s: rename(s, "Parser"), lambda s: goto(s, ":1")])
def test_an_undo_gives_back_every_byte_with_mode_and_time(session, change):
    session.file.chmod(0o640)
    os.utime(session.file, ns=(10**18, 10**18))
    before = session.bytes

    change(session)
    changed = session.bytes, session.file.stat().st_mode & 0o777
    restore(session)

    assert changed[0] != before
    assert changed[1] == 0o640
    assert session.bytes == before
    assert session.file.stat().st_mode & 0o777 == 0o640
    assert session.file.stat().st_mtime_ns == 10**18
    assert files(session.file.parent) == [f"{NAME}.jsonl"]


def test_an_undo_can_be_undone(session):
    rename(session, "Parser")
    renamed = session.bytes

    restore(session)
    restore(session)

    assert session.bytes == renamed


def test_what_was_said_since_a_change_stays_when_it_is_undone(session):
    before = session.bytes
    rename(session, "Parser")
    later = record("cccc0003", "cccc0002", text="Thank you")
    session.append(later)

    restore(session)

    assert session.bytes == before + json.dumps(later).encode() + b"\n"


def test_an_earlier_state_comes_back_with_all_that_was_said_since(session):
    before = session.bytes
    said_since = b""
    for number, change in enumerate([rename, goto, rename]):
        change(session, ":1" if change is goto else f"Title {number}")
        later = record(f"dddd{number:04}", "bbbb0002", text=f"Word {number}", isMeta=True)
        session.append(later)
        said_since += json.dumps(later).encode() + b"\n"
    last = session.bytes

    restore(session, 3)

    assert session.bytes == before + said_since
    restore(session)
    assert session.bytes == last


@pytest.mark.parametrize("number", [-1, 0, 3])
def test_a_backup_that_is_not_there_is_refused_with_how_many_there_are(session, number):
    rename(session, "One")
    rename(session, "Two")

    with pytest.raises(SourceError, match=f"no backup {number}") as caught:
        restore(session, number)

    assert caught.value.hint.startswith("it has 1 to 2")


def test_an_earlier_state_is_not_put_back_where_one_between_is_gone(session):
    rename(session, "One")
    second = rename(session, "Two")
    rename(session, "Three")
    second.copy.unlink()

    with pytest.raises(SourceError, match="written anew"):
        restore(session, 2)


def test_a_file_that_was_written_anew_is_not_put_back(session):
    rename(session, "Parser")
    session.write(conversation()[:4])

    with pytest.raises(SourceError, match="written anew") as caught:
        restore(session)

    assert "backups" in caught.value.hint


def test_without_a_backup_there_is_nothing_to_undo(session):
    with pytest.raises(SourceError, match="no backup"):
        restore(session)


def test_backups_lie_elsewhere_and_are_for_their_owner_alone(session):
    backup = rename(session, "Parser")

    assert session.home not in backup.copy.parents
    assert backup.copy.stat().st_mode & 0o077 == 0
    assert backup.copy.name == "20260102T000000.000000Z-000.jsonl"


def test_backups_of_one_moment_are_kept_apart(session):
    first, second = rename(session, "One"), rename(session, "Two")

    assert first.copy != second.copy
    assert find_backups(NAME, session.file) == [second, first]


def test_a_broken_card_is_passed_over(session):
    first = rename(session, "One")
    second = rename(session, "Two")
    second.copy.with_suffix(".json").write_text("{")

    assert find_backups(NAME, session.file) == [first]


def test_a_link_stays_a_link_and_its_file_is_changed(session, tmp_path):
    target = tmp_path / "elsewhere.jsonl"
    session.file.rename(target)
    session.file.symlink_to(target)

    rename(session, "Parser")

    assert session.file.is_symlink()
    assert b"Parser" in target.read_bytes()


def test_a_session_open_in_a_living_process_is_left_alone(session):
    registry = session.home / "sessions"
    registry.mkdir()
    told = {"pid": os.getpid(), "sessionId": NAME}
    (registry / f"{os.getpid()}.json").write_text(json.dumps(told))

    with pytest.raises(SourceError, match=f"open in process {os.getpid()}"):
        check_idle(session.open())


def test_a_registry_of_dead_or_other_processes_does_not_matter(session):
    registry = session.home / "sessions"
    registry.mkdir()
    (registry / "1.json").write_text(json.dumps({"pid": os.getpid(), "sessionId": "x"}))
    (registry / "2.json").write_text(json.dumps({"pid": 2**31 - 1, "sessionId": NAME}))
    (registry / "3.json").write_text("torn")
    (registry / "4.json").write_text(json.dumps({"pid": "me", "sessionId": NAME}))

    check_idle(session.open())


def test_a_folder_that_cannot_be_written_to_is_a_plain_error(session, monkeypatch):
    def refuse(*_, **__):
        raise OSError(30, "Read-only file system")

    real = write_new

    def write(place, *rest, **named):
        return (refuse if place.parent == session.file.parent else real)(
            place, *rest, **named
        )

    monkeypatch.setattr("everyleaf.revise.write.write_new", write)
    monkeypatch.setattr(Path, "unlink", refuse)

    with pytest.raises(OutputError, match="Read-only"):
        rename(session, "Parser")


def test_a_file_that_grows_meanwhile_is_left_alone(session):
    opened = session.open()
    session.append(record("cccc0003", "cccc0002", text="Thank you"))
    grown = session.bytes

    with pytest.raises(SourceError, match="being written to"):
        check_idle(opened)
    with pytest.raises(SourceError, match="being written to"):
        apply_change(opened, plan_rename(opened, "Parser"), at=NOW)

    assert session.bytes == grown
    assert files(session.file.parent) == [f"{NAME}.jsonl"]
    with pytest.raises(SourceError, match="no backup"):
        find_backups(NAME, session.file)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be replaced there")
def test_what_is_written_in_the_very_moment_of_the_change_is_not_lost(session, monkeypatch):
    late = json.dumps(record("cccc0003", "cccc0002", text="Thank you")).encode() + b"\n"
    swap = Path.replace

    def replace_late(staged, location):
        session.append(json.loads(late))
        return swap(staged, location)

    opened = session.open()
    change = plan_rename(opened, "Parser")
    monkeypatch.setattr(Path, "replace", replace_late)
    apply_change(opened, change, at=NOW)

    assert session.bytes.endswith(late)


def test_a_change_that_would_touch_a_message_is_not_made(session):
    before = session.bytes
    at = before.index(b"Use a regex")
    forged = SessionChange("forge", (ByteEdit(at, 3, b"Try", "other words"),))

    with pytest.raises(OutputError, match="messages would change"):
        apply_change(session.open(), forged, at=NOW)

    assert session.bytes == before


def test_without_a_place_for_backups_nothing_is_changed(session, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EVERYLEAF_BACKUP_DIR", str(tmp_path / "file" / "below"))
    before = session.bytes

    with pytest.raises(OutputError, match="cannot keep a backup"):
        rename(session, "Parser")

    assert session.bytes == before


SAID = frozenset({"user", "assistant"})


def said(session):
    return [each for each in session.records if each["type"] in SAID]


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("rename"), st.text(min_size=1, max_size=20)),
        st.tuples(st.just("goto"), st.sampled_from([":1", ":2"])),
        st.tuples(st.just("restore"), st.integers(1, 4)),
        st.tuples(st.just("say"), st.sampled_from(["bbbb0002", "cccc0002"])),
    ),
    max_size=6,
)


@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=STEPS)
def test_no_sequence_of_changes_touches_a_message_and_goto_decides_what_is_active(
    session, steps
):
    session.write(conversation())
    expected = said(session)
    for number, (step, what) in enumerate(steps):
        try:
            if step == "say":
                new = record(f"eeee{number:04}", what, text="And then?")
                session.append(new)
                expected.append(new)
            elif step == "goto":
                goto(session, what)
                assert int(what[1:]) in session.open().active
            elif step == "rename":
                before = session.open().active
                rename(session, what)
                assert session.open().active == before
            else:
                restore(session, what)
        except SourceError:
            pass  # No title, no backup, no such branch: refused, and so nothing changed.

        assert said(session) == expected
