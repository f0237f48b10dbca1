"""The compare pages of a session group, and a comparison as a page of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.compare.comparison import LOOKED_BEFORE, Comparison, compare_chains
from everyleaf.compare.files import TurnFiles, read_turn_files
from everyleaf.compare.sketch import TurnSketch
from everyleaf.compare.split import Attempt, ForkSplit, cut_after_prompts
from everyleaf.config import Left
from everyleaf.graph.forest import ConversationPath, PathRef, Turn
from everyleaf.outputs import Blob
from everyleaf.pages import addresses
from everyleaf.pages.compareviews import CompareSide, compare_view, write_markdown
from everyleaf.pages.drawing import TurnDrawer
from everyleaf.pages.forks import ForkSplits, find_reach, iter_pairs
from everyleaf.pages.fragments import FragmentBook, TurnFragment
from everyleaf.pages.pagesink import PageSink
from everyleaf.pages.pathpage import GroupContext
from everyleaf.pages.sourcing import open_drawer, open_loader
from everyleaf.pages.wording import moment_utc, project_link
from everyleaf.pages.work import FamilyWork, TurnKey
from everyleaf.render.html import Canvas
from everyleaf.render.view import NavLink
from everyleaf.theming.headers import style_digest
from everyleaf.theming.load import load_theme
from everyleaf.theming.manifest import PageKind
from everyleaf.transcript.words import short_file

TEMPLATE = "comparealone.html.j2"
KNOWN_FILES = 100
"""Turns of which it is remembered what they did to files: one side stays for many pages."""
MOST_TOGETHER = 40
"""Pages that are drawn by one job of a long group, in about half a second."""
MOST_TURNS = 2_000
"""Turns that they look at, or a few more."""


class Compared(Struct, frozen=True):
    """Two paths that have a page together, and what it takes of their group."""

    paths: tuple[ConversationPath, ConversationPath]
    split: ForkSplit
    project: str
    title: str
    """Of the first one's session."""
    pages: tuple[list[PathRef], list[PathRef]]
    """Of each side, the paths whose pages show the turns that the page links to."""
    asked: tuple[tuple[int, str], ...]
    """Of each side, the number of the prompt that it begins with, and when it was asked."""

    def turns(self) -> dict[TurnKey, Turn]:
        """Return all that it looks at."""
        left, right = self.split.left, self.split.right
        looked_at = chain(left.shared, left.own, right.shared, right.own)
        return {(turn.session, turn.index): turn for turn in looked_at}


class Comparisons(Struct, frozen=True):
    """Some compare pages of a session group to be drawn by themselves."""

    work: FamilyWork
    """Nothing but the turns that are looked at."""
    fragments: list[TurnFragment]
    """Of these turns."""
    pairs: list[Compared]

    def put(self, settings: addresses.SiteSettings, sink: PageSink) -> None:
        """Put all of them in the sink."""
        book = FragmentBook(self.work, "")
        book.now.update((one.key, one) for one in self.fragments)
        drawer = open_drawer(self.work, settings, book=book)
        ComparePages(settings, self.work, drawer).put(self.pairs, sink)


def iter_compared(group: GroupContext) -> Iterator[Compared]:
    """Yield the paths of a group that have pages together."""
    work, sums = group.work, group.sums
    sessions = {session.session: session for session in work.sessions}
    reach = find_reach(group.paths, iter_pairs(group.compared))
    splits = ForkSplits(work.tree, group.compared, reach)

    def asked(side: Attempt) -> tuple[int, str]:
        key = (side.own[0].session, side.own[0].index) if side.own else None
        if key is None or not group.drawer.turn(key).numbered:
            return 0, ""
        at = next(placed.envelope.timestamp for placed in side.own[0].records)
        return sums.prompts_before(key) + 1, moment_utc(at)

    def pages(ref: PathRef, side: Attempt) -> list[PathRef]:
        keys = ((turn.session, turn.index) for turn in _linked(side))
        return [group.linked.page_of(ref, key) for key in keys]

    for one, other in iter_pairs(group.compared):
        paths, split = (group.paths[one], group.paths[other]), splits.split(one, other)
        if any(path.is_withdrawn for path in paths):
            split = cut_after_prompts(split)
        left, right, session = split.left, split.right, sessions[one.session]
        yield Compared(
            paths,
            split,
            session.project,
            session.title,
            (pages(one, left), pages(other, right)),
            (asked(left), asked(right)),
        )


