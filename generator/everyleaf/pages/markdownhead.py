"""What a conversation adds up to, for the head of its Markdown file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.pages import wording
from everyleaf.pages.commits import commit_views
from everyleaf.render.markdown_parts import details
from everyleaf.render.markdown_text import cell, literal
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.pages.called import WithAgents
    from everyleaf.transcript.pathfacts import PathFacts


def total_lines(
    totals: PathFacts, with_agents: WithAgents | None
) -> Iterator[tuple[str, str]]:
    """Yield (name, value as Markdown) of each fact; a value may be empty."""
    yield "Working time", wording.working(totals)
    yield "Prompts", f"{totals.prompts:,}"
    yield "Replies", f"{totals.replies:,}"
    yield "Tool calls", literal(wording.calls(totals))
    yield "Models", literal(visible(wording.models(totals.models)))
    yield "Tokens", wording.tokens(totals.usage)
    if with_agents is not None:
        name = f"With {count_of(with_agents.agents, 'agent')}"
        yield name, literal(visible(wording.with_agents(with_agents.totals)))
    yield "Git branch", literal(visible(totals.branch))
    yield "Claude Code", literal(visible(totals.version))


def total_blocks(totals: PathFacts) -> Iterator[str]:
    """Yield the list of files touched and that of steps in git, where there are any."""
    if totals.files:
        rows = (
            f"| {cell(visible(change.file))} | +{change.added:,}"
            f" | {wording.MINUS}{change.removed:,} |"
            for change in totals.files
        )
        table = "\n".join(["| File | Added | Removed |", "| --- | ---: | ---: |", *rows])
        yield details(f"Files touched: {wording.files_touched(totals.files)}", [table])
    if totals.commits:
        steps = (_step(view.text, view.url) for view in commit_views(totals.commits))
        summary = f"{count_of(len(totals.commits), 'step')} in git"
        yield details(summary, ["\n".join(steps)])


def _step(text: str, url: str) -> str:
    shown = literal(text, starts_block=not url)
    return f"- [{shown}]({url})" if url else f"- {shown}"
