"""Messages that a stream tells in pieces, and that it never tells as a whole.

With `--include-partial-messages` each block of a message is followed by a whole record of
it, unless the capture breaks off or the person interrupts. Only what has no such record is
put together from its pieces. Source: format notes §6.1, the API's streaming events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from everyleaf.records.pieces import join_pieces
from everyleaf.records.text import as_object, as_text, content_blocks
from everyleaf.sources.lines import read_span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from everyleaf.records.envelope import Span


class _Message(Struct):
    """A message whose pieces are arriving."""

    id: str
    span: Span
    """From its first piece to the last one."""
    at: int
    begun: int = 0
    """Blocks that began."""
    whole: int = 0
    """Blocks that were told as a whole."""

    def reach(self, span: Span, at: int) -> None:
        size = span.offset + span.size_bytes - self.span.offset
        self.span, self.at = self.span._replace(size_bytes=size), at


class Partials(Struct):
    """Follows the pieces of messages; holds places, no text."""

    _arriving: dict[str, _Message] = field(default_factory=dict[str, _Message])
    _left: list[_Message] = field(default_factory=list[_Message])

    def take(self, raw: dict[str, object], span: Span, at: int) -> None:
        """Take up the next record of the file, of whatever type; `at` counts records."""
        kind = raw.get("type")
        if kind != "stream_event" and not self._arriving:
            return
        call = as_text(raw.get("parent_tool_use_id")) or ""
        message = self._arriving.get(call)
        if kind == "stream_event":
            self._take_event(as_object(raw.get("event")) or {}, call, span, at)
        elif kind == "assistant" and message is not None:
            said = as_object(raw.get("message")) or {}
            if said.get("id") == message.id:
                message.whole += len(content_blocks(said.get("content")))
                message.reach(span, at + 1)

    def left(self) -> list[tuple[Span, int]]:
        """Return where the pieces of messages without a whole record stand, and their `at`.

        Sorted from the last to the first, so that each can be inserted at its place.
        """
        waiting = [*self._left, *self._arriving.values()]
        found = [(one.span, one.at) for one in waiting if one.begun > one.whole]
        return sorted(found, key=lambda place: (-place[1], -place[0].offset))

    def _take_event(self, event: dict[str, object], call: str, span: Span, at: int) -> None:
        message = self._arriving.get(call)
        if event.get("type") == "message_start":
            if message is not None:
                self._left.append(message)
            begun = as_object(event.get("message")) or {}
            place = span._replace(body=b"")
            self._arriving[call] = _Message(as_text(begun.get("id")) or "", place, at)
        elif message is not None:
            if event.get("type") == "content_block_start":
                message.begun += 1
            message.reach(span, at)


def iter_partials(
    location: Path, partials: Partials
) -> Iterator[tuple[dict[str, object], Span, int]]:
    """Yield what is left in `partials` of the file, put together, from the last on.

    Raises:
        OSError: the file cannot be read.
    """
    left = partials.left()
    if not left:
        return
    with location.open("rb") as handle:
        for span, at in left:
            raw = join_pieces(read_span(handle, span.offset, span.size_bytes))
            if raw is not None:
                yield raw, span, at
