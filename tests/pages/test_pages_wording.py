"""The words that pages share, and the steps in git that they link to."""

from __future__ import annotations

import re

import pytest

from everyleaf.graph.forest import Contained, PathRef, SeamKind, Status
from everyleaf.pages.gist import gist
from everyleaf.pages.wording import (
    SEAMS,
    commit_views,
    contained_copy,
    files_touched,
    models,
    month_of,
    pull_requests_made,
    shortened,
    tokens,
    when,
    why,
)
from everyleaf.render.entries import commit_words
from everyleaf.transcript.document import Commit, FileChange, Usage
from hanging import ends_soon

MADE = Commit("abc1234def", "Fix the parser", "main")
PULL = Commit("", "#7", kind="pull-request", url="https://example.org/a/b/pull/7")


@pytest.mark.parametrize(
    ("started", "ended", "text"),
    [
        ("2026-01-31T14:05:00Z", "2026-01-31T14:05:59Z", "2026-01-31 14:05 UTC"),
        (
            "2026-01-31T14:05:00Z",
            "2026-01-31T15:05:00Z",
            "2026-01-31 14:05 to 15:05 UTC (1 h)",
        ),
        (
            "2026-01-31T23:59:00Z",
            "2026-02-01T00:01:00Z",
            "2026-01-31 23:59 to 2026-02-01 00:01 UTC (2 min)",
        ),
        ("", "2026-01-31T14:05:00Z", "2026-01-31 14:05 UTC"),
        ("2026-01-31T14:05:00Z", "", "2026-01-31 14:05 UTC"),
        ("", "", ""),
        ("2026-01-31T14:05:00Z", "2026-01-31T13:00:00Z", "2026-01-31 14:05 UTC"),
    ],
)
def test_a_span_of_time_names_each_day_once(started: str, ended: str, text: str) -> None:
    assert when(started, ended, ["2026-01-31"]) == text


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("**Fix** the `lexer`, see [notes](a.md)", "Fix the lexer, see notes"),
        (
            "Implement this plan: # Add --local ## Context It is",
            "Implement this plan: Add --local",
        ),
        ("# Module Build it ## Rules None", "Module Build it"),
        (
            "look at issue # 5 and src/*.py, a ** b",
            "look at issue # 5 and src/*.py, a ** b",
        ),
        ("two\nlines", "two lines"),
        ("Type `` `bash -c x` `` or ``` y ```", "Type bash -c x or y"),
        ("It runs `bash -c one two…", "It runs bash -c one two…"),
        ("``` Add all refs to it…", "Add all refs to it…"),
        ("Keep a | b of **kwargs", "Keep a | b of **kwargs"),
        ("So: | n | now | |---:|---| | 1 | 2 | End", "So: n, now; 1, 2, End"),
        ("So: | n | now | |---:|---…", "So: n, now"),
        ("> one > two", "one two"),
        ("Answer · > one · > two, 3 > 2", "Answer · one · two, 3 > 2"),
        ("- [ ] one · - two - three", "one · two - three"),
        ("-5 > -6, and ->", "-5 > -6, and ->"),
        ("", ""),
    ],
)
def test_a_title_is_one_plain_line(text: str, title: str) -> None:
    assert shortened(text) == title


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("## ✅ Fixed:\n\n- one\n- two\n\nBoth build. And more.", "Both build. And more."),
        (
            "Good work. Three remain.\n\nAll else is sound.",
            "Good work. Three remain. All else is sound.",
        ),
        ("The structure is now:\n\n- one\n- two", "The structure is now: one; two"),
        (
            "---\n\n# Report\n\n**Task:** all\n**Result**\n\nIt is `fast` (2.5 s).",
            "It is fast (2.5 s).",
        ),
        (
            "Perfect! All 34 tests pass. Now I have it all.\n\nIt works:\n```\na = 1\n```",
            "It works…",
        ),
        ("Done. Let me write a summary.", "Done."),
        ("# Project begun\n\n| a | b |\n|---|---|", "Project begun"),
        ("```\nAdd all refs\n\nMirrors them. All.\n```", "Add all refs"),
        ('```json\n{"verdict": "neutral"}\n```', "verdict: neutral"),
        ("更新しました。主な更新内容\uff1a", "更新しました。主な更新内容…"),
        ("It ended\nin two lines, e.g. so", "It ended in two lines, e.g. so"),
        ("long " * 80, f"{'long ' * 59}long…"),
        ("One is new:\n\n| a |\n|---|\n\nIt is slow.", "One is new: … It is slow."),
        ("\x1b[1mloud", "[1mloud"),
        ("> quoted *only*\n> twice", "quoted only twice"),
        ("> quoted\n\nIt is so.\n\n> > why\n>\n> not", "It is so. why not"),
        ("- one\n- two", "one; two"),
        ("", ""),
    ],
)
def test_a_reply_is_told_from_the_first_sentence_that_says_what_came_of_it(reply, told):
    assert gist(reply) == told


