"""Finds secrets in a text, in each form that readers and programs get it in.

What is looked for: vendors' formats (`formats`), places of passwords (`contexts`), private
keys (`pem`), the scanner's patterns (`borrowed`), a person's own. One pass over a text says
which patterns are worth trying on it: mostly none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from everyleaf.digest import digest_bytes
from everyleaf.errors import RedactError
from everyleaf.redact import arguments, calls, codes, neighbours, reading, tuples
from everyleaf.redact.anywhere import ANYWHERE, is_public
from everyleaf.redact.borrowed import borrowed_patterns, is_likely_key
from everyleaf.redact.contexts import contexts
from everyleaf.redact.engine import Gate, PatternError, compile_pattern
from everyleaf.redact.examples import is_named, is_placeholder
from everyleaf.redact.formats import cut_keys, formats, iter_private_keys
from everyleaf.redact.kinds import GENERIC, LOOSE, is_random, trimmed
from everyleaf.redact.near import iter_near
from everyleaf.redact.tables import HEADS, LISTS, iter_cells, iter_items
from everyleaf.redact.views import View
from everyleaf.redact.words import SIGN, is_plain
from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from everyleaf.config import OwnRule
    from everyleaf.redact.engine import Pattern

_OWN_HINT = (
    "see whether each pattern in [redact] can be matched in linear time: without"
    " look-around and back-references, and never nothing at all"
)
_COOKIE_WORDS = frozenset({"path", "domain", "expires", "max-age", "samesite", "priority"})
_SHORTEST_COOKIE = 6
_GLUED = lazily(r"(?=[\w.~+=-]*(?:\d|[_-][A-Za-z0-9]{16}))[\w.-][\w.~+=-]{15,}")
"""What goes on behind a key: another one that nothing parts from it."""
_OPEN = lazily(r"[\"'`][^\s\"'`]{16,}[ \t]*[|\u2502\u2503]?[ \t]*\r?\n")
"""A long value whose line ends before its quotes do."""
_MOST_KEPT = 10_000
"""So many lines, of late, in which there was nothing: what repeats them is mostly near."""
_FEW = 8
"""Places of one sign, all of which are tried wherever it is."""
_MOST_ITEMS = 100
"""Lines of a list that are looked at."""
_FARTHEST = 48  # Characters in front of a value.
_MOST_BREAKS = 8
"""Lines over which a terminal may break a key."""
_TOLD = {
    **dict.fromkeys(arguments.SIGNS, arguments.iter_arguments),
    **dict.fromkeys(calls.SIGNS, calls.iter_calls),
    **dict.fromkeys(codes.SIGNS, codes.iter_digits),
}
"""What finds something only in lines with what is in front of it."""

Known = defaultdict[str, dict[str | bytes, bool]]
"""Key → text, or its digest → whether it tells of a secret, as names of passwords do."""


class Hit(NamedTuple):
    """A secret in a text."""

    start: int
    """Where it stands in the text, in characters, with all that splits it up."""
    end: int
    kind: str
    value: str
    """As a reader gets it."""
    is_own: bool = False
    """A person's own pattern found it."""


class _Rule(NamedTuple):
    kind: str
    pattern: str
    is_secret: Callable[[str], bool]
    is_own: bool = False
    is_key: bool = False

    def hits(self, view: View) -> Iterator[Hit]:
        """Yield what the rule finds in a form of a text."""
        for first, last in _spans(_open_pattern(self.pattern), view.body):
            start, end = view.span(first, last)
            if self.is_key and (glued := _GLUED.match(view.text, end)):
                end = glued.end()
            value = view.text[start:end]
            if "\x1b" in value and not self.is_own:
                continue  # It is found where colours are left out.
            if not self.is_own:
                value = trimmed(value, view.text[start - 1 : start])
                end = start + len(value)
            if self.is_secret(value) and (
                self.is_own or not _is_harmless(view.text, start, value, self.kind)
            ):
                yield Hit(*view.origin(start, end), self.kind, value, self.is_own)
            elif "=" in value:  # What it is set to may be the end of what it was.
                before, _, _ = value.rstrip("=").rpartition("=")
                begin = start + before.rfind("=") + 1
                if begin or end < len(view.text):
                    yield from self.hits(view.piece(begin, end))


