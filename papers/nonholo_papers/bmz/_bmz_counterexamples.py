"""Cases with numbers in which formulas of the paper fail, computed a third way."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nonholo_papers.claim import Counterexample
from nonholo_papers.zenkov._zenkov_counterexamples import jacobi, varied

Values = Mapping[str, float]


def _circulation(v: Values) -> float:
    """∮A over a unit square, A = c r² dr¹, over its area: dA on ∂₁, ∂₂."""
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    middles, edges = (corners + np.roll(corners, -1, axis=0)) / 2, np.roll(corners, -1, axis=0) - corners
    return float(sum(v["c"] * place[1] * edge[0] for place, edge in zip(middles, edges)))


def _momentum_rate(v: Values) -> float:
    """(J + ma²)θ̈ of the sleigh at θ = 0, from Newton's equations with a multiplier."""
    m, j, a, omega, speed = (v[n] for n in ("m", "J", "a", "omega", "v"))
    mass = np.array([[j + m * a**2, 0, m * a], [0, m, 0], [m * a, 0, m]])
    row = np.array([0.0, 0.0, 1.0])
    whole = np.block([[mass, -row[:, None]], [row[None, :], np.zeros((1, 1))]])
    found = np.linalg.solve(whole, [0.0, m * a * omega**2, 0.0, omega * speed])
    return float((j + m * a**2) * found[0])


def _turning(v: Values) -> float:
    """θ̇ of the sleigh with a = 0 that turns in place, whose spatial momenta m(ẋ, ẏ) and Jω + m(xẏ − yẋ) do not change."""
    still = abs(_momentum_rate({**v, "a": 0.0, "v": 0.0})) < 1e-14
    return v["omega"] if still else float("nan")


def _polar(kinetic: Any, one: Any, two: Any) -> float:
    one, two = np.array(one), np.array(two)
    return float(kinetic(one + two) - kinetic(one) - kinetic(two))


def _product(v: Values) -> float:
    """⟨u₂, u₃⟩ of the sleigh's kinetic energy in body velocities."""
    m, j, a, k, theta = (v[n] for n in ("m", "J", "a", "k", "theta"))

    def kinetic(w: Any) -> float:
        return float(m * (w[1] ** 2 + (w[2] + a * w[0]) ** 2) / 2 + j * w[0] ** 2 / 2)

    return _polar(kinetic, [-k / a * np.sin(k * theta), np.cos(k * theta), 0], [0, 0, 1])


def _first_momentum(v: Values) -> float:
    """∂l_c along e₁ = −tan θ ∂ψ + ∂φ/cos θ of the disk at θ̇ = 0, over (φ̇, ψ̇)."""
    a, b, m, r, theta = (v[n] for n in ("A", "B", "m", "R", "theta"))

    def kinetic(w: Any) -> float:
        turn = w[0] * np.sin(theta) + w[1]
        return float((a * w[0] ** 2 * np.cos(theta) ** 2 + (b + m * r**2) * turn**2) / 2)

    return _polar(kinetic, [v["phidot"], v["psidot"]], [1 / np.cos(theta), -np.tan(theta)])


def _along(v: Values) -> float:
    """The velocity of the contact point along the heading for ψ̇ = 1, by the paper's constraints at φ = 0.3."""
    x, y = -v["R"] * np.cos(0.3), -v["R"] * np.sin(0.3)
    return float(x * np.cos(0.3) + y * np.sin(0.3))


SLEIGH = (("m", 1.5), ("J", 0.7), ("a", 0.4), ("omega", 2.0), ("v", 3.0))
DISK = (("A", 0.3), ("B", 0.7), ("m", 1.2), ("R", 0.5), ("theta", 0.6), ("phidot", 2.0), ("psidot", -1.0))
CASES = {
    "§2.1, each T_qQ is isomorphic to the Lie algebra V_q": Counterexample(
        "The frame u₁ = ∂x, u₂ = x ∂x + ∂y, u₃ = xy ∂y + ∂z of R³",
        (("x", 0.5), ("y", 0.7)),
        "the second component of the cyclic sum of [[u₁, u₂]_q, u₃]_q",
        "0",
        "y",
        jacobi,
        "brackets by complex steps",
    ),
    "(2.17), with B_s = dA_s(hor ·, hor ·)": Counterexample(
        "The connection A = c r² dr¹ on R² × R",
        (("c", 0.8),),
        "dA(hor ∂₁, hor ∂₂)",
        "c",
        "-c",
        _circulation,
        "∮A around a square",
    ),
    "(3.3)": Counterexample(
        "The sleigh, v = (ω, v, 0), with constant w = (a, b, 0)",
        (("omega", 0.5), ("v", 2.0), ("a", 0.3), ("b", 0.7)),
        "δv³",
        "0",
        "omega*b - v*a",
        varied,
        "the commutator of matrices of se(2)",
    ),
    "(4.7)": Counterexample(
        "The sleigh", SLEIGH, "ṗ₁", "0", "-m*a*omega*v", _momentum_rate, "Newton's equations with a multiplier"
    ),
    "Theorem 4.4 (ii) and its proof, Corollary 4.5": Counterexample(
        "The sleigh, for which the printed condition holds for η = (1, 0)",
        SLEIGH,
        "d⟨p, η⟩/dt",
        "0",
        "-m*a*omega*v",
        _momentum_rate,
        "Newton's equations with a multiplier",
    ),
    "§6.2, spatial momentum is conserved iff θ = const": Counterexample(
        "A sleigh with a = 0 that turns in place, whose spatial momentum is conserved",
        (("m", 1.5), ("J", 0.7), ("omega", 2.0)),
        "θ̇",
        "0",
        "omega",
        _turning,
        "Newton's equations with a multiplier",
    ),
    "§6.2, Lagrangian in the conserving frame": Counterexample(
        "The sleigh",
        (("m", 1.5), ("J", 0.7), ("a", 0.4), ("k", 0.5), ("theta", 1.2)),
        "the coefficient of ξ²ξ³ in l",
        "-m*a*sin(k*theta)",
        "-m*k*sin(k*theta)",
        _product,
        "the kinetic energy of u₂ + u₃ less those of u₂ and u₃",
    ),
    "§6.5, basis e1, e2 of the disk": Counterexample(
        "The disk with ψ̇ = 1",
        (("R", 0.5),),
        "the velocity of the contact point along the heading",
        "R",
        "-R",
        _along,
        "the constraints ẋ = −Rψ̇ cos φ, ẏ = −Rψ̇ sin φ",
    ),
    "§6.5, momenta p1, p2 of the disk": Counterexample(
        "The disk",
        DISK,
        "p₁",
        "A*phidot*cos(theta)**2 + (m*R**2 + B)*(phidot*sin(theta) + psidot)*sin(theta)",
        "A*phidot*cos(theta)",
        _first_momentum,
        "the derivative of l_c along e₁",
    ),
}
