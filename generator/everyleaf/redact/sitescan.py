"""Looks for secrets in files of a site: by the rules, whatever is known of its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.cachedir import default_cache_dir
from everyleaf.config import REDACT_ALL
from everyleaf.errors import SourceError
from everyleaf.redact.lastlook import BINARY, Guard, LastLook, unpacked

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from everyleaf.config import OwnRule, RedactOptions

_SHOWN = 4
_SHOWN_OF = 16


class Exposed(Struct, frozen=True, order=True):
    """A secret where it stands."""

    file: str
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
        RedactError: the rules are not there, or one cannot be used.
        SourceError: a file cannot be read.
    """
    look = LastLook(Guard(with_words(options), default_cache_dir()))
    return {one for name, file in files.items() for one in _exposed(look, name, file)}


def _exposed(look: LastLook, name: str, file: Path) -> Iterator[Exposed]:
    for found in look.find("", name):
        yield expose(name, found.kind, found.value, 0)
    if name.endswith(BINARY):
        return
    try:
        body = file.read_bytes()
    except OSError as error:
        raise SourceError(
            f"cannot read {str(file)!r}: {error.strerror}",
            hint="check the permissions of the site",
        ) from error
    plain = unpacked(body)
    text = plain.decode("utf-8", errors="replace")
    for found in look.find(name, text):
        # Lines of what is compressed are nothing to look at.
        line = text.count("\n", 0, found.start) + 1 if plain is body else 0
        yield expose(name, found.kind, found.value, line)


def expose(file: str, kind: str, value: str, line: int) -> Exposed:
    """Return what may be told of a secret."""
    shown = value[:_SHOWN] if len(value) >= _SHOWN_OF else ""
    return Exposed(file, line, kind, f"{shown}… ({len(value)} characters)")
