"""One session file with many forks along one chain: what shared prefixes cost.

    PYTHONPATH=tests uv run python -m bench.forked_file [--records 100000] [--forks 1000]

Builds it in a process of its own and prints seconds (wall and processor), the peak memory
of all processes together, and how many times the size of the file the site has. Goals:
45 s, 500 MB, 20 times. `--growth` builds an eighth, a quarter and a half of it before.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bench.built import HEAD, Built, build_file
from bench.rows import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORDS = "The tide table is read once and kept; a station that has none is left out. "
LONG_EVERY = 40
"""Every such call has a long result."""
LONG_LINES = 400
DAY_S = 86_400


def lines(records: int, forks: int) -> Iterator[str]:
    """Yield `records` lines of a session whose conversation forks `forks` times or more.

    A round is a prompt, calls with their results, and a reply. What is given up at a fork
    is, in turns: a prompt that nobody answered, one round, and several rounds of which one
    was tried twice. The same arguments, the same lines.
    """
    session = _Session()
    step = max(records // forks, 12)
    trunk, done = "", 0
    while session.number < records:
        if session.number >= (done + 1) * step - 8:
            yield from _given_up(session, trunk, done % 3)
            done += 1
        yield from session.round(trunk)
        trunk = session.last


def _given_up(session: _Session, above: str, kind: int) -> Iterator[str]:
    if kind == 0:
        yield session.prompt(above)
        return
    yield from session.round(above)
    if kind == 1:
        return
    fork = session.last
    yield from session.round(fork)
    yield from session.round(fork)
    yield from session.round(session.last)


@dataclass(slots=True)
class _Session:
    """Writes records, one after the other."""

    number: int = 0
    last: str = ""
    """uuid of the record that was written last."""
    calls: int = 0
    files: list[str] = field(
        default_factory=lambda: [f"/w/app/src/station_{n}.py" for n in range(50)]
    )

    def round(self, above: str) -> Iterator[str]:
        """Yield a prompt below `above`, two calls with their results, and a reply."""
        yield self.prompt(above)
        for _ in range(2):
            self.calls += 1
            yield self._call()
            yield self._result()
        text = f"Reply {self.number}. {WORDS * 3}\n\n- `one`\n- **two**\n"
        yield self._reply({"type": "text", "text": text})

    def prompt(self, above: str) -> str:
        """Return a prompt below `above`."""
        content = f"Prompt {self.number}. {WORDS}"
        return self._record("user", above, {"role": "user", "content": content})

    def _reply(self, block: dict[str, object]) -> str:
        message: dict[str, object] = {
            "id": f"msg_{self.number}",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": [block],
            "usage": {"input_tokens": 12, "output_tokens": 80},
        }
        return self._record("assistant", self.last, message)

    def _call(self) -> str:
        file = self.files[self.calls % len(self.files)]
        given = (
            {"command": f"grep -n tide {file}", "description": "Look for tides"}
            if self.calls % 2
            else {"file_path": file, "old_string": "a = 1\n", "new_string": "a = 2\nb\n"}
        )
        name = "Bash" if self.calls % 2 else "Edit"
        call = f"toolu_{self.calls:012}"
        return self._reply({"type": "tool_use", "id": call, "name": name, "input": given})

    def _result(self) -> str:
        count = LONG_LINES if self.calls % LONG_EVERY == 0 else 3
        text = "\n".join(f"{n}: {WORDS}" for n in range(count))
        call = f"toolu_{self.calls:012}"
        block = {"type": "tool_result", "tool_use_id": call, "content": text}
        return self._record("user", self.last, {"role": "user", "content": [block]})

    def _record(self, kind: str, above: str, message: dict[str, object]) -> str:
        # Uuids that begin alike would be told apart by longer anchors, which is rare.
        scattered = self.number * 2_654_435_761 % 2**32
        uuid = f"{scattered:08x}-0000-4000-8000-{self.number:012}"
        seconds = self.number * 3
        day, rest = 1 + seconds // DAY_S, seconds % DAY_S
        clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
        record = {
            "type": kind,
            "uuid": uuid,
            "parentUuid": above or None,
            "sessionId": "forked",
            "cwd": "/w/app",
            "version": "2.1.0",
            "gitBranch": "main",
            "timestamp": f"2026-01-{day:02}T{clock}Z",
            "message": message,
        }
        if kind == "assistant":
            record["requestId"] = f"req_{self.number}"
        self.number += 1
        self.last = uuid
        return json.dumps(record) + "\n"


def write_archive(folder: Path, *, records: int, forks: int) -> Path:
    """Write an archive of one such session below `folder`, and return where it is."""
    project = folder / "projects" / "-w-app"
    project.mkdir(parents=True)
    with (project / "forked.jsonl").open("w") as file:
        file.writelines(lines(records, forks))
    return project.parent


def measure_forked(records: int, forks: int) -> Built:
    """Build a file of that size."""
    return build_file(lambda folder: write_archive(folder, records=records, forks=forks))


def main() -> None:
    """Write the file, build it, print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--forks", type=int, default=1_000)
    parser.add_argument("--growth", action="store_true")
    options = parser.parse_args()
    say(f"| records / forks {HEAD}")
    for part in (8, 4, 2, 1) if options.growth else (1,):
        records, forks = options.records // part, options.forks // part
        name = f"{records:,} / {forks:,}"
        say(measure_forked(records, forks).line(name))


if __name__ == "__main__":
    main()