def iter_parts(group: GroupContext) -> Iterator[Comparisons]:
    """Yield the compare pages of a group, some at a time."""
    group.sums.follow()  # A turn is known when those above it are.
    turns: dict[TurnKey, Turn] = {}
    pairs: list[Compared] = []

    def cut() -> Comparisons:
        drawn = map(group.drawer.whole, map(group.drawer.turn, turns))
        fragments = [replace(one, said=(), outline=(), gist="") for one in drawn]
        return Comparisons(group.work.cut(turns), fragments, pairs)

    for one in iter_compared(group):
        pairs.append(one)
        turns |= one.turns()
        if len(pairs) >= MOST_TOGETHER or len(turns) >= MOST_TURNS:
            yield cut()
            turns, pairs = {}, []
    if pairs:
        yield cut()


class ComparePages:
    """Makes the compare pages of a session group, one at a time."""

    def __init__(
        self, settings: addresses.SiteSettings, work: FamilyWork, drawer: TurnDrawer
    ) -> None:
        """Prepare to compare paths of `work`, whose turns `drawer` has."""
        self._settings = settings
        self._drawer = drawer
        self._turns = work.tree.turns
        self._projects = work.projects()
        self._theme = load_theme(settings.theme)
        self._load = open_loader(work)
        self._files_of = lru_cache(KNOWN_FILES)(self._read_again)

    def put(self, pairs: Iterable[Compared], sink: PageSink) -> None:
        """Put the pages of `pairs` in the sink."""
        for one in pairs:
            refs = [path.ref for path in one.paths]
            sessions = sorted({ref.session for ref in refs})
            url, blobs = addresses.compare_url(*refs), dict[str, Blob]()
            page = partial(self._page, one, blobs)
            sink.put_page(url, self._inputs(one), page, sessions, blobs)

    def _inputs(self, one: Compared) -> object:
        """Return all that goes into a page, as plain data; draws nothing."""
        split, turn = one.split, self._turn
        return (
            [
                (path.label, path.title, path.status, path.is_withdrawn)
                for path in one.paths
            ],
            (one.project, one.title, one.pages, one.asked),
            (split.messages, split.split, split.left.beyond, split.right.beyond),
            [
                [turn(each).input_digest for each in half]
                for side in (split.left, split.right)
                for half in (side.shared, side.own)
            ],
        )

    def _page(self, one: Compared, blobs: dict[str, Blob]) -> bytes:
        """Return a page, and add the blobs that it links to.

        Cost: that of the turns after the fork, which are not built again; those with
        results are read for what they did to files, most of them once.
        """
        left, right = one.paths
        here, split = addresses.compare_url(left.ref, right.ref), one.split
        session = addresses.relative(here, addresses.session_url(left.session))
        # Of a withdrawn prompt, no file is shown.
        is_brief = left.is_withdrawn or right.is_withdrawn
        read_files = _no_files if is_brief else self._read_files
        comparison = compare_chains(split, read_files=read_files, sketch=self._sketch)
        canvas = Canvas(self._theme.template("parts.html.j2").module, lambda _: None, blobs)
        view = compare_view(
            comparison,
            self._side(left, split.left, one.pages[0], one.asked[0], here),
            self._side(right, split.right, one.pages[1], one.asked[1], here),
            canvas,
            (project_link(one.project, here), NavLink("Session", session)),
        )
        if self._theme.has_scripts and view.facts:
            view = replace(view, markdown=write_markdown(view))
        return addresses.draw_page(self._settings, "compare.html.j2", here, view)

    def _side(
        self,
        path: ConversationPath,
        part: Attempt,
        pages: Sequence[PathRef],
        asked: tuple[int, str],
        here: str,
    ) -> CompareSide:
        page = _page_url(path.ref, here)
        urls: dict[str, str] = {}
        for turn, ref in zip(_linked(part), pages, strict=True):
            anchors, shown = self._turn(turn).anchors, _page_url(ref, here)
            urls.update((uuid, f"{shown}#{anchor}") for uuid, anchor in anchors.items())
        files = dict(self._iter_files(part, here))
        return CompareSide(
            path,
            lambda uuid: urls.get(uuid, page),
            lambda name: files.get(name, ""),
            *asked,
        )

    def _iter_files(self, part: Attempt, here: str) -> Iterator[tuple[str, str]]:
        """Yield (name as the page shows it, page) of each file that a side edited."""
        facts = (self._turn(turn).facts for turn in (*part.shared[:1], *part.own))
        folder = next((each.folder for each in facts if each.folder), "")
        for turn in part.own:
            project = self._projects[turn.session]
            for edit in self._turn(turn).edits:
                url = addresses.file_url(project, edit.name)
                yield short_file(edit.file, folder), addresses.relative(here, url)

    def _turn(self, turn: Turn) -> TurnFragment:
        return self._drawer.turn((turn.session, turn.index))

    def _sketch(self, turn: Turn) -> TurnSketch:
        return self._drawer.sketch((turn.session, turn.index))

    def _read_files(self, turn: Turn) -> TurnFiles:
        if Left.TOOLS in self._settings.without:
            return _no_files(turn)
        sketch = self._sketch(turn)
        if not sketch.tells_of_files:
            return TurnFiles(sketch.facts.folder, ())
        return self._files_of((turn.session, turn.index))

    def _read_again(self, key: TurnKey) -> TurnFiles:
        return read_turn_files(self._turns[key], self._load)


