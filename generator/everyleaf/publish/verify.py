"""Whether a folder still holds what was published into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.errors import OutputError
from everyleaf.publish.manifest import NAME, Listed, load_manifest
from everyleaf.publish.seen import SiteFiles
from everyleaf.publish.write import STAGING

if TYPE_CHECKING:
    from pathlib import Path


class Verdict(Struct, frozen=True):
    """How a folder differs from its manifest; urls, sorted."""

    files: int
    """How many the manifest lists."""
    missing: tuple[str, ...]
    changed: tuple[str, ...]
    extra: tuple[str, ...]
    """Files that everyleaf did not write; hidden ones and what is below them left out."""

    @property
    def is_whole(self) -> bool:
        """Return whether all that was published is there, as it was written."""
        return not self.missing and not self.changed


def verify_site(output_dir: Path) -> Verdict:
    """Return how the files in `output_dir` differ from those that were published there.

    Reads every file once.

    Raises:
        OutputError: the folder has no manifest of ours, or a file cannot be read.
    """
    manifest = load_manifest(output_dir)
    if manifest is None:
        raise OutputError(
            f"{str(output_dir)!r} was not made by everyleaf: no {NAME} of ours in it",
            hint="name the folder that was given to `everyleaf build --out`",
        )
    found = SiteFiles(output_dir).digests(sorted(manifest.files))
    listed = manifest.files
    return Verdict(
        files=len(listed),
        missing=tuple(url for url in sorted(listed) if url not in found),
        changed=tuple(url for url in sorted(found) if _is_changed(listed[url], found[url])),
        extra=tuple(url for url in _urls(output_dir) if url not in listed and url != NAME),
    )


def _is_changed(listed: Listed, found: str) -> bool:
    if listed.is_sealed and not listed.digest:
        return False  # What vouches for it is missing, and told as that.
    return found != listed.digest


def _urls(output_dir: Path) -> list[str]:
    places = (file.relative_to(output_dir) for file in output_dir.rglob("*"))
    return sorted(
        place.as_posix()
        for place in places
        if not any(part.startswith(".") or part == STAGING for part in place.parts)
        and not (output_dir / place).is_dir()
    )
