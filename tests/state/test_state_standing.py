"""A page that is made anew takes what it can from those that stand; the rest is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from everyleaf.errors import OutputError
from everyleaf.state.groups import GroupFiles, GroupState
from sessions import line
from state.building import build, contents

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from everyleaf.report import BuildReport


def said(name: str, parent: str, text: str = "") -> str:
    """Return the line of a prompt (u…) or a reply (a…)."""
    kind = "user" if name.startswith("u") else "assistant"
    above = f"{parent:0<8}-0000" if parent else None
    return line(kind, f"{name:0<8}-0000", above, int(name[1:]), text or f"{name} `x`")


SESSION = said("u11", "") + said("a12", "u11") + said("u13", "a12") + said("a14", "u13")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a session of which a site was built."""
    file = tmp_path / "projects" / "-w-app" / "one.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text(SESSION)
    build(file.parent, tmp_path / "site")
    return file


def append(file: Path, *lines: str) -> None:
    with file.open("a") as out:
        out.writelines(lines)


def build_again(file: Path, **chosen: object) -> BuildReport:
    """Build the site again, and see that a clean build makes the same."""
    place = file.parents[2]
    report = build(file.parent, place / "site", **chosen)
    build(file.parent, place / "clean", has_cache=False, **chosen)
    assert contents(place / "site") == contents(place / "clean")
    return report


def test_of_a_session_that_goes_on_only_what_is_new_is_drawn(file: Path) -> None:
    for number in (15, 17, 19):
        prompt, reply = f"u{number}", f"a{number + 1}"
        append(file, said(prompt, f"a{number - 1}"), said(reply, prompt))

        report = build_again(file)

        assert (report.counts.records, report.counts.turns) == (2, 2)


def test_a_new_attempt_takes_what_it_shares_from_the_pages_of_others(file: Path) -> None:
    append(file, said("u15", "a12"), said("a16", "u15"))
    build_again(file)
    append(file, said("u17", "a12"), said("a18", "u17"))

    report = build_again(file)

    assert report.paths == 3
    assert report.counts.records == 2


@pytest.mark.parametrize(
    "edit",
    [
        lambda body: body + b" ",
        lambda body: body.replace(b"a12", b"b12"),
        lambda _: b"\xff",
    ],
    ids=["longer", "another text", "no text"],
)
def test_from_a_page_that_was_edited_nothing_is_taken(
    file: Path, edit: Callable[[bytes], bytes]
) -> None:
    for page in sorted((file.parents[2] / "site").glob("*/transcript_one*")):
        page.write_bytes(edit(page.read_bytes()))
    append(file, said("u15", "a14"))

    assert build_again(file).counts.records == 5


def test_prompts_that_get_another_number_are_drawn(file: Path) -> None:
    body = file.read_text()
    first = said("u10", "")
    file.write_text(
        first + body.replace('"parentUuid": null', '"parentUuid": "u1000000-0000"')
    )

    assert build_again(file).counts.records > 1


def test_other_settings_draw_everything(file: Path) -> None:
    assert build_again(file, title="Another").counts.records == 4


def test_more_turns_than_places_are_kept_of_are_drawn(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everyleaf.pages.pagesink.MOST_PLACES", 5)
    append(file, said("u15", "a14"))
    build_again(file)
    append(file, said("a16", "u15"))

    # Of the two pages, one alone is within the bounds, and the other has to be drawn.
    assert build_again(file).counts.records == 6


def test_of_other_groups_that_stand_no_files_are_gone_through(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = file.with_name("two.jsonl")
    other.write_text(SESSION.replace("0000", "1111"))
    build_again(file)
    asked: list[str] = []
    find_files = GroupState.find_files

    def find(state: GroupState, name: str) -> GroupFiles | None:
        asked.append(name)
        return find_files(state, name)

    monkeypatch.setattr(GroupState, "find_files", find)
    append(file, said("u15", "a14"))

    build_again(file)

    # Those that the group that changed had, those of the lists twice, and of a clean build.
    assert len(asked) == 4
    append(file, said("a16", "u15"))
    manifest = file.parents[2] / "site" / "manifest.json"
    manifest.write_bytes(manifest.read_bytes().replace(b'"two"', b'"three"'))
    build_again(file)


def test_what_a_build_drew_and_did_not_publish_is_not_taken_for_published(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append(file, said("u15", "a14"))
    with monkeypatch.context() as patch:
        patch.setattr("everyleaf.publish.site.plan_writes", _refuse)
        with pytest.raises(OutputError):
            build(file.parent, file.parents[2] / "site")

    build_again(file)


def _refuse(*_: object, **__: object) -> None:
    raise OutputError("no")
