from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from everyleaf.errors import SourceError
from everyleaf.issues import IssueCode
from everyleaf.model import AgentMeta
from everyleaf.sources.discover import default_inputs, find_sources
from everyleaf.sources.files import Found, Role, SourceMemory
from everyleaf.sources.lines import iter_lines
from hanging import ends_soon
from sessions import write_records

SID = "0a1b2c3d-0000-4000-8000-000000000001"
OTHER = "0a1b2c3d-0000-4000-8000-000000000002"
RECORD = {"type": "user", "uuid": "u1", "parentUuid": None, "sessionId": SID}


def write(location: Path, *records: object) -> Path:
    return write_records(location, records)


def names(found: Found) -> list[tuple[str, str]]:
    return [(file.project, file.file) for file in found.files]


@pytest.fixture
def claude_dir(tmp_path):
    folder = tmp_path / ".claude"
    write(folder / "history.jsonl", {"display": "hi", "timestamp": 1, "project": "/w"})
    write(folder / "todos" / "x.jsonl", RECORD)
    write(folder / "projects" / "-w-app" / f"{SID}.jsonl", RECORD)
    return folder


@pytest.mark.parametrize(
    "inside", [".", "projects", "projects/-w-app", f"projects/-w-app/{SID}.jsonl"]
)
def test_every_level_of_a_settings_folder_is_an_input(claude_dir, inside):
    found = find_sources([claude_dir / inside])

    assert names(found) == [("-w-app", f"{SID}.jsonl")]
    assert found.files[0].role is Role.SESSION
    assert found.files[0].session == SID
    assert (
        Path(found.files[0].tool_results_dir)
        == claude_dir / "projects" / "-w-app" / SID / "tool-results"
    )
    assert found.files[0].size_bytes == found.files[0].location.stat().st_size


def test_relative_input_is_named_after_its_folder(claude_dir, monkeypatch):
    monkeypatch.chdir(claude_dir / "projects" / "-w-app")

    assert names(find_sources([Path()])) == [("-w-app", f"{SID}.jsonl")]
    assert names(find_sources([Path(f"{SID}.jsonl")])) == [("-w-app", f"{SID}.jsonl")]


def test_projects_folders_are_found_some_levels_down(tmp_path):
    write(tmp_path / "one" / "projects" / "-a" / f"{SID}.jsonl", RECORD)
    write(tmp_path / "two" / ".claude" / "projects" / "-b" / f"{OTHER}.jsonl", RECORD)

    assert names(find_sources([tmp_path])) == [
        ("-a", f"{SID}.jsonl"),
        ("-b", f"{OTHER}.jsonl"),
    ]


def test_any_folder_of_jsonl_files_is_a_project(tmp_path):
    write(tmp_path / "logs" / "monday.jsonl", RECORD)
    write(tmp_path / "logs" / "sub" / "tuesday.jsonl", RECORD)
    write(tmp_path / "logs" / ".hidden" / "x.jsonl", RECORD)

    assert names(find_sources([tmp_path / "logs"])) == [
        ("logs", "monday.jsonl"),
        ("sub", "tuesday.jsonl"),
    ]


def test_all_layouts_of_agents_are_found_with_their_session(tmp_path):
    project = tmp_path / "projects" / "-w"
    write(project / f"{SID}.jsonl", RECORD)
    write(project / "agent-ab12.jsonl", {"type": "mode"}, {**RECORD, "isSidechain": True})
    write(project / SID / "subagents" / "agent-cd34.jsonl", RECORD)
    write(project / SID / "subagents" / "agent-acompact-9.jsonl", RECORD)
    write(project / SID / "subagents" / "workflows" / "run1" / "agent-ef56.jsonl", RECORD)
    write(
        project / SID / "subagents" / "workflows" / "run1" / "journal.jsonl",
        {"type": "started"},
    )
    write(project / OTHER / "subagents" / "agent-orphan.jsonl", RECORD)

    found = find_sources([tmp_path])

    agents = {
        file.agent_id: (file.session, file.role) for file in found.files if file.agent_id
    }
    assert agents == {
        "ab12": (SID, Role.AGENT),
        "cd34": (SID, Role.AGENT),
        "acompact-9": (SID, Role.INTERNAL_AGENT),
        "ef56": (SID, Role.AGENT),
        "orphan": (OTHER, Role.AGENT),
    }
    assert found.foreign == (f"{SID}/subagents/workflows/run1/journal.jsonl",)
    for file in found.files:
        assert Path(file.tool_results_dir) == project / file.session / "tool-results"


