"""Whether a folder may be written to at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.errors import OutputError
from everyleaf.publish.manifest import Manifest, load_manifest

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def check_output_dir(
    output_dir: Path, *, sources: Iterable[Path] = (), is_forced: bool = False
) -> Manifest:
    """Return what `output_dir` holds of ours, after checking that it may be written to.

    Writes nothing, so it can be called before any work is done. Hidden files do not make
    a folder foreign: a fresh checkout to publish from holds `.git`.

    Raises:
        OutputError: if it is a file, lies in a source or around one, or is neither empty
            nor ours. Only the last can be forced.
    """
    for source in sources:
        _check_apart(output_dir, source)
    try:
        if output_dir.exists() and not output_dir.is_dir():
            raise OutputError(
                f"{str(output_dir)!r} is not a folder", hint="choose another --out"
            )
        manifest = load_manifest(output_dir)
        if manifest is None and not is_forced and _visible_files(output_dir):
            raise OutputError(
                f"{str(output_dir)!r} is not empty and was not made by everyleaf",
                hint="choose another --out, or add --force to write into it all the same"
                " (nothing in it is deleted)",
            )
    except OSError as error:
        raise OutputError(
            f"cannot read the output folder {str(output_dir)!r}: {error.strerror}",
            hint="check its permissions, or choose another --out",
        ) from error
    return manifest or Manifest()


def _visible_files(output_dir: Path) -> bool:
    return output_dir.exists() and any(
        not entry.name.startswith(".") for entry in output_dir.iterdir()
    )


def _check_apart(output_dir: Path, source: Path) -> None:
    inner, outer = output_dir.resolve(), source.resolve()
    if inner == outer or outer in inner.parents or inner in outer.parents:
        raise OutputError(
            f"the output folder {str(output_dir)!r} and the source {str(source)!r} lie in"
            " one another",
            hint="choose an --out outside the source: the input is never written to",
        )
