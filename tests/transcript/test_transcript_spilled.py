from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from everyleaf.transcript.document import Code, Prose, ToolCall
from everyleaf.transcript.results import Spilled, open_spills, read_spill
from transcript.written import assistant, call, document, result

if TYPE_CHECKING:
    from pathlib import Path

TEXT = (
    "<persisted-output>\nOutput too large (1.9MB). Full output saved to: "
    "{where}\n\nPreview (first 2KB):\nfirst lines\n...\n</persisted-output>"
)


def keep(text: str) -> str:
    return text


@pytest.mark.parametrize(
    "where", ["/home/ada/.claude/projects/x/s/tool-results/b1.txt", "C:\\Users\\a\\b1.txt"]
)
def test_place_on_another_machine_is_reduced_to_its_base_name(where: str):
    spilled = read_spill(TEXT.format(where=where))

    assert spilled == Spilled("b1.txt", "first lines", "Output too large (1.9MB).")


def test_whole_or_broken_results_are_not_spilled():
    assert read_spill("plain") is None
    assert read_spill("<persisted-output> never closed") is None


def test_spilled_output_without_a_place_keeps_its_preview():
    assert read_spill("<persisted-output>\nabc\n</persisted-output>") == Spilled(
        "", "abc", "abc"
    )


def shown(text: str, read: object) -> ToolCall:
    made, given = assistant(call("Bash", {"command": "x"})), result(text)
    (entry,) = document(made, given, read_spilled=read).entries  # type: ignore[arg-type]
    assert isinstance(entry, ToolCall)
    return entry


def test_spilled_output_is_shown_whole(tmp_path: Path):
    (tmp_path / "b1.txt").write_text("first lines\nand the rest", encoding="utf-8")

    entry = shown(TEXT.format(where="/x/b1.txt"), open_spills(tmp_path, keep))

    assert entry.answered == (Code("first lines\nand the rest", is_terminal=True),)


def test_absent_spilled_output_is_said_to_be_absent(tmp_path: Path):
    entry = shown(TEXT.format(where="/x/gone.txt"), open_spills(tmp_path, keep))

    assert entry.answered == (
        Code("first lines", is_terminal=True),
        Prose("Output too large (1.9MB). Only a preview is in this archive."),
    )


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../secret.txt", "a/b.txt", "nul\0.txt", "sub"]
)
def test_nothing_outside_of_the_folder_is_read(tmp_path: Path, name: str):
    folder = tmp_path / "tool-results"
    (folder / "sub").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")

    assert open_spills(folder, keep)(name) is None


def test_link_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path):
    folder = tmp_path / "tool-results"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")

    assert open_spills(folder, keep)("link.txt") is None


def test_without_a_folder_nothing_is_read():
    assert open_spills(None, keep)("b1.txt") is None


def test_spilled_output_is_redacted(tmp_path: Path):
    (tmp_path / "b1.txt").write_text("the secret", encoding="utf-8")

    read = open_spills(tmp_path, lambda text: text.replace("secret", "[removed]"))

    assert read("b1.txt") == "the [removed]"


def test_bytes_that_are_no_text_are_replaced(tmp_path: Path):
    (tmp_path / "b1.txt").write_bytes(b"a\xff")

    assert open_spills(tmp_path, keep)("b1.txt") == "a\ufffd"


def test_no_file_is_read_through_a_linked_folder(tmp_path: Path):
    outside = tmp_path / "etc"
    outside.mkdir()
    (outside / "passwd").write_text("root", encoding="utf-8")
    linked_session, session = tmp_path / "linked", tmp_path / "session"
    session.mkdir()
    (session / "tool-results").symlink_to(outside)
    linked_session.symlink_to(tmp_path / "real")
    (tmp_path / "real" / "tool-results").mkdir(parents=True)
    (tmp_path / "real" / "tool-results" / "passwd").write_text("root", encoding="utf-8")

    for folder in (session, linked_session):
        assert open_spills(folder / "tool-results", keep)("passwd") is None
