"""What is kept between builds: whole and private, or not there."""

from __future__ import annotations

import gc
import pickle
import sqlite3
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, strategies as st

from everyleaf import memo as memo_module
from everyleaf.cachedir import CACHE_VARIABLE
from everyleaf.memo import FILE, Memo, open_archive_memo


@dataclass(frozen=True, slots=True)
class Value:
    name: str
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherValue:
    title: str


VALUE = Value("one", (1, 2))


@pytest.fixture
def memo(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    made = open_archive_memo("site", [tmp_path / "logs"])
    made.save("value", VALUE)
    return made


def names(memo):
    """Return the names of all that is kept in the memo's scope."""
    with closing(sqlite3.connect(memo.folder / FILE)) as file:
        rows = file.execute("SELECT name FROM memo WHERE scope = ?", (memo.scope,))
        return sorted(name for (name,) in rows)


def rewrite(memo, statement, *values):
    with closing(sqlite3.connect(memo.folder / FILE)) as file, file:
        file.execute(statement, values)


def test_a_value_comes_back_as_it_was(memo):
    assert memo.load("value", Value) == VALUE


def test_a_value_of_another_type_is_not_there(memo):
    assert memo.load("value", OtherValue) is None


def test_a_name_that_was_never_saved_is_not_there(memo):
    assert memo.load("other", Value) is None


def test_many_values_come_back_as_each_of_them_does(memo):
    many = {f"value {number}": Value("", (number,)) for number in range(450)}
    for name, value in many.items():
        memo.save(name, value)
    rewrite(memo, "UPDATE memo SET body = 'text' WHERE name = 'value 7'")
    rewrite(memo, "UPDATE memo SET body = x'00' WHERE name = 'value 300'")

    found = memo.load_all(["value 3", "missing", *many, "value 3"], Value)

    assert found.keys() == many.keys() - {"value 7", "value 300"}
    assert all(found[name] == memo.load(name, Value) == many[name] for name in found)


@pytest.mark.parametrize("at", [0, 5, 15, 16, -1])
def test_a_value_with_one_bit_wrong_is_not_there(memo, at):
    body = bytearray(_rows(memo)[0][0])
    body[at] ^= 1
    rewrite(memo, "UPDATE memo SET body = ?", bytes(body))

    assert memo.load("value", Value) is None


def _rows(memo):
    with closing(sqlite3.connect(memo.folder / FILE)) as file:
        return file.execute("SELECT body FROM memo").fetchall()


@pytest.mark.parametrize("body", [b"", b"x", b"cos\nsystem\n(S'ls'\ntR.", "text", None, 5])
def test_a_value_of_somebody_else_is_not_there(memo, body):
    if body is not None:
        rewrite(memo, "UPDATE memo SET body = ?", body)
        assert memo.load("value", Value) is None


def test_a_value_in_the_place_of_another_is_not_there(memo):
    memo.save("other", Value("two"))
    rewrite(memo, "DELETE FROM memo WHERE name = 'value'")
    rewrite(memo, "UPDATE memo SET name = 'value'")

    assert memo.load("value", Value) is None


def test_a_value_of_another_scope_is_not_there(memo):
    rewrite(memo, "UPDATE memo SET scope = 'index'")

    assert Memo(memo.folder, "index").load("value", Value) is None


@given(at=st.integers(0, 40_000), bit=st.integers(0, 7))
@example(at=3899, bit=7)  # In the name of a table, which SQLite then says.
def test_one_flipped_bit_in_the_file_costs_no_more_than_what_was_kept(at, bit):
    with TemporaryDirectory() as folder:
        place = Path(folder)
        with ThreadPoolExecutor(1) as writer:
            writer.submit(_fill, place).result()
            writer.submit(_close).result()
        file = place / FILE
        body = bytearray(file.read_bytes())
        body[at % len(body)] ^= 1 << bit
        file.write_bytes(body)

        with ThreadPoolExecutor(1) as reader:
            found, again = reader.submit(_read_and_save, place).result()
            reader.submit(_close).result()

        assert found in (VALUE, None)
        assert again in (Value("new"), None)


def _fill(folder):
    for number in range(30):
        Memo(folder, "s").save(f"filler {number}", "x" * 200)
    Memo(folder, "s").save("value", VALUE)


def _read_and_save(folder):
    memo = Memo(folder, "s")
    found = memo.load("value", Value)
    memo.save("new", Value("new"))
    memo.drop_unused()
    return found, memo.load("new", Value)


def _close():
    for connection in memo_module._opened.__dict__.pop("known", {}).values():
        connection.close()


def test_a_file_that_is_no_database_is_made_anew(memo):
    _close()
    (memo.folder / FILE).write_bytes(b"no database at all" * 100)

    assert memo.load("value", Value) is None
    assert memo.save("value", VALUE)
    assert memo.load("value", Value) == VALUE


def test_a_value_can_be_read_by_its_owner_alone(memo):
    modes = [file.stat().st_mode for file in memo.folder.iterdir()]

    assert {stat.S_IMODE(mode) for mode in modes} == {0o600}
    assert stat.S_IMODE(memo.folder.stat().st_mode) == 0o700


def test_a_folder_that_others_may_write_to_is_not_used(memo, tmp_path):
    memo.folder.chmod(0o777)

    again = open_archive_memo("site", [tmp_path / "logs"])

    assert again.folder is None
    assert again.load("value", Value) is None


def test_a_link_in_the_place_of_the_folder_is_not_used(memo, tmp_path):
    elsewhere = memo.folder.rename(tmp_path / "elsewhere")
    memo.folder.symlink_to(elsewhere)

    assert open_archive_memo("site", [tmp_path / "logs"]).folder is None


def test_archives_do_not_share_a_folder_and_scopes_no_value(memo, tmp_path):
    other_logs = open_archive_memo("site", [tmp_path / "more"])
    other_site = open_archive_memo("other", [tmp_path / "logs"])

    assert memo.folder == other_site.folder != other_logs.folder
    assert other_site.load("value", Value) is None


def test_a_cache_folder_that_cannot_be_made_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))

    memo = open_archive_memo("site", [])
    assert not memo.save("value", VALUE)
    memo.drop_unused()

    assert memo.load("value", Value) is None


