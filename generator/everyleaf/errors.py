"""The errors that stop a build.

    EveryleafError
    ├── SourceError      the input cannot be read at all
    ├── OutputError      the output folder cannot be written, or is not ours
    ├── ConfigError      an option or a settings file makes no sense
    ├── RedactError      secrets cannot be looked for, or one would be published
    ├── StorageError     what lies at an address cannot be read or written
    ├── ThemeError       a theme is missing, or a template of it is broken
    └── WorkerError      a worker process was ended from outside
        ├── LostJobError  several were, with the same job
        └── ClusterError  the cluster is gone, or not fit for this build

Trouble in a single record or file is an `Issue` (`everyleaf.issues`), not an error.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager


class EveryleafError(Exception):
    """The build cannot be right: `message` says what and where, `hint` what to do now.

    `message` is one clause, lower case, without a full stop; values are shown with `!r`.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        """Make an error of `message`, with what to do about it in `hint`."""
        super().__init__(message)
        self.message = message
        self.hint = hint


@contextmanager
def refused(kind: type[EveryleafError], said: str, hint: str = "") -> Generator[None]:
    """Turn what the system refuses meanwhile into a `kind`: what is `said`, and why."""
    try:
        yield
    except OSError as error:
        raise kind(f"{said}: {error.strerror or error}", hint=hint) from error


class SourceError(EveryleafError):
    """The input cannot be read at all."""


class OutputError(EveryleafError):
    """The output folder cannot be written, or holds files that are not ours."""


class ConfigError(EveryleafError):
    """An option or a settings file makes no sense."""


class RedactError(EveryleafError):
    """Secrets cannot be looked for, or one of them would be published."""


class StorageError(EveryleafError):
    """What lies at an address cannot be read, or not be written."""


class ThemeError(EveryleafError):
    """A theme is missing, or a template of it is broken."""


class WorkerError(EveryleafError):
    """A worker process was ended from outside, for want of memory perhaps."""


class LostJobError(WorkerError):
    """Workers were lost with a job, one after the other, until it was given up."""


class ClusterError(WorkerError):
    """A cluster cannot be reached, is gone, or differs from who drives the build."""
