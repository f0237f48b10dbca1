"""What pages say about paths, in words that HTML and Markdown share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import astuple

from everyleaf.clock import parse_timestamp
from everyleaf.config import Detail
from everyleaf.graph.forest import Branch, Contained, PathRef, SeamKind, Status
from everyleaf.pages.addresses import project_url, relative
from everyleaf.render.entries import commit_words
from everyleaf.render.view import NavLink
from everyleaf.sources.projects import short_session
from everyleaf.theming.formats import MINUS, format_moment, visible
from everyleaf.transcript.document import PULL_REQUEST, Commit, Diff, FileChange, Usage
from everyleaf.transcript.facts import DAY_MS, Totals, WorkDone
from everyleaf.transcript.words import WORDS_LIMIT, counted, duration, unmarked

if TYPE_CHECKING:
    from everyleaf.pages.addresses import SiteSettings
    from everyleaf.pages.facts import AgentsIncluded, PathFacts, SessionFacts

SEAMS = {
    SeamKind.INFERRED: (
        "The record that this part followed is missing;"
        " its place is inferred from the order in the file."
    ),
    SeamKind.CARRIED_ON: "The conversation was carried on from another session file.",
    SeamKind.CYCLE: (
        "The records here name each other as predecessors;"
        " the first one written begins a new conversation."
    ),
    SeamKind.EARLIER_MISSING: "What was said before this is not in this archive.",
}
SHOWN = {
    Detail.FULL: "",
    Detail.DIGEST: "a shortened view: prompts, what was done in one line, and answers",
    Detail.TALK: "a shortened view: prompts and replies, tool calls as one line each",
    Detail.PROMPTS: "a shortened view: the prompts alone",
}
"""What a page says of how much of the conversation it shows."""
_PULL = re.compile(r"(https://[A-Za-z0-9.-]+/[\w.-]+/[\w.-]+)/pull/[0-9]+")
"""A pull request; its first group is the repository, which shows commits too."""
_REPOSITORY = re.compile(r"https://[A-Za-z0-9.-]+(?:/[\w.~-]+){2,6}")
_HASH = re.compile(r"[0-9a-f]{7,40}")
_PUSH = "push"
_NO_COMMIT = frozenset({_PUSH, PULL_REQUEST})
TITLE_CHARS = 100
_INSTEAD_CHARS = 240
"""What was asked in the place of another prompt may differ from it at its end alone."""
_WHY = (
    ("the only path", ""),
    ("withdrawn", "Withdrawn before Claude replied."),
    ("rewound to before", "Rewound to before its first prompt, and begun again."),
    ("another branch is named", "The session was last left on another path."),
    ("named by leafUuid", "The session was last left here."),
    ("later branch at every fork", "The path that was continued last."),
    ("later branch at the fork", "It later went on another way from the fork."),
)
"""How the rules of `graph.status` begin → what they mean to a reader."""
_MARKED = re.compile(r"[`*\[|#{]|~~|---|…$|(?:^|· )[>+-] ")
"""What no line is without that holds anything of what follows."""
_OPEN_MARK = re.compile(r"(?:^|(?<=[\s(]))(?:\*\*(?=\S)|`+(?!`)\s?)")
"""Begins bold or code whose end was cut off."""
_TABLE_RULE = re.compile(r"\|(?:\s?:?-{2,}:?\s?(?:\||…?$))+(?:\s?:?-*…)?")
"""The row of a table below its head: `|---|---:|`."""
_TABLE_ROWS = re.compile(r"\s*\|(?:\s+\|)+\s*")
_TABLE_CELLS = re.compile(r"\s*\|\s*")
_RULE = re.compile(r"\s-{3,}(?=\s|$)")
MOST_TOOLS = 6
"""Tools that are named where calls are counted."""
_HEADING = re.compile(r"(?:^|\s)#{1,6}\s+(?=[^\W\d])")
_JSON = re.compile(r'(?:`*\bjson )?[{[]\s*"(?=[\w-]+"\s*:)')
"""Begins an object of JSON, the fence of its block included."""
_OPENING = re.compile(
    r"(?:(?:please|(?:can|could) you|i(?:'d like| want| need)(?: you)? to)\s+"
    r"|(?:implement (?:the following|this) )?plan:\s+"
    r"|working (?:in|on)(?: the)? [\w ]+: ~?/\S+ (?:· )?)+(?=\S+\s)",
    re.IGNORECASE,
)
"""Words that half of all prompts begin with: none tells one from another."""
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def shown(settings: SiteSettings) -> str:
    """Return how much of a conversation a page shows; empty for all of it."""
    left = f"without {', '.join(settings.without)}" if settings.without else ""
    return ", ".join(filter(None, (SHOWN[settings.detail], left)))


def when(started: str, ended: str, days: Sequence[str]) -> str:
    """Return the span between two timestamps (UTC), with the day once if it is one.

    Of more than a day, the `days` that were worked on are counted: how many hours there
    are from the first message of a resumed session to its last says nothing.

    >>> when("2026-01-31T14:05:00Z", "2026-01-31T16:00:00Z", ["2026-01-31"])
    '2026-01-31 14:05 to 16:00 UTC (1 h 55 min)'
    """
    first, last = parse_timestamp(started), parse_timestamp(ended)
    if first is None or last is None:
        return moment_utc(ended or started)
    took = int((last - first).total_seconds() * 1000)
    if took < 60_000:
        return moment_utc(started)
    end = f"{last:%H:%M}" if first.date() == last.date() else format_moment(ended)
    length = duration(took) if took <= DAY_MS else worked_on(days)
    return f"{format_moment(started)} to {end} UTC{f' ({length})' if length else ''}"


def moment_utc(timestamp: str) -> str:
    """Return a time as all pages show it, with its zone; empty for what is none.

    >>> moment_utc("2026-01-31T14:05:00Z")
    '2026-01-31 14:05 UTC'
    """
    return f"{format_moment(timestamp)} UTC" if parse_timestamp(timestamp) else ""


def project_link(project: str, here: str) -> NavLink:
    """Return a link from the page `here` to that of a project."""
    return NavLink(visible(project), relative(here, project_url(project)))


def why(reason: str) -> str:
    """Return in a reader's words why a path is ACTIVE or ABANDONED; `reason` is the rule.

    >>> why("later branch at the fork, line 44 over 42")
    'It later went on another way from the fork.'
    """
    return next((words for rule, words in _WHY if reason.startswith(rule)), reason)


def span(started: str, ended: str, days: Sequence[str]) -> str:
    """Return the same as `when`, without how long it is where it is told beside it.

    >>> span("2026-01-31T14:05:00Z", "2026-01-31T16:00:00Z", ["2026-01-31"])
    '2026-01-31 14:05 to 16:00 UTC'
    """
    whole = when(started, ended, days)
    return whole if len(days) > 1 else whole.partition(" (")[0]


def summed_up(session: SessionFacts) -> str:
    """Return in one line what became of a session, for feeds and social cards."""
    main = session.main
    facts = (visible(session.project), *(path_work(main) if main else ()))
    return " · ".join(filter(None, facts))


def path_effort(path: PathFacts) -> Iterator[str]:
    """Yield how long a path took, and how much was said and done on it."""
    if path.working_s:
        yield duration(path.working_s * 1000)
    yield counted(path.prompts, "prompt")
    if path.tool_calls:
        yield counted(path.tool_calls, "call")


def path_work(path: PathFacts) -> Iterator[str]:
    """Yield the same, and what it came to."""
    yield from path_effort(path)
    yield from filter(None, (commits_made(path.commits), pull_requests_made(path.commits)))


def pull_requests_made(commits: Sequence[Commit]) -> str:
    """Return how many pull requests `commits` have, and which the last is; empty: none."""
    made = [each.subject for each in commits if each.kind == PULL_REQUEST]
    many = len(set(made))
    if many > 1:
        return visible(f"{many} pull requests, the last {made[-1]}")
    return visible(f"pull request {made[-1]}") if made else ""


def pull_request_link(commits: Sequence[Commit]) -> NavLink | None:
    """Return the same with the last one's address, empty where that is not known."""
    last = next((each for each in reversed(commits) if each.kind == PULL_REQUEST), None)
    return NavLink(pull_requests_made(commits), _url(last, "")) if last else None


