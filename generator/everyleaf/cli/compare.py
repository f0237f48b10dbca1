"""`everyleaf diff` and `why`: two paths side by side; lines of code, and their prompts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyleaf.cli import options, output
from everyleaf.cli.options import Reading
from everyleaf.clock import shown_moment
from everyleaf.sources.projects import short_session
from everyleaf.transcript.words import counted, squeezed

if TYPE_CHECKING:
    from everyleaf.explore.matches import SiteLinks
    from everyleaf.why.edits import FileAnswers, LineAnswer, LineOrigin
    from everyleaf.why.history import AskedLines


@options.command(error_code=2)
@options.session("left", "A")
@options.session("right", "B")
@options.one_of(
    "--format", "form", known=["text", "html"], default="text", help="What to print."
)
@options.json
@options.flag("--files-only", help="Only what became of files.")
@options.flag("--word", "by_word", help="Mark words in the text's diffs.")
@options.sessions
def diff(
    *, reading: Reading, left: str, right: str, form: str, files_only: bool, by_word: bool
) -> int:
    """Compare two attempts: what each said, did, and made of the files.

    A and B are a session with the number of a path (SESSION:N), a session alone (its
    ACTIVE path), the uuid of a leaf, or a session's file. A session is an id, the beginning
    of one if it fits nothing else, latest, or a title.
    """
    # All of it is slow to import, and only wanted here.
    from everyleaf.attempts import compare_attempts
    from everyleaf.cli.difftext import iter_lines, to_json

    attempts = reading.look(partial(compare_attempts, names=(left, right)))
    comparison = attempts.comparison
    match "json" if reading.is_json else form:
        case "html":
            # A tenth of a second that the others need not wait.
            from everyleaf.pages.comparepages import lone_page

            sides = attempts.left, attempts.right
            output.echo_file(lone_page(comparison, *sides, files_only=files_only))
        case "json":
            output.echo_json(to_json(attempts, files_only=files_only))
        case _:
            output.echo_lines(iter_lines(attempts, files_only=files_only, by_word=by_word))
    is_same = comparison.has_same_files if files_only else comparison.is_same
    return 0 if is_same else 1


_PLACE = re.compile(r"(.+?)(?::([0-9]{1,9})(?:-([0-9]{1,9}))?)?")
_SHORT = 7


@options.command()
@click.argument("place", metavar="[FILE[:LINES]]", required=False, default="")
@click.option("--commit", "commit", metavar="HASH", help="The lines that a commit wrote.")
@options.flag("--pr", "is_request", help="The lines of this branch, as Markdown.")
@click.option(
    "--base",
    metavar="BRANCH",
    help="With --pr: what it is to be merged into.  [default: the main branch]",
)
@click.option(
    "--repo",
    type=options.OLD_FOLDER,
    metavar="DIR",
    help="The git repository.  [default: that of FILE, or the working folder]",
)
@options.site("Link to the edits in a built site.")
@options.pager
@options.utc
@options.json
@options.source
@options.archives
def why(
    *,
    reading: Reading,
    place: str,
    commit: str | None,
    is_request: bool,
    base: str | None,
    repo: Path | None,
    site: str,
) -> int:
    """Tell which prompt, on which path, led to lines of a file.

    FILE is a file that git tracks, LINES a line or the first and last of several: 3-9.
    """
    from everyleaf.explore.matches import SiteLinks
    from everyleaf.why.trace import trace

    if [bool(place), bool(commit), is_request].count(True) != 1:
        raise click.UsageError("name a FILE, or say --commit HASH or --pr")
    if base and not is_request:
        raise click.UsageError("--base is for --pr")
    top, asked = _ask(place, commit, base, repo)
    found = reading.look(partial(trace, top=top, asked=asked))
    links = SiteLinks(site)
    if reading.is_json:
        output.echo_json([_row(one, links) for one in found], is_sorted=False)
    elif is_request:
        output.page_lines(_markdown(found, links), has_pager=False)
    else:
        lines = _lines(found, links, reading.zone, is_all=":" not in place)
        output.page_lines(lines, has_pager=reading.has_pager)
    return int(not any(answer.origins for one in found for answer in one.answers))


def _ask(
    place: str, commit: str | None, base: str | None, repo: Path | None
) -> tuple[Path, list[AskedLines]]:
    """Return the top folder of the repository, and the lines that are asked about."""
    from everyleaf.why import history

    if place:
        found = None if Path(place).exists() else _PLACE.fullmatch(place)
        name, first, last = found.groups() if found else (place, None, None)
        span = (int(first), int(last or first)) if first else None
        if span and not 0 < span[0] <= span[1]:
            raise click.BadParameter(f"{place!r} names no lines; say FILE:3-9")
        file = Path(name)
        folder = repo or (file.parent if file.parent.is_dir() else Path())
        top = history.find_top(folder)
        # As a person sees it from here, else as git does from the top.
        whole = file.parent.resolve() / file.name
        is_here = whole.exists() and whole.is_relative_to(top)
        seen = whole.relative_to(top).as_posix() if is_here else file.as_posix()
        return top, [history.asked_lines(top, seen, span)]
    top = history.find_top(repo or Path())
    if commit:
        return top, list(history.lines_of_commit(top, history.find_commit(top, commit)))
    start = history.find_base(top, base or "")
    files = history.changed_files(top, start, "HEAD")
    return top, [history.asked_lines(top, file, after=start) for file in files]


def _row(found: FileAnswers, links: SiteLinks) -> output.Json:
    def told(origins: Iterable[LineOrigin]) -> list[output.Json]:
        fields = "session agent=agent_id? status title project at uuid prompt prompt_at"
        return [
            output.pick(one, f"{fields} prompt_uuid? url")
            | {
                "path": output.path_name(one.session, one.path),
                "link": links.link_to(one.url) or None,
            }
            for one in origins
        ]

    answers = [
        {
            "lines": answer.spans,
            **output.pick(answer, "commit? subject committed sure said"),
            "origins": told(answer.origins),
            "abandoned": told(answer.abandoned),
        }
        for answer in found.answers
    ]
    return {"file": found.file, "answers": answers, "loose": told(found.loose)}


def _lines(
    found: Sequence[FileAnswers], links: SiteLinks, zone: tzinfo | None, *, is_all: bool
) -> Iterator[str]:
    told = partial(_origins, links=links, zone=zone)
    for place, one in enumerate(found):
        yield from ("",) if place else ()
        for number, answer in enumerate(one.answers):
            yield from ("",) if number else ()
            yield output.row(f"{output.printable(one.file)}:{_spans(answer)}", bold=True)
            yield output.row(_commit_words(answer, zone), "  ")
            yield output.row(f"{answer.sure}: {answer.said}", "  ")
            yield from told(answer.origins)
            if answer.abandoned:
                yield output.row("abandoned attempts at these lines:", "  ")
            yield from told(answer.abandoned)
        loose = counted(len(one.loose), "edit")
        if one.loose and not is_all:
            said = f"{loose} of the file no commit carries: everyleaf why {one.file}"
            yield output.row(said)
        elif one.loose:
            said = f"{one.file}: {loose} that no commit carries"
            yield from ("", output.row(said, bold=True), *told(one.loose))
    if not any(one.answers for one in found):
        yield "no lines"


def _spans(answer: LineAnswer) -> str:
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in answer.spans)


def _commit_words(answer: LineAnswer, zone: tzinfo | None) -> str:
    if not answer.commit:
        return "not committed yet"
    when = datetime.fromtimestamp(answer.committed, UTC).isoformat()
    subject = squeezed(answer.subject)
    return f"commit {answer.commit[:_SHORT]} · {shown_moment(when, zone)} · {subject}"


def _origins(
    origins: Iterable[LineOrigin], links: SiteLinks, zone: tzinfo | None
) -> Iterator[str]:
    for origin in origins:
        name = short_session(origin.session) + (f":{origin.path}" if origin.path else "")
        agent = f"agent {origin.agent_id}" if origin.agent_id else ""
        title = output.headline(origin.title)
        facts = (name, origin.status, agent, shown_moment(origin.at, zone), title)
        yield from output.joined(filter(None, map(squeezed, facts)), "    ")
        prompt = output.headline(origin.prompt) or "(no prompt before it)"
        yield output.row(f"prompt: {prompt}", "      ")
        if link := links.link_to(origin.url):
            yield output.row(link, "      ", dim=True)


def _markdown(found: Sequence[FileAnswers], links: SiteLinks) -> Iterator[str]:
    """Yield a list of prompts, each with what it led to, for a description."""
    from everyleaf.render.markdown_text import code_span, link, literal

    by_prompt: dict[tuple[str, ...], list[tuple[LineOrigin, str]]] = {}
    others: list[str] = []
    for one in found:
        for answer in one.answers:
            name = code_span(answer.commit[:_SHORT]) if answer.commit else "no commit yet"
            where = f"{code_span(one.file)} {_spans(answer)} ({name})"
            if len(answer.origins) != 1:
                others.append(f"- {where}: {literal(answer.said)}")
            for origin in answer.origins:
                told = (origin.prompt_at, origin.session, origin.prompt_uuid, origin.prompt)
                is_one = len(answer.origins) == 1
                mark = where if is_one else f"{where}, perhaps"
                by_prompt.setdefault(told, []).append((origin, f"{mark}; {answer.sure}"))
    yield from ("## Prompts", "")
    for number, (_, some) in enumerate(sorted(by_prompt.items()), 1):
        origin = some[0][0]
        words = literal(squeezed(origin.prompt)) or "(no prompt before it)"
        session = f"session {literal(short_session(origin.session))}, path {origin.path}"
        url = links.link_to(origin.url)
        place = link(session, url) if url else session
        yield f"{number}. {words} ({place}, {literal(shown_moment(origin.at, UTC))} UTC)"
        yield from (f"   - {where}" for where in dict.fromkeys(where for _, where in some))
    if not by_prompt:
        yield "No prompt is known to have led to these changes."
    if others:
        yield from ("", "Without a prompt that is sure:", "", *others)
