from __future__ import annotations

import pytest
from pygments.lexers import (
    find_lexer_class_by_name,
    find_lexer_class_for_filename,
    get_all_lexers,
)

from everyleaf.render.highlight import find_lexer

LISTED = sorted(get_all_lexers(plugins=False))
ALIASES = [alias for _, aliases, _, _ in LISTED for alias in aliases]
PATTERNS = {pattern for _, _, patterns, _ in LISTED for pattern in patterns}
OF_FILES = sorted(
    pattern.replace("*", "a.b").replace("?", "x").replace("[0-9]", "7")
    for pattern in PATTERNS
    if "[" not in pattern.replace("[0-9]", "")
)


def test_every_alias_leads_where_pygments_says() -> None:
    found = [find_lexer(alias) for alias in ALIASES]

    assert found == [find_lexer_class_by_name(alias) for alias in ALIASES]
    assert len(found) > 500


def test_every_kind_of_file_leads_where_pygments_says() -> None:
    names = [name for name in OF_FILES if name.lower() not in ALIASES]

    found = [find_lexer(f"src/{name}") for name in names]

    assert found == [find_lexer_class_for_filename(name) for name in names]
    assert len(found) > 500


@pytest.mark.parametrize(
    "name", ["CMakeLists.txt", "a.tar.gz", ".bashrc", "Makefile", "x.d.ts", "a.h", "a.PY"]
)
def test_names_that_fit_several_patterns_or_none_do_so_too(name: str) -> None:
    assert find_lexer(f"/home/u/{name}") == find_lexer_class_for_filename(name)


def test_an_alias_is_found_however_it_is_written() -> None:
    assert find_lexer("Python") == find_lexer("python") is not None


def test_what_nobody_knows_has_no_lexer() -> None:
    assert find_lexer("no such language") is None
