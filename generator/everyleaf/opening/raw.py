"""Looking through session files without parsing them: what a line must hold to matter."""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ahocorasick_rs import BytesAhoCorasick

from everyleaf.records.recover import decode_line
from everyleaf.records.text import as_text
from everyleaf.sources.lines import iter_lines
from everyleaf.workers import iter_done

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

_UUID = re.compile(rb'"uuid"\s*:\s*"([^"\\]*)"')
BLOCK_BYTES = 32 * 1024 * 1024
_TAIL_BYTES = 64 * 1024
_HEAD_LINES = 200
"""A file's first tree record stands among these."""


def iter_blocks(location: Path) -> Iterator[bytes]:
    """Yield the whole file in blocks of whole lines: memory is that of a few blocks.

    Raises:
        OSError: the file cannot be read.
    """
    with location.open("rb") as file:
        # Asking for no more than there is saves making room for a whole block.
        size_bytes = os.fstat(file.fileno()).st_size
        while block := file.read(min(BLOCK_BYTES, size_bytes + 1)):
            yield block if block.endswith(b"\n") else block + file.readline()


def find_uuids(
    locations: Sequence[Path], beginnings: Sequence[str], executor: Executor
) -> list[tuple[int, str]]:
    """Return (index in `locations`, uuid) of records whose uuid begins so.

    Sorted, each once. The files are read once, none of their lines is parsed.
    """
    items = [(location, tuple(beginnings)) for location in locations]
    found = {
        (place, uuid)
        for place, uuids in iter_done(executor, _uuids_in, items)
        for uuid in uuids
    }
    return sorted(found)


def _uuids_in(item: tuple[Path, tuple[str, ...]]) -> list[str]:
    location, beginnings = item
    # One pass for all of them: looking for one after another takes hours where many files
    # go on from others.
    finder = BytesAhoCorasick([text.encode("utf-8", "replace") for text in beginnings])
    found: list[str] = []
    try:
        for data in iter_blocks(location):
            for _, at, _ in finder.find_matches_as_indexes(data):
                # Whether a key and a colon stand before it is seen on few bytes.
                key = data.rfind(b'"uuid"', max(0, at - 40), at)
                match = _UUID.match(data, key) if key >= 0 else None
                if match and match.start(1) == at:
                    found.append(match[1].decode("utf-8", "replace"))
    except OSError:
        return []  # Whoever reads the file for what it says reports it.
    return found


def find_texts(
    locations: Sequence[Path], texts: Iterable[bytes], executor: Executor
) -> list[tuple[bool, str]]:
    """Return of each file whether it holds one of `texts`, and what `first_parent` says.

    Each file is looked through once; of its lines, only the first ones are parsed.
    """
    wanted = tuple(sorted(texts))
    done = iter_done(executor, _holds, [(location, wanted) for location in locations])
    return [held for _, held in sorted(done)]


def _holds(item: tuple[Path, tuple[bytes, ...]]) -> tuple[bool, str]:
    location, texts = item
    finder = _finder(texts)
    try:
        blocks = iter_blocks(location)
        is_there = any(finder.find_matches_as_indexes(block) for block in blocks)
    except OSError:
        return False, ""  # Whoever reads the file for what it says reports it.
    return is_there, first_parent(location)


@lru_cache(maxsize=1)
def _finder(texts: tuple[bytes, ...]) -> BytesAhoCorasick:
    return BytesAhoCorasick(texts)


def written_forms(text: str) -> set[bytes]:
    r"""Return `text` as JSON may say it, a file's name also as Windows has it.

    >>> sorted(written_forms("a/b"))
    [b'a/b', b'a\\/b', b'a\\\\b']
    """
    written = {json.dumps(text, ensure_ascii=only)[1:-1] for only in (True, False)}
    forms = {one.replace("/", slash) for one in written for slash in ("/", "\\/", "\\\\")}
    return {one.encode("utf-8", "replace") for one in forms}


def first_parent(location: Path) -> str:
    """Return the parent that the first tree record of a file names; empty: none.

    Such a file goes on from another one.
    """
    raw = _first_record(location)
    above = raw.get("parentUuid") or raw.get("logicalParentUuid")
    return as_text(above) or ""


def is_forked(location: Path) -> bool:
    """Return whether the first tree record of a file says that it is a copy."""
    return bool(_first_record(location).get("forkedFrom"))


def _first_record(location: Path) -> dict[str, object]:
    """Return the first tree record of a file; empty: its first lines hold none."""
    try:
        for line in iter_lines(location):
            if line.number > _HEAD_LINES:
                break
            for found in decode_line(line.data).objects:
                if as_text(found.raw.get("uuid")) and "parentUuid" in found.raw:
                    return found.raw
    except OSError:
        pass  # Whoever reads the file for what it says reports it.
    return {}


def last_said(location: Path) -> str:
    """Return when the last prompt or reply of a session was said; empty: it is not told.

    Reads the file from its end, no more of it than that needs.
    """
    try:
        with location.open("rb") as file:
            size_bytes = os.fstat(file.fileno()).st_size
            tail_bytes = _TAIL_BYTES
            while True:
                start = max(size_bytes - tail_bytes, 0)
                file.seek(start)
                # What it begins with is a part of a line, most likely.
                lines = file.read().split(b"\n")[1 if start else 0 :]
                for line in reversed(lines):
                    if said := _said_at(line):
                        return said
                if not start:
                    return ""
                tail_bytes *= 8
    except OSError:
        return ""  # Whoever reads the file for what it says reports it.


def _said_at(line: bytes) -> str:
    for found in decode_line(line).objects:
        raw = found.raw
        if raw.get("type") in {"user", "assistant"} and not raw.get("isSidechain"):
            return as_text(raw.get("timestamp")) or ""
    return ""
