"""How commands end that several processes work for: Ctrl-C, wrong names, closed pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from sessions import prompt, reply, write_records

COMMANDS = ("tree", "stats", "find", "audit")


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """An archive that is large enough for several processes, of several sessions."""
    folder = tmp_path_factory.mktemp("large") / "projects/-home-me-parser"
    for number in range(8):
        records = [prompt("p1", None, "Write a parser")]
        for turn in range(300):
            above = f"r{turn - 1}" if turn else "p1"
            records.append(reply(f"r{turn}", above, f"Reply {turn}. " + "words " * 300))
        for record in records:
            record["uuid"] = f"{number}-{record['uuid']}"
            record["parentUuid"] = (
                record["parentUuid"] and f"{number}-{record['parentUuid']}"
            )
        write_records(
            folder / f"{number}f0c1d2e-0000-4000-8000-000000000000.jsonl", records
        )
    return folder


def start(command, archive, *words):
    named = {"tree": ["latest"], "find": ["words"]}.get(command, [])
    asked = [command, *(words or named), "--source", str(archive), "-q"]
    return subprocess.Popen(
        [sys.executable, "-m", "everyleaf", *asked],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.skipif(os.name == "nt", reason="there, a console sends it")
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("delay_s", [0.5, 1.0])
def test_ctrl_c_ends_all_processes_and_one_of_them_says_so(archive, command, delay_s):
    process = start(command, archive)
    time.sleep(delay_s)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)

    assert "Traceback" not in err
    assert err in {"", "interrupted; what was there before is still there\n"} or (
        "found nothing" in err or "record" in err
    )


@pytest.mark.skipif(os.name == "nt", reason="there, nothing is sent to one process alone")
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_one_that_a_supervisor_ends(archive, sent):
    process = start("audit", archive)
    workers: list[psutil.Process] = []
    while not workers and process.poll() is None:
        workers = psutil.Process(process.pid).children()
    os.kill(process.pid, sent)
    _, err = process.communicate(timeout=60)

    assert workers
    assert psutil.wait_procs(workers, timeout=20)[1] == []
    assert "Traceback" not in err
    assert process.returncode == (130 if sent is signal.SIGTERM else -signal.SIGKILL)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk of Linux")
def test_a_full_disk_is_an_error_of_one_line(archive):
    asked = [sys.executable, "-m", "everyleaf", "list", str(archive), "-q"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(asked, stdout=full, stderr=subprocess.PIPE, check=False)

    assert done.returncode == 1
    assert done.stderr == b"error: cannot write what this prints: the disk is full\n"


@pytest.mark.parametrize("command", ["tree", "show", "agents"])
def test_a_name_that_fits_nothing_ends_with_nothing_but_the_error(archive, command):
    for _ in range(2):
        _, err = start(command, archive, "zzzzzzzz").communicate(timeout=60)

        assert err.startswith("error: no session fits 'zzzzzzzz'\nhint: ")
        assert err.count("\n") == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_pipe_ends_a_command_without_a_word(archive, command):
    with start(command, archive) as process:
        process.stdout.close()
        err = process.stderr.read()

    assert "Traceback" not in err
    assert "Exception" not in err
