"""Archives to be exported: the example, simulated ones, one with planted keys."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from everyleaf.export.run import ExportOptions, export_all
from everyleaf.library import load_archive
from everyleaf.model import Kind
from everyleaf.opening.reading import Scope, families_of
from everyleaf.workers import say_nothing

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "archive"
SIMULATOR = ROOT.parent / "shared" / "tools" / "simulate.py"
FORMS = ("atif", "messages", "pairs", "session", "html")


@pytest.fixture(scope="session", params=["example", "simulated"])
def source(request, tmp_path_factory):
    """Yield a folder with sessions."""
    if request.param == "example":
        return EXAMPLE
    if not SIMULATOR.exists():
        pytest.skip("the simulator is not beside the checkout")
    folder = tmp_path_factory.mktemp("simulated")
    command = [sys.executable, str(SIMULATOR), str(folder), "--seed", "7"]
    subprocess.run([*command, "--sessions", "30"], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def export(tmp_path_factory):
    """Export an archive, once for all tests; return the folder and what was done."""
    known = {}

    def exported(source, form, **more):
        key = (source, form, *sorted(more.items()))
        if key not in known:
            folder = tmp_path_factory.mktemp("export") / form
            options = ExportOptions(form=form, output_dir=folder, **more)
            scope = Scope((source,), redact=options.redact)
            known[key] = (folder, export_all(scope, say_nothing, options))
        return known[key]

    return exported


@pytest.fixture(scope="session")
def said_on(source):
    """Return, by path, the uuids of the conversation records on it."""
    archive = load_archive(source)
    return {
        (ref.session, ref.number): {
            placed.envelope.uuid
            for key in work.tree.chain(leaf)
            for placed in work.tree.turns[key].records
            if placed.kind is not Kind.NOTE
        }
        for work in families_of(archive)
        for ref, leaf in work.tree.leaves.items()
    }
