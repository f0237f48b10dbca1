"""A home folder to write sessions into."""

from __future__ import annotations

import pytest

from sessions import Home


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path / ".claude")
