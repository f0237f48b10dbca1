"""What a path shares with the one that took over: repeated, or linked to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from everyleaf.config import SharedPrefix
from everyleaf.pages import prefixes
from everyleaf.pages.family import render_family
from everyleaf.pages.settings import SiteSettings
from pages.making import FORKED, families, prompt, uuid

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pages.making import Record

WITHDRAWN = [*FORKED[:2], prompt("w1", "r1", "Oops"), *FORKED[4:]]
FILES = (
    "transcripts/transcript_s.html",
    "markdown/transcript_s_path1_abandoned.md",
)
"""The abandoned path in both formats."""


def pages_of(folder: Path, records: Sequence[Record], mode: SharedPrefix) -> dict[str, str]:
    (work,) = families(folder, {"s.jsonl": records})
    drawn = render_family(work, SiteSettings("Archive", shared_prefix=mode))
    return {output.url: output.body.decode() for output in drawn.outputs}


def anchors(page: str) -> list[str]:
    return re.findall(r'id="(m-[^"]+)"', page)


@pytest.mark.parametrize("url", FILES)
@pytest.mark.parametrize("mode", [SharedPrefix.FULL, SharedPrefix.AUTO])
def test_full_page_repeats_what_the_path_shares(tmp_path: Path, mode, url):
    page = pages_of(tmp_path, FORKED, mode)[url]

    assert f"m-{uuid('p1')[:8]}" in anchors(page)
    assert "stand there" not in page


@pytest.mark.parametrize("url", FILES)
def test_linked_page_begins_behind_the_fork_and_says_where_the_rest_stands(
    tmp_path: Path, url
):
    whole = pages_of(tmp_path, FORKED, SharedPrefix.FULL)
    linked = pages_of(tmp_path, FORKED, SharedPrefix.LINK)

    own = [anchor for anchor in anchors(whole[url]) if anchor in anchors(linked[url])]
    left_out = set(anchors(whole[url])) - set(own)
    (other,) = [name for name in whole if "path2" in name and name.endswith(url[-3:])]
    assert anchors(linked[url]) == own
    assert own
    assert left_out
    assert left_out <= set(anchors(linked[other]))
    assert "Messages 1\N{EN DASH}2 are shared with" in linked[url]
    assert re.search(rf"{other.split('/')[1]}#m-{uuid('r1')[:8]}", linked[url])
    assert "share more than" not in linked[url]


def test_path_that_took_over_is_always_whole(tmp_path: Path):
    whole = pages_of(tmp_path, FORKED, SharedPrefix.FULL)
    linked = pages_of(tmp_path, FORKED, SharedPrefix.LINK)

    url = "transcripts/transcript_s_path2.html"
    assert linked[url] == whole[url]


@pytest.mark.parametrize("url", FILES)
def test_over_budget_pages_link_and_say_why(tmp_path: Path, monkeypatch, url):
    monkeypatch.setattr(prefixes, "SHARED_BUDGET", 1)

    page = pages_of(tmp_path, FORKED, SharedPrefix.AUTO)[url]

    assert f"m-{uuid('p1')[:8]}" not in anchors(page)
    assert "share more than" in page


@pytest.mark.parametrize("url", FILES)
def test_withdrawn_prompt_is_shown_alone_unless_everything_is_asked_for(
    tmp_path: Path, url
):
    alone = pages_of(tmp_path, WITHDRAWN, SharedPrefix.AUTO)[url]
    whole = pages_of(tmp_path, WITHDRAWN, SharedPrefix.FULL)[url]

    assert anchors(alone) == [f"m-{uuid('w1')[:8]}"]
    assert len(anchors(whole)) == 3
    assert "only it is shown here" not in whole
