"""How the sessions of a project continue, contain and copy each other: from facts alone."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from everyleaf.graph.forest import MentionKind
from everyleaf.grouping import DisjointSets
from everyleaf.pages.addresses import relative
from everyleaf.pages.facts import SessionFacts
from everyleaf.pages.treeview import StrokeView
from everyleaf.pages.wording import moment_utc, titled
from everyleaf.transcript.words import counted

MAX_ROWS = 60
"""Sessions that are drawn."""
WIDTH = 820
ROW = 42
NODE = 16
LANE = 14
LEFT = 10
MAX_LANES = 20
"""Lines side by side; what needs more is only told in words."""
LABEL_CHARS = 90
KINDS = {
    "carried-on": ("carries on", "Thick: one carries on the other."),
    "continued-in": ("goes on in", "Thick: one carries on the other."),
    "contained": ("is contained in", "Thin: one is contained in the other."),
    "diverged": ("shares", "Dashed: both began alike and went on by themselves."),
    "plan": (
        "works from the same plan as",
        "Dotted: one names the other or shares its plan.",
    ),
    "summary": ("holds a summary of", "Dotted: one names the other or shares its plan."),
}
"""Kind of a relation, the strongest first → how it is told, what a line of it means."""
ARROWS = "An arrow leads as the list says it, from the first to the second."
MUTUAL = "diverged"
"""The kind that has no direction."""
WEAK = ("diverged", "plan", "summary")
"""Kinds that need not be told twice of sessions that are tied together anyway."""


class RelationNode(Struct, frozen=True):
    """A session in the picture of a project."""

    y: int
    """Middle of its row."""
    label_x: int
    """Where its title begins."""
    title: str
    """Of the session."""
    meta: str
    """When it ended, how it continues others."""
    url: str
    """Its page."""


class RelationRow(Struct, frozen=True):
    """A relation between two sessions, in words: `<from> <says> <to>`."""

    title: str
    """Of the session that it is said of."""
    url: str
    """Its page."""
    says: str
    """`carries on`, `is contained in`, `shares 12 messages with`."""
    other: str
    """Title of the other session."""
    other_url: str
    """Its page."""


class RelationsView(Struct, frozen=True, kw_only=True):
    """How sessions of a project continue, contain and copy each other."""

    width: int
    """Of the picture."""
    height: int
    """Of the picture."""
    strokes: tuple[StrokeView, ...]
    """Each from one row to another, by kind, with its `arrow`."""
    nodes: tuple[RelationNode, ...]
    """By row."""
    rows: tuple[RelationRow, ...]
    """The same in words."""
    key: str
    """What the lines mean that are in the picture."""
    sessions: int
    """How many they are."""
    hidden: int
    """Sessions that are not drawn, since there are too many; `rows` has them."""


class Relation(Struct, frozen=True, order=True):
    """What one session has to do with an older one, or with one that holds all of it."""

    session: str
    other: str
    kind: str
    """One of `KINDS`; a mention's kind is the `MentionKind`."""
    shared: int = 0
    """Messages that both have, where they diverged."""


def find_relations(sessions: Iterable[SessionFacts]) -> list[Relation]:
    """Return the relations between `sessions`, sorted, at most one a pair.

    Of sessions that merely diverged from one another, or name one another, only so many
    pairs are named as tie them all together, those that share most: of n copies n - 1, not
    n² / 2.
    """
    by_pair: dict[frozenset[str], Relation] = {}
    known = {session.session: session for session in sessions}
    for name in sorted(known):
        for relation in _told_by(known[name]):
            pair = frozenset((relation.session, relation.other))
            if known.keys() >= pair and len(pair) == 2:
                before = by_pair.get(pair)
                if before is None or _strength(relation) > _strength(before):
                    by_pair[pair] = relation
    strongest = sorted(sorted(by_pair.values()), key=_strength, reverse=True)
    return sorted(_untangled(strongest))


def _untangled(strongest: Iterable[Relation]) -> Iterator[Relation]:
    """Yield the relations but for those that only repeat who belongs together."""
    tied = DisjointSets[str]()
    for relation in strongest:
        one, other = relation.session, relation.other
        if relation.kind not in WEAK or tied.find(one) != tied.find(other):
            tied.union(one, other)
            yield relation


def _told_by(session: SessionFacts) -> Iterator[Relation]:
    name = session.session
    for run in session.runs:
        if run.origin:
            yield Relation(name, run.origin, "carried-on")
    for copy in session.dropped:
        yield Relation(name, copy.by.session, "contained")
    for path in session.paths:
        for other in path.diverged:
            yield Relation(name, other.path.session, "diverged", other.shared)
    for mention in session.mentions:
        first, second = name, mention.other
        if mention.kind is MentionKind.SUMMARY:
            first, second = second, first
        yield Relation(first, second, mention.kind.value)


