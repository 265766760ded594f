"""The part of a system that decides its equations, without numeric values."""

from __future__ import annotations

from collections.abc import Hashable
from copy import copy
from typing import Any

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.model.system import System


class Structure:
    """The part of a system that derivations see: names, formulas, frame; no numbers, no start, no laws of inputs, no picture.

    Two systems of one structure share everything that was derived and compiled. Equal means equal formulas, in the same
    order; the digest is taken once.
    """

    __slots__ = ("__weakref__", "_digest", "parts")

    def __init__(self, parts: Hashable) -> None:
        self.parts = parts
        self._digest = hash(parts)

    def __hash__(self) -> int:
        return self._digest

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Structure) and self._digest == other._digest and self.parts == other.parts
        )

    def __reduce__(self) -> tuple[type[Structure], tuple[Hashable]]:
        return Structure, (self.parts,)


_KNOWN: WeakCache[Structure] = WeakCache(256)


def structure(system: System) -> Structure:
    """The structure of a system.

    >>> spring = System(coordinates="x", parameters={"k": 2}, lagrangian="xdot**2/2 - k*x**2/2")
    >>> other = System(coordinates="x", parameters="k", lagrangian="xdot**2/2 - k*x**2/2", start={"x": 1})
    >>> structure(spring) == structure(other)
    True
    """
    return _KNOWN.get(system, lambda: Structure(_parts(system)))


def _parts(system: System) -> Hashable:
    def items(table: Any) -> Hashable:
        return tuple(table.items())

    parametric = system.parametric
    return (
        system.name,
        system.coordinates,
        system.lagrangian,
        tuple(system.parameters),
        system.constraints,
        items(system.quasivelocities),
        system.frame,
        None if parametric is None else (parametric[0], items(parametric[1])),
        system.holonomic,
        items(system.forces),
        items(system.magnetic),
        tuple(system.inputs),
        system.contacts,
    )


NO_PART: dict[str, Any] = {
    "symmetry": None,
    "start": FrozenMap(),
    "until": None,
    "units": FrozenMap(),
    "drawing": None,
    "page": None,
    "machine": None,
}
"""The fields of a system that are no part of its structure, and their defaults; nor are numbers and laws."""


def bare(system: System) -> System:
    """The system reduced to its structure: caches by structure must not depend on the numbers of the first user.

    >>> bare(System(coordinates="x", parameters={"k": 2}, lagrangian="xdot**2/2 - k*x**2/2")).parameters
    {'k': None}
    """
    names = {key: FrozenMap(dict.fromkeys(getattr(system, key))) for key in ("parameters", "inputs")}
    return _with(system, {**NO_PART, **names})


def with_numbers_of(system: System, other: System) -> System:
    """The system with the symmetry and the numbers of another."""
    numbers = FrozenMap({n: other.parameters.get(n) for n in system.parameters})
    words = {key: getattr(other, key) for key in ("symmetry", "start", "until", "units")}
    return _with(system, {**words, "parameters": numbers})


def _with(system: System, words: dict[str, Any]) -> System:
    result = copy(system)
    for key, value in words.items():
        object.__setattr__(result, key, value)
    return result
