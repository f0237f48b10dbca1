"""The HTML pages of a path and of a subagent, and the conversation on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.compare.sketch import TESTS, last_checks
from everyleaf.config import Detail
from everyleaf.graph.forest import Branch, PathRef, Status
from everyleaf.grouping import grouped
from everyleaf.pages import rounds, wording
from everyleaf.pages.addresses import agent_url, relative, session_url
from everyleaf.pages.comparewords import check_words, is_failed
from everyleaf.pages.drawing import PageTurn
from everyleaf.pages.filepages import edited_files
from everyleaf.pages.forks import SHARED_BUDGET, compare_links, near_ways
from everyleaf.pages.pagesink import Show
from everyleaf.pages.pathpage import CallPlaces, GroupContext, PathPage, SubagentPage
from everyleaf.pages.work import AgentWork, first_message
from everyleaf.render import view as views
from everyleaf.render.entries import anchor_of
from everyleaf.render.view import NavLink, OutlineItem, OutlineKind
from everyleaf.sources.projects import short_session
from everyleaf.theming.formats import visible
from everyleaf.transcript.document import Commit
from everyleaf.transcript.facts import Totals, merge_facts
from everyleaf.transcript.words import counted

BodyPart = PageTurn | views.Mark

TITLE_CHARS = 80
"""The first prompt is the title of most, and stands below it in full."""
MANY_AGENT_CALLS = 20
"""An agent that made more is a digest at first: what it did is folded."""
MANY_CALLS = 100
"""A transcript with more is one however few its prompts are."""
_GIT = (OutlineKind.COMMIT, OutlineKind.PULL_REQUEST)
TURNS_AT_ONCE = 100
"""Turns of an item: some hundred kilobytes."""


def _transcript_view(page: PathPage) -> views.TranscriptView:
    """Return the view of the path's page, without its body."""
    path, session, group, here = page.path, page.session, page.group, page.url
    project = wording.project_link(session.project, here)
    totals, messages, started = page.totals, path.messages, path.started
    if path.is_withdrawn and page.left_out:  # The rest is another page's.
        totals = merge_facts(page_turn.fragment.facts for page_turn in page.shown)
        messages, started = path.messages - page.left_out.messages, path.ended
    facts = (
        ("Shown", wording.shown(group.settings)),
        ("When", wording.when(started, path.ended, totals.days)),
        *wording.head_facts(messages, totals, page.with_agents),
        ("Inferred places", f"{path.inferred:,}" if path.inferred else ""),
    )
    compared = group.compared.get(path.ref, ())
    named = session if path.is_withdrawn else path
    when = wording.when(path.started, path.ended, page.totals.days)
    return views.TranscriptView(
        title=wording.titled(named.title, TITLE_CHARS),
        summary=f"{project.text} · {when}" if when else project.text,
        crumbs=(project,),
        markdown_url=relative(here, page.markdown_url),
        session=visible(path.session),
        facts=_shown_facts(facts, path.ended),
        lead=lead(started, path.ended, totals)[-1 if path.is_withdrawn else 0 :],
        is_digest=totals.prompts > rounds.MANY_PROMPTS or totals.tool_calls > MANY_CALLS,
        unrecorded=sum(turn.fragment.unrecorded for turn in page.shown),
        files=totals.files,
        file_urls=edited_files(page),
        commits=tuple(_commits(totals.commits, page.shown)),
        outcome=_outcome(page.shown, totals, _failed_checks(page)),
        ended=(ended := _ended(page.group, page.shown)),
        outline=(*rounds.outline(page.shown), *_ending(ended, "Last reply")),
        project=project,
        status=path.status,
        reason=wording.why(visible(path.reason)),
        rule=visible(path.reason),
        number=path.number,
        of=path.of,
        previous=_way_to(page, page.neighbour(-1)),
        next=_way_to(page, page.neighbour(1)),
        label=visible(path.label),
        session_url=relative(here, session_url(path.session)),
        compactions=path.compactions,
        shared=_shared(page),
        taken_over_by=_path_link(page, path.taken_over_by),
        is_withdrawn=path.is_withdrawn,
        is_merged_copy=path.is_merged_copy,
        copies=tuple(
            NavLink(visible(wording.contained_copy(copy))) for copy in path.contains
        ),
        diverged=tuple(_diverged(page)),
        links=tuple(compare_links(path.ref, compared, here, path.taken_over_by)),
    )


