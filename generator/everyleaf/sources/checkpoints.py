"""Checkpoints of Entire as a source: transcripts that its hooks keep in a git repository.

    refs/heads/entire/checkpoints/v1      <ab>/<rest of id>/…, all checkpoints in one tree
    refs/entire/checkpoints/<shard>/<id>  one checkpoint each
    refs/entire/checkpoints/v2/full/…     as v1, without metadata

    <n>/metadata.json                     session_id, created_at, agent
    <n>/full.jsonl                        all of the session's transcript up to then
    <n>/full.jsonl.001 …                  further parts of a long one
    …/tasks/<tool use>/agent-<id>.jsonl   an agent's

They are read with `git`, and nothing is checked out. Source: sessions-and-checkpoints.md
and ref-checkpoint-backend.md of entireio/cli, read 2026-11; seen in entireio/git-sync.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path, PurePosixPath

import msgspec
from msgspec import Struct

from everyleaf.clock import parse_timestamp
from everyleaf.digest import digest_hex, open_digest
from everyleaf.errors import SourceError
from everyleaf.gitrepo import GitEntry, find_refs, find_tree, iter_bodies
from everyleaf.sources.lines import HEAD_BYTES, Content, judge
from everyleaf.sources.projects import slug
from everyleaf.sources.unpacked import SourceState, safe_name, unpack_once, write_states

_REF = re.compile(r"refs/(?:heads/|remotes/[^/]+/)?entire/checkpoints/.")
_TRANSCRIPT = re.compile(r"full\.(?:jsonl|log)(?:\.[0-9]+)?")
"""Early versions called it `full.log`."""
_AGENT = re.compile(r"agent-[A-Za-z0-9_-]+\.jsonl")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""Early versions put a day before a session's id."""
_SESSION = re.compile(rb'"sessionId"\s*:\s*"([A-Za-z0-9_-]{1,200})"')
_CWD = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.)+")')


class _Metadata(Struct):
    """What is said of a transcript, as far as it is needed."""

    session_id: str = ""
    created_at: str = ""

    @property
    def kept_ms(self) -> int:
        moment = parse_timestamp(self.created_at)
        return int(moment.timestamp() * 1000) if moment else 0


class _Transcript(Struct):
    """A transcript in one checkpoint."""

    metadata: _Metadata
    agent: PurePosixPath | None
    """Where that of an agent stands; None: it is a session's own."""
    parts: list[GitEntry] = []


class _Session(Struct):
    """A session, and its agents, in all states that checkpoints have of it."""

    project: str = ""
    states: dict[str, list[SourceState]] = {}
    """File of the session, or of an agent, by what follows the session's id."""
    calls: dict[str, str] = {}
    """Tool use that an agent was started by, by its file."""


_LACKING = "lacking.txt"


def unpack_checkpoints(repository: Path) -> Path:
    """Return a folder with the sessions in the checkpoints of a git repository.

    All of them are read when one was added since, and else none.

    Raises:
        SourceError: it is no repository, or holds no checkpoints.
    """
    commits = sorted({commit for ref, commit in find_refs(repository) if _REF.match(ref)})
    if not commits:
        raise SourceError(
            f"{str(repository)!r} holds no checkpoints of Entire",
            hint="a clone has none by itself: git fetch origin"
            " 'refs/heads/entire/*:refs/heads/entire/*' 'refs/entire/*:refs/entire/*'",
        )
    key = digest_hex("\0".join(commits).encode())
    return unpack_once(f"git-{key}", partial(_fill, repository, commits)) / "projects"


def find_lacking(folder: Path) -> tuple[str, ...]:
    """Return the names of transcripts that a clone lacked when `folder` was unpacked.

    It is one without all blobs, or with a part of the checkpoints.
    """
    return tuple((folder.parent / _LACKING).read_text("utf-8").splitlines())


