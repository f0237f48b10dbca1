"""What shells complete: asked directly, and typed into each shell as its person would."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from everyleaf.cli.command import everyleaf

pty = pytest.importorskip("pty", reason="shells need terminals as Unix has them")
EXAMPLE = Path(__file__).parents[2] / "examples/archive"
FRACTIONS = "66e54b32-a2e7-4065-974c-867d582949af"
TITLE = "Write scaled amounts as cup fractions"
PATIENCE_S = 30


def settle(folder, patch):
    """Make a home folder with sessions, a command, and nothing else."""
    for name in ("CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "ZDOTDIR"):
        patch.delenv(name, raising=False)
    command = folder / "bin" / "everyleaf"
    patch.setenv("HOME", str(folder))
    patch.setenv("PATH", f"{command.parent}:{os.environ['PATH']}")
    patch.setenv("TERM", "xterm")
    patch.setenv("COLUMNS", "100")
    patch.chdir(folder)
    shutil.copytree(EXAMPLE, folder / ".claude")
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m everyleaf "$@"\n')
    command.chmod(0o755)


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Return a home folder in which nothing was listed yet."""
    settle(tmp_path, monkeypatch)
    return tmp_path


@pytest.fixture(scope="module")
def listed_home(tmp_path_factory):
    """Return a home whose sessions were listed, for whoever changes nothing there."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        settle(folder, patch)
        listed()
        yield folder


def listed(*options):
    CliRunner().invoke(everyleaf, ["list", "-q", *options])


def offered(line):
    """Return (value, description) of what is offered at the end of a line."""
    asked = {"_EVERYLEAF_COMPLETE": "bash_complete", "COMP_WORDS": line}
    said = subprocess.run(
        ["everyleaf"], env=os.environ | asked, capture_output=True, text=True, check=False
    )
    assert said.stderr == ""
    lines = [one.partition(",") for one in said.stdout.splitlines()]
    return [tuple(value.split("\t")) for kind, _, value in lines if kind == "plain"]


@pytest.mark.usefixtures("listed_home")
def test_sessions_come_newest_first_with_their_titles():
    found = offered("everyleaf show ")
    order = CliRunner().invoke(everyleaf, ["list", "--warmup", "--json", "-q"]).stdout
    ids = re.findall(r'"session": "([^"]*)", "project"', order)

    # What holds no conversation is in no list.
    assert [one[0] for one in found if one[0] in ids] == ids
    assert (FRACTIONS, TITLE) in found


def test_before_anything_was_read_ids_are_offered_by_the_time_of_their_files(home):
    oldest = next((home / ".claude").glob(f"projects/*/{FRACTIONS}.jsonl"))
    os.utime(oldest, (0, 0))

    found = offered("everyleaf show ")

    assert found[-1] == (FRACTIONS,)
    assert len(found) == len(list((home / ".claude").glob("projects/*/????????-*.jsonl")))


@pytest.mark.usefixtures("listed_home")
@pytest.mark.parametrize("line", ["show cup", "show 'Cup Fr", "tree fractions", "diff 66"])
def test_a_part_of_a_title_finds_its_session_where_no_id_begins_so(line):
    assert offered(f"everyleaf {line}") == [(FRACTIONS, TITLE)]


@pytest.mark.usefixtures("listed_home")
def test_behind_a_colon_the_numbers_of_paths_are_offered():
    found = offered("everyleaf diff 66e54b32:")

    assert [value for value, _ in found] == ["66e54b32:1", "66e54b32:2"]
    assert [words.split()[0] for _, words in found] == ["ABANDONED", "ACTIVE"]
    assert [value for value, _ in offered("everyleaf diff 66e54b32:2")] == ["66e54b32:2"]
    assert offered("everyleaf diff ffff:") == []


@pytest.mark.usefixtures("listed_home")
@pytest.mark.parametrize("line", ["list --project ", "build --project=", "list --project"])
def test_names_of_projects_are_offered(line):
    found = {one[0] for one in offered(f"everyleaf {line}")}

    expected = {"--project"} if line.endswith("t") else {"dewpoint", "ladle", "slackwater"}
    assert found == expected
    assert offered("everyleaf list --project LA") == [("ladle",)]


@pytest.mark.usefixtures("home")
def test_what_was_printed_raw_is_not_offered():
    listed("--no-redact")

    assert all(len(one) == 1 for one in offered("everyleaf show "))


def test_titles_masked_in_another_way_are_not_offered(home):
    listed()
    settings = home / "everyleaf.toml"
    settings.write_text('[[redact.rule]]\nname = "cup"\nword = "fractions"\n')

    assert all(len(one) == 1 for one in offered("everyleaf show "))


def test_a_title_cannot_drive_a_terminal(home):
    file = next((home / ".claude").glob(f"projects/*/{FRACTIONS}.jsonl"))
    title = (
        '{"type":"custom-title","customTitle":"red \\u001b[31m\\ttab","sessionId":"%s"}\n'
    )
    with file.open("a") as out:
        out.write(title % FRACTIONS)
    listed()

    ((_, words),) = offered("everyleaf show 66")
    assert words.isprintable()
    assert words.startswith("red ")


class Terminal:
    """A shell that a person types into."""

    def __init__(self, *command):
        self.said = ""
        self.own, theirs = pty.openpty()
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
        )
        os.close(theirs)

    def type(self, keys, *, until):
        """Type `keys`, and return all that was said up to `until`."""
        os.write(self.own, keys.encode())
        end = time.monotonic() + PATIENCE_S
        begun = len(self.said)
        while not re.search(until, self.said[begun:]) and time.monotonic() < end:
            if select.select([self.own], [], [], 0.2)[0]:
                self.said += os.read(self.own, 65536).decode(errors="replace")
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.said[begun:])

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.own)


SHELLS = {"bash": ["bash", "-i"], "zsh": ["zsh", "-i"], "fish": ["fish"]}


def installed(shell):
    """Do what `everyleaf completion --help` says, in a home that has nothing yet."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    told = (everyleaf.commands["completion"].epilog or "").splitlines()
    lines = [line.strip() for line in told if line.startswith("  ")]
    for line in lines:
        if shell in line:
            subprocess.run(["sh", "-c", line], check=True)


