r"""`everyleaf.toml`: what a command is told each time, written down once.

    out = "docs/transcripts"        the option --out
    format = ["md"]                 --format md
    exclude = ["*secret*"]          --exclude, as often as there are patterns
    front-matter = true             --front-matter
    source = ["~/.claude"]          the argument SOURCE

    [redact]                        what is masked, and what is not
    people = "on"                   secrets, places, people: on, off, custom
    keep-emails = ["*@example.org"]
    [[redact.mask]]
    kind = "customer"               what the placeholder says
    word = "Acme"                   or: pattern = 'AC-\d+'
    [[redact.allow]]
    value = "AKIAIOSFODNN7EXAMPLE"
    reason = "from the documentation"

    [feedback]                      what `everyleaf feedback` leaves out
    trivial = ["y", "n"]

The keys are the long names of the options of `everyleaf build`. In `pyproject.toml` they
stand in the table `[tool.everyleaf]`. What is said on the command line wins. A file that
cannot be read, a key that is not known and a value that makes no sense are ConfigErrors.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any, cast

import click
from click.core import Context, Parameter
from click.decorators import FC
from msgspec.structs import replace

from everyleaf import config
from everyleaf.cli.places import Source, place_of
from everyleaf.errors import ConfigError, refused

Reader = Callable[[object, str], Any]
"""Takes a value and where it stands; returns it, or raises a ConfigError."""

SETTINGS_FILE = "everyleaf.toml"
PROJECT_FILE = "pyproject.toml"
REDACT = "redact"
"""A table: what is masked. `build` finds it in its context by this name."""
SOURCE = "source"
"""What is read where a command line names nothing."""
TALK = "feedback"
"""A table: what `everyleaf feedback` leaves out."""
SELDOM = frozenset({"config", "help", "yes", "force", "json"})
"""Options that are meant for one run: a file does not set them."""

Table = dict[str, object]


def load_settings(folder: Path) -> tuple[Path, Table]:
    """Return the settings file of `folder` and what it says; nothing where it has none."""
    own = folder / SETTINGS_FILE
    if own.is_file():
        return own, load_table(own)
    project = folder / PROJECT_FILE
    told = _table(load_table(project).get("tool")) if project.is_file() else {}
    return project, _table(told.get("everyleaf"))


def load_table(file: Path) -> Table:
    """Return what a TOML file says."""
    try:
        with refused(ConfigError, f"cannot read the settings {str(file)!r}"):
            return tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:  # No TOML, or no UTF-8.
        raise ConfigError(
            f"{str(file)!r} is not written as TOML: {error}",
            hint='a setting is a line like: out = "docs/transcripts"',
        ) from error


def _table(value: object) -> Table:
    return cast("Table", value) if isinstance(value, dict) else {}


def _config_option(
    instead: str, take: Callable[[Context, Path, Table], None]
) -> Callable[[FC], FC]:
    def callback(context: Context, _parameter: Parameter, value: Path | None) -> None:
        found = (value, load_table(value)) if value else load_settings(Path.cwd())
        take(context, *found)

    return click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        is_eager=True,
        expose_value=False,
        callback=callback,
        help=f"{instead} {SETTINGS_FILE} or [tool.everyleaf] in {PROJECT_FILE}.",
    )


def _take_settings(context: Context, file: Path, table: Table) -> None:
    table.pop(TALK, None)
    if REDACT in table:
        context.meta[REDACT] = redact_options(table.pop(REDACT), f"{file.name}: {REDACT}")
    told = as_defaults(context.command, file, table)
    context.default_map = {**(context.default_map or {}), **told}


def _take_redact(context: Context, file: Path, table: Table) -> None:
    told = redact_options(table.get(REDACT, {}), f"{file.name}: {REDACT}")
    sources = {SOURCE: table[SOURCE]} if SOURCE in table else {}
    context.default_map = as_defaults(context.command, file, sources)
    # A site that is built for everybody is looked through as one.
    context.meta[REDACT] = replace(told, is_public=table.get("public") is True)


config_option = _config_option("Settings to read instead of", _take_settings)
"""Adds `--config`, and takes from a settings file what the command line leaves open."""
redact_config_option = _config_option(
    f"Settings of a build to read source and [{REDACT}] from instead of", _take_redact
)
"""Adds it to a command that takes only from it what a build reads and masks."""


def as_defaults(command: click.Command, file: Path, table: Table) -> Table:
    """Return what `table` says by the names that `command` has for its parameters.

    Folders and files are those seen from the folder of `file`.
    """
    shown = (each for each in command.params if each.expose_value)
    known = {_key(each): each for each in shown if _key(each) not in SELDOM}
    _check_keys(table, sorted(known), file.name)
    return {
        known[key].name or key: _fitting(known[key], value, f"{file.name}: {key}", file)
        for key, value in table.items()
    }


def _key(parameter: click.Parameter) -> str:
    """Return what a settings file calls a parameter: its long name, without dashes."""
    if isinstance(parameter, click.Argument):
        return (parameter.name or "").removesuffix("s")
    return max(parameter.opts, key=len).lstrip("-")


def _fitting(parameter: click.Parameter, value: object, where: str, file: Path) -> object:
    """Return `value` as click takes it for `parameter`, or say what it should have been."""
    option = parameter if isinstance(parameter, click.Option) else None
    if option and option.is_flag:
        if isinstance(value, bool):
            return value
        raise ConfigError(f"{where} must be true or false, not {value!r}")
    # Such an option may stand without a value.
    if option and isinstance(value, bool) and isinstance(option.flag_value, str):
        return option.flag_value if value else option.default
    values = cast("list[object]", value) if isinstance(value, list) else [value]
    if any(
        isinstance(each, bool) or not isinstance(each, str | int | date) for each in values
    ):
        raise ConfigError(f"{where} must be a text or a list of texts, not {value!r}")
    texts = list(map(str, values))
    if isinstance(parameter.type, Source):
        texts = [str(place_of(text, file.parent)) for text in texts]
    elif isinstance(parameter.type, click.Path):
        texts = [str(file.parent / Path(text).expanduser()) for text in texts]
    return texts if parameter.multiple or parameter.nargs != 1 else ",".join(texts)


def settings_sources(parameter: click.Parameter) -> tuple[Path, ...]:
    """Return the `source` of the settings in the working folder; `parameter` takes them."""
    file, table = load_settings(Path.cwd())
    if SOURCE not in table:
        return ()
    places = _fitting(parameter, table[SOURCE], f"{file.name}: {SOURCE}", file)
    return tuple(map(Path, cast("list[str]", places)))


def masking(*, is_raw: bool) -> config.RedactOptions:
    """Return what is masked in what a command prints: what pages mask, unless `is_raw`.

    So the table `[redact]` of the settings in the working folder counts here as well.
    """
    if is_raw:
        return config.RedactOptions(is_on=False)
    file, table = load_settings(Path.cwd())
    return redact_options(table.get(REDACT, {}), f"{file.name}: {REDACT}")


def trivial_prompts(more: tuple[str, ...]) -> tuple[str, ...]:
    """Return what `feedback` leaves out: the list of the settings, or ours, and `more`."""
    file, table = load_settings(Path.cwd())
    told = _read(table.get(TALK, {}), {"trivial": _texts}, f"{file.name}: {TALK}")
    words = (*told.get("trivial", config.TRIVIAL), *more)
    return tuple(word.strip().casefold() for word in words)


def redact_options(table: object, where: str) -> config.RedactOptions:
    """Return what `table`, which stands at `where`, says of what is masked."""
    told = _read(table, REDACT_READERS, where)
    return config.RedactOptions(own=told.pop("mask", ()), **told)


def _own_rule(table: object, where: str) -> config.OwnRule:
    told = _read(table, MASK_READERS, where)
    rule = config.OwnRule(
        kind=told.get("kind", "own"),
        word=told.get("word", ""),
        pattern=told.get("pattern", ""),
        group=told.get("class", config.Group.SECRETS),
    )
    if ("word" in told) == ("pattern" in told):
        raise ConfigError(f"{where} needs a word or a pattern, and not both")
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", rule.kind):
        raise ConfigError(f"{where}: kind {rule.kind!r} is not lower case, digits and '-'")
    if not rule.word and not rule.pattern:
        raise ConfigError(f"{where} would mask nothing at all")
    if rule.word and rule.word in f"redacted: {rule.kind} 0123456789":
        raise ConfigError(
            f"{where}: the placeholder of kind {rule.kind!r} would show the word itself",
            hint="name the kind otherwise: it stands on the pages",
        )
    return rule


def _allowed(table: object, where: str) -> config.Allowed:
    told = _read(table, {"value": _text, "reason": _text}, where)
    if not told.get("value") or not told.get("reason", "").strip():
        raise ConfigError(
            f"{where} needs a value and a reason",
            hint="whoever reads it later must know why it may be published",
        )
    return config.Allowed(**told)


def _read(table: object, readers: Mapping[str, Reader], where: str) -> dict[str, Any]:
    """Return what `table` says, each key read by its own of `readers`, with `_` for `-`."""
    if not isinstance(table, dict):
        raise ConfigError(f"{where} must be a table, not {table!r}")
    keys = cast("Table", table)
    _check_keys(keys, readers, where)
    return {
        key.replace("-", "_"): readers[key](value, f"{where}.{key}")
        for key, value in keys.items()
    }


def _check_keys(keys: Iterable[str], known: Iterable[str], where: str) -> None:
    for key in keys:
        if key not in known:
            close = get_close_matches(key, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are: {_list(known)}"
            raise ConfigError(f"{where}: there is no setting {key!r}", hint=hint)


def _text(value: object, where: str) -> str:
    if isinstance(value, str):
        return value
    raise ConfigError(f"{where} must be a text, not {value!r}")


def _one_of(known: type[StrEnum]) -> Reader:
    def read(value: object, where: str) -> StrEnum:
        if isinstance(value, str) and value in list(known):
            return known(value)
        raise ConfigError(f"{where} must be one of {_list(known)}, not {value!r}")

    return read


def _each(reader: Reader) -> Reader:
    def read(value: object, where: str) -> tuple[object, ...]:
        if not isinstance(value, list):
            raise ConfigError(f"{where} must be a list, not {value!r}")
        return tuple(reader(each, where) for each in cast("list[object]", value))

    return read


def _list(names: Iterable[str]) -> str:
    return ", ".join(str(name) for name in names)


_texts = _each(_text)
MASK_READERS = {
    "kind": _text,
    "word": _text,
    "pattern": _text,
    "class": _one_of(config.Group),
}
REDACT_READERS = {
    "secrets": _one_of(config.Mode),
    "places": _one_of(config.Mode),
    "people": _one_of(config.Mode),
    "keep-emails": _texts,
    "mask": _each(_own_rule),
    "allow": _each(_allowed),
}
"""A key of the table `[redact]` → what reads its value, or says what is wrong with it."""
