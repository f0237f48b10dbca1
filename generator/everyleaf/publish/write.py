"""Puts bytes on the disk: whole files or nothing, inside one folder, through no link.

Bodies are staged first, under the output folder and so on its file system, and moved to
their place when all of them are there: memory holds one body at a time, and a build that
fails before that leaves the site as it was.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct, field

from everyleaf.digest import digest_hex
from everyleaf.errors import OutputError
from everyleaf.publish.access import EVERYBODY, Access
from everyleaf.publish.address import parents
from everyleaf.render.output import Drawn

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from pathlib import Path

STAGING = ".everyleaf-staging"


class Stage(Struct):
    """Files that are written but not yet in their place. Use as `with open_stage(…)`."""

    output_dir: Path
    access: Access = EVERYBODY
    _staged: dict[str, Path] = field(default_factory=dict[str, "Path"])
    _safe_dirs: set[str] = field(default_factory=set[str])

    def add(self, url: str, body: bytes) -> None:
        """Write `body` where `place` finds it as `url`; a second one replaces the first."""
        staged_file = self.output_dir / STAGING / str(len(self._staged))
        with located(url):
            _write(staged_file, "xb", body, self.access)
        self._staged[url] = staged_file

    def take(self, url: str, name: str) -> None:
        """Have `place` find as `url` what a `Spool` wrote under `name`."""
        self._staged[url] = self.output_dir / STAGING / name

    def place(self, url: str) -> None:
        """Move the file that was added as `url` there, at once and whole.

        Raises:
            OutputError: if a folder on the way is a link, or the disk refuses.
        """
        self._make_parents(url)
        with located(url):
            self._staged[url].replace(self.output_dir / url)

    def location(self, url: str) -> Path:
        """Return where the bytes of `url` are now: staged, or in their place."""
        return self._staged.get(url, self.output_dir / url)

    def _make_parents(self, url: str) -> None:
        for parent in reversed(parents(url)):
            if parent not in self._safe_dirs:
                check_no_link(self.output_dir, parent)
                with located(url):
                    (self.output_dir / parent).mkdir(self.access.folder, exist_ok=True)
                self._safe_dirs.add(parent)


class Spool(Struct, frozen=True):
    """Writes bodies into a folder's stage, from any process; only names travel back."""

    output_dir: Path
    access: Access = EVERYBODY

    def put(self, url: str, body: bytes) -> Drawn:
        """Write `body` where `Stage.take` finds it, unless it is there already.

        Raises:
            OutputError: if the disk refuses.
        """
        digest = digest_hex(body)
        name = f"{digest_hex(url.encode())}-{digest}"
        with located(url):
            _write(self.output_dir / STAGING / name, "wb", body, self.access)
        return Drawn(url, digest, name)

    def put_aside(self, name: str, body: bytes) -> None:
        """Write what is no file of the site, for other work of the same build.

        Raises:
            OutputError: if the disk refuses.
        """
        with located(name):
            _write(self.aside(name), "wb", body, self.access)

    def aside(self, name: str) -> Path:
        """Return where `put_aside` wrote it; it goes with the stage."""
        return self.output_dir / STAGING / f"aside-{name}"

    def find(self, url: str) -> bytes | None:
        """Return the bytes of a file that stands in its place; None if none does."""
        try:
            return (self.output_dir / url).read_bytes()
        except OSError:
            return None

    def read(self, drawn: Drawn) -> bytes:
        """Return the bytes of a file that was put here, or that stands in its place."""
        with located(drawn.url):
            inner = f"{STAGING}/{drawn.staged}" if drawn.staged else drawn.url
            return (self.output_dir / inner).read_bytes()


@contextmanager
def open_stage(output_dir: Path, access: Access = EVERYBODY) -> Generator[Stage]:
    """Yield an empty stage in `output_dir`, and remove it with what was not placed.

    What an earlier build left there, because it was killed, goes first.
    """
    check_no_link(output_dir, STAGING)
    staging_dir = output_dir / STAGING
    with located(STAGING):
        shutil.rmtree(staging_dir, ignore_errors=True)
        staging_dir.mkdir(access.folder)
    try:
        yield Stage(output_dir, access)
    finally:
        shutil.rmtree(staging_dir, ignore_errors=True)


def _write(location: Path, mode: str, body: bytes, access: Access) -> None:
    with open(location, mode, opener=access.opener) as file:
        file.write(body)


def delete_files(output_dir: Path, urls: Iterable[str]) -> None:
    """Delete `urls`, and the folders that are empty afterwards; what is gone is no error.

    Raises:
        OutputError: if a folder on the way is a link, or the disk refuses.
    """
    for url in urls:
        for parent in parents(url):
            check_no_link(output_dir, parent)
        with located(url):
            (output_dir / url).unlink(missing_ok=True)
        for parent in parents(url):
            try:
                (output_dir / parent).rmdir()
            except OSError:
                break


def check_no_link(output_dir: Path, url: str) -> None:
    """Check that `url` in `output_dir`, if it exists, is not a link to somewhere else.

    Raises:
        OutputError: if it is.
    """
    location = output_dir / url
    if location.is_symlink():
        raise OutputError(
            f"{str(location)!r} is a symbolic link, and writing through it could leave the"
            " output folder",
            hint="replace the link by a folder, or choose another --out",
        )


@contextmanager
def located(url: str) -> Generator[None]:
    """Turn what the disk refuses meanwhile into an `OutputError` that names `url`."""
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"cannot write {url!r}: {error.strerror}",
            hint="check the permissions of the output folder and the space on its disk",
        ) from error
