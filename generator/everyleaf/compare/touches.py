"""What tool results say about files, and the contents played forward from that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.forest import Turn
from everyleaf.model import Kind
from everyleaf.records import schema
from everyleaf.transcript.build import Load
from everyleaf.transcript.content import Json, blocks_text
from everyleaf.transcript.document import Hunk, Outcome
from everyleaf.transcript.edits import FILE_TOOLS, FileTouch, Replacement, attached_touch
from everyleaf.transcript.results import ToolResult, guess_name, read_ending, results_in


class TurnFiles(Struct, frozen=True):
    """What the records of a turn say about files."""

    folder: str
    """The working folder that the first record names; empty: none does."""
    touches: tuple[FileTouch, ...]
    """In the order in which they happened."""


def read_turn_files(turn: Turn, load: Load) -> TurnFiles:
    """Return what the records of `turn` say about files; reads all of them."""
    envelopes = [placed.envelope for placed in turn.records]
    records = load(turn.source, envelopes)
    uuids = [envelope.uuid for envelope in envelopes]
    return TurnFiles(
        folder=next((record.cwd for record in records if record.cwd), ""),
        touches=tuple(iter_touches(zip(uuids, records, strict=True))),
    )


def may_touch(turn: Turn) -> bool:
    """Return whether the records of `turn` may say something about files."""
    # A note may be an attachment that holds a file.
    kinds = {Kind.RESULT, Kind.NOTE, Kind.STEERING}
    return any(placed.kind in kinds for placed in turn.records)


def iter_touches(records: Iterable[tuple[str, schema.AnyRecord]]) -> Iterator[FileTouch]:
    """Yield what the records of a turn say about files, in the order of the results.

    Of each record, its uuid comes first. Calls that failed, were refused or have no result
    changed nothing.
    """
    calls: dict[str, schema.ToolUseBlock] = {}
    uuids: dict[str, str] = {}
    for uuid, record in records:
        if isinstance(record, schema.AssistantRecord):
            made = [b for b in record.message.content if isinstance(b, schema.ToolUseBlock)]
            calls.update((block.id, block) for block in made)
            uuids.update((block.id, uuid) for block in made)
        elif isinstance(record, schema.UserRecord):
            for given in results_in("", record):
                name = given.block.tool_use_id
                touch = _touched(given, calls.get(name))
                if touch is not None and touch.file:
                    yield replace(touch, uuid=uuids.get(name, ""))
        elif isinstance(record, schema.AttachmentRecord):
            touch = attached_touch(Json(record.attachment))
            if touch is not None:
                yield touch


def _touched(given: ToolResult, call: schema.ToolUseBlock | None) -> FileTouch | None:
    result, block = given.structured, given.block
    read = FILE_TOOLS.get(call.name if call else guess_name(result) or "")
    text = blocks_text(block.content)
    ending = read_ending(text, is_error=block.is_error, record=given.record)
    if read is None or ending.outcome is not Outcome.OK:
        return None
    return read(Json(call.input if call else {}), result)


class FileStory(Struct, frozen=True):
    """What became of one file along some turns."""

    start: str | None
    """Contents when it was first changed; None: not known."""
    end: str | None
    """Contents at the end; None: they cannot be told from the records."""
    is_new: bool
    """The file did not exist at the start."""
    hunks: tuple[Hunk, ...]
    """All recorded changes, one after the other."""
    has_foreign_changes: bool
    """Something else than these turns changed the file between two of them."""
    changed_by: str
    """The record of the last call that changed it; empty where none is known."""


def tell_story(touches: Iterable[FileTouch], known: str | None = None) -> FileStory:
    """Return what `touches` of one file, in order, did to it.

    `known` is the file's contents before the first of them. A recorded content always
    counts for more than one that was played forward, so that changes made by other means
    (a formatter, a shell command) are noticed and not undone.
    """
    now = known
    start: str | None = None
    is_begun = is_new = is_foreign = False
    hunks: list[Hunk] = []
    changed_by = ""
    for touch in touches:
        changed_by = touch.uuid if touch.is_change else changed_by
        before = now if touch.before is None else touch.before
        is_foreign |= touch.is_foreign or (now is not None and before != now)
        if touch.is_change and not is_begun:
            is_begun, is_new = True, touch.is_new
            start = "" if touch.is_new else before
        if not touch.is_change and is_begun and touch.after is not None:
            is_foreign |= now is not None and touch.after != now
        now = contents_after(touch, before)
        hunks += touch.hunks
    return FileStory(start, now, is_new, tuple(hunks), is_foreign, changed_by)


def contents_after(touch: FileTouch, before: str | None) -> str | None:
    """Return the contents after `touch`; None where they cannot be told."""
    if touch.after is not None:
        return touch.after
    if touch.is_foreign:
        return None
    if touch.replacements:
        replaced = apply_replacements(before, touch.replacements)
        if replaced is not None:
            return replaced
    return apply_hunks(before, touch.hunks) if before is not None and touch.hunks else None


def apply_replacements(
    before: str | None, replacements: Sequence[Replacement]
) -> str | None:
    """Return `before` after all of `replacements`; None if one of them does not fit."""
    text = before
    for each in replacements:
        text = _replace(text, each)
        if text is None:
            return None
    return text


def _replace(text: str | None, each: Replacement) -> str | None:
    if not each.old:
        # How the edit tool makes a file, or fills an empty one.
        return each.new if not text else None
    if text is None or each.old not in text:
        return None
    old = each.old
    # The CLI takes the line break along where a whole line is taken out.
    if not each.new and not old.endswith("\n") and f"{old}\n" in text:
        old = f"{old}\n"
    return text.replace(old, each.new, -1 if each.is_everywhere else 1)


def apply_hunks(before: str, hunks: Sequence[Hunk]) -> str | None:
    """Return `before` after a patch; None if a line of it is not where it should be."""
    lines, result, at = before.split("\n"), list[str](), 0
    for hunk in hunks:
        start = max(hunk.old_start - 1, 0)
        # What says that a last line has no line break looks like a line of context.
        body = [line for line in hunk.lines if not _is_remark(line.sign + line.text)]
        old = [line.text for line in body if line.sign != "+"]
        if start < at or lines[start : start + len(old)] != old:
            return None
        result += lines[at:start]
        result += [line.text for line in body if line.sign != "-"]
        at = start + len(old)
    return "\n".join([*result, *lines[at:]])


def _is_remark(line: str) -> bool:
    return line.startswith(" \\ No newline at end of file")
