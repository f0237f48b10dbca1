"""The runs of a session: its tree with every chain of turns without a fork as one piece."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec import Struct, field

from everyleaf.graph.forest import Status, TurnKind
from everyleaf.graph.trees import is_said
from everyleaf.model import Kind
from everyleaf.pages.facts import RunFacts
from everyleaf.pages.walk import first_message, first_paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.graph.forest import ConversationPath, Turn
    from everyleaf.pages.facts import PathFacts
    from everyleaf.pages.tour import Tour
    from everyleaf.pages.work import SessionWork, TurnKey, TurnTree

_SPOKEN = (Kind.PROMPT, Kind.REPLY)


class Run(Struct):
    """A run while its pages are drawn."""

    keys: list[TurnKey]
    """Its turns, in reading order; never empty."""
    number: int
    """1-based; a run comes after the one that it goes on from."""
    parent: int
    """Number of the run that it goes on from; 0: it begins a conversation."""
    path: int
    """The path that a reader of this run is sent to."""
    anchor: str = ""
    """Of its first message on that path's page; empty: not shown there."""


class SessionRuns(Struct):
    """The runs of one session, which learn their anchors from the tours of its paths."""

    session: SessionWork
    tree: TurnTree
    runs: list[Run] = field(default_factory=list[Run])
    _begun: dict[tuple[int, TurnKey], Run] = field(
        default_factory=dict["tuple[int, TurnKey]", "Run"]
    )
    """By the path that a reader is sent to, and the first turn."""

    def __post_init__(self) -> None:
        """Find the runs: linear in the number of turns."""
        ranked = sorted(self.session.paths, key=lambda item: rank(item.path))
        owners = first_paths(self.tree, ranked)
        self.runs.extend(_find_runs(self.tree, owners))
        for run in self.runs:
            self._begun[run.path, run.keys[0]] = run

    def add(self, tour: Tour) -> None:
        """Take the anchors of the runs that a reader finds on the page of this path."""
        for stop in tour.shown:
            run = self._begun.get((tour.path.number, stop.key))
            if run is not None:
                anchors = stop.drawn.anchors
                first = next(iter(anchors.values()), "")
                run.anchor = anchors.get(first_message(stop.turn), first)

    def facts(self) -> tuple[RunFacts, ...]:
        """Return what lists say of the runs, parents before what goes on from them."""
        statuses = {item.path.number: item.path.status for item in self.session.paths}
        made = (agent.tool_use_id for agent in self.session.agents)
        calls = frozenset(call for call in made if call)
        return tuple(_run_facts(run, self, statuses[run.path], calls) for run in self.runs)


def rank(path: ConversationPath | PathFacts) -> tuple[bool, bool, int]:
    """Return what decides which path stands for a shared turn: the least does.

    ACTIVE before ABANDONED, then one whose page shows what it shares, then the lowest.
    """
    return (path.status is not Status.ACTIVE, path.is_withdrawn, path.number)


def _find_runs(tree: TurnTree, owners: dict[TurnKey, int]) -> Iterator[Run]:
    below: defaultdict[TurnKey | None, list[TurnKey]] = defaultdict(list)
    for key in sorted(owners, key=lambda key: _written(tree, key)):
        below[tree.parents[key]].append(key)
    number = 0
    waiting = [(key, 0) for key in reversed(below[None])]
    while waiting:
        key, parent = waiting.pop()
        keys = [key, *_follow(below, key)]
        number += 1
        yield Run(keys, number, parent, owners[key])
        waiting.extend((child, number) for child in reversed(below[keys[-1]]))


def _follow(below: dict[TurnKey | None, list[TurnKey]], key: TurnKey) -> Iterator[TurnKey]:
    """Yield what comes after `key` up to a fork, or to where another session begins."""
    ahead = below.get(key, ())
    while len(ahead) == 1 and ahead[0][0] == key[0]:
        key = ahead[0]
        yield key
        ahead = below.get(key, ())


def _written(tree: TurnTree, key: TurnKey) -> tuple[str, int, int]:
    records = tree.turns[key].records
    return (key[0], records[0].envelope.line if records else 0, key[1])


def _run_facts(
    run: Run, runs: SessionRuns, status: Status, calls: frozenset[str]
) -> RunFacts:
    turns = [runs.tree.turns[key] for key in run.keys]
    records = [placed for turn in turns for placed in turn.records]
    made = {name for placed in records for name in placed.envelope.tool_use_ids}
    origin = turns[0].session
    return RunFacts(
        number=run.number,
        parent=run.parent,
        path=run.path,
        status=status,
        words=_words(turns),
        anchor=run.anchor,
        messages=sum(placed.kind is not Kind.NOTE for placed in records),
        prompts=sum(is_said(placed.kind, placed.envelope.words) for placed in records),
        compactions=sum(turn.kind is TurnKind.BOUNDARY for turn in turns),
        agents=len(made & calls),
        origin=origin if origin != runs.session.session else "",
    )


def _words(turns: Sequence[Turn]) -> str:
    """Return the first words of the first prompt, else of the first reply."""
    for kind in _SPOKEN:
        for turn in turns:
            for placed in turn.records:
                if placed.kind is kind and placed.envelope.words:
                    return placed.envelope.words
    return ""
