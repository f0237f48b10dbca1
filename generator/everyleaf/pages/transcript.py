"""The HTML page of a path: its view, filled from the path and its turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from everyleaf.config import SharedPrefix
from everyleaf.graph.forest import Status
from everyleaf.pages import wording
from everyleaf.pages.addresses import (
    project_url,
    relative,
    root_of,
    session_url,
    transcript_url,
)
from everyleaf.pages.body import body_of, outline
from everyleaf.pages.commits import commit_views, count_commits
from everyleaf.pages.pairs import compare_links
from everyleaf.pages.prefixes import SHARED_BUDGET
from everyleaf.pages.walk import first_message
from everyleaf.render.anchors import anchor_of
from everyleaf.render.view import (
    CopyView,
    Fact,
    NavLink,
    SharedNotice,
    TranscriptView,
)
from everyleaf.theming.characters import visible
from everyleaf.theming.formats import count_of, format_count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from everyleaf.graph.forest import PathRef
    from everyleaf.pages.body import Body
    from everyleaf.pages.called import WithAgents
    from everyleaf.pages.tour import Tour


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
