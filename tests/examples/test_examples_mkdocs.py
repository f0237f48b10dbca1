"""The example for MkDocs: a real build of our Markdown, and what would go wrong in it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import html5lib
import pytest

from everyleaf.build import build_site
from everyleaf.config import BuildOptions, Format
from sessions import prompt, reply, write_records

ROOT = Path(__file__).parents[2]
HOSTILE = """\
1. ```
   <script>alert(1)</script>
   ```

- a

      <script>alert(2)</script>

and `<img src=x onerror=alert(3)>`
"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Build the example and a hostile session as Markdown, and that with MkDocs."""
    pytest.importorskip("mkdocs", reason="MkDocs is not installed")
    folder = tmp_path_factory.mktemp("mkdocs")
    archive = folder / "archive"
    shutil.copytree(ROOT / "examples" / "archive", archive)
    name = "0f0e1d2c-0000-4000-8000-00000000abcd"
    project = next((archive / "projects").iterdir())
    said = [prompt("p1", None, "Begin"), reply("r1", "p1", HOSTILE)]
    write_records(project / f"{name}.jsonl", said)
    options = BuildOptions(
        sources=(archive,),
        output_dir=folder / "docs" / "transcripts",
        formats=(Format.MARKDOWN,),
        jobs=1,
    )
    build_site(options, on_progress=lambda *_: None)
    (folder / "docs" / "index.md").write_text("# Home\n")
    for file in ("mkdocs.yml", "hooks.py"):
        shutil.copy(ROOT / "examples" / "mkdocs" / file, folder)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return {
        file.relative_to(folder / "site" / "transcripts").as_posix(): file.read_text()
        for file in (folder / "site" / "transcripts").rglob("*.html")
    }


def content_of(page):
    tree = html5lib.parse(page, namespaceHTMLElements=False)
    return next(one for one in tree.iter("div") if one.get("role") == "main")


def test_each_transcript_is_a_page_with_prompts_folds_and_code(pages):
    shown = [content_of(page) for name, page in pages.items() if "transcript_" in name]

    assert len(shown) == 20
    assert all([*one.iter("h2")] for one in shown)
    assert sum(len([*one.iter("details")]) for one in shown) > 100
    assert sum(len([*one.iter("pre")]) for one in shown) > 100


def test_no_words_of_a_transcript_become_markup(pages):
    (page,) = (page for name, page in pages.items() if "_0f0e1d2c" in name)

    content = content_of(page)
    assert not [*content.iter("script"), *content.iter("img")]
    assert "alert(1)" in "".join(content.itertext())


def test_links_between_transcripts_lead_to_pages(pages):
    linked = 0
    for page in pages.values():
        for link in content_of(page).iter("a"):
            href = link.get("href", "")
            if re.match(r"(?:transcript|agent)_", href):
                assert href.partition("#")[0] in pages
                linked += 1
    assert linked > 10
