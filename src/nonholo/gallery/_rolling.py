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
from nonholo.algebra.linear import dot, evaluate_matrix
from nonholo.algebra.text import to_text
from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Point
from nonholo.geometry.frame import Euclidean
from nonholo.geometry.groups import SO3, cross
from nonholo.model.symmetry import Symmetry
from nonholo.model.system import System

Expr = Any
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


def rolling_body(
    name: str, parameters: str, contact: Sequence[Expr], inertia: Sequence[Sequence[Expr]], **others: Any
) -> System:
    """A body of mass ``m`` that rolls without sliding; ``(x, y)`` is below its centre of mass.

    ẋ + e1·R(w × ρ) = 0,  ẏ + e2·R(w × ρ) = 0        (the contact point is at rest)
    """
    m, g = symbols(("m", "g"))
    arm = cross(RATES, contact)
    height, rise = -dot(VERTICAL, contact), -dot(VERTICAL, arm)
    speed = symbol("xdot") ** 2 + symbol("ydot") ** 2 + rise**2
    spin = dot(RATES, [dot(row, RATES) for row in inertia])
    return System(
        name=name,
        frame=SO3("R", rates="w1 w2 w3") * Euclidean("x y"),
        parameters=parameters,
        lagrangian=m * speed / 2 + spin / 2 - m * g * height,
        constraints=[symbol("xdot") + dot(ROWS[0], arm), symbol("ydot") + dot(ROWS[1], arm)],
        symmetry=PLANE_SYMMETRY,
        **others,
    )


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


def spin_matrix(system: System, values: Mapping[str, float], spin: float) -> Vector:
    """The linear flow of ``(γ1, γ2, w1, w2)`` at upright spinning, ``R = 1`` and ``w = (0, 0, Ω)``.

    There ``ẇ = 0``, so ``δẇ = M⁻¹ δF``; the attitude enters by ``δR = R δφ^`` with ``δγ = γ × δφ``, and
    ``γ̇ = γ × w`` gives ``δγ̇1 = Ω δγ2 − δw2``, ``δγ̇2 = δw1 − Ω δγ1``.
    """
    from nonholo.derive.hamel import hamel

    equations = hamel(system)
    numbers = {**values, **rolling_state(np.eye(3), (0.0, 0.0, spin))}
    mass = evaluate_matrix(equations.mass, numbers)
    by_matrix = evaluate_matrix(
        jacobian(equations.force, symbols(f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3))), numbers
    )
    by_rates = evaluate_matrix(jacobian(equations.force, RATES), numbers)
    # δφ = (δγ2, −δγ1, 0) turns the vertical by δγ
    tilts = [np.array([[0.0, 0, -1], [0, 0, 0], [1, 0, 0]]), np.array([[0.0, 0, 0], [0, 0, -1], [0, 1, 0]])]
    by_vertical = np.column_stack([by_matrix @ t.reshape(-1) for t in tilts])
    lower = np.linalg.solve(mass, np.column_stack([by_vertical, by_rates[:, :2]]))[:2]
    upper = np.array([[0, spin, 0, -1], [-spin, 0, 1, 0]])
    return np.vstack([upper, lower])
