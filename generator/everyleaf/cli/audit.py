"""`everyleaf audit`: where secrets stand, without building anything."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from everyleaf.cli.echoing import json_line
from everyleaf.cli.errors import printable
from everyleaf.cli.options import NAMED, json_option, quiet_option, sources_argument
from everyleaf.cli.progress import show_progress
from everyleaf.cli.settings import REDACT, redact_config_option

if TYPE_CHECKING:
    from everyleaf.config import RedactOptions
    from everyleaf.redact.sitescan import Exposed

EPILOG = """\b
Examples:
  everyleaf audit ~/.claude
  everyleaf audit site --public --json
  everyleaf audit --staged

JSON: one object a line: place, line (0: not known), kind, preview.

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
@click.option(
    "--staged",
    "is_staged",
    is_flag=True,
    help="Look at what is staged in this git repository instead, for a hook: also for raw"
    " sessions, and published folders that are not whole.",
)
@json_option
@redact_config_option
@quiet_option
def audit(
    sources: tuple[Path, ...],
    *,
    is_public: bool,
    is_staged: bool,
    is_json: bool,
    is_quiet: bool,
) -> int:
    """Look for secrets in SOURCE: sessions, or a finished site.

    SOURCE is what `everyleaf build` takes, or a folder that it wrote: pages, Markdown,
    JSON, drawings and the search index. A line tells file and line, what was found, and
    how it begins; never the whole value. Nothing is sent anywhere.

    What the settings of a build say in [redact] holds here, too: own words and patterns
    are looked for, and what is allowed is passed over.
    """
    context = click.get_current_context()
    if is_staged and context.meta[NAMED]:
        raise click.UsageError("--staged looks at this repository, and takes no SOURCE")
    from everyleaf.config import RedactOptions  # noqa: PLC0415  (slow to import)

    told: RedactOptions = context.meta.get(REDACT) or RedactOptions()
    options = replace(told, is_public=is_public or told.is_public)
    if is_staged:
        from everyleaf.staged import audit_staged  # noqa: PLC0415  (slow, too)

        exposed = audit_staged(Path(), options)
    else:
        exposed = _look(sources, options, is_quiet=is_quiet)
    if is_json:
        for one in exposed:
            click.echo(json_line(one))
        return 1 if exposed else 0
    for one in exposed:
        place = f"{printable(one.place)}:{one.line}" if one.line else printable(one.place)
        click.echo(f"{place}: {one.kind}: {one.preview}")
    if exposed or not is_staged:  # A hook has nothing to say of a good commit.
        click.echo(f"{len(exposed)} finding{'' if len(exposed) == 1 else 's'}")
    return 1 if exposed else 0


def _look(
    sources: tuple[Path, ...], options: RedactOptions, *, is_quiet: bool
) -> list[Exposed]:
    from everyleaf.audit import audit as look  # noqa: PLC0415  (slow to import)
    from everyleaf.sources.discover import default_inputs  # noqa: PLC0415  (slow, too)

    with show_progress(is_quiet=is_quiet) as on_progress:
        return look(
            sources or (default_inputs(),), on_progress=on_progress, options=options
        )
