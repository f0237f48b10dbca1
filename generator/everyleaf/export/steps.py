"""A path as the steps of an agent: who said what, what was called, what came back.

One response of the API is one step, whatever records it was written in, with the results of
its calls. The formats for training and evaluation are written from these. Texts are those
that the model got, masked; nothing that was only drawn at the terminal is among them.
Every format is given the paths of a session group, and what each file is called.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

import orjson
from msgspec import Struct
from msgspec.structs import replace

from everyleaf.config import Detail
from everyleaf.graph.forest import ConversationPath, PlacedRecord, Status
from everyleaf.model import Kind
from everyleaf.outputs import Blob
from everyleaf.pages.addresses import reduce_name
from everyleaf.pages.sourcing import open_loader
from everyleaf.pages.work import AgentWork, FamilyWork, TurnKey
from everyleaf.records import schema
from everyleaf.transcript.build import load_turn
from everyleaf.transcript.content import Json, blocks_text, picture
from everyleaf.transcript.document import Picture, Usage
from everyleaf.transcript.facts import SYNTHETIC, usage_of
from everyleaf.transcript.notes import queued_message
from everyleaf.transcript.prompts import INTERRUPT
from everyleaf.transcript.results import ToolResult, results_in

ABANDONED_DIR = "abandoned/"
Said: TypeAlias = "Sequence[str | Picture]"
"""Texts and pictures, in order."""


class StepSource(StrEnum):
    """Who a step comes from."""

    USER = "user"
    AGENT = "agent"
    SYSTEM = "system"


class PathStepKind(StrEnum):
    """What a step is."""

    PROMPT = "prompt"
    STEERING = "steering"
    """Typed while the model worked."""
    REPLY = "reply"
    INJECTED = "injected"
    """Given to the model by somebody else than the person: a task that ended, a skill."""
    COMPACTION = "compaction"
    """The summary that took the place of all before it."""
    RESULT = "result"
    """Of a call that is not on the path."""


class StepCall(Struct, frozen=True):
    """A call of a tool."""

    call_id: str
    name: str
    input: schema.JsonObject
    agent_id: str = ""
    """The subagent that it started or went on with, as the records of the path say."""


class StepResult(Struct, frozen=True):
    """What a call gave."""

    call_id: str
    """Empty: the call is not on the path."""
    said: Said
    is_error: bool = False


class PathStep(Struct, eq=False):
    """One step of a path or of a subagent; grows while its records are read."""

    source: StepSource
    kind: PathStepKind
    records: dict[str, None]
    """uuids of the records that it is made of, in order: of all steps together, each
    conversation record of the path once or more."""
    at: str = ""
    said: list[str | Picture] = []
    thoughts: list[str] = []
    calls: list[StepCall] = []
    results: list[StepResult] = []
    """In the order in which they were written."""
    model: str = ""
    usage: Usage | None = None
    """Of the response; None: it stands in an earlier step, or nobody answered."""
    is_synthetic: bool = False
    """The CLI wrote it in the model's place."""
    is_withdrawn: bool = False
    """The API took it back."""
    version: str = ""
    """Of Claude Code."""

    @property
    def thinking(self) -> str:
        """Return what the model thought."""
        return "\n\n".join(self.thoughts)


