"""E-mail addresses and hosts of private networks: masked where a site is for everybody."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from everyleaf.redact.kinds import Finding
from everyleaf.sources.content import names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_EMAIL = re.compile(
    r"(?<![A-Za-z0-9._%+/:-])[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}"
    r"(?![A-Za-z0-9(-])"
)
_PRIVATE = r"(?:internal|intranet|local|localdomain|lan|corp|home\.arpa)"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})"
_HOST = re.compile(
    rf"(?:(?<=//)|(?<=@))((?:{_LABEL}\.){{1,6}}{_PRIVATE})(?![\w-]|\.\w)"
    rf"|(?<![\w./@-])((?:{_LABEL}\.){{1,6}}{_PRIVATE})(?=:\d)"
)

_KEPT_HOSTS = frozenset({"host.docker.internal", "host.containers.internal"})
"""Names that every machine with containers has."""
KEPT_EMAILS = names(
    """
    noreply@* no-reply@* git@* *@example.com *@example.org *@example.net *@*.example.com
    *@test.com *@domain.tld *@openssh.com* *@*.example *@users.noreply.github.com
    """
)
"""Addresses that are nobody's."""


def iter_people(text: str, digest: str, keep: Sequence[str]) -> Iterator[Finding]:
    """Yield the e-mail addresses and private hosts in `text`, but those that fit `keep`."""
    if "@" in text:
        for match in _EMAIL.finditer(text):
            address = match[0].lower()
            if not any(fnmatchcase(address, p) for p in (*KEPT_EMAILS, *keep)):
                yield Finding("email", match[0], digest, match.start(), match.end())
    if "." in text:
        for match in _HOST.finditer(text):
            group = 1 if match[1] else 2
            if match[group].lower() in _KEPT_HOSTS:
                continue
            yield Finding(
                "host", match[group], digest, match.start(group), match.end(group)
            )
