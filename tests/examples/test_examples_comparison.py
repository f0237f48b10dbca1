"""The two attempts at one file: how each side ends follows from its records alone."""

from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any

Record = dict[str, Any]
"""A line of JSON: the tests are the boundary, so its values are unknown."""

ROOT = Path(__file__).resolve().parents[2]
EXPECTED = json.loads((Path(__file__).parent / "expected_paths.json").read_text())
STEM, FACTS = next(
    (stem, facts)
    for stem, facts in EXPECTED["sessions"].items()
    if facts["story"] == "ladle-fractions"
)
SCALE = "/home/ada/code/ladle/src/scale.ts"
SCALE_TEST = "/home/ada/code/ladle/src/scale.test.ts"


def patched(old: str, hunks: list[Record]) -> str:
    before, after, at = old.splitlines(), [], 0
    for hunk in hunks:
        start = hunk["oldStart"] - 1
        after += before[at:start]
        removed = [line[1:] for line in hunk["lines"] if line[0] != "+"]
        assert before[start : start + hunk["oldLines"]] == removed
        after += [line[1:] for line in hunk["lines"] if line[0] != "-"]
        at = start + hunk["oldLines"]
    return "\n".join(after + before[at:]) + "\n"


def final_files(number: int) -> dict[str, str]:
    """Follow a path's records: Write gives content, Edit a patch on what was there."""
    (ids,) = (set(p["ids"]) for p in FACTS["paths"] if p["number"] == number)
    (file,) = ROOT.glob(f"examples/archive/projects/*/{STEM}.jsonl")
    found: dict[str, str] = {}
    for line in file.read_text().splitlines():
        record = json.loads(line)
        stored = record.get("toolUseResult")
        if record.get("uuid") not in ids or not isinstance(stored, dict):
            continue
        if "structuredPatch" in stored:
            name = stored["filePath"]
            old = found.get(name) or str(stored["originalFile"])
            assert old == stored["originalFile"]
            found[name] = stored.get("content") or patched(old, stored["structuredPatch"])
    return found


def difference(name: str) -> tuple[list[str], list[str]]:
    left, right = (final_files(number)[name].splitlines() for number in (1, 2))
    changed = [line for line in difflib.ndiff(left, right) if line[0] in "+-"]
    return [x[2:] for x in changed if x[0] == "-"], [x[2:] for x in changed if x[0] == "+"]


def test_each_side_ends_with_the_files_that_were_played():
    for number in (1, 2):
        assert final_files(number) == FACTS["final_files"][str(number)]


def test_both_sides_change_the_same_two_files():
    assert set(final_files(1)) == set(final_files(2)) == {SCALE, SCALE_TEST}


def test_the_tests_of_the_two_sides_differ_in_exactly_these_lines():
    only_first, only_second = difference(SCALE_TEST)

    assert only_first == [
        'const flour = { amount: new Rational(1), unit: "cup", name: "flour" };'
    ]
    assert only_second == [
        'const flour = { amount: 1, unit: "cup", name: "flour" };',
        "",
        'test("two thirds of a cup is on the cup", () => {',
        '  expect(format(scale(flour, 3, 2).amount)).toBe("2/3");',
        "});",
        "",
        'test("a fifth is on no cup", () => {',
        '  expect(format(0.2)).toBe("0.2");',
        "});",
    ]


def test_one_side_ends_with_exact_fractions_and_the_other_with_rounded_ones():
    first, second = final_files(1)[SCALE], final_files(2)[SCALE]

    assert "export class Rational {" in first
    assert 'if (bottom === 0) throw new RangeError("no servings");' in first
    assert "FRACTIONS" not in first
    assert "const FRACTIONS: ReadonlyArray<readonly [number, string]> = [" in second
    assert "Rational" not in second
    assert (len(first.splitlines()), len(second.splitlines())) == (43, 27)
