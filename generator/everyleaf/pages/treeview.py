"""The tree of a session as a picture, and as the same in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.forest import ConversationPath, Status
from everyleaf.grouping import grouped
from everyleaf.pages.addresses import relative
from everyleaf.pages.facts import PathFacts, RunFacts, SessionFacts
from everyleaf.pages.wording import shortened, standing
from everyleaf.pages.work import rank
from everyleaf.transcript.words import counted

MAX_LANES = 20
"""Paths that are drawn; a tree with more says how many are missing."""
WIDTH = 820
LANE = 18
ROW = 48
LEFT = 14
NODE = 17
"""From the top of a row down to its node, in pixels."""
BEND = 16
"""How far above its node a branch leaves the lane that it comes from."""
CHAR_WIDTH = 7.5
"""Of a letter in a label, on average and a little more."""
AGENT_SQUARES = 6
KEY = {
    "fork": "diamond, a fork",
    "compaction": "double bar, a compaction",
    "agent": "square, an agent",
    "elsewhere": "ring, a copy went on elsewhere",
}


class StrokeView(Struct, frozen=True):
    """A line of a picture."""

    d: str
    """What an SVG `<path>` draws."""
    kind: str
    """`ACTIVE` or `ABANDONED`; between sessions, how they are related."""


class MarkView(Struct, frozen=True):
    """A sign on a line."""

    kind: str
    """`fork`, `compaction`, `agent`, or `elsewhere` (another session went on from here)."""
    x: int
    """Its middle; of an agent, its left edge."""
    y: int
    """Its middle."""


class NodeView(Struct, frozen=True):
    """A piece of conversation in a picture: a mark, with words beside it."""

    x: int
    """Of the mark."""
    y: int
    """Of the mark, and of the middle of the words."""
    label_x: int
    """Where the words begin."""
    meta_x: int
    """Where the second line begins, after its squares."""
    place: str
    """Its path and its status."""
    words: str
    """What was said first."""
    meta: str
    """How long it is, and what is in it."""
    title: str
    """All that is known of it, in one line."""
    url: str
    """Its first message."""
    status: Status
    """ACTIVE or ABANDONED."""
    is_withdrawn: bool
    """A prompt alone, taken back before a reply."""
    is_last: bool
    """A path ends here."""


class TreeItem(Struct, frozen=True):
    """A piece of conversation in words."""

    node: NodeView
    """The same in the picture."""
    left: tuple[tuple[TreeItem, ...], ...]
    """Other ways that were taken after it, each from its first piece to its last."""


class TreeView(Struct, frozen=True, kw_only=True):
    """The tree of a session, as a picture and in words."""

    width: int
    """Of the picture."""
    height: int
    """Of the picture."""
    strokes: tuple[StrokeView, ...]
    """In the order they are drawn."""
    marks: tuple[MarkView, ...]
    """By row."""
    nodes: tuple[NodeView, ...]
    """By row."""
    items: tuple[TreeItem, ...]
    """The same in words: what leaves a path stands under where it left."""
    key: str
    """What the lines and signs mean that are in the picture."""
    hidden: int
    """Paths that are not drawn, since there are too many."""


def tree_view(session: SessionFacts) -> TreeView | None:
    """Return the picture of the session's tree for its page; None for a single path."""
    if len(session.paths) < 2:
        return None
    urls = {path.number: relative(session.url, path.url) for path in session.paths}
    return draw_tree(session.runs, session.paths, urls)


