"""Rotations in charts of angles: the fields of SO(3) from the left and the right in Euler or Cardan angles, and on a sphere.

With ``R = R_i(a) R_j(b) R_k(c)`` a turn about an axis of space is one of

    ∂_a,    cos a ∂_b − sin a (k_b ∂_a − s_b ∂_c),    sin a ∂_b + cos a (k_b ∂_a − s_b ∂_c)

with ``k_b = cot b``, ``s_b = 1/sin b`` where ``i = k`` (Euler) and ``k_b = −tan b``, ``s_b = 1/cos b`` otherwise (Cardan). The
sign of ``c`` depends on the handedness; turns about axes of the body have ``a`` and ``c`` exchanged; points of a sphere have no
``c``. The twelve conventions differ by names and quarter turns alone, so that the span of these fields over all orders of the
angles holds the rotations of every one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, atoms, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.geometry.frames.frame import rate
from nonholo.model.system import System

ANGLES = 5
"""Rotations are sought in the first so many angles."""
Generator = tuple[Expr, ...]


@dataclass(frozen=True)
class Rotation:
    """A rotation in three angles: its turns about axes of space and about axes of the body."""

    angles: tuple[str, str, str]
    cardan: bool
    space: tuple[Generator, Generator, Generator]
    body: tuple[Generator, Generator, Generator]


def angles_of(system: System) -> tuple[Any, ...]:
    """The coordinates that occur in sines and cosines alone, and those that occur nowhere but turn with one of them.

    >>> [str(c) for c in angles_of(System(coordinates="r f", lagrangian="(rdot**2 + r**2*fdot**2)/2 + cos(f)"))]
    ['f']
    """
    x = symbols(system.coordinates)
    parts = [system.lagrangian, *system.constraints, *system.holonomic, *system.forces.values(), *system.magnetic.values()]
    whole = [se.sympify(e) for e in parts]
    waves = atoms(whole, se.sin, se.cos, se.tan)
    bare = {s for e in whole for s in e.xreplace({f: se.Dummy() for f in waves}).free_symbols}
    used = {s for f in waves for s in f.free_symbols} & set(x)
    beside = {c: {s for e in whole for s in e.diff(symbol(rate(str(c)))).free_symbols} & used for c in x}
    free = [c for c in x if c not in bare]
    return tuple([*(c for c in free if c in used), *(c for c in free if c not in used and beside[c])][:ANGLES])


def chart_rotations(system: System) -> list[Rotation]:
    """All rotations that three of the angles may describe, in every order, as Euler or Cardan angles, of both hands."""
    x = symbols(system.coordinates)
    result = []
    for angles in permutations(angles_of(system), 3) if system.frame.plain else ():
        for cardan, sign in product((False, True), (1, -1)):
            space, body = (_turns(x, order, cardan, sign) for order in (angles, angles[::-1]))
            result.append(Rotation((str(angles[0]), str(angles[1]), str(angles[2])), cardan, space, body))
    return result


def _turns(x: tuple[Any, ...], angles: tuple[Any, ...], cardan: bool, sign: int) -> tuple[Generator, Generator, Generator]:
    a, b, c = angles
    slope, scale = _middle(b, cardan)
    tables: list[dict[Any, Expr]] = [
        {a: ONE},
        {b: se.cos(a), a: -se.sin(a) * slope, c: sign * se.sin(a) * scale},
        {b: se.sin(a), a: se.cos(a) * slope, c: -sign * se.cos(a) * scale},
    ]
    one, two, three = (tuple(table.get(s, ZERO) for s in x) for table in tables)
    return one, two, three


def _middle(b: Any, cardan: bool) -> tuple[Expr, Expr]:
    return (-se.sin(b) / se.cos(b), 1 / se.cos(b)) if cardan else (se.cos(b) / se.sin(b), 1 / se.sin(b))


def rotation_fields(system: System) -> list[Generator]:
    """Fields whose combinations are the turns of all spheres and bodies that the angles of a system may describe.

    Turns ``∂_a`` are shifts and not repeated here.
    """
    angles = angles_of(system)
    if not system.frame.plain or len(angles) < 2:
        return []
    x = symbols(system.coordinates)
    return [tuple(table.get(c, ZERO) for c in x) for table in _tables(angles)]


def _tables(angles: tuple[Any, ...]) -> Iterator[dict[Any, Expr]]:
    for a, b in permutations(angles, 2):
        for slope, scale in (_middle(b, False), _middle(b, True)):
            yield {b: se.cos(a), a: -se.sin(a) * slope}
            yield {b: se.sin(a), a: se.cos(a) * slope}
            for c in angles:
                if c not in (a, b):
                    yield {c: se.sin(a) * scale}
                    yield {c: se.cos(a) * scale}
