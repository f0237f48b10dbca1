"""Finding the commits, pushes and pull requests that a shell command made."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.transcript.document import PULL_REQUEST, Commit
from everyleaf.transcript.values import object_at, text_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.records.schema import JsonObject, JsonValue

_REPORTED = re.compile(
    r"^\[([^\s\[\]]{1,200})(?: \(root-commit\))? ([0-9a-f]{7,40})\] ([^\n]{0,500})",
    re.MULTILINE,
)
"""What `git commit` prints: `[branch abc1234] subject`."""
_COMMITTING = re.compile(r"\bgit\b[^\n|;&]{0,200}?\b(commit|merge|cherry-pick|revert)\b")
_PUSHING = re.compile(r"\bgit\b[^\n|;&]{0,200}?\bpush\b")
_REMOTE = re.compile(
    r"To (?:https?://|ssh://)?(?:[^@\s/]{1,200}@)?([A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+)"
    r"(?::[0-9]{1,5})?[:/]([\w.~-]{1,100}(?:/[\w.~-]{1,100}){1,5})/?\s*"
)
"""Where `git push` says that it went; its groups are the host and the repository. What
may stand before an `@` is a person's name or worse, and left out."""
_PUSHED = re.compile(r" [ +*] .{1,300}? -> ([^\s]{1,200})(?:\s.*)?")
_REQUESTING = re.compile(r"\bgh\b[^\n|;&]{0,200}?\bpr\b[^\n|;&]{0,50}?\bcreate\b")
_REQUESTED = re.compile(
    r"^(https://[A-Za-z0-9.-]+/[\w.-]+/[\w.-]+/pull/([0-9]+))\s*$", re.MULTILINE
)
_SHORT_HASH = 7


def find_commits(command: str, output: str, result: JsonValue) -> tuple[Commit, ...]:
    """Return what `command` did to git history: commits, pushes, pull requests.

    Read from `output`, in the order reported there; `gitOperation` in `result` says what
    kind of commit it was, and adds what the output does not tell.
    """
    recorded = list(_recorded(object_at(result, "gitOperation")))
    kinds = {commit.hash[:_SHORT_HASH]: commit.kind for commit in recorded if commit.hash}
    told = [
        replace(commit, kind=kinds.get(commit.hash[:_SHORT_HASH], commit.kind))
        for commit in _told(command, output)
    ]
    return (*told, *(one for one in recorded if not _is_told(one, told)))


def _told(command: str, output: str) -> Iterator[Commit]:
    """Yield what `output` tells, if `command` is one that says such things."""
    if _COMMITTING.search(command):
        for found in _REPORTED.finditer(output):
            yield Commit(found[2], found[3].strip(), found[1])
    if _PUSHING.search(command):
        yield from _pushes(output)
    if _REQUESTING.search(command):
        for found in _REQUESTED.finditer(output):
            yield Commit("", f"#{found[2]}", kind=PULL_REQUEST, url=found[1])


def _pushes(output: str) -> Iterator[Commit]:
    url = ""
    for line in output.split("\n"):
        remote = _REMOTE.fullmatch(line)
        pushed = _PUSHED.fullmatch(line)
        if line.startswith("To "):
            url = f"https://{remote[1]}/{remote[2]}".removesuffix(".git") if remote else ""
        elif pushed:
            yield Commit("", branch=pushed[1], kind="push", url=url)


def _is_told(commit: Commit, told: Sequence[Commit]) -> bool:
    """Return whether one of `told` is `commit`, which was recorded beside the output."""
    if commit.hash:
        return any(
            one.hash[:_SHORT_HASH] == commit.hash[:_SHORT_HASH] for one in told if one.hash
        )
    return any(
        one.kind == commit.kind
        and one.subject == commit.subject
        and (one.branch == commit.branch or not commit.branch)
        for one in told
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
        yield Commit("", subject=subject, kind=PULL_REQUEST, url=url)
