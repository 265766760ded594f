"""Shared by the rolling bodies: a rigid body on a horizontal plane by its contact vector, and Newton–Euler as a second route.

The body's rotation matrix is ``R`` (body to space), ``γ = Rᵀ e3`` the vertical in the body (third row of ``R``), and
``ρ(γ)`` the vector from the centre of mass to the contact point, in the body. Where the surface touches the plane,
``γ·dρ = 0``, so the centre of mass is at height ``−γ·ρ`` and rises with ``−γ·(w × ρ)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import jacobian, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot, evaluate_matrix
from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Point
from nonholo.geometry.frames.frame import Euclidean
from nonholo.geometry.groups.matrix_groups import SO3, cross
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System
from nonholo.notation.write import to_text

Vector = Any
Contact = Callable[[Vector, Mapping[str, float]], Vector]
"""ρ(γ) as numbers, from the parameters."""

ROWS = tuple(symbols(f"R{i}{j}" for j in (1, 2, 3)) for i in (1, 2, 3))
VERTICAL = ROWS[2]
RATES = symbols(("w1", "w2", "w3"))
SPATIAL_UNITS = {"x": "m", "y": "m", "w1": "rad/s", "w2": "rad/s", "w3": "rad/s", "m": "kg", "g": "m/s²"}

PLANE_SYMMETRY = Symmetry(
    {
        "shift_x": {"x": "1"},
        "shift_y": {"y": "1"},
        "turn": {"x": "-y", "y": "x"}
        | {f"R1{j}": f"-R2{j}" for j in (1, 2, 3)}
        | {f"R2{j}": f"R1{j}" for j in (1, 2, 3)},
    },
    "SE(2)",
)
"""Motions of the plane, acting on the place and the rotation matrix of a body on it."""
AXIAL_SYMMETRY = PLANE_SYMMETRY * Symmetry(
    {"spin": {f"R{k}1": f"-R{k}2" for k in (1, 2, 3)} | {f"R{k}2": f"R{k}1" for k in (1, 2, 3)}}, "SO(2)"
)
"""Motions of the plane, and turns of the body about its own third axis [MacDonnell 1997 (9.4), (9.5)]."""
_FRAME = SO3("R", rates="w1 w2 w3") * Euclidean("x y")


def rolling_body(
    name: str,
    parameters: str,
    contact: Sequence[Expr],
    inertia: Sequence[Sequence[Expr]],
    symmetry: Symmetry = PLANE_SYMMETRY,
    **others: Any,
) -> System:
    """A body of mass ``m`` that rolls without sliding; ``(x, y)`` is below its centre of mass.

    ẋ + e1·R(w × ρ) = 0,  ẏ + e2·R(w × ρ) = 0        (the contact point is at rest)
    """
    lagrangian, slip = _on_plane(contact, inertia)
    return System(
        name=name,
        parameters=parameters,
        lagrangian=lagrangian,
        constraints=slip,
        frame=_FRAME,
        symmetry=symmetry,
        **others,
    )


def sliding_body(
    name: str,
    parameters: str,
    contact: Sequence[Expr],
    inertia: Sequence[Sequence[Expr]],
    friction: Expr,
    symmetry: Symmetry = PLANE_SYMMETRY,
) -> System:
    """The same body free to slide, held back by ``−friction · slip``; the slip velocity ``(s1, s2)`` is a quasi-velocity."""
    lagrangian, (one, two) = _on_plane(contact, inertia)
    return System(
        name=name,
        parameters=parameters,
        lagrangian=lagrangian,
        quasivelocities={"s1": one, "s2": two},
        forces={"s1": -friction * symbol("s1"), "s2": -friction * symbol("s2")},
        frame=_FRAME,
        symmetry=symmetry,
    )


def _on_plane(contact: Sequence[Expr], inertia: Sequence[Sequence[Expr]]) -> tuple[Expr, list[Expr]]:
    """The Lagrangian and the velocity of the contact point along the plane."""
    m, g = symbols(("m", "g"))
    arm = cross(RATES, contact)
    height, rise = -dot(VERTICAL, contact), -dot(VERTICAL, arm)
    speed = symbol("xdot") ** 2 + symbol("ydot") ** 2 + rise**2
    spin = dot(RATES, [dot(row, RATES) for row in inertia])
    slip = [symbol("xdot") + dot(ROWS[0], arm), symbol("ydot") + dot(ROWS[1], arm)]
    return m * speed / 2 + spin / 2 - m * g * height, slip


def turned(inertia: Sequence[Expr], angle: Expr) -> tuple[tuple[Expr, ...], ...]:
    """Principal moments (A, B, C) whose axes are turned about the third one by ``angle``."""
    one, two, three = inertia
    c, s = se.cos(angle), se.sin(angle)
    mixed = (one - two) * c * s
    return (
        (one * c**2 + two * s**2, mixed, se.Integer(0)),
        (mixed, one * s**2 + two * c**2, se.Integer(0)),
        (se.Integer(0), se.Integer(0), three),
    )


def diagonal(*moments: Expr) -> tuple[tuple[Expr, ...], ...]:
    """A diagonal inertia matrix."""
    return tuple(tuple(e if i == j else se.Integer(0) for j in range(3)) for i, e in enumerate(moments))


def place_of(vector: Sequence[Expr], contact: Sequence[Expr]) -> Point:
    """Where a point of the body is, as texts: centre of mass plus ``R vector``."""
    height = -dot(VERTICAL, contact)
    centre = (symbol("x"), symbol("y"), height)
    texts = tuple(to_text(c + dot(row, vector)) for c, row in zip(centre, ROWS))
    return (texts[0], texts[1], texts[2])


def contact_trace(contact: Sequence[Expr]) -> Point:
    """The contact point on the plane."""
    along, across, _ = place_of(contact, contact)
    return (along, across, "0")


def random_rotations(count: int, seed: int = 3) -> list[Vector]:
    """Rotation matrices, generic."""
    random = np.random.default_rng(seed)
    result: list[Vector] = []
    for _ in range(count):
        q, _ = np.linalg.qr(random.normal(size=(3, 3)))
        result.append(q * np.sign(np.linalg.det(q)))
    return result


def rolling_state(matrix: Vector, rates: Any) -> dict[str, float]:
    """A state of `rolling_body` by names."""
    state = {f"R{i + 1}{j + 1}": float(matrix[i, j]) for i in range(3) for j in range(3)}
    return {**state, "x": 0.3, "y": -0.2, **{f"w{i + 1}": float(w) for i, w in enumerate(rates)}}


def newton_euler(
    matrix: Vector, w: Vector, contact: Callable[[Vector], Vector], inertia: Vector, m: float, g: float
) -> tuple[Vector, Vector]:
    """``ẇ`` and the plane's force ``N`` (body components) of a rolling body, from Newton's and Euler's laws alone.

    m (v̇ + w × v) = N − m g γ,   J ẇ + w × J w = ρ × N,   v = −w × ρ,   γ̇ = γ × w
    """
    vertical = matrix[2]
    rho = contact(vertical)
    # the derivative of ρ along γ̇ by a complex step: exact to rounding
    step = 1e-30
    drift = contact(vertical + 1j * step * np.cross(vertical, w)).imag / step
    v = -np.cross(w, rho)
    table, sides = np.zeros((6, 6)), np.zeros(6)
    hat = np.array([[0, -rho[2], rho[1]], [rho[2], 0, -rho[0]], [-rho[1], rho[0], 0]])
    # v̇ = ρ × ẇ + ρ̇ × w with v = ρ × w
    table[:3, :3], table[:3, 3:] = m * hat, -np.eye(3)
    sides[:3] = -m * (np.cross(drift, w) + np.cross(w, v)) - m * g * vertical
    table[3:, :3], table[3:, 3:] = inertia, -hat
    sides[3:] = -np.cross(w, inertia @ w)
    found = np.linalg.solve(table, sides)
    return found[:3], found[3:]


def agrees_with_newton(exhibit: Exhibit, contact: Contact, inertia: Callable[[Mapping[str, float]], Vector]) -> Finding:
    """Hamel's ``ẇ`` against Newton–Euler at generic attitudes and rates."""
    from nonholo.derive.hamel import hamel

    values = exhibit.parameters
    equations = hamel(exhibit.system)
    worst = 0.0
    random = np.random.default_rng(11)
    for matrix in random_rotations(4):
        rates = random.uniform(-2, 2, 3)
        found = equations.rates(rolling_state(matrix, rates), values)
        accelerations, _ = newton_euler(
            matrix, rates, lambda v: contact(v, values), inertia(values), values["m"], values["g"]
        )
        mine = np.array([found[f"w{i}"] for i in (1, 2, 3)])
        worst = max(worst, float(np.max(np.abs(mine - accelerations)) / (1 + np.max(np.abs(accelerations)))))
    return bounded(
        "Newton's and Euler's laws give the same accelerations", worst, 1e-10, "4 generic attitudes and rates"
    )


