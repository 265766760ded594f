"""Rigid bodies in every chart of the rotations: twelve sequences of Euler and Cardan angles, and plain quaternions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import symengine as se

from tests.engine.record import Expr, Known

SEQUENCES = tuple("".join(s) for s in product("xyz", repeat=3) if s[0] != s[1] != s[2])
"""zxz, xyz, …: R = R_a(α) R_b(β) R_c(γ)."""
AXES = {"x": 0, "y": 1, "z": 2}
INERTIA = {"A": 0.9, "B": 0.7, "C": 0.55}


@dataclass(frozen=True)
class Chart:
    """Coordinates of rotations, the matrix R, the body's rates ω, and the fields of turns in space and spins of the body."""

    coordinates: tuple[str, ...]
    matrix: Any
    omega: tuple[Expr, ...]
    turns: tuple[tuple[Expr, ...], ...]
    spins: tuple[tuple[Expr, ...], ...]
    holonomic: tuple[Expr, ...] = ()
    extra: Expr = 0
    angles: frozenset[str] = frozenset()
    boxes: tuple[tuple[str, tuple[float, float]], ...] = ()

    @property
    def space(self) -> tuple[Expr, ...]:
        """The rates in space, R ω."""
        return self.in_space(self.omega)

    def in_space(self, vector: Sequence[Expr]) -> tuple[Expr, ...]:
        return tuple(se.Add(*(self.matrix[i, j] * vector[j] for j in range(3))) for i in range(3))


def _turn(axis: str, angle: Expr) -> Any:
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    m = se.eye(3)
    m[i, i] = m[j, j] = se.cos(angle)
    m[i, j], m[j, i] = -se.sin(angle), se.sin(angle)
    return m


def angles(sequence: str, names: Sequence[str] = ("al", "be", "ga")) -> Chart:
    """Three turns about the axes of a sequence, each about the axes turned before."""
    a, b, c = (se.Symbol(n) for n in names)
    rates = [se.Symbol(f"{n}dot") for n in names]
    first, second, third = (_turn(x, s) for x, s in zip(sequence, (a, b, c)))
    units = [se.Matrix([[int(AXES[x] == i)] for i in range(3)]) for x in sequence]
    columns = [third.T * second.T * units[0], third.T * units[1], units[2]]
    whole = se.Matrix([[columns[j][i, 0] for j in range(3)] for i in range(3)])
    omega = tuple(se.Add(*(whole[i, j] * rates[j] for j in range(3))) for i in range(3))
    matrix = first * second * third
    inverse = whole.inv()
    spins = tuple(tuple(inverse[i, k] for i in range(3)) for k in range(3))
    turned = inverse * matrix.T
    turns = tuple(tuple(turned[i, k] for i in range(3)) for k in range(3))
    middle = (0.6, 1.4) if sequence[0] == sequence[2] else (-0.7, 0.7)
    return Chart(
        tuple(names), matrix, omega, turns, spins, angles=frozenset((names[0], names[2])), boxes=((names[1], middle),)
    )


def quaternion(name: str = "e") -> Chart:
    """Four plain coordinates on ``|e| = 1``, with a kinetic energy along e that vanishes there."""
    names = tuple(f"{name}{k}" for k in range(4))
    e = [se.Symbol(n) for n in names]
    d = [se.Symbol(f"{n}dot") for n in names]
    w, x, y, z = e
    matrix = se.Matrix(
        [
            [w**2 + x**2 - y**2 - z**2, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w**2 - x**2 + y**2 - z**2, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w**2 - x**2 - y**2 + z**2],
        ]
    )
    back = (w, -x, -y, -z)
    omega = tuple(2 * c for c in _times(back, d)[1:])
    units = [tuple(se.Integer(int(k == i)) for i in range(-1, 3)) for k in range(3)]
    turns = tuple(tuple(c / 2 for c in _times(u, e)) for u in units)
    spins = tuple(tuple(c / 2 for c in _times(e, u)) for u in units)
    extra = 2 * se.Add(*(a * b for a, b in zip(e, d))) ** 2
    boxes = tuple((n, (0.2, 0.9)) for n in names)
    return Chart(names, matrix, omega, turns, spins, (se.Add(*(s**2 for s in e)) - 1,), extra, boxes=boxes)


def _times(p: Sequence[Expr], q: Sequence[Expr]) -> tuple[Expr, ...]:
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


def _inertia(chart: Chart, names: Sequence[str] = ("A", "B", "C")) -> tuple[Expr, tuple[Expr, ...]]:
    momenta = tuple(se.Symbol(n) * w for n, w in zip(names, chart.omega))
    return se.Add(*(p * w for p, w in zip(momenta, chart.omega))) / 2, momenta


