"""Digests of what builds write and commands print: what must stay the same.

A line holds a group of files: all in one folder whose names end alike. So a case is a
screen long, and its diff says which kind of page has changed.
"""

from __future__ import annotations

import platform
import re
from collections import defaultdict
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from everyleaf.digest import digest_hex

if TYPE_CHECKING:
    from collections.abc import Mapping

    Files = Mapping[str, str]
    """Name of a file below the folder → its digest."""
    Lines = Mapping[str, str]
    """What is held → what it must be."""

GOLDEN_DIR = Path(__file__).parent
PACKAGES = ("jinja2", "kingfisher-bin", "markdown-it-py", "mdit-py-plugins", "pygments")
"""Those whose next version may write other bytes, without a fault of ours."""
ZONE = "XST-5:30"
"""POSIX: ahead of UTC by five hours and a half, whatever zones this machine knows."""
INPUT = "(input)"
"""The files that were built from, held so that nobody looks for a fault in the code."""
PAGEFIND_DIR = "pagefind/"
_LISTED_INDEX = re.compile(rf'^ +"{PAGEFIND_DIR}[^\n]*\n', re.MULTILINE)
_GAP = "  "
"""Between what is held and what it must be."""
_REMARK = "# "


def read_files(folder: Path) -> Files:
    """Return every file below `folder`, but for the index of a program that is not ours.

    Pagefind writes other bytes with each version, and manifest.json lists their digests.
    """
    return {
        name: digest_hex(_read(file))
        for file in sorted(folder.rglob("*"))
        if file.is_file()
        and not (name := file.relative_to(folder).as_posix()).startswith(PAGEFIND_DIR)
    }


def _read(file: Path) -> bytes:
    if file.name != "manifest.json":
        return file.read_bytes()
    return _LISTED_INDEX.sub("", file.read_text(encoding="utf-8")).encode()


def group_files(files: Files) -> Lines:
    """Return `<folder>/*<suffix>` → number and digest of the files that are called so."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name, digest in sorted(files.items()):
        place = PurePosixPath(name)
        # `_headers` and `.gitattributes` have names only.
        last = f"*{place.suffix}" if place.suffix else place.name
        groups[str(place.with_name(last))].append(f"{name} {digest}\n")
    return {group: _summed(names) for group, names in groups.items()}


def sum_input(files: Files) -> Lines:
    """Return one line for all `files` that a build reads."""
    return {INPUT: _summed([f"{name} {digest}\n" for name, digest in files.items()])}


def _summed(names: list[str]) -> str:
    return f"{len(names)} {digest_hex(''.join(names).encode())}"


@dataclass(frozen=True)
class Golden:
    """What a file of this folder holds of one case."""

    name: str

    @property
    def file(self) -> Path:
        """Return where it is, or will be."""
        return GOLDEN_DIR / f"{self.name}.txt"

    def compare(self, found: Lines) -> list[str]:
        """Return what differs between what is held and what was `found`; empty: nothing."""
        held = self._read()
        return [
            f"{key}: {held.get(key, 'none')} → {found.get(key, 'none')}"
            for key in sorted(held.keys() | found.keys())
            if held.get(key) != found.get(key)
        ]

    def write(self, found: Lines) -> None:
        """Hold what was `found` from now on."""
        lines = [f"{key}{_GAP}{value}\n" for key, value in sorted(found.items())]
        text = f"{_REMARK}{describe_packages()}\n{''.join(lines)}"
        self.file.write_text(text, encoding="utf-8")

    def find_packages(self) -> str | None:
        """Return the packages that it was written with; None: it is not there."""
        return self._lines()[0].removeprefix(_REMARK) if self.file.is_file() else None

    def _read(self) -> Lines:
        entries = [line.rpartition(_GAP) for line in self._lines()[1:]]
        return {key: value for key, _, value in entries}

    def _lines(self) -> list[str]:
        if not self.file.is_file():
            return []
        return self.file.read_text(encoding="utf-8").splitlines()


def describe_packages() -> str:
    """Return the packages here that have a say in the bytes, with their versions."""
    versions = [f"{name} {metadata.version(name)}" for name in PACKAGES]
    return ", ".join([f"python {platform.python_version()}", *versions])
