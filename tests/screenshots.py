"""The picture of the README, taken anew of the example archive.

    PYTHONPATH=tests python -m screenshots      # just screenshots

It needs a Chromium, as tests in a browser do.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from chromium import find_chromium
from everyleaf.build import build_site
from everyleaf.config import BuildOptions

EXAMPLES = Path(__file__).parents[1] / "examples"
PAGE = "transcripts/transcript_79ed1050-ccef-45dc-8af9-83a96646ca71_path4.html#fork-1"


def main() -> None:
    """Build the example, and write a picture of a transcript where it forks."""
    with TemporaryDirectory() as made, sync_playwright() as playwright:
        options = BuildOptions(
            sources=(EXAMPLES / "archive",),
            output_dir=Path(made) / "site",
            title="everyleaf: an example",
        )
        build_site(options, on_progress=lambda *_: None)
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{options.output_dir.as_uri()}/{PAGE}")
        page.wait_for_timeout(500)
        page.screenshot(path=EXAMPLES / "screenshots" / "transcript.png")
        browser.close()


if __name__ == "__main__":
    main()
