"""Records as a stream of the CLI tells them, in the form that they have on disk.

`claude -p --output-format stream-json` writes no parents: what arrives later comes later,
and what an agent says names the call that started it. Source: format notes §6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.model import AgentLink
from everyleaf.records.envelope import has_uuid, made_up_uuid
from everyleaf.records.kinds import PREAMBLE
from everyleaf.records.partials import Partials
from everyleaf.records.text import as_text, content_blocks, first_text, said_in

if TYPE_CHECKING:
    from everyleaf.model import Envelope
    from everyleaf.records.envelope import Span

_CALL = "parent_tool_use_id"
_FACTS = ("session_id", "cwd", "model", "permissionMode")


class _Arrival(Struct):
    envelope: Envelope
    session: str
    call: str
    """The call whose agent said it; empty: the main conversation."""


class Arrivals(Struct):
    """The records of a capture, in order of arrival."""

    file: str
    """Name that the uuids of results are made of, with the line."""
    partials: Partials = field(default_factory=Partials)
    _arrived: list[_Arrival] = field(default_factory=list[_Arrival])
    _agents: dict[str, str] = field(default_factory=dict[str, str])
    _facts: tuple[object, ...] = ()

    def shown(self, raw: dict[str, object], span: Span) -> dict[str, object] | None:
        """Return the next record as it would stand on disk; None if nothing shows it."""
        self.partials.take(raw, span, len(self._arrived))
        match raw.get("type"):
            case "user" if raw.get("isSynthetic") is True:
                text = first_text(content_blocks(said_in(raw)))
                mark = "isCompactSummary" if text.startswith(PREAMBLE) else "isMeta"
                return {**raw, mark: True}
            case "system" if raw.get("subtype") == "init":
                return self._news(raw)
            case "system" if raw.get("subtype") == "task_started":
                self._name_agent(raw.get("tool_use_id"), raw.get("task_id"))
                return raw
            case "result":
                uuid = raw["uuid"] if has_uuid(raw) else made_up_uuid(self.file, span)
                return {**raw, "uuid": uuid, "parentUuid": None}
            case "user" | "assistant" | "system":
                return raw
            case _:
                return None

    def add(self, envelope: Envelope, raw: dict[str, object]) -> None:
        """Take up what was made of the record that was shown last."""
        self.insert(len(self._arrived), envelope, raw)

    def insert(self, at: int, envelope: Envelope, raw: dict[str, object]) -> None:
        """Put a record before the one that arrived as number `at`."""
        session, call = as_text(raw.get("session_id")), as_text(raw.get(_CALL))
        self._arrived.insert(at, _Arrival(envelope, session or "", call or ""))
        for link in envelope.links:
            self._name_agent(link.tool_use_id, link.agent_id)

    def linked(self) -> tuple[Envelope, ...]:
        """Return the records, each hanging from the one before it in its conversation.

        An agent is named as its call's result names it; else after the call.
        """
        tails: dict[tuple[str, str], str] = {}
        seen: set[str] = set()
        linked: list[Envelope] = []
        for one in self._arrived:
            key = (one.session, one.call)
            envelope = replace(one.envelope, parent_uuid=tails.get(key))
            if one.call:
                agent = self._agents.get(one.call) or _agent_of(one.call)
                links = () if key in tails else (AgentLink(one.call, agent),)
                envelope = replace(
                    envelope,
                    is_sidechain=True,
                    agent_id=agent,
                    links=envelope.links + links,
                )
            linked.append(envelope)
            if envelope.uuid not in seen:
                tails[key] = envelope.uuid
            seen.add(envelope.uuid)
        return tuple(linked)

    def _name_agent(self, call: object, agent: object) -> None:
        if isinstance(call, str) and isinstance(agent, str) and call:
            self._agents.setdefault(call, agent)

    def _news(self, raw: dict[str, object]) -> dict[str, object] | None:
        """Return the facts of the session where they are new: each turn repeats them."""
        facts = tuple(raw.get(name) for name in _FACTS)
        is_new, self._facts = facts != self._facts, facts
        return raw if is_new else None


def _agent_of(call: str) -> str:
    return f"of-{call}"
