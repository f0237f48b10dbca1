from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from everyleaf.model import Kind
from everyleaf.transcript.document import (
    PULL_REQUEST,
    Commit,
    FileChange,
    Response,
    TurnFacts,
    Usage,
)
from everyleaf.transcript.facts import merge_facts
from transcript.written import (
    Raw,
    assistant,
    attachment,
    call,
    document,
    record,
    result,
    system,
    user,
)

if TYPE_CHECKING:
    from everyleaf.transcript.facts import Totals
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given, strategies as st

from everyleaf.transcript.facts import (
    GAP_MS,
    days_of,
    find_spans,
    join_spans,
    working_ms,
)


def text(words: str) -> Raw:
    return {"type": "text", "text": words}


PUSHED = """To github.com:a/b.git
 * [new branch]      HEAD -> fix/a
   abc1234..def5678  main -> main
 ! [rejected]        old -> old (fetch first)
"""
RESULT = [{"type": "tool_result", "tool_use_id": "t9", "content": "ok"}]


def reply(
    output: int, *, message_id: str = "m1", request_id: str = "r1", **usage: int
) -> Raw:
    raw = assistant(text("Yes."), requestId=request_id)
    message = raw["message"]
    assert isinstance(message, dict)
    message["id"] = message_id
    message["usage"] = {"output_tokens": output, **usage}
    return raw


def totals(*raws: Raw) -> Totals:
    return merge_facts([document(*raws).facts])


def test_tokens_of_a_response_count_once_and_the_largest_number_wins():
    growing = [
        reply(5, input_tokens=3),
        reply(631, input_tokens=3),
        reply(40, input_tokens=3),
    ]

    assert totals(*growing).usage == Usage(input=3, output=631)


def test_another_request_for_the_same_message_is_another_response():
    assert totals(reply(5), reply(7, request_id="r2")).usage.output == 12


def test_response_that_is_spread_over_several_turns_counts_once():
    turns = [document(reply(5)).facts, document(reply(9)).facts, document(reply(7)).facts]

    facts = merge_facts(turns)

    assert (facts.usage.output, facts.models) == (9, (("claude-opus-4-5", 1.0),))


def test_responses_without_an_id_are_all_different():
    turns = [document(reply(5, message_id="", request_id="")).facts] * 2

    assert merge_facts(turns).usage.output == 10


def test_cache_is_counted_by_reading_and_writing():
    raw = reply(1, cache_read_input_tokens=10, cache_creation_input_tokens=20)

    assert totals(raw).usage == Usage(0, 1, 10, 20)


