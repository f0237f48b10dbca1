"""What is written in another form than elsewhere: contents as strings, folders in case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from everyleaf.records.mending import load_strict
from everyleaf.records.text import as_object
from everyleaf.sources.lines import iter_lines
from everyleaf.survey.oddities import Finding, Odd

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from everyleaf.model import SessionRecords
    from everyleaf.sources.files import SourceFile

_STRING = re.compile(rb'"content"\s*:\s*"')
_NO_NAME = re.compile(r"[^A-Za-z0-9]")
LONGEST_SLUG = 200
"""A longer name of a project folder is cut, and ends in a digest (CLI 2.1.224)."""


def count_strings(source: SourceFile) -> tuple[int, int]:
    """Return how many user messages of a file hold a string, and the line of the first.

    A file that cannot be read has none: reading it for its records reports that.
    """
    count = first = 0
    try:
        for line in iter_lines(source.location):
            if b'"user"' in line.data and _STRING.search(line.data):
                raw = load_strict(line.data) or {}
                message = as_object(raw.get("message")) or {}
                if raw.get("type") == "user" and isinstance(message.get("content"), str):
                    count += 1
                    first = first or line.number
    except OSError:
        return 0, 0
    return count, first


def find_string_contents(source: SourceFile, count: int, first: int) -> Iterator[Finding]:
    """Yield that a file holds so many messages with a string, the `first` in that line."""
    if count:
        said = f"{count} user {'message' if count == 1 else 'messages'} with a string"
        yield Finding(Odd.STRING_CONTENT, source.file, first, said, source.session)


def find_case_slips(files: Sequence[SessionRecords]) -> Iterator[Finding]:
    """Yield working folders that differ in case alone: from their folder, from others."""
    for file in files:
        slugs = {cwd: _NO_NAME.sub("-", cwd) for cwd in file.cwds}
        # A session may change its folder: only where none fits, one is spelt otherwise.
        if file.project not in {slug[:LONGEST_SLUG] for slug in slugs.values()}:
            for cwd, slug in slugs.items():
                if slug.casefold() == file.project.casefold():
                    said = f"{cwd} differs from the folder {file.project} in case"
                    yield Finding(Odd.CASE_OF_FOLDER, file.file, 0, said, file.session)
    yield from _differing(files)


def _differing(files: Iterable[SessionRecords]) -> Iterator[Finding]:
    spelt: dict[str, dict[str, SessionRecords]] = {}
    for file in files:
        for cwd in file.cwds:
            spelt.setdefault(cwd.casefold(), {}).setdefault(cwd, file)
    for ways in spelt.values():
        first = next(iter(ways))
        for other, file in list(ways.items())[1:]:
            said = f"{other} elsewhere is {first}"
            yield Finding(Odd.CASE_OF_CWD, file.file, 0, said, file.session)
