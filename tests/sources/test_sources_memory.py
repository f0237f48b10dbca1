"""A file that is as the last build found it is not read again; any other is."""

from __future__ import annotations

import os
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING

import msgspec
import pytest

from everyleaf.digest import RACY_NS, are_settled, marks_of
from everyleaf.sources.discover import find_sources
from everyleaf.sources.files import KnownFile, SourceMemory
from everyleaf.state.contents import read_contents
from sessions import write_session
from state.building import build, contents

if TYPE_CHECKING:
    from pathlib import Path

    from everyleaf.sources.files import Found
    from everyleaf.state.contents import Contents

pytestmark = pytest.mark.skipif(os.name != "posix", reason="no time of the last change")

META = '{"agentType":"Explore","description":"look","toolUseId":"t1"}'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "projects" / "-w-app"
    session = write_session(project, "one", 2)
    beside = project / "one"
    (beside / "subagents").mkdir(parents=True)
    (beside / "subagents" / "agent-a1.jsonl").write_bytes(session.read_bytes())
    (beside / "subagents" / "agent-a1.meta.json").write_text(META)
    (beside / "tool-results").mkdir()
    (beside / "tool-results" / "t1.txt").write_text("long")
    (project / "notes.jsonl").write_text('{"no": "record"}\n')
    time.sleep(2 * RACY_NS / 1e9)
    return project


def learn(
    project: Path, before: SourceMemory | None = None
) -> tuple[tuple[Found, Contents], SourceMemory]:
    """Find and digest all, and return what a build would keep, as it reads it again."""
    memory = SourceMemory(before.now if before else {})
    found = find_sources([project], memory=memory)
    digests = read_contents(found.files, memory)
    kept = msgspec.msgpack.decode(
        msgspec.msgpack.encode(memory.now), type=dict[str, KnownFile]
    )
    return (found, digests), SourceMemory(now=kept)


def test_what_is_as_it_was_is_found_without_being_read(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, memory = learn(project)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a file was read")

    for name in ("lines.Head", "gathering._read_meta"):
        monkeypatch.setattr(f"everyleaf.sources.{name}", refuse)
    for name in ("digest_file", "digest_or_none"):
        monkeypatch.setattr(f"everyleaf.state.contents.{name}", refuse)
    second, _ = learn(project, memory)

    assert second == first


@pytest.mark.parametrize(
    "name",
    [
        "one.jsonl",
        "one/subagents/agent-a1.jsonl",
        "one/subagents/agent-a1.meta.json",
        "one/tool-results/t1.txt",
    ],
)
def test_other_bytes_of_the_same_size_and_time_are_seen(project: Path, name: str) -> None:
    first, memory = learn(project)
    file = project / name
    before, body = file.stat(), file.read_bytes()
    file.write_bytes(body.replace(b"o", b"0"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    changed, _ = learn(project, memory)

    assert file.stat().st_size == before.st_size
    assert changed != first
    assert changed == learn(project)[0]


def test_a_file_that_becomes_a_session_is_found(project: Path) -> None:
    _, memory = learn(project)
    (project / "notes.jsonl").write_bytes((project / "one.jsonl").read_bytes())

    (found, _), _ = learn(project, memory)

    assert [file.file for file in found.files if file.agent_id is None] == [
        "notes.jsonl",
        "one.jsonl",
    ]


def test_a_site_shows_what_was_changed_behind_its_times(
    tmp_path: Path, project: Path
) -> None:
    file, out = project / "one.jsonl", tmp_path / "site"
    build(project, out)
    before = file.stat()
    file.write_bytes(file.read_bytes().replace(b"u says 1", b"u told 1"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    build(project, out)

    build(project, tmp_path / "clean", has_cache=False)
    assert contents(out) == contents(tmp_path / "clean")


@pytest.mark.parametrize(
    ("ctime_ns", "after_ns", "is_settled"),
    [
        (5_000_000_001, RACY_NS, False),
        (5_000_000_001, RACY_NS + 1, True),
        (5_000_000_000, 2_900_000_000, False),
        (5_000_000_000, 3_000_000_001, True),
    ],
)
def test_a_clock_of_whole_seconds_is_waited_for(
    ctime_ns: int, after_ns: int, *, is_settled: bool
) -> None:
    status = SimpleNamespace(
        st_size=7, st_mtime_ns=ctime_ns, st_ctime_ns=ctime_ns, st_ino=1
    )

    marks = marks_of(status, ctime_ns + after_ns)  # type: ignore[arg-type]

    assert are_settled(marks) is is_settled


def test_a_folder_is_found_behind_all_links_on_the_way(tmp_path: Path) -> None:
    (tmp_path / "real/below").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real/again").symlink_to("below")
    memory = SourceMemory()

    for name in (
        "link/below",
        "link/again",
        "real/again",
        "real/below",
        "link/absent",
        "link/..",
    ):
        folder = f"{tmp_path}/{name}"
        assert memory.real_folder(folder) == os.path.realpath(folder)
    assert memory.real_folder("/") == os.path.realpath("/")
