"""`everyleaf keep`: what a person types, and what every command makes of a store."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from everyleaf.cli.command import everyleaf, run
from everyleaf.keep.settings import BACKUP_SUFFIX
from everyleaf.sources.unpacked import unpack_dir

EXAMPLE = Path(__file__).parents[2] / "examples" / "archive"
READING = (
    ("list",),
    ("paths", "--json"),
    ("stats", "--json"),
    ("files", "--json"),
    ("feedback",),
    ("check", "--json"),
    ("find", "--json", "parser", "--source"),
    ("show", "latest", "--source"),
    ("tree", "latest", "--source"),
)


@pytest.fixture
def home(tmp_path, monkeypatch):
    folder = tmp_path / ".claude"
    shutil.copytree(EXAMPLE, folder)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    unpack_dir.cache_clear()
    yield folder
    unpack_dir.cache_clear()


@pytest.fixture
def ask(capsys, home):  # noqa: ARG001  (it is where all of it happens)
    def run_command(*arguments):
        code = run(everyleaf, [str(argument) for argument in arguments])
        return code, *capsys.readouterr()

    return run_command


def test_a_source_is_named_as_everywhere(ask, home):
    one = ask("keep", home, "--to", "one", "-q")
    other = ask("keep", "--source", home, "--to", "other", "-q")

    assert one[1].replace("one", "other") == other[1]
    assert ask("keep", "one", "--list") == ask("keep", "--list", "--source", "one")


def test_all_sessions_are_kept_once(ask):
    first = ask("keep", "--to", "kept", "-q")
    again = ask("keep", "--to", "kept", "-q")

    assert first[0] == again[0] == 0
    assert re.fullmatch(r"\d+ sessions, \d+ files new .*, [\d,.]+ MB added.*\n", first[1])
    assert ", 0 files new or changed, 0.0 MB added" in again[1]


@pytest.mark.parametrize("command", READING, ids=lambda words: words[0])
def test_every_command_reads_a_store_like_its_source(ask, home, command):
    ask("keep", "--to", "kept", "-q")

    assert ask(*command, "kept", "-q") == ask(*command, home, "-q")


def test_a_site_of_a_store_is_that_of_its_source(ask, home, tmp_path):
    ask("keep", "--to", "kept", "-q")
    ask("build", home, "-o", "one", "-q", "--no-search", "--jobs", 1)

    code, out, _ = ask("build", "kept", "-o", "two", "-q", "--no-search", "--jobs", 1)

    assert (code, "all placed" in out) == (0, True)
    one, two = (
        {each.relative_to(tmp_path / site): each.read_bytes() for each in found}
        for site in ("one", "two")
        for found in [[each for each in (tmp_path / site).rglob("*") if each.is_file()]]
    )
    assert one == two


def test_no_path_of_a_rewritten_session_is_lost(ask, home):
    file = max(home.rglob("projects/*/*.jsonl"), key=lambda each: each.stat().st_size)
    lines = file.read_bytes().splitlines(keepends=True)
    ask("keep", "--to", "kept", "-q")
    whole = uuids(ask("paths", "kept", "--json", "-q")[1])
    file.write_bytes(b"".join(lines[: len(lines) // 2]).replace(b"a", b"e", 1))

    ask("keep", "--to", "kept", "-q")
    _, out, _ = ask("paths", "kept", "--json", "-q")

    assert whole
    assert whole <= uuids(out)


def test_the_beginning_of_an_id_is_the_session_as_it_is(ask, home):
    file = next(home.glob("projects/*/66e54b32*.jsonl"))
    ask("keep", "--to", "kept", "-q")
    file.write_bytes(file.read_bytes().replace(b"cup", b"mug"))
    ask("keep", "--to", "kept", "-q")

    now = ask("show", "66e54b32", "--source", "kept", "-q")
    before = ask("show", f"{file.stem}.until", "--source", "kept", "-q")

    assert now[0] == before[0] == 0
    assert "mug" in now[1]
    assert "cup" not in now[1]
    assert "cup" in before[1]


def test_standard_input_cannot_be_watched(ask):
    code, _, err = ask("serve", "--watch", "--source", "-")

    assert code == 2
    assert "cannot be watched" in err


def uuids(out):
    return {uuid for line in out.splitlines() for uuid in json.loads(line)["ids"]}


def test_a_store_is_listed_verified_and_restored(ask, home, tmp_path):
    ask("keep", "-q")
    names = [each.stem for each in home.glob("projects/*/*.jsonl")]

    code, out, _ = ask("keep", "--list", "--json")
    listed = [json.loads(line) for line in out.splitlines()]
    session = listed[0]["session"]
    assert {*listed[0]["states"][0]} == {"at", "size_bytes"}
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT[\d:]{8}Z", listed[0]["states"][0]["at"])
    verified = ask("keep", "--verify", "-q")
    restored = ask("keep", "--restore", session[:8], "--to", "out")

    assert code == verified[0] == restored[0] == 0
    own = {name for name in names if not name.startswith("agent-")}
    assert {one["session"] for one in listed} == own
    assert verified[1].endswith(": whole\n")
    for each in (each for each in (tmp_path / "out").rglob("*") if each.is_file()):
        assert each.read_bytes() == (home / each.relative_to(tmp_path / "out")).read_bytes()
    assert (
        tmp_path / "out" / "projects" / listed[0]["project"] / f"{session}.jsonl"
    ).is_file()


def test_times_of_states_are_taken_by_restore(ask, home):
    ask("keep", "-q")
    _, out, _ = ask("keep", "--list", "--verbose")
    row, state = out.splitlines()[:2]
    session, when = row.split()[0], state.split()[0]

    assert when.startswith("@20")
    assert ask("keep", "--restore", f"{session}{when}", "--to", "out")[0] == 0
    assert ask("keep", "--restore", f"{session}@2001-01-01", "--to", "before")[0] == 1
    assert ask("keep", "--restore", f"{session}@often", "--to", "before")[0] == 2
    assert home.is_dir()


@pytest.mark.parametrize(
    ("name", "session"),
    [("latest", "fdd16d1e"), ("shopping list from a week of recipes (br", "15a7d631")],
)
def test_a_session_is_restored_by_what_every_command_calls_it(ask, tmp_path, name, session):
    ask("keep", "-q")

    code, out, err = ask("keep", "--restore", name, "--to", "out")

    assert (code, err) == (0, "")
    assert f"restored {session}" in out
    assert list((tmp_path / "out").glob(f"projects/*/{session}*.jsonl"))


def test_what_is_restored_is_told_by_the_names_on_disk(ask, home):
    body = next(home.glob("projects/*/66e54b32*.jsonl")).read_bytes()
    # Windows has no such file, so each system gets another one.
    (home / "projects" / "ladle").mkdir()
    (home / "projects" / "ladle" / "CON.jsonl").write_bytes(body)
    ask("keep", "-q")

    code, out, _ = ask("keep", "--restore", "CON", "--to", "out")

    written = re.findall("(?m)^wrote (.*)", out)
    assert code == 0
    assert [Path(each).name for each in written] == ["_CON.jsonl"]
    assert Path(written[0]).read_bytes() == body


def test_damage_is_told_and_is_a_failure(ask, tmp_path):
    ask("keep", "--to", "kept", "-q")
    next((tmp_path / "kept" / "objects").glob("*/*")).unlink()

    code, out, err = ask("keep", "--verify", "kept", "-q")

    assert code == 1
    assert "damages\n" in out
    assert "cannot be restored" in err


def test_the_hook_is_shown_added_and_taken_out(ask, home, tmp_path):
    file = home / "settings.json"
    file.write_text('{"model": "opus"}\n')

    shown = ask("keep", "--install", "--to", "kept")
    before = file.read_text()
    added = ask("keep", "--install", "--yes", "--to", "kept")
    settings = json.loads(file.read_text())
    again = ask("keep", "--install", "--yes", "--to", "kept")
    taken = ask("keep", "--uninstall")

    assert [code for code, *_ in (shown, added, again, taken)] == [0, 0, 0, 0]
    assert before == file.read_text() == '{"model": "opus"}\n'
    assert "--yes adds this hook" in shown[1]
    assert all(word in shown[1] for word in ("crontab", "[Timer]", "launchctl"))
    (entry,) = settings["hooks"]["SessionEnd"]
    assert entry["hooks"][0]["command"].endswith(f"keep --hook --to {tmp_path / 'kept'}")
    assert "has the hook already" in again[1]
    assert not (home / f"settings.json{BACKUP_SUFFIX}").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--list", "--verify"], 2, "exclude each other"),
        (["--restore", "x"], 2, "--to DIR"),
        (["--list", "a", "b"], 2, "one store"),
        (["--list", "nothing"], 1, "is no store"),
        (["nothing", "--to", "kept"], 1, "no such file"),
        (["--install"], 1, "cannot be changed"),
    ],
)
def test_what_makes_no_sense_is_refused(ask, home, arguments, code, said):
    (home / "settings.json").write_text("{")

    found, _, err = ask("keep", *arguments)

    assert found == code
    assert said in err


def test_nothing_in_a_store_or_an_archive_is_changed(ask, tmp_path):
    ask("keep", "--to", "kept", "-q")
    shutil.make_archive("packed", "zip", EXAMPLE)

    for place in (tmp_path / "kept", tmp_path / "packed.zip"):
        code, _, err = ask("rename", "latest", "New", "--source", place)

        assert code == 1
        assert "nothing is changed" in err
