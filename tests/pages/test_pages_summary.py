"""The runs of a session, from its records to its facts."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.graph.forest import Status
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.facts import parse_session_facts
from pages.making import draw_family, families
from sessions import FORKED, boundary, call, prompt, reply, result, summary, uuid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from everyleaf.pages.facts import RunFacts, SessionFacts
    from sessions import Record

SITE = SiteSettings("Archive")


def facts_of(
    folder: Path, files: Mapping[str, Sequence[Record]], session: str = "s"
) -> SessionFacts:
    found = {
        facts.session: facts
        for work in families(folder, files)
        for facts in draw_family(work, SITE).facts
    }
    return found[session]


def shape(runs: tuple[RunFacts, ...]) -> list[tuple[int, int, int, int]]:
    return [(run.number, run.parent, run.path, run.messages) for run in runs]


def test_a_conversation_without_a_fork_is_one_run(tmp_path: Path) -> None:
    (run,) = facts_of(tmp_path, {"s.jsonl": FORKED[:4]}).runs

    assert (run.number, run.parent, run.path, run.messages) == (1, 0, 1, 4)
    assert (run.words, run.anchor) == ("Write a parser", f"m-{uuid('p1')[:8]}")
    assert run.status is Status.ACTIVE


def test_a_fork_parts_runs_in_the_order_they_were_written(tmp_path: Path) -> None:
    runs = facts_of(tmp_path, {"s.jsonl": FORKED}).runs

    assert shape(runs) == [(1, 0, 2, 2), (2, 1, 1, 2), (3, 1, 2, 2)]
    assert [run.words for run in runs] == ["Write a parser", "A slow one", "A fast one"]
    assert [run.status for run in runs] == [
        Status.ACTIVE,
        Status.ABANDONED,
        Status.ACTIVE,
    ]


def test_the_anchors_of_runs_stand_on_the_pages_they_name(tmp_path: Path) -> None:
    (work,) = families(tmp_path, {"s.jsonl": FORKED})
    drawn = draw_family(work, SITE)
    pages = {output.url: output.body.decode() for output in drawn.outputs}

    (facts,) = drawn.facts
    for run in facts.runs:
        path = next(path for path in facts.paths if path.number == run.path)
        assert f'id="{run.anchor}"' in pages[path.url]


def test_a_withdrawn_prompt_does_not_stand_for_what_it_shares(tmp_path: Path) -> None:
    left = [
        prompt("p1", None, "Begin"),
        reply("r1", "p1", "Begun."),
        prompt("p2", "r1", "Never mind"),
        prompt("p3", "r1", "Do this"),
        reply("r3", "p3", "Done."),
        prompt("p4", None, "Something else"),
        reply("r4", "p4", "Also done."),
    ]

    facts = facts_of(tmp_path, {"s.jsonl": left})

    withdrawn = [path.number for path in facts.paths if path.is_withdrawn]
    assert withdrawn == [1]
    assert [run.path for run in facts.runs] == [2, 1, 2, 3]


def test_compactions_and_prompts_are_counted(tmp_path: Path) -> None:
    records = [
        prompt("p1", None, "Begin"),
        reply("r1", "p1", "Begun."),
        boundary("b1", "r1"),
        summary("s1", "b1", "So far"),
        prompt("p2", "s1", "Go on"),
        reply("r2", "p2", "Went on."),
    ]

    (run,) = facts_of(tmp_path, {"s.jsonl": records}).runs

    assert (run.prompts, run.compactions, run.messages) == (2, 1, 6)


def test_agents_are_counted_where_they_were_started(tmp_path: Path) -> None:
    records = [
        prompt("p1", None, "Look"),
        call("c1", "p1", "Task", description="Look", prompt="Look around"),
        result("x1", "c1", "Seen."),
        prompt("p2", "x1", "And?"),
        reply("r2", "p2", "That is all."),
        prompt("p3", "x1", "And then?"),
        reply("r3", "p3", "Nothing."),
    ]
    agent = [
        prompt("a1", None, "Look around", isSidechain=True, agentId="a1"),
        reply("a2", "a1", "Seen.", isSidechain=True, agentId="a1"),
    ]
    folder = tmp_path / "projects" / "-home-me-parser" / "s" / "subagents"
    folder.mkdir(parents=True)
    meta = json.dumps({"agentType": "Explore", "toolUseId": "toolu_c1"})
    (folder / "agent-a1.meta.json").write_text(meta)

    facts = facts_of(tmp_path, {"s.jsonl": records, "s/subagents/agent-a1.jsonl": agent})

    assert [run.agents for run in facts.runs] == [1, 0, 0]


def test_what_was_carried_on_from_another_session_names_it(tmp_path: Path) -> None:
    first = FORKED[:2]
    later = [prompt("p9", "r1", "Go on"), reply("r9", "p9", "Went on.")]

    facts = facts_of(tmp_path, {"old.jsonl": first, "s.jsonl": later})

    assert [run.origin for run in facts.runs] == ["old", ""]
    assert shape(facts.runs) == [(1, 0, 1, 2), (2, 1, 1, 2)]


def test_without_pages_runs_have_their_places_all_the_same(tmp_path: Path) -> None:
    (work,) = families(tmp_path, {"s.jsonl": FORKED})
    settings = replace(SITE, has_html=False)

    (facts,) = draw_family(work, settings).facts

    assert shape(facts.runs) == [(1, 0, 2, 2), (2, 1, 1, 2), (3, 1, 2, 2)]


def test_the_messages_of_runs_add_up_to_those_of_the_paths(tmp_path: Path) -> None:
    facts = facts_of(tmp_path, {"s.jsonl": FORKED})

    runs = {run.number: run for run in facts.runs}
    parents = {run.parent for run in facts.runs}
    for last in (run for run in facts.runs if run.number not in parents):
        total, at = 0, last.number
        while at:
            total += runs[at].messages
            at = runs[at].parent
        assert total == next(p.messages for p in facts.paths if p.number == last.path)


def test_facts_of_an_earlier_version_have_no_runs(tmp_path: Path) -> None:
    (work,) = families(tmp_path, {"s.jsonl": FORKED})
    body = next(o.body for o in draw_family(work, SITE).outputs if o.url == "data/s.json")

    before = re.sub(rb',\n "runs": \[.*?\n \]', b"", body, flags=re.DOTALL)

    facts = parse_session_facts(before)
    assert facts is not None
    assert facts.runs == ()
