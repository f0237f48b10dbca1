"""What a caller's progress records tell of a subagent whose own file is missing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from everyleaf.model import Kind
from everyleaf.records.asides import embedded_record
from everyleaf.records.index import index_file
from everyleaf.records.load import RecordFiles
from everyleaf.records.recover import read_object
from everyleaf.sources.files import Role, SourceFile

if TYPE_CHECKING:
    from pathlib import Path


def progress(uuid: str, role: str, text: str, **data: Any) -> dict[str, Any]:
    message = {"role": role, "content": [{"type": "text", "text": text}]}
    return {
        "type": "progress",
        "uuid": f"p-{uuid}",
        "parentUuid": None,
        "sessionId": "s",
        "version": "2.1.37",
        "parentToolUseID": "toolu_1",
        "data": {
            "type": "agent_progress",
            "agentId": "a1",
            "message": {"type": role, "uuid": uuid, "message": message},
            **data,
        },
    }


def file_of(folder: Path, *lines: bytes | dict[str, Any], **known: Any) -> SourceFile:
    location = folder / "s.jsonl"
    encoded = [one if isinstance(one, bytes) else json.dumps(one).encode() for one in lines]
    location.write_bytes(b"\n".join(encoded))
    return SourceFile(
        project="-w",
        file="s.jsonl",
        place=str(location),
        session="s",
        role=Role.SESSION,
        size_bytes=location.stat().st_size,
        tool_results_dir=str(folder),
        **known,
    )


def test_messages_hang_from_one_another_by_their_agent(tmp_path: Path):
    file = file_of(
        tmp_path,
        progress("u1", "user", "go"),
        progress("u2", "user", "look", agentId="a2"),
        progress("u3", "assistant", "done"),
    )

    records = index_file(file, source_index=0).records

    told = [(r.uuid, r.parent_uuid, r.agent_id, r.kind) for r in records.told]
    assert told == [
        ("u1", None, "a1", Kind.PROMPT),
        ("u2", None, "a2", Kind.PROMPT),
        ("u3", "u1", "a1", Kind.REPLY),
    ]
    assert all(record.is_sidechain for record in records.told)
    # The progress records themselves stay what they were.
    assert [r.uuid for r in records.records] == ["p-u1", "p-u2", "p-u3"]
    assert {r.kind for r in records.records} == {Kind.NOTE}


def test_nothing_is_told_of_agents_whose_files_are_there(tmp_path: Path):
    lines = progress("u1", "user", "go"), progress("u2", "user", "go", agentId="a2")
    file = file_of(tmp_path, *lines, agents=frozenset({"a1"}))

    assert [r.uuid for r in index_file(file, source_index=0).records.told] == ["u2"]


def test_message_that_is_told_again_counts_once(tmp_path: Path):
    again = progress("u1", "user", "go")
    file = file_of(tmp_path, again, again, progress("u2", "assistant", "yes"))

    told = index_file(file, source_index=0).records.told

    assert [(r.uuid, r.parent_uuid) for r in told] == [("u1", None), ("u2", "u1")]


def test_what_is_told_is_read_again_as_a_record_of_the_agent(tmp_path: Path):
    file = file_of(
        tmp_path, progress("u1", "user", "go"), progress("u2", "assistant", "ok")
    )
    indexed = index_file(file, source_index=0).records

    for envelope in indexed.told:
        raw = read_object(file.location, envelope)
        assert (raw["uuid"], raw["agentId"]) == (envelope.uuid, "a1")
        assert raw["version"] == "2.1.37"
    for envelope in indexed.records:
        assert read_object(file.location, envelope)["type"] == "progress"


def test_what_is_told_on_a_damaged_line_is_read_again_too(tmp_path: Path):
    torn = json.dumps(progress("u1", "user", "go")).encode().replace(b"go", b"g\to")
    file = file_of(tmp_path, b"\0\0" + torn)

    (told,) = index_file(file, source_index=0).records.told

    assert read_object(file.location, told)["uuid"] == "u1"


def test_words_and_records_of_it_are_masked(tmp_path: Path):
    file = file_of(tmp_path, progress("u1", "user", "the password"))

    def redact(raw: dict[str, object], _: bytes) -> dict[str, object]:
        masked: dict[str, object] = json.loads(
            json.dumps(raw).replace("password", "[redacted]")
        )
        return masked

    indexed = index_file(file, source_index=0, redact=redact, may_hold=lambda _: False)
    (told,) = indexed.records.told
    (record,) = RecordFiles().load(file.location, [told], redact)

    assert told.words == "the [redacted]"
    assert "password" not in repr(record)
    bare = index_file(file, source_index=0).records.told[0]
    assert told.digest == bare.digest  # Compared by what stands on disk.


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "user", "data": {"type": "agent_progress"}},
        progress("u1", "user", "x", type="bash_progress"),
        progress("u1", "user", "x", agentId=5),
        progress("u1", "user", "x", message="x"),
        progress("u1", "user", "x", message={"type": "user"}),
        progress("u1", "user", "x", message={"type": "system", "uuid": "u1"}),
        {"type": "progress"},
        {"type": "progress", "data": []},
    ],
)
def test_what_is_no_message_of_an_agent_tells_nothing(raw):
    assert embedded_record(raw) is None
