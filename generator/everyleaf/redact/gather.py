"""Looks through a source: every text of its records, each one once."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from itertools import chain, islice, product
from typing import TYPE_CHECKING, NamedTuple

from everyleaf.digest import digest_bytes, digest_hex
from everyleaf.records.captures import Partials, iter_partials
from everyleaf.records.envelope import Span
from everyleaf.records.recover import decode_line
from everyleaf.records.text import as_object
from everyleaf.redact import asked
from everyleaf.redact.anywhere import is_public
from everyleaf.redact.arguments import iter_typed
from everyleaf.redact.asked import Alone, Chosen
from everyleaf.redact.commands import names_secret
from everyleaf.redact.engine import may_have
from everyleaf.redact.examples import FOREIGN, is_named
from everyleaf.redact.kinds import Finding, is_random
from everyleaf.redact.places import iter_people, user_in
from everyleaf.redact.said import iter_answered, iter_spoken, iter_written
from everyleaf.redact.texts import Nested, is_opaque, iter_nested, iter_strings
from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from everyleaf.redact.detect import Detector, Hit, Known
    from everyleaf.sources.lines import Line

_SECRET_KEY = (
    r"(?i)pass|pw|secret|token|key|auth|cookie|credential|bearer|dsn|(?:unlock|door|gate)_?code"
    rf"|{FOREIGN}"
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
_COMMANDS = frozenset({"command", "cmd"})
"""What someone ran."""
_NAMING = (*asked.NAMING, "value")
_NAMED = ("value", "text")
"""Fields that hold what another names: settings, and what a browser is to fill in."""
_PART = lazily(r"[A-Za-z0-9_.+/=~-]{12,}")
"""What is left in a line of a value that lines cut."""
_ID_LIKE = lazily(r"[0-9a-f-]{7,64}", re.IGNORECASE)
_ID_PLACES = (
    rb'"(?:uuid|parentUuid|sessionId|requestId|id|messageId|leafUuid|sha|hash)"\s*:\s*"'
)
_BLOCK_BYTES = 1 << 20
_BATCH_BYTES = 1 << 18
"""Records with so many bytes are looked through at once."""


class Scanned(NamedTuple):
    """What a source holds that is to be masked."""

    findings: tuple[Finding, ...]
    """In the order of the source."""
    users: tuple[str, ...]
    """Whose homes the working folders lie in, sorted."""
    calls: tuple[tuple[str, str], ...] = ()
    """Commands that print a secret, by the ids of calls of which no result was there."""


_Place = tuple[str, str | bytes]
"""Where is kept what is known of a text: by its key, and itself or its digest."""


class _Text(NamedTuple):
    key: str
    text: str
    line: int
    place: _Place


class _Waiting(NamedTuple):
    """A record of which not all was looked at."""

    raw: dict[str, object]
    line: int
    tells: bool
    """One of its texts tells of a secret that was looked at before."""
    texts: list[_Text]
    """Those that nobody looked at."""


def digest_text(text: str) -> str:
    """Return a digest that names a text: findings are bound to the text they stand in."""
    return digest_hex(text.encode(errors="replace"), size=12)


class Look:
    """One look through the texts of a source."""

    def __init__(
        self,
        detector: Detector | None,
        keep_emails: tuple[str, ...] | None,
        calls: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Look by `detector`, if any, and for people unless `keep_emails` is None.

        The source goes on from where there were `calls` without a result.
        """
        self._calls = dict(calls)
        self._detector = detector
        self._keep_emails = keep_emails
        self._findings: list[Finding] = []
        self._users: set[str] = set()
        self._own: Known = defaultdict(dict)
        """Texts of this source that are not clean, or tell more than that."""
        self._masked: set[tuple[str, str]] = set()
        """Texts in which something was found, under whatever key, as they are looked at."""
        # Sessions that were forked or resumed repeat the texts of others.
        known = detector.clean if detector is not None else {}
        self._clean = known.setdefault(keep_emails, defaultdict(dict))
        self._waiting: list[_Waiting] = []
        """Records whose texts were not all looked at."""
        self._waiting_bytes = 0

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

    def text(self, key: str, text: str, line: int) -> None:
        """Look through `text`, which stands under `key` in a `line` of the source."""
        place = _place(key, text)
        if not is_opaque(key, text) and self._known(place) is None:
            self._texts([_Text(key, text, line, place)])

    def _known(self, place: _Place) -> bool | None:
        """Return whether a text tells of a secret; None: nobody looked at it."""
        at, name = place
        known = self._clean[at].get(name)
        return self._own[at].get(name) if known is None else known

    def _texts(self, texts: Sequence[_Text]) -> list[bool]:
        """Look through texts, all at once; return of each whether it tells of a secret."""
        labels = [(_label(one.key, one.text), one.text) for one in texts]
        hits = self._detector.find_each(labels) if self._detector is not None else {}
        for at, one in enumerate(texts):
            if self._known(one.place) is not None:
                continue  # It stands twice among them.
            found = hits.get(at)
            before = len(self._findings)
            if labels[at] not in self._masked:
                self._note(one, found or ())
                for told in iter_answered(one.text) if found is not None else ():
                    self._answer(told, one.line)
            is_clean = (
                len(self._findings) == before
                and one.key != "cwd"
                and not (found or _is_held(one))
            )
            if len(self._findings) > before:
                self._masked.add(labels[at])
            key, name = one.place
            where = self._clean if is_clean else self._own
            where = where if len(where[key]) < _MOST_KEPT else self._own
            where[key][name] = found is not None or _is_held(one)
        return [self._known(one.place) is True for one in texts]

    def _note(self, one: _Text, hits: Sequence[Hit]) -> None:
        """Note what is found in a text."""
        key, text, line, _ = one
        if key == "cwd" and (user := user_in(text)):
            self._users.add(user)
        if key in _PRIVATE_KEYS:
            found = Finding("private-id", text, digest_text(text), 0, len(text), line)
            self._findings.append(found)
        if self._keep_emails is not None:
            people = iter_people(text, digest_text(text), self._keep_emails)
            self._findings += [found._replace(line=line) for found in people]
        if hits:
            digest = digest_text(text)
            for hit in hits:
                self._findings += _found(hit, digest, text, hit.start, hit.end, line)
        if key in _COMMANDS and self._detector is not None:
            for start, end in iter_typed(text):
                self._answer(Alone(text, start, end), line)

    def finish(self, source: Path | bytes) -> Scanned:
        """Return what was found; what is an id of a record of `source` is no secret.

        Raises:
            OSError: the source cannot be read again.
        """
        self._look_at_waiting()
        ids = find_ids({finding.value for finding in self._findings}, source)
        order = sorted(
            (f for f in self._findings if f.value not in ids or f.kind == "private-id"),
            key=lambda f: (f.line, f.start, f.kind, f.end, f.text, f.value),
        )
        findings, users = tuple(dict.fromkeys(order)), tuple(sorted(self._users))
        return Scanned(findings, users, tuple(self._calls.items()))

    def _record(self, raw: dict[str, object], line: int, data: bytes = b"") -> None:
        """Look through a record, soon, which `data` says if it stands alone in its line."""
        clean, own = self._clean, self._own
        tells = not data
        fresh: list[_Text] = []
        for key, text in iter_strings(raw):
            place: _Place = (key, text)
            if len(text) > _LONGEST_KEPT:
                if is_opaque(key, text):
                    continue
                place = _place(key, text)
            at, name = place
            # Most texts are short and were seen before: of them this one look is all.
            known = clean[at].get(name)
            if known is None and (known := own[at].get(name)) is None:
                if not is_opaque(key, text):
                    fresh.append(_Text(key, text, line, place))
            elif known:
                tells = True
        self._waiting.append(_Waiting(raw, line, tells, fresh))
        self._waiting_bytes += len(data)
        if self._waiting_bytes > _BATCH_BYTES:
            self._look_at_waiting()

    def _look_at_waiting(self) -> None:
        """Look through the texts of the records that wait, and lists of those that tell."""
        waiting, self._waiting, self._waiting_bytes = self._waiting, [], 0
        telling = iter(self._texts([text for one in waiting for text in one.texts]))
        for one in waiting:
            tells = any([*islice(telling, len(one.texts))]) or one.tells
            answers = asked.iter_answers(one.raw, self._calls)
            for told in chain(answers, iter_spoken(one.raw)):
                self._answer(told, one.line)
            if tells:
                nested = [*iter_nested(one.raw)]
                for told in chain(asked.iter_held(nested), iter_written(nested)):
                    self._answer(told, one.line)
                for block in _iter_blocks(nested):
                    self._block(block, one.line)
                for name, text in _iter_named(nested):
                    self.text(name, text, one.line)

    def _answer(self, told: list[str] | Alone, line: int) -> None:
        """Note what answers a question for a secret."""
        if self._detector is None:
            return
        if isinstance(told, list):
            self._block(told, line)
            return
        text, start, end = told
        digest, value = digest_text(text), text[start:end]
        is_chosen = isinstance(told, Chosen)
        if not is_chosen and (is_public(value) or is_named(text, start, value)):
            return
        self._findings.append(Finding("secret", value, digest, start, end, line))

    def _block(self, lines: list[str], line: int) -> None:
        """Look through the items of a list as one text: a patch, a notebook, todos."""
        if self._detector is None:
            return
        text = "\n".join(lines)
        name = digest_bytes(text.encode(errors="replace"))
        if name in self._own["\n block"]:
            return
        self._own["\n block"][name] = True
        for hit in self._detector.find(text) or ():
            at = 0
            for part in lines:
                start, end = max(hit.start - at, 0), min(hit.end - at, len(part))
                if start < end:
                    digest = digest_text(part)
                    self._findings += _found(hit, digest, part, start, end, line)
                at += len(part) + 1


