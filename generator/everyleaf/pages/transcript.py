"""The HTML pages of a path and of a subagent, and the conversation on them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.config import SharedPrefix
from everyleaf.graph.forest import Status
from everyleaf.pages import wording
from everyleaf.pages.addresses import (
    agent_markdown_url,
    agent_url,
    project_url,
    relative,
    root_of,
    session_url,
    transcript_url,
)
from everyleaf.pages.forks import SHARED_BUDGET, compare_links
from everyleaf.pages.walk import first_message
from everyleaf.pages.wording import commit_views, count_commits
from everyleaf.render.anchors import anchor_of
from everyleaf.render.html import NUMBER_MARK
from everyleaf.render.view import (
    AgentView,
    BranchView,
    CopyView,
    Fact,
    ForkMark,
    NavLink,
    OutlineItem,
    OutlineKind,
    RunView,
    Seam,
    SharedNotice,
    TranscriptView,
    TurnBlock,
)
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from everyleaf.graph.forest import Branch, PathRef
    from everyleaf.pages.cuts import Show
    from everyleaf.pages.pathpage import AgentTour, Family, Tour
    from everyleaf.pages.sums import WithAgents
    from everyleaf.pages.walk import Stop
    from everyleaf.render.view import BodyItem

TOLD = "what its caller noted of it; its own file is missing"
TURNS_AT_ONCE = 100
"""Turns of an item: some hundred kilobytes."""


def transcript_view(tour: Tour) -> TranscriptView:
    """Return the view of the path's page, without its body."""
    path, session = tour.path, tour.session
    here = transcript_url(path.session, path.number)
    project = NavLink(
        visible(session.project), relative(here, project_url(session.project))
    )
    return TranscriptView(
        title=visible(path.title) or "Untitled",
        site_title=visible(tour.family.settings.title),
        root=root_of(here),
        crumbs=(project,),
        markdown_url=_from(here, tour.family.markdown_url(path.ref)),
        session=visible(path.session),
        facts=tuple(_facts(tour)),
        files=tour.totals.files,
        commits=tuple(commit_views(tour.totals.commits)),
        outline=tuple(outline(tour.shown)),
        body=(),
        project=project,
        status=path.status,
        reason=visible(path.reason),
        number=path.number,
        of=path.of,
        previous=_neighbour(tour, -1, here),
        next=_neighbour(tour, 1, here),
        label=visible(path.label),
        session_url=relative(here, session_url(path.session)),
        compactions=path.compactions,
        shared=_shared(tour, here),
        taken_over_by=_path_link(tour, path.taken_over_by, here),
        is_withdrawn=path.is_withdrawn,
        is_merged_copy=path.is_merged_copy,
        copies=tuple(_copies(tour)),
        diverged=tuple(_diverged(tour, here)),
        links=tuple(compare_links(path.ref, tour.family.compared.get(path.ref, ()), here)),
    )


def transcript_body(tour: Tour) -> Body:
    """Return the conversation as it stands on the path's page."""
    path = tour.path
    here = transcript_url(path.session, path.number)
    return body_of(tour.family, tour.shown, here, path.ref)


def _facts(tour: Tour) -> Iterator[Fact]:
    path, totals = tour.path, tour.totals
    facts = (
        Fact(
            "Shown",
            wording.shown(tour.family.settings.detail, tour.family.settings.without),
        ),
        Fact("When", wording.when(path.started, path.ended, totals.days), at=path.ended),
        Fact("Working time", wording.working(totals)),
        Fact("Messages", format_count(path.messages)),
        Fact("Prompts", format_count(totals.prompts)),
        Fact("Replies", format_count(totals.replies)),
        Fact("Tool calls", wording.calls(totals)),
        Fact("Commits", _count(count_commits(totals.commits))),
        Fact("Models", visible(wording.models(totals.models))),
        Fact("Tokens", wording.tokens(totals.usage)),
        with_agents_fact(tour.with_agents),
        Fact("Git branch", visible(totals.branch)),
        Fact("Claude Code", visible(totals.version)),
        Fact("Inferred places", format_count(path.inferred) if path.inferred else ""),
    )
    yield from (fact for fact in facts if fact.value)


def with_agents_fact(found: WithAgents | None) -> Fact:
    """Return the row about a conversation together with its subagents; empty: no row."""
    if found is None:
        return Fact("With agents", "")
    label = f"With {count_of(found.agents, 'agent')}"
    return Fact(label, visible(wording.with_agents(found.totals)))


def _count(number: int) -> str:
    return format_count(number) if number else ""


def _neighbour(tour: Tour, step: int, here: str) -> NavLink | None:
    refs = [item.path.ref for item in tour.session.paths]
    at = refs.index(tour.path.ref) + step
    return _path_link(tour, refs[at], here) if 0 <= at < len(refs) else None


