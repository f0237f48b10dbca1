"""A family of sessions, drawn: pages, Markdown, blobs and facts."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import html5lib
import pytest

from everyleaf.graph.forest import Status
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.facts import parse_session_facts
from pages.making import DrawnFamily, draw_family, families
from sessions import FORKED, boundary, call, prompt, reply, result, summary, uuid

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from sessions import Record

SITE = SiteSettings("Archive")
HOSTILE = "<script>alert(1)</script> `<b>` {{ 7*7 }} \x00 ]( [x]: /y"


def render(
    folder: Path, files: Mapping[str, Sequence[Record]], settings: SiteSettings = SITE
) -> tuple[dict[str, str], DrawnFamily]:
    (work,) = families(folder, files)
    drawn = draw_family(work, settings)
    return {output.url: output.body.decode() for output in drawn.outputs}, drawn


def anchors(page: str) -> list[str]:
    return re.findall(r'id="(m-[^"]+)"', page)


def test_a_forked_session_has_a_page_and_a_file_for_each_path(tmp_path: Path) -> None:
    pages, drawn = render(tmp_path, {"s.jsonl": FORKED})

    assert {url for url in pages if not url.startswith("compare/")} == {
        "transcripts/transcript_s.html",
        "transcripts/transcript_s_path2.html",
        "markdown/transcript_s_path1_abandoned.md",
        "markdown/transcript_s_path2.md",
        "data/s.json",
    }
    assert set(drawn.owners) == set(pages)
    assert set(drawn.owners.values()) == {("s",)}


def test_a_turn_is_drawn_once_however_many_paths_it_is_on(tmp_path: Path) -> None:
    pages, drawn = render(tmp_path, {"s.jsonl": FORKED})

    assert drawn.counts.turns == len(FORKED)
    assert drawn.counts.pages == sum(url.endswith((".html", ".md")) for url in pages)


def test_every_message_has_its_anchor_and_its_text_in_both_formats(tmp_path: Path) -> None:
    pages, _ = render(tmp_path, {"s.jsonl": FORKED})

    for url in ("transcripts/transcript_s_path2.html", "markdown/transcript_s_path2.md"):
        names = [f"m-{uuid(name)[:8]}" for name in ("p1", "r1", "p3", "r3")]
        assert anchors(pages[url]) == names
        assert "Fast it is." in pages[url]
        assert "Slow it is." not in pages[url]


def test_the_markdown_header_says_which_path_it_is(tmp_path: Path) -> None:
    pages, _ = render(tmp_path, {"s.jsonl": FORKED})

    left = [
        line.rstrip()
        for line in pages["markdown/transcript_s_path1_abandoned.md"].split("\n")
    ]
    assert left[:7] == [
        "# CLAUDE CODE SESSION TRANSCRIPT",
        "",
        "Session ID: s",
        "Path: 1 of 2",
        "Status: ABANDONED",
        f"Fork Point: {uuid('r1')}",
        "Total Messages: 4",
    ]
    stayed = [line.rstrip() for line in pages["markdown/transcript_s_path2.md"].split("\n")]
    assert stayed[2:6] == [
        "Session ID: s",
        "Path: 2 of 2",
        "Status: ACTIVE",
        "Total Messages: 4",
    ]


def test_a_compaction_stands_in_its_place_and_in_the_header(tmp_path: Path) -> None:
    records = [
        prompt("p1", None, "Begin"),
        reply("r1", "p1", "Begun."),
        boundary("b1", "r1"),
        summary("s1", "b1", "What was said so far"),
        prompt("p2", "s1", "Go on"),
        reply("r2", "p2", "Went on."),
    ]

    pages, _ = render(tmp_path, {"s.jsonl": records})

    markdown = pages["markdown/transcript_s.md"]
    assert (
        "**Contains Compact Operation(s)** - Full conversation including compacted segments"
        in markdown
    )
    order = ["Begun.", "Conversation compacted", "What was said so far", "Go on"]
    assert sorted(order, key=markdown.index) == order
    assert "Contains 1 compaction" in pages["transcripts/transcript_s.html"]


def test_forks_name_every_way_and_mark_the_one_followed(tmp_path: Path) -> None:
    pages, _ = render(tmp_path, {"s.jsonl": FORKED})

    markdown = pages["markdown/transcript_s_path1_abandoned.md"]
    assert "- A slow one ← this path" in markdown
    link = "(ACTIVE, [Path 2](transcript_s_path2.md))"
    assert f"- A fast one {link}" in markdown
    page = pages["transcripts/transcript_s.html"]
    assert f'href="transcript_s_path2.html#m-{uuid("p3")[:8]}"' in page
    assert f'href="#m-{uuid("p2")[:8]}"' in page


def test_a_path_that_grows_changes_the_markdown_of_no_other_path(tmp_path: Path) -> None:
    more = [*FORKED, prompt("p4", "r3", "Go on"), reply("r4", "p4", "On it.")]

    before, _ = render(tmp_path / "a", {"s.jsonl": FORKED})
    after, _ = render(tmp_path / "b", {"s.jsonl": more})

    left = "markdown/transcript_s_path1_abandoned.md"
    why = re.compile(r"^- Why: .*$", re.MULTILINE)
    assert why.sub("", after[left]) == why.sub("", before[left])
    assert after["markdown/transcript_s_path2.md"].endswith("On it.\n")


def test_prompts_are_numbered_along_their_path(tmp_path: Path) -> None:
    pages, _ = render(tmp_path, {"s.jsonl": FORKED})

    for url in (
        "markdown/transcript_s_path1_abandoned.md",
        "markdown/transcript_s_path2.md",
    ):
        assert re.findall(r"^## (.*)$", pages[url], re.MULTILINE) == [
            "Prompt 1",
            "Prompt 2",
        ]
    page = html5lib.parse(
        pages["transcripts/transcript_s_path2.html"], namespaceHTMLElements=False
    )
    heads = ["".join(head.itertext()) for head in page.iter("h2")]
    names = [head.partition(":")[0] for head in heads if head.startswith("Prompt")]
    assert names == ["Prompt 1", "Prompt 2"]


def test_a_withdrawn_prompt_has_a_short_page_that_leads_to_the_rest(tmp_path: Path) -> None:
    records = [*FORKED[:2], prompt("w1", "r1", "Oops"), *FORKED[4:]]

    pages, drawn = render(tmp_path, {"s.jsonl": records})

    (short, _) = drawn.facts[0].paths
    assert short.is_withdrawn
    for url in (short.url, short.markdown_url):
        assert anchors(pages[url]) == [f"m-{uuid('w1')[:8]}"]
        assert "Which kind?" not in pages[url]
    fork = f"#m-{uuid('r1')[:8]}"
    assert f"transcript_s_path2.md{fork}" in pages[short.markdown_url]
    assert f"transcript_s_path2.html{fork}" in pages[short.url]
    assert "## Prompt 2" in pages[short.markdown_url]
    assert "Asked in its place: A fast one" in pages[short.markdown_url]
    place = f'transcript_s_path2.html#m-{uuid("p3")[:8]}">A fast one</a>'
    assert place in pages[short.url]
    # One message leaves nothing to choose from.
    assert 'id="outline" hidden' in pages[short.url]
    assert 'id="outline" hidden' not in pages["transcripts/transcript_s_path2.html"]


def test_uuids_that_begin_alike_get_anchors_of_their_own(tmp_path: Path) -> None:
    records = [
        prompt("aaaaaaaa1", None, "First"),
        reply("aaaaaaaa2", "aaaaaaaa1", "Second"),
        prompt("aaaaaaaa3", "aaaaaaaa2", "Third"),
        reply("bbbbbbbb1", "aaaaaaaa3", "Fourth"),
    ]

    pages, _ = render(tmp_path, {"s.jsonl": records})

    expected = ["m-aaaaaaaa", "m-aaaaaaaa2", "m-aaaaaaaa3", "m-bbbbbbbb"]
    assert anchors(pages["transcripts/transcript_s.html"]) == expected
    assert anchors(pages["markdown/transcript_s.md"]) == expected


def test_a_long_result_is_one_blob_for_both_formats(tmp_path: Path) -> None:
    records = [
        prompt("p1", None, "Look"),
        call("c1", "p1", "Bash", command="ls"),
        result("o1", "c1", "\n".join(f"file {n}" for n in range(500))),
    ]

    pages, drawn = render(tmp_path, {"s.jsonl": records})

    (blob,) = [url for url in pages if url.startswith("blobs/")]
    assert f"../{blob}" in pages["transcripts/transcript_s.html"]
    assert f"../{blob}" in pages["markdown/transcript_s.md"]
    assert drawn.owners[blob] == ("s",)


@pytest.mark.parametrize(
    ("settings", "urls"),
    [
        (SiteSettings("A", has_html=False), {"transcript_s.md", "data/s.json"}),
        (
            SiteSettings("A", has_markdown=False),
            {"transcripts/transcript_s.html", "data/s.json"},
        ),
    ],
)
def test_one_format_only_makes_only_its_files(
    tmp_path: Path, settings: SiteSettings, urls: set[str]
) -> None:
    pages, _ = render(tmp_path, {"s.jsonl": FORKED[:2]}, settings)

    assert set(pages) == urls


def test_facts_tell_what_pages_were_made(tmp_path: Path) -> None:
    pages, drawn = render(tmp_path, {"s.jsonl": FORKED})

    facts = parse_session_facts(pages["data/s.json"].encode())
    assert facts == drawn.facts[0]
    left, stayed = facts.paths
    assert (left.status, stayed.status) == (Status.ABANDONED, Status.ACTIVE)
    assert left.own_ids == tuple(uuid(name) for name in ("p1", "r1", "p2", "r2"))
    assert stayed.own_ids == tuple(uuid(name) for name in ("p3", "r3"))
    assert {left.url, left.markdown_url, stayed.url, stayed.markdown_url} < set(pages)


def test_a_copy_is_listed_with_what_contains_it(tmp_path: Path) -> None:
    longer = [*FORKED[:2], prompt("p9", "r1", "And then"), reply("r9", "p9", "Then.")]

    pages, drawn = render(tmp_path, {"a.jsonl": FORKED[:2], "b.jsonl": longer})

    (copy,) = [copy for facts in drawn.facts for copy in facts.dropped]
    assert (copy.path.session, copy.by.session) == ("a", "b")
    assert (
        "Contains the copy: Write a parser (session a, path 1, 2 messages)"
        in (pages["markdown/transcript_b.md"])
    )
    assert "transcripts/transcript_a.html" not in pages


def test_an_agents_page_leads_back_to_its_call_and_its_call_to_it(tmp_path: Path) -> None:
    main = [
        prompt("p1", None, "Explore"),
        call("c1", "p1", "Task", prompt="Look around", subagent_type="Explore"),
        result("o1", "c1", "Found it."),
    ]
    side: list[Record] = [
        prompt("q1", None, "Look around", isSidechain=True, agentId="a1"),
        reply("t1", "q1", "Found it, sir.", isSidechain=True, agentId="a1"),
    ]
    meta = json.dumps({"agentType": "Explore", "toolUseId": "toolu_c1"})
    folder = tmp_path / "projects" / "-home-me-parser" / "s" / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1.meta.json").write_text(meta)

    pages, drawn = render(tmp_path, {"s.jsonl": main, "s/subagents/agent-a1.jsonl": side})

    agent, markdown = pages["agents/agent_s_a1.html"], pages["markdown/agent_s_a1.md"]
    assert "Found it, sir." in agent
    assert "Found it, sir." in markdown
    assert "## Request 1" in markdown
    assert "<h2>Request 1<" in agent
    assert "Request: Look around</span>" in agent
    assert "Prompt 1" not in agent + markdown
    assert "Prompt 1" in pages["markdown/transcript_s.md"]
    assert f"../transcripts/transcript_s.html#m-{uuid('c1')[:8]}" in agent
    assert "../agents/agent_s_a1.html" in pages["transcripts/transcript_s.html"]
    assert "(agent_s_a1.md)" in pages["markdown/transcript_s.md"]
    assert drawn.facts[0].agents[0].url == "agents/agent_s_a1.html"


def test_the_outline_of_an_agent_has_its_runs_of_tests(tmp_path: Path) -> None:
    ran = [
        one
        for at, said in enumerate(("1 failed, 2 passed in 0.1s", *["3 passed in 0.1s"] * 2))
        for one in (
            call(f"c{at}", f"o{at - 1}" if at else "q1", "Bash", command="pytest"),
            result(f"o{at}", f"c{at}", f"=== {said} ==="),
        )
    ]
    side = [
        {**one, "isSidechain": True, "agentId": "a1"}
        for one in (prompt("q1", None, "Mend it"), *ran, reply("t1", "o2", "Mended."))
    ]

    pages, _ = render(tmp_path, {"s.jsonl": FORKED, "s/subagents/agent-a1.jsonl": side})

    outline = pages["agents/agent_s_a1.html"].split('id="outline"')[1].split("</ol>")[0]
    rows = re.findall(r"<span[^>]*>([^<]+)</span>(?: <span>([^<]+)</span>)?</a>", outline)
    assert rows == [
        ("1", "Request: Mend it"),
        ("✕", "1 of 3 tests failed"),
        ("✓", "3 tests passed"),
        ("Result", ""),
    ]


def test_agents_lead_to_those_beside_them_as_the_session_lists_them(tmp_path: Path) -> None:
    names = ("b2", "c3", "a1")
    files: dict[str, list[Record]] = {}
    for number, name in enumerate(names):
        aside = {"isSidechain": True, "agentId": name}
        at = f"2026-01-01T0{number}:00:00Z"
        files[f"s/subagents/agent-{name}.jsonl"] = [
            prompt(f"q{name}", None, f"Look {number}\n\nThen say", timestamp=at, **aside),
            reply(f"t{name}", f"q{name}", "Found it, sir.", timestamp=at, **aside),
        ]

    pages, _ = render(tmp_path, files)

    first, second, third = (pages[f"agents/agent_s_{name}.html"] for name in names)
    assert first.count("Agent 1 of 3") == second.count("Agent 2 of 3") == 2
    assert 'rel="prev"' not in first
    assert 'href="agent_s_c3.html" rel="next"' in first
    assert 'href="agent_s_b2.html" rel="prev"' in second
    assert 'href="agent_s_a1.html" rel="next"' in second
    assert 'rel="next"' not in third
    assert "<h1>Look 0 · Then say</h1>" in first


def test_an_agent_whose_call_is_not_there_leads_to_its_session(tmp_path: Path) -> None:
    side: list[Record] = [
        prompt("q1", None, "Look around", isSidechain=True, agentId="a1"),
        reply("t1", "q1", "Found it, sir.", isSidechain=True, agentId="a1"),
    ]

    pages, _ = render(tmp_path, {"s/subagents/agent-a1.jsonl": side})

    agent = pages["agents/agent_s_a1.html"]
    assert '<a href="../sessions/session_s.html">Where it started</a>' in agent


def test_a_commit_that_no_code_host_shows_leads_to_its_message(tmp_path: Path) -> None:
    made = [
        prompt("p1", None, "Commit it"),
        call("c1", "p1", "Bash", command="git commit -m Fix"),
        result("o1", "c1", "[main abc1234] Fix\n 1 file changed"),
        call("c2", "o1", "Bash", command="git commit -m Fix"),
        result("o2", "c2", "[main abc1234] Fix\n 1 file changed"),
    ]
    pages, _ = render(tmp_path, {"s.jsonl": made})

    page = pages["transcripts/transcript_s.html"]
    anchors = [f"m-{uuid(name)[:8]}" for name in ("c1", "c2")]
    (steps,) = re.findall("2 steps in git(.*?)</ul>", page, re.DOTALL)
    assert re.findall('<li><a href="#([^"]+)"', steps) == anchors
    assert all(f'id="{anchor}"' in page for anchor in anchors)
    assert "abc1234" in steps


def test_sessions_that_went_on_apart_name_each_other(tmp_path: Path) -> None:
    one = [*FORKED[:2], prompt("p8", "r1", "This way"), reply("r8", "p8", "So.")]
    other = [*FORKED[:2], prompt("p9", "r1", "That way"), reply("r9", "p9", "Or so.")]

    pages, _ = render(tmp_path, {"a.jsonl": one, "b.jsonl": other})

    assert (
        "- Shares 2 messages with a session that went on by itself:"
        " [Path 1 of session b](transcript_b.md)"
    ) in pages["markdown/transcript_a.md"]
    page = pages["transcripts/transcript_a.html"]
    assert '<a href="transcript_b.html">Session b shares 2 messages</a>' in page


def test_neighbours_among_the_paths_of_a_session_are_linked(tmp_path: Path) -> None:
    pages, _ = render(tmp_path, {"s.jsonl": FORKED})

    first = pages["markdown/transcript_s_path1_abandoned.md"]
    second = pages["markdown/transcript_s_path2.md"]
    assert "- Next path: [Path 2](transcript_s_path2.md)" in first
    assert "Previous path" not in first
    assert "- Previous path: [Path 1](transcript_s_path1_abandoned.md)" in second
    assert "Next path" not in second


def test_hostile_words_stay_words_everywhere(tmp_path: Path) -> None:
    records: list[Record] = [
        prompt("p1", None, HOSTILE),
        reply("r1", "p1", HOSTILE),
        {"type": "custom-title", "customTitle": HOSTILE, "sessionId": "s"},
    ]

    pages, _ = render(tmp_path, {"s.jsonl": records})

    page = html5lib.parse(
        pages["transcripts/transcript_s.html"], namespaceHTMLElements=False
    )
    assert all(script.get("src") for script in page.iter("script"))
    assert "{{ 7*7 }}" in "".join(page.itertext())
    assert "<script>" not in pages["markdown/transcript_s.md"].replace("`<", "")


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    first, _ = render(tmp_path / "a", {"s.jsonl": FORKED})
    second, _ = render(tmp_path / "b", {"s.jsonl": FORKED})

    assert list(first.items()) == list(second.items())
    assert not any(str(tmp_path) in text for text in first.values())
