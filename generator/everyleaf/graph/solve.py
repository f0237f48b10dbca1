"""Sessions in, unique paths out: the steps of `paths.md`, in its order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from everyleaf.graph.agents import (
    AgentTree,
    describe_agents,
    find_calls,
    group_sidechain,
    group_told,
    grow_agent,
    split_sidechains,
)
from everyleaf.graph.atlas import NONE, Atlas
from everyleaf.graph.branches import Forks
from everyleaf.graph.containment import Containment, find_contained
from everyleaf.graph.copies import Copies
from everyleaf.graph.edges import link
from everyleaf.graph.elsewhere import link_elsewhere
from everyleaf.graph.forest import PathRef
from everyleaf.graph.identity import learn_origins
from everyleaf.graph.numbers import number_leaves
from everyleaf.graph.sessions import Session, group_sessions
from everyleaf.graph.status import Verdict, judge
from everyleaf.graph.trees import Tree, grow_tree
from everyleaf.graph.turns import contract
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import CONVERSATION, Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from everyleaf.graph.containment import Preference
    from everyleaf.graph.trees import Part
    from everyleaf.model import SessionRecords


class Forest(Struct):
    """A solved archive: units with their edges, leaves with their numbers and verdicts.

    `gid` and unit numbers are those of `atlas`. `describe` makes values for readers of it.
    """

    files: tuple[SessionRecords, ...]
    """All that went in, sorted by project and name."""
    sessions: tuple[Session, ...]
    trees: tuple[Tree, ...]
    """Main conversations, in the order of `sessions`."""
    agents: tuple[AgentTree, ...]
    calls: dict[tuple[str, str], str]
    """(session, agent id) → the call that started the agent."""
    atlas: Atlas
    copies: Copies
    refs: dict[int, PathRef]
    """Leaf (gid) → its path, dropped ones included; in order of session and number."""
    verdicts: dict[int, Verdict]
    containment: Containment
    forks: Forks
    issues: tuple[Issue, ...]
    unplaced: tuple[str, ...] = field(default=())
    """uuids of conversation records on no kept path: must be empty."""

    @property
    def kept(self) -> list[int]:
        """Return the leaves of the kept paths, by session and number."""
        return [leaf for leaf in self.refs if leaf not in self.containment.container]

    @property
    def sidechain_words(self) -> dict[str, str]:
        """Return the first words of each session's first sidechain reply."""
        words: dict[str, str] = {}
        for agent in self.agents:
            for record in agent.tree.records:
                if record.kind is Kind.REPLY and record.words:
                    words.setdefault(agent.session, record.words)
        return words

    @property
    def record_count(self) -> int:
        """Return how many conversation records were read, each once a session."""
        trees = [*self.trees, *(agent.tree for agent in self.agents)]
        return sum(kind in CONVERSATION for tree in trees for kind in tree.kinds)


def solve(files: Sequence[SessionRecords], *, is_strict: bool = False) -> Forest:
    """Return the unique conversation paths of `files`, in any order.

    Near-linear in the number of records, whatever the depth and the number of forks and of
    copies; iterative throughout. `is_strict` enumerates plain uuid leaves, without turns.
    Makes no cycles: a caller with many records pauses the collector meanwhile.
    """
    ordered = sorted(files, key=lambda file: (file.project, file.file))
    origins = learn_origins(ordered)
    issues: list[Issue] = []
    sessions = group_sessions(ordered)
    trees: list[Tree] = []
    agents: list[AgentTree] = []
    for session in sessions:
        main, sides = _split(session)
        tree, found = grow_tree(session.name, None, main, origins)
        trees.append(tree)
        issues += found + link(tree)
        for agent_id, parts in sorted(sides.items()):
            agent, found = grow_agent(session.name, agent_id, parts, tree, origins)
            issues += found
            if agent is not None:
                agents.append(agent)
    for tree in trees:
        tree.canonical = origins.canonical_of(tree.records)
        contract(tree, is_strict=is_strict)
    issues += link_elsewhere(trees, is_strict=is_strict)
    atlas = Atlas(trees)
    issues += atlas.issues
    grown = _Grown(tuple(ordered), tuple(sessions), tuple(trees), tuple(agents), issues)
    return _finish(grown, atlas, is_strict=is_strict)


class _Grown(Struct, frozen=True):
    """What is known before paths are looked at."""

    files: tuple[SessionRecords, ...]
    sessions: tuple[Session, ...]
    trees: tuple[Tree, ...]
    agents: tuple[AgentTree, ...]
    issues: list[Issue]


def _split(session: Session) -> tuple[list[Part], dict[str, list[Part]]]:
    """Return the records of the main conversation, and those of each agent by its id."""
    main: list[Part] = []
    sides: dict[str, list[Part]] = {}
    for file in session.files:
        own, side = split_sidechains(file.records)
        main.append((file, own))
        for agent_id, part in group_sidechain(file, side).items():
            sides.setdefault(agent_id, []).append(part)
    for file in session.agent_files:
        sides.setdefault(file.agent_id or "", []).append((file, list(file.records)))
    for agent_id, parts in group_told((*session.files, *session.agent_files)).items():
        sides.setdefault(agent_id, parts)
    return main, sides


