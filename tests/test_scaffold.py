"""What `init` writes works, and overwrites nothing."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from everyleaf.cli.build import build
from everyleaf.cli.command import everyleaf, run
from everyleaf.cli.settings import as_defaults
from everyleaf.errors import OutputError
from everyleaf.scaffold import KITS, NEXT, pages_url, start
from everyleaf.sources.projects import slug
from sessions import nth, write_records

REPOSITORY = Path(__file__).parents[1]


@pytest.mark.parametrize("kit", KITS)
def test_each_kit_is_written_once_and_then_left_alone(tmp_path, kit):
    first, _ = start(tmp_path, kit)
    for place in first:
        (tmp_path / place).write_text("mine")
    second, kept = start(tmp_path, kit)

    assert first == kept == list(KITS[kit])
    assert second == []
    assert {(tmp_path / place).read_text() for place in KITS[kit]} == {"mine"}
    assert NEXT[kit]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "folder/.githooks").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(OutputError, match="leads out"):
        start(tmp_path / "folder", "pre-commit")

    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize("kit", ["netlify", "pages", "repo"])
def test_the_settings_are_ones_that_build_takes(tmp_path, kit):
    start(tmp_path, kit)
    file = tmp_path / "everyleaf.toml"
    text = re.sub("# (project|source|base-url)", r"\1", file.read_text())
    table = tomllib.loads(text)

    defaults = as_defaults(build, file, table)

    assert defaults["out"] == str(tmp_path / table["out"])
    assert defaults["project"] == ["parser"]


def test_nothing_that_deploys_builds_from_raw_sessions(tmp_path):
    for kit in ("netlify", "pages"):
        start(tmp_path, kit)
    netlify = tomllib.loads((tmp_path / "netlify.toml").read_text())
    workflow = (tmp_path / ".github/workflows/everyleaf.yml").read_text()
    commands = [line for line in workflow.splitlines() if not line.lstrip().startswith("#")]

    assert netlify["build"] == {"command": "", "publish": "site"}
    assert "everyleaf build" not in "\n".join(commands)


def test_the_workflow_pins_every_action_and_asks_for_no_more_than_it_needs(tmp_path):
    start(tmp_path, "pages")
    workflow = (tmp_path / ".github/workflows/everyleaf.yml").read_text()
    used = re.findall(r"uses: (\S+)", workflow)
    granted = re.findall(
        r"^ +(contents|pages|id-token|\w+): (read|write)$", workflow, re.MULTILINE
    )

    assert len(used) == 3
    assert all(re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", each) for each in used)
    assert granted == [("contents", "read"), ("pages", "write"), ("id-token", "write")]
    assert "permissions: {}" in workflow


def test_the_workflow_takes_only_what_everyleaf_built(tmp_path):
    start(tmp_path, "pages")
    workflow = (tmp_path / ".github/workflows/everyleaf.yml").read_text()
    (step,) = re.findall(r"run: (.+)", workflow)
    (tmp_path / "site").mkdir()

    is_refused = subprocess.run(["sh", "-ec", step], cwd=tmp_path, check=False).returncode
    (tmp_path / "site/manifest.json").write_text('{"format": "everyleaf-manifest"}')
    is_taken = subprocess.run(["sh", "-ec", step], cwd=tmp_path, check=False).returncode

    assert (is_refused, is_taken) == (1, 0)


@pytest.mark.parametrize("kit", ["pages", "netlify"])
def test_a_site_for_a_host_is_private_unless_it_is_to_be_public(tmp_path, kit):
    for name, settings in (("a", {}), ("b", {"private": False, "public": True})):
        (tmp_path / name).mkdir()
        start(tmp_path / name, kit, settings)

    private = tomllib.loads((tmp_path / "a/everyleaf.toml").read_text())
    public = tomllib.loads((tmp_path / "b/everyleaf.toml").read_text())

    assert (private.get("private"), private.get("public")) == (True, None)
    assert (public.get("private"), public.get("public")) == (None, True)


def test_settings_with_any_words_are_toml(tmp_path):
    words = ['q"uo\\te', "\\1 \\g<0>", "tab\tline\nend\x7f", "é 😀", "[ab]*"]

    start(tmp_path, "repo", {"project": words})

    assert tomllib.loads((tmp_path / "everyleaf.toml").read_text())["project"] == words


def test_the_workflow_publishes_the_default_branch_whatever_its_name(tmp_path):
    start(tmp_path, "pages")
    workflow = (tmp_path / ".github/workflows/everyleaf.yml").read_text()

    assert "branches:" not in workflow
    assert "if: github.ref_name == github.event.repository.default_branch" in workflow


@pytest.mark.parametrize(
    ("origin", "address"),
    [
        ("git@github.com:Ada/tides.git", "https://ada.github.io/tides/"),
        ("https://github.com/Ada/Tides", "https://ada.github.io/Tides/"),
        ("https://x:secret@github.com/ada/tides.git", "https://ada.github.io/tides/"),
        ("ssh://git@github.com/ada/ada.github.io.git", "https://ada.github.io/"),
        ("https://notgithub.com/ada/tides.git", ""),
        ("https://git.example.org/ada/tides.git", ""),
    ],
)
def test_github_says_where_a_repository_will_stand(tmp_path, origin, address):
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    subprocess.run(["git", "remote", "add", "origin", origin], cwd=tmp_path, check=True)

    assert pages_url(tmp_path) == address


def test_a_domain_of_ones_own_and_no_repository_at_all(tmp_path):
    nowhere = pages_url(tmp_path)
    (tmp_path / "CNAME").write_text("talks.example.org\n")

    assert (nowhere, pages_url(tmp_path)) == ("", "https://talks.example.org/")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A CLI that keeps sessions of `tides` and of a `parser` elsewhere."""
    (tmp_path / "tides").mkdir()
    for number, place in enumerate((tmp_path / "tides", Path("/w/parser"))):
        folder = tmp_path / "claude/projects" / slug(str(place))
        said = {"type": "text", "text": "Hello"}
        record = nth(1, "user", said, sessionId=f"s{number}", cwd=str(place))
        write_records(folder / f"s{number}.jsonl", [record])
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    return tmp_path


