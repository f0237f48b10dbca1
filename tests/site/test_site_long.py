"""Long families: drawn in chunks, their pages are what they are when drawn in one go."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from everyleaf.redact.lastlook import LastLook
from sessions import call, prompt, reply, result, write_records
from state.building import build, contents

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence
    from concurrent.futures import Executor

    from sessions import Record

STEPS = ("ask", "write", "long", "todo", "done", "agent", "copy")
STEP = st.tuples(st.sampled_from(STEPS), st.integers(0, 6))
"""What is said, and how many rounds before the last one it goes on from."""
SHAPES = st.fixed_dictionaries(
    {},
    optional={
        "formats": st.sampled_from([("html",), ("md",)]),
        "has_search": st.booleans(),
        "shared_prefix": st.sampled_from(["full", "link"]),
        "without": st.sampled_from([("tools",), ("agents",)]),
        "detail": st.sampled_from(["full", "prompts"]),
    },
)


def round_of(kind: str, number: int, above: str | None) -> list[Record]:
    """Return a prompt below `above`, a call with its result, and a reply."""
    p, c, o, r = (f"{letter}{number:04}" for letter in "pcor")
    made, told = call(c, p, "Bash", command="true"), result(o, c, "ok")
    match kind:
        case "write":
            given = {"file_path": "/w/a.py", "content": f"a = {number}\n" * 3}
            made = call(c, p, "Write", **given)
        case "long":
            told = result(o, c, "\n".join(f"{number} {line}" for line in range(300)))
        case "todo":
            made = call(c, p, "TaskCreate", subject=f"Do {number}")
            told["toolUseResult"] = {"task": {"id": str(number), "subject": f"Do {number}"}}
        case "done":
            made = call(c, p, "TaskUpdate", taskId="1", status="completed")
            told["toolUseResult"] = {"taskId": "1", "updatedFields": ["status"]}
        case "agent":
            made = call(c, p, "Task", prompt=f"Look {number}", subagent_type="Explore")
            told["toolUseResult"] = {"agentId": f"a{number}", "status": "completed"}
        case _:
            pass
    return [prompt(p, above, f"Ask {number}"), made, told, reply(r, o, f"*So* {number}")]


def write_archive(folder: Path, steps: Sequence[tuple[str, int]]) -> Path:
    """Write a session that takes `steps`, and copies that stopped somewhere or went on."""
    project = folder / "projects" / "-w-app"
    agents = project / "s" / "subagents"
    agents.mkdir(parents=True)
    records: list[Record] = []
    rounds: list[str] = []
    for number, (kind, back) in enumerate(steps):
        above = rounds[max(len(rounds) - 1 - back, 0)] if rounds else None
        records += round_of(kind, number, above)
        rounds.append(f"r{number:04}")
        if kind == "agent":
            own = {"isSidechain": True, "agentId": f"a{number}"}
            lines = [
                prompt(f"q{number:04}", None, f"Look {number}", **own),
                reply(f"t{number:04}", f"q{number:04}", "Found.", **own),
            ]
            write_records(agents / f"agent-a{number}.jsonl", lines)
        if kind == "copy":
            more = [prompt(f"z{number:04}", rounds[-1], "Elsewhere")]
            write_records(project / f"copy{number}.jsonl", [*records, *more])
    write_records(project / "s.jsonl", records)
    return folder / "projects"


@contextmanager
def cut_small(size: int = 1_500) -> Generator[None]:
    """Have every family cut, into chunks of a few turns."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("everyleaf.renderjobs.LONG_BYTES", -1)
        patch.setattr("everyleaf.renderjobs.CHUNK_BYTES", size)
        patch.setattr("everyleaf.pages.comparepages.MOST_TOGETHER", 1)
        yield


MIXED = [("ask", 0), ("todo", 0), ("write", 0), ("agent", 1), ("done", 0), ("write", 2)]
MIXED += [("long", 0), ("copy", 3), ("done", 1), ("todo", 4), ("done", 0), ("write", 5)]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return write_archive(tmp_path, MIXED)


@pytest.fixture
def cut() -> Iterator[None]:
    with cut_small():
        yield


