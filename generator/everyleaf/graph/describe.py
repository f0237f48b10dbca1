"""A solved forest as values for readers: paths with titles, labels, reasons, relations.

What sessions and paths are called is `paths.md` §7. And which sessions name others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product, takewhile

from msgspec import Struct

from everyleaf.graph import forest as forests
from everyleaf.graph.containment import FAIL
from everyleaf.graph.solve import Forest
from everyleaf.graph.status import LeafVerdict
from everyleaf.graph.trees import Tree
from everyleaf.graph.units import NONE
from everyleaf.grouping import grouped
from everyleaf.model import Kind, MarkerKind, SessionRecords

# Looking up a member of an enum costs ten times a name in Python 3.11; these loops are hot.
_PROMPT, _REPLY = Kind.PROMPT, Kind.REPLY
_UNANSWERED = frozenset({forests.TurnKind.PROMPT, forests.TurnKind.NOTES})

UNTITLED = "Untitled"
WARMUP = "Warmup"

_MOST_DIVERGED = 20
"""Sessions named on a page that share its beginning."""
_WARMUP_SUMMARY = re.compile(
    r"\b(warmup|readiness|initialization|ready|assistant ready|codebase|exploration|"
    r"introduction|search|repository)\b",
    re.IGNORECASE,
)


class Description(Struct, frozen=True):
    """What readers are told of an archive."""

    paths: dict[forests.PathRef, forests.ConversationPath]
    """Every kept path, by session and number."""
    titles: dict[str, str]
    """Session → title of its last ACTIVE path, or a title of its own where it has none."""
    warmups: frozenset[str]
    """Sessions whose prompts are all the CLI's own warm-ups."""
    mentions: dict[str, tuple[forests.Mention, ...]]
    """Session → the others that it names, or that sum it up; sorted, if there are any."""


def describe(
    forest: Forest,
    projects: Mapping[str, str] | None = None,
    summaries: Sequence[SessionRecords] | None = None,
) -> Description:
    """Return the kept paths of `forest` and what its sessions are called. Near-linear.

    `projects` has the names to show of project folders; `summaries` those of what is in the
    forest, as files with nothing else, or None: those in its files are all there are.
    """
    told = forest.files if summaries is None else summaries
    describer = _Describer(forest, projects or {}, told)
    titles = {tree.session: describer.session_name(tree) for tree in forest.trees}
    for leaf, ref in forest.refs.items():
        if forest.verdicts[leaf].is_active:
            titles[ref.session] = describer.title(leaf)[0]
    asked: dict[str, list[str]] = {}
    for agent in forest.agents:
        first = (r.words for r in agent.tree.records if r.kind is _PROMPT)
        asked.setdefault(agent.session, []).extend(list(first)[:1])
    return Description(
        paths={forest.refs[leaf]: describer.path(leaf) for leaf in forest.kept},
        titles=titles,
        warmups=frozenset(
            tree.session
            for tree in forest.trees
            if is_warmup(tree, asked.get(tree.session, ()))
        ),
        mentions=_find_mentions(forest, describer.summed_up),
    )


class _Summary(Struct, frozen=True):
    text: str
    place: tuple[int, str, str, str]
    """(line, project, file, text): the latest counts, of several in a line any one."""
    time: str
    """When the record that it names was written; empty in that session's own file."""


