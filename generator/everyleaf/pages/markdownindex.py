"""The index of the Markdown files: by project and month, one line a path, no counts.

By the time at which a path began, since another message would change the one at which it
ended: a new path adds a line, a new message changes none.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING

from everyleaf.graph.forest import Status
from everyleaf.pages.addresses import relative
from everyleaf.pages.rows import month_of, newest_first, shortened
from everyleaf.render.markdown_text import literal
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import format_moment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.pages.facts import PathFacts, SessionFacts
    from everyleaf.pages.settings import SiteSettings


def markdown_index_url(settings: SiteSettings) -> str:
    """Return where the index of the Markdown files stands."""
    return f"{settings.markdown_dir}index.md"


def markdown_index(sessions: Iterable[SessionFacts], settings: SiteSettings) -> str:
    """Return the index for `sessions`, newest first."""
    by_project: defaultdict[str, list[SessionFacts]] = defaultdict(list)
    for session in newest_first(sessions, started):
        by_project[session.project].append(session)
    here = markdown_index_url(settings)
    blocks = [f"# {literal(visible(settings.title))}"]
    for project, some in sorted(by_project.items()):
        blocks.append(f"## {literal(visible(project))}")
        for month, group in groupby(some, key=lambda session: month_of(started(session))):
            lines = [line for session in group for line in _lines(session, here)]
            if lines:
                blocks.extend([f"### {month}", "\n".join(lines)])
    return "\n\n".join(blocks) + "\n"


def started(session: SessionFacts) -> str:
    """Return when the first of a session's paths began; empty: not known."""
    return min((path.started for path in session.paths if path.started), default="")


def _lines(session: SessionFacts, here: str) -> Iterator[str]:
    for path in session.paths:
        if path.markdown_url:
            yield _line(session, path, relative(here, path.markdown_url))


def _line(session: SessionFacts, path: PathFacts, url: str) -> str:
    title = shortened(path.title or session.title) or "Untitled"
    line = f"- {format_moment(path.started)[:10]} [{literal(title)}]({url})"
    if path.status is Status.ABANDONED:
        label = shortened(path.label)
        line += f" — ABANDONED{': ' + literal(label) if label else ''}"
    return line
