"""The place where a text was found, masked as pages are, with some words around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.errors import SourceError
from everyleaf.explore.texts import iter_texts
from everyleaf.records.recover import read_object

if TYPE_CHECKING:
    from everyleaf.archive import Archive
    from everyleaf.explore.needle import Needle
    from everyleaf.model import Envelope

BEFORE = 40
AFTER = 120


class Snippet(Struct, frozen=True):
    """A piece of text on one line, in three parts."""

    before: str
    found: str
    """Empty where what was found is masked."""
    after: str


def snippet_of(
    archive: Archive, source: int, envelope: Envelope, needle: Needle
) -> Snippet:
    """Return where `needle` first finds something in a record, read again and masked."""
    file = archive.files[source]
    try:
        raw = read_object(file.location, envelope)
    except (OSError, SourceError):
        return Snippet(envelope.words, "", "")
    first = ""
    for _, text in iter_texts(archive.redaction.redactor(file.session).record(raw)):
        spans = needle.spans(text)
        if spans:
            return cut_out(text, *spans[0])
        first = first or text
    return cut_out(first, 0, 0)


def cut_out(text: str, start: int, end: int) -> Snippet:
    """Return what stands in `text` from `start` to `end`, with some words around it."""
    left, right = max(start - BEFORE, 0), min(max(end, start) + AFTER, len(text))
    before = ("…" if left else "") + text[left:start]
    after = text[end:right] + ("…" if right < len(text) else "")
    return Snippet(_line(before), _line(text[start:end]), _line(after))


def _line(text: str) -> str:
    """Return `text` on one line, a blank at its ends kept."""
    line = " ".join(text.split())
    if not line:
        return " " if text else ""
    return f"{' ' * text[0].isspace()}{line}{' ' * text[-1].isspace()}"
