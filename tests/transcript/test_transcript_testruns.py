from __future__ import annotations

import pytest

from everyleaf.transcript.testruns import find_test_run


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("......\n====== 6 passed in 0.12s ======\n", "6 tests passed"),
        ("6 passed in 0.12s", "6 tests passed"),
        ("== 2 failed, 4 passed, 1 skipped in 3.20s ==", "2 of 6 tests failed"),
        ("= 3 failed in 0.02s =", "3 of 3 tests failed"),
        ("Ran 12 tests in 0.003s\n\nOK\n", "12 tests passed"),
        (
            "Ran 12 tests in 0.003s\n\nFAILED (failures=1, errors=2)\n",
            "3 of 12 tests failed",
        ),
        ("Tests:       5 passed, 5 total\nTime: 1 s", "5 tests passed"),
        ("Tests:       1 failed, 2 skipped, 5 passed, 8 total", "1 of 6 tests failed"),
        (" Test Files  2 passed (2)\n      Tests  9 passed (9)\n", "9 tests passed"),
        ("      Tests  1 failed | 8 passed (9)", "1 of 9 tests failed"),
        ("\x1b[2m  Tests \x1b[22m \x1b[32m10 passed\x1b[39m (10)", "10 tests passed"),
        ("  12 passing (30ms)\n  1 failing\n", "1 of 13 tests failed"),
        ("# tests 3\n# pass 3\n# fail 0\n", "3 tests passed"),
        ("12 examples, 0 failures", "12 tests passed"),
        (
            "test result: ok. 5 passed; 0 failed;\ntest result: ok. 2 passed; 0 failed;",
            "7 tests passed",
        ),
        (
            "ok  \tgithub.com/a/b\t0.01s\nok  \tgithub.com/a/c\t(cached)\n",
            "2 packages passed",
        ),
        ("ok  \ta/b\t0.01s\nFAIL\ta/c\t0.02s\n", "1 of 2 packages failed"),
        ("Tests run: 4, Failures: 1, Errors: 0, Skipped: 0", "1 of 4 tests failed"),
        ("Passed!  - Failed:     0, Passed:    31, Skipped: 0", "31 tests passed"),
        ("8 runs, 9 assertions, 1 failures, 1 errors, 0 skips", "2 of 8 tests failed"),
        ("OK (3 tests, 9 assertions)", "3 tests passed"),
        ("1 test passed", ""),
        ("17 lines of nothing\nall tests passed, he said", ""),
        ("", ""),
    ],
)
def test_the_end_of_a_run_is_read(output: str, words: str) -> None:
    run = find_test_run(output)

    assert (run.words if run else "") == words


@pytest.mark.parametrize("cut", ["| tail -10", "2>&1 | grep -v skipped", "| head"])
def test_there_may_be_more_packages_where_the_command_cuts_what_it_prints(cut):
    said = "ok  \ta/b\t0.01s\nok  \ta/c\t0.02s\n"
    cut_run = find_test_run(said, f"go test ./... {cut}")
    failed = find_test_run(f"{said}FAIL\ta/d\t0.02s\n", f"go test ./... {cut}")
    whole_run = find_test_run(said, "go test ./...")

    assert cut_run
    assert cut_run.words == "at least 2 packages passed"
    assert failed
    assert failed.words == "at least 1 package failed"
    assert whole_run
    assert whole_run.words == "2 packages passed"
