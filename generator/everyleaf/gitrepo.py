"""What git knows of a folder: what is staged there, where it comes from, what refs hold.

Where the folder is in no repository, or git is missing, all of it raises a SourceError.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from os import fsdecode
from pathlib import Path
from shutil import which
from typing import NamedTuple

from everyleaf.errors import SourceError

_FILES = (b"100644", b"100755")
"""Modes of files; a link's blob is a name, and a submodule has none."""


class GitEntry(NamedTuple):
    """A file in the index."""

    name: str
    """As seen from the top of the repository, with slashes."""
    blob: str
    """Id of its bytes."""


def find_staged(folder: Path) -> list[GitEntry]:
    """Return the files that a commit would add or change; deleted ones have no blob.

    A renamed file is a new one and a deleted one. In a merge, all that the other side
    brings is staged.
    """
    told = run_git(
        folder, "diff", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames",
        "--no-relative", "--no-ext-diff", "--ignore-submodules",
    )  # fmt: skip
    parts = told.split(b"\0")
    entries: list[GitEntry] = []
    for facts, name in zip(parts[::2], parts[1::2], strict=False):
        _mode_before, mode, _blob_before, blob, status = facts.split(b" ")
        if mode in _FILES or status == b"D":
            known = b"" if status == b"D" else blob
            entries.append(GitEntry(fsdecode(name), known.decode()))
    return entries


def find_indexed(folder: Path) -> list[GitEntry]:
    """Return all files that the next commit will hold."""
    # Mode, blob and stage stand before each name.
    return _files(run_git(folder, "ls-files", "--stage", "-z", "--full-name", ":/"), 1)


def _files(told: bytes, blob_at: int) -> list[GitEntry]:
    entries: list[GitEntry] = []
    for line in filter(None, told.split(b"\0")):
        facts, name = line.split(b"\t", 1)
        known = facts.split(b" ")
        if known[0] in _FILES:
            entries.append(GitEntry(fsdecode(name), known[blob_at].decode()))
    return entries


def find_refs(folder: Path) -> list[tuple[str, str]]:
    """Return the name of each ref, and the id of what it points to."""
    told = run_git(folder, "for-each-ref", "--format=%(refname) %(objectname)")
    refs = (fsdecode(line).rpartition(" ") for line in told.splitlines())
    return [(name, commit) for name, _, commit in refs]


def find_tree(folder: Path, commit: str) -> list[GitEntry]:
    """Return all files in the tree of `commit`."""
    # Mode, kind and blob stand before each name.
    return _files(run_git(folder, "ls-tree", "-r", "-z", "--full-tree", commit), 2)


def iter_bodies(
    folder: Path, entries: Iterable[GitEntry]
) -> Iterator[tuple[GitEntry, bytes]]:
    """Yield each of `entries` with its bytes, one at a time; none for what is not there."""
    with subprocess.Popen(  # noqa: S603  (git, with arguments of ours)
        [_program(), "cat-file", "--batch"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # A clone without all blobs would fetch those that it lacks from another machine.
        env=os.environ | {"GIT_NO_LAZY_FETCH": "1"},
    ) as git:
        assert git.stdin is not None  # noqa: S101  (both are pipes)
        assert git.stdout is not None  # noqa: S101
        for entry in entries:
            git.stdin.write(f"{entry.blob}\n".encode())
            git.stdin.flush()
            facts = git.stdout.readline().split()  # "<blob> blob <bytes>"
            if len(facts) == 3:
                body = git.stdout.read(int(facts[2]))
                git.stdout.read(1)
                yield entry, body
        git.stdin.close()


def is_merging(folder: Path) -> bool:
    """Return whether the next commit is that of a merge."""
    # Git 2.39 writes MERGE_HEAD only after it has asked the hook of a merge.
    if os.environ.get("GIT_REFLOG_ACTION", "").startswith(("merge", "pull")):
        return True
    return _asked(folder, "rev-parse", "--quiet", "--verify", "MERGE_HEAD") != ""


def find_origin(folder: Path) -> str:
    """Return where the repository of `folder` comes from; empty: it has no such place."""
    return _asked(folder, "remote", "get-url", "origin")


def _asked(folder: Path, *question: str) -> str:
    """Return git's answer; empty where it has none, or there is no git."""
    try:
        return run_git(folder, *question).decode(errors="replace").strip()
    except SourceError:
        return ""


def run_git(folder: Path, *arguments: str) -> bytes:
    """Return what git prints, asked in `folder`.

    Raises:
        SourceError: git has no answer, `folder` is in no repository, or git is missing.
    """
    try:
        done = subprocess.run(  # noqa: S603  (git, with arguments of ours)
            [_program(), *arguments], cwd=folder, capture_output=True, check=True
        )
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode(errors="replace").strip().removeprefix("fatal: ")
        raise SourceError(
            f"git cannot read {str(folder)!r}: {said}", hint="run it in a git repository"
        ) from error
    return done.stdout


def _program() -> str:
    found = which("git")
    if found is None:
        raise SourceError("git is not on PATH", hint="install it, or put it there")
    return found
