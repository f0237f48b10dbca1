"""Dataclasses for values of which there are many: frozen for type checkers alone."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass  # noqa: PLC0414  (handed on as it is)
else:

    def dataclass(
        *, frozen: bool = False, slots: bool, kw_only: bool = False, order: bool = False
    ) -> Callable[[type], type]:
        """Return what `dataclasses.dataclass` returns, but for values that are made faster.

        To refuse assignment Python sets each field by a call, which takes ten times as
        long, and a build makes values by the million. Here only type checkers refuse it.
        Values are equal, hashed, ordered, copied and pickled as before.
        """
        return dataclasses.dataclass(
            unsafe_hash=frozen, slots=slots, kw_only=kw_only, order=order
        )
