"""A row in one table is all that a new tool, attachment or record needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import everyleaf
from everyleaf.build import build_site
from everyleaf.config import BuildOptions, OwnRule, RedactOptions
from everyleaf.records.asides import OFF_TREE, OffTree
from everyleaf.transcript.content import prose
from everyleaf.transcript.entries import notice
from everyleaf.transcript.notes import ATTACHMENTS
from everyleaf.transcript.system import SYSTEM
from everyleaf.transcript.tools.call import Tool, plain_card
from everyleaf.transcript.tools.table import BY_NAME
from sessions import nth, write_records

if TYPE_CHECKING:
    from pathlib import Path

PLACE = "Skerry-Sound-7"
REDACT = RedactOptions(own=(OwnRule(kind="place", word=PLACE),))
ROWS: dict[str, tuple[dict[str, Any], str, object]] = {
    "tool": (
        BY_NAME,
        "Weigh",
        Tool(("Weigh",), lambda c: plain_card(c, c.input.text("fish"))),
    ),
    "attachment": (
        ATTACHMENTS,
        "tide_table",
        lambda raw: notice(f"tide of {raw.text('port')}", prose(raw.text("content"))),
    ),
    "system": (SYSTEM, "storm", lambda raw: notice(f"storm: {raw.text('content')}")),
    "off-tree": (
        OFF_TREE,
        "log-line",
        OffTree("entry", lambda raw: f"logged: {raw['content']}"),
    ),
}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    call = {"type": "tool_use", "id": "t1", "name": "Weigh"}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": f"heavy {PLACE}"}
    tide = {"type": "tide_table", "port": "Oban", "content": f"ebb at {PLACE}"}
    logged = {"type": "log-line", "entry": "e1", "content": f"anchored in {PLACE}"}
    lines = [
        nth(1, "user", {"type": "text", "text": "How heavy?"}),
        nth(2, "assistant", {**call, "input": {"fish": f"cod of {PLACE}"}}),
        nth(3, "user", result),
        nth(4, "attachment", attachment=tide),
        nth(5, "system", subtype="storm", content=f"gale at {PLACE}"),
        logged,
        logged,
        nth(6, "assistant", {"type": "text", "text": "Very."}),
    ]
    write_records(tmp_path / "in" / "-w-app" / "s.jsonl", lines)
    return tmp_path / "in"


def test_a_new_row_is_drawn_in_both_formats_searched_masked_and_counted(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for table, name, row in ROWS.values():
        monkeypatch.setitem(table, name, row)
    options = BuildOptions(
        sources=(archive,), output_dir=tmp_path / "out", jobs=1, redact=REDACT
    )

    report = build_site(options, on_progress=lambda *_: None)

    read = everyleaf.load_archive(archive, redact=REDACT)
    for page in ("transcripts/transcript_s.html", "markdown/transcript_s.md"):
        text = (options.output_dir / page).read_text()
        for said in ("Weigh", "cod of", "heavy", "tide of Oban", "ebb at", "storm: gale"):
            assert said in text
        assert text.count("logged: anchored in") == 1
        assert PLACE not in text
    # A record beside the tree is on no path, which is what `find` answers with.
    for said in ("cod of", "heavy", "ebb at", "gale at"):
        match, *_ = everyleaf.find(read, said)
        assert PLACE not in str(match)
    assert report.is_everything_placed
    assert report.records == 4
    (path,) = everyleaf.paths(read)
    turns = everyleaf.transcript(read, path).turns
    assert [tool for turn in turns for tool in turn.facts.tools] == [("Weigh", 1)]
