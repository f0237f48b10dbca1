"""What must not be published is found and masked: between the records and everything else.

sources ─▶ gather (decoded texts) ─▶ detect ─▶ findings (what, where) ─▶ masks

Whatever stands on a page went through a `Redactor`: the raw record before it is modelled,
and the text of a spilled output before it is shown.
"""

from __future__ import annotations

from typing import Protocol


class Redactor(Protocol):
    """Masks what must not be published; the same input always gives the same output."""

    def record(self, raw: dict[str, object], line: bytes = b"") -> dict[str, object]:
        """Return `raw` with secrets masked, in place; its structure and ids are kept.

        `line` is the JSON that says `raw`, if it is known, and nothing else.
        """
        ...

    def text(self, text: str) -> str:
        """Return `text` with secrets masked."""
        ...


class KeepAll:
    """The redactor that changes nothing."""

    def record(self, raw: dict[str, object], line: bytes = b"") -> dict[str, object]:  # noqa: ARG002  (a promise)
        """Return `raw` itself."""
        return raw

    def text(self, text: str) -> str:
        """Return `text` itself."""
        return text