def test_a_named_session_brings_its_agents_and_no_others(tmp_path):
    project = tmp_path / "projects" / "-w"
    session = write(project / f"{SID}.jsonl", RECORD)
    write(project / f"{OTHER}.jsonl", RECORD)
    write(project / "agent-ab12.jsonl", RECORD)
    write(project / "agent-zz99.jsonl", {**RECORD, "sessionId": OTHER})
    write(project / SID / "subagents" / "agent-cd34.jsonl", RECORD)

    found = find_sources([session])

    assert [file.agent_id for file in found.files] == [None, "cd34", "ab12"]


def test_a_named_agent_file_belongs_to_the_session_above_it(tmp_path):
    nested = write(
        tmp_path / "-w" / SID / "subagents" / "workflows" / "r" / "agent-x.jsonl", RECORD
    )
    flat = write(tmp_path / "-w" / "agent-y.jsonl", RECORD)

    found = find_sources([nested, flat])

    assert [(file.project, file.file, file.session) for file in found.files] == [
        ("-w", f"{SID}/subagents/workflows/r/agent-x.jsonl", SID),
        ("-w", "agent-y.jsonl", SID),
    ]


def test_agent_without_any_session_id_stands_for_itself(tmp_path):
    write(tmp_path / "agent-lost.jsonl", {"type": "user", "message": {}})

    assert find_sources([tmp_path]).files[0].session == "agent-lost"


def test_owner_is_read_from_a_first_line_that_is_cut_off(tmp_path):
    write(
        tmp_path / "agent-big.jsonl",
        {"sessionId": SID, "message": {"content": "x" * 100_000}},
    )

    assert find_sources([tmp_path]).files[0].session == SID


def test_meta_beside_an_agent_is_read(tmp_path):
    agent = write(tmp_path / "agent-a.jsonl", RECORD)
    meta = {
        "agentType": "Explore",
        "description": "look",
        "toolUseId": "t1",
        "parentAgentId": "p",
        "spawnDepth": 2,
    }
    agent.with_name("agent-a.meta.json").write_text(json.dumps(meta))

    assert find_sources([tmp_path]).files[0].meta == AgentMeta("Explore", "look", "t1", "p")


@pytest.mark.parametrize("content", ["{", "[]", '"x"', ""])
def test_broken_meta_is_an_issue_and_the_agent_stays(tmp_path, content):
    agent = write(tmp_path / "agent-a.jsonl", RECORD)
    agent.with_name("agent-a.meta.json").write_text(content)

    found = find_sources([tmp_path])

    assert found.files[0].meta == AgentMeta()
    assert [(issue.file, issue.code) for issue in found.issues] == [
        ("agent-a.meta.json", IssueCode.UNREADABLE_FILE)
    ]


def test_wrong_types_in_meta_count_as_absent(tmp_path):
    agent = write(tmp_path / "agent-a.jsonl", RECORD)
    agent.with_name("agent-a.meta.json").write_text('{"agentType": 5, "toolUseId": []}')

    assert find_sources([tmp_path]).files[0].meta == AgentMeta()


def test_meta_that_is_a_folder_is_an_issue(tmp_path):
    agent = write(tmp_path / "agent-a.jsonl", RECORD)
    agent.with_name("agent-a.meta.json").mkdir()

    found = find_sources([tmp_path])

    assert len(found.files) == len(found.issues) == 1


