"""One session file of 1 GB, nearly all of it progress records: what they cost in memory.

    PYTHONPATH=tests uv run python -m bench.progress_file [--mb 1000]

Builds it in a process of its own and prints seconds (wall and processor) and the peak
memory of all processes together, the scanner of secrets left out. Goal: 250 MB.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.built import HEAD, Built, build_file
from bench.rows import say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

OUTPUT = "compiling station_table.py: every tide is read once and kept for the day\n" * 80
"""What a command has printed so far: each of its progress records repeats all of it."""
SAID = "The table is read once; a station that has none is left out of the sum. " * 14
OF_COMMAND = 60
"""Progress records of a round that a running command leaves."""
OF_AGENT = 20
"""Those that a subagent without a file of its own leaves; each has one of its messages."""


def lines(size_bytes: int) -> Iterator[str]:
    """Yield the lines of a session until they have `size_bytes`; the same ones each time.

    A round is a prompt, a command that ran for a minute, a subagent, and a reply.
    """
    session = _Session()
    written = 0
    while written < size_bytes:
        for line in session.round():
            written += len(line)
            yield line


@dataclass(slots=True)
class _Session:
    """Writes records, one after the other, each below the one before."""

    number: int = 0
    last: str | None = None

    def round(self) -> Iterator[str]:
        """Yield the records of a round."""
        yield self._user(f"Prompt {self.number}. {SAID[:80]}")
        command, agent = f"toolu_c{self.number:08}", f"toolu_a{self.number:08}"
        yield self._call(command, "Bash", {"command": "make all"})
        for _ in range(OF_COMMAND):
            said = {"type": "bash_progress", "output": OUTPUT[-200:], "fullOutput": OUTPUT}
            yield self._progress(command, said)
        yield self._result(command, "done")
        yield self._call(agent, "Task", {"prompt": "Look", "subagent_type": "Explore"})
        yield from self._told(agent)
        yield self._result(agent, "found")
        yield self._reply({"type": "text", "text": SAID[:200]})

    def _told(self, call: str) -> Iterator[str]:
        agent_id = f"a{self.number:07x}"
        said: list[dict[str, object]] = []
        for _ in range(OF_AGENT):
            said = [*said[-3:], self._message()]
            given = {"type": "agent_progress", "agentId": agent_id, "prompt": "Look"}
            yield self._progress(
                call, {**given, "message": said[-1], "normalizedMessages": said}
            )

    def _message(self) -> dict[str, object]:
        message = _said(f"msg_t{self.number}", {"type": "text", "text": SAID})
        return {"type": "assistant", "uuid": _uuid(self.number, "b"), "message": message}

    def _user(self, content: object) -> str:
        return self._tree("user", message={"role": "user", "content": content})

    def _result(self, call: str, text: str) -> str:
        return self._user([{"type": "tool_result", "tool_use_id": call, "content": text}])

    def _call(self, call: str, name: str, given: dict[str, object]) -> str:
        return self._reply({"type": "tool_use", "id": call, "name": name, "input": given})

    def _reply(self, block: dict[str, object]) -> str:
        message = _said(f"msg_{self.number}", block)
        return self._tree("assistant", message=message, requestId=f"req_{self.number}")

    def _progress(self, call: str, said: Mapping[str, object]) -> str:
        above = self.last
        line = self._tree("progress", data=said, toolUseID=call, parentToolUseID=call)
        self.last = above
        return line

    def _tree(self, kind: str, **fields: object) -> str:
        uuid, minutes = _uuid(self.number, "a"), self.number // 600
        clock = f"{minutes // 60 % 24:02}:{minutes % 60:02}"
        record = {
            "type": kind,
            "uuid": uuid,
            "parentUuid": self.last,
            "sessionId": "progress",
            "cwd": "/w/app",
            "version": "2.1.0",
            "timestamp": f"2026-01-{1 + minutes // 1440:02}T{clock}:00Z",
            **fields,
        }
        self.number += 1
        self.last = uuid
        return json.dumps(record) + "\n"


def _said(name: str, block: dict[str, object]) -> dict[str, object]:
    return {"id": name, "role": "assistant", "model": "claude", "content": [block]}


def _uuid(number: int, kind: str) -> str:
    # Uuids that begin alike would be told apart by longer anchors, which is rare.
    scattered = number * 2_654_435_761 % 2**32
    return f"{scattered:08x}-000{kind}-4000-8000-{number:012}"


def write_archive(folder: Path, size_bytes: int) -> Path:
    """Write an archive of one such session below `folder`, and return where it is."""
    project = folder / "projects" / "-w-app"
    project.mkdir(parents=True)
    with (project / "progress.jsonl").open("w") as file:
        file.writelines(lines(size_bytes))
    return project.parent


def measure_progress(size_mb: int) -> Built:
    """Build a file of that size."""
    return build_file(
        lambda folder: write_archive(folder, size_mb * 1_000_000), is_scanner_counted=False
    )


def main() -> None:
    """Write the file, build it, print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=1_000)
    options = parser.parse_args()
    say(f"| archive {HEAD}")
    say(measure_progress(options.mb).line("progress"))


if __name__ == "__main__":
    main()
