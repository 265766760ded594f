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


def _third(v: Values) -> float:
    """C³₁₂ in the basis E₁, rE₂, E₃ of so(3), E the generators of rotations."""
    one, two = _generator(0), v["r"] * _generator(1)
    return float(-(one @ two - two @ one)[0, 1])


def _generator(k: int) -> Any:
    """The matrix of w ↦ e_k × w."""
    return np.array([np.cross(np.eye(3)[k], e) for e in np.eye(3)]).T


def _curved(v: Values) -> float:
    """The coefficient of [u₁, u₂] on e = exp(kr²)∂g for u₁ = ∂₁ − ce, u₂ = ∂₂, by a complex step: −∂₂ of that of u₁."""
    size = np.exp(v["k"] * (0.3 + 1e-30j))
    return float(-np.imag(-v["c"] * size) / 1e-30 / np.real(size))


def algebra(*matrices: Any) -> Any:
    """Structure constants C[i, j, k] of the span of matrices, with the commutator."""
    flat = np.array([m.ravel() for m in matrices]).T
    brackets = [[(a @ b - b @ a).ravel() for b in matrices] for a in matrices]
    return np.array([[np.linalg.lstsq(flat, e, rcond=None)[0] for e in row] for row in brackets])


def killing(c: Any) -> Any:
    """The Killing form tr(ad_i ad_j)."""
    return np.einsum("iab,jba->ij", c, c)


H, E, F = np.diag([1.0, -1.0]), np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0, 0.0], [1.0, 0.0]])


def nilpotent(_: Values) -> float:
    """How many conditions ⟨γa, a⟩ = 0 puts on γ for a = E of sl(2), by the Killing form."""
    return float(abs(killing(algebra(H, E, F))[1, 1]) > 1e-9)


def _multiple(_: Values) -> float:
    """Killing form over trace for the first generator of so(3)."""
    turns = [_generator(k) for k in range(3)]
    return float(killing(algebra(*turns))[0, 0] / np.trace(turns[0] @ turns[0]))


def momenta_at_last(v: Values) -> Any:
    """(p₁, p₂) of the sleigh's (6.1) after a long time."""
    from scipy.integrate import solve_ivp

    m, j, a = v["m"], v["J"], v["a"]
    whole = j + m * a**2

    def rates(_: float, p: Any) -> list[float]:
        return [-a / whole * p[0] * p[1], m * a / whole**2 * p[0] ** 2]

    return solve_ivp(rates, (0, 60), [v["p1"], v["p2"]], rtol=1e-11, atol=1e-13).y[:, -1]


def _round_square(v: Values) -> Any:
    """The change of η round a square with the side s by dη = −⟨τ, η⟩, τ = E dr¹ + F dr², an exact form."""
    from scipy.linalg import expm

    return expm(v["s"] * F) @ expm(v["s"] * E) @ expm(-v["s"] * F) @ expm(-v["s"] * E)


def _returning(v: Values) -> float:
    """How many independent η return unchanged from that square: at most these are solutions."""
    return float(2 - np.linalg.matrix_rank(_round_square(v) - np.eye(2), 1e-9))


EXACT = "τ = E dr¹ + F dr² with the matrices E = (0 1; 0 0), F = (0 0; 1 0), an exact form"
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
    "§6.5, momenta p1, p2 of the disk": Counterexample(
        "The disk",
        DISK,
        "p₁",
        "A*phidot*cos(theta)**2 + (m*R**2 + B)*(phidot*sin(theta) + psidot)*sin(theta)",
        "A*phidot*cos(theta)",
        _first_momentum,
        "the derivative of l_c along e₁",
    ),
    "Theorem 4.4 (i), Corollary 4.5: τ exact": Counterexample(
        f"{EXACT}, and η = (1, 0), carried round a square with the side s by dη = −⟨τ, η⟩",
        (("s", 0.5),),
        "the first component of η on its return",
        "1",
        "1 - s**2",
        lambda v: float(_round_square(v)[0, 0]),
        "exponentials of matrices",
    ),
    "§2.5, C^c_ab are the structure constants": Counterexample(
        "so(3) with the basis E₁, rE₂, E₃ that depends on the shape r, against r = 1",
        (("r", 2.0),),
        "C³₁₂",
        "1",
        "r",
        _third,
        "the commutator of matrices",
    ),
    "ℬ of (4.11) and ℬ before (2.18)": Counterexample(
        "R² × R with e = exp(kr²)∂g, A₁ = c, A₂ = 0, by the formula before (2.18)",
        (("c", 0.8), ("k", 0.5)),
        "ℬ₁₂, the coefficient of [u₁, u₂] on e",
        "0",
        "c*k",
        _curved,
        "the bracket of the fields, which (4.11) gives",
    ),
    "§5, pairing a with itself: γ = 0": Counterexample(
        "sl(2) with a = E, for which ⟨a, a⟩ = 0",
        (),
        "the number of conditions that ⟨γa, a⟩ = 0 puts on γ",
        "1",
        "0",
        nilpotent,
        "the Killing form from the commutators",
    ),
    "§5, for a matrix Lie algebra the Killing form is a multiple of the trace": Counterexample(
        "sl(2) + so(3) as matrices in blocks, with the factor of sl(2)",
        (),
        "the Killing form of a generator of so(3) over its trace",
        "4",
        "1",
        _multiple,
        "the Killing form from the commutators",
    ),
    "Figure 6.2: equilibria of the upper half plane are asymptotically stable": Counterexample(
        "The sleigh, started near the equilibrium (0, p₂)",
        (("m", 1.5), ("J", 0.7), ("a", 0.4), ("p1", 0.5), ("p2", 1.0)),
        "p₂ at last",
        "p2",
        "sqrt(p2**2 + m*p1**2/(J + m*a**2))",
        lambda v: float(momenta_at_last(v)[1]),
        "(6.1) integrated",
        1e-7,
    ),
    "§6.4, the integral manifolds form an m-dimensional vector space": Counterexample(
        EXACT,
        (("s", 0.5),),
        "the dimension of the solutions of dη = −⟨τ, η⟩",
        "2",
        "0",
        _returning,
        "η that return unchanged from a square with the side s",
    ),
}
