"""Rows for training and evaluation: conversations, and pairs of what was taken and left.

A row has `messages` as chat templates take them (user, assistant, tool), `tools`, and
`meta`; a pair has `prompt`, `chosen` and `rejected` instead. Arguments of calls and `tools`
are JSON in a string: their shapes differ from row to row, and columns have one type.

Source: the formats of data sets in TRL's documentation, read 2026-11-23.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, cast

from everyleaf.export.group import Written, to_json
from everyleaf.export.steps import PathStepKind, StepSource, text_of
from everyleaf.graph.forest import Status, TurnKind
from everyleaf.transcript.facts import add_usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from everyleaf.export.group import ExportPath
    from everyleaf.export.steps import PathStep, StepCall
    from everyleaf.pages.work import TurnKey

    Json = dict[str, object]
    _Rank = tuple[bool, str, int]

_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number"}


def export_messages(path: ExportPath) -> Iterator[Written]:
    """Yield the row of `path`, for the data set of its status.

    Raises:
        OSError: a source cannot be read any more.
    """
    steps = path.steps()
    row: Json = {
        "messages": write_messages(steps),
        "tools": write_tools(steps),
        "meta": _meta(path, steps),
    }
    yield Written(f"{path.path.status.lower()}.jsonl", to_json(row))


def export_pairs(path: ExportPath) -> Iterator[Written]:
    """Yield the pair of `path`, if it was abandoned at a fork: nothing of an ACTIVE path.

    Both sides begin where the two part. Raises as `export_messages` does.
    """
    tree = path.reader.work.tree
    here = tree.chain(path.item.leaf)
    other, shared = _gone_on_with(path, here)
    if other is None:
        return
    there = tree.chain(other.item.leaf)
    chosen, rejected = other.steps(after=shared), path.steps(after=shared)
    prompt = path.reader.steps.steps(here[shared - 1])
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
            **_meta(path, (*prompt, *rejected)),
            "chosen_path": other.path.number,
            "chosen_status": other.path.status,
            "fork": _fork(kinds),
        },
    }
    yield Written("pairs.jsonl", to_json(row))


def _fork(kinds: set[TurnKind]) -> str:
    """Return what two sides begin with: another prompt, or another reply to the same."""
    if kinds == {TurnKind.RESPONSE}:
        return "reply"
    return "prompt" if kinds == {TurnKind.PROMPT} else "mixed"


def _gone_on_with(
    path: ExportPath, here: Sequence[TurnKey]
) -> tuple[ExportPath | None, int]:
    """Return the path for which `path` was left, and how many turns both begin with.

    It is what the session went on with at the last fork where that was not this path: it
    may have been left itself, further up. None for an ACTIVE path, or where none is shared.
    """
    parents = path.reader.work.tree.parents
    depths = {key: depth for depth, key in enumerate(here, 1)}
    best: tuple[tuple[int, _Rank], ExportPath] | None = None
    for one in path.reader.paths():
        if one.path.session != path.path.session or _rank(one) <= _rank(path):
            continue
        at: TurnKey | None = one.item.leaf
        while at is not None and at not in depths:
            at = parents[at]
        order = (0 if at is None else depths[at], _rank(one))
        best = max(best or (order, one), (order, one), key=itemgetter(0))
    return (best[1], best[0][0]) if best and best[0][0] else (None, 0)


def _rank(one: ExportPath) -> _Rank:
    """Return what says which of two paths the session went on with."""
    path = one.path
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
    calls: dict[str, list[StepCall]] = {}
    for step in steps:
        for call in step.calls:
            calls.setdefault(call.name, []).append(call)
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
            seen.setdefault(name, set()).add(_type_of(value))
    properties = {
        name: {"type": kinds.pop() if len(kinds) == 1 else sorted(kinds)}
        for name, kinds in sorted(seen.items())
    }
    return {"type": "object", "properties": properties}


def _type_of(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, list | dict):
        return "array" if isinstance(value, list) else "object"
    return _TYPES[type(cast("str | bool | int | float", value))]


def _meta(path: ExportPath, steps: Sequence[PathStep]) -> Json:
    told = path.path
    usage = add_usage(step.usage for step in steps if step.usage is not None)
    calls = sum(len(step.calls) for step in steps)
    answered = {one.call_id for step in steps for one in step.results if one.call_id}
    versions = [step.version for step in steps if step.version]
    return {
        "session": told.session,
        "path": told.number,
        "of": told.of,
        "status": str(told.status),
        "title": told.title,
        "project": told.project,
        "started": told.started,
        "ended": told.ended,
        "models": sorted({step.model for step in steps if step.usage is not None}),
        "version": versions[-1] if versions else "",
        "prompts": told.prompts,
        "compactions": told.compactions,
        "calls": calls,
        "unanswered_calls": calls - len(answered),
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cache_read_tokens": usage.cache_read,
        "cache_written_tokens": usage.cache_written,
        "is_redacted": path.reader.is_redacted,
    }
