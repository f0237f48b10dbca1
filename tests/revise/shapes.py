"""Session files in which more than one record could be the one that a resume ends with.

What each says comes last is what Claude Code 2.1.197 and 2.1.330 showed when they resumed
it; `test_revise_real.py` drives them on all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Raw = dict[str, Any]


def uuid(name: str) -> str:
    """Return a uuid as versions that check them want it; `name` is a few hex digits."""
    return f"{name:0>8}-0000-4000-8000-00000000000a"


class Writer(NamedTuple):
    """A version of the CLI that writes a session."""

    session: str
    cwd: str
    version: str = "2.1.190"

    def record(
        self, name: str, parent: str | None, type_: str, text: str = "", **more: object
    ) -> Raw:
        message: Raw = {"role": type_, "content": text}
        if type_ == "assistant":
            message |= {
                "id": f"msg_{name}",
                "type": "message",
                "model": "claude-sonnet-4-5",
                "content": [{"type": "text", "text": text}],
                "stop_reason": "end_turn",
                "usage": {"input_tokens": 1, "output_tokens": 1},
            }
        return {
            "parentUuid": uuid(parent) if parent else None,
            "isSidechain": False,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": self.version,
            "gitBranch": "",
            "type": type_,
            "message": message,
            "uuid": uuid(name),
            "timestamp": "2026-01-01T00:00:00.000Z",
            **more,
        }

    def note(self, name: str, parent: str) -> Raw:
        more = {"subtype": "informational", "content": "By the way", "level": "info"}
        return {**self.record(name, parent, "system"), "message": None, **more}

    def fork(self) -> tuple[list[Raw], list[Raw], list[Raw]]:
        """Return a prompt and its reply, and two goes at the next step."""
        trunk = [
            self.record("a1", None, "user", "Write a parser"),
            self.record("a2", "a1", "assistant", "Shall I use a table?"),
        ]
        first = [
            self.record("b1", "a2", "user", "Use a state machine"),
            self.record("b2", "b1", "assistant", "A state machine it is"),
        ]
        second = [
            self.record("c1", "a2", "user", "Use a regex"),
            self.record("c2", "c1", "assistant", "A regex it is"),
        ]
        return trunk, first, second

    def compaction(self, parent: str, name: str = "d", **metadata: Any) -> list[Raw]:
        boundary = self.record(f"{name}1", None, "system", subtype="compact_boundary")
        told = {"trigger": "manual", "preTokens": 9, **metadata}
        return [
            {
                **boundary,
                "content": "Conversation compacted",
                "level": "info",
                "message": None,
                "logicalParentUuid": uuid(parent),
                "compactMetadata": told,
            },
            self.record(f"{name}2", f"{name}1", "user", "In short", isCompactSummary=True),
            self.record(f"{name}3", f"{name}2", "user", "And tests"),
            self.record(f"{name}4", f"{name}3", "assistant", f"Tested in {name}"),
        ]

    def pointer(self, leaf: str | None, **more: object) -> Raw:
        named = uuid(leaf) if leaf else None
        return {
            "type": "last-prompt",
            "leafUuid": named,
            "sessionId": self.session,
            **more,
        }

    def pin(self, leaf: str | None) -> Raw:
        return self.pointer(leaf, explicit=True)

    def bulk(self, parent: str) -> Raw:
        """Return a note that makes a file too large to be loaded whole."""
        return self.record("e0", parent, "user", "x" * (6 << 20), isMeta=True)


def kept(*names: str) -> Raw:
    named = [uuid(name) for name in names]
    told = {"anchorUuid": uuid("d2"), "uuids": named, "allUuids": named}
    return {"preservedMessages": told}


class Shape(NamedTuple):
    """A session's records, and the last words of the conversation that a resume shows."""

    write: Callable[[Writer], list[Raw]]
    last: str


def forked(*last: Callable[[Writer], Raw]) -> Callable[[Writer], list[Raw]]:
    """Return what writes the two goes, and then `last`."""

    def write(writer: Writer) -> list[Raw]:
        trunk, first, second = writer.fork()
        return [*trunk, *first, *second, *(each(writer) for each in last)]

    return write


def between(*middle: Callable[[Writer], Raw]) -> Callable[[Writer], list[Raw]]:
    """Return what writes `middle` between the two goes."""

    def write(writer: Writer) -> list[Raw]:
        trunk, first, second = writer.fork()
        return [*trunk, *first, *(each(writer) for each in middle), *second]

    return write


