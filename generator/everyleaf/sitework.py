"""What workers do for a site: they draw, and write what they drew where it is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.collector import give_back
from everyleaf.digest import digest_bytes, digest_hex
from everyleaf.errors import ThemeError
from everyleaf.outputs import HELD_BYTES, LongBody, Output, StagedFile
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.facts import ReportFacts, SessionFacts
from everyleaf.pages.pagesink import MadePage, PageSink, Standing
from everyleaf.publish.disk import StagingWriter
from everyleaf.redact.lastlook import Guard, open_last_look
from everyleaf.search.index import SearchIndex, build_index
from everyleaf.search.pages import parse_search_pages
from everyleaf.state.groups import TurnState


class Draw(Struct, frozen=True):
    """How to draw, and where to."""

    settings: SiteSettings
    writer: StagingWriter
    turns: TurnState
    guard: Guard
    """What no file may hold."""

    def put(self, url: str, body: bytes | LongBody) -> StagedFile:
        """Write a file where publishing finds it, after a last look for secrets."""
        body, masked = open_last_look(self.guard).clean(url, body)
        drawn = self.writer.put(url, body)
        if len(body) > HELD_BYTES:
            give_back()  # What drawing such a page took, beside others that are small.
        return replace(drawn, masked=masked) if masked else drawn

    def take(self, drawn: list[StagedFile], one: Output | StagedFile) -> None:
        """Add a file to those that are `drawn`, in its place or written now."""
        drawn.append(one if isinstance(one, StagedFile) else self.put(one.url, one.body))

    def put_new(self, output: Output, standing: Mapping[str, str]) -> StagedFile:
        """Do what `put` does, unless it is `standing` (url → digest), looked through."""
        digest = digest_hex(output.body)
        if standing.get(output.url) == digest:
            return StagedFile(output.url, digest)
        return self.put(output.url, output.body)

    def put_aside(self, name: str, kind: str, body: bytes) -> None:
        """Write what is no file of the site, for other jobs of this build."""
        self.writer.put_aside(f"{name}-{kind}", body)

    def aside(self, name: str, kind: str) -> Path:
        """Return where `put_aside` wrote it."""
        return self.writer.aside(f"{name}-{kind}")


def put_index(index: SearchIndex, draw: Draw) -> list[StagedFile]:
    """Make an index, and write what of it is new where publishing finds it.

    Raises:
        ConfigError: Pagefind's program is missing, or failed.
    """
    bodies = draw.writer.read_all(index.words)
    pages = chain.from_iterable(map(parse_search_pages, bodies))
    files = build_index(pages, index.folder)
    return [draw.put_new(output, index.standing) for output in files]


LIST_WORK = ("lists", "work")
"""What the work for the lists is put aside as."""
LIST_JOBS = 4
"""So many draw the lists: nothing else is left to be done then. Most are pages of files."""


class ListWork(Struct, frozen=True):
    """What the lists of a site are made of."""

    facts: list[bytes]
    """Of each session, as `list_session` has them."""
    drawn: list[str]
    """Sessions that have got their own page already."""
    gone: list[str]
    """Sessions whose files are not there any more."""
    published: list[str]
    """Addresses of the last build that no session has now."""
    reading: ReportFacts

    def digest(self) -> str:
        """Return a digest of all of it; the facts of all sessions are not copied."""
        rest = msgspec.msgpack.encode(replace(self, facts=[]))
        return digest_bytes(rest, *self.facts).hex()


def draw_lists(
    draw: Draw, standing: Standing, work: ListWork | None, jobs: int, number: int
) -> tuple[list[StagedFile], dict[str, MadePage], dict[str, set[str]]]:
    """Draw what of the lists does not stand, and the theme's own files; return the owners.

    Without their `work`, what they are made of was put aside as `LIST_WORK`. Of `jobs`,
    those behind the first draw pages of files alone.
    """
    # Not imported above: what hands out work does not draw.
    from everyleaf.pages.filepages import ListedFacts  # noqa: PLC0415
    from everyleaf.pages.lists import ListDrawer, put_lists, stubs  # noqa: PLC0415
    from everyleaf.theming.load import load_theme  # noqa: PLC0415  (as above)

    if work is None:
        work = msgspec.msgpack.decode(draw.aside(*LIST_WORK).read_bytes(), type=ListWork)
    by_name: dict[str, ListedFacts] = {}
    digests: dict[str, bytes] = {}
    work.facts.reverse()
    while work.facts:  # One form of each is enough: they are many.
        body = work.facts.pop()
        one = msgspec.msgpack.decode(body, type=ListedFacts)
        by_name[one.brief.session], digests[one.brief.session] = one, digest_bytes(body)
    settings = draw.settings
    drawn: list[StagedFile] = []

    def take(one: Output | StagedFile) -> None:
        if isinstance(one, Output):
            one = draw.put_new(one, standing.files)
        drawn.append(one)

    def whole(some: Sequence[SessionFacts]) -> list[SessionFacts]:
        return [by_name[one.session].whole() for one in some]

    sink = PageSink(take, context=draw.turns.context, standing=standing)
    lists = ListDrawer(settings, sink, frozenset(work.gone), digests, whole)
    lists.files(by_name.values(), number, jobs)
    if number:
        return drawn, sink.made, sink.owners
    fresh, sessions = set(work.drawn), [one.brief for one in by_name.values()]
    present = (facts for facts in sessions if facts.session in fresh)
    for stub, session in stubs(present, settings, frozenset(work.published)):
        sink.put(stub.url, stub.body, session)
    put_lists(lists, sessions, work.reading, fresh)
    if settings.has_html:
        for asset in load_theme(settings.theme).assets():
            take(asset)
    return drawn, sink.made, sink.owners


_TEMPLATES = ("turn", "parts", "transcript", "agent", "compare", "session")
"""What nearly every family is drawn with."""
_LANGUAGES = {"bash": "ls\n", "python": 'x = f"{y}"\n'}
"""What is in nearly every archive, and a word of it that takes its lexer through states."""

_PROSE = "| <i> |\n|---|\n| [x](y) |"
"""What takes the parsers of both formats."""


def prepare_worker(theme: str) -> None:
    """Import and compile what drawing takes, while nothing is there to be drawn yet.

    A theme that is broken is an error where it is used, not here.
    """
    import everyleaf.pages.family  # noqa: F401, PLC0415  # pyright: ignore[reportUnusedImport]  (imported for its modules)
    from everyleaf.render.highlight import highlight  # noqa: PLC0415  (as above)
    from everyleaf.render.markdown_text import prose  # noqa: PLC0415  (as above)
    from everyleaf.render.prose import render_prose  # noqa: PLC0415  (as above)
    from everyleaf.theming.load import load_theme  # noqa: PLC0415  (as above)

    with suppress(ThemeError):
        for name in _TEMPLATES:
            load_theme(theme).template(f"{name}.html.j2")
    for language, text in _LANGUAGES.items():
        highlight(text, language)
    render_prose(_PROSE)
    prose(_PROSE)
