"""§§2.3–2.4: holonomic constraints that move, d'Alembert's principle, multipliers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, worst
from nonholo_papers.macdonnell import _moving as moving
from nonholo_papers.macdonnell._moving import rate_new
from nonholo_papers.section import Section

section = Section("macdonnell", "2.3 Holonomic constraints and associated forces, 2.4 Nonholonomic constraints")
section.rest("definition of the forces of constraint", 14)
section.rest("assumption: the constraints (2.3), which the text lacks in §2.3, can be solved for q", 15, 18)
section.rest("assumption: d'Alembert's principle, from which the motion of every check of §§2.3, 2.4 is made", 17, 24)
section.rest("definition: the form of nonholonomic constraints; from (3.2) on b has the other sign", 19)
section.rest("notation of the rows and the matrix of display 21; the index t of G_t is i", 22, 23, 25)
WORDS = "q = q(t, q̄) with four q and two q̄, magnetic and other forces; accelerations from d'Alembert's principle in q"


@section.misprint(
    "§2.3, Lagrange's equations on the moving solution manifold",
    16,
    right=r"\left(\frac{\partial L}{\partial \dot{\overline{q}}_i}\right)' - \frac{\partial L}{\partial \overline{q}_i} - "
    r"\sum_j \overline{M}_{ij} \dot{\overline{q}}_j - \sum_{j,k} M_{jk}\frac{\partial q_j}{\partial \overline{q}_i}"
    r"\frac{\partial q_k}{\partial t} = \sum_j R_j \frac{\partial q_j}{\partial \overline{q}_i} + \overline{Q}_i",
    harm=3,
    breaks="With a magnetic field and a constraint that moves a force is missing: the calculation is not identical to that "
    "of §2.2, since q̇ = ∂q/∂q̄ q̄̇ + ∂q/∂t. (The dots over q̄ are not in the text either.)",
    kind="error",
    because=(
        "q̇ = (∂q/∂q̄)q̄̇ + ∂q/∂t. A unit charge on a straight wire that is carried with the velocity u "
        "across itself, in a field B normal to both, is pushed along the wire by Bu; as printed by 0."
    ),
)
def manifold() -> Evidence:
    """For q = q(t, q̄) the magnetic force has a term with ∂q/∂t, which is missing."""
    f = moving.functions()

    def parts(s: SimpleNamespace) -> tuple[Any, ...]:
        new = np.concatenate([s.p, s.pv, [s.t]])
        return f.pull(new), s.across.T @ s.field @ s.across, s.across.T @ s.forces

    def printed(s: SimpleNamespace) -> list[Any]:
        pull, field, forces = parts(s)
        return [rate_new(f.pull, s), -pull, -field @ s.p, -forces]

    def dotted(s: SimpleNamespace) -> list[Any]:
        pull, field, forces = parts(s)
        return [rate_new(f.push, s), -pull, -field @ s.pv, -forces]

    def right(s: SimpleNamespace) -> list[Any]:
        return [*dotted(s), -s.across.T @ s.field @ s.drift]

    return identity(moving.states(), printed, right, mutants=[dotted], words=WORDS)


@section.confirmed("(2.6)", 20)
def differentiated() -> Evidence:
    """∂G_i/∂q_j q̇_j + ∂G_i/∂t = 0 along every motion on the moving manifold."""
    return identity(moving.states(), lambda s: [s.normals @ s.v, s.by_time])


@section.conditional(
    "§2.4, (2.6) has the form of (2.5)",
    printed=r"\partial G_i/\partial q_j = B_{ij}(q), \quad \partial G_i/\partial t = b_i(q)",
    right="∂G/∂q and ∂G/∂t do not depend on the time, as for G = g(q) + ct",
    reason="(2.5) has B(q) and b(q), without the time.",
    harm=2,
    breaks="Constraints that move in general, such as a wire that turns, are not among (2.5), nor among the systems of §3.",
)
def same_form() -> Evidence:
    """The differentiated holonomic constraints have coefficients B(q), b(q)."""
    from nonholo_papers.evidence import gap, slope
    from nonholo_papers.macdonnell._fields import column

    steady = column(["q3 - q1*q2/2 + 0.3*t", "q4*q1 - q2**2 - 0.7*t"], [*moving.OLD, "t"])
    largest = [0.0, 0.0]
    for s in moving.states():
        for k, g in enumerate((moving.functions().constraints, steady)):
            rows = [slope(g, np.array([*s.q, t])) for t in (s.t, 2.7)]
            largest[k] = worst(largest[k], gap(*rows))
    return Evidence(
        largest[0], largest[1], None, "the coefficients at one place and two times: G generic, and G = g(q) + c t"
    )


@section.confirmed("§2.4, the gradients annul the tangents", 21)
def null() -> Evidence:
    """Σ ∂G_i/∂q_j ∂q_j/∂q̄_k = 0, the two rows are independent and span the left null space."""
    states = moving.states()
    found = identity(states, lambda s: [s.normals[:, :2] @ s.across[:2], s.normals[:, 2:] @ s.across[2:]])
    ranks = {(np.linalg.matrix_rank(s.normals), np.linalg.matrix_rank(s.across)) for s in states}
    return Evidence(
        worst(found.printed, float(ranks != {(2, 2)})),
        None,
        found.mutant,
        "terms with q₁, q₂ and q₃, q₄; ranks 2 and 2 of 4",
    )


def _multipliers(s: SimpleNamespace) -> Any:
    return np.linalg.lstsq(s.normals.T, s.reaction, rcond=None)[0]


@section.confirmed("§2.4, multipliers of holonomic constraints", (26, 27, 28))
def multipliers() -> Evidence:
    """R_i = Σ λ_j ∂G_j/∂q_i; with the differentiated constraints these are all equations for q and λ."""
    f = moving.functions()

    def terms(s: SimpleNamespace) -> list[Any]:
        push = _rate(f.plain.push, s)
        lambdas = _multipliers(s)
        return [
            push,
            -f.plain.pull(s.q, s.v),
            -s.field @ s.v,
            -s.forces,
            *(-lambdas[j] * s.normals[j] for j in range(2)),
        ]

    return identity(moving.states(), terms, words=WORDS)


def _rate(function: Any, s: SimpleNamespace) -> Any:
    from nonholo_papers.macdonnell._fields import rate

    return rate(function, s.q, s.v, s.a)


@section.confirmed("(2.7) and the display before it", (29, 30))
def nonholonomic() -> Evidence:
    """R_i = Σ λ_j B_ji with Σ B_jk q̇_k + b_j = 0: the reactions of Gauss's principle of least constraint lie in these rows."""
    from nonholo_papers.macdonnell import _affine as affine

    def terms(p: SimpleNamespace) -> list[Any]:
        # Gauss: q̈ minimises (q̈ − free)ᵀ A (q̈ − free) among those that B q̈ = g allows
        root = np.linalg.cholesky(p.hessian).T
        free = np.linalg.solve(p.hessian, p.pull + p.field @ p.v - p.mixed @ p.v)
        back = np.linalg.inv(root)
        gauss = free + back @ np.linalg.pinv(p.rows @ back) @ (p.bent - p.rows @ free)
        lambdas = np.linalg.lstsq(p.rows.T, p.hessian @ (gauss - free), rcond=None)[0]
        push = p.hessian @ gauss + p.mixed @ p.v
        return [push, -p.pull, -p.field @ p.v, -lambdas[0] * p.rows[0], -lambdas[1] * p.rows[1]]

    found = identity(
        affine.states(), terms, words="q̈ by Gauss's principle, for L not quadratic in q̇ and affine constraints"
    )
    kept = identity(affine.states(), lambda p: [p.rows @ p.v, -p.values])
    return Evidence(worst(found.printed, kept.printed), None, min(found.mutant or 0, kept.mutant or 0), found.words)