class Detector:
    """Looks for everything that is a secret by the rules; made once in a process."""

    def __init__(
        self, rules_dir: Path, own: tuple[OwnRule, ...], *, is_own_only: bool
    ) -> None:
        """Look for what all rules and `own` patterns find; with `is_own_only` for these.

        Raises:
            RedactError: an own pattern is none of RE2, or the scanner's are not there.
        """
        self._keys = [_own_rule(rule) for rule in own if rule.pattern]
        """What is a key anywhere."""
        places = () if is_own_only else contexts()
        signs = dict.fromkeys(f"(?i){one.sign}" for one in places)
        count = Counter(one.sign for one in places)
        many = [one for one in places if count[one.sign] > _FEW or one.kind not in GENERIC]
        # On a new machine both gates are compiled, and the scanner is asked.
        with ThreadPoolExecutor() as threads:
            waiting = threads.submit(Gate, [one.gate for one in many], folder=rules_dir)
            if not is_own_only:
                self._keys += [_Rule(*one, is_key=True) for one in formats()]
                borrowed = borrowed_patterns(rules_dir)
                self._keys += [_Rule(*one, is_likely_key) for one in borrowed]
                self._keys += [_Rule(*one) for one in ANYWHERE]
                several = (*_TOLD, *tuples.HEADS)
                signs |= dict.fromkeys((SIGN, *(f"(?i){sign}" for sign in several)))
            near = () if is_own_only else tuple(f"(?i){one}" for one in neighbours.SIGNS)
            patterns = [*reading.SHAPES, *(rule.pattern for rule in self._keys)]
            ends = ([*signs], reading.UNSEEN, reading.HIDING, (LISTS,), cut_keys(), near)
            self._gate = Gate(patterns, ends, folder=rules_dir, has_many=True)
        self._place_gate = waiting.result()
        self.clean: dict[object, Known] = {}
        """For who looks: texts in which there is nothing; many stand in many sessions."""
        self._harmless: dict[bytes, bool] = {}
        """Digests of lines that tell of passwords, and nothing more → with escapes
        resolved, too."""
        self._nothing_near: set[bytes] = set()
        """The same of those in which nothing is near what tells of secrets."""
        numbers = enumerate(signs, len(patterns))
        number_of = {sign.removeprefix("(?i)"): number for number, sign in numbers}
        self._told = {number_of[sign]: told for sign, told in _TOLD.items() if places}
        self._places: defaultdict[int, list[_Rule]] = defaultdict(list)
        """By the sign in each line that one begins in: those tried wherever that is."""
        for one in (one for one in places if one not in many):
            self._places[number_of[one.sign]].append(_Rule(*one[1:4]))
        self._often = {number_of[one.sign] for one in many}
        """Signs of the others, which are tried only where a gate says so."""
        self._gated = [_Rule(*one[1:4]) for one in many]

    def find(self, text: str, key: str = "") -> list[Hit] | None:
        """Return what is secret in `text`, in its order; it is the value of `key`, if any.

        None where nothing in it tells of a secret. Linear in its length.
        """
        return self.find_each([(key, text)]).get(0)

    def find_each(self, texts: Sequence[tuple[str, str]]) -> dict[int, list[Hit]]:
        """Return what `find` does for each (key, text) of which that is not None.

        Takes far less time than to look at each of many texts that tell of nothing.
        """
        told = [f'{key}: "{text}"' if key else text for key, text in texts]
        bodies = [one.encode(errors="replace") for one in told]
        passed, packed = self._gate.look_at(bodies), reading.open_packed().look_at(bodies)
        hits: dict[int, list[Hit]] = {}
        for at in {*passed, *packed}:
            root = View(told[at])
            root.note(passed.get(at) or self._gate.nothing())
            if (found := self._find(root, texts[at], is_packed=at in packed)) is not None:
                hits[at] = found
        return hits

    def _find(
        self, root: View, of: tuple[str, str], *, is_packed: bool
    ) -> list[Hit] | None:
        """Return what is secret in a text, which `root` shows beside its key."""
        hits: set[Hit] = set()
        for view in reading.iter_cleaned(root):
            hits.update(self.look(view))
        if is_packed:
            root.shapes.add(reading.Shape.PACKED)
        elif not (
            hits or root.shapes or root.signs or root.unseen or root.hiding or root.near
        ):
            return None
        for view in reading.iter_bare(root):
            hits.update(self.look(view))
        key, text = of
        size = len(text)
        shift = len(root.text) - size - 1 if key else 0
        return sorted(
            hit._replace(start=max(hit.start - shift, 0), end=min(hit.end - shift, size))
            for hit in hits
            if hit.end > shift and hit.start - shift < size
        )

    def look(self, view: View, *, has_escapes: bool = True) -> Iterator[Hit]:
        """Yield what is secret in one form of a text, by places in the text.

        The lines that tell of a password are looked at with their escapes resolved, too,
        unless it is said that the form has none.
        """
        if view.unseen is None:
            view.note(self._gate.look(view.body))
        for hit in self._iter_hits(view, has_escapes=has_escapes):
            yield from _parts(hit)

    def look_flat(self, view: View) -> Iterator[Hit]:
        """Yield what is secret in a form of a text whose lines were joined, by itself.

        What only a name beside it makes a secret is left: behind a name stands whatever
        began the line below it.
        """
        shapes = self._gate.match(view.body)
        for rule in self._keys_of(shapes) + self._gated_in(view):
            if rule.kind not in GENERIC:
                yield from rule.hits(view)
        if reading.Shape.PRIVATE_KEY in shapes:
            yield from _hits_of(view, iter_private_keys(view.text))
        if self._gated:
            yield from _hits_of(view, codes.iter_lists(view))
        if self._gated and reading.Shape.PHRASE in shapes:
            yield from _hits_of(view, codes.iter_phrases(view))

    def _iter_hits(self, view: View, *, has_escapes: bool) -> Iterator[Hit]:
        yield from self._find_keys(view, view.shapes)
        if self._gated:
            yield from _find_blocks(view)
            yield from _find_listed(view)
        if self._gated and has_escapes:  # On a page, what stands side by side is joined.
            yield from self._find_near(view)
        if view.cut:
            yield from self._find_cut(view)
        # What begins in a line may end below an empty one, and a fence.
        for start, end in view.lines(view.signs, below=3):
            lines = view.piece(max(start - 1, 0), end)  # With the end of the line above.
            name = digest_bytes(lines.body)
            # What is harmless with its escapes resolved is so as it stands, too.
            if self._harmless.get(name) in {has_escapes, True}:
                continue
            hits = self._find_in_lines(lines, has_escapes=has_escapes)
            yield from hits
            if not hits:
                if len(self._harmless) >= _MOST_KEPT:
                    self._harmless.clear()
                self._harmless[name] = has_escapes

    def _find_in_lines(self, lines: View, *, has_escapes: bool) -> list[Hit]:
        """Return what some lines tell of, in each form of them."""
        hits = [*self._find_told(lines, self._seen(lines))]
        forms = [*reading.iter_unlisted(lines)]
        levels = [*reading.iter_levels(lines)] if has_escapes else []
        for level in levels:
            forms += [level, *reading.iter_unlisted(level)]
        for form in forms:
            seen = self._seen(form)
            find = self._find_told if form in levels else self._find_places
            hits += [*find(form, seen), *self._find_keys(form, seen)]
            hits += _find_cells(form, seen)
        if (hits or _OPEN.search(lines.text)) and (
            whole := reading.unwrapped(lines)
        ) is not lines:
            hits += self._find_places(whole, self._seen(whole))
        if self._gated and (whole := reading.rejoined(lines)) is not lines:
            told = self._find_told(whole, self._seen(whole))
            hits += [hit for hit in told if hit.end - hit.start > len(hit.value)]
        return hits

    def _find_near(self, view: View) -> Iterator[Hit]:
        """Yield what stands out near what tells of secrets."""
        for level in _around(view, view.near, 4, above=2):
            name = digest_bytes(level.body)
            if name in self._nothing_near:
                continue
            hits = [*_hits_of(level, neighbours.iter_neighbours(level))]
            yield from hits
            if not hits:
                if len(self._nothing_near) >= _MOST_KEPT:
                    self._nothing_near.clear()
                self._nothing_near.add(name)

    def _find_cut(self, view: View) -> Iterator[Hit]:
        """Yield the keys that a terminal broke; what is whole in a line was found there."""
        for level in _around(view, view.cut, _MOST_BREAKS):
            if (whole := reading.unwrapped(level)) is not level:
                hits = self._find_keys(whole, self._gate.match(whole.body))
                cut = (hit for hit in hits if hit.end - hit.start > len(hit.value))
                yield from (hit for hit in cut if hit.kind not in {"private-key", "secret"})

    def _find_keys(self, view: View, shapes: set[int]) -> Iterator[Hit]:
        for rule in self._keys_of(shapes):
            yield from rule.hits(view)

    def _keys_of(self, shapes: set[int]) -> list[_Rule]:
        """Return the rules for keys that a gate said to be worth trying."""
        first, end = len(reading.SHAPES), len(reading.SHAPES) + len(self._keys)
        return [self._keys[number - first] for number in shapes if first <= number < end]

    def _seen(self, lines: View) -> set[int]:
        """Return which keys, and signs of places, may be in some lines."""
        return self._gate.match(lines.body, has_signs=True)

    def _find_told(self, lines: View, seen: set[int]) -> Iterator[Hit]:
        """Yield what places, sentences, commands and calls tell of."""
        yield from self._find_places(lines, seen)
        if self._gated:
            yield from _hits_of(lines, iter_near(lines))
        for told in {self._told[sign] for sign in seen & self._told.keys()}:
            yield from _hits_of(lines, told(lines))

    def _find_places(self, lines: View, seen: set[int]) -> Iterator[Hit]:
        rules = [one for sign in seen & self._places.keys() for one in self._places[sign]]
        rules += [] if seen.isdisjoint(self._often) else self._gated_in(lines)
        for rule in rules:
            yield from rule.hits(lines)

    def _gated_in(self, lines: View) -> list[_Rule]:
        return [self._gated[number] for number in self._place_gate.match(lines.body)]


