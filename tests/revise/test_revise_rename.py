"""A title is written as the CLI reads it, and nothing else of the file changes."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from everyleaf.errors import SourceError
from everyleaf.explore.sessions import read_paths
from everyleaf.opening.reading import Scope
from everyleaf.revise.plan import plan_rename
from everyleaf.revise.write import apply_change
from revise.made import NAME, conversation, record

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def rename(session, title):
    opened = session.open()
    change = plan_rename(opened, title)
    apply_change(opened, change, at=NOW)


def titles(session):
    listing = read_paths(Scope((session.home,)), lambda *_: None)
    return {one.path.title for one in listing}


def custom_title(text):
    return {"type": "custom-title", "customTitle": text, "sessionId": NAME}


def ignore(*_):
    pass


def test_a_summary_at_the_top_and_a_custom_title_at_the_end_name_the_session(session):
    before = session.bytes

    rename(session, "Parser")

    first, *_, last = session.records
    assert first == {"type": "summary", "summary": "Parser", "leafUuid": "cccc0002"}
    assert last == {"type": "custom-title", "customTitle": "Parser", "sessionId": NAME}
    assert before in session.bytes
    assert titles(session) == {"Parser"}


@pytest.mark.parametrize("version", ["1.0.70", "2.0.27", "2.0.64", "2.1.330"])
def test_a_title_of_an_earlier_day_gives_way_whichever_version_wrote_the_session(
    session, version
):
    session.write([*conversation(version), custom_title("Old")])

    rename(session, "Parser")

    assert session.records[-1] == custom_title("Parser")
    assert titles(session) == {"Parser"}


@pytest.mark.parametrize("version", ["1.0.70", "2.1.330"])
def test_a_persons_title_wins_over_a_summary_from_another_file(session, version):
    session.write(conversation(version))
    other = {"type": "summary", "summary": "Elsewhere", "leafUuid": "cccc0002"}
    lines = "\n".join(json.dumps(each) for each in [other] * 9)
    session.file.with_name("77e54b32-0000-4000-8000-000000000009.jsonl").write_text(lines)

    rename(session, "Parser")

    assert titles(session) == {"Parser"}


def test_a_title_that_the_list_no_longer_finds_is_written_again(session):
    long = [
        record(f"eeee{at:04}", "cccc0002", text="x" * 4000, isMeta=True) for at in range(40)
    ]
    session.write([*conversation(), *long, custom_title("Parser"), *long])

    rename(session, "Parser")

    assert session.records[-1] == custom_title("Parser")


def test_a_summary_of_this_session_changes_its_text_and_no_other_byte(session):
    line = b'{ "leafUuid":"aaaa0002", "type" : "summary","summary" : "Old \\"one\\"" }\n'
    session.file.write_bytes(line + session.bytes)
    before = session.bytes

    rename(session, 'New "one"')

    changed = before.replace(b'"Old \\"one\\""', b'"New \\"one\\""', 1)
    assert session.bytes.startswith(changed)
    assert [each["type"] for each in session.records].count("summary") == 1


def test_a_summary_of_another_session_stays_as_it_is(session):
    other = {"type": "summary", "summary": "Elsewhere", "leafUuid": "ffff0001"}
    session.write([other, *conversation()])

    rename(session, "Parser")

    assert other in session.records
    assert titles(session) == {"Parser"}


def test_an_agents_last_record_is_not_what_a_summary_names(session):
    aside = {**conversation()[0], "uuid": "dddd0001", "isSidechain": True}
    session.append(aside)

    rename(session, "Parser")

    assert session.records[0]["leafUuid"] == "cccc0002"


def test_a_title_that_stands_already_leaves_nothing_to_do(session):
    rename(session, "Parser")

    assert plan_rename(session.open(), " Parser\n").edits == ()


def test_a_byte_order_mark_stays_at_the_very_beginning(session):
    session.file.write_bytes(b"\xef\xbb\xbf" + session.bytes)

    rename(session, "Parser")

    assert session.bytes.startswith(b'\xef\xbb\xbf{"type":"summary"')
    assert titles(session) == {"Parser"}


def test_a_file_without_a_last_line_end_gets_one_before_the_title(session):
    session.write(conversation(), end=b"")

    rename(session, "Parser")

    assert session.records[-2]["uuid"] == "cccc0002"


@pytest.mark.parametrize("title", ["", " \n", "\x1b\x00", "x" * 201])
def test_what_is_no_title_is_refused(session, title):
    with pytest.raises(SourceError, match="a title has 1 to 200 characters"):
        plan_rename(session.open(), title)


def test_a_record_without_a_uuid_cannot_be_named(session):
    session.write([{"type": "user", "message": {"role": "user", "content": "Hello"}}])

    with pytest.raises(SourceError, match="no uuid"):
        plan_rename(session.open(), "Parser")


def test_a_summary_with_its_key_twice_is_left_alone(session):
    line = b'{"summary":"x","type":"summary","leafUuid":"aaaa0002","summary":"y"}\n'
    session.file.write_bytes(line + session.bytes)

    with pytest.raises(SourceError, match="not written plainly"):
        plan_rename(session.open(), "Parser")


def test_a_session_without_a_conversation_cannot_be_renamed(session):
    session.write([{"type": "summary", "summary": "x", "leafUuid": "ffff0001"}])

    with pytest.raises(SourceError, match="holds no conversation"):
        session.open()