def _page_url(ref: PathRef, here: str) -> str:
    return addresses.relative(here, addresses.transcript_url(ref.session, ref.number))


def _no_files(_turn: Turn) -> TurnFiles:
    return TurnFiles("", ())


def _linked(side: Attempt) -> tuple[Turn, ...]:
    """Return the turns that the page of a comparison links to."""
    return (*side.shared[-LOOKED_BEFORE:], *side.own)


def lone_page(
    comparison: Comparison,
    left: ConversationPath,
    right: ConversationPath,
    *,
    files_only: bool = False,
) -> str:
    """Return one HTML page with its style inside, without links to a site.

    Its policy allows the style by its digest, and nothing else.
    """
    theme = load_theme("default")
    canvas = _LoneCanvas(theme.template("parts.html.j2").module, lambda _: None)
    one, other = (CompareSide(path, lambda _uuid: "") for path in (left, right))
    view = compare_view(comparison, one, other, canvas)
    view = replace(view, site_title=view.title)
    if files_only:
        view = replace(view, facts=(), groups=(), words=())
    sheets = theme.stylesheets(PageKind.COMPARE_ALONE)
    style = "\n".join(sheet.body.decode("utf-8") for sheet in sheets)
    style = style.replace("</", "<\\/")  # As it may stand in a `style` element.
    with theme.explaining(TEMPLATE):
        return theme.template(TEMPLATE).render(
            page=view,
            files_only=files_only,
            is_cut=bool(canvas.blobs),
            # The theme's own file, in which nothing of a transcript stands.
            style=Markup(style),  # noqa: S704
            policy=f"default-src 'none'; style-src '{style_digest(style)}'",
        )


class _LoneCanvas(Canvas):
    """Where there is no folder beside the page: what is long is cut."""

    def keep(self, blob: Blob) -> str:
        self.blobs[blob.name] = blob
        return "#main"
