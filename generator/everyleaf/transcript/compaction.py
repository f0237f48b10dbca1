"""The compact boundary and the summary that replaced what came before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.records.schema import SystemRecord, UserRecord
from everyleaf.transcript.content import blocks_text, media_parts
from everyleaf.transcript.document import Compaction, Fold, Prose
from everyleaf.transcript.tags import tag_body
from everyleaf.transcript.values import list_at
from everyleaf.transcript.words import one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import AnyRecord
    from everyleaf.transcript.document import Part


def boundary_entry(uuid: str, record: AnyRecord) -> Compaction:
    """Return the divider with the facts of its compaction; its summary is added later."""
    if not isinstance(record, SystemRecord):
        return Compaction(uuid=uuid, at=record.timestamp)
    facts = record.compact_metadata
    kept = facts.preserved_messages
    has_kept = bool(kept)
    return Compaction(
        uuid=uuid,
        at=record.timestamp,
        trigger=facts.trigger,
        tokens_before=facts.pre_tokens,
        tokens_after=facts.post_tokens,
        duration_ms=facts.duration_ms,
        kept_messages=len(list_at(kept, "uuids")) if has_kept else None,
        focus=one_line(facts.user_context),
    )


def summary_entry(uuid: str, record: UserRecord) -> Compaction:
    """Return a divider for a summary that has no boundary in its turn."""
    return Compaction(
        uuid=uuid, at=record.timestamp, summary=summary_parts(record), has_boundary=False
    )


def summary_parts(record: UserRecord) -> tuple[Part, ...]:
    """Return the summary's text; the analysis that older ones begin with is folded."""
    text = blocks_text(record.message.content)
    media = media_parts(record.message.content)
    analysis, summary = tag_body(text, "analysis"), tag_body(text, "summary")
    if analysis is None or summary is None:
        return (Prose(text), *media)
    return (Prose(summary.strip()), Fold("analysis", (Prose(analysis.strip()),)), *media)
