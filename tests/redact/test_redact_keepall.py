from __future__ import annotations

from everyleaf.redact import KeepAll, Redactor


def test_redactor_that_keeps_all_changes_nothing():
    redactor: Redactor = KeepAll()
    raw: dict[str, object] = {"type": "user", "message": {"content": "my words"}}

    assert redactor.record(raw) is raw
    assert redactor.text("my words") == "my words"
