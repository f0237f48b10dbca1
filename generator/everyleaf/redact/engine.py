"""Patterns that take linear time, over bytes of UTF-8: many at once, and one by one.

Hyperscan says at 150 MB/s which of hundreds of patterns a text may match, but knows no
groups. RE2, whose package has no types, then finds where.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from itertools import accumulate, chain
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

import hyperscan
import re2  # pyright: ignore[reportMissingTypeStubs]  (it has none)

from everyleaf.collector import give_back
from everyleaf.digest import digest_hex
from everyleaf.memo import Memo, open_memo
from everyleaf.sources.lines import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_REPEATED = lazily(r"(?<!\\)(?<!\\x)\{(\d+)(?:,\d*)?\}\??")
_MOST_TIMES = 24
"""Above that a repetition is no longer told from a longer one."""
_HEAD = lazily(r"\A((?:\(\?[a-z]+\))?)\(\?:(?=\^\|)")
_GROUP = lazily(r"(\\b)?\(\?:")
_QUANTIFIERS = ("*", "+", "?", "{")
_MOST_WAYS = 40
_END = lazily(r"\(\?:\[\^[\w-]+\]\|\$\)\Z")
_LAST = lazily(r"\{(\d+),\}((?:\)\+?)*)\Z")
"""What a pattern ends with that may be repeated without end."""
_CHARACTER = r"(?:\\x\{[0-9A-Fa-f]{2,}\}|\\x[89A-Fa-f][0-9A-Fa-f]|[^\x00-\x7f])"
"""What names a character of several bytes."""
_CHARACTERS = lazily(rf"{_CHARACTER}(?:-{_CHARACTER})?")
_NO_BYTES = lazily(rf"\\[pP]|[^\x80-\U0010ffff}}]-{_CHARACTER}")
"""What bytes cannot say."""
_TOKEN = lazily(
    rf"(?s)(\[\^?\]?(?:\\.|[^\]\\])*\]|{_CHARACTER}|\\.|[^\\\[])([*+?]|\{{\d+(?:,\d*)?\}})?"
)
_FLAGS = lazily(r"\(\?[a-z]+\)")
_PART = lazily(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|.", re.DOTALL)
"""A sign of a pattern, an escape, a set of signs."""
_ANY = lazily(r"\.\Z|\[\^|\[.*\\[SWD]|\\[SWD]\Z", re.DOTALL)
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


class Compiled(NamedTuple):
    """What a gate is made of, as it is kept."""

    always: list[int]
    """Numbers of those that hyperscan does not take."""
    groups: list[int]
    """Of what group of signs each way of one is."""
    numbers: list[int]
    """What is found, by what a database calls it."""
    packed: list[list[bytes]]


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
_LEAST_BYTES = 3_000_000
_SIGN_BYTES = 2_500
"""Memory for what a pattern learns of texts; if it is long, so much for each of its signs.

With less, texts that repeat something take ten times as long. With what RE2 gives to each,
hundreds that have seen many texts are a third of what a worker takes.
"""
_MOST_BYTES = 8 << 20
"""What RE2 gives by itself."""


@cache
def compile_pattern(pattern: str) -> Pattern:
    """Return `pattern`, compiled; once in a process.

    Raises:
        PatternError: it is none of RE2.
    """
    options = _RE2.Options()
    options.log_errors = False
    # Seldom is a short one what takes much; and only to compile.
    for options.max_mem in (max(_LEAST_BYTES, _SIGN_BYTES * len(pattern)), _MOST_BYTES):
        with suppress(_RE2.error):
            return cast("Pattern", _RE2.compile(pattern, options))
    raise PatternError(pattern)


def may_have(pattern: str, text: str) -> bool:
    """Return whether RE2 finds something: mostly nothing, in a tenth of the time."""
    return compile_pattern(pattern).search(text.encode(errors="replace")) is not None


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
        self._scanning = Lock()
        """A database scans one text at a time; workers may be threads."""
        self._first_sign = len(patterns)
        self._group_count = len(signs)
        once = 0 if has_many else hyperscan.HS_FLAG_SINGLEMATCH
        # Named by what it is made of: making takes longer than loading what was compiled.
        code = Path(__file__).read_bytes()
        named = repr((version("hyperscan"), code, once, patterns, signs))
        name = f"gate-{digest_hex(named.encode())}"
        memo = Memo(None) if folder is None else open_memo(folder, "rules")
        made = memo.load(name, Compiled)
        databases = _opened(made) if made else None
        if made is None or databases is None:
            made = _compile_all(patterns, signs, _GATE_FLAGS | once)
            databases = _opened(made) or []
            memo.save(name, made)
            memo.drop_older(_KEPT_DAYS)
            give_back()  # Compiling took 50 MB for a moment.
        self._always, self._groups, self._numbers, _ = made
        self._databases = databases
        """Of the patterns, and of the signs."""

    def match(self, body: bytes, *, has_signs: bool = False) -> set[int]:
        """Return the numbers of the patterns that may find something in UTF-8; linear.

        If it `has_signs`, also those of the first group, which follow, and -1 for others.
        """
        found: list[int] = []

        def note(number: int, *_: object) -> None:
            found.append(number)

        with self._scanning:
            for database in chain(*self._databases[: 1 + has_signs]):
                database.scan(body, note)
        return {*self._always, *(self._numbers[number] for number in found)}

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

        together = b"\n".join(bodies)
        with self._scanning:
            for database in chain(*self._databases):
                database.scan(together, note)
        return found

    def nothing(self) -> Passed:
        """Return what may be in a text in which nothing was found."""
        return set(self._always), [[] for _ in range(self._group_count)]


def rules_digest() -> str:
    """Return a digest of all that decides what is found, but for the scanner's rules."""
    here = Path(__file__).parent
    code = b"".join(file.read_bytes() for file in sorted(here.glob("*.*")))
    return digest_hex(code + version("pyspellchecker").encode())


