"""Sessions in, unique paths out: the steps of `paths.md`, in its order.

Which files make up a session, and which of their records each agent, is §1. At the end:
an archive without the attempts that were abandoned.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set as AbstractSet
from itertools import chain, count
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.agents import AgentTree, find_calls, grow_agent
from everyleaf.graph.containment import Copies, find_contained
from everyleaf.graph.edges import link, link_elsewhere
from everyleaf.graph.forest import PathRef
from everyleaf.graph.status import LeafVerdict, judge
from everyleaf.graph.trees import Origins, Part, Tree, grow_tree
from everyleaf.graph.turns import contract, number_leaves
from everyleaf.graph.units import UnitIndex
from everyleaf.graph.views import Forks
from everyleaf.grouping import DisjointSets, grouped
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import Envelope, SessionRecords
from everyleaf.sources.projects import is_folder_of, is_uuid, slug

Calls = set[tuple[str, str]]
"""Tool calls: (session, tool_use_id)."""


class Session(Struct, frozen=True):
    """The files of one session; of an orphaned folder of agents, none of its own."""

    name: str
    """The id: the files' stem, with a number behind it where another session has it too."""
    files: tuple[SessionRecords, ...]
    """The one begun first at the front: a session moves with its working folder."""
    agent_files: tuple[SessionRecords, ...]
    project: str
    """The project folder that owns it."""


class Forest(Struct):
    """A solved archive: units with their edges, leaves with their numbers and verdicts.

    Unit ids are those of `units`. `describe` makes values for readers of it.
    """

    files: tuple[SessionRecords, ...]
    """All that went in, sorted by project and name."""
    sessions: tuple[Session, ...]
    trees: tuple[Tree, ...]
    """Main conversations, in the order of `sessions`."""
    agents: tuple[AgentTree, ...]
    calls: dict[tuple[str, str], str]
    """(session, agent id) → the call that started the agent."""
    units: UnitIndex
    copies: Copies
    refs: dict[int, PathRef]
    """Leaf (unit id) → its path, dropped ones included; in order of session and number."""
    verdicts: dict[int, LeafVerdict]
    container: dict[int, int]
    """Dropped leaf → the kept leaf that holds all of its records."""
    merged: frozenset[int]
    """Leaves that put branches of another session into one line."""
    forks: Forks
    issues: tuple[Issue, ...]
    unplaced: tuple[str, ...]
    """uuids of conversation records on no kept path: must be empty."""

    @property
    def kept(self) -> list[int]:
        """Return the leaves of the kept paths, by session and number."""
        return [leaf for leaf in self.refs if leaf not in self.container]


def solve(files: Sequence[SessionRecords], *, is_strict: bool = False) -> Forest:
    """Return the unique conversation paths of `files`, in any order.

    Near-linear in the number of records, whatever the depth and the number of forks and of
    copies; iterative throughout. `is_strict` enumerates plain uuid leaves, without turns.
    Makes no cycles: a caller with many records pauses the collector meanwhile.
    """
    ordered = sorted(files, key=lambda file: (file.project, file.file))
    sessions = _group_sessions(ordered)
    trees, agents, issues = _grow(sessions, Origins(ordered), is_strict=is_strict)
    units = UnitIndex(trees)
    refs: dict[int, PathRef] = {}
    verdicts: dict[int, LeafVerdict] = {}
    for number, tree in enumerate(trees):
        leaves = [units.starts[number] + leaf for leaf in number_leaves(tree)]
        refs |= {leaf: PathRef(tree.session, n) for n, leaf in enumerate(leaves, 1)}
        verdicts |= judge(units, number, leaves)
    copies = Copies(units)
    container, merged = find_contained(copies, refs, verdicts, within_trees=is_strict)
    callers = [*trees, *(agent.tree for agent in agents)]
    calls, described = find_calls(agents, callers)
    odd = chain(
        issues, units.issues, _odd_trees(trees, agents), _odd_agents(agents, callers, calls)
    )
    return Forest(
        files=tuple(ordered),
        sessions=tuple(sessions),
        trees=tuple(trees),
        agents=described,
        calls=calls,
        units=units,
        copies=copies,
        refs=refs,
        verdicts=verdicts,
        container=container,
        merged=merged,
        forks=Forks(copies, refs, container, verdicts),
        issues=tuple(sorted(set(odd))),
        unplaced=_find_unplaced(copies, refs, container),
    )


