"""Times as transcripts write them. Nothing here reads a clock: builds are reproducible."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache


@lru_cache(maxsize=4096)
def parse_timestamp(text: str) -> datetime | None:
    """Return `text` (ISO 8601; UTC where no zone is given) as a UTC time, or None."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    try:
        return (
            moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        )
    except OverflowError:
        return None
