"""`everyleaf rename`, `goto` and `restore`: the commands that write to sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from textwrap import shorten
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from everyleaf.cli import options, output
from everyleaf.cli.options import Reading
from everyleaf.errors import SourceError
from everyleaf.graph.forest import PathRef

if TYPE_CHECKING:
    from everyleaf.revise.plan import SessionChange, Target
    from everyleaf.revise.session import OpenSession
    from everyleaf.revise.write import Backup
    from everyleaf.sources.files import SourceFile

WORDS_WIDTH = 40
"""Characters of the last words, where a session resumes."""


@options.command()
@options.session("session", "SESSION")
@click.argument("title", metavar="TITLE")
@options.json
@options.source
@options.dry_run
def rename(*, reading: Reading, session: str, title: str) -> None:
    """Give SESSION the title TITLE, in Claude Code's own list and in everyleaf's.

    SESSION is an id, the beginning of one, a session's file, latest, or a title. A title is
    written as Claude Code writes it: no message changes, the file as it was is kept, and
    `everyleaf restore` puts it back. A session that something is working on is left alone.
    """
    from everyleaf.revise.plan import plan_rename

    opened = _open(session, reading)
    _change(opened, plan_rename(opened, title), reading)


@options.command()
@options.session("session", "SESSION")
@click.argument("wanted", metavar="[UUID|TEXT|:N]", default="")
@options.json
@options.source
@options.dry_run
def goto(*, reading: Reading, session: str, wanted: str) -> None:
    """Make another branch of SESSION the one that resumes.

    The branch is named by path number (SESSION:N, or :N), by the uuid of a record that
    stands on it alone, or by a text from it; where several fit, you are asked. Nothing is
    deleted and no message changes: a line is appended that says where the conversation goes
    on. The file as it was is kept, and `everyleaf restore` puts it back.

    Claude Code 2.1.122 and later read that line, whichever version wrote the session;
    earlier ones resume what was written last.
    """
    from everyleaf.opening.named import split_number
    from everyleaf.revise.plan import find_targets, plan_goto

    if not wanted:
        session, number = split_number(session)
        if number is None:
            raise click.UsageError(
                "Say which branch: SESSION:N, or a uuid or text from it."
            )
        wanted = f":{number}"
    opened = _open(session, reading)
    target = _choose(find_targets(opened, wanted), wanted)
    _change(opened, plan_goto(opened, target), reading)


def _choose(targets: list[Target], wanted: str) -> Target:
    """Return the one target, or the one that a person picks."""
    if len(targets) == 1:
        return targets[0]
    by_number = {str(target.number): target for target in targets}
    for target in targets:
        state = "ACTIVE" if target.is_active else "abandoned"
        place = f"path {target.number} ({state}), line {target.line}"
        click.echo(f"{place}: {output.printable(target.words)}", err=True)
    if not output.is_attended():
        numbers = " or ".join(f":{number}" for number in by_number)
        raise SourceError(
            f"{wanted!r} fits {len(targets)} branches", hint=f"say which path: {numbers}"
        )
    answer: str = click.prompt("Which path", type=click.Choice(list(by_number)), err=True)
    return by_number[answer]


@options.command()
@options.session("session", "SESSION")
@options.flag("--list", "is_list", help="List the backups, newest first.")
@options.json
@click.option(
    "--to",
    "number",
    metavar="N",
    type=int,
    help="Put back backup N of --list. [default: 1]",
)
@options.source
@options.dry_run
def restore(*, reading: Reading, session: str, is_list: bool, number: int | None) -> None:
    """Put the file of SESSION back as it was before everyleaf last changed it.

    What was said in the session since then stays. An undo is a change like the others:
    a second `restore` undoes the first. Any earlier state can be had back, too: --list
    shows them, --to names one.
    """
    from everyleaf.revise.write import find_backups, plan_restore, put_back

    if is_list and number is not None:
        raise click.UsageError("--list shows backups, --to puts one back: say one of them")
    opened = _open(session, reading)
    if is_list:
        for place, backup in enumerate(find_backups(opened.name, opened.location), 1):
            did = backup.did.replace(f" session {opened.name}", "")
            at, file = f"{backup.at:%Y-%m-%dT%H:%M:%SZ}", backup.location
            row = {"number": place, "at": at, "words": did, "file": file}
            when = f"{place:>3}  {backup.at:%Y-%m-%d %H:%M:%S} UTC"
            said = f"{when}  before: {output.printable(did)}"
            line = output.json_line(row, is_sorted=False)
            click.echo(line if reading.is_json else said)
        return
    wanted = plan_restore(opened, 1 if number is None else number)
    since = sum((end or 0) - begin for _, begin, end in wanted.since)
    details = [f"{since:,} bytes that were written since stay"] if since else []
    write = partial(put_back, opened, wanted)
    _carry_out(opened, wanted.did, details, write, reading)


def _open(name: str, reading: Reading) -> OpenSession:
    from everyleaf.revise.session import find_session, open_session

    return open_session(find_session(name, reading.sources))


class ResumeState(Struct, frozen=True):
    """What Claude Code makes of a session's file as it is."""

    title: str
    """As its list has it."""
    paths: tuple[PathRef, ...] = ()
    """Those that share what it resumes; none: it begins anew."""
    line: int = 0
    """The last one that it resumes."""
    words: str = ""


