"""The Markdown file of a path, and of a subagent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec import Struct

from everyleaf.clock import parse_timestamp
from everyleaf.config import Detail
from everyleaf.graph.forest import Branch, PathRef, Status
from everyleaf.pages import wording
from everyleaf.pages.addresses import agent_markdown_url, relative
from everyleaf.pages.drawing import PageTurn
from everyleaf.pages.forks import SHARED_BUDGET, near_ways
from everyleaf.pages.pathpage import ConversationPage, PathPage, SubagentPage
from everyleaf.pages.rounds import FoldedWork, gather
from everyleaf.pages.work import first_message
from everyleaf.render.markdown import details
from everyleaf.render.markdown_text import cell, literal
from everyleaf.theming.formats import MINUS, visible
from everyleaf.transcript.facts import Totals
from everyleaf.transcript.words import counted

if TYPE_CHECKING:
    from everyleaf.pages.pagesink import Show

TITLE = "# CLAUDE CODE SESSION TRANSCRIPT"
UNREDACTED = (
    "> **Not redacted.** Nobody looked for secrets in this file. Do not publish it."
)
COMPACTED = (
    "**Contains Compact Operation(s)** - Full conversation including compacted segments"
)
TAG = "claude-code"
_NOT_IN_SUMMARY = {"Messages", "Commits"}
"""Facts that the header says, and a list of steps in git."""
_SPECIAL = re.compile(r'[\\"]')


class MarkdownPage(Struct, frozen=True):
    """A Markdown file, block by block; what the turns show is not drawn yet."""

    blocks: tuple[str | PageTurn, ...]

    def inputs(self) -> list[object]:
        """Return what decides how it looks, as plain data; nothing is drawn for it."""
        return [one if isinstance(one, str) else one.inputs for one in self.blocks]

    def pieces(self, show: Show) -> Iterator[str]:
        """Yield the file piece by piece, drawn, what turns show by `show`."""
        for number, block in enumerate(self.blocks):
            yield "\n\n" if number else ""
            yield block if isinstance(block, str) else show(block)
        yield "\n"


def markdown_page(page: PathPage | SubagentPage) -> MarkdownPage:
    """Return the Markdown file of a path or of a subagent, not drawn yet."""
    if isinstance(page, SubagentPage):
        return MarkdownPage(tuple(_agent_blocks(page)))
    note = (_shared_note(page),) if page.left_out else ()
    head = _head(page, TITLE, _header(page), _summary(page))
    return MarkdownPage((*head, *note, *_body(page, page.shown)))


def _agent_blocks(page: SubagentPage) -> Iterator[str | PageTurn]:
    agent = page.agent
    header = (
        f"Session ID: {literal(visible(agent.session))}",
        f"Agent: {literal(visible(agent.agent_id))}",
        f"Total Messages: {agent.messages}",
    )
    facts = (
        ("Shown", wording.shown(page.group.settings)),
        ("Task", literal(page.title)),
        ("Type", literal(visible(agent.agent_type))),
        page.source,
        ("When", wording.when(agent.started, agent.ended, page.totals.days)),
        *_counted(page, agent.messages),
    )
    title = TITLE.replace("SESSION", "SUBAGENT")
    yield from _head(page, title, header, _as_list(facts))
    yield from _body(page, page.turns)
    for number, page_turns in enumerate(page.runs, 2):
        length = counted(
            sum(len(page_turn.turn.records) for page_turn in page_turns), "record"
        )
        yield f"# RUN {number}\n\n{length} that no earlier run has."
        yield from _body(page, page_turns)


def _head(
    page: PathPage | SubagentPage, title: str, header: Iterable[str], summary: Iterable[str]
) -> Iterator[str]:
    """Yield what stands before a conversation, block by block."""
    settings = page.group.settings
    if settings.has_front_matter:
        yield front_matter(page)
    yield title
    if not settings.is_redacted:
        yield UNREDACTED
    yield "\n".join(header)
    yield "\n".join(summary)
    yield from total_blocks(page.totals)


def _header(page: PathPage) -> Iterator[str]:
    """Yield the lines that say which conversation this is; the format is fixed."""
    path = page.path
    yield f"Session ID: {literal(visible(path.session))}"
    yield f"Path: {path.number} of {path.of}"
    yield f"Status: {path.status}"
    if path.status is Status.ABANDONED:
        fork_point = path.fork_point or "none (a conversation of its own)"
        yield f"Fork Point: {literal(visible(fork_point))}"
    if path.compactions:
        yield COMPACTED
    yield f"Total Messages: {path.messages}"


def _summary(page: PathPage) -> Iterator[str]:
    """Yield the rest of the head as a list, one fact a line."""
    path = page.path
    facts = (
        ("Shown", wording.shown(page.group.settings)),
        ("Title", literal(visible(path.title))),
        ("Attempt", literal(visible(path.label)) if path.label else ""),
        ("Project", literal(visible(page.session.project))),
        ("When", wording.when(path.started, path.ended, page.totals.days)),
        *_counted(page, path.messages),
        ("Why", literal(wording.why(visible(path.reason)))),
        ("Taken over by", _link_to(page, path.taken_over_by)),
        ("Previous path", _link_to(page, page.neighbour(-1))),
        ("Next path", _link_to(page, page.neighbour(1))),
    )
    yield from _as_list(facts)
    for copy in path.contains:
        yield f"- Contains the copy: {literal(visible(wording.contained_copy(copy)))}"
    for other in path.diverged:
        link = _link_to(page, other.path)
        shared = counted(other.shared, "message")
        yield f"- Shares {shared} with a session that went on by itself: {link}"


def _counted(page: ConversationPage, messages: int) -> Iterator[tuple[str, str]]:
    for name, value in wording.head_facts(messages, page.totals, page.with_agents):
        if name not in _NOT_IN_SUMMARY:
            yield name, literal(value)


def _as_list(facts: Iterable[tuple[str, str]]) -> Iterator[str]:
    yield from (f"- {name}: {value}" for name, value in facts if value)


def total_blocks(totals: Totals) -> Iterator[str]:
    """Yield the list of files touched and that of steps in git, where there are any."""
    if totals.files:
        rows = (
            f"| {cell(visible(change.file))} | +{change.added:,}"
            f" | {MINUS}{change.removed:,} |"
            for change in totals.files
        )
        table = "\n".join(["| File | Added | Removed |", "| --- | ---: | ---: |", *rows])
        yield details(f"Files touched: {wording.files_touched(totals.files)}", [table])
    if totals.commits:
        steps = [
            f"- [{literal(step.text)}]({step.url})"
            if step.url
            else f"- {literal(step.text, starts_block=True)}"
            for step in wording.commit_views(totals.commits)
        ]
        yield details(f"{counted(len(steps), 'step')} in git", ["\n".join(steps)])


def _link_to(page: PathPage, ref: PathRef | None) -> str:
    """Return a link to another path, or its name where it has no file."""
    if ref is None:
        return ""
    target = page.group.markdown_url(ref)
    text = f"Path {ref.number}"
    if ref.session != page.path.session:
        text += f" of session {literal(visible(ref.session))}"
    return f"[{text}]({relative(page.markdown_url, target)})" if target else text


def _shared_note(page: PathPage) -> str:
    """Return where the part stands that this file leaves out."""
    path, (over, messages) = page.path, page.shared_with
    target = page.group.markdown_url(over) if over else ""
    place = _place_of(page.above) if page.above else ""

    def linked(text: str) -> str:
        return f"[{text}]({relative(page.markdown_url, target)}{place})" if target else text

    name = literal(visible(wording.path_of(over, path.session))) if over else ""
    if path.is_withdrawn:
        shared = linked(f"{counted(messages, 'message')} before it")
        is_successor = not over or over == path.taken_over_by
        where = "the path that took over" if is_successor else wording.inside(name)
        words = wording.asked_instead(page.instead)
        instead = f" Asked in its place: {literal(words)}" if words else ""
        return f"*Withdrawn before it was answered; see {shared} in {where}.{instead}*"
    note = (
        f"Messages 1\N{EN DASH}{messages:,} are shared with"
        f" {linked(name) if over else ''} and stand there."
    )
    if page.tells_budget:
        budget = counted(SHARED_BUDGET, "message")
        note += f" The paths of this session share more than {budget}, so they are linked."
    return f"*{note}*"


def _place_of(page_turn: PageTurn) -> str:
    """Return how a link goes to a turn; empty where it shows nothing."""
    anchor = page_turn.fragment.anchors.get(first_message(page_turn.turn), "")
    return f"#{anchor}" if page_turn.fragment.has_markdown and anchor else ""


def _body(
    page: ConversationPage, page_turns: Iterable[PageTurn]
) -> Iterator[str | PageTurn]:
    """Yield the conversation, block by block."""
    is_digest = page.group.settings.detail is Detail.DIGEST
    turns: list[PageTurn] = []
    for page_turn in page_turns:
        if page_turn.turn.seam is not None:
            yield from _gathered(turns, is_digest=is_digest)
            yield f"*⚠ {wording.SEAMS[page_turn.turn.seam]}*"
        if page_turn.fragment.has_markdown:
            turns.append(page_turn)
        if page_turn.branches:
            yield from _gathered(turns, is_digest=is_digest)
            near = near_ways(page_turn.branches, page_turn.followed)
            lines = [_branch(page, page_turn, branch) for branch in near]
            if more := len(page_turn.branches) - len(near):
                lines.append(f"- {more:,} more")
            yield "\n".join(["**The conversation forked here:**", "", *lines])
    yield from _gathered(turns, is_digest=is_digest)


def _gathered(turns: list[PageTurn], *, is_digest: bool) -> Iterator[str | PageTurn]:
    """Take `turns` that follow each other, and yield them; a digest has work as a line."""
    for one in gather(turns, is_digest=True) if is_digest and turns else turns:
        yield f"*{literal(one.summary)}*" if isinstance(one, FoldedWork) else one
    turns.clear()


def _branch(page: ConversationPage, page_turn: PageTurn, branch: Branch) -> str:
    """Return a way on without its length: a path that grows changes no other file."""
    words = literal(visible(branch.words), starts_block=True) or "(no words)"
    if branch.turn == page_turn.followed:
        return f"- {words} ← this path"
    target = page.group.markdown_url(branch.path)
    name = f"Path {branch.path.number}"
    link = f"[{name}]({relative(page.markdown_url, target)})" if target else name
    is_withdrawn = page.group.is_withdrawn(branch.path)
    status = wording.standing(branch.status, is_withdrawn=is_withdrawn)
    return f"- {words} ({status}, {link})"


def front_matter(page: PathPage | SubagentPage) -> str:
    """Return the YAML that a file may begin with, for site generators.

    It says who, where, when, and of a path how it ended.
    """
    models = [model for model, _ in page.totals.models if model]
    if isinstance(page, SubagentPage):
        title, session, ended = page.title, page.agent.session, page.agent.ended
        which = {"agent": _quoted(page.agent.agent_id)}
        tags = [TAG, "subagent"]
    else:
        path = page.path
        title, session, ended = path.title or "Untitled", path.session, path.ended
        which = {
            "path": str(path.number),
            "of": str(path.of),
            "status": _quoted(path.status),
        }
        tags = [TAG, path.status.lower()]
        tags += ["compacted"] if path.compactions else []
        tags += ["withdrawn"] if path.is_withdrawn else []
    moment = parse_timestamp(ended)
    fields = {
        "title": _quoted(title),
        "session": _quoted(session),
        **which,
        "project": _quoted(page.session.project),
        "date": f"{moment:%Y-%m-%dT%H:%M:%SZ}" if moment else "",
        "models": _quoted_list(models),
        "tags": _quoted_list(tags),
    }
    if page.group.settings.has_note_links:
        fields |= _note_links(page)
    lines = (f"{name}: {value}" for name, value in fields.items() if value)
    return "\n".join(["---", *lines, "---"])


def _note_links(page: ConversationPage) -> dict[str, str]:
    """Return the properties that link the notes of other paths and of subagents.

    A note is named by its file, wherever in a vault it lies. Source: Obsidian's help,
    "Properties": links in texts and lists, in quotes.
    """
    group, session = page.group, page.session
    refs = [path.ref for path in session.paths]
    agents = {one for turn in page.shown for one in turn.fragment.facts.agents}
    linked: dict[str, list[str]] = {}
    if isinstance(page, PathPage):
        over = page.path.taken_over_by
        linked["taken_over_by"] = [group.markdown_url(over)] if over else []
        refs = [ref for ref in refs if ref not in {page.path.ref, over}]
        refs += [one.path for one in page.path.diverged]
    linked["paths"] = [group.markdown_url(ref) for ref in refs]
    linked["agents"] = [
        agent_markdown_url(session.session, one.agent_id)
        for one in session.agents
        if one.agent_id in agents
    ]
    notes = {
        name: dict.fromkeys(f"[[{PurePosixPath(url).stem}]]" for url in urls if url)
        for name, urls in linked.items()
    }
    return {name: _quoted_list(list(some)) for name, some in notes.items() if some}


def _quoted_list(values: Sequence[str]) -> str:
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
