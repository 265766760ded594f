"""Benenti 2008, §8.1, first half: two points with velocities orthogonal to their segment, up to Lagrange's equations."""

from __future__ import annotations

from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.benenti._segment import MASS, C, S, dot, kinetic, lagrange, metric, s
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import generic, holds, identity, moving, symbolic
from nonholo_papers.section import Section

section = Section("benenti", "8.1 Velocities orthogonal to the segment: constraints and Lagrange's equations")
section.rest("notation", 70, 72, 78)
section.rest("definition", 80, 93)
section.uncheckable("Figure 1", "Figure 1", "drawings without numbers", "The four examples.")
section.uncheckable("Figure 2", "Figure 2", "a drawing without numbers", "Example 8.1 in polar coordinates.")


@section.confirmed(
    "§8, the kinds of constraints",
    printed="true non-linear; apparently non-linear, but in fact linear; alternatively, linear",
)
def kinds() -> Evidence:
    """Sums of velocities that obey the constraint: always allowed in 8.1, in general not in 8.3; in 8.4 within
    each of two kinds.
    """
    random = np.random.default_rng(3)
    across, along = np.array([0.8, -0.6]), np.array([0.6, 0.8])

    def product(one: Any, two: Any) -> float:
        """The determinant of the sums of two pairs of velocities."""
        (a, b), (c, d) = np.sum([one, two], axis=0)
        return float(a * d - b * c)

    first, second = random.normal(size=(2, 2))
    orthogonal = [np.outer(pair, across) for pair in (first, second)]
    free = [np.outer(first, along), np.outer(second, across)]
    shifting = [np.stack([v, v]) for v in random.normal(size=(2, 2))]
    sums = {
        "8.1": product(*orthogonal),
        "8.3": product(*free),
        "8.4, both turning": product(orthogonal[1], orthogonal[0]),
        "8.4, both shifting": product(*shifting),
        "8.4, one of each": product(orthogonal[0], shifting[0]),
    }
    return holds(
        ("8.1 is linear", abs(sums["8.1"]) < 1e-12),
        (
            "8.4 is linear within each kind",
            max(abs(sums["8.4, both turning"]), abs(sums["8.4, both shifting"])) < 1e-12,
        ),
        against=[("8.3 is linear", abs(sums["8.3"]) < 1e-3), ("8.4 is linear", abs(sums["8.4, one of each"]) < 1e-3)],
    )


@section.confirmed("§8.1, the linear constraints", (69, "Example 8.1"), exhibits=("orthogonal-points",))
def linear_constraints() -> Evidence:
    """The two linear constraints imply the quadratic one, v₁ × v₂ = 0, and give the motion of the exhibit in
    polar coordinates.
    """
    points = moving("orthogonal-points", variant="four Cartesian coordinates")

    def terms(p: Any) -> list[Any]:
        return [
            np.array([p.x1dot * (p.x2 - p.x1), p.x2dot * (p.x2 - p.x1), p.x1dot * p.y2dot]),
            np.array([p.y1dot * (p.y2 - p.y1), p.y2dot * (p.y2 - p.y1), -p.x2dot * p.y1dot]),
        ]

    return identity(points, terms, words="admissible states of the four Cartesian coordinates")


@section.confirmed("§8.1, places and velocities", 71)
def velocities() -> Evidence:
    """The velocities of both points in (x, y, θ, ρ)."""
    second = [s.x + s.rho * C, s.y + s.rho * S]
    return symbolic(
        [
            [dot(second[0], False), -s.xd, -s.rhod * C, s.rho * S * s.thd],
            [dot(second[1], False), -s.yd, -s.rhod * S, -s.rho * C * s.thd],
        ]
    )


def _along(rate: list[Any]) -> Any:
    return s.rho * C * rate[0] + s.rho * S * rate[1]


