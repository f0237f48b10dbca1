"""The facts of a session: written, and read back as they were."""

from __future__ import annotations

import json
import re
from difflib import unified_diff

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from everyleaf.graph.forest import Contained, Diverged, PathRef, Status
from everyleaf.pages.facts import (
    AgentFacts,
    IssueFacts,
    parse_session_facts,
    write_session_facts,
)
from everyleaf.transcript.document import FileChange, Usage
from pages.making import path_facts, session_facts

FULL = session_facts(
    paths=(
        path_facts(
            1,
            status=Status.ABANDONED,
            taken_over_by=PathRef("s", 2),
            fork_point="x",
            models=(("claude-x", 1.0),),
            usage=Usage(1, 2, 3, 4),
            files=(FileChange("a.py", 1, 2),),
            diverged=(Diverged(PathRef("t", 1), 3),),
        ),
        path_facts(2),
    ),
    dropped=(Contained(PathRef("s", 3), PathRef("s", 2), Status.ACTIVE, "T", 3, "u"),),
    agents=(
        AgentFacts(
            agent_id="a1",
            agent_type="Explore",
            description="Look",
            url="agents/a.html",
            markdown_url="",
            messages=3,
            started="",
            ended="",
        ),
    ),
    issues=(IssueFacts(line=3, code="cycle", message="m"),),
)


def test_facts_survive_a_round_trip() -> None:
    assert parse_session_facts(write_session_facts(FULL)) == FULL


@given(st.text(), st.text(), st.floats(0, 1))
def test_any_words_survive_a_round_trip(title: str, reason: str, share: float) -> None:
    path = path_facts(title=title, reason=reason, models=(("m", share),))
    facts = session_facts(title=title, paths=(path,))

    assert parse_session_facts(write_session_facts(facts)) == facts


def test_half_a_surrogate_pair_does_not_stop_the_build() -> None:
    body = write_session_facts(session_facts(title="a\ud800"))

    assert parse_session_facts(body) == session_facts(title="a?")


def test_what_changes_with_a_message_is_a_line_of_its_own() -> None:
    path = path_facts(1, messages=3, own_ids=("u1", "u2"), tools=(("Bash", 1), ("Edit", 1)))
    after = replace(
        path, messages=4, own_ids=("u1", "u2", "u3"), tools=(("Bash", 2), ("Edit", 1))
    )

    old, new = (
        write_session_facts(session_facts(paths=(each,))).decode().splitlines()
        for each in (path, after)
    )
    diff = unified_diff(old, new, n=0)

    changed = [line for line in diff if re.match(r"[+-] ", line)]
    assert changed == [
        '-    ["Bash", 1],',
        '+    ["Bash", 2],',
        '-   "messages": 3,',
        '+   "messages": 4,',
        '-    "u2"',
        '+    "u2",',
        '+    "u3"',
    ]


def test_what_belongs_together_stands_on_one_line() -> None:
    lines = write_session_facts(FULL).decode().splitlines()

    assert (
        '   "usage": {"input": 1, "output": 2, "cache_read": 3, "cache_written": 4},'
        in lines
    )
    assert '  {"line": 3, "code": "cycle", "message": "m"}' in lines
    assert max(map(len, lines)) < 100


def _changed(**changes: object) -> bytes:
    return json.dumps({**json.loads(write_session_facts(FULL)), **changes}).encode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not json",
        b"[]",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        _changed(version=99),
        _changed(title=None),
        _changed(of="1"),
        _changed(is_warmup=1),
        _changed(paths={}),
        _changed(paths=[{"number": 1}]),
        _changed(dropped=[{"path": {"session": "s"}}]),
        _changed(something_new=1),
    ],
)
def test_what_is_not_ours_is_nobodys_facts(body: bytes) -> None:
    assert parse_session_facts(body) is None


def test_an_unknown_status_is_not_ours() -> None:
    body = write_session_facts(FULL).replace(b'"ABANDONED"', b'"GONE"')

    assert parse_session_facts(body) is None


def test_the_last_active_path_stands_for_a_session() -> None:
    left = path_facts(3, status=Status.ABANDONED)
    paths = (path_facts(1), path_facts(2), left)

    assert session_facts(paths=paths).main == path_facts(2)
    assert session_facts(paths=(left,)).main == left
    assert session_facts(paths=()).main is None
