from __future__ import annotations

import pytest

from everyleaf.pages.wording import commit_views
from everyleaf.render.committed import commit_words
from everyleaf.transcript.document import Commit

MADE = Commit("abc1234def", "Fix the parser", "main")
PULL = Commit("", "#7", kind="pull-request", url="https://example.org/a/b/pull/7")


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
