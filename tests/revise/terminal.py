"""Claude Code itself, from npm, in a terminal nobody looks at."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
import psutil
import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = "@anthropic-ai/claude-code"
INSTALL_SECONDS = 240
SHOW_SECONDS = 30.0
QUIET_SECONDS = 0.5
"""How long a screen must keep still before it counts as drawn."""
NOWHERE = "http://127.0.0.1:9"
"""A proxy that is not there: nothing leaves the machine."""

ARROW = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}"
ROW = re.compile(
    rf"^ {{2}}(?:{ARROW} | {{2}})(\S.*?)\n +[^\n]+ · [\d.]+[KM]?B", re.MULTILINE
)
"""In the list: a title, and below it when that was and how large it is."""
SAID = re.compile(rf"^[{ARROW}●] (\S.*)$", re.MULTILINE)
"""In a conversation: a prompt or a reply."""

_numbers = itertools.count()


def install(version: str) -> Path:
    """Return the command `claude` of `version`, kept in the cache folder; else skip."""
    for tool in ("npm", "tmux"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not here, which runs Claude Code")
    folder = platformdirs.user_cache_path("everyleaf-tests") / f"claude-code-{version}"
    command = folder / "node_modules" / ".bin" / "claude"
    if not command.exists():
        staged = folder.with_name(f"{folder.name}.{os.getpid()}")
        asked = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(staged)]
        try:
            subprocess.run(
                [*asked, f"{PACKAGE}@{version}"],
                check=True,
                capture_output=True,
                timeout=INSTALL_SECONDS,
            )
            staged.rename(folder)
        except (OSError, subprocess.SubprocessError) as error:
            shutil.rmtree(staged, ignore_errors=True)
            if not command.exists():  # Another process may have been faster.
                pytest.skip(f"npm cannot install {PACKAGE} {version} here: {error}")
    told = subprocess.run(
        [command, "--version"], capture_output=True, text=True, check=False, timeout=60
    )
    if version not in told.stdout:
        pytest.skip(f"{PACKAGE} {version} does not run here: {told.stderr[:200]}")
    return command


class Claude:
    """Claude Code in a home folder of its own, past its first-run questions."""

    def __init__(self, command: Path, home: Path) -> None:
        self.command = command
        self.home = home
        self.cwd = Path(os.path.realpath(home)) / "parser"
        self.cwd.mkdir(parents=True)
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        told = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "numStartups": 5,
            "projects": {str(self.cwd): trusted},
        }
        (home / ".claude.json").write_text(json.dumps(told))
        slug = re.sub(r"[^A-Za-z0-9]", "-", str(self.cwd))
        self.project = home / ".claude" / "projects" / slug
        self.project.mkdir(parents=True)

    def titles(self) -> list[str]:
        """Return what its list of sessions shows, sorted."""
        with self._screen("--resume") as screen:
            return sorted(found.strip() for found in ROW.findall(screen))

    def resumed(self, session: str) -> list[str]:
        """Return what it shows of the conversation when it resumes `session`."""
        # Told a model, it says nothing of a session whose model was retired since.
        with self._screen("--model", "sonnet", "--resume", session) as screen:
            return [line.strip() for line in SAID.findall(screen)]

    @contextmanager
    def _screen(self, *arguments: str) -> Iterator[str]:
        """Start it, and yield what it shows once that keeps still; end it afterwards."""
        tmux = ["tmux", "-L", f"everyleaf-{os.getpid()}-{next(_numbers)}"]
        environment = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "TERM": "screen-256color",
            "LANG": "C.UTF-8",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "HTTPS_PROXY": NOWHERE,
            "HTTP_PROXY": NOWHERE,
        }
        settings = [f"{name}={value}" for name, value in environment.items()]
        started = ["env", "-i", *settings, str(self.command), *arguments]
        size = ["-x", "120", "-y", "60", "-c", str(self.cwd)]
        subprocess.run(
            [*tmux, "-f", os.devnull, "new-session", "-d", *size, *started], check=True
        )
        pid = int(_ask(tmux, "display-message", "-p", "#{pane_pid}"))
        try:
            yield _wait_for_still(tmux)
        finally:
            subprocess.run([*tmux, "kill-server"], check=False, capture_output=True)
            # What it writes when it ends is written before anyone else looks.
            with_children = [psutil.Process(pid)] if psutil.pid_exists(pid) else []
            psutil.wait_procs(with_children, timeout=SHOW_SECONDS)


def _ask(tmux: list[str], *arguments: str) -> str:
    return subprocess.run(
        [*tmux, *arguments], check=True, capture_output=True, text=True
    ).stdout


def _wait_for_still(tmux: list[str]) -> str:
    """Return the screen once it shows a conversation or a list and keeps still."""
    shown, since = "", time.monotonic()
    end = since + SHOW_SECONDS
    while time.monotonic() < end:
        found = _ask(tmux, "capture-pane", "-p")
        if found != shown:
            shown, since = found, time.monotonic()
        is_drawn = SAID.search(shown) or ROW.search(shown)
        if is_drawn and time.monotonic() - since > QUIET_SECONDS:
            return shown
        time.sleep(0.1)
    pytest.fail(f"Claude Code shows nothing of a session:\n{shown}")
