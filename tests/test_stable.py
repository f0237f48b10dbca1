"""What others build upon changes only together with the changelog.

`tests/stable.txt` holds it as the last release had it. What has gone since then, or come,
must be named under "Unreleased"; after a release, `--update-stable` holds what there is.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from click import Option
from jinja2.filters import FILTERS
from msgspec import Struct

import everyleaf
from everyleaf import pages
from everyleaf.cli.command import everyleaf as group, run
from everyleaf.render import view
from everyleaf.theming.load import load_theme
from everyleaf.theming.manifest import ExtraPage, PageFiles, PageKind, ThemeManifest
from golden.archives import write_secrets
from state.building import ROOT, build

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    import pytest

HELD = Path(__file__).with_name("stable.txt")
JSON = {
    "agents": ["agents", "2abbdf99", "--json"],
    "audit": ["audit", "--public", "--json"],
    "check": ["check", "--json"],
    "diff": ["diff", "66e54b32:1", "66e54b32:2", "--json"],
    "feedback": ["feedback", "--json"],
    "files": ["files", "--json"],
    "find": ["find", "the", "--json"],
    "list": ["list", "--json"],
    "paths": ["paths"],
    "show": ["show", "66e54b32:1", "--json"],
    "stats": ["stats", "--json"],
    "tree": ["tree", "79ed1050", "--json"],
    "build": ["build", "--json", "--no-search", "--out", "plain"],
    "verify": ["verify", "plain", "--json"],
    "export": ["export", "66e54b32:1", "--as", "html", "-o", "share", "--json"],
    "init": ["init", "pre-commit", "--json"],
    "keep": ["keep", "--to", "kept", "--json"],
    "rename": ["rename", "66e54b32", "Fractions", "--json"],
    "goto": ["goto", "66e54b32", ":1", "--json"],
    "restore": ["restore", "66e54b32", "--json"],
}
"""What prints JSON, and changes the archive last; of `why`, its own tests hold it."""
CHANGING = ("rename", "goto", "restore")
ADDRESSES = (
    (r"^assets/.*", "assets/"),
    (r"^files/.*\.html$", "files/<project>--<file>-<digest>.html"),
    (r"^projects/.*\.html$", "projects/<project>.html"),
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,}", "<session>"),
    (r"_path\d+", "_path<n>"),
    (r"(agent_<session>)_.*\.", r"\1_<agent>."),
    (r"_\d+(?=[_.])", "_<n>"),
    (r"^blobs/\w+", "blobs/<digest>"),
    (r"^pagefind/.*", "pagefind/"),
)
"""What is different in each site → what it is."""
GROWING = ("json: ", "theme view: ")
"""Kinds of names of which more may come without a word."""


def _commands(ask: Callable[[list[str]], str]) -> Iterator[str]:
    for name, command in group.commands.items():
        yield f"command: {name}"
        for option in (one for one in command.params if isinstance(one, Option)):
            yield from (f"option: {name} {word}" for word in option.opts)
    for name, words in JSON.items():
        yield from _names(f"json: {name}", _documents(ask(words)))


def _site(site: Path) -> Iterator[str]:
    for url in (file.relative_to(site).as_posix() for file in site.rglob("*")):
        if (site / url).is_file():
            for own, said in ADDRESSES:
                url = re.sub(own, said, url)  # noqa: PLW2901  (made plain step by step)
            yield f"address: {url}"
    for file in ("manifest.json", "paths.jsonl"):
        yield from _names(f"json: {file}", _documents((site / file).read_text("utf-8")))


def _themes() -> Iterator[str]:
    yield from (f"theme.toml: {key}" for key in ThemeManifest.model_fields)
    for table in (PageFiles, ExtraPage):
        yield from (f"theme.toml: {table.__name__} {key}" for key in table.model_fields)
    yield from (f"theme page: {kind}" for kind in PageKind)
    for template in ("base", "conversation"):
        source = (ROOT / f"themes/default/templates/{template}.html.j2").read_text("utf-8")
        for block in re.findall(r"{% block (\w+) %}", source):
            yield f"theme block: {template} {block}"
    environment = load_theme("default").template("base.html.j2").environment
    own = set(environment.filters) - set(FILTERS)
    yield from (f"theme filter: {name}" for name in own)
    for module in _modules_of_views():
        for name, value in vars(module).items():
            if isinstance(value, type) and issubclass(value, Struct):
                is_view = module is view or name.endswith(("View", "Row", "Group", "Card"))
                for field in value.__struct_fields__ if is_view else ():
                    yield f"theme view: {name} {field}"


def _modules_of_views() -> Iterator[ModuleType]:
    yield view
    for module in pkgutil.iter_modules(pages.__path__, "everyleaf.pages."):
        yield importlib.import_module(module.name)


def _documents(text: str) -> list[object]:
    lines = text.splitlines()
    is_a_line_each = lines[0].startswith("{") and lines[0].endswith("}")
    return [json.loads(one) for one in (lines if is_a_line_each else [text])]


def _names(where: str, values: list[Any]) -> Iterator[str]:
    """Yield the names in JSON; what is called by what it holds is `*`."""
    for value in values:
        if isinstance(value, dict):
            for key, inner in value.items():
                name = key if re.fullmatch("[a-z][a-z_]*", key) else "*"
                yield f"{where} {name}"
                yield from _names(f"{where} {name}", [inner])
        elif isinstance(value, list):
            yield from _names(where, value)


def test_what_is_stable_changes_with_a_line_in_the_changelog(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
) -> None:
    source, site = tmp_path / "archive", tmp_path / "site"
    shutil.copytree(ROOT / "examples" / "archive", source / "example")
    write_secrets(source / "secrets")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVERYLEAF_BACKUP_DIR", str(tmp_path / "backups"))
    monkeypatch.setattr("everyleaf.revise.session.SETTLED_SECONDS", 0)

    def ask(words: list[str]) -> str:
        # The sessions of the example are in both folders; one is changed in one.
        place = source / "example" if words[0] in CHANGING else source
        has_source = words[0] not in {"init", "verify"}
        run(group, [*words, *(["--source", str(place)] if has_source else [])])
        return capsys.readouterr().out

    build(source, site)
    python = (f"python: {name}" for name in everyleaf.__all__)
    now = {*python, *_commands(ask), *_site(site), *_themes()}
    if pytestconfig.getoption("--update-stable"):
        HELD.write_text("".join(f"{line}\n" for line in sorted(now)), "utf-8")
    held = set(HELD.read_text("utf-8").splitlines())
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    unreleased = re.split(r"(?m)^## ", changelog)[1]
    named = " ".join(re.findall(r"`([^`]+)`", unreleased))

    gone = held - now
    come = {line for line in now - held if not line.startswith(GROWING)}
    untold = [
        line
        for line in sorted(gone | come)
        if not re.search(rf"(?<![\w-]){re.escape(line.split()[-1])}(?![\w-])", named)
    ]
    assert not untold, "\n  ".join(["gone or come, not in CHANGELOG.md:", *untold])
