"""What people said: each thing once, with what it answered, and nothing of models'."""

from __future__ import annotations

import json

import pytest

from everyleaf.config import RedactOptions
from everyleaf.opening.reading import Scope
from everyleaf.survey.feedback import gather_feedback
from sessions import OTHER, SESSION

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected."
    " To tell you how to proceed, the user said:\n{}"
)


def heard(home, *, is_raw=False, **options):
    scope = Scope((home.folder,), redact=RedactOptions(is_on=not is_raw))
    return gather_feedback(scope, lambda *_: None, **options)


def told(voices):
    return [(str(one.kind), one.text, one.answered) for one in voices.said]


def test_each_kind_of_remark_is_told_with_what_it_answered(home):
    talk = home.talk()
    talk.prompt("Write a parser")
    talk.reply("Shall I use a table?")
    talk.prompt("No, a state machine")
    talk.call("Bash", {"command": "rm -r x"}, REFUSED.format("never rm"), is_error=True)
    talk.call(
        "ExitPlanMode", {"plan": "# All at once"}, REFUSED.format("smaller"), is_error=True
    )
    questions = [{"question": "Which?", "options": [{"label": "A"}, {"label": "B"}]}]
    talk.call(
        "AskUserQuestion",
        {"questions": questions},
        result={"questions": questions, "answers": {"Which?": "B"}},
    )
    talk.prompt("[Request interrupted by user]")
    talk.save()

    assert told(heard(home)) == [
        ("prompt", "Write a parser", ""),
        ("prompt", "No, a state machine", "Shall I use a table?"),
        ("denial", "never rm", "Bash: rm -r x"),
        ("plan-rejection", "smaller", "ExitPlanMode: All at once"),
        ("answer", "B", "Which?"),
        ("interruption", "", "AskUserQuestion: Which?"),
    ]


@pytest.mark.parametrize(
    ("text", "is_left_out"),
    [
        ("y", True),
        ("  Continue. ", True),
        ("GO!", True),
        ("go on with the parser", False),
        ("yes", False),
        ("looks good", False),
    ],
)
def test_prompts_that_say_nothing_are_left_out(home, text, is_left_out):
    talk = home.talk()
    talk.prompt("Write a parser")
    talk.reply("Shall I?")
    talk.prompt(text)
    talk.reply("Done")
    talk.save()

    texts = [one.text for one in heard(home).said]

    assert (text.strip() not in texts) is is_left_out


def test_what_is_trivial_can_be_said(home):
    talk = home.talk()
    talk.prompt("looks good")
    talk.reply("Fine")
    talk.save()

    assert heard(home, trivial=("looks good",)).said == ()


def test_a_slash_command_is_left_out(home):
    talk = home.talk()
    talk.prompt("<command-name>/review</command-name><command-args>all</command-args>")
    talk.reply("Reviewed")
    talk.save()

    assert heard(home).said == ()


def test_lines_for_the_shell_and_what_it_printed_are_no_words_of_a_person(home):
    talk = home.talk()
    talk.prompt("Begin")
    talk.reply("Begun")
    talk.prompt("<bash-input>git status</bash-input>")
    talk.reply("Clean")
    talk.prompt("<bash-stdout></bash-stdout><bash-stderr>pushed</bash-stderr>")
    talk.reply("Pushed")
    talk.prompt("<bash-stdout>(no output)</bash-stdout><bash-stderr></bash-stderr>")
    talk.reply("Tagged")
    talk.save()

    voices = heard(home)

    assert [one.text for one in voices.said] == ["Begin"]


def test_a_line_for_the_shell_is_not_lost_from_the_history(home):
    talk = home.talk()
    talk.prompt("<bash-input>git status</bash-input>")
    talk.reply("Clean")
    talk.save()
    row = {"display": "! git status", "project": "/home/ada/parser"}
    (home.folder / "history.jsonl").write_text(json.dumps(row) + "\n")

    assert heard(home).history.lost == ()


