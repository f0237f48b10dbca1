"""From what the scanner says of a chunk file back to the texts of the source."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from everyleaf.redact.findings import Finding, is_random, is_stand_in, kind_of
from everyleaf.redact.gather import digest_text
from everyleaf.redact.looking import BLOCK_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from everyleaf.redact.gather import Gathered
    from everyleaf.redact.scanner import Hit

_ESCAPED_LINE = re.compile(r"(?:\\{1,4}r)?\\{1,4}n")
_ID_LIKE = re.compile(r"[0-9a-f-]{7,64}", re.IGNORECASE)
_ID_PLACES = (
    rb'"(?:uuid|parentUuid|sessionId|requestId|id|messageId|leafUuid|sha|hash)"\s*:\s*"'
)
_COOKIE_WORDS = frozenset({"path", "domain", "expires", "max-age", "samesite", "priority"})


def place_hits(
    hits: Sequence[Hit], gathered: Gathered, chunk: Path, source: Path
) -> list[Finding]:
    """Return the findings of a chunk file, bound to texts, in the order of the source.

    What only shows where a secret would stand is left out, unless a person's own pattern
    found it, and what is an id of a record.

    Raises:
        OSError: a file cannot be read again.
    """
    if not hits:
        return list(gathered.findings)
    body = chunk.read_bytes()
    found = {
        finding
        for hit in hits
        for finding in _findings(hit, gathered, body)
        if hit.is_own or not is_stand_in(finding.kind, finding.value)
    }
    ids = find_ids({finding.value for finding in found}, source)
    kept = [finding for finding in found if finding.value not in ids]
    order = sorted(
        [*kept, *gathered.findings],
        key=lambda f: (f.line, f.start, f.kind, f.end, f.text, f.value),
    )
    return list(dict.fromkeys(order))


def _findings(hit: Hit, gathered: Gathered, body: bytes) -> Iterator[Finding]:
    at = max(0, bisect_right(gathered.chunk_lines, hit.line) - 1)
    if not gathered.sizes:
        return
    kind = kind_of(hit.rule)
    offset, size = gathered.offsets[at], gathered.sizes[at]
    text = body[offset : offset + size]
    start = gathered.line_offsets[at]
    for _ in range(hit.line - gathered.chunk_lines[at]):
        start = body.find(b"\n", start) + 1
    begin = start + hit.column - offset
    value = hit.value.encode(errors="replace")
    if begin < 0 or text[begin : begin + len(value)] != value:
        begin = text.find(value)
    if begin < 0:
        # Decoded from base64, or of two texts: then it is known by its value alone.
        yield Finding(kind, hit.value, "", 0, 0, gathered.lines[at])
        return
    shown = text.decode(errors="replace")
    first = len(text[:begin].decode(errors="replace"))
    whole = Finding(
        kind,
        hit.value,
        digest_text(shown),
        first,
        first + len(hit.value),
        gathered.lines[at],
    )
    yield from _parts(whole)


def _parts(found: Finding) -> Iterator[Finding]:
    """Yield what a finding is to be masked as: of a cookie header, its random values."""
    if found.kind == "cookie":
        at = found.start
        for pair in found.value.split(";"):
            name, _, value = pair.partition("=")
            value = value.strip()
            if name.strip().lower() not in _COOKIE_WORDS and _is_session(value):
                start = at + pair.index(value, len(name))
                yield found._replace(value=value, start=start, end=start + len(value))
            at += len(pair) + 1
    elif found.kind == "private-key":
        plain = _ESCAPED_LINE.sub("\n", found.value)
        yield found
        if plain != found.value:
            yield found._replace(value=plain, text="", start=0, end=0)
    else:
        yield found


def _is_session(value: str) -> bool:
    return len(value) >= 12 and is_random(value)


def find_ids(values: set[str], source: Path | bytes) -> set[str]:
    """Return those of `values` that records of a source, or of its bytes, have as an id.

    Raises:
        OSError: the source cannot be read.
    """
    candidates = sorted(value for value in values if _ID_LIKE.fullmatch(value))
    if not candidates:
        return set()
    named = b"|".join(re.escape(value.encode()) for value in candidates)
    places = re.compile(_ID_PLACES + b"(" + named + b')"')
    return {
        found[1].decode() for block in _blocks(source) for found in places.finditer(block)
    }


def _blocks(source: Path | bytes) -> Iterator[bytes]:
    """Yield whole lines of a source, some at a time: it may be larger than memory."""
    if isinstance(source, bytes):
        yield source
        return
    with source.open("rb") as file:
        while lines := file.readlines(BLOCK_BYTES):
            yield b"".join(lines)
