"""What git says of lines: the commit that wrote each, and what commits did to a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from os import fsdecode
from pathlib import Path

from msgspec import Struct

from everyleaf.errors import SourceError
from everyleaf.gitrepo import GitEntry, find_origin, iter_bodies, run_git
from everyleaf.transcript.edits import split_lines
from everyleaf.transcript.words import counted

NOT_YET = 253_402_300_799
"""When what is not committed will be: the last moment that a time can name."""
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_BOT = re.compile(
    r"\[bot\]|\b(?:dependabot|renovate|greenkeeper|snyk|pyup|depfu|imgbot|mergify"
    r"|pre-commit-ci|github-actions?)\b",
    re.IGNORECASE,
)
_FORMAT = "%x01%H%x00%at%x00%ct%x00%an <%ae>%x00%s"


class FileCommit(Struct, frozen=True):
    """A commit, and what it did to one file."""

    hash: str
    """Empty: what no commit holds yet."""
    authored: int
    """Seconds since 1970, like `committed`; a rebase and a cherry-pick keep this one."""
    committed: int
    is_by_bot: bool
    """A program wrote it that no session started: of dependencies, of a code host."""
    subject: str
    file: str
    """What the file was called then."""
    added: tuple[tuple[int, str], ...] = ()
    """(line, text) of what it added; nothing of a merge."""


class AskedLines(Struct, frozen=True):
    """Lines of a file that somebody asks about, and all that git knows of them."""

    file: str
    """As seen from the top of the repository."""
    lines: tuple[tuple[int, FileCommit, int], ...]
    """(line as asked, commit that wrote it, line in the file as that commit left it)."""
    history: tuple[FileCommit, ...]
    """All commits that changed the file, newest first."""
    is_now: bool = False
    """As the file is now; else as a commit left it."""


def find_top(folder: Path) -> Path:
    """Return the top folder of the repository around `folder`.

    Raises:
        SourceError: there is none, or git is missing.
    """
    return Path(fsdecode(run_git(folder, "rev-parse", "--show-toplevel")).rstrip("\n"))


def find_roots(top: Path) -> set[str]:
    """Return the folders that hold a work tree of the repository with the top `top`."""
    told = fsdecode(run_git(top, "worktree", "list", "--porcelain")).splitlines()
    return {line[9:] for line in told if line.startswith("worktree ")}


def find_names(top: Path) -> set[str]:
    """Return what the repository around `top` may be called: its folder, its origin."""
    origin = find_origin(top).rstrip("/").removesuffix(".git")
    names = (top.as_posix(), origin.replace(":", "/"))
    return {name.rpartition("/")[2].lower() for name in names} - {""}


def find_namesakes(top: Path, asked: Iterable[AskedLines]) -> set[str]:
    """Return all files that there ever were with the names of `asked`, in any folder.

    `a.py` alone does not tell whether somebody's `/home/ada/app/lib/a.py` is it: that may
    be `lib/a.py`, which was deleted since.
    """
    histories = [one.history for one in asked if one.history]
    names = {one.file.rpartition("/")[2] for history in histories for one in history}
    if not names:
        return set()
    plain = [re.sub(r"([*?[\\])", r"\\\1", name) for name in sorted(names)]
    told = run_git(
        top, "log", "-z", "--format=", "--name-only", "--no-renames", "HEAD",
        *{history[0].hash for history in histories if history[0].hash},
        "--", *(f":(top,glob)**/{name}" for name in plain),
    )  # fmt: skip
    return {fsdecode(name) for name in told.split(b"\0") if name}


def find_commit(top: Path, name: str) -> str:
    """Return the hash of the commit that `name` names.

    Raises:
        SourceError: there is no such commit.
    """
    try:
        asked = ("rev-parse", "--verify", "--quiet", "--end-of-options")
        return run_git(top, *asked, f"{name}^{{commit}}").decode().strip()
    except SourceError as error:
        raise SourceError(
            f"there is no commit {name!r} in {str(top)!r}",
            hint="`git log` lists what there is; --repo names another repository",
        ) from error


def find_base(top: Path, branch: str = "") -> str:
    """Return where HEAD left `branch`, or else the main one.

    Raises:
        SourceError: there is no such branch, or the two share nothing.
    """
    mains = ("origin/HEAD", "origin/main", "origin/master", "main", "master")
    for name in (branch,) if branch else mains:
        try:
            return run_git(top, "merge-base", name, "HEAD").decode().strip()
        except SourceError:
            continue
    raise SourceError(
        f"HEAD shares no commit with {branch!r}" if branch else "no main branch is known",
        hint="say --base BRANCH",
    )


def is_ancestor(top: Path, one: str, other: str) -> bool:
    """Return whether the commit `other` was made on top of `one`."""
    return not run_git(top, "rev-list", "-1", "--end-of-options", one, f"^{other}")


def known_hashes(top: Path, hashes: Iterable[str]) -> set[str]:
    """Return those of `hashes` that name something in the repository."""
    entries = [GitEntry(one, one) for one in hashes]
    return {entry.blob for entry, _ in iter_bodies(top, entries)}


def asked_lines(
    top: Path, file: str, span: tuple[int, int] | None = None, *, after: str = ""
) -> AskedLines:
    """Return the lines of `file`, all or from the first to the last of `span`.

    `file` is as seen from `top`, the top folder of a repository. With `after`, only lines
    that commits since then wrote, as they were committed.

    Raises:
        SourceError: the file is not tracked, or has not so many lines.
    """
    if not run_git(top, "--literal-pathspecs", "ls-files", "-z", "--", file):
        raise SourceError(
            f"git does not track {file!r}", hint="`git ls-files` lists what it tracks"
        )
    since = (f"{after}..HEAD",) if after else ()
    blamed = list(_blame(top, *since, "--", file))
    if span and span[1] > len(blamed):
        raise SourceError(
            f"{file!r} has {counted(len(blamed), 'line')}, and no line {span[1]}",
            hint="name a line that it has, or none for all of them",
        )
    history = read_history(top, "HEAD", file)
    by_hash = {one.hash: one for one in history}
    first, last = span or (1, len(blamed))
    lines: list[tuple[int, FileCommit, int]] = []
    asked = enumerate(blamed[first - 1 : last], first)
    for number, (commit, name, line, is_older) in asked:
        if is_older:
            continue
        if commit not in by_hash:
            by_hash[commit] = _one_commit(top, commit, name)
        lines.append((number, by_hash[commit], line))
    return AskedLines(file, tuple(lines), history, is_now=not after)


def changed_files(top: Path, *commits: str) -> list[str]:
    """Return the files that are new or different in the last of one or two `commits`."""
    asked = ("diff-tree", "-r", "-z", "--name-only", "--diff-filter=d", "-M", "--root")
    told = run_git(top, *asked, "--no-commit-id", "--ignore-submodules", *commits)
    return [fsdecode(name) for name in told.split(b"\0") if name]


def lines_of_commit(top: Path, commit: str) -> Iterator[AskedLines]:
    """Yield the lines that `commit` wrote, file by file."""
    for file in changed_files(top, commit):
        history = read_history(top, commit, file)
        if history and history[0].hash == commit:
            added = tuple((line, history[0], line) for line, _ in history[0].added)
            yield AskedLines(file, added, history)


def read_history(top: Path, start: str, file: str) -> tuple[FileCommit, ...]:
    """Return the commits up to `start` that changed `file`, under whatever name."""
    return tuple(_iter_commits(top, file, "log", "--follow", start))


def _iter_commits(top: Path, file: str, *asked: str) -> Iterator[FileCommit]:
    """Yield the commits that git shows, with what each did to `file`."""
    output = run_git(
        top, "--literal-pathspecs", "-c", "core.quotePath=false", *asked, "-p", "-U0",
        "--no-ext-diff", "--no-textconv", "--no-color", "--dst-prefix=b/",
        f"--format={_FORMAT}", "--", file,
    )  # fmt: skip
    name = file
    for told in f"\n{output.decode(errors='replace')}".split("\n\1")[1:]:
        head, *diff = told.split("\n")
        added: list[tuple[int, str]] = []
        at = 0
        while at < len(diff):
            line, at = diff[at], at + 1
            if line.startswith("+++ b/"):
                name = line[6:].rstrip("\t")
            elif hunk := _HUNK.match(line):
                old, new = (int(hunk[1] or 1), int(hunk[3] or 1))
                body = [o for o in diff[at : at + old + new + 2] if o[:1] in {"+", "-"}]
                texts = [one[1:] for one in body[old : old + new]]
                added += enumerate(texts, int(hunk[2]))
                at += old + new
        commit, authored, committed, author, subject = head.split("\0")
        yield FileCommit(
            hash=commit,
            authored=int(authored),
            committed=int(committed),
            is_by_bot=bool(_BOT.search(author)) and "claude" not in author.lower(),
            subject=subject,
            file=name,
            added=tuple(added),
        )


def _one_commit(top: Path, commit: str, file: str) -> FileCommit:
    """Return a commit that the history of a file leaves out: a merge, or none yet."""
    if commit == "0" * 40:
        return FileCommit("", NOT_YET, NOT_YET, False, "", file)  # noqa: FBT003
    return next(_iter_commits(top, file, "show", commit))


def _blame(top: Path, *arguments: str) -> Iterator[tuple[str, str, int, bool]]:
    """Yield of a line: commit, file and line then, whether older than was asked for."""
    quiet = ("-c", "core.quotePath=false", "-c", "blame.ignoreRevsFile=")
    told = run_git(top, *quiet, "blame", "--root", "--line-porcelain", *arguments)
    commit, name, line, is_older = "", "", 0, False
    for each in told.decode(errors="replace").split("\n"):
        if each.startswith("\t"):
            yield commit, name, line, is_older
            commit = ""
        elif not commit and each:
            commit, at, *_ = each.split(" ")
            line, is_older = int(at), False
        elif each.startswith("filename "):
            name = each[9:]
        elif each == "boundary":
            is_older = True


def read_at(top: Path, commit: FileCommit, file: str) -> list[str]:
    """Return the lines of `file` as `commit` left it; of none yet, as it is on disk."""
    if commit.hash:
        body = run_git(top, "cat-file", "blob", f"{commit.hash}:{commit.file}")
    else:
        body = (top / file).read_bytes()
    return split_lines(body.decode(errors="replace"))
