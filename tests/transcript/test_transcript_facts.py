from __future__ import annotations

import pytest

from everyleaf.model import Kind
from everyleaf.transcript.document import Commit, FileChange, TurnFacts, Usage
from everyleaf.transcript.facts import merge_facts, wall_seconds, working_seconds
from transcript.written import (
    Raw,
    assistant,
    attachment,
    call,
    document,
    result,
    system,
    user,
)


def text(words: str) -> Raw:
    return {"type": "text", "text": words}


def reply(
    output: int, *, message_id: str = "m1", request_id: str = "r1", **usage: int
) -> Raw:
    raw = assistant(text("Yes."), requestId=request_id)
    message = raw["message"]
    assert isinstance(message, dict)
    message["id"] = message_id
    message["usage"] = {"output_tokens": output, **usage}
    return raw


def test_tokens_of_a_response_count_once_and_the_largest_number_wins():
    growing = [
        reply(5, input_tokens=3),
        reply(631, input_tokens=3),
        reply(40, input_tokens=3),
    ]

    assert document(*growing).facts.usage == Usage(input=3, output=631)


def test_another_request_for_the_same_message_is_another_response():
    assert document(reply(5), reply(7, request_id="r2")).facts.usage.output == 12


def test_cache_is_counted_by_reading_and_writing():
    raw = reply(1, cache_read_input_tokens=10, cache_creation_input_tokens=20)

    assert document(raw).facts.usage == Usage(0, 1, 10, 20)


def test_synthetic_replies_have_no_tokens_and_no_model():
    facts = document(assistant(text("No response requested."), model="<synthetic>")).facts

    assert (facts.usage, facts.models, facts.replies) == (Usage(), (), 0)


def test_turn_counts_what_it_shows():
    facts = document(
        assistant(call("Bash", {}, "t1"), gitBranch="main", version="2.1.0", cwd="/app"),
        assistant(call("Bash", {}, "t2")),
        assistant(call("LS", {}, "t3")),
        result("Exit code 1", call_id="t2", is_error=True, gitBranch="fix"),
        attachment("queued_command", prompt="Stop", commandMode="prompt"),
    ).facts

    assert facts.tools == (("Bash", 2), ("LS", 1))
    assert (facts.prompts, facts.replies, facts.errors) == (1, 1, 1)
    assert (facts.branch, facts.version, facts.folder) == ("fix", "2.1.0", "/app")


def test_only_a_boundary_counts_as_a_compaction():
    boundary = document(system("compact_boundary"))
    summary = document(user("Earlier", isCompactSummary=True))

    assert (boundary.facts.compactions, summary.facts.compactions) == (1, 0)


def test_changes_of_one_file_are_summed():
    edit = {"file_path": "/app/x.py", "old_string": "a", "new_string": "b\nc"}

    facts = document(
        assistant(call("Edit", edit, "t1")),
        assistant(call("Edit", edit, "t2")),
        assistant(call("Edit", edit, "t3")),
        result("ok", call_id="t1"),
        result("ok", call_id="t2"),
        result("no", call_id="t3", is_error=True),
    ).facts

    assert facts.files == (FileChange("/app/x.py", 4, 2),)


@pytest.mark.parametrize(
    ("command", "output", "structured", "commits"),
    [
        (
            "git commit -m x",
            "[main (root-commit) abc1234] Begin\n 1 file changed",
            None,
            (Commit("abc1234", "Begin", "main"),),
        ),
        (
            "git add . && git commit -qm x && git push",
            "[fix/a abc1234] Mend",
            {
                "gitOperation": {
                    "commit": {"sha": "abc12345", "kind": "committed"},
                    "push": {"branch": "fix/a"},
                }
            },
            (Commit("abc1234", "Mend", "fix/a"), Commit("", branch="fix/a", kind="push")),
        ),
        (
            "git commit -q -m x",
            "",
            {"gitOperation": {"commit": {"sha": "abc12345", "kind": "amended"}}},
            (Commit("abc12345", kind="amended"),),
        ),
        (
            "gh pr create",
            "https://github.com/a/b/pull/7",
            {
                "gitOperation": {
                    "pr": {"number": 7, "url": "https://x/7", "action": "created"}
                }
            },
            (Commit("", "#7", kind="pull-request", url="https://x/7"),),
        ),
        ("cat log", "[main abc1234] not a commit", None, ()),
        ("git commit -m x", "nothing to commit", {"gitOperation": "odd"}, ()),
    ],
)
def test_commits_are_read_from_the_output_and_from_what_was_recorded(
    command: str, output: str, structured: object, commits: tuple[Commit, ...]
):
    made = document(
        assistant(call("Bash", {"command": command})), result(output, structured)
    )

    assert made.facts.commits == commits


def test_facts_of_a_path_add_up():
    first = document(user("go", cwd="/app", gitBranch="main"), kinds=[Kind.PROMPT]).facts
    second = TurnFacts(
        models=(("opus", 75), ("haiku", 25)),
        usage=Usage(1, 100, 3, 4),
        replies=1,
        tools=(("Bash", 2), ("Read", 5)),
        files=(FileChange("/app/x.py", 1, 1), FileChange("/etc/hosts", 1, 0)),
        errors=1,
        commits=(Commit("abc1234"),),
        version="2.1.0",
    )

    facts = merge_facts([first, second, second])

    assert (facts.prompts, facts.replies, facts.errors, facts.calls) == (1, 2, 2, 14)
    assert facts.models == (("opus", 0.75), ("haiku", 0.25))
    assert facts.tools == (("Read", 10), ("Bash", 4))
    assert facts.usage == Usage(2, 200, 6, 8)
    assert facts.files == (FileChange("/etc/hosts", 2, 0), FileChange("x.py", 2, 2))
    assert len(facts.commits) == 2
    assert (facts.branch, facts.version) == ("main", "2.1.0")


def test_path_without_turns_has_no_facts():
    facts = merge_facts([TurnFacts(models=(("opus", 0),))])

    assert (facts.models, facts.branch, facts.files) == ((("opus", 0.0),), "", ())


TIMES = [
    "2026-01-05T10:00:00Z",
    "2026-01-05T10:20:00Z",
    "2026-01-05T12:00:00Z",
    "2026-01-05T12:30:00Z",
]


def test_pauses_of_more_than_half_an_hour_are_no_work():
    assert (working_seconds(TIMES), wall_seconds(TIMES)) == (50 * 60, 150 * 60)


def test_times_need_neither_order_nor_sense():
    mixed = ["", TIMES[3], "yesterday", TIMES[0], TIMES[2], TIMES[1]]

    assert (working_seconds(mixed), wall_seconds(mixed)) == (50 * 60, 150 * 60)
    assert (working_seconds([]), wall_seconds([""])) == (0, 0)