def test_a_disk_that_refuses_is_no_error(memo, monkeypatch):
    def refuse(*_arguments, **_named):
        raise sqlite3.OperationalError

    _close()
    monkeypatch.setattr(sqlite3, "connect", refuse)

    assert not memo.save("value", VALUE)
    assert memo.load("value", Value) is None


def test_of_many_values_the_parts_that_changed_are_written(memo, monkeypatch):
    monkeypatch.setattr(memo_module, "_PART", 2)
    values = {str(number): Value(str(number)) for number in range(5)}
    parts = memo.save_parts(values, {}, [])
    known = memo.load_parts(parts, dict[str, Value])

    changed = {**values, "2": Value("other")}
    again = memo.save_parts(changed, known, parts)

    assert list(known.items()) == list(values.items())
    assert [one == two for one, two in zip(parts, again, strict=True)] == [
        True,
        False,
        True,
    ]
    assert memo.load_parts(again, dict[str, Value]) == changed
    rewrite(memo, "DELETE FROM memo WHERE name = ?", again[-1])
    assert memo.load_parts(again, dict[str, Value]) is None


def test_a_text_that_has_no_utf_8_is_not_kept(memo):
    assert not memo.save("half", Value("\ud800"))


def test_what_a_build_did_not_use_is_dropped(memo):
    later = Memo(memo.folder, "site")
    later.save("new", VALUE)
    memo.save("old", VALUE)
    Memo(memo.folder, "index").save("other scope", VALUE)
    later.load("value", Value)

    later.drop_unused()

    assert names(later) == ["new", "value"]
    assert names(Memo(memo.folder, "index")) == ["other scope"]


def test_what_was_not_asked_for_in_a_month_is_dropped(memo, monkeypatch):
    memo.save("old", VALUE)
    monkeypatch.setattr("everyleaf.memo._today", lambda: int(time.time() / 86_400) + 31)
    memo.load("value", Value)

    memo.drop_older(30)

    assert names(memo) == ["value"]


def test_what_is_old_is_found_without_going_through_all(memo):
    memo.save("value", VALUE)

    with closing(sqlite3.connect(memo.folder / FILE)) as file:
        query = "EXPLAIN QUERY PLAN DELETE FROM memo WHERE scope = '' AND day < 1"
        plan = [str(row[-1]) for row in file.execute(query)]

    assert ["memo_day" in step for step in plan] == [True]


def test_a_memo_travels_without_what_it_used(memo):
    again = pickle.loads(pickle.dumps(memo))  # noqa: S301

    assert again.load("value", Value) == VALUE
    assert len(pickle.dumps(memo)) < 300


def test_without_a_variable_the_cache_is_in_the_users_own_folder(tmp_path, monkeypatch):
    monkeypatch.delenv(CACHE_VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path))

    memo = open_archive_memo("site", [])

    assert memo.folder is not None
    assert tmp_path in memo.folder.parents


def test_a_process_that_looks_at_many_archives_holds_few_files_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[sqlite3.Connection] = []
    really = sqlite3.connect

    def connect(*args, **kwargs) -> sqlite3.Connection:
        opened.append(really(*args, **kwargs))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", connect)
    folders = [tmp_path / str(number) for number in range(30)]
    memos = [Memo(folder) for folder in folders]
    for folder, memo in zip(folders, memos, strict=True):
        folder.mkdir()
        assert memo.save("value", VALUE)

    def is_open(connection: sqlite3.Connection) -> bool:
        try:
            connection.execute("SELECT 1")
        except sqlite3.ProgrammingError:
            return False
        return True

    assert sum(map(is_open, opened)) <= 8
    assert memos[0].load("value", Value) == VALUE


def test_a_second_thread_leaves_the_locks_of_the_first_alone(memo):
    beside = memo.folder / f"{FILE}-wal"
    assert beside.exists()

    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(memo.load, "value", Value).result() == VALUE
        # Who closes the last connection takes the log away: the other program does not.
        script = f"import sqlite3\nc = sqlite3.connect({str(memo.folder / FILE)!r})\n"
        script += "c.execute('SELECT count(*) FROM memo').fetchone()\nc.close()"
        subprocess.run([sys.executable, "-c", script], check=True)

        assert beside.exists()


def test_a_thread_that_ends_leaves_nothing_open(memo: Memo) -> None:
    """Python 3.13 warns of a connection that nobody closed, which is an error here."""
    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(memo.load, "value", Value).result() == VALUE

    gc.collect()

    assert memo.load("value", Value) == VALUE
