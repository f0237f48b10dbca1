"""Changes to a session's file as a few edits: a title, or another branch that resumes.

Off-tree lines are added, or one gets another text; all other bytes stay as they are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from everyleaf.errors import SourceError
from everyleaf.model import Envelope, Marker, MarkerKind
from everyleaf.opening.named import SHORTEST_UUID, split_number
from everyleaf.records.recover import read_object
from everyleaf.records.text import LONGEST_WORDS, content_blocks, one_line, said_in
from everyleaf.revise.session import OpenSession, is_loaded, listed_title, resumed_at
from everyleaf.sources.lines import BOM, iter_lines

_SUMMARY_TEXT = re.compile(rb'"summary"\s*:\s*("(?:[^"\\]|\\.)*")')


class ByteEdit(Struct, frozen=True):
    """`drop` bytes at `offset` of the old file give way to `insert`."""

    offset: int
    drop: int
    insert: bytes
    says: str
    """What it does, in words for a person."""


class SessionChange(Struct, frozen=True):
    """What a command does to a session's file; without edits there is nothing to do."""

    summary: str
    """What it does, in words for a person."""
    edits: tuple[ByteEdit, ...]
    """By offset; they do not overlap."""
    makes_active: int | None = None
    """The path that is ACTIVE afterwards; None: those that were before."""
    resumes: str | None = None
    """The uuid of the record that a resume ends with then; None: the one as before."""


class Target(Struct, frozen=True):
    """A branch, and the record by which it was found."""

    number: int
    """Of its path in the session."""
    leaf_uuid: str
    is_active: bool
    line: int
    """Where the record stands that was asked for."""
    words: str


def plan_rename(session: OpenSession, title: str) -> SessionChange:
    """Return the change that gives `session` the title `title`.

    Claude Code's list reads a `custom-title` at the end, whichever version wrote the rest.
    The oldest versions read a `summary`: the session's own one changes its text only, else
    one at the top names the last record of the conversation. (At the end, it would also
    say what is ACTIVE.)

    Raises:
        SourceError: the title is empty or too long, or the file's last record has no uuid.
    """
    length, text = len(" ".join(title.split())), one_line(title)
    if not text or length > LONGEST_WORDS:
        raise SourceError(
            f"a title has 1 to {LONGEST_WORDS} characters, this one {length}",
            hint="control characters do not count",
        )
    edits = tuple(_title_edits(session, text))
    return SessionChange(f"rename session {session.name} to {text!r}", edits)


def _title_edits(session: OpenSession, text: str) -> Iterator[ByteEdit]:
    own = {record.uuid for record in session.conversation}
    markers = _markers(session, MarkerKind.SUMMARY)
    named = [marker for marker in markers if marker.leaf_uuid in own]
    if not named:
        leaf = session.last_uuid()
        record: dict[str, object] = {"type": "summary", "summary": text, "leafUuid": leaf}
        yield _at_the_top(session.location, record, f"a summary says {text!r} of {leaf}")
    elif named[-1].text != text:
        yield _with_summary(session.location, named[-1].line, text)
    written = [marker.text for marker in _markers(session, MarkerKind.CUSTOM_TITLE)]
    if written[-1:] != [text] or listed_title(session) != text:
        record = {"type": "custom-title", "customTitle": text, "sessionId": session.name}
        yield _at_the_end(session.location, record, f"a custom title says {text!r}")


def _markers(session: OpenSession, kind: MarkerKind) -> list[Marker]:
    return [marker for marker in session.records.markers if marker.kind is kind]


def find_targets(session: OpenSession, wanted: str) -> list[Target]:
    """Return the branches that `wanted` names, by number of their path.

    `wanted` is `:N` (path N), a record's uuid or its beginning, or a text that stands in a
    prompt or a reply (upper and lower case are the same).

    Raises:
        SourceError: nothing fits, or what fits stands on several branches.
    """
    matches = list(_matches(session, wanted))
    if not matches:
        raise SourceError(
            f"no record of session {session.name!r} fits {wanted!r}",
            hint="give a uuid, a text from the conversation, or :N for path N",
        )
    forest = session.forest
    found: dict[int, Target] = {}
    shared: set[int] = set()
    for record in matches:
        position = session.tree.index.get(record.uuid)
        leaves = [] if position is None else session.leaves_below(position)
        numbers = [forest.refs[leaf].number for leaf in leaves]
        if len(leaves) == 1 and numbers[0] not in found:
            found[numbers[0]] = Target(
                number=numbers[0],
                leaf_uuid=session.last_uuid_of(leaves[0]),
                is_active=forest.verdicts[leaves[0]].is_active,
                line=record.line,
                words=record.words,
            )
        shared.update(numbers)
    if not found:
        raise SourceError(
            f"{wanted!r} names no branch: what fits stands on several",
            hint=f"say which path: {_numbered(sorted(shared))}",
        )
    return [found[number] for number in sorted(found)]