def _commits(
    commits: Sequence[Commit], page_turns: Sequence[PageTurn]
) -> Iterator[NavLink]:
    """Yield `commits` with links; to their messages where no code host shows them."""
    items = (item for turn in page_turns for item in turn.fragment.outline)
    steps = grouped((one.words, f"#{one.anchor}") for one in items if one.kind in _GIT)
    places = {words: iter(anchors) for words, anchors in steps.items()}
    for link in wording.commit_views(commits):
        here = next(places.get(link.text, iter(())), "")
        yield replace(link, url=link.url or here)


def lead(
    started: str, ended: str, totals: Totals, asked: str = "prompt"
) -> tuple[str, ...]:
    """Return what a reader wants to know of a conversation first, in a few words each.

    What is `asked` are prompts or requests.
    """
    told = (
        counted(totals.prompts, asked),
        counted(totals.tool_calls, "call") if totals.tool_calls else "",
        wording.worked(totals),
        wording.when(started, ended, totals.days).partition(" (")[0],
    )
    return tuple(filter(None, told))


def _agent_view(page: SubagentPage, call_url: str) -> views.AgentView:
    """Return the view of the agent's page, without its body and its further runs.

    `call_url` is the site-relative address of the call that started it; empty if unknown.
    """
    agent, session, here = page.agent, page.session, page.url
    name = wording.titled(session.title, 32)
    called_in = name if call_url else f"session {visible(short_session(agent.session))}"
    parent = NavLink(name, relative(here, session_url(session.session)))
    facts = (
        ("Shown", wording.shown(page.group.settings)),
        page.source,
        ("When", wording.when(agent.started, agent.ended, page.totals.days)),
    )
    told = wording.head_facts(agent.messages, page.totals, page.with_agents)
    others = (fact for fact in told if fact[0] != "Prompts")  # They are its caller's.
    agents = [one for one in session.agents if one.leaves]
    at = agents.index(agent)
    return views.AgentView(
        title=page.title,
        crumbs=(wording.project_link(session.project, here), parent),
        markdown_url=relative(here, page.markdown_url),
        session=visible(agent.session),
        facts=_shown_facts((*facts, *others), agent.ended),
        is_digest=page.totals.tool_calls > MANY_AGENT_CALLS,
        lead=lead(agent.started, agent.ended, page.totals, "request"),
        unrecorded=sum(turn.fragment.unrecorded for turn in page.shown),
        files=page.totals.files,
        file_urls=edited_files(page),
        commits=tuple(_commits(page.totals.commits, page.turns)),
        number=at + 1,
        of=len(agents),
        previous=_agent_link("Previous", agents[at - 1], here) if at else None,
        next=_agent_link("Next", agents[at + 1], here) if agents[at + 1 :] else None,
        outcome=_outcome(page.turns, page.totals),
        ended=(ended := _ended(page.group, page.turns, views.ResultMark().anchor)),
        outline=(*_requests(page.turns), *_ending(ended, "Result")),
        agent_id=visible(agent.agent_id),
        agent_type=visible(agent.agent_type),
        description=visible(agent.description),
        call=NavLink(called_in, relative(here, call_url or session_url(agent.session))),
    )


def _agent_link(words: str, agent: AgentWork, here: str) -> NavLink:
    return NavLink(words, relative(here, agent_url(agent.session, agent.agent_id)))


def _requests(page_turns: Sequence[PageTurn]) -> Iterator[OutlineItem]:
    """Yield an agent's outline, in which prompts are requests, and tests have rows."""
    for item in rounds.outline(page_turns, has_tests=True):
        is_prompt = item.kind is OutlineKind.PROMPT
        words = f"Request: {item.words}".removesuffix(": ")
        yield replace(item, words=words) if is_prompt else item


def _ending(ended: NavLink | None, name: str) -> Iterator[OutlineItem]:
    """Yield the last line of an outline: what it `ended` with, if that is a reply."""
    if ended:
        yield OutlineItem(OutlineKind.RESULT, ended.url.removeprefix("#"), name)


def _ended(group: GroupContext, turns: Sequence[PageTurn], at: str = "") -> NavLink | None:
    """Return what the last reply of a conversation says, and where: `at` a place if any."""
    last = rounds.answer_of(turns)
    at = at or (last.fragment.anchors.get(first_message(last.turn), "") if last else "")
    return NavLink(group.drawer.gist(last.fragment), f"#{at}") if last and at else None