def _is_harmless(text: str, at: int, value: str, kind: str) -> bool:
    """Return whether a value has a form, or stands where, no secret of its kind does."""
    is_loose = kind in LOOSE
    return is_named(text, at, value, is_loose=is_loose) or (
        is_loose and is_public(value, text[max(at - _FARTHEST, 0) : at])
    )


def _hits_of(view: View, found: Iterable[tuple[int, int, str]]) -> Iterator[Hit]:
    """Yield what was found in a form of a text, by places in the text."""
    for start, end, kind in found:
        value = view.text[start:end]
        if not _is_harmless(view.text, start, value, kind):
            yield Hit(*view.origin(start, end), kind, value)


def _around(view: View, ends: list[int], below: int, *, above: int = 0) -> Iterator[View]:
    """Yield lines in which something ends, with some around, and what their escapes say."""
    for start, end in view.lines(ends, below=below, above=above):
        lines = view.piece(start, end)
        yield lines
        yield from reading.iter_levels(lines)


def _find_listed(view: View) -> Iterator[Hit]:
    """Yield what stands in lists of passwords and tokens."""
    for level in _around(view, view.lists, _MOST_ITEMS, above=1):
        for form in (level, *reading.iter_unlisted(level)):
            yield from _hits_of(form, iter_items(form))


