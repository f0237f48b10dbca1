"""Stores, archives and standard input are sources like any other folder."""

from __future__ import annotations

import bz2
import errno
import gzip
import io
import json
import lzma
import os
import shutil
import sys
import tarfile
import time
import zipfile
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
import zstandard
from hypothesis import given, strategies as st

from everyleaf.digest import open_digest
from everyleaf.errors import SourceError
from everyleaf.keep.stored import sweep
from everyleaf.sources import packed, unpacked
from everyleaf.sources.discover import find_sources
from everyleaf.store import Store
from sessions import nth

EXAMPLE = Path(__file__).parents[2] / "examples" / "archive"
UUID = "00000000-0000-4000-8000-{:012d}"
ONE = UUID.format(1)


@pytest.fixture(autouse=True)
def _own_place(tmp_path, monkeypatch):
    monkeypatch.setenv("EVERYLEAF_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "fsync", lambda _: None)
    unpacked.unpack_dir.cache_clear()
    packed.unpack_input.cache_clear()
    yield
    unpacked.unpack_dir.cache_clear()
    packed.unpack_input.cache_clear()


def quietly(_stage, _done, _total):
    """Say nothing."""


def line(number, cwd="/w/p", session=ONE):
    said = {"type": "text", "text": f"words {number}"}
    told = {"uuid": UUID.format(number), "parentUuid": None, "sessionId": session}
    return json.dumps(nth(number, "user", said, cwd=cwd, **told)).encode() + b"\n"


def told(found):
    """Return what was found, by all that a build can see of it."""
    return [
        (
            *(file.project, file.file, file.session, file.role, file.meta, file.agents),
            *(file.location.read_bytes(), _beside(Path(file.tool_results_dir))),
        )
        for file in found.files
    ]


def _beside(folder):
    return sorted((each.name, each.read_bytes()) for each in folder.glob("*"))


def keep_states(tmp_path, monkeypatch, *bodies, name=f"projects/-w-p/{ONE}.jsonl"):
    store = Store(tmp_path / "kept")
    file = tmp_path / "home" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    for minute, body in enumerate(bodies):
        at = 1_700_000_000_000_000_000 + minute * 60_000_000_000
        monkeypatch.setattr(time, "time_ns", lambda at=at: at)
        file.write_bytes(body)
        sweep([tmp_path / "home"], store, quietly)
    return store


def contents(found):
    return {file.session: file.location.read_bytes() for file in found.files}


def test_a_store_holds_what_its_source_held(tmp_path):
    store = Store(tmp_path / "kept")
    sweep([EXAMPLE], store, quietly)

    from_store = find_sources([store.folder], include_archive=True)

    assert told(from_store) == told(find_sources([EXAMPLE], include_archive=True))
    assert from_store.files


def test_a_store_is_only_read(tmp_path):
    store = Store(tmp_path / "kept")
    sweep([EXAMPLE], store, quietly)
    before = {each: each.stat().st_mtime_ns for each in store.folder.rglob("*")}

    find_sources([store.folder])

    assert {each: each.stat().st_mtime_ns for each in store.folder.rglob("*")} == before


def test_a_session_that_grew_is_one_source(tmp_path, monkeypatch):
    one, two = line(1), line(1) + line(2)
    store = keep_states(tmp_path, monkeypatch, one, two[:-7], two, two + line(3), one)

    assert contents(find_sources([store.folder])) == {ONE: two + line(3)}


def test_a_session_that_was_rewritten_is_there_as_it_was_and_as_it_is(
    tmp_path, monkeypatch
):
    first, second = line(1) + line(2), line(1) + line(3)
    store = keep_states(
        tmp_path, monkeypatch, line(1), first, second, second + line(4), line(9)
    )

    found = contents(find_sources([store.folder]))

    assert found == {
        ONE: line(9),
        f"{ONE}.until-20231114T221420Z": first,
        f"{ONE}.until-20231114T221620Z": second + line(4),
    }


def test_states_that_machines_kept_apart_are_found_to_be_one(tmp_path, monkeypatch):
    grown = line(1) + line(2)
    short = keep_states(tmp_path / "ada", monkeypatch, line(1), grown)
    long = keep_states(tmp_path / "bob", monkeypatch, grown[:50], grown + line(3))
    shutil.copytree(short.folder, long.folder, dirs_exist_ok=True)

    assert contents(find_sources([long.folder])) == {ONE: grown + line(3)}


def test_only_what_is_new_in_a_store_is_unpacked_again(tmp_path, monkeypatch):
    store = Store(tmp_path / "kept")
    home = tmp_path / "home"
    shutil.copytree(EXAMPLE, home)
    sweep([home], store, quietly)
    before = find_sources([store.folder])
    file = before.files[0]
    with next(home.rglob(f"{file.session}.jsonl")).open("ab") as handle:
        handle.write(line(1))
    sweep([home], store, quietly)
    written: list[Path] = []
    write = unpacked.write_states

    def writing(target, states):
        written.append(target)
        return write(target, states)

    monkeypatch.setattr("everyleaf.sources.unpacked.write_states", writing)

    after = find_sources([store.folder])

    assert [each.name for each in written] == [f"{file.session}.jsonl"]
    assert contents(after) == contents(find_sources([home]))


def test_what_somebody_deleted_from_the_cache_is_unpacked_again(tmp_path):
    store = Store(tmp_path / "kept")
    sweep([EXAMPLE], store, quietly)
    before = find_sources([store.folder])
    wanted = told(before)

    before.files[0].location.unlink()
    next(before.files[-1].location.parents[1].rglob("*.jsonl")).write_bytes(b"")

    assert told(find_sources([store.folder])) == wanted


def in_steps(body, step):
    return [body[at : at + step] for at in range(0, len(body), step)]


@given(
    st.lists(
        st.lists(st.sampled_from([b"a", b"b", b"cd"]), max_size=6).map(b"".join),
        min_size=1,
        max_size=8,
    ),
    st.integers(1, 5),
)
def test_as_few_files_are_written_as_hold_all_states(tmp_path_factory, bodies, step):
    target = tmp_path_factory.mktemp("states") / "one.jsonl"
    states = [
        unpacked.SourceState(
            kept_ms=minute * 60_000,
            size_bytes=len(body),
            digest=open_digest(body).hexdigest(length=32),
            read=partial(in_steps, body, step),
        )
        for minute, body in enumerate(bodies)
    ]

    names = unpacked.write_states(target, states)

    written = [name.read_bytes() for name in names]
    needed = {
        body
        for body in bodies
        if not any(other != body and other.startswith(body) for other in bodies)
    }
    assert sorted(written) == sorted(needed)
    assert names[0] == target
    assert {each.name for each in target.parent.iterdir()} == {name.name for name in names}


def test_a_name_that_is_not_wanted_any_more_goes(tmp_path, monkeypatch):
    keep_states(tmp_path, monkeypatch, line(1), line(2))
    before = contents(find_sources([tmp_path / "kept"]))
    store = keep_states(tmp_path, monkeypatch, line(1), line(2), line(1) + line(3))

    after = contents(find_sources([store.folder]))

    # What is known is not kept again, so that the last state is the third.
    assert sorted(before.values()) == [line(1), line(2)]
    assert sorted(after.values()) == [line(1) + line(3), line(2)]
    assert len(after) == 2


def test_no_room_to_unpack_is_told_and_given_back(tmp_path, monkeypatch):
    store = keep_states(tmp_path, monkeypatch, line(1))

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("everyleaf.sources.unpacked.write_states", full)

    with pytest.raises(SourceError, match="No space left"):
        find_sources([store.folder])
    assert list((tmp_path / "cache" / "unpacked").iterdir()) == []


def test_a_torn_store_is_no_source(tmp_path, monkeypatch):
    store = keep_states(tmp_path, monkeypatch, line(1))
    next(store.folder.glob("objects/*/*")).unlink()

    with pytest.raises(SourceError, match="torn"):
        find_sources([store.folder])


def zipped(location, files):
    with zipfile.ZipFile(location, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return location


def compressed(body, suffix):
    match suffix:
        case ".gz" | ".tgz":
            return gzip.compress(body)
        case ".bz2":
            return bz2.compress(body)
        case ".xz":
            return lzma.compress(body)
        case ".zst":
            return zstandard.compress(body)
        case _:
            return body


def tarred(location, files):
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        for name, body in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(body)
            archive.addfile(info, io.BytesIO(body))
    location.write_bytes(compressed(plain.getvalue(), location.suffix))
    return location


def files_of(folder):
    return {
        each.relative_to(folder).as_posix(): each.read_bytes()
        for each in sorted(folder.rglob("*"))
        if each.is_file()
    }


ARCHIVES = ["a.zip", "a.tar", "a.tar.gz", "a.tgz", "a.tar.bz2", "a.tar.xz", "A.TAR.ZST"]


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_holds_what_its_folder_held(tmp_path, name):
    pack = zipped if name.endswith("zip") else tarred
    location = tmp_path / name
    if name == "A.TAR.ZST":
        location = tarred(tmp_path / "a.zst", files_of(EXAMPLE)).rename(location)
    else:
        pack(location, files_of(EXAMPLE))
    location.chmod(0o400)

    assert told(find_sources([location])) == told(find_sources([EXAMPLE]))
    assert told(find_sources([location])) == told(find_sources([EXAMPLE]))


def test_loose_files_belong_to_a_project_called_as_the_archive(tmp_path):
    location = zipped(tmp_path / "parser.v2.zip", {"one.jsonl": line(1)})

    (file,) = find_sources([location]).files

    assert (file.project, file.session) == ("parser", "one")


@pytest.mark.parametrize(
    "name", ["../x.jsonl", "/srv/x.jsonl", "a/../../x.jsonl", "C:\\x.jsonl"]
)
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_a_name_that_leads_out_is_refused(tmp_path, name, pack):
    location = pack(
        tmp_path / ("a.zip" if pack is zipped else "a.tar"),
        {"one.jsonl": line(1), name: line(2)},
    )

    with pytest.raises(SourceError, match="leads out"):
        find_sources([location])
    assert not list((tmp_path / "cache").rglob("*.jsonl"))


def test_links_in_an_archive_are_passed_over(tmp_path):
    (tmp_path / "secret.jsonl").write_bytes(line(9))
    location = tmp_path / "a.tar"
    with tarfile.open(location, "w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
            info = tarfile.TarInfo(f"{kind.decode()}.jsonl")
            info.type, info.linkname = kind, str(tmp_path / "secret.jsonl")
            archive.addfile(info)
        info = tarfile.TarInfo("one.jsonl")
        info.size = len(line(1))
        archive.addfile(info, io.BytesIO(line(1)))

    assert [file.session for file in find_sources([location]).files] == ["one"]


@pytest.mark.parametrize("name", ["a.zip", "a.tar.gz", "a.tar.xz"])
def test_a_bomb_is_refused_before_it_fills_the_disk(tmp_path, monkeypatch, name):
    monkeypatch.setattr(packed, "UNSUSPICIOUS_BYTES", 1 << 20)
    pack = zipped if name == "a.zip" else tarred
    bomb = {"one.jsonl": line(1), "two.jsonl": b"\0" * (64 << 20)}
    location = pack(tmp_path / name, bomb)
    limit = max(1 << 20, packed.MOST_TIMES * location.stat().st_size)

    with pytest.raises(SourceError, match="more than is unpacked"):
        find_sources([location])

    assert limit < 64 << 20
    assert not [each for each in (tmp_path / "cache").rglob("*") if each.is_file()]


def test_too_many_files_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(packed, "MOST_FILES", 3)
    location = tarred(tmp_path / "a.tar", {f"{n}.jsonl": line(n) for n in range(4)})

    with pytest.raises(SourceError, match="more than is unpacked"):
        find_sources([location])


def test_a_header_that_would_fill_the_memory_is_refused(tmp_path):
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 8 << 30
    location = tmp_path / "a.tar"
    location.write_bytes(info.tobuf() + bytes(1024))

    with pytest.raises(SourceError, match="cannot unpack"):
        find_sources([location])


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz", "a.tar.xz", "a.tar.zst"])
def test_a_damaged_archive_is_refused_by_name(tmp_path, name):
    pack = zipped if name == "a.zip" else tarred
    location = pack(tmp_path / name, files_of(EXAMPLE))
    body = location.read_bytes()

    for damaged in (b"", b"nothing of the kind" * 100, body[: len(body) // 2]):
        location.write_bytes(damaged)
        with pytest.raises(SourceError):
            find_sources([location])


def test_other_packed_files_are_refused(tmp_path):
    for name in ("a.7z", "a.rar", "one.jsonl.gz"):
        (tmp_path / name).write_bytes(b"x")
        with pytest.raises(SourceError, match="packed in a way"):
            find_sources([tmp_path / name])


@pytest.fixture
def pipe(monkeypatch):
    def put(body, *, is_terminal=False):
        stream = SimpleNamespace(buffer=io.BytesIO(body), isatty=lambda: is_terminal)
        monkeypatch.setattr(sys, "stdin", stream)

    return put


def test_a_session_comes_in_on_standard_input(pipe):
    pipe(line(1) + line(2))

    first, again = (find_sources([Path("-")]).files for _ in range(2))

    assert [(file.project, file.session) for file in first] == [("-w-p", ONE)]
    assert first[0].location.read_bytes() == line(1) + line(2)
    assert first == again


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz", "a.tar.zst"])
def test_an_archive_comes_in_on_standard_input(pipe, tmp_path, name):
    pack = zipped if name == "a.zip" else tarred
    pipe(pack(tmp_path / name, files_of(EXAMPLE)).read_bytes())

    assert told(find_sources([Path("-")])) == told(find_sources([EXAMPLE]))


def test_hostile_names_in_a_record_lead_nowhere(pipe, tmp_path):
    pipe(line(1, cwd="/../../x", session="../../y"))

    (file,) = find_sources([Path("-")]).files

    assert file.location.is_relative_to(tmp_path / "cache")


@pytest.mark.parametrize(
    ("body", "said"),
    [(b"", "empty"), (b'{"a": 1}\n', "no session"), (b"PK\x03\x04x", "no session")],
)
def test_what_is_no_session_is_refused(pipe, body, said):
    pipe(body)

    with pytest.raises(SourceError, match=said):
        find_sources([Path("-")])


def test_nothing_is_waited_for_at_a_terminal(pipe):
    pipe(b"", is_terminal=True)

    with pytest.raises(SourceError, match="nothing comes in"):
        find_sources([Path("-")])


def test_what_nobody_read_for_a_month_is_deleted_from_the_cache(tmp_path):
    location = zipped(tmp_path / "a.zip", {"one.jsonl": line(1)})
    find_sources([location])
    (made,) = (tmp_path / "cache" / "unpacked").iterdir()
    os.utime(made, (0, 0))
    unpacked.unpack_dir.cache_clear()

    unpacked.unpack_dir()

    assert not made.exists()


@pytest.mark.skipif(os.name == "nt", reason="rights of another kind")
def test_a_cache_that_others_may_write_to_is_not_used(tmp_path):
    shared = tmp_path / "cache" / "unpacked"
    shared.mkdir(parents=True)
    shared.chmod(0o777)

    (file,) = find_sources([zipped(tmp_path / "a.zip", {"one.jsonl": line(1)})]).files

    assert not file.location.is_relative_to(tmp_path)
    assert file.location.stat().st_size
