from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

from everyleaf.digest import DIGEST_BYTES, digest_hex
from everyleaf.redact.gather import find_ids
from everyleaf.redact.sources import read_contents

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True, scope="module")
def small_blocks() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("everyleaf.redact.sources.BLOCK_BYTES", 3)
        patch.setattr("everyleaf.redact.gather._BLOCK_BYTES", 3)
        yield


@given(st.lists(st.sampled_from([b"a", b"\n", b"xyz\n"])).map(b"".join), st.integers(0, 30))
def test_a_file_is_told_as_if_it_were_read_whole(body: bytes, begin_bytes: int) -> None:
    with TemporaryDirectory() as place:
        file = Path(place) / "a.jsonl"
        file.write_bytes(body)
        contents = read_contents(file, begin_bytes)

    assert (contents.size_bytes, contents.digest) == (len(body), digest_hex(body, size=16))
    assert (contents.head, contents.last) == (body, body[-1:])
    if 0 < begin_bytes < len(body):
        begin = body[:begin_bytes]
        assert contents.begin == digest_hex(begin, size=DIGEST_BYTES)
        assert contents.lines == begin.count(b"\n")
    else:
        assert not contents.begin


def test_what_cannot_be_read_holds_nothing(tmp_path: Path) -> None:
    assert read_contents(tmp_path / "gone").size_bytes == 0


def test_ids_are_found_in_any_line_of_a_long_file(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"uuid": "00000001"}\n{"text": "00000002"}\n{"sha":"00000003"}\n')

    found = find_ids({"00000001", "00000002", "00000003", "0000000"}, file)

    assert found == {"00000001", "00000003"}