def worked_on(days: Sequence[str]) -> str:
    """Return how many days were worked on; empty where that is not known."""
    return f"worked on {counted(len(days), 'day')}" if days else ""


def tokens(usage: Usage) -> str:
    """Return tokens by kind, or nothing where none were counted."""
    counts, kinds = astuple(usage), ("in", "out", "cache read", "cache written")
    told = (f"{count:,} {kind}" for count, kind in zip(counts, kinds, strict=True))
    return ", ".join(told) if any(counts) else ""


def models(shares: Iterable[tuple[str, float]]) -> str:
    """Return models with their share of the output tokens, in the order given."""
    known = [share for share in shares if share[0]]
    if len(known) == 1:
        return known[0][0]
    return ", ".join(f"{model} ({share:.0%})" for model, share in known)


def files_touched(files: Sequence[FileChange]) -> str:
    """Return how many files were changed, and by how many lines."""
    return f"{counted(len(files), 'file')} ({changed_lines(files)})" if files else ""


def files_changed(files: Sequence[FileChange]) -> str:
    """Return the same without brackets; empty for none."""
    return f"{counted(len(files), 'file')} {changed_lines(files)}" if files else ""


def worked(totals: Totals) -> str:
    """Return how long was worked, in a few words; empty where no time passed."""
    took = duration(totals.working_s * 1000)
    return f"{took} of work" if totals.wall_s >= 60 else ""


