"""Looks for secrets without building: in sessions, or in a site as it would stand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from everyleaf.config import REDACT_ALL, Group, Mode
from everyleaf.errors import SourceError
from everyleaf.publish.manifest import NAME
from everyleaf.redact.find import scan_sources
from everyleaf.redact.gather import gather_text
from everyleaf.redact.memory import default_cache_dir
from everyleaf.redact.placing import place_hits
from everyleaf.redact.redaction import is_wanted
from everyleaf.redact.scanner import Scanner
from everyleaf.redact.sitetexts import text_of
from everyleaf.sources.discover import find_sources
from everyleaf.workers import open_executor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from everyleaf.config import RedactOptions
    from everyleaf.redact.findings import Finding
    from everyleaf.redact.gather import Gathered
    from everyleaf.workers import OnProgress

SMALL_BYTES = 2_000_000
"""Below this much input, starting worker processes costs more than it saves."""
_SHOWN = 4
_SHOWN_OF = 16


@dataclass(frozen=True, slots=True, order=True)
class Exposed:
    """A secret where it stands."""

    place: str
    """File, as it was named or inside the folder that was."""
    line: int
    """1-based; 0: not known."""
    kind: str
    preview: str
    """Enough to know it again, too little to use it."""


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
        found = find_sources(sources, include_archive=True)
        with open_executor(0, is_small=found.size_bytes < SMALL_BYTES) as executor:
            scanned = scan_sources(
                found, options, executor, on_progress, cache_dir=default_cache_dir()
            )
        exposed |= {
            _exposed(str(location), finding)
            for location, one in scanned
            for finding in one.findings
            if is_wanted(finding, options)
        }
    return sorted(exposed)


def _audit_site(site: Path, options: RedactOptions) -> set[Exposed]:
    files = sorted(file for file in site.rglob("*") if file.is_file())
    by_name = {file.relative_to(site).as_posix(): file for file in files}
    return audit_files(by_name, options)


def audit_files(
    files: Mapping[str, Path], options: RedactOptions = REDACT_ALL
) -> set[Exposed]:
    """Return what the rules find in files of a site, by the names that they have in it.

    The classes that `options` would mask are looked for; what they allow is passed over.

    Raises:
        RedactError: the scanner is missing or failed.
        SourceError: a file cannot be read.
    """
    scanner = Scanner(default_cache_dir() / "rules", options.own)
    is_people = options.mode(Group.PEOPLE) is Mode.ON
    keep_emails = options.keep_emails if is_people else None
    names = list(files)
    exposed: set[Exposed] = set()
    with TemporaryDirectory(prefix="everyleaf-") as folder:
        chunk_dir = Path(folder) / "chunks"
        chunk_dir.mkdir(mode=0o700)
        gathered: dict[int, Gathered] = {}
        for number, (name, file) in enumerate(files.items()):
            try:
                text = text_of(name.rsplit("/", 1)[-1], file.read_bytes())
            except OSError as error:
                raise SourceError(
                    f"cannot read {str(file)!r}: {error.strerror}",
                    hint="check the permissions of the site",
                ) from error
            if text is not None:
                chunk = chunk_dir / str(number)
                gathered[number] = gather_text(text, chunk, name, keep_emails)
        sizes = {str(number): one.size_bytes for number, one in gathered.items()}
        hits = scanner.scan(chunk_dir, sizes)
        for number, one in gathered.items():
            name = names[number]
            placed = place_hits(
                hits.get(str(number), []), one, chunk_dir / str(number), files[name]
            )
            exposed |= {
                _exposed(name, finding._replace(line=0))
                for finding in placed
                if is_wanted(finding, options)
            }
    return exposed


def _exposed(place: str, finding: Finding) -> Exposed:
    value = finding.value
    shown = value[:_SHOWN] if len(value) >= _SHOWN_OF else ""
    return Exposed(place, finding.line, finding.kind, f"{shown}… ({len(value)} characters)")
