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
stand in the table `[tool.everyleaf]`. What is said on the command line wins.
"""

from __future__ import annotations

import re
import tomllib
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click
from msgspec.structs import replace

from everyleaf.cli.places import Source, place_of
from everyleaf.config import (
    FEEDBACK,
    REDACT_ALL,
    Allowed,
    FeedbackOptions,
    Group,
    Mode,
    OwnRule,
    RedactOptions,
)
from everyleaf.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

SETTINGS_FILE = "everyleaf.toml"
PROJECT_FILE = "pyproject.toml"
REDACT = "redact"
"""A table: what is masked. `build` finds it in its context by this name."""
SOURCE = "source"
"""What is read where a command line names nothing."""
TALK = "feedback"
"""A table: what `everyleaf feedback` leaves out."""
SELDOM = frozenset({"config", "help", "yes", "force"})
"""Options that are meant for one run: a file does not set them."""
MODES = ("secrets", "places", "people")
KEYS = (*MODES, "keep-emails", "mask", "allow")
MASK_KEYS = ("kind", "word", "pattern", "class")
ALLOW_KEYS = ("value", "reason")

Table = dict[str, object]


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


def _table(value: object) -> Table:
    return cast("Table", value) if isinstance(value, dict) else {}


def config_option(function: click.decorators.FC) -> click.decorators.FC:
    """Add `--config`, and take from a settings file what the command line leaves open."""
    return _config_option("Settings to read instead of", _take_settings)(function)


def redact_config_option(function: click.decorators.FC) -> click.decorators.FC:
    """Add `--config` to a command that takes only from it what a build reads and masks."""
    help_ = f"Settings of a build to read source and [{REDACT}] from instead of"
    return _config_option(help_, _take_redact)(function)


def _config_option(
    instead: str, take: Callable[[click.Context, Path, Table], None]
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    def callback(
        context: click.Context, _parameter: click.Parameter, value: Path | None
    ) -> None:
        found = (value, load_table(value)) if value else load_settings(Path.cwd())
        if found is not None:
            take(context, *found)

    return click.option(
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        is_eager=True,
        expose_value=False,
        callback=callback,
        help=f"{instead} {SETTINGS_FILE} or [tool.everyleaf] in {PROJECT_FILE}.",
    )


def _take_settings(context: click.Context, file: Path, table: Table) -> None:
    table.pop(TALK, None)
    if REDACT in table:
        context.meta[REDACT] = redact_options(table.pop(REDACT), f"{file.name}: {REDACT}")
    context.default_map = {
        **(context.default_map or {}),
        **as_defaults(context.command, file, table),
    }


def _take_redact(context: click.Context, file: Path, table: Table) -> None:
    told = redact_options(table.get(REDACT, {}), f"{file.name}: {REDACT}")
    sources = {SOURCE: table[SOURCE]} if SOURCE in table else {}
    context.default_map = as_defaults(context.command, file, sources)
    # A site that is built for everybody is looked through as one.
    context.meta[REDACT] = replace(told, is_public=table.get("public") is True)


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
    _check_keys(table, sorted(known), file.name)
    return {
        known[key].name or key: _fitting(known[key], value, f"{file.name}: {key}", file)
        for key, value in table.items()
    }


def _key(parameter: click.Parameter) -> str:
    """Return what a settings file calls a parameter: its long name, without dashes."""
    if isinstance(parameter, click.Argument):
        return (parameter.name or "").removesuffix("s")
    longest = max(parameter.opts, key=len)
    return longest.lstrip("-")


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


def settings_sources(parameter: click.Parameter) -> tuple[Path, ...]:
    """Return the `source` of the settings in the working folder; `parameter` takes them.

    Raises:
        ConfigError: the settings cannot be read, or it is no list of texts.
    """
    file, table = load_settings(Path.cwd()) or (Path.cwd() / SETTINGS_FILE, {})
    if SOURCE not in table:
        return ()
    places = _fitting(parameter, table[SOURCE], f"{file.name}: {SOURCE}", file)
    return tuple(map(Path, cast("list[str]", places)))


def masking(*, is_raw: bool) -> RedactOptions:
    """Return what is masked in what a command prints: what pages mask, unless `is_raw`.

    So the table `[redact]` of the settings in the working folder counts here as well.

    Raises:
        ConfigError: the table makes no sense.
    """
    if is_raw:
        return RedactOptions(is_on=False)
    file, table = load_settings(Path.cwd()) or (Path(), {})
    if REDACT not in table:
        return REDACT_ALL
    return redact_options(table[REDACT], f"{file.name}: {REDACT}")


def feedback_options(more: tuple[str, ...]) -> FeedbackOptions:
    """Return what is left out: the list of the settings, or ours, and `more`.

    Raises:
        ConfigError: the table `[feedback]` makes no sense.
    """
    file, table = load_settings(Path.cwd()) or (Path(), {})
    where = f"{file.name}: {TALK}"
    keys = _check_keys(table.get(TALK, {}), ("trivial",), where)
    words = _texts(keys.get("trivial", [*FEEDBACK.trivial]), f"{where}.trivial")
    return FeedbackOptions(tuple(word.strip().casefold() for word in (*words, *more)))


def redact_options(table: object, where: str) -> RedactOptions:
    """Return what `table`, which stands at `where`, says of what is masked.

    Raises:
        ConfigError: a key is not known, or a value makes no sense.
    """
    keys = _check_keys(table, KEYS, where)
    modes = {
        name: Mode(_among(keys[name], tuple(Mode), f"{where}.{name}"))
        for name in MODES
        if name in keys
    }
    rules = _items(keys.get("mask", []), f"{where}.mask")
    allowed = _items(keys.get("allow", []), f"{where}.allow")
    return RedactOptions(
        secrets=modes.get("secrets", Mode.ON),
        places=modes.get("places", Mode.ON),
        people=modes.get("people"),
        keep_emails=_texts(keys.get("keep-emails", []), f"{where}.keep-emails"),
        own=tuple(_own_rule(each, f"{where}.mask") for each in rules),
        allow=tuple(_allowed(each, f"{where}.allow") for each in allowed),
    )


def _own_rule(table: object, where: str) -> OwnRule:
    keys = _check_keys(table, MASK_KEYS, where)
    if ("word" in keys) == ("pattern" in keys):
        raise ConfigError(f"{where} needs a word or a pattern, and not both")
    kind = _text(keys.get("kind", "own"), f"{where}.kind")
    word = _text(keys.get("word", ""), f"{where}.word")
    if not re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", kind):
        raise ConfigError(f"{where}: kind {kind!r} is not lower case, digits and '-'")
    if not any(keys.get(key) for key in ("word", "pattern")):
        raise ConfigError(f"{where} would mask nothing at all")
    if word and word in f"redacted: {kind} 0123456789":
        raise ConfigError(
            f"{where}: the placeholder of kind {kind!r} would show the word itself",
            hint="name the kind otherwise: it stands on the pages",
        )
    return OwnRule(
        kind=kind,
        word=word,
        pattern=_text(keys.get("pattern", ""), f"{where}.pattern"),
        group=Group(_among(keys.get("class", "secrets"), MODES, f"{where}.class")),
    )


def _allowed(table: object, where: str) -> Allowed:
    keys = _check_keys(table, ALLOW_KEYS, where)
    value = _text(keys.get("value", ""), f"{where}.value")
    reason = _text(keys.get("reason", ""), f"{where}.reason")
    if not value or not reason.strip():
        raise ConfigError(
            f"{where} needs a value and a reason",
            hint="whoever reads it later must know why it may be published",
        )
    return Allowed(value, reason)


def _check_keys(table: object, known: Iterable[str], where: str) -> Table:
    if not isinstance(table, dict):
        raise ConfigError(f"{where} must be a table, not {table!r}")
    keys = cast("Table", table)
    for key in keys:
        if key not in known:
            close = get_close_matches(key, list(known), n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"there are: {_list(known)}"
            raise ConfigError(f"{where}: there is no setting {key!r}", hint=hint)
    return keys


def _among(value: object, known: Iterable[str], where: str) -> str:
    if isinstance(value, str) and value in known:
        return value
    raise ConfigError(f"{where} must be one of {_list(known)}, not {value!r}")


def _items(value: object, where: str) -> list[object]:
    if isinstance(value, list):
        return cast("list[object]", value)
    raise ConfigError(f"{where} must be a list, not {value!r}")


def _text(value: object, where: str) -> str:
    if isinstance(value, str):
        return value
    raise ConfigError(f"{where} must be a text, not {value!r}")


def _texts(value: object, where: str) -> tuple[str, ...]:
    return tuple(_text(each, where) for each in _items(value, where))


def _list(names: Iterable[str]) -> str:
    return ", ".join(str(name) for name in names)
