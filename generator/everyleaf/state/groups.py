"""What was drawn of each session group, and of its turns, while nothing of it changes."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain, groupby, islice
from typing import TypeVar

import msgspec
from msgspec import Struct, field

from everyleaf.digest import digest_value
from everyleaf.issues import Issue
from everyleaf.memo import Memo
from everyleaf.outputs import StagedFile
from everyleaf.pages.fragments import ChunkFiles, FragmentBook, TurnFragment
from everyleaf.pages.pagesink import MadePage, PagePlaces, Spool, Standing, StandingTurns
from everyleaf.pages.work import FamilyWork

T = TypeVar("T")

Owned = tuple[tuple[str, ...], int]
"""Sessions, sorted, and for how many files they account."""

_TOGETHER = 500
"""Turns that are encoded at a time."""


class GroupSums(Struct, frozen=True):
    """What reports say of a session group."""

    sessions: int = 0
    projects: tuple[str, ...] = ()
    """Names, sorted."""
    paths: int = 0
    active: int = 0
    contained: int = 0
    records: int = 0
    """Conversation records."""
    unplaced: tuple[str, ...] = ()
    """uuids of conversation records that are on no path."""
    issues: tuple[Issue, ...] = ()
    """What was odd about its paths."""


def add_sums(sums: Iterable[GroupSums]) -> GroupSums:
    """Return what is to be said of all groups. Linear in what is said of each."""
    all_sums = list(sums)
    return GroupSums(
        sessions=sum(one.sessions for one in all_sums),
        projects=tuple(sorted({name for one in all_sums for name in one.projects})),
        paths=sum(one.paths for one in all_sums),
        active=sum(one.active for one in all_sums),
        contained=sum(one.contained for one in all_sums),
        records=sum(one.records for one in all_sums),
        unplaced=tuple(uuid for one in all_sums for uuid in one.unplaced),
        issues=tuple(issue for one in all_sums for issue in one.issues),
    )


class GroupFiles(Struct, frozen=True):
    """The files that a session group, or the lists of all sessions, added to a site."""

    digests: dict[str, str] = field(default_factory=dict[str, str])
    """Digest of the bytes of each file, by url."""
    owners: tuple[Owned, ...] = ()
    """Who accounts for the first of the files, who for the next: most have the same."""

    def by_owners(self) -> Iterator[tuple[list[str], tuple[str, ...]]]:
        """Yield files, by url, with those that account for them."""
        urls = iter(self.digests)
        for names, number in self.owners:
            yield [*islice(urls, number)], names


class KeptGroup(Struct, frozen=True):
    """All else that a session group added to a site."""

    sessions: tuple[str, ...] = ()
    """Those that account for its files, and for those of no other group, sorted."""
    pictures: tuple[str, ...] = ()
    """Which of the files are pictures."""
    facts: tuple[tuple[str, bytes], ...] = ()
    """Session, and what lists show of it, encoded: who drives a build passes it on."""
    sums: GroupSums = GroupSums()


def sort_files(
    drawn: Collection[StagedFile], owners: Mapping[str, Iterable[str]]
) -> GroupFiles:
    """Return what was `drawn`; `owners` has the sessions of each url, if there are any."""
    names = {one.url: tuple(sorted(owners.get(one.url, ()))) for one in drawn}
    digests = {one.url: one.digest for one in drawn}
    files = {url: digests[url] for url in sorted(names, key=lambda url: (names[url], url))}
    owned = groupby(files, names.__getitem__)
    return GroupFiles(files, tuple((names, len([*urls])) for names, urls in owned))


class GroupState:
    """The groups that earlier builds drew, named by all that went into them."""

    def __init__(self, store: Memo, context: str, before: Mapping[str, str]) -> None:
        """Look into `store`; `context` is a digest of what goes into every page.

        `before` has the name of the group of each session of which the last build made the
        site.
        """
        self._store = store
        self._context = context
        self._before = before
        self.published = frozenset(before.values())
        """Names of the groups of which the last build made the site."""
        self.now: dict[str, str] = {}
        """The same of this build, for the next one."""

    def name(self, inputs: object) -> str:
        """Return a name for everything that goes into the pages of a group."""
        return f"group-{digest_value([self._context, inputs])}"

    def find(self, names: Iterable[str]) -> dict[str, KeptGroup]:
        """Return what was drawn of groups, by name; those that are known."""
        found = self._store.load_all(names, KeptGroup)
        for name, kept in found.items():
            self.use(name, kept)
        return found

    def find_files(self, name: str) -> GroupFiles | None:
        """Return the files that were drawn of a group, or of the lists."""
        return self._store.load(f"files-{name}", GroupFiles, is_used=False)

    def find_standing(
        self, stems: Iterable[str], stands: Callable[[str, str], bool]
    ) -> Standing:
        """Return what there is of a group that changed: what `stands` of its sessions.

        `stands` is asked whether a url has bytes of a digest.
        """
        files: dict[str, str] = {}
        pages: dict[str, MadePage] = {}
        for name in dict.fromkeys(self._before.get(stem, "") for stem in stems):
            kept = self.find_files(name) if name else None
            if kept is not None:
                files |= {u: d for u, d in kept.digests.items() if stands(u, d)}
                made = self._store.load(f"pages-{name}", dict[str, MadePage], is_used=False)
                pages |= made or {}
        return Standing(files, pages)

    def keep(
        self, name: str, group: KeptGroup, files: GroupFiles, pages: Mapping[str, MadePage]
    ) -> None:
        """Remember what was drawn, and what each page was made of, by url."""
        self._store.save(name, group)
        self._store.save(f"files-{name}", files)
        self._store.save(f"pages-{name}", pages)
        self.use(name, group)

    def use(self, name: str, group: KeptGroup) -> None:
        """Keep what is known of a group for the next build."""
        self.now.update(dict.fromkeys(group.sessions, name))
        for used in (name, f"files-{name}", f"pages-{name}"):
            self._store.use(used)
        for session, _ in group.facts:
            self._store.use(turns_name(session, self._context))
            self._store.use(f"places-{session!r}")


class TurnState(Struct, frozen=True):
    """The fragments of earlier builds, and where they stand on pages; used by who draws."""

    store: Memo
    context: str
    """Digest of what goes into every page: code, theme, configuration."""

    @property
    def is_kept(self) -> bool:
        """Return whether anything is remembered."""
        return self.store.folder is not None

    def open(self, work: FamilyWork) -> FragmentBook | None:
        """Return what is known of a family's turns; None where no state is kept."""
        if not self.is_kept:
            return None
        parts = (self._load(name, list[TurnFragment]) for name in self._names(work))
        known = chain.from_iterable(chain.from_iterable(parts))
        return FragmentBook(work, self.context, known)

    def knows(self, work: FamilyWork) -> bool:
        """Return whether turns of a session of the family are known."""
        return any(map(self.store.has, self._names(work)))

    def keep(self, work: FamilyWork, book: FragmentBook, ahead: ChunkFiles) -> None:
        """Remember the fragments that are true now, where they are not what they were.

        What those that were drawn `ahead` leave out is put in.
        """
        by_session: defaultdict[str, list[TurnFragment]] = defaultdict(list)
        changed: set[str] = set()
        for key, fragment in book.now.items():
            session = work.tree.turns[key].session
            by_session[session].append(fragment)
            if not book.was_known(fragment):
                changed.add(session)
        for session in sorted(changed):
            turns = by_session[session]
            parts = (
                list(map(ahead.whole, turns[at : at + _TOGETHER]))
                for at in range(0, len(turns), _TOGETHER)
            )
            # In parts: on its way to the disk, all of it stands in memory several times.
            packed = [zlib.compress(msgspec.msgpack.encode(part), 1) for part in parts]
            self.store.save(turns_name(session, self.context), packed)

    def open_standing(
        self,
        families: Iterable[FamilyWork],
        read: Callable[[str], bytes | None],
        spool: Spool,
    ) -> StandingTurns:
        """Return the turns on the pages that stand, as `StandingTurns` takes them."""
        known: dict[str, PagePlaces] = {}
        for session in (one for work in families for one in work.sessions):
            for part in self._load(f"places-{session.session!r}", dict[str, PagePlaces]):
                known |= part
        return StandingTurns(known, read, spool)

    def keep_standing(
        self, turns: StandingTurns, owners: Mapping[str, Iterable[str]]
    ) -> None:
        """Remember where turns stand on the pages that were drawn.

        `owners` has the sessions of every page that there is now, by url.
        """
        changed = {session for url in turns.now for session in owners[url]}
        for session in sorted(changed):
            urls = (url for url, sessions in owners.items() if session in sessions)
            self.store.save(f"places-{session!r}", [*turns.kept(urls)])

    def _load(self, name: str, kind: type[T]) -> Iterator[T]:
        for packed in self.store.load(name, list[bytes]) or ():
            yield msgspec.msgpack.decode(zlib.decompress(packed), type=kind)

    def _names(self, work: FamilyWork) -> list[str]:
        return [turns_name(session.session, self.context) for session in work.sessions]


def turns_name(session: str, context: str) -> str:
    """Return what the turns of a session, drawn in such a context, are kept under."""
    return f"turns-{session!r}-{context}"
