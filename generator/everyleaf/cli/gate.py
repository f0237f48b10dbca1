"""The last look before a site becomes public: what is in it, and whether it may go out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from everyleaf.errors import OutputError, RedactError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.config import RedactOptions
    from everyleaf.report import Draft

MOST_BYTES = 1_000_000_000
"""What GitHub Pages takes as a whole site."""
MOST_FILE_BYTES = 100_000_000
"""What GitHub takes as one file."""
PICTURES = (".png", ".jpg", ".gif", ".webp")
SHOWN = 10


def check_public(draft: Draft, *, redact: RedactOptions, is_agreed: bool) -> None:
    """Look through `draft` for secrets, tell what it is, and have it confirmed.

    Looked for is what `redact` says, so that what a person allowed may go out.

    Raises:
        RedactError: something in it looks like a secret.
        OutputError: nobody agreed, or nobody can be asked.
    """
    from everyleaf.redact.sitescan import audit_files  # noqa: PLC0415  (slow to import)

    exposed = sorted(audit_files(draft.files, redact))
    for one in exposed[:SHOWN]:
        click.echo(f"{one.place}: {one.kind}: {one.preview}", err=True)
    if exposed:
        raise RedactError(
            f"the site holds {len(exposed)} values that look like secrets; nothing of it"
            " was published",
            hint="leave the sessions out with --exclude, or mask the values as own words",
        )
    for line in iter_summary(draft):
        click.echo(line, err=True)
    if is_agreed:
        return
    if not sys.stdin.isatty():
        raise OutputError(
            "a public site needs a person's consent, and there is no terminal to ask at",
            hint="read the summary, then build with --yes",
        )
    if not click.confirm("Publish this for everybody to read?", err=True):
        raise OutputError("not published", hint="the output folder is as it was")


def iter_summary(draft: Draft) -> Iterator[str]:
    """Yield what there is to know of `draft` before it goes out, a line each."""
    sizes = {url: location.stat().st_size for url, location in draft.files.items()}
    total, pictures = sum(sizes.values()), sum(url.endswith(PICTURES) for url in sizes)
    yield (
        f"projects: {draft.projects:,}, sessions: {draft.sessions:,},"
        f" paths: {draft.paths:,}"
    )
    yield f"images, which nothing looks into: {pictures:,}"
    masked = sorted(draft.redactions.items(), key=lambda item: (-item[1], item[0]))
    yield f"masked: {', '.join(f'{kind} {count:,}' for kind, count in masked) or 'nothing'}"
    yield f"files: {len(sizes):,}, {total / 1e6:,.1f} MB"
    if total > MOST_BYTES:
        yield f"  more than the {MOST_BYTES / 1e6:,.0f} MB that some hosts take"
    for url, size in sorted(sizes.items()):
        if size > MOST_FILE_BYTES:
            yield (
                f"  {url}: {size / 1e6:,.1f} MB, more than the"
                f" {MOST_FILE_BYTES / 1e6:,.0f} MB that some hosts take"
            )
