"""`everyleaf --help` is quick because it imports no library that only a build needs."""

from __future__ import annotations

import subprocess
import sys

import pytest

SLOW = {
    "jinja2",
    "markdown_it",
    "mdit_py_plugins",
    "orjson",
    "pagefind",
    "pydantic",
    "pygments",
    "rich",
    "watchfiles",
}
ASK = "import sys, everyleaf.cli; print('\\n'.join(sys.modules))"


def test_the_command_line_starts_without_the_libraries_of_a_build():
    listing = subprocess.run(
        [sys.executable, "-I", "-c", ASK], capture_output=True, text=True, check=True
    )

    loaded = set(listing.stdout.split())
    assert "click" in loaded
    assert loaded & SLOW == set()
    assert "everyleaf.build" not in loaded


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["build", "--help"]])
def test_asking_for_help_works_as_a_module(arguments):
    shown = subprocess.run(
        [sys.executable, "-m", "everyleaf", *arguments],
        capture_output=True,
        text=True,
        check=True,
    )

    assert "everyleaf" in shown.stdout
    assert shown.stderr == ""
