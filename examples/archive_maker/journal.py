"""A session file while it is written, and the conversations that are in it.

Beside the lines it keeps every conversation that was played (`Journal.paths`): the ids of its
prompts, replies, results, boundaries, summaries and steering, in order. So the right answer is
known by construction, not by running the path rules.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from archive_maker.identity import Clock, Ids

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, object]
Block = Json

HOME = "/home/ada"


def text(words: str) -> Block:
    return {"type": "text", "text": words}


def image(data: str, media_type: str = "image/png") -> Block:
    source = {"type": "base64", "media_type": media_type, "data": data}
    return {"type": "image", "source": source}


@dataclass(frozen=True)
class Project:
    """A working folder and the name of its folder in the archive."""

    name: str

    @property
    def cwd(self) -> str:
        return f"{HOME}/code/{self.name}"

    @property
    def slug(self) -> str:
        return self.cwd.replace("/", "-")


@dataclass(frozen=True)
class Call:
    """A tool call that was made: which line made it, and what it asked."""

    id: str
    uuid: str
    name: str
    asked: Mapping[str, object]


@dataclass
class Mark:
    """A place in a conversation to go back to."""

    tip: str | None
    shown: list[str]
    files: dict[str, str]


@dataclass
class Played:
    """A conversation from its first prompt to its end."""

    number: int
    shown: list[str]
    files: dict[str, str]
    status: str = "ABANDONED"
    note: str = ""


@dataclass
class Journal:
    """One session file while it is written, and the conversations in it."""

    key: str
    project: Project
    version: str
    start: str
    model: str = "claude-opus-4-6"
    branch: str = "main"
    slug: str = ""
    session_id: str = ""
    agent_id: str = ""
    lines: list[str] = field(default_factory=list[str])
    shown: list[str] = field(default_factory=list[str])
    files: dict[str, str] = field(default_factory=dict[str, str])
    paths: list[Played] = field(default_factory=list[Played])
    shapes: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    side_files: dict[str, str] = field(default_factory=dict[str, str])
    agents: dict[str, int] = field(default_factory=dict[str, int])
    tip: str | None = None
    prompt_id: str = ""
    permission: str = "default"
    context: int = 14200
    is_torn: bool = False

    def __post_init__(self) -> None:
        self.ids = Ids(self.key)
        self.clock = Clock.at(self.start)
        self.asked_at = self.clock.now
        self.session_id = self.session_id or self.ids.uuid()
        self.records: dict[str, Json] = {}

    @property
    def is_new(self) -> bool:
        return self.version.startswith("2.1.")

    @property
    def build(self) -> int:
        """The last part of a 2.1 version; 0 for older ones."""
        return int(self.version.rpartition(".")[2]) if self.is_new else 0

    def envelope(self, kind: str, parent: str | None, **fields: object) -> Json:
        """Return a tree record as this version of the CLI lays it out."""
        record: Json = {"parentUuid": parent, "isSidechain": bool(self.agent_id)}
        place: Json = {"userType": "external"}
        if self.build >= 40:
            place["entrypoint"] = "cli"
        place |= {"cwd": self.project.cwd, "sessionId": self.session_id}
        place |= {"version": self.version, "gitBranch": self.branch}
        if self.slug:
            place["slug"] = self.slug
        if self.agent_id and not self.version.startswith("1."):
            place["agentId"] = self.agent_id
        stamp: Json = {"type": kind, **fields}
        stamp |= {"uuid": self.ids.uuid(), "timestamp": self.clock.stamp()}
        return record | stamp | place if self.is_new else record | place | stamp

    def put(self, record: Json) -> str:
        """Append a tree record, make it the tip, and return its uuid."""
        self.lines.append(dump(record))
        uuid = str(record["uuid"])
        self.records[uuid] = record
        self.tip = uuid
        return uuid

    def state(self, kind: str, **fields: object) -> None:
        """Append an off-tree record."""
        self.lines.append(dump({"type": kind, **fields, "sessionId": self.session_id}))

    def wait(self, seconds: float) -> None:
        self.clock.forward(seconds)

    def spend(self, low: float, high: float) -> float:
        seconds = low + (high - low) * self.ids.fraction()
        self.clock.forward(seconds)
        return seconds

    def shape(self, name: str, first: int) -> None:
        """Note that lines `first` (1-based) to the last one show `name`."""
        self.shapes[name] = (first, len(self.lines))

    @property
    def next_line(self) -> int:
        return len(self.lines) + 1

    def stamp(self) -> str:
        return self.clock.stamp()

    def mark(self) -> Mark:
        return Mark(self.tip, list(self.shown), dict(self.files))

    def rewind(self, mark: Mark, note: str = "") -> None:
        """Leave the conversation as it stands and go back to `mark`, code included."""
        self.paths.append(Played(len(self.paths) + 1, self.shown, self.files, note=note))
        self.tip, self.shown, self.files = mark.tip, list(mark.shown), dict(mark.files)

    def finish(self, note: str = "") -> None:
        """End the session: what is being followed now is ACTIVE."""
        number = len(self.paths) + 1
        self.paths.append(Played(number, self.shown, self.files, "ACTIVE", note))


def dump(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))
