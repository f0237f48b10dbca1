"""What stands between a build and the public."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from everyleaf.cli.build import iter_summary
from everyleaf.report import Draft
from everyleaf.state.groups import GroupSums

if TYPE_CHECKING:
    from pathlib import Path


def test_without_a_terminal_a_public_site_needs_yes(call, stand_in):
    code, _, err = call("build", "logs", "--public")

    assert code == 1
    assert "no terminal" in err
    assert "--yes" in err
    assert "projects: 1, sessions: 2, paths: 3" in err
    assert stand_in.asked[0].is_public


def test_with_yes_the_summary_is_printed_and_nothing_asked(call, stand_in):  # noqa: ARG001  (in place of a build)
    code, out, err = call("build", "logs", "--public", "--yes")

    assert code == 0
    assert "masked: email 4" in err
    assert "wrote" in out


@pytest.mark.parametrize(("answer", "expected"), [(True, 0), (False, 1)])
def test_at_a_terminal_a_person_decides(call, stand_in, monkeypatch, answer, expected):  # noqa: ARG001  (in place of a build)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("click.confirm", lambda *_args, **_options: answer)

    code, _, err = call("build", "logs", "--public")

    assert code == expected
    assert ("not published" in err) is not answer


def test_without_public_nothing_is_asked(call, stand_in):  # noqa: ARG001  (in place of a build)
    assert call("build", "logs")[0] == 0


def test_files_that_hosts_refuse_are_named(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("everyleaf.cli.build.MOST_BYTES", 4)
    monkeypatch.setattr("everyleaf.cli.build.MOST_FILE_BYTES", 4)
    (tmp_path / "big.png").write_bytes(b"12345")

    told = "\n".join(
        iter_summary(Draft({"big.png": tmp_path / "big.png"}, GroupSums(), {}))
    )

    assert "images, which nothing looks into: 1" in told
    assert "masked: nothing" in told
    assert "big.png: 0.0 MB, more than the" in told
    assert told.count("that some hosts take") == 2
