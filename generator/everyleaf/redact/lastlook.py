"""The last look: what is about to be written, as who opens it will get it.

Everything was masked when it was read. This finds what only drawing brought together: a
value across two elements, a word that Markdown joins, the words of the search index. It is
the same detector, on the page as a reader sees it; what it finds is masked, and counted.
"""

from __future__ import annotations

import gzip
import html
import re
import zlib
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from msgspec import Struct

from everyleaf.cachedir import default_cache_dir
from everyleaf.digest import digest_bytes
from everyleaf.redact.engine import rules_digest
from everyleaf.redact.find import open_task
from everyleaf.redact.kinds import GENERIC, Finding, forms_of, is_strong, key_lines
from everyleaf.redact.masking import OPENING
from everyleaf.redact.places import iter_people
from everyleaf.redact.reading import iter_cleaned
from everyleaf.redact.redaction import is_wanted
from everyleaf.redact.views import Pass, View
from everyleaf.sources.lines import lazily, names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ahocorasick_rs import BytesAhoCorasick

    from everyleaf.config import RedactOptions
    from everyleaf.outputs import LongBody
    from everyleaf.redact.detect import Detector, Hit

_Body = TypeVar("_Body", bound="bytes | LongBody")
_GZIP = b"\x1f\x8b"
_SIGNATURE = b"pagefind_dcd"
BINARY = (".png", ".jpg", ".gif", ".webp", ".woff2", ".wasm")
_OURS = ("assets/", "pagefind/")
"""Where programs and styles are: none of it comes from a transcript but what is packed."""
_FLAT = "pagefind/"
"""Where texts stand without their lines."""
_WORDS = "data/search/"
"""Where texts that search finds are kept, each as a string."""
_TEXTS = "blobs/"
"""Where long texts of sources are, each as it stands."""
_SHORTEST = 17
"""Shorter strings are anchors and times, or texts that tell all where they are read."""
_MOST_BYTES = 64 * 1024 * 1024
"""More is not unpacked of a compressed file."""
_FEW = 1_000
"""Forms of secrets for which there is room for a table of all states."""
_PIECE_BYTES = 1_000_000
_SHARED_BYTES = 100_000
"""At the end of a piece, what the next one begins with; many times the longest secret."""
_INLINE = (
    r"span|code|a|abbr|b|bdi|del|em|i|ins|kbd|mark|q|s|samp|small|strong|sub|sup|u|wbr"
)
_JSON = {'"': '"', "\\": "\\", "/": "/", "b": " ", "f": " ", "n": "\n", "r": " ", "t": "\t"}


def _entity(found: re.Match[str]) -> str:
    return _ENTITIES.get(found[0]) or html.unescape(found[0])


def _string(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else _JSON[found[2]]


_JOINING = Pass(re.compile(rf"</?(?:{_INLINE})(?=[\s>/])[^<>]*>"), "")
_APART = Pass(re.compile("</span><span>"), "\n")
"""Facts of a page, side by side; code is in spans that have a class."""
_PARTING = Pass(re.compile(r"<[^<>]*>"), "\n")
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'", "&amp;": "&"}
"""Those that are written most."""
_ENTITY = Pass(re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z]{2,8});"), _entity)
_ATTRIBUTE = lazily(r'="(?<! class=")([^"]{6,})"')
"""Names for styles and anchors say nothing."""
_SPOKEN = names("title alt content value label placeholder aria-label")
_OWN_ADDRESS = lazily(r"(?!//)[^:?]*\.(?:html|md|json)(?:#.*)?|#.*")
"""One in the site, made of names that were masked."""
_OF_PAGE = lazily(r"[\d:.]+|[0-9a-f]{8}-[0-9a-f-]{27}")
"""When something was, how long it took, and what a session is known by."""
_QUOTED = lazily(r'"([^"\\]*(?:\\.[^"\\]*)*)"')
_ESCAPED_MARK = Pass(re.compile(r"\\(?=[-_.~+=/:@])"), "")
_STRING = Pass(re.compile(r"\\(?:u([0-9A-Fa-f]{4})|([\"\\/bfnrt]))"), _string)
_PLACEHOLDER = Pass(re.compile(r"\[redacted: [a-z0-9 -]+\\?\]"), "[redacted]")


class Guard(Struct, frozen=True):
    """What no file of a site may hold; a value that travels to who draws."""

    options: RedactOptions
    cache_dir: Path | None = None
    """Where compiled rules are kept; None: where the machine that looks keeps its own."""
    secrets: tuple[tuple[str, str], ...] = ()
    """(kind, value) of what was found in the sources."""
    is_known_alone: bool = False
    """Nothing else is looked for: each text of the files was looked through by itself, and
    what stands between them (names of fields, ids, signatures) would only mislead."""

    is_drawn: bool = False
    """What the files say was looked through where it is told, by the rules of today."""

    def digest(self) -> str:
        """Return what changes whenever something else is looked for."""
        return repr((rules_digest(), self.options, self.secrets))


