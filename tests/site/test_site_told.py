"""A subagent whose file is missing is shown as its caller noted it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def record(number: int, role: str, *content: object, **fields: object) -> dict[str, Any]:
    return {
        "type": role,
        "uuid": f"r{number}",
        "parentUuid": f"r{number - 1}" if number > 1 else None,
        "sessionId": "s",
        "cwd": "/w/app",
        "timestamp": f"2026-01-01T00:00:{number:02}Z",
        "message": {"role": role, "id": f"m{number}", "content": list(content)},
        **fields,
    }


def noted(number: int, role: str, *content: object) -> dict[str, Any]:
    message = record(number, role, *content)
    told = {key: message[key] for key in ("type", "uuid", "timestamp", "message")}
    data = {"type": "agent_progress", "agentId": "a1", "prompt": "", "message": told}
    return {**message, "type": "progress", "uuid": f"p{number}", "message": None} | {
        "data": data,
        "parentToolUseID": "t1",
        "parentUuid": "r2",
    }


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """One call of an agent, of which there is no file."""
    given = {"prompt": "Look.", "description": "Find it", "subagent_type": "Explore"}
    call = {"type": "tool_use", "id": "t1", "name": "Task", "input": given}
    read = {"type": "tool_use", "id": "t2", "name": "Read", "input": {"file_path": "/w/x"}}
    lines = [
        record(1, "user", {"type": "text", "text": "Where is it?"}),
        record(2, "assistant", call),
        noted(11, "user", {"type": "text", "text": "Look."}),
        noted(12, "assistant", read),
        noted(
            13, "user", {"type": "tool_result", "tool_use_id": "t2", "content": "FOUNDIT"}
        ),
        record(
            3, "user", {"type": "tool_result", "tool_use_id": "t1", "content": "There."}
        ),
    ]
    folder = tmp_path / "in" / "-w-app"
    folder.mkdir(parents=True)
    (folder / "s.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return tmp_path / "in"


def test_agent_without_a_file_has_a_page_that_says_where_it_is_from(
    archive: Path, tmp_path: Path, build_into: Callable[..., Any]
) -> None:
    output_dir = tmp_path / "out"

    report = build_into(archive, output_dir)

    assert report.is_everything_placed
    assert report.records == 6
    for place in ("agents/agent_s_a1.html", "markdown/agent_s_a1.md"):
        text = (output_dir / place).read_text()
        assert "Find it" in text
        assert "FOUNDIT" in text
        assert "its own file is missing" in text
    transcript = (output_dir / "transcripts/transcript_s.html").read_text()
    assert "agent_s_a1.html" in transcript
