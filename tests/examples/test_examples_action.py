"""The GitHub Action: its shell steps are run as a runner would."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from everyleaf.keep.stored import sweep
from everyleaf.store import Store

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples" / "github-action"
ACTION = yaml.safe_load((FOLDER / "action.yml").read_text())
STEPS = ACTION["runs"]["steps"]
PINNED = re.compile(r"uses: [\w.-]+/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")


@pytest.fixture
def runner(tmp_path):
    """Run the shell steps with some inputs in a workspace; pip is a stand-in."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "python").write_text('#!/bin/sh\necho "$@" >> "$RUNNER_TEMP/pip.txt"\n')
    (programs / "everyleaf").write_text(
        f'#!/bin/sh\nexec {sys.executable} -m everyleaf "$@"\n'
    )
    for program in programs.iterdir():
        program.chmod(0o755)
    (tmp_path / "workspace").mkdir()

    def run(**inputs):
        known = {name: told["default"] for name, told in ACTION["inputs"].items()}
        assert inputs.keys() <= known.keys()
        outcomes = [
            subprocess.run(
                [
                    "bash",
                    "--noprofile",
                    "--norc",
                    "-e",
                    "-o",
                    "pipefail",
                    "-c",
                    step["run"],
                ],
                cwd=tmp_path / "workspace",
                env={
                    "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
                    "RUNNER_TEMP": str(tmp_path),
                    "EVERYLEAF_CACHE_DIR": os.environ["EVERYLEAF_CACHE_DIR"],
                    "HOME": str(tmp_path),
                    **{
                        name: filled(value, known | inputs)
                        for name, value in step.get("env", {}).items()
                    },
                },
                capture_output=True,
                text=True,
                check=False,
            )
            for step in STEPS
            if "run" in step
        ]
        return [done.returncode for done in outcomes], outcomes

    return run


def filled(text, inputs):
    """Return a text of the action as a runner fills it in."""
    return re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], text)


def test_a_site_is_built_of_a_kept_store(runner, tmp_path):
    sweep([ROOT / "examples/archive"], Store(tmp_path / "workspace/kept"), lambda *_: None)

    codes, outcomes = runner(
        source="kept", args="--title=How this was made\n\n--project=ladle\n--no-search"
    )

    assert codes == [0, 0, 0], outcomes
    index = (tmp_path / "workspace" / "site" / "index.html").read_text()
    assert "How this was made" in index
    assert "slackwater" not in index
    assert "noindex" not in index  # It is public.
    assert (tmp_path / "pip.txt").read_text().strip().endswith("-- everyleaf")


def test_a_site_is_built_of_an_artifact(runner, tmp_path):
    shutil.copytree(ROOT / "examples/archive", tmp_path / "everyleaf-artifact" / "sessions")

    codes, outcomes = runner(
        artifact="any", source="sessions", public="false", out="pages", args="--no-search"
    )

    assert codes == [0, 0, 0], outcomes
    assert "noindex" in (tmp_path / "workspace/pages/index.html").read_text()


def test_what_an_input_says_is_no_command(runner, tmp_path):
    hostile = '"; touch "$RUNNER_TEMP/taken"; $(touch "$RUNNER_TEMP/taken") #'

    for name in ("source", "git", "out", "args", "package", "artifact", "public"):
        runner(**{"source": "nowhere", name: hostile})

    assert not (tmp_path / "taken").exists()


def test_nothing_to_build_is_told(runner):
    codes, outcomes = runner()

    assert codes[1] == 1
    assert "::error::name an artifact" in outcomes[1].stdout


def test_scripts_take_nothing_but_the_environment_and_actions_are_pinned():
    text = (FOLDER / "action.yml").read_text() + (FOLDER / "README.md").read_text()

    assert not [step for step in STEPS if "${{" in step.get("run", "")]
    assert len(PINNED.findall(text)) == text.count("uses: actions/") == 5
    assert ACTION["runs"]["using"] == "composite"
    assert all("shell" in step for step in STEPS if "run" in step)


def test_the_readme_names_inputs_that_there_are():
    readme = (FOLDER / "README.md").read_text()
    workflow = yaml.safe_load(re.findall(r"```yaml\n(.*?)```", readme, re.DOTALL)[0])
    job = workflow["jobs"]["publish"]

    (used,) = (step for step in job["steps"] if step.get("id") == "site")
    assert used["with"].keys() <= ACTION["inputs"].keys()
    assert job["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}
    assert "page-url" in ACTION["outputs"]
    for name in re.findall(r"^- `(\w+):", readme, re.MULTILINE):
        assert name in ACTION["inputs"]
