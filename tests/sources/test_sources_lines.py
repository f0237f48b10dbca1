from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from everyleaf.sources.lines import Line, iter_lines, read_span


@pytest.fixture
def write(tmp_path):
    def write_file(content: bytes):
        location = tmp_path / "session.jsonl"
        location.write_bytes(content)
        return location

    return write_file


def test_empty_file_has_no_lines(write):
    assert list(iter_lines(write(b""))) == []


def test_lines_are_numbered_from_one_with_their_offsets(write):
    lines = list(iter_lines(write(b"ab\n\ncd\n")))

    assert lines == [
        Line(1, 0, b"ab", following=3),
        Line(2, 3, b"", following=4),
        Line(3, 4, b"cd", following=7),
    ]


def test_last_line_needs_no_newline(write):
    assert list(iter_lines(write(b"ab\ncd")))[-1] == Line(2, 3, b"cd")


def test_byte_order_mark_is_no_part_of_the_first_line(write):
    assert list(iter_lines(write(b"\xef\xbb\xbf{}\r\n{}"))) == [
        Line(1, 3, b"{}", following=7),
        Line(2, 7, b"{}"),
    ]


def test_carriage_return_belongs_to_the_line_end(write):
    assert [line.data for line in iter_lines(write(b"ab\r\ncd\r"))] == [b"ab", b"cd"]


@pytest.mark.parametrize(
    "separator", ["\x85", "\u2028", "\u2029", "\x0b", "\x0c", "\x1c", "\r"]
)
def test_only_newline_separates(write, separator):
    content = f"a{separator}b".encode()

    assert [line.data for line in iter_lines(write(content + b"\nc"))] == [content, b"c"]


@given(st.binary(max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_line_is_what_stands_at_its_offset(write, content):
    location = write(content)

    lines = list(iter_lines(location))

    with location.open("rb") as handle:
        for line in lines:
            assert (
                not line.data or read_span(handle, line.offset, len(line.data)) == line.data
            )
            assert read_span(handle, line.offset, 0) == line.data
    assert len(lines) == content.count(b"\n") + (
        not content.endswith(b"\n") and content != b""
    )
