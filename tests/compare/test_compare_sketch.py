"""Sketches: what a comparison keeps of a turn."""

from __future__ import annotations

import pytest

from everyleaf.compare.sketch import (
    REPLY_CHARS,
    TESTS,
    CheckRun,
    StepKind,
    TurnSketch,
    sketch_turn,
)
from everyleaf.graph.forest import Turn, TurnKind
from everyleaf.transcript.document import Outcome
from transcript.written import assistant, call, document, placed, result, user

RED = "\x1b[31m2 failed\x1b[0m, 3 passed\n\nDuration 4 s\n"


def sketch(*raws) -> TurnSketch:
    turn = Turn(3, "s", 0, TurnKind.RESPONSE, tuple(placed(raw) for raw in raws))
    return sketch_turn(turn, document(*raws))


def ran(command: str, said: str = "", **more) -> TurnSketch:
    return sketch(assistant(call("Bash", {"command": command})), result(said, **more))


def last_tests(command: str, said: str = "", **more) -> CheckRun | None:
    checks = ran(command, said, **more).checks
    return next((run for run in checks if run.kind == TESTS), None)


def say(text: str) -> dict[str, object]:
    return {"type": "text", "text": text}


def test_a_turn_is_told_in_steps():
    found = sketch(
        assistant(say("Let me look."), call("Read", {"file_path": "/a.py"})),
        result("1\tx"),
    )

    assert found.messages == 2
    assert [(step.kind, step.name, step.words) for step in found.steps] == [
        (StepKind.REPLY, "", "Let me look."),
        (StepKind.TOOL, "Read", "/a.py"),
    ]


def test_a_prompt_is_kept_in_full():
    found = sketch(user("Write a parser.\nA fast one."))

    assert found.prompt is not None
    assert found.prompt.text == "Write a parser.\nA fast one."
    assert found.reply is None


def test_a_long_reply_is_cut_at_a_word():
    found = sketch(assistant(say("word " * 1_000)))

    assert found.reply is not None
    assert len(found.reply.text) <= REPLY_CHARS + 2
    assert found.reply.text.endswith("word …")


@pytest.mark.parametrize(
    "command",
    [
        "pytest -q",
        "cd app && uv run pytest tests",
        "npm test",
        "npm run test -- --watch",
        "npx vitest run",
        "go test ./...",
        "make check",
        "python -m unittest",
        "cargo test --all",
    ],
)
def test_a_command_that_runs_tests_is_noticed(command):
    found = last_tests(command, RED, is_error=True)

    assert found is not None
    assert found.outcome is Outcome.ERROR


@pytest.mark.parametrize(
    "command", ["ls tests", "git commit -m 'test it'", "cat pytest.ini", "npm install"]
)
def test_other_commands_are_no_run_of_tests(command):
    assert last_tests(command, "fine") is None


def test_a_run_of_tests_says_its_result_without_colours():
    found = last_tests("pytest", RED)

    assert found is not None
    assert found.said == "2 failed, 3 passed"


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("npx tsc --noEmit", "type check"),
        ("uv run mypy .", "type check"),
        ("npm run lint", "lint"),
        ("cargo build --release", "build"),
        ("cargo clippy", "lint"),
        ("pytest && mypy", "tests"),
    ],
)
def test_other_checks_are_noticed_with_their_kind(command, kind):
    assert [run.kind for run in ran(command, "fine").checks] == [kind]


def test_output_without_a_result_gives_its_last_line_and_no_output_nothing():
    said = [last_tests("pytest", text) for text in ("one\ntwo\n--\n", "")]

    assert [run.said for run in said if run] == ["two", ""]


def test_an_interruption_at_the_end_is_noticed():
    found = sketch(assistant(say("I will")), user("[Request interrupted by user]"))

    assert found.is_interrupted
    assert found.steps[-1].kind is StepKind.NOTICE
    assert not sketch(assistant(say("Done."))).is_interrupted


@pytest.mark.parametrize(
    ("tool", "told"), [("Edit", True), ("Write", True), ("Read", True), ("Bash", False)]
)
def test_a_turn_whose_tools_touch_no_file_need_not_be_read_for_files(tool, told):
    made = call(tool, {"file_path": "/a.py", "command": "ls"})

    assert sketch(assistant(made), result("ok")).tells_of_files is told


def test_a_result_without_its_call_may_be_that_of_an_edit():
    assert sketch(result("ok")).tells_of_files
