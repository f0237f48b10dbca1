"""All main conversations side by side: units under one numbering, sums down each chain.

A *unit id* is a unit's number in the whole archive: the tree's start plus the number there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from everyleaf.graph.forest import TurnKind
from everyleaf.graph.trees import Tree, is_said, parents_first
from everyleaf.grouping import grouped
from everyleaf.issues import Issue, IssueCode
from everyleaf.model import Envelope, Kind

# Looking up a member of an enum costs ten times a name in Python 3.11; these loops are hot.
_PROMPT, _STEERING = Kind.PROMPT, Kind.STEERING
_T_BOUNDARY = TurnKind.BOUNDARY

NONE = -1


class UnitIndex:
    """Parallel lists over the units of many trees. Built in linear time, then read only."""

    def __init__(self, trees: Sequence[Tree]) -> None:
        """Number the units of `trees`, whose edges and turns are final."""
        self.trees = trees
        self.starts: list[int] = []
        self.tree_of: list[int] = []
        """Unit id → number of the tree."""
        for number, tree in enumerate(trees):
            self.starts.append(len(self.tree_of))
            self.tree_of += [number] * len(tree.units)
        self.start_of = dict(zip(map(id, trees), self.starts, strict=True))
        """`id` of a tree → the id of its first unit."""
        self.issues: list[Issue] = []
        self.parents: list[int] = []
        """Id of the unit above: in another session where that was carried on."""
        self.roots: list[int] = []
        """Id of the root in the unit's own tree."""
        self.foreign: dict[int, int] = {}
        """Roots whose conversation began in another session: their id → the unit above."""
        self._set_parents()
        self.order = self._parents_first()
        """All ids, parents before children, across sessions too."""
        self.sizes: list[int] = []
        """Conversation records from the very root down to and with the unit."""
        self.prompts: list[int] = []
        self.compactions: list[int] = []
        self.repaired: list[int] = []
        """Inferred edges, likewise."""
        self._accumulate()

    def unit(self, unit_id: int) -> tuple[Tree, int]:
        """Return the tree and the unit number there."""
        number = self.tree_of[unit_id]
        return self.trees[number], unit_id - self.starts[number]

    def members(self, unit_id: int) -> list[int]:
        """Return the record positions of the unit, in file order."""
        tree, unit = self.unit(unit_id)
        return tree.units.members[unit]

    def children(self, unit_id: int) -> list[int]:
        """Return the units below, of the same session, first-written first."""
        number = self.tree_of[unit_id]
        start = self.starts[number]
        return [
            start + child for child in self.trees[number].units.children[unit_id - start]
        ]

    def ids(self, unit_id: int) -> list[str]:
        """Return the canonical ids of the unit's conversation records, in file order."""
        number = self.tree_of[unit_id]
        tree = self.trees[number]
        canonical, is_conversation = tree.canonical, tree.is_conversation
        members = tree.units.members[unit_id - self.starts[number]]
        return [canonical[at] for at in members if is_conversation[at]]

    def find(self, unit_id: int, name: str) -> Envelope:
        """Return the record of the unit whose canonical id is `name`."""
        tree, unit = self.unit(unit_id)
        members = tree.units.members[unit]
        return next(tree.records[at] for at in members if tree.canonical[at] == name)

    def last_said(self, unit_id: int) -> Envelope:
        """Return the last conversation record of the unit, which holds one."""
        tree, unit = self.unit(unit_id)
        members = reversed(tree.units.members[unit])
        return next(tree.records[at] for at in members if tree.is_conversation[at])

    def words(self, unit_id: int, kind: Kind | None = None) -> str:
        """Return the first words of the unit's records (of `kind`), if any has some."""
        tree, unit = self.unit(unit_id)
        members = tree.units.members[unit]
        said = (tree.records[at].words for at in members if kind in (None, tree.kinds[at]))
        return next(filter(None, said), "")

    def inferred(self, chain: Sequence[int]) -> tuple[str, ...]:
        """Return the uuids of the records in the units `chain` whose edge was repaired."""
        return tuple(
            tree.records[at].uuid
            for tree, unit in map(self.unit, chain)
            for at in (tree.units.members[unit] if tree.inferred else ())
            if at in tree.inferred
        )

    def id_of(self, tree: Tree, position: int) -> int:
        """Return the unit that holds the record at `position` of `tree`."""
        return self.start_of[id(tree)] + tree.units.of[position]

    def up(self, unit_id: int) -> Iterator[int]:
        """Yield `unit_id` and every unit above it, across sessions."""
        while unit_id != NONE:
            yield unit_id
            unit_id = self.parents[unit_id]

    def on_paths(self, leaves: Iterable[int]) -> bytearray:
        """Return, by unit id, whether a unit is one of `leaves` or above one. Linear."""
        placed = bytearray(len(self.parents))
        for leaf in leaves:
            for unit_id in self.up(leaf):
                if placed[unit_id]:
                    break
                placed[unit_id] = 1
        return placed

    def conversation_at(self, unit_id: int) -> int:
        """Return the nearest unit at or above `unit_id` that holds conversation, or `NONE`.

        Notes alone may hang from a prompt or a reply, in strict mode.
        """
        return next((above for above in self.up(unit_id) if self.ids(above)), NONE)

    def top(self, unit_id: int) -> int:
        """Return the very root above `unit_id`, across sessions."""
        root = self.roots[unit_id]
        while root in self.foreign:
            root = self.roots[self.foreign[root]]
        return root

    def _set_parents(self) -> None:
        parents, roots = self.parents, self.roots
        for tree, start in zip(self.trees, self.starts, strict=True):
            for unit_id, parent in enumerate(tree.units.parents, start):
                parents.append(NONE if parent < 0 else start + parent)
                roots.append(unit_id if parent < 0 else roots[start + parent])
        for tree in self.trees:
            for position, holder in sorted(tree.foreign.items()):
                root, above = self.id_of(tree, position), self.id_of(*holder)
                if self.top(above) == root:
                    message = "sessions name each other's records as parents; made a root"
                    self.issues.append(tree.issue(IssueCode.CYCLE, position, message))
                else:
                    self.foreign[root] = parents[root] = above

    def _parents_first(self) -> Sequence[int]:
        if not self.foreign:
            return range(len(self.parents))
        by_root = grouped((root, unit_id) for unit_id, root in enumerate(self.roots))
        above = {root: self.roots[unit_id] for root, unit_id in self.foreign.items()}
        roots = parents_first(by_root, lambda root: above.get(root, NONE))
        return [unit_id for root in roots for unit_id in by_root[root]]

    def _accumulate(self) -> None:
        """Set each sum: what the unit itself holds, and all that is above it."""
        for tree in self.trees:
            units = tree.units
            is_prompt = bytes(
                (kind is _PROMPT or kind is _STEERING) and is_said(kind, record.words)
                for kind, record in zip(tree.kinds, tree.records, strict=True)
            )
            is_repaired = bytearray(len(tree.records))
            for position in tree.inferred:
                is_repaired[position] = 1
            self.sizes += _sums(units.members, tree.is_conversation)
            self.prompts += _sums(units.members, is_prompt)
            self.repaired += _sums(units.members, is_repaired)
            self.compactions += [int(kind is _T_BOUNDARY) for kind in units.kinds]
        for counts in (self.sizes, self.prompts, self.compactions, self.repaired):
            for unit_id in self.order if any(counts) else ():
                above = self.parents[unit_id]
                if above >= 0:
                    counts[unit_id] += counts[above]


def _sums(members: list[list[int]], flags: bytes | bytearray) -> list[int]:
    """Return how many of the records of each unit have their flag set."""
    if not any(flags):
        return [0] * len(members)
    return [
        flags[each[0]] if len(each) == 1 else sum([flags[at] for at in each])
        for each in members
    ]
