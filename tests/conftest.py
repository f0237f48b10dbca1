"""Case files: `tests/cases/<behaviour>.case`, collected; `--update-cases` rewrites them."""

from __future__ import annotations

import difflib
import os
import signal
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from chromium import browser  # noqa: F401  (a fixture, for the tests of several folders)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from _pytest._code.code import Traceback, TracebackStyle

# A shared machine is slow at times, which says nothing about the code; and a landing must
# not hang on which examples are drawn: new ones are looked for where people develop.
settings.register_profile("everyleaf", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("everyleaf")


@pytest.fixture(scope="session", autouse=True)
def nothing_remembered() -> Iterator[None]:
    """Keep what was found in one test from being remembered in another."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("everyleaf.redact.find.default_memory", lambda _: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _interrupts_are_heard() -> None:
    # A shell that starts the tests in the background has them ignored, here and in every
    # process that a test starts.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what builds remember out of the cache folder of whoever runs the tests."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVERYLEAF_CACHE_DIR", str(folder))
        # Compiled once, for tests with a cache folder of their own, too: it takes seconds.
        for module in ("find", "sources"):
            patch.setattr(f"everyleaf.redact.{module}.RULES", str(folder / "rules"))
        yield


QUICK = "not (long or fuzz or browser)"
"""What runs where nothing is named: minutes, on two cores."""


class OutcomeDiffersError(Exception):
    """What came out is not what the case file says: a diff of the two."""


class CaseFile(pytest.File):
    """One case file."""

    def collect(self) -> Iterator[CaseItem]:
        yield CaseItem.from_parent(self, name=self.path.stem)


class CaseItem(pytest.Item):
    """What a case file says must come out."""

    def runtest(self) -> None:
        # Here, not above: a run without cases need not load the graph.
        from cases.notation import read_case  # noqa: PLC0415  (see above)
        from cases.outcome import write_outcome  # noqa: PLC0415  (see above)

        case = read_case(self.path.read_text(encoding="utf-8"))
        outcome = write_outcome(case)
        if outcome == case.lower:
            return
        if self.config.getoption("--update-cases"):
            # Reached only with every record on a path: no loss is written down as right.
            self.path.write_text(f"{case.upper}\n\n{outcome}\n", encoding="utf-8")
            return
        lines = difflib.unified_diff(
            case.lower.splitlines(), outcome.splitlines(), "expected", "found", lineterm=""
        )
        raise OutcomeDiffersError("\n".join([case.upper, "", *lines]))

    def repr_failure(
        self,
        excinfo: pytest.ExceptionInfo[BaseException],
        style: TracebackStyle | None = None,
    ) -> str:
        if isinstance(excinfo.value, OutcomeDiffersError):
            return str(excinfo.value)
        # Only what happened below this file: pluggy's frames hide it otherwise.
        return str(excinfo.getrepr(style=style or "short", tbfilter=_below_here))

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"case: {self.name}"


def _below_here(excinfo: pytest.ExceptionInfo[BaseException]) -> Traceback:
    return excinfo.traceback.cut(path=__file__)


def pytest_configure(config: pytest.Config) -> None:
    """Leave out what is marked, unless a person says what to run; workers are told."""
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if is_whole and not (config.option.markexpr or config.getoption("--all")):
        config.option.markexpr = QUICK


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what begins when the time that `--within` gives is over."""
    seconds = item.config.getoption("--within")
    # Not the clock's: a busy machine would run nothing.
    if seconds and sum(os.times()[:4]) > seconds:
        pytest.skip(
            f"{seconds:g} s were over: `uv run pytest` with the file runs all of it"
        )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks for a browser, and hostile sessions."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if item.path.parent.name == "fuzz":
            item.add_marker("fuzz")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--within", type=float, help="begin no test after so many seconds of CPU time"
    )
    parser.addoption(
        "--all", action="store_true", help="run what is marked long, fuzz or browser, too"
    )
    parser.addoption(
        "--update-cases",
        action="store_true",
        help="write what comes out of each case file into it, if no record was lost",
    )
    parser.addoption(
        "--update-stable",
        action="store_true",
        help="after a release: hold what others build upon as it is now",
    )
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="hold the digests of what is built and printed now, and say what changed",
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> CaseFile | None:
    if file_path.suffix == ".case":
        return CaseFile.from_parent(parent, path=file_path)
    return None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what `--update-golden` changed; reports bring it here from every worker."""
    reports: list[pytest.TestReport] = terminalreporter.stats.get("passed", [])
    changed = [
        str(said)
        for report in reports
        for key, said in report.user_properties
        if key == "golden"
    ]
    if changed:
        terminalreporter.section("golden files that changed")
        terminalreporter.write_line("\n".join(sorted(changed)))
