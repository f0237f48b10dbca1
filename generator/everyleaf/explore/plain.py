"""A path as plain text: what was said as it was typed, calls with their output."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from everyleaf.pages.wording import SEAMS, when
from everyleaf.render.ansi import plain_text, terminal_runs
from everyleaf.render.diffs import diff_text
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_moment, tool_name
from everyleaf.transcript.document import (
    AgentPage,
    Checklist,
    Chip,
    Code,
    Compaction,
    Diff,
    Fold,
    Links,
    Notice,
    Picture,
    Prompt,
    Prose,
    Reply,
    Rewritten,
    Table,
    Thinking,
    ToolCall,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.config import Detail
    from everyleaf.explore.story import Story
    from everyleaf.transcript.document import AnyEntry, Part

RULE = "─" * 30
"""As wide as the narrowest terminal that other lines are cut for."""
_CHECKS = {"completed": "[x]", "chosen": "[x]", "in_progress": "[>]", "deleted": "[-]"}


def iter_plain(story: Story, detail: Detail) -> Iterator[str]:
    """Yield the lines of a path, none of them with a line break or a terminal's escapes."""
    path = story.path
    yield visible(path.title)
    yield f"Session {visible(path.session)}, path {path.number} of {path.of}, {path.status}"
    yield f"{when(path.started, path.ended)}, {count_of(path.messages, 'message')}"
    number = 0
    for turn, document in story.turns(detail):
        if turn.seam is not None:
            yield from ("", f"⚠ {SEAMS[turn.seam]}")
        for entry in document.entries:
            number += isinstance(entry, Prompt) and entry.is_numbered
            yield from _entry(entry, number)


def _entry(entry: AnyEntry, number: int) -> Iterator[str]:
    match entry:
        case Prompt():
            name = f"Prompt {number}" if entry.is_numbered else f"Prompt ({entry.manner})"
            yield from ("", RULE, f"{name} · {format_moment(entry.at)}", "")
            yield from _parts(entry.parts)
        case Reply():
            struck = " (taken back)" if entry.is_withdrawn else ""
            yield from ("", f"{visible(entry.model) or 'Reply'}{struck}:", "")
            yield from _parts(entry.parts)
        case Thinking():
            yield from ("", "Thinking:", *_indented(_text(entry.text or "(not recorded)")))
        case ToolCall():
            ending = entry.outcome_text or entry.outcome
            name = entry.label or tool_name(entry.name)
            yield from ("", visible(f"$ {name} {entry.target} ({ending})"))
            yield from _indented(_parts((*entry.asked, *entry.answered)))
        case Compaction():
            yield from ("", RULE, "The conversation was compacted here.")
            yield from _indented(_parts(entry.summary))
        case Notice():
            yield from ("", *(f"* {line}" for line in _text(entry.text)))
            yield from _indented(_parts(entry.parts))
        case Rewritten():
            yield from ("", f"Written again, differently ({visible(entry.where)}):")
            for inner in entry.entries:
                yield from _indented(_entry(inner, number))
        case _ as never:
            assert_never(never)


def _parts(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        yield from _part(part)


def _part(part: Part) -> Iterator[str]:  # noqa: C901, PLR0912  (a case a class)
    match part:
        case Prose():
            yield from _text(part.text)
        case Code():
            yield from _text(part.caption)
            shown = plain_text(terminal_runs(part.text)) if part.is_terminal else part.text
            yield from _indented(_text(shown))
        case Picture():
            yield f"[image: {visible(part.alt or part.problem or part.media_type)}]"
        case Chip():
            yield from _text(f"[{part.label}: {part.text}] {part.detail}".rstrip())
        case Diff():
            yield from diff_text(part).splitlines()
        case Table():
            for row in ((part.head,) if part.head else ()) + part.rows:
                yield " | ".join(" ".join(visible(cell).split()) for cell in row)
        case Checklist():
            for item in part.items:
                yield from _text(f"{_CHECKS.get(item.status, '[ ]')} {item.text}")
        case Links():
            for link in part.items:
                yield from _text(f"{link.text} <{link.url}>")
        case AgentPage():
            yield from _text(f"[agent {part.agent_id}: {part.text}]")
        case Fold():
            yield from _text(f"▸ {part.summary}")
            yield from _indented(_parts(part.parts))
        case _ as never:
            assert_never(never)


def _text(text: str) -> list[str]:
    return visible(text).split("\n") if text else []


def _indented(lines: Iterable[str]) -> Iterator[str]:
    yield from (f"  {line}" if line else "" for line in lines)