@section.confirmed("§8.1, P₁P₂·v₁ and P₁P₂·v₂", (73, 74))
def products() -> Evidence:
    """The products of the segment with both velocities."""
    second = [dot(s.x + s.rho * C, False), dot(s.y + s.rho * S, False)]
    first = s.rho * (s.xd * C + s.yd * S)
    middle = [
        first,
        s.rho * (s.rhod * C - s.rho * S * s.thd) * C,
        s.rho * (s.rhod * S + s.rho * C * s.thd) * S,
    ]
    return symbolic(
        [
            [_along([s.xd, s.yd]), -s.rho * s.xd * C, -s.rho * s.yd * S],
            [_along(second), *(-e for e in middle)],
            [_along(second), -s.rho * s.xd * C, -s.rho * s.yd * S, -s.rho * s.rhod],
        ]
    )


@section.confirmed("§8.1, the constraint equations", (75, 76, 77), exhibits=("orthogonal-points",))
def distance() -> Evidence:
    """The constraints are equivalent to ẋ cos θ + ẏ sin θ = 0 and ρρ̇ = 0, and ρ is constant along the motion."""
    rows = np.array([[1.0, 0.0], [1.0, 1.0]])  # both constraints over ρ, in terms of ẋ cos θ + ẏ sin θ and ρ̇
    points = moving("orthogonal-points")
    still = max(abs(p.rate("rho")) for p in points)
    other = min(abs(p.dot(lambda q: q.rho**2 + 0.1 * q.x)) for p in points)
    regular = abs(np.linalg.det(rows)) > 0.5
    return Evidence(max(still, float(not regular)), None, other, "ρ̇ by the multiplier form; the mutant is ρ² + x/10")


@section.confirmed("§8.1, the linear constraint of the segment", (79,))
def both_orthogonal() -> Evidence:
    """With ρ constant, ẋ cos θ + ẏ sin θ = 0 says that both velocities are orthogonal to the segment (footnote 5)."""
    second = [dot(s.x + s.rho * C), dot(s.y + s.rho * S)]
    return symbolic([[_along(second), -_along([s.xd, s.yd])]])


@section.confirmed("(46)", 81)
def parametric() -> Evidence:
    """ẋ = v sin θ, ẏ = −v cos θ, θ̇ = ω obeys the constraint for all v, ω."""
    on_law = {s.xd: s.v * S, s.yd: -s.v * C}
    constraint = [(s.xd * C).subs(on_law), (s.yd * S).subs(on_law)]
    return symbolic([constraint])


@section.confirmed("(47)", 82)
def matrix() -> Evidence:
    """ψ_α: the lines (sin θ, −cos θ, 0) and (0, 0, 1) (a column separator is missing in the text)."""
    psi = [s.v * S, -s.v * C, s.w]
    printed = [[S, -C, 0], [0, 0, 1]]
    entries = [(e.diff(z), printed[a][i]) for a, z in enumerate((s.v, s.w)) for i, e in enumerate(psi)]
    return symbolic([[1 + found, -1 - se.sympify(wanted)] for found, wanted in entries])


@section.confirmed("(48)", (83, 84))
def kinetic_energy() -> Evidence:
    """The velocities for constant ρ and the kinetic energy, in both forms."""
    mixed = [-2 * s.rho * S * s.xd * s.thd, 2 * s.rho * C * s.yd * s.thd, s.rho**2 * s.thd**2]
    square = s.xd**2 + s.yd**2
    return symbolic(
        [
            [dot(s.x + s.rho * C), -s.xd, s.rho * S * s.thd],
            [dot(s.y + s.rho * S), -s.yd, -s.rho * C * s.thd],
            [kinetic(), -s.m1 * square / 2, -s.m2 * square / 2, *(-s.m2 * e / 2 for e in mixed)],
            [
                kinetic(),
                -MASS * square / 2,
                -s.m2 * s.rho * s.rho * s.thd**2 / 2,
                s.m2 * s.rho * S * s.xd * s.thd,
                -s.m2 * s.rho * C * s.yd * s.thd,
            ],
        ]
    )


@section.confirmed("§8.1, Lagrange's equations", 85)
def lagrange_equations() -> Evidence:
    """Lagrange's equations of the segment with active forces."""
    found = lagrange()
    last = dot(s.rho * s.thd - S * s.xd + C * s.yd)
    return symbolic(
        [
            [found[0], -dot(MASS * s.xd), dot(s.m2 * s.rho * S * s.thd)],
            [found[1], -dot(MASS * s.yd), -dot(s.m2 * s.rho * C * s.thd)],
            [found[2], -s.m2 * s.rho * last, -s.m2 * s.rho * C * s.xd * s.thd, -s.m2 * s.rho * S * s.yd * s.thd],
        ]
    )


