"""A settings folder with one session of two branches."""

from __future__ import annotations

import json

from everyleaf.revise.session import find_session, open_session

NAME = "66e54b32-0000-4000-8000-000000000001"


def record(uuid, parent, kind="user", text="", *, version="2.1.300", **more):
    return {
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": NAME,
        "version": version,
        "cwd": "/home/ada/parser",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "message": {"role": kind, "content": [{"type": "text", "text": text}]},
        **more,
    }


def conversation(version="2.1.300"):
    """A prompt and its reply; then two goes at the next step, the second one ACTIVE."""
    return [
        record("aaaa0001", None, text="Write a parser", version=version),
        record(
            "aaaa0002", "aaaa0001", "assistant", "Shall I use a table?", version=version
        ),
        record("bbbb0001", "aaaa0002", text="Use a state machine", version=version),
        record(
            "bbbb0002", "bbbb0001", "assistant", "A state machine it is", version=version
        ),
        record("cccc0001", "aaaa0002", text="Use a regex", version=version),
        record("cccc0002", "cccc0001", "assistant", "A regex it is", version=version),
    ]


class Session:
    """One session file in a settings folder, as a person's machine has it."""

    def __init__(self, home):
        self.home = home
        self.file = home / "projects" / "-home-ada-parser" / f"{NAME}.jsonl"
        self.file.parent.mkdir(parents=True)
        self.write(conversation())

    def write(self, records, *, end=b"\n"):
        lines = [json.dumps(each).encode() for each in records]
        self.file.write_bytes(b"\n".join(lines) + end)

    def append(self, *records):
        with self.file.open("ab") as file:
            file.writelines(json.dumps(each).encode() + b"\n" for each in records)

    @property
    def bytes(self):
        return self.file.read_bytes()

    @property
    def records(self):
        return [json.loads(line) for line in self.bytes.splitlines()]

    def open(self):
        return open_session(find_session(NAME, [self.home]))
