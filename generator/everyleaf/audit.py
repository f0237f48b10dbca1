"""Looks for secrets without building: in sessions, in a site, in what is to be committed.

Raw sessions, secrets, and half of a published folder must not be committed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.cachedir import default_cache_dir
from everyleaf.config import REDACT_ALL, Mode, OwnRule, RedactOptions
from everyleaf.errors import SourceError, refused
from everyleaf.gitrepo import GitEntry, find_indexed, find_staged, is_merging, iter_bodies
from everyleaf.grouping import grouped
from everyleaf.publish.manifest import NAME, Manifest, parse_manifest
from everyleaf.publish.site import verify_site
from everyleaf.redact.find import scan_sources
from everyleaf.redact.kinds import best_kind
from everyleaf.redact.lastlook import BINARY, Guard, LastLook, unpacked
from everyleaf.redact.redaction import is_wanted
from everyleaf.sources.discover import find_sources
from everyleaf.sources.lines import Content, holds_record, judge
from everyleaf.workers import SMALL_BYTES, OnProgress, open_executor

Sites = Mapping[str, Manifest]
"""Folder of a site, with a slash at the end, or empty → what it should hold."""
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


def audit(
    places: Sequence[Path], *, on_progress: OnProgress, options: RedactOptions = REDACT_ALL
) -> list[Exposed]:
    """Return what the rules find in sites and in sources of sessions, sorted.

    `options` are those of a build: the classes that it would mask are looked for.

    Nothing is written but temporary files and what is remembered of sources.

    Raises:
        RedactError: the scanner is missing or failed.
        SourceError: a place cannot be read at all.
    """
    sites = [place for place in places if (place / NAME).is_file()]
    sources = [place for place in places if place not in sites]
    exposed: set[Exposed] = set()
    for site in sites:
        files = sorted(file for file in site.rglob("*") if file.is_file())
        by_name = {file.relative_to(site).as_posix(): file for file in files}
        exposed |= audit_files(by_name, options)
    if sources:
        options = with_words(options)
        try:
            found = find_sources(sources, include_archive=True)
        except SourceError as error:
            error.hint += "; a site is known by its manifest.json"
            raise
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
    return _named_best(exposed)


def _named_best(exposed: Iterable[Exposed]) -> list[Exposed]:
    """Return what is exposed, sorted, each by the one of its kinds that says most."""
    kinds = grouped((replace(one, kind=""), one.kind) for one in exposed)
    return sorted(replace(one, kind=best_kind({*of})) for one, of in kinds.items())


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
    hint = "check the permissions of the site"
    with refused(SourceError, f"cannot read {str(file)!r}", hint):
        body = file.read_bytes()
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


RAW = "raw-session"
TORN = "not-whole"
"""Kinds of what is found beside secrets."""

_LINES = (".jsonl", ".ndjson")
_TEXTS = (".json", ".txt")
_FIRST_BYTES = 8000
"""A file with a zero byte among so many is no text: git has it so, too."""


def audit_staged(folder: Path, options: RedactOptions = REDACT_ALL) -> list[Exposed]:
    """Return what the next commit of the repository around `folder` must not hold, sorted.

    Looked at is what is staged, not what lies in the folder. In a published folder that is
    looked for which an audit of it would find; in other files secrets, and own words.

    Raises:
        SourceError: there is no repository.
        RedactError: the scanner is missing or failed.
    """
    staged = find_staged(folder)
    if not staged:
        return []
    indexed = find_indexed(folder)
    listings = (each for each in indexed if each.name.rsplit("/", 1)[-1] == NAME)
    read = ((e.name, parse_manifest(body)) for e, body in iter_bodies(folder, listings))
    sites = {name.removesuffix(NAME): manifest for name, manifest in read if manifest}
    found = set(_iter_exposed(folder, staged, sites, options))
    # What git merged line by line, the next build puts in order.
    if not is_merging(folder):
        for site in {_site_of(entry, sites) for entry in staged}:
            if site is not None:
                found |= set(_iter_torn(folder, indexed, site, sites[site]))
    return _named_best(found)


def _iter_exposed(
    folder: Path, staged: Iterable[GitEntry], sites: Sites, options: RedactOptions
) -> Iterator[Exposed]:
    published: dict[str, Path] = {}
    others: dict[str, Path] = {}
    changed = (entry for entry in staged if entry.blob)
    with TemporaryDirectory(prefix="everyleaf-") as place:
        for number, (entry, body) in enumerate(iter_bodies(folder, changed)):
            if _is_raw(entry.name, body):
                yield Exposed(entry.name, 0, RAW, "commit what everyleaf builds of it")
                continue
            is_published = _site_of(entry, sites) is not None
            if is_published or b"\0" not in body[:_FIRST_BYTES]:
                copy = Path(place, str(number))
                copy.write_bytes(body)
                (published if is_published else others)[entry.name] = copy
        secrets = replace(options, places=Mode.CUSTOM, people=Mode.CUSTOM)
        for files, wanted in ((published, options), (others, secrets)):
            yield from audit_files(files, wanted) if files else ()


def _is_raw(name: str, body: bytes) -> bool:
    """Return whether a file holds a session as the CLI writes it, or a recording of one.

    Names say how far to look: text may stand before the records, in a file for lines a
    damaged record is one, too, and what is called otherwise must begin with a record.
    """
    suffix = Path(name).suffix.lower()
    if suffix in _LINES:
        return judge(body) is Content.SESSION
    if suffix in _TEXTS:
        return holds_record(body)
    return holds_record(body.lstrip().split(b"\n", 1)[0])


def _site_of(entry: GitEntry, sites: Iterable[str]) -> str | None:
    """Return the innermost of `sites` that `entry` stands in."""
    around = [site for site in sites if entry.name.startswith(site)]
    return max(around, key=len, default=None)


def _iter_torn(
    folder: Path, indexed: Sequence[GitEntry], site: str, manifest: Manifest
) -> Iterator[Exposed]:
    """Yield a site that would not stand in the commit as it was published."""
    urls = {f"{site}{url}" for url in (NAME, *manifest.files)}
    listed = (entry for entry in indexed if entry.name in urls)
    with TemporaryDirectory(prefix="everyleaf-") as place:
        for entry, body in iter_bodies(folder, listed):
            copy = Path(place, entry.name.removeprefix(site))
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(body)
        verdict = verify_site(Path(place))
    for url in sorted({*verdict.missing, *verdict.changed})[:1]:
        count = len(verdict.missing) + len(verdict.changed)
        more = f" and {count - 1:,} more files" if count > 1 else ""
        yield Exposed(
            site + url, 0, TORN, f"not as published{more}: build, and add all of it"
        )
