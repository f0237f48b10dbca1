"""Off-tree records as the CLI writes them, and where they go in a file."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from everyleaf.errors import SourceError
from everyleaf.revise.edits import Edit
from everyleaf.sources.lines import BOM, iter_lines

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.sources.lines import Line

_SUMMARY_TEXT = re.compile(rb'"summary"\s*:\s*("(?:[^"\\]|\\.)*")')


def write_line(record: dict[str, object]) -> bytes:
    """Return `record` as one line, in the order of its keys."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode(
        errors="replace"
    )


def at_the_top(location: Path, record: dict[str, object], says: str) -> Edit:
    """Return the edit that makes `record` the first line of the file."""
    with location.open("rb") as file:
        begin = len(BOM) if file.read(len(BOM)) == BOM else 0
    return Edit(begin, 0, write_line(record) + b"\n", says)


def at_the_end(location: Path, records: list[dict[str, object]], says: str) -> Edit:
    """Return the edit that appends `records`, on lines of their own."""
    with location.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 1))
        is_ended = file.read(1) in {b"\n", b""}
    written = b"".join(write_line(record) + b"\n" for record in records)
    return Edit(size, 0, (b"" if is_ended else b"\n") + written, says)


def with_summary(location: Path, line: int, text: str) -> Edit:
    """Return the edit that gives the `summary` record in `line` (1-based) another text.

    Nothing else of the line changes: not a space, not the order of its keys.

    Raises:
        SourceError: the line is not one plain record.
    """
    found = _find_line(location, line)
    data = found.data
    spot = _SUMMARY_TEXT.search(data)
    if spot is not None:
        insert = write_text(text)
        begin, end = spot.span(1)
        try:
            before, after = json.loads(data), json.loads(data[:begin] + insert + data[end:])
        except ValueError:
            before, after = None, None
        if isinstance(before, dict) and after == {**before, "summary": text}:
            says = f"the summary in line {line} says {text!r} instead"
            return Edit(found.offset + begin, end - begin, insert, says)
    raise SourceError(
        f"the summary in line {line} is not written plainly",
        hint="`everyleaf check` says what is odd about the file",
    )


def write_text(text: str) -> bytes:
    """Return `text` as a JSON string."""
    return json.dumps(text, ensure_ascii=False).encode(errors="replace")


def _find_line(location: Path, wanted: int) -> Line:
    for line in iter_lines(location):
        if line.number == wanted:
            return line
    raise SourceError(f"line {wanted} of {str(location)!r} is not there any more")
