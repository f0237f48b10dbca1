"""Data sets for training and evaluation: conversations, and pairs of taken and left.

A row has `messages` as chat templates take them (user, assistant, tool), `tools`, and
`meta`; a pair has `prompt`, `chosen` and `rejected` instead. Arguments of calls and `tools`
are JSON in a string: their shapes differ from row to row, and columns have one type. One
file a split, and a card that says what stands in it. Source: the formats of data sets in
TRL's documentation, read 2026-11-23.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from operator import itemgetter
from pathlib import Path
from types import NoneType
from typing import Any

from everyleaf.digest import digest_file, digest_hex
from everyleaf.errors import ConfigError
from everyleaf.export.steps import (
    GroupReader,
    PathStep,
    PathStepKind,
    StepCall,
    StepSource,
    Written,
    text_of,
    to_json,
)
from everyleaf.graph.forest import ConversationPath, Status, TurnKind
from everyleaf.grouping import grouped
from everyleaf.outputs import Output, StagedFile
from everyleaf.pages.work import TurnKey
from everyleaf.publish.disk import StagingWriter, located
from everyleaf.transcript.facts import add_usage

Json = dict[str, object]
_Rank = tuple[bool, str, int]
_OF_PATH = ("of", "status", "title", "project", "started", "ended")
_TYPES: dict[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    list: "array",
    dict: "object",
    NoneType: "null",
}


def export_messages(reader: GroupReader, path: ConversationPath) -> Iterator[Written]:
    """Yield the row of `path`, for the data set of its status."""
    steps = reader.steps(reader.work.tree.leaves[path.ref])
    row: Json = {
        "messages": write_messages(steps),
        "tools": write_tools(steps),
        "meta": _meta(reader, path, steps),
    }
    yield Written(f"{path.status.lower()}.jsonl", to_json(row))


def export_pairs(reader: GroupReader, path: ConversationPath) -> Iterator[Written]:
    """Yield the pair of `path`, if it was abandoned at a fork: nothing of an ACTIVE path.

    Both sides begin where the two part. Raises as `export_messages` does.
    """
    tree = reader.work.tree
    here = tree.chain(tree.leaves[path.ref])
    other, shared = _left_for(reader, path, here)
    if other is None:
        return
    there = tree.chain(tree.leaves[other.ref])
    chosen = reader.steps(there[-1], after=shared)
    rejected = reader.steps(here[-1], after=shared)
    prompt = reader.steps(here[shared - 1])
    sides = (write_messages(chosen), write_messages(rejected))
    begun = write_messages(prompt)
    if not (begun and all(sides)):
        return
    kinds = {tree.turns[key].kind for line in (here, there) for key in line[shared:][:1]}
    row: Json = {
        "prompt": begun,
        "chosen": sides[0],
        "rejected": sides[1],
        "tools": write_tools((*prompt, *chosen, *rejected)),
        "meta": {
            **_meta(reader, path, (*prompt, *rejected)),
            "chosen_path": other.number,
            "chosen_status": other.status,
            "fork": _fork(kinds),
        },
    }
    yield Written("pairs.jsonl", to_json(row))


def _fork(kinds: set[TurnKind]) -> str:
    """Return what two sides begin with: another prompt, or another reply to the same."""
    if kinds == {TurnKind.RESPONSE}:
        return "reply"
    return "prompt" if kinds == {TurnKind.PROMPT} else "mixed"


def _left_for(
    reader: GroupReader, path: ConversationPath, here: Sequence[TurnKey]
) -> tuple[ConversationPath | None, int]:
    """Return the path for which `path` was left, and how many turns both begin with.

    It is what the session went on with at the last fork where that was not this path: it
    may have been left itself, further up. None for an ACTIVE path, or where none is shared.
    """
    tree = reader.work.tree
    depths = {key: depth for depth, key in enumerate(here, 1)}
    best: tuple[tuple[int, _Rank], ConversationPath] | None = None
    for one in reader.sessions[path.session].paths:
        if _rank(one) <= _rank(path):
            continue
        at: TurnKey | None = tree.leaves[one.ref]
        while at is not None and at not in depths:
            at = tree.parents[at]
        order = (0 if at is None else depths[at], _rank(one))
        best = max(best or (order, one), (order, one), key=itemgetter(0))
    return (best[1], best[0][0]) if best and best[0][0] else (None, 0)


def _rank(path: ConversationPath) -> _Rank:
    """Return what says which of two paths the session went on with."""
    return (path.status is Status.ACTIVE, path.ended, path.number)


def write_messages(steps: Iterable[PathStep]) -> list[Json]:
    """Return `steps` as messages.

    Left out is what the API took back, and what the CLI wrote in the model's place. A call
    that was never answered has no message of a tool.
    """
    written: list[Json] = []
    for step in steps:
        if step.is_withdrawn or step.is_synthetic or step.kind is PathStepKind.RESULT:
            continue
        text = text_of(step.said)
        if step.source is not StepSource.AGENT:
            # The model gets all of it from the user's side, summaries as well.
            if text.strip():
                written.append({"role": "user", "content": text})
            continue
        message: Json = {"role": "assistant", "content": text}
        if step.thinking:
            message["reasoning_content"] = step.thinking
        if step.calls:
            message["tool_calls"] = [
                {
                    "id": call.call_id,
                    "type": "function",
                    "function": {
                        "name": call.name,
                        "arguments": to_json(call.input).decode().rstrip(),
                    },
                }
                for call in step.calls
            ]
        if text.strip() or len(message) > 2:
            written.append(message)
        names = {call.call_id: call.name for call in step.calls}
        for result in step.results:  # Of several, the model got the first.
            name = names.pop(result.call_id, None)
            if name is not None:
                tool: Json = {"role": "tool", "tool_call_id": result.call_id}
                written.append(tool | {"name": name, "content": text_of(result.said)})
    return written


def write_tools(steps: Iterable[PathStep]) -> str:
    """Return the tools that `steps` call, as JSON.

    Sessions do not record how tools are defined: these are the arguments that were given,
    with their types.
    """
    calls = grouped((call.name, call) for step in steps for call in step.calls)
    tools: list[Json] = [
        {
            "type": "function",
            "function": {"name": name, "parameters": _parameters(calls[name])},
        }
        for name in sorted(calls)
    ]
    return to_json({"tools": tools}).decode().rstrip()[len('{"tools":') : -1]


def _parameters(calls: Iterable[StepCall]) -> Json:
    seen: dict[str, set[str]] = {}
    for call in calls:
        for name, value in call.input.items():
            seen.setdefault(name, set()).add(_TYPES[type(value)])
    properties = {
        name: {"type": kinds.pop() if len(kinds) == 1 else sorted(kinds)}
        for name, kinds in sorted(seen.items())
    }
    return {"type": "object", "properties": properties}


def _meta(reader: GroupReader, path: ConversationPath, steps: Sequence[PathStep]) -> Json:
    usage = add_usage(step.usage for step in steps if step.usage is not None)
    calls = sum(len(step.calls) for step in steps)
    answered = {one.call_id for step in steps for one in step.results if one.call_id}
    versions = [step.version for step in steps if step.version]
    return {
        "session": path.session,
        "path": path.number,
        **{name: getattr(path, name) for name in _OF_PATH},
        "models": sorted({step.model for step in steps if step.usage is not None}),
        "version": versions[-1] if versions else "",
        "prompts": path.prompts,
        "compactions": path.compactions,
        "calls": calls,
        "unanswered_calls": calls - len(answered),
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cache_read_tokens": usage.cache_read,
        "cache_written_tokens": usage.cache_written,
        "is_redacted": reader.is_redacted,
    }


CARD_URL = "README.md"
_BATCH_BYTES = 8_000_000
META = {
    **dict.fromkeys(("session", "status", "title", "project"), "text"),
    **dict.fromkeys(("started", "ended", "version"), "text"),
    "models": "texts",
    **dict.fromkeys(("path", "of", "prompts", "compactions"), "count"),
    **dict.fromkeys(("calls", "unanswered_calls"), "count"),
    **dict.fromkeys(("input_tokens", "output_tokens"), "count"),
    **dict.fromkeys(("cache_read_tokens", "cache_written_tokens"), "count"),
    "is_redacted": "flag",
}
"""What is told of each row, and what it is."""
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))


def check_parquet() -> None:
    """Check that Parquet can be written.

    Raises:
        ConfigError: the library for it is not installed.
    """
    try:
        import_module("pyarrow.parquet")
    except ImportError as error:
        raise ConfigError(
            "Parquet needs pyarrow, which is not installed",
            hint="pip install 'everyleaf[parquet]', or leave out --parquet",
        ) from error


def join_rows(writer: StagingWriter, url: str, parts: Sequence[Path]) -> StagedFile:
    """Return the JSONL file `url` of the rows in `parts`, one behind the other.

    Memory holds a few megabytes, however many rows there are.
    """
    place = writer.aside(f"joined-{url}")
    with located(url), place.open("wb") as file:
        file.writelines(_iter_pieces(parts))
    return _joined(url, place)


def join_parquet(writer: StagingWriter, url: str, parts: Sequence[Path]) -> StagedFile:
    """Return the same rows as a Parquet file, compressed."""
    # It has no types, and is an extra.
    arrow: Any = import_module("pyarrow")
    parquet: Any = import_module("pyarrow.parquet")
    place = writer.aside(f"joined-{url}")
    schema = _schema(arrow, has_pairs=url.startswith("pairs"))
    with (
        located(url),
        parquet.ParquetWriter(str(place), schema, compression="zstd") as file,
    ):
        for lines in _iter_pieces(parts):
            rows = [json.loads(line) for line in lines.splitlines()]
            file.write_batch(arrow.RecordBatch.from_pylist(rows, schema=schema))
    return _joined(url, place)


def _joined(url: str, place: Path) -> StagedFile:
    with located(url):
        digest = digest_file(place)[: len(digest_hex(b""))]
        staged = StagedFile(url, digest, is_staged=True)
        place.rename(place.with_name(staged.name))
    return staged


def _iter_pieces(parts: Sequence[Path]) -> Iterator[bytes]:
    """Yield whole lines of `parts`, some megabytes at a time."""
    for part in parts:
        with part.open("rb") as file:
            while lines := file.readlines(_BATCH_BYTES):
                yield b"".join(lines)


def _schema(arrow: Any, *, has_pairs: bool) -> Any:  # noqa: ANN401  (a module without types)
    """Return the columns: fixed, so that no row decides what another one may hold."""
    text, texts = arrow.string(), arrow.list_(arrow.string())
    known = {"text": text, "texts": texts, "count": arrow.int64(), "flag": arrow.bool_()}
    function = arrow.struct([("name", text), ("arguments", text)])
    call = arrow.struct([("id", text), ("type", text), ("function", function)])
    said = [(name, text) for name in ("role", "content", "reasoning_content")]
    answers = [("tool_call_id", text), ("name", text)]
    message = arrow.struct([*said, ("tool_calls", arrow.list_(call)), *answers])
    meta = [(name, known[kind]) for name, kind in META.items()]
    if has_pairs:
        meta += [("chosen_path", known["count"]), ("chosen_status", text), ("fork", text)]
    columns = ("prompt", "chosen", "rejected") if has_pairs else ("messages",)
    talks = [(name, arrow.list_(message)) for name in columns]
    return arrow.schema([*talks, ("tools", text), ("meta", arrow.struct(meta))])


def write_card(rows: Mapping[str, int], *, is_redacted: bool) -> Output:
    """Return the card of a data set; `rows` has the number of rows in each file."""
    has_pairs = any(url.startswith("pairs") for url in rows)
    total = sum(rows.values())
    size = next((name for most, name in _SIZES if total < most), "100K<n<1M")
    splits = "".join(
        f"      - split: {url.partition('.')[0]}\n        path: {url}\n" for url in rows
    )
    counted = "".join(f"| `{url}` | {count:,} |\n" for url, count in rows.items())
    template = (Path(__file__).parent / "card.md").read_text("utf-8")
    text = template.format(
        size=size,
        splits=splits,
        counted=counted,
        about=_PAIRS if has_pairs else _MESSAGES,
        masked=_REDACTED if is_redacted else _UNREDACTED,
    )
    return Output(CARD_URL, text.encode())


_MESSAGES = """\
`messages` are in the form of chat templates: `user`, `assistant` with
`reasoning_content` and `tool_calls`, and `tool`. `active` are the paths that a session
ended on, `abandoned` those that were left for another. Paths of one session share their
beginning: keep a session on one side when you split.
"""
_PAIRS = """\
`prompt` is what both sides share, `chosen` what the session went on with, `rejected` what
was left there; `chosen` may have been left itself, further up: `meta.chosen_status`.
`meta.fork` says what they begin with: `reply` (the same prompt, answered twice), `prompt`
(the prompt itself was edited), or `mixed`. That a branch was left says that the person
went another way there, not that it was bad.
"""
_REDACTED = "Secrets, and home folders in paths, were masked before anything was written."
_UNREDACTED = "**Not redacted.** Nobody looked for secrets. Do not publish it."