class _Builder:
    """Makes steps of records that come in the order of a path."""

    def __init__(self, withdrawn: frozenset[str]) -> None:
        self.steps: list[PathStep] = []
        self.agents: dict[str, str] = {}
        """Call → the subagent behind it."""
        self._withdrawn = withdrawn
        self._callers: dict[str, PathStep] = {}
        self._responses: dict[tuple[str, str], PathStep] = {}
        self.here: dict[str, PathStep] = {}
        """The responses of this turn, by the id of the message."""

    def add(self, placed: PlacedRecord, record: schema.AnyRecord) -> None:
        """Take the next record of the path."""
        uuid, kind = placed.envelope.uuid, placed.kind
        for link in placed.envelope.links:
            self.agents.setdefault(link.tool_use_id, link.agent_id)
        if isinstance(record, schema.AssistantRecord) and kind is Kind.REPLY:
            self._reply(uuid, record)
            return
        results = results_in(uuid, record) if kind is Kind.RESULT else ()
        if results and isinstance(record, schema.UserRecord):
            for result in results:
                self._result(result)
            self._beside_results(uuid, record)
            return
        match kind:
            case Kind.PROMPT | Kind.RESULT:
                self._said(StepSource.USER, PathStepKind.PROMPT, uuid, record)
            case Kind.STEERING:
                self._said(StepSource.USER, PathStepKind.STEERING, uuid, record)
            case Kind.BOUNDARY:
                self._open(StepSource.SYSTEM, PathStepKind.COMPACTION, uuid, record)
            case Kind.SUMMARY:
                self._summary(uuid, record)
            case _:
                self._note(placed, record)

    def _open(
        self, source: StepSource, kind: PathStepKind, uuid: str, record: schema.AnyRecord
    ) -> PathStep:
        one = PathStep(source, kind, {uuid: None}, record.timestamp, version=record.version)
        self.steps.append(one)
        return one

    def _said(
        self, source: StepSource, kind: PathStepKind, uuid: str, record: schema.AnyRecord
    ) -> None:
        self._open(source, kind, uuid, record).said += said_of(_blocks(record))

    def _summary(self, uuid: str, record: schema.AnyRecord) -> None:
        last = self.steps[-1] if self.steps else None
        if last is None or last.kind is not PathStepKind.COMPACTION or last.said:
            last = self._open(StepSource.SYSTEM, PathStepKind.COMPACTION, uuid, record)
        last.records[uuid] = None
        last.said += said_of(_blocks(record))

    def _note(self, placed: PlacedRecord, record: schema.AnyRecord) -> None:
        """Take what nobody typed, if the model got it as a message."""
        # What the CLI writes about the terminal is no message to the model.
        is_meta = isinstance(record, schema.UserRecord) and record.is_meta
        may_be_injected = isinstance(record, schema.UserRecord | schema.AttachmentRecord)
        is_injected = may_be_injected and placed.envelope.kind is Kind.INJECTED
        text = blocks_text(_blocks(record)) if is_meta or is_injected else ""
        if text.strip() and not text.lstrip().startswith(_TERMINAL):
            uuid = placed.envelope.uuid
            self._said(StepSource.SYSTEM, PathStepKind.INJECTED, uuid, record)

    def _reply(self, uuid: str, record: schema.AssistantRecord) -> None:
        message = record.message
        step = self.here.get(message.id) if message.id else None
        if step is None:
            step = self._open(StepSource.AGENT, PathStepKind.REPLY, uuid, record)
            self.here[message.id] = step
            step.model = message.model
            step.is_synthetic = message.model == SYNTHETIC or record.is_api_error_message
        step.records[uuid] = None
        step.is_withdrawn = step.is_withdrawn or uuid in self._withdrawn
        self._count(step, record)
        texts: list[schema.Block] = []
        for block in message.content:
            if isinstance(block, schema.ToolUseBlock):
                server = f"mcp__{block.server_name}__" if block.server_name else ""
                call = StepCall(block.id, f"{server}{block.name}", block.input)
                if block.id not in self._callers:
                    self._callers[block.id] = step
                    step.calls.append(call)
            elif isinstance(block, schema.ThinkingBlock):
                step.thoughts += [block.thinking] if block.thinking.strip() else []
            else:
                texts.append(block)
        step.said += said_of(texts)
        for result in results_in(uuid, record):
            self._result(result)

    def _count(self, step: PathStep, record: schema.AssistantRecord) -> None:
        """Give a response its tokens, once: each of its records repeats them."""
        if step.is_synthetic:
            return
        used = usage_of(record.message.usage)
        if not record.message.id:
            step.usage = used
            return
        first = self._responses.setdefault((record.message.id, record.request_id), step)
        if first.usage is None or used.output >= first.usage.output:
            first.usage = used

    def _result(self, result: ToolResult) -> None:
        call_id = result.block.tool_use_id
        caller = self._callers.get(call_id)
        if caller is None:
            caller = self._open(
                StepSource.SYSTEM, PathStepKind.RESULT, result.uuid, result.record
            )
            call_id = ""
        caller.records[result.uuid] = None
        said = tuple(said_of(result.block.content))
        made = StepResult(call_id, said, result.block.is_error)
        if made not in caller.results:  # Written twice, it was still given once.
            caller.results.append(made)

    def _beside_results(self, uuid: str, record: schema.UserRecord) -> None:
        """Take what a person typed into the record of a result."""
        texts = [one for one in record.message.content if isinstance(one, schema.TextBlock)]
        text = blocks_text(texts).strip()
        if text and not text.startswith((INTERRUPT, "<system-reminder>")):
            step = self._open(StepSource.USER, PathStepKind.STEERING, uuid, record)
            step.said += said_of(texts)


