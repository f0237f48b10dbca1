"""The benchmarks measure what they say."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from bench.again import append_line, touch_all
from bench.measuring import measure, measure_folder
from bench.plot import growth_svg
from bench.stages import Stopwatch

if TYPE_CHECKING:
    from pathlib import Path

BUSY = "import time\nwhile time.process_time() < 0.4: pass\nprint('done')"
IN_A_CHILD = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {BUSY!r}])"
HOLDS_50_MB = "import time\nheld = b'x' * 50_000_000\ntime.sleep(0.5)"


def test_the_seconds_of_processes_below_count_as_well():
    taken = measure([sys.executable, "-c", IN_A_CHILD])

    assert taken.cpu_s >= 0.4
    assert taken.said == "done\n"


def test_memory_is_the_peak_of_all_processes():
    alone = measure([sys.executable, "-c", "import time\ntime.sleep(0.5)"])

    taken = measure([sys.executable, "-c", HOLDS_50_MB])

    assert 45 < taken.peak_mb - alone.peak_mb < 60


def test_a_command_that_fails_is_no_measurement():
    with pytest.raises(subprocess.CalledProcessError):
        measure([sys.executable, "-c", "raise SystemExit(3)"])


def test_a_folder_is_counted_with_its_pages(tmp_path):
    (tmp_path / "deep").mkdir()
    for name in ("index.html", "deep/one.md", "deep/picture.png"):
        (tmp_path / name).write_bytes(b"x" * 500_000)

    folder = measure_folder(tmp_path)

    assert (folder.files, folder.pages, folder.mb) == (3, 2, 1.5)


def test_stages_add_up_to_the_whole():
    watch = Stopwatch()
    for stage in ("reading", "reading", "drawing sessions"):
        watch.on_progress(stage, 1, 2)
    watch.on_progress("drawing sessions", 2, 2)
    watch.lap("")

    assert list(watch.laps) == [
        *("starting", "reading", "drawing sessions", "lists and writing")
    ]


def test_growth_that_is_linear_lies_on_the_dashed_line():
    drawn = ET.fromstring(growth_svg([(10, 1), (20, 2)]))  # noqa: S314  (our own words)

    lines = [each.get("points", "").split() for each in drawn if "points" in each.attrib]
    assert lines[2][-1] == lines[3][-1]


def test_a_line_more_hangs_from_the_last_message(tmp_path: Path) -> None:
    (tmp_path / "-w").mkdir()
    file = tmp_path / "-w" / "one.jsonl"
    record = {"uuid": "a", "message": {}, "cwd": "/w", "timestamp": "2026-01-01T00:00:00Z"}
    file.write_text(f'{json.dumps(record)}\n{{"type": "summary"}}\n')

    append_line(tmp_path)

    last = json.loads(file.read_text().splitlines()[-1])
    assert (last["parentUuid"], last["cwd"]) == ("a", "/w")


def test_a_touched_file_has_another_time_and_the_same_bytes(tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    file.write_text("{}\n")
    before = file.stat().st_mtime_ns

    touch_all(tmp_path)

    assert file.stat().st_mtime_ns != before
    assert file.read_text() == "{}\n"
