"""The files that the CLI will delete soon, by the settings beside them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import orjson

from everyleaf.records.text import as_object
from everyleaf.survey.oddities import Finding, Odd

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from everyleaf.sources.files import SourceFile

DEFAULT_DAYS = 30
SOON_DAYS = 7
_DAY_S = 24 * 60 * 60
_SETTINGS = "settings.json"


def find_expiring(files: Iterable[SourceFile], now_s: float) -> Iterator[Finding]:
    """Yield the files that are deleted within a week from `now_s` (seconds since 1970).

    The CLI goes by the time of the last change. Only files below the `projects` of a
    folder called `.claude`, or of one with a `settings.json`, are the CLI's to delete.
    """
    periods: dict[Path, int] = {}
    for file in files:
        home = _home(file.location)
        if home is None:
            continue
        if home not in periods:
            periods[home] = cleanup_days(home)
        try:
            ends_s = file.location.stat().st_mtime + periods[home] * _DAY_S
        except OSError:
            continue
        if ends_s - now_s <= SOON_DAYS * _DAY_S:
            day = datetime.fromtimestamp(ends_s, UTC).date()
            past = " (past)" if ends_s < now_s else ""
            said = f"deleted from {day}{past}: {periods[home]} days after its last change"
            yield Finding(Odd.EXPIRES_SOON, file.file, 0, said, file.session)


def _home(location: Path) -> Path | None:
    for folder in location.absolute().parents:
        if folder.name == "projects":
            home = folder.parent
            is_own = home.name == ".claude" or (home / _SETTINGS).is_file()
            return home if is_own else None
    return None


def cleanup_days(home: Path) -> int:
    """Return `cleanupPeriodDays` of a settings folder; 30 where it sets none."""
    try:
        settings = as_object(orjson.loads((home / _SETTINGS).read_bytes())) or {}
    except (OSError, orjson.JSONDecodeError):
        return DEFAULT_DAYS
    days = settings.get("cleanupPeriodDays")
    is_days = isinstance(days, int) and not isinstance(days, bool) and days > 0
    return min(days, 100_000) if is_days and isinstance(days, int) else DEFAULT_DAYS
