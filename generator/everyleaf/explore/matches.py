"""Hits in files become matches in conversations: on which path, after what, before what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from msgspec import Struct

from everyleaf.archive import Archive
from everyleaf.clock import moment_of
from everyleaf.errors import SourceError
from everyleaf.explore.query import Query, QueryHit, Where, iter_texts
from everyleaf.graph.forest import PathRef, Status
from everyleaf.graph.trees import Tree, is_said
from everyleaf.grouping import grouped
from everyleaf.model import CONVERSATION, Envelope, Kind
from everyleaf.opening.named import PathFinder
from everyleaf.pages.addresses import agent_url, transcript_url
from everyleaf.records.recover import read_object
from everyleaf.render.entries import anchor_of

ANCESTORS = 3
"""Prompts above a match that are named, the nearest ones."""
CHILDREN = 4
BEFORE = 40
AFTER = 120
"""Characters around what was found that are shown."""

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


class Snippet(Struct, frozen=True):
    """A piece of text on one line, in three parts."""

    before: str
    found: str
    """Empty where what was found is masked."""
    after: str


class Nearby(Struct, frozen=True):
    """A record near a match, in few words."""

    uuid: str
    kind: Kind
    words: str


class Match(Struct, frozen=True, kw_only=True):
    """A record, or a title, that holds what was looked for."""

    session: str
    """Of the path; where there is none, of the file."""
    ended: str
    """When something was said in it last."""
    written_in: str
    """The session whose file holds the record."""
    project: str
    title: str
    path: PathRef | None
    """The ACTIVE path through it, else the lowest; None: an agent's record."""
    status: Status | None
    others: int
    """Further paths through it."""
    agent_id: str = ""
    """Empty: it is not an agent's."""
    uuid: str = ""
    kind: Kind | Literal["title"] = "title"
    wheres: tuple[Where, ...] = (Where.TITLES,)
    at: str
    line: int = 0
    count: int
    """How often it stands there."""
    snippet: Snippet
    above: tuple[Nearby, ...] = ()
    """The last prompts before it, the nearest one last."""
    prompts_above: int = 0
    """How many there are in all."""
    below: tuple[Nearby, ...] = ()
    """What was said next: of a fork, the first words of each way on."""


def find_matches(
    archive: Archive, hits: Mapping[int, Sequence[QueryHit]], query: Query
) -> list[Match]:
    """Return the matches behind `hits` (source → those in it), newest session first.

    A record that stands in several sessions is told once: on the path that holds it. So is
    a title, where no prompt of its session is told.
    """
    finder = _Finder(archive, query)
    found: dict[tuple[str, str], Match] = {}
    for source in sorted(hits):
        if hits[source]:
            for match in finder.matches(source, hits[source]):
                key = (match.agent_id, finder.canonical.get(match.uuid, match.uuid))
                known = found.get(key)
                if known is None or _worth(match) < _worth(known):
                    found[key] = match
    if Where.TITLES in query.wheres:
        told = {one.session for one in found.values() if Where.PROMPTS in one.wheres}
        found.update(((one.session, "title"), one) for one in finder.titles(told))
    # Earlier than the year 1 there is nothing: the sort key of a session without a time.
    newest = {ended: moment_of("") - moment_of(ended) for ended in finder.ended.values()}
    return sorted(
        found.values(),
        key=lambda m: (newest.get(m.ended, timedelta()), m.session, m.agent_id, m.line),
    )


def _worth(match: Match) -> tuple[bool, bool, bool, str]:
    """Return what decides between copies: the least is told, its uuid is on the page."""
    is_copy = match.written_in != match.session
    return (match.path is None, is_copy, match.status is not Status.ACTIVE, match.session)


