"""A path as lines of text: what was said as it was typed, calls with their output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, assert_never

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


Look: TypeAlias = Literal["", "prose", "head", "person", "quiet", "added", "removed"]
"""What a line is, for who can draw it so."""
_SIGNS: dict[str, Look] = {"+": "added", "-": "removed"}


class Line(NamedTuple):
    """A line of text, without a line break or a terminal's escapes."""

    text: str
    look: Look = ""
    indent: int = 0

    def __str__(self) -> str:
        """Return the line as it stands in a file."""
        return f"{' ' * self.indent}{self.text}" if self.text else ""


BLANK = Line("")


def iter_plain(story: Story, detail: Detail) -> Iterator[Line]:
    """Yield the lines of a path."""
    path = story.path
    place = f"Session {visible(path.session)}, path {path.number} of {path.of}"
    yield Line(visible(path.title), "head")
    yield Line(f"{place}, {path.status}", "quiet")
    span = when(path.started, path.ended, story.days())
    said = ", ".join(filter(None, (visible(span), count_of(path.messages, "message"))))
    yield Line(said, "quiet")
    number = 0
    for turn, document in story.turns(detail):
        if turn.seam is not None:
            yield from (BLANK, Line(f"⚠ {SEAMS[turn.seam]}"))
        for entry in document.entries:
            number += isinstance(entry, Prompt) and entry.is_numbered
            yield from _entry(entry, number)


def _entry(entry: AnyEntry, number: int) -> Iterator[Line]:
    match entry:
        case Prompt():
            name = f"Prompt {number}" if entry.is_numbered else f"Prompt ({entry.manner})"
            moment = visible(format_moment(entry.at))
            head = Line(" · ".join(filter(None, (name, moment))), "person")
            yield from (BLANK, Line(RULE, "quiet"), head, BLANK)
            yield from _parts(entry.parts)
        case Reply():
            struck = " (taken back)" if entry.is_withdrawn else ""
            head = Line(f"{visible(entry.model) or 'Reply'}{struck}:", "head")
            yield from (BLANK, head, BLANK)
            yield from _parts(entry.parts)
        case Thinking():
            yield from (BLANK, Line("Thinking:", "quiet"))
            yield from _indented(_text(entry.text or "(not recorded)", "quiet"))
        case ToolCall():
            ending = entry.outcome_text or entry.outcome
            name = entry.label or tool_name(entry.name)
            yield from (BLANK, Line(visible(f"$ {name} {entry.target} ({ending})"), "head"))
            yield from _indented(_parts((*entry.asked, *entry.answered)))
        case Compaction():
            said = Line("The conversation was compacted here.", "head")
            yield from (BLANK, Line(RULE, "quiet"), said)
            yield from _indented(_parts(entry.summary))
        case Notice():
            yield BLANK
            yield from (Line(f"* {line.text}", "quiet") for line in _text(entry.text))
            yield from _indented(_parts(entry.parts))
        case Rewritten():
            head = Line(f"Written again, differently ({visible(entry.where)}):", "head")
            yield from (BLANK, head)
            for inner in entry.entries:
                yield from _indented(_entry(inner, number))
        case _ as never:
            assert_never(never)


def _parts(parts: Iterable[Part]) -> Iterator[Line]:
    for part in parts:
        yield from _part(part)


def _part(part: Part) -> Iterator[Line]:  # noqa: C901, PLR0912  (a case a class)
    match part:
        case Prose():
            yield from _text(part.text, "prose")
        case Code():
            yield from _text(part.caption)
            shown = plain_text(terminal_runs(part.text)) if part.is_terminal else part.text
            yield from _indented(_text(shown))
        case Picture():
            said = visible(part.alt or part.problem or part.media_type)
            yield Line(f"[image: {said}]")
        case Chip():
            yield from _text(f"[{part.label}: {part.text}] {part.detail}".rstrip())
        case Diff():
            for line in diff_text(part).splitlines():
                yield Line(line, _SIGNS.get(line[:1], ""))
        case Table():
            for row in ((part.head,) if part.head else ()) + part.rows:
                yield Line(" | ".join(" ".join(visible(cell).split()) for cell in row))
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


def _text(text: str, look: Look = "") -> list[Line]:
    return [Line(line, look) for line in visible(text).split("\n")] if text else []


def _indented(lines: Iterable[Line]) -> Iterator[Line]:
    yield from (line._replace(indent=line.indent + 2) for line in lines)
