"""`everyleaf --help` is quick because it imports no library that only a build needs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SLOW = {
    "dask",
    "distributed",
    "fsspec",
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
RUN = """
import sys
from everyleaf.cli import main
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""
ASK = "import sys, everyleaf.cli; print('\\n'.join(sys.modules))"


def test_the_command_line_starts_without_the_libraries_of_a_build():
    listing = subprocess.run(
        [sys.executable, "-I", "-c", ASK], capture_output=True, text=True, check=True
    )

    loaded = set(listing.stdout.split())
    assert "click" in loaded
    assert loaded & SLOW == set()
    assert "everyleaf.build" not in loaded


@pytest.mark.parametrize(
    "arguments", [["list"], ["paths"], ["check"], ["list", "--json"]], ids=" ".join
)
def test_a_command_that_draws_nothing_imports_nothing_that_draws(arguments, tmp_path):
    archive = Path(__file__).parent.parent / "examples" / "archive"
    environment = {**os.environ, "EVERYLEAF_CACHE_DIR": str(tmp_path)}

    shown = subprocess.run(
        [sys.executable, "-c", RUN, *arguments, str(archive), "--no-redact"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )

    assert shown.stdout
    loaded = set(shown.stderr.splitlines()[-1].split())
    assert loaded & (SLOW - {"orjson", "rich"}) == set()


@pytest.mark.parametrize("form", [["--format", "md"], ["--format", "text"], ["--json"]])
def test_a_path_is_shown_without_the_templates_of_pages(form, tmp_path):
    archive = Path(__file__).parent.parent / "examples" / "archive"
    environment = {**os.environ, "EVERYLEAF_CACHE_DIR": str(tmp_path)}
    asked = ["show", "66e54b32", "--no-redact", "--source", str(archive), *form]

    shown = subprocess.run(
        [sys.executable, "-c", RUN, *asked],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )

    assert shown.stdout
    assert "jinja2" not in shown.stderr.splitlines()[-1].split()


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
