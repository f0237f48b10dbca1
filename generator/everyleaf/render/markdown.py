"""Turns as Markdown that reads well on a code host and diffs well in git."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from msgspec import Struct

from everyleaf.render.markdown_parts import PartDrawer, details
from everyleaf.render.markdown_prose import prose
from everyleaf.render.markdown_text import code_span, in_html, literal
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import format_duration, format_moment, tool_name
from everyleaf.transcript.document import (
    AgentPage,
    Compaction,
    Notice,
    Outcome,
    Prompt,
    Reply,
    Rewritten,
    Thinking,
    ToolCall,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from everyleaf.outputs import Blob
    from everyleaf.transcript.document import AnyEntry, Entry, TurnDocument

MARKDOWN_NUMBER_MARK = "\x00#\x00"
"""Stands for a prompt's number until a page is assembled: no cleaned text holds a NUL."""

_OUTCOMES = {
    Outcome.OK: "",
    Outcome.ERROR: "✗ ",
    Outcome.DENIED: "⊘ ",
    Outcome.INTERRUPTED: "◼ ",
    Outcome.MISSING: "… ",
}


class RenderedMarkdown(Struct, frozen=True):
    """A turn as Markdown, and the blobs that it leads to."""

    text: str
    blobs: tuple[Blob, ...]


class MarkdownRenderer:
    """Draws turns as Markdown; holds nothing that depends on a path."""

    def __init__(
        self, *, blob_root: str, agent_url: Callable[[str, str], str | None]
    ) -> None:
        """Take what leads from a Markdown file to the blobs and to an agent's transcript.

        `agent_url` is given a session and an agent's id.
        """
        self._blob_root = blob_root
        self._agent_url = agent_url

    def render_turn(
        self, document: TurnDocument, anchors: Mapping[str, str]
    ) -> RenderedMarkdown:
        """Return `document` drawn, with `anchors` (by uuid) before what they name.

        Numbers of prompts are left as `MARKDOWN_NUMBER_MARK`.
        """

        def agent_link(agent_id: str) -> str | None:
            return self._agent_url(document.session, agent_id)

        drawer = _EntryDrawer(PartDrawer(self._blob_root, agent_link), anchors)
        blocks = [block for entry in document.entries for block in drawer.draw(entry)]
        return RenderedMarkdown("\n\n".join(blocks), tuple(drawer.parts.blobs.values()))


