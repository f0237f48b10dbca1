from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import given, strategies as st

from everyleaf.errors import SourceError
from everyleaf.model import Envelope, Kind
from everyleaf.records.recover import decode_line, mend_escapes, read_object
from hanging import ends_soon

WHOLE = (
    b'{"parentUuid":null,"type":"user","uuid":"u1",'
    b'"message":{"content":[{"type":"text","text":"a"}]}}'
)
NEXT = (
    b'{"parentUuid":"u1","type":"assistant","uuid":"u2",'
    b'"message":{"content":[{"type":"text","text":"b"}]}}'
)


def uuids(line: bytes) -> list[object]:
    return [found.raw.get("uuid") for found in decode_line(line).objects]


def at_spans(line: bytes) -> list[object]:
    return [
        orjson.loads(line[f.offset : f.offset + f.size_bytes])
        for f in decode_line(line).objects
        if not f.is_mended
    ]


def test_a_sound_line_is_one_object_without_damage():
    decoded = decode_line(b"  " + WHOLE + b" ")

    assert decoded.damage == ""
    assert [found.raw for found in decoded.objects] == [json.loads(WHOLE)]


@pytest.mark.parametrize("line", [b"null", b"5", b'"text"', b"[{}]", b"true"])
def test_other_json_values_are_no_records(line):
    assert decode_line(line) == ((), "not a JSON object")


@pytest.mark.parametrize(
    "line", [b"", b"  ", b"// comment", b'{"type":"user","me', b"{" * 5000, b"\xff\xfe"]
)
def test_lines_without_anything_whole_give_nothing(line):
    assert decode_line(line) == ((), "only NUL bytes" if not line.strip() else "not JSON")


def test_nul_bytes_around_a_record_are_skipped_and_its_span_is_exact():
    line = b"\0\0\0" + WHOLE + b"\0"

    decoded = decode_line(line)

    assert decoded.damage == "NUL bytes"
    assert at_spans(line) == [json.loads(WHOLE)]


def test_nul_bytes_inside_a_record_are_left_out():
    line = WHOLE[:40] + b"\0" * 9 + WHOLE[40:]

    found = decode_line(line).objects[0]

    assert found.raw == json.loads(WHOLE)
    assert found.is_mended


def test_nul_bytes_between_records_part_them():
    assert uuids(WHOLE + b"\0\0" + NEXT) == ["u1", "u2"]
    assert uuids(WHOLE[:50] + b"\0\0" + NEXT) == ["u2"]


def test_only_nul_bytes_are_said_to_be_that():
    assert decode_line(b"\0" * 100) == ((), "only NUL bytes")


@pytest.mark.parametrize("glue", [b"", b" ", b",", b"\r", b"\t"])
def test_glued_records_are_both_found(glue):
    line = WHOLE + glue + NEXT

    decoded = decode_line(line)

    assert decoded.damage == "2 objects on one line"
    assert at_spans(line) == [json.loads(WHOLE), json.loads(NEXT)]


@pytest.mark.parametrize("cut", range(1, len(WHOLE)))
def test_record_after_a_torn_one_is_found_wherever_it_tore(cut):
    line = WHOLE[:cut] + NEXT

    assert uuids(line) == ["u2"]
    assert decode_line(line).damage == "a torn record beside a whole one"


def test_record_before_rubbish_is_found():
    for rest in (b"rubbish", NEXT[:30], b"]]"):
        assert uuids(WHOLE + rest) == ["u1"]


def test_part_of_a_torn_record_is_not_taken_for_a_record():
    inner = b'{"type":"user","uuid":"inner"}'
    torn = (
        b'{"type":"progress","uuid":"p","data":{"messages":[' + inner + b"," + inner + b"],"
    )

    assert uuids(torn) == []
    assert uuids(torn + NEXT) == ["u2"]


def test_several_torn_and_whole_records_on_one_line():
    assert uuids(WHOLE[:30] + NEXT + WHOLE[:60] + WHOLE + NEXT[:20]) == ["u2", "u1"]
    assert uuids(WHOLE[:30] + NEXT + WHOLE) == ["u2", "u1"]


def test_bytes_that_are_no_utf_8_are_replaced():
    line = WHOLE.replace(b'"a"', b'"a\xff\xc3"')

    found = decode_line(line).objects[0]

    assert found.is_mended
    assert "\N{REPLACEMENT CHARACTER}" in json.dumps(found.raw, ensure_ascii=False)


@pytest.mark.parametrize(
    "half", [b"\\ud800", b"\\uDC00", b"\\ud83d\\u0041", b"\\udc00\\ud83d"]
)
def test_half_a_surrogate_pair_is_replaced(half):
    decoded = decode_line(WHOLE.replace(b'"a"', b'"' + half + b'"'))

    assert decoded.damage == "half of a surrogate pair"
    json.dumps(decoded.objects[0].raw, ensure_ascii=False).encode()


