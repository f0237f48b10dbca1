"""What reading an archive brought to light."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from everyleaf.issues import Issue


class Reading(Struct, frozen=True):
    """What reading the archive brought to light, for the report."""

    issues: tuple[Issue, ...] = ()
    types: Mapping[str, int] = field(default_factory=dict[str, int])
    """Records by type."""
    fields: Mapping[str, int] = field(default_factory=dict[str, int])
    """Records by field that everyleaf does not know."""
    redactions: Mapping[str, int] = field(default_factory=dict[str, int])
    """What was masked, by kind: how often in the records."""
    images: int = 0
    """Pictures that are published: nobody can say what they show."""