def changed_lines(changes: Sequence[FileChange | Diff]) -> str:
    """Return how many lines were added and removed in all."""
    added = sum(change.added for change in changes)
    removed = sum(change.removed for change in changes)
    return f"+{added:,} {MINUS}{removed:,}"


def working(totals: Totals) -> str:
    """Return how long was worked; empty where no time passed."""
    is_long = totals.wall_s >= 60 and totals.working_s
    took = duration(totals.working_s * 1000) if is_long else ""
    has_pauses = took and totals.working_s < totals.wall_s
    return f"{took} (pauses over 30 min left out)" if has_pauses else took


def calls(totals: Totals) -> str:
    """Return how many calls were made, and of which tools."""
    if not totals.tool_calls:
        return ""
    by_name = ", ".join(f"{visible(name)} {n:,}" for name, n in totals.tools[:MOST_TOOLS])
    more = ", …" if len(totals.tools) > MOST_TOOLS else ""
    return f"{totals.tool_calls:,} ({by_name}{more})"


def head_facts(
    messages: int, totals: Totals, agents: AgentsIncluded | None
) -> Iterator[tuple[str, str]]:
    """Yield (name, value) of what a conversation adds up to, as all pages order it.

    A value that is empty is not shown.
    """
    made = count_commits(totals.commits)
    yield "Working time", working(totals)
    yield "Messages", f"{messages:,}"
    yield "Prompts", f"{totals.prompts:,}"
    yield "Model responses", f"{totals.replies:,}"
    yield "Tool calls", calls(totals)
    yield "Commits", f"{made:,}" if made else ""
    yield "Models", visible(models(totals.models))
    yield "Tokens", tokens(totals.usage)
    if agents is not None:
        yield f"With {counted(agents.agents, 'agent')}", visible(with_agents(agents))
    yield "Git branch", visible(totals.branch)
    yield "Claude Code", visible(totals.version)


def with_agents(totals: WorkDone) -> str:
    """Return in one line what a conversation adds up to with its subagents."""
    facts = (
        counted(totals.tool_calls, "tool call"),
        files_touched(totals.files),
        commits_made(totals.commits),
        f"tokens {tokens(totals.usage)}" if tokens(totals.usage) else "",
        models(totals.models),
    )
    return "; ".join(fact for fact in facts if fact)


def contained_copy(copy: Contained) -> str:
    """Return one line about a dropped path."""
    ref, length = copy.path, counted(copy.messages, "message")
    return f"{copy.title} (session {ref.session}, path {ref.number}, {length})"


def path_of(ref: PathRef, session: str) -> str:
    """Return how a page of `session` names a path: by its number, and its session if other.

    >>> from everyleaf.graph.forest import PathRef
    >>> path_of(PathRef("notes-2", 2), "notes-2"), path_of(PathRef("notes-2", 1), "x")
    ('Path 2', 'Path 1 of session notes-2')
    """
    other = f" of session {visible(short_session(ref.session))}"
    return f"Path {ref.number}{'' if ref.session == session else other}"


def commit_views(commits: Sequence[Commit]) -> Iterator[NavLink]:
    """Yield `commits` in their order, linked where the remote is known.

    It is known from the pull requests, else from the pushes, if all are of one repository:
    else it is not known whose a commit is.
    """
    pulls = (_PULL.fullmatch(c.url) for c in commits if c.kind == PULL_REQUEST)
    pushes = (_REPOSITORY.fullmatch(c.url) for c in commits if c.kind == _PUSH)
    requested = {found[1] for found in pulls if found}
    remotes = requested or {found[0] for found in pushes if found}
    remote = remotes.pop() if len(remotes) == 1 else ""
    for commit in commits:
        yield NavLink(commit_words(commit), _url(commit, remote))


def count_commits(commits: Sequence[Commit]) -> int:
    """Return how many of `commits` are commits, not pushes or pull requests."""
    return sum(commit.kind not in _NO_COMMIT for commit in commits)


def commits_made(commits: Sequence[Commit]) -> str:
    """Return the same in words; empty for none."""
    return counted(made, "commit") if (made := count_commits(commits)) else ""


def _url(commit: Commit, remote: str) -> str:
    if commit.url:
        pattern = _PULL if commit.kind == PULL_REQUEST else _REPOSITORY
        return commit.url if pattern.fullmatch(commit.url) else ""
    is_linked = remote and _HASH.fullmatch(commit.hash)
    return f"{remote}/commit/{commit.hash}" if is_linked else ""


