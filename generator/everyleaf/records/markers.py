"""Off-tree records that say something about a session: titles, pointers, successors."""

from __future__ import annotations

from everyleaf.model import Marker, MarkerKind
from everyleaf.records.text import as_text, as_time, one_line

_TEXT_FIELDS = {
    "summary": (MarkerKind.SUMMARY, "summary"),
    "custom-title": (MarkerKind.CUSTOM_TITLE, "customTitle"),
    "ai-title": (MarkerKind.AI_TITLE, "aiTitle"),
    "agent-name": (MarkerKind.AGENT_NAME, "agentName"),
    "last-prompt": (MarkerKind.LAST_PROMPT, "lastPrompt"),
    "continued-in": (MarkerKind.CONTINUED_IN, "continuedInSessionId"),
}


def make_marker(raw: dict[str, object], *, line: int) -> Marker | None:
    """Return the marker that an off-tree record is, or None if it means nothing to us.

    A pointer counts as explicit only if it points somewhere, or plainly nowhere (null).
    """
    kind = raw.get("type")
    found = _TEXT_FIELDS.get(kind) if isinstance(kind, str) else None
    if found is None:
        return None
    return Marker(
        kind=found[0],
        line=line,
        text=one_line(as_text(raw.get(found[1])) or ""),
        leaf_uuid=as_text(raw.get("leafUuid")),
        is_explicit=raw.get("explicit") is True
        and isinstance(raw.get("leafUuid", ...), str | None),
        timestamp=as_time(raw.get("timestamp")),
    )