def _outcome(
    page_turns: Sequence[PageTurn], totals: Totals, failed: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return in a few words what it came to: checks that `failed`, tests, git."""
    tests = rounds.last_tests(page_turns)
    made = wording.commits_made(totals.commits)
    pulled = wording.pull_requests_made(totals.commits)
    return tuple(filter(None, (*failed, tests, made, pulled)))


def _failed_checks(page: PathPage) -> Sequence[str]:
    """Return which checks but tests failed at last in an attempt that is compared."""
    is_told = page.path.ref in page.group.compared and not page.path.is_withdrawn
    if page.own is None or page.path.status is not Status.ABANDONED or not is_told:
        return ()
    own = page.shown[page.shown.index(page.own) :]
    runs = (run for turn in own for run in page.group.drawer.sketch(turn.key).checks)
    return [check_words(r) for r in last_checks(runs) if r.kind != TESTS and is_failed(r)]


def view_and_bodies(
    page: PathPage | SubagentPage, calls: CallPlaces
) -> tuple[views.ConversationView, tuple[Body, ...]]:
    """Return the view of a page without what it shows, and that: the main line first.

    An agent's page links to the call that started it, if that is among `calls`.
    """
    if isinstance(page, SubagentPage):
        view = _agent_view(page, calls.url_of(page.agent.tool_use_id))
        result = rounds.answer_of(page.turns)
        main = _body_parts(page, page.turns, is_digest=view.is_digest, result=result)
        others = (_body_parts(page, page_turns) for page_turns in page.runs)
        return view, tuple(Body(tuple(parts)) for parts in (main, *others))
    shown = _transcript_view(page)
    is_folded = shown.is_digest or page.group.settings.detail is Detail.DIGEST
    return shown, (Body(tuple(_body_parts(page, page.shown, is_digest=is_folded))),)


def with_bodies(
    view: views.ConversationView, bodies: Sequence[Body], show: Show
) -> views.ConversationView:
    """Return `view` with its body and its further runs, drawn; turns by `show`."""
    main, *others = bodies
    whole = replace(view, body=main.items(show))
    if not isinstance(whole, views.AgentView):
        return whole
    runs = (
        views.RunView(f"Run {number}", Status.ABANDONED, body.items(show))
        for number, body in enumerate(others, 2)
    )
    return replace(whole, runs=tuple(runs))


def _shown_facts(facts: Sequence[tuple[str, str]], ended: str) -> tuple[views.Fact, ...]:
    return tuple(
        views.Fact(name, value, at=ended if name == "When" else "")
        for name, value in facts
        if value
    )


def _path_link(page: PathPage, ref: PathRef | None) -> NavLink | None:
    target = page.group.html_url(ref) if ref else ""
    if ref is None or not target:
        return None
    return NavLink(wording.path_of(ref, page.path.session), relative(page.url, target))


def _way_to(page: PathPage, ref: PathRef | None) -> NavLink | None:
    """Return a link to the path before or behind, named as what it is to this one."""
    link = _path_link(page, ref)
    if link is None or ref != page.path.taken_over_by:
        return link
    return replace(link, text="Taken path")


def _shared(page: PathPage) -> views.SharedNotice | None:
    """Return what the page says of the messages that another page has, too."""
    path, (other, messages) = page.path, page.shared_with
    link = _path_link(page, other)
    if path.status is not Status.ABANDONED or link is None or not messages:
        return None
    # A path that shares nothing it could link to begins with what is its own.
    own = page.own if page.above else next(iter(page.shown), None)
    first = own.fragment.anchors.get(first_message(own.turn), "") if own else ""
    last = first_message(page.above.turn) if page.above else ""
    uuid = path.fork_point_there if other == path.taken_over_by else last
    there = NavLink(link.text, f"{link.url}#{anchor_of(uuid)}" if uuid else link.url)
    budget, way = SHARED_BUDGET if page.tells_budget else 0, page.instead
    place = f"{link.url}#{anchor_of(way.uuid)}" if way and way.uuid else link.url
    words = wording.asked_instead(way)
    instead = NavLink(words, place) if words else None
    is_linked = page.left_out is not None
    return views.SharedNotice(messages, there, first, is_linked, budget, instead)


def _diverged(page: PathPage) -> Iterator[NavLink]:
    for other in page.path.diverged:
        target = page.group.html_url(other.path)
        text = f"Session {other.path.session} shares {counted(other.shared, 'message')}"
        yield NavLink(visible(text), relative(page.url, target))


class Body(Struct, frozen=True):
    """What stands on a page, in order: turns, forks, seams."""

    parts: tuple[BodyPart, ...]

    def inputs(self) -> list[object]:
        """Return what decides how it looks, as plain data; nothing is drawn for it."""
        return [one.inputs if isinstance(one, PageTurn) else one for one in self.parts]

    def items(self, show: Show) -> Iterator[views.BodyItem]:
        """Yield it as a template asks for it; `show` draws turns and escapes their texts.

        Each item is drawn when it is its turn, and let go then. Turns that follow each
        other are one item, up to `TURNS_AT_ONCE`: templates are slow with many items, and a
        long one takes its memory several times.
        """
        turns: list[PageTurn] = []
        for part in self.parts:
            if isinstance(part, PageTurn):
                turns.append(part)
                continue
            yield from _blocks(turns, show)
            turns.clear()
            yield part
        yield from _blocks(turns, show)


def _blocks(turns: Sequence[PageTurn], show: Show) -> Iterator[views.TurnBlock]:
    for start in range(0, len(turns), TURNS_AT_ONCE):
        drawn = map(show, turns[start : start + TURNS_AT_ONCE])
        yield views.TurnBlock(Markup("\n".join(drawn)))  # noqa: S704  (the renderer escaped it)


def _body_parts(
    page: PathPage | SubagentPage,
    page_turns: Sequence[PageTurn],
    *,
    is_digest: bool = False,
    result: PageTurn | None = None,
) -> Iterator[BodyPart]:
    """Yield what `page_turns` show on `page`.

    Work between prompts and answers is gathered, all of it if the page `is_digest`; the
    turn that is an agent's `result` gets a heading.
    """
    forks = 0
    turns: list[PageTurn] = []

    def gathered() -> Iterator[BodyPart]:
        for one in rounds.gather(turns, is_digest=is_digest):
            if not isinstance(one, rounds.FoldedWork):
                yield one
                continue
            is_left_out = page.group.settings.detail is Detail.DIGEST
            left_out = one.anchors() if is_left_out else ()
            yield views.WorkStart(one.summary, one.is_troubled, left_out)
            if not is_left_out:
                yield from one.turns
                yield views.WorkEnd()
        turns.clear()

    for page_turn in page_turns:
        if page_turn.turn.seam is not None:
            yield from gathered()
            yield views.Seam(wording.SEAMS[page_turn.turn.seam])
        if page_turn is result:
            yield from gathered()
            yield views.ResultMark()
        if page_turn.fragment.has_html:
            turns.append(page_turn)
        if page_turn.branches:
            yield from gathered()
            forks += 1
            near = near_ways(page_turn.branches, page_turn.followed)
            ways = (_branch(page, page_turn, branch) for branch in near)
            more = len(page_turn.branches) - len(near)
            text = f"{more:,} more: all paths of the session" if more else ""
            url = relative(page.url, session_url(page.session.session))
            yield views.ForkMark(f"fork-{forks}", tuple(ways), NavLink(text, url))
    yield from gathered()


def _branch(
    page: PathPage | SubagentPage, page_turn: PageTurn, branch: Branch
) -> views.BranchView:
    group, is_followed = page.group, branch.turn == page_turn.followed
    ref = page.path.ref if isinstance(page, PathPage) else None
    compared = group.compare_url(ref, branch.path) if ref and not is_followed else ""
    target = group.html_url(group.linked.page_of(branch.path, branch.turn))
    target = "" if is_followed else relative(page.url, target)
    anchor = anchor_of(branch.uuid) if branch.uuid else "main"
    return views.BranchView(
        words=wording.shortened(branch.words, rounds.OUTLINE_CHARS),
        url=f"{target}#{anchor}" if target or is_followed else "",
        status=branch.status,
        messages=branch.messages,
        label=f"Path {branch.path.number}",
        is_withdrawn=group.is_withdrawn(branch.path),
        is_followed=is_followed,
        compare_url=relative(page.url, compared),
    )