class _Describer:
    def __init__(
        self,
        forest: Forest,
        projects: Mapping[str, str],
        summaries: Sequence[SessionRecords],
    ) -> None:
        self.forest = forest
        self.projects = {s.name: projects.get(s.project, "") for s in forest.sessions}
        self.units = forest.units
        self.container = forest.container
        self.kept = set(forest.kept)
        self.of = Counter(ref.session for ref in forest.refs.values())
        self.contents = grouped((by, leaf) for leaf, by in self.container.items())
        self.labels: dict[int, str] = {}
        self.last_resort: dict[str, str] = {}
        """Session → the first words of its first sidechain prompt, else reply."""
        for kind, agent in product((_PROMPT, _REPLY), forest.agents):
            for record in agent.tree.records:
                if record.kind is kind and record.words:
                    self.last_resort.setdefault(agent.session, record.words)
        self.own: dict[str, tuple[str, str]] = {}
        """Session → the title that its own files give, and the name of its agent."""
        for tree in forest.trees:
            markers = (marker for file in tree.files for marker in file.markers)
            last = {marker.kind: marker.text for marker in markers if marker.text}
            title = last.get(MarkerKind.CUSTOM_TITLE) or last.get(MarkerKind.AI_TITLE, "")
            self.own[tree.session] = (title, last.get(MarkerKind.AGENT_NAME, ""))
        self.warmups = {tree.session for tree in forest.trees if is_warmup(tree)}
        self.summaries: dict[int, list[_Summary]] = {}
        """Unit id → the summaries whose leaf the unit holds."""
        self.summed_up: list[tuple[str, forests.Mention]] = []
        """Sessions, with those that hold a summary of them."""
        names = {(f.project, f.file): s.name for s in forest.sessions for f in s.files}
        for tree, file in product(forest.trees, summaries):
            holder = names.get((file.project, file.file), file.session)
            for marker in file.markers:
                at = tree.index.get(marker.leaf_uuid or "")
                if at is None or marker.kind is not MarkerKind.SUMMARY:
                    continue
                mention = forests.Mention(forests.MentionKind.SUMMARY, holder)
                self.summed_up.append((tree.session, mention))
                time = "" if holder == tree.session else tree.records[at].timestamp
                place = (marker.line, file.project, file.file, marker.text)
                one = _Summary(marker.text, place, time)
                if marker.text:
                    self.summaries.setdefault(self.units.id_of(tree, at), []).append(one)
        size = len(self.units.parents)
        self.started = [""] * size
        """Unit id → the first timestamp from the very root down to it."""
        self.shared = [NONE] * size
        """Unit id → deepest unit at or above it that another tree holds too, or `NONE`."""
        self.nearest = [NONE] * size
        """Unit id → nearest unit at or above it that a summary names, else `NONE`."""
        self.first_words = [("", "")] * size
        """Unit id → (first prompt, first reply) from the very root down to it."""
        for unit_id in self.units.order:
            self._look_at(unit_id)

    def _look_at(self, unit_id: int) -> None:
        """Set what is known down to a unit, from what is known down to the one above."""
        above = self.units.parents[unit_id]
        started, shared, nearest, words = "", NONE, NONE, ("", "")
        if above != NONE:
            started, shared = self.started[above], self.shared[above]
            nearest, words = self.nearest[above], self.first_words[above]
        if not started or not all(words):
            tree, unit = self.units.unit(unit_id)
            members = tree.units.members[unit]
            if not started:
                said = (at for at in members if tree.is_conversation[at])
                started = next(
                    filter(None, (tree.records[at].timestamp for at in said)), ""
                )
            prompt, reply = words
            for at in members:
                kind, text = tree.kinds[at], tree.records[at].words
                if kind is _PROMPT and not prompt and not is_warmup_text(text):
                    prompt = text
                elif kind is _REPLY and not reply:
                    reply = text
            if words != (prompt, reply):
                words = (prompt, reply)
        self.started[unit_id], self.first_words[unit_id] = started, words
        is_shared = self.forest.copies.holders[unit_id]
        self.shared[unit_id] = unit_id if is_shared else shared
        self.nearest[unit_id] = unit_id if unit_id in self.summaries else nearest

    def title(self, leaf: int) -> tuple[str, str]:
        """Return the title of the path that ends in the unit `leaf`.

        Behind it the time to list it by where the title brings one, else an empty text.
        """
        tree, _ = self.units.unit(leaf)
        title, agent_name = self.own[tree.session]
        if title:
            return title, ""
        summary = self._summary(leaf, tree)
        if summary is not None:
            return summary.text, summary.time
        prompt, reply = self.first_words[leaf]
        said = prompt or (WARMUP if tree.session in self.warmups else reply)
        return agent_name or said or self.session_name(tree), ""

    def session_name(self, tree: Tree) -> str:
        """Return a title for a session that has no path of its own."""
        title, agent_name = self.own[tree.session]
        return title or agent_name or self.last_resort.get(tree.session) or UNTITLED

    def _summary(self, leaf: int, tree: Tree) -> _Summary | None:
        is_warmup = tree.session in self.warmups
        at = self.nearest[leaf]
        while at != NONE:
            fitting = [
                summary
                for summary in self.summaries[at]
                if not (is_warmup and _WARMUP_SUMMARY.search(summary.text))
            ]
            if fitting:
                return max(fitting, key=lambda summary: summary.place)
            above = self.units.parents[at]
            at = self.nearest[above] if above != NONE else NONE
        return None

    def path(self, leaf: int) -> forests.ConversationPath:
        """Return the kept path that ends in the unit `leaf`."""
        forest, units = self.forest, self.units
        ref, verdict = forest.refs[leaf], forest.verdicts[leaf]
        is_active = verdict.is_active
        title, time = self.title(leaf)
        last = units.last_said(units.conversation_at(leaf))
        contents = sorted(self.contents.get(leaf, ()), key=forest.refs.__getitem__)
        joint = NONE if is_active else units.conversation_at(verdict.joint)
        taker = self.container.get(verdict.active_leaf, verdict.active_leaf)
        is_withdrawn = not is_active and self._is_withdrawn(leaf, verdict)
        return forests.ConversationPath(
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
            is_merged_copy=leaf in forest.merged,
            compactions=units.compactions[leaf],
            messages=units.sizes[leaf],
            prompts=units.prompts[leaf],
            started=self.started[leaf],
            ended=time or last.timestamp,
            inferred=units.repaired[leaf],
            contains=tuple(
                forests.Contained(
                    path=forest.refs[each],
                    by=ref,
                    status=forest.verdicts[each].status,
                    title=self.title(each)[0],
                    messages=units.sizes[each],
                    leaf_uuid=self._uuid_in(each, self.container[each]),
                )
                for each in contents
            ),
            diverged=self._diverged(leaf) if is_active else (),
            leaf_uuid=last.uuid,
            fork_point_there="" if joint == NONE else self._uuid_in(joint, taker),
            project=self.projects.get(ref.session, ""),
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
        own = takewhile(lambda unit_id: unit_id != verdict.joint, self.units.up(leaf))
        kinds = (tree.units.kinds[unit] for tree, unit in map(self.units.unit, own))
        return all(map(_UNANSWERED.__contains__, kinds))

    def _diverged(self, leaf: int) -> tuple[forests.Diverged, ...]:
        """Return the sessions that share the beginning of a path and then part from it."""
        point = self.shared[leaf]
        if point == NONE:
            return ()
        copies, refs, roots = self.forest.copies, self.forest.refs, self.units.roots
        own = refs[leaf].session
        found: dict[str, forests.Diverged] = {}
        others = copies.holder_roots(point)
        if roots[point] != roots[leaf]:
            others.append(roots[point])  # The session that was carried on.
        for root in others:
            cover = copies.cover(point, root)
            if cover == FAIL or len(found) == _MOST_DIVERGED:
                continue
            other = self.forest.forks.target[root if cover == NONE else cover]
            if other in self.kept and refs[other].session != own:
                shared = self.units.sizes[point]
                found.setdefault(refs[other].session, forests.Diverged(refs[other], shared))
        return tuple(found[session] for session in sorted(found))


def is_warmup_text(words: str) -> bool:
    """Return whether a prompt is the CLI's own warm-up and no person's."""
    return words.strip().lower() == WARMUP.lower()


def is_warmup(tree: Tree, sidechain_prompts: Sequence[str] = ()) -> bool:
    """Return whether the session has prompts, and all of them are warm-ups.

    `sidechain_prompts` count where the main conversation has none.
    """
    prompts = [
        record.words
        for record, kind in zip(tree.records, tree.kinds, strict=True)
        if kind is _PROMPT
    ] or list(sidechain_prompts)
    return bool(prompts) and all(is_warmup_text(words) for words in prompts)


def _find_mentions(
    forest: Forest, summed_up: Iterable[tuple[str, forests.Mention]]
) -> dict[str, tuple[forests.Mention, ...]]:
    """Return the others that each session has to do with: none with itself. Near-linear.

    It goes on there, is summed up there, or works from the plan of an older one.
    """
    known = {tree.session for tree in forest.trees}
    told = [*summed_up]
    held = [(s.name, file) for s in forest.sessions for file in (*s.files, *s.agent_files)]
    for name, file in held:
        for marker in file.markers:
            if marker.kind is MarkerKind.CONTINUED_IN and marker.text in known:
                kind = forests.MentionKind.CONTINUED_IN
                told.append((name, forests.Mention(kind, marker.text)))
    begun = grouped(
        (plan, (min(filter(None, (r.timestamp for r in file.records)), default=""), name))
        for name, file in held
        if file.agent_id is None and file.records
        for plan in file.plans
    )
    for by_time in map(sorted, begun.values()):
        for older, newer in pairwise(dict.fromkeys(session for _, session in by_time)):
            told.append((newer, forests.Mention(forests.MentionKind.PLAN, older)))
    others = grouped((name, mention) for name, mention in told if mention.other != name)
    return {name: tuple(sorted({*others[name]})) for name in sorted(others)}
