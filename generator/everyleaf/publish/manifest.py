"""What an earlier build wrote into a folder: `manifest.json`, the proof that it is ours.

    {
     "format": "everyleaf-manifest",
     "version": 2,
     "files": {
      url: {"digest": …, "sessions": […]},
      url: {"sessions": […]},
      …
      "": null
     }
    }

A line a file, each with a comma behind it, so that git can merge two people's manifests
line by line and what comes out is still JSON. Without a digest stand the files of a session
whose `data/` file holds their digests, and that file itself: so a new message changes no
line here. Source: our own format; a change of it is a new version and a line in the
changelog.

A url that leads out of the folder, or that cannot stand beside another one on every disk,
is never written, whoever asks.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Set as AbstractSet
from io import BytesIO
from itertools import zip_longest
from json.encoder import encode_basestring_ascii as _quoted
from pathlib import Path

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from everyleaf.digest import digest_hex
from everyleaf.errors import OutputError, refused
from everyleaf.grouping import grouped
from everyleaf.outputs import read_checksums

RESERVED = frozenset({"manifest.json", ".everyleaf-staging", ".everyleaf-staging-left"})
"""First parts of urls that publishing keeps for itself, as `fold` gives them."""
_PLAIN = re.compile(r"(?:[\w.-]*[\w-]/)*[\w.-]*[\w-]", re.ASCII)


def is_safe(url: str) -> bool:
    """Tell whether `url` stays inside the output folder, on POSIX and on Windows alike.

    >>> [is_safe(url) for url in ("a/b.html", "../a", "/a", "a//b", "C:a", "a/b. ")]
    [True, False, False, False, False, False]
    """
    # Nearly all are plain.
    return bool(_PLAIN.fullmatch(url)) or (
        all(
            part.strip(" ") and part[-1] not in ". " and part.isprintable()
            for part in url.split("/")
        )
        and not set(url) & set('\\:*?"<>|')
    )


def fold(url: str) -> str:
    """Return what a disk that ignores case and Unicode form takes `url` for."""
    if url.isascii():
        return url.lower()  # As nearly all are: the same in a tenth of the time.
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", url).casefold())


def parents(url: str) -> list[str]:
    """Return the folders that `url` stands in, nearest first, without the output folder.

    >>> parents("a/b/c.html")
    ['a/b', 'a']
    """
    folders = url.split("/")[:-1]
    return ["/".join(folders[:depth]) for depth in range(len(folders), 0, -1)]


def check_urls(urls: Iterable[str]) -> None:
    """Check that all `urls` can be written into one folder on any disk.

    Raises:
        OutputError: if any leaves the folder, is reserved, or stands in the place of
            another; names all of them.
    """
    known = sorted(set(urls))
    bad = [url for url in known if not is_safe(url) or fold(url.split("/")[0]) in RESERVED]
    if bad:
        raise OutputError(
            f"pages have addresses that cannot be written: {', '.join(map(repr, bad))}",
            hint="leave out the sessions with --exclude, and please report this",
        )
    places = grouped((fold(url), url) for url in known)
    around = places.keys() & _folders(places)
    for place in sorted(places) if around else ():
        for parent in around.intersection(parents(place)):
            places[parent].extend(places[place])
    groups = [group for _, group in sorted(places.items()) if len(group) > 1]
    if groups:
        shown = "; ".join(" and ".join(repr(url) for url in group) for group in groups)
        raise OutputError(
            f"pages would overwrite each other: {shown}",
            hint="rename one of the sessions or projects, or leave one out with --exclude",
        )


def find_obstacles(old: Iterable[str], wanted: Collection[str]) -> set[str]:
    """Return those of `old` that stand where a `wanted` one goes, under another spelling.

    Renamed in case only, or a file where a folder is wanted or the other way round.
    """
    gone = set(old).difference(wanted)
    if not gone:
        return gone
    files = {fold(url) for url in wanted}
    taken = files | _folders(files)
    return {
        url
        for url in gone
        if fold(url) in taken or not files.isdisjoint(parents(fold(url)))
    }


def _folders(urls: Iterable[str]) -> set[str]:
    """Return every folder that one of `urls` stands in, at any depth."""
    nearest = {url.rpartition("/")[0] for url in urls} - {""}
    return nearest.union(*map(parents, nearest))


NAME = "manifest.json"
DATA_DIR = "data/"
NO_DIGEST = "-"
"""Of a file whose digest stands nowhere: no bytes have it."""
FORMAT = "everyleaf-manifest"
VERSION = 2
_READABLE = (1, VERSION)
_END = ""
"""The entry that has no comma behind it, the same in every manifest."""


class FileDigest(Struct, frozen=True, array_like=True, gc=False):
    """One file, as it was when it was last read or written."""

    digest: str
    marks: bytes
    """As `marks_of` has them."""


class Listed(Struct, frozen=True, gc=False):
    """A file that is ours."""

    digest: str
    """Of the bytes that were written; empty while a build that will write them runs."""
    sessions: tuple[str, ...] = ()
    """Sessions that account for the file, sorted; none: it belongs to the whole site."""
    is_in_data: bool = False
    """Its digest does not stand in the manifest but in the data file of its session."""


class Manifest(Struct, frozen=True):
    """The files of a site that everyleaf wrote, by url."""

    files: Mapping[str, Listed] = {}
    read_from: str = ""
    """Digest of the bytes that it was read from."""
    is_known: bool = False
    """It is the one that the last build wrote."""

    def left_to(self, stay: AbstractSet[str]) -> dict[str, Listed]:
        """Return the files for which sessions that `stay` account, listed as theirs."""
        owners = {one.sessions for one in self.files.values()}
        left = {names: tuple(filter(stay.__contains__, names)) for names in owners}
        return {
            url: one if names == one.sessions else replace(one, sessions=names)
            for url, one in self.files.items()
            if (names := left[one.sessions])
        }

    def to_json(self) -> bytes:
        """Return the manifest as it stands on disk: sorted, the same bytes each time."""
        body = BytesIO()  # A list of all lines takes three times as much memory.
        head = f'{{\n "format": "{FORMAT}",\n "version": {VERSION},\n "files": {{\n'
        body.write(head.encode())
        ends: dict[tuple[str, ...], str] = {}
        for url, listed in sorted(self.files.items()):
            if (names := listed.sessions) not in ends:
                ends[names] = ", ".join(map(_quoted, names))
            # As `json.dumps` has it, in a quarter of the time: there are many.
            digest = "" if listed.is_in_data else f'"digest": {_quoted(listed.digest)}, '
            line = f'  {_quoted(url)}: {{{digest}"sessions": [{ends[names]}]}},\n'
            body.write(line.encode())
        body.write(f'  "{_END}": null\n }}\n}}\n'.encode())
        return body.getvalue()


class _EntryOnDisk(Struct, frozen=True):
    sessions: tuple[str, ...]
    digest: str | UnsetType = UNSET


class _ManifestOnDisk(Struct, frozen=True):
    format: str
    version: int
    files: dict[str, _EntryOnDisk | None]


_DECODER = msgspec.json.Decoder(_ManifestOnDisk)


def parse_manifest(
    body: bytes, known: Mapping[str, FileDigest] | None = None
) -> Manifest | None:
    """Return the manifest that `body` holds, or None if it is not one that we wrote.

    A manifest that names a file outside the folder is not ours, whoever wrote it; of one
    that was written with files that are `known`, byte by byte, that was seen then. Values
    that both have are shared.
    """
    try:
        read = _DECODER.decode(body)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    if read.format != FORMAT or read.version not in _READABLE:
        return None
    files: dict[str, Listed] = {}
    same: dict[tuple[str, ...], tuple[str, ...]] = {}
    others = (one for one in (known or {}).items() if one[0] != NAME)
    both = zip_longest(read.files.items(), others, fillvalue=(_END, None))
    for (url, entry), (known_url, seen) in both:  # In the same order.
        if url == _END:
            continue
        if entry is None or not (known or is_safe(url)):
            return None
        digest = "" if entry.digest is UNSET else entry.digest
        digest = seen.digest if seen and seen.digest == digest else digest
        sessions = same.setdefault(entry.sessions, entry.sessions)
        listed = Listed(digest, sessions, is_in_data=entry.digest is UNSET)
        files[known_url if known_url == url else url] = listed
    return Manifest(files)


def load_manifest(
    output_dir: Path, *, known: Mapping[str, FileDigest] | None = None
) -> Manifest | None:
    """Return the manifest in `output_dir`; None if there is none, or none of ours.

    Digests that stand in data files are read from there. `known` are the files that the
    last build left, the manifest too, if they are remembered.
    """
    manifest_file = output_dir / NAME
    if manifest_file.is_symlink() or not manifest_file.is_file():
        return None
    body = manifest_file.read_bytes()
    digest = digest_hex(body)
    is_known = known is not None and NAME in known and known[NAME].digest == digest
    if manifest := parse_manifest(body, known if is_known else None):
        manifest = _with_digests(manifest, output_dir)
        manifest = replace(manifest, read_from=digest, is_known=is_known)
    return manifest


def check_output_dir(
    output_dir: Path,
    *,
    sources: Iterable[Path] = (),
    is_forced: bool = False,
    known: Mapping[str, FileDigest] | None = None,
) -> Manifest:
    """Return what `output_dir` holds of ours, after checking that it may be written to.

    Writes nothing, so it can be called before any work is done. Hidden files do not make
    a folder foreign: a fresh checkout to publish from holds `.git`. `known` is that of
    `load_manifest`.

    Raises:
        OutputError: if it is a file, lies in a source or around one, or is neither empty
            nor ours. Only the last can be forced.
    """
    for source in sources:
        _check_apart(output_dir, source)
    hint = "check its permissions, or choose another --out"
    with refused(OutputError, f"cannot read the output folder {str(output_dir)!r}", hint):
        there = next(one for one in (output_dir, *output_dir.parents) if one.exists())
        if not there.is_dir():
            raise OutputError(
                f"{str(there)!r} is not a folder", hint="choose another --out"
            )
        if not os.access(there, os.W_OK):
            raise OutputError(f"cannot write into {str(there)!r}", hint=hint)
        manifest = load_manifest(output_dir, known=known)
        if (
            manifest is None
            and not is_forced
            and output_dir.exists()
            and any(not each.name.startswith(".") for each in output_dir.iterdir())
        ):
            raise OutputError(
                f"{str(output_dir)!r} is not empty and was not made by everyleaf",
                hint="choose another --out, or add --force to write into it all the same"
                " (nothing in it is deleted)",
            )
    return manifest or Manifest()


def may_be_in_data(url: str, sessions: Collection[str]) -> bool:
    """Return whether a data file can hold the digest of `url`: one session's, no page."""
    return len(sessions) == 1 and (_is_data(url) or url.endswith(".md"))


