"""Masks texts and records: all values of a session in one pass over each text."""

from __future__ import annotations

import json
import re
from collections import Counter
from enum import IntEnum
from functools import cached_property, lru_cache
from threading import local
from typing import TYPE_CHECKING, NamedTuple

import orjson
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.config import Images
from everyleaf.digest import digest_hex
from everyleaf.grouping import grouped
from everyleaf.records.text import as_object
from everyleaf.redact.engine import Gate
from everyleaf.redact.gather import digest_text
from everyleaf.redact.kinds import forms_of, key_lines
from everyleaf.redact.places import literals_of, mask_places
from everyleaf.redact.reading import TAG, UNSEEN, iter_cleaned, without_width
from everyleaf.redact.texts import is_opaque, iter_nested, mask_texts
from everyleaf.redact.views import View
from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

OPENING = "[redacted: "
HOME_FOLDER = "home-folder"
_HOME_TRACES = (b"/home/", b"/Users/", b"\\Users\\")
_TRACE = lazily(r"[A-Za-z0-9_.+=-]+")
"""Characters that JSON writes in one way, but for `\\u0041`, which hardly anyone writes."""
_SPLITTING = (
    r"[*`~]|\w(?:''|\\\"\\\")\w",
    r"(?:^|[^\\])(?:\\\\)*\\u",
    UNSEEN[0],
    rf"<\\?/?{TAG}\b",
    r"(?:^|[^\\])(?:\\\\)*\\(?:[bf]|u(?:001[bB][^\[]|00(?:9[bB]|08)))",
)
"""What may stand within a value in a line of JSON, and be nothing to a reader.

Marks, what is escaped, what has no width, tags; and what is hard to undo in a line."""
_ESCAPED, _WIDTHLESS, _TAGGED, _HARD = range(1, 5)
_MARKS = b"*`~'\"\\"
_NO_LETTER = lazily(rb"\\u(?:001[bB]\[[0-?]*[ -/]*[@-~]|(?!00[2-7])[0-9a-fA-F]{4})")
_LETTER = lazily(rb"\\u00([2-7][0-9a-fA-F])")
_IN_TAGS = lazily(rf"<\\?/?{TAG}\b[^<>]{{0,80}}>".encode())
_SPLITTER = lazily(r"[^\x20-!#-&(-)+-;=-_a-}\n\t\r]")
"""One of these is in each text in which a value may be split up."""
_DATA_KEYS = ("data", "base64")
"""Where a picture is."""
_LONGEST_KEPT = 200
_MOST_KEPT = 20_000
"""Short texts repeat: folders, versions, names. What became of them is remembered."""


class Masked(NamedTuple):
    """A value and what stands on a page in its place."""

    value: str
    placeholder: str


class Spot(NamedTuple):
    """Where a weak value was found, and nowhere else is masked."""

    text: str
    """Digest of the text that it stands in."""
    start: int
    end: int
    placeholder: str
    seen: str = ""
    """What stands there."""


class Mask(Struct, frozen=True):
    """All that is masked in a session: values to be sent to a worker."""

    values: tuple[Masked, ...] = ()
    """Masked wherever they occur, in every form; of equal ones the first counts."""
    others: tuple[Masked, ...] = ()
    """The same for what was found in any session; `values` come first."""
    spots: tuple[Spot, ...] = ()
    users: tuple[str, ...] = ()
    has_places: bool = False
    """Home folders and the names of `users` in paths are masked."""
    images: Images = Images.KEEP

    @property
    def is_empty(self) -> bool:
        """Return whether nothing is masked at all."""
        return self == Mask()

    def of_places(self) -> Mask:
        """Return what is masked of it where none of the values stands."""
        return replace(self, values=(), others=(), spots=())

    def digest(self) -> str:
        """Return a digest of all that decides what is masked, and how."""
        own = repr(replace(self, others=()))
        return digest_hex((own + _digest_of(self.others)).encode(errors="replace"))


@lru_cache(maxsize=4)  # They are the same for each session.
def _digest_of(values: tuple[Masked, ...]) -> str:
    return digest_hex(repr(values).encode(errors="replace"))


