"""Results of tool calls as written: of which call, how it ended, where the rest is."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from everyleaf.records import schema
from everyleaf.transcript.content import Json, objects_in
from everyleaf.transcript.document import Outcome
from everyleaf.transcript.words import first_line, tag_body

_REJECTED = re.compile(
    r"The user doesn't want to (?:proceed with this tool use|take this action right now)"
    r"|User rejected tool use|User chose to stay in plan mode"
)
_FORBIDDEN = re.compile(
    r"Permission (?:to use|for this) .{0,400}(?:has been |was )denied"
    r"|Claude requested permissions? to"
    r"|This command requires approval"
    r"|Permission denied by hook",
    re.DOTALL,
)
_SAID = re.compile(r"the user said:\s*", re.IGNORECASE)
_NOTE_TO_MODEL = "Note: The user's next message may contain"
READ_LIMIT_BYTES = 16 * 1024 * 1024
"""Longest spilled output that is read; the rest of a longer one is left out."""

_TAG = "persisted-output"
_SAVED_TO = re.compile(r"(?:saved|persisted|written) to:? (\S[^\n]{0,4000})", re.IGNORECASE)
_PREVIEW = re.compile(r"Preview \([^)\n]{0,40}\):\n")
_SHAPES: tuple[tuple[str, frozenset[str]], ...] = (
    ("TodoWrite", frozenset({"oldTodos", "newTodos"})),
    ("Edit", frozenset({"filePath", "oldString", "newString"})),
    ("MultiEdit", frozenset({"filePath", "edits"})),
    ("Write", frozenset({"filePath", "content", "structuredPatch"})),
    ("Read", frozenset({"type", "file"})),
    ("Bash", frozenset({"stdout", "stderr", "interrupted"})),
    ("Grep", frozenset({"mode", "filenames"})),
    ("Glob", frozenset({"filenames", "durationMs"})),
    ("WebFetch", frozenset({"url", "code", "result"})),
    ("WebSearch", frozenset({"query", "results"})),
    ("AskUserQuestion", frozenset({"questions", "answers"})),
    ("Agent", frozenset({"totalDurationMs", "totalTokens"})),
    ("Agent", frozenset({"status", "agentId"})),
)


class ToolResult(Struct, frozen=True):
    """One result: its block, and the record that it stands in."""

    uuid: str
    block: schema.ToolResultBlock
    record: schema.UserRecord

    @property
    def structured(self) -> Json:
        """Return the structured result, unless it may be of another result there."""
        results = [
            b for b in self.record.message.content if isinstance(b, schema.ToolResultBlock)
        ]
        return Json(self.record.tool_use_result if len(results) == 1 else None)


def results_in(uuid: str, record: schema.AnyRecord) -> tuple[ToolResult, ...]:
    """Return the results in `record`, in the order of its blocks."""
    if isinstance(record, schema.AssistantRecord):
        return tuple(
            _server_result(uuid, block, record)
            for block in record.message.content
            if isinstance(block, schema.ServerResultBlock)
        )
    if not isinstance(record, schema.UserRecord):
        return ()
    return tuple(
        ToolResult(uuid, block, record)
        for block in record.message.content
        if isinstance(block, schema.ToolResultBlock)
    )


def _server_result(
    uuid: str, block: schema.ServerResultBlock, record: schema.AssistantRecord
) -> ToolResult:
    """Return what a server tool answered inside of a reply, as if the CLI had run it."""
    content = block.content
    if isinstance(content, dict):  # What only the API can read is left out.
        content = {key: content[key] for key in content if key != "encrypted_content"}
    texts = [each.text("text") for each in objects_in(content)]
    told = Json(content)
    text = told.text("text", "content") or "\n".join(filter(None, texts))
    is_error = told.text("type").endswith("_error")
    written = {"type": "tool_result", "tool_use_id": block.tool_use_id, "content": text}
    said = {"content": [{**written, "is_error": is_error}]}
    raw = {"type": "user", "message": said, "toolUseResult": {"content": content}}
    raw |= {"timestamp": record.timestamp, "cwd": record.cwd}
    (result,) = results_in(uuid, schema.parse_record(raw))
    return result


def guess_name(result: Json) -> str | None:
    """Return which tool gives results like `result`, or None where several might."""
    keys = result.fields.keys()
    return next((name for name, needed in _SHAPES if needed <= keys), None)


class CallEnding(Struct, frozen=True):
    """How a call ended, and the text that is left to show of its result."""

    outcome: Outcome
    text: str
    words: str = ""
    """In a few words, where the outcome is not OK."""
    said: str = ""
    """What the person said when they refused."""
    is_boilerplate: bool = False
    """The text is what the CLI tells the model of any refusal."""


_ENDINGS = (
    # What the CLI would have asked, in a session where nobody could be asked.
    (
        re.compile(r"(?:Answer questions\?|Exit plan mode\?)\s*\Z"),
        (Outcome.DENIED, "nobody was there to answer"),
    ),
    (_FORBIDDEN, (Outcome.DENIED, "not permitted")),
    (
        re.compile(r"Cancelled: parallel tool call|Sibling tool call errored"),
        (Outcome.INTERRUPTED, "cancelled"),
    ),
    (re.compile(r"\[Request interrupted by user"), (Outcome.INTERRUPTED, "interrupted")),
    (
        re.compile(r"\[Tool result missing due to internal error\]"),
        (Outcome.MISSING, "result lost"),
    ),
)
"""How the text of a call that came to nothing begins, and how it then ended."""


def read_ending(text: str, *, is_error: bool, record: schema.UserRecord) -> CallEnding:
    """Return the ending that a result with `text` tells; tags around an error are cut."""
    error = tag_body(text, "tool_use_error") if "<tool_use_error>" in text[:200] else None
    if not (is_error or error is not None or record.tool_denial_kind):
        return CallEnding(Outcome.OK, text)
    text = text if error is None else error.strip()
    head, said = text[:600].lstrip(), record.user_feedback
    if _REJECTED.match(head):
        found = None if said else _SAID.search(text)
        if found:
            said = text[found.end() :].partition(_NOTE_TO_MODEL)[0].strip()
        return CallEnding(
            Outcome.DENIED, text, "refused by the user", said, is_boilerplate=True
        )
    if record.tool_denial_kind:
        words = f"denied ({record.tool_denial_kind})"
        return CallEnding(Outcome.DENIED, text, words, said, is_boilerplate=bool(said))
    for beginning, (outcome, words) in _ENDINGS:
        if beginning.match(head):
            return CallEnding(outcome, text, words)
    return CallEnding(Outcome.ERROR, text, first_line(head, limit=100) or "failed")


class Spilled(Struct, frozen=True):
    """A result of which the record holds a preview only."""

    name: str
    """Base name of the file that the whole was written to."""
    preview: str
    note: str
    """What the CLI says of it: how large it was."""


def read_spill(text: str) -> Spilled | None:
    """Return where the rest of a result is, or None for a result that is whole."""
    body = tag_body(text, _TAG) if f"<{_TAG}>" in text[:200] else None
    if body is None:
        return None
    saved, preview = _SAVED_TO.search(body), _PREVIEW.search(body)
    shown = body[preview.end() :] if preview else body
    # A place on the machine that wrote it, whatever its system.
    place = saved[1].strip().replace("\\", "/") if saved else ""
    return Spilled(
        name=place.rsplit("/", 1)[-1],
        preview=shown.strip("\n").removesuffix("\n..."),
        note=body.lstrip().partition("\n")[0].partition(" Full output")[0],
    )


def open_spills(
    folder: Path | None, redact: Callable[[str], str]
) -> Callable[[str], str | None]:
    """Return a function that gives the text spilled to a base name, or None.

    Only files in `folder` itself are read: no other folder, no link that leads out of it,
    and nothing at all if it or the session's folder around it is a link.
    What they hold is masked by `redact`.
    """
    if folder is not None and (folder.is_symlink() or folder.parent.is_symlink()):
        folder = None

    def read(name: str) -> str | None:
        if folder is None or not name or name in {".", ".."} or "/" in name or "\0" in name:
            return None
        location = folder / name
        try:
            if location.resolve().parent != folder.resolve() or not location.is_file():
                return None
            with location.open("rb") as file:
                head = file.read(READ_LIMIT_BYTES)
        except (OSError, ValueError):
            return None
        return redact(head.decode("utf-8", errors="replace"))

    return read
