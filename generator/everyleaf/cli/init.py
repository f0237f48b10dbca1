"""`everyleaf init`: files to begin with, for a host, a repository or a hook."""

from __future__ import annotations

from pathlib import Path

import click

EPILOG = """\b
Examples:
  everyleaf init repo          everyleaf.toml for Markdown in docs/transcripts
  everyleaf init netlify       everyleaf.toml and netlify.toml
  everyleaf init pages         everyleaf.toml and a workflow for GitHub Pages
  everyleaf init pre-commit    a hook that keeps raw sessions and secrets out

All of them publish a folder that you built: raw sessions are never committed.
"""


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
def init(kit: str, folder: Path) -> None:
    """Write what publishing needs into this folder; files that are there stay."""
    from everyleaf.scaffold import NEXT, start  # noqa: PLC0415  (slow to import)

    started = start(folder, kit)
    for place in started.wrote:
        click.echo(f"wrote {place}")
    for place in started.kept:
        click.echo(f"kept {place}: it is there already")
    click.echo(f"next: {NEXT[kit]}")
