"""`everyleaf.toml`: what a command is told each time, written down once.

    out = "docs/transcripts"        the option --out
    format = ["md"]                 --format md
    exclude = ["*secret*"]          --exclude, as often as there are patterns
    front-matter = true             --front-matter
    source = ["~/.claude"]          the argument SOURCE

The keys are the long names of the options. In `pyproject.toml` they stand in the table
`[tool.everyleaf]`. What is said on the command line wins.
"""

from __future__ import annotations

import tomllib
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.cli.places import Source, place_of
from everyleaf.cli.redacting import redact_options
from everyleaf.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable

SETTINGS_FILE = "everyleaf.toml"
PROJECT_FILE = "pyproject.toml"
REDACT = "redact"
"""A table: what is masked. `cli/redacting.py` reads it; `build` finds it by this name."""
SOURCE = "source"
"""What is read where a command line names nothing."""
FEEDBACK = "feedback"
"""A table: what `everyleaf feedback` leaves out."""
SELDOM = frozenset({"config", "help", "yes", "force"})
"""Options that are meant for one run: a file does not set them."""

Table = dict[str, object]


def config_option(function: click.decorators.FC) -> click.decorators.FC:
    """Add `--config`, and take from a settings file what the command line leaves open."""
    return click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        is_eager=True,
        expose_value=False,
        callback=_take_settings,
        help=f"Settings to read instead of {SETTINGS_FILE} or [tool.everyleaf] in"
        f" {PROJECT_FILE}.",
    )(function)


def redact_config_option(function: click.decorators.FC) -> click.decorators.FC:
    """Add `--config` to a command that takes only from it what a build reads and masks."""
    return click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        is_eager=True,
        expose_value=False,
        callback=_take_redact,
        help=f"Settings of a build to read source and [{REDACT}] from instead of"
        f" {SETTINGS_FILE} or [tool.everyleaf] in {PROJECT_FILE}.",
    )(function)


def load_settings(folder: Path) -> tuple[Path, Table] | None:
    """Return the settings file of `folder` and what it says; None where there is none.

    Raises:
        ConfigError: it cannot be read, or is no TOML.
    """
    own = folder / SETTINGS_FILE
    if own.is_file():
        return own, load_table(own)
    project = folder / PROJECT_FILE
    if project.is_file():
        table = _table(_table(load_table(project).get("tool")).get("everyleaf"))
        return (project, table) if table else None
    return None


class SettingsTable(Struct, frozen=True):
    """One table of a settings file."""

    keys: object
    """As it was read: whoever knows the table checks it."""
    where: str
    """What an error calls it."""


def settings_table(name: str) -> SettingsTable | None:
    """Return the table `name` of the settings in the working folder; None: there is none.

    Raises:
        ConfigError: the settings cannot be read, or are no TOML.
    """
    found = load_settings(Path.cwd())
    if found is None or name not in found[1]:
        return None
    file, table = found
    return SettingsTable(table[name], f"{file.name}: {name}")


def settings_sources(parameter: click.Parameter) -> tuple[Path, ...]:
    """Return the `source` of the settings in the working folder; `parameter` takes them.

    Raises:
        ConfigError: the settings cannot be read, or it is no list of texts.
    """
    told = settings_table(SOURCE)
    if told is None:
        return ()
    file = Path.cwd() / SETTINGS_FILE
    places = _fitting(parameter, told.keys, told.where, file)
    return tuple(map(Path, cast("list[str]", places)))


def load_table(file: Path) -> Table:
    """Return what a TOML file says.

    Raises:
        ConfigError: it cannot be read, or is no TOML.
    """
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            f"cannot read the settings {str(file)!r}: {error.strerror}"
        ) from error
    except ValueError as error:  # No TOML, or no UTF-8.
        raise ConfigError(
            f"{str(file)!r} is not written as TOML: {error}",
            hint='a setting is a line like: out = "docs/transcripts"',
        ) from error


def as_defaults(command: click.Command, file: Path, table: Table) -> Table:
    """Return what `table` says by the names that `command` has for its parameters.

    Folders and files are those seen from the folder of `file`.

    Raises:
        ConfigError: a key is none of the command's options, or a value does not fit it.
    """
    known = {
        _key(each): each
        for each in command.params
        if each.expose_value and _key(each) not in SELDOM
    }
    for key in table:
        if key not in known:
            raise ConfigError(
                f"{file.name}: there is no setting {key!r}", hint=_nearest(key, known)
            )
    return {
        known[key].name or key: _fitting(known[key], value, f"{file.name}: {key}", file)
        for key, value in table.items()
    }


def _take_settings(
    context: click.Context, _parameter: click.Parameter, value: Path | None
) -> None:
    found = (value, load_table(value)) if value else load_settings(Path.cwd())
    if found is not None:
        file, table = found
        table.pop(FEEDBACK, None)
        if REDACT in table:
            context.meta[REDACT] = redact_options(table.pop(REDACT), f"{file.name}: redact")
        context.default_map = {
            **(context.default_map or {}),
            **as_defaults(context.command, file, table),
        }


def _take_redact(
    context: click.Context, _parameter: click.Parameter, value: Path | None
) -> None:
    found = (value, load_table(value)) if value else load_settings(Path.cwd())
    if found is not None:
        file, table = found
        told = redact_options(table.get(REDACT, {}), f"{file.name}: redact")
        sources = {SOURCE: table[SOURCE]} if SOURCE in table else {}
        context.default_map = as_defaults(context.command, file, sources)
        # A site that is built for everybody is looked through as one.
        context.meta[REDACT] = replace(told, is_public=table.get("public") is True)


def _key(parameter: click.Parameter) -> str:
    """Return what a settings file calls a parameter: its long name, without dashes."""
    if isinstance(parameter, click.Argument):
        return (parameter.name or "").removesuffix("s")
    longest = max(parameter.opts, key=len)
    return longest.lstrip("-")


def _nearest(key: str, known: Iterable[str]) -> str:
    close = get_close_matches(key, known, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"there are: {', '.join(sorted(known))}"


def _fitting(parameter: click.Parameter, value: object, where: str, file: Path) -> object:
    """Return `value` as click takes it for `parameter`, or say what it should have been."""
    if isinstance(parameter, click.Option) and parameter.is_flag:
        if isinstance(value, bool):
            return value
        raise ConfigError(f"{where} must be true or false, not {value!r}")
    values = cast("list[object]", value) if isinstance(value, list) else [value]
    plain = [each for each in values if isinstance(each, str | int | date)]
    if len(plain) < len(values) or any(isinstance(each, bool) for each in plain):
        raise ConfigError(f"{where} must be a text or a list of texts, not {value!r}")
    texts = [_located(parameter, str(each), file) for each in plain]
    if parameter.multiple or parameter.nargs != 1:
        return texts
    return ",".join(texts)


def _located(parameter: click.Parameter, text: str, file: Path) -> str:
    if not isinstance(parameter.type, click.Path):
        return text
    if isinstance(parameter.type, Source):
        return str(place_of(text, file.parent))
    return str(file.parent / Path(text).expanduser())


def _table(value: object) -> Table:
    return cast("Table", value) if isinstance(value, dict) else {}
