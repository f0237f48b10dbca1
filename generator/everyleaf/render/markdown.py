"""Turns as Markdown that reads well on a code host and diffs well in git."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from itertools import chain

from msgspec import Struct

from everyleaf.outputs import Blob
from everyleaf.render.diffs import diff_text
from everyleaf.render.entries import Fragment, blob_of, shorten, unlinked_agent
from everyleaf.render.highlight import plain_text, terminal_runs
from everyleaf.render.markdown_text import (
    cell,
    code_span,
    fence,
    in_html,
    link,
    literal,
    prose,
)
from everyleaf.render.pictures import picture_blob
from everyleaf.theming.formats import format_moment, visible
from everyleaf.transcript import document as doc
from everyleaf.transcript.words import duration, tool_name

MARKDOWN_NUMBER_MARK = "\x00#\x00"
"""Stands for a prompt's number until a page is assembled: no cleaned text holds a NUL."""
SEPARATOR = "<!-- -->"
"""Keeps what stands on both sides of it from growing into one list."""
CELL_CHARS = 200
"""A longer value stands under its name, not in a table."""

_SIGNS = {
    doc.Outcome.OK: "",
    doc.Outcome.ERROR: "✗ ",
    doc.Outcome.DENIED: "⊘ ",
    doc.Outcome.INTERRUPTED: "◼ ",
    doc.Outcome.MISSING: "… ",
}


def render_markdown(
    document: doc.TurnDocument,
    anchors: Mapping[str, str],
    *,
    blob_root: str,
    agent_url: Callable[[str, str], str | None],
) -> Fragment:
    """Return a turn as Markdown, with `anchors` (by uuid) before what they name.

    `blob_root` leads to the blobs, and `agent_url` from a session and an agent to its
    transcript, if it has one. Numbers of prompts are left as `MARKDOWN_NUMBER_MARK`.
    """
    pen = _Pen(blob_root, partial(agent_url, document.session), dict(anchors))
    blocks = [block for entry in document.entries for block in pen.draw_entry(entry)]
    return Fragment("\n\n".join(blocks), tuple(pen.blobs.values()))


