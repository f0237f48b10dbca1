"""Which files make up a session, and which of their records each agent (`paths.md` §1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.sources.projects import is_folder_of, is_uuid, slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from everyleaf.graph.trees import Part
    from everyleaf.model import Envelope, SessionRecords


class Session(Struct, frozen=True):
    """The files of one session; of an orphaned folder of agents, none of its own."""

    name: str
    """The id: the files' stem, with a number behind it where another session has it too."""
    files: tuple[SessionRecords, ...]
    """The one begun first at the front: a session moves with its working folder."""
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
        group = mains if file.agent_id is None else agents
        group.setdefault(file.session, []).append(file)
    sessions: list[Session] = []
    for stem in sorted({*mains, *agents}):
        clusters = _cluster(stem, mains.get(stem, [])) or [[]]
        for number, files in enumerate(clusters, 1):
            projects = {file.project for file in files}
            own = tuple(
                agent
                for agent in agents.get(stem, ())
                if len(clusters) == 1 or agent.project in projects
            )
            name = stem if number == 1 else f"{stem}-{number}"
            begun = tuple(sorted(files, key=_begun))
            sessions.append(Session(name, begun, own, _owner(begun or own)))
    return sessions


def _cluster(stem: str, files: Sequence[SessionRecords]) -> list[list[SessionRecords]]:
    if len(files) < 2 or is_uuid(stem):
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


def _begun(file: SessionRecords) -> tuple[bool, str, str]:
    first = next((record.timestamp for record in file.records if record.timestamp), "")
    return (not first, first, file.project)


def _owner(files: Sequence[SessionRecords]) -> str:
    """Return the folder whose name fits the records' working folder, else the first."""
    for file in files:
        if any(is_folder_of(slug(cwd), file.project) for cwd in file.cwds[:1]):
            return file.project
    return files[0].project if files else ""


def split_agents(session: Session) -> tuple[list[Part], dict[str, list[Part]]]:
    """Return the records of the main conversation, and those of each agent by its id."""
    main: list[Part] = []
    agents: dict[str, list[Part]] = {}
    for file in session.files:
        side = [record for record in file.records if record.is_sidechain]
        own = file.records
        if side:
            own = tuple(record for record in own if not record.is_sidechain)
        main.append((file, own))
        for agent_id, records in _group_sidechain(side).items():
            agents.setdefault(agent_id, []).append((file, records))
    for file in session.agent_files:
        agents.setdefault(file.agent_id or "", []).append((file, file.records))
    embedded: dict[str, list[Part]] = {}
    for file in (*session.files, *session.agent_files):
        members: dict[str, list[Envelope]] = {}
        for record in file.told:
            members.setdefault(record.agent_id or "", []).append(record)
        for agent_id, records in members.items():
            embedded.setdefault(agent_id, []).append((file, records))
    return main, embedded | agents


def _group_sidechain(side: Sequence[Envelope]) -> dict[str, list[Envelope]]:
    """Return the agents that stand inside a session file (1.0.x), by agent id.

    Records without an agent id belong to the agent of the root that they hang from, which
    is named by its uuid.
    """
    index: dict[str, str] = {}
    members: dict[str, list[Envelope]] = {}
    last = ""
    for record in side:
        name = record.agent_id or index.get(record.parent_uuid or "")
        if name is None:
            is_root = record.parent_uuid is None or not last
            name = f"side-{record.uuid[:8]}" if is_root else last
        index.setdefault(record.uuid, name)
        members.setdefault(name, []).append(record)
        last = name
    return members
