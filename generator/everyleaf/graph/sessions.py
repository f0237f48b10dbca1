"""Which files make up a session (`paths.md` §1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from everyleaf.model import SessionRecords

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class Session(Struct, frozen=True):
    """The files of one session; of an orphaned folder of agents, none of its own."""

    name: str
    """The id: the files' stem, with a number behind it where another session has it too."""
    files: tuple[SessionRecords, ...]
    agent_files: tuple[SessionRecords, ...]
    project: str
    """The project folder that owns it."""


def group_sessions(ordered: Iterable[SessionRecords]) -> list[Session]:
    """Return the sessions of files that are sorted by project and name, by id.

    Files with one stem in several folders are one session if the stem is a UUID or they
    share a record; otherwise they are several, and all but the first get a number.
    """
    mains: dict[str, list[SessionRecords]] = {}
    agents: dict[str, list[SessionRecords]] = {}
    for file in ordered:
        (mains if file.agent_id is None else agents).setdefault(file.session, []).append(
            file
        )
    sessions: list[Session] = []
    for stem in sorted({*mains, *agents}):
        clusters = _cluster(stem, mains.get(stem, [])) or [[]]
        for number, files in enumerate(clusters, 1):
            own = _agents_of(files, agents.get(stem, []), is_only=len(clusters) == 1)
            sessions.append(
                Session(
                    name=stem if number == 1 else f"{stem}-{number}",
                    files=tuple(_in_order(files)),
                    agent_files=tuple(own),
                    project=_owner(_in_order(files) or own),
                )
            )
    return sessions


def _cluster(stem: str, files: Sequence[SessionRecords]) -> list[list[SessionRecords]]:
    if len(files) < 2 or _UUID.fullmatch(stem):
        return [list(files)] if files else []
    clusters: list[tuple[set[str], list[SessionRecords]]] = []
    for file in files:
        uuids = {record.uuid for record in file.records}
        members = [file]
        rest: list[tuple[set[str], list[SessionRecords]]] = []
        for others, cluster in clusters:
            if uuids.isdisjoint(others):
                rest.append((others, cluster))
            else:
                uuids |= others
                members = cluster + members
        clusters = [*rest, (uuids, members)]
    groups = [members for _, members in clusters]
    return sorted(groups, key=lambda members: (members[0].project, members[0].file))


def _agents_of(
    files: Sequence[SessionRecords], agents: Sequence[SessionRecords], *, is_only: bool
) -> list[SessionRecords]:
    projects = {file.project for file in files}
    return [agent for agent in agents if is_only or agent.project in projects]


def _in_order(files: Sequence[SessionRecords]) -> list[SessionRecords]:
    """Return the files of one session, the one that was begun first at the front.

    A session moves with its working folder; what was written first is its beginning.
    """

    def begun(file: SessionRecords) -> tuple[bool, str, str]:
        first = next((record.timestamp for record in file.records if record.timestamp), "")
        return (not first, first, file.project)

    return sorted(files, key=begun)


def _owner(files: Sequence[SessionRecords]) -> str:
    """Return the folder whose name fits the records' working folder, else the first."""
    for file in files:
        if any(_slug(cwd) == file.project for cwd in file.cwds[:1]):
            return file.project
    return files[0].project if files else ""


def _slug(cwd: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)
