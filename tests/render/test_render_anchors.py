"""Anchors of entries."""

from __future__ import annotations

import re

from hypothesis import given, strategies as st

from everyleaf.render.entries import assign_anchors

SIMILAR_IDS = st.lists(st.text(alphabet="ab-_é", max_size=14), max_size=12)


def test_anchor_is_the_beginning_of_the_uuid():
    anchors = assign_anchors(["0a1b2c3d-aaaa-4aaa-8aaa-aaaaaaaaaaaa"])

    assert list(anchors.values()) == ["m-0a1b2c3d"]


def test_later_one_of_two_that_collide_is_longer():
    first, later = "0a1b2c3d-1111", "0a1b2c3d-2222"

    anchors = assign_anchors([first, later])

    assert anchors == {first: "m-0a1b2c3d", later: "m-0a1b2c3d-"}


def test_ids_that_differ_only_in_what_an_anchor_leaves_out_are_numbered():
    anchors = assign_anchors(["é", "ü", "-"])

    assert list(anchors.values()) == ["m--", "m---2", "m---3"]


@given(SIMILAR_IDS)
def test_anchors_are_unique_and_need_no_escaping(uuids: list[str]):
    anchors = assign_anchors(uuids)

    assert set(anchors) == set(uuids)
    assert len(set(anchors.values())) == len(anchors)
    assert all(re.fullmatch(r"m-[A-Za-z0-9-]*", anchor) for anchor in anchors.values())


@given(SIMILAR_IDS, SIMILAR_IDS)
def test_appending_messages_changes_no_earlier_anchor(before: list[str], after: list[str]):
    earlier = assign_anchors(before)

    grown = assign_anchors(before + after)

    assert {uuid: grown[uuid] for uuid in earlier} == earlier
