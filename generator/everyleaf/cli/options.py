"""The options that commands share, and what they say together: a `Reading`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import Context, Parameter, ParameterSource
from click.decorators import FC
from msgspec import Struct

from everyleaf.cli.completion import complete_project, complete_session
from everyleaf.cli.output import echo_lines, page_lines, show_error, show_progress
from everyleaf.cli.places import Source, iter_lacking
from everyleaf.cli.settings import masking, settings_sources
from everyleaf.config import RedactOptions
from everyleaf.errors import EveryleafError

if TYPE_CHECKING:
    from everyleaf.archive import Choice
    from everyleaf.opening.named import Asked
    from everyleaf.opening.reading import Scope
    from everyleaf.workers import OnProgress

    Option = Callable[[FC], FC]

T = TypeVar("T")
Places = tuple[Path, ...]

NAMES = "everyleaf.names"
"""Where a command finds the sessions that were named."""
UNPACKED = "everyleaf.unpacked"
"""Where a command finds the folders with what git repositories keep."""
NAMED = "everyleaf.sources"
"""Where a command finds the sources that were typed; settings may name others."""
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
OLD_FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)
"""Types of options: a file or a folder, there or not; a folder that is there."""


class Reading(Struct, frozen=True):
    """What is read, what of it, and how it is shown: what the shared options say."""

    sources: tuple[Path, ...] = ()
    project: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    include_archive: bool = False
    is_raw: bool = False
    is_quiet: bool = False
    is_json: bool = False
    has_pager: bool = False
    is_utc: bool = False
    is_dry: bool = False
    limit: int = 0
    """How many are shown; 0: all."""

    @property
    def zone(self) -> tzinfo | None:
        """In what times are told; None: the machine's."""
        return UTC if self.is_utc else None

    def cut(self, found: Sequence[T]) -> Sequence[T]:
        """Return as many of `found` as are shown."""
        return found[: self.limit] if self.limit else found

    def print(self, json_lines: Iterable[str], lines: Iterable[str]) -> None:
        """Print the one or the other, as the options say."""
        if self.is_json:
            echo_lines(json_lines)
        else:
            page_lines(lines, has_pager=self.has_pager)

    @property
    def redact(self) -> RedactOptions:
        """What is masked: what pages mask, unless raw."""
        return masking(is_raw=self.is_raw)

    @property
    def choice(self) -> Choice:
        """Which sessions are looked at."""
        from everyleaf.archive import Choice

        return Choice(projects=self.project, since=self.since, until=self.until)

    def look(
        self, survey: Callable[[Scope, OnProgress], T], *, choice: Choice | None = None
    ) -> T:
        """Return what `survey` makes of the archive that the options name.

        Of all sessions that they choose, unless `choice` is another.
        """
        from everyleaf.opening.reading import Scope

        chosen = choice or self.choice
        scope = Scope(self.sources, self.include_archive, self.redact, chosen)
        with show_progress(is_quiet=self.is_quiet) as on_progress:
            return survey(scope, on_progress)

    def open(self, name: str, *, takes_uuid: bool = False) -> Asked:
        """Return what a person named, opened.

        Raises:
            SourceError: nothing fits, or several do.
        """
        from everyleaf.opening.named import open_named

        return self.look(partial(open_named, name=name, takes_uuid=takes_uuid))


class ReadingCommand(click.Command):
    """A command whose function takes what the shared options say as one `reading`."""

    def __init__(self, *args: Any, error_code: int = 1, **attributes: Any) -> None:  # noqa: ANN401  (as click's)
        """Make a command that ends with `error_code` where it cannot read."""
        super().__init__(*args, **attributes)
        self.error_code = error_code

    def invoke(self, ctx: Context) -> object:
        """Call the function, and show an error as a message with a hint."""
        shared = ctx.params.keys() & set(Reading.__struct_fields__)
        ctx.params["reading"] = Reading(**{name: ctx.params.pop(name) for name in shared})
        try:
            return super().invoke(ctx)
        except EveryleafError as error:
            show_error(error)
            return self.error_code


