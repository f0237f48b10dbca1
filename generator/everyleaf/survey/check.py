"""What is odd about an archive: each oddity in its place. Nothing is changed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import orjson
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.archive import Archive
from everyleaf.graph.solve import Forest
from everyleaf.graph.units import NONE
from everyleaf.indexing import IndexedFile
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import CONVERSATION, SessionRecords
from everyleaf.opening.reading import Scope, survey
from everyleaf.records.text import as_object
from everyleaf.sources.discover import find_settings_dir
from everyleaf.sources.files import SourceFile
from everyleaf.sources.lines import iter_lines, load_strict
from everyleaf.sources.projects import is_folder_of, slug
from everyleaf.sources.unpacked import is_unpacked
from everyleaf.transcript.words import counted
from everyleaf.workers import OnProgress

MOST_HOLDERS = 50
"""A record that more files hold is counted for the first of them with each other one."""
DEFAULT_DAYS = 30
SOON_DAYS = 7

_STRING = re.compile(rb'"content"\s*:\s*"')
_DAY_S = 24 * 60 * 60
_SETTINGS = "settings.json"


class CheckReport(Struct, frozen=True):
    """What was looked at, and what is odd."""

    files: int
    sessions: int
    findings: tuple[Issue, ...]
    """Sorted by code, file and line."""


def check(scope: Scope, on_progress: OnProgress, *, now_s: float) -> CheckReport:
    """Return what is odd about the sessions that `scope` names.

    `now_s` (seconds since 1970) is the moment from which the CLI's cleanup is looked at.
    Reads every file twice, but for what is remembered.
    """
    surveyed = survey(scope, check_group, on_progress, kind=CheckReport)
    index, groups = surveyed.index, surveyed.seen
    files = list(index.files.values())
    found = {
        *index.issues,
        *(one for group in groups for one in group.findings),
        *_find_case_slips(files),
        *_find_expiring((one.file for one in files), now_s),
    }
    masked = {replace(one, message=index.redaction.text(one.message)) for one in found}
    findings = sorted(masked, key=lambda one: (one.code, one))
    sessions = sum(group.sessions for group in groups)
    return CheckReport(len(files), sessions, tuple(findings))


def check_group(archive: Archive) -> CheckReport:
    """Return what is odd about the files of a session group, not yet masked."""
    forest = archive.forest
    found = (
        *archive.issues,
        *_find_strings(archive.files.values()),
        *_find_shared(forest.files),
        *_find_lost_names(archive),
        *_find_roots(forest),
        *_find_calls_without_agent(forest),
    )
    return CheckReport(len(archive.files), len(forest.sessions), found)


def _find_strings(files: Iterable[SourceFile]) -> Iterator[Issue]:
    for file in files:
        count, first = count_strings(file)
        if count:
            said = f"{counted(count, 'user message')} with a string"
            yield Issue(file.file, first, IssueCode.STRING_CONTENT, said, file.session)


def count_strings(source: SourceFile) -> tuple[int, int]:
    """Return how many user messages of a file hold a string, and the line of the first.

    A file that cannot be read has none: reading it for its records reports that.
    """
    count = first = 0
    try:
        for line in iter_lines(source.location):
            if b'"user"' in line.data and _STRING.search(line.data):
                raw = load_strict(line.data) or {}
                message = as_object(raw.get("message")) or {}
                if raw.get("type") == "user" and isinstance(message.get("content"), str):
                    count += 1
                    first = first or line.number
    except OSError:
        return 0, 0
    return count, first


def _find_case_slips(files: Iterable[IndexedFile]) -> Iterator[Issue]:
    """Yield working folders that differ in case alone: from their folder, from others."""
    spelt: dict[str, dict[str, SourceFile]] = {}
    for one in files:
        file, cwds, project = one.file, one.facts.cwds, one.facts.project
        slugs = {cwd: slug(cwd) for cwd in cwds}
        # A session may change its folder: only where none fits, one is spelt otherwise.
        if not any(is_folder_of(made, project) for made in slugs.values()):
            for cwd, made in slugs.items():
                if made.casefold() == project.casefold():
                    said = f"{cwd} differs from the folder {project} in case"
                    yield Issue(file.file, 0, IssueCode.CASE_OF_FOLDER, said, file.session)
        for cwd in cwds:
            spelt.setdefault(cwd.casefold(), {}).setdefault(cwd, file)
    for (first, _), *others in (list(ways.items()) for ways in spelt.values()):
        for other, file in others:
            said = f"{other} elsewhere is {first}"
            yield Issue(file.file, 0, IssueCode.CASE_OF_CWD, said, file.session)


def _find_shared(files: Sequence[SessionRecords]) -> Iterator[Issue]:
    """Yield the files that share uuids with an earlier one, and the complete copies.

    Linear in the records, but for those that many files hold.
    """
    holders: dict[str, list[tuple[int, int]]] = {}
    sizes: list[int] = []
    for number, file in enumerate(files):
        said = (one for one in reversed(file.records) if one.kind in CONVERSATION)
        own = {one.uuid: one.digest for one in said}
        sizes.append(len(own))
        for uuid, digest in own.items():
            holders.setdefault(uuid, []).append((number, digest))
    shared: Counter[tuple[int, int]] = Counter()
    changed: Counter[tuple[int, int]] = Counter()
    for places in holders.values():
        firsts = places[:1] if len(places) > MOST_HOLDERS else places
        for at, (one, digest) in enumerate(firsts):
            for other, other_digest in places[at + 1 :]:
                shared[one, other] += 1
                changed[one, other] += digest != other_digest
    for (one, other), count in sorted(shared.items()):
        first, second, differ = files[one], files[other], changed[one, other]
        told = f"shares {counted(count, 'message')} of {first.file}"
        told += f", {differ} of them with other content" if differ else ""
        yield Issue(second.file, 0, IssueCode.SHARED_UUIDS, told, second.session)
        if count in {sizes[one], sizes[other]}:
            copy, whole = (second, first) if count == sizes[other] else (first, second)
            told = f"every message of it is in {whole.file}"
            yield Issue(copy.file, 0, IssueCode.COMPLETE_COPY, told, copy.session)


def _find_lost_names(archive: Archive) -> Iterator[Issue]:
    """Yield, file by file, the parents that are nowhere; then such leaves of summaries."""
    files = archive.forest.files
    known = {record.uuid for file in files for record in file.records}
    for file in files:
        below = (record for record in file.records if record.parent_uuid)
        lost = [record.line for record in below if record.parent_uuid not in known]
        if lost:
            names = counted(len(lost), "record names", "records name")
            said = f"{names} a parent that is in no file"
            yield Issue(file.file, lost[0], IssueCode.DANGLING_PARENT, said, file.session)
    for file in archive.summaries:
        for marker in file.markers:
            if marker.leaf_uuid not in known:
                said = f"names {marker.leaf_uuid}"
                yield Issue(
                    file.file, marker.line, IssueCode.LOST_SUMMARY, said, file.session
                )


def _find_roots(forest: Forest) -> Iterator[Issue]:
    """Yield the sessions with several beginnings, located at the second one."""
    for number, tree in enumerate(forest.trees):
        start = forest.units.starts[number]
        roots = [
            members[0]
            for unit, members in enumerate(tree.units.members)
            if tree.units.parents[unit] == NONE
            and any(tree.is_conversation[at] for at in members)
            # One that goes on from another session is no beginning.
            and start + unit not in forest.units.foreign
        ]
        if len(roots) > 1:
            said = f"{len(roots)} beginnings"
            yield tree.issue(IssueCode.SEVERAL_ROOTS, roots[1], said)


def _find_calls_without_agent(forest: Forest) -> Iterator[Issue]:
    """Yield the calls that started a subagent which is nowhere.

    A call that names no agent in its result may have been refused; the message says so.
    """
    started = {(session, call) for (session, _), call in forest.calls.items()}
    agents = {(agent.session, agent.agent_id) for agent in forest.agents}
    for tree in (*forest.trees, *(agent.tree for agent in forest.agents)):
        links = {link.tool_use_id: link.agent_id for r in tree.records for link in r.links}
        for position, record in enumerate(tree.records):
            for call in (asked.tool_use_id for asked in record.asked):
                agent = links.get(call, "")
                if (tree.session, call) in started or (tree.session, agent) in agents:
                    continue
                who = f"agent {agent}" if agent else "no agent, or one that was refused"
                said = f"call {call} started {who}"
                yield tree.issue(IssueCode.CALL_WITHOUT_AGENT, position, said)


def _find_expiring(files: Iterable[SourceFile], now_s: float) -> Iterator[Issue]:
    """Yield the files that the CLI deletes within a week from `now_s`, by its settings.

    The CLI goes by the time of the last change. Only files below the `projects` of a
    folder called `.claude`, or of one with a `settings.json`, are the CLI's to delete.
    """
    periods: dict[Path, int] = {}
    for file in files:
        home = find_settings_dir(file.location.absolute())
        if home is None or is_unpacked(file.location):
            continue
        if home.name != ".claude" and not (home / _SETTINGS).is_file():
            continue
        if home not in periods:
            periods[home] = cleanup_days(home)
        try:
            ends_s = file.location.stat().st_mtime + periods[home] * _DAY_S
        except OSError:
            continue
        if ends_s - now_s <= SOON_DAYS * _DAY_S:
            day = datetime.fromtimestamp(ends_s, UTC).date()
            past = " (past)" if ends_s < now_s else ""
            said = f"deleted from {day}{past}: {periods[home]} days after its last change"
            yield Issue(file.file, 0, IssueCode.EXPIRES_SOON, said, file.session)


def cleanup_days(home: Path) -> int:
    """Return `cleanupPeriodDays` of a settings folder; 30 where it sets none."""
    try:
        settings = as_object(orjson.loads((home / _SETTINGS).read_bytes())) or {}
    except (OSError, orjson.JSONDecodeError):
        return DEFAULT_DAYS
    days = settings.get("cleanupPeriodDays")
    is_days = isinstance(days, int) and not isinstance(days, bool) and days > 0
    return min(days, 100_000) if is_days and isinstance(days, int) else DEFAULT_DAYS
