"""What commands print: text that fits a terminal and cannot drive it, tables, and JSON.

Wide characters take two columns. Where nothing says how wide the output is, as in a pipe,
the width is None and nothing is cut. On stderr, how far a command is: a bar on a terminal,
else a line a stage.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct
from msgspec.structs import asdict

from everyleaf.errors import EveryleafError
from everyleaf.graph.forest import PathRef
from everyleaf.transcript.words import WORDS_LIMIT, squeezed

if TYPE_CHECKING:
    from everyleaf.workers import OnProgress


Json = dict[str, object]

NARROWEST = 30
"""Columns; below that, lines are longer than the terminal."""
NARROWEST_TEXT = 10
"""Columns of the texts in a table; below that, it becomes a list."""
_HARMLESS = frozenset("\t\xa0\u200c\u200d\u202f\u3000")
"""Blanks, and what joins letters and emoji: Python calls them not printable."""


def printable(text: str) -> str:
    r"""Return `text` with what could drive a terminal written as escapes.

    >>> printable("red \x1b[31m, 10\xa0€")
    'red \\x1b[31m, 10\xa0€'
    """
    return "".join(
        character
        if character.isprintable() or character in _HARMLESS
        else character.encode("unicode_escape").decode("ascii")
        for character in text
    )


def headline(text: str) -> str:
    """Return a title, or how something begins, on one line without marks of Markdown."""
    from everyleaf.pages.wording import shortened

    return shortened(text, WORDS_LIMIT)


def show_error(error: EveryleafError) -> None:
    """Print `error` to stderr, and what to do about it."""
    click.echo(f"error: {printable(error.message)}", err=True)
    if error.hint:
        click.echo(f"hint: {printable(error.hint)}", err=True)


def is_attended() -> bool:
    """Return whether there is somebody to ask."""
    return sys.stdin.isatty()


def echo_lines(lines: Iterable[str], *, err: bool = False) -> None:
    """Print each of `lines` as it comes."""
    for line in lines:
        click.echo(line, err=err)


def page_lines(lines: Iterable[str], *, has_pager: bool) -> None:
    """Print `lines`; with `has_pager` in `$PAGER` if the terminal has not that many."""
    if not (has_pager and sys.stdout.isatty()):
        echo_lines(lines)
        return
    shown = list(lines)
    text = "".join(f"{line}\n" for line in shown)
    if len(shown) < shutil.get_terminal_size().lines:
        click.echo(text, nl=False)
    else:
        click.echo_via_pager(text)


def echo_file(text: str) -> None:
    """Print `text` as the bytes of a file, also what no character is."""
    click.echo(text.encode("utf-8", "replace"), nl=False)


def echo_json(value: object, *, is_sorted: bool = True) -> None:
    """Print `value` as one indented document of ASCII."""
    click.echo(json.dumps(value, indent=2, sort_keys=is_sorted, default=_plain))


def json_line(value: object, *, is_sorted: bool = True) -> str:
    """Return `value` as one line of ASCII."""
    return json.dumps(value, sort_keys=is_sorted, default=_plain)


def pick(value: object, names: str) -> Json:
    """Return the fields of `value` that `names` lists, `new=old` by another name.

    What is empty becomes null where the name ends with a question mark.

    >>> pick(PathRef("", 2), "session? n=number digits=number.real")
    {'session': None, 'n': 2, 'digits': 2}
    """
    picked: Json = {}
    for name in names.split():
        new, _, old = name.rstrip("?").partition("=")
        found = attrgetter(old or new)(value)
        picked[new] = (found or None) if name.endswith("?") else found
    return picked


def path_name(session: str, number: int) -> str | None:
    """Return what refers to a path; None where `number` is 0: there is no path."""
    return f"{session}:{number}" if number else None


def _plain(value: Struct) -> object:
    if isinstance(value, PathRef):
        return path_name(value.session, value.number)
    return asdict(value)


def width_of_output() -> int | None:
    """Return the columns of the terminal, or `$COLUMNS`; None: a pipe, nothing is cut."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdecimal():
        return max(shutil.get_terminal_size().columns, NARROWEST)
    return None


