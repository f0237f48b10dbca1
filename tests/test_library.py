"""The library, on the example archive, as the manual shows it."""

from __future__ import annotations

import doctest
import json
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import everyleaf
from everyleaf import buildwords, library
from everyleaf.buildwords import BuildWords, options_of
from everyleaf.cli.build import build as command
from everyleaf.cli.command import everyleaf as everyleaf_command
from everyleaf.config import Format, Images, Left
from everyleaf.opening.reading import Scope
from everyleaf.report import BuildReport
from everyleaf.survey.feedback import gather_feedback
from everyleaf.survey.files import list_changes
from everyleaf.transcript.document import Prompt

ROOT = Path(__file__).resolve().parents[1]
PYTHON_PAGE = ROOT / "generator/everyleaf/manual/python.md"
AFTERNOON = datetime(2026, 1, 31, 13, 5, tzinfo=UTC)
ARCHIVE = ROOT / "examples" / "archive"
SHOWN = re.compile(
    r"^# From Python\n.*?```python\n(?P<code>.*?)```", re.DOTALL | re.MULTILINE
)


@pytest.fixture(scope="module")
def archive() -> everyleaf.Archive:
    return everyleaf.load_archive(ARCHIVE)


def test_paths_come_by_session_and_number(archive):
    found = everyleaf.paths(archive)

    assert [path.ref for path in found] == sorted(path.ref for path in found)
    assert {path.status for path in found} == {"ACTIVE", "ABANDONED"}


def test_a_transcript_holds_every_conversation_record_of_its_path(archive):
    for path in everyleaf.paths(archive):
        told = everyleaf.transcript(archive, path)

        assert told.path == path
        assert sum(len(turn.records) for turn in told.turns) == path.messages


def test_a_path_may_be_named_by_the_beginning_of_its_session(archive):
    path = everyleaf.paths(archive)[-1]
    name = f"{path.session[:8]}:{path.number}"

    told = everyleaf.transcript(archive, name)

    assert told.path == path
    with pytest.raises(everyleaf.EveryleafError):
        everyleaf.transcript(archive, "no-such-session")


def test_two_paths_of_a_session_are_compared(archive):
    left = next(path for path in everyleaf.paths(archive) if path.status == "ABANDONED")
    right = next(
        path
        for path in everyleaf.paths(archive)
        if path.session == left.session and path.status == "ACTIVE"
    )

    comparison = everyleaf.compare(archive, left, right)

    assert not comparison.is_same
    assert comparison.shared + comparison.left.messages == left.messages
    assert everyleaf.compare(archive, left, left).is_same


def test_a_site_is_built(tmp_path):
    options = everyleaf.BuildOptions(
        sources=(ARCHIVE,), output_dir=tmp_path / "site", has_search=False, jobs=1
    )

    report = everyleaf.build_site(options)

    assert report.is_everything_placed
    assert (tmp_path / "site" / "index.html").is_file()


def test_folders_may_be_texts(tmp_path):
    options = everyleaf.BuildOptions(
        # As a person may write it who has no type checker.
        sources=(str(ARCHIVE),),  # type: ignore[arg-type]
        output_dir=str(tmp_path / "site"),  # type: ignore[arg-type]
        formats=(Format.MARKDOWN,),
        jobs=1,
    )

    report = everyleaf.build_site(options)
    again = everyleaf.build_site(
        str(ARCHIVE), out=str(tmp_path / "site"), format="md", jobs=1
    )

    assert options.sources == (ARCHIVE,)
    assert (tmp_path / "site" / "index.md").is_file()
    assert (again.wrote, again.kept) == (0, report.wrote)


def test_a_build_takes_every_option_of_the_command_line_by_its_name():
    options = [each for each in command.params if isinstance(each, click.Option)]
    named = {max(each.opts, key=len)[2:].replace("-", "_") for each in options}
    manners = {"quiet", "verbose", "yes", "config", "out", "source", "json"}

    assert set(BuildWords.__annotations__) - {"redact"} == named - manners


@pytest.mark.parametrize(
    ("words", "field", "value"),
    [
        ({"project": "parser"}, "projects", ("parser",)),
        ({"project": ["a", "b"]}, "projects", ("a", "b")),
        ({"format": "md,html"}, "formats", (Format.HTML, Format.MARKDOWN)),
        ({"format": ["md"]}, "formats", (Format.MARKDOWN,)),
        ({"without": "tools,agents"}, "without", (Left.AGENTS, Left.TOOLS)),
        ({"since": "2026-01-31T14:05+01:00"}, "since", AFTERNOON),
        ({"since": AFTERNOON}, "since", AFTERNOON),
        ({"until": "2026-01-31T14:05+01:00"}, "until", AFTERNOON),
        ({"no_search": True}, "has_search", False),
        ({}, "has_search", True),
        ({"cache": False}, "has_cache", False),
        ({"base_url": "https://a.example/x"}, "base_url", "https://a.example/x/"),
        ({"theme": Path("mine")}, "theme", "mine"),
        ({"no_redact": True}, "redact", everyleaf.RedactOptions(is_on=False)),
        ({"images": "drop"}, "redact", everyleaf.RedactOptions(images=Images.DROP)),
    ],
)
def test_an_option_means_what_it_means_on_the_command_line(words, field, value):
    assert getattr(options_of([ARCHIVE], "site", words), field) == value


