"""What a person leaves out is on no page, and in no file of the site."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sessions import Record, nth

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk"
    "+A8AAQUBAScY42YAAAAASUVORK5CYII="
)


def record(own: str, parent: str | None, *content: object, **fields: object) -> Record:
    above = f"{parent}-0000" if parent else None
    kind = str(fields.pop("role", "user"))
    names = {"uuid": f"{own}-0000", "parentUuid": above}
    return nth(int(own[:2]), kind, *content, **names, **fields)


def said(text: str) -> dict[str, object]:
    return {"type": "text", "text": text}


def session() -> list[dict[str, object]]:
    picture = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    call = {"type": "tool_use", "id": "toolu_1", "name": "Write"}
    task = {"type": "tool_use", "id": "toolu_2", "name": "Task"}
    lost = {"type": "tool_use", "id": "toolu_3", "name": "Task"}
    asked = {"type": "text", "text": "PROMPTONE"}
    reply = {"role": "assistant"}
    return [
        record("01", None, asked, {"type": "image", "source": picture}),
        record("02", "01", {"type": "thinking", "thinking": "THOUGHTS"}, **reply),
        record(
            "03",
            "02",
            call | {"input": {"file_path": "/w/app/TOOLFILE", "content": "TOOLTEXT"}},
            **reply,
        ),
        record(
            "04",
            "03",
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "TOOLRESULT"},
        ),
        record("05", "04", said("LEFTBEHIND"), **reply),
        record("06", "05", said("ABANDONEDPROMPT")),
        record(
            "07",
            "06",
            lost | {"input": {"prompt": "LOSTTASK", "description": "x"}},
            **reply,
        ),
        record(
            "08",
            "07",
            {"type": "tool_result", "tool_use_id": "toolu_3", "content": "LOSTRESULT"},
        ),
        record("09", "08", said("ABANDONEDREPLY"), **reply),
        record("10", "05", said("ACTIVEPROMPT")),
        record(
            "11",
            "10",
            task | {"input": {"prompt": "KEPTTASK", "description": "x"}},
            **reply,
        ),
        record(
            "12",
            "11",
            {"type": "tool_result", "tool_use_id": "toolu_2", "content": "KEPTRESULT"},
        ),
        record("13", "12", said("ACTIVEREPLY"), **reply),
    ]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "projects" / "-w-app"
    for agent, call, words in (("k", "toolu_2", "KEPT"), ("l", "toolu_3", "LOST")):
        side = {"isSidechain": True, "agentId": agent}
        lines = [
            record("21", None, said(f"{words}TASK"), **side),
            record("22", "21", said(f"{words}AGENT"), role="assistant", **side),
        ]
        nested = folder / "s" / "subagents" / f"agent-{agent}"
        nested.parent.mkdir(parents=True, exist_ok=True)
        nested.with_suffix(".jsonl").write_text("\n".join(map(json.dumps, lines)))
        nested.with_suffix(".meta.json").write_text(json.dumps({"toolUseId": call}))
    (folder / "s.jsonl").write_text("\n".join(map(json.dumps, session())))
    return folder.parent


def published(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes().decode("latin-1")
        for file in sorted(folder.rglob("*"))
        if file.is_file() and "pagefind" not in file.parts
    }


@pytest.mark.parametrize(
    "case",
    [
        ("thinking", ["THOUGHTS"], ["TOOLTEXT", "PROMPTONE"]),
        (
            "tools",
            ["TOOLFILE", "TOOLTEXT", "KEPTRESULT"],
            ["THOUGHTS", "ACTIVEREPLY"],
        ),
        ("agents", ["KEPTAGENT", "LOSTAGENT"], ["KEPTRESULT", "ABANDONEDREPLY"]),
        (
            "abandoned",
            ["ABANDONEDPROMPT", "ABANDONEDREPLY", "LOSTTASK", "LOSTRESULT", "LOSTAGENT"],
            ["LEFTBEHIND", "ACTIVEREPLY", "KEPTAGENT", "KEPTTASK"],
        ),
        ("images", [], ["PROMPTONE", "THOUGHTS", "TOOLTEXT"]),
    ],
)
def test_what_is_left_out_leaves_every_file_of_the_site_at_once(
    case: tuple[str, list[str], list[str]],
    source: Path,
    tmp_path: Path,
    build_into: Callable[..., object],
) -> None:
    left, gone, stays = case
    build_into(source, tmp_path / "site")
    whole = "\n".join(published(tmp_path / "site").values())
    assert [words for words in (*gone, *stays) if words not in whole] == []

    build_into(source, tmp_path / "site", without=(left,))

    files = published(tmp_path / "site")
    assert [(n, w) for n, text in files.items() for w in gone if w in text] == []
    rest = "\n".join(files.values())
    assert [words for words in stays if words not in rest] == []
    assert any(name.endswith(".png") for name in files) == (left != "images")


def test_without_abandoned_nothing_is_abandoned(
    source: Path, tmp_path: Path, build_into: Callable[..., object]
) -> None:
    report = build_into(source, tmp_path / "site", without=("abandoned",))

    assert (report.paths, report.abandoned) == (1, 0)  # type: ignore[attr-defined]
    assert report.is_everything_placed  # type: ignore[attr-defined]


def test_the_example_without_abandoned_keeps_its_active_paths(
    example_archive: Path, tmp_path: Path, build_into: Callable[..., object]
) -> None:
    whole = build_into(example_archive, tmp_path / "whole", formats=("md",))
    left = build_into(
        example_archive, tmp_path / "left", formats=("md",), without=("abandoned",)
    )

    assert left.abandoned == 0  # type: ignore[attr-defined]
    assert left.active == whole.active  # type: ignore[attr-defined]
    assert left.is_everything_placed  # type: ignore[attr-defined]


def test_a_page_says_what_is_left_out(
    source: Path, tmp_path: Path, build_into: Callable[..., object]
) -> None:
    build_into(source, tmp_path / "site", without=("thinking", "tools"), detail="talk")

    for name in ("transcripts/transcript_s.html", "markdown/transcript_s_path2.md"):
        assert "without thinking, tools" in published(tmp_path / "site")[name]
