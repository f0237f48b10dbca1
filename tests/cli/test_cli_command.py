"""The group: version, help, and the way out of the process."""

from __future__ import annotations

import sys

import pytest

from everyleaf import __version__
from everyleaf.cli import main


def test_the_version_is_the_packages(call):
    assert call("--version") == (0, f"everyleaf, version {__version__}\n", "")


def test_help_names_every_command(call):
    code, out, _ = call("--help")

    assert code == 0
    assert "build" in out
    assert "paths" in out


def test_the_process_exits_with_the_commands_code(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["everyleaf", "no-such-command"])

    with pytest.raises(SystemExit) as caught:
        main()

    assert caught.value.code == 2
    assert "no-such-command" in capsys.readouterr().err
