"""One path of an archive to be read: as Markdown, as JSON, as lines of text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Literal, NamedTuple, TypeAlias, assert_never, cast

from msgspec import Struct

from everyleaf.config import Detail
from everyleaf.graph.forest import ConversationPath, Turn
from everyleaf.model import Kind
from everyleaf.opening.named import Asked
from everyleaf.opening.reading import find_work
from everyleaf.pages.markdown import markdown_page
from everyleaf.pages.pathpage import path_page
from everyleaf.pages.sourcing import open_alone, open_builder
from everyleaf.pages.wording import SEAMS, shortened, when
from everyleaf.pages.work import FamilyWork, SessionWork
from everyleaf.render.diffs import diff_text
from everyleaf.render.highlight import plain_text, terminal_runs
from everyleaf.theming.formats import format_moment, visible
from everyleaf.transcript import document as doc
from everyleaf.transcript.entries import shorten
from everyleaf.transcript.facts import days_of, find_spans
from everyleaf.transcript.words import counted, tool_name

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LEFT_OUT = frozenset({"facts", "tasks", "reads_tasks"})
"""Of a turn: what lists add up, and what the next turn begins with."""

_OF_PATH = (
    "session project number of status reason title label started ended messages prompts"
    " compactions fork_point"
)

RULE = "─" * 30
"""As wide as the narrowest terminal that other lines are cut for."""
_CHECKS = {"completed": "[x]", "chosen": "[x]", "in_progress": "[>]", "deleted": "[-]"}
Look: TypeAlias = Literal["", "prose", "head", "person", "quiet", "added", "removed"]
"""What a line is, for who can draw it so."""
_SIGNS: dict[str, Look] = {"+": "added", "-": "removed"}


class TextLine(NamedTuple):
    """A line of text, without a line break or a terminal's escapes."""

    text: str
    look: Look = ""
    indent: int = 0

    def __str__(self) -> str:
        """Return the line as it stands in a file."""
        return f"{' ' * self.indent}{self.text}" if self.text else ""


BLANK = TextLine("")


class Story(Struct, frozen=True):
    """One path, ready to be read."""

    work: FamilyWork
    session: SessionWork
    path: ConversationPath
    is_redacted: bool

    def markdown(self, detail: Detail) -> str:
        """Return the file that `everyleaf build --format md` writes of the path.

        What only a look at other sessions would tell, such as copies, is not in it.
        """
        group = open_alone(
            self.work, detail, asked=[self.path.ref], is_redacted=self.is_redacted
        )
        page = markdown_page(path_page(group, self.session, self.path))
        return "".join(page.pieces(group.drawer.markdown))

    def days(self) -> tuple[str, ...]:
        """Return the days that were worked on, in order."""
        tree = self.work.tree
        turns = tree.line(tree.leaves[self.path.ref])
        said = (one for turn in turns for one in turn.records if one.kind is not Kind.NOTE)
        return days_of(find_spans(one.envelope.timestamp for one in said))

    def turns(self, detail: Detail) -> Iterator[tuple[Turn, doc.TurnDocument]]:
        """Yield the turns of the path from its root, with what `detail` shows of each."""
        build, tree = open_builder(self.work), self.work.tree
        tasks: tuple[doc.Task, ...] = ()
        for turn in tree.line(tree.leaves[self.path.ref]):
            document = build(turn, tasks)
            tasks = document.tasks
            yield turn, shorten(document, detail)


def open_story(asked: Asked) -> Story:
    """Return the path that a person asked for."""
    path = asked.path()
    work, session = find_work(asked.archive, path.session)
    return Story(work, session, path, is_redacted=asked.archive.redaction.is_on)


def story_json(story: Story, detail: Detail) -> str:
    """Return a path as one indented object of ASCII, as `everyleaf show --help` says."""
    over = story.path.taken_over_by
    whole = {name: getattr(story.path, name) for name in _OF_PATH.split()}
    whole["taken_over_by"] = f"{over.session}:{over.number}" if over else None
    whole["turns"] = [
        {"kind": turn.kind, "seam": turn.seam, **_fields(document)}
        for turn, document in story.turns(detail)
    ]
    return json.dumps(whole, indent=2)


def _plain(value: object) -> object:
    if isinstance(value, Struct):
        kind = _HUMP.sub("-", type(value).__name__).lower()
        return {"type": kind, **_fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in cast("tuple[object, ...]", value)]
    return str(value) if isinstance(value, Enum) else value


def _fields(value: Struct) -> dict[str, object]:
    names = {name: name.removeprefix("is_") for name in value.__struct_fields__}
    names |= {"agent_id": "agent"} if "agent_id" in names else {}
    return {
        told: _plain(getattr(value, name))
        for name, told in names.items()
        if name not in _LEFT_OUT
    }


