"""Searching files: bytes first, then the lines that are left; no graph is needed yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.explore.needle import TooSlowError
from everyleaf.explore.texts import Where, iter_texts
from everyleaf.opening.raw import BLOCK_BYTES, first_parent, iter_blocks
from everyleaf.records.recover import decode_line
from everyleaf.records.text import as_text
from everyleaf.workers import iter_done

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from everyleaf.explore.needle import Needle


class Hit(Struct, frozen=True):
    """A record that holds what is looked for."""

    line: int
    """1-based."""
    piece: int
    """Which object of the line, where several were glued together."""
    wheres: tuple[Where, ...]
    """What the texts are that hold it, each once."""
    count: int
    """How often it stands there."""


class Scanned(Struct, frozen=True):
    """What a search found in one file."""

    hits: tuple[Hit, ...] = ()
    goes_on_from: str = ""
    """The record of another file that the first one here names as its parent."""
    titles: tuple[str, ...] = ()
    """Records that titles with it name: of their session, which may be in another file."""
    is_too_slow: bool = False
    """The search was given up."""


def scan_files(
    locations: Sequence[Path],
    needle: Needle,
    wheres: Collection[Where],
    executor: Executor,
    on_done: Callable[[int, int], None],
) -> list[Scanned]:
    """Return what is found in each of `locations`, in their order.

    Reads each file once. A line is decoded only if it holds one of the needle's forms, so
    that a word that is rare costs little more than reading.
    """
    items = [(location, needle, frozenset(wheres)) for location in locations]
    found: dict[int, Scanned] = {}
    for place, scanned in iter_done(executor, _scan, items):
        found[place] = scanned
        on_done(len(found), len(items))
    return [found[place] for place in range(len(items))]


def _scan(item: tuple[Path, Needle, frozenset[Where]]) -> Scanned:
    location, needle, wheres = item
    hits: list[Hit] = []
    titles: list[str] = []
    try:
        for number, line in _lines(location, needle.forms):
            found = list(_hits_in(number, line, needle, wheres))
            hits += found
            if any(Where.TITLES in hit.wheres for hit in found):
                titles += _leaves(line)
    except TooSlowError:
        return Scanned(is_too_slow=True)
    except OSError:
        return Scanned()  # Whoever reads the file for what it says reports it.
    return Scanned(tuple(hits), first_parent(location), tuple(titles))


def _leaves(line: bytes) -> Iterator[str]:
    for found in decode_line(line).objects:
        leaf = as_text(found.raw.get("leafUuid"))
        if leaf:
            yield leaf


def _hits_in(
    number: int, line: bytes, needle: Needle, wheres: frozenset[Where]
) -> Iterator[Hit]:
    for piece, found in enumerate(decode_line(line).objects):
        held: dict[Where, None] = {}
        count = 0
        for where, text in iter_texts(found.raw):
            spans = needle.spans(text) if where in wheres else ()
            if spans:
                held[where] = None
                count += len(spans)
        if held:
            yield Hit(number, piece, tuple(held), count)


def _lines(location: Path, forms: Sequence[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield (number, line) of the lines that hold one of `forms`, or of all."""
    number = 1
    for block in iter_blocks(location):
        if forms:
            counted = 0
            for start, end in _fitting(block, forms):
                number += block.count(b"\n", counted, start)
                counted = start
                yield number, block[start:end]
            if len(block) >= BLOCK_BYTES:  # Only then another one may follow.
                number += block.count(b"\n", counted)
        else:
            for line in block.removesuffix(b"\n").split(b"\n"):
                yield number, line
                number += 1


def _fitting(block: bytes, forms: Sequence[bytes]) -> Iterator[tuple[int, int]]:
    """Yield where the lines stand in `block` that hold one of `forms`, each once."""
    folded = block.lower()
    ahead = {form: folded.find(form) for form in forms}
    while ahead := {form: at for form, at in ahead.items() if at >= 0}:
        at = min(ahead.values())
        start, end = block.rfind(b"\n", 0, at) + 1, block.find(b"\n", at)
        end = len(block) if end < 0 else end
        yield start, end
        # Only forms that stood on this line are looked for again: a rare one costs once.
        ahead = {
            form: place if place >= end else folded.find(form, end)
            for form, place in ahead.items()
        }