@settings(max_examples=10)
@given(st.lists(STEP, min_size=1, max_size=14), SHAPES, st.integers(1, 4_000))
def test_a_family_in_chunks_is_the_family_in_one_go(
    steps: Sequence[tuple[str, int]], shape: dict[str, object], size: int
) -> None:
    with TemporaryDirectory() as place:
        source = write_archive(Path(place), steps)
        whole = build(source, Path(place) / "whole", **shape)
        with cut_small(size):
            parts = build(source, Path(place) / "parts", **shape)

        assert contents(Path(place) / "parts") == contents(Path(place) / "whole")
        assert parts.counts.pages == whole.counts.pages
        assert parts.counts.records == whole.counts.records
        assert parts.counts.families == whole.counts.families


def processes(patch: pytest.MonkeyPatch) -> dict[str, object]:
    patch.setattr("everyleaf.workers.SMALL_BYTES", 0)
    return {"jobs": 2}


def threads(patch: pytest.MonkeyPatch) -> dict[str, object]:
    @contextmanager
    def opened(*_: object, **__: object) -> Generator[Executor]:
        with ThreadPoolExecutor(3) as executor:
            yield executor

    patch.setattr("everyleaf.workers.open_executor", opened)
    return {"has_cache": False}


@pytest.mark.parametrize("use", [processes, threads])
def test_any_executor_draws_the_same_from_chunks(
    use: Callable[[pytest.MonkeyPatch], dict[str, object]], tmp_path: Path, archive: Path
) -> None:
    build(archive, tmp_path / "whole")

    with pytest.MonkeyPatch.context() as patch, cut_small():
        build(archive, tmp_path / "parts", **use(patch))

    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")


def test_a_turn_that_shows_the_task_list_is_drawn_again_where_it_was_another_one(
    tmp_path: Path,
) -> None:
    source = write_archive(tmp_path, [("todo", 0), ("ask", 0), ("todo", 0), ("done", 0)])
    whole = build(source, tmp_path / "whole")

    with cut_small(1):  # Each turn by itself: none knows what was to be done before.
        parts = build(source, tmp_path / "parts")

    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
    assert parts.counts.turns == whole.counts.turns + 2
    assert parts.counts.records == whole.counts.records


@pytest.mark.usefixtures("cut")
def test_nothing_is_left_of_what_was_put_aside(tmp_path: Path, archive: Path) -> None:
    build(archive, tmp_path / "site")

    assert not [name for name in contents(tmp_path / "site") if "staging" in name]


@pytest.mark.usefixtures("cut")
def test_building_again_draws_nothing_of_it(tmp_path: Path, archive: Path) -> None:
    build(archive, tmp_path / "site")

    again = build(archive, tmp_path / "site", title="Other")
    third = build(archive, tmp_path / "site", title="Other")

    assert again.counts.pages > 0
    assert (third.counts.pages, third.wrote) == (0, 0)


def test_a_line_more_costs_the_same_whether_it_was_cut_or_not(
    tmp_path: Path, archive: Path
) -> None:
    build(archive, tmp_path / "whole")
    with cut_small():
        build(archive, tmp_path / "parts")
    with (archive / "-w-app" / "s.jsonl").open("a") as file:
        file.write(json.dumps(prompt("x1", "r0011", "One more")) + "\n")

    whole = build(archive, tmp_path / "whole")
    with cut_small(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("everyleaf.renderjobs.ChunkJob", None)  # None may be made.
        parts = build(archive, tmp_path / "parts")

    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")
    # Both are made of one index, which the first of them brought up to date.
    assert replace(parts.counts, bytes_read=0) == replace(whole.counts, bytes_read=0)


@pytest.mark.usefixtures("cut")
def test_what_pages_of_chunks_alone_hold_is_masked_in_them(
    tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clean = LastLook.clean

    def look(self: LastLook, url: str, body: bytes) -> tuple[bytes, tuple[str, ...]]:
        body, masked = clean(self, url, body)
        kinds = ("key",) if b"Look 3" in body else ()
        return body.replace(b"Look 3", b"[redacted: key]"), (*masked, *kinds)

    monkeypatch.setattr(LastLook, "clean", look)

    report = build(archive, tmp_path / "site")

    assert dict(report.masked_late)["key"] > 1
    assert not [one for one in contents(tmp_path / "site").values() if b"Look 3" in one]


@pytest.mark.usefixtures("cut")
def test_what_goes_wrong_in_a_chunk_is_said_and_leaves_no_site(
    tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(5, "the disk has gone")

    monkeypatch.setattr("everyleaf.publish.disk.StagingWriter.put_aside", fail)

    with pytest.raises(OSError, match="the disk has gone"):
        build(archive, tmp_path / "site")

    assert not (tmp_path / "site").exists()
