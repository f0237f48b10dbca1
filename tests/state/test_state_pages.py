"""Page by page: a build draws the pages whose bytes change, and no other."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from everyleaf.outputs import StagedFile
from everyleaf.state.groups import sort_files
from sessions import append_prompt, line
from state.building import ROOT, build, contents

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLE = ROOT / "examples" / "archive"
PAGE_DIRS = ("transcripts/", "agents/", "compare/", "sessions/", "markdown/")
PROJECTS = EXAMPLE / "projects"
AGENT = (
    "-home-ada-code-dewpoint/2abbdf99-9580-4822-a1b9-ed7aa0ef9936/subagents/"
    "agent-ae0599b9941b9a50d.jsonl"
)
GROWING = (
    "-home-ada-code-ladle/15a7d631-1f18-4200-bf39-166feaedf714.jsonl",
    "-home-ada-code-ladle/79ed1050-ccef-45dc-8af9-83a96646ca71.jsonl",
    "-home-ada-code-dewpoint/2abbdf99-9580-4822-a1b9-ed7aa0ef9936.jsonl",
    "-home-ada-code-slackwater/6df8cff4-4d09-44cf-a2ab-b12d33eac81f.jsonl",
    AGENT,
)
"""With copies that went on elsewhere, with attempts, with subagents, plain; a subagent."""


def said(name: str, parent: str, second: int) -> str:
    """Return the line of a prompt (u…) or a reply (a…)."""
    kind = "user" if name.startswith("u") else "assistant"
    above = f"{parent:0<8}-0000" if parent else None
    return line(kind, f"{name:0<8}-0000", above, second, f"{name} says")


FORKED = (
    said("u1", "", 1)
    + said("a1", "u1", 2)
    + said("u2", "a1", 3)
    + said("a2", "u2", 4)
    + said("u3", "a1", 5)
    + said("a3", "u3", 6)
)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    project = tmp_path / "projects" / "-w-app"
    project.mkdir(parents=True)
    (project / "fork.jsonl").write_text(FORKED)
    return project


def pages(site: Path) -> dict[str, bytes]:
    return {
        url: body
        for url, body in contents(site).items()
        if url.startswith(PAGE_DIRS) and not url.endswith("index.md")
    }


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    return sorted(url for url, body in after.items() if before.get(url) != body)


def go_on(file: Path) -> None:
    """Let the person go on where `file` ends."""
    said = [json.loads(each) for each in file.read_text().splitlines()]
    last = next(one for one in reversed(said) if one.get("type") in {"user", "assistant"})
    append_prompt(file, last, "And one more thing.")


@pytest.mark.parametrize("name", GROWING)
def test_one_line_more_draws_the_pages_that_it_changes(tmp_path: Path, name: str) -> None:
    source = tmp_path / "archive"
    shutil.copytree(PROJECTS, source)
    build(source, tmp_path / "site")
    before = pages(tmp_path / "site")
    go_on(source / name)

    again = build(source, tmp_path / "site")

    after = pages(tmp_path / "site")
    assert again.counts.pages == len(changed(before, after)) < len(after)
    build(source, tmp_path / "clean", has_cache=False)
    assert pages(tmp_path / "clean") == after


def test_a_path_that_goes_on_leaves_the_text_of_the_others(
    tmp_path: Path, source: Path
) -> None:
    build(source, tmp_path / "site")
    before = pages(tmp_path / "site")
    with (source / "fork.jsonl").open("a") as file:
        file.write(said("u4", "a3", 7))

    again = build(source, tmp_path / "site")

    drawn = changed(before, pages(tmp_path / "site"))
    assert drawn == [
        "compare/compare_fork_1_2.html",
        "markdown/transcript_fork_path2.md",
        "sessions/session_fork.html",
        "transcripts/transcript_fork.html",
        "transcripts/transcript_fork_path2.html",
    ]
    assert again.counts.pages == len(drawn)


def test_another_session_that_carries_on_draws_its_own_pages(
    tmp_path: Path, source: Path
) -> None:
    (source / "copy.jsonl").write_text(FORKED + said("u5", "a3", 8))
    build(source, tmp_path / "site")
    before = pages(tmp_path / "site")
    with (source / "copy.jsonl").open("a") as file:
        file.write(said("a5", "u5", 9))

    again = build(source, tmp_path / "site")

    drawn = changed(before, pages(tmp_path / "site"))
    assert again.counts.families == 1
    assert again.counts.pages == len(drawn) < len(before)


def test_a_summary_in_another_file_is_brought_to_the_session_that_it_names(
    tmp_path: Path, source: Path
) -> None:
    for name in "bcd":
        other = FORKED.replace("-0000", f"-000{name}")
        (source / f"other-{name}.jsonl").write_text(other)
    told = {
        "fork": "How the fork was mended",
        "other-c": "What c is about",
        "other-d": "What d is about",
    }
    leaves = {"fork": "a3000000-0000", "other-c": "a3000000-000c", "other-d": "gone"}
    summaries = source / "summaries.jsonl"

    def write(**titles: str) -> None:
        summaries.write_text(
            "".join(
                json.dumps({"type": "summary", "summary": title, "leafUuid": leaves[name]})
                + "\n"
                for name, title in titles.items()
            )
        )

    write(**told)
    build(source, tmp_path / "site")
    write(**told | {"other-c": "What c was about all the time"})

    again = build(source, tmp_path / "site")

    build(source, tmp_path / "fresh")
    assert contents(tmp_path / "site") == contents(tmp_path / "fresh")
    page = (tmp_path / "site" / "sessions" / "session_other-c.html").read_text()
    assert "What c was about all the time" in page
    # Its own group and that one were solved; the others it says the same of as before.
    assert (again.counts.families, again.counts.records) == (2, 0)


def test_a_page_that_was_edited_is_drawn_alone(tmp_path: Path, source: Path) -> None:
    build(source, tmp_path / "site")
    before = contents(tmp_path / "site")
    (tmp_path / "site" / "markdown" / "transcript_fork_path2.md").write_text("mine")

    again = build(source, tmp_path / "site")

    assert (again.counts.pages, again.wrote) == (1, 1)
    # What it shares with the other path is taken from that one's page.
    assert again.counts.records == 2
    assert contents(tmp_path / "site") == before


@pytest.mark.parametrize("folder", ["blobs", "compare"])
def test_what_was_deleted_is_drawn_again(tmp_path: Path, folder: str) -> None:
    build(EXAMPLE, tmp_path / "site")
    before = contents(tmp_path / "site")
    shutil.rmtree(tmp_path / "site" / folder)

    again = build(EXAMPLE, tmp_path / "site")

    assert again.wrote == sum(url.startswith(f"{folder}/") for url in before)
    assert contents(tmp_path / "site") == before


def test_other_subagent_page_changes_the_pages_that_lead_there(tmp_path: Path) -> None:
    source = tmp_path / "archive"
    shutil.copytree(PROJECTS, source)
    agent = source / AGENT
    kept = agent.read_bytes()
    agent.unlink()
    build(source, tmp_path / "site")
    before = pages(tmp_path / "site")
    agent.write_bytes(kept)

    again = build(source, tmp_path / "site")

    after = pages(tmp_path / "site")
    assert again.counts.pages == len(changed(before, after))
    build(source, tmp_path / "clean", has_cache=False)
    assert pages(tmp_path / "clean") == after


def test_files_are_sorted_by_who_accounts_for_them() -> None:
    urls = {"a": {"two", "one"}, "b": {"one"}, "c": {"one", "two"}, "d": set()}
    drawn = [StagedFile(url, f"0{url}") for url in (*reversed(urls), "e")]

    files = sort_files(drawn, urls)

    assert files.digests == {"a": "0a", "b": "0b", "c": "0c", "d": "0d", "e": "0e"}
    assert list(files.digests) == ["d", "e", "b", "a", "c"]
    assert files.owners == (((), 2), (("one",), 1), (("one", "two"), 2))
