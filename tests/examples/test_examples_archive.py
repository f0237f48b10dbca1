from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

Record = dict[str, Any]
"""A line of JSON: the tests are the boundary, so its values are unknown."""

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = ROOT / "examples" / "archive"
EXPECTED = json.loads((Path(__file__).parent / "expected_paths.json").read_text())
WRITTEN = [
    "examples/README.md",
    "tests/examples/expected_paths.json",
    *sorted(str(file.relative_to(ROOT)) for file in ARCHIVE.rglob("*") if file.is_file()),
]
STORIES = {facts["story"]: stem for stem, facts in EXPECTED["sessions"].items()}
DAMAGED = STORIES["dewpoint-bench"]


def session_files() -> dict[str, Path]:
    return {file.stem: file for file in ARCHIVE.glob("projects/*/*.jsonl")}


def lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def records(file: Path) -> list[Record]:
    """The records of a file; glued ones apart, a torn one left out."""
    found = []
    for line in lines(file):
        rest = line
        while rest:
            try:
                record, end = json.JSONDecoder().raw_decode(rest)
            except json.JSONDecodeError:
                break
            found.append(record)
            rest = rest[end:]
    return found


@pytest.fixture(scope="module")
def made_again(tmp_path_factory) -> Path:
    root: Path = tmp_path_factory.mktemp("made")
    subprocess.run(
        [sys.executable, "examples/make_archive.py", str(root)],
        cwd=ROOT,
        env={"PYTHONHASHSEED": "7", "TZ": "Asia/Kolkata", "LC_ALL": "C"},
        check=True,
        capture_output=True,
    )
    return root


def test_the_generator_writes_exactly_the_committed_files(made_again):
    written = {str(f.relative_to(made_again)) for f in made_again.rglob("*") if f.is_file()}

    assert written == set(WRITTEN)


@pytest.mark.parametrize("name", WRITTEN)
def test_the_generator_writes_the_committed_bytes(made_again, name):
    assert (made_again / name).read_bytes() == (ROOT / name).read_bytes()


@pytest.mark.parametrize("stem", sorted(session_files()))
def test_every_line_is_one_record_but_for_the_two_damaged_ones(stem):
    broken = []

    for number, line in enumerate(lines(session_files()[stem]), 1):
        try:
            json.loads(line)
        except json.JSONDecodeError:
            broken.append(number)

    last = len(lines(session_files()[stem]))
    assert broken == ([last - 1, last] if stem == DAMAGED else [])


def test_agent_files_are_whole_and_have_meta_where_the_version_writes_it():
    agents = sorted(ARCHIVE.rglob("subagents/*.jsonl"))

    assert len(agents) == 5
    for file in agents:
        assert all(json.loads(line)["isSidechain"] for line in lines(file))
        meta = json.loads(file.with_suffix(".meta.json").read_text())
        assert {"agentType", "description", "toolUseId"} <= meta.keys()


@pytest.mark.parametrize("file", sorted(ARCHIVE.rglob("*.jsonl")), ids=lambda f: f.name)
def test_calls_and_results_pair_and_no_uuid_is_used_twice(file):
    calls, results, uuids = [], [], []

    for record in records(file):
        uuids += [record["uuid"]] if "uuid" in record else []
        content = record.get("message", {}).get("content", "")
        for block in content if isinstance(content, list) else []:
            calls += [block["id"]] if block["type"] == "tool_use" else []
            results += [block["tool_use_id"]] if block["type"] == "tool_result" else []

    assert sorted(calls) == sorted(results)
    assert max(Counter(uuids).values(), default=1) == 1


def test_only_the_carried_on_session_has_a_parent_in_another_file():
    foreign: dict[str, list[str]] = {}

    for stem, file in session_files().items():
        found = [r for r in records(file) if "uuid" in r]
        own = {r["uuid"] for r in found}
        outside = [r["parentUuid"] for r in found if r["parentUuid"] not in own | {None}]
        foreign |= {stem: outside} if outside else {}

    assert list(foreign) == [STORIES["dewpoint-frost"]]
    source = records(session_files()[STORIES["dewpoint-dashboard"]])
    assert foreign[STORIES["dewpoint-frost"]] == [
        [r["uuid"] for r in source if "uuid" in r][-1]
    ]


def test_the_archive_stays_small_and_names_nobody_real():
    text = "".join(f.read_text() for f in ARCHIVE.rglob("*") if f.is_file())

    assert len(text.encode()) < 1_000_000
    assert set(re.findall(r"/home/(\w+)", text)) == {"ada"}
    assert not re.findall(r"[\w.]+@[\w-]+\.\w+", text)
    hosts = set(re.findall(r"https?://([\w.-]+)", text))
    assert all(
        host.endswith(("example.com", "example.org")) or host == "127.0.0.1"
        for host in hosts
    )


def test_every_path_lists_records_that_are_in_the_archive():
    known = {
        record["uuid"]
        for file in session_files().values()
        for record in records(file)
        if "uuid" in record
    }

    for facts in EXPECTED["sessions"].values():
        for path in facts["paths"]:
            assert len(path["ids"]) == len(set(path["ids"])) == path["messages"]
            assert set(path["ids"]) <= known


def test_each_session_with_a_conversation_has_one_active_path_or_is_contained():
    for facts in EXPECTED["sessions"].values():
        active = [path for path in facts["paths"] if path["status"] == "ACTIVE"]

        assert len(active) == (1 if facts["paths"] else 0)


def test_a_resumed_copy_holds_its_original_whole():
    first = records(session_files()[STORIES["slackwater-extremes"]])
    copy = records(session_files()[STORIES["slackwater-resumed"]])

    assert [r["uuid"] for r in first] == [r["uuid"] for r in copy][: len(first)]
    assert {r["sessionId"] for r in copy} == {STORIES["slackwater-resumed"]}


def test_a_fork_by_the_sdk_has_uuids_of_its_own_and_names_the_old_ones():
    source = {r.get("uuid") for r in records(session_files()[STORIES["slackwater-moon"]])}
    fork = [
        r for r in records(session_files()[STORIES["slackwater-moon-fork"]]) if "uuid" in r
    ]

    copied = [r for r in fork if "forkedFrom" in r]

    assert not source & {r["uuid"] for r in fork}
    assert {r["forkedFrom"]["messageUuid"] for r in copied} <= source
    assert 0 < len(copied) < len(fork)


def test_a_branch_keeps_the_uuids_and_makes_one_straight_chain():
    source = {
        r.get("uuid") for r in records(session_files()[STORIES["ladle-shopping-list"]])
    }
    file = session_files()[STORIES["ladle-shopping-branch"]]
    copied = [r for r in records(file) if "forkedFrom" in r]

    assert all(r["forkedFrom"]["messageUuid"] == r["uuid"] in source for r in copied)
    assert [r["parentUuid"] for r in copied[1:]] == [r["uuid"] for r in copied[:-1]]
