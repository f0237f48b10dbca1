"""What the formats are given: the paths of a session group, what each file is called."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import orjson
from msgspec import Struct

from everyleaf.config import Detail
from everyleaf.export.steps import PathStep, StepCall, read_steps
from everyleaf.graph.forest import ConversationPath, Status
from everyleaf.outputs import Blob
from everyleaf.pages.addresses import reduce_name
from everyleaf.pages.sourcing import open_loader
from everyleaf.pages.work import AgentWork, FamilyWork, PathWork, SessionWork, TurnKey

ABANDONED_DIR = "abandoned/"


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
        """Read the records of `work` as they are asked for.

        `detail` is how much formats show that are to be read by people.
        """
        self.work = work
        self.is_redacted = is_redacted
        self.detail = detail
        self._load = open_loader(work)
        agents = [agent for session in work.sessions for agent in session.agents]
        self._agents = {(one.session, one.agent_id): one for one in agents}
        self._called = {
            (one.session, one.tool_use_id): one for one in agents if one.tool_use_id
        }

    def paths(self) -> Iterator[ExportPath]:
        """Yield the kept paths of the group, session by session."""
        for session in self.work.sessions:
            for item in session.paths:
                yield ExportPath(self, session, item)

    def agent_of(self, call: StepCall, session: str) -> AgentWork | None:
        """Return the subagent that a call of `session` led to, if its records are known."""
        named = self._called.get((session, call.call_id))
        found = named or self._agents.get((session, call.agent_id))
        return found if found is not None and found.leaves else None

    def steps(self, leaf: TurnKey, *, after: int = 0) -> tuple[PathStep, ...]:
        """Return the steps from the root to `leaf`, without those of the first turns.

        Linear in what the path holds; only turns behind the first `after` are read.

        Raises:
            OSError: a source cannot be read any more.
        """
        tree = self.work.tree
        turns = (tree.turns[key] for key in tree.chain(leaf)[after:])
        return read_steps(turns, self._load, self.work.withdrawn)


class ExportPath(Struct, frozen=True):
    """A path to be exported."""

    reader: GroupReader
    session: SessionWork
    item: PathWork

    @property
    def path(self) -> ConversationPath:
        """Return what is known of it."""
        return self.item.path

    @property
    def name(self) -> str:
        """Return what its file is called, without a suffix; abandoned ones stand apart."""
        path = self.path
        folder = ABANDONED_DIR if path.status is Status.ABANDONED else ""
        number = "" if path.of == 1 else f"_path{path.number}"
        return f"{folder}{reduce_name(path.session)}{number}"

    def steps(self, *, after: int = 0) -> tuple[PathStep, ...]:
        """Return its steps; without those of its first turns. Raises as the reader does."""
        return self.reader.steps(self.item.leaf, after=after)


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
