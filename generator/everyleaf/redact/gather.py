"""Looks through a source: every text of its records, each one once."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, cast

from everyleaf.digest import digest_bytes, digest_hex
from everyleaf.records.envelope import Span
from everyleaf.records.recover import decode_line
from everyleaf.records.stream import Partials, iter_partials
from everyleaf.redact.detect import Clean, Detector
from everyleaf.redact.engine import Gate
from everyleaf.redact.kinds import Finding
from everyleaf.redact.people import iter_people
from everyleaf.redact.places import user_in
from everyleaf.redact.texts import is_opaque, iter_strings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from everyleaf.redact.detect import Hit
    from everyleaf.sources.lines import Line

_SECRET_KEY = re.compile(
    r"pass|secret|token|key|auth|cookie|credential|bearer|dsn|pwd", re.IGNORECASE
)
_LONGEST_NAMED = 4000
_LONGEST_KEPT = 200
"""Shorter texts are remembered as they are: versions, folders and names stand in each
record. A digest of a longer one takes less room."""
_MOST_KEPT = 50_000
"""So many digests, or short texts under one key."""
_PRIVATE_KEYS = frozenset(
    {"bridgeSessionId", "bridge_session_id", "accountUuid", "organizationUuid", "deviceId"}
)
"""Ids that name a person's account or machine. Source: format notes §2.7."""
_BLOCKS = (
    r"PRIVATE|PuTTY|machine[ \\t]|stringData|value|(?i:password)[^,\n]{0,9}[:=]"
    r"|\"--?[\w-]*(?:pass|pwd|token|secret|key)[\w-]*\","
)
"""What is in a record, as JSON, that may hold what takes several lines: keys, mostly."""
_ID_LIKE = re.compile(r"[0-9a-f-]{7,64}", re.IGNORECASE)
_ID_PLACES = (
    rb'"(?:uuid|parentUuid|sessionId|requestId|id|messageId|leafUuid|sha|hash)"\s*:\s*"'
)
_BLOCK_BYTES = 1 << 20


class Scanned(NamedTuple):
    """What a source holds that is to be masked."""

    findings: tuple[Finding, ...]
    """In the order of the source."""
    users: tuple[str, ...]
    """Whose homes the working folders lie in, sorted."""


def digest_text(text: str) -> str:
    """Return a digest that names a text: findings are bound to the text they stand in."""
    return digest_hex(text.encode(errors="replace"), size=12)


class Look:
    """One look through the texts of a source."""

    def __init__(
        self, detector: Detector | None, keep_emails: tuple[str, ...] | None
    ) -> None:
        """Look by `detector`, if any, and for people unless `keep_emails` is None."""
        self._detector = detector
        self._keep_emails = keep_emails
        self._findings: list[Finding] = []
        self._users: set[str] = set()
        self._own = Clean(defaultdict(dict), set())
        """Texts of this source that are not clean, or tell more than that."""
        self._masked: set[tuple[str, str]] = set()
        """Short texts in which something was found, under whatever key."""
        # Sessions that were forked or resumed repeat the texts of others.
        known = detector.clean if detector is not None else {}
        self._clean = known.setdefault(keep_emails, Clean(defaultdict(dict), set()))

    def lines(self, location: Path, lines: Iterable[Line]) -> None:
        """Look through `lines` of the file at `location`, as far as it can be read."""
        partials = Partials()
        try:
            for line in lines:
                for found in decode_line(line.data).objects:
                    span = Span(line.number, line.offset, len(line.data))
                    partials.take(found.raw, span, 0)
                    self._record(found.raw, line.number, line.data)
            # A secret may lie across the pieces in which a stream told a message.
            for raw, span, _ in iter_partials(location, partials):
                self._record(raw, span.line)
        except OSError:
            pass  # Reading the records reports it.

    def text(self, key: str, text: str, line: int) -> bool:
        """Look through `text`, which stands under `key` in a `line` of the source.

        Returns whether it tells of a secret, or may do so: it was looked at before.
        """
        is_short = len(text) <= _LONGEST_KEPT
        if is_opaque(key, text):
            if is_short:
                self._own.short[key][text] = False
            return False
        is_folder = key == "cwd"
        if is_folder and (user := user_in(text)):
            self._users.add(user)
        is_named = len(text) <= _LONGEST_NAMED and _SECRET_KEY.search(key) is not None
        label = key.replace("\n", " ") if is_named else ""
        name = b""
        if (label, text) in self._masked:
            return True
        if not is_short:
            name = digest_bytes(
                label.encode(errors="replace"), text.encode(errors="replace")
            )
            if name in self._clean.digests or name in self._own.digests:
                return True
        before = len(self._findings)
        hits = self._search(key, text, label, line)
        is_clean = len(self._findings) == before and not is_folder
        if len(self._findings) > before and is_short:
            self._masked.add((label, text))
        known = self._clean if is_clean else self._own
        if is_short:
            known = known if len(known.short[key]) < _MOST_KEPT else self._own
            known.short[key][text] = hits is not None
        else:
            known = known if len(known.digests) < _MOST_KEPT else self._own
            known.digests.add(name)
        return hits is not None

    def _search(self, key: str, text: str, label: str, line: int) -> list[Hit] | None:
        """Note what is found in a text; return what the detector does."""
        if key in _PRIVATE_KEYS:
            found = Finding("private-id", text, digest_text(text), 0, len(text), line)
            self._findings.append(found)
        if self._keep_emails is not None:
            people = iter_people(text, digest_text(text), self._keep_emails)
            self._findings += [found._replace(line=line) for found in people]
        hits = None if self._detector is None else self._detector.find(text, label)
        if hits:
            digest = digest_text(text)
            self._findings += [
                _found(hit, digest, text, hit.start, hit.end, line) for hit in hits
            ]
        return hits

    def finish(self, source: Path | bytes) -> Scanned:
        """Return what was found; what is an id of a record of `source` is no secret.

        Raises:
            OSError: the source cannot be read again.
        """
        ids = find_ids({finding.value for finding in self._findings}, source)
        order = sorted(
            (f for f in self._findings if f.value not in ids or f.kind == "private-id"),
            key=lambda f: (f.line, f.start, f.kind, f.end, f.text, f.value),
        )
        return Scanned(tuple(dict.fromkeys(order)), tuple(sorted(self._users)))

    def _record(self, raw: dict[str, object], line: int, data: bytes = b"") -> None:
        """Look through a record, which `data` says if it stands alone in its line."""
        clean, own = self._clean.short, self._own.short
        tells = not data
        for key, text in iter_strings(raw):
            # Most texts are short and were seen before: of them this one look is all.
            known = clean[key].get(text)
            if known is None and (known := own[key].get(text)) is None:
                known = self.text(key, text, line)
            if known:
                tells = True
        if tells and (not data or _has_blocks(data)):
            for block in _iter_blocks(raw):
                self._block(block, line)
            for name, text in _iter_named(raw):
                self.text(name, text, line)

    def _block(self, lines: list[str], line: int) -> None:
        """Look through the items of a list as one text: a patch, a notebook, todos."""
        if self._detector is None:
            return
        text = "\n".join(lines)
        name = digest_bytes(b"block", text.encode(errors="replace"))
        if name in self._own.digests:
            return
        self._own.digests.add(name)
        for hit in self._detector.find(text) or ():
            at = 0
            for part in lines:
                start, end = max(hit.start - at, 0), min(hit.end - at, len(part))
                if start < end:
                    digest = digest_text(part)
                    self._findings.append(_found(hit, digest, part, start, end, line))
                at += len(part) + 1


