"""What reading an archive brought to light."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from everyleaf.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from everyleaf.issues import Issue


@dataclass(frozen=True, slots=True)
class Reading:
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