def _grow(
    sessions: Sequence[Session], origins: Origins, *, is_strict: bool
) -> tuple[list[Tree], list[AgentTree], list[Issue]]:
    """Return the contracted trees of all sessions, of their agents, and what was odd."""
    trees: list[Tree] = []
    agents: list[AgentTree] = []
    issues: list[Issue] = []
    for session in sessions:
        main, sides = _split_agents(session)
        tree, found = grow_tree(session.name, None, main, origins)
        trees.append(tree)
        issues += found + link(tree)
        for agent_id, parts in sorted(sides.items()):
            agent, found = grow_agent(agent_id, parts, tree, origins)
            issues += found
            agents += [agent] if agent is not None else []
    for tree in trees:
        tree.canonical = origins.canonical_of(tree.records)
        contract(tree, is_strict=is_strict)
    issues += link_elsewhere(trees, is_strict=is_strict)
    return trees, agents, issues


def _odd_trees(trees: Sequence[Tree], agents: Sequence[AgentTree]) -> Iterator[Issue]:
    """Yield repaired edges, sessions without conversation, and roots with notes alone."""
    with_agents = {agent.session for agent in agents}
    for tree in trees:
        for position in sorted(tree.inferred):
            message = "parent is missing or unusable; placed by what was written before it"
            yield tree.issue(IssueCode.INFERRED_PARENT, position, message)
        if any(tree.is_conversation):
            units = tree.units
            for members, parent, below in zip(
                units.members, units.parents, units.children, strict=True
            ):
                is_alone = parent < 0 and not below
                if is_alone and not any(tree.is_conversation[at] for at in members):
                    yield tree.issue(
                        IssueCode.NOTES_ONLY, members[0], "root with notes alone"
                    )
        elif tree.session not in with_agents and tree.files:
            message = "session file without any conversation"
            yield tree.issue_at(IssueCode.STUB, (0, 0), message)


def _odd_agents(
    agents: Sequence[AgentTree], callers: Sequence[Tree], calls: dict[tuple[str, str], str]
) -> Iterator[Issue]:
    records = (record for tree in callers for record in tree.records)
    made = {call for record in records for call in record.tool_use_ids}
    for agent in agents:
        if calls.get(agent.key) not in made:
            message = f"no call in this archive started agent {agent.agent_id}"
            yield agent.tree.issue_at(IssueCode.AGENT_WITHOUT_CALL, (0, 0), message)


def _find_unplaced(
    copies: Copies, refs: dict[int, PathRef], container: dict[int, int]
) -> tuple[str, ...]:
    """Return the conversation records that stand on no kept path. Linear."""
    units = copies.units
    placed = units.on_paths(leaf for leaf in refs if leaf not in container)
    return tuple(
        name
        for unit_id, is_placed in enumerate(placed)
        if not is_placed
        for name in units.ids(unit_id)
        if not any(placed[place] for place in copies.shared.get(name, {}).values())
    )


def _group_sessions(ordered: Iterable[SessionRecords]) -> list[Session]:
    """Return the sessions of files that are sorted by project and name, by id.

    Files with one stem in several folders are one session if the stem is a UUID or they
    share a record; otherwise they are several, and all but the first get a number. So do
    stems that differ in case alone: to some systems, their pages have one name.
    """
    mains = grouped((one.session, one) for one in ordered if one.agent_id is None)
    agents = grouped((one.session, one) for one in ordered if one.agent_id is not None)
    sessions: list[Session] = []
    numbers = defaultdict[str, Iterator[int]](lambda: count(1))
    stems = sorted({*mains, *agents})
    taken = {stem.casefold() for stem in stems}
    for stem in stems:
        clusters = _cluster(stem, mains.get(stem, [])) or [[]]
        for files in clusters:
            name = stem
            while (number := next(numbers[stem.casefold()])) > 1:
                name = f"{stem}-{number}"
                if name.casefold() not in taken:
                    break
            projects = {file.project for file in files}
            own = tuple(
                agent
                for agent in agents.get(stem, ())
                if len(clusters) == 1 or agent.project in projects
            )
            begun = tuple(sorted(files, key=attrgetter("begun")))
            sessions.append(Session(name, begun, own, _owner(begun or own)))
    return sessions


