"""Finding the commits, pushes and pull requests that a shell command made."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.transcript.document import Commit
from everyleaf.transcript.values import object_at, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.records.schema import JsonObject, JsonValue

_REPORTED = re.compile(
    r"^\[([^\s\[\]]{1,200})(?: \(root-commit\))? ([0-9a-f]{7,40})\] ([^\n]{0,500})",
    re.MULTILINE,
)
"""What `git commit` prints: `[branch abc1234] subject`."""
_COMMITTING = re.compile(r"\bgit\b[^\n|;&]{0,200}?\b(commit|merge|cherry-pick|revert)\b")
_SHORT_HASH = 7


def find_commits(command: str, output: str, result: JsonValue) -> tuple[Commit, ...]:
    """Return what `command` did to git history, in the order reported.

    Hash and subject come from `output`; what `gitOperation` in `result` adds (pushes, pull
    requests, a commit whose output was silenced) stands behind.
    """
    commits: list[Commit] = []
    if _COMMITTING.search(command):
        commits += [Commit(m[2], m[3].strip(), m[1]) for m in _REPORTED.finditer(output)]
    known = {commit.hash[:_SHORT_HASH] for commit in commits}
    recorded = _recorded(object_at(result, "gitOperation"))
    return (
        *commits,
        *(c for c in recorded if not c.hash or c.hash[:_SHORT_HASH] not in known),
    )


def _recorded(operation: JsonObject) -> Iterator[Commit]:
    commit = object_at(operation, "commit")
    if commit:
        kind = text_at(commit, "kind") or "commit"
        kind = "commit" if kind == "committed" else kind
        yield Commit(text_at(commit, "sha"), branch=text_at(commit, "branch"), kind=kind)
    push = object_at(operation, "push")
    if push:
        yield Commit("", branch=text_at(push, "branch"), kind="push")
    request = object_at(operation, "pr")
    if request:
        number = request.get("number")
        subject = f"#{number}" if isinstance(number, int) else ""
        url = text_at(request, "url")
        yield Commit("", subject=subject, kind="pull-request", url=url)
