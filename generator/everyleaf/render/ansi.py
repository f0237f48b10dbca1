"""Terminal output: colours as classes of the theme, progress bars at their last state.

Libraries on PyPI that do this (`ansi2html`, 1.9.5) write a style of its own for each of the
16 million colours, which our content security policy forbids and no theme can keep readable
in light and dark; here every colour becomes the nearest of the theme's sixteen.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from markupsafe import escape
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.records.text import ESCAPES
from everyleaf.theming.characters import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FLAGS = {1: "bold", 2: "dim", 3: "italic", 4: "under", 7: "inverse", 9: "struck"}
_FLAGS_OFF = {
    22: {"bold", "dim"},
    23: {"italic"},
    24: {"under"},
    27: {"inverse"},
    29: {"struck"},
}
_PALETTE = (
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0),
    (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
    (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
)  # fmt: skip
_CUBE = (0, 95, 135, 175, 215, 255)


class Look(Struct, frozen=True):
    """How a run of characters looks; colours are 0 to 15."""

    ink: int | None = None
    paper: int | None = None
    flags: frozenset[str] = frozenset()

    @property
    def classes(self) -> str:
        """Return the names of its CSS classes, sorted, with blanks between."""
        ink = () if self.ink is None else (f"ink{self.ink}",)
        paper = () if self.paper is None else (f"paper{self.paper}",)
        return " ".join((*ink, *paper, *sorted(self.flags)))


Run = tuple[str, Look]
"""Characters of one look, none of them a control character."""


def terminal_runs(text: str) -> list[Run]:
    """Return what a terminal would show of `text`, in runs.

    Of a line that carriage returns rewrote, only the last state stays; escape sequences
    other than colours and styles are dropped. Linear in `text`.
    """
    shown = "\n".join(map(_last_state, text.split("\n"))) if "\r" in text else text
    if "\x1b" not in shown and "\x9b" not in shown:
        plain = visible(shown)
        return [(plain, Look())] if plain else []
    runs: list[Run] = []
    look, at = Look(), 0
    for found in ESCAPES.finditer(shown):
        _append(runs, shown[at : found.start()], look)
        at = found.end()
        if found["final"] == "m":
            look = _apply(look, found["codes"])
    _append(runs, shown[at:], look)
    return runs


def plain_text(runs: Iterable[Run]) -> str:
    """Return the characters of `runs` alone."""
    return "".join(text for text, _ in runs)


def slice_runs(runs: Iterable[Run], start: int, end: int) -> Iterator[Run]:
    """Yield what stands between two offsets of the plain text."""
    at = 0
    for text, look in runs:
        piece = text[max(start - at, 0) : max(end - at, 0)]
        if piece:
            yield piece, look
        at += len(text)


def render_runs(runs: Iterable[Run]) -> str:
    """Return `runs` as HTML."""
    return "".join(
        f'<span class="{look.classes}">{escape(text)}</span>'
        if look.classes
        else escape(text)
        for text, look in runs
    )


def _last_state(line: str) -> str:
    return line.rstrip("\r").rsplit("\r", 1)[-1]


def _append(runs: list[Run], text: str, look: Look) -> None:
    text = visible(text)
    if not text:
        return
    if runs and runs[-1][1] == look:
        runs[-1] = (runs[-1][0] + text, look)
    else:
        runs.append((text, look))


def _apply(look: Look, codes: str) -> Look:
    """Return `look` after the SGR sequence `codes`; unknown codes change nothing."""
    numbers = iter(
        [int(code) if code.isdecimal() else 0 for code in re.split("[;:]", codes)]
    )
    for number in numbers:
        match number:
            case 0:
                look = Look()
            case 38 | 48:
                colour = _extended(numbers)
                look = (
                    replace(look, ink=colour)
                    if number == 38
                    else replace(look, paper=colour)
                )
            case _:
                look = _apply_one(look, number)
    return look


def _apply_one(look: Look, number: int) -> Look:
    if number in _FLAGS:
        return replace(look, flags=look.flags | {_FLAGS[number]})
    if number in _FLAGS_OFF:
        return replace(look, flags=look.flags - _FLAGS_OFF[number])
    tens, colour = divmod(number, 10)
    value = None if colour == 9 else colour + (8 if tens >= 9 else 0)
    if colour == 8 or tens not in {3, 4, 9, 10}:
        return look
    return replace(look, ink=value) if tens in {3, 9} else replace(look, paper=value)


def _extended(numbers: Iterator[int]) -> int | None:
    """Return the colour named by `5;n` or `2;r;g;b`, as the nearest of sixteen."""
    match next(numbers, 0):
        case 5:
            return _of_256(next(numbers, 0))
        case 2:
            return _nearest((next(numbers, 0), next(numbers, 0), next(numbers, 0)))
        case _:
            return None


def _of_256(number: int) -> int:
    if number < 16:
        return number
    if number < 232:
        red, rest = divmod(number - 16, 36)
        return _nearest((_CUBE[red], _CUBE[rest // 6], _CUBE[rest % 6]))
    grey = 8 + 10 * (number - 232)
    return _nearest((grey, grey, grey))


def _nearest(colour: tuple[int, int, int]) -> int:
    return min(range(16), key=lambda index: _distance(_PALETTE[index], colour))


def _distance(one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))
