"""The command: what it takes, refuses and prints; data sets as files."""

from __future__ import annotations

import json
import shutil

import pytest
from click.testing import CliRunner

from everyleaf.cli.command import everyleaf, run
from export.conftest import EXAMPLE
from sessions import nth, write_records

FORKED = "79ed1050"


@pytest.fixture
def call(capsys):
    def run_command(*arguments):
        code = run(everyleaf, ["export", *map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return run_command


def test_one_path_is_one_file_and_its_name_is_printed(call, tmp_path):
    out = tmp_path / "out"
    code, said, _ = call(f"{FORKED}:2", "--as", "atif", "-o", out, "--source", EXAMPLE)

    files = [file for file in out.rglob("*.json") if file.name != "manifest.json"]
    assert code == 0
    assert [file.parent.name for file in files] == ["abandoned"]
    assert str(files[0]) in said
    assert "1 session, 1 path; wrote 1" in said


def test_a_session_is_all_of_its_paths(call, tmp_path):
    out = tmp_path / "out"
    call(FORKED, "--as", "html", "-o", out, "--source", EXAMPLE)

    assert len(list(out.glob("*.html"))) == 1
    assert len(list(out.glob("abandoned/*.html"))) == 3


def test_a_session_with_a_long_name_is_exported(call, tmp_path):
    records = [nth(0, "user", "Begin"), nth(1, "assistant", "Done")]
    write_records(tmp_path / "projects" / "-w-app" / f"{'long-' * 48}.jsonl", records)
    out, source = tmp_path / "out", tmp_path / "projects"
    code, said, _ = call("--all", "--as", "messages", "-o", out, "--source", source)

    assert code == 0
    assert "1 session, 1 path" in said


def test_a_second_export_replaces_the_first(call, tmp_path):
    out = tmp_path / "out"
    call(FORKED, "--as", "html", "-o", out, "--source", EXAMPLE)
    _, again, _ = call(FORKED, "--as", "html", "-o", out, "--source", EXAMPLE)
    _, fewer, _ = call(f"{FORKED}:1", "--as", "html", "-o", out, "--source", EXAMPLE)

    assert "wrote 0, kept 4, deleted 0" in again
    assert "wrote 0, kept 1, deleted 3" in fewer


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--as", "atif", "-o", "x"], "name a session, or say --all"),
        ([FORKED, "--all", "--as", "atif", "-o", "x"], "where all are says --source"),
        ([FORKED, "-o", "x"], "say which format"),
        ([FORKED, "--as", "atif"], "Missing option '-o'"),
        ([FORKED, "--as", "atif", "-o", "x", "--detail", "digest"], "--detail is for html"),
        ([FORKED, "--as", "html", "-o", "x", "--parquet"], "--parquet is for messages"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, said, call):
    code, _, err = call(*arguments)

    assert code == 2
    assert said in err


def test_a_folder_of_somebody_else_is_left_alone(call, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")

    arguments = (FORKED, "--as", "html", "-o", tmp_path, "--source", EXAMPLE)
    code, _, err = call(*arguments)

    assert code == 1
    assert "was not made by everyleaf" in err
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_nothing_is_written_into_a_source(call, tmp_path):
    source = tmp_path / "sessions"
    shutil.copytree(EXAMPLE, source)

    for asked in (["--all"], [FORKED]):
        arguments = ["--as", "atif", "-o", source / "out", "--source", source]
        assert call(*asked, *arguments)[0] == 1
        assert not (source / "out").exists()


def test_a_session_without_a_fork_has_no_pairs(call, tmp_path):
    out = tmp_path / "out"
    code, _, err = call("2abbdf99", "--as", "pairs", "-o", out, "--source", EXAMPLE)

    assert code == 1
    assert "nothing to export as pairs" in err
    assert not out.exists()


@pytest.mark.parametrize("form", ["messages", "pairs"])
def test_parquet_holds_the_rows_of_json_lines(form, export):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    lines, _ = export(EXAMPLE, form)
    columns, _ = export(EXAMPLE, form, is_parquet=True)

    for file in lines.glob("*.jsonl"):
        table = parquet.read_table(columns / f"{file.stem}.parquet")
        rows = [json.loads(line) for line in file.read_bytes().splitlines()]
        assert [told(row) for row in table.to_pylist()] == [told(row) for row in rows]
    card = (columns / "README.md").read_text()
    assert all(file.name in card for file in columns.glob("*.parquet"))


@pytest.mark.parametrize("form", ["atif", "messages", "session"])
def test_names_of_fields_are_no_passwords(form, call, tmp_path):
    asked = {"command": "pwd", "description": "Showtheworkingfolder7"}
    use = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": asked}
    said = [nth(1, "user", {"type": "text", "text": "Where?"}), nth(2, "assistant", use)]
    source = write_records(tmp_path / "0f0e1d2c-0000-4000-8000-00000000abcd.jsonl", said)

    assert call(source, "--as", form, "-o", tmp_path / "out")[0] == 0
    (file,) = (
        file for file in (tmp_path / "out").rglob("*.json*") if file.name != "manifest.json"
    )
    assert "Showtheworkingfolder7" in file.read_text()
    assert "description" in file.read_text()
    assert "[redacted" not in file.read_text()


def told(value):
    if isinstance(value, dict):
        return {name: told(one) for name, one in value.items() if one is not None}
    return [told(one) for one in value] if isinstance(value, list) else value


def test_without_pyarrow_parquet_is_refused_before_anything_is_read(
    call, tmp_path, monkeypatch
):
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    out = tmp_path / "out"
    asked = ["--as", "messages", "--parquet", "-o", out, "--source", EXAMPLE]
    code, _, err = call(FORKED, *asked)

    assert code == 1
    assert "everyleaf[parquet]" in err
    assert not out.exists()


def test_help_has_examples_and_names_the_next_command():
    said = CliRunner().invoke(everyleaf, ["export", "--help"]).output

    assert "everyleaf export latest --as html" in said
    assert "Next: everyleaf verify DIR" in said