class Exposure(NamedTuple):
    """A secret in a file, where a reader would get it."""

    start: int
    """In characters of the file."""
    end: int
    kind: str
    value: str


class LastLook:
    """Looks through files of a site, and masks what is found."""

    def __init__(self, guard: Guard) -> None:
        """Look for what `guard` says.

        Raises:
            RedactError: the rules are not there, or one cannot be used.
        """
        self._options, self._is_drawn = guard.options, guard.is_drawn
        self._detector: Detector | None = None
        self._keep_emails: tuple[str, ...] | None = None
        if guard.options.is_on and not guard.is_known_alone:
            task = open_task(guard.options, guard.cache_dir or default_cache_dir())
            self._detector = task.detector()
            self._keep_emails = task.keep_emails
        self._kinds: list[str] = []
        self._finder = self._open_finder(guard.secrets)

    def clean(self, url: str, body: _Body) -> tuple[bytes | _Body, tuple[str, ...]]:
        """Return a file without secrets, and the kinds of what was masked in it, sorted.

        Linear in what it holds; a file without any comes back as it is.
        """
        if isinstance(body, bytes) and body.startswith((_GZIP, _SIGNATURE)):
            return self._clean_packed(url, body)
        if not self._options.is_on or url.endswith(BINARY) or url.startswith(_OURS):
            return body, ()
        found: list[tuple[int, int, str]] = []
        for begin, piece in _iter_pieces(body):
            text = piece.decode("utf-8", errors="surrogateescape")
            exposed = self.find(url, text, is_clean=self._is_clean(url, piece))
            for start, end, kind, _ in set(exposed):
                first = begin + len(_encoded(text[:start]))
                found.append((first, first + len(_encoded(text[start:end])), kind))
        if not found:
            return body, ()
        parts: list[bytes] = []
        kinds: set[str] = set()
        at = 0
        for start, end, kind in sorted(found, key=lambda one: (one[0], -one[1], one[2])):
            if end > at:
                first = max(start, at)
                parts += (body[at:first], _hide(body[first:end], kind))
                kinds.add(kind)
                at = end
        parts.append(body[at:])
        return b"".join(parts), tuple(sorted(kinds))

    def find(self, url: str, text: str, *, is_clean: bool = False) -> Iterator[Exposure]:
        """Yield what is secret in a file of a site; if it `is_clean`, what is known."""
        for view in _iter_forms(url, text):
            # Of text, it would count the characters of each; there is mostly nothing.
            known = self._finder.find_matches_as_indexes(view.body) if self._finder else ()
            for number, first, last in known:
                start, end = view.span(first, last)
                kind = self._kinds[number]
                yield Exposure(*view.origin(start, end), kind, view.text[start:end])
            if is_clean:
                continue
            for hit in self._look(url, view):
                found = Finding(hit.kind, hit.value, "", hit.start, hit.end)
                if is_wanted(found, self._options) and not self._is_word(hit, url, text):
                    yield Exposure(hit.start, hit.end, hit.kind, hit.value)
            if self._keep_emails is not None:
                for one in iter_people(view.text, "", self._keep_emails):
                    if is_wanted(one, self._options):
                        place = view.origin(one.start, one.end)
                        yield Exposure(*place, one.kind, one.value)

    def _is_clean(self, url: str, text: bytes) -> bool:
        """Return whether a file is a text in which there was nothing when it was read."""
        is_text = url.startswith(_TEXTS) and url.endswith(".txt")
        if self._detector is None or not is_text:
            return False
        known = self._detector.clean.get(self._keep_emails)
        return known is not None and digest_bytes(text) in known["\n"]

    def _look(self, url: str, view: View) -> Iterable[Hit]:
        """Return what the rules find in a form of a file."""
        if self._detector is None:
            return ()
        if url.startswith(_FLAT):
            return self._detector.look_flat(view)
        return self._detector.look(view, has_escapes=False)

    def _is_word(self, hit: Hit, url: str, text: str) -> bool:
        """Return whether what was found is only what a page or an index makes of its place.

        Of what was drawn, weak values were looked at where they were told: a page has
        counts, times, ids and names of projects below what ends with a name of passwords,
        and a title may cut it off. An index for search joins lines, so that a password
        would begin the line below its name.
        """
        if url.startswith(_FLAT):
            return hit.kind in GENERIC
        is_told = self._is_drawn and not hit.is_own
        is_of_page = is_told and hit.kind in GENERIC and _OF_PAGE.fullmatch(hit.value)
        is_cut = is_told or url.startswith(_WORDS) or text.startswith("…", hit.end)
        return bool(is_of_page) or (is_cut and not is_strong(hit.kind, hit.value))

    def _clean_packed(self, url: str, body: bytes) -> tuple[bytes, tuple[str, ...]]:
        """Look into a compressed file; what is masked keeps its length in bytes."""
        plain = unpacked(body)
        text = plain.decode("utf-8", errors="surrogateescape")
        found = sorted(set(self.find(url, text)))
        if not found:
            return body, ()
        packed = bytearray(plain)
        for start, end, _, _ in found:
            first = len(_encoded(text[:start]))
            size = len(_encoded(text[start:end]))
            packed[first : first + size] = b"[redacted]".ljust(size, b"-")[:size]
        return (
            gzip.compress(packed, mtime=0) if body.startswith(_GZIP) else bytes(packed),
            tuple(sorted({one.kind for one in found})),
        )

    def _open_finder(self, secrets: tuple[tuple[str, str], ...]) -> BytesAhoCorasick | None:
        forms: dict[str, str] = {}
        for kind, value in secrets:
            for form in (*forms_of(value), *key_lines(value)):
                forms.setdefault(form, kind)
        if not forms:
            return None
        import ahocorasick_rs  # noqa: PLC0415  (often not needed)

        self._kinds = list(forms.values())
        patterns = [form.encode(errors="replace") for form in forms]
        # A table of all states takes a third of the time, and 1 KB for each byte of them.
        how = ahocorasick_rs.Implementation.DFA if len(patterns) <= _FEW else None
        longest = ahocorasick_rs.MatchKind.LeftmostLongest
        return ahocorasick_rs.BytesAhoCorasick(patterns, longest, how)


