"""A subagent whose file is missing is shown as its caller noted it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sessions import nth, write_records

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def noted(number: int, role: str, *content: object) -> dict[str, Any]:
    message = nth(number, role, *content)
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
        nth(1, "user", {"type": "text", "text": "Where is it?"}),
        nth(2, "assistant", call),
        noted(11, "user", {"type": "text", "text": "Look."}),
        noted(12, "assistant", read),
        noted(
            13, "user", {"type": "tool_result", "tool_use_id": "t2", "content": "FOUNDIT"}
        ),
        nth(3, "user", {"type": "tool_result", "tool_use_id": "t1", "content": "There."}),
    ]
    write_records(tmp_path / "in" / "-w-app" / "s.jsonl", lines)
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
