"""The compare pages of a session group, and a comparison as a page of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from markupsafe import Markup
from msgspec.structs import replace

from everyleaf.compare.comparison import LOOKED_BEFORE, Comparison, compare_chains
from everyleaf.compare.sketch import TurnSketch
from everyleaf.compare.split import Attempt, ForkSplit, cut_after_prompts
from everyleaf.compare.touches import TurnFiles, read_turn_files
from everyleaf.config import Left
from everyleaf.graph.forest import ConversationPath, PathRef, Turn
from everyleaf.outputs import Blob
from everyleaf.pages.addresses import (
    compare_url,
    draw_page,
    file_url,
    project_url,
    relative,
    session_url,
)
from everyleaf.pages.compareviews import CompareSide, compare_view, with_markdown
from everyleaf.pages.forks import ForkSplits, Pair, find_reach, iter_pairs
from everyleaf.pages.pagesink import DrawnPage
from everyleaf.pages.pathpage import GroupContext
from everyleaf.pages.sourcing import open_loader
from everyleaf.pages.wording import moment_utc
from everyleaf.pages.work import SessionWork, TurnKey
from everyleaf.render.html import Canvas
from everyleaf.render.view import NavLink
from everyleaf.theming.formats import visible
from everyleaf.theming.headers import style_digest
from everyleaf.theming.load import load_theme
from everyleaf.theming.manifest import PageKind
from everyleaf.theming.theme import Theme
from everyleaf.transcript.words import short_file

TEMPLATE = "comparealone.html.j2"
KNOWN_FILES = 100
"""Turns of which it is remembered what they did to files: one side stays for many pages."""


class ComparePages:
    """Makes the compare pages of a session group, one at a time."""

    def __init__(self, group: GroupContext) -> None:
        """Prepare to compare the paths of `group`."""
        self._group = group
        self._theme = load_theme(group.settings.theme)
        self._leaves = {
            item.path.ref: (session, item.leaf)
            for session in group.work.sessions
            for item in session.paths
        }
        self._split: tuple[Pair, ForkSplit] | None = None
        self._load = open_loader(group.work)
        self._files_of = lru_cache(KNOWN_FILES)(self._read_again)
        self._splits = ForkSplits(
            group.work.tree,
            {ref: leaf for ref, (_, leaf) in self._leaves.items()},
            group.compared,
            find_reach(group.paths, iter_pairs(group.compared)),
        )

    def inputs(self, pair: Pair) -> object:
        """Return all that goes into the page of `pair`, as plain data; draws nothing."""
        session, _ = self._leaves[pair[0]]
        split, drawer = self._part(pair), self._group.drawer
        turns = [
            [drawer.turn((turn.session, turn.index)).input_digest for turn in half]
            for side in (split.left, split.right)
            for half in (side.shared, side.own)
        ]
        paths = (self._group.paths[ref] for ref in pair)
        sides = zip(pair, (_linked(split.left), _linked(split.right)), strict=True)
        pages = [[self._page_of(ref, turn) for turn in own] for ref, own in sides]
        return (
            [(one.label, one.title, one.status, one.is_withdrawn) for one in paths],
            (session.project, session.title),
            (split.messages, split.split, split.left.beyond, split.right.beyond),
            [self._asked(side.own[0]) for side in (split.left, split.right) if side.own],
            turns,
            pages,
        )

    def page(self, pair: Pair) -> DrawnPage:
        """Return the page of `pair`, with the blobs that it links to.

        Cost: that of the turns after the fork, which are not built again; those with
        results are read for what they did to files, most of them once.
        """
        here = compare_url(*pair)
        split = self._part(pair)
        paths = [self._group.paths[ref] for ref in pair]
        # Of a withdrawn prompt, no file is shown.
        is_brief = any(path.is_withdrawn for path in paths)
        read_files = _no_files if is_brief else self._read_files
        comparison = compare_chains(split, read_files=read_files, sketch=self._sketch)
        canvas = Canvas(self._theme.template("parts.html.j2").module, _nowhere)
        view = compare_view(
            comparison,
            self._side(paths[0], split.left, here),
            self._side(paths[1], split.right, here),
            canvas,
            self._crumbs(self._leaves[pair[0]][0], here),
        )
        view = with_markdown(view) if self._theme.has_scripts else view
        page = draw_page(self._group.settings, "compare.html.j2", here, view)
        return DrawnPage(page, canvas.blobs)

    def _part(self, pair: Pair) -> ForkSplit:
        if self._split is None or self._split[0] != pair:
            split = self._splits.split(*pair)
            if any(self._group.paths[ref].is_withdrawn for ref in pair):
                split = cut_after_prompts(split)
            self._split = (pair, split)
        return self._split[1]

    def _crumbs(self, session: SessionWork, here: str) -> tuple[NavLink, ...]:
        project = visible(session.project)
        return (
            NavLink(project, relative(here, project_url(session.project))),
            NavLink("Session", relative(here, session_url(session.session))),
        )

    def _side(self, path: ConversationPath, part: Attempt, here: str) -> CompareSide:
        page = relative(here, self._group.html_url(path.ref))
        urls: dict[str, str] = {}
        for turn in _linked(part):
            shown = relative(here, self._group.html_url(self._page_of(path.ref, turn)))
            anchors = self._group.drawer.turn((turn.session, turn.index)).anchors
            urls.update((uuid, f"{shown}#{anchor}") for uuid, anchor in anchors.items())
        files = dict(self._iter_files(part, here))
        number, asked = self._asked(part.own[0]) if part.own else (0, "")
        return CompareSide(
            path,
            lambda uuid: urls.get(uuid, page),
            lambda name: files.get(name, ""),
            number=number,
            asked=asked,
        )

    def _asked(self, turn: Turn) -> tuple[int, str]:
        """Return the number of the prompt that `turn` is, and when it was asked."""
        key = (turn.session, turn.index)
        if not self._group.drawer.turn(key).numbered:
            return 0, ""
        at = next(placed.envelope.timestamp for placed in turn.records)
        return self._group.sums.prompts_before(key) + 1, moment_utc(at)

    def _iter_files(self, part: Attempt, here: str) -> Iterator[tuple[str, str]]:
        """Yield (name as the page shows it, page) of each file that a side edited."""
        drawer = self._group.drawer
        projects = self._group.work.projects()
        turns = (*part.shared[:1], *part.own)
        facts = (drawer.turn((turn.session, turn.index)).facts for turn in turns)
        folder = next((each.folder for each in facts if each.folder), "")
        for turn in part.own:
            for edit in drawer.turn((turn.session, turn.index)).edits:
                url = relative(here, file_url(projects[turn.session], edit.name))
                yield short_file(edit.file, folder), url

    def _page_of(self, ref: PathRef, turn: Turn) -> PathRef:
        return self._group.linked.page_of(ref, (turn.session, turn.index))

    def _sketch(self, turn: Turn) -> TurnSketch:
        return self._group.drawer.sketch((turn.session, turn.index))

    def _read_files(self, turn: Turn) -> TurnFiles:
        if Left.TOOLS in self._group.settings.without:
            return _no_files(turn)
        sketch = self._sketch(turn)
        if not sketch.tells_of_files:
            return TurnFiles(sketch.facts.folder, ())
        return self._files_of((turn.session, turn.index))

    def _read_again(self, key: TurnKey) -> TurnFiles:
        return read_turn_files(self._group.work.tree.turns[key], self._load)


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
    theme_name: str = "default",
) -> str:
    """Return one HTML page with its style inside, without links to a site.

    Its policy allows the style by its digest, and nothing else.
    """
    theme = load_theme(theme_name)
    canvas = _LoneCanvas(theme.template("parts.html.j2").module, _nowhere)
    one, other = (CompareSide(path, lambda _uuid: "") for path in (left, right))
    view = compare_view(comparison, one, other, canvas)
    view = replace(view, site_title=view.title)
    if files_only:
        view = replace(view, facts=(), groups=(), words=())
    style = _style(theme)
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
        """Take note of `blob`, and lead nowhere."""
        self.blobs[blob.name] = blob
        return "#main"


def _style(theme: Theme) -> str:
    """Return the theme's style sheets as they may stand in a `style` element."""
    sheets = theme.stylesheets(PageKind.COMPARE_ALONE)
    return "\n".join(sheet.body.decode("utf-8") for sheet in sheets).replace("</", "<\\/")


def _nowhere(_agent_id: str) -> None:
    """Link to no agent."""