@pytest.mark.parametrize(
    "words", [{"colour": "red"}, {"format": "pdf"}, {"images": "blur"}, {"jobs": -1}]
)
def test_an_option_that_makes_no_sense_is_an_error_with_a_hint(words):
    with pytest.raises(everyleaf.EveryleafError) as caught:
        everyleaf.build_site(str(ARCHIVE), **words)

    assert "everyleaf build --help" in caught.value.hint


def test_a_project_is_chosen_and_each_path_names_its_own(archive):
    chosen = everyleaf.load_archive(str(ARCHIVE), project="la*")

    assert {path.project for path in everyleaf.paths(chosen)} == {"ladle"}
    assert {path.project for path in everyleaf.paths(archive)} > {"ladle", "dewpoint"}


def test_what_was_said_is_found_as_the_command_line_finds_it(archive):
    found = everyleaf.find(archive, "FRACTIONS")
    asked = ["find", "fractions", "--source", str(ARCHIVE), "--json", "--limit", "0", "-q"]
    printed = CliRunner().invoke(everyleaf_command, asked).stdout.splitlines()

    assert [one.uuid for one in found] == [json.loads(line)["uuid"] for line in printed]
    assert 0 < len(everyleaf.find(archive, "FRACTIONS", case=True)) < len(found)
    assert len(everyleaf.find(archive, r"fractions?\b", regex=True)) >= len(found)
    assert {str(one.kind) for one in everyleaf.find(archive, "e", in_="replies")} == {
        "reply"
    }
    titled = everyleaf.find(archive, "cup fractions", in_="titles")
    assert [one.title for one in titled] == ["Write scaled amounts as cup fractions"]


@pytest.mark.parametrize(("text", "is_pattern"), [("  ", False), ("a(b", True)])
def test_a_search_for_nothing_is_an_error(archive, text, is_pattern):
    with pytest.raises(everyleaf.EveryleafError, match="cannot be looked for"):
        everyleaf.find(archive, text, regex=is_pattern)


def test_files_and_feedback_are_those_of_the_commands(archive):
    scope = Scope((ARCHIVE,))
    changes = list_changes(scope, lambda *_: None, "*.py")
    said = gather_feedback(scope, lambda *_: None).said
    words = "Take a date, today if there is none"

    assert everyleaf.files(archive, "*.py") == changes
    assert everyleaf.feedback(archive) == said
    assert len(everyleaf.feedback(archive, trivial=[words])) == len(said) - 1


def test_values_show_themselves_in_one_line(archive):
    path = everyleaf.paths(archive)[0]
    shown = [
        archive,
        path,
        everyleaf.transcript(archive, path),
        everyleaf.compare(archive, path, path),
        BuildReport(1, 2, 1, 1, 0, 9, True, 3, 0, 0, (), (), 0.0),  # noqa: FBT003
    ]

    assert repr(archive) == "<Archive of 16 sessions, 19 paths>"
    assert all(len(repr(one)) < 200 for one in shown)


def test_homes_are_masked_unless_someone_says_otherwise(tmp_path):
    session = tmp_path / "s.jsonl"
    session.write_text(
        '{"type":"user","uuid":"u1","parentUuid":null,"cwd":"/home/ada/w",'
        '"message":{"role":"user","content":"see /home/ada/w/notes"}}\n'
    )

    def first_words(archive: everyleaf.Archive) -> str:
        (path,) = everyleaf.paths(archive)
        (entry,) = everyleaf.transcript(archive, path).turns[0].entries
        assert isinstance(entry, Prompt)
        return entry.words

    shown = everyleaf.RedactOptions(is_on=False)

    assert "ada" not in first_words(everyleaf.load_archive(session))
    assert "ada" in first_words(everyleaf.load_archive(session, redact=shown))
    assert "ada" in first_words(everyleaf.load_archive(session, raw=True))


def test_what_the_package_offers_is_there_and_nothing_else():
    assert set(everyleaf.__all__) <= set(dir(everyleaf))
    for name in everyleaf.__all__:
        assert getattr(everyleaf, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(everyleaf, "nothing")  # noqa: B009  (type checkers know better)


@pytest.mark.parametrize(
    ("name", "module"), [("compare", "split"), ("transcript", "words")]
)
def test_a_function_keeps_its_name_beside_the_package_of_the_same_name(name, module):
    asked = (
        f"import everyleaf.{name}.{module}, everyleaf; print(callable(everyleaf.{name}))"
    )

    said = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    )

    assert said.stdout == "True\n"


def test_the_import_alone_loads_nothing():
    asked = "import sys, everyleaf; print(*(m for m in sys.modules if 'everyleaf' in m))"

    said = subprocess.run(
        [sys.executable, "-I", "-c", asked], capture_output=True, text=True, check=True
    )

    modules = [name for name in said.stdout.split() if not name.startswith("_")]
    assert modules == ["everyleaf"]


def test_the_examples_of_the_docstrings_are_right(monkeypatch):
    monkeypatch.chdir(ROOT)

    results = [doctest.testmod(module) for module in (library, buildwords)]

    assert all(result.attempted > 1 for result in results)
    assert not any(result.failed for result in results)


def test_the_example_in_the_manual_runs_and_prints_what_it_says(monkeypatch, capsys):
    shown = SHOWN.search(PYTHON_PAGE.read_text(encoding="utf-8"))
    assert shown is not None
    code = shown["code"]
    monkeypatch.chdir(ROOT)

    exec(compile(code, PYTHON_PAGE, "exec"), {})  # noqa: S102  (our own page)

    told = re.findall(r"^# → (.*)", code, re.MULTILINE)
    assert told
    assert capsys.readouterr().out.splitlines() == told
