"""What a shell may complete: the ids of sessions, without reading any of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

MOST = 200
"""Ids that a shell is offered."""


def complete_session(
    context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[str]:
    """Return the ids of sessions that begin with `incomplete`; files are the shell's own.

    Looks at names alone, in `--source` or where `everyleaf build` looks.
    """
    from everyleaf.sources.discover import default_inputs  # noqa: PLC0415  (slow to import)

    # Behind an option that is not whole yet, click leaves what it read where it was.
    read = [word for word in context.args if Path(word).expanduser().is_dir()]
    named = context.params.get("sources") or read or [default_inputs()]
    stems = {
        file.stem
        for place in named
        for pattern in ("*.jsonl", "*/*.jsonl", "projects/*/*.jsonl")
        # A shell hands on what was typed, without its own expansions.
        for file in Path(place).expanduser().glob(pattern)
        if not file.stem.startswith("agent-") and file.stem.startswith(incomplete)
    }
    return sorted(stems)[:MOST]
