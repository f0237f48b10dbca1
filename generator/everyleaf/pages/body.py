"""The conversation of an HTML page: drawn turns, and what only this page says of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.pages import wording
from everyleaf.pages.addresses import relative
from everyleaf.render.anchors import anchor_of
from everyleaf.render.html import NUMBER_MARK
from everyleaf.render.view import (
    BranchView,
    ForkMark,
    OutlineItem,
    OutlineKind,
    Seam,
    TurnBlock,
)
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.graph.forest import Branch, PathRef
    from everyleaf.pages.cuts import Show
    from everyleaf.pages.tour import Family
    from everyleaf.pages.walk import Stop
    from everyleaf.render.view import BodyItem


TURNS_AT_ONCE = 100
"""Turns of an item: some hundred kilobytes."""


class Body(Struct, frozen=True):
    """What stands on a page, in order: turns that follow each other, forks, seams."""

    parts: tuple[tuple[Stop, ...] | ForkMark | Seam, ...]

    def made_of(self) -> list[object]:
        """Return what decides how it looks, as plain data; nothing is drawn for it."""
        return [
            [(stop.drawn.made_of, stop.prompts_before) for stop in part]
            if isinstance(part, tuple)
            else part
            for part in self.parts
        ]

    def items(self, show: Show) -> BodyItems:
        """Return it drawn as a template asks for it, what turns show by `show`."""
        return BodyItems(self, show)


class BodyItems(Collection["BodyItem"]):
    """What stands on a page, each item drawn when it is its turn, and let go then.

    Turns that follow each other are one item, up to `TURNS_AT_ONCE`: templates are slow
    with many items, and a long one takes its memory several times.
    """

    def __init__(self, body: Body, show: Show) -> None:
        """Draw the parts of `body`, turns by `show`, which escapes what they say."""
        self._show = show
        self._parts: list[tuple[Stop, ...] | ForkMark | Seam] = []
        for part in body.parts:
            self._parts += _in_pieces(part) if isinstance(part, tuple) else [part]

    def __len__(self) -> int:
        """Return how many items there are."""
        return len(self._parts)

    def __contains__(self, item: object) -> bool:
        """Return whether `item` is one of them. Draws them."""
        return any(item == one for one in self)

    def __iter__(self) -> Iterator[BodyItem]:
        """Yield the items in order, drawn."""
        for part in self._parts:
            if isinstance(part, tuple):
                yield TurnBlock(Markup("\n".join(map(self._show, part))))  # noqa: S704  (the renderer escaped it)
            else:
                yield part


def _in_pieces(chain: tuple[Stop, ...]) -> Iterator[tuple[Stop, ...]]:
    for start in range(0, len(chain), TURNS_AT_ONCE):
        yield chain[start : start + TURNS_AT_ONCE]


def body_of(
    family: Family, stops: Sequence[Stop], here: str, ref: PathRef | None = None
) -> Body:
    """Return what stands on the page `here`, of the path `ref` if it is one's."""
    forks = 0
    parts: list[tuple[Stop, ...] | ForkMark | Seam] = []
    turns: list[Stop] = []
    for stop in stops:
        if stop.seam is not None:
            _close(parts, turns)
            parts.append(Seam(wording.SEAMS[stop.seam]))
        if stop.drawn.has_html:
            turns.append(stop)
        if stop.branches:
            _close(parts, turns)
            forks += 1
            parts.append(_fork(family, stop, forks, here, ref))
    _close(parts, turns)
    return Body(tuple(parts))


def _close(parts: list[tuple[Stop, ...] | ForkMark | Seam], turns: list[Stop]) -> None:
    if turns:
        parts.append(tuple(turns))
        turns.clear()


def outline(stops: Sequence[Stop]) -> Iterator[OutlineItem]:
    """Yield a line for each prompt with its number, each compaction, fork and git step.

    A pull request stands where it was first named.
    """
    forks = 0
    requested: set[str] = set()
    for stop in stops:
        numbers = {
            anchor: number
            for number, anchor in enumerate(stop.drawn.numbered, stop.prompts_before + 1)
        }
        for item in stop.drawn.outline:
            if item.kind is OutlineKind.PULL_REQUEST:
                if item.words in requested:
                    continue
                requested.add(item.words)
            yield replace(item, number=numbers.get(item.anchor))
        if stop.branches:
            forks += 1
            ways = count_of(len(stop.branches), "way")
            yield OutlineItem(OutlineKind.FORK, f"fork-{forks}", f"Forked {ways}")


def numbered_html(stop: Stop) -> str:
    """Return the turn with the numbers that its prompts have on this page."""
    first, *rest = stop.drawn.html.split(NUMBER_MARK)
    numbered = (
        f"{number}{text}" for number, text in enumerate(rest, stop.prompts_before + 1)
    )
    return "".join([first, *numbered])


def _fork(
    family: Family, stop: Stop, number: int, here: str, ref: PathRef | None
) -> ForkMark:
    branches = (_branch(family, stop, branch, here, ref) for branch in stop.branches)
    return ForkMark(f"fork-{number}", tuple(branches))


def _branch(
    family: Family, stop: Stop, branch: Branch, here: str, ref: PathRef | None
) -> BranchView:
    is_followed = branch.turn == stop.followed
    compared = family.compare_url(ref, branch.path) if ref and not is_followed else ""
    page = family.html_url(family.linked.page_of(branch.path, branch.turn))
    target = "" if is_followed or not page else relative(here, page)
    anchor = anchor_of(branch.uuid) if branch.uuid else "main"
    return BranchView(
        words=visible(branch.words),
        url=f"{target}#{anchor}" if target or is_followed else "",
        status=branch.status,
        messages=branch.messages,
        label=f"Path {branch.path.number}",
        is_followed=is_followed,
        compare_url=relative(here, compared) if compared else "",
    )
