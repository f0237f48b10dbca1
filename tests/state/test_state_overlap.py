"""Where little is new, the site is made ready while the scanner looks through it.

Nothing is written before it is done, and what it finds is masked as if it had come first.
"""

from __future__ import annotations

import re
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from everyleaf.errors import RedactError
from everyleaf.pages import family
from everyleaf.redact.find import Search
from everyleaf.redact.scanner import Hit, Scanner
from everyleaf.state.families import FamilyState
from hanging import HANG_S
from state.building import PROMPT, build, contents, write_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from everyleaf.pages.family import FamilyPages
    from everyleaf.pages.work import FamilyWork
    from everyleaf.redact.redaction import Redaction

    Scan = Callable[[Scanner, Path, Mapping[str, int]], dict[str, list[Hit]]]

SECRET = re.compile(rb"key-\w+")


def look(_: Scanner, folder: Path, sizes: Mapping[str, int]) -> dict[str, list[Hit]]:
    """Find what `SECRET` matches, as the scanner tells it."""
    return {
        name: [
            Hit("betterleaks.github-pat", match[0].decode(), number, match.start())
            for number, line in enumerate((folder / name).read_bytes().split(b"\n"), 1)
            for match in SECRET.finditer(line)
        ]
        for name in sizes
    }


@pytest.fixture
def patch(tmp_path: Path) -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVERYLEAF_CACHE_DIR", str(tmp_path / "cache"))
        patch.setattr("everyleaf.redact.find.default_memory", lambda place: place / "found")
        patch.setattr(Scanner, "scan", look)
        yield patch


@pytest.fixture
def project(tmp_path: Path, patch: pytest.MonkeyPatch) -> Path:
    """Return an archive of which a site was built."""
    del patch
    folder = tmp_path / "projects" / "-w-app"
    write_session(folder, "one", 3, prefix="on")
    write_session(folder, "two", 2, prefix="tw")
    build(folder, tmp_path / "site")
    return folder


def say(project: Path, text: str) -> None:
    """Append a prompt to a session, at its end."""
    line = PROMPT.format(uuid="onu9", parent='"ona0000002-0000"', second=40, text=text)
    with (project / "one.jsonl").open("a") as file:
        file.write(line)


@pytest.mark.parametrize(
    "text", ["nothing of note", "it is key-new", "says 1 and key-new, key-newer"]
)
def test_what_is_new_is_masked_as_in_a_first_build(
    tmp_path: Path, project: Path, text: str
) -> None:
    say(project, text)

    build(project, tmp_path / "site")

    build(project, tmp_path / "clean", has_cache=False)
    assert contents(tmp_path / "site") == contents(tmp_path / "clean")
    assert all(b"key-new" not in body for body in contents(tmp_path / "site").values())


def test_of_what_was_made_before_the_secret_was_found_nothing_is_kept(
    tmp_path: Path, project: Path
) -> None:
    say(project, "it is key-new")

    build(project, tmp_path / "site")

    kept = contents(tmp_path / "cache" / "sites")
    assert kept
    assert all(b"key-new" not in body for body in kept.values())


@pytest.mark.parametrize("text", ["nothing of note", "it is key-new"])
def test_nothing_is_written_before_the_scanner_is_done(
    tmp_path: Path, project: Path, patch: pytest.MonkeyPatch, text: str
) -> None:
    is_ready = Event()
    seen: list[dict[str, bytes]] = []
    confirm = Search.confirm

    def wait(self: Search, redaction: Redaction) -> None:
        is_ready.set()
        confirm(self, redaction)

    def scan(self: Scanner, folder: Path, sizes: Mapping[str, int]) -> dict[str, list[Hit]]:
        assert is_ready.wait(HANG_S)
        seen.append(contents(tmp_path / "site"))
        return look(self, folder, sizes)

    before = contents(tmp_path / "site")
    say(project, text)
    patch.setattr(Search, "confirm", wait)
    patch.setattr(Scanner, "scan", scan)

    report = build(project, tmp_path / "site")

    assert seen == [before]
    assert report.wrote > 0


@pytest.mark.parametrize("held_bytes", [0, 32_000_000])
def test_a_family_is_drawn_before_the_scanner_is_done_unless_it_is_large(
    tmp_path: Path, project: Path, patch: pytest.MonkeyPatch, held_bytes: int
) -> None:
    drawn: list[object] = []
    named: list[str] = []
    asked: list[tuple[int, int]] = []
    render, name, confirm = family.render_family, FamilyState.name, Search.confirm

    def draw(*chosen: Any, **more: Any) -> FamilyPages:
        pages = render(*chosen, **more)
        drawn.append(pages)
        return pages

    def call(self: FamilyState, work: FamilyWork) -> str:
        named.append(name(self, work))
        return named[-1]

    def ask(self: Search, redaction: Redaction) -> None:
        asked.append((len(drawn), len(named)))
        confirm(self, redaction)

    say(project, "nothing of note")
    patch.setattr("everyleaf.pages.family.render_family", draw)
    patch.setattr("everyleaf.sitework.HELD_BYTES", held_bytes)
    patch.setattr(FamilyState, "name", call)
    patch.setattr(Search, "confirm", ask)

    build(project, tmp_path / "site")

    assert asked[0] == (1 if held_bytes else 0, 2)
    build(project, tmp_path / "clean", has_cache=False)
    assert contents(tmp_path / "site") == contents(tmp_path / "clean")


def test_a_scanner_that_fails_late_leaves_the_site_as_it_was(
    tmp_path: Path, project: Path, patch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> dict[str, list[Hit]]:
        raise RedactError("the secret scanner failed", hint="")

    before = contents(tmp_path / "site")
    say(project, "it is key-new")
    patch.setattr(Scanner, "scan", fail)

    with pytest.raises(RedactError):
        build(project, tmp_path / "site")

    assert contents(tmp_path / "site") == before


def test_what_is_asked_for_anew_is_no_little_thing(
    tmp_path: Path, project: Path, patch: pytest.MonkeyPatch
) -> None:
    opened: list[object] = []

    def refuse(*chosen: object, **_: object) -> object:
        opened.append(chosen)
        raise InterruptedError

    patch.setattr("everyleaf.workers.open_executor", refuse)

    with pytest.raises(InterruptedError):
        build(project, tmp_path / "site", title="Another")

    assert opened
