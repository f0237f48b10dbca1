"""Where notes belong while a tree is contracted: to the last response of their turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.forest import TurnKind

if TYPE_CHECKING:
    from everyleaf.graph.turns import Units

# Looking up a member of an enum costs ten times a name in Python 3.11; this is a hot path.
_T_RESPONSE = TurnKind.RESPONSE


class Turns:
    """Answers where notes belong: which response of a turn was the last so far.

    Looks at the units only when asked, each one once: most turns have no notes.
    """

    def __init__(self, units: Units) -> None:
        """Answer for `units`, which may grow between one question and the next."""
        self.units = units
        self.turn_of: list[int] = []
        """The unit that each unit's turn began with: all between are responses."""
        self.responses: dict[int, list[int]] = {}
        """Responses of a turn, in the order in which they were begun."""
        self.branched: set[int] = set()
        self.depths: list[int] = []
        self.jumps: list[int] = []

    def last_response(self, unit: int) -> int:
        """Return the last response so far, hanging from `unit` through responses alone."""
        self._look_at_new()
        turn = self.turn_of[unit]
        responses = self.responses.get(turn)
        if not responses:
            return unit
        if turn == unit or turn not in self.branched:
            return max(responses[-1], unit)
        self._measure_depths()
        for response in reversed(responses):
            if response <= unit:
                break
            if self._is_below(response, unit):
                return response
        return unit

    def _look_at_new(self) -> None:
        kinds, parents, turn_of = self.units.kinds, self.units.parents, self.turn_of
        for unit in range(len(turn_of), len(kinds)):
            above = parents[unit]
            turn = unit
            if above >= 0 and kinds[unit] is _T_RESPONSE:
                turn = turn_of[above]
                responses = self.responses.setdefault(turn, [])
                if responses and responses[-1] != above:
                    self.branched.add(turn)
                responses.append(unit)
            turn_of.append(turn)

    def _measure_depths(self) -> None:
        # Jump pointers (Myers, "An applicative random-access stack", 1983): an ancestor at
        # any depth in logarithmic time. Only turns with several branches of responses need
        # them.
        parents, depths, jumps = self.units.parents, self.depths, self.jumps
        for unit in range(len(depths), len(parents)):
            above = parents[unit]
            if above < 0:
                depths.append(0)
                jumps.append(unit)
                continue
            depths.append(depths[above] + 1)
            jump = jumps[above]
            far = jumps[jump]
            is_even = depths[above] - depths[jump] == depths[jump] - depths[far]
            jumps.append(far if is_even else above)

    def _is_below(self, unit: int, above: int) -> bool:
        depth = self.depths[above]
        while self.depths[unit] > depth:
            jump = self.jumps[unit]
            unit = jump if self.depths[jump] >= depth else self.units.parents[unit]
        return unit == above
