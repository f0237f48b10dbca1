"""Other ways to keep sessions: what to tell the scheduler of each system."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def program() -> list[str]:
    """Return the words that start this program from anywhere."""
    started = shutil.which(sys.argv[0]) if sys.argv else None
    if started is None or Path(started).stem != "everyleaf":
        return [sys.executable, "-m", "everyleaf"]
    return [str(Path(started).absolute())]


def hook_command(store: Path) -> str:
    """Return the command of the hook, as a shell takes it."""
    words = [*program(), "keep", "--hook", "--to", str(store.absolute())]
    # On Windows, the shell that Claude Code takes would read backslashes otherwise.
    plain = [word.replace("\\", "/") if os.name == "nt" else word for word in words]
    return shlex.join(plain)


def iter_schedules(store: Path) -> Iterator[str]:
    """Yield lines for a systemd timer, launchd and cron, each of which keeps hourly."""
    words = [*program(), "keep", "--quiet", "--to", str(store.absolute())]
    yield "cron, in `crontab -e`:"
    line = shlex.join(words).replace("%", "\\%")  # A bare one ends a line of cron.
    yield f"  17 * * * * {line}"
    yield ""
    yield "systemd, ~/.config/systemd/user/everyleaf-keep.service:"
    yield "  [Service]"
    yield "  Type=oneshot"
    yield f"  ExecStart={' '.join(map(_systemd_word, words))}"
    yield "and everyleaf-keep.timer beside it, for `systemctl --user enable --now`:"
    yield from ("  [Timer]", "  OnCalendar=hourly", "  Persistent=true")
    yield from ("  [Install]", "  WantedBy=timers.target")
    yield ""
    yield "launchd, ~/Library/LaunchAgents/everyleaf-keep.plist, for `launchctl load`:"
    yield from (f"  {line}" for line in _plist(words))


def _systemd_word(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'.replace("%", "%%").replace("$", "$$")


def _plist(words: Sequence[str]) -> list[str]:
    said = "".join(f"<string>{escape(word)}</string>" for word in words)
    return [
        '<plist version="1.0"><dict>',
        "<key>Label</key><string>everyleaf-keep</string>",
        f"<key>ProgramArguments</key><array>{said}</array>",
        "<key>StartInterval</key><integer>3600</integer>",
        "</dict></plist>",
    ]
