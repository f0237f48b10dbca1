"""From the records on disk to drawn turns: the one place where pages meet files."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from operator import is_
from pathlib import Path

from msgspec.structs import replace

from everyleaf.config import Detail, Left, SharedPrefix
from everyleaf.graph.forest import PathRef, Turn
from everyleaf.model import Envelope
from everyleaf.pages.addresses import SiteSettings, agent_markdown_url, agent_url, file_url
from everyleaf.pages.drawing import Build, TurnDrawer
from everyleaf.pages.forks import compared_turns, find_linked, opponents
from everyleaf.pages.fragments import ChunkFiles, FragmentBook
from everyleaf.pages.pathpage import CalledAgents, GroupContext, PathSums
from everyleaf.pages.work import FamilyWork, TurnKey
from everyleaf.records.load import RecordFiles, drop_original, keep_needed
from everyleaf.records.schema import AnyRecord
from everyleaf.redact.masking import open_mask
from everyleaf.render.html import render_html
from everyleaf.render.markdown import render_markdown
from everyleaf.theming.load import load_theme
from everyleaf.transcript.build import Load, build_turn
from everyleaf.transcript.document import Task, ToolCall, TurnDocument
from everyleaf.transcript.entries import leave_out
from everyleaf.transcript.facts import called_agents
from everyleaf.transcript.results import open_spills


def open_drawer(
    work: FamilyWork,
    settings: SiteSettings,
    *,
    sketched: Collection[TurnKey] = frozenset(),
    book: FragmentBook | None = None,
    ahead: ChunkFiles | None = None,
) -> TurnDrawer:
    """Return what draws the turns of `work` in the formats of the site.

    Of the turns that are `sketched`, it keeps a sketch. Those that `book` knows are drawn
    only where a page asks for what they show; those that were drawn `ahead` are not drawn
    again.
    """
    knows = (book or FragmentBook(work, "")).knows

    def html_url(session: str, agent_id: str) -> str | None:
        is_known = knows(session, agent_id)
        return f"../{agent_url(session, agent_id)}" if is_known else None

    def markdown_url(session: str, agent_id: str) -> str | None:
        is_known = knows(session, agent_id)
        return agent_markdown_url(session, agent_id, folder="") if is_known else None

    projects = work.projects()

    def page_of(session: str, file: str) -> str:
        project = projects.get(session)
        return "" if project is None else f"../{file_url(project, file)}"

    blob_root = "../blobs/" if settings.markdown_dir else "blobs/"
    html = None
    if settings.has_html:
        theme = load_theme(settings.theme)
        html = partial(render_html, theme=theme, agent_url=html_url, file_url=page_of)
    markdown = partial(render_markdown, blob_root=blob_root, agent_url=markdown_url)
    return TurnDrawer(
        work.tree,
        open_builder(work, settings.without),
        settings,
        html=html,
        markdown=markdown if settings.has_markdown else None,
        sketched=sketched,
        book=book,
        ahead=ahead,
    )


def open_group(
    work: FamilyWork,
    settings: SiteSettings,
    *,
    asked: Iterable[PathRef] | None = None,
    book: FragmentBook | None = None,
    ahead: ChunkFiles | None = None,
) -> GroupContext:
    """Return what the pages of `work` have in common, each turn drawn once.

    `asked` are the paths whose pages are asked for; None: all.
    """
    paths = work.paths()
    compared = opponents(paths if settings.has_html else {})
    sketched = compared_turns(work, compared)
    drawer = open_drawer(work, settings, sketched=sketched, book=book, ahead=ahead)
    called = CalledAgents(work, drawer)
    linked = find_linked(work, settings.shared_prefix)
    sums = PathSums(called, work.tree.leaves if asked is None else asked)
    return GroupContext(work, settings, drawer, paths, called, sums, compared, linked)


def open_alone(
    work: FamilyWork,
    detail: Detail,
    *,
    asked: Iterable[PathRef] | None = None,
    is_redacted: bool,
) -> GroupContext:
    """Return the same for Markdown files without a site: each holds all of its path."""
    settings = SiteSettings(
        title="",
        has_html=False,
        detail=detail,
        shared_prefix=SharedPrefix.FULL,
        is_redacted=is_redacted,
    )
    return open_group(work, settings, asked=asked)


def open_loader(work: FamilyWork, *, has_originals: bool = True) -> Load:
    """Return what reads the records of `work` again, masked as their sources say.

    Without `has_originals` an edit does not hold all of the file as it was before.
    """
    files = RecordFiles()
    locations = {source: Path(ref.location) for source, ref in work.sources.items()}

    def load(source: int, envelopes: Sequence[Envelope]) -> Sequence[AnyRecord]:
        ref = work.sources[source]
        record = open_mask(ref.mask).record
        # To look for all values in each line again takes as long as to mask all places.
        placed = open_mask(ref.mask.of_places()).record if ref.is_clear else record

        def redact(raw: dict[str, object], line: bytes) -> dict[str, object]:
            told = raw if has_originals else drop_original(raw)
            # A line that cannot be read by itself was not looked at by itself.
            return (placed if line else record)(told, line, keep_needed)

        return files.load(locations[source], envelopes, redact)

    return load


def open_builder(work: FamilyWork, without: Collection[Left] = frozenset()) -> Build:
    """Return what makes the documents of the turns of `work`, masked as sources say.

    Of what is named in `without`, nothing is in them.
    """
    called = work.called()
    load = open_loader(work, has_originals=False)

    @cache
    def spills_of(number: int) -> Callable[[str], str | None]:
        source = work.sources[number]
        return open_spills(Path(source.tool_results_dir), open_mask(source.mask).text)

    def build(turn: Turn, tasks: tuple[Task, ...]) -> TurnDocument:
        document = build_turn(
            turn,
            load,
            read_spilled=spills_of(turn.source),
            tasks=tasks,
            withdrawn=work.withdrawn,
        )
        return leave_out(_link_agents(document, called), without)

    return build


def _link_agents(
    document: TurnDocument, called: Mapping[tuple[str, str], str]
) -> TurnDocument:
    """Return `document` with the agents of calls whose own record does not name them."""
    entries = list(document.entries)
    for place, entry in enumerate(entries):
        if isinstance(entry, ToolCall) and not entry.agent_id:
            agent_id = called.get((document.session, entry.tool_use_id))
            if agent_id:
                entries[place] = replace(entry, agent_id=agent_id)
    if all(map(is_, entries, document.entries)):
        return document
    facts = replace(document.facts, agents=called_agents(entries))
    return replace(document, entries=tuple(entries), facts=facts)
