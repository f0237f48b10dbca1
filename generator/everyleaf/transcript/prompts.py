"""What a person sent: text, commands, shell lines, pictures, and the context with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.records.schema import ImageBlock, TextBlock
from everyleaf.transcript.content import (
    cut_reminders,
    media_part,
    picture,
    terminal,
    typed,
)
from everyleaf.transcript.document import (
    Chip,
    Code,
    Fold,
    Manner,
    Picture,
    Prompt,
    Prose,
)
from everyleaf.transcript.values import Json
from everyleaf.transcript.words import first_line, leading_tags, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from everyleaf.records.schema import UserRecord
    from everyleaf.transcript.document import Part, Parts
    from everyleaf.transcript.words import Tagged

_FOLDED_TAGS = {
    "ide_selection": "selected in the editor",
    "ide_diagnostics": "diagnostics",
    "new-diagnostics": "diagnostics",
    "user-prompt-submit-hook": "hook: user prompt submit",
    "session-start-hook": "hook: session start",
    "post-tool-use-hook": "hook: post tool use",
}
"""Context that is shown as it is, behind these words."""
_FOLDED_PREFIXES = ("stop-hook", "fork-")
"""Further context, behind the tag's own words: `fork-boilerplate` before a directive."""
OUTPUT_TAGS = (
    "local-command-stdout",
    "local-command-stderr",
    "bash-stdout",
    "bash-stderr",
)
_SKILL = "Base directory for this skill:"
_NO_CONTENT = "(no content)"
_BREAK = "\n\n"


class _Draft(Struct):
    """A prompt while it is put together."""

    context: list[Part] = field(default_factory=list["Part"])
    body: list[Part] = field(default_factory=list["Part"])
    command: str = ""
    arguments: str = ""
    manner: Manner = Manner.TYPED
    words: str = ""

    def read_text(self, text: str) -> None:
        """Take up a text: the tags that it begins with, then what was typed."""
        text, reminders = cut_reminders(text)
        at = 0
        for tag in leading_tags(text)[0]:
            if not self._read_tag(tag):
                break
            at = tag.end
        rest = text[at:]
        if rest.lstrip().startswith(_SKILL):
            self.body.append(Fold("text given to the model", (Prose(rest.strip()),)))
        else:
            self.body.extend(typed(rest))
        self.context.extend(reminders)

    def _read_tag(self, tag: Tagged) -> bool:
        """Take up what `tag` says; False if it means nothing to a prompt."""
        body = tag.body.strip()
        match tag.name:
            case "command-name":
                self.command = body if body.startswith("/") else f"/{body}"
            case "command-args":
                self.arguments = body
            case "command-message" | "local-command-caveat" | "skill-format":
                pass
            case "command-contents":
                self.body.append(Fold("expanded command", (Prose(body),)))
            case "bash-input":
                self.manner = Manner.SHELL
                self.words = f"! {first_line(body)}"
                self.body.append(Code(body, language="bash"))
            case "user-memory-input":
                self.manner = Manner.MEMORY
                self.words = f"# {one_line(body)}"
                self.body.extend(typed(body))
            case _:
                parts = _context_parts(tag)
                if parts is None:
                    return False
                self.context.extend(parts)
        return True


def _context_parts(tag: Tagged) -> Parts | None:
    """Return what a tag beside a prompt shows, or None if it is the prompt's own text."""
    body = tag.body.strip()
    if tag.name in OUTPUT_TAGS:
        return _output(tag)
    if tag.name == "ide_opened_file":
        return (Chip("opened in the editor", _opened_file(body)),)
    if tag.name in {"attached_files", "uploaded_files"}:
        return (Chip("files", one_line(body), body),)
    if tag.name == "pasted_content":
        name = tag.attribute("file") or tag.attribute("name")
        return (Fold(f"pasted {name}".strip(), (Code(body, language=name),)),)
    summary = _FOLDED_TAGS.get(tag.name)
    if summary is None and tag.name.startswith(_FOLDED_PREFIXES):
        summary = tag.name.replace("-", " ")
    return (Fold(summary, (Code(body),)),) if summary else None


def context_of(text: str) -> Parts:
    """Return what a text shows that is context from its first to its last tag, else ()."""
    tags, rest = leading_tags(text)
    found = [_context_parts(tag) for tag in tags]
    if rest.strip() or None in found:
        return ()
    return tuple(part for parts in found if parts is not None for part in parts)


def _opened_file(body: str) -> str:
    """Return the file in "The user opened the file X in the IDE. …", else all of it."""
    start = body.find("the file ")
    end = body.find(" in the IDE", start)
    is_known = start >= 0 and end > start
    return body[start + len("the file ") : end] if is_known else one_line(body)


def output_parts(text: str) -> Parts:
    """Return the terminal output that `text` is: in the tags of an echo, or behind them."""
    tags, rest = leading_tags(text)
    return (*(part for tag in tags for part in _output(tag)), *terminal(rest))


def _output(tag: Tagged) -> Parts:
    if tag.body.strip() == _NO_CONTENT:
        return ()
    caption = "stderr" if tag.name.endswith("stderr") else ""
    return terminal(tag.body.strip("\n"), caption=caption)


def prompt_entry(record: UserRecord, *, manner: Manner | None = None) -> Prompt:
    """Return what `record` sent; `manner` overrides how it seems to have been sent.

    Only what was typed is numbered.
    """
    draft = _Draft()
    numbers = [number for number in record.image_paste_ids if isinstance(number, int)]
    pictures = 0
    for block in record.message.content:
        if isinstance(block, TextBlock):
            draft.read_text(block.text)
        elif isinstance(block, ImageBlock):
            number = numbers[pictures] if pictures < len(numbers) else pictures + 1
            pictures += 1
            draft.body.append(picture(Json(block.source), alt=f"Image #{number}"))
        else:
            draft.body.extend(media_part(block))
    parts, words = draft.body, draft.words
    if draft.command:
        words = first_line(f"{draft.command} {draft.arguments}".strip())
        parts.insert(0, Chip("command", draft.command, draft.arguments))
    if record.plan_content:
        parts.append(Fold("plan", (Prose(record.plan_content),)))
    if not words:
        words = next((one_line(p.text) for p in parts if isinstance(p, Prose)), "")
    return Prompt(
        parts=(*draft.context, *place_pictures(parts)),
        manner=manner or (Manner.COMMAND if draft.command else draft.manner),
        words=words,
    )


def place_pictures(parts: Sequence[Part]) -> Parts:
    """Return `parts` with each picture behind the paragraph that has `[<its alt>]`.

    One that no text names stays where it is. A text with a fence is not cut.
    """
    placed = list(parts)
    for shown in parts:
        if not isinstance(shown, Picture) or not shown.alt:
            continue
        name = f"[{shown.alt}]"
        texts = (part for part in placed if isinstance(part, Prose) and name in part.text)
        naming = next(texts, None)
        if naming is not None:
            cut = _cut_behind(naming, name)
            placed = [one for one in placed if one is not shown]
            at = placed.index(naming)
            placed[at : at + 1] = [cut[0], shown, *cut[1:]]
    return tuple(placed)


def _cut_behind(part: Prose, name: str) -> Parts:
    """Return the text `part` in two, cut behind the paragraph with `name`, or whole."""
    if "```" in part.text or "~~~" in part.text:
        return (part,)
    end = part.text.find(_BREAK, part.text.index(name))
    rest = part.text[end:].strip("\n") if end >= 0 else ""
    if not rest:
        return (part,)
    return (replace(part, text=part.text[:end]), replace(part, text=rest))
