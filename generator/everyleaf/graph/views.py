"""Turns of a solved forest as values that can be sent to another process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.atlas import NONE
from everyleaf.graph.forest import PlacedRecord, SeamKind, Turn, TurnKind, Variant
from everyleaf.model import CONVERSATION

if TYPE_CHECKING:
    from everyleaf.graph.solve import Forest
    from everyleaf.graph.trees import Tree

Key = tuple[str, int]
"""(tree key, unit number)."""


class Views:
    """Makes `Turn` values of units, with the variants that other files hold of a record."""

    def __init__(self, forest: Forest) -> None:
        """Look at `forest` only; nothing is copied before it is asked for."""
        self._forest = forest

    def key(self, gid: int) -> Key:
        """Return the name of a main turn."""
        tree, unit = self._forest.atlas.unit(gid)
        return (tree.key, unit)

    def turn(self, gid: int) -> Turn:
        """Return the main turn `gid`."""
        tree, unit = self._forest.atlas.unit(gid)
        seam = self._seam(tree, unit, gid)
        return _turn(tree, unit, seam, self._forest)

    def agent_turns(self, tree: Tree) -> dict[Key, Turn]:
        """Return all turns of an agent's tree."""
        name = tree.key  # Made each time it is asked for.
        return {
            (name, unit): _turn(tree, unit, _own_seam(tree, unit), None)
            for unit in range(len(tree.units))
        }

    def _seam(self, tree: Tree, unit: int, gid: int) -> SeamKind | None:
        if gid in self._forest.atlas.foreign:
            return SeamKind.CARRIED_ON
        return _own_seam(tree, unit)


def _own_seam(tree: Tree, unit: int) -> SeamKind | None:
    edge = tree.units.edges[unit]
    if edge in tree.cycle_roots:
        return SeamKind.CYCLE
    is_root = tree.units.parents[unit] == NONE
    if edge in tree.inferred:
        return SeamKind.EARLIER_MISSING if is_root else SeamKind.INFERRED
    if is_root and tree.units.kinds[unit] is TurnKind.BOUNDARY and tree.agent_id is None:
        return SeamKind.EARLIER_MISSING
    return None


def _turn(tree: Tree, unit: int, seam: SeamKind | None, forest: Forest | None) -> Turn:
    members = tree.units.members[unit]
    number = tree.file_of[members[0]]
    return Turn(
        index=unit,
        session=tree.session,
        source=tree.files[number].source,
        kind=tree.units.kinds[unit],
        records=tuple(
            PlacedRecord(
                envelope=tree.records[at],
                canonical=tree.canonical[at],
                kind=tree.kinds[at],
                variants=_variants(tree, at, forest),
                source=tree.files[tree.file_of[at]].source,
            )
            for at in members
        ),
        seam=seam,
    )


def _variants(tree: Tree, at: int, forest: Forest | None) -> tuple[Variant, ...]:
    """Return the copies of a record that say something else, each content once.

    Copies in other sessions count too: whichever path is dropped, nothing that was said is.
    """
    if tree.kinds[at] not in CONVERSATION:
        return ()
    name = tree.canonical[at]
    later = tree.other_copies.get(at, ())
    shared = forest.copies.shared.get(name) if forest is not None else None
    if not later and not shared:
        return ()  # As nearly all are: building again asks for every record.
    found = [
        Variant(tree.files[number].source, tree.session, copy) for number, copy in later
    ]
    if forest is not None and shared is not None:
        for place in sorted(shared.values()):
            other, unit = forest.atlas.unit(place)
            if other is not tree:
                found += _copies_in(other, unit, name)
    seen = {tree.records[at].digest}
    variants: list[Variant] = []
    for variant in found:
        if variant.envelope.digest not in seen:
            seen.add(variant.envelope.digest)
            variants.append(variant)
    return tuple(variants)


def _copies_in(tree: Tree, unit: int, name: str) -> list[Variant]:
    found: list[Variant] = []
    for at in tree.units.members[unit]:
        if tree.canonical[at] == name and tree.kinds[at] in CONVERSATION:
            copies = [(tree.file_of[at], tree.records[at]), *tree.other_copies.get(at, ())]
            found += [
                Variant(tree.files[number].source, tree.session, copy)
                for number, copy in copies
            ]
    return found
