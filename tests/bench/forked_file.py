"""One session file with many forks along one chain: what shared prefixes cost.

    PYTHONPATH=tests uv run python -m bench.forked_file [--records 100000] [--forks 1000]

Builds it in a process of its own and prints seconds (wall and processor), the peak memory
of the largest process, and how many times the size of the file the site has. Goals: 60 s,
1 GB, 20 times.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

WORDS = "The tide table is read once and kept; a station that has none is left out. "


def lines(records: int, forks: int) -> Iterator[str]:
    """Yield `records` lines of a session: prompts and replies, `forks` of them retyped."""
    step = max(records // forks, 3)
    parent, is_prompt, done = "", True, 0
    for number in range(records):
        uuid = f"{number:08x}-0000-4000-8000-000000000000"
        yield json.dumps(_record(number, uuid, parent, is_prompt=is_prompt)) + "\n"
        if is_prompt and number >= done * step + step - 2:
            done += 1
            continue  # Nobody answers: the next prompt takes its place.
        parent, is_prompt = uuid, not is_prompt


def _record(number: int, uuid: str, parent: str, *, is_prompt: bool) -> dict[str, object]:
    seconds = number % 60
    minutes, hours = number // 60 % 60, number // 3600
    day = 1 + hours // 24
    message: dict[str, object] = (
        {"role": "user", "content": f"Prompt {number}. {WORDS}"}
        if is_prompt
        else {
            "id": f"msg_{number}",
            "role": "assistant",
            "model": "claude",
            "content": [{"type": "text", "text": f"Reply {number}. {WORDS * 3}"}],
        }
    )
    return {
        "type": "user" if is_prompt else "assistant",
        "uuid": uuid,
        "parentUuid": parent or None,
        "sessionId": "forked",
        "cwd": "/w/app",
        "timestamp": f"2026-01-{day:02}T{hours % 24:02}:{minutes:02}:{seconds:02}Z",
        "requestId": f"req_{number}",
        "message": message,
    }


def main() -> None:
    """Write the file, build it, print what it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--forks", type=int, default=1_000)
    options = parser.parse_args()
    with TemporaryDirectory() as place:
        source = Path(place) / "projects" / "-w-app"
        source.mkdir(parents=True)
        file = source / "forked.jsonl"
        file.write_text("".join(lines(options.records, options.forks)))
        site = Path(place) / "site"
        command = [sys.executable, "-m", "everyleaf", "build", str(source.parent)]
        begun = time.perf_counter()
        subprocess.run([*command, "--out", str(site), "--no-cache"], check=True)
        wall = time.perf_counter() - begun
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        size = sum(made.stat().st_size for made in site.rglob("*") if made.is_file())
        sys.stdout.write(
            f"{wall:.1f} s wall, {used.ru_utime + used.ru_stime:.1f} s processor,"
            f" {used.ru_maxrss / 1024:.0f} MB,"
            f" {size / file.stat().st_size:.1f} times its size\n"
        )


if __name__ == "__main__":
    main()
