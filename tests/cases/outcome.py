"""What comes out of a case: one section for each thing that a case file may ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.describe import describe
from everyleaf.graph.solve import Forest, solve
from everyleaf.graph.views import Views
from everyleaf.model import CONVERSATION

if TYPE_CHECKING:
    from cases.notation import Case


def write_outcome(case: Case) -> str:
    """Return what comes out of `case`: its sections, and any that would hide something."""
    forest = solve(case.files, is_strict=case.is_strict)
    if forest.unplaced:
        raise AssertionError(f"records on no path: {forest.unplaced}")
    written: list[str] = []
    for name, write in _WRITERS.items():
        lines = write(forest)
        if name in case.sections or name == "paths" or (lines and name in _NEVER_HIDDEN):
            written += [f"--- {name}", *lines]
    return "\n".join(written)


def ids_of(forest: Forest, leaf: int) -> list[str]:
    """Return the canonical ids on the path that ends in `leaf`, in transcript order."""
    return [
        name
        for unit_id in reversed(list(forest.units.up(leaf)))
        for name in forest.units.ids(unit_id)
    ]


def _paths(forest: Forest) -> list[str]:
    return [
        f"{path.session}#{path.number} {path.status}: "
        + " ".join(ids_of(forest, leaf))
        + (" (withdrawn)" if path.is_withdrawn else "")
        + (" (merged copy)" if path.is_merged_copy else "")
        for leaf, path in zip(forest.kept, describe(forest).paths.values(), strict=True)
    ]


def _dropped(forest: Forest) -> list[str]:
    return [
        f"{found.path.session}#{found.path.number} {found.status} "
        f"in {path.session}#{path.number}"
        for path in describe(forest).paths.values()
        for found in path.contains
    ]


def _inferred(forest: Forest) -> list[str]:
    return [
        f"{tree.session}: {tree.records[at].uuid} <- "
        + (tree.records[tree.parents[at]].uuid if tree.parents[at] >= 0 else "-")
        for tree in forest.trees
        for at in sorted(tree.inferred)
    ]


def _issues(forest: Forest) -> list[str]:
    return [str(issue) for issue in forest.issues]


def _turns(forest: Forest) -> list[str]:
    views = Views(forest.units, forest.copies)
    return [
        f"{turn.session}: {turn.kind}"
        + (f" ({turn.seam})" if turn.seam else "")
        + ": "
        + " ".join(
            record.envelope.uuid
            + "".join(
                f" (also line {found.envelope.line} of {found.session})"
                for found in record.variants
            )
            for record in turn.records
        )
        for turn in map(views.turn, range(len(forest.units.parents)))
    ]


def _facts(forest: Forest) -> list[str]:
    return [
        f"{path.session}#{path.number}: {path.title!r}, {path.started[14:19]} to "
        f"{path.ended[14:19]}, {path.prompts} prompts, {path.compactions} compactions"
        for path in describe(forest).paths.values()
    ]


def _reasons(forest: Forest) -> list[str]:
    return [
        f"{path.session}#{path.number}: {path.reason}"
        + (
            f"; {path.label!r} after {path.fork_point}, {path.shared} shared, "
            f"now {path.taken_over_by.session}#{path.taken_over_by.number}"
            if path.taken_over_by
            else ""
        )
        for path in describe(forest).paths.values()
    ]


def _diverged(forest: Forest) -> list[str]:
    return [
        f"{path.session}#{path.number}: "
        f"{found.path.session}#{found.path.number} after {found.shared}"
        for path in describe(forest).paths.values()
        for found in path.diverged
    ]


def _forks(forest: Forest) -> list[str]:
    units = forest.units
    return [
        f"{units.unit(unit_id)[0].session}: {(units.ids(unit_id) or ['notes'])[-1]}: "
        + ", ".join(
            f"{branch.path.session}#{branch.path.number} {branch.status} "
            f"{branch.words!r} {branch.messages}"
            for branch in branches
        )
        for unit_id, branches in forest.forks.branches.items()
    ]


def _agents(forest: Forest) -> list[str]:
    return [
        f"{agent.session}/{agent.agent_id} of "
        f"{forest.calls.get((agent.session, agent.agent_id), 'no call')}: "
        + " ".join(
            record.uuid
            for record, kind in zip(agent.tree.records, agent.tree.kinds, strict=True)
            if kind in CONVERSATION
        )
        for agent in forest.agents
    ]


_WRITERS = {
    "paths": _paths,
    "dropped": _dropped,
    "inferred": _inferred,
    "agents": _agents,
    "forks": _forks,
    "diverged": _diverged,
    "turns": _turns,
    "reasons": _reasons,
    "facts": _facts,
    "issues": _issues,
}
_NEVER_HIDDEN = frozenset({"dropped", "inferred", "agents"})