def _is_held(one: _Text) -> bool:
    """Return whether a text names a file of secrets: its record may show what is in it."""
    return one.key in asked.FILES and names_secret(one.text)


def _label(key: str, text: str) -> str:
    """Return the key that a text is looked at beside; none where it says nothing."""
    if len(text) <= _LONGEST_NAMED and _is_secret_key(key):
        return key.replace("\n", " ")
    return ""


@lru_cache(maxsize=10_000)
def _is_secret_key(key: str) -> bool:
    return may_have(_SECRET_KEY, key)


def _place(key: str, text: str) -> _Place:
    if len(text) <= _LONGEST_KEPT:
        return key, text
    label = _label(key, text) or (key if key in _COMMANDS else "")
    return f"\n{label}", digest_bytes(text.encode(errors="replace"))


def _found(  # noqa: PLR0913, PLR0917  (what was found, and where)
    hit: Hit, digest: str, text: str, start: int, end: int, line: int
) -> list[Finding]:
    """Return what was found in a text, and its parts if lines cut it: pages draw lines."""
    seen = text[start:end]
    shown = "" if seen == hit.value else seen
    found = Finding(hit.kind, hit.value, digest, start, end, line, shown)
    is_cut = "\n" not in hit.value and ("\n" in seen or "\\n" in seen)
    parts = _PART.findall(seen) if is_cut and hit.value not in seen else ()
    apart = (part for part in parts if part in hit.value and is_random(part))
    return [found, *(Finding(hit.kind, part, "", line=line) for part in apart)]


