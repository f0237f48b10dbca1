"""The words that are kept of a record, and where they come from when it was masked."""

from __future__ import annotations

from msgspec.structs import replace

from everyleaf.model import Envelope, Marker
from everyleaf.records.envelope import said_anew
from everyleaf.records.known import KNOWN_FIELDS
from everyleaf.records.markers import make_marker
from everyleaf.records.text import as_text


def keeps_words(made: Envelope | Marker | None, raw: dict[str, object]) -> bool:
    """Return whether words of a record itself are kept: of it, its type or its fields."""
    words = (made.words or made.asked) if isinstance(made, Envelope) else made is not None
    known = KNOWN_FIELDS.get(as_text(raw.get("type")) or "?")
    return bool(words) or known is None or not known.issuperset(raw)


def say_anew(
    made: Envelope | Marker | None, masked: dict[str, object]
) -> Envelope | Marker | None:
    """Return an envelope or a marker with its words taken from the masked record."""
    if isinstance(made, Envelope):
        return said_anew(made, masked)
    if isinstance(made, Marker) and made.text:
        again = make_marker(masked, line=made.line)
        return made if again is None else replace(made, text=again.text)
    return made
