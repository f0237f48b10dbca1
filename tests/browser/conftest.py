"""Pages in a real browser: Chromium, where there is one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from browser.page import write_page
from everyleaf.build import build_site
from everyleaf.config import BuildOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Page


expect.set_options(timeout=30_000)
"""Milliseconds: on a busy machine five seconds are too few."""

AXE = {"rules": {"target-size": {"enabled": True}}}
"""For axe: with what WCAG 2.2 adds, which it leaves off by itself."""


@dataclass(slots=True)
class Reader:
    """Someone at a browser, who opens the page of `browser.page` from a folder on disk."""

    browser: Browser
    url: str
    troubles: list[str] = field(default_factory=list)
    """Errors and warnings of the console, and errors of scripts."""
    contexts: list[BrowserContext] = field(default_factory=list)

    def open(
        self,
        *,
        width: int = 1280,
        scheme: str = "light",
        runs_scripts: bool = True,
        at: str = "",
    ) -> Page:
        context = self.browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
            java_script_enabled=runs_scripts,
        )
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.goto(f"{self.url}{at}")
        return page

    def _note(self, kind: str, text: str) -> None:
        if kind in {"error", "warning"}:
            self.troubles.append(text)


@pytest.fixture(scope="session")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="session")
def example_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the example archive, built; not to be changed."""
    return build_example(tmp_path_factory.mktemp("example") / "site", "default")


@pytest.fixture(scope="session")
def plain_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the example archive in the plain theme; not to be changed."""
    return build_example(tmp_path_factory.mktemp("plain") / "site", "plain")


def build_example(output_dir: Path, theme: str) -> Path:
    options = BuildOptions(
        sources=(Path(__file__).parents[2] / "examples" / "archive",),
        output_dir=output_dir,
        jobs=1,
        theme=theme,
    )
    build_site(options, on_progress=lambda *_: None)
    return output_dir


@pytest.fixture
def reader(browser: Browser, page_file: Path) -> Iterator[Reader]:
    someone = Reader(browser, page_file.as_uri())
    yield someone
    for context in someone.contexts:
        context.close()
