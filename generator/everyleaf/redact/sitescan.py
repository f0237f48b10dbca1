"""Looks for secrets in files of a site: by the rules, whatever is known of its sources."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from everyleaf.cachedir import default_cache_dir
from everyleaf.config import REDACT_ALL, Group, Mode
from everyleaf.errors import SourceError
from everyleaf.redact.gather import gather_text
from everyleaf.redact.placing import place_hits
from everyleaf.redact.redaction import is_wanted
from everyleaf.redact.scanner import Scanner
from everyleaf.redact.sitetexts import text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from everyleaf.config import OwnRule, RedactOptions
    from everyleaf.redact.findings import Finding
    from everyleaf.redact.gather import Gathered

_PLACEHOLDER = re.compile(r"\\?\[redacted: [a-z0-9 -]+\\?\]")
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


def with_words(options: RedactOptions) -> RedactOptions:
    """Return `options` with own words as patterns, which a scan finds, too."""
    return replace(options, own=tuple(map(_as_pattern, options.own)))


def _as_pattern(rule: OwnRule) -> OwnRule:
    if rule.pattern:
        return rule
    return replace(rule, word="", pattern="".join(map(_literal, rule.word)))


def _literal(character: str) -> str:
    """Return a pattern of one character; ASCII that means something by its number."""
    if character.isalnum() or not character.isascii():
        return character
    return f"\\x{ord(character):02x}"


def audit_files(
    files: Mapping[str, Path], options: RedactOptions = REDACT_ALL
) -> set[Exposed]:
    """Return what the rules find in files of a site, by the names that they have in it.

    The classes that `options` would mask are looked for, own words too; what they allow is
    passed over.

    Raises:
        RedactError: the scanner is missing or failed.
        SourceError: a file cannot be read.
    """
    options = with_words(options)
    scanner = Scanner(default_cache_dir() / "rules", options.own)
    is_people = options.mode(Group.PEOPLE) is Mode.ON
    keep_emails = options.keep_emails if is_people else None
    with TemporaryDirectory(prefix="everyleaf-") as folder:
        chunk_dir = Path(folder) / "chunks"
        chunk_dir.mkdir(mode=0o700)
        gathered: dict[str, Gathered] = {}
        for number, (name, file) in enumerate(files.items()):
            text = _text(name, file)
            if text is not None:
                chunk = chunk_dir / str(number)
                gathered[name] = gather_text(text, chunk, name, keep_emails)
        numbers = {name: str(number) for number, name in enumerate(files)}
        sizes = {numbers[name]: one.size_bytes for name, one in gathered.items()}
        hits = scanner.scan(chunk_dir, sizes)
        return {
            expose(name, finding._replace(line=0))
            for name, one in gathered.items()
            for finding in place_hits(
                hits.get(numbers[name], []), one, chunk_dir / numbers[name], files[name]
            )
            if is_wanted(finding, options)
        }


def _text(name: str, file: Path) -> str | None:
    """Return what can be read in a file, without the names of what was masked in it."""
    try:
        text = text_of(name.rsplit("/", 1)[-1], file.read_bytes())
    except OSError as error:
        raise SourceError(
            f"cannot read {str(file)!r}: {error.strerror}",
            hint="check the permissions of the site",
        ) from error
    return None if text is None else _PLACEHOLDER.sub("[redacted]", text)


def expose(place: str, finding: Finding) -> Exposed:
    """Return what may be told of a finding."""
    value = finding.value
    shown = value[:_SHOWN] if len(value) >= _SHOWN_OF else ""
    return Exposed(place, finding.line, finding.kind, f"{shown}… ({len(value)} characters)")
