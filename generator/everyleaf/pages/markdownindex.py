"""The index of the Markdown files: by project and month, one line a path, no counts.

Without counts, a new path adds a line and changes no other one.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING

from everyleaf.graph.forest import Status
from everyleaf.pages.addresses import relative
from everyleaf.pages.rows import month_of, shortened
from everyleaf.render.markdown_text import literal
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import format_moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.pages.facts import PathFacts, SessionFacts
    from everyleaf.pages.settings import SiteSettings


def markdown_index_url(settings: SiteSettings) -> str:
    """Return where the index of the Markdown files stands."""
    return f"{settings.markdown_dir}index.md"


def markdown_index(ordered: Sequence[SessionFacts], settings: SiteSettings) -> str:
    """Return the index for sessions that are sorted by time."""
    by_project: defaultdict[str, list[SessionFacts]] = defaultdict(list)
    for session in ordered:
        by_project[session.project].append(session)
    here = markdown_index_url(settings)
    blocks = [f"# {literal(visible(settings.title))}"]
    for project, some in sorted(by_project.items()):
        blocks.append(f"## {literal(visible(project))}")
        for month, sessions in groupby(some, key=lambda session: month_of(session.ended)):
            lines = [line for session in sessions for line in _lines(session, here)]
            if lines:
                blocks.extend([f"### {month}", "\n".join(lines)])
    return "\n\n".join(blocks) + "\n"


def _lines(session: SessionFacts, here: str) -> Iterator[str]:
    for path in session.paths:
        if path.markdown_url:
            yield _line(session, path, relative(here, path.markdown_url))


def _line(session: SessionFacts, path: PathFacts, url: str) -> str:
    title = shortened(path.title or session.title) or "Untitled"
    line = f"- {format_moment(path.ended)[:10]} [{literal(title)}]({url})"
    if path.status is Status.ABANDONED:
        label = shortened(path.label)
        line += f" — ABANDONED{': ' + literal(label) if label else ''}"
    return line
