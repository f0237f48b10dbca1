"""Numbers and times as templates print them: the same on any machine, in any locale."""

from __future__ import annotations

from functools import lru_cache

from everyleaf.clock import parse_timestamp


def format_count(number: int) -> str:
    """Return `number` with a comma between thousands.

    >>> format_count(12345)
    '12,345'
    """
    return f"{number:,}"


def format_duration(milliseconds: int) -> str:
    """Return a span of time in its two largest units, from `5 ms` to `31 h 4 min`.

    >>> [format_duration(ms) for ms in (5, 1500, 62_000, 3_600_000)]
    ['5 ms', '1.5 s', '1 min 2 s', '1 h']
    """
    if milliseconds < 1000:
        return f"{max(milliseconds, 0)} ms"
    if milliseconds < 59_950:
        return f"{milliseconds / 1000:.1f} s".replace(".0 s", " s")
    seconds = round(milliseconds / 1000)
    if seconds < 3600:
        return _two_units(seconds, 60, "min", "s")
    return _two_units(round(seconds / 60), 60, "h", "min")


def _two_units(amount: int, per_unit: int, large: str, small: str) -> str:
    whole, rest = divmod(amount, per_unit)
    return f"{whole} {large} {rest} {small}" if rest else f"{whole} {large}"


@lru_cache(maxsize=4096)
def format_moment(timestamp: str) -> str:
    """Return `2026-01-31 14:05` (UTC) for an ISO 8601 time, and what is none as it is."""
    moment = parse_timestamp(timestamp)
    return moment.isoformat(" ")[:16] if moment else timestamp


@lru_cache(maxsize=4096)
def format_clock(timestamp: str) -> str:
    """Return `14:05:09` (UTC) for an ISO 8601 time; empty for what is none."""
    moment = parse_timestamp(timestamp)
    return moment.isoformat()[11:19] if moment else ""


def count_of(number: int, noun: str, plural: str = "") -> str:
    """Return `1 message`, `2 messages`, `12,345 replies`.

    >>> count_of(2, "reply", "replies")
    '2 replies'
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def first_words(text: str, limit: int = 90) -> str:
    """Return the beginning of `text` on one line, cut after a word if it is long.

    >>> first_words("one two  three", 9)
    'one two …'
    """
    line = " ".join(text[: limit * 4].split())
    if len(line) <= limit:
        return line
    return f"{line[:limit].rsplit(' ', 1)[0]} …"


def tool_name(name: str) -> str:
    """Return a tool's name for a reader: of an MCP tool, its server and its own name.

    >>> tool_name("mcp__github__create_issue")
    'github: create_issue'
    """
    server, separator, tool = name.removeprefix("mcp__").partition("__")
    return f"{server}: {tool}" if name.startswith("mcp__") and separator else name
