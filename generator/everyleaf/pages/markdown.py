"""The Markdown file of a path, and of a subagent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.clock import parse_timestamp
from everyleaf.config import SharedPrefix
from everyleaf.graph.forest import Status
from everyleaf.pages import wording
from everyleaf.pages.addresses import relative
from everyleaf.pages.forks import SHARED_BUDGET
from everyleaf.pages.transcript import TOLD
from everyleaf.pages.walk import first_message
from everyleaf.pages.wording import commit_views, inside
from everyleaf.render.markdown import MARKDOWN_NUMBER_MARK
from everyleaf.render.markdown_parts import details
from everyleaf.render.markdown_text import cell, literal
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.graph.forest import Branch, PathRef
    from everyleaf.pages.cuts import Show
    from everyleaf.pages.pathpage import AgentTour, Family, Tour
    from everyleaf.pages.sums import WithAgents
    from everyleaf.pages.walk import Stop
    from everyleaf.transcript.pathfacts import PathFacts

TITLE = "# CLAUDE CODE SESSION TRANSCRIPT"
UNREDACTED = (
    "> **Not redacted.** Nobody looked for secrets in this file. Do not publish it."
)
COMPACTED = (
    "**Contains Compact Operation(s)** - Full conversation including compacted segments"
)
_SPECIAL = re.compile(r'[\\"]')
TAG = "claude-code"


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


def agent_markdown(tour: AgentTour, url: str) -> MarkdownPage:
    """Return the Markdown file of an agent, not drawn yet; `url` is its address."""
    agent, totals = tour.agent, tour.totals
    header = (
        f"Session ID: {literal(visible(agent.session))}",
        f"Agent: {literal(visible(agent.agent_id))}",
        f"Total Messages: {agent.messages}",
    )
    settings = tour.family.settings
    facts = (
        ("Shown", wording.shown(settings.detail, settings.without)),
        ("Task", literal(tour.title)),
        ("Type", literal(visible(agent.agent_type))),
        ("Source", TOLD if agent.is_told else ""),
        ("When", wording.when(agent.started, agent.ended, totals.days)),
        *total_lines(totals, tour.with_agents),
    )
    summary = "\n".join(f"- {name}: {value}" for name, value in facts if value)
    before = [agent_front_matter(tour)] if settings.has_front_matter else []
    title = TITLE.replace("SESSION", "SUBAGENT")
    head = ["\n".join(header), summary, *total_blocks(totals)]
    blocks: list[str | Stop] = [*before, title, *head]
    if not settings.is_redacted:
        blocks.insert(len(before) + 1, UNREDACTED)
    blocks.extend(body_markdown(tour.family, tour.stops, url))
    for number, stops in enumerate(tour.runs, 2):
        length = count_of(sum(len(stop.turn.records) for stop in stops), "record")
        blocks.append(f"# RUN {number}\n\n{length} that no earlier run has.")
        blocks.extend(body_markdown(tour.family, stops, url))
    return MarkdownPage(tuple(blocks))


def total_lines(
    totals: PathFacts, with_agents: WithAgents | None
) -> Iterator[tuple[str, str]]:
    """Yield (name, value as Markdown) of each fact; a value may be empty."""
    yield "Working time", wording.working(totals)
    yield "Prompts", f"{totals.prompts:,}"
    yield "Replies", f"{totals.replies:,}"
    yield "Tool calls", literal(wording.calls(totals))
    yield "Models", literal(visible(wording.models(totals.models)))
    yield "Tokens", wording.tokens(totals.usage)
    if with_agents is not None:
        name = f"With {count_of(with_agents.agents, 'agent')}"
        yield name, literal(visible(wording.with_agents(with_agents.totals)))
    yield "Git branch", literal(visible(totals.branch))
    yield "Claude Code", literal(visible(totals.version))


def total_blocks(totals: PathFacts) -> Iterator[str]:
    """Yield the list of files touched and that of steps in git, where there are any."""
    if totals.files:
        rows = (
            f"| {cell(visible(change.file))} | +{change.added:,}"
            f" | {wording.MINUS}{change.removed:,} |"
            for change in totals.files
        )
        table = "\n".join(["| File | Added | Removed |", "| --- | ---: | ---: |", *rows])
        yield details(f"Files touched: {wording.files_touched(totals.files)}", [table])
    if totals.commits:
        steps = (_step(view.text, view.url) for view in commit_views(totals.commits))
        summary = f"{count_of(len(totals.commits), 'step')} in git"
        yield details(summary, ["\n".join(steps)])


def _step(text: str, url: str) -> str:
    shown = literal(text, starts_block=not url)
    return f"- [{shown}]({url})" if url else f"- {shown}"


def path_front_matter(tour: Tour) -> str:
    """Return the block of a path's file: who, where, when, and how it ended."""
    path = tour.path
    return "\n".join(
        _yaml(
            {
                "title": _quoted(path.title or "Untitled"),
                "session": _quoted(path.session),
                "path": str(path.number),
                "of": str(path.of),
                "status": _quoted(path.status),
                "project": _quoted(tour.session.project),
                "date": _date(path.ended),
                "models": _yaml_list(model for model, _ in tour.totals.models if model),
                "tags": _yaml_list(_tags(tour)),
            }
        )
    )


def agent_front_matter(tour: AgentTour) -> str:
    """Return the block of a subagent's file."""
    agent = tour.agent
    return "\n".join(
        _yaml(
            {
                "title": _quoted(tour.title),
                "session": _quoted(agent.session),
                "agent": _quoted(agent.agent_id),
                "project": _quoted(tour.session.project),
                "date": _date(agent.ended),
                "models": _yaml_list(model for model, _ in tour.totals.models if model),
                "tags": _yaml_list((TAG, "subagent")),
            }
        )
    )


def _tags(tour: Tour) -> Iterator[str]:
    yield TAG
    yield tour.path.status.lower()
    if tour.path.compactions:
        yield "compacted"
    if tour.path.is_withdrawn:
        yield "withdrawn"


def _yaml(fields: dict[str, str]) -> Iterator[str]:
    yield "---"
    yield from (f"{name}: {value}" for name, value in fields.items() if value)
    yield "---"


def _date(timestamp: str) -> str:
    moment = parse_timestamp(timestamp)
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}" if moment else ""


def _yaml_list(values: Iterable[str]) -> str:
    return f"[{', '.join(map(_quoted, values))}]"


def _quoted(value: str) -> str:
    r"""Return `value` as a double-quoted YAML scalar on one line.

    What is not printable is escaped, so that no text ends the scalar or its line.

    >>> print(_quoted('a: "b"\n---'))
    "a: \"b\" ---"
    """
    line = _SPECIAL.sub(lambda found: f"\\{found[0]}", " ".join(visible(value).split()))
    shown = (c if c.isprintable() else f"\\U{ord(c):08x}" for c in line)
    return f'"{"".join(shown)}"'
