"""Names that lead nowhere: of parents, of a summary's leaf, of subagents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.atlas import NONE
from everyleaf.model import MarkerKind
from everyleaf.survey.oddities import Finding, Odd

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.graph.solve import Forest
    from everyleaf.graph.trees import Tree


def _uuids(forest: Forest) -> set[str]:
    return {record.uuid for file in forest.files for record in file.records}


def find_dangling(forest: Forest) -> Iterator[Finding]:
    """Yield, file by file, how many records name a parent that is nowhere."""
    known = _uuids(forest)
    for file in forest.files:
        lost = [
            record.line
            for record in file.records
            if record.parent_uuid and record.parent_uuid not in known
        ]
        if lost:
            said = f"{len(lost)} {'record names' if len(lost) == 1 else 'records name'}"
            said += " a parent that is in no file"
            yield Finding(Odd.DANGLING_PARENT, file.file, lost[0], said, file.session)


def find_roots(forest: Forest) -> Iterator[Finding]:
    """Yield the sessions with several beginnings, located at the second one."""
    for number, tree in enumerate(forest.trees):
        start = forest.atlas.starts[number]
        roots = [
            unit
            for unit, above in enumerate(tree.units.parents)
            if above == NONE
            and _is_said(tree, unit)
            # One that goes on from another session is no beginning.
            and start + unit not in forest.atlas.foreign
        ]
        if len(roots) > 1:
            at = tree.units.members[roots[1]][0]
            file = tree.files[tree.file_of[at]].file
            said = f"{len(roots)} beginnings"
            line = tree.records[at].line
            yield Finding(Odd.SEVERAL_ROOTS, file, line, said, tree.session)


def _is_said(tree: Tree, unit: int) -> bool:
    return any(tree.is_conversation[at] for at in tree.units.members[unit])


def find_lost_summaries(forest: Forest) -> Iterator[Finding]:
    """Yield the summaries whose leaf is in no file."""
    known = _uuids(forest)
    for file in forest.files:
        for marker in file.markers:
            is_summary = marker.kind is MarkerKind.SUMMARY
            if is_summary and marker.leaf_uuid and marker.leaf_uuid not in known:
                said = f"names {marker.leaf_uuid}"
                yield Finding(Odd.LOST_SUMMARY, file.file, marker.line, said, file.session)


def find_calls_without_agent(forest: Forest) -> Iterator[Finding]:
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
                file = tree.files[tree.file_of[position]].file
                said = f"call {call} started {who}"
                place = Odd.CALL_WITHOUT_AGENT, file, record.line
                yield Finding(*place, said, tree.session)
