"""Names of paths: what is unique is enough, and what is not says what would be."""

from __future__ import annotations

import pytest

from everyleaf.errors import SourceError
from everyleaf.graph.forest import Contained, ConversationPath, PathRef, Status
from everyleaf.opening.named import PathFinder, split_number


def path(
    session: str,
    number: int,
    *,
    leaf: str,
    is_active: bool = True,
    contains: tuple[Contained, ...] = (),
) -> ConversationPath:
    return ConversationPath(
        session=session,
        number=number,
        of=2,
        status=Status.ACTIVE if is_active else Status.ABANDONED,
        reason="",
        title="",
        label="",
        fork_point=None,
        shared=0,
        taken_over_by=None,
        is_withdrawn=False,
        is_merged_copy=False,
        compactions=0,
        messages=1,
        prompts=1,
        started="",
        ended="",
        inferred=0,
        contains=contains,
        diverged=(),
        leaf_uuid=leaf,
    )


COPY = Contained(PathRef("old", 1), PathRef("ab12", 2), Status.ACTIVE, "", 1, "77aa")
PATHS = [
    path("ab12", 1, leaf="1111", is_active=False),
    path("ab12", 2, leaf="12ff", contains=(COPY,)),
    path("ab", 1, leaf="abcd"),
    path("cd34", 1, leaf="2222", is_active=False),
]
FINDER = PathFinder({each.ref: each for each in PATHS})


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("ab12:1", PathRef("ab12", 1)),
        ("ab1:2", PathRef("ab12", 2)),
        ("ab12", PathRef("ab12", 2)),
        ("ab:1", PathRef("ab", 1)),
        ("cd", PathRef("cd34", 1)),
        ("ab", PathRef("ab", 1)),
        ("111", PathRef("ab12", 1)),
        ("old:1", PathRef("ab12", 2)),
        ("old", PathRef("ab12", 2)),
        ("77", PathRef("ab12", 2)),
    ],
)
def test_a_name_that_fits_one_path_finds_it(name, found):
    assert FINDER.find(name).ref == found


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("zz", "no session fits 'zz'", "`everyleaf list`"),
        ("", "no session fits ''", "--source"),
        (":2", "no session fits ':2'", "--source"),
        ("1", "'1' fits 2 paths", "ab12:1, ab12:2"),
        ("a", "'a' fits 3 paths", "ab, ab12, ab:1"),
        ("ab12:7", "session 'ab12' has no path 7", "it has 1, 2"),
    ],
)
def test_a_name_that_fits_none_or_several_says_what_to_do(name, message, hint):
    with pytest.raises(SourceError) as caught:
        FINDER.find(name)

    assert caught.value.message == message
    assert hint in caught.value.hint


def test_a_number_follows_the_last_colon():
    assert split_number("a:b:12") == ("a:b", 12)
    assert split_number("a:b") == ("a:b", None)
    assert split_number("a:²") == ("a:²", None)
