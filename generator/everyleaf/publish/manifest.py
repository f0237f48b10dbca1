"""What an earlier build wrote into a folder: `manifest.json`, the proof that it is ours.

    {
     "format": "everyleaf-manifest",
     "version": 1,
     "files": {
      url: {"digest": …, "sessions": […]},
      …
      "": null
     }
    }

A line a file, each with a comma behind it, so that git can merge two people's manifests
line by line and what comes out is still JSON. Source: our own format; a change of it is a
new version and a line in the changelog.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeGuard, cast

from everyleaf.publish.address import is_safe

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

NAME = "manifest.json"
FORMAT = "everyleaf-manifest"
VERSION = 1
_END = ""
"""The entry that has no comma behind it, the same in every manifest."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A file that is ours."""

    digest: str
    """Of the bytes that were written; empty while a build that will write them runs."""
    sessions: tuple[str, ...] = ()
    """Sessions that account for the file, sorted; none: it belongs to the whole site."""


@dataclass(frozen=True, slots=True)
class Manifest:
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
    return json.dumps({"digest": listed.digest, "sessions": list(listed.sessions)})


def parse_manifest(body: bytes) -> Manifest | None:
    """Return the manifest that `body` holds, or None if it is not one that we wrote.

    A manifest that names a file outside the folder is not ours, whoever wrote it.
    """
    try:
        record: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not _is_object(record) or (record.get("format"), record.get("version")) != (
        FORMAT,
        VERSION,
    ):
        return None
    listing = record.get("files")
    if not _is_object(listing):
        return None
    listing.pop(_END, None)
    files = {url: _parse_listed(entry) for url, entry in listing.items() if is_safe(url)}
    sound = {url: listed for url, listed in files.items() if listed is not None}
    return Manifest(sound) if len(sound) == len(listing) else None


def load_manifest(output_dir: Path) -> Manifest | None:
    """Return the manifest in `output_dir`; None if there is none, or none of ours."""
    manifest_file = output_dir / NAME
    if manifest_file.is_symlink() or not manifest_file.is_file():
        return None
    return parse_manifest(manifest_file.read_bytes())


def _parse_listed(entry: object) -> Listed | None:
    if not _is_object(entry):
        return None
    match entry:
        case {"digest": str(digest), "sessions": sessions} if _is_names(sessions):
            return Listed(digest, tuple(sessions))
        case _:
            return None


def _is_names(value: object) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(
        isinstance(name, str) for name in cast("list[object]", value)
    )


def _is_object(value: object) -> TypeGuard[dict[str, object]]:
    # JSON objects have no keys but strings.
    return isinstance(value, dict)
