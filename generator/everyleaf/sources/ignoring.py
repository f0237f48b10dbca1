"""`.everyleafignore`: what a person wants to be left alone, written as for git.

The lines of such a file hold in its folder and below. A later line wins over an earlier
one, and a file further down over one further up; `!` takes something in again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.errors import SourceError

if TYPE_CHECKING:
    from pathlib import Path

    from pathspec import GitIgnoreSpec

IGNORE_FILE = ".everyleafignore"


class Ignoring(Struct, frozen=True):
    """What is left alone in a folder and below."""

    rules: tuple[tuple[Path, GitIgnoreSpec], ...] = ()
    """(Folder of an ignore file, its lines), the outermost first."""

    def within(self, folder: Path) -> Ignoring:
        """Return what holds in `folder` as well, if there is an ignore file in it.

        Raises:
            SourceError: it cannot be read; what it leaves out must not be published.
        """
        spec = _load_spec(folder / IGNORE_FILE)
        return self if spec is None else Ignoring((*self.rules, (folder, spec)))

    def leaves_out(self, location: Path) -> bool:
        """Return whether the file at `location`, below every folder here, is left alone."""
        for folder, spec in reversed(self.rules):
            result = spec.check_file(location.relative_to(folder).as_posix())
            if result.include is not None:
                return result.include
        return False


NOTHING_IGNORED = Ignoring()


def ignoring_above(folder: Path) -> Ignoring:
    """Return what holds in `folder` because of ignore files in the folders around it.

    Raises:
        SourceError: one of them cannot be read.
    """
    ignoring = NOTHING_IGNORED
    for around in reversed(folder.parents):
        ignoring = ignoring.within(around)
    return ignoring


def _load_spec(location: Path) -> GitIgnoreSpec | None:
    try:
        if not location.is_file():
            return None
        text = location.read_text(encoding="utf-8-sig", errors="surrogateescape")
    except OSError as error:
        raise SourceError(
            f"cannot read {str(location)!r}: {error.strerror}",
            hint="it says what is not to be published: make it readable, or delete it",
        ) from error
    from pathspec import GitIgnoreSpec  # noqa: PLC0415  (few have such a file)

    try:
        return GitIgnoreSpec.from_lines(text.splitlines())
    except ValueError as error:
        raise SourceError(
            f"cannot understand {str(location)!r}: {error}",
            hint="its lines are written like those of a .gitignore",
        ) from error
