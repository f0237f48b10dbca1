"""`everyleaf build`: sessions in, a site out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click
from click.core import ParameterSource
from click.decorators import FC

from everyleaf import config
from everyleaf.cli import options, output
from everyleaf.cli.places import iter_lacking
from everyleaf.cli.settings import REDACT, config_option
from everyleaf.errors import OutputError
from everyleaf.issues import Issue
from everyleaf.transcript.words import counted

if TYPE_CHECKING:
    from everyleaf.buildwords import BuildWords
    from everyleaf.report import BuildReport, ClusterWork, Draft

MOST_BYTES = 1_000_000_000
"""What GitHub Pages takes as a whole site."""
MOST_FILE_BYTES = 100_000_000
"""What GitHub takes as one file."""
PICTURES = (".png", ".jpg", ".gif", ".webp")
SHOWN = 10
"""How many records that were lost are named."""
MANNERS = frozenset({"is_quiet", "is_verbose", "is_agreed", "is_json"})
"""Parameters that say how the command behaves, not what is built."""


def _names_of(known: type[config.Format | config.Left], said: str) -> Callable[..., str]:
    """Return a callback that checks names of `known`, separated by commas."""

    def check(_context: click.Context, parameter: click.Parameter, value: str) -> str:
        names = {name.strip() for name in value.split(",")}
        unknown = sorted(names - set(known) - ({""} if parameter.default == "" else set()))
        if unknown:
            raise click.BadParameter(said.format(all=repr(value), first=repr(unknown[0])))
        return value

    return check


def base_url_option(help: str) -> Callable[[FC], FC]:  # noqa: A002  (as click calls it)
    """Return a decorator that adds `--base-url`; the address ends with a slash."""
    return click.option("--base-url", metavar="URL", default="", type=_address, help=help)


def _address(value: str) -> str:
    if value and not re.fullmatch(r"https?://[^/?#\s]+(?:/[^?#\s]*)?", value):
        raise click.BadParameter(f"{value!r} is no address like https://example.org/talks/")
    return value if not value or value.endswith("/") else f"{value}/"


def _origin(value: str) -> str:
    if not re.fullmatch(config.ORIGIN, value):
        raise click.BadParameter(f"{value!r} is no origin like https://wiki.example.org")
    return value


@click.command()
@options.sources
@options.many(
    "--git",
    metavar="REPO",
    help="Read what Entire keeps in this git repository, too, or alone if there is no"
    " SOURCE.",
    type=options.FOLDER,
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    default=Path("site"),
    show_default=True,
    help="Its folder: new, empty, or a site of ours.",
)
@click.option("--title", default="Session archive", show_default=True, help="Its title.")
@options.choice
@options.many("--session", metavar="ID", help="Only the session whose id begins so.")
@options.many(
    "--exclude", metavar="PATTERN", help="Leave out sessions and projects that fit."
)
@click.option(
    "--format",
    default="html,md",
    show_default=True,
    metavar="FORMATS",
    callback=_names_of(config.Format, "{all} is not html, md or html,md"),
    help="For each path: html, md or both.",
)
@options.one_of(
    "--detail",
    known=config.Detail,
    default="full",
    help="How much of each path: all; prompts and answers, the work as one line; prompts "
    "and replies, tools as one line each; prompts alone.",
)
@options.one_of(
    "--shared-prefix",
    known=config.SharedPrefix,
    default="auto",
    help="What a path shares with the one that took over: in full, as a link, or in full "
    "unless it is much.",
)
@click.option(
    "--without",
    default="",
    metavar="KINDS",
    callback=_names_of(config.Left, f"{{first}} is none of {', '.join(config.Left)}"),
    help=f"What to leave out, separated by commas: {', '.join(config.Left)}.",
)
@click.option(
    "--theme",
    default="default",
    show_default=True,
    metavar="THEME",
    help="default, plain (no script), or a folder.",
)
@click.option(
    "--front-matter",
    is_flag=False,
    flag_value="yaml",
    default="no",
    type=click.Choice(config.FRONT_MATTER),
    metavar="[obsidian]",
    help="Begin Markdown with YAML; obsidian: with links, too.",
)
@base_url_option("Where the site will stand: for a sitemap.")
@options.many(
    "--allow-frames",
    metavar="ORIGIN",
    help="Let pages of ORIGIN show it in frames.",
    type=_origin,
)
@options.flag("--no-search", help="Make no index to search all messages.")
@click.option(
    "--jobs",
    type=click.IntRange(min=0),
    default=0,
    metavar="NUMBER",
    show_default="one for each core",
    help="Worker processes.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    default="",
    help="Run the jobs on Dask: local:4 (processes here), tcp:// or tls:// of a scheduler"
    " (pip install everyleaf[cluster]).",
)
@click.option(
    "--cache-dir",
    type=options.FOLDER,
    metavar="FOLDER",
    help="With --cluster: what later builds use; all workers see it, nobody else may write"
    " there.  [default: beside OUT]",
)
@options.flag(
    "--trust-network", help="Let secrets of sessions go to a cluster without encryption."
)
@options.flag("--prune", help="Delete pages of sessions whose source has vanished.")
@click.option(
    "--cache/--no-cache",
    default=True,
    help="Use what earlier builds left in the cache folder.",
)
@options.flag("--strict", help="Exit with 1 on any issue.")
@options.flag("--force", help="Write into a folder that everyleaf did not make.")
@options.flag("--public", help="For everybody: mask people, too, and ask before writing.")
@options.flag("--private", help="For you alone: nobody else may read the files.")
@options.flag("-y", "--yes", "is_agreed", help="Do not ask; with --public.")
@options.flag(
    "--no-redact", help="Mask nothing: show everything as it stands in the sessions."
)
@options.one_of(
    "--images",
    known=config.Images,
    default="keep",
    help="Pictures, which nothing can look into for secrets: keep them without metadata, "
    "leave a line in their place, or drop them.",
)
@options.archive
@config_option
@options.json
@options.flag("-q", "--quiet", "is_quiet", help="Only errors and the last line.")
@options.flag("-v", "--verbose", "is_verbose", help="List every issue, and what was done.")
@click.pass_context
def build(
    context: click.Context,
    /,
    *,
    is_quiet: bool,
    is_verbose: bool,
    is_agreed: bool,
    is_json: bool,
    **words: object,
) -> int:
    """Build a site from the sessions in SOURCE.

    SOURCE is a .claude or projects folder, the folder of one project, any folder of
    .jsonl files, or one file; `.` is the project of this folder. Without it, what
    everyleaf.toml names, else $CLAUDE_CONFIG_DIR or ~/.claude. It is only read. The site
    holds one HTML page and one Markdown file for every unique path.
    """
    if is_quiet and is_verbose:
        raise click.UsageError("--quiet and --verbose exclude each other")
    from everyleaf.build import build_site

    asked = build_options(context, words)
    approve = partial(check_public, is_agreed=is_agreed) if asked.is_public else None
    has_bars = not asked.is_public or is_agreed
    with output.show_progress(is_quiet=is_quiet, has_bars=has_bars) as on_progress:
        report = build_site(asked, on_progress=on_progress, approve=approve)
    tell_report(report, asked, is_quiet=is_quiet, is_verbose=is_verbose)
    if is_json:
        output.echo_json(to_json(report), is_sorted=False)
    else:
        click.echo(summary_line(report))
    is_whole = report.is_everything_placed and not report.lost
    return 1 if not is_whole or (asked.is_strict and report.issues) else 0


def build_options(context: click.Context, words: dict[str, object]) -> config.BuildOptions:
    """Return the options of a build that `context` parsed, `words` among its parameters."""
    from everyleaf.buildwords import options_of

    sources = cast("tuple[Path, ...]", words["sources"])
    repositories = cast("tuple[Path, ...]", words["git"])
    if repositories and context.get_parameter_source("git") is ParameterSource.COMMANDLINE:
        sources = context.meta[options.NAMED]  # What was typed wins over settings.
    own = {name: words[name] for name in words.keys() - {"sources", "out"} - MANNERS}
    told = cast("BuildWords", own | {"redact": context.meta.get(REDACT, config.REDACT_ALL)})
    asked = options_of(sources, cast("Path", words["out"]), told)
    # What repositories hold comes behind the other sources, in their order.
    unpacked = asked.sources[len(asked.sources) - len(repositories) :]
    output.echo_lines(iter_lacking(zip(repositories, unpacked, strict=True)), err=True)
    return asked


def check_public(draft: Draft, *, is_agreed: bool) -> None:
    """Tell what `draft` is, and have it confirmed; secrets are masked in it.

    Raises:
        OutputError: nobody agreed, or nobody can be asked.
    """
    output.echo_lines(iter_summary(draft), err=True)
    if is_agreed:
        return
    if not output.is_attended():
        raise OutputError(
            "a public site needs a person's consent, and there is no terminal to ask at",
            hint="read the summary, then build with --yes",
        )
    if not click.confirm("Publish this for everybody to read?", err=True):
        raise OutputError("not published", hint="the output folder is as it was")


def iter_summary(draft: Draft) -> Iterator[str]:
    """Yield lines that sum up `draft`: contents, pictures, what was masked, sizes."""
    sizes = {url: location.stat().st_size for url, location in draft.files.items()}
    total, pictures = sum(sizes.values()), sum(url.endswith(PICTURES) for url in sizes)
    sums = draft.sums
    held = f"projects: {len(sums.projects):,}, sessions: {sums.sessions:,}"
    yield f"{held}, paths: {sums.paths:,}"
    yield f"images, which nothing looks into: {pictures:,}"
    masked = sorted(draft.redactions.items(), key=lambda item: (-item[1], item[0]))
    yield f"masked: {', '.join(f'{kind} {count:,}' for kind, count in masked) or 'nothing'}"
    yield f"files: {len(sizes):,}, {total / 1e6:,.1f} MB"
    if total > MOST_BYTES:
        yield f"  more than the {MOST_BYTES / 1e6:,.0f} MB that some hosts take"
    most = f"more than the {MOST_FILE_BYTES / 1e6:,.0f} MB that some hosts take"
    for url, size in sorted(sizes.items()):
        if size > MOST_FILE_BYTES:
            yield f"  {url}: {size / 1e6:,.1f} MB, {most}"


def tell_report(
    report: BuildReport, options: config.BuildOptions, *, is_quiet: bool, is_verbose: bool
) -> None:
    """Tell on stderr what was odd in a build, and what it did."""
    if not is_quiet:
        has_report = "html" in options.formats
        told = iter_issue_lines(report.issues, is_verbose=is_verbose, has_report=has_report)
        output.echo_lines(told, err=True)
    if is_verbose:
        counts = report.counts
        click.echo(
            f"work: read {counts.bytes_read:,} bytes, drew"
            f" {counted(counts.records, 'record')} in {counted(counts.turns, 'turn')},"
            f" {counted(counts.pages, 'page')} of"
            f" {counted(counts.families, 'session group')}",
            err=True,
        )
        if report.cluster is not None:
            output.echo_lines(iter_cluster_lines(report.cluster), err=True)
    if report.masked_late and not is_quiet:
        late = (f"{kind} in {counted(n, 'file')}" for kind, n in report.masked_late)
        said = "masked in finished files, where drawing brought it together"
        click.echo(f"{said}: {', '.join(late)}", err=True)
    if not report.is_everything_placed:
        records = counted(len(report.unplaced), "conversation record")
        said = f"{records} on no path, which is a bug"
        hint = "please report this, if possible with the session"
        output.echo_lines(iter_missing_lines(said, report.unplaced, hint), err=True)
    if report.lost:
        files = counted(len(report.lost), "file")
        said = f"workers were lost with {files} again and again; those pages stay"
        hint = "give workers more memory, and build again"
        output.echo_lines(iter_missing_lines(said, report.lost, hint), err=True)


def to_json(report: BuildReport) -> output.Json:
    """Return what a build did, as `everyleaf build --help` describes it."""
    names = (
        "sessions paths active abandoned contained records placed=is_everything_placed"
        " wrote kept deleted wall_s=seconds issues unplaced lost edited"
    )
    return output.pick(report, names) | {"masked_late": dict(report.masked_late)}


def summary_line(report: BuildReport) -> str:
    """Return the last line of a build: counts that a script can read."""
    placed = "all placed" if report.is_everything_placed else "NOT all placed"
    return (
        f"{counted(report.sessions, 'session')}, {counted(report.paths, 'path')}"
        f" ({report.active:,} active, {report.abandoned:,} abandoned,"
        f" {report.contained:,} contained), {counted(report.records, 'record')} {placed},"
        f" wrote {report.wrote:,}, kept {report.kept:,}, deleted {report.deleted:,};"
        f" {counted(len(report.issues), 'issue')}"
    )


def iter_issue_lines(
    issues: Sequence[Issue], *, is_verbose: bool, has_report: bool
) -> Iterator[str]:
    """Yield every issue with its place if `is_verbose`, else one line of counts by code."""
    if is_verbose:
        for issue in sorted(issues):
            yield output.printable(str(issue))
    elif issues:
        codes = Counter(issue.code for issue in issues)
        counts = ", ".join(f"{number:,} {code}" for code, number in sorted(codes.items()))
        where = "see report.html, or list them with -v" if has_report else "-v lists them"
        yield f"issues: {counts} ({where})"


def iter_cluster_lines(work: ClusterWork) -> Iterator[str]:
    """Yield what the workers of a cluster did, and how evenly."""
    again = f", {work.retries:,} begun again" if work.retries else ""
    yield f"cluster: {counted(len(work.busy), 'worker')}{again}"
    for kind in work.kinds:
        yield (
            f"  {kind.name}: {counted(kind.jobs, 'job')}, {kind.size_bytes / 1e6:,.1f} MB"
            f" in {kind.seconds:,.1f} s"
        )
    if work.busy:
        mean = sum(work.busy) / len(work.busy)
        yield f"  busiest worker {work.busy[0]:,.1f} s, on average {mean:,.1f} s"


def iter_missing_lines(said: str, names: Sequence[str], hint: str) -> Iterator[str]:
    """Yield what is `said` of what is on no page, the first of its `names`, and a hint."""
    yield f"error: {said}"
    yield from (f"  {output.printable(name)}" for name in names[:SHOWN])
    if len(names) > SHOWN:
        yield f"  and {len(names) - SHOWN:,} more"
    yield f"hint: {hint}"
