"""What each turn adds to the sums of an archive, every turn and every response once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.model import Kind
from everyleaf.opening.reader import FamilyReader
from everyleaf.pages.commits import count_commits
from everyleaf.transcript.document import Prompt, ToolCall

# msgspec reads the annotations, so this name must exist when the module runs.
from everyleaf.transcript.turnfacts import Usage, add_usage
from everyleaf.transcript.words import short_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from everyleaf.pages.work import FamilyWork, TurnKey
    from everyleaf.transcript.document import TurnDocument
    from everyleaf.transcript.turnfacts import Response


class Sample(Struct, frozen=True):
    """What one turn adds."""

    session: str
    project: str
    day: str
    """Of its first message, in UTC: `2026-11-22`; empty where no time is recorded."""
    model: str
    """The one that answered; empty for a prompt."""
    prompts: int
    calls: int
    files: tuple[str, ...]
    """Files that it changed, as seen from its working folder."""
    commits: int
    spans: tuple[tuple[int, int], ...]
    """Stretches of work in milliseconds since 1970."""
    usage: Usage = field(default_factory=Usage)
    cost: int = 0
    """In millionths of a dollar, as far as records tell it."""


def look_at_work(work: FamilyWork) -> tuple[Sample, ...]:
    """Return a sample for each turn of a family, in the order of its sessions.

    A record that several sessions hold a copy of counts once, for the first of them, and
    so does a response that is spread over several turns. Abandoned paths and subagents
    count like the rest: their tokens were spent.
    """
    samples: list[Sample] = []
    responses: dict[tuple[str, str, int], tuple[int, Response]] = {}
    runs: dict[str, list[tuple[int, int, int]]] = {}
    for key, project, is_agent, document in _iter_turns(work):
        number = len(samples)
        samples.append(_sample(key[0].split("/")[0], project, document, is_agent=is_agent))
        line = work.tree.turns[key].records[0].envelope.line
        ends = ((line, number, total) for total in document.facts.run_costs)
        runs.setdefault(key[0], []).extend(ends)
        for at, one in enumerate(document.facts.responses):
            alone = 0 if one.message_id else (number + 1) * 1000 + at
            name = (one.message_id, one.request_id, alone)
            place, known = responses.get(name, (number, one))
            larger = one if one.usage.output >= known.usage.output else known
            responses[name] = (place, larger)
    costs = _run_costs(runs.values())
    counted: dict[int, list[Response]] = {}
    for number, one in responses.values():
        counted.setdefault(number, []).append(one)
    return tuple(
        replace(
            sample,
            usage=add_usage(one.usage for one in counted.get(number, ())),
            cost=costs[number] + sum(one.cost for one in counted.get(number, ())),
        )
        for number, sample in enumerate(samples)
    )


def _run_costs(sessions: Iterable[list[tuple[int, int, int]]]) -> Counter[int]:
    """Return sample → what its runs cost, from (line, sample, total) of each session.

    Each total is all that its process had spent; less than before: another process.
    """
    costs: Counter[int] = Counter()
    for ends in sessions:
        spent = 0
        for _, number, total in sorted(ends):
            costs[number] += total - spent if total >= spent else total
            spent = total
    return costs


def _iter_turns(work: FamilyWork) -> Iterator[tuple[TurnKey, str, bool, TurnDocument]]:
    """Yield (key, project, whether it is an agent's, document) of what is told first."""
    reader, seen = FamilyReader(work), set[str]()
    agents = {
        f"{agent.session}/{agent.agent_id}" for s in work.sessions for agent in s.agents
    }
    for session in work.sessions:
        own = f"{session.session}/"
        for key, turn in work.tree.turns.items():
            if key[0] != session.session and not key[0].startswith(own):
                continue
            said = [p.canonical for p in turn.records if p.kind is not Kind.NOTE]
            fresh = [name for name in said if name not in seen]
            seen.update(fresh)
            if fresh:
                yield key, session.project, key[0] in agents, reader.document(key)


def _sample(
    session: str, project: str, document: TurnDocument, *, is_agent: bool
) -> Sample:
    facts = document.facts
    calls = [entry for entry in document.entries if isinstance(entry, ToolCall)]
    models = [one.model for one in facts.responses if one.model]
    return Sample(
        session=session,
        project=project,
        day=_day(entry.at for entry in document.entries),
        model=models[0] if models else "",
        prompts=0 if is_agent else _count_prompts(document),
        calls=len(calls),
        files=tuple(
            dict.fromkeys(
                short_file(change.file, facts.folder)
                for call in calls
                for change in call.changes
            )
        ),
        commits=count_commits(facts.commits),
        spans=facts.spans,
    )


def _count_prompts(document: TurnDocument) -> int:
    return sum(isinstance(e, Prompt) and e.is_numbered for e in document.entries)


def _day(times: Iterable[str]) -> str:
    return next((time[:10] for time in times if len(time) >= 10), "")
