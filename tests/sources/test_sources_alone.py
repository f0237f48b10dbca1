"""A session that is named by its id is found without a look into those of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from everyleaf.sources.discover import find_named, find_sources
from everyleaf.sources.lines import Head

EXAMPLE = Path(__file__).parents[2] / "examples" / "archive"
SESSIONS = sorted({file.session for file in find_sources([EXAMPLE]).files})


@pytest.mark.parametrize("length", [6, 36])
@pytest.mark.parametrize("session", SESSIONS)
def test_it_has_the_files_that_it_has_among_all(session, length):
    found, fitting = find_named(session[:length], [EXAMPLE])
    alone, fitting_alone = find_named(session[:length], [EXAMPLE], is_alone=True)

    assert fitting_alone == fitting
    names = {one.session for one in fitting}
    assert [f for f in alone.files if f.session in names] == [
        f for f in found.files if f.session in names
    ]


def test_files_of_others_are_not_opened(tmp_path, monkeypatch):
    uuid = "00000000-0000-4000-8000-00000000000{}"
    project = tmp_path / "projects" / "p"
    (project / uuid.format(2) / "subagents").mkdir(parents=True)
    for name in (uuid.format(1), uuid.format(2), f"{uuid.format(2)}/subagents/agent-a"):
        (project / f"{name}.jsonl").write_text('{"type": "user", "uuid": "u"}\n')
    opened: list[Path] = []
    read = Head.__init__

    def reading(self, location):
        opened.append(location)
        read(self, location)

    monkeypatch.setattr(Head, "__init__", reading)

    find_named(uuid.format(1), [tmp_path], is_alone=True)

    assert [at.stem for at in opened] == [uuid.format(1)]
