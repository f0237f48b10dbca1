"""Every text of a source, decoded, in one file for the scanner, with the way back."""

from __future__ import annotations

import re
from array import array
from dataclasses import field
from typing import TYPE_CHECKING, BinaryIO

from everyleaf.digest import digest_bytes, digest_hex
from everyleaf.frozen import dataclass
from everyleaf.records.envelope import Span
from everyleaf.records.partials import Partials, iter_partials
from everyleaf.records.recover import decode_line
from everyleaf.redact.findings import Finding
from everyleaf.redact.people import iter_people
from everyleaf.redact.places import user_in
from everyleaf.redact.texts import is_opaque, iter_strings

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from everyleaf.sources.lines import Line

_SEPARATOR = b"\n\n\n\n"
"""No rule reads across so many line ends."""
_TELLING_KEY = re.compile(
    r"pass|secret|token|key|auth|cookie|credential|bearer|session|dsn|pwd", re.IGNORECASE
)
_LONGEST_TOLD = 4000
_LONGEST_KEPT = 200
"""Shorter texts are remembered as they are: versions, folders and names stand in each
record. A digest of a longer one takes less room."""
_BUFFER_BYTES = 1024 * 1024
_PRIVATE_KEYS = frozenset(
    {"bridgeSessionId", "bridge_session_id", "accountUuid", "organizationUuid", "deviceId"}
)
"""Ids that name a person's account or machine. Source: format notes §2.7."""


@dataclass(slots=True)
class Gathered:
    """What a source holds beside its texts, and where the texts stand in the chunk file."""

    size_bytes: int = 0
    """Of the chunk file."""
    users: tuple[str, ...] = ()
    """Whose homes the working folders lie in, sorted."""
    findings: list[Finding] = field(default_factory=list[Finding])
    """What needs no scanner: private ids, people."""
    chunk_lines: array[int] = field(default_factory=lambda: array("Q"))
    """For each text the 1-based line of the chunk file that it begins on."""
    line_offsets: array[int] = field(default_factory=lambda: array("Q"))
    """Byte offset of that line; the text begins after what tells its key."""
    offsets: array[int] = field(default_factory=lambda: array("Q"))
    sizes: array[int] = field(default_factory=lambda: array("Q"))
    lines: array[int] = field(default_factory=lambda: array("Q"))
    """For each text the line of the source."""


def digest_text(text: str) -> str:
    """Return a digest that names a text: findings are bound to the text they stand in."""
    return digest_hex(text.encode(errors="replace"), size=12)


def gather_session(
    location: Path,
    chunk: Path,
    beside: Iterable[str],
    keep_emails: tuple[str, ...] | None,
    *,
    lines: Iterable[Line],
) -> Gathered:
    """Write the texts of `lines` of the file at `location` to `chunk`, each one once.

    `beside` are texts that belong to the file without being in it: its name, what its
    `.meta.json` says. People are looked for unless `keep_emails` is None.

    Raises:
        OSError: `chunk` cannot be written. A source that cannot be read has no texts.
    """
    with chunk.open("wb", buffering=_BUFFER_BYTES) as out:
        gatherer = _Gatherer(out, chunk.name, keep_emails)
        for text in beside:
            gatherer.take("", text, 0)
        partials = Partials()
        try:
            for line in lines:
                for found in decode_line(line.data).objects:
                    partials.take(
                        found.raw, Span(line.number, line.offset, len(line.data)), 0
                    )
                    for key, text in iter_strings(found.raw):
                        gatherer.take(key, text, line.number)
            # A secret may lie across the pieces in which a stream told a message.
            for raw, span, _ in iter_partials(location, partials):
                for key, text in iter_strings(raw):
                    gatherer.take(key, text, span.line)
        except OSError:
            pass  # Reading the records reports it.
    return gatherer.finish()


def gather_text(
    text: str, chunk: Path, name: str, keep_emails: tuple[str, ...] | None
) -> Gathered:
    """Write one text, and the name that it has, to `chunk`, like `gather_session`."""
    with chunk.open("wb") as out:
        gatherer = _Gatherer(out, chunk.name, keep_emails)
        gatherer.take("", name, 0)
        gatherer.take("", text, 1)
    return gatherer.finish()


class _Gatherer:
    def __init__(
        self, out: BinaryIO, name: str, keep_emails: tuple[str, ...] | None
    ) -> None:
        self.out = out
        self.keep_emails = keep_emails
        self.gathered = Gathered()
        self.short: set[tuple[str, str]] = set()
        self.known: set[bytes] = set()
        self.prefixes: dict[str, bytes] = {}
        self.users: set[str] = set()
        # The scanner reads files of equal content once: each one begins with its own name.
        head = name.encode() + _SEPARATOR
        out.write(head)
        self.gathered.size_bytes = len(head)
        self.line = 1 + len(_SEPARATOR)

    def take(self, key: str, text: str, line: int) -> None:
        if (key, text) in self.short or is_opaque(key, text):
            return
        if len(text) <= _LONGEST_KEPT:
            self.short.add((key, text))
        if key == "cwd" and (user := user_in(text)):
            self.users.add(user)
        body = text.encode(errors="replace")
        told = b"" if len(body) > _LONGEST_TOLD else self._prefix(key)
        name = digest_bytes(told, body)
        if name in self.known:
            return
        self.known.add(name)
        if key in _PRIVATE_KEYS:
            found = Finding("private-id", text, digest_text(text), 0, len(text), line)
            self.gathered.findings.append(found)
        if self.keep_emails is not None:
            digest = digest_text(text)
            self.gathered.findings += [
                found._replace(line=line)
                for found in iter_people(text, digest, self.keep_emails)
            ]
        self._write(told, body, line)

    def finish(self) -> Gathered:
        self.gathered.users = tuple(sorted(self.users))
        return self.gathered

    def _prefix(self, key: str) -> bytes:
        """Return what is put before a text so that a rule sees what it is the value of."""
        prefix = self.prefixes.get(key)
        if prefix is None:
            shown = b'%s: "' % key.replace("\n", " ").encode(errors="replace")
            prefix = self.prefixes[key] = shown if _TELLING_KEY.search(key) else b""
        return prefix

    def _write(self, told: bytes, body: bytes, line: int) -> None:
        gathered = self.gathered
        at = gathered.size_bytes
        gathered.chunk_lines.append(self.line)
        gathered.line_offsets.append(at)
        gathered.offsets.append(at + len(told))
        gathered.sizes.append(len(body))
        gathered.lines.append(line)
        ending = b'"' + _SEPARATOR if told else _SEPARATOR
        for part in (told, body, ending):
            self.out.write(part)
        gathered.size_bytes += len(told) + len(body) + len(ending)
        self.line += body.count(b"\n") + len(_SEPARATOR)
