"""The parts of an entry as Markdown: one function a class, each a block of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from everyleaf.render.diffs import diff_text
from everyleaf.render.longtext import blob_of, shorten
from everyleaf.render.markdown_prose import prose
from everyleaf.render.markdown_text import (
    cell,
    code_span,
    fence,
    in_html,
    link,
    literal,
)
from everyleaf.render.pictures import picture_blob
from everyleaf.render.terminal import plain_text, terminal_runs
from everyleaf.theming.characters import visible
from everyleaf.transcript.document import (
    AgentPage,
    Checklist,
    Chip,
    Code,
    Diff,
    Fold,
    Links,
    Picture,
    Prose,
    Table,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from everyleaf.outputs import Blob
    from everyleaf.transcript.document import CheckItem, Part

SEPARATOR = "<!-- -->"
"""Keeps what stands on both sides of it from growing into one list."""
CELL_CHARS = 200
"""A longer value stands under its name, not in a table."""


class PartDrawer:
    """Draws parts, and collects the blobs that they lead to."""

    def __init__(self, blob_root: str, agent_link: Callable[[str], str | None]) -> None:
        """Take what leads to the blobs, and what finds an agent's page by its id."""
        self.blobs: dict[str, Blob] = {}
        self._blob_root = blob_root
        self._agent_link = agent_link

    def draw_all(self, parts: Iterable[Part]) -> list[str]:
        """Return the blocks of `parts`, in order, to be set apart by empty lines."""
        blocks: list[str] = []
        was_open = False
        for part in parts:
            block = self.draw(part)
            is_open = isinstance(part, Prose | Checklist | Links | Table)
            if was_open and is_open and block:
                blocks.append(SEPARATOR)
            if block:
                blocks.append(block)
                was_open = is_open
        return blocks

    def draw(self, part: Part) -> str:
        """Return `part` as one or more blocks; empty where there is nothing to show."""
        match part:
            case Code() | Picture() | Diff() | Table():
                return self._draw_content(part)
            case AgentPage():
                return self.agent_page(part)
            case Fold():
                return self.fold(part.summary, part.parts, is_open=part.is_open)
            case Prose() | Chip() | Checklist() | Links():
                return _draw_text(part)
            case _ as never:
                assert_never(never)

    def _draw_content(self, part: Code | Picture | Diff | Table) -> str:
        match part:
            case Code():
                return self.code(part)
            case Picture():
                return self.picture(part)
            case Diff():
                return self.diff(part)
            case Table():
                return self.table(part)
            case _ as never:
                assert_never(never)

    def code(self, part: Code) -> str:
        """Return a fence, its caption above; of a long text only both ends."""
        text = part.text
        if part.is_terminal:
            text = plain_text(terminal_runs(text))
        caption = visible(part.caption)
        if part.first_line is not None and part.first_line > 1:
            caption = f"{caption} from line {part.first_line}".strip()
        blocks = [f"*{literal(caption)}*"] if caption else []
        return "\n\n".join([*blocks, *self.long_text(text, part.language)])

    def long_text(self, text: str, language: str = "") -> list[str]:
        """Return `text` in a fence, or its ends with a link to all of it between them."""
        text = visible(text)
        ends = shorten(text)
        if ends is None:
            return [fence(text, language)]
        blob = blob_of(text)
        self.blobs[blob.name] = blob
        return [
            fence(ends.head, language),
            f"*{ends.lines:,} lines, [show all]({self._blob_root}{blob.name})*",
            fence(ends.tail, language),
        ]

    def picture(self, part: Picture) -> str:
        """Return a picture as a link to its blob, or why there is none."""
        alt = visible(part.alt)
        found = part.problem or picture_blob(part.data, part.media_type)
        if isinstance(found, str):
            return (
                f"*{literal(' — '.join(filter(None, (alt or 'Picture', visible(found)))))}*"
            )
        self.blobs[found.blob.name] = found.blob
        return f"![{literal(alt or 'Picture')}]({self._blob_root}{found.blob.name})"

    def diff(self, part: Diff) -> str:
        """Return a unified diff of one file, its ends only where it is long."""
        head = f"{code_span(visible(part.file))} +{part.added:,} \u2212{part.removed:,}"
        changes = self.long_text(diff_text(part), "diff") if part.hunks else []
        return "\n\n".join([head, *changes])

    def table(self, part: Table) -> str:
        """Return a table; without a head and with long values, a list of fields."""
        rows = [[visible(value) for value in row] for row in part.rows]
        if not part.head and any(_is_long(row) for row in rows):
            return "\n\n".join(block for row in rows for block in self._field(row))
        width = max(map(len, [part.head, *rows]), default=0)
        if width == 0:
            return ""
        head = [visible(name) for name in part.head]
        return "\n".join(
            [_row(head, width), f"|{' --- |' * width}", *(_row(r, width) for r in rows)]
        )

    def _field(self, row: list[str]) -> list[str]:
        name, value = "".join(row[:1]), " | ".join(row[1:])
        label = f"**{literal(name)}**:" if name else ""
        if len(value) <= CELL_CHARS and "\n" not in value:
            return [f"{label} {literal(value, starts_block=not label)}".strip()]
        return [*filter(None, [label]), *self.long_text(value)]

    def agent_page(self, part: AgentPage) -> str:
        """Return a link to the agent's transcript, or its name if that is not published."""
        url = self._agent_link(part.agent_id)
        text = visible(part.text) or f"Agent {visible(part.agent_id)}"
        return f"[{literal(text)}]({url})" if url else literal(text, starts_block=True)

    def fold(
        self,
        summary: str,
        parts: Iterable[Part],
        *,
        is_open: bool = False,
        is_html: bool = False,
    ) -> str:
        """Return `<details>` with `parts` inside; `summary` is text unless it `is_html`."""
        head = summary if is_html else in_html(visible(summary))
        return details(head, self.draw_all(parts), is_open=is_open)


def _draw_text(part: Prose | Chip | Checklist | Links) -> str:
    match part:
        case Prose():
            return prose(visible(part.text), keeps_breaks=part.keeps_breaks)
        case Chip():
            return _chip(part)
        case Checklist():
            return "\n".join(map(_check_item, part.items))
        case Links():
            return "\n".join(
                f"- {link(visible(i.text), visible(i.url))}" for i in part.items
            )
        case _ as never:
            assert_never(never)


def details(summary: str, blocks: list[str], *, is_open: bool = False) -> str:
    """Return blocks folded behind `summary` (HTML), as code hosts need them."""
    tag = "<details open>" if is_open else "<details>"
    return "\n\n".join([f"{tag}<summary>{summary}</summary>", *blocks, "</details>"])


def _is_long(row: list[str]) -> bool:
    return any(len(value) > CELL_CHARS or "\n" in value for value in row)


def _row(values: list[str], width: int) -> str:
    filled = [*map(cell, values), *[""] * (width - len(values))]
    return f"| {' | '.join(filled)} |"


def _chip(part: Chip) -> str:
    text = f"**{literal(visible(part.label))}:** {code_span(visible(part.text))}"
    return f"{text} {literal(visible(part.detail))}".rstrip()


def _check_item(item: CheckItem) -> str:
    text = literal(visible(item.text))
    changed = " ← changed" if item.is_changed else ""
    match item.status:
        case "completed" | "chosen":
            return f"- [x] {text}{changed}"
        case "in_progress":
            return f"- [ ] **{text}** (in progress){changed}"
        case "deleted":
            return f"- ~~{text}~~ (deleted){changed}"
        case _:
            return f"- [ ] {text}{changed}"
