"""Making the document of a turn: its records, in file order, as entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from everyleaf.model import Kind
from everyleaf.records.schema import (
    AssistantRecord,
    AttachmentRecord,
    OtherRecord,
    TextBlock,
    ToolUseBlock,
    UserRecord,
)
from everyleaf.transcript.attachments import queued_entry
from everyleaf.transcript.calls import Made, Surroundings, call_entry, lone_call
from everyleaf.transcript.compaction import boundary_entry, summary_entry, summary_parts
from everyleaf.transcript.content import blocks_text, cut_reminders, typed
from everyleaf.transcript.document import (
    Fold,
    Manner,
    Notice,
    NoticeKind,
    Prompt,
    Reply,
    Rewritten,
    Thinking,
    TurnDocument,
)
from everyleaf.transcript.echoes import INTERRUPT, interrupt_notice, user_note
from everyleaf.transcript.facts import turn_facts
from everyleaf.transcript.injected import injected_notice, is_injected
from everyleaf.transcript.notes import note_of
from everyleaf.transcript.offtree import REPLACEMENT, replaced_results
from everyleaf.transcript.prompts import prompt_entry
from everyleaf.transcript.replies import reply_entries
from everyleaf.transcript.results import Given, given_by, results_by_call
from everyleaf.transcript.sheet import Sheet
from everyleaf.transcript.words import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from everyleaf.graph.forest import PlacedRecord, Turn
    from everyleaf.model import Envelope
    from everyleaf.records.schema import AnyRecord
    from everyleaf.transcript.document import Task

Load: TypeAlias = "Callable[[int, Sequence[Envelope]], Sequence[AnyRecord]]"
"""Reads the records of some envelopes from the source with a number, in their order."""


class _Loaded(Struct, frozen=True):
    """A record of the turn with its full content."""

    placed: PlacedRecord
    record: AnyRecord

    @property
    def uuid(self) -> str:
        return self.placed.envelope.uuid


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
            base name (`everyleaf.transcript.spilled.open_spills`).
        tasks: The task list as it stood after the turn before (`TurnDocument.tasks`).
        withdrawn: uuids of replies that other turns take back (`Envelope.withdraws`).
    """
    loaded = _load_all(turn, load)
    records = [one.record for one in loaded]
    around = Surroundings(read_spilled, tasks)
    own = (uuid for one in loaded for uuid in one.placed.envelope.withdraws)
    builder = _Builder(loaded, load, around, withdrawn.union(own))
    builder.add_all()
    entries = builder.sheet.entries()
    conversation = [one for one in loaded if one.placed.kind is not Kind.NOTE]
    return TurnDocument(
        session=turn.session,
        index=turn.index,
        entries=entries,
        facts=turn_facts(entries, records, [one.record.timestamp for one in conversation]),
        records=tuple(one.uuid for one in conversation),
        tasks=around.tasks,
        reads_tasks=around.reads_tasks,
    )


def _load_all(turn: Turn, load: Load) -> list[_Loaded]:
    """Return the records of `turn` in its order, each source read once."""
    by_source: dict[int, list[PlacedRecord]] = {}
    for placed in turn.records:
        by_source.setdefault(placed.source, []).append(placed)
    records: dict[str, AnyRecord] = {}
    for source, some in by_source.items():
        found = load(source, [placed.envelope for placed in some])
        records.update(
            (placed.envelope.uuid, record)
            for placed, record in zip(some, found, strict=True)
        )
    return [_Loaded(placed, records[placed.envelope.uuid]) for placed in turn.records]


