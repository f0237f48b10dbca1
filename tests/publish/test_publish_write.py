"""Writing: whole files or nothing, and never through a link."""

from __future__ import annotations

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event

import pytest

from everyleaf.digest import digest_hex
from everyleaf.errors import OutputError
from everyleaf.outputs import HELD_BYTES, LongBody, join_encoded
from everyleaf.publish.disk import (
    STAGING,
    SiteFiles,
    StagingWriter,
    _is_locked,
    _locks,
    delete_files,
    open_stage,
)


def test_a_staged_file_is_not_in_its_place_until_it_is_placed(tmp_path):
    with open_stage(tmp_path) as stage:
        stage.add("a/b/c.html", b"new")
        before = (tmp_path / "a").exists()

        stage.place("a/b/c.html")

    assert not before
    assert (tmp_path / "a/b/c.html").read_bytes() == b"new"


def test_a_stage_leaves_nothing_behind(tmp_path):
    with open_stage(tmp_path) as stage:
        stage.add("a.html", b"never placed")

    assert list(tmp_path.iterdir()) == []


def test_a_long_page_waits_on_disk_and_has_the_bytes_of_its_texts(tmp_path):
    texts = ["é\ud800", *(f"{number:099}\n" for number in range(HELD_BYTES // 25)), "end"]
    body = join_encoded(texts)

    with open_stage(tmp_path):
        writer = StagingWriter(tmp_path)
        long = writer.spool("a.html", texts)
        put = writer.put("a.html", long)

        assert isinstance(long, LongBody)
        assert (tmp_path / STAGING / put.name).read_bytes() == body
        assert put == writer.put("a.html", body)
        assert (len(long), b"".join(long.pieces())) == (len(body), body)
        assert long[5:HELD_BYTES] == body[5:HELD_BYTES]
        assert long.find(b"end", 9) == body.find(b"end", 9)
        assert writer.spool("b.html", texts[-9:]) == join_encoded(texts[-9:])
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_is_full_is_said_of_a_long_page(tmp_path, monkeypatch):
    def full(**_: object):
        raise OSError(errno.ENOSPC, "No space")

    monkeypatch.setattr("everyleaf.publish.disk.TemporaryFile", full)

    with pytest.raises(OutputError, match=r"'a\.html': No space"):
        StagingWriter(tmp_path).spool("a.html", ["x" * HELD_BYTES, "y"])


def test_a_stage_leaves_nothing_behind_when_the_build_fails(tmp_path):
    def fail() -> None:
        with open_stage(tmp_path) as stage:
            stage.add("a.html", b"never placed")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()

    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_build_staged_is_in_nobodys_way(tmp_path):
    (tmp_path / STAGING).mkdir()
    (tmp_path / STAGING / "0").write_bytes(b"left over")

    with open_stage(tmp_path) as stage:
        stage.add("a.html", b"new")
        stage.place("a.html")

    assert [entry.name for entry in tmp_path.iterdir()] == ["a.html"]


def test_a_stage_goes_also_while_a_worker_writes_into_it(tmp_path):
    """One of a cluster, whose scheduler is gone, draws on: nobody can stop it."""
    is_over = Event()

    def draw_on() -> None:
        writer = StagingWriter(tmp_path)
        while not is_over.is_set():
            with suppress(OutputError):
                writer.put("a.html", os.urandom(8))

    with ThreadPoolExecutor() as threads:
        with open_stage(tmp_path):
            threads.submit(draw_on)
            while len([*(tmp_path / STAGING).iterdir()]) < 50:
                pass
        left = list(tmp_path.iterdir())
        is_over.set()

    assert left == []


def test_a_stage_that_could_not_be_removed_goes_with_the_next(tmp_path):
    (tmp_path / f"{STAGING}-left").mkdir()
    (tmp_path / f"{STAGING}-left" / "0").write_bytes(b"left over")

    with open_stage(tmp_path):
        assert [entry.name for entry in tmp_path.iterdir()] == [STAGING]

    assert list(tmp_path.iterdir()) == []


def test_a_file_is_replaced_whole(tmp_path):
    (tmp_path / "a.html").write_bytes(b"old")
    reader = (tmp_path / "a.html").open("rb")

    with open_stage(tmp_path) as stage:
        stage.add("a.html", b"new and longer")
        stage.place("a.html")

    with reader:
        assert reader.read() == b"old"
    assert (tmp_path / "a.html").read_bytes() == b"new and longer"


def test_the_last_body_of_one_address_counts(tmp_path):
    with open_stage(tmp_path) as stage:
        stage.add("a", b"1")
        stage.place("a")
        stage.add("b", b"2")
        stage.add("a", b"3")
        stage.place("a")

    assert (tmp_path / "a").read_bytes() == b"3"


@pytest.mark.skipif(os.name == "nt", reason="POSIX modes")
@pytest.mark.parametrize("umask", [0o022, 0o002])
def test_pages_can_be_read_by_a_web_server_and_written_by_their_owner(tmp_path, umask):
    before = os.umask(umask)
    try:
        with open_stage(tmp_path) as stage:
            stage.add("a.html", b"")
            stage.place("a.html")
    finally:
        os.umask(before)

    assert (tmp_path / "a.html").stat().st_mode & 0o777 == 0o644


@pytest.fixture
def linked(tmp_path: Path) -> tuple[Path, Path]:
    """An output folder in which `t` is a link to a folder outside."""
    outside, inside = tmp_path / "outside", tmp_path / "out"
    outside.mkdir()
    inside.mkdir()
    (outside / "a.html").write_bytes(b"precious")
    (inside / "t").symlink_to(outside, target_is_directory=True)
    return inside, outside


def test_nothing_is_written_through_a_linked_folder(linked):
    inside, outside = linked

    with open_stage(inside) as stage:
        stage.add("t/a.html", b"new")
        with pytest.raises(OutputError, match="symbolic link"):
            stage.place("t/a.html")

    assert (outside / "a.html").read_bytes() == b"precious"


def test_nothing_is_read_or_deleted_through_a_linked_folder(linked):
    inside, outside = linked

    with pytest.raises(OutputError, match="symbolic link"):
        SiteFiles(inside).digests(["t/a.html"])
    with pytest.raises(OutputError, match="symbolic link"):
        delete_files(inside, ["t/a.html"])

    assert (outside / "a.html").exists()


def test_a_linked_staging_folder_is_refused(tmp_path):
    outside, inside = tmp_path / "outside", tmp_path / "out"
    outside.mkdir()
    inside.mkdir()
    (outside / "precious").touch()
    (inside / STAGING).symlink_to(outside, target_is_directory=True)

    with pytest.raises(OutputError, match="symbolic link"), open_stage(inside):
        pass

    assert (outside / "precious").exists()


def test_a_link_in_the_place_of_a_page_is_replaced_not_followed(tmp_path):
    target = tmp_path / "precious"
    target.write_bytes(b"precious")
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.html").symlink_to(target)

    found = SiteFiles(out).digests(["a.html"])
    with open_stage(out) as stage:
        stage.add("a.html", b"new")
        stage.place("a.html")

    assert found == {"a.html": ""}
    assert target.read_bytes() == b"precious"
    assert (out / "a.html").read_bytes() == b"new"


def test_an_output_folder_that_is_itself_a_link_is_the_persons_choice(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)

    with open_stage(tmp_path / "link") as stage:
        stage.add("t/a.html", b"new")
        stage.place("t/a.html")

    assert (tmp_path / "real/t/a.html").exists()


def test_digests_are_of_the_bytes_and_leave_out_what_is_absent(tmp_path):
    (tmp_path / "a").write_bytes(b"one")
    (tmp_path / "folder").mkdir()

    found = SiteFiles(tmp_path).digests(["a", "absent", "a/below-a-file", "folder"])

    assert found == {"a": digest_hex(b"one"), "folder": ""}


def test_deleting_takes_emptied_folders_along_and_no_others(tmp_path):
    for name in ("a/b/one", "a/two", "c/three", "c/theirs"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    delete_files(tmp_path, ["a/b/one", "a/two", "c/three", "c/gone-already"])

    assert sorted(str(f.relative_to(tmp_path)) for f in tmp_path.rglob("*")) == [
        "c",
        "c/theirs",
    ]


def test_a_folder_in_the_place_of_a_page_is_a_located_error(tmp_path):
    (tmp_path / "a.html").mkdir()

    with open_stage(tmp_path) as stage:
        stage.add("a.html", b"new")
        with pytest.raises(OutputError, match=r"cannot write 'a\.html'") as caught:
            stage.place("a.html")

    assert caught.value.hint


def test_a_name_that_the_disk_refuses_is_a_located_error(tmp_path):
    url = "x" * 300

    with open_stage(tmp_path) as stage:
        stage.add(url, b"new")
        with pytest.raises(OutputError, match="File name too long"):
            stage.place(url)


def test_there_is_one_stage_at_a_time(tmp_path):
    with open_stage(tmp_path) as stage:
        stage.add("a.html", b"first")
        with pytest.raises(OutputError, match="another build writes") as told:
            open_stage(tmp_path).__enter__()
        stage.place("a.html")
    with open_stage(tmp_path) as stage:
        stage.add("b.html", b"second")
        stage.place("b.html")

    assert told.value.hint
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.html", "b.html"]


@pytest.mark.skipif(os.name != "posix", reason="what is open cannot be deleted there")
def test_a_lock_of_a_file_that_was_deleted_meanwhile_is_none(tmp_path):
    lock = tmp_path / "lock"
    with lock.open("wb") as opened:
        lock.unlink()
        assert not _is_locked(opened.fileno(), lock)
        lock.write_bytes(b"")  # Of a third build.
        assert not _is_locked(opened.fileno(), lock)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_process_that_is_forked_meanwhile_does_not_hold_the_lock(tmp_path: Path) -> None:
    with open_stage(tmp_path):
        (lock,) = _locks
        place = tmp_path / STAGING / "lock"
        child = os.fork()
        if not child:
            try:
                is_held = os.path.samestat(os.fstat(lock), place.stat())
            except OSError:
                is_held = False
            os._exit(is_held)
        _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 0
