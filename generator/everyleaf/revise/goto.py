"""Making another branch of a session the one that resumes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.compare.naming import split_number
from everyleaf.errors import SourceError
from everyleaf.records.recover import read_object
from everyleaf.records.text import content_blocks, said_in
from everyleaf.revise.claude import is_loaded, resumed_at
from everyleaf.revise.edits import Change
from everyleaf.revise.lines import at_the_end

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.model import Envelope
    from everyleaf.revise.session import OpenSession

SHORTEST_UUID = 4
"""Fewer characters than that are looked for as text, never as the beginning of a uuid."""


class Target(Struct, frozen=True):
    """A branch, and the record by which it was found."""

    number: int
    """Of its path in the session."""
    leaf_uuid: str
    is_active: bool
    line: int
    """Where the record stands that was asked for."""
    words: str


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
    found: dict[int, Target] = {}
    shared: set[int] = set()
    for record in matches:
        leaves = _leaves_below(session, record)
        if len(leaves) == 1:
            target = _target(session, leaves[0], record)
            found.setdefault(target.number, target)
        shared.update(session.forest.refs[leaf].number for leaf in leaves)
    if not found:
        numbers = ", ".join(f":{number}" for number in sorted(shared))
        raise SourceError(
            f"{wanted!r} names no branch: what fits stands on several",
            hint=f"say which path: {numbers}",
        )
    return [found[number] for number in sorted(found)]


def plan_goto(session: OpenSession, target: Target) -> Change:
    """Return the change that makes `target` the branch that resumes.

    An explicit `last-prompt` at the end names the branch's last record. Where Claude Code
    resumes there already, and the branch is ACTIVE, there is nothing to do.

    Raises:
        SourceError: Claude Code does not load that branch any more.
    """
    tree = session.forest.trees[0]
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
        return Change(summary, ())
    record: dict[str, object] = {
        "type": "last-prompt",
        "leafUuid": target.leaf_uuid,
        "explicit": True,
        "sessionId": session.name,
    }
    says = f"a last-prompt names {target.leaf_uuid}, the end of path {target.number}"
    edits = (at_the_end(session.location, [record], says),)
    return Change(summary, edits, target.number, target.leaf_uuid)


def _matches(session: OpenSession, wanted: str) -> Iterator[Envelope]:
    text, number = split_number(f"-{wanted}" if wanted.startswith(":") else wanted)
    if text == "-" and number is not None:
        yield from _last_of_path(session, number)
        return
    if len(wanted) >= SHORTEST_UUID:
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


def _last_of_path(session: OpenSession, number: int) -> Iterator[Envelope]:
    refs = session.forest.refs
    for leaf, ref in refs.items():
        if ref.number == number:
            tree, unit = session.forest.atlas.unit(leaf)
            yield tree.records[tree.units.members[unit][-1]]
            return
    numbers = ", ".join(f":{ref.number}" for ref in refs.values())
    raise SourceError(
        f"session {session.name!r} has no path {number}", hint=f"it has {numbers}"
    )


def _leaves_below(session: OpenSession, record: Envelope) -> list[int]:
    """Return the leaves (gid) of the paths that hold `record`; none: it is on no path."""
    position = session.forest.trees[0].index.get(record.uuid)
    return [] if position is None else session.leaves_below(position)


def _target(session: OpenSession, leaf: int, record: Envelope) -> Target:
    forest = session.forest
    return Target(
        number=forest.refs[leaf].number,
        leaf_uuid=session.last_uuid_of(leaf),
        is_active=forest.verdicts[leaf].is_active,
        line=record.line,
        words=record.words,
    )
