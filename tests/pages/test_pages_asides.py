from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.graph.describe import describe
from everyleaf.graph.forest import PlacedRecord, Turn, TurnKind
from everyleaf.graph.solve import solve
from everyleaf.model import Envelope, Kind
from everyleaf.pages.addresses import SiteSettings
from everyleaf.pages.families import SiteContext, iter_families, place_asides
from everyleaf.pages.work import SourceRef
from everyleaf.records.index import index_file
from everyleaf.sources.discover import find_sources
from pages.making import draw_family, families
from sessions import prompt, reply

if TYPE_CHECKING:
    from pathlib import Path

    from sessions import Record


def envelope(name: str, line: int) -> Envelope:
    return Envelope(name, None, Kind.NOTE, line, 0, 1)


def turn(index: int, *lines: int, source: int = 0) -> Turn:
    records = tuple(
        PlacedRecord(envelope(f"r{line}", line), f"r{line}", Kind.REPLY, source=source)
        for line in lines
    )
    return Turn(index, "s", source, TurnKind.RESPONSE, records)


def names(made: Turn) -> list[str]:
    return [placed.envelope.uuid for placed in made.records]


def test_aside_stands_behind_the_record_that_was_written_before_it():
    turns = {("s", 0): turn(0, 1, 2), ("s", 1): turn(1, 5, 9)}

    changed = place_asides(turns, {0: (envelope("x", 6), envelope("y", 7))})

    assert list(changed) == [("s", 1)]
    assert names(changed["s", 1]) == ["r5", "x", "y", "r9"]


def test_aside_before_all_records_stands_behind_the_first():
    turns = {("s", 0): turn(0, 4, 2)}

    changed = place_asides(turns, {0: (envelope("x", 1),)})

    assert names(changed["s", 0]) == ["r4", "r2", "x"]


def test_aside_of_a_file_without_records_here_is_left_out():
    turns = {("s", 0): turn(0, 1, source=3)}

    assert place_asides(turns, {0: (envelope("x", 1),)}) == {}


def test_aside_counts_as_no_message_of_the_turn():
    changed = place_asides({("s", 0): turn(0, 1)}, {0: (envelope("x", 2),)})

    assert [p.kind for p in changed["s", 0].records] == [Kind.REPLY, Kind.NOTE]


def test_aside_that_names_calls_stands_with_each_of_their_turns_wherever_it_was_written():
    answer = replace(envelope("a", 2), kind=Kind.RESULT, tool_use_ids=("t1",))
    later = replace(envelope("b", 5), kind=Kind.RESULT, tool_use_ids=("t2",))
    turns = {
        ("s", index): Turn(
            index,
            "s",
            0,
            TurnKind.RESPONSE,
            (PlacedRecord(one, one.uuid, Kind.RESULT, source=0),),
        )
        for index, one in enumerate((answer, later))
    }
    aside = replace(envelope("x", 9), tool_use_ids=("t2", "t1", "nowhere"))

    changed = place_asides(turns, {0: (aside,)})

    assert [names(changed[key]) for key in turns] == [["a", "x"], ["b", "x"]]


def test_page_shows_what_was_never_delivered_and_the_pull_request(tmp_path: Path):
    records: tuple[Record, ...] = (
        prompt("p1", None, "Write a parser"),
        reply("r1", "p1", "Done."),
        {"type": "queue-operation", "operation": "enqueue", "content": "And *tests*"},
        {
            "type": "pr-link",
            "prNumber": 7,
            "prUrl": "https://example.org/a/b/pull/7",
            "prRepository": "a/b",
        },
    )
    families(tmp_path, {"s.jsonl": records})
    found = find_sources([tmp_path / "projects"])
    indexed = [index_file(one, source_index=n) for n, one in enumerate(found.files)]
    forest = solve([one.records for one in indexed])
    sources = {0: SourceRef(str(found.files[0].location), "s.jsonl", str(tmp_path))}
    around = SiteContext({"-home-me-parser": "parser"}, sources, {}, {0: indexed[0].asides})
    (work,) = iter_families(forest, describe(forest), around)

    outputs = draw_family(work, SiteSettings("Archive", has_html=False)).outputs

    (page,) = (o.body.decode() for o in outputs if o.url.endswith(".md"))
    said, aside = page.split("Done.")
    assert "## Prompt 1" in said
    assert "never delivered" in aside
    assert "And *tests*" in aside
    assert "Pull request #7 of a/b" in aside
    assert "https://example.org/a/b/pull/7" in aside
    assert "Total Messages: 2" in said