def _is_data(url: str) -> bool:
    return url.startswith(DATA_DIR) and url.endswith(".json")


def _with_digests(manifest: Manifest, output_dir: Path) -> Manifest:
    """Return `manifest` with the digests that stand in data files."""
    outside = {url: listed for url, listed in manifest.files.items() if listed.is_in_data}
    if not outside:
        return manifest
    digests: dict[str, str] = {}
    known: set[tuple[str, ...]] = set()
    for url in filter(_is_data, outside):
        location = output_dir / url
        is_linked = location.is_symlink() or location.parent.is_symlink()
        if is_linked or not location.is_file():
            continue
        body = location.read_bytes()
        known.add(outside[url].sessions)
        checked = read_checksums(body)
        digests |= checked.digests if checked else {}
        digests[url] = digest_hex(body) if checked and checked.is_whole else NO_DIGEST
    for url, listed in outside.items():
        if listed.sessions in known:
            digests.setdefault(url, NO_DIGEST)
    files = {
        url: replace(listed, digest=digests.get(url, "")) if listed.is_in_data else listed
        for url, listed in manifest.files.items()
    }
    return replace(manifest, files=files)


def _check_apart(output_dir: Path, source: Path) -> None:
    inner, outer = output_dir.resolve(), source.resolve()
    if inner == outer or outer in inner.parents or inner in outer.parents:
        raise OutputError(
            f"the output folder {str(output_dir)!r} and the source {str(source)!r} lie in"
            " one another",
            hint="choose an --out outside the source: the input is never written to",
        )
