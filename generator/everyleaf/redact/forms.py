"""The ways in which a value may be written: masked in all of them."""

from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote

from everyleaf.sources.lines import lazily

_PADDING = (0, 1, 2)
_SHORTEST_CORE = 12
"""A shorter piece of base64 could stand for something else."""
_SHORTEST_HEX = 6
_KEY_LINE = lazily(r"[A-Za-z0-9+/=]{40,}")


def forms_of(value: str) -> tuple[str, ...]:
    """Return `value` as it is, and as JSON (also twice), URL, HTML, hex and base64 have it.

    Base64 gives six forms: three offsets in the encoded text, two alphabets; the characters
    at both ends that depend on what stands around are left out.
    """
    value = value.encode(errors="replace").decode()  # As texts are looked through.
    escaped = json.dumps(value, ensure_ascii=False)[1:-1]
    forms = [
        value,
        escaped,
        json.dumps(value)[1:-1],
        json.dumps(escaped, ensure_ascii=False)[1:-1],
        value.replace("/", "\\/"),
        quote(value, safe=""),
        quote(value, safe="").lower(),
        html.escape(value),
    ]
    if len(value) >= _SHORTEST_HEX:
        forms += [value.encode().hex(), value.encode().hex().upper()]
    for offset in _PADDING:
        core = _base64_core(value.encode(), offset)
        if len(core) >= _SHORTEST_CORE:
            forms += [core, core.replace("+", "-").replace("/", "_")]
    if "\n" in value:
        forms.append(value.replace("\n", "\r\n"))
    return tuple(dict.fromkeys(forms))


def key_lines(value: str) -> tuple[str, ...]:
    """Return the long lines of a private key: they stand alone in diffs and listings."""
    return tuple(dict.fromkeys(_KEY_LINE.findall(value)))


def _base64_core(data: bytes, offset: int) -> str:
    """Return the part of a base64 text that `data` alone decides, `offset` bytes in."""
    encoded = base64.b64encode(bytes(offset) + data).decode()
    whole = (offset + len(data)) // 3 * 4
    return encoded[(0, 2, 3)[offset] : whole]
