from __future__ import annotations

import itertools
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from everyleaf.issues import IssueCode
from everyleaf.model import AgentMeta, Kind, MarkerKind
from everyleaf.records.index import index_file
from everyleaf.records.recover import read_object
from everyleaf.sources.discover import find_sources
from everyleaf.sources.files import Role, SourceFile

CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus"

PROMPT = {
    "type": "user",
    "uuid": "u1",
    "parentUuid": None,
    "cwd": "/w",
    "message": {"content": "hi"},
}
REPLY = {
    "type": "assistant",
    "uuid": "u2",
    "parentUuid": "u1",
    "cwd": "/v",
    "message": {"content": []},
}
TITLE = {"type": "custom-title", "customTitle": "T"}


def dumped(*records: object) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


@pytest.fixture
def source(tmp_path):
    def make(content: bytes, **fields: Any) -> SourceFile:
        location = tmp_path / "s1.jsonl"
        location.write_bytes(content)
        known: dict[str, Any] = {
            "project": "-w",
            "file": "s1.jsonl",
            "session": "s1",
            "role": Role.SESSION,
            **fields,
        }
        return SourceFile(
            place=str(location),
            size_bytes=len(content),
            tool_results_dir=str(tmp_path),
            **known,
        )

    return make


def codes(indexed) -> list[tuple[int, IssueCode]]:
    return [(issue.line, issue.code) for issue in indexed.issues]


def test_records_and_markers_stand_in_file_order_with_their_source(source):
    indexed = index_file(source(dumped(TITLE, PROMPT, REPLY)), source_index=7)

    records = indexed.records
    assert [(r.uuid, r.kind, r.line) for r in records.records] == [
        ("u1", Kind.PROMPT, 2),
        ("u2", Kind.REPLY, 3),
    ]
    assert [(m.kind, m.line) for m in records.markers] == [(MarkerKind.CUSTOM_TITLE, 1)]
    assert (records.session, records.project, records.file, records.source) == (
        "s1",
        "-w",
        "s1.jsonl",
        7,
    )
    assert records.cwds == ("/w", "/v")
    assert records.has_parents
    assert indexed.issues == ()


def test_agent_file_carries_what_its_meta_says(source):
    meta = AgentMeta("Explore", "look", "t1", "p1")

    records = index_file(
        source(dumped(PROMPT), agent_id="a1", role=Role.AGENT, meta=meta), source_index=0
    ).records

    assert records.agent_id == "a1"
    assert records.meta == meta
    assert not records.records[0].is_sidechain


def test_file_without_any_parent_key_says_so(source):
    bare = {key: value for key, value in PROMPT.items() if key != "parentUuid"}

    assert not index_file(source(dumped(bare)), source_index=0).records.has_parents
    assert index_file(source(dumped(bare, REPLY)), source_index=0).records.has_parents


def test_file_in_which_no_record_names_a_parent_says_so(source):
    prompt, reply = ({**raw, "parentUuid": None} for raw in (PROMPT, REPLY))
    again = {**prompt, "uuid": "u3"}

    assert not index_file(
        source(dumped(prompt, reply, again)), source_index=0
    ).records.has_parents


def test_prompts_alone_without_parents_are_so_many_beginnings(source):
    # As where a first prompt was taken back: a reply would show that parents are missing.
    prompt = {**PROMPT, "parentUuid": None}
    again = {**prompt, "uuid": "u3"}

    assert index_file(source(dumped(prompt, again)), source_index=0).records.has_parents


def test_file_that_grows_says_what_it_would_say_read_at_once(source):
    bare = {key: value for key, value in PROMPT.items() if key != "parentUuid"}
    null = {**PROMPT, "parentUuid": None}
    answer, child = {**REPLY, "parentUuid": None}, {**REPLY, "uuid": "u4"}
    kinds: list[dict[str, Any]] = [bare, null, answer, child]
    for raws in itertools.product(kinds, repeat=3):
        whole = dumped(*({**raw, "uuid": f"u{n}"} for n, raw in enumerate(raws))) + b"\n"
        first = whole[: whole.index(b"\n") + 1]

        at_once = index_file(source(whole), source_index=0)
        before = index_file(source(first), source_index=0)
        grown = index_file(source(whole), source_index=0, before=before)

        assert before.ending is not None
        assert grown.records.has_parents is at_once.records.has_parents


def test_file_without_tree_records_is_not_said_to_lack_parents(source):
    assert index_file(source(dumped(TITLE)), source_index=0).records.has_parents