def _known(name: str, chart: Chart, lagrangian: Expr, parameters: dict[str, float], **words: Any) -> Known:
    more = words.pop("places", ())
    fields = tuple(
        tuple(f) + (se.Integer(0),) * len(more) if len(f) == len(chart.coordinates) else tuple(f)
        for f in words.pop("symmetries")
    )
    return Known(
        name,
        (*chart.coordinates, *more),
        lagrangian + chart.extra,
        parameters,
        holonomic=chart.holonomic,
        angles=chart.angles,
        boxes=dict(chart.boxes),
        symmetries=fields,
        **words,
    )


def free_body(chart: Chart) -> Known:
    energy, momenta = _inertia(chart)
    return _known(
        "free body",
        chart,
        energy,
        INERTIA,
        symmetries=chart.turns,
        integrals=(energy, *chart.in_space(momenta)),
        measure="holds",
    )


def heavy_top(chart: Chart) -> Known:
    """Euler, Poisson: any body in gravity; the vertical is the third axis of space."""
    kinetic, momenta = _inertia(chart)
    height = se.Add(*(se.Rational(n, 5) * chart.matrix[2, j] for j, n in enumerate((2, -1, 3))))
    up = chart.in_space(momenta)[2]
    return _known(
        "heavy body",
        chart,
        kinetic - se.Symbol("k") * height,
        {**INERTIA, "k": 1.3},
        symmetries=chart.turns[2:],
        integrals=(kinetic + se.Symbol("k") * height, up),
        measure="holds",
    )


def lagrange_top(chart: Chart) -> Known:
    kinetic, momenta = _inertia(chart, ("A", "A", "C"))
    height = se.Symbol("k") * chart.matrix[2, 2]
    up = chart.in_space(momenta)[2]
    return _known(
        "symmetric top",
        chart,
        kinetic - height,
        {"A": 0.9, "C": 0.55, "k": 1.3},
        symmetries=(chart.turns[2], chart.spins[2]),
        integrals=(kinetic + height, up, chart.omega[2]),
        measure="holds",
    )


def suslov(chart: Chart) -> Known:
    """ω₃ = 0 about no principal axis: every motion tends to a steady rotation, no measure is preserved [Kozlov 1988]."""
    kinetic, _ = _inertia(chart)
    kinetic = kinetic + se.Symbol("D") * chart.omega[0] * chart.omega[2]
    return _known(
        "Suslov",
        chart,
        kinetic,
        {**INERTIA, "D": 0.2},
        symmetries=chart.turns,
        integrals=(kinetic,),
        measure="fails",
        constraints=(chart.omega[2],),
    )


def suslov_principal(chart: Chart) -> Known:
    kinetic, _ = _inertia(chart)
    return _known(
        "Suslov, principal",
        chart,
        kinetic,
        INERTIA,
        symmetries=chart.turns,
        integrals=(chart.omega[0], chart.omega[1]),
        measure="holds",
        constraints=(chart.omega[2],),
    )


def veselova(chart: Chart) -> Known:
    """No rate about an axis of space: the momenta across it are constant, and a measure is preserved [Veselov, Veselova 1986]."""
    kinetic, momenta = _inertia(chart)
    return _known(
        "Veselova",
        chart,
        kinetic,
        INERTIA,
        symmetries=chart.turns[2:],
        integrals=(kinetic, *chart.in_space(momenta)[:2]),
        measure="holds",
        constraints=(chart.space[2],),
    )


def rolling_ball(chart: Chart) -> Known:
    """A homogeneous ball on a plane: its rates in space are constant."""
    kinetic, _ = _inertia(chart, ("J", "J", "J"))
    x, y, r = se.Symbol("xdot"), se.Symbol("ydot"), se.Symbol("r")
    zero, one = (se.Integer(0),) * len(chart.coordinates), se.Integer(1)
    fields = (
        (*zero, one, se.Integer(0)),
        (*zero, se.Integer(0), one),
        *chart.spins,
        (*chart.turns[2], -se.Symbol("y"), se.Symbol("x")),
    )
    space = chart.space
    return _known(
        "ball on a plane",
        chart,
        kinetic + se.Symbol("m") * (x**2 + y**2) / 2,
        {"J": 0.3, "m": 1.1, "r": 0.5},
        symmetries=fields,
        integrals=space,
        measure="holds",
        constraints=(x - r * space[1], y + r * space[0]),
        places=("x", "y"),
    )


BODIES: dict[str, Callable[[Chart], Known]] = {
    "free body": free_body,
    "heavy body": heavy_top,
    "symmetric top": lagrange_top,
    "Suslov": suslov,
    "Suslov, principal": suslov_principal,
    "Veselova": veselova,
    "ball on a plane": rolling_ball,
}


def body(name: str, chart: str) -> Known:
    """A body by name, in a chart by its sequence or ``quaternion``."""
    return BODIES[name](quaternion() if chart == "quaternion" else angles(chart))
