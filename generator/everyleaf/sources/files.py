"""What discovery finds: a value for each file of a session or an agent.

And what the last build learned of each file that it read: whose it is, what its bytes are.
A file whose size, times and inode are what they were holds what it held, so that finding
out that nothing has changed takes a look at each file's status alone. Where a system does
not tell when a file changed (Windows), all are read.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.digest import are_true, digest_int, marks_of
from everyleaf.issues import Issue
from everyleaf.model import AgentMeta

EARLIER = ".until-"
"""Stands between a session's id and the time until which it was so, in a store."""


class Role(StrEnum):
    """What the records of a file are to its session."""

    SESSION = "session"
    AGENT = "agent"
    INTERNAL_AGENT = "internal-agent"
    """A helper of the CLI, a near-copy of the conversation: counted, not published."""


class SourceFile(Struct, frozen=True):
    """One session file or agent file, found but not yet read."""

    project: str
    """Name of the project folder as on disk (never shown: it may hold a home folder)."""
    file: str
    """Name inside the project folder, `/`-separated."""
    place: str
    """Where it is on disk."""
    session: str
    """The file's stem; of an agent file, the id of the session that it belongs to."""
    role: Role
    size_bytes: int
    tool_results_dir: str
    """Where outputs of the session that were too large for the file may lie."""
    agent_id: str | None = None
    """Set for the two agent roles."""
    meta: AgentMeta = AgentMeta()
    is_capture: bool = False
    """A recorded stream of the CLI: arrival is its order, no record names a parent."""
    agents: frozenset[str] = frozenset()
    """Agents of the session whose files are there."""

    @property
    def location(self) -> Path:
        """Return where it is on disk; a Path for each of thousands takes long to make."""
        return Path(self.place)


class Found(Struct, frozen=True, dict=True):
    """Everything that the inputs hold."""

    files: tuple[SourceFile, ...]
    """Sorted by (project, file)."""
    foreign: tuple[str, ...]
    """`.jsonl` files that are no sessions, as named in their folder: left alone."""
    issues: tuple[Issue, ...]
    ignored: frozenset[str] = frozenset()
    """Sessions that an ignore file leaves out, and that no other input holds."""
    whole: tuple[SourceFile, ...] = ()
    """Of a part: all files that there are, so that projects are called as in lists."""

    @property
    def size_bytes(self) -> int:
        """Return the size of all files together."""
        return sum(file.size_bytes for file in self.files)

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """Return a number for each file, which stays when others come and go.

        It is made of the file's name and, of several files of one name, its place among
        them.
        """
        numbers: list[int] = []
        seen: Counter[tuple[str, str]] = Counter()
        for file in self.files:
            name = (file.project, file.file)
            seen[name] += 1
            text = f"{file.project}\0{file.file}\0{seen[name]}"
            numbers.append(digest_int(text.encode("utf-8", "surrogatepass")) >> 1)
        return tuple(numbers)


class Verdict(Struct, frozen=True, array_like=True):
    """What the first lines of a file say of it."""

    is_session: bool = True
    session: str = ""
    """Of a recording, an export or an agent: the session that its lines name, if any."""
    cwd: str = ""
    """Of a recording: the folder that it ran in."""
    is_capture: bool = False


class KnownFile(Struct, frozen=True, array_like=True):
    """A file as it is, and what was learned from its bytes so far."""

    marks: bytes
    """As `marks_of` has them."""
    verdict: Verdict | None = None
    meta: AgentMeta | None = None
    """Of a file beside an agent's."""
    digest: str = ""


class SourceMemory(Struct):
    """Files by their place: as the last build knew them, and as this one finds them."""

    before: Mapping[str, KnownFile] = {}
    now: dict[str, KnownFile] = {}
    _real: dict[str, str] = {}

    def real_folder(self, folder: str) -> str:
        """Return where a folder is without any link; what is known of it is not read."""
        real = self._real.get(folder)
        if real is None:
            above, name = os.path.split(folder)
            # Of `..`, a folder's place in its name says nothing.
            is_plain = name not in {"", ".", ".."} and not os.path.islink(folder)  # noqa: PTH114  (half the time)
            real = (
                os.path.join(self.real_folder(above), name)  # noqa: PTH118  (as above)
                if is_plain
                else os.path.realpath(folder)
            )
            self._real[folder] = real
        return real

    def find(self, location: str) -> tuple[KnownFile, os.stat_result]:
        """Return a file as it is now, with what is known of such bytes, and its status.

        Raises:
            OSError: it is not there, or nobody may look.
        """
        taken_ns = time.time_ns()
        status = os.stat(location)  # noqa: PTH116  (a Path for each takes longer)
        known = self.before.get(location)
        if known is None or sys.platform == "win32" or not are_true(known.marks, status):
            known = KnownFile(marks_of(status, taken_ns))
        self.now[location] = known
        return known, status

    def judge(self, location: str, read: Callable[[], Verdict]) -> Verdict:
        """Return the verdict on a file that was found; `read` if it is not known."""
        known = self.now[location]
        verdict = known.verdict
        if verdict is None:
            verdict = read()
            self.now[location] = replace(known, verdict=verdict)
        return verdict

    def digest(self, location: str, read: Callable[[], str]) -> str:
        """Return the digest of a file's bytes; they are `read` if it is not known."""
        known = self.now.get(location)
        if known is None:
            try:
                known, _ = self.find(location)
            except OSError:
                return ""
        if not known.digest:
            known = self.now[location] = replace(known, digest=read())
        return known.digest
