"""A site is shown to whoever approves it before anything of it is in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from everyleaf.build import build_site
from everyleaf.config import BuildOptions
from everyleaf.errors import OutputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from everyleaf.report import Draft

SESSION = "2d394510-3420-491c-88d4-6877083ba9a7"


def build(source: Path, output_dir: Path, approve: Callable[[Draft], None]) -> None:
    options = BuildOptions(
        sources=(source,), output_dir=output_dir, sessions=(SESSION,), jobs=1
    )
    build_site(options, on_progress=lambda *_: None, approve=approve)


def refuse(_draft: Draft) -> None:
    raise OutputError("not published")


def test_what_is_refused_leaves_no_folder_behind(
    example_archive: Path, tmp_path: Path
) -> None:
    with pytest.raises(OutputError, match="not published"):
        build(example_archive, tmp_path / "new/deep/site", refuse)

    assert list(tmp_path.iterdir()) == []


def test_what_is_refused_leaves_a_folder_that_was_there_as_it_was(
    example_archive: Path, tmp_path: Path
) -> None:
    (tmp_path / "site/.git").mkdir(parents=True)

    with pytest.raises(OutputError, match="not published"):
        build(example_archive, tmp_path / "site", refuse)

    assert [file.name for file in (tmp_path / "site").iterdir()] == [".git"]


def test_where_nothing_has_changed_a_person_is_asked_again(
    example_archive: Path, tmp_path: Path
) -> None:
    build(example_archive, tmp_path / "site", lambda _draft: None)

    with pytest.raises(OutputError, match="not published"):
        build(example_archive, tmp_path / "site", refuse)

    assert (tmp_path / "site/index.html").is_file()


def test_a_draft_holds_every_file_of_the_site_new_or_kept(
    example_archive: Path, tmp_path: Path
) -> None:
    seen: list[tuple[Draft, set[str]]] = []

    def look(draft: Draft) -> None:
        seen.append((draft, {url for url, file in draft.files.items() if file.is_file()}))

    for _ in range(2):
        build(example_archive, tmp_path / "site", look)

    files = {
        file.relative_to(tmp_path / "site").as_posix()
        for file in (tmp_path / "site").rglob("*")
        if file.is_file()
    }
    assert len(seen) == 2
    for draft, there in seen:
        assert there == files - {"manifest.json"}
        assert (len(draft.sums.projects), draft.sums.sessions) == (1, 1)
        assert draft.sums.paths >= 1
