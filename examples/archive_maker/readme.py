"""The README of the examples: what stands where, taken from the sessions themselves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from archive_maker.paths import holder

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from archive_maker.journal import Json, Played
    from archive_maker.session import Session

HEAD = """# The example archive

`archive/` is laid out like `~/.claude`. It is invented from beginning to end: Ada, her boat, her
kitchen and her garden do not exist, and no line was copied from a real session. Build it with

    uv run --no-dev everyleaf build examples/archive --out site

`python examples/make_archive.py` writes the archive, this page and `tests/examples/expected_paths.json`
again, byte for byte; nothing else than Python is needed. Do not edit what it writes: edit the stories in
`archive_maker/`.

- **slackwater**, a tide table for a boat's small computer (Python; CLI 1.0, 2.0 and 2.1)
- **ladle**, a web app that scales recipes (TypeScript; CLI 2.1)
- **dewpoint**, garden sensors with a dashboard (C and Go; CLI 2.1)
"""

PATHS = """
## The paths that must come out

By the rules of the project, from how the sessions were played and not from a path algorithm. *Messages* counts
prompts, replies, results, boundaries, summaries and steering.
"""

SHAPES = """
## What is where

Lines are those of the session's own file. Further files (agents, outputs) stand in the folder that is named like the session.
"""

TOOLS = """
## Every tool, where it is first used
"""

ALSO = """
## Also worth knowing

- Both sides of the fork in `ladle-fractions` change `src/scale.ts` and `src/scale.test.ts`. How the two end, and how
  they differ, is in `tests/examples/expected_paths.json` under `final_files`; it follows from the `Write` content and
  the `structuredPatch` of each side, with the first `originalFile` as the start.
- `dewpoint-bench` has a line with two records and ends in a torn one: expect one recovered and one unreadable line, one
  unknown record type, and nothing lost but the torn line.
- `slackwater-summaries` holds no conversation. Its first summary titles `slackwater-resumed`; its second is about a warm-up
  and titles nothing.
- Pictures are real PNG, GIF and JPEG files, drawn pixel by pixel in `archive_maker/pictures.py`.
"""


def readme(sessions: Sequence[Session]) -> str:
    """Return the whole page."""
    names = {s.session_id: s.key for s in sessions}
    paths = table(
        ("session", "file", "path", "status", "messages", "what it is"),
        (path_row(s, played, sessions, names) for s in sessions for played in s.paths),
    )
    shapes = table(
        ("shape", "session", "file", "lines"),
        sorted(
            (cell(shape), s.key, f"`{s.session_id}`", lines_of(first, last))
            for s in sessions
            for shape, (first, last) in s.shapes.items()
        ),
    )
    tools = table(("tool", "session", "line"), first_uses(sessions))
    return HEAD + PATHS + paths + totals(sessions) + SHAPES + shapes + TOOLS + tools + ALSO


def path_row(
    s: Session, played: Played, sessions: Sequence[Session], names: dict[str, str]
) -> tuple[str, ...]:
    by = holder(played, s, sessions)
    status = (
        f"contained in {names[str(by['session'])]} {by['number']}" if by else played.status
    )
    number, messages = str(played.number), str(len(played.shown))
    return (s.key, f"`{s.session_id[:8]}…`", number, status, messages, played.note)


def totals(sessions: Sequence[Session]) -> str:
    kept = [p for s in sessions for p in s.paths if holder(p, s, sessions) is None]
    every = sum(len(s.paths) for s in sessions)
    active = sum(p.status == "ACTIVE" for p in kept)
    return (
        f"\n{len(sessions)} files, {every} paths before any is dropped: {active} ACTIVE, "
        f"{len(kept) - active} ABANDONED, {every - len(kept)} contained.\n"
    )


def first_uses(sessions: Sequence[Session]) -> list[tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for s in sessions:
        for number, line in enumerate(s.lines, 1):
            for name in tools_in(line):
                found.setdefault(name, (f"`{name}`", s.key, str(number)))
    return [found[name] for name in sorted(found)]


def tools_in(line: str) -> list[str]:
    """Return the tools that the first record of a line calls."""
    try:
        record = cast("Json", json.JSONDecoder().raw_decode(line)[0])
    except json.JSONDecodeError:
        return []
    message = cast("Json", record.get("message", {}))
    content = message.get("content", "")
    if not isinstance(content, list):
        return []
    blocks = cast("list[Json]", content)
    return [str(block["name"]) for block in blocks if block["type"] == "tool_use"]


def lines_of(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def cell(words: str) -> str:
    return words.replace("|", "\\|")


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n" + "\n".join(lines) + "\n"
