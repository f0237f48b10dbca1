"""A repository to work in, and what is known of where its lines come from."""

from __future__ import annotations

import shutil

import pytest

from why.made import World, answers_of


@pytest.fixture
def world(tmp_path):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    return World(tmp_path)


@pytest.fixture
def ask():
    """Return what is found of a file, and the answer to each of its lines, in order."""
    return answers_of
