"""What a person sent: text, commands, shell lines, pictures, and the context with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from everyleaf.records.schema import ImageBlock, TextBlock
from everyleaf.transcript.content import (
    cut_reminders,
    media_part,
    picture,
    typed,
)
from everyleaf.transcript.document import Chip, Code, Fold, Manner, Prompt, Prose
from everyleaf.transcript.placing import place_pictures
from everyleaf.transcript.tags import leading_tags
from everyleaf.transcript.words import first_line, one_line

if TYPE_CHECKING:
    from everyleaf.records.schema import UserRecord
    from everyleaf.transcript.document import Part
    from everyleaf.transcript.tags import Tagged

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


class _Sheet(Struct):
    """A prompt while it is put together."""

    context: list[Part] = field(default_factory=list["Part"])
    body: list[Part] = field(default_factory=list["Part"])
    command: str = ""
    arguments: str = ""
    manner: Manner = Manner.TYPED
    words: str = ""

    def read(self, tag: Tagged) -> bool:
        """Take up what `tag` says; False if it means nothing to a prompt."""
        body = tag.body.strip()
        match tag.name:
            case "command-name":
                self.command = body if body.startswith("/") else f"/{body}"
            case "command-args":
                self.arguments = body
            case "command-message" | "local-command-caveat" | "skill-format":
                pass
            case name if name in OUTPUT_TAGS and output_part(name, body) is None:
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


def _context_parts(tag: Tagged) -> tuple[Part, ...] | None:
    """Return what a tag beside a prompt shows, or None if it is the prompt's own text."""
    body = tag.body.strip()
    if tag.name in OUTPUT_TAGS:
        output = output_part(tag.name, tag.body)
        return () if output is None else (output,)
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


def context_of(text: str) -> tuple[Part, ...]:
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


def output_part(name: str, body: str) -> Part | None:
    """Return the terminal output in an echo's tag, or None where there was none."""
    if body.strip() in {"", _NO_CONTENT}:
        return None
    caption = "stderr" if name.endswith("stderr") else ""
    return Code(body.strip("\n"), caption=caption, is_terminal=True)


def prompt_entry(
    uuid: str, record: UserRecord, *, manner: Manner | None = None, is_numbered: bool = True
) -> Prompt:
    """Return what `record` sent; `manner` overrides how it seems to have been sent."""
    sheet = _read(record)
    parts = list(sheet.body)
    words = sheet.words
    if sheet.command:
        said = f"{sheet.command} {sheet.arguments}".strip()
        words = first_line(said)
        parts.insert(0, Chip("command", sheet.command, sheet.arguments))
    if record.plan_content:
        parts.append(Fold("plan", (Prose(record.plan_content),)))
    if not words:
        words = next((one_line(p.text) for p in parts if isinstance(p, Prose)), "")
    return Prompt(
        uuid=uuid,
        at=record.timestamp,
        parts=(*sheet.context, *place_pictures(parts)),
        manner=manner or (Manner.COMMAND if sheet.command else sheet.manner),
        words=words,
        is_numbered=is_numbered,
    )


def _read(record: UserRecord) -> _Sheet:
    sheet = _Sheet()
    numbers = [number for number in record.image_paste_ids if isinstance(number, int)]
    pictures = 0
    for block in record.message.content:
        if isinstance(block, TextBlock):
            _read_text(block.text, sheet)
        elif isinstance(block, ImageBlock):
            number = numbers[pictures] if pictures < len(numbers) else pictures + 1
            pictures += 1
            sheet.body.append(picture(block.source, alt=f"Image #{number}"))
        else:
            sheet.body.extend(media_part(block))
    return sheet


def _read_text(text: str, sheet: _Sheet) -> None:
    """Take up a text: the tags that it begins with, then what was typed."""
    text, reminders = cut_reminders(text)
    tags, _ = leading_tags(text)
    at = 0
    for tag in tags:
        if not sheet.read(tag):
            break
        at = tag.end
    rest = text[at:]
    if rest.lstrip().startswith(_SKILL):
        sheet.body.append(Fold("text given to the model", (Prose(rest.strip()),)))
    else:
        sheet.body.extend(typed(rest))
    sheet.context.extend(reminders)
