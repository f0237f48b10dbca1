"""Records beside the tree that a transcript shows: prompts never sent, pull requests.

They have no parent; their place is the line that they stand on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from everyleaf.model import Envelope, Kind
from everyleaf.records.envelope import made_up_uuid
from everyleaf.records.kinds import classify
from everyleaf.records.text import as_text, content_blocks, iter_texts, said_in

if TYPE_CHECKING:
    from everyleaf.records.envelope import Span


@dataclass(slots=True)
class Asides:
    """What has been found of such records in a file so far."""

    file: str
    """Name that their uuids are made of, with the line."""
    _links: dict[str, Envelope] = field(default_factory=dict[str, Envelope])
    _waiting: list[tuple[str, Envelope]] = field(
        default_factory=list["tuple[str, Envelope]"]
    )

    def take(self, raw: dict[str, object], span: Span) -> None:
        """Take up the next record of the file, of whatever type."""
        match raw.get("type"):
            case "queue-operation":
                self._queue(raw, span)
            case "pr-link":
                # Written again and again while the session lasts: the first one counts.
                url = as_text(raw.get("prUrl"))
                if url and url not in self._links:
                    self._links[url] = self._envelope(raw, span)
            case "user" | "attachment" if self._waiting:
                self._deliver("\n".join(iter_texts(content_blocks(said_in(raw)))))
            case _:
                pass

    def found(self) -> tuple[Envelope, ...]:
        """Return the records to show, in the order of the file.

        What waits in the queue at the end and that a person typed was never delivered.
        """
        undelivered = [envelope for text, envelope in self._waiting if _is_typed(text)]
        return tuple(sorted([*self._links.values(), *undelivered], key=_place))

    def _queue(self, raw: dict[str, object], span: Span) -> None:
        text = (as_text(raw.get("content")) or "").strip()
        match raw.get("operation"):
            case "enqueue" if text:
                self._waiting.append((text, self._envelope(raw, span)))
            case "dequeue" | "remove" | "absorb":
                # Before 2.1.205 these do not say which one: first in, first out.
                if self._waiting and not (text and self._deliver(text)):
                    del self._waiting[0]
            case "popAll":
                self._waiting.clear()
            case _:
                pass

    def _deliver(self, text: str) -> bool:
        """Take the first one of `text` out of the queue; False if there is none."""
        for at, (waiting, _) in enumerate(self._waiting):
            if waiting == text.strip():
                del self._waiting[at]
                return True
        return False

    def _envelope(self, raw: dict[str, object], span: Span) -> Envelope:
        return Envelope(
            uuid=made_up_uuid(self.file, span),
            parent_uuid=None,
            kind=Kind.NOTE,
            line=span.line,
            offset=span.offset,
            size_bytes=span.size_bytes,
            timestamp=as_text(raw.get("timestamp")) or "",
        )


def _is_typed(text: str) -> bool:
    return classify({"type": "user", "message": {"content": text}}) is Kind.PROMPT


def _place(envelope: Envelope) -> tuple[int, int]:
    return envelope.line, envelope.offset
