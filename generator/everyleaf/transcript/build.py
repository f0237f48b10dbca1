"""Making the document of a turn: its records, in file order, as entries.

What the model wrote comes block by block; a compaction replaces what came before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from everyleaf.graph.forest import PlacedRecord, Turn, Variant
from everyleaf.grouping import grouped
from everyleaf.model import Envelope, Kind
from everyleaf.records import schema
from everyleaf.transcript import content, document as doc
from everyleaf.transcript.calls import CallContext, call_entry, lone_call
from everyleaf.transcript.entries import Anchor, AttachedNote, EntryBuilder, Note, notice
from everyleaf.transcript.facts import SYNTHETIC, turn_facts
from everyleaf.transcript.notes import REPLACEMENT, note_of, queued_entry, replaced_results
from everyleaf.transcript.prompts import INTERRUPT, interrupt_notice, user_note
from everyleaf.transcript.results import ToolResult, results_in
from everyleaf.transcript.tools.call import Call
from everyleaf.transcript.words import counted, duration, first_line, one_line, tag_body

Load: TypeAlias = "Callable[[int, Sequence[Envelope]], Sequence[schema.AnyRecord]]"
"""Reads the records of some envelopes from the source with a number, in their order."""


class _Loaded(NamedTuple):
    """A record of the turn with its full content."""

    uuid: str
    kind: Kind
    record: schema.AnyRecord
    results: tuple[ToolResult, ...]
    variants: tuple[Variant, ...] = ()
    is_sidechain: bool = False


def build_turn(
    turn: Turn,
    load: Load,
    *,
    read_spilled: Callable[[str], str | None] = lambda _name: None,
    tasks: tuple[doc.Task, ...] = (),
    withdrawn: frozenset[str] = frozenset(),
) -> doc.TurnDocument:
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
    loaded: list[_Loaded] = []
    for placed, record in load_turn(turn, load):
        uuid, is_aside = placed.envelope.uuid, placed.envelope.is_sidechain
        results = results_in(uuid, record)
        one = _Loaded(uuid, placed.kind, record, results, placed.variants, is_aside)
        loaded.append(one)
    context = CallContext(read_spilled, tasks)
    own = (uuid for placed in turn.records for uuid in placed.envelope.withdraws)
    builder = _TurnBuilder(loaded, load, context, withdrawn.union(own))
    # A reply without a word, such as a lone signature, still has its place.
    conversation = [one for one in loaded if one.kind is not Kind.NOTE]
    for one in conversation:
        builder.entries.settle(one.uuid, one.record.timestamp)
    entries = builder.entries.entries()
    times = [one.record.timestamp for one in conversation]
    return doc.TurnDocument(
        session=turn.session,
        index=turn.index,
        entries=entries,
        facts=turn_facts(entries, [one.record for one in loaded], times),
        records=tuple(one.uuid for one in conversation),
        tasks=context.tasks,
        reads_tasks=context.reads_tasks,
    )


def load_turn(turn: Turn, load: Load) -> list[tuple[PlacedRecord, schema.AnyRecord]]:
    """Return the records of `turn` with their content, each source read once."""
    found: dict[int, schema.AnyRecord] = {}
    for source in dict.fromkeys(one.source for one in turn.records):
        places = [at for at, one in enumerate(turn.records) if one.source == source]
        records = load(source, [turn.records[at].envelope for at in places])
        found.update(zip(places, records, strict=True))
    return [(one, found[at]) for at, one in enumerate(turn.records)]


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
        self.entries = EntryBuilder()
        self._load = load
        self._context = context
        self._withdrawn = withdrawn
        self._elsewhere = elsewhere or {}
        """Calls that others made, by id: what a variant's results may answer."""
        results = (result for one in loaded for result in one.results)
        self._results = grouped((result.block.tool_use_id, result) for result in results)
        """All results of each call, in order."""
        self._to_come = {
            block.id
            for one in loaded
            if isinstance(one.record, schema.AssistantRecord)
            for block in one.record.message.content
            if isinstance(block, schema.ToolUseBlock)
        }
        self._made: dict[str, Call] = {}
        self._replaced: set[str] = set()
        for one in loaded:
            self._add(one)
            if one.kind is not Kind.NOTE:
                for number, variant in enumerate(one.variants, start=1):
                    self._add_variant(f"{one.uuid}-v{number}", one.kind, variant)

    def _add(self, one: _Loaded) -> None:
        record, at = one.record, one.record.timestamp
        if isinstance(record, schema.AssistantRecord):
            self._reply(one.uuid, record)
        elif isinstance(record, schema.OtherRecord) and record.type == REPLACEMENT:
            for told in replaced_results(record):
                if told.tool_use_id not in self._replaced:  # Copies of it count once.
                    self._replaced.add(told.tool_use_id)
                    self.entries.add_note("", "", told)
        elif not one.results or one.kind is Kind.SUMMARY:
            note = _note_of(one.kind, record)
            if one.is_sidechain and isinstance(note, doc.Prompt):
                note = replace(note, is_request=True)
            self.entries.add_note(one.uuid, at, note)
            return
        for result in one.results:
            tool_use_id = result.block.tool_use_id
            if tool_use_id not in self._made and tool_use_id not in self._to_come:
                self._call(lone_call(result, self._elsewhere.get(tool_use_id)))
        if isinstance(record, schema.UserRecord):
            self.entries.add_note(f"{one.uuid}-text", at, _beside_results(record))

    def _reply(self, uuid: str, record: schema.AssistantRecord) -> None:
        is_withdrawn = uuid in self._withdrawn
        for made in reply_entries(uuid, record):
            if isinstance(made, Call):
                self._call(made, is_withdrawn=is_withdrawn)
            elif is_withdrawn and isinstance(made, doc.Reply | doc.Thinking):
                self.entries.add(replace(made, is_withdrawn=True))
            else:
                self.entries.add(made)

    def _call(self, call: Call, *, is_withdrawn: bool = False) -> None:
        """Put a call with all its results into one entry, wherever those were written."""
        self._made[call.tool_use_id] = call
        results = self._results.get(call.tool_use_id, [])
        entry = call_entry(call, results[0] if results else None, self._context)
        self.entries.add(replace(entry, is_withdrawn=True) if is_withdrawn else entry)
        for result in results[1:]:
            if result != results[0]:
                again = call_entry(call, result, self._context)
                parts = (doc.Fold("answered again", again.answered),)
                note = AttachedNote(Anchor.CALL, parts, None, call.tool_use_id)
                self.entries.add_note(result.uuid, "", note)

    def _add_variant(self, uuid: str, kind: Kind, variant: Variant) -> None:
        """Put what was written again of a record, differently, behind it."""
        (record,) = self._load(variant.source, [variant.envelope])
        own = f"{uuid}-1"
        shown = [_Loaded(own, kind, record, results_in(own, record))]
        inner = _TurnBuilder(
            shown if variant.envelope.digest else (),
            self._load,
            self._context,
            self._withdrawn,
            self._made,
        )
        if not variant.envelope.digest:
            said = notice("This copy has no message.")
            inner.entries.add_note(own, record.timestamp, said)
        where = f"line {variant.envelope.line} of session {variant.session}"
        entries, at = inner.entries.entries(), record.timestamp
        self.entries.add(doc.Rewritten(uuid=uuid, at=at, where=where, entries=entries))


