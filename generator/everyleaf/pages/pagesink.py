"""Where the pages of a group go: drawn now, or left as they stand, whole or turn by turn.

Of a session that goes on, turns stand on the pages of the last build: one line more, and
one turn is drawn.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec
from msgspec import Struct, field

from everyleaf.digest import digest_bytes, digest_hex, digest_value
from everyleaf.outputs import Blob, LongBody, Output, StagedFile, join_encoded
from everyleaf.pages.addresses import blob_url
from everyleaf.pages.drawing import PageTurn
from everyleaf.pages.fragments import TurnFragment

Show = Callable[[PageTurn], str]
"""Returns what a page shows of a turn, with the numbers of its prompts."""
Spool = Callable[[str, Iterable[str]], bytes | LongBody]
"""Puts a page together."""


class MadePage(Struct, frozen=True):
    """What is known of a page once it was drawn."""

    input_digest: str
    """Digest of everything that went into it."""
    blobs: tuple[str, ...] = ()
    """Names of what it links to and no turn has, sorted."""


class Standing(Struct, frozen=True):
    """What stands in its place, whole, of an earlier build."""

    files: Mapping[str, str] = {}
    """Digest of the bytes of each file, by url."""
    pages: Mapping[str, MadePage] = {}
    """By url; one that is not among the files does not stand."""


class PageSink(Struct):
    """Takes what is ready, with the sessions that it is for, and hands it to `take`."""

    take: Callable[[Output | StagedFile], None]
    stage: Callable[[str, LongBody], StagedFile] | None = None
    """Is handed what `turns` returns as a long page before."""
    context: str = ""
    """Digest of what goes into every page; empty: every page is drawn."""
    standing: Standing = Standing()
    """Its pages are not drawn again."""
    turns: StandingTurns = field(default_factory=lambda: StandingTurns())  # noqa: PLW0108  (it stands below)
    """What need not be drawn of a page that is."""
    owners: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    made: dict[str, MadePage] = {}
    """Every page of the family that is made of something known."""
    pages: int = 0
    """Pages that were drawn."""
    digests: dict[str, dict[str, str]] = {}
    """Session → digest of the bytes of each of its pages, by url."""

    def put_page(
        self,
        url: str,
        inputs: object,
        draw: Callable[[], bytes | LongBody],
        sessions: Iterable[str],
        blobs: Mapping[str, Blob] = {},
    ) -> None:
        """Take a page, drawn unless it stands and its `inputs` are the same.

        To `blobs`, drawing adds what the page links to and no turn has, by name.
        """
        sessions = tuple(sessions)
        self.owners[url].update(sessions)
        name = digest_value([self.context, inputs]) if self.context else ""
        known = self._find(url, name)
        if known is not None:
            self.made[url] = known
            self._note(url, self.standing.files[url], sessions)
            self.take(StagedFile(url, self.standing.files[url]))
            for blob in known.blobs:
                self._leave(blob_url(blob), sessions)
            return
        body = draw()
        self.pages += 1
        self._note(url, _digest_of(body), sessions)
        if isinstance(body, bytes):
            self.take(Output(url, body))
        elif self.stage is not None:
            self.take(self.stage(url, body))
        for _, linked in sorted(blobs.items()):
            self.put_blob(linked.name, lambda: linked.body, sessions)  # noqa: B023  (called at once)
        if name:
            self.made[url] = MadePage(name, tuple(sorted(blobs)))

    def put(self, url: str, body: bytes, session: str) -> None:
        """Take a file that is no page."""
        self.owners[url].add(session)
        self.take(Output(url, body))

    def put_blob(
        self, name: str, body: Callable[[], bytes | StagedFile], sessions: Iterable[str]
    ) -> None:
        """Take what pages link to; asks for its `body` unless it stands."""
        url = blob_url(name)
        if url in self.standing.files:
            self._leave(url, sessions)
            return
        if url not in self.owners:
            made = body()
            self.take(made if isinstance(made, StagedFile) else Output(url, made))
        self.owners[url].update(sessions)

    def _note(self, url: str, digest: str, sessions: Iterable[str]) -> None:
        for session in sessions:
            self.digests.setdefault(session, {})[url] = digest

    def _leave(self, url: str, sessions: Iterable[str]) -> None:
        if url not in self.owners:
            self.take(StagedFile(url, self.standing.files[url]))
        self.owners[url].update(sessions)

    def _find(self, url: str, name: str) -> MadePage | None:
        """Return what is known of a page, if it stands, made of `name`, with its blobs."""
        known, files = self.standing.pages.get(url), self.standing.files
        if not name or known is None or known.input_digest != name or url not in files:
            return None
        return known if all(blob_url(blob) in files for blob in known.blobs) else None


MOST_PLACES = 100_000
"""Turns on pages that are noted of a family: 10 to 15 MB. Beyond that, they are drawn."""
_OPENED = 2
"""Pages that are held at once: a path, and one that it shares its beginning with."""
_HEAD_BYTES = 80
_Wanted = tuple[str, str, int]
"""(kind of page, what a turn is made of, prompts before it)."""


class TurnPlace(Struct, frozen=True, gc=False):
    """A turn on a page."""

    input_digest: str
    """Digest of all that goes into the turn."""
    prompts_before: int
    start: int
    """Byte of the page that it begins with."""
    end: int


class PagePlaces(Struct, frozen=True):
    """A page, and where its turns stand on it."""

    digest: str
    """Of its bytes."""
    places: tuple[TurnPlace, ...]


class StandingTurns:
    """What pages of the last build show of turns, and where pages show them now."""

    def __init__(
        self,
        known: Mapping[str, PagePlaces] | None = None,
        read: Callable[[str], bytes | None] | None = None,
        spool: Spool = lambda _, texts: join_encoded(texts),
    ) -> None:
        """Cut turns out of pages that are `known`, by url; `read` returns their bytes.

        Pages are put together by `spool`, which is told their urls.
        """
        self.now: dict[str, bytes] = {}
        """Pages that were drawn, by url, packed: a long session has many places."""
        self._known = known or {}
        self._read, self._spool = read, spool
        self._room = MOST_PLACES
        self._places: dict[_Wanted, tuple[str, TurnPlace]] = {
            (url.rpartition(".")[2], place.input_digest, place.prompts_before): (url, place)
            for url, page in self._known.items()
            for place in page.places
        }
        self._opened: dict[str, bytes] = {}
        """Pages that were read last, by url: a cache around a method would be a cycle."""

    def draw(
        self,
        url: str,
        number: Show,
        fill: Callable[[Show], Iterable[str]],
        is_drawn: Callable[[TurnFragment], bool],
    ) -> bytes | LongBody:
        """Return the page `url`, which `fill` makes of what is shown of each turn.

        A turn that cannot be cut out is drawn, by `number`; one that `is_drawn` in this
        build is not: it has a reason to be, and may link to other agents.
        """
        shown: list[_Shown] = []

        def show(turn: PageTurn) -> str:
            found = "" if is_drawn(turn.fragment) else self._find(url, turn)
            text = found or number(turn)
            if name := turn.fragment.input_digest:
                body = text.encode("utf-8", "replace")
                head, digest = body[:_HEAD_BYTES], digest_bytes(body)
                shown.append(_Shown(name, turn.prompts_before, head, len(body), digest))
            return text

        page = self._spool(url, fill(show))
        self._note(url, page, shown)
        return page

    def kept(self, urls: Iterable[str]) -> Iterator[bytes]:
        """Yield what is known now of those of `urls` that were drawn, packed."""
        for url in urls:
            if url in self.now or url in self._known:
                yield self.now.get(url) or _packed(url, self._known[url])

    def _find(self, url: str, page_turn: PageTurn) -> str:
        """Return what stands on a page of this kind of a turn; empty where none has it."""
        kind, input_digest = url.rpartition(".")[2], page_turn.fragment.input_digest
        place = self._places.get((kind, input_digest, page_turn.prompts_before))
        if place is None or not input_digest:
            return ""
        page = self._page(place[0])
        return page[place[1].start : place[1].end].decode()

    def _page(self, url: str) -> bytes:
        """Return a page of the last build; empty if it is not what it was."""
        if url not in self._opened:
            body = self._read(url) if self._read else None
            if body is None or digest_hex(body) != self._known[url].digest:
                body = b""
            if len(self._opened) >= _OPENED:
                del self._opened[next(iter(self._opened))]
            self._opened[url] = body
        return self._opened[url]

    def _note(self, url: str, page: bytes | LongBody, shown: Iterable[_Shown]) -> None:
        places: list[TurnPlace] = []
        end = 0
        for turn in shown:
            start = page.find(turn.head, end)
            after = start + turn.size_bytes
            # A theme may make something else of it.
            if start >= 0 and digest_bytes(page[start:after]) == turn.digest:
                end = after
                places.append(TurnPlace(turn.input_digest, turn.prompts_before, start, end))
        self._room -= len(places)
        if places and self._room >= 0:
            self.now[url] = _packed(url, PagePlaces(_digest_of(page), tuple(places)))


class _Shown(Struct, frozen=True, gc=False):
    """What a page that is being drawn shows of a turn, without the text: that is long."""

    input_digest: str
    prompts_before: int
    head: bytes
    """How it begins."""
    size_bytes: int
    digest: bytes


def _digest_of(body: bytes | LongBody) -> str:
    return digest_hex(body) if isinstance(body, bytes) else body.digest


def _packed(url: str, page: PagePlaces) -> bytes:
    return zlib.compress(msgspec.msgpack.encode({url: page}), 1)