def test_counts_add_up(source):
    content = (
        dumped(PROMPT, TITLE)
        + b"\nnull\n"
        + dumped(PROMPT).strip()
        + dumped(REPLY)
        + b"{torn"
    )

    counts = index_file(source(content), source_index=0).counts

    assert (counts.lines, counts.blank, counts.unreadable, counts.recovered) == (6, 1, 2, 1)
    assert counts.objects == 4
    assert counts.types == (("assistant", 1), ("custom-title", 1), ("user", 2))
    assert counts.size_bytes == len(content)


def test_unknown_types_and_fields_are_counted_and_a_type_is_reported_once(source):
    new = {"type": "new", "uuid": "n", "parentUuid": None}
    content = dumped(new, {**new, "uuid": "o"}, {**PROMPT, "novel": 1}, {"type": 5}, {})

    indexed = index_file(source(content), source_index=0)

    assert indexed.counts.types == (("?", 2), ("new", 2), ("user", 1))
    assert indexed.counts.unknown_fields == (("user.novel", 1),)
    assert codes(indexed) == [(1, IssueCode.UNKNOWN_TYPE), (4, IssueCode.UNKNOWN_TYPE)]
    assert [record.kind for record in indexed.records.records] == [
        Kind.NOTE,
        Kind.NOTE,
        Kind.PROMPT,
    ]


def test_every_damaged_line_is_located_and_costs_no_neighbour(source):
    glued = dumped(PROMPT).strip() + dumped(REPLY)
    content = (
        b"\xef\xbb\xbf"
        + dumped(TITLE)
        + b"5\n"
        + glued
        + b"\0\0"
        + dumped({**PROMPT, "uuid": "u3"})
        + b'{"to'
    )

    indexed = index_file(source(content), source_index=0)

    assert codes(indexed) == [
        (2, IssueCode.UNREADABLE_LINE),
        (3, IssueCode.RECOVERED_LINE),
        (4, IssueCode.RECOVERED_LINE),
        (5, IssueCode.UNREADABLE_LINE),
    ]
    assert [record.uuid for record in indexed.records.records] == ["u1", "u2", "u3"]
    assert all(
        issue.file == "s1.jsonl" and issue.session == "s1" for issue in indexed.issues
    )


def test_every_record_can_be_read_again_from_its_place(source):
    half = dumped(PROMPT).replace(b'"hi"', b'"\\ud800"').replace(b"u1", b"u4")
    glued = dumped(PROMPT).strip().replace(b"u1", b"u3") + dumped(REPLY)
    nameless = dumped({"type": "user", "message": {"content": "x\u2028\x85"}})
    marked = b"\xef\xbb\xbf" + dumped(PROMPT).replace(b"\n", b"\r\n")
    content = marked + glued + half + nameless
    file = source(content)

    records = index_file(file, source_index=0).records.records

    read = [read_object(file.location, record) for record in records]
    assert [raw.get("uuid") for raw in read] == ["u1", "u3", "u2", "u4", None]
    assert records[3].size_bytes == len(half.strip())


def test_message_without_a_uuid_is_reported(source):
    indexed = index_file(
        source(dumped({"type": "user", "message": {"content": "x"}})), source_index=0
    )

    assert codes(indexed) == [(1, IssueCode.MISSING_UUID)]
    assert len(indexed.records.records) == 1


def test_file_that_vanished_is_an_issue_without_records(source):
    file = source(b"")
    file.location.unlink()

    indexed = index_file(file, source_index=0)

    assert codes(indexed) == [(0, IssueCode.UNREADABLE_FILE)]
    assert indexed.records.records == ()


def test_empty_file_is_no_trouble(source):
    indexed = index_file(source(b""), source_index=0)

    assert indexed.issues == ()
    assert indexed.counts.lines == 0


def test_result_crosses_processes_unchanged_and_keeps_shared_strings(source):
    indexed = index_file(source(dumped(PROMPT, REPLY)), source_index=0)

    copy = pickle.loads(pickle.dumps(indexed))  # noqa: S301  (our own bytes)

    assert copy == indexed
    assert copy.records.records[1].parent_uuid is copy.records.records[0].uuid


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real sessions is not here")
def test_real_sessions_are_indexed_without_loss():
    found = find_sources([CORPUS])

    assert len(found.files) + len(found.foreign) == len(list(CORPUS.rglob("*.jsonl")))
    for number, file in enumerate(found.files):
        indexed = index_file(file, source_index=number)
        counts = indexed.counts
        data = file.location.read_bytes()
        lines = data.count(b"\n") + (not data.endswith(b"\n") and data != b"")
        assert counts.lines == lines, file.file
        readable = counts.lines - counts.blank - counts.unreadable
        assert counts.objects == readable or (
            counts.recovered and counts.objects > readable
        )
        assert len(indexed.records.records) + len(indexed.records.markers) <= counts.objects
        for record in indexed.records.records[::50]:
            assert read_object(file.location, record)["uuid"] == record.uuid
