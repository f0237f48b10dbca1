"""What the tools that read, edit and write files say about a file, for all who ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.transcript.diffs import recorded_diff

if TYPE_CHECKING:
    from collections.abc import Callable

    from everyleaf.transcript.document import Hunk
    from everyleaf.transcript.values import Json


class Replacement(Struct, frozen=True):
    """A text of a file that was replaced by another one."""

    old: str
    new: str
    is_everywhere: bool = False


class FileTouch(Struct, frozen=True, kw_only=True):
    """What one record says about a file, in the order in which it happened."""

    file: str
    """As recorded, usually with its whole folder."""
    before: str | None = None
    """Contents before; None: not recorded."""
    after: str | None = None
    """Contents after; None: only as `replacements` or `hunks`, or not at all."""
    replacements: tuple[Replacement, ...] = ()
    hunks: tuple[Hunk, ...] = ()
    is_change: bool = True
    """False: the file was only looked at."""
    is_new: bool = False
    """There was no such file before."""
    is_foreign: bool = False
    """Somebody else changed the file; nobody recorded how."""
    uuid: str = ""
    """The record of the call; empty where none is known."""


def replacements_in(asked: Json, result: Json) -> tuple[Replacement, ...]:
    """Return what an edit replaced: as it was in the file, else as it was asked for."""
    whole = asked if _text(result, "oldString") is None else result
    return tuple(
        Replacement(
            edit.text("oldString", "old_string"),
            edit.text("newString", "new_string"),
            edit.is_set("replaceAll", "replace_all"),
        )
        for edit in result.each("edits") or asked.each("edits") or [whole]
    )


def _text(value: Json, *keys: str) -> str | None:
    """Return the text under the first of `keys` that is there; an empty one is a text."""
    found = value.value(*keys)
    return found if isinstance(found, str) else None


def _hunks(file: str, result: Json) -> tuple[Hunk, ...]:
    diff = recorded_diff(file, result)
    return diff.hunks if diff else ()


def _edited(asked: Json, result: Json) -> FileTouch:
    file = result.text("filePath") or asked.text("file_path")
    replacements = replacements_in(asked, result)
    before = _text(result, "originalFile", "originalFileContents")
    # A large original may be cut short: one that does not hold the text is none.
    is_whole = before is not None and replacements[0].old in before
    return FileTouch(
        file=file,
        before=before if is_whole else None,
        # What a person changed while accepting it stands in the patch alone.
        replacements=() if result.is_set("userModified") else replacements,
        hunks=_hunks(file, result),
    )


def _written(asked: Json, result: Json) -> FileTouch:
    file = result.text("filePath") or asked.text("file_path")
    content = _text(result, "content")
    # Since CLI 2.1.97 an empty original says nothing: it is left out where it is large.
    before = _text(result, "originalFile") or None
    return FileTouch(
        file=file,
        before=before,
        after=_text(asked, "content") if content is None else content,
        hunks=_hunks(file, result),
        is_new=result.text("type") == "create" and before is None,
    )


def _read(_asked: Json, result: Json) -> FileTouch | None:
    """Return the contents of a file that was read as a whole."""
    file = result.at("file")
    is_whole = (
        result.text("type") == "text"
        and (file.number("startLine") or 1) == 1
        and file.number("numLines") == file.number("totalLines")
        and not file.is_set("truncatedByTokenCap")
    )
    contents = _text(file, "content")
    if not is_whole or contents is None:
        return None
    return FileTouch(file=file.text("filePath"), after=contents, is_change=False)


def _notebook(asked: Json, result: Json) -> FileTouch:
    return FileTouch(
        file=result.text("notebook_path") or asked.text("notebook_path"),
        before=_text(result, "original_file"),
        after=_text(result, "updated_file"),
    )


FILE_TOOLS: dict[str, Callable[[Json, Json], FileTouch | None]] = {
    "Edit": _edited,
    "MultiEdit": _edited,
    "Update": _edited,
    "Write": _written,
    "NotebookEdit": _notebook,
    "Read": _read,
}
"""The tools whose results say something about files: from what was asked and the result
of a call that ended well to what it says."""


def attached_touch(attachment: Json) -> FileTouch | None:
    """Return what the CLI told the model of a file by itself."""
    match attachment.text("type"):
        case "edited_text_file":
            file = attachment.text("filename")
            return FileTouch(file=file, is_change=False, is_foreign=True)
        case "file":
            return _read(attachment, attachment.at("content"))
        case _:
            return None
