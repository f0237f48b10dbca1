"""Looks for secrets without building: in sessions, or in a site as it would stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.cachedir import default_cache_dir
from everyleaf.config import REDACT_ALL
from everyleaf.publish.manifest import NAME
from everyleaf.redact.find import scan_sources
from everyleaf.redact.redaction import is_wanted
from everyleaf.redact.sitescan import Exposed, audit_files, expose, with_words
from everyleaf.sources.discover import find_sources
from everyleaf.workers import open_executor

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from everyleaf.config import RedactOptions
    from everyleaf.workers import OnProgress

SMALL_BYTES = 2_000_000
"""Below this much input, starting worker processes costs more than it saves."""


def is_site(folder: Path) -> bool:
    """Return whether `folder` holds a site that everyleaf built."""
    return (folder / NAME).is_file()


def audit(
    places: Sequence[Path],
    *,
    on_progress: OnProgress,
    options: RedactOptions = REDACT_ALL,
) -> list[Exposed]:
    """Return what the rules find in sites and in sources of sessions, sorted.

    `options` are those of a build: the classes that it would mask are looked for.

    Nothing is written but temporary files and what is remembered of sources.

    Raises:
        RedactError: the scanner is missing or failed.
        SourceError: a place cannot be read at all.
    """
    sites = [place for place in places if is_site(place)]
    sources = [place for place in places if place not in sites]
    exposed: set[Exposed] = set()
    for site in sites:
        exposed |= _audit_site(site, options)
    if sources:
        options = with_words(options)
        found = find_sources(sources, include_archive=True)
        with open_executor(0, is_small=found.size_bytes < SMALL_BYTES) as executor:
            scanned = scan_sources(
                found, options, executor, on_progress, cache_dir=default_cache_dir()
            )
        exposed |= {
            expose(str(location), finding.kind, finding.value, finding.line)
            for location, one in scanned
            for finding in one.findings
            if is_wanted(finding, options)
        }
    return sorted(exposed)


def _audit_site(site: Path, options: RedactOptions) -> set[Exposed]:
    files = sorted(file for file in site.rglob("*") if file.is_file())
    by_name = {file.relative_to(site).as_posix(): file for file in files}
    return audit_files(by_name, options)
