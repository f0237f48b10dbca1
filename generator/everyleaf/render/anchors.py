"""Anchors: short ids of entries that stay the same when a conversation grows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

SHORT = 8
"""Characters of a uuid in an anchor, unless another uuid of the page has the same ones."""

_OTHER = re.compile(r"[^A-Za-z0-9-]")


def assign_anchors(uuids: Iterable[str]) -> dict[str, str]:
    """Return an anchor for each of `uuids`, unique among them.

    An anchor is `m-` and the uuid's first characters, as many as tell it from those before
    it; so what is appended to a conversation never changes an earlier anchor.
    """
    anchors: dict[str, str] = {}
    taken: set[str] = set()
    for uuid in uuids:
        if uuid not in anchors:
            anchors[uuid] = _free_anchor(_OTHER.sub("-", uuid), taken)
            taken.add(anchors[uuid])
    return anchors


def anchor_of(uuid: str) -> str:
    """Return the anchor of an entry on a page, unless another one there begins the same."""
    return _free_anchor(_OTHER.sub("-", uuid), set())


def _free_anchor(name: str, taken: set[str]) -> str:
    for length in range(SHORT, max(SHORT, len(name)) + 1):
        anchor = f"m-{name[:length]}"
        if anchor not in taken:
            return anchor
    # Only ids that are no uuids come here: equal but for what an anchor leaves out.
    number = 2
    while f"m-{name}-{number}" in taken:
        number += 1
    return f"m-{name}-{number}"
