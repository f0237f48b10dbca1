"""The example archive by the shapes that its README names."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

Record = dict[str, Any]
"""A line of JSON: the tests are the boundary, so its values are unknown."""

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "examples" / "README.md").read_text()
ROW = re.compile(
    r"^\| (?P<shape>.+) \| (?P<story>[\w-]+) "
    r"\| `(?P<stem>[0-9a-f-]{36})` \| (?P<lines>[\d-]+) \|$",
    re.MULTILINE,
)
ROWS = {m["shape"]: m for m in ROW.finditer(README)}


class Place:
    """The records of some lines of a session, and easy questions about them."""

    def __init__(self, row: re.Match[str]) -> None:
        (self.file,) = ROOT.glob(f"examples/archive/projects/*/{row['stem']}.jsonl")
        first, _, last = row["lines"].partition("-")
        everything = self.file.read_text().split("\n")
        self.lines = everything[int(first) - 1 : int(last or first)]
        self.after = objects(everything[int(last or first) :])
        self.before = objects(everything[: int(first) - 1])
        self.records = objects(self.lines)

    def of(self, kind: str, **fields: object) -> list[Record]:
        return [
            r for r in self.records if r.get("type") == kind and fields.items() <= r.items()
        ]

    def blocks(self, kind: str) -> list[Record]:
        contents = [r.get("message", {}).get("content", "") for r in self.records]
        return [b for c in contents if isinstance(c, list) for b in c if b["type"] == kind]

    def calls(self, *names: str) -> list[Record]:
        return [b for b in self.blocks("tool_use") if b["name"] in names]

    def called(self) -> list[str]:
        return [b["name"] for b in self.blocks("tool_use")]

    def stored(self) -> list[Record]:
        found = [r.get("toolUseResult") for r in self.records]
        return [s for s in found if isinstance(s, dict)]

    def attached(self) -> list[Record]:
        return [r["attachment"] for r in self.of("attachment")]

    def text(self) -> str:
        return json.dumps(self.records, ensure_ascii=False)

    def errors(self) -> list[Record]:
        return [b for b in self.blocks("tool_result") if b.get("is_error")]

    def siblings(self) -> int:
        """The most prompts of these lines that hang from one record."""
        parents = [
            r["parentUuid"]
            for r in self.of("user")
            if "toolUseResult" not in r and r.get("parentUuid")
        ]
        return max(map(parents.count, parents), default=0)


def objects(lines: list[str]) -> list[Record]:
    found = []
    for line in lines:
        rest = line
        while rest:
            try:
                record, end = json.JSONDecoder().raw_decode(rest)
            except json.JSONDecodeError:
                break
            found.append(record)
            rest = rest[end:]
    return found


@pytest.fixture
def place(shape: str) -> Place:
    """The lines that the README names for the shape that a test is parametrized with."""
    return Place(ROWS[shape])


@pytest.fixture
def named_shapes() -> set[str]:
    return set(ROWS)


@pytest.fixture
def readme() -> str:
    return README