@lru_cache(maxsize=16)
def open_mask(mask: Mask) -> SessionRedactor:
    """Return what masks by `mask`; made once in a process."""
    return SessionRedactor(mask)


class Reach(IntEnum):
    """How much of a record has to be looked through."""

    NOTHING = 0
    FOLDER = 1
    """Its working folder, which is the only place that is masked in it."""
    PLACES = 2
    """All texts, for places."""
    ALL = 3


class _Tally(local):
    """What was masked by one thread: a file is read by one, its redactor used by many."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()


class SessionRedactor:
    """Masks the texts of one session, and counts what it masked by kind."""

    def __init__(self, mask: Mask) -> None:
        """Mask what `mask` says."""
        self._tally = _Tally()
        self._mask = mask
        own = [_Finder(mask.values)] if mask.values else []
        self._finders = [*own, *([_open_finder(mask.others)] if mask.others else [])]
        seen = (form for spot in mask.spots for form in _json_forms(spot.seen))
        forms = [*(own[0].forms if own else ()), *seen]
        self._traces = _Traces(frozenset(map(_trace, forms)), mask.others)
        self._literals = tuple(literals_of(mask.users)) if mask.has_places else ()
        self._places = _Places(frozenset(map(_trace, self._literals)))
        self._spots = grouped((spot.text, spot) for spot in mask.spots)
        self._shortest = min((spot.end for spot in mask.spots), default=0)
        self._known: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._known_places: dict[str, str] = {}
        self._placeless: set[str] = set()
        """Texts without a place."""
        self._plain: set[str] = set()
        """Those of the known texts in which nothing is masked."""

    @property
    def counts(self) -> Counter[str]:
        """Kind → how often this thread masked it; of home folders, in how many records."""
        return self._tally.counts

    def record(
        self,
        raw: dict[str, object],
        line: bytes = b"",
        keep: Callable[[dict[str, object]], dict[str, object]] | None = None,
    ) -> dict[str, object]:
        """Return `raw` with its texts masked, in place; or what `keep` keeps of it, masked.

        All of a record is kept where none of its texts is masked, or its folder alone.

        `line` is the JSON that says `raw`, and nothing else: where it holds nothing that is
        masked, its texts need not be looked at. Without a line, all of them are.
        """
        reach = self._reach(line, raw) if line else Reach.ALL
        if keep is not None and reach not in {Reach.NOTHING, Reach.FOLDER}:
            raw = keep(raw)
        if self._mask.images is not Images.KEEP:
            mask_pictures(raw, self._mask.images)
        if reach is Reach.FOLDER:
            folder = raw.get("cwd")
            if isinstance(folder, str):
                raw["cwd"] = self.text(folder)
        elif reach is not Reach.NOTHING:
            if reach is Reach.ALL:
                mask_texts(raw, self.text, self._plain)
            else:
                mask_texts(raw, self._places_of, self._placeless)
        return raw

    def may_hold(self, line: bytes) -> bool:
        """Return whether a line of JSON may hold a value: never False where one is.

        Costs far less than to mask its texts: it looks for the part of each value that
        JSON writes in one way only. Counts lines with a home folder.
        """
        if self._mask.has_places and any(trace in line for trace in _HOME_TRACES):
            self.counts[HOME_FOLDER] += 1
        return self._traces.may_be_in(line)

    def _reach(self, line: bytes, raw: dict[str, object]) -> Reach:
        """Return what of a record has to be looked through that a line of JSON says."""
        if self._traces.may_be_in(line):
            return Reach.ALL
        if not self._mask.has_places or not (places := self._places.count(line)):
            return Reach.NOTHING
        # Any other text with a place would have one more in the line.
        folder = raw.get("cwd")
        in_folder = self._places.count(folder.encode()) if isinstance(folder, str) else 0
        return Reach.FOLDER if in_folder == places else Reach.PLACES

    def _places_of(self, text: str) -> str:
        """Return a text in which no value is, with its places masked."""
        if not any(map(text.__contains__, self._literals)):
            if len(text) <= _LONGEST_KEPT and len(self._placeless) < _MOST_KEPT:
                self._placeless.add(text)
            return text
        masked = self._known_places.get(text)
        if masked is None:
            masked = mask_places(text, self._mask.users)
            if len(text) <= _LONGEST_KEPT and len(self._known_places) < _MOST_KEPT:
                self._known_places[text] = masked
        return masked

    def text(self, text: str) -> str:
        """Return `text` masked. Linear in its length, however many values there are."""
        known = self._known.get(text)
        if known is None:
            known = self._mask_text(text)
            if len(text) <= _LONGEST_KEPT and len(self._known) < _MOST_KEPT:
                self._known[text] = known
                if known == (text, ()):
                    self._plain.add(text)
        masked, kinds = known
        if kinds:
            self.counts.update(kinds)
        return masked

    def _mask_text(self, text: str) -> tuple[str, tuple[str, ...]]:
        """Return `text` masked, and the kinds of what was masked in it."""
        spans = _apart(self._spans(text)) if self._may_be_in(text) else []
        kinds = tuple(
            one[2].removeprefix(OPENING).rstrip("]").split(" ")[0] for one in spans
        )
        text = _cut(text, spans)
        if self._mask.has_places:
            text = mask_places(text, self._mask.users)
        return text, kinds

    def _may_be_in(self, text: str) -> bool:
        """Return whether a text may hold a value, as a line of JSON that says it does.

        Of a record with a value, nearly all texts have none.
        """
        try:
            return len(text) <= _LONGEST_KEPT or self._traces.may_be_in(orjson.dumps(text))
        except TypeError:  # Half a surrogate pair.
            return True

    def _spans(self, text: str) -> list[tuple[int, int, str]]:
        """Return what to replace in `text`: start, end, by what."""
        spans: list[tuple[int, int, str]] = []
        if self._finders and _SPLITTER.search(text) is None:
            spans += (found for finder in self._finders for found in finder.find(text))
        elif self._finders:
            # What splits a value up is drawn in another way, or not at all.
            for view in iter_cleaned(View(text)):
                for finder in self._finders:
                    spans += [
                        (*view.origin(start, end), placeholder)
                        for start, end, placeholder in finder.find(view.text)
                    ]
        if self._spots and len(text) >= self._shortest:
            for spot in self._spots.get(digest_text(text), ()):
                spans.append((spot.start, spot.end, spot.placeholder))
        return spans


class _Finder:
    """Finds values in each form that they may have, in one pass."""

    def __init__(self, values: Iterable[Masked]) -> None:
        """Find `values`; of equal ones the first counts."""
        from ahocorasick_rs import AhoCorasick, MatchKind  # noqa: PLC0415  (often not needed)

        forms: dict[str, str] = {}
        for value, placeholder in values:
            for form in (*forms_of(value), *key_lines(value)):
                forms.setdefault(form, placeholder)
        self.forms = tuple(forms)
        self._placeholders = list(forms.values())
        self._finder = AhoCorasick(list(forms), matchkind=MatchKind.LeftmostLongest)

    @cached_property
    def traces(self) -> frozenset[str]:
        """A part of each form that a line of JSON has if it holds the form."""
        return frozenset(map(_trace, self.forms))

    def find(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield where a value stands, and its placeholder."""
        try:
            found = self._finder.find_matches_as_indexes(text)
        except UnicodeEncodeError:
            # A lone surrogate: no character of any value, and none to publish.
            found = self._finder.find_matches_as_indexes(
                text.encode(errors="replace").decode()
            )
        for number, start, end in found:
            yield start, end, self._placeholders[number]


