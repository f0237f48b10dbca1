"""User records: what a person sent, and what others wrote in their place.

A person sends text, commands, shell lines, pictures, and the context with it; others are
injected texts and echoes of a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.records.schema import ImageBlock, Origin, TextBlock, UserRecord
from everyleaf.transcript import content, document as doc
from everyleaf.transcript.entries import Anchor, AttachedNote, Note, notice
from everyleaf.transcript.words import (
    Tagged,
    first_line,
    leading_tags,
    one_line,
    read_tag,
    tag_body,
)

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
OUTPUT_TAGS = ("local-command-stdout", "local-command-stderr", "bash-stdout", "bash-stderr")
_SKILL = "Base directory for this skill:"
_BREAK = "\n\n"


class _Draft(Struct):
    """A prompt while it is put together."""

    context: list[doc.Part] = []
    body: list[doc.Part] = []
    command: str = ""
    arguments: str = ""
    manner: doc.Manner = doc.Manner.TYPED
    words: str = ""

    def read_text(self, text: str) -> None:
        """Take up a text: the tags that it begins with, then what was typed."""
        text, reminders = content.cut_reminders(text)
        at = 0
        for tag in leading_tags(text)[0]:
            if not self._read_tag(tag):
                break
            at = tag.end
        rest = text[at:]
        if rest.lstrip().startswith(_SKILL):
            self.body.append(
                doc.Fold("text given to the model", (doc.Prose(rest.strip()),))
            )
        else:
            self.body.extend(content.typed(rest))
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
                self.body.append(doc.Fold("expanded command", (doc.Prose(body),)))
            case "bash-input":
                self.manner = doc.Manner.SHELL
                self.words = f"! {first_line(body)}"
                self.body.append(doc.Code(body, language="bash"))
            case "user-memory-input":
                self.manner = doc.Manner.MEMORY
                self.words = f"# {one_line(body)}"
                self.body.extend(content.typed(body))
            case _:
                parts = _context_parts(tag)
                if parts is None:
                    return False
                self.context.extend(parts)
        return True


def _context_parts(tag: Tagged) -> doc.Parts | None:
    """Return what a tag beside a prompt shows, or None if it is the prompt's own text."""
    body = tag.body.strip()
    if tag.name in OUTPUT_TAGS:
        return _output(tag)
    if tag.name == "ide_opened_file":
        return (doc.Chip("opened in the editor", _opened_file(body)),)
    if tag.name in {"attached_files", "uploaded_files"}:
        return (doc.Chip("files", one_line(body), body),)
    if tag.name == "pasted_content":
        name = tag.attribute("file") or tag.attribute("name")
        return (doc.Fold(f"pasted {name}".strip(), (doc.Code(body, language=name),)),)
    summary = _FOLDED_TAGS.get(tag.name)
    if summary is None and tag.name.startswith(_FOLDED_PREFIXES):
        summary = tag.name.replace("-", " ")
    return (doc.Fold(summary, (doc.Code(body),)),) if summary else None


def context_of(text: str) -> doc.Parts:
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


def _output(tag: Tagged) -> doc.Parts:
    if tag.body.strip() == "(no content)":
        return ()
    caption = "stderr" if tag.name.endswith("stderr") else ""
    return content.terminal(tag.body.strip("\n"), caption=caption)


def prompt_entry(record: UserRecord, *, manner: doc.Manner | None = None) -> doc.Prompt:
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
            draft.body.append(
                content.picture(content.Json(block.source), alt=f"Image #{number}")
            )
        else:
            draft.body.extend(content.media_part(block))
    parts, words = draft.body, draft.words
    if draft.command:
        words = first_line(f"{draft.command} {draft.arguments}".strip())
        parts.insert(0, doc.Chip("command", draft.command, draft.arguments))
    if record.plan_content:
        parts.append(doc.Fold("plan", (doc.Prose(record.plan_content),)))
    if not words:
        words = next((one_line(p.text) for p in parts if isinstance(p, doc.Prose)), "")
    return doc.Prompt(
        parts=(*draft.context, *place_pictures(parts)),
        manner=manner or (doc.Manner.COMMAND if draft.command else draft.manner),
        words=words,
    )


def place_pictures(parts: Sequence[doc.Part]) -> doc.Parts:
    """Return `parts` with each picture behind the paragraph that has `[<its alt>]`.

    One that no text names stays where it is. A text with a fence is not cut.
    """
    placed = list(parts)
    for shown in parts:
        if not isinstance(shown, doc.Picture) or not shown.alt:
            continue
        name = f"[{shown.alt}]"
        texts = (part for part in placed if isinstance(part, doc.Prose))
        naming = next((part for part in texts if name in part.text), None)
        if naming is not None:
            cut = _cut_behind(naming, name)
            placed = [one for one in placed if one is not shown]
            at = placed.index(naming)
            placed[at : at + 1] = [cut[0], shown, *cut[1:]]
    return tuple(placed)


