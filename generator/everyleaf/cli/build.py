"""`everyleaf build`: sessions in, a site out."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from everyleaf.cli.gate import check_public
from everyleaf.cli.options import (
    archive_option,
    choice_options,
    no_redact_option,
    sources_argument,
)
from everyleaf.cli.progress import show_progress
from everyleaf.cli.report import (
    counts_line,
    iter_issue_lines,
    iter_unplaced_lines,
    masked_line,
    summary_line,
)
from everyleaf.cli.settings import REDACT, config_option

if TYPE_CHECKING:
    from everyleaf.config import BuildOptions
    from everyleaf.report import BuildReport

FORMATS = ("html", "md")
IMAGES = ("keep", "placeholder", "drop")
PREFIXES = ("full", "link", "auto")
LEFT = ("thinking", "tools", "agents", "images", "abandoned")
MANNERS = ("is_quiet", "is_verbose", "is_agreed")
DETAILS = ("full", "talk", "prompts")

EPILOG = """\b
Examples:
  everyleaf build --out site
  everyleaf build ~/.claude --out site --project parser --title "Parser sessions"
  everyleaf build logs/ --format md --out docs/transcripts
  everyleaf build ~/.claude --out site --exclude "*secret*" --strict
  everyleaf build ~/.claude --out site --theme ./my-theme

