"""A store: nothing that was kept is ever lost, and nothing is there twice."""

from __future__ import annotations

import errno
import os
import random
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from everyleaf import store as store_module
from everyleaf.errors import OutputError, SourceError
from everyleaf.keep.stored import list_sessions, restore, sweep, verify
from everyleaf.store import MARKER, Store

UUID = "00000000-0000-4000-8000-{:012d}"
ONE = UUID.format(1)


def quietly(_stage, _done, _total):
    """Say nothing."""


def line(number, text="word"):
    uuid = UUID.format(number)
    said = f'{{"type": "user", "uuid": "{uuid}", "message": {{"content": "{text}"}}}}\n'
    return said.encode()


@pytest.fixture(autouse=True)
def _fast_disk(monkeypatch):
    # What is lost with the power is not what is tested.
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / ".claude"
    (folder / "projects" / "-w-p").mkdir(parents=True)
    return folder


@pytest.fixture
def kept(tmp_path):
    return Store(tmp_path / "kept")


def write(home, name, body):
    location = home / name
    location.parent.mkdir(parents=True, exist_ok=True)
    location.write_bytes(body)
    return location


def bodies(store):
    """Return every state of every file in a store, as bytes."""
    return {
        (state.file.name, b"".join(store.read(state.file)))
        for folder in store.folders()
        for state in store.states_of(folder)
    }


def test_a_session_is_kept_with_all_that_lies_beside_it(home, kept):
    files = {
        f"projects/-w-p/{ONE}.jsonl": line(1),
        f"projects/-w-p/{ONE}/subagents/agent-a.jsonl": line(2),
        f"projects/-w-p/{ONE}/subagents/agent-a.meta.json": b"{}",
        f"projects/-w-p/{ONE}/tool-results/t.txt": b"result",
        f"file-history/{ONE}/0123@v1": b"before",
    }
    for name, body in files.items():
        write(home, name, body)
    write(home, "settings.json", b'{"secret": 1}')

    swept = sweep([home], kept, quietly)

    assert (swept.sessions, swept.files) == (1, 5)
    assert dict(bodies(kept)) == files
    assert sweep([home], kept, quietly).size_bytes == 0


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=30), st.booleans())
def test_every_state_comes_out_as_it_went_in(tmp_path_factory, tails, is_rewritten):
    folder = tmp_path_factory.mktemp("store")
    store, file = Store(folder / "kept"), folder / "file"
    states, body = [], b""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(store_module, "PIECE_BYTES", 256)
        store.create()
        for number, tail in enumerate(tails):
            body = tail if is_rewritten and number % 3 == 2 else body + tail
            states.append(body)
            file.write_bytes(body)
            store.keep(ONE, [("f", file)])

        assert {content for _, content in bodies(store)} == set(states)
        assert verify(store, quietly).damages == ()


def test_a_file_that_grows_daily_is_stored_about_once(tmp_path, kept):
    file = tmp_path / "file"
    noise = random.Random(1).randbytes(300_000)  # noqa: S311  (cannot be compressed)
    kept.create()
    added = 0
    for day in range(1, 31):
        file.write_bytes(noise[: day * 10_000])
        added += kept.keep(ONE, [("f", file)]).size_bytes

    last = kept.states_of(ONE)[-1].file
    assert len(kept.states_of(ONE)) == 30
    # Half of log2(30) times what it is at last: 30 copies would be 15 times as much.
    assert added < 4 * 300_000
    assert len(last.pieces) <= 8


def test_thirty_days_of_two_hundred_sessions_lose_nothing(home, kept):
    chance = random.Random(30)  # noqa: S311  (a simulation)
    living: dict[str, bytes] = {}
    seen: set[tuple[str, bytes]] = set()
    for day in range(30):
        before = dict(living)
        for number in range(200):
            if day >= number % 30:
                live_a_day(living, number, day, chance)
        for name, body in living.items() - before.items():
            write(home, name, body)
        for name in before.keys() - living.keys():
            (home / name).unlink()
        sweep([home], kept, quietly)
        # What lies beside a session is its own: without it, nobody knows whose it was.
        seen |= {
            (name, body)
            for name, body in living.items()
            if "tool-results" not in name or _owner(name) in living
        }

    assert len(seen) > 2000
    assert seen <= bodies(kept)
    assert verify(kept, quietly).damages == ()


