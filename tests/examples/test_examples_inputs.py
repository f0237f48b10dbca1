"""The example archive told in the other forms that sessions come in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import everyleaf
from sessions import write_records

ARCHIVE = Path(__file__).resolve().parents[2] / "examples" / "archive"
AS_IT_IS = everyleaf.RedactOptions(is_on=False)
STRAIGHT = "217ffb9d-b7b4-44d3-b473-4adbd5ab7f40"
"""A session with one path."""


def told(*sources: Path) -> dict[tuple[str, int], tuple[str, int, str]]:
    archive = everyleaf.load_archive(*sources, redact=AS_IT_IS)
    return {
        (path.session, path.number): (path.status, path.messages, path.title)
        for path in everyleaf.paths(archive)
    }


def lines(location: Path) -> list[str]:
    return [line for line in location.read_text(encoding="utf-8").split("\n") if line]


@pytest.mark.parametrize("form", ['{"id": "web", "loglines": [%s]}', "[\n%s\n]\n"])
def test_exports_have_the_paths_of_the_sessions(tmp_path, form):
    for session in ARCHIVE.glob("projects/*/*.jsonl"):
        place = tmp_path / session.relative_to(ARCHIVE)
        place.parent.mkdir(parents=True, exist_ok=True)
        try:
            [json.loads(line) for line in lines(session)]
        except ValueError:
            place.write_bytes(session.read_bytes())  # Its damage is not that of an array.
        else:
            place.with_suffix(".json").write_text(form % ",\n".join(lines(session)))

    assert told(tmp_path) == told(ARCHIVE)


@pytest.fixture
def capture(tmp_path):
    (session,) = ARCHIVE.glob(f"projects/*/{STRAIGHT}.jsonl")
    records = [json.loads(line) for line in lines(session)]
    written = [
        {
            "type": record["type"],
            "uuid": record["uuid"],
            "session_id": STRAIGHT,
            "parent_tool_use_id": None,
            "message": record["message"],
        }
        for record in records
        if record["type"] in {"user", "assistant"} and not record.get("isSidechain")
    ]
    result = {"type": "result", "subtype": "success", "session_id": STRAIGHT}
    return write_records(tmp_path / "run.jsonl", [*written, result])


def test_a_recording_beside_its_session_changes_no_path(capture):
    assert told(ARCHIVE, capture) == told(ARCHIVE)


def test_a_recording_alone_is_the_whole_conversation(capture):
    ((place, (status, messages, _)),) = told(capture).items()

    before = told(ARCHIVE)[STRAIGHT, 1]
    assert place == (STRAIGHT, 1)
    assert (status, messages) == before[:2]