def _cut_behind(part: doc.Prose, name: str) -> doc.Parts:
    """Return the text `part` in two, cut behind the paragraph with `name`, or whole."""
    if "```" in part.text or "~~~" in part.text:
        return (part,)
    end = part.text.find(_BREAK, part.text.index(name))
    rest = part.text[end:].strip("\n") if end >= 0 else ""
    if not rest:
        return (part,)
    return (replace(part, text=part.text[:end]), replace(part, text=rest))


INTERRUPT = "[Request interrupted by user"
PEER = "Another Claude session sent a message:"
"""What the CLI writes above the tag of a message from a peer or a teammate (2.1.232)."""
AUTOMATION = ("tick", "goal", "scheduled-task", "loop")
"""What the CLI says to the model on its own: dim."""
TAGS = (
    *("task-notification", "teammate-message", "agent-message", "cross-session-message"),
    *("channel", *AUTOMATION),
)
_HIDDEN = (
    "Caveat: The messages below were generated by the user",
    "Continue from where you left off.",
    "[Your previous response had no visible output",
    "Output token limit hit",
    "Please continue.",
)
_COMMAND_TAGS = frozenset({"command-name", "bash-input", "user-memory-input"})
_IMAGE_SOURCE = "[Image: source:"
_FOR_THE_MODEL = "text given to the model"


def is_injected(record: UserRecord) -> bool:
    """Return whether someone else than the person wrote `record`."""
    if record.origin.kind not in {"", "human"}:
        return True
    tag = _tag_of(content.blocks_text(record.message.content))
    return tag is not None and tag.name in TAGS


def _tag_of(text: str) -> Tagged | None:
    return read_tag(text.lstrip().removeprefix(PEER).lstrip())


def message_notice(text: str, origin: Origin) -> doc.Notice:
    """Return who said what in `text`: by its tag, else by `origin`."""
    tag = _tag_of(text)
    if tag is not None and tag.name == "task-notification":
        said, parts = _finished_task(tag.body)
    elif tag is not None and tag.name in TAGS:
        said, parts = _message(tag)
    else:
        who = origin.name or origin.server or origin.kind or "another session"
        body = origin.body or text
        said, parts = f"{who}: {first_line(body)}", (doc.Prose(body),)
    is_dim = tag is not None and tag.name in AUTOMATION
    kind = doc.NoticeKind.META if is_dim else doc.NoticeKind.MESSAGE
    return doc.Notice(kind=kind, text=said, parts=parts)


def _finished_task(body: str) -> tuple[str, doc.Parts]:
    """Return the summary of a finished background task, and its result."""
    named = ("task-id", "status", "output-file", "note")
    status = (tag_body(body, "status") or "").strip()
    task = (tag_body(body, "task-id") or "").strip()
    result = (tag_body(body, "result") or "").strip()
    parts = (
        *content.fields(*((name, one_line(tag_body(body, name) or "")) for name in named)),
        *((doc.AgentPage(task, "agent"),) if task and result else ()),
        *content.prose(result),
    )
    suffix = "" if status in {"", "completed"} else f" ({status})"
    summary = tag_body(body, "summary") or "background task"
    return one_line(summary) + suffix, parts or (doc.Prose(body),)


def _message(tag: Tagged) -> tuple[str, doc.Parts]:
    """Return a message by its sender; a JSON body (idle, shutdown, …) becomes one line."""
    named = (tag.attribute(key) for key in ("teammate_id", "from", "source"))
    who = next(filter(None, named), tag.name)
    body = tag.body.strip()
    told = _told_by_machine(body) if body.startswith("{") else ""
    if told:
        return f"{who}: {told}", ()
    return f"{who}: {tag.attribute('summary') or first_line(body)}", content.prose(body)


def _told_by_machine(body: str) -> str:
    """Return the type of a message between machines, with its reason or subject."""
    told = content.Json(content.parse_json(body)[0])
    kind = told.text("type").replace("_", " ")
    keys = ("subject", "reason", "summary", "idleReason", "content")
    said = next(filter(None, (one_line(told.text(key)) for key in keys)), "")
    return ": ".join(filter(None, (kind, said))) if kind else ""


def interrupt_notice(text: str) -> doc.Notice:
    """Return the mark of an interrupted turn."""
    words = text.split("\n", 1)[0].strip("[]")
    return doc.Notice(kind=doc.NoticeKind.INTERRUPT, text=words)


