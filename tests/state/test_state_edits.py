"""State never changes a byte: after any edits, a site is what a clean build makes."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from hypothesis import given, settings, strategies as st

from sessions import line, write_session
from state.building import build, contents

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = ("one", "two", "three")
EDIT = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.integers(1, 4)),
    st.tuples(st.just("fork"), st.sampled_from(NAMES), st.integers(0, 3)),
    st.tuples(st.just("copy"), st.sampled_from(NAMES), st.integers(0, 3)),
    st.tuples(st.just("cut"), st.sampled_from(NAMES), st.integers(1, 300)),
    st.tuples(st.just("spoil"), st.sampled_from(NAMES), st.integers(0, 40)),
    st.tuples(st.just("build"), st.just(""), st.integers(0, 1)),
)


def apply(folder: Path, edit: tuple[str, str, int]) -> None:
    """Make one edit to the archive in `folder`."""
    kind, name, number = edit
    file = folder / f"{name}.jsonl"
    body = file.read_bytes() if file.exists() else b""
    match kind:
        case "write":
            write_session(folder, name, number, prefix=name[:2])
        case "fork":
            parent = f"{name[:2]}a{number:07}-0000"
            fork = line("user", f"fork{number}{name}-0000", parent, 50, f"fork {number}")
            file.write_bytes(body + fork.encode())
        case "copy":
            (folder / f"copy-{number}.jsonl").write_bytes(body or b"{}\n")
        case "cut":
            file.write_bytes(body[:-number])
        case _:
            file.write_bytes(body[:number] + b"\0" + body[number:])


@settings(max_examples=12)
@given(st.lists(EDIT, max_size=8))
def test_any_edits_with_state_give_the_bytes_of_a_clean_build(
    edits: Sequence[tuple[str, str, int]],
) -> None:
    with TemporaryDirectory() as place:
        folder = Path(place) / "projects" / "-w-app"
        write_session(folder, "always", 2, prefix="al")
        build(folder, Path(place) / "site")
        for edit in edits:
            if edit[0] == "build":
                build(folder, Path(place) / "site", title=f"Title {edit[2]}")
            else:
                apply(folder, edit)
        build(folder, Path(place) / "site", is_pruned=True)
        # What an earlier build published may lead on from there: it had these addresses.
        shutil.copytree(Path(place) / "site", Path(place) / "clean")

        build(folder, Path(place) / "clean", is_pruned=True, has_cache=False)

        assert contents(Path(place) / "site") == contents(Path(place) / "clean")
