"""What paths add up to with the agents they called: every turn is added once."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.facts import parse_session_facts
from everyleaf.pages.pathpage import CalledAgents, PathSums
from everyleaf.pages.sourcing import open_drawer
from everyleaf.transcript.facts import merge_facts
from pages.making import draw_family, families
from sessions import FORKED, call, prompt, reply, result, spoken

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from everyleaf.pages.drawing import TurnDrawer
    from everyleaf.pages.facts import SessionFacts
    from everyleaf.pages.work import FamilyWork
    from sessions import Record

WRITTEN = {
    "type": "create",
    "filePath": "/home/me/parser/x.py",
    "content": "a\nb\n",
    "structuredPatch": [],
}


def called(name: str, parent: str, agent_id: str) -> Record:
    """Return the result of the call `parent`, which the agent `agent_id` worked on."""
    answered = result(name, parent, "Done.")
    return {**answered, "toolUseResult": {"status": "completed", "agentId": agent_id}}


def of_agent(agent_id: str, *records: Record) -> list[Record]:
    own = {"isSidechain": True, "agentId": agent_id, "sessionId": "s"}
    return [{**record, **own} for record in records]


MAIN = [
    prompt("p1", None, "Write a parser"),
    call("c1", "p1", "Task", prompt="Look for one"),
    called("t1", "c1", "a1"),
    *spoken("t1", "r1 There is none.", "p2 Write it", "r2 Written."),
    *spoken("r1", "p3 Leave it", "r3 Left."),
    *spoken(None, "p4 Something else", "r4 Else."),
]
"""Paths 1 and 2 fork behind the call of an agent; path 3 calls none."""


A1 = of_agent(
    "a1",
    prompt("q1", None, "Look for one"),
    call("d1", "q1", "Task", prompt="Look deeper"),
    called("u1", "d1", "a2"),
    call("d2", "u1", "Write", file_path="/home/me/parser/x.py", content="a\nb\n"),
    {**result("u2", "d2", "ok"), "toolUseResult": WRITTEN},
    reply("q2", "u2", "None."),
)


A2 = of_agent("a2", prompt("v1", None, "Look deeper"), reply("v2", "v1", "None."))


FILES = {
    "s.jsonl": MAIN,
    "s/subagents/agent-a1.jsonl": A1,
    "s/subagents/agent-a2.jsonl": A2,
}


def with_forks(forks: int) -> list[Record]:
    """Return a chain of prompts and replies, every prompt of which was typed twice."""
    records: list[Record] = []
    above = None
    for number in range(forks):
        records += [
            prompt(f"a{number:05}", above, f"Go {number}"),
            prompt(f"b{number:05}", above, f"Go on {number}"),
            reply(f"c{number:05}", f"b{number:05}", "Went."),
        ]
        above = f"c{number:05}"
    return records


def opened(
    folder: Path, files: Mapping[str, Sequence[Record]]
) -> tuple[FamilyWork, TurnDrawer, CalledAgents, PathSums]:
    (work,) = families(folder, files)
    drawer = open_drawer(work, SiteSettings("Archive"))
    called = CalledAgents(work, drawer)
    return work, drawer, called, PathSums(called, work.tree.leaves)


@pytest.mark.parametrize("files", [{"s.jsonl": FORKED}, {"s.jsonl": with_forks(5)}, FILES])
def test_a_path_adds_up_to_what_its_turns_do(tmp_path, files):
    work, drawer, called, sums = opened(tmp_path, files)

    for ref, leaf in work.tree.leaves.items():
        stops = drawer.walk(leaf)
        totals, with_agents = sums.of(ref)

        assert totals == merge_facts(stop.fragment.facts for stop in stops)
        assert with_agents == called.include(stops)
        for stop in stops:
            assert sums.prompts_before(stop.key) == stop.prompts_before


@pytest.mark.parametrize("forks", [10, 40])
def test_each_turn_is_added_once_however_many_paths_it_is_on(tmp_path, forks):
    work, _, _, sums = opened(tmp_path, {"s.jsonl": with_forks(forks)})

    for path in work.sessions[0].paths:
        sums.of(path.ref)

    assert len(work.sessions[0].paths) == forks + 1
    assert sums.steps == len(work.tree.turns) == 3 * forks


def outputs(folder: Path) -> dict[str, str]:
    (work,) = families(folder, FILES)
    made = draw_family(work, SiteSettings(title="Archive")).outputs
    return {one.url: one.body.decode() for one in made}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return outputs(tmp_path_factory.mktemp("called"))


@pytest.fixture(scope="module")
def facts(site: dict[str, str]) -> SessionFacts:
    parsed = parse_session_facts(site["data/s.json"].encode())
    assert parsed is not None
    return parsed


def test_path_includes_the_agents_that_it_called_and_theirs(facts: SessionFacts):
    path = facts.paths[0]

    assert (path.tool_calls, path.usage.output, path.files) == (1, 15, ())
    assert path.with_agents is not None
    assert (path.with_agents.agents, path.with_agents.tool_calls) == (2, 3)
    # Three responses of its own, three of a1, one of a2: five tokens each.
    assert path.with_agents.usage.output == 35
    assert [change.file for change in path.with_agents.files] == ["x.py"]
    assert path.with_agents.tools == (("Task", 2), ("Write", 1))


def test_agents_that_were_called_before_a_fork_count_on_both_its_sides(
    facts: SessionFacts,
):
    one, other, without = facts.paths

    assert one.with_agents is not None
    assert other.with_agents is not None
    assert one.with_agents.agents == other.with_agents.agents == 2
    assert without.with_agents is None


def test_agent_has_the_facts_of_a_path_and_includes_its_own_agents(facts: SessionFacts):
    first, second = sorted(facts.agents, key=lambda agent: agent.agent_id)

    assert (first.tool_calls, first.usage.output, first.replies) == (2, 15, 3)
    assert first.models == (("claude-x", 1.0),)
    assert [(change.file, change.added) for change in first.files] == [("x.py", 2)]
    assert first.with_agents is not None
    assert (first.with_agents.agents, first.with_agents.usage.output) == (1, 20)
    assert second.with_agents is None


@pytest.mark.parametrize(
    ("url", "agents", "calls"),
    [
        ("transcripts/transcript_s.html", "With 2 agents", "3 tool calls"),
        ("agents/agent_s_a1.html", "With 1 agent", "2 tool calls"),
        ("markdown/transcript_s_path1_abandoned.md", "With 2 agents", "3 tool calls"),
        ("markdown/agent_s_a1.md", "With 1 agent", "2 tool calls"),
    ],
)
def test_head_shows_both_sums_in_each_format(
    site: dict[str, str], url: str, agents: str, calls: str
):
    head = site[url].split("## Prompt")[0]

    assert agents in head
    assert calls in head


@pytest.mark.parametrize("url", ["agents/agent_s_a2.html", "markdown/agent_s_a2.md"])
def test_head_says_nothing_of_agents_where_there_are_none(site: dict[str, str], url: str):
    assert not re.search(r"With \d+ agent", site[url])


def test_head_says_as_many_prompts_as_the_last_one_is_numbered(site: dict[str, str]):
    paths = json.loads(site["data/s.json"])["paths"]

    for path in paths:
        page, file = site[path["url"]], site[path["markdown_url"]]
        last = re.findall(r"<h2>Prompt (\d+)", page)[-1]
        assert int(last) == path["prompts"]
        assert re.findall(r"^## Prompt (\d+)$", file, re.MULTILINE)[-1] == last
        assert f"- Prompts: {last}\n" in file


def test_markdown_head_lists_the_files(site: dict[str, str]):
    head = site["markdown/agent_s_a1.md"].split("## Prompt")[0]

    assert "<summary>Files touched: 1 file (+2 \N{MINUS SIGN}0)</summary>" in head
    assert "| x.py | +2 | \N{MINUS SIGN}0 |" in head
