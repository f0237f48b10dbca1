"""What workers of several machines keep together: whole, or not there."""

from __future__ import annotations

import pickle
import stat
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from msgspec import Struct

from everyleaf.errors import OutputError
from everyleaf.memo import SharedMemo, open_shared

if TYPE_CHECKING:
    from pathlib import Path


class Value(Struct, frozen=True):
    name: str
    numbers: tuple[int, ...] = ()


VALUE = Value("one", (1, 2))


@pytest.fixture
def memo(tmp_path: Path) -> SharedMemo:
    memo = SharedMemo(tmp_path, "site")
    memo.save("value", VALUE)
    return memo


def files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.rglob("*") if file.is_file())


def test_another_process_finds_what_was_saved(memo: SharedMemo) -> None:
    other: SharedMemo = pickle.loads(pickle.dumps(memo))  # noqa: S301

    assert isinstance(other, SharedMemo)
    assert other.load("value", Value) == VALUE
    assert other.has("value")
    assert other.load("other", Value) is None
    assert not other.has("other")


def test_scopes_and_names_are_apart(memo: SharedMemo, tmp_path: Path) -> None:
    assert SharedMemo(tmp_path, "index").load("value", Value) is None
    (one,) = files(tmp_path)
    memo.save("../value", Value("two"))
    (two,) = set(files(tmp_path)) - {one}
    two.write_bytes(one.read_bytes())  # A value under the name of another.

    assert memo.load("../value", Value) is None
    assert two.parent == one.parent


@pytest.mark.parametrize("damage", [b"", b"x" * 40])
def test_what_is_damaged_was_never_kept(
    memo: SharedMemo, tmp_path: Path, damage: bytes
) -> None:
    (file,) = files(tmp_path)
    file.write_bytes(damage)

    assert memo.load("value", Value) is None
    assert memo.save("value", VALUE)
    assert memo.load("value", Value) == VALUE


def test_what_no_one_used_is_deleted(memo: SharedMemo, tmp_path: Path) -> None:
    memo.save("other", Value("two"))
    SharedMemo(tmp_path, "index").save("value", VALUE)
    later = SharedMemo(tmp_path, "site")
    later.load("value", Value)
    later.use("never saved")
    later.drop_unused()

    assert memo.has("value")
    assert not memo.has("other")
    assert SharedMemo(tmp_path, "index").has("value")


def test_many_may_save_one_value_at_a_time(memo: SharedMemo, tmp_path: Path) -> None:
    many = Value("many", tuple(range(20_000)))

    def save_and_load(_number: int) -> bool:
        return memo.save("many", many) and memo.load("many", Value) == many

    with ThreadPoolExecutor(8) as threads:
        done = list(threads.map(save_and_load, range(40)))

    assert all(done)
    assert len(files(tmp_path)) == 2


def test_trouble_with_the_disk_is_more_work_and_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    memo = SharedMemo(tmp_path / "file", "site")

    assert not memo.save("value", VALUE)
    assert memo.load("value", Value) is None
    memo.drop_unused()


def test_the_folder_is_closed_to_others_and_passed_over_by_git(tmp_path: Path) -> None:
    with open_shared(tmp_path / "site", is_kept=True) as kept:
        SharedMemo(kept, "site").save("value", VALUE)
    with open_shared(tmp_path / "site", is_kept=False) as once:
        assert once != kept

    assert stat.S_IMODE(kept.stat().st_mode) == 0o700
    assert (kept / ".gitignore").read_text() == "*\n"
    assert list(tmp_path.iterdir()) == [kept]
    kept.chmod(0o770)
    with (
        pytest.raises(OutputError, match="others may write"),
        open_shared(tmp_path / "site", is_kept=True),
    ):
        pass
