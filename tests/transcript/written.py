"""Records as the CLI writes them, and turns made of them, for the tests of this folder."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from msgspec.structs import replace

from everyleaf.graph.forest import PlacedRecord, Turn, TurnKind, Variant
from everyleaf.model import Envelope, Kind
from everyleaf.records.envelope import FileScope, Span, make_envelope
from everyleaf.records.kinds import classify
from everyleaf.records.schema import parse_record
from everyleaf.transcript.build import build_turn
from everyleaf.transcript.document import ToolCall

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from everyleaf.records.schema import AnyRecord
    from everyleaf.transcript.document import Task, TurnDocument

Raw = dict[str, object]
_NUMBERS = count(1)


def user(content: object, **fields: object) -> Raw:
    message = {"role": "user", "content": content}
    return record("user", message=message, **fields)


def assistant(*blocks: object, model: str = "claude-opus-4-5", **fields: object) -> Raw:
    message = {"id": "msg_1", "role": "assistant", "model": model, "content": list(blocks)}
    return record("assistant", message=message, **fields)


def call(name: str, arguments: object = None, call_id: str = "toolu_1") -> Raw:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments or {}}


def result(
    content: object = "",
    structured: object = None,
    *,
    call_id: str = "toolu_1",
    is_error: bool = False,
    **fields: object,
) -> Raw:
    block: Raw = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    if is_error:
        block["is_error"] = True
    if structured is not None:
        fields["toolUseResult"] = structured
    return user([block], **fields)


def system(subtype: str, **fields: object) -> Raw:
    return record("system", subtype=subtype, **fields)


def attachment(written_type: str, **fields: object) -> Raw:
    return record("attachment", attachment={"type": written_type, **fields})


def record(written_type: str, **fields: object) -> Raw:
    number = next(_NUMBERS)
    return {
        "type": written_type,
        "uuid": f"{number:08d}-0000",
        "timestamp": "2026-01-05T10:00:00.000Z",
        **fields,
    }


def placed(raw: Raw, *, line: int = 1, kind: Kind | None = None) -> PlacedRecord:
    decided = kind or classify(raw)
    decided = Kind.NOTE if decided is Kind.ECHO else decided
    made = make_envelope(raw, Span(line, 0, 1), FileScope("s.jsonl"))
    uuid = str(raw["uuid"])
    envelope = (
        replace(made, kind=decided)
        if isinstance(made, Envelope)
        else Envelope(uuid, None, decided, line, 0, 1)
    )
    return PlacedRecord(envelope, str(raw["uuid"]), decided)


def document(
    *raws: Raw,
    kinds: Sequence[Kind | None] = (),
    rewritten: Raw | None = None,
    read_spilled: Callable[[str], str | None] = lambda _name: None,
    tasks: tuple[Task, ...] = (),
    withdrawn: frozenset[str] = frozenset(),
) -> TurnDocument:
    """Build a turn of `raws`; `rewritten` is a variant of the first."""
    chosen = [*kinds, *[None] * (len(raws) - len(kinds))]
    records = [placed(raw, kind=k) for raw, k in zip(raws, chosen, strict=True)]
    found = {record.envelope.uuid: raw for record, raw in zip(records, raws, strict=True)}
    if rewritten is not None:
        again = placed(rewritten, line=7).envelope
        found[again.uuid] = rewritten
        variant = Variant(1, "other-session", again)
        first = records[0]
        records[0] = PlacedRecord(first.envelope, first.canonical, first.kind, (variant,))

    def load(_source: int, envelopes: Sequence[Envelope]) -> list[AnyRecord]:
        return [parse_record(found[envelope.uuid]) for envelope in envelopes]

    turn = Turn(0, "session", 0, TurnKind.RESPONSE, tuple(records))
    return build_turn(
        turn, load, read_spilled=read_spilled, tasks=tasks, withdrawn=withdrawn
    )


def shown_call(  # noqa: PLR0913  (what can differ between two calls)
    name: str,
    arguments: object = None,
    content: object = "",
    structured: object = None,
    *,
    is_error: bool = False,
    tasks: tuple[Task, ...] = (),
    extra: Raw | None = None,
) -> ToolCall:
    """Return the entry of one call with its result; `extra` are fields of its record."""
    made = assistant(call(name, arguments), cwd="/home/ada/app")
    given = {**result(content, structured, is_error=is_error), **(extra or {})}
    (entry,) = document(made, given, tasks=tasks).entries
    assert isinstance(entry, ToolCall)
    return entry