def draw_tree(
    runs: Sequence[RunFacts],
    paths: Iterable[PathFacts | ConversationPath],
    urls: Mapping[int, str],
) -> TreeView | None:
    """Return the picture of `runs`; None where there are none.

    `urls` leads from the number of a path to its page, as seen from the picture.
    """
    ranked = sorted(paths, key=rank)
    shown = {path.number: path for path in ranked[:MAX_LANES]}
    placed = place_runs(only_paths(runs, shown))
    if not placed:
        return None
    lanes = 1 + max(one.lane for one in placed)
    copies = find_copies(placed, shown)
    drawer = _Drawer(urls, shown, placed, copies, LEFT + lanes * LANE)
    marks = tuple(drawer.marks())
    return TreeView(
        width=WIDTH,
        height=len(placed) * ROW,
        strokes=tuple(drawer.strokes()),
        marks=marks,
        nodes=tuple(drawer.node(one) for one in placed),
        items=drawer.items(),
        key=_key({mark.kind for mark in marks}),
        hidden=len(ranked) - len(shown),
    )


class _Drawer(Struct, frozen=True):
    urls: Mapping[int, str]
    paths: Mapping[int, PathFacts | ConversationPath]
    placed: Sequence[Placed]
    copies: Mapping[int, int]
    """Number of a run → other sessions that went on from a copy that ends in it."""
    label_x: int

    def strokes(self) -> Iterator[StrokeView]:
        """Yield the lines: what goes on first, so that branches lie on top."""
        lines = [
            (one, self.placed[one.above]) for one in self.placed if one.above is not None
        ]
        for one, above in sorted(lines, key=lambda line: line[0].lane != line[1].lane):
            x, y, from_x = _x(one), _y(one), _x(above)
            if one.lane == above.lane:
                d = f"M{x} {_y(above)}V{y}"
            else:
                d = f"M{from_x} {y - BEND}Q{from_x} {y} {from_x + BEND} {y}H{x}"
            yield StrokeView(d, one.run.status)

    def marks(self) -> Iterator[MarkView]:
        """Yield what stands on the lines, and the squares of agents."""
        for one in self.placed:
            x, y = _x(one), _y(one)
            if one.above is not None and self.placed[one.above].lane != one.lane:
                yield MarkView("fork", _x(self.placed[one.above]), y - BEND)
            if one.run.compactions:
                yield MarkView("compaction", x, y + 12)
            if one.run.number in self.copies:
                yield MarkView("elsewhere", x, y)
            for number in range(_squares(one)):
                yield MarkView("agent", self.label_x + 9 * number, y + 18)

    def node(self, one: Placed) -> NodeView:
        """Return the node of a run, with its words beside it."""
        limit = int((WIDTH - self.label_x) / CHAR_WIDTH)
        words = shortened(one.run.words, limit) or "(no words)"
        is_withdrawn = one.is_last and self.paths[one.run.path].is_withdrawn
        status = standing(one.run.status, is_withdrawn=is_withdrawn)
        meta, place = self._meta(one), f"Path {one.run.path}, {status}"
        page, anchor = self.urls[one.run.path], one.run.anchor
        return NodeView(
            x=_x(one),
            y=_y(one),
            label_x=self.label_x,
            meta_x=self.label_x + 9 * _squares(one) + (4 if one.run.agents else 0),
            place=place,
            words=words,
            meta=meta,
            title=f"{place}: {words} ({meta})",
            url=f"{page}#{anchor}" if anchor else page,
            status=one.run.status,
            is_withdrawn=is_withdrawn,
            is_last=one.is_last,
        )

    def items(self) -> tuple[TreeItem, ...]:
        """Return the same as nested lists, no deeper than there are lanes."""
        below = grouped((one.above, one) for one in self.placed)
        roots = below.get(None, ())
        return tuple(item for root in roots for item in self._lane(root, below))

    def _lane(
        self, first: Placed, below: Mapping[int | None, Sequence[Placed]]
    ) -> tuple[TreeItem, ...]:
        items: list[TreeItem] = []
        lane: Placed | None = first
        while lane is not None:
            one, children = lane, below.get(lane.row, ())
            left = [
                self._lane(child, below) for child in children if child.lane != one.lane
            ]
            items.append(TreeItem(self.node(one), tuple(left)))
            lane = next((child for child in children if child.lane == one.lane), None)
        return tuple(items)

    def _meta(self, one: Placed) -> str:
        run, copies = one.run, self.copies.get(one.run.number, 0)
        parts = (
            counted(run.agents, "agent") if run.agents else "",
            counted(run.messages, "message"),
            counted(run.prompts, "prompt") if run.prompts > 1 else "",
            counted(run.compactions, "compaction") if run.compactions else "",
            f"from session {shortened(run.origin, 40)}" if run.origin else "",
            f"{counted(copies, 'copy', 'copies')} went on elsewhere" if copies else "",
        )
        return " · ".join(filter(None, parts))


