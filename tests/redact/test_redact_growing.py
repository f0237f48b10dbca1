"""A session that has grown: only what is new is looked at, for the same findings."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings, strategies as st

from everyleaf.config import RedactOptions
from everyleaf.redact.detect import Detector, Hit
from everyleaf.redact.find import scan_sources
from everyleaf.sources.discover import find_sources
from everyleaf.workers import InProcess
from sessions import nth

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.redact.gather import Scanned

PEOPLE = RedactOptions(is_public=True)
SECRET = re.compile(r"key-[0-9]+|[0-9a-f]{8}-secret|deadbeef")
Sent = list[str]


@pytest.fixture(scope="module", autouse=True)
def sent() -> Iterator[Sent]:
    """What was looked through; found in it is what `SECRET` matches."""
    texts: Sent = []

    def find_each(_: Detector, told: Sequence[tuple[str, str]]) -> dict[int, list[Hit]]:
        texts.extend(text for _, text in told)
        return {
            at: [Hit(*m.span(), "github-token", m[0]) for m in SECRET.finditer(text)]
            for at, (_, text) in enumerate(told)
        }

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Detector, "find_each", find_each)
        # Tests share no memory, but for these.
        patch.setattr("everyleaf.redact.find.default_memory", lambda place: place / "found")
        yield texts


def record(number: int, text: str, **more: str) -> bytes:
    told = nth(number, "user", {"type": "text", "text": text}, **more)
    return json.dumps(told).encode() + b"\n"


def scan(project: Path, cache_dir: Path) -> Scanned:
    found = find_sources([project])
    ((_, scanned),) = scan_sources(
        found, PEOPLE, InProcess(), lambda *_: None, cache_dir=cache_dir
    )
    return scanned


@pytest.fixture
def file(tmp_path: Path) -> Path:
    project = tmp_path / "-w-app"
    project.mkdir()
    return project / "s.jsonl"


def test_what_a_session_goes_on_with_answers_what_stood_there_before(
    tmp_path: Path, file: Path
) -> None:
    file.write_bytes(record(1, "which password does the NAS want?"))
    scan(file.parent, tmp_path)
    with file.open("ab") as handle:
        handle.write(record(2, "Gravel#31otter, as ever"))

    assert [one.value for one in scan(file.parent, tmp_path).findings] == ["Gravel#31otter"]


def test_of_a_session_that_has_grown_only_what_is_new_is_looked_at(
    tmp_path: Path, file: Path, sent: Sent
) -> None:
    file.write_bytes(record(1, "the first key-1") + record(2, "the second"))
    scan(file.parent, tmp_path)
    sent.clear()
    with file.open("ab") as handle:
        handle.write(record(3, "the third key-3"))

    scanned = scan(file.parent, tmp_path)

    assert "the third key-3" in sent
    assert "the first key-1" not in sent
    assert [(one.value, one.line) for one in scanned.findings] == [
        ("key-1", 1),
        ("key-3", 3),
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body.replace(b"the first", b"ThE first"),
        lambda body: body[: len(body) // 2],
        lambda body: body.replace(b"the first", b"the FIRST") + record(3, "more"),
        lambda body: body[:-1],
        lambda body: body.replace(b"\n", b"\r\n"),
    ],
    ids=["rewritten", "truncated", "rewritten and grown", "half a line", "CRLF"],
)
def test_a_session_that_changed_otherwise_is_scanned_as_a_whole(
    tmp_path: Path, file: Path, sent: Sent, change: object
) -> None:
    file.write_bytes(record(1, "the first key-1") + record(2, "the second key-2"))
    scan(file.parent, tmp_path)
    sent.clear()
    assert callable(change)
    file.write_bytes(change(file.read_bytes()))

    scan(file.parent, tmp_path)

    assert any("first" in text.lower() for text in sent)


def test_a_line_that_was_not_whole_is_scanned_when_it_is(
    tmp_path: Path, file: Path
) -> None:
    whole = record(1, "the first") + record(2, "the second key-2")
    file.write_bytes(whole[:-12])
    scan(file.parent, tmp_path)
    file.write_bytes(whole)

    scanned = scan(file.parent, tmp_path)

    assert [one.value for one in scanned.findings] == ["key-2"]


LINES = st.builds(
    record,
    st.integers(1, 9),
    st.sampled_from(
        ["key-1", "plain", "say key-1 again", "a@b.example.net", "deadbeef", "key-2 key-3"]
    ),
    slug=st.sampled_from(["key-1", "x"]),
    requestId=st.sampled_from(["deadbeef", "r"]),
    bridgeSessionId=st.sampled_from(["b1", "b2"]),
)


@pytest.mark.long
@settings(max_examples=40, deadline=None)
@given(st.lists(LINES, min_size=2, max_size=6), st.data())
def test_a_session_that_grew_holds_what_a_whole_scan_finds(
    lines: list[bytes], data: st.DataObject
) -> None:
    with TemporaryDirectory() as place:
        file = Path(place) / "-w-app" / "s.jsonl"
        file.parent.mkdir()
        for end in sorted(data.draw(st.sets(st.integers(1, len(lines) - 1)))):
            file.write_bytes(b"".join(lines[:end]))
            scan(file.parent, Path(place) / "cache")
        file.write_bytes(b"".join(lines))

        grown = scan(file.parent, Path(place) / "cache")

        assert grown == scan(file.parent, Path(place) / "empty")
