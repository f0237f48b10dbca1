"""Compiled templates are kept between runs, and believed where they are whole and ours."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from jinja2 import DictLoader, Environment

from everyleaf.theming.theme import CompiledTemplates, open_compiled

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CompiledTemplates:
    monkeypatch.setenv("EVERYLEAF_CACHE_DIR", str(tmp_path))
    opened = open_compiled()
    assert opened is not None
    return opened


def draw(compiled: CompiledTemplates, source: str = "{{ word }}!") -> str:
    environment = Environment(
        loader=DictLoader({"page": source}), autoescape=True, bytecode_cache=compiled
    )
    return environment.get_template("page").render(word="<hi>")


def kept(tmp_path: Path) -> Path:
    (file,) = (tmp_path / "templates").iterdir()
    return file


def test_a_template_is_compiled_once(
    tmp_path: Path, compiled: CompiledTemplates, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw(compiled)
    assert kept(tmp_path).stat().st_mode & 0o077 == 0
    monkeypatch.setattr(Environment, "compile", None)

    assert draw(compiled) == "&lt;hi&gt;!"


def test_another_template_of_the_name_is_compiled(compiled: CompiledTemplates) -> None:
    draw(compiled)

    assert draw(compiled, "{{ word }}?") == "&lt;hi&gt;?"


@pytest.mark.parametrize("cut", [0, 10, 40, -1])
def test_a_damaged_file_is_compiled_again(
    tmp_path: Path, compiled: CompiledTemplates, cut: int
) -> None:
    draw(compiled)
    file = kept(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(whole[:cut])

    assert draw(compiled) == "&lt;hi&gt;!"
    assert file.read_bytes() == whole


@pytest.mark.skipif(os.name != "posix", reason="folders are private by inheritance")
def test_a_folder_that_others_may_write_to_is_not_believed(
    tmp_path: Path, compiled: CompiledTemplates
) -> None:
    draw(compiled)
    (tmp_path / "templates").chmod(0o777)

    assert open_compiled() is None


def test_a_folder_that_cannot_be_made_keeps_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("EVERYLEAF_CACHE_DIR", str(tmp_path / "file"))

    assert open_compiled() is None
