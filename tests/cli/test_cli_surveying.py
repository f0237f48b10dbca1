"""The commands that only look, on the example: what they print, in any width, as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from everyleaf.cli.command import everyleaf
from everyleaf.cli.errors import run
from everyleaf.cli.surveying import cut, table

EXAMPLE = Path(__file__).parents[2] / "examples/archive"
AGENTS = ("agents", "2abb", "--source", EXAMPLE)
WIDTHS = (30, 48, 80, 120)


def call(*arguments, **environment):
    result = CliRunner(env=environment).invoke(
        everyleaf, [str(each) for each in (*arguments, "-q")], catch_exceptions=False
    )
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("command", [AGENTS, ("stats", EXAMPLE)], ids=["agents", "stats"])
def test_no_line_is_wider_than_the_terminal(command, width):
    lines = call(*command, COLUMNS=str(width)).splitlines()

    assert lines
    assert max(map(len, lines)) <= width


def test_into_a_pipe_goes_no_colour():
    assert "\x1b" not in call(*AGENTS) + call("stats", EXAMPLE, "--by", "day")


def test_agents_as_json_have_the_whole_result():
    found = json.loads(call(*AGENTS, "--json"))

    assert [agent["agent_type"] for agent in found["agents"]][:2] == ["Explore", "Explore"]
    assert found["agents"][-1]["agents"][0]["description"] == "Find CRC rule"
    assert found["agents"][0]["usage"]["output"] == 112


def test_stats_as_json_add_up():
    found = json.loads(call("stats", EXAMPLE, "--json"))

    for way in ("project", "day", "model"):
        assert sum(row["calls"] for row in found["by"][way]) == found["total"]["calls"]


def test_stats_as_svg_are_one_drawing():
    drawn = call("stats", EXAMPLE, "--svg", "--by", "model")

    assert "claude-opus-4-8" in "".join(ET.fromstring(drawn).itertext())  # noqa: S314


def test_two_forms_at_once_are_wrong_usage(capsys):
    assert run(everyleaf, ["stats", str(EXAMPLE), "--json", "--svg"]) == 2
    assert "choose one" in capsys.readouterr().err


def test_feedback_is_markdown_or_a_line_of_json_each():
    markdown = call("feedback", EXAMPLE)
    rows = [json.loads(line) for line in call("feedback", EXAMPLE, "--json").splitlines()]

    assert markdown.count("\n### ") == len(rows)
    assert "to: Edit: src/slackwater/stations.toml" in markdown
    assert "    no. degrees, that's what every printed table has." in markdown
    assert {row["kind"] for row in rows} == {
        "prompt",
        "denial",
        "interruption",
        "answer",
        "plan-rejection",
    }


@pytest.mark.parametrize(
    "command",
    [("agents", "66", "--source"), ("stats",), ("feedback",)],
    ids=lambda command: command[0],
)
def test_nothing_to_look_at_is_an_error(command, tmp_path, capsys):
    assert run(everyleaf, [*command, str(tmp_path), "-q"]) == 1
    assert "no session files found" in capsys.readouterr().err


def test_a_table_that_fits_is_a_table_and_one_that_does_not_is_a_list():
    rows = [("a title with words", "1"), ("b\x1b", "")]

    assert list(table(("name", "count"), rows, width=40))[1] == f"{rows[0][0]}      1"
    assert list(table(("name", "count"), rows, width=14)) == [
        "a title with …",
        "  count 1",
        "b\\x1b",
    ]


@pytest.mark.parametrize("width", [1, 2, 5, 40])
def test_what_is_cut_fits_and_drives_no_terminal(width):
    assert len(cut("a\x1b[31m long\nline", width)) <= width
