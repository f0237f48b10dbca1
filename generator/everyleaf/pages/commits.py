"""What a path did to git history, for the head of its page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.render.committed import commit_words
from everyleaf.render.view import CommitView
from everyleaf.transcript.document import PULL_REQUEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.transcript.document import Commit

_PULL = re.compile(r"(https://[A-Za-z0-9.-]+/[\w.-]+/[\w.-]+)/pull/[0-9]+")
"""A pull request; its first group is the repository, which shows commits too."""
_REPOSITORY = re.compile(r"https://[A-Za-z0-9.-]+(?:/[\w.~-]+){2,6}")
_HASH = re.compile(r"[0-9a-f]{7,40}")
_PUSH = "push"
_NO_COMMIT = frozenset({_PUSH, PULL_REQUEST})


def commit_views(commits: Sequence[Commit]) -> Iterator[CommitView]:
    """Yield `commits` in their order, linked where the remote is known.

    It is known from the pull requests, else from the pushes, if all are of one repository:
    else it is not known whose a commit is.
    """
    remote = _remote(commits)
    for commit in commits:
        yield CommitView(commit_words(commit), _url(commit, remote))


def count_commits(commits: Sequence[Commit]) -> int:
    """Return how many of `commits` are commits, not pushes or pull requests."""
    return sum(commit.kind not in _NO_COMMIT for commit in commits)


def _remote(commits: Sequence[Commit]) -> str:
    pulls = (_PULL.fullmatch(c.url) for c in commits if c.kind == PULL_REQUEST)
    pushes = (_REPOSITORY.fullmatch(c.url) for c in commits if c.kind == _PUSH)
    requested = {found[1] for found in pulls if found}
    remotes = requested or {found[0] for found in pushes if found}
    return remotes.pop() if len(remotes) == 1 else ""


def _url(commit: Commit, remote: str) -> str:
    if commit.url:
        pattern = _PULL if commit.kind == PULL_REQUEST else _REPOSITORY
        return commit.url if pattern.fullmatch(commit.url) else ""
    is_linked = remote and _HASH.fullmatch(commit.hash)
    return f"{remote}/commit/{commit.hash}" if is_linked else ""