def _fill(repository: Path, commits: Sequence[str], folder: Path) -> None:
    sessions: dict[str, _Session] = {}
    (folder / "projects").mkdir()
    lacking: list[str] = []
    seen: set[tuple[str, ...]] = set()
    for commit in commits:
        # Refs hold the same ones, and only the first of them is read.
        found: dict[tuple[str, ...], _Transcript] = {}
        for one in _find_transcripts(repository, commit):
            found.setdefault(tuple(part.blob for part in one.parts), one)
        new = [one for blobs, one in found.items() if blobs not in seen]
        seen |= found.keys()
        for transcript, body in _iter_read(repository, new):
            # What another agent wrote is in a form of its own, and no session.
            if body is None:
                lacking += [part.name for part in transcript.parts[:1]]
            elif judge(body[:HEAD_BYTES]) is Content.SESSION:
                _add(sessions, repository, transcript, body)
    for name, session in sessions.items():
        project = folder / "projects" / safe_name(session.project or "checkpoints").name
        for rest, states in session.states.items():
            write_states(project / f"{name}{rest}", states)
        for rest, call in session.calls.items():
            meta = (project / f"{name}{rest}").with_suffix(".meta.json")
            meta.write_bytes(msgspec.json.encode({"toolUseId": call}))
    (folder / _LACKING).write_text("".join(f"{name}\n" for name in lacking), "utf-8")


def _add(
    sessions: dict[str, _Session], repository: Path, transcript: _Transcript, body: bytes
) -> None:
    """Add a transcript with its bytes to the session that it belongs to."""
    owner, cwd = _SESSION.search(body[:HEAD_BYTES]), _CWD.search(body[:HEAD_BYTES])
    uuid = _UUID.search(transcript.metadata.session_id)
    agent = transcript.agent
    # An agent's says whose it is; a session's may begin with what another one said.
    name = uuid[0] if uuid and not agent else owner[1].decode() if owner else "session"
    session = sessions.setdefault(name, _Session())
    if cwd and not (session.project and agent):
        session.project = slug(msgspec.json.decode(cwd[1], type=str))
    rest = ".jsonl" if agent is None else f"/subagents/{agent.name}"
    if agent is not None:
        session.calls[rest] = agent.parent.name
    state = SourceState(
        kept_ms=transcript.metadata.kept_ms,
        size_bytes=len(body),
        digest=open_digest(body).hexdigest(length=32),
        read=partial(_read_again, repository, transcript),
    )
    session.states.setdefault(rest, []).append(state)


def _find_transcripts(repository: Path, commit: str) -> list[_Transcript]:
    """Return the transcripts in the tree of a commit, with what is said of each."""
    entries = find_tree(repository, commit)
    metadata: dict[PurePosixPath, _Metadata] = {}
    told = [entry for entry in entries if entry.name.endswith("metadata.json")]
    for entry, body in iter_bodies(repository, told):
        try:
            metadata[PurePosixPath(entry.name).parent] = msgspec.json.decode(
                body, type=_Metadata
            )
        except msgspec.DecodeError:
            continue  # The transcript says whose it is, too.
    found: dict[PurePosixPath, _Transcript] = {}
    for entry in sorted(entries):
        file = PurePosixPath(entry.name)
        folder, agent = file.parent, None
        if _AGENT.fullmatch(file.name) and folder.parent.name == "tasks":
            folder, agent = folder.parents[1], file
        elif not _TRANSCRIPT.fullmatch(file.name):
            continue
        said = metadata.get(folder)
        if said is None or not said.session_id:  # Beside all sessions of a checkpoint.
            said = metadata.get(folder / "0", _Metadata())
        key = agent or folder
        found.setdefault(key, _Transcript(said, agent)).parts.append(entry)
    return list(found.values())


def _iter_read(
    repository: Path, transcripts: Sequence[_Transcript]
) -> Iterator[tuple[_Transcript, bytes | None]]:
    """Yield `transcripts` with their bytes, by one git; None: the clone lacks some."""
    wanted = [part for one in transcripts for part in one.parts]
    bodies = iter_bodies(repository, wanted)
    entry, more = next(bodies, (None, b""))
    for transcript in transcripts:
        body: bytes | None = b""
        for part in transcript.parts:
            if entry != part:
                body = None
                continue
            if body is not None:
                # A long one is cut between lines, without the end of the last.
                joint = b"\n" if body and not body.endswith(b"\n") else b""
                body += joint + more
            entry, more = next(bodies, (None, b""))
        yield transcript, body


def _read_again(repository: Path, transcript: _Transcript) -> Iterator[bytes]:
    return (body for _, body in _iter_read(repository, [transcript]) if body is not None)
