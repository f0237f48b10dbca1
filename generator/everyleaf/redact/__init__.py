"""What must not be published is found and masked: between the records and everything else.

sources ─▶ gather (decoded texts) ─▶ detect ─▶ findings (what, where) ─▶ masks

Whatever stands on a page went through a `SessionRedactor`: the raw record
before it is modelled, and the text of a spilled output before it is shown.
"""

from __future__ import annotations

from pathlib import Path


def text_of(name: str) -> str:
    """Return the text of the file `name`.txt beside the modules."""
    return (Path(__file__).parent / f"{name}.txt").read_text("utf-8")


def any_of(name: str) -> str:
    """Return the rows of such a file as one pattern, which finds any of them."""
    return "|".join(text_of(name).splitlines())