def test_archives_are_read_only_if_asked_for(tmp_path):
    write(tmp_path / "projects" / "-w" / f"{SID}.jsonl", RECORD)
    write(tmp_path / "projects" / "-w" / "_archive" / f"{OTHER}.jsonl", RECORD)
    write(tmp_path / "projects" / "_archive" / "-v" / f"{OTHER}.jsonl", RECORD)
    write(tmp_path / "logs" / "_archive" / "old.jsonl", RECORD)

    without = find_sources([tmp_path])
    included = find_sources([tmp_path], include_archive=True)

    assert names(without) == [("-w", f"{SID}.jsonl")]
    assert names(included) == [
        ("-v", f"{OTHER}.jsonl"),
        ("-w", f"{SID}.jsonl"),
        ("-w", f"_archive/{OTHER}.jsonl"),
        ("logs", "_archive/old.jsonl"),
    ]


def test_a_file_reached_by_two_inputs_or_a_link_is_listed_once(claude_dir):
    project = claude_dir / "projects" / "-w-app"
    (project / "0link.jsonl").symlink_to(project / f"{SID}.jsonl")

    found = find_sources([claude_dir, project, project / "0link.jsonl"])

    assert names(found) == [("-w-app", f"{SID}.jsonl")]


def test_loops_of_links_end(claude_dir):
    (claude_dir / "projects" / "-w-app" / "loop").symlink_to(claude_dir / "projects")

    assert names(find_sources([claude_dir])) == [("-w-app", f"{SID}.jsonl")]


def test_linked_files_are_read_and_linked_folders_outside_are_not(tmp_path, claude_dir):
    outside = write(tmp_path / "outside" / f"{OTHER}.jsonl", RECORD)
    (claude_dir / "projects" / "-w-app" / f"{OTHER}.jsonl").symlink_to(outside)
    (claude_dir / "projects" / "-linked").symlink_to(outside.parent)

    found = find_sources([claude_dir])

    assert names(found) == [("-w-app", f"{SID}.jsonl"), ("-w-app", f"{OTHER}.jsonl")]


def test_a_projects_folder_that_is_a_link_is_followed(tmp_path, claude_dir):
    settings = tmp_path / "settings" / ".claude"
    settings.mkdir(parents=True)
    (settings / "projects").symlink_to(claude_dir / "projects")

    assert names(find_sources([settings])) == [("-w-app", f"{SID}.jsonl")]


def test_same_stem_in_two_projects_is_listed_twice(tmp_path):
    write(tmp_path / "projects" / "-a" / f"{SID}.jsonl", RECORD)
    write(tmp_path / "projects" / "-b" / f"{SID}.jsonl", RECORD)

    assert [file.session for file in find_sources([tmp_path]).files] == [SID, SID]


def test_missing_inputs_are_all_named_in_one_error(tmp_path):
    with pytest.raises(SourceError) as caught:
        find_sources([tmp_path / "a", tmp_path / "b"])

    assert "a'" in caught.value.message
    assert "b'" in caught.value.message
    assert caught.value.hint


def test_input_without_sessions_is_an_error(tmp_path):
    write(tmp_path / "history.jsonl", {"display": "x", "project": "/p", "timestamp": 1})

    for location in (tmp_path, tmp_path / "history.jsonl"):
        with pytest.raises(SourceError, match="no session files found in"):
            find_sources([location])
    with pytest.raises(SourceError):
        find_sources([])


def test_size_of_the_input_is_that_of_its_files(claude_dir):
    found = find_sources([claude_dir])

    assert found.size_bytes == found.files[0].size_bytes > 0


def test_file_that_is_no_file_is_an_issue(tmp_path):
    write(tmp_path / f"{SID}.jsonl", RECORD)
    (tmp_path / "dangling.jsonl").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.jsonl")

    found = find_sources([tmp_path])

    assert len(found.files) == 1
    assert [issue.file for issue in found.issues] == ["dangling.jsonl", "pipe.jsonl"]


