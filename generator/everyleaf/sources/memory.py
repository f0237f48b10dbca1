"""What the last build learned of each file that it read: whose it is, what its bytes are.

A file whose size, times and inode are what they were holds what it held, so that finding
out that nothing has changed takes a look at each file's status alone. Where a system does
not tell when a file changed (Windows), all are read.
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.digest import are_true, marks_of
from everyleaf.sources.files import AgentMeta  # noqa: TC001  (msgspec reads it)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


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

    before: Mapping[str, KnownFile] = field(default_factory=dict[str, KnownFile])
    now: dict[str, KnownFile] = field(default_factory=dict[str, KnownFile])

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