_TERMINAL = (
    "Caveat: The messages below",
    "<local-command-",
    "<command-",
    "<bash-",
    "<user-memory-input",
)
"""How texts begin that tell what happened at the terminal."""


def _blocks(record: schema.AnyRecord) -> Sequence[schema.Block]:
    match record:
        case schema.UserRecord() | schema.AssistantRecord():
            return record.message.content
        case schema.AttachmentRecord():
            return queued_message(record).message.content
        case schema.SystemRecord():
            return (schema.TextBlock(text=record.content),) if record.content else ()
        case _:
            return ()


def said_of(blocks: Iterable[schema.Block | schema.InnerBlock]) -> list[str | Picture]:
    """Return what `blocks` say: texts and pictures, and of other blocks what they are."""
    said: list[str | Picture] = []
    for block in blocks:
        match block:
            case schema.TextBlock():
                said += [block.text] if block.text else []
            case schema.ImageBlock():
                said.append(picture(Json(block.source)))
            case schema.DocumentBlock():
                source = Json(block.source)
                is_text = source.text("type") == "text"
                named = block.title or source.text("media_type") or "document"
                said.append(source.text("data") if is_text else f"[document: {named}]")
            case schema.ToolReferenceBlock():
                said.append(f"[tool: {block.tool_name}]")
            case schema.UnknownBlock():
                said.append(f"[{block.type}]")
            case _:
                pass
    return said


def text_of(said: Said) -> str:
    """Return what was said as text; a picture is named in its place."""
    return "\n".join(
        one if isinstance(one, str) else f"[image: {one.media_type or 'unknown'}]"
        for one in said
    )


class Written(Struct, frozen=True):
    """A file of an export, before the last look for secrets."""

    url: str
    """Its name, from the folder on."""
    body: bytes
    inner: tuple[Blob, ...] = ()
    """Pictures that stand in it by their names, to be put in their places."""


class GroupReader:
    """Reads what formats need of a session group."""

    def __init__(self, work: FamilyWork, *, is_redacted: bool, detail: Detail) -> None:
        """Read the records of `work` when asked; `detail` is that of formats for people."""
        self.work = work
        self.sessions = {session.session: session for session in work.sessions}
        self.is_redacted = is_redacted
        self.detail = detail
        self._load = open_loader(work)
        self._agents = work.agents()
        self._called = work.called()

    def agent_of(self, call: StepCall, session: str) -> AgentWork | None:
        """Return the subagent that a call of `session` led to, if its records are known."""
        agent_id = self._called.get((session, call.call_id), call.agent_id)
        found = self._agents.get((session, agent_id))
        return found if found is not None and found.leaves else None

    def steps(self, leaf: TurnKey, *, after: int = 0) -> tuple[PathStep, ...]:
        """Return the steps from the root to `leaf`, without those of the first turns.

        Linear in what the path holds; only turns behind the first `after` are read.
        """
        builder = _Builder(self.work.withdrawn)
        for turn in self.work.tree.line(leaf)[after:]:
            builder.here = {}  # What is written next goes on with no step before it.
            for placed, record in load_turn(turn, self._load):
                builder.add(placed, record)
        for step in builder.steps:
            step.calls = [
                replace(one, agent_id=builder.agents.get(one.call_id, ""))
                for one in step.calls
            ]
        return tuple(builder.steps)


def file_name(path: ConversationPath) -> str:
    """Return what a path's file is called, without a suffix; abandoned ones stand apart."""
    folder = ABANDONED_DIR if path.status is Status.ABANDONED else ""
    number = "" if path.of == 1 else f"_path{path.number}"
    return f"{folder}{reduce_name(path.session)}{number}"


def to_json(value: Mapping[str, object], *, is_indented: bool = False) -> bytes:
    """Return `value` as JSON with a line break at its end.

    What no JSON can say becomes null (NaN), or a question mark (half of a pair).
    """
    try:
        more = orjson.OPT_INDENT_2 if is_indented else 0
        return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE | more)
    except orjson.JSONEncodeError:  # Half a pair, long numbers, 250 levels and more.
        text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
        plain = json.loads(text, parse_constant=lambda _: None)
        indent = 2 if is_indented else None
        return json.dumps(plain, ensure_ascii=False, indent=indent).encode() + b"\n"
