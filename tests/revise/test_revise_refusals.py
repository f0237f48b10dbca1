"""What is refused: nothing is written then, and what the error says helps."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime

import pytest

from everyleaf.errors import OutputError, SourceError
from everyleaf.revise.plan import find_targets, plan_goto, plan_rename
from everyleaf.revise.session import find_session, open_session
from everyleaf.revise.write import apply_change, find_backups, plan_restore, put_back
from revise.made import NAME, conversation

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def rename(session, title="Parser"):
    opened = session.open()
    return apply_change(opened, plan_rename(opened, title), at=NOW)


def goto(session, wanted=":1"):
    opened = session.open()
    (target,) = find_targets(opened, wanted)
    return apply_change(opened, plan_goto(opened, target), at=NOW)


def restore(session):
    opened = session.open()
    return put_back(opened, plan_restore(opened), at=NOW)


def everything(folder):
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


CAPTURE = [
    {"type": "system", "subtype": "init", "session_id": NAME, "cwd": "/home/ada/parser"},
    {
        "type": "assistant",
        "uuid": "aaaa0002",
        "session_id": NAME,
        "parent_tool_use_id": None,
        "message": {"role": "assistant", "content": [{"type": "text", "text": "Hello"}]},
    },
]
OTHER_FORMS = {
    "capture.jsonl": "".join(f"{json.dumps(each)}\n" for each in CAPTURE),
    "capture.ndjson": "".join(f"{json.dumps(each)}\n" for each in CAPTURE),
    "array.json": json.dumps(conversation()),
    "web.json": json.dumps({"loglines": conversation()}),
    "messages.json": json.dumps(CAPTURE),
}


@pytest.mark.parametrize("name", OTHER_FORMS)
def test_recordings_and_exports_are_refused(tmp_path, name):
    file = tmp_path / name
    file.write_text(OTHER_FORMS[name])

    with pytest.raises(SourceError, match="recording or an export") as caught:
        open_session(find_session(str(file), []))

    assert ".jsonl" in caught.value.hint
    assert everything(tmp_path) == {file: OTHER_FORMS[name].encode()}


@pytest.mark.parametrize("change", [rename, goto, restore], ids=lambda one: one.__name__)
def test_a_read_only_file_is_refused(session, change):
    rename(session, "Before")
    session.file.chmod(0o440)
    before = everything(session.home.parent)

    with pytest.raises(SourceError, match="read-only"):
        change(session)

    assert everything(session.home.parent) == before
    session.file.chmod(0o640)


@pytest.mark.parametrize("change", [rename, goto, restore], ids=lambda one: one.__name__)
def test_a_file_that_cannot_be_written_beside_its_place_is_refused(
    session, change, monkeypatch
):
    rename(session, "Before")
    before = everything(session.home.parent)

    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("everyleaf.revise.write.write_new", refuse)
    with pytest.raises(OutputError, match="No space left on device"):
        change(session)

    assert everything(session.home.parent) == before


@pytest.mark.parametrize("change", [rename, goto, restore], ids=lambda one: one.__name__)
def test_a_file_that_cannot_take_its_place_costs_nothing(session, change, monkeypatch):
    rename(session, "Before")
    before = everything(session.home.parent)

    def refuse(*_):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr("everyleaf.revise.write._move", refuse)
    with pytest.raises((OSError, OutputError), match="not permitted"):
        change(session)

    assert everything(session.home.parent) == before


@pytest.mark.parametrize("name", ["", "no-such-session", "66e54b32:1", "absent.jsonl"])
def test_a_name_that_fits_no_session_is_refused(session, name):
    with pytest.raises(SourceError, match="no session fits"):
        find_session(name, [session.home])


def test_one_id_in_two_projects_is_refused_with_both_files(session):
    copy = session.home / "projects" / "-home-ada-thesis" / session.file.name
    copy.parent.mkdir()
    copy.write_bytes(session.bytes)

    with pytest.raises(SourceError, match="fits 2 sessions") as caught:
        find_session(NAME[:6], [session.home])

    assert str(copy) in caught.value.hint
    assert find_session(str(copy), [session.home]).location == copy


def test_a_backup_of_another_file_with_the_same_id_is_not_put_back(session):
    rename(session)
    elsewhere = session.home / "projects" / "-home-ada-thesis"
    session.file.parent.rename(elsewhere)
    session.file = elsewhere / session.file.name
    before = session.bytes

    with pytest.raises(SourceError, match="no backup"):
        restore(session)

    assert session.bytes == before


def test_a_backup_whose_copy_is_gone_is_none(session):
    backup = rename(session)
    backup.copy.unlink()

    with pytest.raises(SourceError, match="no backup"):
        restore(session)


def test_an_older_backup_is_not_put_back_over_a_newer_change(session):
    rename(session, "One")
    newest = rename(session, "Two")
    newest.copy.unlink()

    with pytest.raises(SourceError, match="written anew"):
        restore(session)


def test_a_backup_that_was_changed_is_not_put_back(session):
    backup = rename(session)
    backup.copy.chmod(0o600)
    backup.copy.write_bytes(backup.copy.read_bytes().replace(b"regex", b"REGEX"))
    before = session.bytes

    with pytest.raises(OutputError, match="not what was saved"):
        restore(session)

    assert session.bytes == before
    assert find_backups(NAME, session.file)[0].copy == backup.copy


def test_a_session_that_vanished_meanwhile_is_refused(session):
    opened = session.open()
    change = plan_rename(opened, "Parser")
    session.file.unlink()

    with pytest.raises(SourceError, match="cannot read"):
        apply_change(opened, change, at=NOW)


@pytest.mark.skipif(os.name == "nt", reason="links need leave there")
def test_a_link_that_leads_nowhere_is_no_session(session):
    link = session.file.with_name("77e54b32-0000-4000-8000-000000000009.jsonl")
    link.symlink_to(session.home / "nowhere.jsonl")

    with pytest.raises(SourceError, match="no session fits"):
        find_session("77e5", [session.home])
