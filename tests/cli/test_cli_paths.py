"""`everyleaf paths`: one JSON object a line, and nothing else on stdout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from everyleaf.cli.list import path_json as to_json
from everyleaf.explore.sessions import PathListing
from everyleaf.graph.forest import ConversationPath, PathRef, Status

PATH = ConversationPath(
    session="s1",
    project="parser",
    number=2,
    of=2,
    status=Status.ABANDONED,
    reason="left for the later branch",
    title="Größe \ud800 \x1b[31m",
    label="and now in red",
    fork_point="a1",
    taken_over_by=PathRef("s1", 1),
    is_withdrawn=False,
    is_merged_copy=False,
    compactions=0,
    messages=4,
    prompts=2,
    shared=2,
    started="2026-01-01T00:00:00Z",
    ended="2026-01-01T00:01:00Z",
    inferred=0,
    contains=(),
    diverged=(),
    leaf_uuid="a2b",
)
LISTING = PathListing(PATH, ids=("u1", "a1", "u2b", "a2b"), inferred=())


def test_every_path_is_one_line_of_json(call, stand_in):
    stand_in.listings = (
        LISTING,
        replace(LISTING, path=replace(PATH, number=1, taken_over_by=None)),
    )

    code, out, _ = call("paths", "logs")

    assert code == 0
    first, second = map(json.loads, out.splitlines())
    assert first["status"] == "ABANDONED"
    assert first["taken_over_by"] == "s1:1"
    assert second["number"] == 1
    assert second["taken_over_by"] is None


def test_json_may_be_asked_for_as_everywhere(call, stand_in):
    stand_in.listings = (LISTING,)

    assert call("paths", "logs", "--json") == call("paths", "logs")


def test_lines_are_ascii_whatever_a_title_holds():
    line = to_json(LISTING, "full")

    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["title"] == PATH.title


@pytest.mark.parametrize(
    ("which", "ids"), [("full", ["u1", "a1", "u2b", "a2b"]), ("own", ["u2b", "a2b"])]
)
def test_ids_are_all_or_those_after_the_fork(call, stand_in, which, ids):
    stand_in.listings = (LISTING,)

    _, out, _ = call("paths", "logs", "--ids", which)

    assert json.loads(out)["ids"] == ids


def test_ids_can_be_left_out(call, stand_in):
    stand_in.listings = (LISTING,)

    _, out, _ = call("paths", "logs", "--ids", "none")

    assert "ids" not in json.loads(out)


def test_options_reach_the_listing(call, stand_in):
    call("paths", "one", "two", "--strict-paths", "--include-archive", "-q")

    ((scope, is_strict),) = stand_in.asked
    assert scope.sources == (Path("one"), Path("two"))
    assert scope.include_archive
    assert is_strict


def test_without_a_source_the_configured_folder_is_listed(call, stand_in, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/elsewhere")

    call("paths")

    assert stand_in.asked[0][0].places == (Path("/elsewhere"),)


def test_a_reader_that_has_had_enough_is_no_error():
    script = """
import sys
import click
from everyleaf.cli import main
from everyleaf.cli.command import everyleaf
from everyleaf.cli.output import echo_lines
@everyleaf.command()
def endless():
    echo_lines("a" * 100 for _ in range(100_000))
sys.argv = ["everyleaf", "endless"]
main()
"""
    reader, writer = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=writer, stderr=subprocess.PIPE
    ) as listing:
        os.close(writer)
        os.read(reader, 10)
        os.close(reader)
        assert listing.stderr
        complaints = listing.stderr.read()

    assert complaints == b""
    assert listing.returncode == 0
