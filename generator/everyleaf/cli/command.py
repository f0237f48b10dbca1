"""`everyleaf`: the group of commands, and how each ends.

0 done · 1 the command failed · 2 wrong usage · 130 interrupted, or ended by SIGTERM
"""

from __future__ import annotations

import errno
import gc
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from everyleaf import __version__
from everyleaf.cli.build import build
from everyleaf.cli.checks import audit, check, verify
from everyleaf.cli.compare import diff, why
from everyleaf.cli.completion import COMPLETE_VARIABLE, completion
from everyleaf.cli.export import export
from everyleaf.cli.init import init
from everyleaf.cli.keep import keep
from everyleaf.cli.list import find, list_command, paths
from everyleaf.cli.manual import manual
from everyleaf.cli.output import show_error
from everyleaf.cli.places import with_places
from everyleaf.cli.revise import goto, rename, restore
from everyleaf.cli.serve import serve
from everyleaf.cli.show import agents, show, tree
from everyleaf.cli.survey import feedback, files, stats
from everyleaf.errors import EveryleafError, OutputError

INTERRUPTED = 130
"""128 + SIGINT, as shells have it."""
SECTIONS = (
    ("Publish", (build, serve, verify), "build --out site"),
    (
        "Read",
        (list_command, show, find, tree, agents, feedback, stats, check, paths),
        "show latest",
    ),
    ("Compare", (diff, files, why), "diff 66e54b32:1 66e54b32:2"),
    ("Change", (rename, goto, restore), 'rename latest "A better title"'),
    ("Keep", (keep,), "keep --to ~/kept"),
    ("Share", (export, init, audit), "export latest --as html -o share"),
    ("Set up", (manual, completion), "manual start"),
)
"""What commands are for, with an example."""
_HELP = Path(__file__).parent / "help"
"""What is told of each command: examples, its JSON, and what a person does after it."""


class Commands(click.Group):
    """Lists its commands in `SECTIONS`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that `args` begin with, and the others as it can read them."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command, with_places(rest, command) if command else rest

    def format_commands(
        self,
        ctx: click.Context,  # noqa: ARG002  (as the class above has it)
        formatter: click.HelpFormatter,
    ) -> None:
        """Write the commands, section by section, each with an example."""
        for title, commands, example in SECTIONS:
            with formatter.section(title):
                formatter.write_dl(
                    [(f"{one.name:10}", one.get_short_help_str(100)) for one in commands]
                )
                formatter.write_text(f"Example: everyleaf {example}")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="everyleaf")
def everyleaf() -> None:
    """Publish every conversation path of Claude Code session archives.

    A session is a tree: edited prompts, retries and rewinds leave branches that no tool
    shows. everyleaf finds each root-to-leaf path once, says whether it is ACTIVE or was
    ABANDONED, and writes it as an HTML page and as a Markdown file.
    """


def _told(name: str | None) -> str:
    """Return what a command's help ends with, not filling what has indented lines."""
    parts = (_HELP / f"{name}.txt").read_text("utf-8").split("\n\n")
    return "\n\n".join(f"\b\n{part}" if "\n  " in part else part for part in parts)


for _, _commands, _ in SECTIONS:
    for _command in _commands:
        _command.epilog = _told(_command.name)
        everyleaf.add_command(_command)


def main() -> None:
    """Run the command line that the process was started with, and exit.

    A shell that wants to complete a line says so in a variable (`everyleaf completion`).
    """
    asked = os.environ.get(COMPLETE_VARIABLE)
    if asked:
        from click.shell_completion import shell_complete

        sys.exit(shell_complete(everyleaf, {}, "everyleaf", COMPLETE_VARIABLE, asked))
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # As Ctrl-C ends it.
    code = run(everyleaf, sys.argv[1:])
    # All values go with the process: looking for cycles among them takes 0.1 s.
    gc.freeze()
    sys.exit(code)


def run(command: click.Command, arguments: Sequence[str]) -> int:
    """Run `command` with `arguments` and return the exit code, after printing any error.

    An unknown error is a bug and keeps its traceback. A reader that has had enough
    (`everyleaf paths | head`) is no error.
    """
    try:
        is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        color = False if is_plain else None
        # Not `command.main`, which gives a closed pipe and an interrupt codes of its own.
        with command.make_context("everyleaf", list(arguments), color=color) as context:
            code: object = command.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except KeyboardInterrupt:
        click.echo("interrupted; what was there before is still there", err=True)
        return INTERRUPTED
    except EveryleafError as error:
        show_error(error)
        return 1
    except OSError as error:
        if error.errno not in {errno.EPIPE, errno.ENOSPC}:
            raise
        # Python flushes stdout once more at exit, and would complain there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if is_full := error.errno == errno.ENOSPC:
            show_error(OutputError("cannot write what this prints: the disk is full"))
        return int(is_full)
    return code if isinstance(code, int) else 0
