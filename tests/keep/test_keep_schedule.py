"""Lines for schedulers say what was meant, whatever the store is called."""

from __future__ import annotations

import plistlib
import shlex
import sys
from pathlib import Path

import pytest

from everyleaf.keep.settings import hook_command, iter_schedules

WORDS = [sys.executable, "-m", "everyleaf", "keep"]


@pytest.fixture(params=["kept", "my kept & 100% 'old' <x>", 'a "b" $HOME'])
def store(request):
    return Path("/srv") / request.param


def test_the_hook_is_one_command_of_a_shell(store):
    words = shlex.split(hook_command(store))

    assert words == [*WORDS, "--hook", "--to", str(store)]


def test_cron_gets_the_store_and_no_end_of_line(store):
    lines = list(iter_schedules(store))
    line = next(line for line in lines if "* * * *" in line).split(maxsplit=5)[5]

    assert shlex.split(line.replace(r"\%", "%")) == [*WORDS, "--quiet", "--to", str(store)]
    assert "%" not in line.replace(r"\%", "")


def test_launchd_gets_a_list_that_holds_it(store):
    text = "\n".join(iter_schedules(store))
    made = plistlib.loads(text[text.index("<plist") :].encode())

    assert made["ProgramArguments"] == [*WORDS, "--quiet", "--to", str(store)]


def test_systemd_gets_words_in_quotes_without_specifiers(store):
    line = next(line for line in iter_schedules(store) if "ExecStart" in line)
    words = line.partition("=")[2].replace("%%", "%").replace("$$", "$")

    assert shlex.split(words) == [*WORDS, "--quiet", "--to", str(store)]
