"""How a command ends: exit codes, and errors as a message with a hint.

0 done · 1 the command failed · 2 wrong usage · 130 interrupted
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from everyleaf.errors import EveryleafError

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130
"""128 + SIGINT, as shells have it."""


def run(command: click.Command, arguments: Sequence[str]) -> int:
    """Run `command` with `arguments` and return the exit code, after printing any error.

    An unknown error is a bug and keeps its traceback. A reader that has had enough
    (`everyleaf paths | head`) is no error.
    """
    try:
        # Not `command.main`, which gives a closed pipe and an interrupt codes of its own.
        color = False if has_no_color() else None
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
    except BrokenPipeError:
        # Python flushes stdout once more at exit, and would complain there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code if isinstance(code, int) else 0


def has_no_color() -> bool:
    """Return whether a person wants no colours, or the terminal knows none."""
    return bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"


def printable(text: str) -> str:
    r"""Return `text` with what could drive a terminal written as escapes.

    >>> printable("red \x1b[31m")
    'red \\x1b[31m'
    """
    return "".join(
        character
        if character.isprintable()
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def show_error(error: EveryleafError) -> None:
    """Print `error` to stderr, and what to do about it."""
    click.echo(f"error: {printable(error.message)}", err=True)
    if error.hint:
        click.echo(f"hint: {printable(error.hint)}", err=True)