class _Pen(Struct):
    """Draws the entries of one turn, and keeps the blobs that their parts lead to."""

    blob_root: str
    agent_link: Callable[[str], str | None]
    free_anchors: dict[str, str]
    """By uuid: every anchor is written once."""
    blobs: dict[str, Blob] = {}

    def draw_entry(  # noqa: PLR0911  (a branch a kind of entry)
        self, entry: doc.AnyEntry, *, is_nested: bool = False
    ) -> list[str]:
        """Return the blocks of `entry`; a nested prompt gets no heading."""
        is_free = bool(self.free_anchors.get(entry.uuid))
        marks = self._marks(entry)
        match entry:
            case doc.Prompt():
                is_counted = entry.is_numbered and is_free and not is_nested
                return self._prompt(entry, marks, is_counted=is_counted)
            case doc.Reply():
                end = " *(withdrawn by the API)*" if entry.is_withdrawn else ""
                return [f"{marks}**Reply**{end}", *self.draw_all(entry.parts)]
            case doc.Thinking() if not entry.text.strip():
                return [f"{marks}*Thinking (not recorded)*"]
            case doc.Thinking():
                summary = f"Thinking{_withdrawn(entry)}"
                return _behind(marks, details(summary, [prose(visible(entry.text))]))
            case doc.ToolCall():
                return self._tool_call(entry, marks)
            case doc.Compaction():
                facts = literal(visible(" · ".join(entry.facts)))
                head = f"{marks}**{entry.title}**" + (f" ({facts})" if facts else "")
                fold = self.fold("Summary", entry.summary) if entry.summary else ""
                return [*filter(None, ["---", head, fold]), "---"]
            case doc.Notice():
                text = f"{'⚠ ' if entry.is_trouble else ''}{visible(entry.text)}"
                if entry.parts:
                    fold = self.fold(text, entry.parts, is_open=entry.is_trouble)
                    return _behind(marks, fold)
                shown = literal(text) or "(nothing said)"
                return [f"{marks}**{shown}**" if entry.is_trouble else f"{marks}*{shown}*"]
            case doc.Rewritten():
                inner = (self.draw_entry(one, is_nested=True) for one in entry.entries)
                summary = in_html(visible(f"Written again, differently: {entry.where}"))
                return _behind(marks, details(summary, list(chain.from_iterable(inner))))

    def _marks(self, entry: doc.Entry) -> str:
        """Return the anchors of `entry` that are not on the page yet."""
        uuids = dict.fromkeys((entry.uuid, *entry.also))
        fresh = [self.free_anchors.pop(uuid, "") for uuid in uuids]
        return "".join(f'<a id="{name}"></a>' for name in fresh if name)

    def _prompt(self, entry: doc.Prompt, marks: str, *, is_counted: bool) -> list[str]:
        facts = [entry.manner.words, format_moment(visible(entry.at))]
        line = " · ".join(literal(fact) for fact in facts if fact)
        when = f"*{line}*" if line else ""
        parts = self.draw_all(entry.parts)
        name = "Request" if entry.is_request else "Prompt"
        if not is_counted:
            return [f"{marks}**{name}** {when}".rstrip(), *parts]
        return [*filter(None, [marks, f"## {name} {MARKDOWN_NUMBER_MARK}", when]), *parts]

    def _tool_call(self, entry: doc.ToolCall, marks: str) -> list[str]:
        blocks = self.draw_all(entry.asked)
        answered = self.draw_all(entry.answered)
        if blocks and answered:
            blocks.append("*Result:*")
        blocks += answered
        if agent := unlinked_agent(entry):
            blocks.append(self.draw(doc.AgentPage(agent, "The agent's transcript")))
        sign, took = _SIGNS[entry.outcome], duration(entry.duration_ms)
        facts = (visible(entry.outcome_text) or entry.outcome.words, took)
        end = f"{', '.join(filter(None, facts))}{_withdrawn(entry)}".strip()
        label = visible(tool_name(entry.name))
        target = visible(entry.target)
        if not blocks:
            line = f"{marks}{sign}**{literal(label)}**"
            line += f" {code_span(target)}" if code_span(target) else ""
            return [line + (f" — {literal(end)}" if end else "")]
        summary = f"{sign}<b>{in_html(label)}</b>"
        summary += f" <code>{in_html(target)}</code>" if target else ""
        summary += f" — {in_html(end)}" if end else ""
        return _behind(marks, details(summary, blocks, is_open=entry.is_open))

    def draw_all(self, parts: Iterable[doc.Part]) -> list[str]:
        """Return the blocks of `parts`, in order, to be set apart by empty lines."""
        blocks: list[str] = []
        was_list = False
        for part in parts:
            block = self.draw(part)
            is_list = isinstance(part, doc.Prose | doc.Checklist | doc.Links | doc.Table)
            if was_list and is_list and block:
                blocks.append(SEPARATOR)
            if block:
                blocks.append(block)
                was_list = is_list
        return blocks

    def draw(self, part: doc.Part) -> str:  # noqa: C901, PLR0911  (a branch a part)
        """Return `part` as one or more blocks; empty where there is nothing to show."""
        match part:
            case doc.Prose():
                return prose(visible(part.text), keeps_breaks=part.keeps_breaks)
            case doc.Code():
                return self._code(part)
            case doc.Picture():
                alt = visible(part.alt) or "Picture"
                found = part.problem or picture_blob(part.data, part.media_type)
                if isinstance(found, str):
                    return f"*{literal(' — '.join(filter(None, (alt, visible(found)))))}*"
                return f"![{literal(alt)}]({self._keep(found.blob)})"
            case doc.Chip():
                label, text, detail = map(visible, (part.label, part.text, part.detail))
                shown = f"**{literal(label)}:** {code_span(text)} {literal(detail)}"
                return shown.rstrip()
            case doc.Diff():
                size = f"+{part.added:,} \u2212{part.removed:,}"
                changes = self._long_text(diff_text(part), "diff") if part.hunks else []
                return "\n\n".join([f"{code_span(visible(part.file))} {size}", *changes])
            case doc.Table():
                return self._table(part)
            case doc.Checklist():
                return "\n".join(map(_check_item, part.items))
            case doc.Links():
                links = (link(visible(one.text), visible(one.url)) for one in part.items)
                return "\n".join(f"- {one}" for one in links)
            case doc.AgentPage():
                url = self.agent_link(part.agent_id)
                text = visible(part.text) or f"Agent {visible(part.agent_id)}"
                linked = f"[{literal(text)}]({url})"
                return linked if url else literal(text, starts_block=True)
            case doc.Fold():
                return self.fold(part.summary, part.parts, is_open=part.is_open)

    def fold(
        self, summary: str, parts: Iterable[doc.Part], *, is_open: bool = False
    ) -> str:
        """Return `<details>` with `parts` inside."""
        return details(in_html(visible(summary)), self.draw_all(parts), is_open=is_open)

    def _code(self, part: doc.Code) -> str:
        """Return a fence, its caption above; of a long text only both ends."""
        text = plain_text(terminal_runs(part.text)) if part.is_terminal else part.text
        caption = visible(part.caption)
        if part.first_line is not None and part.first_line > 1:
            caption = f"{caption} from line {part.first_line}".strip()
        blocks = [f"*{literal(caption)}*"] if caption else []
        return "\n\n".join([*blocks, *self._long_text(text, part.language)])

    def _long_text(self, text: str, language: str = "") -> list[str]:
        """Return `text` in a fence, or its ends with a link to all of it between them."""
        text = visible(text)
        ends = shorten(text)
        if ends is None:
            return [fence(text, language)]
        url = self._keep(blob_of(text))
        return [
            fence(ends.head, language),
            f"*{ends.lines:,} lines, [show all]({url})*",
            fence(ends.tail, language),
        ]

    def _keep(self, blob: Blob) -> str:
        self.blobs[blob.name] = blob
        return f"{self.blob_root}{blob.name}"

    def _table(self, part: doc.Table) -> str:
        """Return a table; without a head and with long values, a list of fields."""
        rows = [[visible(value) for value in row] for row in part.rows]
        if not part.head and any(_is_long(value) for row in rows for value in row):
            return "\n\n".join(block for row in rows for block in self._field(row))
        head = [visible(name) for name in part.head]
        width = max(map(len, [head, *rows]), default=0)
        if width == 0:
            return ""
        lines = [_row(head, width), f"|{' --- |' * width}", *(_row(r, width) for r in rows)]
        return "\n".join(lines)

    def _field(self, row: list[str]) -> list[str]:
        name, value = "".join(row[:1]), " | ".join(row[1:])
        label = f"**{literal(name)}**:" if name else ""
        if not _is_long(value):
            return [f"{label} {literal(value, starts_block=not label)}".strip()]
        return [*filter(None, [label]), *self._long_text(value)]


def details(summary: str, blocks: list[str], *, is_open: bool = False) -> str:
    """Return blocks folded behind `summary` (HTML), as code hosts need them."""
    tag = "<details open>" if is_open else "<details>"
    return "\n\n".join([f"{tag}<summary>{summary}</summary>", *blocks, "</details>"])


def _is_long(value: str) -> bool:
    return len(value) > CELL_CHARS or "\n" in value


def _row(values: list[str], width: int) -> str:
    filled = [*map(cell, values), *[""] * (width - len(values))]
    return f"| {' | '.join(filled)} |"


def _check_item(item: doc.CheckItem) -> str:
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


def _behind(marks: str, block: str) -> list[str]:
    return [marks, block] if marks else [block]


def _withdrawn(entry: doc.Thinking | doc.ToolCall) -> str:
    return " (withdrawn by the API)" if entry.is_withdrawn else ""
