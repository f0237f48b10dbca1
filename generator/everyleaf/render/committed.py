"""Steps of a git history in one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.theming.characters import visible

if TYPE_CHECKING:
    from everyleaf.transcript.document import Commit

SHORT_HASH = 7


def commit_words(commit: Commit) -> str:
    """Return what was done and to what: kind, short hash, subject, branch.

    >>> from everyleaf.transcript.document import Commit
    >>> commit_words(Commit("abc1234567", "Fix it", "main"))
    'Commit abc1234 Fix it (main)'
    >>> commit_words(Commit("", branch="main", kind="push"))
    'Push (main)'
    """
    kind = commit.kind.replace("-", " ").capitalize()
    branch = f"({commit.branch})" if commit.branch else ""
    words = (kind, commit.hash[:SHORT_HASH], commit.subject, branch)
    return visible(" ".join(word for word in words if word))
