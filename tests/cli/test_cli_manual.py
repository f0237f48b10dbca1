"""`everyleaf manual`: every page, as a person and as a pipe get it."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from cli.terminals import on_terminal
from everyleaf.cli.command import everyleaf
from everyleaf.cli.manual import contents, topics


def test_it_lists_every_topic_once_with_its_title():
    result = CliRunner().invoke(everyleaf, ["manual"])

    listed = [name for _, names in contents() for name in names]
    assert len(listed) == len(set(listed))
    assert set(topics()) == {*listed, *everyleaf.commands}
    assert "  redaction     Redaction: what is masked" in result.output


@pytest.mark.parametrize(
    "name", ["redaction", "redaction.md", "build", "commands/build.md"]
)
def test_a_page_in_a_pipe_is_markdown_without_what_keeps_it_true(name):
    result = CliRunner().invoke(everyleaf, ["manual", name])

    assert result.exit_code == 0
    assert result.output.startswith("# ")
    assert "[[[" not in result.output


def test_a_name_that_is_nearly_right_is_named():
    result = CliRunner().invoke(everyleaf, ["manual", "redact"])

    assert result.exit_code == 2
    assert "no page is called 'redact'. Near to it: redaction" in result.output


def test_a_page_on_a_terminal_fits_it_and_says_what_to_type_for_its_links():
    shown = on_terminal("manual", "publishing", columns=70)

    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert "manual redaction" in " ".join(plain.split())
    assert "(redaction.md)" not in plain
    assert max(map(len, plain.splitlines())) <= 70


def test_a_shell_completes_topics():
    said = CliRunner().invoke(
        everyleaf,
        env={
            "_EVERYLEAF_COMPLETE": "fish_complete",
            "COMP_WORDS": "everyleaf manual red",
            "COMP_CWORD": "red",
        },
        prog_name="everyleaf",
    )

    assert "redaction" in said.output
