"""What a group's pages tell the lists and the search of a site."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.graph.forest import ConversationPath, Status, TurnKind
from everyleaf.graph.trees import is_said
from everyleaf.grouping import grouped
from everyleaf.model import Kind
from everyleaf.pages import addresses, work as works
from everyleaf.pages.facts import AgentFacts, IssueFacts, PathFacts, RunFacts, SessionFacts
from everyleaf.pages.rounds import answer_of, steps
from everyleaf.pages.wording import month_key, titled
from everyleaf.search.pages import SearchPage, SearchText
from everyleaf.theming.formats import format_moment, visible

if TYPE_CHECKING:
    from everyleaf.pages.drawing import PageTurn
    from everyleaf.pages.pathpage import PathPage, SubagentPage

_PageRank = tuple[bool, bool, str, int]
"""Which of several pages a message is found on: ABANDONED, withdrawn, session, number."""


def path_facts(page: PathPage, first_on: Mapping[works.TurnKey, int]) -> PathFacts:
    """Return what lists say of a path; `first_on` has the lowest path of each turn."""
    path, group = page.path, page.group
    ref, successor = path.ref, path.taken_over_by
    answer, tree = answer_of(page.shown), group.work.tree
    # What no lower path has stands at its end.
    climbed = works.climb(tree, tree.leaves[ref])
    own = list(takewhile(lambda key: first_on[key] == path.number, climbed))
    return PathFacts(
        **addresses.fields_of(PathFacts, path, page.totals),
        url=group.html_url(ref),
        markdown_url=group.markdown_url(ref),
        own_ids=tuple(
            placed.canonical
            for key in reversed(own)
            for placed in tree.turns[key].records
            if placed.kind is not Kind.NOTE
        ),
        compare_url=group.compare_url(ref, successor) if successor else "",
        with_agents=page.with_agents,
        ends_in_reply=answer is not None,
        answered=group.drawer.gist(answer.fragment) if answer else "",
    )


def session_facts(
    settings: addresses.SiteSettings,
    session: works.SessionWork,
    paths: tuple[PathFacts, ...],
    agents: tuple[AgentFacts, ...],
    runs: tuple[RunFacts, ...],
) -> SessionFacts:
    """Return what lists say of a session with these kept paths, agents and runs."""
    told = addresses.fields_of(SessionFacts, session)
    told |= {"paths": paths, "agents": agents, "runs": runs}
    told["issues"] = tuple(
        IssueFacts(line=line, code=code, message=message)
        for line, code, message in session.issues
    )
    numbers = [path.of for path in session.paths]
    return SessionFacts(
        **told,
        of=max(numbers, default=len(session.dropped)),
        url=addresses.session_url(session.session) if settings.has_html else "",
    )


def agent_facts(agent: works.AgentWork, page: SubagentPage | None) -> AgentFacts:
    """Return what lists say of a subagent; it has no `page` if nothing of it is shown."""
    return AgentFacts(
        **addresses.fields_of(AgentFacts, agent, *([page.totals] if page else [])),
        url=page.url if page and page.group.settings.has_html else "",
        markdown_url=page.markdown_url if page else "",
        with_agents=page.with_agents if page else None,
        asked=page.asked if page else "",
    )


class Run(Struct, frozen=True):
    """A chain of turns without a fork, in the tree of a session."""

    keys: list[works.TurnKey]
    """Its turns, in reading order; never empty."""
    number: int
    """1-based; a run comes after the one that it goes on from."""
    parent: int
    """Number of the run that it goes on from; 0: it begins a conversation."""
    path: int
    """The path that a reader of this run is sent to."""


class SessionRuns:
    """The runs of one session, which learn from the pages of its paths what they show."""

    def __init__(self, session: works.SessionWork, tree: works.TurnTree) -> None:
        """Find the runs: linear in the number of turns."""
        self._session = session
        self._tree = tree
        self.runs = tuple(_find_runs(tree, works.whole_paths(tree, session.paths)))
        """Parents before what goes on from them."""
        self._run_at = {
            (run.path, key): run.number for run in self.runs for key in run.keys
        }
        self._shown: defaultdict[int, list[PageTurn]] = defaultdict(list)
        """By the number of the run: what the page of its path shows of it."""

    def add(self, page: PathPage) -> None:
        """Take the turns of the runs that a reader finds on the page of this path."""
        for page_turn in page.shown:
            number = self._run_at.get((page.path.number, page_turn.key))
            if number is not None:
                self._shown[number].append(page_turn)

    def facts(self) -> tuple[RunFacts, ...]:
        """Return what lists say of the runs."""
        statuses = {path.number: path.status for path in self._session.paths}
        made = (agent.tool_use_id for agent in self._session.agents)
        calls = frozenset(call for call in made if call)
        return tuple(self._facts(run, statuses[run.path], calls) for run in self.runs)

    def _facts(self, run: Run, status: Status, calls: frozenset[str]) -> RunFacts:
        turns = [self._tree.turns[key] for key in run.keys]
        records = [placed for turn in turns for placed in turn.records]
        made = {name for placed in records for name in placed.envelope.tool_use_ids}
        origin, shown = turns[0].session, self._shown[run.number]
        return RunFacts(
            **addresses.fields_of(RunFacts, run),
            anchor=_first_anchor(shown[0]) if shown and shown[0].turn is turns[0] else "",
            steps=steps(shown),
            status=status,
            words=works.first_words_of(turns, Kind.PROMPT, Kind.REPLY),
            messages=sum(placed.kind is not Kind.NOTE for placed in records),
            prompts=sum(is_said(placed.kind, placed.envelope.words) for placed in records),
            compactions=sum(turn.kind is TurnKind.BOUNDARY for turn in turns),
            agents=len(made & calls),
            origin=origin if origin != self._session.session else "",
        )


def _first_anchor(page_turn: PageTurn) -> str:
    anchors = page_turn.fragment.anchors
    first = next(iter(anchors.values()), "")
    return anchors.get(works.first_message(page_turn.turn), first)


def _find_runs(tree: works.TurnTree, owners: dict[works.TurnKey, int]) -> Iterator[Run]:
    ordered = sorted(owners, key=lambda key: _written(tree, key))
    below = grouped((tree.parents[key], key) for key in ordered)
    number = 0
    waiting = [(key, 0) for key in reversed(below.get(None, ()))]
    while waiting:
        key, parent = waiting.pop()
        keys, ahead = [key], below.get(key, ())
        # Up to a fork, or to where another session begins.
        while len(ahead) == 1 and ahead[0][0] == key[0]:
            keys += ahead
            ahead = below.get(keys[-1], ())
        number += 1
        yield Run(keys, number, parent, owners[key])
        waiting.extend((child, number) for child in reversed(ahead))


def _written(tree: works.TurnTree, key: works.TurnKey) -> tuple[str, int, int]:
    records = tree.turns[key].records
    return (key[0], records[0].envelope.line if records else 0, key[1])


def _page_rank(path: ConversationPath) -> _PageRank:
    is_left, is_withdrawn, number = works.rank(path)
    return is_left, is_withdrawn, path.session, number


def _placed(page_turn: PageTurn) -> Iterator[SearchText]:
    """Yield what search finds of a turn, with its prompt and its time."""
    fragment, prompt = page_turn.fragment, page_turn.prompts_before
    numbered = frozenset(fragment.numbered)
    records = (placed.envelope for placed in page_turn.turn.records)
    times = {fragment.anchors.get(one.uuid): one.timestamp for one in records}
    for said in fragment.said:
        prompt += said.anchor in numbered
        at = format_moment(times.get(said.anchor) or "").replace(" ", "T")
        yield replace(said, prompt=prompt, at=at)


def _about(session: works.SessionWork, title: str, ended: str) -> dict[str, Any]:
    """Return what a page that is found says of its session and its end."""
    name = titled(session.title)
    return {
        "title": title,
        "project": visible(session.project),
        "month": month_key(ended),
        "ended": format_moment(ended),
        "session": name if name != title else "",
    }


class SearchPages:
    """Takes the pages of a group as they are drawn, and keeps what is found on each."""

    def __init__(self, work: works.FamilyWork) -> None:
        """Prepare to take the pages of `work`."""
        ranked = sorted(work.paths().values(), key=_page_rank)
        leaves = ((work.tree.leaves[path.ref], path.ref) for path in ranked)
        self.homes = works.first_owners(work.tree, leaves)
        """The path on whose page each turn is found: an ACTIVE one, else the lowest one
        that is no mere withdrawn prompt."""
        self._ranked: list[tuple[_PageRank, SearchPage]] = []

    def add_path(self, one: PathPage) -> None:
        """Take the page of a path; one whose messages are found elsewhere has its title."""
        path = one.path
        is_abandoned = path.status is Status.ABANDONED
        title = titled((is_abandoned and path.label) or path.title)
        page = SearchPage(
            **_about(one.session, title, path.ended),
            url=one.url,
            path=f"Path {path.number} of {path.of}" if path.of > 1 else "",
            status="abandoned" if is_abandoned else "active",
            said=tuple(
                said
                for page_turn in one.shown
                if self.homes.get(page_turn.key) == path.ref
                for said in _placed(page_turn)
            ),
        )
        self._ranked.append((_page_rank(path), page))

    def add_agent(self, one: SubagentPage) -> None:
        """Take the page of a subagent."""
        agent = one.agent
        page = SearchPage(
            **_about(one.session, one.title, agent.ended),
            url=one.url,
            status="subagent",
            said=tuple(
                replace(said, prompt=0)  # What its caller asked has no number.
                for page_turn in one.shown
                for said in _placed(page_turn)
            ),
        )
        self._ranked.append(((True, True, agent.session, 0), page))

    def by_session(self) -> Iterator[tuple[str, Iterable[SearchPage]]]:
        """Yield (session, its pages by address) for each session, sorted.

        A message that copies in several sessions hold is left to the first of their pages.
        """
        pages: defaultdict[str, list[SearchPage]] = defaultdict(list)
        taken: set[tuple[str, str]] = set()
        for ranked, page in sorted(self._ranked, key=lambda item: (item[0], item[1].url)):
            own = tuple(said for said in page.said if (said.anchor, said.text) not in taken)
            taken.update((said.anchor, said.text) for said in own)
            pages[ranked[2]].append(replace(page, said=own))
        for session, made in sorted(pages.items()):
            yield session, sorted(made, key=lambda page: page.url)
