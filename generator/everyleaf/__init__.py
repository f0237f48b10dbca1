"""A static site of every unique conversation path in Claude Code session archives.

From Python: `load_archive`, `paths`, `transcript`, `compare`, `find`, `files`, `feedback`,
`build_site` (`everyleaf.library` says what they do), imported when first asked for.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from everyleaf.archive import Archive
    from everyleaf.compare.comparison import Comparison
    from everyleaf.config import BuildOptions, RedactOptions
    from everyleaf.errors import EveryleafError
    from everyleaf.explore.matches import Match
    from everyleaf.graph.forest import ConversationPath
    from everyleaf.library import (
        Transcript,
        build_site,
        compare,
        feedback,
        files,
        find,
        load_archive,
        paths,
        transcript,
    )
    from everyleaf.report import BuildReport
    from everyleaf.survey.feedback import Said
    from everyleaf.survey.files import Change

__all__ = [
    "Archive", "BuildOptions", "BuildReport", "Change", "Comparison", "ConversationPath",
    "EveryleafError", "Match", "RedactOptions", "Said", "Transcript", "build_site",
    "compare", "feedback", "files", "find", "load_archive", "paths", "transcript",
]  # fmt: skip
__version__ = "0.1.0"

_OFFERED = frozenset(__all__)


class _Package(ModuleType):
    """This package, in which `compare` and `transcript` are the functions of the library.

    The import system would put the packages of these names in their places as soon as one
    of them is imported; they stay importable.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _OFFERED and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


def __getattr__(name: str) -> object:
    if name not in _OFFERED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from everyleaf import library  # noqa: PLC0415  (takes longer than `--help` may)

    found: object = getattr(library, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


sys.modules[__name__].__class__ = _Package