def command(
    name: str | None = None, *, error_code: int = 1
) -> Callable[[Callable[..., object]], click.Command]:
    """Return a decorator that makes a command of a function which takes a `reading`."""
    return click.command(name, cls=ReadingCommand, error_code=error_code)


def all_of(*options: Option[Any]) -> Option[Any]:
    """Return a decorator that adds each of `options`, in this order."""

    def add(function: FC) -> FC:
        for option in reversed(options):
            function = option(function)
        return function

    return add


def flag(*names: str, help: str) -> Option[Any]:  # noqa: A002  (as click calls it)
    """Return a decorator that adds an option that is said or not."""
    return click.option(*names, is_flag=True, help=help)


def one_of(
    *names: str,
    known: Iterable[str],
    help: str,  # noqa: A002  (as click calls it)
    default: str | None = None,
) -> Option[Any]:
    """Return a decorator that adds an option that takes one of the texts `known`."""
    choices = [str(each) for each in known]
    return click.option(
        *names,
        type=click.Choice(choices),
        metavar="WORD",
        default=default,
        show_default=default is not None,
        help=f"{help}  [{'|'.join(choices)}]",
    )


def many(*names: str, metavar: str, help: str, **more: Any) -> Option[Any]:  # noqa: A002, ANN401  (as above)
    """Return a decorator that adds an option that may be repeated, and says so."""
    said = f"{help} May be repeated."
    return click.option(*names, multiple=True, metavar=metavar, help=said, **more)


def limit(default: int, help: str) -> Option[Any]:  # noqa: A002  (as above)
    """Return a decorator that adds `--limit`; 0 is all."""
    return click.option(
        "-n",
        "--limit",
        type=click.IntRange(min=0),
        default=default,
        show_default=default > 0,
        metavar="N",
        help=help,
    )


def site(help: str) -> Option[Any]:  # noqa: A002  (as above)
    """Return a decorator that adds `--site`; empty: nothing is linked."""
    return click.option("--site", default="", metavar="DIR|URL", help=help)


def sources(function: FC, *, takes_settings: bool = True) -> FC:
    """Add `SOURCE…` to a command, and `--source`; without any, what the settings say."""
    added: FC = many(
        "--source",
        metavar="SOURCE",
        help="The same as the argument SOURCE.",
        type=Source(),
        expose_value=False,
        is_eager=True,
        callback=_remember_sources,
    )(function)
    return click.argument(
        "sources",
        nargs=-1,
        type=Source(),
        metavar="[SOURCE]...",
        callback=_all_sources if takes_settings else _typed_sources,
    )(added)


def _remember_sources(context: Context, _parameter: Parameter, value: Places) -> None:
    context.meta[NAMED] = value


def _typed_sources(context: Context, _parameter: Parameter, value: Places) -> Places:
    is_typed = context.get_parameter_source("sources") is ParameterSource.COMMANDLINE
    typed = (*(value if is_typed else ()), *context.meta[NAMED])
    context.meta[NAMED] = typed
    unpacked: Places = context.meta.get(UNPACKED, ())
    return typed + unpacked


def _all_sources(context: Context, parameter: Parameter, value: Places) -> Places:
    typed = _typed_sources(context, parameter, value)
    return typed or value or settings_sources(parameter)


def _or_of_settings(context: Context, parameter: Parameter, value: Places) -> Places:
    # Options that were not typed come after all that was: the names are known.
    names: list[str] = context.meta.get(NAMES, [])
    places = [(name, name.rpartition(":")[0]) for name in names]
    are_files = all(any(Path(each).is_file() for each in either) for either in places)
    value += context.meta.get(UNPACKED, ())
    return value if value or (names and are_files) else settings_sources(parameter)


def _unpack(context: Context, _parameter: Parameter, value: Places) -> None:
    """Note where the sessions of git repositories are; completion needs none of them."""
    if not value or context.resilient_parsing:
        return
    from everyleaf.sources.checkpoints import unpack_checkpoints

    folders = tuple(map(unpack_checkpoints, value))
    context.meta[UNPACKED] = folders
    echo_lines(iter_lacking(zip(value, folders, strict=True)), err=True)


