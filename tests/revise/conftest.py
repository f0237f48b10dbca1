"""A session to change, and a place for backups."""

from __future__ import annotations

import pytest

from revise.made import Session


@pytest.fixture
def session(tmp_path, monkeypatch):
    monkeypatch.setenv("EVERYLEAF_BACKUP_DIR", str(tmp_path / "backups"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.setattr("everyleaf.revise.session.SETTLED_SECONDS", 0)
    return Session(tmp_path / "claude")