def cells_of(text: str) -> int:
    """Return how many columns `text` takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def fit(text: str, width: int | None) -> str:
    r"""Return `text` cut to `width` columns, without anything that drives a terminal.

    >>> fit("a long line", 8), fit("\x1b[1m", None)
    ('a long…', '\\x1b[1m')
    """
    shown = printable(text.replace("\t", " "))
    if width is None or cells_of(shown) <= width:
        return shown
    return shown[: _fitting(shown, width - 1)].rstrip() + "…" if width > 0 else ""


def padded(text: str, width: int, *, to_right: bool = False) -> str:
    """Return `text` filled with blanks to `width` columns."""
    blanks = " " * (width - cells_of(text))
    return f"{blanks}{text}" if to_right else f"{text}{blanks}"


def room_beside(lead: str) -> int | None:
    """Return the columns that are left beside `lead`, which may be in colours."""
    width = width_of_output()
    return None if width is None else max(width - cells_of(click.unstyle(lead)), 0)


def row(text: str, lead: str = "", **style: Any) -> str:  # noqa: ANN401  (as click's)
    """Return the line of `text` behind `lead`, cut to the output's width."""
    return lead + _styled(fit(text, room_beside(lead)), style)


def rows(
    text: str,
    lead: str = "",
    *,
    most: int | None = None,
    **style: Any,  # noqa: ANN401  (as click's)
) -> Iterator[str]:
    """Yield the lines of `text`, each behind `lead`, broken to the output's width.

    `most` are the columns of a line that are easy to read. It breaks as rich does,
    without the tenth of a second of its import.
    """
    room = room_beside(lead)
    if room is not None:
        room = max(room if most is None else min(room, most - cells_of(lead)), 1)
    for line in text.split("\n"):
        for part in _broken(printable(line.replace("\t", "    ")), room):
            shown = part.rstrip()
            yield _styled(f"{lead}{shown}" if shown or lead.strip() else "", style)


def _styled(text: str, style: dict[str, Any]) -> str:
    return click.style(text, **style) if style else text


def _broken(line: str, room: int | None) -> Iterator[str]:
    """Yield `line` in parts of at most `room` columns, between words where that works."""
    while room is not None and cells_of(line) > room:
        end = max(_fitting(line, room), 1)
        space = line.rfind(" ", 1, end + 1)
        if not line[:space].strip():
            space = -1  # An indent alone would be an empty line.
        yield line[: space if space > 0 else end].rstrip()
        line = line[space + 1 if space > 0 else end :].lstrip()
    yield line


def _fitting(text: str, room: int) -> int:
    """Return how many characters of `text` fit into `room` columns."""
    used = 0
    for end, character in enumerate(text):
        used += cells_of(character)
        if used > room:
            return end
    return len(text)


def joined(facts: Iterable[str], lead: str = "") -> Iterator[str]:
    """Yield lines of `facts`, as many as fit behind `lead`, a dot between two of them."""
    room, line = room_beside(lead), ""
    for fact in (fit(each, room) for each in facts):
        longer = f"{line} · {fact}" if line else fact
        if line and room is not None and cells_of(longer) > room:
            yield lead + line
            longer = fact
        line = longer
    if line:
        yield lead + line


