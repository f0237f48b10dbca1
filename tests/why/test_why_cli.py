"""`everyleaf why` on the command line."""

from __future__ import annotations

import json

import pytest

from everyleaf.cli.command import everyleaf, run
from why.made import BOT
from why.test_why_trace import FILE, ONE, begun, forked


@pytest.fixture
def call(world, monkeypatch, capsys):
    """Run `everyleaf why` in the repository; return the exit code and what it printed."""

    def run_command(*arguments, source=None):
        world.save()
        monkeypatch.chdir(world.top)
        place = ["--source", str(source or world.home.folder)]
        code = run(everyleaf, ["why", *arguments, *place, "-q", "--utc"])
        return code, "".join(capsys.readouterr())

    return run_command


def test_a_line_is_told_with_commit_prompt_and_a_name_to_show(world, call):
    begun(world)

    code, said = call(f"{FILE}:2")

    assert code == 0
    assert said.splitlines()[0] == f"{FILE}:2"
    assert "Read files" in said
    assert "66e54b32:1 · ACTIVE" in said
    assert "prompt: Read a file" in said
    assert run(everyleaf, ["show", "66e54b32:1", "--source", str(world.home.folder)]) == 0


def test_a_project_that_is_not_there_is_an_error(world, call):
    begun(world)

    code, said = call(FILE, "--project", "nowhere")

    assert code == 1
    assert "no project fits" in said


def test_a_commit_without_a_message_is_no_name_that_sessions_are_looked_for_by(world, call):
    begun(world)
    world.append(FILE, "def write_file(name):")
    world.commit("", "--allow-empty-message")

    code, said = call(FILE)

    assert code == 0
    assert "66e54b32:1" in said


def test_json_holds_what_is_printed(world, call):
    left, taken = forked(world)

    code, said = call(f"{FILE}:3-4", "--json", "--site", "https://ada.example/s/")

    (found,) = json.loads(said)
    (answer,) = found["answers"]
    assert (code, found["file"], answer["lines"]) == (0, FILE, [[3, 4]])
    assert (answer["sure"], answer["origins"][0]["path"]) == ("recorded", f"{ONE}:2")
    assert answer["origins"][0]["uuid"] == taken
    assert answer["origins"][0]["link"].startswith("https://ada.example/s/transcripts/")
    assert [one["uuid"] for one in answer["abandoned"]] == [left]


def test_a_request_lists_prompts_with_what_they_led_to(world, call):
    world.git("checkout", "-q", "-b", "side")
    talk, _ = begun(world)
    talk.prompt("Count *them*")
    talk.append(FILE, "count_lines(name)")
    talk.commit("Count lines")
    world.append(FILE, "typed_by_a_person(name)")
    world.commit("Type")

    code, said = call("--pr", "--site", "https://ada.example")

    lines = said.splitlines()
    assert (code, lines[0]) == (0, "## Prompts")
    assert lines[2].startswith("1. Read a file ([session 66e54b32, path 1](<https://ada")
    assert lines[3].startswith(f"   - `{FILE}` 1-2 (`")
    assert lines[4].startswith("2. Count \\*them\\* (")
    assert lines[-1].startswith(f"- `{FILE}` 4 (`")
    assert "README" not in said


def test_the_lines_of_a_commit_are_asked_by_its_name(world, call):
    begun(world)

    assert call("--commit", "HEAD")[0] == 0
    code, said = call("--commit", "HEAD~1")
    assert (code, said.splitlines()[0]) == (1, "README.md:1")
    assert f"commit {world.git('rev-parse', 'HEAD~1')[:7]} · 2026-01-01 10:01" in said
    assert "unknown: no session is known to have written this" in said


def test_secrets_in_prompts_are_masked(world, call):
    key = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    talk = world.session(ONE)
    talk.prompt(f"Use {key}")
    talk.append(FILE, "def read_file(name):")
    talk.commit("Read files")

    assert key not in call(FILE)[1]
    assert "redacted" in call(FILE)[1]
    assert key in call(FILE, "--no-redact")[1]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["nowhere.py"], "git does not track 'nowhere.py'"),
        ([f"{FILE}:9"], f"'{FILE}' has 2 lines, and no line 9"),
        (["--commit", "zzz"], "there is no commit 'zzz'"),
        (["--commit", "--all"], "there is no commit '--all'"),
        (["--pr", "--base", "zzz"], "HEAD shares no commit with 'zzz'"),
    ],
)
def test_what_git_does_not_know_is_said(world, call, asked, message):
    begun(world)

    code, said = call(*asked)

    assert code == 1
    assert message in said
    assert "hint: " in said


def test_outside_of_a_repository_it_says_so(world, call, tmp_path):
    begun(world)

    code, said = call(FILE, "--repo", str(tmp_path))

    assert code == 1
    assert "not a git repository" in said


def test_without_sessions_it_says_so(world, call, tmp_path):
    begun(world)
    (tmp_path / "empty").mkdir()

    assert call(FILE, source=tmp_path / "empty")[0] == 1


@pytest.mark.parametrize(
    "asked", [[], [FILE, "--pr"], [FILE, "--base", "x"], [f"{FILE}:0"], [f"{FILE}:3-2"]]
)
def test_what_makes_no_sense_is_wrong_usage(world, call, asked):
    begun(world)

    assert call(*asked)[0] == 2


def test_a_file_whose_name_looks_like_lines_is_a_file(world, call):
    begun(world)
    world.commit_file("a:1", "read_file(name)\n", "Begin", author=BOT)

    code, said = call("a:1")

    assert (code, said.splitlines()[0]) == (1, "a:1:1")
