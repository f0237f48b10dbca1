"""The last look before a site becomes public: what is in it, and whether it may go out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from everyleaf.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.report import Draft

MOST_BYTES = 1_000_000_000
"""What GitHub Pages takes as a whole site."""
MOST_FILE_BYTES = 100_000_000
"""What GitHub takes as one file."""
PICTURES = (".png", ".jpg", ".gif", ".webp")


def check_public(draft: Draft, *, is_agreed: bool) -> None:
    """Tell what `draft` is, and have it confirmed; secrets are masked in it.

    Raises:
        OutputError: nobody agreed, or nobody can be asked.
    """
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
