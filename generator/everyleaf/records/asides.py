"""What lies beside the tree and is shown: prompts never sent, pull requests, agents' words.

The former have no parent; their place is the line that they stand on, or the tool calls
that they name (`Envelope.tool_use_ids`). The latter are what a caller's progress records
tell of a subagent: a copy of each of its messages. From 2.0.7x to 2.1.9x the CLI wrote them
beside the agent's own file. Archives that people share often hold the caller's file alone:
then this is all that is left of the agent. Source: format notes §2.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.digest import digest_int
from everyleaf.model import Envelope, Kind
from everyleaf.records import envelope as envelopes, text as texts
from everyleaf.records.kinds import classify
from everyleaf.records.text import as_list, as_object, as_text, content_blocks, iter_texts

_TELLING = ("agent_progress", "skill_progress")
_MESSAGES = ("user", "assistant")
_SHARED = ("sessionId", "version", "cwd", "gitBranch")


class OffTree(Struct, frozen=True):
    """How records of one type are shown: a line, once for each `key`."""

    key: str
    """The field that tells one from another."""
    says: Callable[[dict[str, object]], str]
    """What such a record says, in one line."""
    is_link: bool = False
    """`key` holds an address to link to."""


def _pull_request_words(raw: dict[str, object]) -> str:
    number, where = raw.get("prNumber"), as_text(raw.get("prRepository"))
    name = f"#{number}" if isinstance(number, int | str) and number != "" else ""
    return " ".join(filter(None, ("Pull request", name, f"of {where}" if where else "")))


OFF_TREE: dict[str, OffTree] = {
    "pr-link": OffTree("prUrl", _pull_request_words, is_link=True),
    "frame-link": OffTree(
        "frameUrl",
        lambda raw: (
            f"Published {as_text(raw.get('title')) or as_text(raw.get('path')) or 'a page'}"
        ),
        is_link=True,
    ),
}
"""Types of records that need nothing but a row here."""


class Asides(Struct):
    """What has been found of such records in a file so far."""

    file: str = ""
    """Name that their uuids are made of, with the line."""
    shown: list[Envelope] = []
    linked: set[str] = set()
    worktree: str = ""
    waiting: list[tuple[str, Envelope]] = []
    """What is in the queue."""
    pulled: list[tuple[str, Envelope]] = []
    """Taken back by the person, who may have sent it after all, changed or joined."""

    def take(self, raw: dict[str, object], span: envelopes.Span) -> None:
        """Take up the next record of the file, of whatever type."""
        match raw.get("type"):
            case "assistant":
                pass  # As most are.
            case "queue-operation":
                self._queue(raw, span)
            case "worktree-state":
                worktree = as_object(raw.get("worktreeSession")) or {}
                place = as_text(worktree.get("worktreePath")) or ""
                if place != self.worktree:
                    self.worktree = place
                    self.shown.append(self._envelope(raw, span))
            case "content-replacement":
                # The calls whose results the model got in other words.
                named = (as_object(one) or {} for one in as_list(raw.get("replacements")))
                calls = filter(None, (as_text(one.get("toolUseId")) for one in named))
                if once := tuple(dict.fromkeys(calls)):
                    self.shown.append(replace(self._envelope(raw, span), tool_use_ids=once))
            case "user" | "attachment" if self.waiting or self.pulled:
                self._deliver("\n".join(iter_texts(content_blocks(texts.said_in(raw)))))
            case str(written) if row := OFF_TREE.get(written):
                # Written again and again while the session lasts: the first one counts.
                key = as_text(raw.get(row.key))
                if key and key not in self.linked:
                    self.linked.add(key)
                    self.shown.append(self._envelope(raw, span))
            case _:
                pass

    def found(self) -> tuple[Envelope, ...]:
        """Return the records to show, in the order of the file.

        What waits in the queue at the end and that a person typed was never delivered.
        """
        left = (*self.waiting, *self.pulled)
        undelivered = [
            envelope
            for text, envelope in left
            if classify({"type": "user", "message": {"content": text}}) is Kind.PROMPT
        ]
        return tuple(
            sorted([*self.shown, *undelivered], key=lambda one: (one.line, one.offset))
        )

    def _queue(self, raw: dict[str, object], span: envelopes.Span) -> None:
        text = (as_text(raw.get("content")) or "").strip()
        match raw.get("operation"):
            case "enqueue" if text:
                self.waiting.append((text, self._envelope(raw, span)))
            case "dequeue" | "remove" | "absorb":
                # Before 2.1.205 these do not say which one: first in, first out.
                if self.waiting and not (text and self._deliver(text)):
                    del self.waiting[0]
            case "popAll":
                self.pulled += self.waiting
                self.waiting.clear()
            case _:
                pass

    def _deliver(self, text: str) -> bool:
        """Take the first one of `text` out of the queue; False if there is none."""
        self.pulled = [one for one in self.pulled if one[0] not in text]
        for at, (waiting, _) in enumerate(self.waiting):
            if waiting == text.strip():
                del self.waiting[at]
                return True
        return False

    def _envelope(self, raw: dict[str, object], span: envelopes.Span) -> Envelope:
        return Envelope(
            uuid=envelopes.made_up_uuid(self.file, span),
            parent_uuid=None,
            kind=Kind.NOTE,
            line=span.line,
            offset=span.offset,
            size_bytes=span.size_bytes,
            timestamp=texts.as_time(raw.get("timestamp")),
            line_digest=digest_int(span.body),
        )


def embedded_record(raw: dict[str, object]) -> dict[str, object] | None:
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


class EmbeddedMessages(Struct):
    """The messages that one file tells of agents which have no file of their own."""

    scope: envelopes.FileScope
    present: frozenset[str]
    """Agents whose files are there: what is told of them is a copy of what they say."""
    _tails: dict[str, str] = {}
    _records: list[Envelope] = []
    _seen: set[str] = set()

    def find(self, raw: dict[str, object]) -> dict[str, object] | None:
        """Return what `raw` tells, if nothing else in the archive does."""
        told = embedded_record(raw)
        return None if told is None or told["agentId"] in self.present else told

    def take(
        self, told: dict[str, object], shown: dict[str, object], span: envelopes.Span
    ) -> None:
        """Take up the next message; each hangs from the one before it of its agent.

        `shown` is the progress record as it was masked.
        """
        made = envelopes.make_envelope(told, span, self.scope)
        if not isinstance(made, Envelope) or made.uuid in self._seen:
            return
        self._seen.add(made.uuid)
        agent = made.agent_id or ""
        made = envelopes.said_anew(made, embedded_record(shown) or {})
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
