"""Sites of whole archives, with each option, and built again after a change."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from golden import archives
from golden.archives import ROOT
from golden.manifest import GOLDEN_DIR, group_files, read_files, sum_input

if TYPE_CHECKING:
    from collections.abc import Callable

    from golden.archives import WriteArchive
    from golden.conftest import Ask, Hold
    from golden.manifest import Files, Lines

ARCHIVE = Path("archive")
SITE = Path("site")
BEFORE = Path("before")
"""Where a failure says to build with the last commit."""
NO_SEARCH = ("--no-search",)
PUBLIC = ("--public", "--yes", *NO_SEARCH)


@dataclass(frozen=True)
class Source:
    """An archive, and what writes it."""

    name: str
    write: WriteArchive


EXAMPLE = Source("example", archives.write_example)
MIXED = Source("mixed", archives.write_mixed)
BROKEN = Source("broken", archives.write_broken)
REAL = Source("real", archives.write_real)
SECRETS = Source("secrets", archives.write_secrets)
WHOLE = (EXAMPLE, SECRETS, MIXED, BROKEN, REAL)
REBUILT = (EXAMPLE, MIXED)
OPTIONS: dict[str, tuple[str, ...]] = {
    "search": (),
    "title": ("--title", "Of <ours> & others", *NO_SEARCH),
    "project": ("--project", "l*", *NO_SEARCH),
    "since": ("--since", "2026-02-19", "--until", "2026-03-04", *NO_SEARCH),
    "session": ("--session", "66e54b32", "--session", "79ed1050", *NO_SEARCH),
    "exclude": ("--exclude", "2abbdf99*", "--exclude", "ladle", *NO_SEARCH),
    "html": ("--format", "html", *NO_SEARCH),
    "md": ("--format", "md"),
    "talk": ("--detail", "talk", *NO_SEARCH),
    "prompts": ("--detail", "prompts", *NO_SEARCH),
    "prefix-link": ("--shared-prefix", "link", *NO_SEARCH),
    "prefix-full": ("--shared-prefix", "full", *NO_SEARCH),
    "without-thinking": ("--without", "thinking", *NO_SEARCH),
    "without-tools": ("--without", "tools", *NO_SEARCH),
    "without-agents": ("--without", "agents", *NO_SEARCH),
    "without-images": ("--without", "images", *NO_SEARCH),
    "without-abandoned": ("--without", "abandoned", *NO_SEARCH),
    "plain": ("--theme", "plain", *NO_SEARCH),
    "own-theme": ("--theme", str(ROOT / "examples/themes/harbour"), *NO_SEARCH),
    "front-matter": ("--front-matter", *NO_SEARCH),
    "base-url": ("--base-url", "https://example.org/talks/", *NO_SEARCH),
    "public": PUBLIC,
    "no-redact": ("--no-redact", *NO_SEARCH),
    "images-placeholder": ("--images", "placeholder", *NO_SEARCH),
    "images-drop": ("--images", "drop", *NO_SEARCH),
    "settings": ("--config", "settings.toml", *NO_SEARCH),
}
"""Case → the options that it is built with: each one that changes what is written."""
CHANGES: dict[str, Callable[[Path], None]] = {
    "line-more": archives.append_line,
    "fork-more": archives.append_fork,
    "session-gone": archives.delete_session,
}
KEPT = "session-gone-kept"
"""As `session-gone`, but its pages stay, as they do without --prune."""
COMMANDS = "commands"


@pytest.fixture
def build(ask: Ask) -> Callable[..., str]:
    """Return what builds into a folder and returns what is printed; no record is lost."""

    def build_into(out: Path, *options: str, archive: Path = ARCHIVE) -> str:
        code, said, errors = ask(*_words(out, options, archive))
        assert code == 0, errors
        return said

    return build_into


def _words(out: Path, options: tuple[str, ...], archive: Path = ARCHIVE) -> list[str]:
    return ["build", str(archive), "--out", str(out), "--jobs", "1", "--quiet", *options]


def _again(*options: str, first: Path | None = None) -> str:
    """Return the lines that build the same with the last commit, and compare.

    `first` is what is to be built before the archive, into the same folder.
    """
    sources = [first, ARCHIVE] if first else [ARCHIVE]
    words = [shlex.join(_words(BEFORE, options, archive)) for archive in sources]
    lines = [f"uv run --project /tmp/before everyleaf {line}" for line in words]
    return "\n".join([*lines, f"diff -r {BEFORE} {SITE}"])


def _lines(files: Files) -> Lines:
    return {**sum_input(read_files(ARCHIVE)), **group_files(files)}


@pytest.mark.parametrize("source", [MIXED, BROKEN], ids=lambda source: source.name)
def test_plain_words_of_a_made_archive_are_no_secrets(
    source: Source, build: Callable[..., str]
) -> None:
    source.write(ARCHIVE)

    build(SITE, *NO_SEARCH)

    assert not [file for file in SITE.rglob("*.md") if "[redacted" in file.read_text()]


@pytest.mark.parametrize("source", WHOLE, ids=lambda source: source.name)
def test_each_archive_gives_the_site_that_is_held(
    source: Source, build: Callable[..., str], hold: Hold
) -> None:
    source.write(ARCHIVE)

    build(SITE, *NO_SEARCH)

    hold(source.name, _lines(read_files(SITE)), _again(*NO_SEARCH))


def test_a_public_site_of_people_and_keys_is_held(
    build: Callable[..., str], hold: Hold
) -> None:
    SECRETS.write(ARCHIVE)

    build(SITE, *PUBLIC)

    hold(f"{SECRETS.name}-public", _lines(read_files(SITE)), _again(*PUBLIC))


@pytest.mark.parametrize("name", OPTIONS)
def test_each_option_gives_the_site_that_is_held(
    name: str, build: Callable[..., str], hold: Hold
) -> None:
    EXAMPLE.write(ARCHIVE)
    archives.write_settings(Path("settings.toml"))

    build(SITE, *OPTIONS[name])

    hold(f"example-{name}", _lines(read_files(SITE)), _again(*OPTIONS[name]))


@pytest.mark.parametrize("source", REBUILT, ids=lambda source: source.name)
def test_site_that_is_built_again_of_the_same_is_left_as_it_is(
    source: Source, build: Callable[..., str]
) -> None:
    source.write(ARCHIVE)
    build(SITE, *NO_SEARCH)
    before = read_files(SITE)

    said = build(SITE, *NO_SEARCH)

    assert f"wrote 0, kept {len(before) - 1}, deleted 0" in said
    assert read_files(SITE) == before


def test_how_a_site_is_built_changes_nothing_in_it(build: Callable[..., str]) -> None:
    EXAMPLE.write(ARCHIVE)
    build(SITE, *NO_SEARCH)
    others = {
        "workers": ("--jobs", "2"),
        "no-cache": ("--no-cache",),
        "private": ("--private",),
    }

    for name, options in others.items():
        build(Path(name), *NO_SEARCH, *options)

    for name in others:
        assert read_files(Path(name)) == read_files(SITE), name


def test_where_a_session_lies_changes_nothing_in_a_site(build: Callable[..., str]) -> None:
    EXAMPLE.write(ARCHIVE)
    build(SITE, *NO_SEARCH)

    _set_aside("f93af562")
    build(Path("whole"), *NO_SEARCH, "--include-archive")
    build(Path("part"), *NO_SEARCH)

    assert read_files(Path("whole")) == read_files(SITE)
    assert read_files(Path("part")).keys() < read_files(SITE).keys()


def _set_aside(session: str) -> None:
    """Move a session into an _archive folder, where no build looks unless it is told to."""
    (file,) = ARCHIVE.rglob(f"{session}*.jsonl")
    folder = file.parent / "_archive"
    folder.mkdir()
    file.rename(folder / file.name)


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("source", REBUILT, ids=lambda source: source.name)
def test_site_that_is_built_again_after_a_change_is_that_of_a_first_build(
    source: Source, name: str, build: Callable[..., str], hold: Hold
) -> None:
    source.write(ARCHIVE)
    build(SITE, "--prune", *NO_SEARCH)

    CHANGES[name](ARCHIVE)
    build(SITE, "--prune", *NO_SEARCH)
    build(Path("first"), *NO_SEARCH)

    assert read_files(SITE) == read_files(Path("first"))
    hold(f"{source.name}-{name}", _lines(read_files(SITE)), _again(*NO_SEARCH))


@pytest.mark.parametrize("source", REBUILT, ids=lambda source: source.name)
def test_pages_of_a_session_that_is_gone_stay_unless_they_are_pruned(
    source: Source, build: Callable[..., str], hold: Hold
) -> None:
    whole = Path("whole")
    source.write(whole)
    build(SITE, *NO_SEARCH, archive=whole)

    source.write(ARCHIVE)
    archives.delete_session(ARCHIVE)
    build(SITE, *NO_SEARCH)

    again = _again(*NO_SEARCH, first=whole)
    hold(f"{source.name}-{KEPT}", _lines(read_files(SITE)), again)


def test_nothing_is_held_of_a_case_that_is_gone() -> None:
    cases = {
        *(source.name for source in WHOLE),
        *(f"{EXAMPLE.name}-{name}" for name in OPTIONS),
        *(f"{source.name}-{name}" for source in REBUILT for name in (*CHANGES, KEPT)),
        f"{SECRETS.name}-public",
        COMMANDS,
    }

    assert {file.stem for file in GOLDEN_DIR.glob("*.txt")} == cases
