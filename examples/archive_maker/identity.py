"""Identifiers that look like the real ones and are the same on every run."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def uuid_of(seed: str) -> str:
    """Return a version 4 uuid that depends on `seed` alone."""
    hexes = hashlib.sha256(seed.encode()).hexdigest()
    variant = "89ab"[int(hexes[16], 16) % 4]
    return (
        f"{hexes[:8]}-{hexes[8:12]}-4{hexes[13:16]}-{variant}{hexes[17:20]}-{hexes[20:32]}"
    )


def token_of(seed: str, length: int, alphabet: str = BASE58) -> str:
    """Return `length` letters of `alphabet` that depend on `seed` alone."""
    number = int.from_bytes(hashlib.sha512(seed.encode()).digest(), "big")
    letters: list[str] = []
    for _ in range(length):
        number, remainder = divmod(number, len(alphabet))
        letters.append(alphabet[remainder])
    return "".join(letters)


def fraction_of(seed: str) -> float:
    """Return a number from 0 up to 1 that depends on `seed` alone."""
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6], "big") / 2**48


@dataclass
class Ids:
    """Counts up, so that each identifier of a session is used once."""

    seed: str
    count: int = field(default=0)

    def _next(self) -> str:
        self.count += 1
        return f"{self.seed}/{self.count}"

    def uuid(self) -> str:
        return uuid_of(self._next())

    def message(self) -> str:
        return "msg_01" + token_of(self._next(), 22)

    def request(self) -> str:
        return "req_011C" + token_of(self._next(), 20)

    def tool_use(self) -> str:
        return "toolu_01" + token_of(self._next(), 22)

    def signature(self, length: int = 180) -> str:
        """Return what stands in for the signature of a thinking block."""
        parts = (token_of(self._next(), 80) for _ in range(length // 80 + 1))
        return "Er" + "".join(parts)[:length] + "=="

    def fraction(self) -> float:
        return fraction_of(self._next())

    def hexes(self, length: int) -> str:
        return token_of(self._next(), length, "0123456789abcdef")


@dataclass
class Clock:
    """The time in a session; moves only when something is written or waited for."""

    now: datetime

    @classmethod
    def at(cls, when: str) -> Clock:
        return cls(datetime.fromisoformat(when).replace(tzinfo=UTC))

    def forward(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)

    def stamp(self) -> str:
        return (
            self.now.strftime("%Y-%m-%dT%H:%M:%S.") + f"{self.now.microsecond // 1000:03d}Z"
        )
