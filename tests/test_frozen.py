from __future__ import annotations

import dataclasses
import pickle

import pytest

from everyleaf.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    name: str
    line: int = 1


@dataclasses.dataclass(frozen=True, slots=True)
class StandardPlace:
    name: str
    line: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark(Place):
    sign: str


@dataclass(slots=True)
class Pen:
    ink: str


@dataclass(frozen=True, slots=True)
class Quiet(Place):
    def __repr__(self) -> str:
        return "quiet"


@dataclass(slots=True)
class Noted:
    name: str
    marks: list[object] = dataclasses.field(default_factory=list, compare=False)
    length: int = dataclasses.field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.length = len(self.name)


@dataclass(slots=True, eq=False)
class Thing:
    name: str


@dataclass(frozen=True, slots=True)
class Empty:
    """Has no field at all."""


def test_values_of_equal_fields_are_equal_and_have_one_hash() -> None:
    assert Place("a", 2) == Place("a", 2) != Place("a", 3)
    assert hash(Place("a", 2)) == hash(StandardPlace("a", 2))
    assert len({Place("a"), Place("a", 1), Place("b")}) == 2


def test_a_value_says_what_it_holds() -> None:
    assert repr(Place("a", 2)) == "Place(name='a', line=2)"


def test_a_value_comes_back_from_another_process_as_it_was() -> None:
    for value in (Place("a", 2), Mark(name="a", sign="+")):
        assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301  (our own bytes)


def test_a_changed_copy_leaves_the_value_as_it_was() -> None:
    place = Place("a", 2)

    moved = dataclasses.replace(place, line=3)

    assert (place.line, moved) == (2, Place("a", 3))


def test_a_value_has_no_room_for_what_is_no_field() -> None:
    assert not hasattr(Mark(name="a", sign="+"), "__dict__")


def test_what_is_not_frozen_has_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Pen("red"))


def test_type_checkers_see_the_dataclass_of_the_standard_library() -> None:
    # An unneeded ignore is an error, so that mypy itself checks this line.
    Place("a").line = 2  # type: ignore[misc]


def test_a_method_of_the_class_itself_stays() -> None:
    assert repr(Quiet("a")) == "quiet"


def test_fields_are_filled_and_finished_as_the_standard_library_does() -> None:
    made = Noted("a")
    made.marks.append("+")

    assert (made.marks, made.length, Noted("ab").marks) == (["+"], 1, [])
    assert made == Noted("a", ["-"])


def test_what_is_missing_is_an_error_from_the_first_value_on() -> None:
    for _ in range(2):
        with pytest.raises(TypeError, match="missing 1 required"):
            Noted()  # type: ignore[call-arg]


def test_a_value_that_holds_itself_can_be_shown() -> None:
    ring = Noted("a")
    ring.marks.append(ring)

    assert repr(ring) == "Noted(name='a', marks=[...])"


def test_values_of_two_classes_are_never_equal() -> None:
    values: list[object] = [Place("a", 2), StandardPlace("a", 2), Empty(), Pen("a")]

    assert [[one == other for other in values] for one in values] == [
        [one is other for other in values] for one in values
    ]
    assert Empty() == Empty()


def test_values_that_are_not_compared_are_told_apart_by_what_they_are() -> None:
    one, other = Thing("a"), Thing("a")

    assert one != other
    assert len({one, other}) == 2