def _compile_all(
    patterns: Sequence[str], signs: Sequence[Sequence[str]], flags: int
) -> Compiled:
    """Compile what `Gate` takes; `flags` are those of patterns."""
    # Many short ones are compiled, and found, in half the time of one that is long.
    ways = [
        (at, number, way)
        for at, group in enumerate(signs)
        for number, one in enumerate(group, len(patterns))
        for way in _ways(_loosened(one))
    ]
    loose = [_as_bytes(_unbound(_loosened(one)), flags) for one in patterns]
    # Others name characters, and bytes cannot say which of many.
    loose_signs = [
        _as_bytes(way) if way.startswith(("(?i)", "(?im)")) else (way, _GATE_FLAGS | _UTF8)
        for *_, way in ways
    ]
    numbered = [*enumerate(loose)], [*enumerate(loose_signs, len(loose))]
    # Compiling lets others run, and several small ones take no more time to scan.
    parts = [dict(some[half::2]) for some in numbered for half in (0, 1)]
    with ThreadPoolExecutor() as threads:
        made = [*threads.map(_compile_part, parts)]
    packed = [
        [hyperscan.dumpb(one) for _, one in some if one] for some in (made[:2], made[2:])
    ]
    numbers = [*range(len(patterns)), *(-1 if at else number for at, number, _ in ways)]
    return Compiled(
        [n for one, _ in made for n in one], [at for at, *_ in ways], numbers, packed
    )


def _opened(made: Compiled) -> list[list[hyperscan.Database]] | None:
    """Return databases to scan with; None where another processor made them."""
    mode = hyperscan.HS_MODE_BLOCK
    try:
        opened = [[hyperscan.loadb(one, mode) for one in some] for some in made.packed]
        for database in chain(*opened):
            database.scratch = hyperscan.Scratch(database)
    except hyperscan.error:
        return None
    return opened


def _compile_part(loose: Mapping[int, Loose]) -> tuple[set[int], hyperscan.Database | None]:
    """Return patterns, compiled, and the numbers of those that are not taken."""
    if (database := _made_of(loose)) is not None:
        return set(), database
    always = {n for n, one in loose.items() if not _made_of({n: one})}
    return always, _made_of({n: one for n, one in loose.items() if n not in always})


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
    pattern = pattern.replace(r"(?:.|[\n\r])", r"[\s\S]")
    if (head := _HEAD.match(pattern)) is not None:
        _, end = _inside(pattern, head.end())
        pattern = head[1] + pattern[end:]
    return _REPEATED.sub(_repeat, _END.sub("", pattern))


def _unbound(pattern: str) -> str:
    """Return a pattern that finds more, where only whether it finds something is asked for.

    It is not found once more for each character behind it, and words may begin anywhere.
    """
    parts = (part for part in _PART.findall(pattern) if part != r"\b")
    return _LAST.sub(r"{\1}\2", "".join(parts))


def _ways(pattern: str) -> list[str]:
    """Return patterns that find together what one finds: one for each of its ways.

    Also for each of those of a group that it begins with, since so they begin with what is
    soon seen to be nowhere; 40 or a few more of such.
    """
    flags = _FLAGS.match(pattern)
    head = flags[0] if flags else ""
    waiting, _ = _inside(pattern, len(head))
    ways: list[str] = []
    while waiting:
        way = waiting.pop(0)
        group = _GROUP.match(way)
        if group is not None and len(ways) + len(waiting) < _MOST_WAYS:
            inside, end = _inside(way, group.end())
            if not way.startswith(_QUANTIFIERS, end):
                begin, rest = group[1] or "", way[end:]
                waiting = [begin + one + rest for one in inside] + waiting
                continue
        ways.append(head + way)
    return ways


def _inside(pattern: str, start: int) -> tuple[list[str], int]:
    """Return the ways of what goes on until the group ends it is in, and where that is."""
    ways, depth = [""], 0
    for part in _PART.finditer(pattern, start):
        depth += (part[0] == "(") - (part[0] == ")")
        if depth < 0:
            return ways, part.end()
        if part[0] == "|" and not depth:
            ways.append("")
        else:
            ways[-1] += part[0]
    return ways, len(pattern)


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
