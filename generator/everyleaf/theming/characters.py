"""Characters of a transcript that no page shows as they are."""

from __future__ import annotations

import re

_UNWANTED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def visible(text: str) -> str:
    r"""Return `text` as a page shows it, its line breaks as `\n`.

    Control characters are dropped, halves of surrogate pairs replaced, and what overrides
    or isolates the reading direction is named, so that code reads as it runs
    (CVE-2021-42574).
    Text that needs none of this costs one search.

    >>> visible("if \u202e} access")
    'if [U+202E]} access'
    """
    # What is printable holds none of them, and is known faster; most texts are one line.
    if text.isprintable() or not _UNWANTED.search(text):
        return text
    return _UNWANTED.sub(_replace, text.replace("\r\n", "\n").replace("\r", "\n"))


def _replace(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code <= 0x9F:
        return ""
    return "\ufffd" if code >= 0xD800 else f"[U+{code:04X}]"
