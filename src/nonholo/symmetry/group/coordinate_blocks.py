"""Group coordinates into rotation matrices, quaternions, unit vectors and plain ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO
from nonholo.algebra.expression_types import Expr
from nonholo.geometry.frames.frame import Frame, sample

Numbers = np.ndarray[Any, np.dtype[np.float64]]


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