The last line is a count that scripts can read. Exit codes: 0 built, with or without
issues; 1 an error, a record that is on no page, or any issue under --strict; 2 wrong
usage; 130 interrupted.
"""


def _parse_formats(
    _context: click.Context, _parameter: click.Parameter, value: str
) -> tuple[str, ...]:
    names = {name.strip() for name in value.split(",")}
    if not names <= set(FORMATS):
        raise click.BadParameter(f"{value!r} is not html, md or html,md")
    return tuple(name for name in FORMATS if name in names)


def _parse_without(
    _context: click.Context, _parameter: click.Parameter, value: str
) -> tuple[str, ...]:
    names = {name.strip() for name in value.split(",")} - {""}
    unknown = sorted(names - set(LEFT))
    if unknown:
        raise click.BadParameter(f"{unknown[0]!r} is none of {', '.join(LEFT)}")
    return tuple(sorted(names))


def parse_base_url(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    """Return the address of a site, with a slash at the end; empty: it is not known."""
    if value and not re.fullmatch(r"https?://[^/?#\s]+(?:/[^?#\s]*)?", value):
        raise click.BadParameter(f"{value!r} is no address like https://example.org/talks/")
    return value if not value or value.endswith("/") else f"{value}/"


@click.command(epilog=EPILOG)
@sources_argument
@click.option(
    "-o",
    "--out",
    "output_dir",
    type=click.Path(path_type=Path),
    default=Path("site"),
    show_default=True,
    help="Folder to write the site to: new, empty, or made by everyleaf.",
)
@click.option("--title", default="Session archive", show_default=True, help="Its title.")
@choice_options
@click.option(
    "--session",
    "sessions",
    multiple=True,
    metavar="ID",
    help="Publish only the session with this id, or whose id begins so. May be repeated.",
)
@click.option(
    "--exclude",
    multiple=True,
    metavar="PATTERN",
    help="Leave out sessions and projects whose id or name fits. May be repeated.",
)
@click.option(
    "--format",
    "formats",
    default="html,md",
    show_default=True,
    metavar="FORMATS",
    callback=_parse_formats,
    help="What to write for each path: html, md or both.",
)
@click.option(
    "--detail",
    type=click.Choice(DETAILS),
    default="full",
    show_default=True,
    help="How much of each path: all, prompts and replies with tools as one line each, "
    "or prompts alone.",
)
@click.option(
    "--shared-prefix",
    type=click.Choice(PREFIXES),
    default="auto",
    show_default=True,
    help="Show what a path shares with the one that took over: in full, as a link, or in "
    "full unless it is much.",
)
@click.option(
    "--without",
    default="",
    metavar="KINDS",
    callback=_parse_without,
    help=f"What to leave out, separated by commas: {', '.join(LEFT)}.",
)
@click.option(
    "--theme",
    default="default",
    show_default=True,
    metavar="THEME",
    help="How pages look: default, plain (one style sheet, no script), or your own folder.",
)
@click.option(
    "--front-matter",
    "has_front_matter",
    is_flag=True,
    help="Begin each Markdown file with a block of YAML.",
)
@click.option(
    "--base-url",
    metavar="URL",
    default="",
    callback=parse_base_url,
    help="Where the site will stand: adds a sitemap and each page's absolute address.",
)
@click.option(
    "--no-search",
    "has_search",
    is_flag=True,
    flag_value=False,
    default=True,
    help="Make no index to search all messages.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=0),
    default=0,
    metavar="NUMBER",
    show_default="one for each core",
    help="Worker processes.",
)
@click.option(
    "--prune",
    "is_pruned",
    is_flag=True,
    help="Delete the pages of sessions whose source has vanished.",
)
@click.option(
    "--cache/--no-cache",
    "has_cache",
    default=True,
    help="Use what earlier builds left in the cache folder; on unless said otherwise.",
)
@click.option("--strict", "is_strict", is_flag=True, help="Exit with 1 on any issue.")
@click.option(
    "--force",
    "is_forced",
    is_flag=True,
    help="Write into a folder that everyleaf did not make.",
)
@click.option(
    "--public",
    "is_public",
    is_flag=True,
    help="For everybody: mask people too, let search engines in, and ask before anything"
    " is written.",
)
@click.option(
    "--private",
    "is_private",
    is_flag=True,
    help="For you alone: only you may read the files (0600) and open the folders (0700)."
    " On Windows they keep the rights of the folder around them.",
)
@click.option("-y", "--yes", "is_agreed", is_flag=True, help="Do not ask; with --public.")
@no_redact_option
@click.option(
    "--images",
    type=click.Choice(IMAGES),
    default="keep",
    show_default=True,
    help="Pictures of a conversation, which nothing can look into for secrets: publish "
    "them without their metadata, leave a line in their place, or leave them out.",
)
@archive_option
@config_option
@click.option(
    "-q", "--quiet", "is_quiet", is_flag=True, help="Only errors and the last line."
)
@click.option(
    "-v",
    "--verbose",
    "is_verbose",
    is_flag=True,
    help="List every issue, and what was done.",
)
@click.pass_context
def build(
    context: click.Context,
    /,
    *,
    is_quiet: bool,
    is_verbose: bool,
    is_agreed: bool,
    **chosen: object,
) -> int:
    """Build a site from the sessions in SOURCE.

    SOURCE is a .claude or projects folder, the folder of one project, any folder of
    .jsonl files, or one file; `.` is the project of this folder. Without it, what
    everyleaf.toml names, else $CLAUDE_CONFIG_DIR or ~/.claude. It is only read. The site
    holds one HTML page and one Markdown file for every unique path.
    """
    if is_quiet and is_verbose:
        raise click.UsageError("--quiet and --verbose exclude each other")
    from everyleaf.build import build_site  # noqa: PLC0415  (slow to import)

    options = build_options(context, chosen)
    approve = partial(check_public, is_agreed=is_agreed)
    has_bars = not options.is_public or is_agreed
    with show_progress(is_quiet=is_quiet, has_bars=has_bars) as on_progress:
        report = build_site(
            options, on_progress=on_progress, approve=approve if options.is_public else None
        )
    _print_report(report, options, is_quiet=is_quiet, is_verbose=is_verbose)
    is_failed = not report.is_everything_placed or (options.is_strict and report.issues)
    return 1 if is_failed else 0


def build_options(context: click.Context, chosen: dict[str, object]) -> BuildOptions:
    """Return the options of a build that `context` parsed, `chosen` among its parameters.

    `MANNERS` are not chosen: they say how the command behaves, not what is built.
    """
    from everyleaf.config import (  # noqa: PLC0415  (slow to import)
        BuildOptions,
        Images,
        RedactOptions,
    )
    from everyleaf.sources.discover import default_inputs  # noqa: PLC0415  (slow, too)

    images, is_unredacted = Images(str(chosen.pop("images"))), chosen.pop("is_unredacted")
    told: RedactOptions = context.meta.get(REDACT) or RedactOptions()
    redact = replace(told, is_on=not is_unredacted, images=images)
    sources = chosen["sources"] or (default_inputs(),)
    return BuildOptions.model_validate({**chosen, "sources": sources, "redact": redact})


def _print_report(
    report: BuildReport, options: BuildOptions, *, is_quiet: bool, is_verbose: bool
) -> None:
    has_report = "html" in options.formats
    if not is_quiet:
        for line in iter_issue_lines(
            report.issues, is_verbose=is_verbose, has_report=has_report
        ):
            click.echo(line, err=True)
    if is_verbose:
        click.echo(counts_line(report.counts), err=True)
    if report.masked_late and not is_quiet:
        click.echo(masked_line(report.masked_late), err=True)
    if not report.is_everything_placed:
        for line in iter_unplaced_lines(report.unplaced):
            click.echo(line, err=True)
    click.echo(summary_line(report))
