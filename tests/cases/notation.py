"""Archives written as lines a person can draw, and their paths written the same way.

A case begins with a sentence; then a record a line, in file order:

    u1 <- -                    a prompt without a parent
    a1 <- u1 msg=M1 call=T1    a reply: a part of message M1 that makes the call T1

The first letter is the kind, unless `kind=` names another: u prompt, a reply, r result,
b boundary, s summary, q steering, n note, i injected note, e echo. What is `empty` says
nothing. `=== name` begins a session, `last-prompt explicit leaf=u1` is a marker, and
`strict` alone asks for strict mode. What is `told` is an agent's message that a progress
record of its caller copies. From `--- paths` on stands what must come out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from everyleaf.digest import digest_int
from everyleaf.model import (
    AgentCall,
    AgentLink,
    AgentMeta,
    Envelope,
    ForkedFrom,
    Kind,
    Marker,
    MarkerKind,
    SessionRecords,
)

KINDS = {
    "u": Kind.PROMPT,
    "a": Kind.REPLY,
    "r": Kind.RESULT,
    "b": Kind.BOUNDARY,
    "s": Kind.SUMMARY,
    "q": Kind.STEERING,
    "n": Kind.NOTE,
    "i": Kind.INJECTED,
    "e": Kind.ECHO,
}
_SPOKEN = (Kind.PROMPT, Kind.REPLY, Kind.ECHO)
_RECORD_FLAGS = frozenset(
    {
        "agent",
        "asked",
        "blocks",
        "call",
        "digest",
        "fork",
        "kind",
        "links",
        "logical",
        "msg",
    }
    | {"empty", "preserved", "req", "side", "synthetic", "time", "told", "words"}
)
_SESSION_FLAGS = frozenset({"agent", "call", "cwd", "no-parents", "project"})


@dataclass(slots=True)
class _Draft:
    name: str
    flags: dict[str, str]
    records: list[Envelope] = field(default_factory=list[Envelope])
    told: list[Envelope] = field(default_factory=list[Envelope])
    markers: list[Marker] = field(default_factory=list[Marker])

    def finish(self, source: int) -> SessionRecords:
        agent = self.flags.get("agent")
        return SessionRecords(
            session=self.name,
            project=self.flags.get("project", "p"),
            file=f"{self.name}/{agent}.jsonl" if agent else f"{self.name}.jsonl",
            records=tuple(self.records),
            told=tuple(self.told),
            markers=tuple(self.markers),
            has_parents="no-parents" not in self.flags,
            cwds=(self.flags["cwd"],) if "cwd" in self.flags else (),
            agent_id=agent,
            meta=AgentMeta(tool_use_id=self.flags.get("call")),
            source=source,
        )


@dataclass(frozen=True, slots=True)
class Case:
    """A case file, taken apart."""

    upper: str
    """The sentence and the archive, as written."""
    lower: str
    """What must come out, as written."""
    files: tuple[SessionRecords, ...]
    is_strict: bool

    @property
    def sections(self) -> list[str]:
        """Return the names of the sections that the lower half asks for."""
        return [line[4:] for line in self.lower.splitlines() if line.startswith("--- ")]


def read_case(text: str) -> Case:
    """Return `text` as a case; a line that makes no sense is a `ValueError`."""
    upper, mark, lower = text.partition("\n--- ")
    _, _, archive = upper.partition("\n\n")
    lines = [line.strip() for line in archive.splitlines()]
    return Case(
        upper.strip(),
        f"--- {lower}".strip() if mark else "",
        read_archive("\n".join(line for line in lines if line != "strict")),
        "strict" in lines,
    )


def read_archive(text: str) -> tuple[SessionRecords, ...]:
    """Return the session files that `text` draws; without a `===` it is session `s`."""
    drafts: list[_Draft] = []
    line = 0
    for row in filter(None, (row.strip() for row in text.splitlines())):
        if row.startswith("=== ") or not drafts:
            name, *flags = row[4:].split() if row.startswith("=== ") else ["s"]
            drafts.append(_Draft(name, _read_flags(flags, _SESSION_FLAGS)))
            line = 0
            if row.startswith("=== "):
                continue
        line += 1
        if " <- " in row:
            draft = drafts[-1]
            is_told = "told" in row.split()
            (draft.told if is_told else draft.records).append(_read_record(row, line))
        else:
            drafts[-1].markers.append(_read_marker(row, line))
    return tuple(draft.finish(source) for source, draft in enumerate(drafts))


def _read_flags(flags: list[str], known: frozenset[str]) -> dict[str, str]:
    read = {name: value for name, _, value in (flag.partition("=") for flag in flags)}
    if unknown := read.keys() - known:
        raise ValueError(f"unknown flags {sorted(unknown)}")
    return read


def digest_of(word: str) -> int:
    """Return the digest that stands for the content `word`."""
    return digest_int(word.encode())


def _several(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()


def _pairs(text: str) -> list[tuple[str, str]]:
    return [
        (one, other) for one, _, other in (pair.partition(":") for pair in _several(text))
    ]


def _read_record(row: str, line: int) -> Envelope:
    uuid, _, parent, *rest = row.split()
    flags = _read_flags(rest, _RECORD_FLAGS)
    kind = KINDS[flags.get("kind", uuid[0])]
    digest = digest_of(flags.get("digest", uuid))
    blocks = tuple(digest_of(word) for word in _several(flags.get("blocks", "")))
    message = flags.get("msg", uuid) if kind is Kind.REPLY else ""
    fork = _pairs(flags.get("fork", ""))
    second = int(flags.get("time", line))
    return Envelope(
        uuid=uuid,
        parent_uuid=None if parent == "-" else parent,
        kind=kind,
        line=line,
        offset=line * 100,
        size_bytes=100,
        timestamp=f"2026-01-01T00:{second // 60:02}:{second % 60:02}.000Z",
        digest=0 if "empty" in flags else sum(blocks) if blocks else digest,
        is_sidechain="side" in flags,
        agent_id=flags.get("agent"),
        message_id=message or None,
        request_id=flags.get("req", f"req-{message}") if message else None,
        is_synthetic="synthetic" in flags,
        tool_use_ids=_several(flags.get("call", "")),
        blocks=(blocks or (digest,)) if kind is Kind.PROMPT else (),
        words=flags.get("words", f"words of {uuid}").replace("_", " ")
        if kind in _SPOKEN
        else "",
        forked_from=ForkedFrom(*fork[0]) if fork else None,
        logical_parent_uuid=flags.get("logical"),
        preserved=_several(flags.get("preserved", "")),
        links=tuple(AgentLink(*pair) for pair in _pairs(flags.get("links", ""))),
        asked=tuple(
            AgentCall(call, digest_of(word))
            for call, word in _pairs(flags.get("asked", ""))
        ),
    )


def _read_marker(row: str, line: int) -> Marker:
    kind, *rest = row.split()
    leaf = next((word[5:] for word in rest if word.startswith("leaf=")), None)
    is_explicit = rest[:1] == ["explicit"]
    words = [word for word in rest[is_explicit:] if not word.startswith("leaf=")]
    return Marker(
        kind=MarkerKind(kind),
        line=line,
        text=" ".join(words),
        leaf_uuid=None if leaf == "null" else leaf,
        is_explicit=is_explicit,
        timestamp=f"2026-01-01T00:{line // 60:02}:{line % 60:02}.000Z",
    )
