"""Claude Code itself resumes what `export --as session` writes. Needs npm and tmux."""

from __future__ import annotations

import json

import pytest

from everyleaf.cli.command import everyleaf, run
from revise.shapes import Writer
from revise.terminal import Claude, install
from revise.test_revise_real import MACHINE, NEWEST, REGEX
from sessions import write_records

pytestmark = pytest.mark.long


def test_each_path_is_a_session_that_ends_with_its_last_words(tmp_path):
    claude = Claude(install(NEWEST), tmp_path / "home")
    session = "66e54b32-0000-4000-8000-000000000001"
    trunk, first, second = Writer(session, str(claude.cwd)).fork()
    source = tmp_path / "archive"
    write_records(
        source / "projects/-w-app" / f"{session}.jsonl", [*trunk, *first, *second]
    )
    out = tmp_path / "out"

    done = run(
        everyleaf,
        ["export", "--all", "--as", "session", "-o", str(out), "--source", str(source)],
    )

    exported = sorted(out.rglob("*.jsonl"))
    ends = set()
    for file in exported:
        name = json.loads(file.read_text().splitlines()[0])["sessionId"]
        (claude.project / f"{name}.jsonl").write_bytes(file.read_bytes())
        ends.add(claude.resumed(name)[-1])
    assert done == 0
    assert len(exported) == 2
    assert ends == {MACHINE, REGEX}
    assert len(claude.titles()) == 2
