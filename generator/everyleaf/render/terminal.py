"""Terminal output: colours as classes of the theme, progress bars at their last state.

Rich reads the colours. What writes HTML of such output (`ansi2html`, rich itself) gives
each of the 16 million a style of its own, which our content security policy forbids and no
theme can keep readable in light and dark; here each becomes the nearest of sixteen.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from everyleaf.records.text import ESCAPES
from everyleaf.theming.formats import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.style import Style

    Run = tuple[str, str]
    """Characters of one look, none of them a control character, and its CSS classes."""

LONGEST_CODES = 200
"""Characters of a sequence that sets colours; a longer one is nonsense."""

_SPECIAL = re.compile("[&<>]")
_SHORT = {"k": "b", "c": "i"}
"""Elements of the commonest: a `span` with a class took a sixth of a long page."""


def terminal_runs(text: str) -> list[Run]:
    """Return what a terminal would show of `text`, in runs.

    Of a line that carriage returns rewrote, only the last state stays; escape sequences
    other than colours and styles are dropped. Linear in `text`.
    """
    shown = "\n".join(map(_last_state, text.split("\n"))) if "\r" in text else text
    if "\x1b" not in shown and "\x9b" not in shown:
        plain = visible(shown)
        return [(plain, "")] if plain else []
    return list(_iter_runs(shown))


def plain_text(runs: Iterable[Run]) -> str:
    """Return the characters of `runs` alone."""
    return "".join(text for text, _ in runs)


def slice_runs(runs: Iterable[Run], start: int, end: int) -> Iterator[Run]:
    """Yield what stands between two offsets of the plain text."""
    at = 0
    for text, classes in runs:
        piece = text[max(start - at, 0) : max(end - at, 0)]
        if piece:
            yield piece, classes
        at += len(text)


def render_runs(runs: Iterable[Run]) -> str:
    """Return `runs` as HTML."""
    drawn = (
        (escaped(text), tags(classes) if classes else ("", "")) for text, classes in runs
    )
    return "".join(f"{begin}{text}{end}" for text, (begin, end) in drawn)


def escaped(text: str) -> str:
    """Return `text` as HTML for between tags, where quotes need no escape."""
    return html.escape(text, quote=False) if _SPECIAL.search(text) else text


@lru_cache(maxsize=256)
def tags(css_classes: str) -> tuple[str, str]:
    """Return what begins and ends an element of these classes."""
    if element := _SHORT.get(css_classes):
        return f"<{element}>", f"</{element}>"
    quote = '"' * (" " in css_classes)
    return f"<span class={quote}{css_classes}{quote}>", "</span>"


def _last_state(line: str) -> str:
    return line.rstrip("\r").rsplit("\r", 1)[-1]


def _iter_runs(shown: str) -> Iterator[Run]:
    # Few outputs have colours, and rich takes longer to import than all of them to read.
    from rich.ansi import AnsiDecoder  # noqa: PLC0415

    decoder = AnsiDecoder()
    begun, classes = "", ""
    at = 0
    for found in ESCAPES.finditer(shown):
        begun += visible(shown[at : found.start()])
        at = found.end()
        if found["final"] == "m" and len(found["codes"]) <= LONGEST_CODES:
            decoder.decode_line(_sequence(found))
            changed = _classes(decoder.style)
            if changed != classes and begun:
                yield begun, classes
                begun = ""
            classes = changed
    begun += visible(shown[at:])
    if begun:
        yield begun, classes


def _sequence(found: re.Match[str]) -> str:
    codes = found["codes"].replace(":", ";")
    return f"\x1b[{codes}m"


def _classes(style: Style) -> str:
    """Return the names of the CSS classes of `style`, with blanks between."""
    from rich.color import ColorSystem  # noqa: PLC0415

    colours = [
        f"{kind}{colour.downgrade(ColorSystem.STANDARD).number}"
        for kind, colour in (("ink", style.color), ("paper", style.bgcolor))
        if colour is not None and not colour.is_default
    ]
    flags = {
        "bold": style.bold,
        "dim": style.dim,
        "inverse": style.reverse,
        "italic": style.italic,
        "struck": style.strike,
        "under": style.underline,
    }
    return " ".join([*colours, *(name for name, is_on in flags.items() if is_on)])
