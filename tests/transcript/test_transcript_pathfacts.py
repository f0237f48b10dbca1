"""Facts that grow and shrink: at any time the sum of what is there, told turn by turn."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, strategies as st

from everyleaf.transcript.document import (
    PULL_REQUEST,
    Commit,
    FileChange,
    Response,
    TurnFacts,
    Usage,
)
from everyleaf.transcript.facts import RunningFacts, days_of, join_spans, working_ms

names = st.sampled_from(["", "a", "b"])
small = st.integers(0, 3)
MINUTE = 60_000

responses = st.builds(
    Response, names, names, names, st.builds(Usage, small, small, small, small)
)
spans = st.tuples(st.integers(0, 400), small).map(
    lambda pair: (pair[0] * MINUTE, sum(pair) * MINUTE)
)
changes = st.builds(FileChange, st.sampled_from(["/w/x", "/v/x", "x"]), small, small)
commits = st.builds(
    Commit,
    hash=names,
    kind=st.sampled_from([PULL_REQUEST, "commit"]),
    subject=names,
    url=names,
)


def some(values: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(values, max_size=3).map(tuple)


turns = st.builds(
    TurnFacts,
    responses=some(responses),
    spans=some(spans),
    prompts=small,
    replies=small,
    tools=some(st.tuples(names, st.integers(1, 3))),
    files=some(changes),
    errors=small,
    compactions=small,
    branch=names,
    version=names,
    commits=some(commits),
    folder=st.sampled_from(["", "/w", "/v"]),
)


@given(
    st.lists(turns, max_size=6),
    st.lists(st.lists(turns, max_size=4), max_size=4),
    st.booleans(),
)
def test_what_is_taken_back_leaves_no_trace(path, detours, is_settled):
    plain, winding = RunningFacts(), RunningFacts()
    for turn in path:
        for detour in detours:
            for aside in detour:
                winding.add(aside, is_agent=len(aside.commits) == 1)
            for _ in detour:
                winding.take_back()
        plain.add(turn)
        winding.add(turn)
        if is_settled:
            winding.settle()

    assert winding.total() == plain.total()


@given(st.lists(turns, max_size=6))
def test_the_sum_is_that_of_all_turns(path):
    running = RunningFacts()
    for turn in path:
        running.add(turn)
    total = running.total()

    largest: dict[object, Response] = {}
    for number, response in enumerate(r for turn in path for r in turn.responses):
        alone = 0 if response.message_id else number + 1
        key = (response.message_id, response.request_id, alone)
        if key not in largest or response.usage.output >= largest[key].usage.output:
            largest[key] = response
    joined = join_spans(span for turn in path for span in turn.spans)
    tools: Counter[str] = Counter()
    for name, calls in (tool for turn in path for tool in turn.tools):
        tools[name] += calls

    assert total.usage.input == sum(r.usage.input for r in largest.values())
    assert total.usage.cache_read == sum(r.usage.cache_read for r in largest.values())
    assert {m for m, _ in total.models} == {r.model for r in largest.values() if r.model}
    assert dict(total.tools) == dict(tools)
    assert total.tool_calls == tools.total()
    assert total.days == days_of(joined)
    assert total.working_s == working_ms(joined) // 1000
    assert total.wall_s == (joined[-1][1] - joined[0][0] if joined else 0) // 1000
    assert sum(c.added for c in total.files) == sum(c.added for t in path for c in t.files)
    assert total.branch == next((t.branch for t in reversed(path) if t.branch), "")
    assert (total.prompts, total.errors) == (
        sum(turn.prompts for turn in path),
        sum(turn.errors for turn in path),
    )


def test_files_are_named_as_seen_from_the_first_folder():
    running = RunningFacts()
    running.add(TurnFacts(files=(FileChange("/w/x", 1, 0), FileChange("/v/x", 2, 1))))
    running.add(TurnFacts(files=(FileChange("x", 4, 4),), folder="/w"))
    running.add(TurnFacts(folder="/v"))

    assert running.total().files == (FileChange("/v/x", 2, 1), FileChange("x", 5, 4))


def test_what_agents_commit_stands_behind_the_conversations_own():
    running = RunningFacts()
    for subject, is_agent in (("one", False), ("two", True), ("three", False)):
        commit = Commit("", subject)
        running.add(TurnFacts(commits=(commit,)), is_agent=is_agent)

    assert [one.subject for one in running.total().commits] == ["one", "three", "two"]
