"""An archive with keys planted in every field and encoding, on kept and left paths."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING
from urllib.parse import quote

from redact.keykinds import make_keys

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

STEM = "5f0e1d2c-0000-4000-8000-00000000abcd"
AGENT = "a1b2c3d"


def _b64(text: str) -> str:
    return base64.b64encode(f"config {text} end of it".encode()).decode()


ENCODINGS: tuple[Callable[[str], str], ...] = (
    lambda text: text,
    lambda text: json.dumps({"file": text}),
    lambda text: json.dumps(json.dumps({"file": text})),
    lambda text: "https://example.org/?q=" + quote(text, safe=""),
    _b64,
)
"""How a key is written again, once it was written plainly."""


def plant(folder: Path, seed: int) -> tuple[dict[str, str], int]:
    """Write a session with an agent and a spilled output; return keys, number of places."""
    keys = make_keys(seed)
    project = folder / "-srv-work-app"
    results = project / STEM / "tool-results"
    results.mkdir(parents=True)
    writer = _Session()
    for number, (kind, key) in enumerate(keys.values()):
        writer.plant(number, kind.around.format(key=key), key)
    named = [k for kind, k in keys.values() if kind.around == "{key}" and k.isascii()]
    plain = [k for k in named if k.replace("_", "").isalnum()]
    titled, told, before, called, file, agent, summed = plain[:7]
    writer.edit(before)
    lines = writer.lines() + json.dumps(
        {"type": "custom-title", "customTitle": f"Try {titled}", "sessionId": STEM}
    )
    (project / f"{STEM}.jsonl").write_text(lines + "\n", encoding="utf-8")
    spilled = "\n".join(kind.around.format(key=key) for kind, key in keys.values())
    (results / "out.txt").write_text(spilled, encoding="utf-8")
    agents = project / STEM / "subagents"
    agents.mkdir()
    (agents / f"agent-{AGENT}.jsonl").write_text(writer.agent_lines(), encoding="utf-8")
    meta = {"agentType": "general-purpose", "description": f"Use {told}"}
    (agents / f"agent-{AGENT}.meta.json").write_text(json.dumps(meta), encoding="utf-8")
    (results / f"{called}.txt").write_text("no more", encoding="utf-8")
    # Two paths, one of them left, in a file that is named by a key.
    other = _Session()
    other.fork(f"Look at {summed}")
    (project / f"session-{file}.jsonl").write_text(other.lines(), encoding="utf-8")
    other.agent_of(f"Use {told}")
    beside = project / f"session-{file}" / "subagents"
    beside.mkdir(parents=True)
    (beside / f"agent-{agent}.jsonl").write_text(other.agent_lines(), encoding="utf-8")
    return {name: key for name, (_, key) in keys.items()}, writer.places + len(keys) + 8


class _Session:
    """A trunk that goes on, and below its first record one path that was left."""

    def __init__(self) -> None:
        self.records: list[dict[str, object]] = []
        self.agent: list[dict[str, object]] = []
        self.places = 0
        self.last: dict[str, str | None] = {"main": None, "left": None}
        self._say("main", "user", "Begin")
        self.last["left"] = self.last["main"]

    def plant(self, number: int, shown: str, key: str) -> None:
        """Plant one key at least twice: plainly, then encoded, in fields that go round."""
        path = "left" if number % 2 else "main"
        again = ENCODINGS[number % len(ENCODINGS)](key)
        match number % 6:
            case 0:
                self._say(path, "user", f"Use this:\n{shown}\n\nand {again}")
            case 1:
                self._say(path, "assistant", f"I found\n\n```\n{shown}\n```\n\nas {again}")
            case 2:
                call = {"command": f"echo '{shown}'", "description": again}
                self._call(path, "Bash", call, f"output: {shown}\n{again}")
            case 3:
                call = {"file_path": "/srv/x.env", "content": f"{shown}\n{again}\n"}
                self._call(path, "Write", call, "done")
            case 4:
                self._say(path, "assistant", f"{again}", thinking=shown)
            case _:
                self._call(path, "mcp__vault__get", {"deep": {"er": [shown, again]}}, shown)
                self._agent(f"{shown}\n{again}")
        self.places += 2

    def fork(self, text: str) -> None:
        """Say `text` on both paths; the second one takes over."""
        for path in ("left", "main"):
            self._say(path, "user", text)
            self._say(path, "assistant", f"Done: {text}")

    def agent_of(self, text: str) -> None:
        """Have the agent told `text`."""
        self._agent(text)

    def edit(self, key: str) -> None:
        """Plant a key in a file as it was before an edit, and nowhere else around it."""
        call = {"file_path": "/srv/y.py", "old_string": "a", "new_string": "b"}
        self._call("main", "Edit", call, "done")
        self.records[-1]["toolUseResult"] = {
            "filePath": "/srv/y.py",
            "originalFile": f"TOKEN = '{key}'\na\n",
            "structuredPatch": [
                {"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 2}
                | {"lines": [f" TOKEN = '{key}'", "-a", "+b"]}
            ],
        }

    def lines(self) -> str:
        title = f"{self.records[1]['message']}"[:150]
        extra: list[dict[str, object]] = [
            {"type": "summary", "summary": title, "leafUuid": self.last["main"]},
        ]
        return "".join(json.dumps(record) + "\n" for record in [*self.records, *extra])

    def agent_lines(self) -> str:
        return "".join(json.dumps(record) + "\n" for record in self.agent)

    def _call(self, path: str, name: str, call: Mapping[str, object], result: str) -> None:
        tool = f"toolu_{len(self.records):020d}"
        use = {"type": "tool_use", "id": tool, "name": name, "input": call}
        self._add(path, "assistant", [use])
        block = {"type": "tool_result", "tool_use_id": tool, "content": result}
        self._add(path, "user", [block], toolUseResult={"stdout": result, "stderr": ""})
        self.places += 2

    def _say(self, path: str, role: str, text: str, thinking: str = "") -> None:
        blocks: list[dict[str, object]] = [{"type": "text", "text": text}]
        if thinking:
            blocks.insert(0, {"type": "thinking", "thinking": thinking, "signature": "s"})
        self._add(path, role, blocks)

    def _add(self, path: str, role: str, content: object, **more: object) -> None:
        uuid = f"{len(self.records) + 1:08x}-0000-4000-8000-000000000000"
        record = _record(uuid, self.last[path], role, content) | more
        self.records.append(record)
        self.last[path] = uuid

    def _agent(self, text: str) -> None:
        parent = str(self.agent[-1]["uuid"]) if self.agent else None
        uuid = f"{len(self.agent) + 1:08x}-1111-4000-8000-000000000000"
        role = "assistant" if len(self.agent) % 2 else "user"
        record = _record(uuid, parent, role, [{"type": "text", "text": text}])
        self.agent.append(record | {"isSidechain": True, "agentId": AGENT})
        self.places += 1


def _record(uuid: str, parent: str | None, role: str, content: object) -> dict[str, object]:
    message: dict[str, object] = {"role": role, "content": content}
    if role == "assistant":
        message |= {"id": f"msg_{uuid[:8]}", "model": "claude-x", "type": "message"}
    return {
        "type": role,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": STEM,
        "timestamp": "2026-05-04T10:00:00.000Z",
        "cwd": "/home/berthold/work/app",
        "message": message,
    }
