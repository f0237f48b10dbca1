"""What turns did to files is told once, while they are drawn, and read again if not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.graph.forest import PlacedRecord, Turn, TurnKind
from everyleaf.model import Envelope, Kind
from everyleaf.pages import touched
from everyleaf.pages.touched import TouchedFiles
from everyleaf.records.schema import AnyRecord, parse_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

KEY = ("s1", 0)
RAWS: dict[str, dict[str, object]] = {
    "a1": {
        "type": "assistant",
        "message": {
            "content": [{"type": "tool_use", "id": "1", "name": "Write", "input": {}}]
        },
    },
    "r1": {
        "type": "user",
        "cwd": "/w",
        "toolUseResult": {"filePath": "/w/a.py", "content": "x = 1\n", "type": "create"},
        "message": {"content": [{"type": "tool_result", "tool_use_id": "1"}]},
    },
}


class Archive:
    """Counts how often it is read."""

    def __init__(self) -> None:
        self.loads = 0

    def load(self, _source: int, envelopes: Sequence[Envelope]) -> list[AnyRecord]:
        self.loads += 1
        return [parse_record(RAWS[envelope.uuid]) for envelope in envelopes]


def turn(index: int = 0) -> Turn:
    kinds = {"a1": Kind.REPLY, "r1": Kind.RESULT}
    placed = tuple(
        PlacedRecord(Envelope(uuid, None, kind, 1, 0, 1), uuid, kind)
        for uuid, kind in kinds.items()
    )
    return Turn(index, "s1", 0, TurnKind.RESPONSE, placed)


def draw(files: TouchedFiles, drawn: Turn) -> None:
    load = files.watch(drawn)
    if load is not None:
        load(0, [placed.envelope for placed in drawn.records])


def test_a_turn_that_was_drawn_is_not_read_again() -> None:
    archive, drawn = Archive(), turn()
    files = TouchedFiles({KEY: drawn}, archive.load, [KEY])
    draw(files, drawn)

    told = files.of(drawn)

    assert [(touch.file, touch.after) for touch in told.touches] == [("/w/a.py", "x = 1\n")]
    assert told.folder == "/w"
    assert archive.loads == 1
    assert TouchedFiles({KEY: drawn}, archive.load).of(drawn) == told


def test_what_nobody_asks_for_is_not_kept() -> None:
    archive, drawn = Archive(), turn()

    assert TouchedFiles({KEY: drawn}, archive.load).watch(drawn) is None


def test_a_turn_of_an_agent_with_the_same_number_is_another_one() -> None:
    archive = Archive()
    files = TouchedFiles({KEY: turn()}, archive.load, [KEY])

    assert files.watch(turn()) is None


def test_part_of_the_records_tells_nothing_of_the_turn() -> None:
    archive, drawn = Archive(), turn()
    files = TouchedFiles({KEY: drawn}, archive.load, [KEY])
    load = files.watch(drawn)
    assert load is not None

    load(0, [drawn.records[0].envelope])

    assert len(files.of(drawn).touches) == 1


def test_contents_beyond_the_bound_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(touched, "KNOWN_CHARS", 3)
    archive, drawn = Archive(), turn()
    files = TouchedFiles({KEY: drawn}, archive.load, [KEY])
    draw(files, drawn)

    assert [len(files.of(drawn).touches) for _ in range(2)] == [1, 1]
    assert archive.loads == 3
    assert files.watch(drawn) is None


def test_what_was_not_asked_for_the_longest_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(touched, "KNOWN_CHARS", 6_000)  # Two of them are remembered.
    archive, turns = Archive(), {("s1", n): turn(n) for n in range(1, 4)}
    files = TouchedFiles(turns, archive.load)

    read: list[int] = []
    for n in (1, 2, 1, 3, 1, 2):
        before = archive.loads
        files.of(turns["s1", n])
        read += [n] * (archive.loads - before)

    assert read == [1, 2, 3, 2]
