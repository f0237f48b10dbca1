"""A solved forest as values for readers: paths with titles, labels, reasons, relations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.graph.copies import FAIL
from everyleaf.graph.forest import (
    Contained,
    ConversationPath,
    Diverged,
    PathRef,
    TurnKind,
)
from everyleaf.graph.titles import Namer, is_warmup
from everyleaf.graph.units import NONE
from everyleaf.model import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from everyleaf.graph.solve import Forest
    from everyleaf.graph.status import LeafVerdict

_MOST_DIVERGED = 20
"""Sessions named on a page that share its beginning."""


class Description(Struct, frozen=True):
    """What readers are told of an archive."""

    paths: dict[PathRef, ConversationPath]
    """Every kept path, by session and number."""
    titles: dict[str, str]
    """Session → title of its last ACTIVE path, or a title of its own where it has none."""
    warmups: frozenset[str]
    """Sessions whose prompts are all the CLI's own warm-ups."""


def describe(forest: Forest, projects: Mapping[str, str] | None = None) -> Description:
    """Return the kept paths of `forest` and what its sessions are called. Near-linear.

    `projects` has the names to show of project folders.
    """
    describer = _Describer(forest, projects or {})
    namer = describer.namer
    titles = {tree.session: namer.session_name(tree) for tree in forest.trees}
    for leaf, ref in forest.refs.items():
        if forest.verdicts[leaf].is_active:
            titles[ref.session] = namer.name(leaf)[0]
    asked: dict[str, list[str]] = {}
    for agent in forest.agents:
        first = (r.words for r in agent.tree.records if r.kind is Kind.PROMPT)
        asked.setdefault(agent.session, []).extend(list(first)[:1])
    return Description(
        paths={forest.refs[leaf]: describer.path(leaf) for leaf in forest.kept},
        titles=titles,
        warmups=frozenset(
            tree.session
            for tree in forest.trees
            if is_warmup(tree, asked.get(tree.session, ()))
        ),
    )


