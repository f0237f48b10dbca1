"""What a test run said in the end: how many passed, how many failed.

Source: what pytest, unittest, Jest, Vitest, Mocha, node:test, cargo, go, RSpec, PHPUnit,
Maven, dotnet and minitest print as their last lines (versions of 2025).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from everyleaf.records.text import without_escapes
from everyleaf.transcript.words import counted

_N = r"(\d{1,7})"
_FAILED, _PASSED, _TOTAL = "failed", "passed", "total"
_RUNS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern, re.MULTILINE), names)
    for pattern, names in (
        # pytest: `== 1 failed, 6 passed, 2 skipped in 0.12s ==`
        (
            rf"^=*\s*(?:{_N} failed, )?{_N} passed[^\n]{{0,80}} in [\d.]+s",
            (_FAILED, _PASSED),
        ),
        (rf"^=*\s*{_N} failed(?:, \d+ (?!passed)\w+)* in [\d.]+s", (_FAILED,)),
        # unittest, minitest, Maven, PHPUnit
        (rf"^FAILED \((?:failures={_N})?(?:, )?(?:errors={_N})?", (_FAILED, _FAILED)),
        (rf"^Ran {_N} tests? in ", (_TOTAL,)),
        (
            rf"{_N} (?:runs|tests), \d+ assertions, {_N} failures, {_N} errors",
            (_TOTAL, _FAILED, _FAILED),
        ),
        (
            rf"Tests run: {_N}, Failures: {_N}, Errors: {_N}[^\n]*$(?!\n[\s\S]*Tests run:)",
            (_TOTAL, _FAILED, _FAILED),
        ),
        (rf"^OK \({_N} tests?, ", (_TOTAL,)),
        # Jest: `Tests:  1 failed, 2 skipped, 5 passed, 8 total`
        (
            rf"^ *Tests: +(?:{_N} failed, )?(?:\d+ \w+, ){{0,2}}?(?:{_N} passed, )?\d+ to",
            (_FAILED, _PASSED),
        ),
        # Vitest: `Tests  1 failed | 5 passed (6)`
        (
            rf"^\s*Tests\s+(?:{_N} failed(?: \| )?)?(?:{_N} passed)?[^\n(]{{0,40}}\(\d+\)",
            (_FAILED, _PASSED),
        ),
        # Mocha, node:test, RSpec
        (rf"^\s*{_N} passing\b", (_PASSED,)),
        (rf"^\s*{_N} failing\b", (_FAILED,)),
        (rf"^# pass {_N}$", (_PASSED,)),
        (rf"^# fail {_N}$", (_FAILED,)),
        (rf"^{_N} examples?, {_N} failures?", (_TOTAL, _FAILED)),
        # cargo, dotnet
        (rf"^test result: \w+\. {_N} passed; {_N} failed;", (_PASSED, _FAILED)),
        (rf"^(?:Passed|Failed)!\s+- Failed:\s+{_N}, Passed:\s+{_N}", (_FAILED, _PASSED)),
    )
)
_WORDS = (
    *(" passed", " failed", "FAILED (", "Ran ", " assertions, ", "Tests", "OK ("),
    *(" passing", " failing", "# pass ", "# fail ", " example", "test result: ", "ed!"),
)
"""One of these is in each text that a pattern finds something in; few texts have any."""
_GO = re.compile(r"^(?:(ok)|(FAIL))\s+[\w./-]+\s+(?:[\d.]+s|\(cached\)|\[)", re.MULTILINE)
_CUTS = re.compile(r"\|\s*(?:tail|head|[ef]?grep|rg|sed|awk)\b")
LOOKED_AT = 20_000
"""Characters from the end of an output: what sums a run up stands there."""


class TestRun(Struct, frozen=True):
    """How tests ended: of packages where the runner counts no tests."""

    __test__ = False  # No test of ours.

    passed: int
    failed: int
    unit: str = "test"
    is_cut: bool = False
    """The output is not whole: there may have been more."""

    @property
    def words(self) -> str:
        """Return it as a reader says it: `6 tests passed`, `2 of 6 tests failed`."""
        if self.is_cut:
            how = "failed" if self.failed else "passed"
            return f"at least {counted(self.failed or self.passed, self.unit)} {how}"
        units = counted(self.passed + self.failed, self.unit)
        return f"{self.failed:,} of {units} failed" if self.failed else f"{units} passed"


def find_test_run(output: str, command: str = "") -> TestRun | None:
    """Return what the output of a command says of tests; None where it says nothing.

    Where packages are counted and the `command` cuts its output, there may be more.

    >>> find_test_run("===== 1 failed, 5 passed in 0.31s =====").words
    '1 of 6 tests failed'
    """
    tail = without_escapes(output[-LOOKED_AT:])
    counts = {_FAILED: 0, _PASSED: 0, _TOTAL: 0}
    for name, number in _counts(tail):
        counts[name] += number
    if any(counts.values()):
        passed = counts[_PASSED] or max(counts[_TOTAL] - counts[_FAILED], 0)
        return TestRun(passed, counts[_FAILED]) if passed or counts[_FAILED] else None
    is_go = tail.startswith(("ok", "FAIL")) or "\nok" in tail or "\nFAIL" in tail
    packages = _GO.findall(tail) if is_go else []
    if not packages:
        return None
    failed = sum(bool(fail) for _, fail in packages)
    is_cut = _CUTS.search(command) is not None
    return TestRun(len(packages) - failed, failed, "package", is_cut=is_cut)


def _counts(text: str) -> Iterator[tuple[str, int]]:
    if not any(word in text for word in _WORDS):
        return
    for pattern, names in _RUNS:
        for found in pattern.finditer(text):
            for name, number in zip(names, found.groups(), strict=True):
                yield name, int(number or 0)
