"""Dataclasses that cost little: frozen for type checkers alone, and quickly made."""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass  # noqa: PLC0414  (handed on as it is)

    Values = Callable[[object], tuple[object, ...]]
    """What a value is compared by."""

_C = TypeVar("_C", bound=type)

if not TYPE_CHECKING:

    def dataclass(
        *,
        frozen: bool = False,
        slots: bool,
        eq: bool = True,
        kw_only: bool = False,
        order: bool = False,
    ) -> Callable[[_C], _C]:
        """Return what `dataclasses.dataclass` returns, but for two things that cost time.

        To refuse assignment Python sets each field by a call, which takes ten times as
        long, and a build makes values by the million. Here only type checkers refuse it.

        Python also writes and compiles the source of each method as the class is made: 0.7
        ms a class, and a build has hundreds of classes. Here that is done for `__init__`
        alone, which takes 0.2 ms. Values are equal, hashed, ordered, shown, copied and
        pickled as before.
        """
        if order:
            return dataclasses.dataclass(
                unsafe_hash=frozen, slots=slots, kw_only=kw_only, order=True
            )

        def take(written: _C) -> _C:
            own = frozenset(written.__dict__)
            made = dataclasses.dataclass(
                repr=False, eq=False, slots=slots, kw_only=kw_only
            )(written)
            fields = dataclasses.fields(made)
            methods = {"__repr__": _repr_of([field.name for field in fields if field.repr])}
            if eq:
                values = _open_values([field.name for field in fields if field.compare])
                methods["__eq__"] = _eq_of(values)
                methods["__hash__"] = _hash_of(values) if frozen else None
            for name in methods.keys() - own:
                setattr(made, name, methods[name])
            return made

        return take


def _open_values(names: list[str]) -> Values:
    """Return what gives the fields of these names, as a tuple."""
    match names:
        case []:
            return lambda _: ()
        case [name]:
            only = attrgetter(name)
            return lambda value: (only(value),)
        case _:
            return attrgetter(*names)


def _repr_of(names: list[str]) -> object:
    @recursive_repr()
    def __repr__(self: object) -> str:  # noqa: N807
        told = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({told})"

    return __repr__


def _eq_of(values: Values) -> object:
    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    return __eq__


def _hash_of(values: Values) -> object:
    def __hash__(self: object) -> int:  # noqa: N807
        return hash(values(self))

    return __hash__
