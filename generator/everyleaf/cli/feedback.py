"""`everyleaf feedback`: what people said, without what models said."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path  # noqa: TC003  (click reads it)
from typing import TYPE_CHECKING, cast

import click

from everyleaf.cli.echoing import json_line, path_name, row_of
from everyleaf.cli.errors import printable
from everyleaf.cli.options import (
    archive_option,
    choice_options,
    masking,
    quiet_option,
    raw_option,
    sources_argument,
)
from everyleaf.cli.progress import show_progress
from everyleaf.cli.settings import FEEDBACK as FEEDBACK_TABLE
from everyleaf.cli.settings import settings_table
from everyleaf.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from everyleaf.config import FeedbackOptions
    from everyleaf.survey.feedback import Feedback, Said
    from everyleaf.survey.history import History, LostPrompt

EPILOG = """\b
Examples:
  everyleaf feedback > feedback.md
  everyleaf feedback ~/.claude --json | grep '"kind": "denial"'
  everyleaf feedback logs/ --trivial "looks good" --trivial thanks

Left out are commands (/ and !), warm-ups of the CLI, and prompts that say nothing: y, n,
continue, resume, g, go, or what "trivial" in [feedback] of everyleaf.toml lists instead;
and those of --trivial.
If history.jsonl lies beside the projects folder, its prompts that no session holds any
more are listed, too.

JSON, one object a line: kind (prompt, denial, interruption, answer, plan-rejection),
project, session, path ("session:number" or null), agent (its id, or null), at, text,
answered, uuid, url; and for prompts of the history without a session: kind (lost-prompt),
project, session, at, text.
"""


@click.command(epilog=EPILOG)
@sources_argument
@click.option("--json", "is_json", is_flag=True, help="Print JSON, one object a line.")
@click.option(
    "--trivial",
    multiple=True,
    metavar="TEXT",
    help="Leave out prompts that say just this, too. May be repeated.",
)
@choice_options
@archive_option
@raw_option
@quiet_option
def feedback(  # noqa: PLR0913  (an argument an option)
    sources: tuple[Path, ...],
    *,
    is_json: bool,
    trivial: tuple[str, ...],
    projects: tuple[str, ...],
    since: datetime | None,
    until: datetime | None,
    include_archive: bool,
    is_raw: bool,
    is_quiet: bool,
) -> None:
    """Print what people said in the sessions in SOURCE, as Markdown or JSON.

    Prompts, refused tool calls with the reason, interruptions, answers to questions and
    rejected plans, of sessions and of their subagents, each once and with what it answered.
    """
    from everyleaf.archive import Choice  # noqa: PLC0415  (slow to import)
    from everyleaf.opening.reading import Scope  # noqa: PLC0415  (slow to import)
    from everyleaf.survey.feedback import gather_feedback  # noqa: PLC0415  (slow to import)

    options = feedback_options(trivial)
    scope = Scope(
        sources,
        include_archive=include_archive,
        redact=masking(is_raw=is_raw),
        choice=Choice(projects=projects, since=since, until=until),
    )
    with show_progress(is_quiet=is_quiet) as on_progress:
        found = gather_feedback(scope, on_progress, options=options)
    for line in _iter_json(found) if is_json else iter_markdown(found):
        click.echo(line)


def feedback_options(more: tuple[str, ...]) -> FeedbackOptions:
    """Return what is left out: the list of the settings, or ours, and `more`.

    Raises:
        ConfigError: the table `[feedback]` makes no sense.
    """
    from everyleaf.config import FEEDBACK, FeedbackOptions  # noqa: PLC0415  (slow, too)

    told = settings_table(FEEDBACK_TABLE)
    words = trivial_words(told.keys, told.where) if told else FEEDBACK.trivial
    return FeedbackOptions(tuple(word.strip().casefold() for word in (*words, *more)))


def trivial_words(table: object, where: str) -> tuple[str, ...]:
    """Return the list `trivial` of `table`, which stands at `where`.

    Raises:
        ConfigError: it is no list of texts, or the table holds something else.
    """
    keys = cast("dict[str, object]", table) if isinstance(table, dict) else {}
    words = keys.get("trivial")
    texts = cast("list[object]", words) if isinstance(words, list) else [None]
    if keys.keys() != {"trivial"} or not all(isinstance(text, str) for text in texts):
        raise ConfigError(
            f"{where} must be a table with one list of texts, not {table!r}",
            hint='trivial = ["y", "n", "continue", "looks good"]',
        )
    return tuple(text for text in texts if isinstance(text, str))


def _iter_json(found: Feedback) -> Iterator[str]:
    for said in found.said:
        row = row_of(said)
        row["path"] = path_name(said.session, said.path)
        row["agent"] = row.pop("agent_id") or None
        yield json_line(row)
    for lost in found.history.lost if found.history else ():
        row = {"project": lost.project, "session": lost.session, "at": lost.at}
        yield json_line({**row, "kind": "lost-prompt", "text": lost.text})


def iter_markdown(found: Feedback) -> Iterator[str]:
    """Yield the lines of a Markdown file; what people wrote stands in it as code."""
    from everyleaf.render.markdown_text import literal  # noqa: PLC0415  (slow to import)

    yield "# What people said"
    ordered = sorted(found.said, key=lambda one: (one.project, one.session))
    for (project, session), some in groupby(ordered, key=lambda o: (o.project, o.session)):
        title = " ".join(found.titles.get(session, "").split())
        name = literal(printable(f"{project} · {title}"))
        yield from ("", f"## {name}", "", f"Session {literal(printable(session))}")
        for said in some:
            yield from ("", f"### {_heading(said)}", "")
            if said.answered:
                yield from (f"to: {literal(printable(said.answered))}", "")
            yield from _code(said.text or "(without a word)")
    if found.history:
        yield from _history(found.history)


def _heading(said: Said) -> str:
    where = f"path {said.path}" if said.path else ""
    agent = f"agent {printable(said.agent_id)}" if said.agent_id else ""
    parts = (_moment(said.at), said.kind.replace("-", " "), where, agent)
    return " · ".join(part for part in parts if part)


def _moment(at: str) -> str:
    return printable(at[:16].replace("T", " "))


def _code(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield f"    {printable(line.replace(chr(9), '    '))}".rstrip()


def _history(history: History) -> Iterator[str]:
    yield from ("", "## Prompts in history.jsonl that have no session left", "")
    lost, all_of = len(history.lost), history.prompts
    yield f"{lost:,} of {all_of:,} {'prompt' if all_of == 1 else 'prompts'}."
    if history.unreadable:
        yield f"Lines that are no prompt: {history.unreadable:,}."
    for one in history.lost:
        yield from ("", f"### {_lost_heading(one)}", "", *_code(one.text))


def _lost_heading(lost: LostPrompt) -> str:
    from everyleaf.render.markdown_text import literal  # noqa: PLC0415  (slow to import)

    parts = (_moment(lost.at), literal(printable(lost.project)))
    return " · ".join(part for part in parts if part) or "at an unknown time"
