"""The README, the manual, the recipes and the package say the same."""

from __future__ import annotations

import ast
import doctest
import importlib
import os
import pkgutil
import re
import subprocess
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
from jinja2.filters import FILTERS

import everyleaf
from everyleaf.cli.command import everyleaf as group
from everyleaf.cli.manual import MANUAL_DIR, text_of, topics
from everyleaf.issues import DESCRIPTIONS, IssueCode
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.lists import site_headers
from everyleaf.theming.load import load_theme
from everyleaf.theming.manifest import ExtraPage, PageKind, ThemeManifest
from near import PACKAGE, near

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
TWO_SCREENS = 100
"""Lines: a terminal of full height, twice."""
SEARCHED = SiteSettings("A site", has_search=True)
README = (ROOT / "README.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
MANUAL = {page.stem: page.read_text("utf-8") for page in MANUAL_DIR.glob("*.md")}
PAGES_OF_COMMANDS = {
    page.stem: page.read_text("utf-8") for page in (MANUAL_DIR / "commands").glob("*.md")
}
TEXTS = {
    page.relative_to(ROOT).as_posix(): page.read_text("utf-8")
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *MANUAL_DIR.rglob("*.md"))
}
THEMES = MANUAL["themes"]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(everyleaf.__path__, "everyleaf.")
    if not module.name.endswith("__main__")
)
OPTIONS = sorted(
    (name, option)
    for name, command in group.commands.items()
    for parameter in command.params
    if isinstance(parameter, click.Option) and not parameter.hidden
    for option in parameter.opts
)


PARSER = importlib.import_module("re._parser")


def iter_repeated(pattern):
    """Yield what `pattern` repeats for good (`*+`, `(?>`), at any depth."""
    for operation, told in pattern:
        name = str(operation)
        if name in {"POSSESSIVE_REPEAT", "ATOMIC_GROUP"}:
            yield told[-1] if name == "POSSESSIVE_REPEAT" else told
        for inner in told if isinstance(told, tuple) else ():
            for branch in inner if isinstance(inner, list) else [inner]:
                if isinstance(branch, PARSER.SubPattern):
                    yield from iter_repeated(branch)


@pytest.mark.parametrize("name", MODULES)
def test_only_single_characters_are_repeated_for_good(name):
    """Python before 3.11.5 goes on at a wrong place behind anything longer (gh-106052)."""
    patterns = vars(importlib.import_module(name)).values()
    for pattern in patterns:
        if isinstance(pattern, re.Pattern):
            parsed = PARSER.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
            kinds = {str(inner[0][0]) for inner in iter_repeated(parsed) if len(inner) == 1}
            assert all(len(inner) == 1 for inner in iter_repeated(parsed)), pattern
            assert kinds <= {"LITERAL", "NOT_LITERAL", "IN", "ANY"}, pattern


def test_every_command_has_a_page_and_every_page_a_command():
    """`just readme` writes a page that is missing."""
    assert set(PAGES_OF_COMMANDS) == set(group.commands)


@pytest.mark.parametrize(("command", "option"), OPTIONS)
def test_the_page_of_a_command_names_every_option(command, option):
    assert re.search(rf"(?m)^  .*{re.escape(option)}\b", PAGES_OF_COMMANDS[command])


