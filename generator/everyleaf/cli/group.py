"""The group of commands: listed by what they are for, their words read with care."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from everyleaf.cli.places import with_places

if TYPE_CHECKING:
    from collections.abc import Iterable

SECTIONS = (
    ("Publish", ("build", "serve", "verify"), "build --out site"),
    (
        "Read",
        ("list", "show", "find", "tree", "agents", "feedback", "stats", "check", "paths"),
        "show latest",
    ),
    ("Compare", ("diff", "files"), "diff 66e54b32:1 66e54b32:2"),
    ("Change", ("rename", "goto", "restore"), 'rename latest "A better title"'),
    ("Share", ("init", "audit"), "audit site --public"),
    ("Set up", ("completion",), "completion bash >> ~/.bashrc"),
)
"""What commands are for, with an example."""


class Commands(click.Group):
    """Lists its commands in `SECTIONS`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that `args` begin with, and the others as it can read them."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command, with_places(rest, command) if command else rest

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, section by section, each with an example."""
        for title, names, example in SECTIONS:
            with formatter.section(title):
                formatter.write_dl(self._rows(ctx, names))
                formatter.write_text(f"Example: everyleaf {example}")

    def _rows(self, ctx: click.Context, names: Iterable[str]) -> list[tuple[str, str]]:
        commands = [(name, self.get_command(ctx, name)) for name in names]
        return [
            (f"{name:10}", command.get_short_help_str(100))
            for name, command in commands
            if command
        ]
