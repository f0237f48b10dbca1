"""The library, on the example archive, as the README shows it."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import everyleaf
from everyleaf import library
from everyleaf.transcript.document import Prompt

ROOT = Path(__file__).resolve().parents[1]
ARCHIVE = ROOT / "examples" / "archive"
SHOWN = re.compile(
    r"^## From Python\n.*?```python\n(?P<code>.*?)```", re.DOTALL | re.MULTILINE
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


def test_what_the_package_offers_is_there_and_nothing_else():
    assert set(everyleaf.__all__) <= set(dir(everyleaf))
    for name in everyleaf.__all__:
        assert getattr(everyleaf, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        getattr(everyleaf, "nothing")  # noqa: B009  (type checkers know better)


@pytest.mark.parametrize("name", ["compare", "transcript"])
def test_a_function_keeps_its_name_beside_the_package_of_the_same_name(name):
    asked = f"import everyleaf.{name}.words, everyleaf; print(callable(everyleaf.{name}))"

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

    result = doctest.testmod(library)

    assert result.attempted > 3
    assert result.failed == 0


def test_the_example_in_the_readme_runs_and_prints_what_it_says(monkeypatch, capsys):
    shown = SHOWN.search((ROOT / "README.md").read_text(encoding="utf-8"))
    assert shown is not None
    code = shown["code"]
    monkeypatch.chdir(ROOT)

    exec(compile(code, "README.md", "exec"), {})  # noqa: S102  (our own README)

    told = re.findall(r"^# → (.*)", code, re.MULTILINE)
    assert told
    assert capsys.readouterr().out.splitlines() == told
