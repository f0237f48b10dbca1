"""An index with its filters in order."""

from __future__ import annotations

import gzip
import json

import cbor2
from hypothesis import given, strategies as st

from everyleaf.search.index import SIGNATURE, canonical

FILTERS = {
    "month": [["2026-01", [1, 300]], ["2026-02", [0]]],
    "project": [["a", [0]], ["b", [1, 70_000]], ["é", [2]]],
}


def packed(value):
    return gzip.compress(SIGNATURE + cbor2.dumps(value))


def unpacked(body):
    return cbor2.loads(body.removeprefix(SIGNATURE))


def made(names, orders):
    """Return an index whose filters come in the order of `names`, values in `orders`."""
    files = {"pagefind.js": b"code", "index/en_1.pf_index": b"words"}
    listed = []
    for name in names:
        body = packed([name, [FILTERS[name][at] for at in orders[name]]])
        files[f"filter/en_{name}{orders[name][0]}.pf_filter"] = body
        listed.append([name, f"en_{name}{orders[name][0]}"])
    meta = ["1.5.2", [["en_5", 12]], [["a", "z", "en_1"]], listed, [], []]
    files["pagefind.en_7.pf_meta"] = packed(meta)
    entry = {"version": "1.5.2", "languages": {"en": {"hash": "en_7", "page_count": 1}}}
    files["pagefind-entry.json"] = json.dumps(entry).encode()
    return files


ORDERS = st.fixed_dictionaries(
    {name: st.permutations(range(len(values))) for name, values in FILTERS.items()}
)
PLAIN = canonical(made(list(FILTERS), {n: range(len(v)) for n, v in FILTERS.items()}))


@given(st.permutations(list(FILTERS)), ORDERS)
def test_whatever_the_order_the_bytes_are_the_same(names, orders):
    assert canonical(made(names, orders)) == PLAIN


def test_nothing_is_lost_and_all_names_lead_somewhere():
    entry = json.loads(PLAIN["pagefind-entry.json"])
    meta = unpacked(PLAIN[f"pagefind.{entry['languages']['en']['hash']}.pf_meta"])

    filters = [unpacked(PLAIN[f"filter/{name}.pf_filter"]) for _, name in meta[3]]
    assert filters == [[name, values] for name, values in sorted(FILTERS.items())]
    assert meta[:3] == ["1.5.2", [["en_5", 12]], [["a", "z", "en_1"]]]
    assert PLAIN["pagefind.js"] == b"code"
    assert len(PLAIN) == 6
