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
whose `data/` file vouches for them, and that file itself: so a new message changes no line
here. Source: our own format; a change of it is a new version and a line in the changelog.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeGuard, cast

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.digest import digest_hex
from everyleaf.publish.address import is_safe
from everyleaf.seals import open_seal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

NAME = "manifest.json"
DATA_DIR = "data/"
NO_DIGEST = "-"
"""Of a file that nothing vouches for: no bytes have it."""
FORMAT = "everyleaf-manifest"
VERSION = 2
_READABLE = (1, VERSION)
_END = ""
"""The entry that has no comma behind it, the same in every manifest."""


class Listed(Struct, frozen=True):
    """A file that is ours."""

    digest: str
    """Of the bytes that were written; empty while a build that will write them runs."""
    sessions: tuple[str, ...] = ()
    """Sessions that account for the file, sorted; none: it belongs to the whole site."""
    is_sealed: bool = False
    """Its digest does not stand in the manifest but in the data file of its session."""


class Manifest(Struct, frozen=True):
    """The files of a site that everyleaf wrote, by url."""

    files: Mapping[str, Listed] = field(default_factory=dict[str, Listed])

    def to_json(self) -> bytes:
        """Return the manifest as it stands on disk: sorted, the same bytes each time."""
        lines = "".join(
            f"  {json.dumps(url)}: {_entry(listed)},\n"
            for url, listed in sorted(self.files.items())
        )
        text = (
            f'{{\n "format": "{FORMAT}",\n "version": {VERSION},\n "files": {{\n{lines}'
            f'  "{_END}": null\n }}\n}}\n'
        )
        return text.encode()


def _entry(listed: Listed) -> str:
    sessions = list(listed.sessions)
    if listed.is_sealed:
        return json.dumps({"sessions": sessions})
    return json.dumps({"digest": listed.digest, "sessions": sessions})


def parse_manifest(body: bytes) -> Manifest | None:
    """Return the manifest that `body` holds, or None if it is not one that we wrote.

    A manifest that names a file outside the folder is not ours, whoever wrote it.
    """
    try:
        record: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not _is_object(record) or record.get("format") != FORMAT:
        return None
    if record.get("version") not in _READABLE:
        return None
    listing = record.get("files")
    if not _is_object(listing):
        return None
    listing.pop(_END, None)
    files = {url: _parse_listed(entry) for url, entry in listing.items() if is_safe(url)}
    sound = {url: listed for url, listed in files.items() if listed is not None}
    return Manifest(sound) if len(sound) == len(listing) else None


def load_manifest(output_dir: Path) -> Manifest | None:
    """Return the manifest in `output_dir`; None if there is none, or none of ours.

    Digests that stand in data files are read from there.
    """
    manifest_file = output_dir / NAME
    if manifest_file.is_symlink() or not manifest_file.is_file():
        return None
    manifest = parse_manifest(manifest_file.read_bytes())
    return None if manifest is None else _unsealed(manifest, output_dir)


def may_be_sealed(url: str, sessions: Collection[str]) -> bool:
    """Return whether a data file can vouch for `url`: one session's, and no page."""
    return len(sessions) == 1 and (_is_data(url) or url.endswith(".md"))


def _is_data(url: str) -> bool:
    return url.startswith(DATA_DIR) and url.endswith(".json")


def _unsealed(manifest: Manifest, output_dir: Path) -> Manifest:
    """Return `manifest` with the digests of sealed files that something vouches for."""
    sealed = {url: listed for url, listed in manifest.files.items() if listed.is_sealed}
    if not sealed:
        return manifest
    digests: dict[str, str] = {}
    known: set[tuple[str, ...]] = set()
    for url in filter(_is_data, sealed):
        body = _read(output_dir, url)
        if body is None:
            continue
        known.add(sealed[url].sessions)
        opened = open_seal(body)
        digests |= opened.digests if opened else {}
        digests[url] = digest_hex(body) if opened and opened.is_whole else NO_DIGEST
    for url, listed in sealed.items():
        if listed.sessions in known:
            digests.setdefault(url, NO_DIGEST)
    files = {
        url: replace(listed, digest=digests.get(url, "")) if listed.is_sealed else listed
        for url, listed in manifest.files.items()
    }
    return Manifest(files)


def _read(output_dir: Path, url: str) -> bytes | None:
    """Return the bytes of a file; None if it is missing, or stands behind a link."""
    location = output_dir / url
    if location.is_symlink() or location.parent.is_symlink() or not location.is_file():
        return None
    return location.read_bytes()


def _parse_listed(entry: object) -> Listed | None:
    if not _is_object(entry):
        return None
    match entry:
        case {"digest": str(digest), "sessions": sessions} if _is_names(sessions):
            return Listed(digest, tuple(sessions))
        case {"sessions": sessions} if "digest" not in entry and _is_names(sessions):
            return Listed("", tuple(sessions), is_sealed=True)
        case _:
            return None


def _is_names(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(
        isinstance(name, str) for name in cast("list[object]", value)
    )


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    # JSON objects have no keys but strings.
    return isinstance(value, dict)
