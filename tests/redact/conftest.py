from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from everyleaf.redact.scanner import Scanner

if TYPE_CHECKING:
    from collections.abc import Iterator

SCAN = Scanner.scan
"""The real one: the suites around this one keep the scanner from being started."""


@pytest.fixture(scope="module")
def scanner() -> Iterator[None]:
    """Let the secret scanner start, for fixtures and tests that ask for it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Scanner, "scan", SCAN)
        yield
