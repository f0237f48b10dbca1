"""One session or path of an archive as work for those who draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.graph.forest import PathRef
from everyleaf.model import Kind
from everyleaf.opening.families import find_work
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.markdown import numbered_markdown, transcript_markdown
from everyleaf.pages.pathpage import Family, tour
from everyleaf.pages.sourcing import open_builder, open_drawer
from everyleaf.pages.sums import PathSums, find_called
from everyleaf.pages.walk import index_paths
from everyleaf.transcript.facts import days_of, find_spans
from everyleaf.transcript.omit import shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.config import Detail
    from everyleaf.graph.forest import ConversationPath, Turn
    from everyleaf.opening.named import Asked
    from everyleaf.pages.work import FamilyWork, PathWork, SessionWork
    from everyleaf.transcript.document import Task, TurnDocument


class Story(Struct, frozen=True):
    """One path, ready to be read."""

    work: FamilyWork
    session: SessionWork
    item: PathWork
    is_redacted: bool

    @property
    def path(self) -> ConversationPath:
        """Return the path."""
        return self.item.path

    def markdown(self, detail: Detail) -> str:
        """Return the file that `everyleaf build --format md` writes of the path.

        What only a look at other sessions would tell, such as copies, is not in it.

        Raises:
            OSError: a source cannot be read any more.
        """
        settings = SiteSettings(
            title="", has_html=False, detail=detail, is_redacted=self.is_redacted
        )
        drawer = open_drawer(self.work, settings)
        called = find_called(self.work, drawer)
        sums = PathSums(drawer, called, {self.path.ref: self.item.leaf})
        family = Family(self.work, settings, drawer, index_paths(self.work), called, sums)
        one = tour(family, self.session, self.item)
        page = transcript_markdown(one, family.markdown_url(self.path.ref))
        return page.text(numbered_markdown)

    def days(self) -> tuple[str, ...]:
        """Return the days that were worked on, in order."""
        tree = self.work.tree
        return days_of(
            find_spans(
                placed.envelope.timestamp
                for key in tree.chain(self.item.leaf)
                for placed in tree.turns[key].records
                if placed.kind is not Kind.NOTE
            )
        )

    def turns(self, detail: Detail) -> Iterator[tuple[Turn, TurnDocument]]:
        """Yield the turns of the path from its root, with what `detail` shows of each.

        Raises:
            OSError: a source cannot be read any more.
        """
        build = open_builder(self.work)
        tasks: tuple[Task, ...] = ()
        for key in self.work.tree.chain(self.item.leaf):
            turn = self.work.tree.turns[key]
            document = build(turn, tasks)
            tasks = document.tasks
            yield turn, shorten(document, detail)


def open_story(asked: Asked) -> Story:
    """Return the path that a person asked for.

    Raises:
        SourceError: the session has no such path.
    """
    path = asked.path()
    work, session = find_work(asked.archive, path.session)
    ref = PathRef(path.session, path.number)
    item = next(item for item in session.paths if item.path.ref == ref)
    return Story(work, session, item, is_redacted=asked.archive.redaction.is_on)