def table(head: Sequence[str], body: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table; the first column is a text, the others are numbers.

    Where the numbers leave no room for the text, each row becomes a list of its fields:
    rich's tables would drop columns there, and take 15 times as long.
    """
    shown = [[printable(cell) for cell in cells] for cells in body]
    widths = [max(map(cells_of, column)) for column in zip(head, *shown, strict=True)]
    room = room_beside(" " * (sum(widths[1:]) + 2 * (len(head) - 1)))
    if room is not None and room < min(widths[0], NARROWEST_TEXT):
        for text, *cells in shown:
            yield row(squeezed(text))
            named = zip(head[1:], cells, strict=True)
            yield from joined((f"{name} {cell}" for name, cell in named if cell), "  ")
        return
    widths[0] = widths[0] if room is None else min(widths[0], room)
    for text, *numbers in (list(head), *shown):
        cells = [padded(fit(squeezed(text), widths[0]), widths[0])]
        cells += [
            padded(number, size, to_right=True)
            for number, size in zip(numbers, widths[1:], strict=True)
        ]
        yield "  ".join(cells).rstrip()


def short_count(number: int, *, tenths_below: float = 9.95) -> str:
    """Return a number with a unit; with one decimal if it is less than `tenths_below`.

    >>> [short_count(n) for n in (999, 1234, 45_678, 999_999, 12_345_678)]
    ['999', '1.2k', '46k', '1.0M', '12M']
    """
    for unit, size in (("", 1), ("k", 1e3), ("M", 1e6), ("G", 1e9)):
        amount = number / size
        if amount < 999.5:
            has_tenths = unit and amount < tenths_below
            return f"{amount:.1f}{unit}" if has_tenths else f"{amount:.0f}{unit}"
    return f"{number / 1e9:,.0f}G"


FIRST = "finding sessions"
"""What is done before the first stage reports."""
WAITING = {"looking for secrets": "waiting for the scanner"}
"""Stage → what is waited for when all of it is done, until the next one begins."""
REFRESH_S = 0.1
"""Seconds between two pictures of the bar."""


@contextmanager
def show_progress(*, is_quiet: bool, has_bars: bool = True) -> Generator[OnProgress]:
    """Yield the callable that stages report through: `on_progress(stage, done, total)`.

    A stage of which there is nothing (a `total` of 0) is a note, and said as it is.

    Bars would draw over a question: `has_bars` says that none will be asked.
    """
    if is_quiet:
        yield lambda _stage, _done, _total: None
    elif has_bars and sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        with _bars() as on_progress:
            yield on_progress
    else:
        yield _lines()


def _lines() -> OnProgress:
    """Print a line for each stage that is done, for logs; one begins where one ended."""
    begun = time.perf_counter()

    def on_progress(stage: str, done: int, total: int) -> None:
        nonlocal begun
        if not total:
            click.echo(stage, err=True)
        elif done >= total:
            now = time.perf_counter()
            seconds, begun = now - begun, now
            count = f"{done:,} in " if total > 1 else ""
            rate = f", {done / seconds:,.0f}/s" if seconds > 0 and total > 1 else ""
            click.echo(f"{stage}: {count}{seconds:.1f} s{rate}", err=True)

    return on_progress


@contextmanager
def _bars() -> Generator[OnProgress]:
    from rich import progress
    from rich.console import Console
    from rich.progress import Progress

    tasks: dict[str, progress.TaskID] = {}
    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[rate]}"),
        progress.TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    # Without auto-refresh rich starts no thread, which would keep workers from forking.
    with Progress(*columns, console=console, transient=True, auto_refresh=False) as bars:
        shown = 0.0
        last = bars.add_task(FIRST, total=None, rate="")
        bars.refresh()

        def on_progress(stage: str, done: int, total: int) -> None:
            nonlocal shown, last
            if not total:
                bars.console.print(stage, markup=False, highlight=False)
                return
            if stage not in tasks:
                if tasks:
                    bars.update(last, rate=bars.tasks[last].fields["done"])
                else:
                    bars.update(last, visible=False)
                last = tasks[stage] = bars.add_task(stage, total=total, rate="", done="")
            elapsed = bars.tasks[tasks[stage]].elapsed
            rate = f"{done / elapsed:,.0f}/s" if elapsed else ""
            says = WAITING.get(stage, rate) if done == total else rate
            bars.update(tasks[stage], completed=done, total=total, rate=says, done=rate)
            now = time.perf_counter()
            if done == total or now - shown > REFRESH_S:
                bars.refresh()
                shown = now

        yield on_progress