def test_synthetic_replies_have_no_tokens_and_no_model():
    facts = totals(assistant(text("No response requested."), model="<synthetic>"))

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
            "gh pr create --fill",
            "Creating pull request\nhttps://github.com/a/b/pull/7\n",
            {"gitOperation": {"pr": {"number": 7, "url": "https://x/7"}}},
            (Commit("", "#7", kind=PULL_REQUEST, url="https://github.com/a/b/pull/7"),),
        ),
        (
            "gh pr merge",
            "",
            {"gitOperation": {"pr": {"number": 7, "url": "https://x/7"}}},
            (Commit("", "#7", kind=PULL_REQUEST, url="https://x/7"),),
        ),
        (
            "gh pr close 7",
            "! Pull request a/b#7 is already closed",
            {"gitOperation": {"pr": {"number": 7, "action": "closed"}}},
            (),
        ),
        (
            "git push -u origin HEAD",
            PUSHED,
            {"gitOperation": {"push": {"branch": "fix/a"}}},
            (
                Commit("", branch="fix/a", kind="push", url="https://github.com/a/b"),
                Commit("", branch="main", kind="push", url="https://github.com/a/b"),
            ),
        ),
        (
            "git commit --amend",
            "[main abc1234] Mend",
            {"gitOperation": {"commit": {"sha": "abc12345", "kind": "amended"}}},
            (Commit("abc1234", "Mend", "main", kind="amended"),),
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


@pytest.mark.parametrize(
    ("remote", "url"),
    [
        ("github.com:a/b.git", "https://github.com/a/b"),
        ("git@github.com:a/b", "https://github.com/a/b"),
        ("ssh://git@example.org:2222/a/b.git", "https://example.org/a/b"),
        ("https://ada:secret@example.org/a/b/c.git", "https://example.org/a/b/c"),
        ("/srv/git/b.git", ""),
        ("../b.git", ""),
    ],
)
def test_remote_is_known_from_a_push_without_who_pushed(remote: str, url: str):
    made = document(
        assistant(call("Bash", {"command": "git push"})),
        result(f"To {remote}\n   abc1234..def5678  main -> main"),
    )

    assert [commit.url for commit in made.facts.commits] == [url]


def test_facts_of_a_path_add_up():
    first = document(user("go", cwd="/app", gitBranch="main"), kinds=[Kind.PROMPT]).facts
    second = TurnFacts(
        responses=(
            Response("", "", "opus", Usage(1, 75, 3, 4)),
            Response("", "", "haiku", Usage(0, 25)),
        ),
        replies=1,
        tools=(("Bash", 2), ("Read", 5)),
        files=(FileChange("/app/x.py", 1, 1), FileChange("/etc/hosts", 1, 0)),
        errors=1,
        commits=(Commit("abc1234"),),
        version="2.1.0",
    )

    facts = merge_facts([first, second, second])

    assert (facts.prompts, facts.replies, facts.errors, facts.tool_calls) == (1, 2, 2, 14)
    assert facts.models == (("opus", 0.75), ("haiku", 0.25))
    assert facts.tools == (("Read", 10), ("Bash", 4))
    assert facts.usage == Usage(2, 200, 6, 8)
    assert facts.files == (FileChange("/etc/hosts", 2, 0), FileChange("x.py", 2, 2))
    assert len(facts.commits) == 2
    assert (facts.branch, facts.version) == ("main", "2.1.0")


def test_path_without_turns_has_no_facts():
    facts = merge_facts([TurnFacts(responses=(Response("m", "r", "opus", Usage()),))])

    assert (facts.models, facts.branch, facts.files) == ((("opus", 0.0),), "", ())


def test_pull_request_stands_once_in_a_path_and_pushes_stand_each_time():
    link = record("pr-link", prNumber=7, prUrl="https://github.com/a/b/pull/7")
    push = Commit("", branch="main", kind="push", url="https://github.com/a/b")
    made = Commit("", "#7", kind=PULL_REQUEST, url=str(link["prUrl"]))
    turns = [
        TurnFacts(commits=(push, made)),
        document(link).facts,
        TurnFacts(commits=(push,)),
    ]

    kinds = [commit.kind for commit in merge_facts(turns).commits]

    assert kinds == ["push", PULL_REQUEST, "push"]


def test_linked_pull_request_is_a_step_of_the_history():
    link = record("pr-link", prNumber=7, prUrl="https://github.com/a/b/pull/7")

    assert document(link).facts.commits == (
        Commit("", "#7", kind=PULL_REQUEST, url="https://github.com/a/b/pull/7"),
    )


def test_only_messages_of_a_person_count_as_prompts():
    facts = document(
        user("Write a parser"),
        user("Given by the CLI", isMeta=True),
        user("<task-notification>done</task-notification>"),
        user("From a peer", origin={"kind": "peer", "name": "ada"}),
        user([*RESULT, {"type": "text", "text": "Beside a result"}]),
        attachment("queued_command", prompt="Stop", commandMode="prompt"),
        attachment("queued_command", prompt="Ran", commandMode="task-notification"),
        user("[Request interrupted by user]"),
        kinds=[*[None] * 7, Kind.PROMPT],
    ).facts

    assert facts.prompts == 2


TIMES = [
    "2026-01-05T10:00:00Z",
    "2026-01-05T10:20:00Z",
    "2026-01-05T12:00:00Z",
    "2026-01-05T12:30:00Z",
]
MINUTE = 60_000
minutes = st.lists(st.integers(0, 300), max_size=20)


def test_pauses_of_more_than_half_an_hour_are_no_work():
    spans = find_spans(TIMES)

    assert working_ms(spans) == 50 * MINUTE


def test_times_need_neither_order_nor_sense():
    mixed = ["", TIMES[3], "yesterday", TIMES[0], TIMES[2], TIMES[1]]

    assert find_spans(mixed) == find_spans(TIMES)
    assert (find_spans([""]), working_ms(())) == ((), 0)


def test_days_worked_on_are_counted_once_each():
    spans = find_spans(
        [*TIMES, "2026-01-05T23:50:00Z", "2026-01-06T00:10:00Z", "0002-01-01"]
    )

    assert days_of(spans) == ("0002-01-01", "2026-01-05", "2026-01-06")


@given(minutes)
def test_work_is_what_lies_between_neighbours_less_the_pauses(moments: list[int]):
    ordered = sorted(moment * MINUTE for moment in moments)
    gaps = (later - earlier for earlier, later in pairwise(ordered))

    assert working_ms(find_spans(map(_at, moments))) == sum(g for g in gaps if g <= GAP_MS)


@given(st.lists(minutes, max_size=6))
def test_stretches_of_turns_join_to_those_of_all_their_records(turns: list[list[int]]):
    apart = [span for turn in turns for span in find_spans(map(_at, turn))]
    together = find_spans(_at(moment) for turn in turns for moment in turn)

    assert join_spans(apart) == together


def _at(minute: int) -> str:
    return (datetime(2026, 1, 5, tzinfo=UTC) + timedelta(minutes=minute)).isoformat()