class _Finder:
    """Looks up records of an archive that was solved."""

    def __init__(self, archive: Archive, query: Query) -> None:
        self._archive = archive
        self._query = query
        forest = archive.forest
        self._paths = archive.description.paths
        self._records = {file.source: file.records for file in forest.files}
        trees = (*forest.trees, *(agent.tree for agent in forest.agents))
        self._trees = grouped((file.source, tree) for tree in trees for file in tree.files)
        projects = archive.projects
        self._projects = {one.name: projects[one.project] for one in forest.sessions}
        units = forest.units
        self._count = Counter(forest.kept)
        """Unit id → how many kept paths go through it."""
        for unit_id in reversed(units.order):
            if units.parents[unit_id] >= 0 and unit_id in self._count:
                self._count[units.parents[unit_id]] += self._count[unit_id]
        self.canonical: dict[str, str] = {}
        """uuid → canonical id, of the records that were looked up."""
        self.ended: dict[str, str] = {}
        """Session → its last time."""
        for path in self._paths.values():
            self.ended[path.session] = max(self.ended.get(path.session, ""), path.ended)

    def titles(self, told: set[str]) -> Iterator[Match]:
        """Yield a match for each session whose title has it, but for those in `told`."""
        finder = PathFinder(self._paths)
        for session, title in self._archive.description.titles.items():
            spans = self._query.spans(title)
            if not spans or session in told or session not in self.ended:
                continue
            path = finder.find(session)
            yield Match(
                session=session,
                ended=self.ended[session],
                written_in=session,
                project=self._projects[session],
                title=title,
                path=path.ref,
                status=path.status,
                others=path.of - 1,
                at=path.ended,
                count=len(spans),
                snippet=_cut_out(title, *spans[0]),
            )

    def matches(self, source: int, hits: Sequence[QueryHit]) -> Iterator[Match]:
        """Yield the matches of one file."""
        pieces = grouped((one.line, one) for one in self._records.get(source, ()))
        for hit in hits:
            # Of a line with several objects, all are looked at: few lines have any.
            for envelope in pieces.get(hit.line, ()):
                for tree in self._trees.get(source, ()):
                    at = tree.index.get(envelope.uuid)
                    if at is not None:
                        yield from self._match(source, hit, envelope, tree, at)
                        break

    def _match(
        self, source: int, hit: QueryHit, envelope: Envelope, tree: Tree, at: int
    ) -> Iterator[Match]:
        kind = tree.kinds[at]
        wheres = tuple(
            Where.OTHER if where is Where.PROMPTS and not is_said(kind, "") else where
            for where in hit.wheres
        )
        if self._query.wheres.isdisjoint(wheres):
            return
        self.canonical[envelope.uuid] = tree.canonical[at]
        archive, ref, count = self._archive, None, 0
        if tree.agent_id is None:
            unit_id = archive.forest.units.id_of(tree, at)
            # The ACTIVE path through it, else the lowest, or what holds one.
            leaf = archive.forest.forks.target[unit_id]
            leaf = archive.forest.container.get(leaf, leaf)
            ref, count = archive.forest.refs.get(leaf), self._count[unit_id]
        session = ref.session if ref else tree.session
        above = self._prompts_above(tree, at)
        yield Match(
            session=session,
            ended=self.ended.get(session, ""),
            written_in=tree.session,
            project=self._projects[session],
            title=archive.description.titles[session],
            path=ref,
            status=self._paths[ref].status if ref else None,
            others=max(count - 1, 0),
            agent_id=tree.agent_id or "",
            uuid=tree.records[at].uuid,
            kind=kind,
            wheres=wheres,
            at=envelope.timestamp,
            line=envelope.line,
            count=hit.count,
            snippet=_snippet_of(archive, source, envelope, self._query),
            above=tuple(above[-ANCESTORS:]),
            prompts_above=len(above),
            below=tuple(_nearby(tree, each) for each in _below(tree, at)),
        )

    def _prompts_above(self, tree: Tree, at: int) -> list[Nearby]:
        """Return the prompts of the units above a record, the first one first."""
        units, unit = self._archive.forest.units, tree.units.of[at]
        chain: list[tuple[Tree, int]] = []
        if tree.agent_id is None:
            chain = [units.unit(each) for each in units.up(units.id_of(tree, at))]
        while tree.agent_id is not None and unit >= 0:
            chain.append((tree, unit))
            unit = tree.units.parents[unit]
        return [
            _nearby(owner, member)
            for owner, number in reversed(chain)
            for member in owner.units.members[number]
            if is_said(owner.kinds[member], owner.records[member].words)
            and (owner is not tree or member != at)
        ]


def _below(tree: Tree, at: int) -> list[int]:
    """Return what follows in the same unit, else what each unit below begins with."""
    unit = tree.units.of[at]
    rest = [member for member in tree.units.members[unit] if member > at]
    said = [member for member in rest if tree.kinds[member] in CONVERSATION]
    if said:
        return said[:1]
    firsts: list[int] = []
    for child in tree.units.children[unit][:CHILDREN]:
        members = tree.units.members[child]
        said = [member for member in members if tree.kinds[member] in CONVERSATION]
        firsts.append((said or members)[0])
    return firsts


def _nearby(tree: Tree, at: int) -> Nearby:
    record = tree.records[at]
    return Nearby(record.uuid, tree.kinds[at], record.words)


def _snippet_of(archive: Archive, source: int, envelope: Envelope, query: Query) -> Snippet:
    """Return where `query` first finds something in a record, read again and masked."""
    file = archive.files[source]
    try:
        raw = read_object(file.location, envelope)
    except (OSError, SourceError):
        return Snippet(envelope.words, "", "")
    first = ""
    for _, text in iter_texts(archive.redaction.redactor(file.session).record(raw)):
        spans = query.spans(text)
        if spans:
            return _cut_out(text, *spans[0])
        first = first or text
    return _cut_out(first, 0, 0)


def _cut_out(text: str, start: int, end: int) -> Snippet:
    """Return what stands in `text` from `start` to `end`, with some words around it."""
    left, right = max(start - BEFORE, 0), min(max(end, start) + AFTER, len(text))
    before = ("…" if left else "") + text[left:start]
    after = text[end:right] + ("…" if right < len(text) else "")
    return Snippet(_on_one_line(before), _on_one_line(text[start:end]), _on_one_line(after))


def _on_one_line(text: str) -> str:
    """Return `text` on one line, a blank at its ends kept."""
    line = " ".join(text.split())
    if not line:
        return " " if text else ""
    return f"{' ' * text[0].isspace()}{line}{' ' * text[-1].isspace()}"


class SiteLinks(Struct, frozen=True):
    """Makes links into a site: a folder on disk, or an address."""

    site: str
    """Empty: there is none, and all links are."""

    def link(self, match: Match) -> str:
        """Return the address of a match; empty where the folder has no such page."""
        if match.path is not None:
            page = transcript_url(match.path.session, match.path.number)
        elif match.agent_id:
            page = agent_url(match.session, match.agent_id)
        else:
            return ""
        # A title is that of the whole page.
        return self.link_to(f"{page}#{anchor_of(match.uuid)}" if match.uuid else page)

    def link_to(self, url: str) -> str:
        """Return the address of `url`, which is as seen from the root of a site.

        Empty where the folder has no such page.
        """
        page, sign, anchor = url.partition("#")
        if not self.site:
            return ""
        if _ADDRESS.match(self.site):
            return f"{self.site.rstrip('/')}/{quote(page)}{sign}{anchor}"
        file = Path(self.site, page)
        return f"{file.resolve().as_uri()}{sign}{anchor}" if file.is_file() else ""
