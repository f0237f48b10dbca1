"""A place that is the same everywhere, the command line in it, and what is held."""

from __future__ import annotations

import os
import shlex
import time
from typing import TYPE_CHECKING

import pytest

from everyleaf.cli.command import everyleaf, run
from golden.archives import ROOT
from golden.manifest import INPUT, ZONE, Golden, describe_packages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from golden.manifest import Lines

    Ask = Callable[..., tuple[int, str, str]]
    """Takes words of a command line; returns exit code, stdout and stderr."""
    Hold = Callable[[str, Lines, str], None]
    """Takes the name of a case, what was found, and a command that makes it."""

NOW_S = 1_775_210_400.0
"""2026-04-03, 10:00 UTC: a day after the last session of the example."""
KEPT = ("PATH", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "PYTHONHASHSEED")
"""What a test takes over from whoever runs it."""
KEPT_PREFIXES = ("PYTEST", "COV", "EVERYLEAF_CACHE_DIR")
"""What the tools that run it are told, and where all tests have their cache folder."""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the working folder, which is empty; nothing is known of who runs the tests.

    The cache folder is that of all tests, below pytest's own: what was compiled is kept in
    it, and what was built there is known by the name of its folder, which is new.
    """
    for name in os.environ:
        if name not in KEPT and not name.startswith(KEPT_PREFIXES):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    for name, value in {
        "HOME": str(home),
        "USER": "nobody",
        "LOGNAME": "nobody",
        "LC_ALL": "C.UTF-8",
        "TZ": ZONE,
        "EVERYLEAF_BACKUP_DIR": str(home / "backups"),
    }.items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    time.tzset()
    yield folder
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Return what runs a command in this process, at `NOW_S`."""

    def run_command(*words: str) -> tuple[int, str, str]:
        with monkeypatch.context() as patch:
            patch.setattr("time.time", lambda: NOW_S)
            code = run(everyleaf, words)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run_command


@pytest.fixture
def hold(request: pytest.FixtureRequest, place: Path) -> Hold:
    """Return what compares a case with what is held of it, and fails if they differ.

    With `--update-golden`, what was found is held from now on, and said at the end.
    """

    def compare(name: str, found: Lines, command: str) -> None:
        golden = Golden(name)
        differing = golden.compare(found)
        if not differing:
            return
        if request.config.getoption("--update-golden"):
            lines = differing if golden.file.is_file() else [f"new, {len(found)} lines"]
            golden.write(found)
            said = "\n  ".join([golden.file.name, *lines])
            request.node.user_properties.append(("golden", said))
            return
        before, here = golden.find_packages(), describe_packages()
        if before not in {None, here}:
            # A release of somebody else's must not fail who changed nothing.
            pytest.skip(f"held with {before}; renew it with `just golden`: this is {here}")
        pytest.fail(_explain(golden, differing, command, place), pytrace=False)

    return compare


def _explain(golden: Golden, differing: list[str], command: str, place: Path) -> str:
    """Return which lines differ, and how to see what is in the files."""
    if golden.find_packages() is None:
        head = f"{golden.name} is not held yet:"
    else:
        head = f"{golden.name} is not what {golden.file.relative_to(ROOT)} holds:"
    if any(line.startswith(INPUT) for line in differing):
        head = f"{head} it was built from another archive, see {INPUT}"
    return "\n".join(
        [
            head,
            *(f"  {line}" for line in differing),
            "",
            "to see the difference, make it with the last commit, too, and compare:",
            f"  git -C {ROOT} worktree add --detach /tmp/before",
            f"  cd {shlex.quote(str(place))}",
            *(f"  {line}" for line in command.splitlines()),
            "if it is meant: uv run pytest tests/golden --update-golden",
        ]
    )
