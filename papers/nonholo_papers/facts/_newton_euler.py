"""Accelerations of rolling bodies from Newton's and Euler's laws alone, as a second route.

Symbols as in `nonholo.gallery._rolling`: ``γ`` is the vertical in the body, ``ρ(γ)`` the contact point from the
centre of mass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from nonholo.algebra.calculus import jacobian, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import evaluate_matrix
from nonholo.finding import Finding, bounded
from nonholo.gallery._rolling import ROWS
from nonholo.gallery.exhibit import Exhibit
from nonholo.model.system import System
from nonholo_papers.so3 import hat

Vector = Any
Contact = Callable[[Vector, Mapping[str, float]], Vector]
"""ρ(γ) as numbers, from the parameters."""


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
    arm = hat(rho)
    # v̇ = ρ × ẇ + ρ̇ × w with v = ρ × w
    table[:3, :3], table[:3, 3:] = m * arm, -np.eye(3)
    sides[:3] = -m * (np.cross(drift, w) + np.cross(w, v)) - m * g * vertical
    table[3:, :3], table[3:, 3:] = inertia, -arm
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
    tilts = [attitude @ hat(side * np.array(t)) for t in ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0))]
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
