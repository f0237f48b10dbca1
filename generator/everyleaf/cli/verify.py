"""`everyleaf verify`: does a folder hold what was published into it?"""

from __future__ import annotations

import json
from pathlib import Path

import click
from msgspec.structs import asdict

from everyleaf.cli.errors import printable

EPILOG = """\b
Examples:
  everyleaf verify site
  everyleaf verify docs/transcripts --json

Exit codes: 0 every published file is there, as it was written; 1 one is missing or was
changed, or the folder is none of ours. Files that everyleaf did not write are listed and
change nothing.
"""


@click.command(epilog=EPILOG)
@click.argument("site", type=click.Path(path_type=Path), default=Path("site"))
@click.option("--json", "is_json", is_flag=True, help="One JSON object.")
def verify(site: Path, *, is_json: bool) -> int:
    """Check the folder SITE against the manifest that the last build left in it."""
    from everyleaf.publish.site import verify_site  # noqa: PLC0415  (slow to import)

    verdict = verify_site(site)
    if is_json:
        click.echo(json.dumps({**asdict(verdict), "whole": verdict.is_whole}))
    else:
        for name in ("missing", "changed", "extra"):
            for url in getattr(verdict, name):
                click.echo(f"{name}: {printable(url)}")
        counts = f"{len(verdict.missing)} missing, {len(verdict.changed)} changed"
        click.echo(
            f"{verdict.files:,} files published, {counts}, {len(verdict.extra)} extra"
        )
    return 0 if verdict.is_whole else 1
