"""Records as Claude Code writes them, and session files, for the tests of all folders.

By name and parent (`prompt("p2", "r1", …)`), by number (`nth(2, "user", …)`), one after the
other in a settings folder (`Home().talk()`), or as many as are asked for (`write_session`).
"""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

Record = dict[str, Any]
SESSION = "66e54b32-0000-4000-8000-000000000001"
OTHER = "77e54b32-0000-4000-8000-000000000002"
FOLDER = "/home/ada/parser"


def write_records(file: Path, records: Iterable[object]) -> Path:
    """Write a line for each record, in a folder that need not be there; return the file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    file.write_text(lines, encoding="utf-8")
    return file


def uuid(name: str) -> str:
    """Return a uuid whose first eight characters are `name`, filled with zeros."""
    return f"{name:0<8}-0000-4000-8000-000000000000"


def prompt(name: str, parent: str | None, text: str, **fields: object) -> Record:
    message = {"role": "user", "content": text}
    return _named("user", name, parent, message=message, **fields)


def reply(name: str, parent: str | None, text: str, **fields: object) -> Record:
    return _reply(name, parent, [{"type": "text", "text": text}], **fields)


def call(name: str, parent: str | None, tool: str, **given: object) -> Record:
    block = {"type": "tool_use", "id": f"toolu_{name}", "name": tool, "input": given}
    return _reply(name, parent, [block])


def result(name: str, parent: str, text: str) -> Record:
    block = {"type": "tool_result", "tool_use_id": f"toolu_{parent}", "content": text}
    return _named("user", name, parent, message={"role": "user", "content": [block]})


def boundary(name: str, parent: str) -> Record:
    return _named(
        "system",
        name,
        None,
        subtype="compact_boundary",
        logicalParentUuid=uuid(parent),
        compactMetadata={"trigger": "manual", "preTokens": 1000},
    )


def summary(name: str, parent: str, text: str) -> Record:
    return prompt(name, parent, text, isCompactSummary=True)


def _reply(
    name: str, parent: str | None, content: list[object], **fields: object
) -> Record:
    message: Record = {
        "id": f"msg_{name}",
        "role": "assistant",
        "model": "claude-x",
        "content": content,
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }
    return _named("assistant", name, parent, message=message, requestId="r", **fields)


def _named(kind: str, name: str, parent: str | None, **fields: object) -> Record:
    # The order of names in the alphabet is the order in time.
    minute = sum(map(ord, name)) % 60
    return {
        "type": kind,
        "uuid": uuid(name),
        "parentUuid": uuid(parent) if parent else None,
        "timestamp": f"2026-01-31T14:{minute:02}:00.000Z",
        "cwd": "/home/me/parser",
        "version": "2.1.0",
        "gitBranch": "main",
        "isSidechain": False,
        **fields,
    }


def spoken(parent: str | None, *said: str) -> list[Record]:
    """Return what is said from `parent` on: `spoken(None, "p1 Go", "r1 Gone.")`."""
    records: list[Record] = []
    for words in said:
        name, text = words.split(" ", 1)
        make = prompt if name.startswith("p") else reply
        records.append(make(name, parent, text))
        parent = name
    return records


FORKED = (
    *spoken(None, "p1 Write a parser", "r1 Which kind?"),
    *spoken("r1", "p2 A slow one", "r2 Slow it is."),
    *spoken("r1", "p3 A fast one", "r3 Fast it is."),
)
"""Path 1 (p1 r1 p2 r2) was left for path 2 (p1 r1 p3 r3)."""


def nth(number: int, kind: str, *content: object, **fields: object) -> Record:
    """Return record `number` of a session: it follows the one before it, unless told."""
    message: Record = {"role": kind, "content": list(content)}
    if kind == "assistant":
        message |= {"id": f"m-{fields.get('uuid', number)}", "model": "claude"}
    return {
        "type": kind,
        "uuid": f"r{number}",
        "parentUuid": f"r{number - 1}" if number > 1 else None,
        "sessionId": "s",
        "cwd": "/w/app",
        "timestamp": f"2026-01-01T00:00:{number:02}Z",
        **({"message": message} if content else {}),
        **fields,
    }


def line(kind: str, name: str, parent: str | None, second: int, text: str) -> str:
    """Return the line of what is said; `name` and `parent` are uuids as they are."""
    said = {"type": "text", "text": text}
    record = nth(second, kind, said, uuid=name, parentUuid=parent)
    return f"{json.dumps(record)}\n"


def append_prompt(file: Path, after: Record, text: str, **fields: object) -> None:
    """Append a prompt that follows the record `after`, in its session and folder."""
    kept = (
        "sessionId",
        "version",
        "cwd",
        "gitBranch",
        "userType",
        "isSidechain",
        "agentId",
    )
    record = {key: after[key] for key in kept if key in after} | {
        "type": "user",
        "uuid": uuid("0ddba11e"),
        "parentUuid": after["uuid"],
        "timestamp": "2027-01-01T00:00:00.000Z",
        "message": {"role": "user", "content": text},
    }
    with file.open("a", encoding="utf-8") as handle:
        handle.write(f"{json.dumps(record | fields)}\n")


class Talk:
    """One session or agent file while it is written; each record follows the last one."""

    def __init__(self, file: Path, session: str, **fields: object) -> None:
        self.file = file
        self.session = session
        self.fields = fields
        self.last: str | None = None
        self.numbers = count(1)
        self.records: list[Record] = []

    def add(
        self,
        kind: str,
        content: object,
        *,
        parent: str | None = "last",
        at: str = "",
        **more: Any,
    ) -> str:
        """Add a record, and return its uuid."""
        number = next(self.numbers)
        own: str = more.pop("uuid", f"r-{self.file.stem[:8]}-{number}")
        message: Record = {"role": kind, "content": content}
        if kind == "assistant":
            usage = {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 100}
            message |= {"id": f"msg_{own}", "model": "claude-opus-4-8", "usage": usage}
        record = {
            "type": kind,
            "uuid": own,
            "parentUuid": self.last if parent == "last" else parent,
            "sessionId": self.session,
            "version": "2.1.300",
            "cwd": FOLDER,
            "timestamp": at or f"2026-01-01T10:{number:02}:00.000Z",
            **self.fields,
            **more,
            "message": message,
        }
        self.records.append(record)
        self.last = own
        return own

    def prompt(self, text: str, **more: Any) -> str:
        return self.add("user", [{"type": "text", "text": text}], **more)

    def reply(self, text: str, **more: Any) -> str:
        return self.add("assistant", [{"type": "text", "text": text}], **more)

    def call(
        self,
        name: str,
        asked: object,
        answer: object = "done",
        *,
        result: object = None,
        is_error: bool = False,
        **more: Any,
    ) -> str:
        """Add a call and its result; return the call's id."""
        tool_use_id = f"toolu_{self.file.stem[:8]}_{len(self.records)}"
        block = {"type": "tool_use", "id": tool_use_id, "name": name, "input": asked}
        self.add("assistant", [block])
        given = {
            "type": "tool_result",
            "tool_use_id": tool_use_id,
            "content": answer,
            "is_error": is_error,
        }
        self.add("user", [given], toolUseResult=result, **more)
        return tool_use_id

    def note(self, **record: object) -> None:
        """Add a record beside the tree."""
        self.records.append(record)

    def save(self, *, more: bytes = b"") -> None:
        write_records(self.file, self.records)
        with self.file.open("ab") as file:
            file.write(more)


class Home:
    """A `.claude` folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.project = folder / "projects" / "-home-ada-parser"

    def talk(self, session: str = SESSION) -> Talk:
        return Talk(self.project / f"{session}.jsonl", session)

    def agent(self, agent_id: str, session: str = SESSION, **meta: object) -> Talk:
        file = self.project / session / "subagents" / f"agent-{agent_id}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.with_suffix(".meta.json").write_text(json.dumps(meta))
        return Talk(file, session, isSidechain=True, agentId=agent_id)


def write_session(folder: Path, name: str, exchanges: int = 1, *, prefix: str = "") -> Path:
    """Write a session of `exchanges` prompts with replies, and return its file."""
    folder.mkdir(parents=True, exist_ok=True)
    lines: list[str] = []
    parent = None
    for number in range(exchanges):
        for kind in ("user", "assistant"):
            letter = "ua"[kind == "assistant"]
            own = f"{prefix}{letter}{number:07}-0000"
            second = 2 * number + (letter == "a")
            lines.append(line(kind, own, parent, second, f"{letter} says {number}"))
            parent = own
    file = folder / f"{name}.jsonl"
    file.write_text("".join(lines))
    return file
