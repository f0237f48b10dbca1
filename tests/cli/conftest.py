"""A command line whose build is a stand-in: tested is what it asks for and prints."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from everyleaf.cli.command import everyleaf, run
from everyleaf.report import BuildReport, Draft
from everyleaf.state.groups import GroupSums

REPORT = BuildReport(
    sessions=12,
    paths=17,
    active=12,
    abandoned=5,
    contained=3,
    records=1234,
    is_everything_placed=True,
    wrote=40,
    kept=0,
    deleted=0,
    issues=(),
    unplaced=(),
    seconds=1.5,
)


@dataclass
class StandIn:
    """Takes the place of what builds and lists, and remembers what it was asked."""

    report: BuildReport = REPORT
    draft: Draft = field(
        default_factory=lambda: Draft({}, GroupSums(2, ("p",), 3), {"email": 4})
    )
    listings: tuple[object, ...] = ()
    failure: BaseException | None = None
    asked: list[object] = field(default_factory=list)

    def build_site(self, options, *, on_progress, approve=None):
        self.asked.append(options)
        on_progress("reading", 1, 2)
        on_progress("reading", 2, 2)
        if self.failure:
            raise self.failure
        if approve is not None:
            approve(self.draft)
        return self.report

    def read_paths(self, scope, _on_progress, *, is_strict):
        self.asked.append((scope, is_strict))
        return list(self.listings)

    def reports(self, **changes):
        self.report = replace(self.report, **changes)


@pytest.fixture
def stand_in(monkeypatch):
    made = StandIn()
    build = SimpleNamespace(build_site=made.build_site)
    monkeypatch.setitem(sys.modules, "everyleaf.build", build)
    monkeypatch.setattr("everyleaf.explore.sessions.read_paths", made.read_paths)
    return made


@pytest.fixture
def call(stand_in, capsys):  # noqa: ARG001  (nothing here may build for real)
    """Run the command line; return its exit code, stdout and stderr."""

    def run_command(*arguments):
        code = run(everyleaf, [str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run_command