def _note_of(kind: Kind, record: schema.NoReply) -> Note:
    """Return what a record shows that is no reply and holds no result."""
    if isinstance(record, schema.UserRecord):
        if kind is not Kind.SUMMARY:
            return user_note(record, is_prompt=kind is Kind.PROMPT)
        parts = summary_parts(record)
        lone = doc.Compaction(summary=parts, has_boundary=False)
        return AttachedNote(Anchor.BOUNDARY, parts, lone)
    if kind is Kind.BOUNDARY:
        return boundary_entry(record)
    if kind is Kind.STEERING and isinstance(record, schema.AttachmentRecord):
        return queued_entry(record)
    note = note_of(record)
    # Only what the graph counts as a person's message is numbered.
    return replace(note, is_numbered=False) if isinstance(note, doc.Prompt) else note


def _beside_results(record: schema.UserRecord) -> Note:
    """Return what text shows that stands beside results in one record."""
    text, reminders = content.cut_reminders(content.blocks_text(record.message.content))
    if text.strip().startswith(INTERRUPT):
        return interrupt_notice(text.strip())
    if not text.strip():
        return None
    return doc.Prompt(
        parts=(*content.typed(text), *reminders),
        manner=doc.Manner.STEERING,
        words=one_line(text),
        is_numbered=False,
    )