def _iter_blocks(nested: Iterable[Nested]) -> Iterator[list[str]]:
    """Yield the texts that lists of a record hold, those of one list together."""
    for items in nested:
        if isinstance(items, list):
            named: dict[str, list[str]] = {"": []}
            for item in items:
                if isinstance(item, str):
                    named[""].append(item)
                for key, text in (as_object(item) or {}).items():
                    if isinstance(text, str):
                        named.setdefault(f":{key}", []).append(text)
            yield from (texts for texts in named.values() if len(texts) > 1)


def _iter_named(nested: Iterable[Nested]) -> Iterator[tuple[str, str]]:
    """Yield (name, value) of the fields that a record lists: `{"key": …, "value": …}`."""
    for fields in nested:
        if isinstance(fields, list):
            continue
        for name, below in fields.items():
            if (held := as_object(below)) is not None and _is_secret_key(name):
                yield from (
                    (name, text)
                    for key, text in held.items()
                    if isinstance(text, str) and not is_opaque(key, text)
                )
        if fields.keys().isdisjoint(_NAMING) or fields.keys().isdisjoint(_NAMED):
            continue
        for name, text in product(_NAMING, _NAMED):
            named, said = fields.get(name), fields.get(text)
            if name != text and isinstance(named, str) and isinstance(said, str):
                yield named, said


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
