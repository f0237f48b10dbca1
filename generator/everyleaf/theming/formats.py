"""Numbers and times as templates print them: the same on any machine, in any locale."""

from __future__ import annotations

import re
from functools import lru_cache

from markupsafe import Markup, escape

from everyleaf.clock import parse_timestamp

MINUS = "\N{MINUS SIGN}"
_CHANGED = re.compile(rf"(\+[\d,]+) [{MINUS}-]([\d,]+)")


@lru_cache(maxsize=4096)
def format_moment(timestamp: str) -> str:
    """Return `2026-01-31 14:05` (UTC) for an ISO 8601 time, and what is none as it is."""
    moment = parse_timestamp(timestamp)
    return moment.isoformat(" ")[:16] if moment else timestamp


@lru_cache(maxsize=4096)
def format_clock(timestamp: str) -> str:
    """Return `14:05:09` (UTC) for an ISO 8601 time; empty for what is none."""
    moment = parse_timestamp(timestamp)
    return moment.isoformat()[11:19] if moment else ""


def coloured(text: str) -> Markup:
    r"""Return `text` as markup, in which lines added and removed are told apart by colour.

    >>> coloured("1 <b> +2 -1") == Markup(
    ...     "1 &lt;b&gt; "
    ...     '<span class="plus">+2</span> <span class="minus">\N{MINUS SIGN}1</span>'
    ... )
    True
    """
    plain = str(escape(visible(text)))
    return Markup(_CHANGED.sub(_colour, plain))  # noqa: S704  (escaped before)


def _colour(found: re.Match[str]) -> str:
    added, removed = found.groups()
    plus = f'<span class="plus">{added}</span>' if added != "+0" or removed == "0" else ""
    minus = f'<span class="minus">{MINUS}{removed}</span>' if removed != "0" else ""
    return " ".join(filter(None, (plus, minus)))


def changed(added: int, removed: int) -> Markup:
    """Return how many lines were added and removed; what is 0 is left out.

    >>> changed(1200, 0)
    Markup('<span class="changes"><span class="plus">+1,200</span></span>')
    """
    lines = coloured(f"+{added:,} {MINUS}{removed:,}")
    return Markup('<span class="changes">{}</span>').format(lines)


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