def live_a_day(living, number, day, chance):
    name = f"projects/-w-{number % 7}/{UUID.format(number)}.jsonl"
    body = living.get(name) or line(number)
    match chance.randrange(12):
        case 0:
            body = body[: len(body) // 2]  # Shrank.
        case 1:
            body = line(number, f"rewritten {day}")
        case 2:
            living.pop(name, None)  # Vanished.
            return
        case 3 | 4 | 5:
            body += line(1000 * day + number) * chance.randrange(1, 9)
        case 6:
            beside = name.replace(".jsonl", f"/tool-results/{day}.txt")
            living[beside] = chance.randbytes(40)
        case 7:
            agent = name.replace(".jsonl", "/subagents/agent-a.jsonl")
            living[agent] = living.get(agent, b"") + line(day)
        case _:
            pass
    living[name] = body


def _owner(name):
    return name.partition("/tool-results")[0] + ".jsonl"


def test_a_session_is_restored_as_it_is_and_as_it_was(home, kept, tmp_path, monkeypatch):
    name = f"projects/-w-p/{ONE}.jsonl"
    now = 1_700_000_000_000_000_000
    for minute, body in enumerate([line(1), line(1) + line(2), line(3)]):
        monkeypatch.setattr(time, "time_ns", lambda at=now + minute * 60_000_000_000: at)
        write(home, name, body)
        sweep([home], kept, quietly)

    last = restore(kept, ONE[:30], None, tmp_path / "last")
    restore(kept, ONE, now // 1_000_000 + 60_000, tmp_path / "second")

    assert last.wrote == (tmp_path / "last" / name,)
    assert (tmp_path / "last" / name).read_bytes() == line(3)
    assert (tmp_path / "second" / name).read_bytes() == line(1) + line(2)
    with pytest.raises(SourceError, match="was not kept before"):
        restore(kept, ONE, now // 1_000_000 - 1, tmp_path / "before")
    assert [size for _, size in list_sessions(kept)[0].states] == [
        len(line(1)), 2 * len(line(1)), len(line(1))
    ]  # fmt: skip


def test_nothing_is_written_over_by_a_restore(home, kept):
    write(home, f"projects/-w-p/{ONE}.jsonl", line(1))
    sweep([home], kept, quietly)

    again = restore(kept, ONE, None, home)
    write(home, f"projects/-w-p/{ONE}.jsonl", line(2))

    assert (again.wrote, again.kept) == ((), 1)
    with pytest.raises(OutputError, match="other files already"):
        restore(kept, ONE, None, home)


@pytest.mark.parametrize("wanted", ["", "nobody", "00000000"])
def test_a_name_must_fit_one_session(home, kept, tmp_path, wanted):
    for number in (1, 2):
        write(home, f"projects/-w-p/{UUID.format(number)}.jsonl", line(number))
    sweep([home], kept, quietly)

    with pytest.raises(SourceError, match="fits") as raised:
        restore(kept, wanted, None, tmp_path / "out")
    is_known = wanted == "00000000"
    assert (f"everyleaf keep {kept.folder} --list" in raised.value.hint) != is_known


def test_stores_of_several_machines_become_one_by_copying(tmp_path):
    machines = [tmp_path / name for name in ("ada", "bob")]
    for number, machine in enumerate(machines):
        home = machine / ".claude"
        write(home, f"projects/-w-p/{ONE}.jsonl", line(1) * (number + 1))
        write(home, f"projects/-w-{number}/{UUID.format(5 + number)}.jsonl", line(5))
        write(home, f"projects/-w-p/{UUID.format(9)}.jsonl", line(9))
        sweep([home], Store(machine / "kept"), quietly)
    both = bodies(Store(machines[0] / "kept")) | bodies(Store(machines[1] / "kept"))

    shutil.copytree(machines[0] / "kept", machines[1] / "kept", dirs_exist_ok=True)

    merged = Store(machines[1] / "kept")
    assert bodies(merged) == both
    assert len(merged.states_of(UUID.format(9))) == 1
    assert verify(merged, quietly).damages == ()
    assert sweep([machines[0] / ".claude"], merged, quietly).files == 0


def test_a_disk_that_is_full_at_any_write_costs_nothing(home, kept, monkeypatch):
    for number in range(6):
        write(home, f"projects/-w-p/{UUID.format(number)}.jsonl", line(number) * 40)
    whole = store_module._write_through
    writes_left = 0

    def failing(handle, body):
        nonlocal writes_left
        writes_left -= 1
        if writes_left < 0:
            handle.write(body[: len(body) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        whole(handle, body)

    monkeypatch.setattr(store_module, "_write_through", failing)
    with pytest.raises(OutputError, match="No space left"):
        sweep([home], kept, quietly)
    for room in range(14):
        writes_left = room
        with suppress(OutputError):
            sweep([home], kept, quietly)
        assert verify(kept, quietly).damages == ()
        assert not list((kept.folder / "tmp").glob("*")), room

    assert len(bodies(kept)) == 6
    monkeypatch.undo()
    assert sweep([home], kept, quietly).files == 0


KEEPING = """
import sys
from pathlib import Path
from everyleaf.keep.stored import sweep
from everyleaf.store import Store

sys.stdout.write("begun\\n")
sys.stdout.flush()
sweep([Path(sys.argv[1])], Store(Path(sys.argv[2])), lambda *_: None)
"""


def test_a_run_that_is_killed_at_twenty_moments_leaves_a_whole_store(home, kept):
    for number in range(60):
        body = b"".join(line(number, f"{number} {each}") for each in range(100))
        write(home, f"projects/-w-p/{UUID.format(number)}.jsonl", body)
    command = [sys.executable, "-c", KEEPING, str(home), str(kept.folder)]
    was_killed = 0
    for moment in range(20):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(0.004 * moment)
            was_killed += process.poll() is None
            process.kill()
        assert verify(kept, quietly).damages == ()
        if was_killed > 3 and moment % 7 == 6:
            shutil.rmtree(kept.folder, ignore_errors=True)

    sweep([home], kept, quietly)
    assert was_killed > 5
    assert len(bodies(kept)) == 60
    assert verify(kept, quietly).damages == ()


def test_what_a_killed_run_left_behind_is_deleted_when_it_is_old(kept):
    kept.create()
    (kept.folder / "tmp").mkdir()
    old, new = kept.folder / "tmp" / "old", kept.folder / "tmp" / "new"
    for each in (old, new):
        each.write_bytes(b"half")
    os.utime(old, (0, 0))

    kept.create()

    assert not old.exists()
    assert new.exists()


def test_a_file_that_cannot_be_read_keeps_no_other_from_being_kept(tmp_path, kept):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(line(1))
    kept.create()

    names = ("folder", "file", "vanished")
    added = kept.keep(ONE, [(name, tmp_path / name) for name in names])

    assert added.unread == ("folder",)
    assert bodies(kept) == {("file", line(1))}


def damaged(location):
    location.write_bytes(location.read_bytes()[:-3])


@pytest.mark.parametrize("harm", [damaged, Path.unlink])
def test_a_torn_store_says_what_is_lost_and_a_sweep_mends_what_it_can(home, kept, harm):
    write(home, f"projects/-w-p/{ONE}.jsonl", line(1))
    write(home, f"projects/-w-p/{UUID.format(2)}.jsonl", line(2))
    sweep([home], kept, quietly)
    piece = kept.states_of(ONE)[0].file.pieces[0]

    harm(kept._object(piece))

    lost = verify(kept, quietly).damages
    assert len(lost) == 2
    assert ONE in lost[1]
    with pytest.raises(SourceError, match="torn"):
        restore(kept, ONE, None, home.parent / "out")
    if harm is Path.unlink:
        sweep([home], kept, quietly)
        assert verify(kept, quietly).damages == ()


def test_a_damaged_record_is_told(home, kept):
    write(home, f"projects/-w-p/{ONE}.jsonl", line(1))
    sweep([home], kept, quietly)
    damaged(next((kept.folder / "states").glob("*/*")))

    assert "record" in verify(kept, quietly).damages[0] or "damaged" in str(
        verify(kept, quietly).damages
    )


def test_other_folders_and_later_stores_are_refused(home, tmp_path):
    write(home, f"projects/-w-p/{ONE}.jsonl", line(1))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    later = tmp_path / "later"
    later.mkdir()
    (later / MARKER).write_text('{"everyleaf-store": 2}')

    with pytest.raises(OutputError, match="something else"):
        sweep([home], Store(tmp_path / "full"), quietly)
    with pytest.raises(SourceError, match="cannot read"):
        sweep([home], Store(later), quietly)
    store = Store(tmp_path / "kept")
    sweep([home], store, quietly)
    with pytest.raises(SourceError, match="the store itself"):
        sweep([store.folder], store, quietly)


@pytest.mark.skipif(os.name == "nt", reason="rights of another kind")
def test_only_the_owner_may_read_what_is_kept(home, kept):
    write(home, f"projects/-w-p/{ONE}.jsonl", line(1))
    sweep([home], kept, quietly)

    assert not any(each.stat().st_mode & 0o077 for each in kept.folder.rglob("*"))
