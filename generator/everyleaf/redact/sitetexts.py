"""The texts of a site's files: pages, Markdown, JSON, drawings, the search index."""

from __future__ import annotations

import html
import re
import zlib

import orjson

from everyleaf.redact.texts import iter_texts

_GZIP = b"\x1f\x8b"
_PICTURES = (".png", ".jpg", ".gif", ".webp", ".woff2", ".wasm")
_MARKUP = (".html", ".svg", ".xml")
_TAG = re.compile(r"<[^<>]*>")
_MOST_BYTES = 64 * 1024 * 1024
"""More is not unpacked of a compressed file."""
_BETWEEN = "\n\n\n\n"


def text_of(name: str, body: bytes) -> str | None:
    """Return all that can be read in a file of a site; None for a picture or a font.

    Markup gives its source with entities resolved, and again without tags, since a word may
    be spread over several; JSON its source and every string in it.
    """
    if name.endswith(_PICTURES):
        return None
    if body.startswith(_GZIP):
        body = zlib.decompressobj(wbits=31).decompress(body, _MOST_BYTES)
    text = body.decode("utf-8", errors="replace")
    if name.endswith(_MARKUP):
        return _BETWEEN.join((html.unescape(text), html.unescape(_TAG.sub("", text))))
    if name.endswith((".json", ".jsonl")):
        return _BETWEEN.join((text, *_strings(body)))
    return text


def _strings(body: bytes) -> list[str]:
    texts: list[str] = []
    for part in (body, *body.split(b"\n")):
        try:
            texts += [text for _, text in iter_texts(orjson.loads(part))]
        except orjson.JSONDecodeError:
            continue
    return texts
