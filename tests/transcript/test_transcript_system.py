from __future__ import annotations

from everyleaf.records.schema import OtherRecord, SystemRecord, parse_record
from everyleaf.transcript.document import Code, Notice, Table
from everyleaf.transcript.notes import note_of


def noted(**raw: object) -> Notice:
    record = parse_record(raw)
    assert isinstance(record, OtherRecord | SystemRecord)
    note = note_of(record)
    assert isinstance(note, Notice)
    return note


def test_a_run_that_finished_tells_its_turns_time_and_cost():
    note = noted(
        type="result",
        subtype="success",
        result="All done.",
        num_turns=1,
        duration_ms=4200,
        total_cost_usd=0.0312,
        usage={"input_tokens": 1200, "output_tokens": 7},
        permission_denials=[{"tool_name": "Bash"}],
    )

    assert note.text == "Run finished: 1 turn, 4.2 s, $0.0312"
    assert not note.is_trouble
    assert note.parts == (Table((("tokens", "1,200 in, 7 out"), ("denied", "Bash"))),)


def test_a_run_that_failed_says_what_went_wrong():
    listed = noted(type="result", subtype="error_max_turns", errors=["too many"])
    told = noted(type="result", subtype="success", is_error=True, result="API Error: 500")

    assert (listed.text, listed.is_trouble) == ("Ended with error_max_turns", True)
    assert listed.parts == (Code("too many", is_terminal=True),)
    assert told.parts == (Code("API Error: 500", is_terminal=True),)


def test_the_beginning_of_a_session_lists_its_facts():
    note = noted(
        type="system",
        subtype="init",
        model="claude-x",
        tools=["Bash", "Read"],
        mcp_servers=[{"name": "db", "status": "failed"}],
    )

    assert note.text == "Session started with claude-x"
    assert note.parts == (
        Table(
            (("model", "claude-x"), ("tools", "Bash, Read"), ("MCP servers", "db (failed)"))
        ),
    )
