from __future__ import annotations

import json
from io import BytesIO

import pytest
from hypothesis import given, settings, strategies as st

from everyleaf.sources import lines
from everyleaf.sources.discover import find_sources
from everyleaf.sources.lines import find_array, iter_elements, iter_entries, iter_lines

SID = "0a1b2c3d-0000-4000-8000-000000000001"
USER = {"type": "user", "uuid": "u1", "parentUuid": None, "message": {"content": "hi"}}
VALUES = st.recursive(
    st.none() | st.integers(0, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)
RECORDS = st.lists(st.dictionaries(st.text(max_size=4), VALUES, max_size=2), max_size=4)


def elements(content: bytes) -> list[tuple[int, bytes]]:
    start = find_array(content)
    assert start is not None
    return [(line.number, line.data) for line in iter_elements(BytesIO(content), start)]


@settings(max_examples=40)
@given(RECORDS, st.sampled_from([None, 1]), st.booleans(), st.integers(1, 9))
def test_elements_are_what_was_written_and_stand_where_they_say(
    records, indent, is_export, chunk
):
    whole = {"id": "x[{", "loglines": records, "next": [{}]} if is_export else records
    content = json.dumps(whole, indent=indent).encode()
    start = find_array(content)
    assert start is not None

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_CHUNK_BYTES", chunk)
        found = list(iter_elements(BytesIO(content), start))

    assert [json.loads(line.data) for line in found] == records
    for line in found:
        assert content[line.offset :].startswith(line.data)
        assert line.number == 1 + content.count(b"\n", 0, line.offset)


@settings(max_examples=40)
@given(RECORDS.filter(bool), st.data())
def test_an_array_that_breaks_off_keeps_what_is_whole_and_says_so(records, data):
    content = json.dumps(records).encode()
    cut = content[: data.draw(st.integers(1, len(content) - 1))]
    if find_array(cut) is None:
        return

    found = list(iter_elements(BytesIO(cut), 1))

    *before, last = found
    whole = [json.loads(line.data) for line in before]
    assert whole == records[: len(whole)]
    assert last.damage == ("" if last.data else "the array breaks off")
    assert cut.rstrip(b" ,").endswith(last.data)


def test_what_stands_between_elements_is_not_lost():
    assert elements(b'[{"a":1}, 7,\n {"b":[2]} "x"]') == [
        (1, b'{"a":1}'),
        (1, b"7"),
        (2, b'{"b":[2]}'),
        (2, b'"x"'),
    ]


@pytest.mark.parametrize(
    "content",
    [
        b'{"type":"user","loglines":"[{"}',
        b'{"type":"user","input":{"loglines":[{"a":1}]}}',
        b'{"a":1}\n{"loglines":[{}]}',
        b"[1]\n2",
        b"",
        b"plain [{",
    ],
)
def test_lines_are_no_array(content):
    assert find_array(content) is None


def test_a_byte_order_mark_does_not_hide_an_array():
    assert elements(b"\xef\xbb\xbf \n[ {}]") == [(2, b"{}")]


def test_a_file_of_lines_is_read_as_lines(tmp_path):
    location = tmp_path / "s.jsonl"
    location.write_bytes(b'{"a":[{}]}\n\n{"b":"\\"[{"}\n')

    assert list(iter_entries(location)) == list(iter_lines(location))


def test_arrays_and_exports_of_a_folder_are_sessions_by_their_records(tmp_path):
    own = {**USER, "sessionId": SID}
    (tmp_path / "export.json").write_text(json.dumps({"loglines": [own]}))
    (tmp_path / "bare.json").write_text(json.dumps([USER]))
    (tmp_path / "todos.json").write_text(json.dumps([{"content": "x", "id": "1"}]))
    (tmp_path / "index.json").write_text(json.dumps({"sessionId": SID}, indent=1))
    (tmp_path / "agent-a.json").write_text(json.dumps({"sessionId": SID}))

    found = find_sources([tmp_path])

    assert {(file.file, file.session) for file in found.files} == {
        ("bare.json", "bare"),
        ("export.json", SID),
    }
    assert found.foreign == ()


def test_a_capture_is_named_by_its_session_and_its_project_by_its_folder(tmp_path):
    init = {"type": "system", "subtype": "init", "session_id": SID, "cwd": "/w/my.app"}
    (tmp_path / "run.ndjson").write_text(json.dumps(init) + "\n")

    (file,) = find_sources([tmp_path]).files

    assert (file.session, file.project, file.is_capture) == (SID, "-w-my-app", True)


@pytest.mark.parametrize("name", ["../../up", "a/b", ".hidden", "", "x" * 300])
def test_an_id_that_could_lead_elsewhere_is_not_taken_from_a_record(tmp_path, name):
    record = {"type": "assistant", "session_id": name, "message": {"content": []}}
    location = tmp_path / "run.jsonl"
    location.write_text(json.dumps(record) + "\n")
    agent = tmp_path / "agent-x.jsonl"
    agent.write_text(json.dumps({"type": "user", "uuid": "u", "sessionId": name}) + "\n")

    assert {file.session for file in find_sources([tmp_path]).files} == {"run", "agent-x"}