def compacted(
    last: Callable[[Writer], Raw],
    *,
    is_large: bool = False,
    before: Callable[[Writer], list[Raw]] = lambda _: [],
    **metadata: Any,
) -> Callable[[Writer], list[Raw]]:
    """Return what writes the two goes, a compaction of the second, and then `last`."""

    def write(writer: Writer) -> list[Raw]:
        bulk = [writer.bulk("c2")] if is_large else []
        lines = [*forked()(writer), *bulk, *before(writer)]
        return [*lines, *writer.compaction("c2", **metadata), last(writer)]

    return write


REGEX, MACHINE, TESTED = "A regex it is", "A state machine it is", "Tested in d"

SHAPES: dict[str, Shape] = {
    "nothing said": Shape(forked(), REGEX),
    "summary": Shape(
        forked(lambda _: {"type": "summary", "summary": "x", "leafUuid": uuid("b2")}), REGEX
    ),
    "plain": Shape(forked(lambda w: w.pointer("b2")), MACHINE),
    "explicit": Shape(forked(lambda w: w.pin("b2")), MACHINE),
    "not explicit": Shape(forked(lambda w: w.pointer("b2", explicit=False)), MACHINE),
    "plain on the trunk": Shape(forked(lambda w: w.pointer("a2")), REGEX),
    "explicit on the trunk": Shape(forked(lambda w: w.pin("a2")), "Shall I use a table?"),
    "plain at a prompt": Shape(forked(lambda w: w.pointer("b1")), "Use a state machine"),
    "explicit at a prompt": Shape(forked(lambda w: w.pin("b1")), "Use a state machine"),
    "plain to nowhere": Shape(forked(lambda w: w.pointer("ff")), REGEX),
    "plain, then nowhere": Shape(
        forked(lambda w: w.pointer("b2"), lambda w: w.pointer("ff")), REGEX
    ),
    "plain null": Shape(forked(lambda w: w.pointer(None)), REGEX),
    "two plain": Shape(forked(lambda w: w.pointer("b2"), lambda w: w.pointer("c2")), REGEX),
    "explicit, then plain": Shape(
        forked(lambda w: w.pin("b2"), lambda w: w.pointer("c2")), REGEX
    ),
    "plain, then explicit": Shape(
        forked(lambda w: w.pointer("c2"), lambda w: w.pin("b2")), MACHINE
    ),
    "plain, then one without a leaf": Shape(
        forked(
            lambda w: w.pointer("b2"),
            lambda w: {"type": "last-prompt", "lastPrompt": "x", "sessionId": w.session},
        ),
        MACHINE,
    ),
    "plain between": Shape(between(lambda w: w.pointer("b2")), MACHINE),
    "explicit between": Shape(between(lambda w: w.pin("b2")), MACHINE),
    "explicit, outrun there": Shape(
        forked(
            lambda w: w.pin("b2"),
            lambda w: w.record("b3", "b2", "user", "And tests"),
            lambda w: w.record("b4", "b3", "assistant", "Tested in b"),
        ),
        "Tested in b",
    ),
    "explicit, outrun elsewhere": Shape(
        forked(
            lambda w: w.pin("b2"),
            lambda w: w.record("c3", "c2", "user", "And tests"),
            lambda w: w.record("c4", "c3", "assistant", "Tested in c"),
        ),
        MACHINE,
    ),
    "explicit at a note": Shape(
        between(lambda w: w.note("b3", "b2"), lambda w: w.pin("b3")), MACHINE
    ),
    "a note on the trunk": Shape(
        forked(lambda w: w.note("a3", "a2")), "Shall I use a table?"
    ),
    "a note beside the last reply": Shape(
        forked(lambda w: w.note("c3", "c1")), "Use a regex"
    ),
    "before a compaction": Shape(compacted(lambda w: w.pin("b2")), MACHINE),
    "before two compactions": Shape(
        compacted(lambda w: w.pin("b2"), before=lambda w: w.compaction("c2", "9")),
        MACHINE,
    ),
    "before one in a large file": Shape(
        compacted(lambda w: w.pin("b2"), is_large=True), TESTED
    ),
    "before one that kept messages": Shape(
        compacted(lambda w: w.pin("b2"), **kept("c1", "c2")), TESTED
    ),
    "a message that one kept": Shape(
        compacted(lambda w: w.pin("c2"), **kept("c1", "c2")), REGEX
    ),
    "before one that kept none": Shape(compacted(lambda w: w.pin("b2"), **kept()), TESTED),
    "before one that kept what is not there": Shape(
        compacted(lambda w: w.pin("b2"), **kept("c1", "ff")), MACHINE
    ),
    "before one that follows one that kept messages": Shape(
        compacted(
            lambda w: w.pin("b2"),
            before=lambda w: w.compaction("c2", "9", **kept("c1", "c2")),
        ),
        TESTED,
    ),
}