@pytest.mark.parametrize("piece", [" ", "\n", "\n ", "- ", "\u2026 ", "|\n", "`", "~~~\n"])
def test_no_reply_takes_long_to_tell(piece: str) -> None:
    with ends_soon():
        gist(f"It is done now{piece * 4_000}\nx")


@pytest.mark.parametrize(
    "rule",
    [
        "named by leafUuid in line 4",
        "another branch is named by leafUuid in line 4",
        "later branch at every fork, up to line 9",
        "later branch at the fork, line 44 over 42",
        "withdrawn before a reply; later branch at the fork, line 44 over 42",
        "withdrawn without a reply; begun again in line 9",
        "rewound to before the first prompt in line 9",
    ],
)
def test_a_reader_is_told_no_lines_and_no_fields(rule: str) -> None:
    assert not re.search(r"line|leafUuid|[0-9]", why(rule))
    assert why("the only path") == ""


def test_of_a_resumed_session_the_days_are_told_that_were_worked_on() -> None:
    # Issue 14: told as 6309 h 33 min.
    span = ("2026-01-31T14:05:00Z", "2026-10-21T11:38:00Z")

    told = "2026-01-31 14:05 to 2026-10-21 11:38 UTC"
    assert when(*span, ["2026-01-31", "2026-10-21"]) == f"{told} (worked on 2 days)"
    # Kept of a session whose source has gone, by an earlier version.
    assert when(*span, ()) == told


def test_tokens_are_told_by_kind_or_not_at_all() -> None:
    told = "1,000 in, 2 out, 0 cache read, 4 cache written"

    assert tokens(Usage(1000, 2, 0, 4)) == told
    assert tokens(Usage()) == ""


def test_several_models_are_told_with_their_share() -> None:
    assert models([("a", 1.0)]) == "a"
    assert models([("a", 0.75), ("", 0.1), ("b", 0.25)]) == "a (75%), b (25%)"
    assert models([]) == ""


def test_files_are_counted_with_their_lines() -> None:
    changes = [FileChange("a", 1000, 2), FileChange("b", 3, 4)]

    assert files_touched(changes) == "2 files (+1,003 \N{MINUS SIGN}6)"
    assert files_touched([]) == ""


def test_a_copy_is_told_with_its_place_and_length() -> None:
    ref = PathRef("s", 2)
    copy = Contained(ref, ref, Status.ACTIVE, "T", messages=1, leaf_uuid="a")

    assert contained_copy(copy) == "T (session s, path 2, 1 message)"


def test_every_kind_of_seam_has_its_words() -> None:
    assert set(SEAMS) == set(SeamKind)


def test_a_time_that_cannot_be_read_has_no_month() -> None:
    assert month_of("2025-12-31T23:30:00-01:00") == "January 2026"
    assert month_of("yesterday") == "Unknown time"


def test_a_long_title_is_cut_at_a_word() -> None:
    assert shortened("one\n two\u202e") == "one two[U+202E]"
    assert shortened("word " * 40, 12) == "word word…"
    assert shortened("x" * 40, 12) == "x" * 12 + "…"


@pytest.mark.parametrize(
    ("commit", "words"),
    [
        (MADE, "Commit abc1234 Fix the parser (main)"),
        (Commit("", branch="main", kind="push"), "Push (main)"),
        (PULL, "Pull request #7"),
        (Commit("abc1234", "\x1b[1mloud"), "Commit abc1234 [1mloud"),
    ],
)
def test_line_says_what_was_done_and_to_what(commit, words):
    assert commit_words(commit) == words


def test_commits_are_linked_where_a_pull_request_tells_the_remote():
    views = list(commit_views((MADE, PULL)))

    assert [view.url for view in views] == [
        "https://example.org/a/b/commit/abc1234def",
        "https://example.org/a/b/pull/7",
    ]


def test_commits_are_not_linked_where_the_remote_is_not_known():
    elsewhere = Commit("", kind="pull-request", url="https://example.org/c/d/pull/1")

    assert [view.url for view in commit_views((MADE,))] == [""]
    assert next(view.url for view in commit_views((MADE, PULL, elsewhere))) == ""


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", 'https://example.org/a/b/pull/7" onclick=x', "pull/7"]
)
def test_address_that_is_no_pull_request_is_never_live(url):
    hostile = Commit("", kind="pull-request", url=url)

    assert [view.url for view in commit_views((hostile, MADE))] == ["", ""]


def test_several_pull_requests_are_counted_and_the_last_named():
    made = [Commit("", f"#{n}", kind=PULL.kind) for n in (7, 8, 8)]

    assert pull_requests_made(made) == "2 pull requests, the last #8"
    assert pull_requests_made(made[:1]) == "pull request #7"
    assert not pull_requests_made([])
