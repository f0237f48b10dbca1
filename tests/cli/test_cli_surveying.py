"""The commands that only look, on the example: what they print, in any width, as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from everyleaf.cli.command import everyleaf, run
from everyleaf.cli.output import fit, table
from everyleaf.transcript.words import squeezed
from sessions import Home

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
@pytest.mark.parametrize(
    "command",
    [AGENTS, ("stats", EXAMPLE), ("check", EXAMPLE), ("files", EXAMPLE)],
    ids=["agents", "stats", "check", "files"],
)
def test_no_line_is_wider_than_the_terminal(command, width):
    lines = call(*command, COLUMNS=str(width)).splitlines()

    assert lines
    assert max(map(len, lines)) <= width


def test_words_of_a_comparison_are_broken_to_the_terminal(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "40")
    names = ("66e54b32:1", "66e54b32:2", "--source", str(EXAMPLE), "-q", "--no-redact")

    assert run(everyleaf, ["diff", *names]) == 1

    words = capsys.readouterr().out.split("\nsrc/")[0].splitlines()
    assert len(words) > 20
    assert max(map(len, words)) <= 40


def test_into_a_pipe_goes_no_colour():
    assert "\x1b" not in call(*AGENTS) + call("stats", EXAMPLE, "--by", "day")


def test_agents_as_json_have_the_whole_result():
    found = json.loads(call(*AGENTS, "--json"))

    assert [agent["type"] for agent in found["agents"]][:2] == ["Explore", "Explore"]
    assert found["agents"][-1]["agents"][0]["description"] == "Find CRC rule"
    assert found["agents"][0]["usage"]["output"] == 112


def test_stats_as_json_add_up():
    found = json.loads(call("stats", EXAMPLE, "--json"))

    for way in ("project", "day", "model"):
        assert sum(row["calls"] for row in found["by"][way]) == found["total"]["calls"]


def test_stats_as_svg_are_one_drawing():
    drawn = call("stats", EXAMPLE, "--svg", "--by", "model")

    assert "claude-opus-4-8" in "".join(ET.fromstring(drawn).itertext())  # noqa: S314


def test_a_check_says_what_to_do_and_counts_in_its_last_line():
    out = call("check", EXAMPLE, "--ignore", "string-content")

    assert "warning: recovered-line (1)\n" in out
    assert out.index("\nnote: ") > out.index("warning: unreadable-line")
    assert "  ⇒ Restore the file from a backup, if the line matters.\n" in out
    assert out.endswith("23 files, 16 sessions; 2 warnings, 5 notes\n")


def test_a_check_lists_a_few_of_each_kind_unless_all_are_wanted():
    few, every = call("check", EXAMPLE), call("check", EXAMPLE, "-v")

    assert "… and 17 more (--verbose)" in few
    assert "more (--verbose)" not in every
    assert every.count("with a string\n") == 22


def test_a_check_as_json_brings_advice_for_each_code():
    found = json.loads(call("check", EXAMPLE, "--json"))

    assert {one["code"] for one in found["findings"]} == set(found["advice"])


@pytest.mark.parametrize(("options", "code"), [((), 0), (("--strict",), 1)])
def test_only_a_strict_check_fails(options, code):
    assert run(everyleaf, ["check", str(EXAMPLE), "-q", *options]) == code


def test_what_is_ignored_fails_no_strict_check(tmp_path, capsys):
    message = {"role": "user", "content": "typed"}
    names = {"uuid": "u1", "parentUuid": None, "sessionId": "s"}
    record = {"type": "user", "message": message, **names}
    (tmp_path / "s.jsonl").write_text(f"{json.dumps(record)}\nnot a record\n")
    arguments = ["check", str(tmp_path), "-q", "--strict"]

    assert run(everyleaf, arguments) == 1
    assert run(everyleaf, [*arguments, "--ignore", "unreadable-line"]) == 0
    assert "0 warnings, 1 note\n" in capsys.readouterr().out
    assert run(everyleaf, [*arguments, "--ignore", "no-code"]) == 2
    assert "no code no-code" in capsys.readouterr().err


def test_files_are_listed_with_each_path_that_changed_them():
    out = call("files", EXAMPLE, "--match", "moon.py")
    told = call("files", EXAMPLE, "--match", "moon.py", "--json").splitlines()
    rows = [json.loads(line) for line in told]

    assert "  6df8cff4 path 1 +11 -0 ABANDONED, new" in out
    assert [row["path"][:8] + row["path"][-2:] for row in rows] == [
        "6df8cff4:1",
        "6df8cff4:2",
        "2d394510:1",
    ]


def test_a_file_goes_to_stdout_as_the_path_left_it():
    one = call("files", EXAMPLE, "--at", "6df8cff4:1", "moon.py")
    other = call("files", EXAMPLE, "--at", "6df8cff4:2", "moon.py")

    assert (one.count("\n"), other.count("\n")) == (11, 16)


def test_a_file_itself_is_no_json(capsys):
    code = run(
        everyleaf, ["files", str(EXAMPLE), "--at", "6df8cff4:1", "moon.py", "--json"]
    )

    assert code == 2
    assert "--json is for the list; --at prints" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--at", "6df8cff4:1", "no.py"), "saw no file 'no.py'"),
        (("--at", "6df8cff4:9", "moon.py"), "has no path 9"),
        (("--match", "no.*"), ""),
    ],
)
def test_a_file_that_is_nowhere_ends_in_1(options, message, capsys):
    assert run(everyleaf, ["files", str(EXAMPLE), "-q", *options]) == 1
    assert message in capsys.readouterr().err


def test_contents_that_cannot_be_told_end_in_1_and_say_so(tmp_path, capsys):
    lines = [
        {"type": "user", "message": {"role": "user", "content": "Edit it"}},
        {"type": "assistant", "message": {"role": "assistant", "content": [
            {"type": "tool_use", "id": "t", "name": "Edit", "input": {
                "file_path": "/a/b.py", "old_string": "x", "new_string": "y"}}]}},
        {"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t", "content": "done"}]}},
    ]  # fmt: skip
    parents = [None, "u0", "u1"]
    (tmp_path / "s.jsonl").write_text(
        "".join(
            json.dumps(
                {**line, "uuid": f"u{n}", "parentUuid": parents[n], "sessionId": "s"}
            )
            + "\n"
            for n, line in enumerate(lines)
        )
    )

    code = run(everyleaf, ["files", str(tmp_path), "-q", "--at", "s:1", "b.py"])

    out, err = capsys.readouterr()
    assert (code, out) == (1, "")
    assert "error: the contents of '/a/b.py' at the end of s:1 cannot be told" in err


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


def test_the_settings_list_what_says_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    home = Home(tmp_path)
    talk = home.talk()
    for text in ("y", "Looks good!", "Write a parser", "/clear"):
        talk.prompt(text)
    talk.save()

    def heard(*options):
        rows = call("feedback", tmp_path, "--json", *options).splitlines()
        return [json.loads(row)["text"] for row in rows]

    assert heard() == ["Looks good!", "Write a parser"]
    (tmp_path / "everyleaf.toml").write_text('[feedback]\ntrivial = ["Looks good"]\n')
    assert heard() == ["y", "Write a parser"]
    assert heard("--trivial", "Y") == ["Write a parser"]
    (tmp_path / "everyleaf.toml").write_text("[feedback]\ntrivial = 1\n")
    assert run(everyleaf, ["feedback", str(tmp_path), "-q"]) == 1
    assert "everyleaf.toml: feedback.trivial must be a list" in capsys.readouterr().err


def test_what_the_settings_mask_no_command_prints(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    talk = Home(tmp_path).talk()
    talk.prompt("Call Acme about it")
    talk.save()
    (tmp_path / "everyleaf.toml").write_text(
        '[redact]\nmask = [{ kind = "customer", word = "Acme" }]\n'
    )

    for command in (("feedback",), ("list",), ("find", "Call", "--source")):
        shown = call(*command, tmp_path)
        assert "redacted: customer 1" in shown
        assert "Acme" not in shown
        assert "Acme" in call(*command, tmp_path, "--no-redact")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    output_dir = tmp_path_factory.mktemp("example") / "site"
    options = ("--no-search", "--no-redact", "--format", "html")
    call("build", EXAMPLE, "--out", output_dir, *options)
    return output_dir


@pytest.mark.parametrize("command", ["feedback", "files"])
def test_links_lead_to_the_message_in_a_built_site(command, site):
    shown = call(command, EXAMPLE, "--json", "--no-redact")
    urls = [json.loads(line)["url"] for line in shown.splitlines()]

    assert len(urls) > 10
    for url in urls:
        page, _, anchor = url.partition("#")
        assert f'id="{anchor}"' in (site / page).read_text(), url


@pytest.mark.parametrize(
    "command",
    [("agents", "66", "--source"), ("stats",), ("feedback",), ("check",), ("files",)],
    ids=lambda command: command[0],
)
def test_nothing_to_look_at_is_an_error(command, tmp_path, capsys):
    assert run(everyleaf, [*command, str(tmp_path), "-q"]) == 1
    assert "no session files found" in capsys.readouterr().err


def test_a_table_that_fits_is_a_table_and_one_that_does_not_is_a_list(monkeypatch):
    rows = [("a title with words", "1"), ("b\x1b", "")]

    def drawn(width):
        monkeypatch.setattr("everyleaf.cli.output.width_of_output", lambda: width)
        return list(table(("name", "count"), rows))

    assert drawn(40)[1] == f"{rows[0][0]}      1"
    assert drawn(14) == ["a title with…", "  count 1", "b\\x1b"]


@pytest.mark.parametrize("width", [1, 2, 5, 40])
def test_what_is_cut_fits_and_drives_no_terminal(width):
    assert len(fit(squeezed("a\x1b[31m long\nline"), width)) <= width
