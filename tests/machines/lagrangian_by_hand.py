"""Systems written down by positions and rotations: T − V by differentiation, rolling by the velocity of the touching point.

Independent of the assembler: a body is its position and rotation matrix as functions of the coordinates, nothing is recursive,
and no record of a machine is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import symengine as se

import nonholo as nh

Formula = Any


def turn(axis: str, angle: Formula) -> Any:
    """The rotation about one axis."""
    i = "xyz".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    result = se.eye(3)
    result[j, j] = result[k, k] = se.cos(angle)
    result[k, j], result[j, k] = se.sin(angle), -se.sin(angle)
    return result


def vec(*entries: Formula) -> Any:
    return se.Matrix([[se.sympify(e)] for e in entries])


def cross(a: Any, b: Any) -> Any:
    return vec(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def dot(a: Any, b: Any) -> Formula:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@dataclass
class ByHand:
    """A system under construction: coordinates, Lagrangian, constraints."""

    name: str
    coordinates: str
    parameters: Mapping[str, float]
    lagrangian: Formula = 0
    constraints: list[Formula] = field(default_factory=list)
    holonomic: list[Formula] = field(default_factory=list)
    forces: dict[str, Formula] = field(default_factory=dict)
    inputs: str = ""

    def symbols(self, names: str) -> list[Any]:
        return list(se.symbols(names)) if " " in names else [se.Symbol(names)]

    def rate(self, e: Formula) -> Formula:
        """The derivative in time along a motion."""
        e = se.sympify(e)
        return sum((e.diff(se.Symbol(q)) * se.Symbol(f"{q}dot") for q in self.coordinates.split()), se.Integer(0))

    def rates(self, e: Any) -> Any:
        return vec(*(self.rate(part) for part in e))

    # the plane

    def flat_body(self, m: Formula, J: Formula, place: Sequence[Formula], angle: Formula) -> None:
        v = [self.rate(p) for p in place]
        self.lagrangian += se.sympify(m) / 2 * (v[0] ** 2 + v[1] ** 2) + se.sympify(J) / 2 * self.rate(angle) ** 2

    def no_side_slip(self, place: Sequence[Formula], angle: Formula) -> None:
        self.constraints.append(-self.rate(place[0]) * se.sin(angle) + self.rate(place[1]) * se.cos(angle))

    def rolls(self, place: Sequence[Formula], angle: Formula, radius: Formula, spin: str) -> None:
        self.no_side_slip(place, angle)
        self.rolls_along(place, angle, radius, spin)

    def rolls_along(
        self, place: Sequence[Formula], angle: Formula, radius: Formula, spin: str, roller: Formula = 0
    ) -> None:
        """The touching point has no velocity in the direction ``roller`` from the wheel's heading."""
        ahead = self.rate(place[0]) * se.cos(angle) + self.rate(place[1]) * se.sin(angle)
        aside = -self.rate(place[0]) * se.sin(angle) + self.rate(place[1]) * se.cos(angle)
        self.constraints.append((ahead - radius * self.rate(se.Symbol(spin))) * se.cos(roller) + aside * se.sin(roller))

    # space

    def angular_velocity(self, R: Any) -> Any:
        """In the axes of the room, from Ṙ Rᵀ."""
        turning = se.Matrix(3, 3, [self.rate(e) for e in R]) * R.T
        return vec(turning[2, 1], turning[0, 2], turning[1, 0])

    def body(self, m: Formula, inertia: Any, place: Any, R: Any, gravity: Any = None) -> None:
        """Kinetic energy minus potential of a body with its centre of mass at ``place``; inertia in its own axes."""
        v, w = self.rates(place), R.T * self.angular_velocity(R)
        tensor = inertia if isinstance(inertia, se.DenseMatrix) else se.diag(*map(se.sympify, inertia))
        pull = vec(0, 0, -se.Symbol("g")) if gravity is None else gravity
        self.lagrangian += se.sympify(m) / 2 * dot(v, v) + (w.T * tensor * w)[0] / 2 + se.sympify(m) * dot(pull, place)

    def disk_rolls(self, center: Any, R: Any, radius: Formula, axle: Any = None, normal: Any = None) -> None:
        """A thin disk on a plane through the origin: its lowest point touches and has no velocity."""
        n = vec(0, 0, 1) if normal is None else normal
        a = R * (vec(0, 1, 0) if axle is None else axle)
        down = [n[i] - dot(n, a) * a[i] for i in range(3)]
        size = se.sqrt(1 - dot(n, a) ** 2)
        arm = vec(*(-se.sympify(radius) * d / size for d in down))
        self.holonomic.append(dot(n, center) - se.sympify(radius) * size)
        self.sticks(center, R, arm, n)

    def ball_rolls(self, center: Any, R: Any, radius: Formula) -> None:
        arm = vec(0, 0, -se.sympify(radius))
        self.holonomic.append(center[2] - se.sympify(radius))
        self.sticks(center, R, arm, vec(0, 0, 1))

    def sticks(self, center: Any, R: Any, arm: Any, n: Any) -> None:
        """No velocity of the body's point ``arm`` from its centre along two directions of the plane."""
        slip = self.rates(center) + cross(self.angular_velocity(R), arm)
        first = vec(n[2], 0, -n[0])
        for direction in (first, cross(n, first)):
            self.constraints.append(dot(slip, direction))

    def system(self) -> nh.System:
        """All of it as a System in formulas."""
        return nh.System(
            name=self.name, coordinates=self.coordinates, parameters=dict(self.parameters), lagrangian=self.lagrangian,
            constraints=self.constraints, holonomic=self.holonomic, forces=self.forces, inputs=self.inputs,
        )  # fmt: skip