def _strength(relation: Relation) -> tuple[int, int]:
    return (-list(KINDS).index(relation.kind), relation.shared)


def relations_view(ordered: Sequence[SessionFacts], here: str) -> RelationsView | None:
    """Return the picture for the page `here`; None where no session is related.

    `ordered` is newest first, and so are the rows; sessions that have to do with each
    other stand together.
    """
    relations = find_relations(ordered)
    if not relations:
        return None
    known = {session.session: session for session in ordered}
    names = _together(relations, [session.session for session in ordered])
    rows = {name: row for row, name in enumerate(names[:MAX_ROWS])}
    drawn = [r for r in relations if r.session in rows and r.other in rows]
    lanes = assign_lanes([_span(relation, rows) for relation in drawn])
    kinds = {relation.kind for relation in drawn}
    label_x = LEFT + (min(max(lanes, default=0), MAX_LANES - 1) + 1) * LANE + 12
    return RelationsView(
        width=WIDTH,
        height=len(rows) * ROW,
        strokes=tuple(
            stroke
            for relation, lane in zip(drawn, lanes, strict=True)
            if lane < MAX_LANES
            for stroke in _strokes(relation, rows, lane, label_x)
        ),
        nodes=tuple(_node(known[name], row, label_x, here) for name, row in rows.items()),
        rows=tuple(_row(relation, known, here) for relation in relations),
        key=" ".join(dict.fromkeys(_key(kinds))),
        sessions=len(names),
        hidden=len(names) - len(rows),
    )


def assign_lanes(spans: Sequence[tuple[int, int]]) -> list[int]:
    """Return a lane for each span of rows, so that no two in a lane have a row in common.

    Short spans come first, and so stand nearest to the words.
    """
    taken: list[list[tuple[int, int]]] = []
    lanes = [0] * len(spans)
    order = sorted(range(len(spans)), key=lambda at: (spans[at][1] - spans[at][0], at))
    for at in order:
        first, last = spans[at]
        lane = 0
        while lane < len(taken) and any(a <= last and first <= b for a, b in taken[lane]):
            lane += 1
        if lane == len(taken):
            taken.append([])
        taken[lane].append((first, last))
        lanes[at] = lane
    return lanes


def _together(relations: Iterable[Relation], names: Sequence[str]) -> list[str]:
    """Return the related ones of `names` by group, groups in the order of `names`."""
    tied = DisjointSets[str]()
    for relation in relations:
        tied.union(relation.session, relation.other)
    related = frozenset(tied.members())
    groups = tied.groups(name for name in names if name in related)
    return [name for group in groups.values() for name in group]


def _span(relation: Relation, rows: Mapping[str, int]) -> tuple[int, int]:
    first, last = sorted((rows[relation.session], rows[relation.other]))
    return first, last


def _key(kinds: Container[str]) -> Iterator[str]:
    yield from (meaning for kind, (_, meaning) in KINDS.items() if kind in kinds)
    if any(kind in kinds for kind in KINDS if kind != MUTUAL):
        yield ARROWS


def _strokes(
    relation: Relation, rows: Mapping[str, int], lane: int, label_x: int
) -> Iterator[StrokeView]:
    top, bottom = (row * ROW + NODE for row in _span(relation, rows))
    edge, x = label_x - 12, label_x - 12 - (lane + 1) * LANE
    upper = f"M{edge} {top}H{x + 6}Q{x} {top} {x} {top + 6}"
    lower = f"V{bottom - 6}Q{x} {bottom} {x + 6} {bottom}H{edge}"
    yield StrokeView(f"{upper}{lower}", relation.kind)
    if relation.kind != MUTUAL:
        x, y = label_x - 6, rows[relation.other] * ROW + NODE
        yield StrokeView(f"M{x - 7} {y - 5}L{x} {y}L{x - 7} {y + 5}", "arrow")


def _node(session: SessionFacts, row: int, label_x: int, here: str) -> RelationNode:
    paths = counted(len(session.paths), "path") if session.paths else "no path of its own"
    return RelationNode(
        y=row * ROW + NODE,
        label_x=label_x,
        title=titled(session.title, LABEL_CHARS),
        meta=" · ".join(filter(None, (moment_utc(session.ended), paths))),
        url=relative(here, session.url),
    )


def _row(relation: Relation, known: Mapping[str, SessionFacts], here: str) -> RelationRow:
    says, _ = KINDS[relation.kind]
    if relation.kind == MUTUAL:
        says = f"shares {counted(relation.shared, 'message')} with"
    one, other = known[relation.session], known[relation.other]
    return RelationRow(
        title=titled(one.title),
        url=relative(here, one.url),
        says=says,
        other=titled(other.title),
        other_url=relative(here, other.url),
    )
