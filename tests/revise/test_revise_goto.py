"""Another branch becomes the one that resumes; what names no branch is refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from everyleaf.errors import OutputError, SourceError
from everyleaf.explore.sessions import read_paths
from everyleaf.graph.forest import Status
from everyleaf.opening.reading import Scope
from everyleaf.revise.plan import SessionChange, find_targets, plan_goto
from everyleaf.revise.write import apply_change
from revise.made import NAME, conversation, record

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def goto(session, wanted):
    opened = session.open()
    (target,) = find_targets(opened, wanted)
    apply_change(opened, plan_goto(opened, target), at=NOW)


def active(session):
    listing = read_paths(Scope((session.home,)), lambda *_: None)
    return [one.path.number for one in listing if one.path.status is Status.ACTIVE]


@pytest.mark.parametrize("wanted", [":1", "bbbb0001", "bbbb0002", "State MACHINE it"])
def test_a_branch_is_named_by_number_record_or_text(session, wanted):
    assert active(session) == [2]

    goto(session, wanted)

    assert active(session) == [1]


@pytest.mark.parametrize("version", ["1.0.70", "2.0.27", "2.1.100", "2.1.330"])
def test_a_pin_is_appended_whichever_version_wrote_the_session(session, version):
    session.write(conversation(version))
    before = session.bytes

    goto(session, ":1")

    assert session.bytes.startswith(before)
    assert session.records[6:] == [
        {
            "type": "last-prompt",
            "leafUuid": "bbbb0002",
            "explicit": True,
            "sessionId": NAME,
        },
    ]
    assert active(session) == [1]


def test_a_branch_that_is_called_active_but_would_not_be_resumed_gets_a_pin(session):
    # What `goto` wrote up to now; no version of the CLI lets a summary decide.
    session.append({"type": "summary", "summary": "Parser", "leafUuid": "bbbb0002"})
    assert active(session) == [1]

    goto(session, ":1")

    assert session.records[-1]["type"] == "last-prompt"


def test_a_branch_from_before_a_compaction_that_the_cli_does_not_load_is_refused(session):
    session.append(
        {
            **record("dddd0001", None, "system"),
            "subtype": "compact_boundary",
            "logicalParentUuid": "cccc0002",
            "compactMetadata": {"preservedMessages": {"uuids": ["cccc0002"]}},
        },
        record("dddd0002", "dddd0001", text="And tests", isCompactSummary=True),
    )
    before = session.bytes

    with pytest.raises(SourceError, match="ends before a compaction") as caught:
        goto(session, ":1")

    assert f"everyleaf show {NAME}:1" in caught.value.hint
    assert session.bytes == before


def test_going_there_and_back_ends_where_it_began(session):
    goto(session, ":1")
    goto(session, ":2")

    assert active(session) == [2]


def test_the_branch_that_resumes_already_leaves_nothing_to_do(session):
    opened = session.open()
    (target,) = find_targets(opened, "regex it is")

    assert plan_goto(opened, target).edits == ()


def test_a_text_on_two_branches_gives_both_to_choose_from(session):
    targets = find_targets(session.open(), "it is")

    assert [(each.number, each.is_active, each.line) for each in targets] == [
        (1, False, 4),
        (2, True, 6),
    ]


@pytest.mark.parametrize("wanted", ["aaaa0001", "Shall I use"])
def test_what_all_branches_share_names_none(session, wanted):
    with pytest.raises(SourceError, match="names no branch") as caught:
        find_targets(session.open(), wanted)

    assert caught.value.hint == "say which path: :1, :2"


@pytest.mark.parametrize("wanted", ["", "no such words", "ffff0009"])
def test_what_fits_nothing_is_refused(session, wanted):
    with pytest.raises(SourceError, match="no record of session"):
        find_targets(session.open(), wanted)


def test_a_path_that_is_not_there_is_refused_with_those_that_are(session):
    with pytest.raises(SourceError, match="has no path 7") as caught:
        find_targets(session.open(), ":7")

    assert caught.value.hint == "it has :1, :2"


def test_a_record_of_an_agent_names_no_branch(session):
    session.append(record("dddd0001", None, text="Look around", isSidechain=True))

    with pytest.raises(SourceError, match="no record of session"):
        find_targets(session.open(), "dddd0001")


def test_a_change_that_does_not_keep_its_promise_is_not_made(session):
    before = session.bytes
    opened = session.open()
    (target,) = find_targets(opened, ":1")
    empty = SessionChange("resume path 1", (), makes_active=target.number)

    with pytest.raises(OutputError, match="another path would be resumed"):
        apply_change(opened, empty, at=NOW)

    assert session.bytes == before
