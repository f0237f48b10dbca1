"""A settings folder with sessions, written record by record."""

from __future__ import annotations

import json
from itertools import count

SESSION = "66e54b32-0000-4000-8000-000000000001"
OTHER = "77e54b32-0000-4000-8000-000000000002"
FOLDER = "/home/ada/parser"


class Talk:
    """One session or agent file while it is written; each record follows the last one."""

    def __init__(self, file, session, **fields):
        self.file = file
        self.session = session
        self.fields = fields
        self.last = None
        self.numbers = count(1)
        self.records = []

    def add(self, kind, content, *, parent="last", at=None, **more):
        number = next(self.numbers)
        uuid = more.pop("uuid", f"r-{self.file.stem[:8]}-{number}")
        record = {
            "type": kind,
            "uuid": uuid,
            "parentUuid": self.last if parent == "last" else parent,
            "sessionId": self.session,
            "version": "2.1.300",
            "cwd": FOLDER,
            "timestamp": at or f"2026-01-01T10:{number:02}:00.000Z",
            **self.fields,
            **more,
        }
        message = {"role": kind, "content": content}
        if kind == "assistant":
            usage = {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 100}
            message |= {"id": f"msg_{uuid}", "model": "claude-opus-4-8", "usage": usage}
        record["message"] = message
        self.records.append(record)
        self.last = uuid
        return uuid

    def prompt(self, text, **more):
        return self.add("user", [{"type": "text", "text": text}], **more)

    def reply(self, text, **more):
        return self.add("assistant", [{"type": "text", "text": text}], **more)

    def call(self, name, asked, answer="done", *, result=None, is_error=False, **more):
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

    def note(self, **record):
        """Add a record beside the tree."""
        self.records.append(record)

    def save(self, *, more=b""):
        self.file.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(record).encode() + b"\n" for record in self.records]
        self.file.write_bytes(b"".join(lines) + more)


class Home:
    """A `.claude` folder."""

    def __init__(self, folder):
        self.folder = folder
        self.project = folder / "projects" / "-home-ada-parser"

    def talk(self, session=SESSION):
        return Talk(self.project / f"{session}.jsonl", session)

    def agent(self, agent_id, session=SESSION, **meta):
        file = self.project / session / "subagents" / f"agent-{agent_id}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.with_suffix(".meta.json").write_text(json.dumps(meta))
        return Talk(file, session, isSidechain=True, agentId=agent_id)
