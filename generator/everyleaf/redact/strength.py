"""How random a value is: what decides how far it is masked."""

from __future__ import annotations

import math
from collections import Counter


def entropy(value: str) -> float:
    """Return the entropy of the characters of `value` in bits a character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())
