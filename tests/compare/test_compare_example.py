"""The example's two attempts at one file, whose difference is known to the letter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from everyleaf.archive import Choice, index_archive, solve_all
from everyleaf.attempts import compare_attempts
from everyleaf.compare.comparison import LOOKED_BEFORE, compare_chains
from everyleaf.compare.files import FileVerdict, read_turn_files
from everyleaf.compare.sketch import sketch_turn
from everyleaf.compare.split import conversation_ids, cut_after_prompts, part_ways
from everyleaf.graph.views import Views
from everyleaf.opening.reading import Scope
from everyleaf.records.load import RecordFiles
from everyleaf.redact.masking import Mask, open_mask
from everyleaf.redact.redaction import Redaction
from everyleaf.sources.discover import find_sources
from everyleaf.transcript.build import build_turn
from everyleaf.workers import open_executor

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = ROOT / "examples/archive"
EXPECTED = json.loads((ROOT / "tests/examples/expected_paths.json").read_text())
STEM, FACTS = next(
    (stem, facts)
    for stem, facts in EXPECTED["sessions"].items()
    if facts["story"] == "ladle-fractions"
)
FOLDER = "/home/ada/code/ladle/"


def quiet(_stage: str, _done: int, _total: int) -> None:
    """Say nothing."""


class Archive:
    """The example, solved, with a count of what was read again."""

    def __init__(self) -> None:
        found = find_sources([ARCHIVE], include_archive=False)
        with open_executor(1, is_small=True) as executor:
            index = index_archive(
                found, executor, quiet, choice=Choice(), redaction=Redaction()
            )
            archive = solve_all(index, quiet)
        self.forest, self.files = archive.forest, archive.files
        self.paths = archive.description.paths
        self.views = Views(archive.forest.units, archive.forest.copies)
        self.loaded: list[str] = []

    def turns(self, ref):
        (leaf,) = (
            unit_id for unit_id in self.forest.kept if self.forest.refs[unit_id] == ref
        )
        return [
            self.views.turn(unit_id)
            for unit_id in reversed(list(self.forest.units.up(leaf)))
        ]

    def load(self, source, envelopes):
        self.loaded += [envelope.uuid for envelope in envelopes]
        return RecordFiles().load(
            self.files[source].location, envelopes, open_mask(Mask()).record
        )

    def compare(self, left, right, cut=lambda parting: parting):
        parting = part_ways(self.turns(left), self.turns(right))
        return compare_chains(
            cut(parting),
            read_files=lambda turn: read_turn_files(turn, self.load),
            sketch=lambda turn: sketch_turn(turn, build_turn(turn, self.load)),
        )


@pytest.fixture(scope="module")
def archive() -> Archive:
    return Archive()


@pytest.fixture(scope="module")
def attempts():
    return compare_attempts(Scope((ARCHIVE,)), quiet, (f"{STEM}:1", f"{STEM}:2"))


def lines(diff, sign: str) -> list[str]:
    return [line.text for hunk in diff.hunks for line in hunk.lines if line.sign == sign]


def test_both_sides_end_with_the_contents_that_were_played(attempts):
    left, right = FACTS["final_files"]["1"], FACTS["final_files"]["2"]

    assert {FOLDER + each.file: each.left.end for each in attempts.comparison.files} == left
    assert {FOLDER + e.file: e.right.end for e in attempts.comparison.files} == right
    assert all(e.left.is_exact and e.right.is_exact for e in attempts.comparison.files)


def test_the_final_difference_of_the_tests_is_exact(attempts):
    tests, source = attempts.comparison.files

    assert (tests.file, source.file) == ("src/scale.test.ts", "src/scale.ts")
    assert lines(tests.difference, "-") == [
        'const flour = { amount: new Rational(1), unit: "cup", name: "flour" };'
    ]
    assert lines(tests.difference, "+") == [
        'const flour = { amount: 1, unit: "cup", name: "flour" };',
        "});",
        "",
        'test("two thirds of a cup is on the cup", () => {',
        '  expect(format(scale(flour, 3, 2).amount)).toBe("2/3");',
        "});",
        "",
        'test("a fifth is on no cup", () => {',
        '  expect(format(0.2)).toBe("0.2");',
    ]


def test_the_final_difference_turns_one_outcome_into_the_other(attempts):
    for each in attempts.comparison.files:
        kept = lines(each.difference, " ")
        assert each.verdict is FileVerdict.DIFFERENT
        assert each.difference.removed == len(lines(each.difference, "-")) > 0
        assert set(kept) <= set(each.left.end.splitlines())
        assert set(lines(each.difference, "-")) <= set(each.left.end.splitlines())
        assert set(lines(each.difference, "+")) <= set(each.right.end.splitlines())


def test_the_two_share_exactly_their_common_records(attempts):
    left, right = (path["ids"] for path in FACTS["paths"])
    shared = next(n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b)

    assert attempts.comparison.shared == shared
    assert attempts.comparison.left.messages == len(left) - shared
    assert attempts.comparison.right.messages == len(right) - shared


def test_each_side_says_how_it_ended(attempts):
    left, right = attempts.comparison.left, attempts.comparison.right

    assert left.errors == 1
    assert "Shall I go on?" in left.ending.reply.text
    assert left.ending.test_run is None
    assert right.ending.test_run.said == "Tests 10 passed (10)"
    assert [commit.hash for commit in right.commits if commit.hash] == ["3fa91c2"]
    assert (left.working_s, right.working_s) == (42, 47)


def test_any_path_compared_with_itself_is_empty(archive):
    for ref in archive.paths:
        same = archive.compare(ref, ref)

        assert same.is_same
        assert same.has_same_files
        assert (same.rows, same.files, same.shared) == ((), (), archive.paths[ref].messages)


def test_swapped_sides_say_the_same_the_other_way_round(archive):
    swapped = {
        FileVerdict.ONLY_LEFT: FileVerdict.ONLY_RIGHT,
        FileVerdict.ONLY_RIGHT: FileVerdict.ONLY_LEFT,
    }
    pairs = [
        (ref, path.taken_over_by)
        for ref, path in archive.paths.items()
        if path.taken_over_by
    ]

    for left, right in pairs:
        one, other = archive.compare(left, right), archive.compare(right, left)
        assert (one.left, one.right, one.shared) == (other.right, other.left, other.shared)
        assert [(f.file, f.left, f.right) for f in one.files] == [
            (f.file, f.right, f.left) for f in other.files
        ]
        assert [f.verdict for f in one.files] == [
            swapped.get(f.verdict, f.verdict) for f in other.files
        ]
    assert len(pairs) == 6


def test_only_what_differs_is_read(archive):
    for path in archive.paths.values():
        if path.taken_over_by is None:
            continue
        parting = part_ways(archive.turns(path.ref), archive.turns(path.taken_over_by))
        own = [
            placed.envelope.uuid
            for side in (parting.left, parting.right)
            for turn in (*side.shared[:1], *side.shared[-LOOKED_BEFORE:], *side.own)
            for placed in turn.records
        ]
        archive.loaded.clear()

        archive.compare(path.ref, path.taken_over_by)

        assert set(archive.loaded) <= set(own)
        assert len(archive.loaded) <= 2 * len(own) + len(own)


def test_a_withdrawn_prompt_costs_two_prompts(archive):
    (path,) = (path for path in archive.paths.values() if path.is_withdrawn)
    archive.loaded.clear()

    brief = archive.compare(path.ref, path.taken_over_by, cut_after_prompts)

    assert (brief.left.ending.is_withdrawn, brief.files) == (True, ())
    assert brief.prompts.words
    assert len(archive.loaded) < 20


def test_copies_in_two_sessions_part_where_their_canonical_ids_do(archive):
    (path,) = (p for p in archive.paths.values() if p.session.startswith("2d394510"))
    other = path.diverged[0]

    parting = part_ways(archive.turns(path.ref), archive.turns(other.path))

    assert parting.messages == other.shared
    assert conversation_ids(parting.left.own[0]) != conversation_ids(parting.right.own[0])
