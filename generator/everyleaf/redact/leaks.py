"""The last look: is a value that was found in the sources in a file about to be written?"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from everyleaf.errors import RedactError
from everyleaf.redact.forms import forms_of, key_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ahocorasick_rs import BytesAhoCorasick

_TAG = re.compile(rb"<[^<>]*>")
_HTML = (".html", ".svg", ".xml")


class LeakSearch:
    """Searches files for the values that must not be in them."""

    def __init__(self, secrets: Sequence[tuple[str, str]]) -> None:
        """Search for `secrets`, as (kind, value), in all forms that are masked."""
        self._kinds: list[str] = []
        self._finder: BytesAhoCorasick | None = None
        forms: dict[bytes, str] = {}
        for kind, value in secrets:
            for form in (*forms_of(value), *key_lines(value)):
                for written in (form, html.escape(form)):
                    forms.setdefault(written.encode(errors="replace"), kind)
        if forms:
            from ahocorasick_rs import BytesAhoCorasick  # noqa: PLC0415  (often not needed)

            self._kinds = list(forms.values())
            self._finder = BytesAhoCorasick(list(forms))

    def kinds_in(self, url: str, body: bytes) -> tuple[str, ...]:
        """Return what kinds of value a file holds, sorted; also across the tags of HTML."""
        if self._finder is None:
            return ()
        bodies = [body]
        if url.endswith(_HTML):
            bodies.append(_TAG.sub(b"", body))
        return tuple(
            sorted(
                {
                    self._kinds[found]
                    for each in bodies
                    for found, _, _ in self._finder.find_matches_as_indexes(each)
                }
            )
        )

    def check(self, url: str, body: bytes) -> None:
        """Return if the file may be written.

        Raises:
            RedactError: it holds a secret.
        """
        kinds = self.kinds_in(url, body)
        if kinds:
            raise RedactError(
                f"{url!r} would publish what was found to be secret: {', '.join(kinds)}",
                hint="nothing was written; please report this, and leave the session out"
                " with --exclude until then",
            )