def reply_entries(
    uuid: str, record: schema.AssistantRecord
) -> Iterator[doc.Reply | doc.Thinking | doc.Notice | doc.Compaction | Call]:
    """Yield what stands in `record`, block by block; blank text gives nothing.

    The first entry has `uuid` itself, a further one `uuid` with its number behind it.
    Results of server tools are left to their calls.
    """
    at = record.timestamp
    for number, block in enumerate(record.message.content, start=1):
        own = uuid if number == 1 else f"{uuid}-{number}"
        if isinstance(block, schema.ToolUseBlock):
            server = f"mcp__{block.server_name}__" if block.server_name else ""
            yield Call(
                uuid=own,
                at=at,
                tool_use_id=block.id,
                name=f"{server}{block.name}",
                input=content.Json(block.input),
                folder=record.cwd,
            )
        elif isinstance(block, schema.ThinkingBlock):
            yield doc.Thinking(uuid=own, at=at, text=block.thinking)
        elif not isinstance(block, schema.ServerResultBlock):
            entry = _entry_of(record, block)
            if entry is not None:
                yield replace(entry, uuid=own, at=at)


def _entry_of(
    record: schema.AssistantRecord, block: schema.Block
) -> doc.Reply | doc.Notice | doc.Compaction | None:
    model = record.message.model
    if isinstance(block, schema.TextBlock):
        if record.is_api_error_message or model == SYNTHETIC:
            return _synthetic(record, block.text)
        said = block.text.strip("\n")
        is_empty = said.strip() in {"", "(no content)"}
        return None if is_empty else doc.Reply(parts=(doc.Prose(said),), model=model)
    if isinstance(block, schema.UnknownBlock) and block.type == "compaction":
        summary = content.prose(content.Json(block.raw).text("content"))
        return doc.Compaction(facts=("by the API",), summary=summary)
    if isinstance(block, schema.UnknownBlock) and block.type == "fallback":
        models = (_model_name(content.Json(block.raw).value(key)) for key in ("from", "to"))
        said = f"Model changed: {' → '.join(filter(None, models))}"
        return doc.Notice(kind=doc.NoticeKind.MODEL, text=said.rstrip(": "))
    return doc.Reply(parts=content.media_part(block), model=model)


def _model_name(value: schema.JsonValue) -> str:
    return value if isinstance(value, str) else content.Json(value).text("model", "name")


def _synthetic(record: schema.AssistantRecord, text: str) -> doc.Notice | None:
    """Return what the CLI said in the model's place: an API error, or that nothing came."""
    if text.strip() == "No response requested.":
        return None
    is_error = record.is_api_error_message
    words = first_line(text)
    return doc.Notice(
        kind=doc.NoticeKind.API_ERROR if is_error else doc.NoticeKind.META,
        text=words,
        parts=() if words == text.strip() else (doc.Prose(text),),
        is_trouble=is_error,
    )


def boundary_entry(record: schema.AnyRecord) -> doc.Compaction:
    """Return the divider with the facts of its compaction; its summary is added later."""
    if not isinstance(record, schema.SystemRecord):
        return doc.Compaction()
    told = record.compact_metadata
    before, after, took = told.pre_tokens, told.post_tokens, duration(told.duration_ms)
    kept = content.Json(told.preserved_messages)
    then = "" if after is None else f" → {after:,}"
    focus = one_line(told.user_context)
    facts = (
        told.trigger,
        "" if before is None else f"{before:,}{then} tokens",
        f"{counted(len(kept.values('uuids')), 'message')} kept" if kept else "",
        f"asked to keep: {focus}" if focus else "",
        f"took {took}" if took else "",
    )
    return doc.Compaction(facts=tuple(filter(None, facts)))


def summary_parts(record: schema.UserRecord) -> doc.Parts:
    """Return the summary's text; the analysis that older ones begin with is folded."""
    text = content.blocks_text(record.message.content)
    media = content.media_parts(record.message.content)
    analysis, summary = tag_body(text, "analysis"), tag_body(text, "summary")
    if analysis is None or summary is None:
        return (doc.Prose(text), *media)
    return (
        doc.Prose(summary.strip()),
        doc.Fold("analysis", (doc.Prose(analysis.strip()),)),
        *media,
    )