def iter_plain(story: Story, detail: Detail) -> Iterator[TextLine]:
    """Yield the lines of a path."""
    path = story.path
    place = f"Session {visible(path.session)}, path {path.number} of {path.of}"
    yield TextLine(shortened(path.title, 200), "head")
    yield TextLine(f"{place}, {path.status}", "quiet")
    span = when(path.started, path.ended, story.days())
    said = ", ".join(filter(None, (visible(span), counted(path.messages, "message"))))
    yield TextLine(said, "quiet")
    number = 0
    for turn, document in story.turns(detail):
        if turn.seam is not None:
            yield from (BLANK, TextLine(f"⚠ {SEAMS[turn.seam]}"))
        for entry in document.entries:
            number += isinstance(entry, doc.Prompt) and entry.is_numbered
            yield from _entry(entry, number)


def _entry(entry: doc.AnyEntry, number: int) -> Iterator[TextLine]:
    match entry:
        case doc.Prompt():
            name = f"Prompt {number}" if entry.is_numbered else f"Prompt ({entry.manner})"
            moment = visible(format_moment(entry.at))
            head = TextLine(" · ".join(filter(None, (name, moment))), "person")
            yield from (BLANK, TextLine(RULE, "quiet"), head, BLANK)
            yield from _parts(entry.parts)
        case doc.Reply():
            struck = " (taken back)" if entry.is_withdrawn else ""
            head = TextLine(f"{visible(entry.model) or 'Reply'}{struck}:", "head")
            yield from (BLANK, head, BLANK)
            yield from _parts(entry.parts)
        case doc.Thinking():
            yield from (BLANK, TextLine("Thinking:", "quiet"))
            yield from _indented(_text(entry.text or "(not recorded)", "quiet"))
        case doc.ToolCall():
            ending = entry.outcome_text or entry.outcome
            name = tool_name(entry.name)
            head = TextLine(visible(f"$ {name} {entry.target} ({ending})"), "head")
            yield from (BLANK, head)
            yield from _indented(_parts((*entry.asked, *entry.answered)))
        case doc.Compaction():
            said = TextLine(f"{entry.title}.", "head")
            yield from (BLANK, TextLine(RULE, "quiet"), said)
            yield from _indented(_parts(entry.summary))
        case doc.Notice():
            yield BLANK
            yield from (TextLine(f"* {line.text}", "quiet") for line in _text(entry.text))
            yield from _indented(_parts(entry.parts))
        case doc.Rewritten():
            head = TextLine(f"Written again, differently ({visible(entry.where)}):", "head")
            yield from (BLANK, head)
            for inner in entry.entries:
                yield from _indented(_entry(inner, number))
        case _ as never:
            assert_never(never)


def _parts(parts: Iterable[doc.Part]) -> Iterator[TextLine]:
    for part in parts:
        yield from _part(part)


def _part(part: doc.Part) -> Iterator[TextLine]:  # noqa: C901, PLR0912  (a case a class)
    match part:
        case doc.Prose():
            yield from _text(part.text, "prose")
        case doc.Code():
            yield from _text(part.caption)
            shown = plain_text(terminal_runs(part.text)) if part.is_terminal else part.text
            yield from _indented(_text(shown))
        case doc.Picture():
            said = visible(part.alt or part.problem or part.media_type)
            yield TextLine(f"[image: {said}]")
        case doc.Chip():
            yield from _text(f"[{part.label}: {part.text}] {part.detail}".rstrip())
        case doc.Diff():
            for line in diff_text(part).splitlines():
                yield TextLine(line, _SIGNS.get(line[:1], ""))
        case doc.Table():
            for row in ((part.head,) if part.head else ()) + part.rows:
                yield TextLine(" | ".join(" ".join(visible(cell).split()) for cell in row))
        case doc.Checklist():
            for item in part.items:
                yield from _text(f"{_CHECKS.get(item.status, '[ ]')} {item.text}")
        case doc.Links():
            for link in part.items:
                yield from _text(f"{link.text} <{link.url}>")
        case doc.AgentPage():
            yield from _text(f"[agent {part.agent_id}: {part.text}]")
        case doc.Fold():
            yield from _text(f"▸ {part.summary}")
            yield from _indented(_parts(part.parts))
        case _ as never:
            assert_never(never)


def _text(text: str, look: Look = "") -> list[TextLine]:
    return [TextLine(line, look) for line in visible(text).split("\n")] if text else []


def _indented(lines: Iterable[TextLine]) -> Iterator[TextLine]:
    yield from (line._replace(indent=line.indent + 2) for line in lines)
