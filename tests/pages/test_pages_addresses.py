"""Addresses: short, safe on every file system, the same for ever."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from everyleaf.graph.forest import Status
from everyleaf.pages.addresses import (
    NAME_LENGTH,
    agent_markdown_url,
    agent_url,
    blob_url,
    facts_url,
    markdown_url,
    project_url,
    reduce_name,
    relative,
    root_of,
    session_url,
    transcript_url,
)

ID = "0b3f4c2e-5f0a-4a51-9d6b-1c2d3e4f5a6b"


def test_addresses_are_those_of_the_design() -> None:
    assert transcript_url(ID, 1) == f"transcripts/transcript_{ID}.html"
    assert transcript_url(ID, 2) == f"transcripts/transcript_{ID}_path2.html"
    assert session_url(ID) == f"sessions/session_{ID}.html"
    assert agent_url(ID, "a1") == f"agents/agent_{ID}_a1.html"
    assert agent_markdown_url(ID, "a1") == f"markdown/agent_{ID}_a1.md"
    assert project_url("parser") == "projects/parser.html"
    assert facts_url(ID) == f"data/{ID}.json"
    assert blob_url("x.png") == "blobs/x.png"


@pytest.mark.parametrize(
    ("number", "of", "status", "name"),
    [
        (1, 1, Status.ACTIVE, f"transcript_{ID}.md"),
        (1, 1, Status.ABANDONED, f"transcript_{ID}.md"),
        (1, 2, Status.ACTIVE, f"transcript_{ID}_path1.md"),
        (2, 2, Status.ABANDONED, f"transcript_{ID}_path2_abandoned.md"),
    ],
)
def test_of_several_markdown_files_the_name_says_which_was_left(
    number: int, of: int, status: Status, name: str
) -> None:
    assert markdown_url(ID, number, of, status) == f"markdown/{name}"
    assert markdown_url(ID, number, of, status, folder="") == name


@given(st.text(max_size=300))
def test_any_name_becomes_a_file_name_that_every_system_takes(text: str) -> None:
    name = reduce_name(text)

    assert re.fullmatch(r"[A-Za-z0-9._-]+", name)
    assert len(name) <= NAME_LENGTH + 1
    assert name[0] not in ".-"
    assert name[-1] != "."


@given(st.lists(st.text(max_size=8), unique=True, max_size=20))
def test_different_names_stay_different(texts: list[str]) -> None:
    assert len({reduce_name(text) for text in texts}) == len(texts)


def test_agents_whose_ids_differ_in_case_alone_have_pages_of_their_own() -> None:
    urls = {agent_url("s", one) for one in ("abc1", "Abc1", "ABC1")}
    files = {agent_markdown_url("s", one) for one in ("abc1", "Abc1", "ABC1")}

    assert len({url.casefold() for url in urls}) == 3
    assert {url[7:-4] for url in urls} == {file[9:-2] for file in files}
    assert "agents/agent_s_abc1.html" in urls


@pytest.mark.parametrize("name", ["con", "NUL", "com1", "aux.txt", "lpt9.a.b"])
def test_names_that_windows_keeps_for_itself_are_avoided(name: str) -> None:
    assert reduce_name(name) == f"_{name}"


@pytest.mark.parametrize("name", ["console", "nul-x", ID, "a.b_c-d"])
def test_a_name_that_is_fine_stays_as_it_is(name: str) -> None:
    assert reduce_name(name) == name


def test_a_session_that_looks_like_a_path_of_another_takes_no_address_of_it() -> None:
    assert transcript_url("s_path2", 1) != transcript_url("s", 2)


def test_a_project_with_its_parent_in_front_is_readable() -> None:
    assert project_url("dev/parser") == "projects/dev--parser.html"
    assert project_url("/") == "projects/x.html"
    assert ".." not in project_url("../../etc")


@pytest.mark.parametrize(
    ("here", "target", "link"),
    [
        ("index.html", "projects/a.html", "projects/a.html"),
        ("transcripts/a.html", "transcripts/b.html#m-1", "b.html#m-1"),
        ("transcripts/a.html", "blobs/b.png", "../blobs/b.png"),
        ("a.md", "blobs/b.png", "blobs/b.png"),
        ("sessions/a.html", "index.html", "../index.html"),
    ],
)
def test_links_are_relative_to_their_page(here: str, target: str, link: str) -> None:
    assert relative(here, target) == link


def test_the_root_is_as_far_up_as_the_page_is_deep() -> None:
    assert root_of("index.html") == ""
    assert root_of("transcripts/a.html") == "../"
