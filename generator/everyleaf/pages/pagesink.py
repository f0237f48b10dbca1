"""Where the pages of a family go: drawn now, or left as they stand."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct, field

from everyleaf.digest import digest_hex
from everyleaf.fingerprint import digest_value
from everyleaf.outputs import Output, StagedFile
from everyleaf.pages.addresses import blob_url
from everyleaf.pages.standing import StandingTurns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from everyleaf.outputs import Blob


class DrawnPage(Struct, frozen=True):
    """A page, drawn."""

    body: bytes
    blobs: Mapping[str, Blob] = field(default_factory=dict[str, "Blob"])
    """What it links to and no turn has, by name."""


class MadePage(Struct, frozen=True):
    """What is known of a page once it was drawn."""

    input_digest: str
    """Digest of everything that went into it."""
    blobs: tuple[str, ...] = ()
    """Names of what it links to and no turn has, sorted."""


class Standing(Struct, frozen=True):
    """What stands in its place, whole, of an earlier build."""

    files: Mapping[str, str] = field(default_factory=dict[str, str])
    """Digest of the bytes of each file, by url."""
    pages: Mapping[str, MadePage] = field(default_factory=dict[str, MadePage])
    """By url; one that is not among the files does not stand."""


class PageSink:
    """Takes what is ready, with the sessions that it is for."""

    def __init__(
        self,
        take: Callable[[Output | StagedFile], None],
        *,
        context: str = "",
        standing: Standing | None = None,
        turns: StandingTurns | None = None,
    ) -> None:
        """Hand what is ready to `take`; a page of `standing` is not drawn again.

        `context` is a digest of what goes into every page; empty: every page is drawn.
        """
        self.turns = turns or StandingTurns()
        """What need not be drawn of a page that is."""
        self.owners: defaultdict[str, set[str]] = defaultdict(set)
        self.made: dict[str, MadePage] = {}
        """Every page of the family that is made of something known."""
        self.pages = 0
        """Pages that were drawn."""
        self.digests: defaultdict[str, dict[str, str]] = defaultdict(dict)
        """Session → digest of the bytes of each of its pages, by url."""
        self._take = take
        self._context = context
        self._standing = standing or Standing()

    def put_page(
        self,
        url: str,
        inputs: object,
        draw: Callable[[], DrawnPage],
        sessions: Iterable[str],
    ) -> None:
        """Take a page, drawn unless it stands and its `inputs` are the same."""
        sessions = tuple(sessions)
        self.owners[url].update(sessions)
        name = digest_value([self._context, inputs]) if self._context else ""
        known = self._find(url, name)
        if known is not None:
            self.made[url] = known
            self._note(url, self._standing.files[url], sessions)
            self._take(StagedFile(url, self._standing.files[url]))
            for blob in known.blobs:
                self._leave(blob_url(blob), sessions)
            return
        drawn = draw()
        self.pages += 1
        body = drawn.body
        self._note(url, digest_hex(body), sessions)
        self._take(Output(url, body))
        for _, linked in sorted(drawn.blobs.items()):
            self.put_blob(linked.name, partial(_body_of, linked), sessions)
        if name:
            self.made[url] = MadePage(name, tuple(sorted(drawn.blobs)))

    def put(self, url: str, body: bytes, session: str) -> None:
        """Take a file that is no page."""
        self.owners[url].add(session)
        self._take(Output(url, body))

    def put_blob(
        self, name: str, body: Callable[[], bytes | StagedFile], sessions: Iterable[str]
    ) -> None:
        """Take what pages link to; asks for its `body` unless it stands."""
        url = blob_url(name)
        if url in self._standing.files:
            self._leave(url, sessions)
            return
        if url not in self.owners:
            made = body()
            self._take(made if isinstance(made, StagedFile) else Output(url, made))
        self.owners[url].update(sessions)

    def _note(self, url: str, digest: str, sessions: Iterable[str]) -> None:
        for session in sessions:
            self.digests[session][url] = digest

    def _leave(self, url: str, sessions: Iterable[str]) -> None:
        if url not in self.owners:
            self._take(StagedFile(url, self._standing.files[url]))
        self.owners[url].update(sessions)

    def _find(self, url: str, name: str) -> MadePage | None:
        """Return what is known of a page, if it stands, made of `name`, with its blobs."""
        known, files = self._standing.pages.get(url), self._standing.files
        if not name or known is None or known.input_digest != name or url not in files:
            return None
        return known if all(blob_url(blob) in files for blob in known.blobs) else None


def _body_of(blob: Blob) -> bytes:
    return blob.body
