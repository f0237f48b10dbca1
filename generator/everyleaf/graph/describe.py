"""A solved forest as values for readers: paths with titles, labels, reasons, relations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.graph.atlas import NONE
from everyleaf.graph.copies import FAIL
from everyleaf.graph.forest import (
    Contained,
    ConversationPath,
    Diverged,
    PathRef,
    Status,
    TurnKind,
)
from everyleaf.graph.titles import Namer, is_warmup
from everyleaf.model import CONVERSATION, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from everyleaf.graph.solve import Forest
    from everyleaf.graph.status import Verdict

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
    return _Describer(forest, projects or {}).run()


class _Describer:
    def __init__(self, forest: Forest, projects: Mapping[str, str]) -> None:
        self.forest = forest
        self.projects = {s.name: projects.get(s.project, "") for s in forest.sessions}
        self.atlas = forest.atlas
        self.namer = Namer(forest.atlas, forest.files, forest.sidechain_words)
        self.kept = set(forest.kept)
        self.of: dict[str, int] = {}
        for ref in forest.refs.values():
            self.of[ref.session] = self.of.get(ref.session, 0) + 1
        self.started = self._find_started()
        self.labels: dict[int, str] = {}
        self.contents: dict[int, list[int]] = {}
        for leaf, holder in forest.containment.container.items():
            self.contents.setdefault(holder, []).append(leaf)
        self.first_shared = self._find_shared()

    def run(self) -> Description:
        forest = self.forest
        paths = {forest.refs[leaf]: self._path(leaf) for leaf in forest.kept}
        titles = {tree.session: self.namer.session_name(tree) for tree in forest.trees}
        for leaf, ref in forest.refs.items():
            if forest.verdicts[leaf].is_active:
                titles[ref.session] = self.namer.name(leaf).title
        asked: dict[str, list[str]] = {}
        for agent in forest.agents:
            first = (r.words for r in agent.tree.records if r.kind is Kind.PROMPT)
            asked.setdefault(agent.session, []).extend(list(first)[:1])
        warmups = frozenset(
            tree.session
            for tree in forest.trees
            if is_warmup(tree, asked.get(tree.session, ()))
        )
        return Description(paths, titles, warmups)

    def _path(self, leaf: int) -> ConversationPath:
        forest, atlas = self.forest, self.atlas
        ref, verdict = forest.refs[leaf], forest.verdicts[leaf]
        name = self.namer.name(leaf)
        joint = NONE if verdict.is_active else self._conversation_at(verdict.joint)
        is_withdrawn = not verdict.is_active and self._is_withdrawn(leaf, verdict)
        return ConversationPath(
            session=ref.session,
            number=ref.number,
            of=self.of[ref.session],
            status=Status.ACTIVE if verdict.is_active else Status.ABANDONED,
            reason=f"withdrawn before a reply; {verdict.reason}"
            if is_withdrawn and joint != NONE
            else verdict.reason,
            title=name.title,
            label="" if verdict.is_active else self._label(leaf, verdict.joint),
            fork_point=None if joint == NONE else self._last(joint)[0],
            shared=0 if joint == NONE else atlas.sizes[joint],
            taken_over_by=None if verdict.is_active else self._ref(verdict.active_leaf),
            is_withdrawn=is_withdrawn,
            is_merged_copy=leaf in forest.containment.merged,
            compactions=atlas.compactions[leaf],
            messages=atlas.sizes[leaf],
            prompts=atlas.prompts[leaf],
            started=self.started[leaf],
            ended=name.time or self._last(leaf)[1],
            inferred=atlas.repaired[leaf],
            contains=tuple(self._contained(other, ref) for other in self._held(leaf)),
            diverged=self._diverged(leaf) if verdict.is_active else (),
            leaf_uuid=self._last(leaf)[0],
            fork_point_there=""
            if joint == NONE
            else self._twin_of_last(joint, self._kept(verdict.active_leaf)),
            project=self.projects.get(ref.session, ""),
        )

    def _held(self, leaf: int) -> list[int]:
        return sorted(self.contents.get(leaf, []), key=self.forest.refs.__getitem__)

    def _contained(self, leaf: int, by: PathRef) -> Contained:
        is_active = self.forest.verdicts[leaf].is_active
        return Contained(
            path=self.forest.refs[leaf],
            by=by,
            status=Status.ACTIVE if is_active else Status.ABANDONED,
            title=self.namer.name(leaf).title,
            messages=self.atlas.sizes[leaf],
            leaf_uuid=self._twin_of_last(leaf, self.forest.containment.container[leaf]),
        )

    def _twin_of_last(self, leaf: int, holder: int) -> str:
        """Return the uuid by which `holder` has the last record of the path to `leaf`."""
        atlas = self.atlas
        leaf = self._conversation_at(leaf)
        name = atlas.ids(leaf)[-1]
        place = self.forest.copies.shared.get(name, {}).get(atlas.roots[holder])
        tree, unit = atlas.unit(leaf if place is None else place)
        for at in tree.units.members[unit]:
            if tree.canonical[at] == name:
                return tree.records[at].uuid
        return self._last(leaf)[0]

    def _ref(self, leaf: int) -> PathRef:
        return self.forest.refs[self._kept(leaf)]

    def _kept(self, leaf: int) -> int:
        return self.forest.containment.container.get(leaf, leaf)

    def _conversation_at(self, gid: int) -> int:
        """Return the nearest unit at or above `gid` that holds conversation, or `NONE`."""
        while gid != NONE and not self.atlas.ids(gid):
            gid = self.atlas.parents[gid]
        return gid

    def _last(self, gid: int) -> tuple[str, str]:
        """Return uuid and timestamp of the last conversation record of or above a unit."""
        tree, unit = self.atlas.unit(self._conversation_at(gid))
        last = max(at for at in tree.units.members[unit] if tree.kinds[at] in CONVERSATION)
        return tree.records[last].uuid, tree.records[last].timestamp

    def _find_started(self) -> list[str]:
        atlas = self.atlas
        started = [""] * len(atlas.parents)
        for gid in atlas.order:
            above = atlas.parents[gid]
            first = "" if above == NONE else started[above]
            if not first:
                tree, unit = atlas.unit(gid)
                times = (
                    tree.records[at].timestamp
                    for at in tree.units.members[unit]
                    if tree.kinds[at] in CONVERSATION
                )
                first = next((time for time in times if time), "")
            started[gid] = first
        return started

    def _label(self, leaf: int, joint: int) -> str:
        """Return the first words after `joint` on the way to `leaf`, a prompt's if any.

        Remembered, so that the branches below one fork cost a walk in all: whatever hangs
        from a unit off the ACTIVE path has the same joint as the unit.
        """
        trail: list[int] = []
        at = leaf
        while at not in (joint, NONE) and at not in self.labels:
            trail.append(at)
            at = self.atlas.parents[at]
        label = self.labels.get(at, "")
        for gid in reversed(trail):
            label = label or self._words(gid, Kind.PROMPT)
            self.labels[gid] = label
        return label or self._words(trail[-1] if trail else leaf, Kind.REPLY)

    def _words(self, gid: int, kind: Kind) -> str:
        tree, unit = self.atlas.unit(gid)
        words = (
            tree.records[at].words
            for at in tree.units.members[unit]
            if tree.kinds[at] is kind
        )
        return next((text for text in words if text), "")

    def _is_withdrawn(self, leaf: int, verdict: Verdict) -> bool:
        """Return whether nothing between the fork and `leaf` was answered."""
        at = leaf
        while at not in (verdict.joint, NONE):
            tree, unit = self.atlas.unit(at)
            if tree.units.kinds[unit] not in (TurnKind.PROMPT, TurnKind.NOTES):
                return False
            at = self.atlas.parents[at]
        return True

    def _find_shared(self) -> list[int]:
        """Return the deepest unit at or above each one that another tree holds too."""
        holders, parents = self.forest.copies.holders, self.atlas.parents
        shared = [NONE] * len(parents)
        for gid in self.atlas.order:
            above = parents[gid]
            shared[gid] = (
                gid if holders[gid] else (NONE if above == NONE else shared[above])
            )
        return shared

    def _diverged(self, leaf: int) -> tuple[Diverged, ...]:
        """Return the sessions that share the beginning of a path and then part from it."""
        point = self.first_shared[leaf]
        if point == NONE:
            return ()
        copies, refs = self.forest.copies, self.forest.refs
        own = refs[leaf].session
        found: dict[str, Diverged] = {}
        roots = copies.holder_roots(point)
        if self.atlas.roots[point] != self.atlas.roots[leaf]:
            roots.append(self.atlas.roots[point])  # The session that was carried on.
        for root in roots:
            cover = copies.cover(point, root)
            if cover == FAIL or len(found) == _MOST_DIVERGED:
                continue
            other = self.forest.forks.target(root if cover == NONE else cover)
            if other in self.kept and refs[other].session != own:
                shared = self.atlas.sizes[point]
                found.setdefault(refs[other].session, Diverged(refs[other], shared))
        return tuple(found[session] for session in sorted(found))
