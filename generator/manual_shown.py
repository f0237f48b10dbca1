"""What the manual and the README show of the program: `cog` puts it between their lines.

    python generator/manual_shown.py    # a page for each command that has none

`just readme` brings all of it up to date, `just lint` fails where something is not.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import tempfile
from contextlib import chdir
from pathlib import Path
from unittest import mock

import click
from click.testing import CliRunner

from everyleaf.cli.command import everyleaf
from everyleaf.errors import EveryleafError

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = Path(__file__).parent / "everyleaf" / "manual" / "commands"
WIDTH = 88
"""Columns of everything shown."""
PAGE = """# everyleaf {name}

<!-- [[[cog
from manual_shown import help_of
cog.outl(help_of("{name}"))
]]] -->
<!-- [[[end]]] -->
"""


def help_of(name: str) -> str:
    """Return the help of the command `name`, as a block of Markdown."""
    group = click.Context(everyleaf, info_name="everyleaf", **everyleaf.context_settings)
    command = everyleaf.commands[name]
    context = click.Context(command, parent=group, info_name=name, terminal_width=WIDTH)
    return f"```text\n{command.get_help(context).rstrip()}\n```"


def shown(line: str, *, most: int = 99, source: str = "") -> str:
    """Return `everyleaf LINE` and the first `most` lines that it prints.

    `source` is added to what is run and not to what is shown. Runs in the root of the
    project, where `examples/archive` is.

    Raises:
        RuntimeError: the command failed.
    """
    arguments = [*shlex.split(line), *shlex.split(source)]
    with mock.patch.dict(os.environ, {"COLUMNS": str(WIDTH)}):
        result = CliRunner().invoke(everyleaf, arguments)
    if result.exit_code:
        raise RuntimeError(f"everyleaf {line}: {result.output}") from result.exception
    lines = result.stdout.rstrip().split("\n")
    lines = [*lines[:most], "…"] if len(lines) > most + 1 else lines
    return "\n".join(["```console", f"$ everyleaf {line}", *lines, "```"])


def built(options: str, file: str, *, most: int) -> str:
    """Return the first `most` lines of `file` as `everyleaf build` writes it."""
    with tempfile.TemporaryDirectory() as folder:
        asked = ["build", str(ROOT / "examples/archive"), *shlex.split(options), "-q"]
        CliRunner().invoke(everyleaf, [*asked, "--out", folder])
        lines = Path(folder, file).read_text("utf-8").split("\n")
    return "\n".join(["```yaml", *lines[:most], "```"])


def shown_in_a_copy(lines: list[str]) -> str:
    """Return what each of `lines` prints, errors too, run one after the other.

    They may change sessions: those of a copy of the example, which is called `archive`.
    """
    blocks: list[str] = []
    with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ):
        shutil.copytree(ROOT / "examples/archive", Path(folder, "archive"))
        os.environ |= {"EVERYLEAF_BACKUP_DIR": "backups", "CLAUDE_CONFIG_DIR": folder}
        with (
            chdir(folder),
            mock.patch("everyleaf.cli.options.time.time", return_value=1774000000.0),
            mock.patch("everyleaf.store.time.time_ns", return_value=1774000000 * 10**9),
        ):
            for line in lines:
                result = CliRunner().invoke(everyleaf, shlex.split(line))
                said = result.output
                if isinstance(error := result.exception, EveryleafError):
                    said += f"error: {error.message}\nhint: {error.hint}"
                blocks.append(f"```console\n$ everyleaf {line}\n{said.rstrip()}\n```")
    return "\n\n".join(blocks)


def shown_in_a_repository(lines: list[str]) -> str:
    """Return what each of `lines` prints in a git repository with what the example wrote.

    A session of the example edited its files; who committed them said nothing of it.
    """
    session = next(ROOT.glob("examples/archive/projects/*/66e54b32*.jsonl"))
    records = [json.loads(line) for line in session.read_text("utf-8").splitlines()]
    results = [record.get("toolUseResult") for record in records]
    edits = [one for one in results if isinstance(one, dict) and one.get("originalFile")]
    before: dict[str, str] = {}
    for edit in edits:
        before.setdefault(edit["filePath"].partition("/ladle/")[2], edit["originalFile"])
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder, "ladle")
        archive = ["--source", str(ROOT / "examples" / "archive"), "-q", "--utc"]
        after: dict[str, str] = {}
        for file in before:
            asked = ["files", "--at", "66e54b32:2", file, *archive[:3]]
            after[file] = CliRunner().invoke(everyleaf, asked).stdout
        _git(folder, 1, "init", "-q", "-b", "main", "ladle")
        for at, subject, texts in (
            (1769900000, "Scale recipes", before),
            (1773000000, "Write amounts as cooks do", after),
        ):
            for file, text in texts.items():
                (top / file).parent.mkdir(exist_ok=True)
                (top / file).write_text(text, "utf-8")
            _git(top, at, "add", "-A")
            _git(top, at, "commit", "-q", "-m", subject)
        blocks: list[str] = []
        with chdir(top), mock.patch.dict(os.environ, {"COLUMNS": str(WIDTH)}):
            for line in lines:
                result = CliRunner().invoke(everyleaf, [*shlex.split(line), *archive])
                said = result.output
                if isinstance(error := result.exception, EveryleafError):
                    said += f"error: {error.message}\nhint: {error.hint}"
                blocks.append(f"```console\n$ everyleaf {line}\n{said.rstrip()}\n```")
    return "\n\n".join(blocks)


def _git(folder: str | Path, at: int, *arguments: str) -> None:
    """Run git as Ada, at a moment in seconds since 1970, without anybody's settings."""
    mine = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    for role in ("AUTHOR", "COMMITTER"):
        mine |= {f"GIT_{role}_NAME": "Ada", f"GIT_{role}_EMAIL": "ada@example.org"}
        mine[f"GIT_{role}_DATE"] = f"{at} +0000"
    subprocess.run(["git", *arguments], cwd=folder, env=os.environ | mine, check=True)  # noqa: S603, S607  (as a person does)


def main() -> None:
    """Write an empty page for each command that has none."""
    COMMANDS.mkdir(exist_ok=True)
    for name in everyleaf.commands:
        page = COMMANDS / f"{name}.md"
        if not page.exists():
            page.write_text(PAGE.format(name=name), "utf-8")


if __name__ == "__main__":
    main()
