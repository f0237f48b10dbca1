from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, strategies as st

from everyleaf.transcript import content

if TYPE_CHECKING:
    from everyleaf.records.schema import JsonValue

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)


def test_the_first_key_that_is_there_counts():
    assert content.Json({"old": "x", "new": "y"}).text("new", "old") == "y"
    assert content.Json({"old": "x"}).text("new", "old") == "x"


@pytest.mark.parametrize(
    "value", [None, 1, "text", [], {"key": None}, {"key": 3}, {"key": []}]
)
def test_what_is_no_text_reads_as_none(value: Any):
    assert content.Json(value).text("key") == ""


def test_words_are_texts_numbers_and_truth_values():
    value: JsonValue = {"a": 3, "b": "x", "c": True, "d": False, "e": None, "f": 1.5}

    assert [content.Json(value).word(key) for key in "abcdef"] == [
        "3",
        "x",
        "true",
        "false",
        "",
        "1.5",
    ]


def test_truth_values_infinity_and_texts_are_no_numbers():
    value: JsonValue = {"a": True, "b": float("inf"), "c": "3", "d": 2.9}

    assert [content.Json(value).number(key) for key in "abcd"] == [None, None, None, 2]


def test_lists_keep_only_what_was_asked_for():
    value: JsonValue = {"all": ["x", 1, {"y": 2}, None]}

    assert content.Json(value).texts("all") == ["x"]
    assert content.Json(value).each("all") == [content.Json({"y": 2})]


def test_json_in_a_text_is_read_with_its_end():
    assert content.parse_json('say {"a": 1} more', 4) == ({"a": 1}, 12)
    assert content.parse_json("say", 0) == (None, 0)
    assert content.parse_json("[" * 100_000, 0) == (None, 0)


@given(JSON, st.text(max_size=3))
def test_accessors_keep_their_promise_for_any_value(value: Any, key: str):
    json = content.Json(value)

    assert isinstance(json.text(key), str)
    assert isinstance(json.word(key), str)
    assert json.number(key) is None or isinstance(json.number(key), int)
    assert isinstance(json.at(key).raw, dict)
    assert isinstance(json.values(key), list)
    assert isinstance(content.as_cell(value), str)
