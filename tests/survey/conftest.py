"""A home folder to write sessions into."""

from __future__ import annotations

import pytest

from survey.made import Home


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path / ".claude")
