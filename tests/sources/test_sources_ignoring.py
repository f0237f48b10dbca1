"""What an ignore file leaves out."""

from __future__ import annotations

from pathlib import Path

import pytest

from everyleaf.errors import SourceError
from everyleaf.sources.discover import find_sources
from sessions import nth, write_records

A, B = "0a1b2c3d-0000-4000-8000-00000000000a", "0a1b2c3d-0000-4000-8000-00000000000b"


@pytest.fixture
def projects(tmp_path):
    folder = tmp_path / ".claude" / "projects"
    for project, session in (("-w-app", A), ("-w-app", B), ("-w-secret", B)):
        write_records(
            folder / project / f"{session}.jsonl", [nth(1, "user", sessionId=session)]
        )
    agent = [nth(1, "user", sessionId=A)]
    write_records(folder / "-w-app" / A / "subagents" / "agent-1.jsonl", agent)
    write_records(folder / "-w-app" / "agent-2.jsonl", agent)
    return folder


def found_in(*inputs: Path) -> set[str]:
    return {f"{file.project}/{file.file}" for file in find_sources(inputs).files}


def test_a_pattern_for_a_folder_leaves_out_a_project(projects):
    (projects / ".everyleafignore").write_text("# mine\n*-secret/\n", encoding="utf-8")

    assert not any("secret" in name for name in found_in(projects))
    assert f"-w-app/{B}.jsonl" in found_in(projects)


def test_a_session_is_left_out_with_its_agents_in_every_layout(projects):
    (projects / "-w-app" / ".everyleafignore").write_text(f"{A}.jsonl\n", encoding="utf-8")

    found = find_sources([projects])

    assert {file.session for file in found.files} == {B}
    assert found.ignored == {A}


def test_a_session_that_another_project_holds_too_is_not_left_out(projects):
    (projects / "-w-secret" / ".everyleafignore").write_text("*\n", encoding="utf-8")

    assert find_sources([projects]).ignored == frozenset()


def test_a_file_further_down_wins(projects):
    (projects / ".everyleafignore").write_text("*.jsonl\n", encoding="utf-8")
    (projects / "-w-app" / ".everyleafignore").write_text(f"!{B}.jsonl\n", encoding="utf-8")

    assert found_in(projects) == {f"-w-app/{B}.jsonl"}


@pytest.mark.parametrize("inside", ["-w-secret", f"-w-secret/{B}.jsonl"])
def test_ignore_files_around_the_input_hold_as_well(projects, inside):
    (projects.parent / ".everyleafignore").write_text("*-secret\n", encoding="utf-8")

    with pytest.raises(SourceError, match="left out") as raised:
        find_sources([projects / inside])

    assert ".everyleafignore" in raised.value.hint


def test_an_ignore_file_that_cannot_be_read_publishes_nothing(projects, monkeypatch):
    (projects / ".everyleafignore").write_text("x", encoding="utf-8")

    def refuse(*_args: object, **_options: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(SourceError, match="Permission denied"):
        find_sources([projects])


def test_a_line_that_is_no_pattern_is_an_error_that_names_the_file(projects):
    (projects / ".everyleafignore").write_text("!\n", encoding="utf-8")

    with pytest.raises(SourceError, match="everyleafignore"):
        find_sources([projects])