@lru_cache(maxsize=4)
def _open_finder(values: tuple[Masked, ...]) -> _Finder:
    """Return what finds `values`: those of all sessions are the same for each."""
    return _Finder(values)


def _trace(form: str) -> str:
    """Return the longest part of a form that JSON writes in one way only; maybe none."""
    return max(_TRACE.findall(form), key=len, default="")


class _Traces:
    """Tells whether a line of JSON may hold a value, split up or not."""

    def __init__(self, traces: frozenset[str], others: tuple[Masked, ...]) -> None:
        """Look for `traces`, of a session alone, and for those of `others`."""
        from ahocorasick_rs import BytesAhoCorasick  # noqa: PLC0415  (often not needed)

        self._has_any = bool(traces or others)
        self._has_all = "" in traces
        common: frozenset[str] = _open_finder(others).traces if others else frozenset()
        own = sorted(traces - common - {""})
        self._own = BytesAhoCorasick([trace.encode() for trace in own]) if own else None
        self._common = _open_gate(common)

    def may_be_in(self, line: bytes) -> bool:
        """Return whether one may be in a line: never False where one is."""
        if self._has_all or not self._has_any:
            return self._has_all
        matched = self._common.match(line)
        if self._is_any(matched, line):
            return True
        if not matched or _HARD in matched:
            return bool(matched)
        line = _unsplit(line, matched)
        return self._is_any(self._common.match(line), line)

    def _is_any(self, matched: set[int], line: bytes) -> bool:
        if max(matched, default=0) >= len(_SPLITTING):
            return True
        return self._own is not None and bool(self._own.find_matches_as_indexes(line))