def user_note(record: UserRecord, *, is_prompt: bool = False) -> Note:
    """Return what a user record shows that is no result and no summary.

    `is_prompt` says that it counts as one: a person's, or what stands in its place.
    """
    text = content.blocks_text(record.message.content).strip()
    if text.startswith(_HIDDEN) and not is_prompt:
        return None
    if is_injected(record):
        return message_notice(content.blocks_text(record.message.content), record.origin)
    if text.startswith(INTERRUPT):
        return interrupt_notice(text)
    if is_prompt and not _is_given_skill(text):
        prompt = prompt_entry(record)
        return replace(prompt, is_numbered=False) if record.is_meta else prompt
    return _tool_text(record, text) if record.source_tool_use_id else _echo(record, text)


def _is_given_skill(text: str) -> bool:
    """Return whether `text` is a skill that an agent was given, and nobody asked for."""
    return any(tag.name == "skill-format" for tag in leading_tags(text)[0])


def _echo(record: UserRecord, text: str) -> Note:
    """Return what happened at the terminal; what is no echo is text for the model."""
    tags, _ = leading_tags(text)
    names = [tag.name for tag in tags]
    if not _COMMAND_TAGS.isdisjoint(names):
        return _command(record, text)
    if names and names[0] in OUTPUT_TAGS:
        return command_output(text)
    context = context_of(text)
    if context:
        return _context(context)
    is_hidden = text == "(no content)" or "local-command-caveat" in names
    return None if is_hidden else _meta(record, text)


def _context(parts: doc.Parts) -> doc.Notice | None:
    """Return what an editor reported by itself, without a word of the person."""
    said = [f"{part.label}: {part.text}" for part in parts if isinstance(part, doc.Chip)]
    folds = [part for part in parts if isinstance(part, doc.Fold)]
    return doc.Notice(
        kind=doc.NoticeKind.META,
        text=one_line(", ".join([*said, *(fold.summary for fold in folds)])),
        parts=tuple(inner for fold in folds for inner in fold.parts),
    )


def _command(record: UserRecord, text: str) -> doc.Notice:
    """Return a command that led to no reply, so that it is no prompt."""
    prompt = prompt_entry(record)
    is_command = prompt.manner is doc.Manner.COMMAND
    kept = tuple(
        part
        for part in prompt.parts
        if not (is_command and isinstance(part, doc.Chip) and part.label == "command")
    )
    words = prompt.words
    if _is_given_skill(text):
        words = f"skill given at the start: {words}"
        kept = tuple(
            part
            for whole in kept
            for part in (whole.parts if isinstance(whole, doc.Fold) else (whole,))
        )
    return doc.Notice(kind=doc.NoticeKind.COMMAND, text=words, parts=kept)


def command_output(text: str) -> AttachedNote | None:
    """Return the output of a command, which belongs under the command."""
    tags, rest = leading_tags(text)
    parts = (*(part for tag in tags for part in _output(tag)), *content.terminal(rest))
    if not parts:
        return None
    otherwise = notice("output of a command", parts, doc.NoticeKind.COMMAND)
    return AttachedNote(Anchor.COMMAND, parts, otherwise)


def _tool_text(record: UserRecord, text: str) -> AttachedNote:
    """Return a text that a tool put into the conversation, such as a skill's."""
    media = content.media_parts(record.message.content)
    parts = (doc.Fold(_FOR_THE_MODEL, (doc.Prose(text),)), *media)
    otherwise = _whole_text(record, text)
    return AttachedNote(Anchor.CALL, parts, otherwise, record.source_tool_use_id)


def _meta(record: UserRecord, text: str) -> Note:
    """Return text that the CLI gave to the model: a command's, an image's place, any."""
    media = content.media_parts(record.message.content)
    if not text and not media:
        return None
    if text.startswith(_IMAGE_SOURCE) and not media:
        chip = doc.Chip("image", first_line(text.removeprefix(_IMAGE_SOURCE).strip(" ]")))
        return AttachedNote(Anchor.PROMPT, (chip,), None)
    whole = _whole_text(record, text)
    if not record.is_meta or whole.kind is doc.NoticeKind.HOOK:
        return whole
    return AttachedNote(Anchor.PROMPT, (doc.Fold(_FOR_THE_MODEL, whole.parts),), whole)


def _whole_text(record: UserRecord, text: str) -> doc.Notice:
    is_hook = text.startswith("Stop hook feedback:")
    return doc.Notice(
        kind=doc.NoticeKind.HOOK if is_hook else doc.NoticeKind.META,
        text=first_line(text),
        parts=(doc.Prose(text), *content.media_parts(record.message.content)),
    )
