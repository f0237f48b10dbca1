"""What Claude Code makes of a session's file: where it resumes, what its list says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from everyleaf.model import CONVERSATION, Kind, MarkerKind
from everyleaf.records.recover import read_object
from everyleaf.records.text import as_list, as_object, as_text, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.graph.trees import Tree
    from everyleaf.model import Envelope
    from everyleaf.revise.session import OpenSession

WHOLE_BYTES = 5 << 20
"""Of a larger file nothing before its last compaction is loaded (`format.md` §4.2)."""
LISTED_BYTES = 64 << 10
"""How much of a file's beginning and end the list looks at for titles (`format.md` §5)."""


def resumed_at(session: OpenSession) -> int | None:
    """Return the position of the record that a resume ends with; None: it begins anew.

    The last record of the file (or, if that is a note, what it hangs from), unless the last
    `last-prompt` that has a leaf names one that this does not hang from. An explicit one is
    taken as it is until something is said.

    Source: 2.1.197 and 2.1.330, driven on files made for it; 2.1.122 does the same, 2.1.118
    reads no pointers. No version lets a `summary` decide.
    """
    tree = session.tree
    tip = _said_at(tree, len(tree.records) - 1)
    pointers = [
        each
        for each in session.records.markers
        if each.kind is MarkerKind.LAST_PROMPT and (each.leaf_uuid or each.is_explicit)
    ]
    if not pointers:
        return tip
    pointer = pointers[-1]
    is_outrun = any(
        record.line > pointer.line and kind in CONVERSATION
        for record, kind in zip(tree.records, tree.kinds, strict=True)
    )
    is_pinned = pointer.is_explicit and not is_outrun
    if pointer.leaf_uuid is None:
        return None if is_pinned else tip
    named = tree.index.get(pointer.leaf_uuid)
    if named is None or not is_loaded(session, named):
        return tip
    units = session.forest.units
    is_above = units.id_of(tree, named) in units.up(units.id_of(tree, tip))
    return tip if is_above and not is_pinned else _said_at(tree, named)


def is_loaded(session: OpenSession, position: int) -> bool:
    """Return whether a resume can reach the record at `position`.

    It cannot where the file's last compaction names messages that it kept, one before
    did so, or the file is large: then only what it kept is left of what came before.

    Source: as for `resumed_at`; a compaction that names a message which is not there
    leaves all as it is.
    """
    tree = session.tree
    boundaries = [at for at, kind in enumerate(tree.kinds) if kind is Kind.BOUNDARY]
    if not boundaries or position >= boundaries[-1]:
        return True
    kept = [_kept(session, tree.records[at]) for at in boundaries]
    last = kept[-1]
    if last is None:
        is_large = session.state.size_bytes > WHOLE_BYTES
        return not is_large and all(each is None for each in kept)
    if any(tree.index.get(uuid, len(tree.records)) > boundaries[-1] for uuid in last):
        return True
    return tree.records[position].uuid in last


def listed_title(session: OpenSession) -> str:
    """Return how Claude Code's list calls the session.

    Source: as for `resumed_at`; the title in a file of its own is what 2.1.330 reads.
    """
    size_bytes = session.state.size_bytes
    with session.location.open("rb") as file:
        head = file.read(LISTED_BYTES)
        file.seek(max(0, size_bytes - LISTED_BYTES))
        tail = file.read()
    texts = (
        _last_text(tail, "custom-title", "customTitle")
        or _title_beside(session)
        or _last_text(head, "custom-title", "customTitle")
        or _last_text(tail, "ai-title", "aiTitle")
        or _last_text(head, "ai-title", "aiTitle")
        or _last_text(tail, "last-prompt", "lastPrompt")
    )
    return one_line(texts) or _first_prompt(session.tree)


def _said_at(tree: Tree, position: int) -> int:
    """Return the nearest record at or above `position` that is no note, else that one."""
    at = position
    while at >= 0 and not tree.is_conversation[at]:
        at = tree.parents[at]
    return position if at < 0 else at


def _kept(session: OpenSession, boundary: Envelope) -> list[str] | None:
    """Return the messages that a compaction says it kept; None: it says nothing of it."""
    raw = read_object(session.location, boundary)
    told = as_object(raw.get("compactMetadata")) or {}
    kept = as_object(told.get("preservedMessages"))
    if kept is not None:
        return [text for item in as_list(kept.get("uuids")) if (text := as_text(item))]
    ends = as_object(told.get("preservedSegment"))
    if ends is None:
        return None
    return [text for key in ("headUuid", "tailUuid") if (text := as_text(ends.get(key)))]


def _last_text(part: bytes, kind: str, key: str) -> str:
    """Return what the last record of `kind` in a part of a file says, or nothing."""
    texts = [text for raw in _objects(part, kind) if (text := as_text(raw.get(key)))]
    return texts[-1] if texts else ""


def _objects(part: bytes, kind: str) -> Iterator[dict[str, object]]:
    for line in part.splitlines():
        if kind.encode() in line:
            try:
                raw = as_object(json.loads(line)) or {}
            except ValueError:
                continue  # Cut through, where the part begins or ends.
            if raw.get("type") == kind:
                yield raw


def _title_beside(session: OpenSession) -> str:
    """Return the title that stands in the session's own folder, or nothing."""
    file = session.source.location.with_suffix("") / "custom-title.json"
    try:
        told = as_object(json.loads(file.read_bytes())) or {}
    except (OSError, ValueError):
        return ""
    return as_text(told.get("customTitle")) or ""


def _first_prompt(tree: Tree) -> str:
    said = zip(tree.records, tree.kinds, strict=True)
    return next((each.words for each, kind in said if kind is Kind.PROMPT), "")
