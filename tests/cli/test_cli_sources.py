"""What is read: named in one way in every command, by the settings, or refused by name."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from everyleaf.cli.command import everyleaf, run
from sessions import prompt, reply, write_records

ARCHIVE_COMMANDS = ("list", "paths", "stats", "files", "feedback", "check", "audit")
ONE = "11111111-7777-4000-8000-000000000000"
TWO = "22222222-7777-4000-8000-000000000000"


@pytest.fixture
def ask(capsys, monkeypatch, tmp_path):
    """Run a command in an empty folder, with a home that holds two projects."""
    claude = tmp_path / "claude"
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(claude))
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(work)
    write(claude, ONE, cwd=str(work), day=1)
    write(claude, TWO, cwd="/home/me/lexer", day=2)

    def run_command(*arguments):
        code = run(everyleaf, [str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return run_command


@pytest.fixture
def empty_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))


def write(claude, session, *, cwd, day, words="Write a parser"):
    project = "".join(c if c.isalnum() else "-" for c in cwd)
    file = claude / "projects" / project / f"{session}.jsonl"
    records = [prompt("p1", None, words), reply("r1", "p1", "Done.")]
    for number, record in enumerate(records):
        record["uuid"] = f"{session[:8]}-{number}"
        record["parentUuid"] = f"{session[:8]}-0" if number else None
        record |= {"sessionId": session, "cwd": cwd}
        record["timestamp"] = f"2026-02-{day:02}T10:00:0{number}.000Z"
    return write_records(file, records)


def sessions(out):
    return sorted(json.loads(line)["session"][:4] for line in out.splitlines())


@pytest.mark.parametrize("command", ARCHIVE_COMMANDS)
def test_a_source_may_be_an_argument_or_an_option(ask, tmp_path, command):
    place = tmp_path / "claude/projects/-home-me-lexer"

    as_argument = ask(command, place, "-q")
    as_option = ask(command, "--source", place, "-q")

    assert as_argument == as_option
    assert as_argument[:2] != ask(command, "-q")[:2] or command in {"audit", "files"}


def test_arguments_and_options_together_name_all_of_them(ask, tmp_path):
    projects = tmp_path / "claude/projects"
    one = next(each for each in projects.iterdir() if each.name != "-home-me-lexer")

    _, out, _ = ask("list", one, "--source", projects / "-home-me-lexer", "--json", "-q")

    assert sessions(out) == ["1111", "2222"]


def test_the_settings_name_the_source_of_every_command(ask, tmp_path):
    Path("everyleaf.toml").write_text(
        f"source = [{str(tmp_path / 'claude/projects/-home-me-lexer')!r}]\n"
    )

    assert sessions(ask("list", "--json", "-q")[1]) == ["2222"]
    assert sessions(ask("paths", "-q")[1]) == ["2222"]
    assert sessions(ask("find", "parser", "--json", "-q")[1]) == ["2222"]
    assert ask("show", "2222", "-q")[0] == 0
    assert ask("tree", "1111", "-q")[0] == 1
    assert sessions(ask("list", "--source", tmp_path / "claude", "--json", "-q")[1]) == [
        "1111",
        "2222",
    ]


def test_a_session_that_is_named_by_its_file_needs_no_source_of_the_settings(ask, tmp_path):
    Path("everyleaf.toml").write_text('source = ["not/there"]\n')
    file = tmp_path / f"claude/projects/-home-me-lexer/{TWO}.jsonl"

    assert ask("show", file, "-q")[0] == 0
    assert ask("diff", f"{file}:1", file, "-q")[0] == 0
    assert "no such file or folder" in ask("show", "2222", "-q")[2]


def test_a_dot_is_the_project_of_this_folder(ask):
    code, out, _ = ask("list", ".", "--json", "-q")

    assert (code, sessions(out)) == (0, ["1111"])
    assert sessions(ask("find", "parser", "--source", ".", "--json", "-q")[1]) == ["1111"]


def test_a_dot_is_the_folder_itself_where_the_cli_kept_no_project_of_it(
    ask, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path / "claude/projects/-home-me-lexer")
    assert sessions(ask("list", ".", "--json", "-q")[1]) == ["2222"]

    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    code, _, err = ask("list", ".", "-q")
    assert code == 1
    assert "no session files found in '.'" in err
    assert "Claude Code keeps no sessions of this folder" in err


def test_a_dot_in_the_settings_is_the_project_of_their_folder(ask):
    Path("everyleaf.toml").write_text('source = "."\n')

    assert sessions(ask("list", "--json", "-q")[1]) == ["1111"]


def test_a_project_folder_that_begins_with_a_dash_is_read(ask, tmp_path, monkeypatch):
    for folder in (tmp_path / "work", tmp_path / "claude/projects"):
        monkeypatch.chdir(folder)
        assert sessions(ask("list", "-home-me-lexer", "--json", "-q")[1]) == ["2222"]
        found = ask("find", "parser", "--source", "-home-me-lexer", "--json", "-q")[1]
        assert sessions(found) == ["2222"]


def test_a_word_that_begins_with_a_dash_and_is_no_folder_is_explained(ask):
    code, _, err = ask("list", "-home-me-nothing")

    assert code == 2
    assert "no project folder is called '-home-me-nothing'" in err


def test_what_an_option_takes_is_left_alone(ask):
    assert ask("list", "--title", "-home-me-lexer", "-q")[0] == 1


@pytest.mark.parametrize(
    ("source", "message", "hint"),
    [
        ("-", "standard input is empty", "pipe a session into it"),
        ("https://x.org/s.jsonl", "is an address, and nothing is fetched", "download it"),
        ("absent", "no such file or folder: 'absent'", "or a session file"),
        ("git@host.org:a/b.git", "is an address, and nothing is fetched", "clone it"),
        ("claude.zip", "cannot unpack 'claude.zip'", "is it whole"),
        ("claude.tar.gz", "cannot unpack 'claude.tar.gz'", "is it whole"),
        ("s.jsonl.gz", "'s.jsonl.gz' is packed", "unpack it, and name the folder"),
    ],
)
@pytest.mark.usefixtures("empty_input")
@pytest.mark.parametrize("command", ["list", "stats", "audit"])
def test_what_is_no_folder_of_sessions_is_refused_by_name(
    ask, command, source, message, hint
):
    if source.endswith(("zip", "gz")):
        Path(source).write_bytes(b"PK\x03\x04")

    code, _, err = ask(command, source, "-q")

    assert code == 1
    assert message in err
    assert hint in err
    assert ("a site is known by its manifest.json" in err) == (command == "audit")


@pytest.mark.parametrize("name", ["latest", "FIX the lexer", "fix the"])
def test_a_session_may_be_named_as_the_latest_or_by_its_title(ask, tmp_path, name):
    titled = write(
        tmp_path / "claude", TWO, cwd="/home/me/lexer", day=2, words="Fix the lexer"
    )

    shown = ask("show", name, "--json", "-q")[1]
    tree = ask("tree", name, "--json", "-q")[1]
    named = ask("rename", name, "A better name", "--dry-run")[0]
    same, _, _ = ask("diff", name, f"{name}:1", "-q")
    left = ask("files", "--at", name, "x.py", "-q")

    assert json.loads(shown)["session"] == json.loads(tree)["session"] == titled.stem
    assert (named, same) == (0, 0)
    assert "no session fits" not in left[2]


def test_a_title_that_fits_several_sessions_is_an_error_that_names_them(ask):
    for command in (["show", "write a"], ["diff", "write a", "latest"]):
        code, _, err = ask(*command, "-q")

        assert code in {1, 2}
        assert "'write a' fits 2" in err
        assert f"{ONE}" in err


def test_the_latest_session_is_the_one_that_list_shows_first(ask, tmp_path):
    # Files may be as new as a checkout.
    file = write(tmp_path / "claude", ONE, cwd=str(tmp_path / "work"), day=28)
    (tmp_path / f"claude/projects/-home-me-lexer/{TWO}.jsonl").touch()
    note = {"type": "system", "subtype": "x", "uuid": "n", "parentUuid": None}
    later = json.dumps(note | {"timestamp": "2026-03-01T00:00:00Z", "x": "y" * 70_000})
    with (tmp_path / f"claude/projects/-home-me-lexer/{TWO}.jsonl").open("a") as other:
        other.write(later + "\n")

    first = json.loads(ask("list", "--json", "-q")[1].splitlines()[0])

    assert first["session"] == file.stem
    shown = ask("show", "latest", "--json", "-q")[1]
    assert json.loads(shown)["session"] == file.stem


def test_a_name_that_fits_nothing_says_what_would(ask):
    code, _, err = ask("show", "no such title", "-q")

    assert code == 1
    assert "no session fits 'no such title'" in err
    assert "latest" in err


CHOOSING = ("list", "paths", "stats", "files", "feedback", "check", "find")


@pytest.mark.parametrize("command", CHOOSING)
@pytest.mark.parametrize(
    "choice",
    [
        ["--project", "lexer"],
        ["--since", "2026-02-02"],
        ["--until", "2026-02-01"],
    ],
)
def test_commands_about_an_archive_look_at_a_project_and_some_days_alone(
    ask, tmp_path, command, choice
):
    projects = tmp_path / "claude/projects"
    is_lexer = choice[0] != "--until"
    names = {folder.name for folder in projects.iterdir()}
    (name,) = {"-home-me-lexer"} if is_lexer else names - {"-home-me-lexer"}
    words = ["parser"] if command == "find" else []

    chosen = ask(command, *words, *choice, "-q")

    assert chosen[:2] == ask(command, *words, "--source", projects / name, "-q")[:2]


def test_a_build_takes_the_sessions_of_some_days_and_says_which_have_gone(ask):
    Path("everyleaf.toml").write_text("since = 2026-02-02\nformat = 'md'\n")

    code, out, _ = ask("build", "--no-redact", "--out", "site", "-q")
    again = ask("build", "--no-redact", "--out", "site", "--until", "2026-02-02", "-q")[1]
    none = ask("build", "--no-redact", "--out", "b", "--until", "2026-01-01", "-q")

    assert (code, out[:19]) == (0, "1 session, 1 path (")
    assert again[:19] == "1 session, 1 path ("
    assert none[0] == 1
    assert "no session is of those days" in none[2]


def test_a_session_that_was_published_and_is_no_longer_chosen_goes(ask):
    options = ("--no-redact", "--format", "md", "--out", "site", "-q")
    ask("build", *options)
    before = {file.name for file in Path("site").glob("transcript_*")}

    ask("build", *options, "--since", "2026-02-02")

    after = {file.name for file in Path("site").glob("transcript_*")}
    assert (len(before), len(after)) == (2, 1)


def test_a_day_that_is_none_is_wrong_usage(ask):
    code, _, err = ask("stats", "--since", "soon")

    assert code == 2
    assert "'soon' is no day; say 2026-01-31" in err