def _find_blocks(view: View) -> Iterator[Hit]:
    """Yield the private keys in a form, and what stands in columns of passwords."""
    if reading.Shape.PRIVATE_KEY in view.shapes:
        for level in (view, *reading.iter_levels(view)):
            yield from _hits_of(level, iter_private_keys(level.text))
    yield from _find_cells(view, view.shapes)
    if reading.Shape.PHRASE in view.shapes:
        yield from _hits_of(view, codes.iter_phrases(view))


def _find_cells(view: View, shapes: set[int]) -> Iterator[Hit]:
    """Yield what stands in columns of passwords and tokens."""
    if reading.Shape.TABLE in shapes:
        spans = _spans(_open_pattern(HEADS), view.body)
        # A head may begin with the end of the line above.
        heads = [view.span(first + 1, last)[0] for first, last in spans]
        yield from _hits_of(view, iter_cells(view.text, heads))
    if reading.Shape.ROWS in shapes:
        yield from _hits_of(view, tuples.iter_tuples(view))


def _own_rule(own: OwnRule) -> _Rule:
    try:
        compile_pattern(own.pattern)
    except PatternError as error:
        raise RedactError(
            f"the pattern of {own.kind!r} cannot be used: {own.pattern!r}", hint=_OWN_HINT
        ) from error
    return _Rule(own.kind, own.pattern, bool, is_own=True)


@cache
def _open_pattern(pattern: str) -> Pattern:
    """Return one pattern, compiled when a text first has what it begins with.

    What RE2 does not take of the scanner's patterns finds nothing: ours find the same.
    """
    try:
        return compile_pattern(pattern)
    except PatternError:
        return compile_pattern(r"[^\s\S]")


def _parts(hit: Hit) -> Iterator[Hit]:
    """Yield what a hit is masked as, if anything: of a cookie header, what is random."""
    if hit.kind != "cookie" or hit.end - hit.start != len(hit.value):
        yield hit
        return
    at = hit.start
    for pair in hit.value.split(";"):
        name, _, value = pair.partition("=")
        value = value.strip()
        is_session = name.strip().lower() not in _COOKIE_WORDS
        is_session = is_session and len(value) >= _SHORTEST_COOKIE
        is_session = is_session and not is_placeholder(re.sub(r"\d{1,2}\Z", "", value))
        if is_session and (is_random(value) or not is_plain(value)):
            start = at + pair.index(value, len(name))
            yield hit._replace(value=value, start=start, end=start + len(value))
        at += len(pair) + 1


@lru_cache(maxsize=4)
def open_detector(
    rules_dir: Path, own: tuple[OwnRule, ...] = (), *, is_own_only: bool = False
) -> Detector:
    """Return what looks for secrets; the same one for the same rules.

    Raises:
        RedactError: as `Detector` does.
    """
    return Detector(rules_dir, own, is_own_only=is_own_only)


def _spans(pattern: Pattern, body: bytes) -> Iterator[tuple[int, int]]:
    """Yield where the values stand that a pattern finds, in bytes.

    The next one is looked for from the end of the last, not of all that matched: what ends
    one may begin another.
    """
    at = 0
    while (match := pattern.search(body, at)) is not None:
        spans = (match.span(number) for number in range(1, pattern.groups + 1))
        start, end = next((span for span in spans if span[0] >= 0), match.span())
        yield start, end
        at = end if end > at else match.span()[1] + 1
        if at > len(body):
            return
