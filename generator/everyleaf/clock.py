"""Times: the one place that reads the clock, so that builds are reproducible."""

from __future__ import annotations

import os
from datetime import UTC, datetime


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


def build_time() -> datetime | None:
    """Return the time in `SOURCE_DATE_EPOCH`, or None: pages do not know the clock."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(epoch), tz=UTC) if epoch.isdigit() else None
