"""`everyleaf feedback`: what people said, without what models said."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from everyleaf.cli import options
from everyleaf.cli.output import echo_lines, json_line, path_name, pick, printable, row_of
from everyleaf.cli.settings import feedback_options
from everyleaf.theming.formats import count_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from everyleaf.cli.options import Reading
    from everyleaf.survey.feedback import Feedback, Said

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


@options.command(epilog=EPILOG)
@options.sources
@options.flag("--json", "is_json", help="Print JSON, one object a line.")
@options.many(
    "--trivial",
    metavar="TEXT",
    help="Leave out prompts that say just this, too. May be repeated.",
)
@options.archives
def feedback(*, reading: Reading, is_json: bool, trivial: tuple[str, ...]) -> None:
    """Print what people said in the sessions in SOURCE, as Markdown or JSON.

    Prompts, refused tool calls with the reason, interruptions, answers to questions and
    rejected plans, of sessions and of their subagents, each once and with what it answered.
    """
    from everyleaf.render.markdown_text import literal
    from everyleaf.survey.feedback import gather_feedback

    omitted = feedback_options(trivial)
    found = reading.look(partial(gather_feedback, options=omitted))
    if is_json:
        echo_lines(iter_json(found))
    else:
        echo_lines(iter_markdown(found, lambda text: literal(printable(text))))


def iter_json(found: Feedback) -> Iterator[str]:
    """Yield lines of JSON, as `everyleaf feedback --help` describes them."""
    for said in found.said:
        row = row_of(said)
        row["path"] = path_name(said.session, said.path)
        row["agent"] = row.pop("agent_id") or None
        yield json_line(row)
    for lost in found.history.lost if found.history else ():
        row = pick(lost, "project session at text")
        yield json_line(row | {"kind": "lost-prompt"})


def iter_markdown(found: Feedback, literal: Callable[[str], str]) -> Iterator[str]:
    """Yield the lines of a Markdown file; what people wrote stands in it as code.

    `literal` makes a text show itself.
    """
    yield "# What people said"
    ordered = sorted(found.said, key=lambda one: (one.project, one.session))
    for (project, session), some in groupby(ordered, key=lambda o: (o.project, o.session)):
        title = " ".join(found.titles.get(session, "").split())
        yield from ("", f"## {literal(f'{project} · {title}')}")
        yield from ("", f"Session {literal(session)}")
        for said in some:
            yield from ("", f"### {_heading(said)}", "")
            if said.answered:
                yield from (f"to: {literal(said.answered)}", "")
            yield from _code(said.text or "(without a word)")
    history = found.history
    if not history:
        return
    yield from ("", "## Prompts in history.jsonl that have no session left", "")
    yield f"{len(history.lost):,} of {count_of(history.prompts, 'prompt')}."
    if history.unreadable:
        yield f"Lines that are no prompt: {history.unreadable:,}."
    for lost in history.lost:
        where = filter(None, (_moment(lost.at), literal(lost.project)))
        yield from ("", f"### {' · '.join(where) or 'at an unknown time'}", "")
        yield from _code(lost.text)


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
