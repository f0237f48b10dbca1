"""Sums: everything once, and each way of telling them apart adds up to the same."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from everyleaf.opening.reading import Scope
from everyleaf.survey.stats import By, Sample, Sums, add_up, draw_chart, gather_stats
from everyleaf.transcript.document import Usage
from sessions import OTHER, write_records

SAMPLES = st.lists(
    st.builds(
        Sample,
        session=st.sampled_from("abc"),
        project=st.sampled_from(["p", "q"]),
        day=st.sampled_from(["", "2026-01-01", "2026-01-02"]),
        model=st.sampled_from(["m", "n"]),
        prompts=st.integers(0, 2),
        calls=st.integers(0, 9),
        files=st.lists(st.sampled_from(["x", "y"]), unique=True).map(tuple),
        commits=st.integers(0, 2),
        spans=st.tuples(
            st.tuples(st.integers(0, 9), st.integers(10, 99)).map(
                lambda span: (span[0] * 1000, span[1] * 1000)
            )
        ),
        usage=st.builds(Usage, output=st.integers(0, 99)),
    )
)
BARS = "{http://www.w3.org/2000/svg}rect"


def gathered(home):
    return gather_stats(Scope((home.folder,)), lambda *_: None)


def wrote(talk, file):
    talk.call("Write", {"file_path": f"/home/ada/parser/{file}", "content": "x\n"})


@given(SAMPLES)
def test_whatever_they_are_told_apart_by_they_add_up_to_the_same(samples):
    found = add_up(samples)

    for sums in found.by.values():
        assert sum(one.calls for one in sums) == found.total.calls
        assert sum(one.usage.output for one in sums) == found.total.usage.output
        assert sum(one.commits for one in sums) == found.total.commits
    assert sum(one.files for one in found.by[By.PROJECT]) == found.total.files


@given(SAMPLES)
def test_the_order_of_the_sessions_changes_nothing(samples):
    assert add_up(samples) == add_up(samples[::-1])


def test_a_copied_session_counts_its_records_once(home):
    talk = home.talk()
    talk.prompt("Write it")
    wrote(talk, "a.py")
    talk.save()
    copy = home.talk(OTHER)
    copy.records = [{**record, "sessionId": OTHER} for record in talk.records]
    copy.last, copy.numbers = talk.last, talk.numbers
    copy.prompt("Go on", uuid="fresh-1")
    copy.reply("Done", uuid="fresh-2")
    copy.save()
    talk.prompt("Go on elsewhere")
    talk.reply("Done, too")
    talk.save()

    total = gathered(home).total

    assert (total.prompts, total.calls, total.files) == (3, 1, 1)
    assert total.usage.output == 3 * 5


def test_agents_count_but_what_they_were_told_is_no_prompt(home):
    talk = home.talk()
    talk.prompt("Go")
    talk.reply("Gone")
    talk.save()
    agent = home.agent("a1")
    agent.prompt("Look")
    wrote(agent, "b.py")
    agent.save()

    total = gathered(home).total

    assert (total.prompts, total.calls, total.files, total.sessions) == (1, 1, 1, 1)
    assert total.usage == Usage(20, 10, 200, 0)


def test_a_pause_of_more_than_half_an_hour_is_no_work(home):
    talk = home.talk()
    talk.prompt("Go", at="2026-01-01T23:50:00.000Z")
    talk.reply("Gone", at="2026-01-01T23:55:00.000Z")
    talk.prompt("Back", at="2026-01-02T09:00:00.000Z")
    talk.reply("Welcome", at="2026-01-02T09:01:00.000Z")
    talk.save()

    found = gathered(home)

    assert found.total.working_s == 6 * 60
    assert [one.name for one in found.by[By.DAY]] == ["2026-01-01", "2026-01-02"]


SUMS = Sums("n", 1, 0, 0, 0, 0, 0, Usage(output=50))


@pytest.mark.parametrize("by", list(By))
def test_a_chart_is_one_element_that_says_its_numbers_in_words(by):
    sums = [SUMS, replace(SUMS, name="<b>&\0\x1b", usage=Usage(output=0))]

    drawn = draw_chart(sums, by)

    root = ET.fromstring(drawn)  # noqa: S314  (drawn above)
    bars = root.findall(BARS)
    assert root.get("role") == "img"
    assert "n: 50; <b>&" in (root[1].text or "")
    assert [bar.get("width") for bar in bars] == ["400", "1"]
    assert "style" not in drawn
    assert drawn == draw_chart(sums, by)


def test_a_chart_of_nothing_says_so():
    assert "Nothing to show" in draw_chart([], By.DAY)


def test_a_session_is_not_lost_where_no_time_is_recorded(home):
    talk = home.talk()
    talk.prompt("Go")
    talk.reply("Gone")
    for record in talk.records:
        del record["timestamp"]
    talk.save()

    found = gathered(home)

    assert [one.name for one in found.by[By.DAY]] == ["unknown"]
    assert found.total.sessions == 1


def test_weeks_and_months_go_over_the_end_of_a_year(home):
    talk = home.talk()
    talk.prompt("Go", at="2026-12-31T23:50:00.000Z")
    talk.reply("Gone", at="2027-01-01T00:05:00.000Z")
    talk.prompt("Back", at="2027-01-04T09:00:00.000Z")
    talk.save()

    found = gathered(home)

    assert [(one.name, one.prompts) for one in found.by[By.WEEK]] == [
        ("2026-W53", 1),
        ("2027-W01", 1),
    ]
    assert [one.name for one in found.by[By.MONTH]] == ["2026-12", "2027-01"]


def test_a_response_that_tells_its_cost_costs_that_once(home):
    talk = home.talk()
    talk.prompt("Go")
    talk.reply("Gone", costUSD=0.1)
    talk.records[-1]["message"]["id"] = "one"
    talk.reply("And gone", costUSD=0.2)
    talk.records[-1]["message"]["id"] = "one"
    talk.prompt("Back")
    talk.reply("Here", costUSD="much")
    talk.save()

    found = gathered(home)

    assert found.total.cost_usd == pytest.approx(0.2)
    assert [one.cost_usd for one in found.by[By.MODEL]] == [pytest.approx(0.2)]


def test_a_recorded_stream_tells_the_whole_cost_of_its_process_again_and_again(home):
    def reply(number):
        message = {"id": f"m{number}", "role": "assistant", "model": "m", "usage": {}}
        text = [{"type": "text", "text": f"Reply {number}"}]
        return {"type": "assistant", "message": message | {"content": text}}

    def result(cost):
        return {"type": "result", "subtype": "success", "total_cost_usd": cost}

    init = {"type": "system", "subtype": "init", "cwd": "/home/ada/parser", "model": "m"}
    totals = [0.25, 0.75, 0.5]
    records = [init]
    for number, total in enumerate(totals):
        records += [reply(number), result(total)]
    for number, record in enumerate(records):
        record |= {"session_id": "66e54b32-0000-4000-8000-000000000001"}
        record |= {"uuid": f"u{number}"}
    write_records(home.project / "run.jsonl", records)

    assert gathered(home).total.cost_usd == pytest.approx(0.75 + 0.5)


def test_what_no_record_tells_costs_nothing_that_is_known(home):
    talk = home.talk()
    talk.prompt("Go")
    talk.save()

    assert gathered(home).total.cost_usd is None
