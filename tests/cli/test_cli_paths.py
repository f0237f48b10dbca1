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
from everyleaf.graph.forest import PathRef, Status
from everyleaf.listing import PathListing

LISTING = PathListing(
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
    compactions=0,
    messages=4,
    shared=2,
    started="2026-01-01T00:00:00Z",
    ended="2026-01-01T00:01:00Z",
    ids=("u1", "a1", "u2b", "a2b"),
    contains=(),
    inferred=(),
)


def test_every_path_is_one_line_of_json(call, stand_in):
    stand_in.listings = (LISTING, replace(LISTING, number=1, taken_over_by=None))

    code, out, _ = call("paths", "logs")

    assert code == 0
    first, second = map(json.loads, out.splitlines())
    assert first["status"] == "ABANDONED"
    assert first["taken_over_by"] == "s1:1"
    assert second["number"] == 1
    assert second["taken_over_by"] is None


def test_lines_are_ascii_whatever_a_title_holds():
    line = to_json(LISTING, "full")

    assert line.isascii()
    assert line.isprintable()
    assert json.loads(line)["title"] == LISTING.title


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

    ((sources, options),) = stand_in.asked
    assert sources == (Path("one"), Path("two"))
    assert options["strict_paths"] is True
    assert options["include_archive"] is True


def test_without_a_source_the_configured_folder_is_listed(call, stand_in, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/elsewhere")

    call("paths")

    assert stand_in.asked[0][0] == (Path("/elsewhere"),)


def test_what_is_no_listing_is_a_bug(call, stand_in):
    stand_in.listings = ({"a set"},)

    with pytest.raises(TypeError, match="set cannot be listed"):
        call("paths", "logs")


def test_a_reader_that_has_had_enough_is_no_error():
    script = """
import sys, types
sys.modules["everyleaf.listing"] = types.SimpleNamespace(
    list_paths=lambda *_, **__: (Listing() for _ in range(100_000))
)
from msgspec import Struct
class Listing(Struct):
    ids: tuple = ("a",) * 100
from everyleaf.cli import main
sys.argv = ["everyleaf", "paths", "logs", "-q"]
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
