from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everyleaf.transcript import values

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonValue

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


def test_the_first_key_that_is_there_counts():
    assert values.text_at({"old": "x", "new": "y"}, "new", "old") == "y"
    assert values.text_at({"old": "x"}, "new", "old") == "x"


@pytest.mark.parametrize(
    "value", [None, 1, "text", [], {"key": None}, {"key": 3}, {"key": []}]
)
def test_what_is_no_text_reads_as_none(value: object):
    assert values.text_at(value, "key") == ""  # type: ignore[arg-type]


def test_words_are_texts_numbers_and_truth_values():
    value: JsonValue = {"a": 3, "b": "x", "c": True, "d": False, "e": None, "f": 1.5}

    assert [values.word_at(value, key) for key in "abcdef"] == [
        "3",
        "x",
        "true",
        "false",
        "",
        "1.5",
    ]


def test_truth_values_infinity_and_texts_are_no_numbers():
    value: JsonValue = {"a": True, "b": float("inf"), "c": "3", "d": 2.9}

    assert [values.int_at(value, key) for key in "abcd"] == [None, None, None, 2]


def test_lists_keep_only_what_was_asked_for():
    value: JsonValue = {"all": ["x", 1, {"y": 2}, None]}

    assert values.texts_at(value, "all") == ["x"]
    assert values.objects_at(value, "all") == [{"y": 2}]


def test_json_in_a_text_is_read_with_its_end():
    assert values.parse_json('say {"a": 1} more', 4) == ({"a": 1}, 12)
    assert values.parse_json("say", 0) == (None, 0)
    assert values.parse_json("[" * 100_000, 0) == (None, 0)


@given(JSON, st.text(max_size=3))
def test_accessors_keep_their_promise_for_any_value(value: object, key: str):
    json = value  # as read from a file: anything

    assert isinstance(values.text_at(json, key), str)  # type: ignore[arg-type]
    assert isinstance(values.word_at(json, key), str)  # type: ignore[arg-type]
    assert values.int_at(json, key) is None or isinstance(values.int_at(json, key), int)  # type: ignore[arg-type]
    assert isinstance(values.object_at(json, key), dict)  # type: ignore[arg-type]
    assert isinstance(values.list_at(json, key), list)  # type: ignore[arg-type]
    assert isinstance(values.as_cell(json), str)  # type: ignore[arg-type]


def test_value_that_is_nested_too_deeply_is_said_to_be():
    value: JsonValue = []
    for _ in range(100_000):
        value = [value]

    assert (
        values.as_json(value) == values.as_cell(value) == "(nested too deeply to be shown)"
    )