def test_the_readme_can_be_read_at_one_sitting():
    assert len(README.splitlines()) <= 250


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_every_link_leads_to_a_file_of_the_project(name):
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", re.sub(r"`[^`\n]*`", "", TEXTS[name]))

    for link in links:
        if not re.match("https?:", link):
            assert ((ROOT / name).parent / link).exists(), link


@pytest.mark.parametrize("name", sorted(topics()))
def test_a_page_of_the_manual_has_a_title_and_ends_after_two_screens(name):
    lines = text_of(topics()[name]).splitlines()

    assert lines[0].startswith("# ")
    assert len(lines) <= TWO_SCREENS


@pytest.mark.parametrize("code", list(IssueCode))
def test_every_issue_code_is_described_and_stands_in_the_manual(code):
    assert f"| `{code}` | {DESCRIPTIONS[code]} |" in MANUAL["issues"]


def test_the_manual_describes_each_name_of_json_that_several_commands_print():
    printed: dict[str, set[str]] = {}
    for line in (ROOT / "tests/stable.txt").read_text("utf-8").splitlines():
        if re.fullmatch(r"json: [a-z]+ [a-z_]+", line):
            _, command, name = line.split()
            printed.setdefault(name, set()).add(command)

    shared = {name for name, commands in printed.items() if len(commands) > 2}
    assert "session" in shared
    assert shared <= set(re.findall(r"`(\w+)`", MANUAL["json"]))


@pytest.mark.parametrize("requirement", PYPROJECT["project"]["dependencies"])
def test_the_manual_says_what_each_dependency_is_for(requirement):
    name = re.split(r"[<>=~\[ ]", requirement)[0]

    assert f"| {name} | " in MANUAL["dependencies"]


@pytest.mark.parametrize("code", [0, 1, 2, 130])
def test_the_manual_lists_the_exit_codes(code):
    assert f"| {code} | " in MANUAL["start"]


def test_ci_runs_the_two_commands_that_the_readme_begins_with():
    commands = re.findall(r"(?m)^    (pip install uv && .*)$", README)
    script = (ROOT / ".ci/run").read_text(encoding="utf-8")

    assert commands == [
        "pip install uv && uv run --no-dev everyleaf build examples/archive --out site",
        "pip install uv && uv run pytest",
    ]
    for ending in re.findall(r"(?m)^readme '(.*?)'", script):
        matches = [line for line in README.splitlines() if line.endswith(ending)]
        assert matches[0].strip() in commands


@pytest.mark.parametrize("name", ["run", "release"])
def test_ci_is_a_script_that_can_run(name):
    script = ROOT / ".ci" / name

    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", script], check=True)


def test_every_recipe_that_ci_asks_for_exists():
    recipes = set(
        re.findall(r"(?m)^([a-z-]+)[^:=\n]*:(?!=)", (ROOT / "justfile").read_text("utf-8"))
    )
    script = (ROOT / ".ci/run").read_text("utf-8")
    asked = set(re.findall(r"(?m)^\s*just ([a-z]+)", script))

    assert asked
    assert asked <= recipes
    told = re.findall(r"`just ([a-z-]+)`", "".join(TEXTS.values()))
    assert set(told) <= recipes


def test_the_manual_has_a_table_of_marks():
    marks = [one.partition(":")[0] for one in PYPROJECT["tool"]["pytest"]["markers"]]

    assert re.findall(r"(?m)^\| `(\w+)` \|", MANUAL["testing"]) == marks


@pytest.mark.parametrize(
    ("module", "nearest"),
    [
        ("redact/words", "test_redact_words"),  # mirrored
        ("export/atif", "test_export_paths"),  # used by what a test imports
        ("cli/difftext", "test_cli_diff"),  # used by a command that a fixture runs
    ],
)
def test_every_module_has_tests_near_it(module, nearest):
    found = near(PACKAGE / f"{module}.py")

    assert nearest in [test.stem for test in found[:2]]


def test_hooks_before_a_commit_fetch_nothing():
    config = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")

    assert re.findall(r"repo: (.*)", config) == ["local"]
    assert set(re.findall(r"language: (.*)", config)) == {"system"}


def test_netlify_publishes_the_folder_that_its_command_writes():
    build = tomllib.loads((ROOT / "netlify.toml").read_text("utf-8"))["build"]

    assert f"--out {build['publish']} " in build["command"]
    assert (
        "pip install uv && uv run --no-dev everyleaf build examples/archive"
        in build["command"]
    )


def test_netlify_sends_the_headers_that_every_output_asks_for():
    said = tomllib.loads((ROOT / "netlify.toml").read_text("utf-8"))["headers"]

    assert [(rule["for"], tuple(rule["values"].items())) for rule in said] == [
        (rule.pattern, rule.headers) for rule in site_headers(SEARCHED)
    ]


def test_the_servers_in_the_manual_send_the_policy_of_every_output():
    everywhere = dict(site_headers(SEARCHED)[0].headers)

    policy = everywhere["Content-Security-Policy"]
    assert MANUAL["hosts"].count(f'Content-Security-Policy "{policy}"') == 2


def test_the_changelog_has_a_place_for_what_comes_next():
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"(?m)^### (.*)$", changelog)

    assert "\n## Unreleased\n" in changelog
    assert set(headings) <= {
        "Added",
        "Changed",
        "Deprecated",
        "Removed",
        "Fixed",
        "Security",
    }


def test_no_lock_file_pins_the_machine_that_made_it():
    assert "uv.lock" in (ROOT / ".gitignore").read_text("utf-8").split()


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_hold(name):
    failures, _ = doctest.testmod(importlib.import_module(name))

    assert failures == 0


@pytest.mark.parametrize("name", MODULES)
def test_no_module_is_too_long_to_be_read(name):
    location = Path(importlib.import_module(name).__file__ or "")

    written = [line for line in location.read_text("utf-8").splitlines() if line.strip()]
    assert len(written) <= 400


@pytest.mark.parametrize("kind", list(PageKind))
def test_the_manual_tells_theme_authors_every_kind_of_page(kind):
    assert f"`{kind}`" in THEMES


@pytest.mark.parametrize("template", ["base", "conversation"])
def test_the_manual_tells_theme_authors_every_block(template):
    source = (ROOT / f"themes/default/templates/{template}.html.j2").read_text("utf-8")
    inherited = {"content", "aside", "body_class"} if template == "conversation" else set()
    blocks = set(re.findall(r"{% block (\w+) %}", source)) - inherited

    row = next(line for line in THEMES.splitlines() if f"`{template}.html.j2` |" in line)
    assert blocks == set(re.findall(r"`(\w+)`", row))


@pytest.mark.parametrize("key", [*ThemeManifest.model_fields, *ExtraPage.model_fields])
def test_the_manual_tells_theme_authors_every_key(key):
    assert re.search(rf"\b{key}\b", THEMES)


def test_the_manual_tells_theme_authors_every_filter():
    filters = load_theme("default").template("base.html.j2").environment.filters
    own = set(filters) - set(FILTERS)

    row = next(line for line in THEMES.splitlines() if line.startswith("| filters"))
    assert own <= set(re.findall(r"`(\w+)`", row))


@pytest.mark.parametrize("picture", sorted(re.findall(r"\]\((examples/[^)]+)\)", README)))
def test_every_picture_in_the_readme_is_there_and_small(picture):
    assert 0 < (ROOT / picture).stat().st_size <= 150_000


def test_no_name_of_a_public_class_stands_for_two_things():
    places: dict[str, set[str]] = {}
    for name in MODULES:
        for node in ast.walk(_tree(name)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, set()).add(name)

    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_no_module_needs_one_that_needs_it():
    """Of the imports that type checkers alone see, and those within functions, too."""
    needs = {name: set(_imported(_tree(name))) & {*MODULES} for name in MODULES}

    while leaves := [name for name, needed in needs.items() if not needed]:
        for name in leaves:
            del needs[name]
        for needed in needs.values():
            needed.difference_update(leaves)

    assert needs == {}


def _tree(name: str) -> ast.Module:
    location = Path(importlib.import_module(name).__file__ or "")
    return ast.parse(location.read_text("utf-8"))


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in MODULES else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
