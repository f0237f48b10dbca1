"""What a turn adds to the facts of every path that it is on."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from everyleaf.transcript.document import Commit, FileChange  # noqa: TC001  (msgspec reads it)

# msgspec reads the annotations, so their names must exist when the module runs.

if TYPE_CHECKING:
    from collections.abc import Iterable

_Place = TypeVar("_Place")


class Usage(Struct, frozen=True):
    """Tokens of responses, each response counted once."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_written: int = 0


def add_usage(usages: Iterable[Usage]) -> Usage:
    """Return the sum of `usages`."""
    fresh = out = read = written = 0
    for usage in usages:
        fresh += usage.input
        out += usage.output
        read += usage.cache_read
        written += usage.cache_written
    return Usage(fresh, out, read, written)


class Response(Struct, frozen=True):
    """One answer of the API, whichever of its records stand in a turn."""

    message_id: str
    """Empty where none was recorded: then it is like no other response."""
    request_id: str
    model: str
    usage: Usage
    cost: int = 0
    """In millionths of a dollar, where a record tells it (`costUSD`, up to 1.0.8)."""


def distinct_responses(
    placed: Iterable[tuple[_Place, Response]],
) -> list[tuple[_Place, Response]]:
    """Return each response once, in its first place, with the largest of its usages.

    Its records repeat the tokens, and they grow. One without an id is like no other.
    """
    largest: dict[tuple[str, str, int], tuple[_Place, Response]] = {}
    for number, (place, one) in enumerate(placed):
        alone = 0 if one.message_id else number + 1
        key = (one.message_id, one.request_id, alone)
        first, known = largest.get(key, (place, one))
        largest[key] = (first, one if one.usage.output >= known.usage.output else known)
    return list(largest.values())


class TurnFacts(Struct, frozen=True):
    """What a turn adds to the facts of every path that it is on."""

    responses: tuple[Response, ...] = ()
    """In order of first appearance, each once, with its largest usage."""
    spans: tuple[tuple[int, int], ...] = ()
    """Stretches of work in milliseconds since 1970, in order of time: first and last
    message of each; between two of them lies a pause of more than `GAP_MS`."""
    prompts: int = 0
    replies: int = 0
    tools: tuple[tuple[str, int], ...] = ()
    """(tool name, calls), sorted by name."""
    files: tuple[FileChange, ...] = ()
    """Sorted by name."""
    errors: int = 0
    compactions: int = 0
    branch: str = ""
    """The git branch that the turn's last record names."""
    version: str = ""
    commits: tuple[Commit, ...] = ()
    """In the order made."""
    folder: str = ""
    """The working folder that the turn's first record names; not for show."""
    run_costs: tuple[int, ...] = ()
    """What recorded streams say at the end of a run, in millionths of a dollar: all that
    the process spent until then (`total_cost_usd`). Source: the CLI's issue 83239."""
    agents: tuple[str, ...] = ()
    """Ids of the subagents that its calls started or went on with, in order."""
