"""What is odd: each kind is found where it is, and a sound archive has none."""

from __future__ import annotations

import json
import os

import pytest

from everyleaf.issues import ADVICE, IssueCode
from everyleaf.opening.reading import Scope
from everyleaf.survey.check import check, cleanup_days
from sessions import OTHER, SESSION, Home

NOW = 1_800_000_000
DAY = 24 * 60 * 60


@pytest.fixture
def archive(tmp_path):
    """Return a home that is no settings folder, so that nothing in it expires."""
    return Home(tmp_path / "logs")


def found(home):
    report = check(Scope((home.folder,)), lambda *_: None, now_s=NOW)
    return [(str(one.code), one.line) for one in report.findings]


def codes(home):
    return {code for code, _ in found(home)}


def sound(home, session=SESSION):
    talk = home.talk(session)
    talk.prompt("Write a parser")
    talk.call("Bash", {"command": "ls"})
    talk.reply("Done")
    return talk


def test_a_sound_archive_has_nothing_odd(archive):
    sound(archive).save()

    assert found(archive) == []


def test_damaged_lines_are_found(archive):
    sound(archive).save(more=b'{"type":"mode"}{"type":"mode"}\n{"torn\n')

    assert found(archive) == [("recovered-line", 5), ("unreadable-line", 6)]


def test_content_as_a_string_is_found(archive):
    talk = sound(archive)
    talk.add("user", "typed")
    talk.add("user", "again")
    talk.save()

    assert found(archive) == [("string-content", 5)]


@pytest.mark.parametrize(
    ("cwd", "code"),
    [("/home/Ada/parser", "case-of-folder"), ("/home/ada/other", None)],
)
def test_a_folder_that_differs_in_case_is_found(archive, cwd, code):
    talk = archive.talk()
    talk.fields = {"cwd": cwd}
    talk.prompt("Write a parser")
    talk.save()

    assert codes(archive) == ({code} if code else set())


def test_two_spellings_of_one_folder_are_found(archive):
    talk = sound(archive)
    talk.fields = {"cwd": "/home/ADA/parser"}
    talk.prompt("Go on")
    talk.save()

    assert codes(archive) == {"case-of-cwd"}


def test_files_that_share_records_and_complete_copies_are_found(archive):
    talk = sound(archive)
    talk.save()
    copy = archive.talk(OTHER)
    copy.records = [{**record, "sessionId": OTHER} for record in talk.records]
    copy.save()

    assert {"shared-uuids", "complete-copy"} <= codes(archive)


def test_a_record_that_is_written_again_is_found(archive):
    talk = sound(archive)
    talk.records.append(talk.records[-1])
    other = {**talk.records[-1], "message": {"role": "assistant", "content": "Other"}}
    talk.records.append(other)
    talk.save()

    assert {"repeated-uuid", "variant"} <= codes(archive)


def test_a_missing_parent_a_circle_and_several_roots_are_found(archive):
    talk = sound(archive)
    talk.prompt("From nowhere", parent="no-such-record")
    talk.prompt("Round", parent="round-2", uuid="round-1")
    talk.prompt("And round", parent="round-1", uuid="round-2")
    talk.prompt("A new beginning", parent=None)
    talk.save()

    assert {"dangling-parent", "inferred-parent", "cycle", "several-roots"} <= codes(
        archive
    )


def test_a_summary_of_a_missing_leaf_is_found(archive):
    talk = sound(archive)
    talk.note(type="summary", summary="Lost", leafUuid="no-such-record")
    talk.note(type="summary", summary="Kept", leafUuid=talk.last)
    talk.save()

    assert found(archive) == [("lost-summary", 5)]


def test_a_summary_of_what_is_only_named_is_found_wherever_it_stands(archive):
    talk = sound(archive)
    talk.prompt("The first part is gone", parent="no-such-record")
    talk.save()
    other = archive.talk(OTHER)
    other.note(type="summary", summary="Lost", leafUuid="no-such-record")
    other.save()

    assert "lost-summary" in codes(archive)


def test_calls_without_agents_and_agents_without_calls_are_found(archive):
    talk = sound(archive)
    talk.call("Agent", {"prompt": "Look"}, result={"agentId": "gone"})
    talk.save()
    agent = archive.agent("a1")
    agent.prompt("Something else")
    agent.reply("Done")
    agent.save()

    assert found(archive) == [("agent-without-call", 0), ("call-without-agent", 5)]


def test_an_unknown_type_is_found(archive):
    talk = sound(archive)
    talk.note(type="from-the-future", uuid="f")
    talk.save()

    assert found(archive) == [("unknown-type", 5)]


@pytest.mark.parametrize(
    ("age", "settings", "is_soon"),
    [
        (22, None, False),
        (23, None, True),
        (40, None, True),
        (40, {"cleanupPeriodDays": 60}, False),
        (40, {"cleanupPeriodDays": 45}, True),
        (3, {"cleanupPeriodDays": "x"}, False),
    ],
)
def test_files_that_the_cli_deletes_within_a_week_are_found(home, age, settings, is_soon):
    talk = sound(home)
    talk.save()
    os.utime(talk.file, (NOW - age * DAY, NOW - age * DAY))
    if settings is not None:
        (home.folder / "settings.json").write_text(json.dumps(settings))

    assert ("expires-soon" in codes(home)) is is_soon


def test_an_archive_elsewhere_is_not_the_clis_to_delete(archive):
    talk = sound(archive)
    talk.save()
    os.utime(talk.file, (0, 0))

    assert found(archive) == []


@pytest.mark.parametrize("text", ["{torn", "[]", '{"cleanupPeriodDays": 0}', "true"])
def test_settings_that_say_nothing_mean_thirty_days(tmp_path, text):
    (tmp_path / "settings.json").write_text(text)

    assert cleanup_days(tmp_path) == 30


@pytest.mark.parametrize("code", list(IssueCode))
def test_every_oddity_has_advice(code):
    assert ADVICE[code].means.endswith(".")
    assert ADVICE[code].to_do.endswith(".")
    assert "report of the site" not in ADVICE[code].to_do