class _Describer:
    def __init__(self, forest: Forest, projects: Mapping[str, str]) -> None:
        self.forest = forest
        self.projects = {s.name: projects.get(s.project, "") for s in forest.sessions}
        self.units = forest.units
        self.container = forest.containment.container
        self.namer = Namer(forest.units, forest.files, forest.sidechain_words)
        self.kept = set(forest.kept)
        self.of: dict[str, int] = {}
        for ref in forest.refs.values():
            self.of[ref.session] = self.of.get(ref.session, 0) + 1
        self.contents: dict[int, list[int]] = {}
        for leaf, holder in self.container.items():
            self.contents.setdefault(holder, []).append(leaf)
        self.labels: dict[int, str] = {}
        self.started: list[str] = [""] * len(self.units.parents)
        """Unit id → the first timestamp from the very root down to it."""
        self.shared: list[int] = [NONE] * len(self.units.parents)
        """Unit id → deepest unit at or above it that another tree holds too, or `NONE`."""
        self._walk_down()

    def _walk_down(self) -> None:
        units, started, shared = self.units, self.started, self.shared
        holders = self.forest.copies.holders
        for unit_id in units.order:
            above = units.parents[unit_id]
            if above != NONE:
                started[unit_id], shared[unit_id] = started[above], shared[above]
            if holders[unit_id]:
                shared[unit_id] = unit_id
            if not started[unit_id]:
                tree, unit = units.unit(unit_id)
                times = (
                    tree.records[at].timestamp
                    for at in tree.units.members[unit]
                    if tree.is_conversation[at]
                )
                started[unit_id] = next(filter(None, times), "")

    def path(self, leaf: int) -> ConversationPath:
        """Return the kept path that ends in the unit `leaf`."""
        forest, units = self.forest, self.units
        ref, verdict = forest.refs[leaf], forest.verdicts[leaf]
        is_active = verdict.is_active
        title, time = self.namer.name(leaf)
        last = units.last_said(units.conversation_at(leaf))
        contents = sorted(self.contents.get(leaf, ()), key=forest.refs.__getitem__)
        joint = NONE if is_active else units.conversation_at(verdict.joint)
        taker = self.container.get(verdict.active_leaf, verdict.active_leaf)
        is_withdrawn = not is_active and self._is_withdrawn(leaf, verdict)
        return ConversationPath(
            session=ref.session,
            number=ref.number,
            of=self.of[ref.session],
            status=verdict.status,
            reason=f"withdrawn before a reply; {verdict.reason}"
            if is_withdrawn and joint != NONE
            else verdict.reason,
            title=title,
            label="" if is_active else self._label(leaf, verdict.joint),
            fork_point=None if joint == NONE else units.last_said(joint).uuid,
            shared=0 if joint == NONE else units.sizes[joint],
            taken_over_by=None if is_active else forest.refs[taker],
            is_withdrawn=is_withdrawn,
            is_merged_copy=leaf in forest.containment.merged,
            compactions=units.compactions[leaf],
            messages=units.sizes[leaf],
            prompts=units.prompts[leaf],
            started=self.started[leaf],
            ended=time or last.timestamp,
            inferred=units.repaired[leaf],
            contains=tuple(self._contained(each, ref) for each in contents),
            diverged=self._diverged(leaf) if is_active else (),
            leaf_uuid=last.uuid,
            fork_point_there="" if joint == NONE else self._uuid_in(joint, taker),
            project=self.projects.get(ref.session, ""),
        )

    def _contained(self, leaf: int, by: PathRef) -> Contained:
        return Contained(
            path=self.forest.refs[leaf],
            by=by,
            status=self.forest.verdicts[leaf].status,
            title=self.namer.name(leaf)[0],
            messages=self.units.sizes[leaf],
            leaf_uuid=self._uuid_in(leaf, self.container[leaf]),
        )

    def _uuid_in(self, unit_id: int, holder: int) -> str:
        """Return the uuid by which `holder` has the last record of the path to a unit."""
        unit_id = self.units.conversation_at(unit_id)
        name = self.units.ids(unit_id)[-1]
        places = self.forest.copies.shared.get(name, {})
        return self.units.find(places.get(self.units.roots[holder], unit_id), name).uuid

    def _label(self, leaf: int, joint: int) -> str:
        """Return the first words after `joint` on the way to `leaf`, a prompt's if any.

        Remembered, so that the branches below one fork cost a walk in all: whatever hangs
        from a unit off the ACTIVE path has the same joint as the unit.
        """
        trail: list[int] = []
        at = leaf
        while at not in (joint, NONE) and at not in self.labels:
            trail.append(at)
            at = self.units.parents[at]
        label = self.labels.get(at, "")
        for unit_id in reversed(trail):
            label = label or self.units.words(unit_id, Kind.PROMPT)
            self.labels[unit_id] = label
        return label or self.units.words(trail[-1] if trail else leaf, Kind.REPLY)

    def _is_withdrawn(self, leaf: int, verdict: LeafVerdict) -> bool:
        """Return whether nothing between the fork and `leaf` was answered."""
        for unit_id in self.units.up(leaf):
            if unit_id == verdict.joint:
                break
            tree, unit = self.units.unit(unit_id)
            if tree.units.kinds[unit] not in (TurnKind.PROMPT, TurnKind.NOTES):
                return False
        return True

    def _diverged(self, leaf: int) -> tuple[Diverged, ...]:
        """Return the sessions that share the beginning of a path and then part from it."""
        point = self.shared[leaf]
        if point == NONE:
            return ()
        copies, refs, roots = self.forest.copies, self.forest.refs, self.units.roots
        own = refs[leaf].session
        found: dict[str, Diverged] = {}
        others = copies.holder_roots(point)
        if roots[point] != roots[leaf]:
            others.append(roots[point])  # The session that was carried on.
        for root in others:
            cover = copies.cover(point, root)
            if cover == FAIL or len(found) == _MOST_DIVERGED:
                continue
            other = self.forest.forks.target(root if cover == NONE else cover)
            if other in self.kept and refs[other].session != own:
                shared = self.units.sizes[point]
                found.setdefault(refs[other].session, Diverged(refs[other], shared))
        return tuple(found[session] for session in sorted(found))
