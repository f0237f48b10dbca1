"""Archives whose answer is known by construction, where the tools for it are at hand."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from everyleaf.graph.solve import solve
from everyleaf.records.index import index_file
from everyleaf.sources.discover import find_sources

TOOLS = Path(__file__).parents[2].parent / "shared" / "tools"

pytestmark = pytest.mark.skipif(
    not (TOOLS / "simulate.py").is_file(),
    reason="the simulator is not beside this checkout",
)


def _write_listing(forest, listing_file):
    rows = []
    for leaf in forest.kept:
        up = reversed(list(forest.units.up(leaf)))
        is_active = forest.verdicts[leaf].is_active
        row = {
            "session": forest.refs[leaf].session,
            "status": "ACTIVE" if is_active else "ABANDONED",
            "ids": [name for unit_id in up for name in forest.units.ids(unit_id)],
        }
        rows.append(json.dumps(row))
    listing_file.write_text("\n".join(rows))


@pytest.mark.parametrize("profile", ["mixed", "v1", "v2", "v21"])
@pytest.mark.parametrize("seed", ["101", "102"])
def test_paths_of_a_simulated_archive_are_the_true_ones(profile, seed, tmp_path):
    arguments = [tmp_path, "--seed", seed, "--profile", profile, "--broken"]
    subprocess.run(
        [sys.executable, TOOLS / "simulate.py", *arguments], check=True, capture_output=True
    )
    found = find_sources([tmp_path / "projects"])
    files = [
        index_file(source, source_index=index).records
        for index, source in enumerate(found.files)
    ]

    forest = solve(files)

    _write_listing(forest, tmp_path / "paths.jsonl")
    compared = subprocess.run(
        [
            sys.executable,
            TOOLS / "compare_truth.py",
            tmp_path / "truth.json",
            tmp_path / "paths.jsonl",
        ],
        check=False,
        capture_output=True,
        text=True,
    )
    assert forest.unplaced == ()
    assert compared.returncode == 0, compared.stdout
