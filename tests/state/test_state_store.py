"""What is kept between builds: whole and private, or not there."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

import pytest

from everyleaf.cachedir import CACHE_VARIABLE
from everyleaf.state.store import Store, open_store


@dataclass(frozen=True, slots=True)
class Value:
    name: str
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class OtherValue:
    title: str


VALUE = Value("one", (1, 2))


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    made = open_store(tmp_path / "site", [tmp_path / "logs"])
    made.save("value", VALUE)
    return made


def test_a_value_comes_back_as_it_was(store):
    assert store.load("value", Value) == VALUE


def test_a_value_of_another_type_is_not_there(store):
    assert store.load("value", OtherValue) is None


def test_a_name_that_was_never_saved_is_not_there(store):
    assert store.load("other", Value) is None


@pytest.mark.parametrize("at", [0, 5, 20, 33, -1])
def test_a_value_with_one_bit_wrong_is_not_there(store, at):
    file = store.folder / "value"
    body = bytearray(file.read_bytes())
    body[at] ^= 1
    file.write_bytes(body)

    assert store.load("value", Value) is None


@pytest.mark.parametrize("body", [b"", b"everyleaf-state 1\n", b"cos\nsystem\n(S'ls'\ntR."])
def test_a_file_of_somebody_else_is_not_there(store, body):
    (store.folder / "value").write_bytes(body)

    assert store.load("value", Value) is None


def test_a_value_can_be_read_by_its_owner_alone(store):
    modes = [(store.folder / "value").stat().st_mode, store.folder.stat().st_mode]

    assert [stat.S_IMODE(mode) for mode in modes] == [0o600, 0o700]


def test_a_folder_that_others_may_write_to_is_not_used(store, tmp_path):
    store.folder.chmod(0o777)

    again = open_store(tmp_path / "site", [tmp_path / "logs"])

    assert again.folder is None
    assert again.load("value", Value) is None


def test_a_link_in_the_place_of_the_folder_is_not_used(store, tmp_path):
    elsewhere = store.folder.rename(tmp_path / "elsewhere")
    store.folder.symlink_to(elsewhere)

    assert open_store(tmp_path / "site", [tmp_path / "logs"]).folder is None


def test_sites_and_sources_do_not_share_a_folder(store, tmp_path):
    other_site = open_store(tmp_path / "other", [tmp_path / "logs"])
    other_logs = open_store(tmp_path / "site", [tmp_path / "more"])

    assert len({store.folder, other_site.folder, other_logs.folder}) == 3


def test_a_cache_folder_that_cannot_be_made_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))

    store = open_store(tmp_path / "site", [])
    store.save("value", VALUE)
    store.drop_unused()

    assert store.load("value", Value) is None


def test_a_disk_that_refuses_keeps_the_old_value(store, monkeypatch):
    def refuse(*_arguments):
        raise OSError

    monkeypatch.setattr(os, "fdopen", refuse)

    store.save("value", Value("two"))

    assert store.load("value", Value) == VALUE
    assert [file.name for file in store.folder.iterdir()] == ["value"]


def test_what_a_build_did_not_use_is_dropped(store):
    later = Store(store.folder)
    later.save("new", VALUE)
    store.save("old", VALUE)
    later.load("value", Value)

    later.drop_unused()

    assert sorted(file.name for file in store.folder.iterdir()) == ["new", "value"]


def test_without_a_variable_the_cache_is_in_the_users_own_folder(tmp_path, monkeypatch):
    monkeypatch.delenv(CACHE_VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path))

    store = open_store(tmp_path / "site", [])

    assert store.folder is not None
    assert tmp_path in store.folder.parents
