"""The command line: takes arguments, prints, and ends with an exit code."""

from everyleaf.cli.command import main

__all__ = ["main"]