def _cluster(stem: str, files: Sequence[SessionRecords]) -> list[list[SessionRecords]]:
    together, holders = DisjointSets[int](), dict[str, int]()
    for at, file in enumerate(files):
        if is_uuid(stem):
            together.union(0, at)
        for record in file.records:
            together.union(holders.setdefault(record.uuid, at), at)
    groups = together.groups(range(len(files))).values()
    return [[files[at] for at in members] for members in groups]


def _owner(files: Sequence[SessionRecords]) -> str:
    """Return the folder whose name fits the records' working folder, else the first."""
    ran = ((file.project, cwd) for file in files for cwd in file.cwds[:1])
    fitting = (project for project, cwd in ran if is_folder_of(slug(cwd), project))
    return next(fitting, files[0].project if files else "")


def _split_agents(session: Session) -> tuple[list[Part], dict[str, list[Part]]]:
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
        members = grouped((record.agent_id or "", record) for record in file.told)
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


class ActiveRecords(Struct, frozen=True):
    """What is left of an archive."""

    files: tuple[SessionRecords, ...]
    before: dict[int, tuple[int, ...]]
    """Source → lines of all its records, in order."""
    after: dict[int, frozenset[int]]
    """Source → lines of those that are left; without agents that go."""

    def holds(self, source: int, line: int) -> bool:
        """Return whether a record beside the tree stays: the one before it does, too."""
        before = self.before[source]
        at = bisect_right(before, line)
        return not at or before[at - 1] in self.after.get(source, frozenset())


def drop_abandoned(forest: Forest) -> ActiveRecords:
    """Return the records of `forest` that stand on ACTIVE paths, or on copies of such.

    An agent goes with the call that started it.
    Solving what is returned finds no fork to an abandoned path. Linear in the records.
    """
    kept = _kept_uuids(forest)
    gone = {agent.key: agent for agent in _gone_agents(forest, kept)}
    gone_uuids = defaultdict[str, set[str]](set)
    for agent in gone.values():
        gone_uuids[agent.session] |= agent.tree.index.keys()
    files: list[SessionRecords] = []
    for session in forest.sessions:
        name = session.name
        files += [_reduced(file, kept[name], gone_uuids[name]) for file in session.files]
        files += [file for file in session.agent_files if (name, file.agent_id) not in gone]
    return ActiveRecords(
        files=tuple(files),
        before={file.source: tuple(r.line for r in file.records) for file in forest.files},
        after={file.source: frozenset(r.line for r in file.records) for file in files},
    )


def _reduced(
    file: SessionRecords, kept: AbstractSet[str], gone: AbstractSet[str]
) -> SessionRecords:
    records = tuple(
        record
        for record in file.records
        if (record.uuid not in gone if record.is_sidechain else record.uuid in kept)
    )
    told = tuple(record for record in file.told if record.uuid not in gone)
    return replace(file, records=records, told=told)


def _kept_uuids(forest: Forest) -> dict[str, frozenset[str]]:
    """Return session → uuids of its records that stand on paths which stay."""
    units, container = forest.units, forest.container
    placed = units.on_paths(
        leaf for leaf in forest.refs if forest.verdicts[container.get(leaf, leaf)].is_active
    )
    return {
        tree.session: frozenset(
            uuid for uuid, at in tree.index.items() if placed[units.id_of(tree, at)]
        )
        for tree in forest.trees
    }


def _gone_agents(forest: Forest, kept: dict[str, frozenset[str]]) -> list[AgentTree]:
    """Return the agents that go.

    An agent goes if its call was made, and only where nothing stays: in the conversation,
    or by an agent that goes.
    """
    made: Calls = set()
    staying: Calls = set()
    for tree in forest.trees:
        made |= _calls_in(tree)
        staying |= _calls_in(tree, kept[tree.session])
    pending = list(forest.agents)
    gone: list[AgentTree] = []
    while pending:
        callers = {call for agent in pending for call in _calls_in(agent.tree)}
        later: list[AgentTree] = []
        for agent in pending:
            call = (agent.session, forest.calls.get(agent.key, ""))
            if call in callers and call not in made:
                later.append(agent)
                continue
            calls = _calls_in(agent.tree)
            if call in made and call not in staying:
                gone.append(agent)
            else:
                staying |= calls
            made |= calls
        if len(later) == len(pending):  # Agents that call each other: nobody else did.
            break
        pending = later
    return gone


def _calls_in(tree: Tree, kept: AbstractSet[str] | None = None) -> Calls:
    return {
        (tree.session, call)
        for record in tree.records
        if kept is None or record.uuid in kept
        for call in record.tool_use_ids
    }
