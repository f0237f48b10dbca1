"""Files: who changed them, and how a path left them, as far as anything recorded tells."""

from __future__ import annotations

import pytest

from everyleaf.config import RedactOptions
from everyleaf.errors import SourceError
from everyleaf.opening.reading import Scope
from everyleaf.survey.files import file_at, list_changes
from sessions import FOLDER, SESSION

FILE = f"{FOLDER}/src/a.py"
BACKUP = "0123456789abcdef@v1"


def changed(home, pattern="*"):
    return list_changes(Scope((home.folder,)), lambda *_: None, pattern)


def left(home, name=SESSION[:4], file="src/a.py", *, is_raw=False):
    scope = Scope((home.folder,), redact=RedactOptions(is_on=not is_raw))
    return file_at(scope, lambda *_: None, name, file)


def wrote(talk, content, file=FILE):
    asked = {"file_path": file, "content": content}
    result = {"type": "create", "filePath": file, "content": content, "originalFile": None}
    talk.call("Write", asked, result=result)


def edited(talk, old, new, file=FILE, **result):
    asked = {"file_path": file, "old_string": old, "new_string": new}
    talk.call("Edit", asked, result={"filePath": file, **result})


def kept(home, talk, message, text, *, name=BACKUP):
    """Keep what a file held when `message` was sent, as the CLI does."""
    backups = {"src/a.py": {"backupFileName": name, "version": 1}}
    talk.note(
        type="file-history-snapshot",
        messageId=message,
        snapshot={"messageId": message, "trackedFileBackups": backups},
        isSnapshotUpdate=False,
    )
    folder = home.folder / "file-history" / SESSION
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def forked(home):
    """Return a session whose second path made something else of the file."""
    talk = home.talk()
    start = talk.prompt("Write it")
    wrote(talk, "one\ntwo\n")
    fork = talk.last
    talk.prompt("Now in red")
    edited(talk, "two", "red")
    talk.prompt("No, in green", parent=fork)
    edited(talk, "one\ntwo\n", "green\n")
    talk.save()
    return start


def test_each_path_is_listed_with_its_own_net_change(home):
    forked(home)

    rows = [(o.path, o.status, o.added, o.removed, o.is_new) for o in changed(home)]

    assert rows == [(1, "ABANDONED", 2, 0, True), (2, "ACTIVE", 1, 0, True)]
    assert {one.file for one in changed(home)} == {"src/a.py"}


@pytest.mark.parametrize(
    ("pattern", "is_listed"),
    [("*", True), ("*.py", True), ("src/*.py", True), ("*.rs", False), ("a", False)],
)
def test_a_pattern_chooses_files_by_their_last_parts(home, pattern, is_listed):
    forked(home)

    assert bool(changed(home, pattern)) is is_listed


def test_what_a_subagent_changed_stands_by_itself(home):
    talk = home.talk()
    talk.prompt("Have it written")
    talk.reply("Done")
    talk.save()
    agent = home.agent("a1", description="Write")
    agent.prompt("Write it")
    wrote(agent, "one\n")
    agent.save()

    (change,) = changed(home)

    assert (change.path, change.agent_id, change.title) == (0, "a1", "Write")
    assert change.url.startswith("agents/")


def test_a_file_is_printed_as_each_path_left_it(home):
    forked(home)

    assert left(home, f"{SESSION}:1").text == "one\nred\n"
    assert left(home, f"{SESSION}:2").text == "green\n"
    assert left(home).text == "green\n"


@pytest.mark.parametrize("file", ["src/a.py", "a.py", FILE])
def test_a_file_may_be_named_by_its_end_or_as_it_is_on_disk(home, file):
    forked(home)

    assert left(home, file=file).text == "green\n"


def test_an_edit_of_unknown_contents_cannot_be_told(home):
    talk = home.talk()
    talk.prompt("Edit it")
    edited(talk, "two", "red")
    talk.save()

    found = left(home)

    assert (found.text, found.lost_at) == (None, "")


def test_a_backup_tells_what_an_edit_began_with(home):
    talk = home.talk()
    message = talk.prompt("Edit it")
    edited(talk, "two", "red")
    kept(home, talk, message, "one\ntwo\n")
    talk.save()

    assert left(home).text == "one\nred\n"


def test_a_later_backup_counts_for_more_than_what_was_played_forward(home):
    talk = home.talk()
    talk.prompt("Write it")
    wrote(talk, "one\n")
    message = talk.prompt("I formatted it. Go on")
    talk.reply("Fine")
    kept(home, talk, message, "one  \n")
    talk.save()

    found = left(home)

    assert (found.text, found.has_foreign_changes) == ("one  \n", True)


def test_where_the_contents_were_lost_is_told(home):
    talk = home.talk()
    talk.prompt("Write it")
    wrote(talk, "one\n")
    talk.prompt("Change it")
    edited(talk, "not in it", "x", originalFile=None)
    talk.save()

    found = left(home)

    assert found.text is None
    assert found.lost_at.startswith("2026-01-01T10:0")


@pytest.mark.parametrize(
    "name", ["../../../secret", "..", "0123@v1/../../x", "@v1", "0123456789abcdef"]
)
def test_a_backup_is_read_from_its_own_folder_only(home, name):
    (home.folder / "secret").mkdir(parents=True)
    talk = home.talk()
    message = talk.prompt("Edit it")
    edited(talk, "two", "red")
    kept(home, talk, message, "one\ntwo\n")
    snapshot = talk.records[-1]["snapshot"]["trackedFileBackups"]
    snapshot["src/a.py"]["backupFileName"] = name
    talk.save()

    assert left(home).text is None


def test_a_backup_that_is_a_link_or_no_text_tells_nothing(home):
    talk = home.talk()
    message = talk.prompt("Edit it")
    edited(talk, "two", "red")
    kept(home, talk, message, "one\ntwo\n")
    talk.save()
    backup = home.folder / "file-history" / SESSION / BACKUP
    backup.write_bytes(b"\xff\xfe\x00")

    assert left(home).text is None

    backup.unlink()
    backup.symlink_to(talk.file)
    assert left(home).text is None


def test_a_delta_tells_of_a_backup_too(home):
    talk = home.talk()
    message = talk.prompt("Edit it")
    edited(talk, "two", "red")
    kept(home, talk, message, "one\ntwo\n")
    talk.records[-1] = {
        "type": "file-history-delta",
        "messageId": message,
        "trackingPath": "src/a.py",
        "backup": {"backupFileName": BACKUP},
    }
    talk.save()

    assert left(home).text == "one\nred\n"


def test_contents_are_masked_unless_they_are_wanted_raw(home):
    talk = home.talk()
    message = talk.prompt("Edit it")
    edited(talk, "two", "red")
    kept(home, talk, message, "two /home/ada/x\n")
    talk.save()

    assert "/home/ada" not in left(home).text
    assert left(home, is_raw=True).text == "red /home/ada/x\n"


def test_a_file_that_a_path_never_saw_is_an_error(home):
    forked(home)

    with pytest.raises(SourceError, match=r"saw no file 'no\.py'"):
        left(home, file="no.py")


def test_a_name_that_fits_two_files_is_an_error_that_names_them(home):
    talk = home.talk()
    talk.prompt("Write both")
    wrote(talk, "one\n", f"{FOLDER}/src/a.py")
    wrote(talk, "two\n", f"{FOLDER}/tests/a.py")
    talk.save()

    with pytest.raises(SourceError, match=r"'a\.py' fits 2 files") as raised:
        left(home, file="a.py")

    assert raised.value.hint == "say src/a.py, tests/a.py"
