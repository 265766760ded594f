"""Cases with numbers in which formulas of the thesis fail, computed a third way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonholo_papers.claim import Counterexample

Values = Mapping[str, float]
STEP = 1e-30


def _lorentz(charge: float, velocity: Any, field: float) -> Any:
    """q v × B with B along the third axis."""
    return charge * np.cross(velocity, [0.0, 0.0, field])


def _particle(v: Values) -> float:
    """ẍ of the free particle with ż = yẋ: q̈ = λ(−y, 0, 1), z̈ − yẍ = ẏẋ."""
    row = np.array([-v["y"], 0.0, 1.0])
    whole = np.block([[np.eye(3), -row[:, None]], [row[None, :], np.zeros((1, 1))]])
    return float(np.linalg.solve(whole, [0.0, 0.0, 0.0, v["ydot"] * v["xdot"]])[0])


def _drift(v: Values) -> float:
    """The rate of mẋ − Byẋ along mẍ = Bẏ, mÿ = −Bẋ."""
    m, b = v["m"], v["B"]
    push = _lorentz(1.0, [v["xdot"], v["ydot"], 0.0], b) / m
    speed, y = v["xdot"] + 1j * STEP * push[0], v["y"] + 1j * STEP * v["ydot"]
    return float(np.imag(m * speed - b * y * speed) / STEP)


def _lagrange(v: Values) -> float:
    """d/dt ∂L/∂q̇ − ∂L/∂q of L = ½(1 + q²)q̇² − q³."""
    q, speed = v["q"], v["u"]
    momentum = (1 + (q + 1j * STEP * speed) ** 2) * (speed + 1j * STEP * v["b"])
    moved = q + 1j * STEP
    return float((np.imag(momentum) - np.imag((1 + moved**2) * speed**2 / 2 - moved**3)) / STEP)


def _maximum(_: Values) -> float:
    from nonholo_papers.macdonnell import _hoop

    return float(_hoop.hill()[0] / np.pi)


CHARGE = (("q", 0.0), ("B", 2.0), ("u", 3.0))
FIELD = (("m", 2.0), ("B", 3.0), ("ydot", 4.0))
PARTICLE = Counterexample(
    "The free particle of mass 1 with ż = yẋ, in the basis ∂x + y ∂z, ∂y of D",
    (("y", 1.0), ("xdot", 2.0), ("ydot", 3.0)),
    "ẍ",
    "-3*y*xdot*ydot/(1 + y**2)",
    "-y*xdot*ydot/(1 + y**2)",
    _particle,
    "Newton's equations with a multiplier",
)
CIRCLE = Counterexample(
    "A unit charge in a uniform field, M₁₂ = B",
    FIELD,
    "ẍ",
    "-B*ydot/m",
    "B*ydot/m",
    lambda v: float(_lorentz(1.0, [0.0, v["ydot"], 0.0], v["B"])[0] / v["m"]),
    "the Lorentz force",
)
ONE = Counterexample(
    "One coordinate, L = ½(1 + q²)q̇² − q³, with q̇ = u, q̈ = b",
    (("q", 1.0), ("u", 2.0), ("b", 0.5)),
    "the expression in braces",
    "(1 + q**2)*b + 2*q*u**2 - 3*q**2",
    "(1 + q**2)*b + q*u**2 + 3*q**2",
    _lagrange,
    "Lagrange's expression, by complex steps",
)
CASES = {
    "§2.1, the force; (2.1) and the display after it": Counterexample(
        "A particle without charge that moves with the velocity u across the field",
        CHARGE,
        "the force of B on it",
        "B*u",
        "q*B*u",
        lambda v: float(-_lorentz(v["q"], [v["u"], 0.0, 0.0], v["B"])[1]),
        "the Lorentz force",
    ),
    "§2.2, the generalized magnetic field": Counterexample(
        "A particle without charge in the plane across B",
        CHARGE[:2],
        "M₁₂",
        "B",
        "q*B",
        lambda v: float(_lorentz(v["q"], [0.0, 1.0, 0.0], v["B"])[0]),
        "the Lorentz force M₁₂q̇₂",
    ),
    "§2.3, Lagrange's equations on the moving solution manifold": Counterexample(
        "A unit charge at rest on a straight wire that is carried with the velocity u across itself",
        (("B", 2.0), ("u", 3.0)),
        "the magnetic force along the wire",
        "0",
        "B*u",
        lambda v: float(_lorentz(1.0, [0.0, v["u"], 0.0], v["B"])[0]),
        "the Lorentz force",
    ),
    "§3.4, the variation along a trajectory": CIRCLE,
    "(3.3), Proposition 3.4.1": CIRCLE,
    "(4.4)": PARTICLE,
    "§5.1, the constant for M = dN": Counterexample(
        "A unit charge in a uniform field, σ = ∂x, N = −By dx",
        (("m", 2.0), ("B", 3.0), ("y", 0.5), ("xdot", 2.0), ("ydot", 1.0)),
        "the rate of p^σ + N(q̇)",
        "0",
        "B*ydot - B*ydot*xdot - B**2*y*ydot/m",
        _drift,
        "along the motion by the Lorentz force",
    ),
    "(8.2)": PARTICLE,
    "Lemma 8.1.1, proof, the calculation": ONE,
    "Lemma 8.1.1, proof, the last display": ONE,
    "Figure 11.7, the local maximum": Counterexample(
        "The ball of the figure",
        (("C1", -40.0), ("C2", 1.0)),
        "ψ/π at the maximum of U",
        "-0.12",
        "-0.1346",
        _maximum,
        "the zero of U′",
        1e-4,
    ),
    "§13.6, the flow of σ": Counterexample(
        "x = e₁, i = 1",
        (("s", 2.0), ("r", 0.5)),
        "the second component of x̄",
        "0",
        "-s*r",
        lambda v: float(v["s"] * v["r"] * np.cross([1.0, 0.0, 0.0], [0.0, 0.0, 1.0])[1]),
        "the constant velocity rA(e₁)e₃ for the time s",
    ),
}
