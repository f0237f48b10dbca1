"""The sources of an archive, and what each holds: the same bytes are looked through once.

What stood in a source before it grew was looked at, so only the rest is. That it is the
same as before is proved by a digest of all its bytes, never by its size or its time. Only
whole lines count; of a file that is no list of lines, nothing of the kind is remembered.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from everyleaf.cachedir import default_cache_dir
from everyleaf.digest import DIGEST_BYTES, digest_hex, open_digest
from everyleaf.memo import Memo, open_memo
from everyleaf.redact.detect import open_detector
from everyleaf.redact.gather import Look, Scanned, find_ids
from everyleaf.redact.redaction import told_of
from everyleaf.sources.lines import HEAD_BYTES, find_array, iter_entries, iter_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from everyleaf.config import OwnRule
    from everyleaf.redact.detect import Detector
    from everyleaf.sources.files import Found

SPILL_LIMIT_BYTES = 16 * 1024 * 1024
"""As much of a spilled output as is ever shown."""
SPILLED_BYTES = 100_000
"""As much is spilled often; to know it of each would take as long as to open it."""
BLOCK_BYTES = 1 << 20
RULES = "rules"
"""Folder in the cache folder."""


class Mark(NamedTuple):
    """How far a source was looked through."""

    size_bytes: int
    digest: str
    """Of so many bytes."""
    key: str
    """Under which is kept what they hold."""


class SourceContents(NamedTuple):
    """The bytes of a source, in few words."""

    size_bytes: int
    digest: str
    head: bytes
    """The first of them."""
    last: bytes
    """The last one; none, if there is none."""
    begin: str = ""
    """Digest of as many as were asked for; empty where there are not more than that."""
    lines: int = 0
    """Line ends among those."""


class LookSource(Struct, frozen=True):
    """A file with texts: a session, an agent, or an output that was spilled."""

    place: str
    """Where it is on disk."""
    session: str
    beside: tuple[str, ...]
    is_spilled: bool = False
    is_lines: bool = False
    """Each of its lines can be understood by itself."""
    content: str = ""
    """Digest of its bytes; empty where nobody has read them yet."""
    end: int = sys.maxsize
    """How many bytes it had when it was found: what comes later is for the next build."""

    @property
    def location(self) -> Path:
        """Return where it is on disk."""
        return Path(self.place)

    @property
    def size_bytes(self) -> int:
        """Return about how much is to be looked through."""
        return SPILLED_BYTES if self.is_spilled else self.end

    def read(self, begin: int, end: int) -> bytes:
        """Return its bytes from `begin` up to `end`, or as far as it goes."""
        try:
            with self.location.open("rb") as file:
                file.seek(begin)
                return file.read(max(end - begin, 0))
        except OSError:
            return b""  # Reading the records reports it.


class LookTask(Struct, frozen=True):
    """What a worker needs to look through sources."""

    memory_dir: Path | None
    rules_dir: Path | None
    """Where compiled rules are kept; None: where the machine that looks keeps its own."""
    version: str
    own: tuple[OwnRule, ...]
    has_secrets: bool
    """Secrets are looked for, not own patterns alone."""
    keep_emails: tuple[str, ...] | None

    def detector(self) -> Detector | None:
        """Return what looks for secrets; None where nothing does."""
        if not self.has_secrets and not self.own:
            return None
        rules_dir = self.rules_dir or default_cache_dir() / RULES
        return open_detector(rules_dir, self.own, is_own_only=not self.has_secrets)

    def memo(self) -> Memo:
        """Return what remembers what was found, where only its owner can read."""
        folder = self.memory_dir
        return Memo(None) if folder is None else open_memo(folder, "found")


def recall(
    task: LookTask, sources: Sequence[LookSource], memo: Memo
) -> list[Scanned | None]:
    """Return what `memo` has of each source, if its bytes are known; None: look there."""
    version = task.version
    keys = [one.content and _key(version, one, one.content) for one in sources]
    known = memo.load_all(filter(None, keys), Scanned)
    return [known.get(key) for key in keys]


def remember(task: LookTask, source: LookSource, known: Scanned, memo: Memo) -> None:
    """Keep in `memo` what a look through a source found, where its bytes are known."""
    if source.content:
        memo.save(_key(task.version, source, source.content), known)


def look_through(task: LookTask, source: LookSource) -> Scanned:
    """Return what a source holds: what is remembered of it, else what a look finds.

    Raises:
        RedactError: a pattern cannot be used.
    """
    memo = task.memo()
    place = _key(task.version, source, source.place) if source.is_lines else ""
    mark = memo.load(f"mark {place}", Mark) if place else None
    contents = read_contents(
        source.location, mark.size_bytes if mark else 0, end=source.end
    )
    # What was found is remembered for the bytes in which it was, and for no others.
    key = _key(task.version, source, contents.digest)
    known = memo.load(key, Scanned)
    if known is None:
        known = _look_after(task, source, mark, contents, memo) or _look(task, source)
        memo.save(key, known)
        # Half a line, or an array: what is added may change what stands there now.
        if place and contents.last == b"\n" and find_array(contents.head) is None:
            memo.save(f"mark {place}", Mark(contents.size_bytes, contents.digest, key))
    return known


def _look(task: LookTask, source: LookSource) -> Scanned:
    look = Look(task.detector(), task.keep_emails)
    try:
        for text in source.beside:
            look.text("", text, 0)
        if source.is_spilled:
            body = source.read(0, SPILL_LIMIT_BYTES)
            look.text("", body.decode("utf-8", errors="replace"), 1)
        else:
            look.lines(source.location, iter_entries(source.location, end=source.end))
        return look.finish(source.location)
    except OSError:
        return Scanned((), ())  # Reading the records reports it.


def _look_after(
    task: LookTask,
    source: LookSource,
    mark: Mark | None,
    contents: SourceContents,
    memo: Memo,
) -> Scanned | None:
    """Return what a look through a whole source finds, from one through what is new.

    None where nothing is known of what it begins with. What turns out to be a record's id
    is no secret of the first part any more; a text that stands in both was found in that.
    """
    if mark is None or not contents.begin or contents.begin != mark.digest:
        return None
    before = memo.load(mark.key, Scanned)
    if before is None:
        return None
    start, end = mark.size_bytes, source.end
    look = Look(task.detector(), task.keep_emails, before.calls)
    try:
        lines = iter_lines(source.location, offset=start, before=contents.lines, end=end)
        look.lines(source.location, lines)
        rest = look.finish(source.location)
    except OSError:
        return Scanned((), ())  # Reading the records reports it.
    ids = find_ids({one.value for one in before.findings}, source.read(start, end))
    kept = [f for f in before.findings if f.value not in ids or f.kind == "private-id"]
    known = {one._replace(line=0) for one in kept}
    fresh = [one for one in rest.findings if one._replace(line=0) not in known]
    users = tuple(sorted({*before.users, *rest.users}))
    return Scanned((*kept, *fresh), users, rest.calls)


def read_contents(
    location: Path, begin_bytes: int = 0, *, end: int = sys.maxsize
) -> SourceContents:
    """Return what a file holds up to `end`, and what its first `begin_bytes` do; linear.

    What cannot be read holds nothing: reading the records reports it.
    """
    try:
        with location.open("rb", buffering=0) as file:
            head = file.read(min(HEAD_BYTES, end))
            file.seek(0)
            made, size, lines, begin, last = open_digest(), 0, 0, "", b""
            cut = min(begin_bytes, end)  # One block ends where the beginning does.
            while block := file.read(min((cut if size < cut else end) - size, BLOCK_BYTES)):
                if size == begin_bytes > 0:
                    begin = made.hexdigest(length=DIGEST_BYTES)
                lines += block.count(b"\n") if size < begin_bytes else 0
                made.update(block)
                size += len(block)
                last = block[-1:]
    except OSError:
        return SourceContents(0, "", b"", b"")
    return SourceContents(
        size, made.hexdigest(length=DIGEST_BYTES), head, last, begin, lines
    )


def _key(version: str, source: LookSource, content: str) -> str:
    """Return a name for what is found in a source: by its bytes, or by its place."""
    named = "\0".join((version, *source.beside, content))
    return digest_hex(named.encode(errors="replace"), size=16)


def iter_sources(found: Found, contents: Mapping[int, str]) -> Iterator[LookSource]:
    """Yield all that may hold secrets; a session's own file before its agents' files.

    `contents` has the digests of those files whose bytes are known, by number.
    """
    numbered = zip(found.numbers, found.files, strict=True)
    ordered = sorted(numbered, key=lambda one: one[1].agent_id is not None)
    folders: dict[str, str] = {}
    for number, file in ordered:
        folders.setdefault(file.tool_results_dir, file.session)
        yield LookSource(
            file.place,
            file.session,
            tuple(filter(None, told_of(file))),
            is_lines=not file.is_capture,
            content=contents.get(number, ""),
            end=file.size_bytes,
        )
    for folder, session in folders.items():
        for name in _spilled(folder):
            place = os.path.join(folder, name)  # noqa: PTH118  (a Path for each takes longer)
            yield LookSource(place, session, (name,), is_spilled=True)


def _spilled(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as listing:
            return sorted(f.name for f in listing if f.is_file(follow_symlinks=False))
    except OSError:
        return []
