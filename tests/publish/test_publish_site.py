"""Publishing a site: counts, what stays, what goes, and what a killed build leaves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from everyleaf.digest import digest_hex
from everyleaf.errors import OutputError
from everyleaf.outputs import Output
from everyleaf.publish.manifest import Listed, check_output_dir, load_manifest
from everyleaf.publish.site import Published, publish_site

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

A, B = "t/a.html", "t/b.html"
PAGES = {"index.html": "lists a, b", A: "page a", B: "page b"}
OWNERS = {A: {"a"}, B: {"b"}}


def publish(
    output_dir: Path,
    pages: Mapping[str, str],
    *,
    vanished: Collection[str] = (),
    owners: Mapping[str, Collection[str]] | None = None,
    is_forced: bool = False,
) -> Published:
    return publish_site(
        output_dir,
        (Output(url, body.encode()) for url, body in pages.items()),
        owners=OWNERS if owners is None else owners,
        is_vanished=lambda session: session in vanished,
        is_forced=is_forced,
    )


def read_site(output_dir: Path) -> dict[str, str]:
    return {
        file.relative_to(output_dir).as_posix(): file.read_text()
        for file in sorted(output_dir.rglob("*"))
        if file.is_file() and file.name != "manifest.json"
    }


def counts(published: Published) -> tuple[int, int, int]:
    return published.wrote, published.kept, published.deleted


def test_a_first_build_writes_every_page(tmp_path):
    published = publish(tmp_path / "deep/site", PAGES)

    assert counts(published) == (3, 0, 0)
    assert read_site(tmp_path / "deep/site") == PAGES


def test_a_second_build_writes_nothing(tmp_path):
    publish(tmp_path, PAGES)
    stamps = {file: file.stat() for file in tmp_path.rglob("*") if file.is_file()}

    published = publish(tmp_path, PAGES)

    assert counts(published) == (0, 3, 0)
    assert {file: file.stat().st_ino for file in stamps} == {
        file: stamp.st_ino for file, stamp in stamps.items()
    }


def test_one_changed_page_is_the_one_that_is_written(tmp_path):
    publish(tmp_path, PAGES)

    published = publish(tmp_path, PAGES | {A: "page a, longer"})

    assert counts(published) == (1, 2, 0)
    assert read_site(tmp_path)[A] == "page a, longer"


def test_a_page_that_has_no_session_any_more_is_deleted(tmp_path):
    publish(tmp_path, PAGES)
    (tmp_path / "notes.txt").write_text("mine")

    published = publish(tmp_path, {"index.html": "lists none"})

    assert counts(published) == (1, 0, 2)
    assert read_site(tmp_path) == {"index.html": "lists none", "notes.txt": "mine"}
    assert not (tmp_path / "t").exists()


def test_a_page_whose_source_has_vanished_stays_until_it_is_excluded(tmp_path):
    publish(tmp_path, PAGES)
    rest = {url: body for url, body in PAGES.items() if url != B}

    kept = publish(tmp_path, rest, vanished={"b"})
    still_kept = publish(tmp_path, rest, vanished={"b"})
    excluded = publish(tmp_path, rest)

    assert counts(kept) == counts(still_kept) == (0, 3, 0)
    assert counts(excluded) == (0, 2, 1)
    assert B not in read_site(tmp_path)


def test_an_excluded_session_leaves_no_trace_in_the_manifest(tmp_path):
    publish(tmp_path, PAGES, owners={A: {"secret-session"}, B: {"b"}})

    publish(tmp_path, {B: "page b"})

    assert "secret" not in (tmp_path / "manifest.json").read_text()


def test_two_archives_can_be_published_into_one_folder(tmp_path):
    publish(tmp_path, {A: "page a"})

    publish(tmp_path, {B: "page b"}, vanished={"a"})

    assert read_site(tmp_path) == {A: "page a", B: "page b"}


def test_a_page_that_was_edited_by_hand_is_written_again_and_named(tmp_path):
    publish(tmp_path, PAGES)
    (tmp_path / A).write_text("page a, corrected by hand")

    published = publish(tmp_path, PAGES)

    assert published.edited == (A,)
    assert read_site(tmp_path) == PAGES


def test_owners_may_be_known_only_after_the_last_page(tmp_path):
    owners: dict[str, set[str]] = {}

    def draw() -> Iterator[Output]:
        yield Output(A, b"page a")
        owners[A] = {"later"}

    publish_site(tmp_path, draw(), owners=owners, is_vanished=lambda _: False)

    manifest = load_manifest(tmp_path)
    assert manifest
    assert manifest.files[A].sessions == ("later",)


def test_a_foreign_folder_is_left_as_it_is(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")

    with pytest.raises(OutputError, match="not made by everyleaf"):
        publish(tmp_path, PAGES)

    assert read_site(tmp_path) == {"thesis.tex": "years of work"}


def test_files_that_are_not_ours_are_overwritten_only_by_force(tmp_path):
    publish(tmp_path, {A: "page a"})
    (tmp_path / "index.html").write_text("my own index")
    (tmp_path / "t/b.html").write_text("my own b")

    with pytest.raises(OutputError) as caught:
        publish(tmp_path, PAGES)
    untouched = read_site(tmp_path)
    publish(tmp_path, PAGES, is_forced=True)

    assert "'index.html', 't/b.html'" in caught.value.message
    assert untouched["index.html"] == "my own index"
    assert read_site(tmp_path) == PAGES


@pytest.mark.parametrize("second", [A, A.upper(), A + "/x"])
def test_a_collision_is_an_error_before_anything_changes(tmp_path, second):
    publish(tmp_path, PAGES)
    outputs = [Output(A, b"one"), Output(second, b"two"), Output("index.html", b"new")]

    with pytest.raises(OutputError, match="overwrite each other"):
        publish_site(tmp_path, outputs, owners={}, is_vanished=lambda _: False)

    assert read_site(tmp_path) == PAGES


def test_what_stands_is_kept_and_listed_without_coming_as_an_output(tmp_path):
    publish(tmp_path, PAGES, owners={A: {"a"}, B: {"a", "b"}})
    before = check_output_dir(tmp_path)
    standing = {A: before.files[A], B: replace(before.files[B], sessions=("b",))}

    published = publish_site(
        tmp_path,
        [Output("index.html", b"lists a, b, c"), Output(A, b"page a")],
        owners={A: ("c",)},
        is_vanished=lambda _: False,
        standing=standing,
        before=before,
    )

    manifest = load_manifest(tmp_path)
    assert counts(published) == (1, 2, 0)
    assert read_site(tmp_path) == {**PAGES, "index.html": "lists a, b, c"}
    assert manifest
    assert manifest.files[A] == replace(before.files[A], sessions=("a", "c"))
    assert manifest.files[B] == standing[B]


def test_an_output_that_would_overwrite_what_stands_is_an_error(tmp_path):
    publish(tmp_path, PAGES)

    with pytest.raises(OutputError, match=r"overwrite each other: 't/a\.html'"):
        publish_site(
            tmp_path,
            [Output(A, b"another")],
            owners={},
            is_vanished=lambda _: False,
            standing={A: Listed(digest_hex(b"page a"), ("a",))},
        )

    assert read_site(tmp_path) == PAGES


def test_one_page_may_come_twice_with_the_same_bytes(tmp_path):
    outputs = [Output("blobs/x.png", b"png"), Output("blobs/x.png", b"png")]

    published = publish_site(tmp_path, outputs, owners={}, is_vanished=lambda _: False)

    assert counts(published) == (1, 0, 0)


def test_an_address_outside_the_folder_is_refused(tmp_path):
    with pytest.raises(OutputError, match="cannot be written"):
        publish(tmp_path / "out", {"../evil.html": ""})

    assert not (tmp_path / "evil.html").exists()


def test_a_page_may_become_a_folder_and_a_folder_a_page(tmp_path):
    publish(tmp_path, {"a": "page", "b/c": "page"})

    published = publish(tmp_path, {"a/x": "page", "b": "page"})

    assert counts(published) == (2, 0, 2)
    assert read_site(tmp_path) == {"a/x": "page", "b": "page"}


def test_a_build_that_fails_while_drawing_changes_nothing(tmp_path):
    publish(tmp_path, PAGES)

    def draw() -> Iterator[Output]:
        yield Output(A, b"half of a new site")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        publish_site(tmp_path, draw(), owners={}, is_vanished=lambda _: False)

    assert read_site(tmp_path) == PAGES


@pytest.mark.parametrize("survived", range(4))
def test_a_folder_is_ours_wherever_a_build_was_killed(tmp_path, monkeypatch, survived):
    moves = 0

    def place_or_die(stage, url):
        nonlocal moves
        moves += 1
        if moves > survived + 1:  # the first manifest is a move as well
            raise KeyboardInterrupt
        real_place(stage, url)

    from everyleaf.publish.disk import Stage  # noqa: PLC0415  (patched only here)

    real_place = Stage.place
    monkeypatch.setattr(Stage, "place", place_or_die)
    with pytest.raises(KeyboardInterrupt):
        publish(tmp_path, PAGES)
    monkeypatch.undo()

    published = publish(tmp_path, PAGES)

    assert counts(published) == (3 - survived, survived, 0)
    assert published.edited == ()
    assert read_site(tmp_path) == PAGES


def test_an_output_folder_that_cannot_be_made_is_a_plain_error(tmp_path, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", refuse)

    with pytest.raises(OutputError, match="cannot make the output folder"):
        publish(tmp_path / "site", PAGES)


def test_the_order_of_outputs_changes_no_byte(tmp_path):
    publish(tmp_path / "one", PAGES)
    publish(tmp_path / "two", dict(reversed(PAGES.items())))

    assert (tmp_path / "one/manifest.json").read_bytes() == (
        tmp_path / "two/manifest.json"
    ).read_bytes()


def test_a_build_that_knows_the_site_of_another_time_publishes_nothing(tmp_path):
    publish(tmp_path, {"a.html": "one"})
    before = load_manifest(tmp_path)
    publish(tmp_path, {"a.html": "two"})

    with pytest.raises(OutputError, match="another build published") as told:
        publish_site(
            tmp_path,
            [Output("a.html", b"three")],
            owners={},
            is_vanished=lambda _: False,
            before=before,
        )

    assert told.value.hint == "build again"
    assert read_site(tmp_path) == {"a.html": "two"}
