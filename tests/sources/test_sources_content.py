from __future__ import annotations

import json

import pytest

from everyleaf.sources.lines import Content, Head, find_owner, is_session, judge

SID = "0a1b2c3d-0000-4000-8000-000000000001"


def line(**fields: object) -> bytes:
    return json.dumps(fields).encode() + b"\n"


@pytest.mark.parametrize(
    "content",
    [
        line(type="user", uuid="u", parentUuid=None, sessionId=SID),
        line(type="user", message={"role": "user", "content": "hi"}),
        line(type="summary", summary="x", leafUuid="u"),
        line(type="file-history-snapshot", messageId="u", snapshot={}),
        line(type="mode", mode="normal", sessionId=SID),
        line(type="system", subtype="init", session_id=SID),
        line(type="brand-new", uuid="u", parentUuid=None),
        b"garbage\n" + b"{torn\n" + line(type="assistant", uuid="u"),
        b"\0\0\0" + line(type="assistant", uuid="u"),
        b"\xef\xbb\xbf" + line(type="assistant", uuid="u"),
        b'{"parentUuid":null,"message":{"content":"cut off he',
    ],
)
def test_session_records_make_a_session(content):
    assert judge(content) is Content.SESSION


@pytest.mark.parametrize(
    "content",
    [
        line(display="hi", project="/p", timestamp=1),
        line(type="started", agentId="a"),
        line(type="session_meta", payload={}),
        line(type="system", text="log line"),
        line(type=7, uuid="u", parentUuid="v"),
        line(messages=[{"role": "user"}]),
    ],
)
def test_other_json_lines_are_foreign(content):
    assert judge(content) is Content.FOREIGN


@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"not json", b"[1]\n2\nnull\n", b"\xff\xfe\0\0"]
)
def test_what_is_no_json_object_is_unknown(content):
    assert judge(content) is Content.UNKNOWN


@pytest.mark.parametrize("content", [b"", b"\0" * 50, b"rubbish"])
def test_name_decides_where_the_content_says_nothing(tmp_path, content):
    named, other = tmp_path / f"{SID}.jsonl", tmp_path / "notes.jsonl"
    named.write_bytes(content)
    other.write_bytes(content)

    assert is_session(Head(named))
    assert not is_session(Head(other))
    assert is_session(Head(other), is_named=True)


def test_a_long_zeroed_start_does_not_hide_later_records(tmp_path):
    location = tmp_path / "notes.jsonl"
    location.write_bytes(
        b"\0" * 200_000 + b"\n" + line(type="user", uuid="u", sessionId=SID)
    )

    assert is_session(Head(location))


def test_owner_is_the_first_session_id(tmp_path):
    location = tmp_path / "agent-x.jsonl"
    location.write_bytes(
        b"{torn\n" + line(sessionId=5) + line(sessionId=SID) + line(sessionId="later")
    )

    assert find_owner(Head(location)) == SID


def test_file_without_a_session_id_has_no_owner(tmp_path):
    location = tmp_path / "agent-x.jsonl"
    location.write_bytes(line(type="user"))

    assert find_owner(Head(location)) is None
