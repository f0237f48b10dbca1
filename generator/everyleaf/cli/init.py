"""`everyleaf init`: files to begin with, for a host, a repository or a hook."""

from __future__ import annotations

import re
import shlex
from glob import escape
from pathlib import Path, PurePosixPath

import click

from everyleaf.cli import options
from everyleaf.cli.build import base_url_option
from everyleaf.cli.completion import complete_project
from everyleaf.cli.output import echo_json, echo_lines, is_attended, printable
from everyleaf.cli.settings import SETTINGS_FILE, load_table
from everyleaf.errors import ConfigError

HOSTS = ("netlify", "pages")


@click.command()
@click.argument("kit", type=click.Choice(["netlify", "pages", "repo", "pre-commit"]))
@click.option(
    "--dir",
    "folder",
    type=options.OLD_FOLDER,
    default=Path(),
    show_default="this folder",
    help="Where to write.",
)
@options.many(
    "--project",
    "projects",
    metavar="PATTERN",
    help="Publish only projects whose name fits; * is all.",
    shell_complete=complete_project,
)
@options.flag(
    "--public",
    "is_public",
    help="With netlify and pages: a site for everybody. Without it, a private one.",
)
@base_url_option(
    "With netlify and pages: where the site will stand. For pages, the address that"
    " GitHub gives the repository unless said otherwise."
)
@options.json
def init(
    *,
    kit: str,
    folder: Path,
    projects: tuple[str, ...],
    is_public: bool,
    base_url: str,
    is_json: bool,
) -> None:
    """Write what publishing needs into this folder; files that are there stay."""
    from everyleaf.scaffold import NEXT, pages_url, start

    if kit not in HOSTS and (is_public or base_url):
        raise click.UsageError("--public and --base-url are for netlify and pages")
    settings: dict[str, bool | str | list[str]] = {}
    if kit != "pre-commit":
        projects = projects or _choose(folder, is_json=is_json)
        settings |= {"project": list(projects)} if projects else {}
    if kit in HOSTS:
        settings |= {"private": False, "public": True} if is_public else {}
        address = base_url or (pages_url(folder) if kit == "pages" else "")
        settings |= {"base-url": address} if address else {}
    own = folder / SETTINGS_FILE
    known: dict[str, object] = {"out": "docs/transcripts"} if kit == "repo" else {}
    if own.is_file() and kit != "pre-commit":
        known = load_table(own)
    out = PurePosixPath(str(known.get("out", "site"))).as_posix()
    if kit in HOSTS and not re.fullmatch(r"[\w-][\w.-]*(/[\w-][\w.-]*)*", out):
        raise ConfigError(
            f"{SETTINGS_FILE} writes to {out!r}, and a host takes no such folder",
            hint='name one in the repository, of letters and digits: out = "site"',
        )
    wrote, kept = start(folder, kit, settings, out=out)
    is_choice_known = bool({"project", "session", "source"} & known.keys())
    # Settings that were there may publish every project.
    told = projects if SETTINGS_FILE in kept and not is_choice_known else ()
    build = ["everyleaf", "build", *(word for each in told for word in ("--project", each))]
    there = "" if folder == Path() else f"cd {shlex.quote(str(folder))}; "
    then = f"{there}{NEXT[kit].format(build=shlex.join(build), out=out)}"
    if is_json:
        files = [{"file": place, "new": place in wrote} for place in (*wrote, *kept)]
        counts = {"wrote": len(wrote), "kept": len(kept)}
        echo_json(counts | {"files": files, "next": then}, is_sorted=False)
        return
    echo_lines(f"wrote {place}" for place in wrote)
    echo_lines(f"kept {place}: it is there already" for place in kept)
    click.echo(printable(f"next: {then}"))


def _choose(folder: Path, *, is_json: bool) -> tuple[str, ...]:
    """Return patterns of projects to publish; with `is_json`, stdout is the result's."""
    from everyleaf.scaffold import find_projects

    here, known = find_projects(folder)
    if here:
        said = f"project: {', '.join(here)}, whose sessions ran in this folder"
        click.echo(printable(said), err=is_json)
        return tuple(map(escape, here))
    if known and is_attended():
        click.echo(printable(f"the projects are: {', '.join(known)}"), err=is_json)
        asked = "Publish which? A name, a pattern, or * for all"
        return (str(click.prompt(asked, err=is_json)).strip(),)
    if known:
        click.echo(
            f"no session ran in this folder: as it is, all {len(known):,} projects are"
            " published; choose with --project, or in everyleaf.toml",
            err=is_json,
        )
    return ()
