"""The group: version, help, and the way out of the process."""

from __future__ import annotations

import re
import sys

import click
import pytest

from everyleaf import __version__
from everyleaf.cli import main
from everyleaf.cli.command import SECTIONS, everyleaf


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


@pytest.mark.parametrize("name", sorted(everyleaf.commands))
def test_the_help_of_a_command_ends_with_one_that_comes_next(call, name):
    code, out, _ = call(name, "--help")

    last = out.rstrip().splitlines()[-1].split()
    assert (code, last[:2]) == (0, ["Next:", "everyleaf"])
    following, *words = last[2:]
    assert following in set(everyleaf.commands) - {name}
    # A command keeps the names of its help from the first context that asks for them.
    group = click.Context(everyleaf, **everyleaf.context_settings)
    context = click.Context(everyleaf.commands[following], parent=group)
    everyleaf.commands[following].make_parser(context).parse_args(words)


@pytest.mark.parametrize("name", sorted(everyleaf.commands))
def test_no_line_of_help_is_wider_than_a_terminal_of_80_columns(call, name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    assert max(map(len, call(name, "--help")[1].splitlines())) <= 80


def test_help_lists_each_command_once_by_what_it_is_for_with_an_example(call):
    _, out, _ = call("--help")

    named = [one.name for _, commands, _ in SECTIONS for one in commands]
    assert sorted(map(str, named)) == sorted(everyleaf.commands)
    assert [line for line in out.splitlines() if re.fullmatch(r"\w[\w ]*:", line)][1:] == [
        f"{title}:" for title, _, _ in SECTIONS
    ]
    assert out.count("Example: everyleaf ") == len(SECTIONS)
    for _, commands, example in SECTIONS:
        assert example.split()[0] in [one.name for one in commands]