def session(name: str, metavar: str, *, required: bool = True) -> Option[Any]:
    """Return a decorator that adds an argument that names a session; shells complete it."""
    return click.argument(
        name,
        metavar=metavar,
        required=required,
        shell_complete=complete_session,
        callback=_note_name,
    )


def _note_name(context: Context, _parameter: Parameter, value: str | None) -> str | None:
    """Note that a session was named, for `--source`; one that may be left out is None."""
    if value is not None:
        context.meta[NAMES] = [*context.meta.get(NAMES, []), value]
    return value


def _day(context: Context, parameter: Parameter, value: str | None) -> datetime | None:
    if value is None:
        return None
    is_utc = bool(context.params.get("is_utc"))
    return parse_moment(value, is_end=parameter.name == "until", is_utc=is_utc)


def parse_moment(value: str, *, is_end: bool, is_utc: bool) -> datetime:
    """Return the moment that a person means: where a day or a minute begins, or ends.

    Raises:
        BadParameter: it is none.
    """
    from everyleaf.clock import parse_day

    try:
        found = parse_day(value, this_moment(is_utc=is_utc), is_end=is_end)
    except ValueError as error:
        raise click.BadParameter(
            f"{value!r} is no day; say 2026-01-31, 2026-01-31T14:05 or 7d"
        ) from error
    return found.astimezone(UTC)


def this_moment(*, is_utc: bool) -> datetime:
    """Return the time, in the machine's zone or in UTC; nothing published depends on it."""
    now = datetime.fromtimestamp(time.time(), UTC)
    return now if is_utc else now.astimezone()


def _take_raw(context: Context, _parameter: Parameter, value: object) -> None:
    if value:
        click.echo("hint: --raw is called --no-redact now, as in every command", err=True)
        context.default_map = {**(context.default_map or {}), "is_raw": True}


source = many(
    "--source",
    "sources",
    metavar="SOURCE",
    help="Where to look for sessions, as for `everyleaf build`.",
    type=Source(),
    callback=_or_of_settings,
)
project = many(
    "--project",
    metavar="PATTERN",
    help="Only projects whose name fits.",
    shell_complete=complete_project,
)
choice = all_of(
    project,
    click.option(
        "--since",
        metavar="DAY",
        callback=_day,
        help="Only sessions that ended since 2026-01-31, or in 7d.",
    ),
    click.option(
        "--until",
        metavar="DAY",
        callback=_day,
        help="Only sessions that ended that day or before.",
    ),
)
archive = flag("--include-archive", help="Read sessions in _archive folders, too.")
raw = all_of(
    flag(
        "--no-redact",
        "is_raw",
        help="Mask nothing: print what the sessions hold, secrets and home folders, too.",
    ),
    # The word of earlier versions.
    click.option(
        "--raw",
        is_flag=True,
        is_eager=True,
        hidden=True,
        expose_value=False,
        callback=_take_raw,
    ),
)
json = flag("--json", "is_json", help="Print JSON.")
quiet = flag("-q", "--quiet", "is_quiet", help="No progress.")
utc = click.option(
    "--utc",
    "is_utc",
    is_flag=True,
    is_eager=True,
    help="Times in UTC, not in the machine's zone.",
)
pager = click.option(
    "--pager/--no-pager",
    "has_pager",
    default=True,
    help="On a terminal, show what is longer than it in $PAGER.  [default: pager]",
)
dry_run = flag("--dry-run", "-n", "is_dry", help="Show what would change; write nothing.")

git = many(
    "--git",
    metavar="REPO",
    help="Read the sessions that Entire keeps in this git repository, too, or alone if no"
    " SOURCE is named.",
    type=FOLDER,
    is_eager=True,
    expose_value=False,
    callback=_unpack,
)
archives = all_of(git, choice, archive, raw, quiet)
"""What every command has that looks at whole archives, beside `sources`."""
sessions = all_of(source, git, raw, quiet)
"""What every command has that looks at sessions that it is told."""
