"""Completion by a shell: `everyleaf completion`, and what may stand at a place of a line.

Sessions, paths and projects are offered without reading any session: ids are names of
files; titles, numbers and projects are those that the last command noted which read
everything (`state/contents.py`), masked as that command printed them.
"""

from __future__ import annotations

import contextlib
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click import shell_completion as shells
from click.core import Context, Parameter

from everyleaf.cli.output import fit
from everyleaf.cli.settings import masking
from everyleaf.errors import EveryleafError
from everyleaf.transcript.words import squeezed

if TYPE_CHECKING:
    from everyleaf.state.contents import NamedSession

    Item = shells.CompletionItem[str]

COMPLETE_VARIABLE = "_EVERYLEAF_COMPLETE"
"""Set by a shell that wants to know how a line may go on."""

SCREEN = 78
"""Columns of a candidate with what it is."""
MOST = 200
"""Sessions that a shell is offered."""


def _template(shell: str) -> str:
    return "\n" + (Path(__file__).parent / f"completion.{shell}").read_text("utf-8")


_COMPINIT = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i; }"


@shells.add_completion_class
class Bash(shells.BashComplete):
    """Completes words that hold colons, and lists candidates with what they are."""

    source_template = _template("bash")

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the whole words before the cursor, and the one that it stands in."""
        line = os.environ["COMP_WORDS"]
        words = shells.split_arg_string(line)[1:]
        is_begun = bool(words) and not line[-1:].isspace()
        return (words[:-1], words[-1]) if is_begun else (words, "")

    def format_completion(self, item: shells.CompletionItem[str]) -> str:
        """Return the line of one candidate."""
        value = re.sub(r"([^\w@%+=:,./~-])", r"\\\1", item.value)
        words = (item.help or "").replace("\n", " ")[: max(SCREEN - len(value), 0)]
        return f"{item.type},{value}\t{words}" if words else f"{item.type},{value}"


@shells.add_completion_class
class Zsh(shells.ZshComplete):
    """Works in a shell that has not been told to complete anything."""

    def source(self) -> str:
        """Return the script; its first line must stay the first one."""
        head, rest = super().source().split("\n", 1)
        return f"{head}\n{_COMPINIT}\n{rest}"


@shells.add_completion_class
class Fish(shells.FishComplete):
    """Keeps the order, and commas in titles."""

    source_template = _template("fish")


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: Context, shell: str) -> None:
    """Print what makes SHELL complete commands, options, sessions, paths and projects."""
    kind = shells.get_completion_class(shell)
    root = context.find_root().command
    if kind is None:  # click knows the three; another version may not.
        raise click.ClickException(f"this version of click cannot complete for {shell}")
    click.echo(kind(root, {}, "everyleaf", COMPLETE_VARIABLE).source())


def complete_session(context: Context, _param: Parameter, incomplete: str) -> list[Item]:
    """Return the sessions whose id begins with `incomplete`, or else whose title holds it.

    Newest first, with their titles; behind a colon, the numbers of a session's paths. Files
    are the shell's own. Looks in `--source` or where `everyleaf build` looks.
    """
    places = _places(context)
    known = _load_catalog(places)
    ids = _newest_first(places, known)
    session, colon, number = incomplete.rpartition(":")
    if colon:
        fitting = [one for one in ids if one.startswith(session)]
        is_sure = len(fitting) == 1 and fitting[0] in known
        return [
            _item(f"{session}:{path.number}", path.words)
            for path in (known[fitting[0]].paths if is_sure else ())
            if str(path.number).startswith(number)
        ]
    words = incomplete.casefold()
    titles = {one: known[one].title if one in known else "" for one in ids}
    found = [one for one in ids if one.startswith(incomplete)] or [
        one for one in ids if one in known and words in titles[one].casefold()
    ]
    return [_item(one, titles[one]) for one in found[:MOST]]


def complete_project(context: Context, _param: Parameter, incomplete: str) -> list[Item]:
    """Return the names of projects that begin with `incomplete`, newest first."""
    known = _load_catalog(_places(context))
    listed = sorted(known.values(), key=lambda one: one.ended, reverse=True)
    wanted = incomplete.casefold()
    names = dict.fromkeys(one.project for one in listed)
    return [_item(name) for name in names if name.casefold().startswith(wanted)]


def _places(context: Context) -> list[Path]:
    from everyleaf.sources.discover import default_inputs

    # Behind an option that is not whole yet, click leaves what it read where it was.
    read = [word for word in context.args if Path(word).expanduser().is_dir()]
    named = context.params.get("sources") or read or [default_inputs()]
    # A shell hands on what was typed, without its own expansions.
    return [Path(place).expanduser() for place in named]


def _load_catalog(places: list[Path]) -> dict[str, NamedSession]:
    from everyleaf.state.contents import load_catalog

    try:
        return load_catalog(places, masking(is_raw=False))
    except EveryleafError:
        return {}  # Settings that make no sense: whoever runs a command hears of it.


def _newest_first(places: list[Path], known: dict[str, NamedSession]) -> list[str]:
    ended: dict[str, str] = {}
    for place in places:
        for pattern in ("*.jsonl", "*/*.jsonl", "projects/*/*.jsonl"):
            for file in place.glob(pattern):
                name = file.stem
                if name.startswith("agent-") or name in ended:
                    continue
                ended[name] = known[name].ended if name in known else ""
                if name not in known:
                    with contextlib.suppress(OSError):
                        changed = datetime.fromtimestamp(file.stat().st_mtime, UTC)
                        ended[name] = changed.isoformat()
    return sorted(sorted(ended), key=ended.__getitem__, reverse=True)


def _item(value: str, words: str = "") -> Item:
    return shells.CompletionItem(value, help=fit(squeezed(words), 60) or None)
