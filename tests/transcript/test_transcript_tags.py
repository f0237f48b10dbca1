from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from everyleaf.transcript.words import (
    cut_tags,
    leading_tag,
    leading_tags,
    read_tag,
    tag_body,
)
from hanging import ends_soon

NAMES = st.sampled_from(["a", "command-name", "system-reminder"])
BODIES = st.text(alphabet="ab<>/ &\n\"'", max_size=20)


def test_tag_ends_at_the_first_exact_closing_tag_whatever_stands_inside():
    tag = read_tag("<a>1 < 2 </b> <a></a> rest </a>")

    assert tag is not None
    assert tag.body == "1 < 2 </b> <a>"


def test_unclosed_tag_is_no_tag():
    assert read_tag("<a>never closed") is None
    assert leading_tag("  <a>never closed") is None


def test_attributes_are_read_by_name():
    tag = leading_tag(
        '\n<teammate-message teammate_id="ann" color="red">hi</teammate-message>'
    )

    assert tag is not None
    assert (tag.attribute("teammate_id"), tag.attribute("missing")) == ("ann", "")


def test_run_of_tags_is_read_up_to_the_first_text():
    tags, rest = leading_tags("<a>1</a>\n  <b>2</b> then <c>3</c>")

    assert [(tag.name, tag.body) for tag in tags] == [("a", "1"), ("b", "2")]
    assert rest == "then <c>3</c>"


def test_body_of_a_missing_or_unclosed_tag_is_none():
    assert tag_body("text", "a") is None
    assert tag_body("<a>text", "a") is None


def test_unclosed_reminder_stays_in_the_text():
    text, bodies = cut_tags("one <r>two</r> three <r>four", "r")

    assert text == "one  three <r>four"
    assert bodies == ["two"]


@given(st.text(), NAMES)
def test_text_without_the_tag_is_left_alone(text: str, name: str):
    kept, bodies = cut_tags(text.replace(f"<{name}>", ""), name)

    assert kept == text.replace(f"<{name}>", "")
    assert not bodies


@given(BODIES, NAMES, BODIES, BODIES)
def test_cutting_a_tag_loses_nothing(before: str, name: str, body: str, after: str):
    text = f"{before}<{name}>{body}</{name}>{after}"

    kept, bodies = cut_tags(text, name)

    assert len(kept) + sum(len(f"<{name}>{b}</{name}>") for b in bodies) == len(text)
    assert bodies


def test_hundred_thousand_opening_tags_take_linear_time():
    text = "<system-reminder>" * 100_000

    with ends_soon():
        cut_tags(text, "system-reminder")
        leading_tags(text)
