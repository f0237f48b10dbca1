"""What a caller's progress records tell of a subagent: a copy of each of its messages.

From 2.0.7x to 2.1.9x the CLI wrote them beside the agent's own file. Archives that people
share often hold the caller's file alone: then this is all that is left of the agent.
Source: format notes §2.6.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from everyleaf.model import Envelope
from everyleaf.records.envelope import make_envelope, said_anew
from everyleaf.records.text import as_object, as_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from everyleaf.records.envelope import FileScope, Span

_TELLING = ("agent_progress", "skill_progress")
_MESSAGES = ("user", "assistant")
_SHARED = ("sessionId", "version", "cwd", "gitBranch")


def told_record(raw: dict[str, object]) -> dict[str, object] | None:
    """Return the agent's message that a progress record copies, as a record of its file.

    None where `raw` is no progress of an agent, or where the message has no uuid.
    """
    if raw.get("type") != "progress":
        return None
    progress = as_object(raw.get("data")) or {}
    message = as_object(progress.get("message"))
    agent = as_text(progress.get("agentId"))
    if progress.get("type") not in _TELLING or message is None or agent is None:
        return None
    if message.get("type") not in _MESSAGES or as_text(message.get("uuid")) is None:
        return None
    shared = {key: raw[key] for key in _SHARED if key in raw}
    return {**shared, **message, "isSidechain": True, "agentId": agent, "parentUuid": None}


class Told(Struct):
    """The messages that one file tells of agents which have no file of their own."""

    scope: FileScope
    present: frozenset[str]
    """Agents whose files are there: what is told of them is a copy of what they say."""
    _tails: dict[str, str] = field(default_factory=dict[str, str])
    _records: list[Envelope] = field(default_factory=list[Envelope])
    _seen: set[str] = field(default_factory=set[str])

    def find(self, raw: dict[str, object]) -> dict[str, object] | None:
        """Return what `raw` tells, if nothing else in the archive does."""
        told = told_record(raw)
        return None if told is None or told["agentId"] in self.present else told

    def take(self, told: dict[str, object], shown: dict[str, object], span: Span) -> None:
        """Take up the next message; each hangs from the one before it of its agent.

        `shown` is the progress record as it was masked.
        """
        made = make_envelope(told, span, self.scope)
        if not isinstance(made, Envelope) or made.uuid in self._seen:
            return
        self._seen.add(made.uuid)
        agent = made.agent_id or ""
        made = said_anew(made, told_record(shown) or {})
        self._records.append(replace(made, parent_uuid=self._tails.get(agent)))
        self._tails[agent] = made.uuid

    def resume(self, records: Iterable[Envelope]) -> None:
        """Go on behind the messages `records`; nothing has been taken up yet."""
        for record in records:
            self._records.append(record)
            self._seen.add(record.uuid)
            self._tails[record.agent_id or ""] = record.uuid

    def found(self) -> tuple[Envelope, ...]:
        """Return the messages, in the order of the file."""
        return tuple(self._records)
