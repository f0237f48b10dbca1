from __future__ import annotations

import pytest

from everyleaf.cachedir import default_cache_dir
from everyleaf.redact.detect import open_detector


@pytest.fixture(scope="session")
def detector():
    return open_detector(default_cache_dir() / "rules")
