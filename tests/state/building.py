"""Small archives, written and built, for tests of building again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from everyleaf.build import build_site
from everyleaf.config import BuildOptions

if TYPE_CHECKING:
    from everyleaf.report import BuildReport

ROOT = Path(__file__).parents[2]
PROMPT = (
    '{{"type":"user","uuid":"{uuid}","parentUuid":{parent},"sessionId":"s","cwd":"/w/app",'
    '"timestamp":"2026-01-01T00:00:{second:02}Z",'
    '"message":{{"role":"user","content":"{text}"}}}}\n'
)
REPLY = (
    '{{"type":"assistant","uuid":"{uuid}","parentUuid":{parent},"sessionId":"s",'
    '"cwd":"/w/app","timestamp":"2026-01-01T00:00:{second:02}Z","requestId":"r{uuid}",'
    '"message":{{"id":"m{uuid}","role":"assistant","model":"claude","content":'
    '[{{"type":"text","text":"{text}"}}]}}}}\n'
)


def write_session(folder: Path, name: str, exchanges: int = 1, *, prefix: str = "") -> Path:
    """Write a session of `exchanges` prompts with replies, and return its file."""
    folder.mkdir(parents=True, exist_ok=True)
    lines: list[str] = []
    parent = "null"
    for number in range(exchanges):
        for shape, letter in ((PROMPT, "u"), (REPLY, "a")):
            uuid = f"{prefix}{letter}{number:07}-0000"
            second = 2 * number + (letter == "a")
            text = f"{letter} says {number}"
            lines.append(shape.format(uuid=uuid, parent=parent, second=second, text=text))
            parent = f'"{uuid}"'
    file = folder / f"{name}.jsonl"
    file.write_text("".join(lines))
    return file


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def build(source: Path, output_dir: Path, **chosen: object) -> BuildReport:
    """Build `source` in this process, without saying anything."""
    options = BuildOptions.model_validate(
        {"sources": (source,), "output_dir": output_dir, "jobs": 1} | chosen
    )
    return build_site(options, on_progress=lambda _stage, _done, _total: None)