def _unsplit(line: bytes, matched: set[int]) -> bytes:
    """Return a line without that of `_SPLITTING` which was `matched` in it."""
    if _ESCAPED in matched:
        line = _NO_LETTER.sub(b"", line)
        if b"\\u00" in line:
            line = _LETTER.sub(lambda one: bytes([int(one[1], 16)]), line)
    if _WIDTHLESS in matched:
        line = without_width(line.decode(errors="replace")).encode(errors="replace")
    if not matched.isdisjoint({_ESCAPED, _TAGGED}):
        line = _IN_TAGS.sub(b"", line)
    return line.translate(None, _MARKS)


@lru_cache(maxsize=4)
def _open_gate(traces: frozenset[str]) -> Gate:
    """Return what says what may split a value up in a line, and which of `traces` is in it.

    The former have numbers below `len(_SPLITTING)`; one that is empty is in each line.
    """
    return Gate([*_SPLITTING, *(re.escape(trace) or r"[\s\S]" for trace in sorted(traces))])


class _Places:
    """Counts what may be a place in a line of JSON."""

    def __init__(self, traces: frozenset[str]) -> None:
        """Count `traces`, and what JSON writes an ASCII character as if it has to."""
        from ahocorasick_rs import BytesAhoCorasick  # noqa: PLC0415  (often not needed)

        self._has_all = "" in traces
        named = sorted({*traces, r"\u00"} - {""})
        self._traces = BytesAhoCorasick([trace.encode() for trace in named])

    def count(self, line: bytes) -> int:
        """Return how many stand apart: at least as many as in all texts of the line.

        What JSON writes holds each trace that a text holds, since it only adds characters
        to those of which no trace has any; and the most that fit are counted.
        """
        return self._has_all or len(self._traces.find_matches_as_indexes(line))


def _json_forms(text: str) -> tuple[str, ...]:
    """Return `text` as a line of JSON may have it."""
    return (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])


def _apart(spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Return spans in order, none within another; of equal ones the first counts."""
    apart: list[tuple[int, int, str]] = []
    at = 0
    for start, end, placeholder in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= at:
            apart.append((start, end, placeholder))
        elif end > at:  # What overlaps an earlier one goes with it.
            apart[-1] = (apart[-1][0], end, apart[-1][2])
        at = max(at, end)
    return apart


def _cut(text: str, spans: list[tuple[int, int, str]]) -> str:
    """Return `text` with spans replaced that stand apart, in order."""
    parts: list[str] = []
    at = 0
    for start, end, placeholder in spans:
        parts += (text[at:start], placeholder)
        at = end
    parts.append(text[at:])
    return "".join(parts)


def mask_pictures(raw: object, images: Images) -> None:
    """Empty the data of a record's pictures, or drop the blocks with one, in place."""
    for value in iter_nested(raw):
        if isinstance(value, dict):
            for key in _DATA_KEYS:
                data = value.get(key)
                if isinstance(data, str) and is_opaque(key, data):
                    value[key] = ""
        elif images is Images.DROP:
            blocks = ((item, as_object(item) or {}) for item in value)
            value[:] = [item for item, fields in blocks if fields.get("type") != "image"]
