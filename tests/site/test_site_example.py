"""The example, built: what issue after issue may not break."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import html5lib
import pytest

from everyleaf.archive import Choice, index_archive, solve_all
from everyleaf.config import BuildOptions
from everyleaf.model import CONVERSATION
from everyleaf.redact.redaction import Redaction
from everyleaf.sources.discover import find_sources
from everyleaf.workers import InProcess
from pages.links import dead_links
from state.building import build

if TYPE_CHECKING:
    from everyleaf.archive import Archive
    from everyleaf.model import Envelope
    from everyleaf.report import BuildReport

ROOT = Path(__file__).parents[2]
EXPECTED = json.loads((ROOT / "tests" / "examples" / "expected_paths.json").read_text())
CORPUS = ROOT.parent / "shared" / "corpus"
LARGE = 2_000_000
"""Bytes of sessions that would keep the tests too long."""
Site = tuple[Path, "BuildReport"]


def read(source: Path) -> Archive:
    found = find_sources([source])
    index = index_archive(
        found, InProcess(), lambda *_: None, choice=Choice(), redaction=Redaction()
    )
    return solve_all(index, lambda *_: None)


def session_facts(output_dir: Path) -> dict[str, dict[str, Any]]:
    files = sorted((output_dir / "data").glob("*.json"))
    return {file.stem: json.loads(file.read_text()) for file in files}


def test_example_has_the_paths_that_its_makers_wrote_down(example_site: Site) -> None:
    output_dir, _ = example_site

    facts = session_facts(output_dir)
    found = {
        session: [
            (path["number"], path["status"], path["messages"]) for path in one["paths"]
        ]
        for session, one in facts.items()
        if one["paths"]
    }

    assert found == {
        session: [
            (path["number"], path["status"], path["messages"]) for path in one["paths"]
        ]
        for session, one in EXPECTED["sessions"].items()
        if one["paths"]
    }


def test_example_drops_exactly_the_copies_that_its_makers_made(example_site: Site) -> None:
    output_dir, report = example_site

    dropped = {
        (session, copy["path"]["number"]): copy["by"]
        for session, one in session_facts(output_dir).items()
        for copy in one["dropped"]
    }

    assert dropped == {
        (session, copy["number"]): copy["contained_by"]
        for session, one in EXPECTED["sessions"].items()
        for copy in one["dropped"]
    }
    assert report.contained == len(dropped)


def test_everything_is_placed_and_counted(example_site: Site) -> None:
    _, report = example_site

    assert report.is_everything_placed
    assert report.unplaced == ()
    assert report.active + report.abandoned == report.paths


@pytest.mark.parametrize("folder", ["transcripts", "markdown"])
def test_every_conversation_record_has_an_anchor_on_every_page_of_its_path(
    folder: str, example_site: Site, example_archive: Path
) -> None:
    output_dir, _ = example_site
    archive = read(example_archive)
    forest = archive.forest

    missing: list[str] = []
    for leaf in forest.kept:
        path = archive.description.paths[forest.refs[leaf]]
        body = page_of(output_dir, folder, path.session, path.number)
        missing += [
            f"{path.ref} {record.uuid}"
            for record in shown_records(archive, leaf)
            if f'id="m-{record.uuid[:8]}' not in body
        ]

    assert missing == []


def shown_records(archive: Archive, leaf: int) -> list[Envelope]:
    """Return the conversation records that the page of a path shows itself."""
    forest = archive.forest
    chain = list(forest.units.up(leaf))
    if archive.description.paths[forest.refs[leaf]].is_withdrawn:
        chain = chain[: chain.index(forest.verdicts[leaf].joint)]
    units = [forest.units.unit(unit_id) for unit_id in chain]
    return [
        tree.records[at]
        for tree, unit in units
        for at in tree.units.members[unit]
        if tree.kinds[at] in CONVERSATION
    ]


@pytest.mark.parametrize("folder", ["transcripts", "markdown"])
def test_the_words_of_every_prompt_and_reply_stand_on_the_pages_of_its_path(
    folder: str, example_site: Site, example_archive: Path
) -> None:
    output_dir, _ = example_site
    archive = read(example_archive)
    forest = archive.forest

    missing: list[str] = []
    for leaf in forest.kept:
        path = archive.description.paths[forest.refs[leaf]]
        body = page_of(output_dir, folder, path.session, path.number)
        text = plain_text(body)
        for record in shown_records(archive, leaf):
            words = " ".join(re.findall(r"\w+", record.words)[:2])
            if words and words not in text:
                missing.append(f"{path.ref}: {words}")

    assert missing == []


def plain_text(body: str) -> str:
    if body.startswith("<!"):
        body = "".join(html5lib.parse(body, namespaceHTMLElements=False).itertext())
    return " ".join(re.findall(r"\w+", body))


def page_of(output_dir: Path, folder: str, session: str, number: int) -> str:
    suffix = "html" if folder == "transcripts" else "md"
    middle = "" if number == 1 and suffix == "html" else f"_path{number}"
    pattern = f"transcript_{session}{middle}*.{suffix}"
    found = sorted((output_dir / folder).glob(pattern), key=lambda file: len(file.name))
    if not found:
        found = sorted((output_dir / folder).glob(f"transcript_{session}.{suffix}"))
    return found[0].read_text(encoding="utf-8")


def test_every_link_inside_the_example_is_alive(example_site: Site) -> None:
    output_dir, _ = example_site

    assert dead_links(output_dir) == []


def test_a_link_to_nowhere_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<p id="x"><a href="#x"></a><a href="b.html#y"></a>')
    (tmp_path / "b.html").write_text('<a href="a.html#z"></a><img src="c.png">')

    assert dead_links(tmp_path) == [
        "a.html: b.html#y",
        "b.html: a.html#z",
        "b.html: c.png",
    ]


def test_every_link_in_sessions_of_real_people_is_alive(tmp_path: Path) -> None:
    sources = [folder for folder in sorted(CORPUS.glob("*+*")) if _size(folder) < LARGE]
    if not sources:
        pytest.skip("needs ../shared/corpus")

    options = {"sources": sources, "formats": ["html"], "has_search": False}
    report = build(sources[0], tmp_path / "site", **options)

    assert report.is_everything_placed
    assert dead_links(tmp_path / "site") == []


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def test_no_page_names_a_folder_of_the_machine(example_site: Site) -> None:
    output_dir, _ = example_site

    leaks = [
        str(file.relative_to(output_dir))
        for file in sorted(output_dir.rglob("*"))
        if file.is_file() and str(ROOT).encode() in file.read_bytes()
    ]

    assert leaks == []


def test_ids_are_unique_on_every_page(example_site: Site) -> None:
    output_dir, _ = example_site

    doubled: list[str] = []
    for file in sorted(output_dir.rglob("*.html")):
        found = re.findall(r'\sid="([^"]+)"', file.read_text(encoding="utf-8"))
        if len(found) != len(set(found)):
            doubled.append(file.name)

    assert doubled == []


def test_options_of_a_build_have_no_unknown_fields() -> None:
    with pytest.raises(ValueError, match="unknown field"):
        BuildOptions.model_validate({"sources": (), "output_dir": "x", "colour": "red"})
