"""dewpoint: the second half of the bench day: lookups, unknown things, damage."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from archive_maker.journal import Block, Json, dump, image, text
from archive_maker.pictures import gif
from archive_maker.tools import bash, write

if TYPE_CHECKING:
    from archive_maker.session import Session


def cell(kind: str, source: str, number: int, outputs: list[Block] | None = None) -> Block:
    return {
        "cellType": kind,
        "source": source,
        "cell_id": f"cell-{number}",
        **(
            {"language": "python", "execution_count": number, "outputs": outputs or []}
            if kind == "code"
            else {}
        ),
    }


def calibrate(s: Session) -> None:
    first = s.next_line
    notebook = f"{s.project.cwd}/calibration.ipynb"
    cells = [
        cell("markdown", "# Soil probes, 2 April\nDry sand and wet sand, four probes.", 0),
        cell("code", "dry = [412, 405, 448, 409]\nwet = [198, 201, 233, 199]", 1),
        cell(
            "code",
            "[d - w for d, w in zip(dry, wet)]",
            2,
            [{"output_type": "execute_result", "text": "[214, 204, 215, 210]"}],
        ),
    ]
    shown = "\n".join(
        f'<cell id="{c["cell_id"]}">{c["source"]}</cell id="{c["cell_id"]}">' for c in cells
    )
    s.use(
        "Read",
        {"file_path": notebook},
        [text(shown)],
        {"type": "notebook", "file": {"filePath": notebook, "cells": cells}},
    )
    old = "[d - w for d, w in zip(dry, wet)]"
    new = "span = [d - w for d, w in zip(dry, wet)]\noffset = [round(d - sum(dry) / 4, 1) for d in dry]\nspan, offset"
    raw: list[Json] = [
        {"cell_type": "code", "id": f"cell-{n}", "metadata": {}, "source": source}
        for n, source in ((1, cells[1]["source"]), (2, old))
    ]
    after = [raw[0], raw[1] | {"source": new}]
    stored = {
        "new_source": new,
        "old_source": old,
        "cell_id": "cell-2",
        "cell_type": "code",
        "language": "python",
        "edit_mode": "replace",
        "error": "",
        "notebook_path": notebook,
        "original_file": json.dumps({"cells": raw}, indent=1),
        "updated_file": json.dumps({"cells": after}, indent=1),
    }
    s.use(
        "NotebookEdit",
        {
            "notebook_path": notebook,
            "cell_id": "cell-2",
            "new_source": new,
            "cell_type": "code",
            "edit_mode": "replace",
        },
        f"Updated cell cell-2 with {new}",
        stored,
    )
    s.shape("notebook read and edited", first)
    s.say(
        "Spans agree within 5 %, so one slope fits all. The offsets are -6.5, -13.5, **+29.5** and -9.5: probe 3 is off by more than the others together, and $\\sigma \\approx 17$."
    )
    s.prompt("yes that one fell into the pond. Is there something newer than this chip?")


def lookups(s: Session) -> None:
    first = s.next_line
    names = ["mcp__parts__find_part", "LSP"]
    s.use(
        "ToolSearch",
        {"query": "select:mcp__parts__find_part,LSP", "max_results": 5},
        [{"type": "tool_reference", "tool_name": n} for n in names],
        {
            "matches": names,
            "query": "select:mcp__parts__find_part,LSP",
            "total_deferred_tools": 41,
        },
    )
    s.shape("ToolSearch", first)
    first = s.next_line
    parts = {
        "part": "SHT45",
        "accuracy": {"temperature_c": 0.1, "humidity_percent": 1.0},
        "replaces": "SHT31",
        "in_stock": True,
        "price_eur": 4.85,
    }
    drawing = gif(
        40,
        24,
        lambda x, y: x in {4, 35} or y in {3, 20} or (x % 6 == 0 and (y < 3 or y > 20)),
    )
    (call,) = s.reply(
        s.call("mcp__parts__find_part", family="SHT", replaces="SHT31", units="metric")
    )
    content = [text(json.dumps(parts)), image(drawing, "image/gif")]
    s.result(
        call,
        content,
        {"content": content, "structuredContent": parts},
        mcpMeta={"structuredContent": parts},
    )
    s.shape("MCP tool with structured content and an image", first)
    first = s.next_line
    found = "Found 3 references across 1 files:\n\nfirmware/sensor.c:\n  Line 14:40\n  Line 20:35\n  Line 21:26"
    s.use(
        "LSP",
        {
            "operation": "findReferences",
            "filePath": f"{s.project.cwd}/firmware/sensor.c",
            "line": 10,
            "character": 19,
        },
        found,
        {
            "operation": "findReferences",
            "result": found,
            "filePath": f"{s.project.cwd}/firmware/sensor.c",
            "resultCount": 3,
            "fileCount": 1,
        },
    )
    s.shape("LSP", first)
    write(
        s,
        "docs/parts.md",
        "# Parts\n\n| part | instead of | €\n|---|---|---|\n| SHT45 | SHT31 | 4.85 |\n",
    )


def strange(s: Session) -> None:
    """What no version of everyleaf can know yet."""
    first = s.next_line
    s.use(
        "WaterPlants",
        {"bed": 3, "litres": 1.5, "valves": ["north", "drip"], "dryRun": True},
        "Would open 2 valves for 94 s.",
        {
            "opened": 0,
            "seconds": 94,
            "log": [{"valve": "north", "ok": True}, {"valve": "drip", "ok": True}],
        },
        text("The watering tool can try the new thresholds without opening a valve."),
    )
    s.shape("a tool that nobody has heard of", first)
    first = s.next_line
    s.put(s.envelope("greenhouse-event", s.tip, event={"kind": "door", "open": True}))
    s.shape("a record type that nobody has heard of", first)


def damage(s: Session) -> None:
    """Glue two lines together, and tear one that was never finished."""
    s.prompt("order one, and switch the bench off")
    s.say("Ordering needs you; the link is in `docs/parts.md`. Switching the bench off.")
    first = s.next_line
    bash(
        s,
        "ssh bench.example.org sudo poweroff",
        "Connection to bench.example.org closed by remote host.",
        about="Switch the bench off",
    )
    s.lines[-2:] = [s.lines[-2] + s.lines[-1]]
    s.shape("two records glued together on one line", first)
    torn = dump(
        s.envelope(
            "assistant",
            s.tip,
            message={
                "id": s.ids.message(),
                "role": "assistant",
                "content": [text("The bench is off. Good ni")],
            },
        )
    )
    s.lines.append(torn[: torn.index("Good ni") + 7])
    s.is_torn = True
    s.shape("a last line that was torn off", len(s.lines))
