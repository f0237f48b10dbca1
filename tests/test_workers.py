from __future__ import annotations

import gc
import os
import sys
import threading
import weakref
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from everyleaf.errors import ThemeError
from everyleaf.workers import collector_relaxed, give_back, next_shift, open_executor

if TYPE_CHECKING:
    from collections.abc import Iterator


class Node:
    """Refers to itself, so that only the collector lets it go."""

    def __init__(self) -> None:
        self.me = self


def test_a_relaxed_collector_is_as_it_was_afterwards() -> None:
    before = gc.get_threshold(), gc.get_freeze_count()

    with collector_relaxed():
        assert gc.get_threshold() != before[0]

    assert (gc.get_threshold(), gc.get_freeze_count()) == before


def test_a_collector_that_two_relax_is_as_it_was_whoever_ends_last() -> None:
    before = gc.get_threshold()
    first, second = collector_relaxed(), collector_relaxed()

    first.__enter__()  # They overlap, as those of two threads do.
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold() != before
    second.__exit__(None, None, None)

    assert gc.get_threshold() == before


def test_cycles_that_were_made_meanwhile_are_let_go_in_the_end() -> None:
    with collector_relaxed():
        watched = weakref.ref(Node())

    assert watched() is None


def told() -> tuple[int, list[str]]:
    return os.getpid(), list(LEARNED)


def learn() -> None:
    LEARNED.append("learned")


def fail() -> None:
    raise ThemeError("broken", hint="mend it")


LEARNED: list[str] = []


@pytest.fixture
def forgetful() -> Iterator[None]:
    yield
    LEARNED.clear()


@pytest.fixture
def forking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let processes be forked though other tests have left threads in this one."""
    if sys.platform != "linux":
        pytest.skip("nothing is forked there")
    monkeypatch.setattr(threading, "active_count", lambda: 1)


@pytest.mark.usefixtures("forking", "forgetful")
def test_the_next_shift_knows_what_was_prepared_in_this_process() -> None:
    with open_executor(2, prepare=learn) as executor:
        first, unprepared = executor.submit(told).result()
        next_shift(executor)
        second, prepared = executor.submit(told).result()

    assert len({first, second, os.getpid()}) == 3
    assert (unprepared, prepared) == ([], ["learned"])


@pytest.mark.usefixtures("forking")
def test_what_fails_while_preparing_fails_the_next_shift() -> None:
    with open_executor(2, prepare=fail) as executor, pytest.raises(ThemeError):
        next_shift(executor)


@pytest.mark.usefixtures("forgetful")
def test_a_single_process_has_no_shifts() -> None:
    with open_executor(1, prepare=learn) as executor:
        next_shift(executor)

        assert executor.submit(told).result() == (os.getpid(), [])


def test_giving_memory_back_asks_the_c_library_once_if_it_can(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("ctypes.CDLL", lambda _: SimpleNamespace(malloc_trim=asked.append))
    give_back()
    monkeypatch.setattr("ctypes.CDLL", lambda _: SimpleNamespace())
    give_back()

    assert asked == [0]