def _found(  # noqa: PLR0913, PLR0917  (what was found, and where)
    hit: Hit, digest: str, text: str, start: int, end: int, line: int
) -> Finding:
    seen = text[start:end]
    shown = "" if seen == hit.value else seen
    return Finding(hit.kind, hit.value, digest, start, end, line, shown)


@cache
def _open_blocks() -> Gate:
    return Gate([_BLOCKS])


def _has_blocks(line: bytes) -> bool:
    return bool(_open_blocks().match(line))


def _iter_blocks(raw: object) -> Iterator[list[str]]:
    """Yield the texts that lists of a record hold, those of one list together."""
    pending = [raw]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending += cast("dict[str, object]", value).values()
        elif isinstance(value, list):
            items = cast("list[object]", value)
            pending += (item for item in items if isinstance(item, dict | list))
            texts = [item for item in items if isinstance(item, str)]
            if len(texts) > 1:
                yield texts
            named: dict[str, list[str]] = {}
            for item in items:
                if isinstance(item, dict):
                    for key, text in cast("dict[str, object]", item).items():
                        if isinstance(text, str):
                            named.setdefault(key, []).append(text)
            yield from (texts for texts in named.values() if len(texts) > 1)


def _iter_named(raw: object) -> Iterator[tuple[str, str]]:
    """Yield (name, value) of the fields that a record lists: `{"key": …, "value": …}`."""
    pending = [raw]
    while pending:
        value = pending.pop()
        if isinstance(value, list):
            pending += cast("list[object]", value)
        elif isinstance(value, dict):
            fields = cast("dict[str, object]", value)
            pending += fields.values()
            name, text = fields.get("key") or fields.get("name"), fields.get("value")
            if isinstance(name, str) and isinstance(text, str):
                yield name, text


def find_ids(values: set[str], source: Path | bytes) -> set[str]:
    """Return those of `values` that records of a source, or of its bytes, have as an id.

    Raises:
        OSError: the source cannot be read.
    """
    candidates = sorted(value for value in values if _ID_LIKE.fullmatch(value))
    if not candidates:
        return set()
    named = b"|".join(re.escape(value.encode()) for value in candidates)
    places = re.compile(_ID_PLACES + b"(" + named + b')"')
    return {
        found[1].decode() for block in _blocks(source) for found in places.finditer(block)
    }


def _blocks(source: Path | bytes) -> Iterator[bytes]:
    """Yield whole lines of a source, some at a time: it may be larger than memory."""
    if isinstance(source, bytes):
        yield source
        return
    with source.open("rb") as file:
        while lines := file.readlines(_BLOCK_BYTES):
            yield b"".join(lines)
