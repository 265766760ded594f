"""Group coordinates into rotation matrices, quaternions, unit vectors and plain ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, atoms, symbol, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.geometry.frames.frame import Frame, rate, sample
from nonholo.model.system import System


@dataclass(frozen=True)
class Block:
    """Coordinates of one rotation: ``kind`` is "matrix" (R11 … R33), "quaternion" (q0 … q3) or "vertical" (γ1 γ2 γ3)."""

    kind: str
    name: str
    coordinates: tuple[str, ...]
    velocities: tuple[str, ...]


def blocks_of(frame: Frame) -> tuple[Block, ...]:
    """The rotations of a frame, by its recipe; matrices among plain names are found by their names alone."""
    found = []
    for part in frame.recipe or ():
        kind, name = part["kind"], part.get("name", "R")
        rates = tuple(part.get("rates", "w1 w2 w3").split())[:3]
        if kind in ("SO3", "SE3"):
            found.append(Block("matrix", name, matrix_names(name), rates))
        elif kind == "Quaternion":
            found.append(Block("quaternion", name, tuple(f"{name}{i}" for i in range(4)), rates))
        elif kind == "Vertical":
            found.append(Block("vertical", name, tuple(f"{name}{i}" for i in (1, 2, 3)), rates))
    taken = {c for block in found for c in block.coordinates}
    if frame.relations:
        for c in frame.coordinates:
            names = matrix_names(c[:-2])
            if (
                c.endswith("11")
                and c not in taken
                and all(n in frame.coordinates for n in names)
                and _turns(frame, names)
            ):
                found.append(Block("matrix", c[:-2], names, ()))
    return tuple(found)


def _turns(frame: Frame, names: tuple[str, ...]) -> bool:
    """Whether these nine coordinates are a rotation matrix, at a generic configuration."""
    place = sample(frame, 1)
    R = np.array([place[n] for n in names]).reshape(3, 3)
    return bool(np.max(np.abs(R @ R.T - np.eye(3))) < 1e-9)


def matrix_names(name: str) -> tuple[str, ...]:
    """R11 … R33, by rows."""
    return tuple(f"{name}{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3))


def hat(w: Any) -> Numbers:
    """``ŵ a = w × a``."""
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]], dtype=float)


def turns_of(block: Block) -> list[tuple[str, Numbers]]:
    """The linear maps of a block's coordinates that are turns, by name: from the left, then from the right.

    The signs of the right ones are those of the gallery's spins, ``−R ê``.
    """
    units = np.eye(3)
    result: list[tuple[str, Numbers]] = []
    if block.kind == "matrix":
        for stem, maps in (("turn", [np.kron(hat(u), units) for u in units]), ("spin", [np.kron(units, hat(u)) for u in units])):
            result += [(f"{block.name}_{stem}{k + 1}", np.asarray(m, dtype=np.float64)) for k, m in enumerate(maps)]
    elif block.kind == "quaternion":
        result += [
            (f"{block.name}_turn{k + 1}", np.asarray(_left(u) / 2, dtype=np.float64)) for k, u in enumerate(units)
        ]
        result += [
            (f"{block.name}_spin{k + 1}", np.asarray(-_right(u) / 2, dtype=np.float64)) for k, u in enumerate(units)
        ]
    else:
        result += [(f"{block.name}_spin{k + 1}", hat(u)) for k, u in enumerate(units)]
    return result


def _left(w: Any) -> Numbers:
    """``q → (0, w) q``."""
    found = np.zeros((4, 4))
    found[0, 1:], found[1:, 0], found[1:, 1:] = -w, w, hat(w)
    return found


def _right(w: Any) -> Numbers:
    """``q → q (0, w)``."""
    found = np.zeros((4, 4))
    found[0, 1:], found[1:, 0], found[1:, 1:] = -w, w, -hat(w)
    return found


def completed_rotation(third: Sequence[Expr], axis: int = 2, plus: bool = True) -> list[list[Expr]]:
    """A rotation with this row ``axis``; regular but where it points straight down (plus) or up."""
    i, j, k = (axis + 1) % 3, (axis + 2) % 3, axis
    a, b, c = third[i], third[j], third[k]
    sign = 1 if plus else -1
    weight = 1 / (1 + sign * c)
    rows = [[ZERO] * 3 for _ in range(3)]
    rows[i][i], rows[i][j], rows[i][k] = 1 - a * a * weight, -a * b * weight, -sign * a
    rows[j][i], rows[j][j], rows[j][k] = -sign * a * b * weight, sign * (1 - b * b * weight), -b
    rows[k][i], rows[k][j], rows[k][k] = a, b, c
    return rows


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
            space, body = (_turn_fields(x, order, cardan, sign) for order in (angles, angles[::-1]))
            result.append(Rotation((str(angles[0]), str(angles[1]), str(angles[2])), cardan, space, body))
    return result


def _turn_fields(x: tuple[Any, ...], angles: tuple[Any, ...], cardan: bool, sign: int) -> tuple[Generator, Generator, Generator]:
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