def find_copies(
    placed: Sequence[Placed], paths: Mapping[int, PathFacts | ConversationPath]
) -> dict[int, int]:
    """Return, by number of a run, how many other sessions share a path just up to it."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for last in (one for one in placed if one.is_last):
        chain = [last]
        while chain[-1].above is not None:
            chain.append(placed[chain[-1].above])
        for other in paths[last.run.path].diverged:
            left = other.shared
            for one in reversed(chain):
                left -= one.run.messages
                if left <= 0:
                    found[one.run.number].add(other.path.session)
                    break
    return {number: len(sessions) for number, sessions in found.items()}


def _key(kinds: Collection[str]) -> str:
    lines = "Each line is a path: solid is active, dashed was left."
    marks = "; ".join(words for kind, words in KEY.items() if kind in kinds)
    return f"{lines} Marks: {marks}." if marks else lines


def _squares(one: Placed) -> int:
    return min(one.run.agents, AGENT_SQUARES)


def _x(one: Placed) -> int:
    return LEFT + one.lane * LANE


def _y(one: Placed) -> int:
    return one.row * ROW + NODE


class Placed(Struct, frozen=True):
    """A run in its place."""

    run: RunFacts
    row: int
    """From 0, downwards."""
    lane: int
    """From 0, to the right: how many paths it hangs from, each of which goes on below."""
    above: int | None
    """Index of the run that it goes on from; None: it begins a conversation."""
    is_last: bool
    """Nothing goes on from here."""


def place_runs(runs: Sequence[RunFacts]) -> tuple[Placed, ...]:
    """Return `runs` (parents first) in their places, by row. Linear."""
    below = grouped((run.parent, run) for run in runs)
    placed: list[Placed] = []
    waiting: list[tuple[RunFacts, int | None, int]]
    waiting = [(run, None, 0) for run in below.get(0, [])[::-1]]
    while waiting:
        run, above, lane = waiting.pop()
        row = len(placed)
        children = below.get(run.number, [])
        placed.append(Placed(run, row, lane, above, is_last=not children))
        # A stack: what is put on it last is drawn first.
        on = [(child, row, lane) for child in children if child.path == run.path]
        left = [(child, row, lane + 1) for child in children if child.path != run.path]
        waiting.extend((*on, *left[::-1]))
    return tuple(placed)


def only_paths(runs: Sequence[RunFacts], paths: Iterable[int]) -> tuple[RunFacts, ...]:
    """Return the runs that `paths` are made of, joined where no fork is left between two.

    `paths` must hold the path of every run that one of them goes through, as the first few
    by rank do.
    """
    wanted = frozenset(paths)
    kept = [run for run in runs if run.path in wanted]
    below = grouped((run.parent, run) for run in kept)
    joined: dict[int, RunFacts] = {}
    into: dict[int, int] = {}
    for run in kept:
        target = into.get(run.parent, run.parent)
        before = joined.get(target)
        if before and len(below[run.parent]) == 1 and before.origin == run.origin:
            joined[target] = _join(before, run)
            into[run.number] = target
        else:
            joined[run.number] = replace(run, parent=target)
    return tuple(joined.values())


def _join(run: RunFacts, following: RunFacts) -> RunFacts:
    counts = ("messages", "prompts", "compactions", "agents")
    sums = {name: getattr(run, name) + getattr(following, name) for name in counts}
    return replace(run, **sums)
