"""`everyleaf audit`: where secrets stand, without building anything."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import click

from everyleaf.cli.options import quiet_option, sources_argument
from everyleaf.cli.progress import show_progress
from everyleaf.cli.settings import REDACT, redact_config_option

if TYPE_CHECKING:
    from pathlib import Path

EPILOG = """\b
Examples:
  everyleaf audit ~/.claude
  everyleaf audit site --public --json

Exit codes: 0 nothing was found, 1 something was, or an error; 2 wrong usage.
"""


@click.command(epilog=EPILOG)
@sources_argument
@click.option(
    "--public",
    "is_public",
    is_flag=True,
    help="Look for people, too: e-mail addresses, hosts of private networks.",
)
@click.option("--json", "is_json", is_flag=True, help="Print a list of objects.")
@redact_config_option
@quiet_option
def audit(
    sources: tuple[Path, ...], *, is_public: bool, is_json: bool, is_quiet: bool
) -> int:
    """Look for secrets in SOURCE: sessions, or a finished site.

    SOURCE is what `everyleaf build` takes, or a folder that it wrote: pages, Markdown,
    JSON, drawings and the search index. A line tells the place, what was found, and how
    it begins; never the whole value. Nothing is sent anywhere.

    What the settings of a build say in [redact] holds here, too: own words and patterns
    are looked for, and what is allowed is passed over.
    """
    from everyleaf.audit import audit as look  # noqa: PLC0415  (slow to import)
    from everyleaf.config import RedactOptions  # noqa: PLC0415  (slow, too)
    from everyleaf.sources.discover import default_inputs  # noqa: PLC0415  (slow, too)

    told: RedactOptions = click.get_current_context().meta.get(REDACT) or RedactOptions()
    with show_progress(is_quiet=is_quiet) as on_progress:
        exposed = look(
            sources or (default_inputs(),),
            on_progress=on_progress,
            options=replace(told, is_public=is_public or told.is_public),
        )
    if is_json:
        click.echo(json.dumps([asdict(one) for one in exposed], indent=2))
        return 1 if exposed else 0
    for one in exposed:
        click.echo(f"{one.place}:{one.line}: {one.kind}: {one.preview}")
    click.echo(f"{len(exposed)} finding{'' if len(exposed) == 1 else 's'}")
    return 1 if exposed else 0