def _path_link(tour: Tour, ref: PathRef | None, here: str) -> NavLink | None:
    """Return a link to another path, or None where it has no page."""
    target = tour.family.html_url(ref) if ref else ""
    if ref is None or not target:
        return None
    return NavLink(wording.path_of(ref, tour.path.session), relative(here, target))


def _shared(tour: Tour, here: str) -> SharedNotice | None:
    path, left_out = tour.path, tour.left_out
    other = left_out.host if left_out else path.taken_over_by
    messages = left_out.messages if left_out else path.shared
    link = _path_link(tour, other, here)
    if path.status is not Status.ABANDONED or link is None or not messages:
        return None
    # A path that shares nothing it could link to begins with what is its own.
    own = tour.own if tour.above else next(iter(tour.shown), None)
    first = own.drawn.anchors.get(first_message(own.turn), "") if own else ""
    uuid = path.fork_point_there if other == path.taken_over_by else _last_shared(tour)
    there = NavLink(link.text, f"{link.url}#{anchor_of(uuid)}" if uuid else link.url)
    is_short = tour.is_linked and not path.is_withdrawn
    is_auto = tour.family.settings.shared_prefix is SharedPrefix.AUTO
    budget = SHARED_BUDGET if is_short and is_auto else 0
    return SharedNotice(messages, there, first, tour.is_linked, budget)


def _last_shared(tour: Tour) -> str:
    """Return the uuid by which the last turn is found that the page leaves out."""
    return first_message(tour.above.turn) if tour.above else ""


def _copies(tour: Tour) -> Iterator[CopyView]:
    for copy in tour.path.contains:
        ref = copy.path
        text = wording.contained_copy(copy.title, ref.session, ref.number, copy.messages)
        yield CopyView(visible(text))


def _diverged(tour: Tour, here: str) -> Iterator[CopyView]:
    for other in tour.path.diverged:
        target = tour.family.html_url(other.path)
        text = f"Session {other.path.session} shares {count_of(other.shared, 'message')}"
        yield CopyView(visible(text), _from(here, target))


def _from(here: str, target: str) -> str:
    return relative(here, target) if target else ""


def agent_view(tour: AgentTour, call_url: str) -> AgentView:
    """Return the view of the agent's page, without its body and its further runs.

    `call_url` is the site-relative address of the call that started it; empty if unknown.
    """
    agent, session = tour.agent, tour.session
    here = agent_url(agent.session, agent.agent_id)
    settings, project = tour.family.settings, project_url(session.project)
    folder = settings.markdown_dir
    markdown = agent_markdown_url(agent.session, agent.agent_id, folder=folder)
    call = NavLink(visible(session.title), relative(here, call_url))
    return AgentView(
        title=tour.title,
        site_title=visible(settings.title),
        root=root_of(here),
        crumbs=(NavLink(visible(session.project), relative(here, project)),),
        markdown_url=relative(here, markdown) if settings.has_markdown else "",
        session=visible(agent.session),
        facts=tuple(_agent_facts(tour)),
        files=tour.totals.files,
        commits=tuple(commit_views(tour.totals.commits)),
        outline=tuple(outline(tour.stops)),
        body=(),
        agent_id=visible(agent.agent_id),
        agent_type=visible(agent.agent_type),
        description=visible(agent.description),
        call=call if call_url else None,
    )


def agent_bodies(tour: AgentTour) -> tuple[Body, ...]:
    """Return what each run of the agent shows, the main line first."""
    here = agent_url(tour.agent.session, tour.agent.agent_id)
    return tuple(body_of(tour.family, stops, here) for stops in (tour.stops, *tour.runs))


def with_bodies(view: AgentView, bodies: Sequence[Body], show: Show) -> AgentView:
    """Return `view` with its body and its further runs, drawn; turns by `show`."""
    main, *others = bodies
    runs = (
        RunView(f"Run {number}", Status.ABANDONED, body.items(show))
        for number, body in enumerate(others, 2)
    )
    return replace(view, body=main.items(show), runs=tuple(runs))


def _agent_facts(tour: AgentTour) -> Iterator[Fact]:
    agent, totals = tour.agent, tour.totals
    commits = count_commits(totals.commits)
    facts = (
        Fact(
            "Shown",
            wording.shown(tour.family.settings.detail, tour.family.settings.without),
        ),
        Fact("Source", TOLD if agent.is_told else ""),
        Fact("When", wording.when(agent.started, agent.ended, totals.days), at=agent.ended),
        Fact("Working time", wording.working(totals)),
        Fact("Messages", format_count(agent.messages)),
        Fact("Replies", format_count(totals.replies)),
        Fact("Tool calls", wording.calls(totals)),
        Fact("Commits", format_count(commits) if commits else ""),
        Fact("Models", visible(wording.models(totals.models))),
        Fact("Tokens", wording.tokens(totals.usage)),
        with_agents_fact(tour.with_agents),
        Fact("Git branch", visible(totals.branch)),
        Fact("Claude Code", visible(totals.version)),
    )
    yield from (fact for fact in facts if fact.value)


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
