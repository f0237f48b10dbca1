"""The index: made by Pagefind itself, and the same each time."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from urllib.parse import unquote

import pagefind.service
import pytest

from everyleaf.errors import ConfigError
from everyleaf.search import index
from everyleaf.search.index import build_index
from everyleaf.search.pages import SearchText
from search.conftest import fragments, page

MANY = [
    page(n, f"word{n} alpha", f"beta {n}", project=f"p{n}", month=f"2026-{n:02}")
    for n in range(1, 13)
]


def places(fragment):
    return {anchor["id"]: anchor["location"] for anchor in fragment["anchors"]}


def test_a_message_stands_behind_its_anchor():
    (found,) = fragments(build_index([page(1, "alpha beta", "gamma <b>")]))

    words = found["content"].split()
    at = places(found)
    assert words[at["title:main"]] == "Conversation"
    assert words[at["prompt:m-1:0:"]] == "alpha"
    assert words[at["prompt:m-2:0:"]] == "gamma"
    assert "<b>" in found["content"]


def test_a_message_has_its_prompt_and_its_time_behind_its_anchor():
    said = (SearchText("reply", "m-1", "alpha", 4, "2026-03-01T10:05"),)

    (found,) = fragments(build_index([page(1, said=said)]))

    (anchor,) = (each["id"] for each in found["anchors"] if "m-1" in each["id"])
    assert unquote(anchor) == "reply:m-1:4:2026-03-01T10:05"


def test_a_document_says_where_it_is_from_without_being_found_by_it():
    odd = page(1, "alpha", url="transcripts/a%_b.html", title='A "title" <x> é')

    (found,) = fragments(build_index([odd]))

    about = [anchor["id"].split(":", 1) for anchor in found["anchors"][:2]]
    assert [(name, unquote(text)) for name, text in about] == [
        ("page", odd.url),
        ("name", odd.title),
    ]
    assert found["meta"] == {}
    assert "transcripts" not in found["content"]


def test_filters_are_what_the_page_says_of_itself():
    (found,) = fragments(build_index([page(1, "alpha", project="a & b", month="")]))

    assert found["filters"] == {"project": ["a & b"], "status": ["active"]}


def test_the_same_pages_give_the_same_bytes():
    assert build_index(MANY) == build_index(MANY)


def test_a_long_page_becomes_several_documents_with_one_title(monkeypatch):
    monkeypatch.setattr(index, "LONGEST", 40)

    found = fragments(build_index([page(1, *["word " * 6] * 4)]))

    assert len(found) > 1
    assert sum("title:main" in places(one) for one in found) == 1
    anchors = [name for one in found for name in places(one) if name.startswith("prompt")]
    assert sorted(anchors) == [f"prompt:m-{n}:0:" for n in range(1, 5)]


def test_a_new_page_changes_no_document_of_another():
    few, more = build_index(MANY[:3]), build_index(MANY[:4])

    names = [{o.url for o in outputs if "/fragment/" in o.url} for outputs in (few, more)]
    assert names[0] < names[1]


def test_without_a_page_there_is_no_index():
    assert build_index([]) == []
    assert build_index([page(1, title="")]) == []


def test_only_what_a_browser_needs_to_search_is_published():
    urls = [output.url for output in build_index([page(1, "alpha")])]

    assert urls == sorted(urls)
    assert all(url.startswith("pagefind/") for url in urls)
    assert not any("-ui" in url or "highlight" in url for url in urls)


def test_a_missing_program_says_what_to_do(monkeypatch):
    monkeypatch.setattr(pagefind.service, "get_executable", lambda: None)

    with pytest.raises(ConfigError, match="missing") as caught:
        build_index([page(1, "alpha")])

    assert "--no-search" in caught.value.hint


def test_a_program_that_cannot_run_says_why(monkeypatch, tmp_path):
    monkeypatch.setattr(pagefind.service, "get_executable", lambda: tmp_path / "none")

    with pytest.raises(ConfigError, match="cannot be run"):
        build_index([page(1, "alpha")])


@pytest.mark.parametrize(("said", "shown"), [("a\nno disk", "no disk"), ("", "nothing")])
def test_a_failure_shows_the_last_line(monkeypatch, said, shown):
    failed = SimpleNamespace(returncode=1, stderr=said, stdout="")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: failed)
    monkeypatch.setattr(pagefind.service, "get_executable", lambda: sys.executable)

    with pytest.raises(ConfigError, match=shown):
        build_index([page(1, "alpha")])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("see a/b.py", ["see", "a/+", "b.py"]),
        ("https://a.example/x", ["https://+", "a.+", "example/+", "x"]),
        ("git / GitHub // both", ["git+/", "GitHub+//", "both"]),
        ("run ./x then \\ $SRC", ["run+./+", "x", "then+\\", "$SRC"]),
        ("turn's files │ merge", ["turn's", "files+│", "merge"]),
        ("v1.2, mcp==2.0.0 (1.2→2.0)", ["v+", "1.2,", "mcp==+", "2.0.0", "(1.2→+", "2.0)"]),
        (
            "ADR-0018 0018-move 2026-05-09-x",
            ["ADR-+", "0018", "0018-+", "move", "2026-05-09-x"],
        ),
        ("#228-229 utf-8 sha-256", ["#228-+", "229", "utf-8", "sha-256"]),
        ("id.checkpoint x.go", ["id.+", "checkpoint", "x.go"]),
        ("git diff 1a2b..3c4d", ["git", "diff", "1a2b..+", "3c4d"]),
        ("a=f(x)y b->c #23에서", ["a=+", "f(+", "x)+", "y", "b->+", "c", "#23+", "에서"]),
        ("18:08, main.go:45 a,b", ["18:08,", "main.go:+", "45", "a,+", "b"]),
        ("b.py의 말", ["b.py+", "의", "말"]),
        (">=2.0 -1.5 a1b2 3.4", [">=2.0", "-1.5", "a1b2", "3.4"]),
        ("PRを「更新」、OK", ["PR+", "を「+", "更+", "新」、OK"]),
    ],
)
def test_a_word_is_what_stands_between_blanks_slashes_and_signs(text, words):
    assert index.spaced(text).replace("\u2060", "+").split() == words
