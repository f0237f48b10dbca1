"""Sites of archives whose paths are known by construction: each path has its one page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from state.building import build

SIMULATOR = Path(__file__).parents[3] / "shared" / "tools" / "simulate.py"

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        not SIMULATOR.is_file(), reason="the simulator is not beside this checkout"
    ),
]


def read_pages(site: Path) -> dict[tuple[str, str], list[list[str]]]:
    """Return the anchors of messages on each path's page, by session and status."""
    pages = defaultdict(list)
    for line in (site / "paths.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        html = (site / row["url"]).read_text("utf-8")
        pages[row["session"], row["status"]].append(re.findall(r'\bid="m-(\w{8})', html))
    return pages


@pytest.mark.parametrize("damage", [[], ["--broken"]], ids=["whole", "broken"])
@pytest.mark.parametrize("profile", ["mixed", "v1", "v2", "v21"])
def test_each_true_path_is_one_page_with_its_messages_and_no_others(
    profile, damage, tmp_path
):
    archive, site = tmp_path / "archive", tmp_path / "site"
    command = [sys.executable, SIMULATOR, archive, "--seed", "103", "--profile", profile]
    subprocess.run([*command, *damage], check=True, capture_output=True)

    report = build(archive / "projects", site, has_search=False)

    truth = json.loads((archive / "truth.json").read_text("utf-8"))["paths"]
    known = {uuid[:8] for path in truth for uuid in path["ids"]}
    pages = read_pages(site)
    assert report.lost == ()
    for path in truth:
        uuids = [uuid[:8] for uuid in path["ids"]]
        # A copy is shown under the id that its own file gives it: the truth has the first.
        its_own = [
            anchors
            for anchors in pages[path["session"], path["status"]]
            if len(anchors) >= len(uuids) and known.intersection(anchors) <= set(uuids)
        ]
        assert len(its_own) == 1, path
    if not damage:
        assert sum(map(len, pages.values())) == len(truth)
