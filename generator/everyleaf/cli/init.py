"""`everyleaf init`: files to begin with, for a host, a repository or a hook."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from everyleaf.cli.build import parse_base_url
from everyleaf.cli.completing import complete_project
from everyleaf.cli.errors import printable
from everyleaf.cli.settings import SETTINGS_FILE, load_table

if TYPE_CHECKING:
    from everyleaf.scaffold import Projects

EPILOG = """\b
Examples:
  everyleaf init repo                  Markdown in docs/transcripts: everyleaf.toml
  everyleaf init netlify --public      for everybody: everyleaf.toml and netlify.toml
  everyleaf init pages --project "p*"  everyleaf.toml and a workflow for GitHub Pages
  everyleaf init pre-commit            a hook that keeps raw sessions and secrets out

Without --project, the project whose sessions ran in the folder is chosen; where there is
none, you are asked. All of them publish a folder that you built: raw sessions are never
committed.
"""
HOSTS = ("netlify", "pages")


@click.command(epilog=EPILOG)
@click.argument("kit", type=click.Choice(["netlify", "pages", "repo", "pre-commit"]))
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path(),
    show_default="this folder",
    help="Where to write.",
)
@click.option(
    "--project",
    "projects",
    multiple=True,
    metavar="PATTERN",
    shell_complete=complete_project,
    help="Publish only projects whose name fits; * is all. May be repeated.",
)
@click.option(
    "--public",
    "is_public",
    is_flag=True,
    help="With netlify and pages: a site for everybody. Without it, a private one.",
)
@click.option(
    "--base-url",
    metavar="URL",
    default="",
    callback=parse_base_url,
    help="With netlify and pages: where the site will stand. For pages, the address that"
    " GitHub gives the repository unless said otherwise.",
)
def init(
    *, kit: str, folder: Path, projects: tuple[str, ...], is_public: bool, base_url: str
) -> None:
    """Write what publishing needs into this folder; files that are there stay."""
    from everyleaf.scaffold import NEXT, start  # noqa: PLC0415  (slow to import)

    if kit not in HOSTS and (is_public or base_url):
        raise click.UsageError("--public and --base-url are for netlify and pages")
    settings: dict[str, bool | str | list[str]] = {}
    if kit != "pre-commit":
        projects = projects or _choose(folder)
        settings |= {"project": list(projects)} if projects else {}
    if kit in HOSTS:
        settings |= {"private": False, "public": True} if is_public else {}
        address = base_url or _known_address(kit, folder)
        settings |= {"base-url": address} if address else {}
    started = start(folder, kit, settings)
    for place in started.wrote:
        click.echo(f"wrote {place}")
    for place in started.kept:
        click.echo(f"kept {place}: it is there already")
    told = projects if _leaves_open(folder, started.kept) else ()
    build = ["everyleaf", "build", *(word for each in told for word in ("--project", each))]
    there = "" if folder == Path() else f"cd {shlex.quote(str(folder))}; "
    click.echo(printable(f"next: {there}{NEXT[kit].format(build=shlex.join(build))}"))


def _choose(folder: Path) -> tuple[str, ...]:
    """Return patterns of the projects to publish: of the folder, or as a person says."""
    from everyleaf.scaffold import find_projects, pattern_of  # noqa: PLC0415  (slow)

    known = find_projects(folder)
    if known.here:
        names = ", ".join(known.here)
        click.echo(printable(f"project: {names}, whose sessions ran in this folder"))
        return tuple(map(pattern_of, known.here))
    return _ask(known)


def _ask(known: Projects) -> tuple[str, ...]:
    if not known.all:
        return ()
    count = len(known.all)
    if not _is_terminal():
        click.echo(
            f"no session ran in this folder: as it is, all {count:,} projects are"
            " published; choose with --project, or in everyleaf.toml"
        )
        return ()
    click.echo(printable(f"the projects are: {', '.join(known.all)}"))
    said = str(click.prompt("Publish which? A name, a pattern, or * for all"))
    return (said.strip(),)


def _is_terminal() -> bool:
    return sys.stdin.isatty()


def _leaves_open(folder: Path, kept: tuple[str, ...]) -> bool:
    """Return whether settings were kept that would publish every project."""
    if SETTINGS_FILE not in kept:
        return False
    chosen = load_table(folder / SETTINGS_FILE)
    return not {"project", "session", "source"} & chosen.keys()


def _known_address(kit: str, folder: Path) -> str:
    from everyleaf.scaffold import pages_url  # noqa: PLC0415  (slow to import)

    return pages_url(folder) if kit == "pages" else ""
