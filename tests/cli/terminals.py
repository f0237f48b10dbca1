"""A command on a terminal of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def on_terminal(*arguments, rows=24, columns=80, **environment):
    """Return what a terminal gets from the real command, with all that drives it."""
    pty = pytest.importorskip("pty", reason="there are no such terminals here")
    termios = pytest.importorskip("termios")
    own, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (rows, columns))
    kept = {
        k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "COLUMNS", "LINES"}
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "everyleaf", *map(str, arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=kept | {"TERM": "xterm", "PAGER": "cat"} | environment,
    )
    os.close(theirs)
    read = b""
    while True:
        try:
            block = os.read(own, 65536)
        except OSError:  # Linux says so at the end.
            break
        if not block:
            break
        read += block
    os.close(own)
    process.wait()
    return read.decode().replace("\r\n", "\n")
