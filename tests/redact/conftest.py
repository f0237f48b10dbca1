from __future__ import annotations

import pytest

from everyleaf.cachedir import default_cache_dir
from everyleaf.redact.detect import open_detector
from redact.making import RANDOM


@pytest.fixture(scope="session")
def detector():
    return open_detector(default_cache_dir() / "rules")


@pytest.fixture(autouse=True)
def same_values(request):
    """Make the same values in each run of a test, whatever ran before it."""
    RANDOM.seed(request.node.nodeid)