@section.confirmed("§8.1, Lagrange's equations worked out", (86, 87, 88))
def worked_out() -> Evidence:
    """The same with the derivatives taken, simplified, and in the form (16)."""
    found, factor = lagrange(), s.m2 * s.rho
    long = [
        s.rho * s.thdd, -C * s.xd * s.thd, -S * s.xdd, -S * s.yd * s.thd, C * s.ydd, C * s.xd * s.thd, S * s.yd * s.thd,
    ]  # fmt: skip
    return symbolic(
        [
            [found[0], -MASS * s.xdd, factor * C * s.thd**2, factor * S * s.thdd],
            [found[1], -MASS * s.ydd, factor * S * s.thd**2, -factor * C * s.thdd],
            [found[2], *(-factor * e for e in long)],
            [found[2], -factor * s.rho * s.thdd, factor * S * s.xdd, -factor * C * s.ydd],
        ]
    )


@section.confirmed("§8.1, Z̄", 89)
def reduced_forces() -> Evidence:
    """Z̄_i as (17) defines it; the term that (17) lacks, g_ij ψ^j_k ψ^k, is orthogonal to all ψ_α here, so
    that nothing is lost.
    """
    on_law = {s.xd: s.v * S, s.yd: -s.v * C, s.thd: s.w, s.xdd: 0, s.ydd: 0, s.thdd: 0}
    bent = [-e.subs(on_law) for e in lagrange()]
    wanted = [s.m2 * s.rho * C * s.w**2, s.m2 * s.rho * S * s.w**2]
    turned = [s.v * C * s.w, s.v * S * s.w, 0]  # ψ^j_k ψ^k
    push = [sum(g * e for g, e in zip(row, turned)) for row in metric()]
    return symbolic(
        [
            [bent[0], -wanted[0]],
            [bent[1], -wanted[1]],
            [1 + bent[2], -se.Integer(1)],
            [push[0] * S, -push[1] * C],
            [1 + push[2], -se.Integer(1)],
        ]
    )


@section.confirmed("§8.1, g", (91, 92))
def metric_matrix() -> Evidence:
    """The metric, and with m₂ρ taken out and μ = m/(m₂ρ)."""
    mu = MASS / (s.m2 * s.rho)
    plain = [
        [MASS, 0, -s.m2 * s.rho * S],
        [0, MASS, s.m2 * s.rho * C],
        [-s.m2 * s.rho * S, s.m2 * s.rho * C, s.m2 * s.rho**2],
    ]
    scaled = [[mu, 0, -S], [0, mu, C], [-S, C, s.rho]]
    found = metric()
    rows = [[1 + found[i][j], -1 - se.sympify(plain[i][j])] for i in range(3) for j in range(3)]
    rows += [[1 + found[i][j], -1 - s.m2 * s.rho * se.sympify(scaled[i][j])] for i in range(3) for j in range(3)]
    return symbolic(rows)


@section.confirmed("§8.1, two parameters", printed=r"m = n - r = 3 - 1 = 2")
def parameters() -> Evidence:
    """The segment needs two parameters: ψ_α has rank 2 at all configurations, and one constraint on three
    coordinates leaves two.
    """
    ranks, left = [], []
    for p in generic("theta v w"):
        matrix = np.array([[np.sin(p.theta), -np.cos(p.theta), 0], [0, 0, 1]])
        constraint = np.array([[np.cos(p.theta), np.sin(p.theta), 0]])
        ranks.append((int(np.linalg.matrix_rank(matrix)), 3 - int(np.linalg.matrix_rank(constraint))))
        left.append(float(np.max(np.abs(np.matmul(constraint, matrix.T)))))
    return holds(
        ("rank 2 both ways", all(a == b == 2 for a, b in ranks)),
        ("ψ_α satisfy the constraint", max(left) < 1e-14),
        against=[("r = 1 parameter", any(a == 1 for a, _ in ranks))],
    )
