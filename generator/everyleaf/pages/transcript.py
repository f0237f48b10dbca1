"""The HTML pages of a path and of a subagent, and the conversation on them."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.forest import Status
from everyleaf.pages import wording
from everyleaf.pages.addresses import (
    agent_markdown_url,
    agent_url,
    project_url,
    relative,
    session_url,
    transcript_url,
)
from everyleaf.pages.forks import SHARED_BUDGET, compare_links
from everyleaf.pages.walk import first_message
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
    from everyleaf.pages.walk import Stop
    from everyleaf.render.view import BodyItem

    Part = tuple[Stop, ...] | ForkMark | Seam

TURNS_AT_ONCE = 100
"""Turns of an item: some hundred kilobytes."""


def transcript_view(tour: Tour) -> TranscriptView:
    """Return the view of the path's page, without its body."""
    path, session, family = tour.path, tour.session, tour.family
    here = transcript_url(path.session, path.number)
    project = _project(session.project, here)
    markdown = family.markdown_url(path.ref)
    facts = (
        *_facts(family, path.started, path.ended, tour.totals.days),
        *wording.head_facts(path.messages, tour.totals, tour.with_agents),
        ("Inferred places", format_count(path.inferred) if path.inferred else ""),
    )
    compared = family.compared.get(path.ref, ())
    return TranscriptView(
        title=visible(path.title) or "Untitled",
        crumbs=(project,),
        markdown_url=relative(here, markdown) if markdown else "",
        session=visible(path.session),
        facts=_shown_facts(facts, path.ended),
        files=tour.totals.files,
        commits=tuple(wording.commit_views(tour.totals.commits)),
        outline=tuple(outline(tour.shown)),
        body=(),
        project=project,
        status=path.status,
        reason=visible(path.reason),
        number=path.number,
        of=path.of,
        previous=_path_link(tour, tour.neighbour(-1), here),
        next=_path_link(tour, tour.neighbour(1), here),
        label=visible(path.label),
        session_url=relative(here, session_url(path.session)),
        compactions=path.compactions,
        shared=_shared(tour, here),
        taken_over_by=_path_link(tour, path.taken_over_by, here),
        is_withdrawn=path.is_withdrawn,
        is_merged_copy=path.is_merged_copy,
        copies=tuple(
            CopyView(visible(wording.contained_copy(copy))) for copy in path.contains
        ),
        diverged=tuple(_diverged(tour, here)),
        links=tuple(compare_links(path.ref, compared, here)),
    )


def transcript_body(tour: Tour) -> Body:
    """Return the conversation as it stands on the path's page."""
    ref = tour.path.ref
    here = transcript_url(ref.session, ref.number)
    return body_of(tour.family, tour.shown, here, ref)


def agent_view(tour: AgentTour, call_url: str) -> AgentView:
    """Return the view of the agent's page, without its body and its further runs.

    `call_url` is the site-relative address of the call that started it; empty if unknown.
    """
    agent, session = tour.agent, tour.session
    here = agent_url(agent.session, agent.agent_id)
    settings = tour.family.settings
    folder = settings.markdown_dir
    markdown = agent_markdown_url(agent.session, agent.agent_id, folder=folder)
    call = NavLink(visible(session.title), relative(here, call_url))
    shown, when = _facts(tour.family, agent.started, agent.ended, tour.totals.days)
    told = wording.head_facts(agent.messages, tour.totals, tour.with_agents)
    counted = (
        fact for fact in told if fact[0] != "Prompts"
    )  # Its caller's, not a reader's.
    return AgentView(
        title=tour.title,
        crumbs=(_project(session.project, here),),
        markdown_url=relative(here, markdown) if settings.has_markdown else "",
        session=visible(agent.session),
        facts=_shown_facts((shown, tour.source, when, *counted), agent.ended),
        files=tour.totals.files,
        commits=tuple(wording.commit_views(tour.totals.commits)),
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


def _project(project: str, here: str) -> NavLink:
    return NavLink(visible(project), relative(here, project_url(project)))


def _facts(
    family: Family, started: str, ended: str, days: Sequence[str]
) -> tuple[tuple[str, str], tuple[str, str]]:
    shown = wording.shown(family.settings.detail, family.settings.without)
    return ("Shown", shown), ("When", wording.when(started, ended, days))


def _shown_facts(facts: Sequence[tuple[str, str]], ended: str) -> tuple[Fact, ...]:
    return tuple(
        Fact(name, value, at=ended if name == "When" else "")
        for name, value in facts
        if value
    )


def _path_link(tour: Tour, ref: PathRef | None, here: str) -> NavLink | None:
    """Return a link to another path, or None where it has no page."""
    target = tour.family.html_url(ref) if ref else ""
    if ref is None or not target:
        return None
    return NavLink(wording.path_of(ref, tour.path.session), relative(here, target))


def _shared(tour: Tour, here: str) -> SharedNotice | None:
    """Return what the page says of the messages that another page has, too."""
    path, (other, messages) = tour.path, tour.shared_with
    link = _path_link(tour, other, here)
    if path.status is not Status.ABANDONED or link is None or not messages:
        return None
    # A path that shares nothing it could link to begins with what is its own.
    own = tour.own if tour.above else next(iter(tour.shown), None)
    first = own.drawn.anchors.get(first_message(own.turn), "") if own else ""
    last = first_message(tour.above.turn) if tour.above else ""
    uuid = path.fork_point_there if other == path.taken_over_by else last
    there = NavLink(link.text, f"{link.url}#{anchor_of(uuid)}" if uuid else link.url)
    budget = SHARED_BUDGET if tour.tells_budget else 0
    return SharedNotice(messages, there, first, tour.left_out is not None, budget)


def _diverged(tour: Tour, here: str) -> Iterator[CopyView]:
    for other in tour.path.diverged:
        target = tour.family.html_url(other.path)
        text = f"Session {other.path.session} shares {count_of(other.shared, 'message')}"
        yield CopyView(visible(text), relative(here, target) if target else "")


class Body(Struct, frozen=True):
    """What stands on a page, in order: turns that follow each other, forks, seams."""

    parts: tuple[Part, ...]

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
        self._parts: list[Part] = []
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
    parts: list[Part] = []
    turns: list[Stop] = []

    def end_turns() -> None:
        if turns:
            parts.append(tuple(turns))
            turns.clear()

    for stop in stops:
        if stop.seam is not None:
            end_turns()
            parts.append(Seam(wording.SEAMS[stop.seam]))
        if stop.drawn.has_html:
            turns.append(stop)
        if stop.branches:
            end_turns()
            forks += 1
            ways = (_branch(family, stop, branch, here, ref) for branch in stop.branches)
            parts.append(ForkMark(f"fork-{forks}", tuple(ways)))
    end_turns()
    return Body(tuple(parts))


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


def outline(stops: Sequence[Stop]) -> Iterator[OutlineItem]:
    """Yield a line for each prompt with its number, each compaction, fork and git step.

    A pull request stands where it was first named.
    """
    forks = 0
    requested: set[str] = set()
    for stop in stops:
        numbered = enumerate(stop.drawn.numbered, stop.prompts_before + 1)
        numbers = {anchor: number for number, anchor in numbered}
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
    return stop.numbered(stop.drawn.html, NUMBER_MARK)
