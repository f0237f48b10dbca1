"""Patterns that take linear time, over bytes of UTF-8: many at once, and one by one.

Hyperscan says at 150 MB/s which of hundreds of patterns a text may match, but knows no
groups. RE2, whose package has no types, then finds where.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol, cast

import hyperscan
import orjson
import re2  # pyright: ignore[reportMissingTypeStubs]  (it has none)

from everyleaf.digest import digest_hex
from everyleaf.memo import Memo, open_memo

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_REPEATED = re.compile(r"(?<!\\)(?<!\\x)\{(\d+)(?:,\d*)?\}\??")
_MOST_TIMES = 24
"""Above that a repetition is no longer told from a longer one."""
_HEAD = re.compile(r"\A((?:\(\?[a-z]+\))?)\(\?:\^\|(?:[^()\\]|\\.)*\)")
_END = re.compile(r"\(\?:\[\^[\w-]+\]\|\$\)\Z")
_CHARACTER = r"(?:\\x\{[0-9A-Fa-f]{2,}\}|\\x[89A-Fa-f][0-9A-Fa-f]|[^\x00-\x7f])"
"""What names a character of several bytes."""
_CHARACTERS = re.compile(rf"{_CHARACTER}(?:-{_CHARACTER})?")
_NO_BYTES = re.compile(rf"\\[pP]|[^\x80-\U0010ffff}}]-{_CHARACTER}")
"""What bytes cannot say."""
_TOKEN = re.compile(
    rf"(\[\^?\]?(?:\\.|[^\]\\])*\]|{_CHARACTER}|\\.|[^\\\[])([*+?]|\{{\d+(?:,\d*)?\}})?",
    re.DOTALL,
)
_FLAGS = re.compile(r"\(\?[a-z]+\)")
_PART = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|.", re.DOTALL)
"""A sign of a pattern, an escape, a set of signs."""
_ANY = re.compile(r"\.\Z|\[\^|\[.*\\[SWD]|\\[SWD]\Z", re.DOTALL)
"""What takes a character of several bytes, among others."""
_KEPT_DAYS = 30
"""So long after the last use, what was compiled is forgotten."""
_GATE_FLAGS = (
    # Texts are looked at as lines of one, so that any end of a line may be one of a text.
    hyperscan.HS_FLAG_PREFILTER | hyperscan.HS_FLAG_ALLOWEMPTY | hyperscan.HS_FLAG_MULTILINE
)
_UTF8 = hyperscan.HS_FLAG_UTF8
Loose = tuple[str, int]
"""A pattern as hyperscan gets it, and its flags."""
Passed = tuple[set[int], list[list[int]]]
"""Numbers of the patterns that may find something in a text, and behind which bytes signs
may stand, by group."""


class PatternMatch(Protocol):
    """What a pattern found; places are in bytes, -1 where a group took no part."""

    def span(self, group: int = 0, /) -> tuple[int, int]:
        """Return where a group begins and ends."""
        ...


class Pattern(Protocol):
    """A compiled pattern."""

    @property
    def groups(self) -> int:
        """How many groups it has."""
        ...

    def search(self, body: bytes, at: int = 0, /) -> PatternMatch | None:
        """Return the first match from `at` on."""
        ...

    def finditer(self, body: bytes, /) -> Iterator[PatternMatch]:
        """Yield the matches that do not overlap."""
        ...


class PatternError(ValueError):
    """A pattern is none of RE2."""


_RE2 = cast("Any", re2)


@cache
def compile_pattern(pattern: str) -> Pattern:
    """Return `pattern`, compiled; once in a process.

    Raises:
        PatternError: it is none of RE2.
    """
    try:
        return cast("Pattern", _RE2.compile(pattern, _options()))
    except _RE2.error as error:
        raise PatternError(pattern) from error


class Gate:
    """Says which of many patterns a text may match: in one pass, and never too few."""

    def __init__(
        self,
        patterns: Sequence[str],
        signs: Sequence[Sequence[str]] = (),
        *,
        folder: Path | None = None,
        has_many: bool = False,
    ) -> None:
        """Compile patterns of RE2, which are numbered from 0, and those of groups of signs.

        Takes about a second for 700 patterns; with a private `folder`, once on a machine.
        Only one that `has_many` texts to look at can `look_at` them.
        """
        self._has_many = has_many
        self._always: set[int] = set()
        """Those that hyperscan does not take."""
        self._database: hyperscan.Database | None = None
        self._scanning = Lock()
        """A database scans one text at a time; workers may be threads."""
        self._first_sign = len(patterns)
        self._group_count = len(signs)
        # Many short ones are compiled in half the time of one that is long.
        ways = [
            (at, way)
            for at, group in enumerate(signs)
            for one in group
            for way in _ways(_loosened(one))
        ]
        self._groups = [at for at, _ in ways]
        once = 0 if has_many else hyperscan.HS_FLAG_SINGLEMATCH
        # Named by what it is made of: making takes longer than loading what was compiled.
        code = Path(__file__).read_bytes()
        named = repr((version("hyperscan"), code, once, patterns, signs))
        name = f"gate-{digest_hex(named.encode())}"
        memo = Memo(None) if folder is None else open_memo(folder, "rules")
        known = memo.load(name, bytes)
        if known is not None and self._load(known):
            return
        loose = [_as_bytes(_loosened(pattern), _GATE_FLAGS | once) for pattern in patterns]
        for _, sign in ways:
            # Others name characters, and bytes cannot say which of many.
            as_bytes = sign.startswith("(?i)")
            loose.append(_as_bytes(sign) if as_bytes else (sign, _GATE_FLAGS | _UTF8))
        database = self._database = self._compile(dict(enumerate(loose)))
        if folder is not None and database is not None:
            packed = hyperscan.dumpb(database)
            memo.save(name, orjson.dumps([*self._always]) + b"\n" + packed)
            memo.drop_older(_KEPT_DAYS)

    def match(self, body: bytes) -> set[int]:
        """Return the numbers of the patterns that may find something in UTF-8; linear."""
        found = {*self._always}

        def note(number: int, *_: object) -> None:
            if number < self._first_sign:
                found.add(number)

        if self._database is not None:
            with self._scanning:
                self._database.scan(body, note)
        return found

    def look(self, body: bytes) -> Passed:
        """Return what may be in UTF-8; linear."""
        return self.look_at([body]).get(0) or self.nothing()

    def look_at(self, bodies: Sequence[bytes]) -> dict[int, Passed]:
        """Return what may be in each of some texts: for those with nothing, nothing.

        One pass over all of them: to begin one takes as long as it takes for some lines.
        """
        found = {at: self.nothing() for at in range(len(bodies))} if self._always else {}
        first, groups = self._first_sign, self._groups
        # What ends behind the end of a line is in that line.
        stops = [*accumulate(len(body) + 1 for body in bodies)]

        def note(number: int, _start: int, end: int, _flags: int, _context: object) -> None:
            at = bisect_left(stops, end)
            if (passed := found.get(at)) is None:
                passed = found[at] = self.nothing()
            if number < first:
                passed[0].add(number)
            else:
                size = len(bodies[at])
                inside = min(end - stops[at] + size + 1, size)
                passed[1][groups[number - first]].append(inside)

        if self._database is not None:
            with self._scanning:
                self._database.scan(b"\n".join(bodies), note)
        return found

    def nothing(self) -> Passed:
        """Return what may be in a text in which nothing was found."""
        return set(self._always), [[] for _ in range(self._group_count)]

    def _load(self, known: bytes) -> bool:
        always, _, packed = known.partition(b"\n")
        try:
            database = hyperscan.loadb(packed, hyperscan.HS_MODE_BLOCK)
            database.scratch = hyperscan.Scratch(database)
        except hyperscan.error:
            return False  # Made by another processor.
        self._always, self._database = set(orjson.loads(always)), database
        return True

    def _compile(self, loose: dict[int, Loose]) -> hyperscan.Database | None:
        database = _made_of(loose)
        if database is None:
            self._always = {n for n, one in loose.items() if not _made_of({n: one})}
            taken = {n: one for n, one in loose.items() if n not in self._always}
            database = _made_of(taken)
        return database


def _made_of(loose: Mapping[int, Loose]) -> hyperscan.Database | None:
    """Return patterns, compiled; None where one is not taken, or there is none."""
    made = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    try:
        made.compile(
            expressions=[pattern.encode() for pattern, _ in loose.values()],
            ids=list(loose),
            flags=[flags for _, flags in loose.values()],
        )
    except hyperscan.error:
        return None
    return made


def _loosened(pattern: str) -> str:
    """Return a pattern that finds more, and compiles sooner: repetitions have no end.

    What must stand before or behind what is looked for is left out.
    """
    pattern = _HEAD.sub(r"\1", pattern.replace(r"(?:.|[\n\r])", r"[\s\S]"))
    return _REPEATED.sub(_repeat, _END.sub("", pattern))


def _ways(pattern: str) -> list[str]:
    """Return patterns that find together what one finds: one for each of its ways."""
    flags = _FLAGS.match(pattern)
    head = flags[0] if flags else ""
    ways, depth = [head], 0
    for part in _PART.findall(pattern, len(head)):
        depth += (part == "(") - (part == ")")
        if part == "|" and not depth:
            ways.append(head)
        else:
            ways[-1] += part
    return ways


def _repeat(found: re.Match[str]) -> str:
    times = min(int(found[1]), _MOST_TIMES)
    if 1 < int(found[1]) == times and "," not in found[0]:
        return found[0]
    return ("*", "+")[times] if times <= 1 else f"{{{times},}}"


def _as_bytes(pattern: str, flags: int = _GATE_FLAGS) -> Loose:
    """Return a pattern that finds more, in bytes, and its flags; if there is one.

    For any character it takes some bytes: such automata are small, and soon compiled.
    """
    if _NO_BYTES.search(pattern):
        return pattern, flags | _UTF8
    return _TOKEN.sub(_some, pattern), flags


def _some(found: re.Match[str]) -> str:
    token, times = found[1], found[2] or ""
    if _CHARACTERS.fullmatch(token):
        return _bytes_of(token) + times
    if token[0] == "[" and _CHARACTERS.search(token):
        token = _CHARACTERS.sub("", token)
        token = token if token[1] == "^" else rf"{token[:-1]}\x80-\xff]"
    elif _ANY.match(token) is None:
        return found[0]
    if "," in times or times in {"*", "+"}:
        return token + times
    return rf"(?:{token}[\x80-\xbf]*){times}"


def _bytes_of(named: str) -> str:
    """Return the bytes of a character, be it a small letter or a large one."""
    code = named.strip(r"\x{}")
    letter = chr(int(code, 16)) if named[0] == "\\" else named
    large = letter.upper()
    cases = {letter, letter.lower(), large, large.lower()}
    ways = ("".join(rf"\x{byte:02x}" for byte in one.encode()) for one in sorted(cases))
    return f"(?:{'|'.join(ways)})"


def _options() -> object:
    options = _RE2.Options()
    options.log_errors = False
    return options
