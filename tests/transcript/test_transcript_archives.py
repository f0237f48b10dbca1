"""Whole archives, real and simulated: nothing is lost, and little is unknown."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from everyleaf.graph.solve import solve
from everyleaf.graph.views import Views
from everyleaf.records.index import index_file
from everyleaf.records.load import RecordFiles
from everyleaf.sources.discover import find_sources
from everyleaf.transcript.build import build_turn
from everyleaf.transcript.calls import UNKNOWN_CALL
from everyleaf.transcript.document import Notice, NoticeKind, ToolCall
from everyleaf.transcript.tools.table import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.graph.forest import Turn
    from everyleaf.model import Envelope
    from everyleaf.records.schema import AnyRecord
    from everyleaf.transcript.document import TurnDocument

SHARED = Path(__file__).parents[3] / "shared"


def documents(archive: Path) -> Iterator[TurnDocument]:
    files = find_sources([archive]).files
    indexed = [index_file(file, source_index=at) for at, file in enumerate(files)]
    forest = solve([one.records for one in indexed])
    views = Views(forest.units, forest.copies)

    def load(source: int, envelopes: Sequence[Envelope]) -> list[AnyRecord]:
        return RecordFiles().load(files[source].location, envelopes, lambda raw, _: raw)

    turns: list[Turn] = []
    for agent in forest.agents:
        turns += views.agent_turns(agent.tree).values()
    for tree in forest.trees:
        turns += views.agent_turns(tree).values()
    for turn in turns:
        yield build_turn(turn, load)


def check(made: TurnDocument) -> None:
    places = [uuid for entry in made.entries for uuid in (entry.uuid, *entry.also)]
    assert set(made.records) <= set(places)
    assert len(places) == len(set(places))


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tool = SHARED / "tools" / "simulate.py"
    if not tool.exists():
        pytest.skip("the simulator is not on this machine")
    archive = tmp_path_factory.mktemp("archive")
    subprocess.run(
        [
            sys.executable,
            str(tool),
            str(archive),
            "--seed",
            "5",
            "--sessions",
            "6",
            "--broken",
        ],
        check=True,
        capture_output=True,
    )
    return archive


def test_every_record_of_a_simulated_archive_has_one_place(simulated: Path):
    made = list(documents(simulated))

    assert len(made) > 100
    for one in made:
        check(one)


def test_every_record_of_the_corpus_has_one_place_and_few_are_unknown():
    corpus = SHARED / "corpus"
    if not corpus.exists():
        pytest.skip("the corpus is not on this machine")
    tools: Counter[str] = Counter()
    others = 0

    for made in documents(corpus):
        check(made)
        tools.update(entry.name for entry in made.entries if isinstance(entry, ToolCall))
        others += sum(
            isinstance(entry, Notice) and entry.kind is NoticeKind.OTHER
            for entry in made.entries
        )

    unknown = {name for name in tools if not name.startswith("mcp__")} - BY_NAME.keys()
    assert unknown <= {"advisor", UNKNOWN_CALL}
    assert tools[UNKNOWN_CALL] <= tools.total() // 500
    assert others < 10