class _Builder:
    """Walks the records of a turn once and puts what they show on a sheet."""

    def __init__(
        self,
        loaded: Sequence[_Loaded],
        load: Load,
        around: Surroundings,
        withdrawn: frozenset[str] = frozenset(),
    ) -> None:
        self.sheet = Sheet()
        self._loaded = loaded
        self._load = load
        self._around = around
        given = [result for one in loaded for result in given_by(one.uuid, one.record)]
        self._results = results_by_call(given)
        self._made: dict[str, Made] = {}
        self._to_come = _calls_in(one.record for one in loaded)
        self._replaced: set[str] = set()
        self._early: dict[str, list[Given]] = {}
        self._elsewhere: Mapping[str, Made] = {}
        self._withdrawn = withdrawn

    def add_all(self) -> None:
        """Put all records on the sheet, each behind it what was written again of it."""
        for one in self._loaded:
            self._add(one.placed.kind, one.uuid, one.record)
            if one.placed.kind is not Kind.NOTE:
                self._variants(one)
        # A reply without a word, such as a lone signature, still has its place.
        for one in self._loaded:
            if one.placed.kind is not Kind.NOTE:
                self.sheet.settle(one.uuid, one.record.timestamp)

    def _add(self, kind: Kind, uuid: str, record: AnyRecord) -> None:
        if isinstance(record, AssistantRecord):
            self._reply(uuid, record)
        elif isinstance(record, UserRecord):
            self._user(kind, uuid, record)
        elif kind is Kind.BOUNDARY:
            self.sheet.add(boundary_entry(uuid, record))
        elif kind is Kind.STEERING and isinstance(record, AttachmentRecord):
            self.sheet.add(queued_entry(uuid, record))
        elif isinstance(record, OtherRecord) and record.type == REPLACEMENT:
            self._replacements(record)
        else:
            note = note_of(uuid, record)
            # Only what the graph counts as a person's message is numbered.
            if isinstance(note, Prompt):
                note = replace(note, is_numbered=False)
            self.sheet.note(uuid, note)

    def _replacements(self, record: OtherRecord) -> None:
        """Put what the model saw of results with their calls; copies of it count once."""
        for tool_use_id, parts in replaced_results(record):
            if tool_use_id not in self._replaced:
                self._replaced.add(tool_use_id)
                self.sheet.add_to_call(tool_use_id, parts)

    def _reply(self, uuid: str, record: AssistantRecord) -> None:
        is_withdrawn = uuid in self._withdrawn
        for entry in reply_entries(uuid, record):
            if isinstance(entry, Made):
                self._made[entry.tool_use_id] = entry
                given = self._results.get(entry.tool_use_id)
                call = call_entry(entry, given, self._around)
                self.sheet.add(replace(call, is_withdrawn=True) if is_withdrawn else call)
                for early in self._early.pop(entry.tool_use_id, ()):
                    self._result(early)
            elif is_withdrawn and isinstance(entry, Reply | Thinking):
                self.sheet.add(replace(entry, is_withdrawn=True))
            else:
                self.sheet.add(entry)
        for result in given_by(uuid, record):
            self._result(result)

    def _user(self, kind: Kind, uuid: str, record: UserRecord) -> None:
        if kind is Kind.SUMMARY:
            if not self.sheet.summarize(uuid, summary_parts(record)):
                self.sheet.add(summary_entry(uuid, record))
            return
        given = given_by(uuid, record)
        if given:
            for result in given:
                self._result(result)
            self._beside_results(uuid, record)
        elif kind is Kind.PROMPT:
            self.sheet.add(_prompt(uuid, record))
        else:
            self.sheet.note(uuid, user_note(uuid, record))

    def _result(self, given: Given) -> None:
        """Put a result on the sheet, unless its call shows it: before it or further on."""
        tool_use_id = given.block.tool_use_id
        made = self._made.get(tool_use_id)
        if made is None and tool_use_id in self._to_come:
            self._early.setdefault(tool_use_id, []).append(given)
        elif made is None:
            lone = lone_call(given, self._elsewhere.get(tool_use_id))
            self._made[tool_use_id] = lone
            self.sheet.add(call_entry(lone, given, self._around))
        elif self._results[tool_use_id] != given:
            again = call_entry(made, given, self._around)
            parts = (Fold("answered again", again.answered),)
            self.sheet.answer_again(tool_use_id, given.uuid, parts)

    def _beside_results(self, uuid: str, record: UserRecord) -> None:
        """Put text that stands beside results in one record on the sheet."""
        texts = [b for b in record.message.content if isinstance(b, TextBlock)]
        text, reminders = cut_reminders(blocks_text(texts))
        own = f"{uuid}-text"
        if text.strip().startswith(INTERRUPT):
            self.sheet.add(interrupt_notice(own, record, text.strip()))
        elif text.strip():
            parts = (*typed(text), *reminders)
            self.sheet.add(
                Prompt(
                    uuid=own,
                    at=record.timestamp,
                    parts=parts,
                    manner=Manner.STEERING,
                    words=one_line(text),
                    is_numbered=False,
                )
            )

    def _variants(self, one: _Loaded) -> None:
        """Put what was written again of a record, differently, behind it."""
        for number, variant in enumerate(one.placed.variants, start=1):
            (record,) = self._load(variant.source, [variant.envelope])
            own = f"{one.uuid}-v{number}"
            inner = _Builder((), self._load, self._around, self._withdrawn)
            inner._elsewhere = self._made
            if variant.envelope.digest:
                inner._add(one.placed.kind, f"{own}-1", record)
            else:
                inner.sheet.add(_nothing(f"{own}-1", record))
            self.sheet.add(
                Rewritten(
                    uuid=own,
                    at=record.timestamp,
                    where=f"line {variant.envelope.line} of session {variant.session}",
                    entries=inner.sheet.entries(),
                )
            )


def _nothing(uuid: str, record: AnyRecord) -> Notice:
    """Return what is said of a copy that says nothing itself."""
    text = "This copy has no message."
    return Notice(uuid=uuid, at=record.timestamp, kind=NoticeKind.META, text=text)


def _prompt(uuid: str, record: UserRecord) -> Prompt | Notice:
    """Return a record that counts as a prompt: a person's, or what stands in its place."""
    if is_injected(record):
        return injected_notice(uuid, record)
    text = blocks_text(record.message.content).strip()
    if text.startswith(INTERRUPT):
        return interrupt_notice(uuid, record, text)
    return prompt_entry(uuid, record, is_numbered=not record.is_meta)


def _calls_in(records: Iterable[AnyRecord]) -> frozenset[str]:
    """Return the ids of the calls that `records` make."""
    return frozenset(
        block.id
        for record in records
        if isinstance(record, AssistantRecord)
        for block in record.message.content
        if isinstance(block, ToolUseBlock)
    )
