"""Pasted pictures, each behind the paragraph that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.transcript.document import Picture, Prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from everyleaf.transcript.document import Part

_BREAK = "\n\n"


def place_pictures(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Return `parts` with each picture behind the paragraph that has `[<its alt>]`.

    One that no text names stays where it is. A text with a fence is not cut.
    """
    placed = list(parts)
    for picture in [part for part in parts if isinstance(part, Picture) and part.alt]:
        name = f"[{picture.alt}]"
        at = _naming(placed, name)
        if at is not None:
            cut = _cut_behind(placed[at], name)
            placed = [one for one in placed if one is not picture]
            at = _naming(placed, name) or 0
            placed[at : at + 1] = [cut[0], picture, *cut[1:]]
    return tuple(placed)


def _naming(parts: Iterable[Part], name: str) -> int | None:
    found = (
        at for at, one in enumerate(parts) if isinstance(one, Prose) and name in one.text
    )
    return next(found, None)


def _cut_behind(part: Part, name: str) -> tuple[Part, ...]:
    """Return the text `part` in two, cut behind the paragraph with `name`, or whole."""
    if not isinstance(part, Prose) or "```" in part.text or "~~~" in part.text:
        return (part,)
    end = part.text.find(_BREAK, part.text.index(name))
    rest = part.text[end:].strip("\n") if end >= 0 else ""
    if not rest:
        return (part,)
    return (replace(part, text=part.text[:end]), replace(part, text=rest))