def test_unreadable_file_or_folder_costs_its_neighbours_nothing(tmp_path, monkeypatch):
    write(tmp_path / "projects" / "-a" / f"{SID}.jsonl", RECORD)
    write(tmp_path / "projects" / "-a" / f"{OTHER}.jsonl", RECORD)
    write(tmp_path / "projects" / "-locked" / f"{OTHER}.jsonl", RECORD)
    real_scan, real_open = os.scandir, Path.open

    def scan(folder):
        if Path(folder).name == "-locked":
            raise PermissionError(13, "Permission denied")
        return real_scan(folder)

    def open_file(location, *rest):
        if location.stem == OTHER:
            raise PermissionError(13, "Permission denied")
        return real_open(location, *rest)

    monkeypatch.setattr(os, "scandir", scan)
    monkeypatch.setattr(Path, "open", open_file)
    found = find_sources([tmp_path])

    assert names(found) == [("-a", f"{SID}.jsonl")]
    assert [(issue.file, issue.message) for issue in found.issues] == [
        ("-locked", "cannot read the folder: Permission denied"),
        (f"{OTHER}.jsonl", "cannot read the file: Permission denied"),
    ]


def test_names_that_are_no_utf_8_can_be_written(tmp_path):
    location = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.jsonl"))
    write(location, RECORD)

    found = find_sources([tmp_path])

    assert found.files[0].file == "\N{REPLACEMENT CHARACTER}.jsonl"
    assert list(iter_lines(found.files[0].location))


def test_order_does_not_depend_on_creation_or_input_order(tmp_path):
    for name in ("b", "a", "c"):
        write(tmp_path / name / "s.jsonl", RECORD)

    inputs = [tmp_path / "c", tmp_path / "a", tmp_path / "b"]

    assert find_sources(inputs) == find_sources(inputs[::-1])


def test_default_input_is_the_settings_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "x"))
    configured = default_inputs()
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    monkeypatch.setenv("HOME", str(tmp_path))

    assert configured == tmp_path / "x"
    assert default_inputs() == tmp_path / ".claude"


def test_many_files_are_judged_by_their_first_lines_only(tmp_path):
    location = tmp_path / f"{SID}.jsonl"
    with location.open("wb") as handle:
        handle.write(json.dumps(RECORD).encode() + b"\n")
        handle.truncate(1 << 32)

    with ends_soon():
        found = find_sources([tmp_path])

    assert found.files[0].size_bytes == 1 << 32


@pytest.mark.parametrize(
    "hostile", ["../../../etc", "..", "", "/etc", "a\\..\\b", "\0x", "a" * 300]
)
def test_a_session_id_in_a_record_leads_to_no_folder_elsewhere(tmp_path, hostile):
    project = tmp_path / "projects" / "-w"
    write(project / "agent-1.jsonl", {**RECORD, "sessionId": hostile, "isSidechain": True})

    (file,) = find_sources([tmp_path]).files

    beside = Path(file.tool_results_dir).parent
    assert beside.parent == project
    assert beside.name not in {".", ".."}


def test_facts_of_an_agent_are_looked_for_only_where_its_folder_has_them(
    tmp_path, monkeypatch
):
    project = tmp_path / "projects" / "-w"
    write(project / f"{SID}.jsonl", RECORD)
    write(project / "agent-1.jsonl", {**RECORD, "isSidechain": True})
    write(project / "agent-2.jsonl", {**RECORD, "isSidechain": True})
    write(project / "agent-2.meta.json", {"agentType": "Explore"})
    looked: list[str] = []
    find = SourceMemory.find

    def note(self: SourceMemory, location: str):
        looked.append(Path(location).name)
        return find(self, location)

    monkeypatch.setattr(SourceMemory, "find", note)

    found = find_sources([tmp_path])

    assert {file.meta.agent_type for file in found.files} == {"", "Explore"}
    assert sorted(looked) == [
        f"{SID}.jsonl",
        "agent-1.jsonl",
        "agent-2.jsonl",
        "agent-2.meta.json",
    ]