def unpacked(body: bytes) -> bytes:
    """Return what a file holds, out of its compression."""
    if not body.startswith(_GZIP):
        return body
    return zlib.decompressobj(wbits=31).decompress(body, _MOST_BYTES)


@lru_cache(maxsize=2)
def open_last_look(guard: Guard) -> LastLook:
    """Return the last look of a build; made once in a process.

    Raises:
        RedactError: as `LastLook` does.
    """
    return LastLook(guard)


def _iter_forms(url: str, text: str) -> Iterator[View]:
    """Yield the forms in which who opens a file gets what it says."""
    view = View(text)
    if url.endswith((".html", ".svg", ".xml")):
        joined = view.passed(_APART).passed(_JOINING).passed(_PLACEHOLDER)
        yield from iter_cleaned(joined.passed(_PARTING).passed(_ENTITY))
        if not url.endswith(".html"):
            yield from iter_cleaned(view.passed(_PLACEHOLDER).passed(_ENTITY))
        if (spoken := view.pieces(_iter_attributes(text))) is not None:
            yield from iter_cleaned(spoken.passed(_PLACEHOLDER).passed(_ENTITY))
    elif url.startswith(_WORDS):
        if (said := view.pieces(_iter_strings(text))) is not None:
            yield from iter_cleaned(said.passed(_PLACEHOLDER).passed(_STRING))
    elif url.endswith((".json", ".jsonl")):
        yield from iter_cleaned(view.passed(_PLACEHOLDER).passed(_STRING))
    elif url.endswith(".md"):
        yield from iter_cleaned(view.passed(_PLACEHOLDER).passed(_ESCAPED_MARK))
    else:
        yield from iter_cleaned(view.passed(_PLACEHOLDER))


def _iter_attributes(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the values of attributes stand, with their names, that say something."""
    for found in _ATTRIBUTE.finditer(text):
        start = text.rfind(" ", 0, found.start()) + 1
        name = text[start : found.start()].strip()
        is_address = name in {"href", "src"} and _OWN_ADDRESS.fullmatch(found[1]) is None
        if is_address or name in _SPOKEN or name.startswith("data-"):
            yield start, found.end()


def _iter_strings(text: str) -> Iterator[tuple[int, int]]:
    """Yield where strings of JSON stand that say something, but for addresses of ours."""
    for found in _QUOTED.finditer(text):
        if len(found[1]) >= _SHORTEST and not text.endswith('"url": ', 0, found.start()):
            yield found.span(1)


def _hide(secret: bytes, kind: str) -> bytes:
    """Return what stands in the place of a secret; tags that it goes across stay."""
    return b"".join([f"{OPENING}{kind}]".encode(), *re.findall(rb"<[^<>]*>", secret)])


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", errors="surrogateescape")


def _iter_pieces(body: bytes | LongBody) -> Iterator[tuple[int, bytes]]:
    """Yield a file in pieces that begin and end between lines, with where each begins.

    Each goes on into the next one, so that what goes across several lines is whole in one
    of them. A page of 50 MB would take five times that as texts.
    """
    at = end = 0
    while end < len(body):
        after = _line_end(body, at + _PIECE_BYTES)
        end = _line_end(body, after + _SHARED_BYTES)
        yield at, body[at:end]
        at = after


def _line_end(body: bytes | LongBody, place: int) -> int:
    """Return where the first line behind `place` ends that does not end within a tag."""
    line_end = b">\n" if body[:1] == b"<" else b"\n"
    found = body.find(line_end, place)
    return len(body) if found < 0 else found + len(line_end)
