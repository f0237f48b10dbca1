from __future__ import annotations

import pytest

from everyleaf.model import Kind
from everyleaf.records.kinds import classify, is_tree_record
from everyleaf.records.text import content_blocks, one_line, said_in, words_of


def user(content: object, **fields: object) -> dict[str, object]:
    return {
        "type": "user",
        "uuid": "u",
        "message": {"role": "user", "content": content},
        **fields,
    }


def text(*texts: str) -> list[object]:
    return [{"type": "text", "text": each} for each in texts]


def queued(prompt: object, **fields: object) -> dict[str, object]:
    attachment = {
        "type": "queued_command",
        "prompt": prompt,
        "commandMode": "prompt",
        **fields,
    }
    return {"type": "attachment", "uuid": "u", "parentUuid": "p", "attachment": attachment}


RESULT = [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]
IMAGE = {"type": "image", "source": {"type": "base64", "data": ""}}


def first_words(raw):
    return words_of(content_blocks(said_in(raw)))


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (user("fix it"), Kind.PROMPT),
        (user(text("fix it")), Kind.PROMPT),
        (user([IMAGE]), Kind.PROMPT),
        (user("fix it", origin={"kind": "human"}), Kind.PROMPT),
        (user(text("<ide_opened_file>a.py</ide_opened_file>", "fix it")), Kind.PROMPT),
        (user("<ide_selection>x</ide_selection>\nfix it"), Kind.PROMPT),
        (user("<system-reminder>x</system-reminder>\n\nfix it"), Kind.PROMPT),
        (user("/home/ann/x.py is broken"), Kind.PROMPT),
        (user("/fix the parser"), Kind.PROMPT),
        (user("see <command-name>/x</command-name>"), Kind.PROMPT),
        (user("<command-names>"), Kind.PROMPT),
        (user("<system-reminder>never closed"), Kind.PROMPT),
        (user(RESULT), Kind.RESULT),
        (user(RESULT, isMeta=True, isCompactSummary=True), Kind.RESULT),
        (user("Summary", isCompactSummary=True), Kind.SUMMARY),
        (
            user("This session is being continued from a previous conversation that"),
            Kind.SUMMARY,
        ),
        (user("hook says", isMeta=True), Kind.NOTE),
        (user("<task-notification>x", isMeta=True), Kind.INJECTED),
        (user("done", origin={"kind": "task-notification"}), Kind.INJECTED),
        (
            user("  <task-notification><task-id>a</task-id></task-notification>"),
            Kind.INJECTED,
        ),
        (user('<teammate-message teammate_id="x">hi</teammate-message>'), Kind.INJECTED),
        (user("<agent-message from='x'>hi"), Kind.INJECTED),
        (user("<cross-session-message>"), Kind.INJECTED),
        (user('<channel source="x">'), Kind.INJECTED),
        ({"type": "user", "uuid": "u"}, Kind.NOTE),
        (user("<command-name>/clear</command-name>"), Kind.ECHO),
        (user("\n <command-message>x</command-message>"), Kind.ECHO),
        (user("<command-args></command-args>"), Kind.ECHO),
        (user("<command-contents>x"), Kind.ECHO),
        (user("<local-command-stdout></local-command-stdout>"), Kind.ECHO),
        (user("<local-command-stderr>x"), Kind.ECHO),
        (user("<local-command-caveat>x"), Kind.ECHO),
        (user("<user-memory-input>x"), Kind.ECHO),
        (user("<bash-input>ls</bash-input>"), Kind.ECHO),
        (user("<bash-stdout>x"), Kind.ECHO),
        (user("<bash-stderr>x"), Kind.ECHO),
        (user("Caveat: The messages below were generated"), Kind.ECHO),
        (user("/exit"), Kind.ECHO),
        (user("/my-plugin:run \n"), Kind.ECHO),
        (user(text("[Request interrupted by user for tool use]")), Kind.ECHO),
        (user("(no content)"), Kind.ECHO),
        (user(""), Kind.ECHO),
        (user({"a": 1}), Kind.ECHO),
        (user("<ide_opened_file>a.py</ide_opened_file>"), Kind.ECHO),
        ({"type": "assistant", "message": {"content": []}}, Kind.REPLY),
        ({"type": "assistant"}, Kind.NOTE),
        ({"type": "system", "subtype": "compact_boundary"}, Kind.BOUNDARY),
        ({"type": "system", "subtype": "microcompact_boundary"}, Kind.NOTE),
        ({"type": "progress", "data": {}}, Kind.NOTE),
        ({"type": "brand-new", "uuid": "u", "parentUuid": None}, Kind.NOTE),
        ({"type": 7}, Kind.NOTE),
        (queued("also that"), Kind.STEERING),
        (queued(text("also that")), Kind.STEERING),
        (queued("x", commandMode="task-notification"), Kind.NOTE),
        (queued("<task-notification>x", commandMode="task-notification"), Kind.INJECTED),
        (queued("x", isMeta=True), Kind.NOTE),
        (queued("x", origin={"kind": "peer"}), Kind.INJECTED),
        (queued("<task-notification>x"), Kind.INJECTED),
        ({"type": "attachment", "attachment": {"type": "file"}}, Kind.NOTE),
        ({"type": "attachment"}, Kind.NOTE),
    ],
)
def test_kind_of_a_record(raw, kind):
    assert classify(raw) is kind


@pytest.mark.parametrize("kind", ["user", "assistant", "system", "progress", "attachment"])
def test_the_five_types_stand_in_the_chain(kind):
    assert is_tree_record({"type": kind})


def test_other_types_stand_in_the_chain_only_with_both_ids():
    assert is_tree_record({"type": "new", "uuid": "u", "parentUuid": None})
    assert not is_tree_record({"type": "new", "uuid": "u"})
    assert not is_tree_record({"type": "new", "uuid": 5, "parentUuid": None})
    assert not is_tree_record({"type": "custom-title", "uuid": "u", "parentUuid": None})
    assert not is_tree_record({"type": "file-history-snapshot", "messageId": "u"})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("fix\n\n  the\tparser", "fix the parser"),
        ("All refs\r\n \r\nMirrors them.\n\nThen", "All refs · Mirrors them. Then"),
        (text("<ide_selection>x</ide_selection>", "fix it"), "fix it"),
        (
            "<system-reminder>a</system-reminder><ide_opened_file>b</ide_opened_file> fix",
            "fix",
        ),
        ("<command-message>x</command-message><command-name>/x</command-name>", "/x"),
        ("<command-name>x</command-name><command-args>a\nb</command-args>", "/x a b"),
        ("<command-args>only</command-args>", "<command-args>only</command-args>"),
        ("<bash-input>ls -l</bash-input>", "! ls -l"),
        ("<bash-input>ls", "<bash-input>ls"),
        ("**bold** `code`", "**bold** `code`"),
        ("a\x1b[1mb\u202ec\x00d\u2028e", "ab c d e"),
        ("\x1b[2mSet to \x1b[1mopus\x1b[22m", "Set to opus"),
        ([IMAGE], ""),
        (5, ""),
    ],
)
def test_first_words_are_what_was_typed_on_one_line(content, words):
    assert first_words(user(content)) == words


def test_first_words_of_steering_are_its_prompt():
    assert first_words(queued("also that")) == "also that"


def test_record_without_content_has_no_words():
    assert first_words({"type": "user"}) == ""


def test_long_text_is_cut_to_two_hundred_characters():
    assert one_line("x" * 200) == "x" * 200
    assert one_line("x" * 201) == "x" * 199 + "…"
