"""The Markdown file of a path, and of a subagent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.config import SharedPrefix
from everyleaf.graph.forest import Status
from everyleaf.pages import wording
from everyleaf.pages.addresses import relative
from everyleaf.pages.comparefiles import inside
from everyleaf.pages.frontmatter import path_front_matter
from everyleaf.pages.markdownhead import total_blocks, total_lines
from everyleaf.pages.prefixes import SHARED_BUDGET
from everyleaf.pages.walk import first_message
from everyleaf.render.markdown import MARKDOWN_NUMBER_MARK
from everyleaf.render.markdown_text import literal
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.graph.forest import Branch, PathRef
    from everyleaf.pages.cuts import Show
    from everyleaf.pages.tour import Family, Tour
    from everyleaf.pages.walk import Stop

TITLE = "# CLAUDE CODE SESSION TRANSCRIPT"
UNREDACTED = (
    "> **Not redacted.** Nobody looked for secrets in this file. Do not publish it."
)
COMPACTED = (
    "**Contains Compact Operation(s)** - Full conversation including compacted segments"
)


class MarkdownPage(Struct, frozen=True):
    """A Markdown file, block by block; what the turns show is not drawn yet."""

    blocks: tuple[str | Stop, ...]

    def made_of(self) -> list[object]:
        """Return what decides how it looks, as plain data; nothing is drawn for it."""
        return [
            block if isinstance(block, str) else (block.drawn.made_of, block.prompts_before)
            for block in self.blocks
        ]

    def text(self, show: Show) -> str:
        """Return the file, drawn, what turns show by `show`."""
        drawn = (b if isinstance(b, str) else show(b) for b in self.blocks)
        return "\n\n".join(drawn) + "\n"


def transcript_markdown(tour: Tour, url: str) -> MarkdownPage:
    """Return the Markdown file of a path, not drawn yet; `url` is its address."""
    has_front_matter = tour.family.settings.has_front_matter
    before = [path_front_matter(tour)] if has_front_matter else []
    header, summary = "\n".join(_header(tour)), "\n".join(_summary(tour, url))
    blocks: list[str | Stop] = [*before, TITLE, header, summary]
    blocks.extend(total_blocks(tour.totals))
    if not tour.family.settings.is_redacted:
        blocks.insert(len(before) + 1, UNREDACTED)
    if tour.is_linked:
        blocks.append(_shared_note(tour, url))
    blocks.extend(body_markdown(tour.family, tour.shown, url))
    return MarkdownPage(tuple(blocks))


def _header(tour: Tour) -> Iterator[str]:
    """Yield the lines that say which conversation this is; the format is fixed."""
    path = tour.path
    yield f"Session ID: {literal(visible(path.session))}"
    yield f"Path: {path.number} of {path.of}"
    yield f"Status: {path.status}"
    if path.status is Status.ABANDONED:
        fork_point = path.fork_point or "none (a conversation of its own)"
        yield f"Fork Point: {literal(visible(fork_point))}"
    if path.compactions:
        yield COMPACTED
    yield f"Total Messages: {path.messages}"


def _summary(tour: Tour, url: str) -> Iterator[str]:
    """Yield the rest of the head as a list, one fact a line."""
    path, totals = tour.path, tour.totals
    facts = (
        ("Shown", wording.shown(tour.family.settings.detail, tour.family.settings.without)),
        ("Title", literal(visible(path.title))),
        ("Attempt", literal(visible(path.label)) if path.label else ""),
        ("Project", literal(visible(tour.session.project))),
        ("When", wording.when(path.started, path.ended, totals.days)),
        *total_lines(totals, tour.with_agents),
        ("Why", literal(visible(path.reason))),
        ("Taken over by", _link_to(tour, path.taken_over_by, url)),
        ("Previous path", _neighbour(tour, -1, url)),
        ("Next path", _neighbour(tour, 1, url)),
    )
    yield from (f"- {name}: {value}" for name, value in facts if value)
    for copy in path.contains:
        text = wording.contained_copy(
            copy.title, copy.path.session, copy.path.number, copy.messages
        )
        yield f"- Contains the copy: {literal(visible(text))}"
    for other in path.diverged:
        link = _link_to(tour, other.path, url)
        shared = count_of(other.shared, "message")
        yield f"- Shares {shared} with a session that went on by itself: {link}"


def _neighbour(tour: Tour, step: int, url: str) -> str:
    refs = [item.path.ref for item in tour.session.paths]
    at = refs.index(tour.path.ref) + step
    return _link_to(tour, refs[at], url) if 0 <= at < len(refs) else ""


def _link_to(tour: Tour, ref: PathRef | None, here: str) -> str:
    """Return a link to another path, or its name where it has no file."""
    if ref is None:
        return ""
    target = tour.family.markdown_url(ref)
    text = f"Path {ref.number}"
    if ref.session != tour.path.session:
        text += f" of session {literal(visible(ref.session))}"
    return f"[{text}]({relative(here, target)})" if target else text


def _shared_note(tour: Tour, url: str) -> str:
    """Return where the part stands that this file leaves out."""
    path, left_out = tour.path, tour.left_out
    over = left_out.host if left_out else path.taken_over_by
    messages = left_out.messages if left_out else path.shared
    target = tour.family.markdown_url(over) if over else ""
    place = _place_of(tour.above) if tour.above else ""

    def linked(text: str) -> str:
        return f"[{text}]({relative(url, target)}{place})" if target else text

    if path.is_withdrawn:
        shared = linked(f"{count_of(messages, 'message')} before it")
        where = "the path that took over"
        if over and over != path.taken_over_by:
            where = inside(literal(visible(wording.path_of(over, path.session))))
        return f"*Withdrawn before it was answered; see {shared} in {where}.*"
    name = linked(literal(visible(wording.path_of(over, path.session)))) if over else ""
    last = format_count(messages)
    note = f"Messages 1\N{EN DASH}{last} are shared with {name} and stand there."
    if tour.family.settings.shared_prefix is SharedPrefix.AUTO:
        budget = count_of(SHARED_BUDGET, "message")
        note += f" The paths of this session share more than {budget}, so they are linked."
    return f"*{note}*"


def _place_of(stop: Stop) -> str:
    """Return how a link goes to a turn; empty where it shows nothing."""
    anchor = stop.drawn.anchors.get(first_message(stop.turn), "")
    return f"#{anchor}" if stop.drawn.has_markdown and anchor else ""


def body_markdown(
    family: Family, stops: tuple[Stop, ...], url: str
) -> Iterator[str | Stop]:
    """Yield the conversation, block by block."""
    for stop in stops:
        if stop.seam is not None:
            yield f"*⚠ {wording.SEAMS[stop.seam]}*"
        if stop.drawn.has_markdown:
            yield stop
        if stop.branches:
            yield _fork(family, stop, url)


def numbered_markdown(stop: Stop) -> str:
    """Return the turn with the numbers that its prompts have on this path."""
    first, *rest = stop.drawn.markdown.split(MARKDOWN_NUMBER_MARK)
    numbered = (
        f"{number}{text}" for number, text in enumerate(rest, stop.prompts_before + 1)
    )
    return "".join([first, *numbered])


def _fork(family: Family, stop: Stop, url: str) -> str:
    lines = [_branch(family, stop, branch, url) for branch in stop.branches]
    return "\n".join(["**The conversation forked here:**", "", *lines])


def _branch(family: Family, stop: Stop, branch: Branch, url: str) -> str:
    """Return a way on without its length: a path that grows changes no other file."""
    words = literal(visible(branch.words), starts_block=True) or "(no words)"
    if branch.turn == stop.followed:
        return f"- {words} ← this path"
    target = family.markdown_url(branch.path)
    name = f"Path {branch.path.number}"
    link = f"[{name}]({relative(url, target)})" if target else name
    return f"- {words} ({branch.status}, {link})"
