"""What `init` writes works, and overwrites nothing."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from everyleaf.cli.build import build
from everyleaf.cli.settings import as_defaults
from everyleaf.errors import OutputError
from everyleaf.scaffold import KITS, NEXT, start

REPOSITORY = Path(__file__).parents[1]
SESSION = '{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1"}\n'


def git(folder, *arguments, check=True):
    settings = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    return subprocess.run(
        ["git", *settings, *arguments],
        cwd=folder,
        check=check,
        capture_output=True,
        text=True,
    )


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    return folder


@pytest.mark.parametrize("kit", KITS)
def test_each_kit_is_written_once_and_then_left_alone(tmp_path, kit):
    first = start(tmp_path, kit)
    for place in first.wrote:
        (tmp_path / place).write_text("mine")
    second = start(tmp_path, kit)

    assert first.wrote == second.kept == tuple(KITS[kit])
    assert second.wrote == ()
    assert {(tmp_path / place).read_text() for place in KITS[kit]} == {"mine"}
    assert NEXT[kit]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "folder/.githooks").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(OutputError, match="leads out"):
        start(tmp_path / "folder", "pre-commit")

    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("kit", ["netlify", "pages", "repo"])
def test_the_settings_are_ones_that_build_takes(tmp_path, kit):
    start(tmp_path, kit)
    file = tmp_path / "everyleaf.toml"
    text = file.read_text().replace("# project", "project").replace("# source", "source")
    table = tomllib.loads(text)

    defaults = as_defaults(build, file, table)

    assert defaults["output_dir"] == str(tmp_path / table["out"])
    assert defaults["projects"] == ["parser"]


def test_nothing_that_deploys_builds_from_raw_sessions(tmp_path):
    for kit in ("netlify", "pages"):
        start(tmp_path, kit)
    netlify = tomllib.loads((tmp_path / "netlify.toml").read_text())
    workflow = (tmp_path / ".github/workflows/everyleaf.yml").read_text()
    commands = [line for line in workflow.splitlines() if not line.lstrip().startswith("#")]

    assert netlify["build"] == {"command": "", "publish": "site"}
    assert "everyleaf build" not in "\n".join(commands)


def test_the_workflow_pins_every_action_and_asks_for_no_more_than_it_needs(tmp_path):
    start(tmp_path, "pages")
    workflow = (tmp_path / ".github/workflows/everyleaf.yml").read_text()
    used = re.findall(r"uses: (\S+)", workflow)
    granted = re.findall(
        r"^ +(contents|pages|id-token|\w+): (read|write)$", workflow, re.MULTILINE
    )

    assert len(used) == 3
    assert all(re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", each) for each in used)
    assert granted == [("contents", "read"), ("pages", "write"), ("id-token", "write")]
    assert "permissions: {}" in workflow


def test_the_workflow_takes_only_what_everyleaf_built(tmp_path):
    start(tmp_path, "pages")
    workflow = (tmp_path / ".github/workflows/everyleaf.yml").read_text()
    (step,) = re.findall(r"run: (.+)", workflow)
    (tmp_path / "site").mkdir()

    is_refused = subprocess.run(["sh", "-ec", step], cwd=tmp_path, check=False).returncode
    (tmp_path / "site/manifest.json").write_text('{"format": "everyleaf-manifest"}')
    is_taken = subprocess.run(["sh", "-ec", step], cwd=tmp_path, check=False).returncode

    assert (is_refused, is_taken) == (1, 0)


@pytest.fixture
def hooked(repository, tmp_path, monkeypatch):
    """A repository with the hook; `everyleaf` is a stand-in that refuses `bad/`."""
    start(repository, "pre-commit")
    git(repository, "config", "core.hooksPath", ".githooks")
    commands = tmp_path / "commands"
    commands.mkdir()
    (commands / "everyleaf").write_text('#!/bin/sh\necho "$@"\n[ "$2" != bad ]\n')
    (commands / "everyleaf").chmod(0o755)
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    return repository


def commit(repository):
    git(repository, "add", "--all")
    return git(repository, "commit", "--quiet", "--message", "x", check=False)


def test_the_hook_lets_ordinary_files_pass(hooked):
    (hooked / "notes.jsonl").write_text('{"name": "no session"}\n')

    assert commit(hooked).returncode == 0


def test_the_hook_keeps_raw_sessions_out(hooked):
    (hooked / "a session.jsonl").write_text(SESSION)

    refused = commit(hooked)

    assert refused.returncode != 0
    assert "a session.jsonl is a raw session" in refused.stderr


@pytest.mark.parametrize(("folder", "is_let_pass"), [("good", True), ("bad", False)])
def test_the_hook_verifies_and_audits_what_was_built(hooked, folder, is_let_pass):
    (hooked / folder).mkdir()
    (hooked / folder / "manifest.json").write_text('{"format": "everyleaf-manifest"}')

    done = commit(hooked)

    assert (done.returncode == 0) is is_let_pass
    assert f"verify {folder}" in done.stderr
    assert (f"audit {folder}" in done.stderr) is is_let_pass
