"""What a build did, and what it is about to do, as values."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from everyleaf.issues import Issue

if TYPE_CHECKING:
    from everyleaf.publish.site import Published
    from everyleaf.site import Site
    from everyleaf.state.groups import GroupSums


class BuildCounts(Struct, frozen=True):
    """What a build had to do; all zero where nothing had changed."""

    pages: int = 0
    """HTML pages and Markdown files that were drawn."""
    records: int = 0
    """Records that were read again and drawn."""
    turns: int = 0
    families: int = 0
    """Groups of sessions that share records, and are drawn together."""
    bytes_read: int = 0
    """Of session files that were read into the index; to compare digests, all are read."""


class JobKind(Struct, frozen=True):
    """What the jobs of one kind took."""

    name: str
    jobs: int
    size_bytes: int
    seconds: float


class ClusterWork(Struct, frozen=True):
    """What the workers of a cluster did."""

    retries: int
    """Times that a job was begun again because its worker was lost."""
    kinds: tuple[JobKind, ...]
    """In the order in which they were begun."""
    busy: tuple[float, ...]
    """Seconds of work of each worker, most first."""


class BuildReport(Struct, frozen=True):
    """What a build did; the counts are those of its last line."""

    sessions: int
    paths: int
    active: int
    abandoned: int
    contained: int
    records: int
    is_everything_placed: bool
    wrote: int
    kept: int
    deleted: int
    issues: tuple[Issue, ...]
    unplaced: tuple[str, ...]
    """uuids of conversation records that are on no path: a bug where there are any."""
    seconds: float
    edited: tuple[str, ...] = ()
    """Files of an earlier build that were changed by hand since, and overwritten."""
    counts: BuildCounts = BuildCounts()
    masked_late: tuple[tuple[str, int], ...] = ()
    """Kind → in how many files only the last look found what it masked; most first."""
    lost: tuple[str, ...] = ()
    """Files of groups that were not drawn, because workers were lost with them."""
    cluster: ClusterWork | None = None

    def __repr__(self) -> str:
        done = f"wrote {self.wrote}, kept {self.kept}, deleted {self.deleted} files"
        held = f"{self.paths} paths of {self.sessions} sessions"
        return f"<BuildReport: {held}; {done}; {len(self.issues)} issues>"


class Draft(Struct, frozen=True):
    """A site that is drawn, and not yet in its place."""

    files: Mapping[str, Path]
    """Url → where its bytes are now; of the whole site, what stays included."""
    sums: GroupSums
    """What there is to read."""
    redactions: Mapping[str, int]
    """What was masked how often, by kind."""


def report_build(site: Site, published: Published) -> BuildReport:
    """Return the report of a build that took no time yet."""
    sums, masked = site.sums, site.masked
    return BuildReport(
        sessions=sums.sessions,
        paths=sums.paths,
        active=sums.active,
        abandoned=sums.paths - sums.active,
        contained=sums.contained,
        records=sums.records,
        is_everything_placed=not sums.unplaced,
        wrote=published.wrote,
        kept=published.kept,
        deleted=published.deleted,
        issues=site.issues(),
        unplaced=tuple(sorted(sums.unplaced)),
        seconds=0.0,
        edited=published.edited,
        counts=BuildCounts(bytes_read=site.bytes_read, **asdict(site.counts)),
        lost=tuple(sorted(site.lost)),
        masked_late=tuple(sorted(masked.items(), key=lambda one: (-one[1], one[0]))),
    )
