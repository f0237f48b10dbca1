"""Sessions as an attacker or a broken disk would write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from everyleaf.sources.lines import load_strict

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import DrawFn, SearchStrategy

    Json = object

ARCHIVE = Path(__file__).parents[2] / "examples" / "archive"

ATTACKS = (
    "<script>alert(1)</script>",
    "</script><script src=//evil.example/x.js></script>",
    '"><img src=x onerror=alert(1)>',
    "<svg/onload=alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'>",
    "<details open ontoggle=alert(1)>",
    "<!-- --!><script>alert(1)</script>",
    "<style>@import '//evil.example'</style>",
    "]]><script>alert(1)</script>",
    "</textarea></title></pre></code><script>alert(1)</script>",
    "javascript:alert(1)",
    "[x](javascript:alert(1)) [y](java\tscript:alert(1)) ![z](data:text/html,x)",
    "[x](vbscript:a) <javascript:alert(1)> [r]\n\n[r]: javascript:alert(1)",
    "`</code><script>alert(1)</script>`",
    "~~~html\n<script>alert(1)</script>\n~~~\n<script>alert(2)</script>",
    "```\n" * 3 + "<script>alert(1)</script>",
    "{{ 7 * 7 }}{% include '/etc/passwd' %}{# x #}",
    "../../../../../../tmp/everyleaf-escaped",
    "/etc/passwd",
    "..\\..\\windows\\system32",
    "file:///etc/passwd",
    "CON",
    "a" * 300,
    "\x00\x01\x1b[31m\x1b]8;;javascript:alert(1)\x07x\x1b]8;;\x07\x9b",
    "\u202e\u2066\u200b\ufeff\U000e0001",
    "\ud800",
    "<command-name>/<script>alert(1)</script></command-name>",
    "<local-command-stdout>" * 40,
    "<persisted-output>\nsaved to: ../../../../etc/passwd\n</persisted-output>",
    "<system-reminder><script>alert(1)</script>",
    "@@ -1,99999999999 +1,99999999999 @@\n-a\n+b",
    "*" * 3000,
    "[" * 3000,
    "(" * 3000 + "a" + ")" * 10,
    "> " * 800 + "x",
    "- " * 800 + "x",
    "<" * 3000,
    "a@" * 1500,
    "| a " * 800 + "\n" + "|-" * 800 + "\n" + "| b " * 800,
    "https://" + "a." * 1500,
    "&#x3c;script&#x3e;alert(1)&#x3c;/script&#x3e;",
    "x" * 60_000,
    " " * 20_000 + "\n" * 2_000,
)
"""Texts that once broke somebody's page, path or parser."""

NUMBERS = (0, -1, 2**63, -(2**64), 10**400, 1e308, -1e-320, 0.1, 253402300800, 1e20)


def texts() -> SearchStrategy[str]:
    """Return attacks, two of them glued together, and plain random text."""
    return st.one_of(
        _attacks(), st.builds(_glue, _attacks(), _attacks()), st.text(max_size=40)
    )


def _attacks() -> SearchStrategy[str]:
    # By number: sampling from the texts themselves makes hypothesis print them all.
    return st.integers(0, len(ATTACKS) - 1).map(_attack)


def _attack(number: int) -> str:
    return ATTACKS[number]


def _glue(one: str, other: str) -> str:
    return one + other


def values() -> SearchStrategy[Json]:
    """Return JSON values of every kind, deep ones too."""
    leaf = st.one_of(
        st.none(), st.booleans(), st.sampled_from(NUMBERS), texts(), st.builds(_deep)
    )
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4), st.dictionaries(texts(), inner, max_size=4)
        ),
        max_leaves=6,
    )


def _deep() -> Json:
    value: Json = "bottom"
    for _ in range(150):
        value = {"a": [value]}
    return value


def _load_examples() -> list[list[dict[str, Json]]]:
    found: list[list[dict[str, Json]]] = []
    for source in sorted(ARCHIVE.rglob("*.jsonl")):
        lines = [load_strict(line) for line in source.read_bytes().split(b"\n")]
        found.append([line for line in lines if line is not None])
    return found


EXAMPLES = _load_examples()


@st.composite
def sessions(draw: DrawFn) -> bytes:
    """Return some lines of a real session with hostile values in random places."""
    lines = EXAMPLES[draw(st.integers(0, len(EXAMPLES) - 1))]
    begin = draw(st.integers(0, max(0, len(lines) - 2)))
    size = draw(st.integers(1, 12))
    records: list[Json] = [json.loads(json.dumps(r)) for r in lines[begin : begin + size]]
    for _ in range(draw(st.integers(1, 6))):
        _hurt(draw, records[draw(st.integers(0, len(records) - 1))])
    return b"\n".join(_to_line(record) for record in records) + b"\n"


def _to_line(record: Json) -> bytes:
    return json.dumps(record).encode()


def _hurt(draw: DrawFn, record: Json) -> None:
    """Put a hostile value somewhere into `record`, at any depth."""
    place = record
    while True:
        keys: list[Json] = (
            list(place) if isinstance(place, dict) else list(range(len(place)))  # type: ignore[arg-type]
        )
        if not keys:
            return
        key = draw(st.sampled_from(keys))
        below = place[key]  # type: ignore[index]
        if isinstance(below, dict | list) and below and draw(st.integers(0, 3)):
            place = below
            continue
        _replace(draw, place, key)
        return


def _replace(draw: DrawFn, place: Json, key: Json) -> None:
    how = draw(st.sampled_from(("text", "value", "delete", "empty")))
    if how == "delete":
        del place[key]  # type: ignore[attr-defined]
    else:
        made: dict[str, Callable[[], Json]] = {
            "text": lambda: draw(texts()),
            "value": lambda: draw(values()),
            "empty": dict,
        }
        place[key] = made[how]()  # type: ignore[index]


@st.composite
def damaged_files(draw: DrawFn) -> bytes:
    """Return a part of a real file with bytes flipped, cut out, doubled and put in."""
    lines = EXAMPLES[draw(st.integers(0, len(EXAMPLES) - 1))]
    begin = draw(st.integers(0, max(0, len(lines) - 1)))
    body = b"\n".join(_to_line(record) for record in lines[begin : begin + 8])[:30_000]
    for _ in range(draw(st.integers(1, 8))):
        at = draw(st.integers(0, max(0, len(body) - 1)))
        upto = at + draw(st.sampled_from((1, 2, 40, 400)))
        how = draw(st.sampled_from(("cut", "double", "put", "end")))
        match how:
            case "cut":
                body = body[:at] + body[upto:]
            case "double":
                body = body[:upto] + body[at:]
            case "put":
                body = body[:at] + draw(st.binary(max_size=6)) + body[at:]
            case _:
                body = body[: max(at, 10)]
    return body


def file_names() -> SearchStrategy[str]:
    """Return stems that a disk takes: hostile in every way but a slash and a NUL."""
    return st.one_of(
        st.sampled_from(("agent-..", "CON", "..", "-rf", "a" * 200, "%2e%2e%2f", "..\\x")),
        texts(),
    ).map(_on_disk)


def _on_disk(name: str) -> str:
    plain = name.replace("/", "|").replace("\0", "").encode("utf-8", "replace")
    return plain[:200].decode("utf-8", "ignore") or "x"