class _EntryDrawer:
    """Draws the entries of one turn; every anchor is written once."""

    def __init__(self, parts: PartDrawer, anchors: Mapping[str, str]) -> None:
        self.parts = parts
        self._anchors = anchors
        self._written: set[str] = set()

    def draw(self, entry: AnyEntry, *, is_nested: bool = False) -> list[str]:
        """Return the blocks of `entry`; nested ones get no heading."""
        match entry:
            case Prompt():
                return self._prompt(entry, is_nested=is_nested)
            case Rewritten():
                return self._rewritten(entry)
            case Reply() | Thinking() | ToolCall() | Compaction() | Notice():
                return self._answer(entry)
            case _ as never:
                assert_never(never)

    def _answer(
        self, entry: Reply | Thinking | ToolCall | Compaction | Notice
    ) -> list[str]:
        match entry:
            case Reply():
                return self._reply(entry)
            case Thinking():
                return self._thinking(entry)
            case ToolCall():
                return self._tool_call(entry)
            case Compaction():
                return self._compaction(entry)
            case Notice():
                return self._notice(entry)
            case _ as never:
                assert_never(never)

    def _marks(self, entry: Entry) -> str:
        """Return the anchors of `entry` that are not on the page yet."""
        names = dict.fromkeys(
            self._anchors[uuid]
            for uuid in (entry.uuid, *entry.also)
            if uuid in self._anchors
        )
        fresh = [name for name in names if name not in self._written]
        self._written.update(fresh)
        return "".join(f'<a id="{name}"></a>' for name in fresh)

    def _is_free(self, entry: Entry) -> bool:
        anchor = self._anchors.get(entry.uuid)
        return anchor is not None and anchor not in self._written

    def _prompt(self, entry: Prompt, *, is_nested: bool) -> list[str]:
        facts = [entry.manner.words, format_moment(visible(entry.at))]
        line = " · ".join(literal(fact) for fact in facts if fact)
        is_counted = entry.is_numbered and not is_nested and self._is_free(entry)
        marks, parts = self._marks(entry), self.parts.draw_all(entry.parts)
        when = f"*{line}*" if line else ""
        if not is_counted:
            return [f"{marks}**Prompt** {when}".rstrip(), *parts]
        return [*filter(None, [marks, f"## Prompt {MARKDOWN_NUMBER_MARK}", when]), *parts]

    def _reply(self, entry: Reply) -> list[str]:
        withdrawn = " *(withdrawn by the API)*" if entry.is_withdrawn else ""
        label = f"{self._marks(entry)}**Reply**{withdrawn}"
        return [label, *self.parts.draw_all(entry.parts)]

    def _thinking(self, entry: Thinking) -> list[str]:
        marks = self._marks(entry)
        if not entry.text.strip():
            return [f"{marks}*Thinking (not recorded)*"]
        fold = details(f"Thinking{_taken_back(entry)}", [prose(visible(entry.text))])
        return [*filter(None, [marks]), fold]

    def _tool_call(self, entry: ToolCall) -> list[str]:
        blocks = self.parts.draw_all(entry.asked)
        answered = self.parts.draw_all(entry.answered)
        if blocks and answered:
            blocks.append("*Result:*")
        blocks += answered
        if entry.agent_id and not _links_agent((*entry.asked, *entry.answered)):
            blocks.append(
                self.parts.draw(AgentPage(entry.agent_id, "The agent's transcript"))
            )
        if not blocks:
            return [f"{self._marks(entry)}{_call_line(entry)}"]
        is_open = entry.outcome in {Outcome.ERROR, Outcome.DENIED}
        fold = details(_call_summary(entry), blocks, is_open=is_open)
        return [*filter(None, [self._marks(entry)]), fold]

    def _compaction(self, entry: Compaction) -> list[str]:
        facts = literal(visible(" · ".join(entry.facts)))
        head = f"{self._marks(entry)}**{entry.title}**" + (f" ({facts})" if facts else "")
        summary = self.parts.fold("Summary", entry.summary) if entry.summary else ""
        return [*filter(None, ["---", head, summary]), "---"]

    def _notice(self, entry: Notice) -> list[str]:
        marks, text = self._marks(entry), visible(entry.text)
        sign = "⚠ " if entry.is_trouble else ""
        if entry.parts:
            fold = self.parts.fold(f"{sign}{text}", entry.parts, is_open=entry.is_trouble)
            return [*filter(None, [marks]), fold]
        shown = literal(f"{sign}{text}") or "(nothing said)"
        return [f"{marks}**{shown}**" if entry.is_trouble else f"{marks}*{shown}*"]

    def _rewritten(self, entry: Rewritten) -> list[str]:
        marks = self._marks(entry)
        blocks = [b for inner in entry.entries for b in self.draw(inner, is_nested=True)]
        summary = in_html(visible(f"Written again, differently: {entry.where}"))
        return [*filter(None, [marks]), details(summary, blocks)]


def _links_agent(parts: tuple[object, ...]) -> bool:
    return any(isinstance(part, AgentPage) for part in parts)


def _call_summary(entry: ToolCall) -> str:
    """Return what happened in one line of HTML: tool, what on, outcome, time."""
    target, end = visible(entry.target), _call_end(entry)
    pieces = [f"{_OUTCOMES[entry.outcome]}<b>{in_html(_tool_words(entry))}</b>"]
    if target:
        pieces.append(f"<code>{in_html(target)}</code>")
    return " ".join(pieces) + (f" — {in_html(end)}" if end else "")


def _call_line(entry: ToolCall) -> str:
    """Return the same as a line of Markdown, for a call that has nothing to unfold."""
    target, end = code_span(visible(entry.target)), _call_end(entry)
    name = f"{_OUTCOMES[entry.outcome]}**{literal(_tool_words(entry))}**"
    return " ".join(filter(None, [name, target])) + (f" — {literal(end)}" if end else "")


def _tool_words(entry: ToolCall) -> str:
    return visible(entry.label or tool_name(entry.name))


def _call_end(entry: ToolCall) -> str:
    outcome = visible(entry.outcome_text) or entry.outcome.words
    took = "" if entry.duration_ms is None else format_duration(entry.duration_ms)
    end = ", ".join(filter(None, (outcome, took)))
    return f"{end}{_taken_back(entry)}".strip()


def _taken_back(entry: Thinking | ToolCall) -> str:
    return " (withdrawn by the API)" if entry.is_withdrawn else ""
