"""Files of two attempts: what is known of each, and what is read to know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from everyleaf.compare import files as module
from everyleaf.compare.files import FileVerdict, compare_files, read_turn_files
from everyleaf.compare.split import Attempt, ForkSplit, part_ways
from everyleaf.graph.forest import Turn, TurnKind
from everyleaf.records.schema import parse_record
from transcript.written import assistant, attachment, call, placed, result, user

if TYPE_CHECKING:
    from everyleaf.compare.files import FileComparison

HOME = "/home/ada/app"


class Chains:
    """Turns of records that are at hand; counts what is read."""

    def __init__(self) -> None:
        self.raws: dict[str, dict[str, object]] = {}
        self.loaded: list[str] = []
        self.turns = 0

    def turn(self, *raws: dict[str, object]) -> Turn:
        self.turns += 1
        records = tuple(placed({"cwd": HOME, **raw}) for raw in raws)
        for record, raw in zip(records, raws, strict=True):
            self.raws[record.envelope.uuid] = {"cwd": HOME, **raw}
        return Turn(self.turns, "s", 0, TurnKind.RESPONSE, records)

    def load(self, _source, envelopes):
        self.loaded += [envelope.uuid for envelope in envelopes]
        return [parse_record(self.raws[envelope.uuid]) for envelope in envelopes]

    def edit(self, old: str, new: str, file: str = f"{HOME}/a.py", **more: object) -> Turn:
        asked = {"file_path": file, "old_string": old, "new_string": new}
        given = {"filePath": file, "oldString": old, "newString": new, **more}
        return self.turn(assistant(call("Edit", asked)), result("ok", given))

    def write(self, content: str, file: str = f"{HOME}/a.py") -> Turn:
        given = {"type": "create", "filePath": file, "content": content}
        return self.turn(assistant(call("Write", given)), result("ok", given))

    def read(self, content: str, file: str = f"{HOME}/a.py") -> Turn:
        shown = {"filePath": file, "content": content, "numLines": 1, "totalLines": 1}
        given = {"type": "text", "file": shown}
        return self.turn(assistant(call("Read", {"file_path": file})), result("", given))

    def said(self) -> Turn:
        return self.turn(user("Go on"))

    def compare(
        self, shared: list[Turn], left: list[Turn], right: list[Turn]
    ) -> tuple[FileComparison, ...]:
        both = ForkSplit(
            Attempt(tuple(shared), tuple(left)), Attempt(tuple(shared), tuple(right)), 1
        )
        return compare_files(both, lambda turn: read_turn_files(turn, self.load))


@pytest.fixture
def chains() -> Chains:
    return Chains()


def test_contents_from_before_the_fork_are_the_base_of_both_sides(chains):
    (found,) = chains.compare(
        [chains.said(), chains.write("one\n"), chains.edit("one", "two")],
        [chains.edit("two", "left")],
        [chains.edit("two", "right")],
    )

    assert found.file == "a.py"
    assert found.left is not None
    assert found.right is not None
    assert (found.left.end, found.right.end) == ("left\n", "right\n")
    assert (found.left.is_exact, found.begins_apart) == (True, False)
    assert found.verdict is FileVerdict.DIFFERENT


def test_what_was_read_before_the_fork_is_a_base_as_well(chains):
    (found,) = chains.compare(
        [chains.read("one\n")], [chains.edit("one", "two")], [chains.said()]
    )

    assert found.verdict is FileVerdict.ONLY_LEFT
    assert found.left is not None
    assert (found.left.end, found.difference) == ("two\n", None)


def test_a_file_that_one_side_made_and_the_other_did_not_is_only_there(chains):
    (found,) = chains.compare([], [], [chains.write("")])

    assert found.verdict is FileVerdict.ONLY_RIGHT
    assert found.right is not None
    assert found.right.is_new


def test_a_change_that_was_taken_back_left_the_file_as_it_was(chains):
    (found,) = chains.compare(
        [chains.write("one\n")], [chains.edit("one", "two"), chains.edit("two", "one")], []
    )

    assert found.verdict is FileVerdict.SAME


def test_contents_that_nothing_tells_are_said_to_be_unknown(chains):
    patch = [{"oldStart": 1, "newStart": 1, "lines": ["-one", "+two"]}]

    (found,) = chains.compare(
        [chains.said()],
        [chains.edit("one", "two", structuredPatch=patch)],
        [chains.write("three\n")],
    )

    assert found.verdict is FileVerdict.UNKNOWN
    assert found.left is not None
    assert (found.left.end, found.left.is_exact) == (None, False)
    assert (found.left.change.added, found.left.change.removed) == (1, 1)
    assert found.difference is None


def test_a_file_that_somebody_changed_before_the_fork_is_not_played_past_that(chains):
    foreign = chains.turn(attachment("edited_text_file", filename=f"{HOME}/a.py"))

    (found,) = chains.compare(
        [chains.write("one\n"), foreign], [chains.edit("one", "two")], []
    )

    assert found.left is not None
    assert not found.left.is_exact


def test_a_file_that_the_edit_tool_made_before_the_fork_is_known(chains):
    (found,) = chains.compare([chains.edit("", "one\n")], [chains.edit("one", "two")], [])

    assert found.left is not None
    assert found.left.end == "two\n"


def test_sides_that_found_other_contents_are_told_apart(chains):
    (found,) = chains.compare(
        [],
        [chains.edit("one", "two", originalFile="one\n")],
        [chains.edit("two", "three", originalFile="two\n")],
    )

    assert found.begins_apart


def test_nothing_before_the_fork_is_read_where_the_edits_tell_all(chains):
    shared = [chains.said(), *[chains.write(f"{n}\n") for n in range(9)]]

    chains.compare(shared, [chains.edit("8", "9", originalFile="8\n")], [chains.said()])

    assert len(chains.loaded) == 2 * 1 + 2


def test_reading_before_the_fork_ends_where_the_contents_are_told(chains):
    shared = [chains.said(), *[chains.write(f"{n}\n") for n in range(9)]]

    chains.compare(shared, [chains.edit("8", "9")], [])

    assert len(chains.loaded) == 2 * 1 + 2 + 2


def test_reading_before_the_fork_is_bounded(chains, monkeypatch):
    monkeypatch.setattr(module, "SEARCHED_RECORDS", 4)
    other = [chains.write("x\n", f"{HOME}/b.py") for _ in range(9)]

    (found,) = chains.compare(
        [chains.write("one\n"), *other], [chains.edit("one", "2")], []
    )

    assert found.left is not None
    assert not found.left.is_exact
    assert len(chains.loaded) == 2 * 2 + 2 + 4


def test_turns_without_results_are_not_read(chains):
    chains.compare([], [chains.said(), chains.said(), chains.said()], [])

    assert len(chains.loaded) == 1


def test_a_path_without_a_turn_has_no_files(chains):
    assert chains.compare([], [], []) == ()


def test_two_that_part_inside_of_a_turn_share_its_beginning(chains):
    whole = chains.turn(assistant({"type": "text", "text": "a"}), user("b"))
    cut = Turn(9, "other", 0, whole.kind, whole.records[:1])

    parting = part_ways([whole], [cut])

    assert (parting.messages, parting.split) == (1, 1)
    assert (parting.left.own, parting.right.own) == ((whole,), (cut,))
