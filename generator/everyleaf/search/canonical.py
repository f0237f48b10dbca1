"""Makes Pagefind's index the same each time: its filters come in the order of a hash map.

A `.pf_filter` holds `[name, [[value, [page, …]], …]]` and is named by its content; the
`.pf_meta` lists filters by name, and `pagefind-entry.json` names the `.pf_meta`. All else
is the same each time already. Source: Pagefind 1.5.2, files compared over many runs. Its
reader takes files without compression, which no version of zlib can change.
"""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, cast

from everyleaf.digest import digest_hex

if TYPE_CHECKING:
    from collections.abc import Mapping

ENTRY = "pagefind-entry.json"
SIGNATURE = b"pagefind_dcd"

_FILTERS = 3
"""Place of the filters in a `.pf_meta`."""


def canonical(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of an index, by name, with filters in order and named anew."""
    made = {name: body for name, body in files.items() if not name.endswith(".pf_filter")}
    entry = json.loads(made.pop(ENTRY))
    for language, listed in sorted(entry["languages"].items()):
        meta = _decode(made.pop(f"pagefind.{listed['hash']}.pf_meta"))
        filters: list[list[str]] = []
        for name, old in sorted(cast("list[list[str]]", meta[_FILTERS])):
            body = _sorted_filter(files[f"filter/{old}.pf_filter"])
            new = f"{language}_{digest_hex(body, size=5)}"
            made[f"filter/{new}.pf_filter"] = body
            filters.append([name, new])
        meta[_FILTERS] = filters
        body = _encode(meta)
        listed["hash"] = f"{language}_{digest_hex(body, size=5)}"
        made[f"pagefind.{listed['hash']}.pf_meta"] = body
    made[ENTRY] = json.dumps(entry, sort_keys=True).encode()
    return made


def _sorted_filter(body: bytes) -> bytes:
    name, values = _decode(body)
    return _encode([name, sorted(cast("list[list[object]]", values), key=_value)])


def _value(entry: list[object]) -> str:
    return str(entry[0])


def _decode(body: bytes) -> list[object]:
    import cbor2  # noqa: PLC0415  (only where an index is made)

    plain = gzip.decompress(body).removeprefix(SIGNATURE)
    return cast("list[object]", cbor2.loads(plain))


def _encode(value: list[object]) -> bytes:
    import cbor2  # noqa: PLC0415  (only where an index is made)

    return SIGNATURE + cbor2.dumps(value)
