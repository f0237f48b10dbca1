"""Where the program of the secret scanner is; it is asked for its patterns, and no more."""

from __future__ import annotations

from functools import cache

from everyleaf.errors import RedactError

HINT = "install the scanner (pip install kingfisher-bin), or publish without: --no-redact"


@cache
def find_scanner() -> str:
    """Return the file of the scanner's program.

    Raises:
        RedactError: it is not installed, or not for this machine.
    """
    try:
        from kingfisher import get_binary_path  # noqa: PLC0415  (only where it is used)  # pyright: ignore[reportMissingTypeStubs]  (it has none)

        return str(get_binary_path())
    except (ImportError, OSError) as error:
        raise RedactError("the secret scanner is not installed", hint=HINT) from error