def test_an_escaped_backslash_before_u_is_no_escape():
    assert mend_escapes(rb'"\\ud800 \ud83d\ude00"') == rb'"\\ud800 \ud83d\ude00"'


@pytest.mark.parametrize(
    "value", [b"NaN", b"-Infinity", b'"raw\ttab"', b"9" * 50, b"9" * 5000, b"1e999"]
)
def test_values_outside_json_do_not_cost_the_record(value):
    assert uuids(b'{"uuid":"u1","x":' + value + b"}") == ["u1"]


def test_very_deep_nesting_costs_only_its_line():
    deep = b'{"uuid":"u1","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}"

    assert decode_line(deep).objects == ()
    assert uuids(deep + NEXT) == ["u2"]


def test_separators_of_other_standards_are_plain_characters_in_a_record():
    line = '{"uuid":"u1","x":"a\x85b\u2028c"}'.encode()

    assert decode_line(line).objects[0].raw["x"] == "a\x85b\u2028c"


@pytest.mark.parametrize(
    "unit",
    [
        b'{"type":"user","a":',
        b'{"uuid":"',
        b'{"uuid":{"uuid":[',
        b'{"type":"user","x":1}',
        WHOLE[:60],
        b"\\ud800",
        b'\0{"type":"user","x":',
    ],
)
def test_time_is_linear_in_the_length_of_a_damaged_line(unit):
    line = b'{"torn":["' + unit * (2_000_000 // len(unit))

    with ends_soon():
        decode_line(line)
        decode_line(line + NEXT)


def test_a_line_of_thirty_megabytes_is_read_and_recovered():
    big = b'{"type":"user","uuid":"big","message":{"content":"' + b"x" * 30_000_000 + b'"}}'

    assert uuids(big) == ["big"]
    assert uuids(big[:-40] + NEXT) == ["u2"]
    assert uuids(WHOLE[:50] + big) == ["big"]


@given(st.binary(max_size=200) | st.text(alphabet='{}[]",:\\u0dD8 \0ntype').map(str.encode))
def test_arbitrary_bytes_never_raise_and_spans_hold_their_objects(line):
    decoded = decode_line(line)

    for found in decoded.objects:
        if found.is_mended:
            assert decode_line(line).objects == decoded.objects
        else:
            assert (
                orjson.loads(line[found.offset : found.offset + found.size_bytes])
                == found.raw
            )
    assert decoded.damage or len(decoded.objects) == 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=8), JSON, max_size=4)


@given(OBJECTS, OBJECTS, st.booleans())
def test_gluing_two_objects_recovers_both(first, second, ascii_only):
    line = b"".join(
        json.dumps(raw, ensure_ascii=ascii_only).encode("utf-8", "replace")
        for raw in (first, second)
    )

    decoded = decode_line(line)

    assert len(decoded.objects) == 2
    if ascii_only:
        assert [found.raw for found in decoded.objects] == [first, second]


@given(OBJECTS, st.lists(st.integers(0, 300), max_size=4))
def test_flipped_bytes_never_raise(raw, positions):
    line = bytearray(
        orjson.dumps(
            {**{k.encode("utf-8", "replace").decode(): 1 for k in raw}, "type": "user"}
        )
    )
    for position in positions:
        line[position % len(line)] ^= 1 << (position % 8)

    decode_line(bytes(line))


def envelope(uuid: str, offset: int, size_bytes: int) -> Envelope:
    return Envelope(
        uuid=uuid,
        parent_uuid=None,
        kind=Kind.NOTE,
        line=1,
        offset=offset,
        size_bytes=size_bytes,
    )


def test_records_are_read_again_by_their_span_and_by_recovery(tmp_path):
    mended = WHOLE.replace(b'"a"', b'"\\ud800"')
    location = tmp_path / "s.jsonl"
    location.write_bytes(b"x\n" + WHOLE + NEXT + b"\n" + mended + b"\n")
    second = 2 + len(WHOLE) + len(NEXT) + 1

    assert read_object(location, envelope("u1", 2, len(WHOLE))) == json.loads(WHOLE)
    with location.open("rb") as handle:
        assert read_object(handle, envelope("u2", 2 + len(WHOLE), len(NEXT))) == json.loads(
            NEXT
        )
        assert read_object(handle, envelope("u1", second, 0))["uuid"] == "u1"


def test_recovered_record_without_a_uuid_is_the_message_on_its_line(tmp_path):
    location = tmp_path / "s.jsonl"
    location.write_bytes(b'{"type":"mode"}{"message":{"content":"\\ud800"}}')

    assert "message" in read_object(location, envelope("made-up", 0, 0))


@pytest.mark.parametrize("size_bytes", [0, 10])
def test_a_record_that_vanished_is_an_error(tmp_path, size_bytes):
    location = tmp_path / "s.jsonl"
    location.write_bytes(b'{"type":"user","uuid":"other"}\n')

    with pytest.raises(SourceError, match="line 1"):
        read_object(location, envelope("u1", 0, size_bytes))
