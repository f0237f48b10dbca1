"""What is remembered of files: what was asked for last, and no more than it may take."""

from __future__ import annotations

from everyleaf.compare.touches import FileTouch, TurnFiles
from everyleaf.pages import touched as knownfiles
from everyleaf.pages.touched import KnownFiles


def opened(asked: list[int], *, chars: int) -> KnownFiles:
    def read(key: tuple[str, int]) -> TurnFiles:
        asked.append(key[1])
        return TurnFiles("/w", (FileTouch(file="x", after="a" * chars),))

    return KnownFiles(read)


def test_a_turn_is_read_once():
    asked: list[int] = []
    known = opened(asked, chars=10)

    found = [known.find(("s", n)) for n in (1, 2, 1, 2)]

    assert asked == [1, 2]
    assert found[0] is found[2]


def test_what_was_not_asked_for_the_longest_is_forgotten(monkeypatch):
    monkeypatch.setattr(knownfiles, "KNOWN_CHARS", 10_000)
    asked: list[int] = []
    known = opened(asked, chars=2_500)  # Two of them are remembered.

    for n in (1, 2, 1, 3, 1, 2):
        known.find(("s", n))

    assert asked == [1, 2, 3, 2]


def test_a_turn_that_is_too_long_is_read_whenever_it_is_asked_for(monkeypatch):
    monkeypatch.setattr(knownfiles, "KNOWN_CHARS", 1_000)
    asked: list[int] = []
    known = opened(asked, chars=2_000)

    assert [len(known.find(("s", 1)).touches) for _ in range(2)] == [1, 1]
    assert asked == [1, 1]


def test_turns_that_hold_next_to_nothing_are_forgotten_too(monkeypatch):
    monkeypatch.setattr(knownfiles, "KNOWN_CHARS", 10_000)
    asked: list[int] = []
    known = opened(asked, chars=0)

    for n in (1, 2, 3, 4, 5, 1):
        known.find(("s", n))

    assert asked == [1, 2, 3, 4, 5, 1]
