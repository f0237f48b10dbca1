from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from everyleaf.transcript.document import Code, Fold, Outcome, Prose, ToolCall
from everyleaf.transcript.results import Spilled, open_spills, read_spill
from transcript.written import assistant, call, document, result, shown_call

if TYPE_CHECKING:
    from pathlib import Path

REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if"
    " it was a file edit, the new_string was NOT written to the file). To tell you how to"
    " proceed, the user said:\nkeep it as it is"
)


@pytest.mark.parametrize(
    ("text", "outcome", "words"),
    [
        (REJECTED, Outcome.DENIED, "refused by the user"),
        ("User rejected tool use", Outcome.DENIED, "refused by the user"),
        ("Permission to use Bash has been denied.", Outcome.DENIED, "not permitted"),
        (
            "Permission for this action was denied by the classifier",
            Outcome.DENIED,
            "not permitted",
        ),
        ("Claude requested permissions to write to /x", Outcome.DENIED, "not permitted"),
        ("This command requires approval", Outcome.DENIED, "not permitted"),
        ("[Request interrupted by user for tool use]", Outcome.INTERRUPTED, "interrupted"),
        ("Cancelled: parallel tool call failed", Outcome.INTERRUPTED, "cancelled"),
        (
            "<tool_use_error>Sibling tool call errored</tool_use_error>",
            Outcome.INTERRUPTED,
            "cancelled",
        ),
        ("[Tool result missing due to internal error]", Outcome.MISSING, "result lost"),
        ("InputValidationError: no", Outcome.ERROR, "InputValidationError: no"),
        ("", Outcome.ERROR, "failed"),
    ],
)
def test_failure_text_says_how_a_call_ended(text: str, outcome: Outcome, words: str):
    entry = shown_call("Write", {"file_path": "/x"}, text, is_error=True)

    assert (entry.outcome, entry.outcome_text) == (outcome, words)


def test_error_tags_mean_an_error_without_its_flag():
    entry = shown_call("Read", {}, "<tool_use_error>No such file</tool_use_error>")

    assert entry.outcome is Outcome.ERROR
    assert entry.answered == (Code("No such file", is_terminal=True),)


def test_words_of_an_error_in_the_output_of_a_command_are_output():
    entry = shown_call("Bash", {"command": "cat x"}, "This command requires approval")

    assert entry.outcome is Outcome.OK


def test_refusal_shows_what_the_person_said():
    entry = shown_call("Edit", {"file_path": "/x"}, REJECTED, is_error=True)

    said, told = entry.answered
    assert said == Prose("keep it as it is", keeps_breaks=True)
    assert isinstance(told, Fold)


def test_note_to_the_model_behind_a_refusal_is_not_the_persons():
    text = f"{REJECTED}\n\nNote: The user's next message may contain a correction"

    entry = shown_call("Edit", {}, text, is_error=True)

    assert entry.answered[0] == Prose("keep it as it is", keeps_breaks=True)


def test_recorded_denial_names_its_kind_and_its_feedback():
    entry = shown_call(
        "Bash",
        {"description": "Look around"},
        "no",
        extra={"toolDenialKind": "automode-blocked", "userFeedback": "too risky"},
    )

    assert (entry.outcome, entry.outcome_text) == (
        Outcome.DENIED,
        "denied (automode-blocked)",
    )
    assert entry.answered[0] == Prose("too risky", keeps_breaks=True)
    assert entry.about == "Look around"


def test_call_without_a_result_says_so():
    (entry,) = document(assistant(call("Bash", {"command": "ls"}))).entries

    assert isinstance(entry, ToolCall)
    assert (entry.outcome, entry.outcome_text) == (Outcome.MISSING, "")


def test_time_between_call_and_result_is_how_long_it_took():
    made = assistant(call("LS"), timestamp="2026-01-05T10:00:00Z")
    given = result("x", timestamp="2026-01-05T10:00:01.5Z")
    before = result("x", timestamp="2026-01-05T09:00:00Z")

    (entry,) = document(made, given).entries
    (inverted,) = document(made, before).entries

    assert isinstance(entry, ToolCall)
    assert isinstance(inverted, ToolCall)
    assert (entry.duration_ms, inverted.duration_ms) == (1500, None)


def test_reminder_in_a_result_is_folded_behind_it():
    entry = shown_call("Bash", {}, "out\n<system-reminder>be careful</system-reminder>")

    assert entry.answered == (
        Code("out", is_terminal=True),
        Fold("system reminder", (Code("be careful"),)),
    )


def test_several_reminders_share_a_fold():
    text = "<system-reminder>a</system-reminder>x<system-reminder>b</system-reminder>"

    entry = shown_call("Bash", {}, text)

    assert entry.answered[-1] == Fold("2 system reminders", (Code("a"), Code("b")))


def test_structured_result_of_a_record_with_two_results_is_left_aside():
    made = assistant(call("Bash", {}, "t1"), call("Bash", {}, "t2"))
    given = result("one", {"stdout": "", "interrupted": True}, call_id="t1")
    message = given["message"]
    assert isinstance(message, dict)
    message["content"].append(
        {"type": "tool_result", "tool_use_id": "t2", "content": "two"}
    )

    entries = document(made, given).entries

    assert [e.outcome for e in entries if isinstance(e, ToolCall)] == [Outcome.OK] * 2


def test_refusal_without_a_word_folds_what_the_model_was_told():
    text = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    (entry,) = document(
        assistant(call("Bash", {"command": "ls"})), result(text, is_error=True)
    ).entries

    assert isinstance(entry, ToolCall)
    assert entry.answered == (
        Fold("what the model was told", (Code(text, is_terminal=True),)),
    )


def test_arguments_that_are_no_json_are_shown_as_written():
    (entry,) = document(
        assistant(call("Bash", {"__unparsedToolInput": '{"command": "ma'}))
    ).entries

    assert isinstance(entry, ToolCall)
    assert entry.asked[-1] == Code('{"command": "ma', caption="input that is no JSON")


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
