"""Values that open nothing, made when a test runs, and what of a text stays visible."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from redact.keykinds import ALNUM

if TYPE_CHECKING:
    from everyleaf.redact.detect import Detector

_NOUNS = [
    "otter", "melon", "gravel", "dusk", "saddle", "violin", "walnut", "harbor", "lantern",
    "meadow", "copper", "thistle", "walrus", "pebble", "cinder", "badger", "ginger",
]  # fmt: skip
DIGITS = "23456789"
RANDOM = Random(20261123)  # noqa: S311  (values that open nothing)


def made(length: int, characters: str = ALNUM) -> str:
    """Return so many random characters."""
    return "".join(RANDOM.choice(characters) for _ in range(length))


def password() -> str:
    """Return what a program makes for a password."""
    return f"{made(4, 'BCDFGHJKLMNPQRSTVWXZ')}{made(4, DIGITS)}!{made(4, 'qxzjkvw')}"


def spoken() -> str:
    """Return three syllables that are no word."""
    return "".join(made(1, "bdgklmnprtz") + made(1, "aiou") for _ in range(3))


def phrase(count: int = 4) -> str:
    """Return words with dashes between them, as managers make passwords to remember."""
    return "-".join(RANDOM.sample(_NOUNS, count))


def shouted() -> str:
    """Return two unusual words with large letters, and a mark."""
    return f"{spoken().title()}{phrase(1).title()}!"


def lined() -> str:
    """Return a word, a number, and one more word."""
    return f"{spoken()}{made(2, DIGITS)}_{phrase(1)}"


def dashed() -> str:
    """Return two words and a number, with dashes between them."""
    return f"{phrase(1)}-{spoken()}-{made(3, DIGITS)}"


def token() -> str:
    """Return 32 letters and digits, two of them digits for certain."""
    return f"{made(12)}7{made(10)}4{made(8)}"


def shown(detector: Detector, text: str) -> str:
    """Return a text with a dot for each character that is masked."""
    hidden = {at for hit in detector.find(text) or () for at in range(hit.start, hit.end)}
    return "".join("•" if at in hidden else sign for at, sign in enumerate(text))