@pytest.fixture(scope="module", params=["bash", "zsh"])
def terminal(request, listed_home):  # noqa: ARG001  (the home that it starts in)
    installed(request.param)
    made = Terminal(*SHELLS[request.param])
    # What was typed is shown as it is, too: only what is printed has no quotes in it.
    made.type("echo rea''dy\n", until="ready")
    yield made
    made.close()


def finished(terminal, keys):
    """Return the words that a line has once `keys` were typed."""
    said = terminal.type(
        f"\x15{keys}\x01printf '<%s>' \x05; echo; echo en''d\n", until="\nend"
    )
    return re.findall(r"<([^<>%]*)>", said.split("en''d")[-1])


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("everyleaf show 66\t", ["everyleaf", "show", FRACTIONS]),
        ("everyleaf show cup\t", ["everyleaf", "show", FRACTIONS]),
        ("everyleaf show 66e54b32:2\t", ["everyleaf", "show", "66e54b32:2"]),
        ("everyleaf list --project la\t", ["everyleaf", "list", "--project", "ladle"]),
        ("everyleaf show --for\tt\t", ["everyleaf", "show", "--format", "text"]),
    ],
)
def test_a_word_is_finished_in_a_real_shell(terminal, keys, words):
    assert finished(terminal, keys) == words


def test_candidates_are_listed_with_what_they_are_in_a_real_shell(terminal):
    said = terminal.type("\x15everyleaf diff 66e54b32:\t\t", until="ACTIVE Write")

    assert "ABANDONED" in said
    assert "ACTIVE Write scaled" in said
    assert "command not found" not in terminal.said


@pytest.mark.usefixtures("listed_home")
def test_fish_offers_the_same_and_finds_its_script_by_itself():
    installed("fish")

    def complete(line):
        asked = ["fish", "-c", f"complete -C '{line}'"]
        said = subprocess.run(asked, capture_output=True, text=True, check=True)
        assert said.stderr == ""
        return [tuple(one.split("\t")) for one in said.stdout.splitlines()]

    assert complete("everyleaf show 66") == [(FRACTIONS, TITLE)]
    assert [one[0] for one in complete("everyleaf diff 66e54b32:")] == [
        "66e54b32:1",
        "66e54b32:2",
    ]
    assert [one[0] for one in complete("everyleaf list --project l")] == ["ladle"]
    words = "What to print.  [default: text on a terminal, else md]  [md|text]"
    assert complete("everyleaf show --form") == [("--format", words)]
