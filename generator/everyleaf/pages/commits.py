"""What a path did to git history, for the head of its page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.render.committed import commit_words
from everyleaf.render.view import CommitView

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.transcript.document import Commit

_PULL = re.compile(r"(https://[A-Za-z0-9.-]+/[\w.-]+/[\w.-]+)/pull/[0-9]+")
"""A pull request; its first group is the repository, which shows commits too."""
_HASH = re.compile(r"[0-9a-f]{7,40}")


def commit_views(commits: Sequence[Commit]) -> Iterator[CommitView]:
    """Yield `commits` in their order, linked where a pull request tells the remote.

    Only if all pull requests are of one repository: else it is not known whose a commit is.
    """
    found = [_PULL.fullmatch(commit.url) for commit in commits]
    remotes = {match[1] for match in found if match}
    remote = remotes.pop() if len(remotes) == 1 else ""
    for commit, match in zip(commits, found, strict=True):
        url = match[0] if match else ""
        if not url and remote and _HASH.fullmatch(commit.hash):
            url = f"{remote}/commit/{commit.hash}"
        yield CommitView(commit_words(commit), url)
