"""A file that has grown is read on from its last whole line, if the rest is the same."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st

from everyleaf.records.index import index_file
from everyleaf.sources.files import Role, SourceFile
from sessions import line, write_session
from state.building import ROOT, build, contents

if TYPE_CHECKING:
    from collections.abc import Callable

FILES = sorted((ROOT / "examples" / "archive").rglob("*.jsonl"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "projects" / "-w-app"
    write_session(folder, "one", 3, prefix="on")
    write_session(folder, "two", 2, prefix="tw")
    return folder


def go_on(file: Path, *, number: int = 7) -> str:
    """Return a further exchange for the session in `file`."""
    asked, told = (f"{file.stem[:2]}{letter}{number:07}-0000" for letter in "ua")
    return line("user", asked, None, 40, "more") + line("assistant", told, asked, 41, "yes")


def test_only_the_lines_behind_are_read(tmp_path: Path, project: Path) -> None:
    build(project, tmp_path / "site")
    more = go_on(project / "one.jsonl")
    with (project / "one.jsonl").open("a") as file:
        file.write(more)

    again = build(project, tmp_path / "site")

    assert again.counts.bytes_read == len(more)


def holds(folder: Path, said: bytes) -> bool:
    return any(said in body for body in contents(folder).values())


def rewritten(body: bytes) -> bytes:
    return body.replace(b"says 0", b"sayz 0", 1)


@pytest.mark.parametrize(
    "change",
    [
        rewritten,
        lambda body: rewritten(body) + go_on(Path("one")).encode(),
        lambda body: body[: len(body) // 2],
        lambda body: body.replace(b"\n", b"\r\n"),
    ],
    ids=["same size", "rewritten and grown", "truncated", "CRLF"],
)
def test_what_does_not_begin_with_the_same_bytes_is_read_anew(
    tmp_path: Path, project: Path, change: Callable[[bytes], bytes]
) -> None:
    build(project, tmp_path / "site")
    file = project / "one.jsonl"
    status = file.stat()
    file.write_bytes(change(file.read_bytes()))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))

    again = build(project, tmp_path / "site")

    assert again.counts.bytes_read == file.stat().st_size
    build(project, tmp_path / "clean", has_cache=False)
    assert contents(tmp_path / "site") == contents(tmp_path / "clean")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_half_a_line_is_read_again_when_it_is_whole(
    tmp_path: Path, project: Path, end: str
) -> None:
    file = project / "one.jsonl"
    whole = (file.read_text() + go_on(file)).replace("\n", end).encode()
    file.write_bytes(whole[:-30])
    first = build(project, tmp_path / "site")
    file.write_bytes(whole)

    again = build(project, tmp_path / "site")

    assert first.issues
    assert not again.issues
    assert again.counts.bytes_read == len(whole)
    build(project, tmp_path / "clean", has_cache=False)
    assert contents(tmp_path / "site") == contents(tmp_path / "clean")


def test_a_line_without_its_end_is_not_the_last_that_counts(
    tmp_path: Path, project: Path
) -> None:
    file = project / "one.jsonl"
    body = file.read_bytes()
    file.write_bytes(body.removesuffix(b"\n"))
    build(project, tmp_path / "site")
    file.write_bytes(body + go_on(file).encode())

    again = build(project, tmp_path / "site")

    assert again.counts.bytes_read == file.stat().st_size
    build(project, tmp_path / "clean", has_cache=False)
    assert contents(tmp_path / "site") == contents(tmp_path / "clean")


@pytest.mark.parametrize(
    "moment",
    [
        "everyleaf.build.open_state",
        "everyleaf.redact.find.find_secrets",
        "everyleaf.archive.index_archive",
    ],
    ids=["found", "digested", "scanned"],
)
def test_what_comes_while_a_build_reads_is_for_the_next_one(
    moment: str, tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = go_on(project / "one.jsonl").replace("more", "said late")
    module, name = moment.rsplit(".", 1)
    original = getattr(import_module(module), name)

    def meanwhile(*given: Any, **named: Any) -> Any:
        monkeypatch.setattr(moment, original)
        with (project / "one.jsonl").open("a") as file:
            file.write(late)
        return original(*given, **named)

    monkeypatch.setattr(moment, meanwhile)
    first = build(project, tmp_path / "site")
    assert not holds(tmp_path / "site", b"said late")

    second = build(project, tmp_path / "site")

    assert second.records == first.records + 2
    assert holds(tmp_path / "site", b"said late")
    build(project, tmp_path / "clean", has_cache=False)
    assert contents(tmp_path / "site") == contents(tmp_path / "clean")


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(FILES), st.data())
def test_reading_on_gives_what_reading_everything_gives(
    example: Path, data: st.DataObject
) -> None:
    whole = example.read_bytes()
    lines = whole[: whole.rfind(b"\n") + 1].splitlines(keepends=True)
    rubbish = data.draw(st.sampled_from([b"", b"\n", b"{]\n", b"\0\0\n", b"[1]\n"]))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(lines)), min_size=1, max_size=3)))
    lines.insert(cuts[0], rubbish)
    with TemporaryDirectory() as place:
        file = Path(place) / example.name
        source = SourceFile(
            project="-w-app",
            file=file.name,
            place=str(file),
            session=file.stem,
            role=Role.SESSION,
            size_bytes=sys.maxsize,
            tool_results_dir=f"{place}/none",
        )
        before = None
        for cut in cuts:
            file.write_bytes(b"".join(lines[:cut]))
            before = index_file(source, source_index=1, before=before)
            assert before.ending is not None
        file.write_bytes(b"".join(lines))

        read_on = index_file(source, source_index=1, before=before)

        assert read_on == index_file(source, source_index=1)
