"""What a site says of a session, as kept in `data/<session>.json`.

Lists (index, projects, session pages, `paths.jsonl`, report) are made of these alone, fresh
or kept from an earlier build, so that a session whose source has gone stays listed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from operator import attrgetter
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.clock import moment_of
from everyleaf.graph.forest import Contained, Diverged, Mention, PathRef, Status
from everyleaf.grouping import grouped
from everyleaf.issues import Issue
from everyleaf.outputs import join_encoded, read_checksums
from everyleaf.pages.addresses import file_url
from everyleaf.render.view import OutlineItem
from everyleaf.transcript.document import FileEdit, Usage
from everyleaf.transcript.facts import WorkDone

_Nested = dict[str, "_Json"] | list["_Json"] | tuple["_Json", ...]
_Json = _Nested | str | float | None

FACTS_VERSION = 1
SMALL = 5
"""As many fields or items fit on a line."""
_encode = json.JSONEncoder(ensure_ascii=False).encode


class AgentsIncluded(WorkDone, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a path or an agent adds up to together with the subagents it called.

    Of a subagent, its main line counts.
    """

    agents: int
    """How many, those that agents called included."""


class ConversationFacts(WorkDone, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What lists show of a path and of a subagent alike."""

    url: str
    """Site-relative; empty where no HTML is made."""
    markdown_url: str = ""
    """Site-relative; empty where no Markdown is made."""
    messages: int = 0
    prompts: int = 0
    replies: int = 0
    compactions: int = 0
    started: str
    ended: str
    """Lists sort by it."""
    wall_s: int = 0
    """Seconds from the first record to the last."""
    days: tuple[str, ...] = ()
    """Days that were worked on (`2026-01-31`, UTC), in order."""
    with_agents: AgentsIncluded | None = None
    """None: it called no subagent that the archive holds."""


class PathFacts(ConversationFacts, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kept path, as lists show it."""

    number: int
    status: Status
    reason: str
    title: str
    label: str
    """First prompt after the fork, of an ABANDONED path; else empty."""
    inferred: int
    fork_point: str | None
    shared: int
    taken_over_by: PathRef | None
    is_withdrawn: bool
    is_merged_copy: bool
    leaf_uuid: str
    own_ids: tuple[str, ...]
    """Canonical ids of the conversation records that no lower-numbered path has."""
    branch: str = ""
    version: str = ""
    contains: tuple[Contained, ...] = ()
    diverged: tuple[Diverged, ...] = ()
    compare_url: str = ""
    """Of the page that holds it against the path that took over; empty: none."""
    answered: str = ""
    """What its last answer says, in a few lines; empty: there is none."""
    ends_in_reply: bool = True
    """False: something followed its last answer, or there is none."""


class AgentFacts(ConversationFacts, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A subagent, as lists show it."""

    agent_id: str
    agent_type: str
    description: str
    parent_agent_id: str | None = None
    asked: str = ""
    """First words of what it was asked."""


class EditFacts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What one prompt led to in the files of a project, as one page shows it."""

    path: int
    """The path whose page it is; 0: an agent's."""
    agent: str = ""
    """Its id."""
    project: str
    at: str
    """When the first of it was done."""
    words: str
    """The prompt's first words; empty: not known."""
    anchor: str
    """Of the prompt; empty: it stands elsewhere."""
    edits: tuple[FileEdit, ...]
    """Files as seen from where the conversation began; a `name` only if it is another."""


class IssueFacts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that was odd in a session's files."""

    line: int
    code: str
    message: str


class RunFacts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A chain of turns without a fork: a piece of the session's tree."""

    number: int
    """1-based; a run comes after the one that it goes on from."""
    parent: int
    """Number of the run that it goes on from; 0: it begins a conversation."""
    path: int
    """The path whose page shows it: ACTIVE if one is, else the lowest that is no mere
    withdrawn prompt."""
    status: Status
    """ACTIVE if an ACTIVE path goes through it."""
    words: str
    """First words of its first prompt, else of its first reply."""
    anchor: str
    """Of its first message on the page of `path`; empty: not shown there."""
    messages: int
    """Conversation records."""
    prompts: int
    compactions: int = 0
    agents: int = 0
    """Subagents that were started in it."""
    origin: str = ""
    """The session that holds it, if this session only carried on from there."""
    steps: tuple[OutlineItem, ...] = ()
    """What was asked in it and what came of it, in order: prompts, tests, commits."""


class SessionFacts(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A session, as lists show it."""

    session: str
    project: str
    title: str
    ended: str
    of: int
    """Paths, dropped ones included."""
    is_warmup: bool
    url: str
    """Of the session's page, site-relative; empty where no HTML is made."""
    paths: tuple[PathFacts, ...]
    """Kept ones, by number."""
    dropped: tuple[Contained, ...] = ()
    agents: tuple[AgentFacts, ...] = ()
    issues: tuple[IssueFacts, ...] = ()
    version: int = FACTS_VERSION
    runs: tuple[RunFacts, ...] = ()
    """By number; empty where an earlier version wrote the facts."""
    edits: tuple[EditFacts, ...] = ()
    """What was done to files, in the order of the pages."""
    mentions: tuple[Mention, ...] = ()
    """Sessions that it names without sharing a record with them, sorted."""

    @property
    def started(self) -> str:
        """Return when the first of its paths (else agents) began; empty: not known."""
        told = self.paths or self.agents
        return min((one.started for one in told if one.started), default="")

    @property
    def main(self) -> PathFacts | None:
        """Return what stands for the session: its last ACTIVE path, else the last."""
        active = [path for path in self.paths if path.status is Status.ACTIVE]
        candidates = active or self.paths
        return candidates[-1] if candidates else None


class _BriefPath(PathFacts, frozen=True, kw_only=True, array_like=True):
    """Without the names of the fields, which are longer than most values."""


class _BriefAgent(AgentFacts, frozen=True, kw_only=True, array_like=True):
    """As above."""


class BriefFacts(SessionFacts, frozen=True, kw_only=True, array_like=True):
    """What lists of all sessions show of one, the rest left out."""

    paths: tuple[_BriefPath, ...]
    agents: tuple[_BriefAgent, ...] = ()


def brief_of(session: SessionFacts) -> BriefFacts:
    """Return what goes into lists of all sessions."""
    less = less_of(session)
    brief = replace(
        less,
        paths=tuple(
            replace(one, answered="", compare_url="", models=(), files=(), commits=())
            for one in less.paths
        ),
        agents=tuple(
            replace(one, agent_id="", agent_type="", description="", url="")
            for one in less.agents
        ),
        edits=(),
        runs=(),
        mentions=(),
    )
    return msgspec.convert(brief, BriefFacts, from_attributes=True)


def less_of(session: SessionFacts) -> SessionFacts:
    """Return what lists show of the facts of a session: little of them."""
    return replace(
        session,
        paths=tuple(
            replace(
                one,
                reason="",
                fork_point=None,
                taken_over_by=None,
                leaf_uuid="",
                own_ids=(),
                usage=Usage(),
                branch="",
                version="",
                contains=(),
                with_agents=None,
                tools=(),
                days=(),
            )
            for one in session.paths
        ),
        # Of what they did and said, only their own pages tell, and that of their session.
        agents=tuple(
            AgentFacts(
                agent_id=one.agent_id,
                agent_type=one.agent_type,
                description=one.description,
                url=one.url,
                started=one.started,
                ended=one.ended,
            )
            for one in session.agents
        ),
        runs=tuple(replace(one, steps=()) for one in session.runs if one.origin),
    )


class ReportFacts(Struct, frozen=True):
    """What reading the archive brought to light, for the report."""

    issues: tuple[Issue, ...] = ()
    types: dict[str, int] = {}
    """Records by type."""
    fields: dict[str, int] = {}
    """Records by field that everyleaf does not know."""
    redactions: tuple[tuple[str, str, int], ...] = ()
    """(kind of what was masked, session, how often in its records)."""
    images: int = 0
    """Pictures that are published: nobody can say what they show."""


def write_session_facts(facts: SessionFacts) -> bytes:
    """Return the body of `data/<session>.json`.

    A line a field and a line an item, keys in the order of the fields, so that git shows
    what became different. A small object stands on one line, and so does a small list in a
    list: both with nothing more inside.

        {
         "title": "Write a parser",
         "ids": [
          "u1",
          "u2"
         ],
         "tools": [
          ["Bash", 12]
         ],
         "usage": {"input": 1, "output": 2}
        }

    A lone surrogate has no UTF-8 form; readers get a question mark.
    """
    plain = cast("_Nested", msgspec.to_builtins(facts))
    return join_encoded(chain(_spread(plain, margin=""), "\n"))


def _spread(value: _Nested, *, margin: str) -> Iterator[str]:
    """Yield an object or a list over several lines, the last one behind `margin`."""
    deeper = margin + " "
    is_object = isinstance(value, dict)
    before, close = "{}" if is_object else "[]"
    if not value:
        yield before + close
        return
    for key, one in value.items() if isinstance(value, dict) else enumerate(value):
        name = f"{_encode(key)}: " if is_object else ""
        yield f"{before}\n{deeper}{name}"
        before = ","
        if is_object and isinstance(one, list | tuple):
            yield from _spread(one, margin=deeper)
        else:
            yield from _item(one, margin=deeper)
    yield f"\n{margin}{close}"


def _item(value: _Json, *, margin: str) -> Iterator[str]:
    """Yield a value on one line, if it is small and flat or no object or list at all."""
    if isinstance(value, dict | list | tuple):
        inner = value.values() if isinstance(value, dict) else value
        is_flat = not any(isinstance(one, dict | list | tuple) for one in inner)
        if not is_flat or len(value) > SMALL:
            yield from _spread(value, margin=margin)
            return
    yield _encode(value)


def parse_session_facts(body: bytes) -> SessionFacts | None:
    """Return the facts that `body` holds; None if this version cannot read them.

    A missing field takes its default; one that is not known was written by another version.
    """
    sealed = read_checksums(body)
    try:
        facts = msgspec.json.decode(sealed.body if sealed else body, type=SessionFacts)
    except (ValueError, RecursionError):
        return None
    return facts if facts.version == FACTS_VERSION else None


def file_urls(session: SessionFacts) -> dict[str, str]:
    """Return the site-relative pages of the files that a session edited, by name."""
    return {
        edit.file: file_url(facts.project, edit.file)
        for facts in session.edits
        for edit in facts.edits
    }


def by_project(sessions: Iterable[SessionFacts]) -> list[tuple[str, list[SessionFacts]]]:
    """Return (project, its `sessions` in their order), sorted."""
    return sorted(grouped((session.project, session) for session in sessions).items())


def newest_first(
    sessions: Iterable[SessionFacts],
    when: Callable[[SessionFacts], str] = attrgetter("ended"),
) -> list[SessionFacts]:
    """Return `sessions` by time, newest first; those without a time last, then by id."""
    return sorted(
        sessions, key=lambda one: (-moment_of(when(one)).timestamp(), one.session)
    )
