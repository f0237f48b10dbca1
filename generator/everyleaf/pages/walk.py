"""A path as its pages show it: turn by turn, with forks, seams and prompt numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from everyleaf.graph.forest import Status
from everyleaf.model import Kind

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from everyleaf.graph.forest import Branch, ConversationPath, PathRef, SeamKind, Turn
    from everyleaf.pages.drawing import TurnDrawer
    from everyleaf.pages.facts import PathFacts
    from everyleaf.pages.fragments import TurnFragment
    from everyleaf.pages.work import FamilyWork, PathWork, TurnKey, TurnTree


Owner = TypeVar("Owner")


class PageTurn(Struct, frozen=True):
    """One turn on the way, and what stands before and after it."""

    key: TurnKey
    turn: Turn
    fragment: TurnFragment
    prompts_before: int
    """Numbered prompts on the path before this turn."""
    seam: SeamKind | None
    branches: tuple[Branch, ...]
    """Ways on after it; none: no fork."""
    followed: TurnKey | None
    """The next turn of the path."""

    def numbered(self, text: str, mark: str) -> str:
        """Return `text`, drawn of it, with the number of a prompt for each `mark`."""
        first, *rest = text.split(mark)
        numbers = enumerate(rest, self.prompts_before + 1)
        return "".join([first, *(f"{number}{part}" for number, part in numbers)])


def walk(tree: TurnTree, leaf: TurnKey, drawer: TurnDrawer) -> list[PageTurn]:
    """Return the turns of the path that ends in `leaf`, from its root on."""
    return walk_along(tree, tree.chain(leaf), drawer)


def walk_along(
    tree: TurnTree, keys: Sequence[TurnKey], drawer: TurnDrawer, *, prompts: int = 0
) -> list[PageTurn]:
    """Return the turns of a page that holds the turns `keys`, each below the one before.

    `prompts` is the number of numbered prompts on the path before them.
    """
    page_turns: list[PageTurn] = []
    for key, fragment, followed in zip(
        keys, drawer.page(keys), [*keys[1:], None], strict=True
    ):
        turn = tree.turns[key]
        branches = tree.branches.get(key, ())
        page_turns.append(
            PageTurn(key, turn, fragment, prompts, turn.seam, branches, followed)
        )
        prompts += len(fragment.numbered)
    return page_turns


def climb(
    tree: TurnTree, key: TurnKey, known: Container[TurnKey] = ()
) -> Iterator[TurnKey]:
    """Yield `key` and the turns above it, towards the root, up to one that is `known`."""
    at: TurnKey | None = key
    while at is not None and at not in known:
        yield at
        at = tree.parents[at]


def own_turns(
    tree: TurnTree, leaf: TurnKey, path: ConversationPath
) -> tuple[TurnKey | None, list[TurnKey]]:
    """Return the turn that holds the fork point of `path`, and those behind it, in order.

    None, and no turn, where the path shares nothing. Cost: that of its own turns.
    """
    own: list[TurnKey] = []
    for key in climb(tree, leaf) if path.fork_point is not None else ():
        if any(one.envelope.uuid == path.fork_point for one in tree.turns[key].records):
            return key, own[::-1]
        own.append(key)
    return None, []


def turns_below(tree: TurnTree, leaf: TurnKey, above: TurnKey) -> list[TurnKey]:
    """Return the turns of the path to `leaf` that come after `above`, in order."""
    return list(climb(tree, leaf, (above,)))[::-1]


def first_message(turn: Turn) -> str:
    """Return the uuid of the first conversation record of `turn`, else of its first."""
    for placed in turn.records:
        if placed.kind is not Kind.NOTE:
            return placed.envelope.uuid
    return turn.records[0].envelope.uuid if turn.records else ""


def first_words_of(turns: Sequence[Turn], *kinds: Kind) -> str:
    """Return the first words of the first record of the first of `kinds` that says any."""
    for kind in kinds:
        for turn in turns:
            for placed in turn.records:
                if placed.kind is kind and placed.envelope.words:
                    return placed.envelope.words
    return ""


def first_paths(tree: TurnTree, paths: Iterable[PathWork]) -> dict[TurnKey, int]:
    """Return the number of the first of `paths`, in their order, that each turn is on."""
    return first_owners(tree, ((item.leaf, item.path.number) for item in paths))


def first_owners(
    tree: TurnTree, owners: Iterable[tuple[TurnKey, Owner]]
) -> dict[TurnKey, Owner]:
    """Return the first of `owners`, given as (last turn, owner), that each turn is on.

    Linear in the number of turns: a path is followed up to the first turn that is known.
    """
    first_on: dict[TurnKey, Owner] = {}
    for leaf, owner in owners:
        for key in climb(tree, leaf, first_on):
            first_on[key] = owner
    return first_on


def index_paths(work: FamilyWork) -> Mapping[PathRef, ConversationPath]:
    """Return the kept paths of the group by session and number."""
    return {item.path.ref: item.path for session in work.sessions for item in session.paths}


def index_leaves(work: FamilyWork) -> Mapping[PathRef, TurnKey]:
    """Return the last turn of each kept path of the group."""
    return {item.path.ref: item.leaf for session in work.sessions for item in session.paths}


def rank(path: ConversationPath | PathFacts) -> tuple[bool, bool, int]:
    """Return what decides which path stands for a shared turn: the least does.

    ACTIVE before ABANDONED, then one whose page shows what it shares, then the lowest.
    """
    return (path.status is not Status.ACTIVE, path.is_withdrawn, path.number)
