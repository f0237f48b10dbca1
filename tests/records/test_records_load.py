from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from everyleaf.errors import SourceError
from everyleaf.model import Envelope, Kind
from everyleaf.records.load import RecordFiles
from everyleaf.records.schema import TextBlock, UserRecord

if TYPE_CHECKING:
    from pathlib import Path


def as_it_is(raw, _):
    return raw


def written(folder: Path, *texts: str) -> tuple[Path, list[Envelope]]:
    lines = [
        json.dumps({"type": "user", "uuid": f"u{n}", "message": {"content": text}}).encode()
        for n, text in enumerate(texts)
    ]
    location = folder / "session.jsonl"
    location.write_bytes(b"\n".join(lines))
    envelopes: list[Envelope] = []
    offset = 0
    for number, line in enumerate(lines):
        envelopes.append(
            Envelope(f"u{number}", None, Kind.PROMPT, number + 1, offset, len(line))
        )
        offset += len(line) + 1
    return location, envelopes


def texts_of(records: list[UserRecord]) -> list[str]:
    return [b.text for r in records for b in r.message.content if isinstance(b, TextBlock)]


def test_records_come_in_the_order_asked_for(tmp_path: Path):
    location, envelopes = written(tmp_path, "one", "two", "three")

    records = RecordFiles().load(location, [envelopes[2], envelopes[0]], as_it_is)

    assert texts_of([r for r in records if isinstance(r, UserRecord)]) == ["three", "one"]


def test_what_is_redacted_never_reaches_the_model(tmp_path: Path):
    location, envelopes = written(tmp_path, "the secret")

    def redact(raw: dict[str, object], _: bytes) -> dict[str, object]:
        return {**raw, "message": {"content": "[removed]"}}

    records = RecordFiles().load(location, envelopes, redact)

    assert texts_of([r for r in records if isinstance(r, UserRecord)]) == ["[removed]"]


def test_file_that_changed_meanwhile_is_an_error(tmp_path: Path):
    location, envelopes = written(tmp_path, "one")
    location.write_bytes(b"\n\n")

    with pytest.raises(SourceError):
        RecordFiles().load(location, envelopes, as_it_is)


def test_files_read_in_turns_give_what_each_of_them_holds(tmp_path: Path):
    first, second = tmp_path / "1", tmp_path / "2"
    first.mkdir()
    second.mkdir()
    one, in_one = written(first, "one", "two")
    other, in_other = written(second, "three")
    files = RecordFiles()

    records = [
        *files.load(one, in_one[1:], as_it_is),
        *files.load(one, in_one[:1], as_it_is),
        *files.load(other, in_other, as_it_is),
        *files.load(one, in_one, as_it_is),
    ]

    texts = texts_of([r for r in records if isinstance(r, UserRecord)])
    assert texts == ["two", "one", "three", "one", "two"]
    files.close()


def test_missing_file_leaves_the_others_readable(tmp_path: Path):
    location, envelopes = written(tmp_path, "one")
    files = RecordFiles()
    files.load(location, envelopes, as_it_is)

    with pytest.raises(FileNotFoundError):
        files.load(tmp_path / "gone.jsonl", envelopes, as_it_is)

    assert len(files.load(location, envelopes, as_it_is)) == 1
    del files