def spin_matrix(system: System, values: Mapping[str, float], spin: float, inverted: bool = False) -> Vector:
    """The linear flow of ``(γ1, γ2, w1, w2)``, and of the slip where there is one, at steady spin about the body's third axis.

    There ``γ = ±e3``, ``w = (0, 0, Ω)`` and ``ẇ = 0``, so ``δẇ = M⁻¹ δF``. The attitude enters by ``δR = R δφ^`` with
    ``δγ = γ × δφ``; ``δγ̇ = δγ × w + γ × δw``. The slip is taken in the body, ``σ = Rᵀ s``, ``σ̇ = Rᵀ ṡ − w × σ``.
    """
    from nonholo.derive.hamel import hamel

    equations = hamel(system)
    names = [str(s) for s in equations.speeds]
    side = -1.0 if inverted else 1.0
    attitude = np.diag([1.0, side, side])
    numbers = {**values, **rolling_state(attitude, (0.0, 0.0, spin)), **{n: 0.0 for n in names if n[0] == "s"}}
    by_matrix = evaluate_matrix(jacobian(equations.force, _flat_names()), numbers)
    # δφ = ±(δγ2, −δγ1, 0) turns the vertical by δγ
    tilts = [attitude @ _hat(side * np.array(t)) for t in ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0))]
    columns = [by_matrix @ t.reshape(-1) for t in tilts]
    kept = ["w1", "w2", *(n for n in names if n[0] == "s")]
    by_speed = evaluate_matrix(jacobian(equations.force, symbols(kept)), numbers)
    # the body sees the slip turned by Rᵀ, which here changes the sign of its second component
    signs = np.array([side if n == "s2" else 1.0 for n in kept])
    change = np.linalg.solve(evaluate_matrix(equations.mass, numbers), np.column_stack([*columns, by_speed * signs]))
    lower = np.array([change[names.index(n)] * sign for n, sign in zip(kept, signs)])
    if len(kept) > 2:
        lower[2, 5] += spin
        lower[3, 4] -= spin
    upper = np.zeros((2, lower.shape[1]))
    upper[0, 1], upper[1, 0] = spin, -spin
    upper[0, 3], upper[1, 2] = -side, side
    return np.vstack([upper, lower])


def _flat_names() -> tuple[Expr, ...]:
    return tuple(e for row in ROWS for e in row)


def _hat(w: Vector) -> Vector:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
