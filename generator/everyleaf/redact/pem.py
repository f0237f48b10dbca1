"""Private keys in a text: whole, cut off, and in the lines of a listing or a patch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEGIN = lazily(
    r"-{4,5} ?BEGIN (?:(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}"
    r"|(?<!- )(?<!-)\bBEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?=(?:\\n|[\s>|+→\d:-]){1,24}[A-Za-z0-9+/]{40,})|PuTTY-User-Key-File-\d:"
)
_END = lazily(
    r"(?:-{4,5} ?)?\bEND (?:(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1)(?: ?-{4,5})?|Private-MAC: ?[0-9a-f]+"
)
_LONGEST = 24_000
_REST = lazily(
    r"(?:\n[^\n]{0,40}\d\d:\d\d:\d\d[.\d]*Z[ \t](?:\[\w+\])?|\n[\w./-]{1,120}[:-]\d{1,6}[:-]"
    r"|\n[\w.-]{1,40}[ \t]+\||[\s\"',+\-|│>#/*\\$]|\\[nrt]|\d{1,6}(?:→|\t|[|:])"
    r"|(?:Proc-Type|DEK-Info|Comment|Version"
    r"|Hash|Charset|Encryption|Public-Lines|Private-Lines)[ :][^\n\\]*|[A-Za-z0-9+/=]{16,}"
    r"|[A-Za-z0-9+/]+={0,2}(?=[\s\"'\\]|$))*+"
)
_TAIL = lazily(
    r"(?:(?:^|\n)(?:[ \t]*+\d{1,6}(?:→|\t|[|:]))?[ \t+\->|]*+[A-Za-z0-9+/=]{4,80}+[ \t\r]*+){1,100}"
    r"\n[^\n]{0,12}-{4,5} ?END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY"
)
"""The end of one whose beginning stands elsewhere."""
_BODY = lazily(r"[A-Za-z0-9+/=]{20,}")


def iter_private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    r"""Yield where private keys stand in `text`, from first line to last; their kind.

    One that is cut off ends where lines no longer look like one. A form without a key in
    it (`-----BEGIN PRIVATE KEY-----\n...`) is passed over.
    """
    for tail in _TAIL.finditer(text):
        yield *tail.span(), "private-key"
    at = 0
    while (begin := _BEGIN.search(text, at)) is not None:
        at = begin.end()
        limit = at + _LONGEST
        following = _BEGIN.search(text, at, limit)
        end = _END.search(text, at, following.start() if following else limit)
        if end is None:
            rest = _REST.match(text, at, limit)
            at = rest.end() if rest else at
        else:
            at = end.end()
        if _BODY.search(text, begin.end(), at) is not None:
            yield begin.start(), at, "private-key"
