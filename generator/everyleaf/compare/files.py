"""What tool results say about files, and what two paths made of those that changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import asdict, replace

from everyleaf.compare.split import Attempt, ForkSplit, conversation_ids
from everyleaf.graph.forest import Turn
from everyleaf.grouping import grouped
from everyleaf.model import Kind
from everyleaf.records import schema
from everyleaf.transcript.build import Load
from everyleaf.transcript.content import Json, blocks_text
from everyleaf.transcript.document import Diff, Hunk, Outcome
from everyleaf.transcript.edits import (
    FILE_TOOLS,
    FileTouch,
    Replacement,
    attached_touch,
    make_diff,
    text_diff,
)
from everyleaf.transcript.results import ToolResult, guess_name, read_ending, results_in
from everyleaf.transcript.words import short_file


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


def apply_replacements(text: str | None, replacements: Sequence[Replacement]) -> str | None:
    """Return `text` after all of `replacements`; None if one of them does not fit."""
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
        body = [one for one in hunk.lines if not (one.sign + one.text).startswith(_REMARK)]
        old = [line.text for line in body if line.sign != "+"]
        if start < at or lines[start : start + len(old)] != old:
            return None
        result += lines[at:start]
        result += [line.text for line in body if line.sign != "-"]
        at = start + len(old)
    return "\n".join([*result, *lines[at:]])


_REMARK = " \\ No newline at end of file"
ReadFiles = Callable[[Turn], TurnFiles]
Touches = dict[str, list[FileTouch]]
"""By file, as seen from the folder that the path began in."""

SEARCHED_RECORDS = 2_000
"""Conversation records before the fork that are read, at most, to learn how a file began:
how many notes stand between them makes no difference."""


class FileVerdict(StrEnum):
    """How the two sides left a file."""

    SAME = "same"
    DIFFERENT = "different"
    ONLY_LEFT = "only-left"
    """The other side did not change it."""
    ONLY_RIGHT = "only-right"
    UNKNOWN = "unknown"
    """Both changed it, and the contents at the end cannot be told for both."""


class FileSide(FileStory, frozen=True, kw_only=True):
    """What one side did to a file."""

    change: Diff
    """From its start to its end; where that cannot be told, every recorded change."""
    is_exact: bool
    """The contents at the start and at the end are known, and were compared as a whole."""


class FileComparison(Struct, frozen=True):
    """A file that at least one side changed."""

    file: str
    """As seen from the folder that the paths began in."""
    verdict: FileVerdict
    left: FileSide | None
    """None: this side did not change it."""
    right: FileSide | None
    difference: Diff | None
    """From the left end to the right one, where both changed it and both are known."""
    begins_apart: bool = False
    """The two sides found different contents: a rewind need not restore files."""


def compare_files(split: ForkSplit, read: ReadFiles) -> tuple[FileComparison, ...]:
    """Return every file that the edit tools changed on either side, sorted by name.

    Asks `read` for the turns with results after the fork; of those before it, for the last
    `SEARCHED_RECORDS` records at most, and only if a file's first contents are recorded
    nowhere else. What shell commands did to a file shows only where a later edit recorded
    it.
    """
    reader = _Reader(split.left, read)
    left, right = reader.changed(), _Reader(split.right, read).changed()
    told = (*left.items(), *right.items())
    lacking = {name for name, touches in told if tell_story(touches).start is None}
    known = reader.contents_at_fork(lacking)
    return tuple(
        _compare(
            name,
            tell_story(left[name], known.get(name)) if name in left else None,
            tell_story(right[name], known.get(name)) if name in right else None,
        )
        for name in sorted(left.keys() | right.keys())
    )


def _compare(name: str, one: FileStory | None, other: FileStory | None) -> FileComparison:
    difference = None
    if one and other and one.end is not None and other.end is not None:
        difference = text_diff(name, one.end, other.end)
    starts = [story.start for story in (one, other) if story and story.start is not None]
    return FileComparison(
        file=name,
        verdict=_verdict(one, other),
        left=_side(name, one) if one else None,
        right=_side(name, other) if other else None,
        difference=difference,
        begins_apart=len(set(starts)) > 1,
    )


def _verdict(left: FileStory | None, right: FileStory | None) -> FileVerdict:
    if left is None or right is None:
        story = left or right
        is_kept = story and story.end is not None and story.end == story.start
        if story and is_kept and not story.is_new:
            return FileVerdict.SAME
        return FileVerdict.ONLY_RIGHT if left is None else FileVerdict.ONLY_LEFT
    if left.end is None or right.end is None:
        return FileVerdict.UNKNOWN
    return FileVerdict.SAME if left.end == right.end else FileVerdict.DIFFERENT


def _side(name: str, story: FileStory) -> FileSide:
    if story.start is not None and story.end is not None:
        change = text_diff(name, story.start, story.end)
        return FileSide(**asdict(story), change=change, is_exact=not change.is_cut)
    return FileSide(**asdict(story), change=make_diff(name, story.hunks), is_exact=False)


class _Reader:
    """Reads what the records of one side say about files."""

    def __init__(self, attempt: Attempt, read: ReadFiles) -> None:
        self._attempt = attempt
        self._read = read
        self._folder = self._find_folder()

    def changed(self) -> Touches:
        """Return what the turns after the fork say of the files that they changed."""
        told = (touch for turn in self._attempt.own for touch in self._touches(turn))
        found = grouped((touch.file, touch) for touch in told)
        return {n: some for n, some in found.items() if any(one.is_change for one in some)}

    def contents_at_fork(self, wanted: Collection[str]) -> dict[str, str]:
        """Return the contents of the files that are wanted and told of before the fork."""
        later: Touches = {name: [] for name in wanted}
        ends: dict[str, str | None] = {}
        searched = 0
        for turn in reversed(self._attempt.shared):
            if not later or searched >= SEARCHED_RECORDS:
                break
            searched += len(conversation_ids(turn))
            for touch in reversed(list(self._touches(turn))):
                if touch.file not in later:
                    continue
                later[touch.file].insert(0, touch)
                # Nothing before it can add to what is known after it.
                if touch.after is not None or touch.before is not None or touch.is_foreign:
                    ends[touch.file] = tell_story(later.pop(touch.file)).end
        # An edit tool may have made the file: then nothing is missing before it.
        ends.update((name, tell_story(touches).end) for name, touches in later.items())
        return {name: end for name, end in ends.items() if end is not None}

    def _touches(self, turn: Turn) -> list[FileTouch]:
        # A note may be an attachment that holds a file.
        kinds = {Kind.RESULT, Kind.NOTE, Kind.STEERING}
        if not any(placed.kind in kinds for placed in turn.records):
            return []
        told = self._read(turn).touches
        return [replace(one, file=short_file(one.file, self._folder)) for one in told]

    def _find_folder(self) -> str:
        """Return the folder that the path began to work in: what its files are named by."""
        turns = (*self._attempt.shared[:1], *self._attempt.own[:1])
        return next(filter(None, (self._read(turn).folder for turn in turns)), "")
