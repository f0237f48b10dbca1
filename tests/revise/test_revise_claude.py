"""What Claude Code makes of a file is what it was seen to make of it."""

from __future__ import annotations

import json

import pytest

from everyleaf.model import Kind
from everyleaf.revise.session import listed_title, resumed_at
from revise.made import NAME, conversation
from revise.shapes import SHAPES, Writer


def last_words(session):
    opened = session.open()
    position = resumed_at(opened)
    return None if position is None else opened.words_at(position).words


@pytest.mark.parametrize("shape", SHAPES)
def test_a_resume_ends_with_what_the_cli_showed(session, shape):
    session.write(SHAPES[shape].write(Writer(NAME, "/home/ada/parser")))

    assert last_words(session) == SHAPES[shape].last


def test_a_session_rewound_to_before_its_first_prompt_begins_anew(session):
    session.append(Writer(NAME, "").pin(None))

    assert last_words(session) is None


def title(text):
    return {"type": "custom-title", "customTitle": text}


AI = {"type": "ai-title", "aiTitle": "By the CLI"}
ASKED = {"type": "last-prompt", "lastPrompt": "Use a regex"}
SUMMARY = {"type": "summary", "summary": "In short", "leafUuid": "cccc0002"}
LONG = {"type": "file-history-snapshot", "messageId": "m", "snapshot": "x" * 70_000}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([], [], "Write a parser"),
        ([SUMMARY], [], "Write a parser"),
        ([], [ASKED], "Use a regex"),
        ([], [ASKED, AI, ASKED], "By the CLI"),
        ([], [title("One"), title("Two"), AI], "Two"),
        ([title("One")], [LONG], "One"),
        ([AI], [LONG], "By the CLI"),
        ([title("One")], [LONG, title("Two")], "Two"),
        ([], [LONG, title("One"), LONG, AI], "By the CLI"),
    ],
)
def test_a_title_is_what_the_list_of_the_cli_showed(session, before, after, expected):
    session.write([*before, *conversation(), *after])

    assert listed_title(session.open()) == expected


def test_a_title_in_the_sessions_folder_stands_behind_one_at_the_end_alone(session):
    folder = session.file.with_suffix("")
    folder.mkdir()
    (folder / "custom-title.json").write_text(json.dumps({"customTitle": "Beside"}))
    session.write([title("Top"), *conversation(), LONG])
    assert listed_title(session.open()) == "Beside"

    session.append(title("End"))

    assert listed_title(session.open()) == "End"


def test_what_is_no_title_in_the_sessions_folder_does_not_matter(session):
    folder = session.file.with_suffix("")
    folder.mkdir()
    (folder / "custom-title.json").write_text("{")

    assert listed_title(session.open()) == "Write a parser"


def test_a_compaction_that_names_a_kept_segment_hides_what_came_before(session):
    writer = Writer(NAME, "/home/ada/parser")
    ends = {"headUuid": "c1", "tailUuid": "c2"}
    segment = {
        key: f"000000{name}-0000-4000-8000-00000000000a" for key, name in ends.items()
    }
    trunk, first, second = writer.fork()
    compaction = writer.compaction("c2", preservedSegment=segment)
    session.write([*trunk, *first, *second, *compaction, writer.pin("b2")])

    assert last_words(session) == "Tested in d"
    assert Kind.BOUNDARY in session.open().forest.trees[0].kinds