def _change(session: OpenSession, change: SessionChange, reading: Reading) -> None:
    from everyleaf.revise.write import apply_change

    write = partial(apply_change, session, change) if change.edits else None
    details = [edit.says for edit in change.edits]
    _carry_out(session, change.summary, details, write, reading)


def _carry_out(
    session: OpenSession,
    words: str,
    details: list[str],
    write: Callable[..., Backup] | None,
    reading: Reading,
) -> None:
    """Call `write` (None: nothing to do) but in a dry run, and tell what came of it."""
    from everyleaf.revise.session import check_idle

    backup = None
    if write is not None and not reading.is_dry:
        check_idle(session)
        backup = str(write(at=options.this_moment(is_utc=True)).copy)
    now = None if write is not None and reading.is_dry else _resume_state(session.source)
    if reading.is_json:
        told: output.Json = {"session": session.name, "file": str(session.location)}
        told |= {"words": words, "details": details, "written": backup is not None}
        output.echo_json(told | {"backup": backup, "now": now}, is_sorted=False)
        return
    click.echo(output.printable(words))
    output.echo_lines(f"  {output.printable(each)}" for each in details)
    if backup is not None:
        click.echo(f"the file as it was: {output.printable(backup)}")
        click.echo(f"to undo: everyleaf restore {output.printable(session.name)}")
    elif now is not None:
        click.echo("nothing to do: it is so already")
    else:
        click.echo("nothing was written (--dry-run)")
    if now is not None:
        output.echo_lines(_iter_resume(now))


def _resume_state(source: SourceFile) -> ResumeState:
    """Read a session's file again, and return what Claude Code now makes of it."""
    from everyleaf.revise.session import listed_title, open_session, resumed_at

    session = open_session(source)
    title, position = listed_title(session), resumed_at(session)
    if position is None:
        return ResumeState(title)
    paths = sorted(session.forest.refs[leaf] for leaf in session.leaves_below(position))
    last = session.words_at(position)
    return ResumeState(title, tuple(paths), last.line, last.words)


def _iter_resume(now: ResumeState) -> Iterator[str]:
    yield f"Claude Code now lists it as {output.printable(now.title)!r}"
    if not now.paths:
        yield "and begins anew there: it was rewound to before its first prompt"
        return
    paths = " and ".join(str(ref.number) for ref in now.paths)
    words = shorten(output.printable(now.words), WORDS_WIDTH, placeholder="…")
    where = f"path {paths}" if paths.isdecimal() else f"what paths {paths} share"
    yield f"and resumes {where}, up to line {now.line}: {words!r}"
