"""`everyleaf manual`: the manual, on a terminal.

Its pages are Markdown files in `manual/` beside this package, those of commands in
`manual/commands/`. A new file is a new topic.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from everyleaf.cli.output import echo_file, page_lines, width_of_output

MANUAL_DIR = Path(__file__).parents[1] / "manual"
SECTIONS = (
    ("Begin", "start branches site searching"),
    ("Publish", "publishing redaction choosing hosts repositories"),
    ("Look", "terminal asking comparing tracing changing completing cookbook"),
    ("Keep", "keeping hooks sources"),
    ("Share", "exporting mkdocs"),
    ("Look up", "settings json issues inputs folder again addresses"),
    ("Extend", "python themes design dependencies speed testing cluster scaling"),
)
"""Topics in the order in which they are listed; others stand behind them."""
WIDEST = 90
"""Columns that are easy to read."""


def topics() -> dict[str, Path]:
    """Return the file of each topic by its name; commands are topics, too."""
    pages = {page.stem: page for page in sorted((MANUAL_DIR / "commands").glob("*.md"))}
    return {**pages, **{page.stem: page for page in sorted(MANUAL_DIR.glob("*.md"))}}


def text_of(page: Path) -> str:
    """Return the Markdown of `page`, without the comments that keep what it shows true."""
    return re.sub(r"<!--.*?-->\n?", "", page.read_text("utf-8"), flags=re.DOTALL)


def title_of(page: Path) -> str:
    """Return the heading that `page` begins with."""
    return text_of(page).partition("\n")[0].removeprefix("# ")


def contents() -> list[tuple[str, list[str]]]:
    """Return the topics of each section, those that none names in a last one."""
    named = [(title, names.split()) for title, names in SECTIONS]
    known = {name for _, names in named for name in names}
    left = sorted({page.stem for page in MANUAL_DIR.glob("*.md")} - known)
    return [*named, ("More", left)] if left else named


def complete_topic(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem[str]]:
    """Return the topics that begin with what was typed."""
    return [
        CompletionItem(name, help=title_of(page))
        for name, page in topics().items()
        if name.startswith(incomplete)
    ]


@click.command()
@click.argument("topic", required=False, shell_complete=complete_topic)
@click.option(
    "--pager/--no-pager",
    default=True,
    show_default=True,
    help="On a terminal, show what is longer than it in $PAGER.",
)
def manual(topic: str | None, *, pager: bool) -> None:
    """Show the page of the manual about TOPIC, or what there is."""
    if topic is None:
        page_lines(_listed(), has_pager=pager)
        return
    page = topics().get(topic.removesuffix(".md").removeprefix("commands/"))
    if page is None:
        near = ", ".join(get_close_matches(topic, topics(), n=3))
        hint = f"Near to it: {near}." if near else "`everyleaf manual` lists them."
        raise click.BadParameter(f"no page is called {topic!r}. {hint}", param_hint="TOPIC")
    if sys.stdout.isatty():
        page_lines(_drawn(text_of(page)), has_pager=pager)
    else:
        echo_file(text_of(page))


def _listed() -> Iterator[str]:
    pages = topics()
    for title, names in contents():
        yield click.style(title, bold=True)
        yield from (f"  {name:14}{title_of(pages[name])}" for name in names)
        yield ""
    yield "everyleaf manual TOPIC shows a page; a command is a topic, too."


def _drawn(text: str) -> list[str]:
    """Return the lines of a page for a terminal; links name what to type."""
    from io import StringIO

    from rich.console import Console
    from rich.markdown import Markdown

    width = min(width_of_output() or WIDEST, WIDEST)
    linked = re.sub(r"\[([^]]+)\]\((?:commands/)?(\w+)\.md\)", r"\1 (manual \2)", text)
    drawn = StringIO()
    console = Console(file=drawn, width=width, force_terminal=True)
    console.print(Markdown(linked, hyperlinks=False, code_theme="ansi_dark"))
    return drawn.getvalue().rstrip().split("\n")
