"""Digests at the end of a JSON file."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st

from everyleaf.digest import digest_hex
from everyleaf.outputs import add_checksums, read_checksums

BODIES = st.dictionaries(st.text(), st.text(), min_size=1).map(
    lambda value: json.dumps(value, indent=1).encode() + b"\n"
)
DIGESTS = st.dictionaries(st.from_regex(r"[a-z_.]+", fullmatch=True), st.just("0f"))


@given(BODIES, DIGESTS)
def test_what_was_sealed_is_found_again(body, digests):
    sealed = read_checksums(add_checksums(body, digests))

    assert sealed is not None
    assert sealed.is_whole
    assert (sealed.body, sealed.digests) == (body, digests)


@given(BODIES, DIGESTS, st.data())
def test_another_byte_anywhere_breaks_the_seal(body, digests, data):
    sealed = bytearray(add_checksums(body, digests))
    at = data.draw(st.integers(0, len(sealed) - 1))
    sealed[at] ^= 1

    found = read_checksums(bytes(sealed))

    assert found is None or not found.is_whole


def test_another_space_at_the_end_breaks_the_seal():
    sealed = add_checksums(b'{\n "a": 1\n}\n', {"x.md": "0f"})

    found = read_checksums(sealed.removesuffix(b"\n}\n") + b"\n\n}\n")

    assert found is None or not found.is_whole


@given(BODIES, DIGESTS)
def test_a_sealed_file_is_json(body, digests):
    found = json.loads(add_checksums(body, digests))

    assert {**json.loads(body), "files": digests}.items() <= found.items()


def test_a_file_of_an_earlier_version_is_opened():
    start = b'{"a":1,"files":{"x.md":"0f"},"seal":"'

    found = read_checksums(start + digest_hex(start).encode() + b'"}\n')

    assert found is not None
    assert found.is_whole
    assert (json.loads(found.body), found.digests) == ({"a": 1}, {"x.md": "0f"})


@pytest.mark.parametrize("body", [b"", b"{}\n", b'{"seal":"00"}\n', b',"files":{]'])
def test_what_was_not_sealed_has_no_seal(body):
    assert read_checksums(body) is None
