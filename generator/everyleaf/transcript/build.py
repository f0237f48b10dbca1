"""Making the document of a turn: its records, in file order, as entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec.structs import replace

from everyleaf.model import Kind
from everyleaf.records.schema import (
    AssistantRecord,
    AttachmentRecord,
    OtherRecord,
    ToolUseBlock,
    UserRecord,
)
from everyleaf.transcript.calls import CallContext, call_entry, lone_call
from everyleaf.transcript.content import blocks_text, cut_reminders, typed
from everyleaf.transcript.document import (
    Compaction,
    Fold,
    Manner,
    Prompt,
    Reply,
    Rewritten,
    Thinking,
    ToolCall,
    TurnDocument,
)
from everyleaf.transcript.entries import EntryBuilder, notice
from everyleaf.transcript.facts import turn_facts
from everyleaf.transcript.injected import (
    INTERRUPT,
    interrupt_notice,
    is_injected,
    message_notice,
    user_note,
)
from everyleaf.transcript.notes import REPLACEMENT, note_of, queued_entry, replaced_results
from everyleaf.transcript.prompts import prompt_entry
from everyleaf.transcript.replies import boundary_entry, reply_entries, summary_parts
from everyleaf.transcript.results import results_in
from everyleaf.transcript.tools.call import Call
from everyleaf.transcript.words import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from everyleaf.graph.forest import PlacedRecord, Turn
    from everyleaf.model import Envelope
    from everyleaf.records.schema import AnyRecord
    from everyleaf.transcript.document import AnyEntry, Notice, Task
    from everyleaf.transcript.results import ToolResult

Load: TypeAlias = "Callable[[int, Sequence[Envelope]], Sequence[AnyRecord]]"
"""Reads the records of some envelopes from the source with a number, in their order."""


class _Loaded(NamedTuple):
    """A record of the turn with its full content."""

    uuid: str
    placed: PlacedRecord
    record: AnyRecord
    results: tuple[ToolResult, ...]


def _spilled_nowhere(_name: str) -> str | None:
    return None


def build_turn(
    turn: Turn,
    load: Load,
    *,
    read_spilled: Callable[[str], str | None] = _spilled_nowhere,
    tasks: tuple[Task, ...] = (),
    withdrawn: frozenset[str] = frozenset(),
) -> TurnDocument:
    """Return the document of `turn`; each of its conversation records is in some entry.

    Args:
        turn: The records to show, in file order.
        load: Reads their content; called once for each source that holds some of them,
            and once for each variant.
        read_spilled: Gives the text of a result that was written to a file of its own, by
            base name (`everyleaf.transcript.results.open_spills`).
        tasks: The task list as it stood after the turn before (`TurnDocument.tasks`).
        withdrawn: uuids of replies that other turns take back (`Envelope.withdraws`).
    """
    loaded = _load_all(turn, load)
    context = CallContext(read_spilled, tasks)
    own = (uuid for one in loaded for uuid in one.placed.envelope.withdraws)
    builder = _TurnBuilder(loaded, load, context, withdrawn.union(own))
    entries = builder.build()
    conversation = [one for one in loaded if one.placed.kind is not Kind.NOTE]
    times = [one.record.timestamp for one in conversation]
    return TurnDocument(
        session=turn.session,
        index=turn.index,
        entries=entries,
        facts=turn_facts(entries, [one.record for one in loaded], times),
        records=tuple(one.uuid for one in conversation),
        tasks=context.tasks,
        reads_tasks=context.reads_tasks,
    )


def _load_all(turn: Turn, load: Load) -> list[_Loaded]:
    """Return the records of `turn` in its order, each source read once."""
    by_source: dict[int, list[PlacedRecord]] = {}
    for placed in turn.records:
        by_source.setdefault(placed.source, []).append(placed)
    records: dict[str, AnyRecord] = {}
    for source, some in by_source.items():
        envelopes = [placed.envelope for placed in some]
        found = zip(envelopes, load(source, envelopes), strict=True)
        records.update((envelope.uuid, record) for envelope, record in found)
    uuids = [placed.envelope.uuid for placed in turn.records]
    return [
        _Loaded(uuid, placed, records[uuid], results_in(uuid, records[uuid]))
        for uuid, placed in zip(uuids, turn.records, strict=True)
    ]


class _TurnBuilder:
    """Walks the records of a turn once and makes the entries that show them."""

    def __init__(
        self,
        loaded: Sequence[_Loaded],
        load: Load,
        context: CallContext,
        withdrawn: frozenset[str],
        elsewhere: Mapping[str, Call] | None = None,
    ) -> None:
        self._loaded = loaded
        self._load = load
        self._context = context
        self._withdrawn = withdrawn
        self._elsewhere = elsewhere or {}
        """Calls that others made, by id: what a variant's results may answer."""
        self._entries = EntryBuilder()
        self._results: dict[str, ToolResult] = {}
        """The first result of each call; what answers it again is not in here."""
        for one in loaded:
            for result in one.results:
                self._results.setdefault(result.block.tool_use_id, result)
        self._made: dict[str, Call] = {}
        self._to_come = _calls_in(one.record for one in loaded)
        self._replaced: set[str] = set()
        self._early: dict[str, list[ToolResult]] = {}

    def build(self) -> tuple[AnyEntry, ...]:
        """Return the entries of all records, each with what was written of it again."""
        for one in self._loaded:
            self._add(one.placed.kind, one.uuid, one.record, one.results)
            if one.placed.variants and one.placed.kind is not Kind.NOTE:
                self._variants(one)
        # A reply without a word, such as a lone signature, still has its place.
        for one in self._loaded:
            if one.placed.kind is not Kind.NOTE:
                self._entries.settle(one.uuid, one.record.timestamp)
        return self._entries.entries()

    def _add(
        self, kind: Kind, uuid: str, record: AnyRecord, results: Sequence[ToolResult]
    ) -> None:
        if isinstance(record, AssistantRecord):
            self._reply(uuid, record)
            for result in results:
                self._result(result)
        elif isinstance(record, UserRecord):
            if results and kind is not Kind.SUMMARY:
                for result in results:
                    self._result(result)
                self._beside_results(uuid, record)
            else:
                self._user(kind, uuid, record)
        elif isinstance(record, OtherRecord) and record.type == REPLACEMENT:
            self._replacements(record)
        elif kind is Kind.BOUNDARY:
            self._entries.add_note(uuid, record.timestamp, boundary_entry(record))
        elif kind is Kind.STEERING and isinstance(record, AttachmentRecord):
            self._entries.add_note(uuid, record.timestamp, queued_entry(record))
        else:
            note = note_of(record)
            # Only what the graph counts as a person's message is numbered.
            if isinstance(note, Prompt):
                note = replace(note, is_numbered=False)
            self._entries.add_note(uuid, record.timestamp, note)

    def _replacements(self, record: OtherRecord) -> None:
        """Put what the model saw of results with their calls; copies of it count once."""
        for tool_use_id, parts in replaced_results(record):
            if tool_use_id not in self._replaced:
                self._replaced.add(tool_use_id)
                self._entries.add_to_call(tool_use_id, parts)

    def _reply(self, uuid: str, record: AssistantRecord) -> None:
        is_withdrawn = uuid in self._withdrawn
        for made in reply_entries(uuid, record):
            entry = self._call(made) if isinstance(made, Call) else made
            if is_withdrawn and isinstance(entry, Reply | Thinking | ToolCall):
                entry = replace(entry, is_withdrawn=True)
            self._entries.add(entry)
            if isinstance(made, Call):
                for early in self._early.pop(made.tool_use_id, ()):
                    self._result(early)

    def _call(self, call: Call) -> ToolCall:
        self._made[call.tool_use_id] = call
        return call_entry(call, self._results.get(call.tool_use_id), self._context)

    def _user(self, kind: Kind, uuid: str, record: UserRecord) -> None:
        at = record.timestamp
        if kind is Kind.PROMPT:
            self._entries.add_note(uuid, at, _prompt(record))
        elif kind is not Kind.SUMMARY:
            self._entries.add_note(uuid, at, user_note(record))
        elif not self._entries.summarize(uuid, summary_parts(record)):
            lone = Compaction(summary=summary_parts(record), has_boundary=False)
            self._entries.add_note(uuid, at, lone)

    def _result(self, result: ToolResult) -> None:
        """Put a result into an entry, unless its call shows it: before it or further on."""
        tool_use_id = result.block.tool_use_id
        made = self._made.get(tool_use_id)
        if made is None and tool_use_id in self._to_come:
            self._early.setdefault(tool_use_id, []).append(result)
        elif made is None:
            lone = lone_call(result, self._elsewhere.get(tool_use_id))
            self._made[tool_use_id] = lone
            self._entries.add(call_entry(lone, result, self._context))
        elif self._results[tool_use_id] != result:
            again = call_entry(made, result, self._context)
            parts = (Fold("answered again", again.answered),)
            self._entries.answer_again(tool_use_id, result.uuid, parts)

    def _beside_results(self, uuid: str, record: UserRecord) -> None:
        """Put text that stands beside results in one record into an entry of its own."""
        text, reminders = cut_reminders(blocks_text(record.message.content))
        entry: Prompt | Notice | None = None
        if text.strip().startswith(INTERRUPT):
            entry = interrupt_notice(text.strip())
        elif text.strip():
            entry = Prompt(
                parts=(*typed(text), *reminders),
                manner=Manner.STEERING,
                words=one_line(text),
                is_numbered=False,
            )
        self._entries.add_note(f"{uuid}-text", record.timestamp, entry)

    def _variants(self, one: _Loaded) -> None:
        """Put what was written again of a record, differently, behind it."""
        for number, variant in enumerate(one.placed.variants, start=1):
            (record,) = self._load(variant.source, [variant.envelope])
            own = f"{one.uuid}-v{number}"
            inner = _TurnBuilder((), self._load, self._context, self._withdrawn, self._made)
            if variant.envelope.digest:
                results = results_in(f"{own}-1", record)
                inner._add(one.placed.kind, f"{own}-1", record, results)
            else:
                said = notice("This copy has no message.")
                inner._entries.add_note(f"{own}-1", record.timestamp, said)
            self._entries.add(
                Rewritten(
                    uuid=own,
                    at=record.timestamp,
                    where=f"line {variant.envelope.line} of session {variant.session}",
                    entries=inner._entries.entries(),
                )
            )


def _prompt(record: UserRecord) -> Prompt | Notice:
    """Return a record that counts as a prompt: a person's, or what stands in its place."""
    text = blocks_text(record.message.content)
    if is_injected(record):
        return message_notice(text, record.origin)
    if text.strip().startswith(INTERRUPT):
        return interrupt_notice(text.strip())
    prompt = prompt_entry(record)
    return replace(prompt, is_numbered=False) if record.is_meta else prompt


def _calls_in(records: Iterable[AnyRecord]) -> frozenset[str]:
    """Return the ids of the calls that `records` make."""
    return frozenset(
        block.id
        for record in records
        if isinstance(record, AssistantRecord)
        for block in record.message.content
        if isinstance(block, ToolUseBlock)
    )