@pytest.mark.parametrize(
    "text",
    [
        '<teammate-message teammate_id="reviewer">Done</teammate-message>',
        (
            "Another Claude session sent a message:\n"
            '<teammate-message teammate_id="reviewer">{"type":"idle_notification"}'
            "</teammate-message>"
        ),
        (
            "Another Claude session sent a message:\n"
            '<agent-message from="reviewer">Done</agent-message>'
        ),
    ],
)
def test_what_a_teammate_says_is_no_person(home, text):
    talk = home.talk()
    talk.prompt("Begin")
    talk.reply("Begun")
    talk.prompt(text)
    talk.reply("Thanks")
    talk.save()

    assert [one.text for one in heard(home).said] == ["Begin"]


def test_a_warm_up_is_no_person(home):
    talk = home.talk()
    talk.prompt("Warmup")
    talk.reply("Ready")
    talk.save()

    assert heard(home).said == ()


def test_a_question_that_nobody_answered_is_no_answer(home):
    talk = home.talk()
    talk.prompt("Begin")
    questions = [{"question": "Which?", "options": [{"label": "A"}, {"label": "B"}]}]
    talk.call(
        "AskUserQuestion",
        {"questions": questions},
        "No response after 300s — the user may be away from keyboard. Proceed.",
        result={"questions": questions, "answers": {}, "afkTimeoutMs": 300_000},
    )
    talk.save()

    assert [one.text for one in heard(home).said] == ["Begin"]


def test_a_rule_that_refused_a_call_is_no_person(home):
    talk = home.talk()
    talk.prompt("Begin")
    talk.call(
        "Bash", {"command": "x"}, "Permission to use Bash has been denied.", is_error=True
    )
    talk.save()

    assert [str(one.kind) for one in heard(home).said] == ["prompt"]


def test_of_agents_what_a_person_refused_is_told_and_what_the_model_asked_is_not(home):
    talk = home.talk()
    talk.prompt("Begin")
    talk.reply("Gone")
    talk.save()
    agent = home.agent("a1", parentAgentId="a1")
    agent.prompt("Look for me")
    agent.call("Bash", {"command": "ls"}, REFUSED.format("not there"), is_error=True)
    agent.save()

    said = heard(home).said

    assert [(str(o.kind), o.text, o.agent_id) for o in said] == [
        ("prompt", "Begin", ""),
        ("denial", "not there", "a1"),
    ]


def test_a_copy_of_a_session_repeats_nothing(home):
    talk = home.talk()
    talk.prompt("Write a parser")
    talk.reply("Shall I?")
    talk.save()
    copy = home.talk(OTHER)
    copy.records = [{**record, "sessionId": OTHER} for record in talk.records]
    copy.last = talk.last
    copy.prompt("And in the copy?", uuid="fresh-1")
    copy.save()
    talk.prompt("And here?")
    talk.save()

    texts = sorted(one.text for one in heard(home).said)

    assert texts == ["And here?", "And in the copy?", "Write a parser"]


def test_the_history_says_which_prompts_have_no_session_left(home):
    talk = home.talk()
    talk.prompt("Write a parser")
    talk.save()
    rows = [
        {"display": "Write a parser", "project": "/home/ada/parser"},
        {"display": "Gone", "timestamp": 1767261600000, "sessionId": "no-such"},
        {"display": "There", "timestamp": 1767261600000, "sessionId": SESSION},
        {"display": "Old and gone", "timestamp": 1e300, "project": "C:\\code\\thing\\"},
        {"no display": 1},
        ["no object"],
    ]
    lines = [json.dumps(row) for row in rows]
    (home.folder / "history.jsonl").write_text("\n".join([*lines, "{torn", "", ""]))

    history = heard(home).history

    assert (history.prompts, history.unreadable) == (4, 3)
    assert [(o.text, o.project, o.session, o.at) for o in history.lost] == [
        ("Old and gone", "thing", "", ""),
        ("Gone", "", "no-such", "2026-01-01T10:00:00.000Z"),
    ]


def test_homes_are_masked_unless_everything_is_wanted(home):
    talk = home.talk()
    talk.prompt("Look into /home/ada/parser/secret.txt")
    talk.save()

    (masked,) = heard(home).said
    (raw,) = heard(home, is_raw=True).said

    assert "/home/ada" not in masked.text
    assert "/home/ada" in raw.text