def init(*arguments):
    return CliRunner().invoke(everyleaf, ["init", *map(str, arguments)])


@pytest.mark.parametrize("kit", ["repo", "pages", "netlify"])
def test_the_project_of_the_folder_is_chosen(home, monkeypatch, kit):
    monkeypatch.chdir(home / "tides")

    done = init(kit)

    assert done.exit_code == 0
    assert "project: tides" in done.output
    assert "next: everyleaf build" in done.output
    assert tomllib.loads(Path("everyleaf.toml").read_text())["project"] == ["tides"]


def test_what_is_chosen_is_what_a_build_publishes(home, monkeypatch):
    monkeypatch.chdir(home / "tides")
    init("repo")

    assert run(everyleaf, ["build", "--quiet", "--jobs", "1"]) == 0

    assert [file.name for file in Path("docs/transcripts/data").iterdir()] == ["s0.json"]


def test_settings_that_were_kept_and_choose_nothing_are_helped_by_the_next_line(
    home, monkeypatch
):
    monkeypatch.chdir(home / "tides")
    Path("everyleaf.toml").write_text('out = "site"\n')
    helped = init("repo").output
    Path("everyleaf.toml").write_text('project = ["mine"]\n')

    left = init("repo").output

    assert "next: everyleaf build --project tides, and" in helped
    assert "next: everyleaf build, and" in left


@pytest.mark.parametrize(
    ("kit", "file"),
    [("netlify", "netlify.toml"), ("pages", ".github/workflows/everyleaf.yml")],
)
def test_a_host_publishes_the_folder_that_the_settings_name(home, monkeypatch, kit, file):
    monkeypatch.chdir(home / "tides")
    Path("everyleaf.toml").write_text('out = "./docs/talks/"\n')

    done = init(kit)

    assert "commit docs/talks/, and" in done.output
    assert "docs/talks" in Path(file).read_text()
    assert not re.search(r"\bsite\b", Path(file).read_text())


@pytest.mark.parametrize("out", ["../talks", "/srv/talks", "~/talks", "two words", "a'b"])
def test_a_folder_that_no_host_can_publish_is_refused(home, monkeypatch, out):
    monkeypatch.chdir(home / "tides")
    Path("everyleaf.toml").write_text(f'out = "{out}"\n')

    done = init("netlify")

    assert done.exit_code == 1
    assert "a host takes no such folder" in str(done.exception)
    assert not Path("netlify.toml").exists()


def test_a_folder_without_sessions_says_that_all_would_be_published(home):
    (home / "new").mkdir()

    done = init("repo", "--dir", home / "new")

    assert "all 2 projects are published; choose with --project" in done.output
    assert f"next: cd {home / 'new'}; everyleaf build" in done.output
    assert "project" not in tomllib.loads((home / "new/everyleaf.toml").read_text())


def test_at_a_terminal_a_person_is_asked(home, monkeypatch):
    (home / "new").mkdir()
    monkeypatch.setattr("everyleaf.cli.init.is_attended", lambda: True)

    done = CliRunner().invoke(
        everyleaf, ["init", "repo", "--dir", str(home / "new")], input="par*\n"
    )

    assert "the projects are: parser, tides" in done.output
    assert tomllib.loads((home / "new/everyleaf.toml").read_text())["project"] == ["par*"]


def test_what_is_said_is_written(home):
    (home / "new").mkdir()
    said = [
        "--project",
        "a",
        "--project",
        "b*",
        "--public",
        "--base-url",
        "https://a.org/x",
    ]

    init("pages", "--dir", home / "new", *said)

    table = tomllib.loads((home / "new/everyleaf.toml").read_text())
    assert table["project"] == ["a", "b*"]
    assert table["base-url"] == "https://a.org/x/"
    assert table["public"] is True
    assert "private" not in table


@pytest.mark.parametrize("kit", ["repo", "pre-commit"])
def test_only_a_site_has_an_audience_and_an_address(kit):
    assert init(kit, "--public").exit_code == 2
    assert init(kit, "--base-url", "https://a.org/").exit_code == 2