def _matches(session: OpenSession, wanted: str) -> Iterator[Envelope]:
    text, number = split_number(f"-{wanted}" if wanted.startswith(":") else wanted)
    if text == "-" and number is not None:
        yield _last_of_path(session, number)
        return
    if len(wanted) >= SHORTEST_UUID:  # What is shorter is looked for as text alone.
        named = [each for each in session.conversation if each.uuid.startswith(wanted)]
        if named:
            yield from named
            return
    folded = wanted.casefold()
    with session.location.open("rb") as file:
        for record in session.conversation:
            blocks = content_blocks(said_in(read_object(file, record)))
            said = "\n".join(str(block.get("text", "")) for block in blocks)
            if folded and folded in said.casefold():
                yield record


def _last_of_path(session: OpenSession, number: int) -> Envelope:
    leaves = {ref.number: leaf for leaf, ref in session.forest.refs.items()}
    if number not in leaves:
        raise SourceError(
            f"session {session.name!r} has no path {number}",
            hint=f"it has {_numbered(leaves)}",
        )
    return session.tree.records[session.forest.units.members(leaves[number])[-1]]


def _numbered(numbers: Iterable[int]) -> str:
    return ", ".join(f":{number}" for number in numbers)


def plan_goto(session: OpenSession, target: Target) -> SessionChange:
    """Return the change that makes `target` the branch that resumes.

    An explicit `last-prompt` at the end names the branch's last record. Where Claude Code
    resumes there already, and the branch is ACTIVE, there is nothing to do.

    Raises:
        SourceError: Claude Code does not load that branch any more.
    """
    tree = session.tree
    summary = f"resume session {session.name} on path {target.number}"
    named, resumed = tree.index[target.leaf_uuid], resumed_at(session)
    if not is_loaded(session, named):
        raise SourceError(
            f"Claude Code cannot resume path {target.number}: it ends before a compaction",
            hint=f"what was said there is read with `everyleaf show {session.name}:"
            f"{target.number}`",
        )
    is_resumed = resumed is not None and tree.units.of[named] == tree.units.of[resumed]
    if target.is_active and is_resumed:
        return SessionChange(summary, ())
    record: dict[str, object] = {"type": "last-prompt", "leafUuid": target.leaf_uuid}
    record |= {"explicit": True, "sessionId": session.name}
    says = f"a last-prompt names {target.leaf_uuid}, the end of path {target.number}"
    edits = (_at_the_end(session.location, record, says),)
    return SessionChange(summary, edits, target.number, target.leaf_uuid)


def _at_the_top(location: Path, record: dict[str, object], says: str) -> ByteEdit:
    with location.open("rb") as file:
        begin = len(BOM) if file.read(len(BOM)) == BOM else 0
    return ByteEdit(begin, 0, _json(record) + b"\n", says)


def _at_the_end(location: Path, record: dict[str, object], says: str) -> ByteEdit:
    with location.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - 1))
        is_ended = file.read(1) in {b"\n", b""}
    return ByteEdit(size, 0, (b"" if is_ended else b"\n") + _json(record) + b"\n", says)


def _with_summary(location: Path, number: int, text: str) -> ByteEdit:
    """Return the edit that gives the `summary` record in a line (1-based) another text.

    Nothing else of the line changes: not a space, not the order of its keys.
    """
    line = next((each for each in iter_lines(location) if each.number == number), None)
    if line is None:
        raise SourceError(f"line {number} of {str(location)!r} is not there any more")
    data = line.data
    spot = _SUMMARY_TEXT.search(data)
    if spot is not None:
        insert = _json(text)
        begin, end = spot.span(1)
        try:
            before, after = json.loads(data), json.loads(data[:begin] + insert + data[end:])
        except ValueError:
            before, after = None, None
        if isinstance(before, dict) and after == {**before, "summary": text}:
            says = f"the summary in line {number} says {text!r} instead"
            return ByteEdit(line.offset + begin, end - begin, insert, says)
    raise SourceError(
        f"the summary in line {number} is not written plainly",
        hint="`everyleaf check` says what is odd about the file",
    )


def _json(value: dict[str, object] | str) -> bytes:
    """Return `value` on one line as the CLI writes it, keys in their order."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="replace")