def month_of(timestamp: str) -> str:
    """Return the month of a time (UTC) as a heading says it.

    >>> month_of("2026-01-31T23:59:00Z")
    'January 2026'
    """
    moment = parse_timestamp(timestamp)
    return f"{MONTHS[moment.month - 1]} {moment.year}" if moment else "Unknown time"


def shortened(text: str, limit: int = TITLE_CHARS) -> str:
    """Return `text` as a title: one plain line, cut at a blank if longer than `limit`.

    Of a text with headings, it is what stands before the first, or the first itself.

    >>> shortened("Implement **this** plan: # Add `--local` ## Context It is")
    'Implement this plan: Add --local'
    >>> shortened("Make a worktree of the branch. Repository: it is there", 45)
    'Make a worktree of the branch…'
    """
    return _cut(_plain(text[: limit * 5]), limit)


def titled(text: str, limit: int = TITLE_CHARS) -> str:
    """Return `text` as the title of a session: without the words that many begin with.

    >>> titled("can you please review the changes in this branch")
    'Review the changes in this branch'
    >>> titled("Implement the following plan: # Plan: Unit tests ## Context It is")
    'Unit tests'
    """
    line = _plain(text[: limit * 5])
    if opening := _OPENING.match(line):
        line = line[opening.end() :]
        line = line[:1].upper() + line[1:]
    return _cut(line, limit) or "Untitled"


def standing(status: Status, *, is_withdrawn: bool) -> str:
    """Return what a page calls a path's status: of a prompt alone, WITHDRAWN."""
    return "WITHDRAWN" if is_withdrawn else status


def left_behind(paths: Iterable[PathFacts]) -> str:
    """Return how many of abandoned `paths` were attempts, and how many prompts alone."""
    kinds = [path.is_withdrawn for path in paths]
    named = (False, "abandoned attempt"), (True, "withdrawn prompt")
    told = (counted(kinds.count(is_it), noun) for is_it, noun in named if is_it in kinds)
    return ", ".join(told)


def _cut(line: str, limit: int) -> str:
    """Return what fits of `line`: up to the end of a sentence, if that is most of it."""
    # Cut already, within a word.
    if line.endswith("…") and len(line) > WORDS_LIMIT - 20:
        line = line[:-1].rsplit(" ", 1)[0].rstrip(" .,:;") + "…"
    if len(line) <= limit:
        return line
    head = line[:limit].rsplit(" ", 1)[0]
    sentence = max(map(head.rfind, (". ", "? ", "! ")))
    return head[: sentence if sentence * 2 > limit else limit].rstrip(" .,:;") + "…"


@lru_cache(maxsize=8_192)  # Of how texts begin: whole ones may be long.
def _plain(text: str) -> str:
    """Return `text` on one line, without marks of Markdown and JSON."""
    line = " ".join(visible(text).split())
    if not _MARKED.search(line):
        return line  # As most titles are: the rest takes ten times as long.
    line = unmarked(line)
    if line.endswith("…"):
        line = _OPEN_MARK.sub("", line)
    line = _RULE.sub("", _without_table(line))
    first, *headings = [one for one in _HEADING.split(line) if one.strip("- ")] or [""]
    line = f"{first} {headings[0]}" if first.endswith(":") and headings else first
    if begun := _JSON.search(line):
        values = re.sub(r'"\s*([:,])\s*"?', r"\1 ", line[begun.end() :])
        line = line[: begun.start()] + re.sub(r'["{}[\]]+', "", values).rstrip()
    return line


def _without_table(line: str) -> str:
    """Return `line` with the rows of a table as words."""
    rule = _TABLE_RULE.search(line)
    if rule is None:
        return line
    before, head, after = line.partition("|")
    rows = _TABLE_ROWS.sub("; ", f"{head}{after}".replace(rule[0], "", 1).strip("| "))
    return f"{before.strip()} {_TABLE_CELLS.sub(', ', rows).strip()}".strip()


def asked_instead(way: Branch | None) -> str:
    """Return what was asked in the place of a prompt; empty: not known."""
    return shortened(way.words, _INSTEAD_CHARS) if way else ""


def inside(label: str) -> str:
    """Return a label as it stands inside of a sentence."""
    return label[:1].lower() + label[1:]


def month_key(timestamp: str) -> str:
    """Return the month of a time (UTC) to filter by; empty for what is no time.

    >>> month_key("2026-01-31T23:59:00Z")
    '2026-01'
    """
    moment = parse_timestamp(timestamp)
    return f"{moment:%Y-%m}" if moment else ""
