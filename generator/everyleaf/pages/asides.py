"""Giving records beside the tree their place: with the turn written before them.

Those that name tool calls go to the turns of these calls instead.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.graph.forest import PlacedRecord
from everyleaf.model import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from everyleaf.graph.forest import Turn
    from everyleaf.model import Envelope
    from everyleaf.pages.work import TurnKey

_Spot = tuple[int, "TurnKey", int]
"""(line, turn, index of the record in it)."""
_Behind = defaultdict["TurnKey", list[tuple[int, PlacedRecord]]]
"""Turn → (index of a record in it, what goes behind that)."""


def place_asides(
    turns: Mapping[TurnKey, Turn], asides: Mapping[int, Sequence[Envelope]]
) -> dict[TurnKey, Turn]:
    """Return the turns that change: each with the `asides` (by source) of its lines.

    An aside stands behind the record written last before it, else behind the first one. One
    of a source that holds no record of `turns` is left out. Cost: n log n in the records.
    """
    if not asides:
        return {}
    spots: defaultdict[int, list[_Spot]] = defaultdict(list)
    for key, turn in turns.items():
        for at, placed in enumerate(turn.records):
            if placed.source in asides:
                spots[placed.source].append((placed.envelope.line, key, at))
    behind: _Behind = defaultdict(list)
    naming: list[PlacedRecord] = []
    for source, some in sorted(spots.items()):
        some.sort()
        lines = [line for line, _, _ in some]
        for aside in asides[source]:
            placed = PlacedRecord(aside, aside.uuid, Kind.NOTE, source=source)
            if aside.tool_use_ids:
                naming.append(placed)
            else:
                _, key, at = some[max(bisect_right(lines, aside.line) - 1, 0)]
                behind[key].append((at, placed))
    if naming:
        _place_at_calls(turns, naming, behind)
    return {key: _with(turns[key], added) for key, added in behind.items()}


def _place_at_calls(
    turns: Mapping[TurnKey, Turn], naming: Sequence[PlacedRecord], behind: _Behind
) -> None:
    """Put each of `naming` at the end of every turn that has a result it names."""
    answered = {
        call: key
        for key, turn in turns.items()
        for placed in turn.records
        if placed.kind is Kind.RESULT
        for call in placed.envelope.tool_use_ids
    }
    for aside in naming:
        keys = (answered.get(call) for call in aside.envelope.tool_use_ids)
        for key in dict.fromkeys(key for key in keys if key is not None):
            behind[key].append((len(turns[key].records) - 1, aside))


def _with(turn: Turn, added: Sequence[tuple[int, PlacedRecord]]) -> Turn:
    records: list[PlacedRecord] = []
    for at, placed in enumerate(turn.records):
        records += [placed, *(aside for behind, aside in added if behind == at)]
    return replace(turn, records=tuple(records))
