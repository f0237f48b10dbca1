"""Chromium, where there is one: started once for all tests that need it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

IS_REQUIRED = os.environ.get("EVERYLEAF_REQUIRE_BROWSER") == "1"


def find_chromium() -> str | None:
    """Return the browser in `$CHROMIUM`, else the system's Chromium, if there is one."""
    named = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
    return named if Path(named).is_file() else None


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    executable = find_chromium()
    if executable is None:
        reason = "no Chromium here: set CHROMIUM to one, or install it as /usr/bin/chromium"
        if IS_REQUIRED:
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (only with a browser)

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()
