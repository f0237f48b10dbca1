"""What two paths made of the files that either of them changed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import asdict, replace

from everyleaf.compare.split import Attempt, ForkSplit, conversation_ids
from everyleaf.compare.touches import FileStory, TurnFiles, may_touch, tell_story
from everyleaf.graph.forest import Turn
from everyleaf.transcript.document import Diff
from everyleaf.transcript.edits import FileTouch, make_diff, text_diff
from everyleaf.transcript.words import short_file

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
    lacking = {
        name
        for side in (left, right)
        for name, touches in side.items()
        if tell_story(touches).start is None
    }
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
        found: Touches = {}
        for turn in self._attempt.own:
            for touch in self._touches(turn):
                found.setdefault(touch.file, []).append(touch)
        return {
            name: touches
            for name, touches in found.items()
            if any(touch.is_change for touch in touches)
        }

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
                if _settles(touch):
                    ends[touch.file] = tell_story(later.pop(touch.file)).end
        # An edit tool may have made the file: then nothing is missing before it.
        ends.update((name, tell_story(touches).end) for name, touches in later.items())
        return {name: end for name, end in ends.items() if end is not None}

    def _touches(self, turn: Turn) -> list[FileTouch]:
        if not may_touch(turn):
            return []
        return [
            replace(touch, file=short_file(touch.file, self._folder))
            for touch in self._read(turn).touches
        ]

    def _find_folder(self) -> str:
        """Return the folder that the path began to work in: what its files are named by."""
        for turn in (*self._attempt.shared[:1], *self._attempt.own[:1]):
            folder = self._read(turn).folder
            if folder:
                return folder
        return ""


def _settles(touch: FileTouch) -> bool:
    """Return whether nothing before `touch` can add to what is known after it."""
    return touch.after is not None or touch.before is not None or touch.is_foreign