def _finish(grown: _Grown, atlas: Atlas, *, is_strict: bool) -> Forest:
    trees, agents = grown.trees, grown.agents
    refs: dict[int, PathRef] = {}
    verdicts: dict[int, Verdict] = {}
    for number, tree in enumerate(trees):
        leaves = [atlas.starts[number] + leaf for leaf in number_leaves(tree)]
        refs |= {leaf: PathRef(tree.session, n) for n, leaf in enumerate(leaves, 1)}
        verdicts |= judge(atlas, number, leaves)
    copies = Copies(atlas)
    containment = find_contained(
        atlas,
        copies,
        list(refs),
        prefer=lambda leaf: _preference(atlas, refs, verdicts, leaf),
        is_active=lambda leaf: verdicts[leaf].is_active,
        within_trees=is_strict,
    )
    active = frozenset(leaf for leaf, verdict in verdicts.items() if verdict.is_active)
    callers = [*trees, *(agent.tree for agent in agents)]
    calls = find_calls(agents, callers)
    return Forest(
        files=grown.files,
        sessions=grown.sessions,
        trees=trees,
        agents=describe_agents(agents, callers, calls),
        calls=calls,
        atlas=atlas,
        copies=copies,
        refs=refs,
        verdicts=verdicts,
        containment=containment,
        forks=Forks(atlas, copies, refs, containment.container, active),
        issues=tuple(
            sorted(
                {
                    *grown.issues,
                    *_inferred_issues(trees),
                    *_loose_ends(trees, agents, calls),
                }
            )
        ),
        unplaced=_find_unplaced(atlas, copies, refs, containment),
    )


def _preference(
    atlas: Atlas, refs: dict[int, PathRef], verdicts: dict[int, Verdict], leaf: int
) -> Preference:
    # Under a prompt or a reply may stand notes alone, in strict mode.
    tree, unit = atlas.unit(next(gid for gid in atlas.up(leaf) if atlas.ids(gid)))
    is_fork = any(tree.records[at].forked_from for at in tree.units.members[unit])
    last = max(at for at in tree.units.members[unit] if tree.kinds[at] in CONVERSATION)
    ref = refs[leaf]
    is_active = verdicts[leaf].is_active
    return (not is_active, is_fork, tree.records[last].timestamp, ref.session, ref.number)


def _inferred_issues(trees: Sequence[Tree]) -> list[Issue]:
    message = "parent is missing or unusable; placed by what was written before it"
    return [
        tree.issue(IssueCode.INFERRED_PARENT, position, message)
        for tree in trees
        for position in sorted(tree.inferred)
    ]


def _loose_ends(
    trees: Sequence[Tree], agents: Sequence[AgentTree], calls: dict[tuple[str, str], str]
) -> list[Issue]:
    issues: list[Issue] = []
    with_agents = {agent.session for agent in agents}
    for tree in trees:
        has_words = any(kind in CONVERSATION for kind in tree.kinds)
        if not has_words and tree.session not in with_agents and tree.files:
            file = tree.files[0].file
            message = "session file without any conversation"
            issues.append(Issue(file, 0, IssueCode.STUB, message, session=tree.session))
        if has_words:
            issues += _notes_only(tree)
    made = {
        call
        for tree in (*trees, *(agent.tree for agent in agents))
        for record in tree.records
        for call in record.tool_use_ids
    }
    for agent in agents:
        call = calls.get((agent.session, agent.agent_id))
        if call not in made:
            message = f"no call in this archive started agent {agent.agent_id}"
            file = agent.tree.files[0].file
            issues.append(
                Issue(file, 0, IssueCode.AGENT_WITHOUT_CALL, message, session=agent.session)
            )
    return issues


def _notes_only(tree: Tree) -> list[Issue]:
    units = tree.units
    return [
        tree.issue(IssueCode.NOTES_ONLY, units.members[unit][0], "root with notes alone")
        for unit, parent in enumerate(units.parents)
        if parent < 0
        and not units.children[unit]
        and not any(tree.kinds[at] in CONVERSATION for at in units.members[unit])
    ]


def _find_unplaced(
    atlas: Atlas, copies: Copies, refs: dict[int, PathRef], containment: Containment
) -> tuple[str, ...]:
    """Return the conversation records that stand on no kept path. Linear."""
    placed = bytearray(len(atlas.parents))
    for leaf in refs:
        if leaf not in containment.container:
            gid = leaf
            while gid != NONE and not placed[gid]:
                placed[gid] = 1
                gid = atlas.parents[gid]
    return tuple(
        name
        for gid, is_placed in enumerate(placed)
        if not is_placed
        for name in atlas.ids(gid)
        if not any(placed[place] for place in copies.shared.get(name, {}).values())
    )
