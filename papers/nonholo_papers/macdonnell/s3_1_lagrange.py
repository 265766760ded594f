"""§§3.1–3.2: Lagrangians, Lagrange's equations with affine constraints and a magnetic form, energy."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, holds, identity, slope, worst
from nonholo_papers.macdonnell import _affine as affine
from nonholo_papers.macdonnell._fields import column, lagrangian, rate, table
from nonholo_papers.section import Section
from nonholo_papers.spectral import slope as slope_along

Array = Any
section = Section("macdonnell", "3.1 Preliminary definitions, 3.2 Lagrange's equations")
section.rest("definition", 60, 83, "Definition 3.1.1", "Definition 3.1.3", "Definition 3.1.4", "Definition 3.2.1")
WORDS = "four coordinates, L not quadratic in q̇, two affine constraints, M not closed; rates by the multiplier witness"


@section.confirmed("Definition 3.1.2, the Hessian transformation", (61, 62, 63, "Definition 3.1.2"))
def hessian() -> Evidence:
    """d/du⟨FL(τ + uσ), ρ⟩ = ∂²/∂u∂s L(τ + uσ + sρ), and F²L is symmetric: the matrix of second derivatives."""
    f = affine.functions()
    rho, sigma = np.array([0.7, -0.4, 1.1, 0.3]), np.array([-0.5, 0.9, 0.2, 0.8])

    def terms(p: SimpleNamespace) -> list[Any]:
        def once(u: float, first: Array, second: Array) -> Any:
            return slope_along(lambda s: f.L(p.q, p.v + u * first + s * second)[0], 0.3, 8)

        through_push = slope_along(lambda u: f.push(p.q, p.v + u * sigma) @ rho, 0.3, 8)
        twice = [slope_along(lambda u: once(u, sigma, rho), 0.3, 8), slope_along(lambda u: once(u, rho, sigma), 0.3, 8)]
        return [np.array([through_push, *twice]), -np.full(3, rho @ p.hessian @ sigma)]

    return identity(affine.states(), terms)


@section.refuted(
    "§3.1, regular Lagrangians",
    printed=r"\text{what we have called a Lagrangian (positive definite } F^2L) \text{ many authors call a regular Lagrangian}",
    reason="regular means that F²L is invertible; ½(ẋ² − ẏ²) is regular and its F²L is not positive definite",
    harm=1,
    breaks="Theorems on regular Lagrangians speak of more functions than those of Definition 3.1.3.",
    kind="convention",
)
def regular() -> Evidence:
    """A regular Lagrangian, whose Legendre transformation is a local diffeomorphism, has a positive definite Hessian."""
    f = lagrangian("(xdot**2 - ydot**2)/2 + x*y", ("x", "y"))
    found = f.hessian(np.array([0.3, 0.4]), np.array([1.0, 2.0]))
    invertible = abs(np.linalg.det(found)) > 0.5
    return Evidence(
        float(invertible and min(np.linalg.eigvalsh(found)) < 0), None, None, "½(ẋ² − ẏ²): det −1, eigenvalues ±1"
    )


@section.confirmed("(3.1)", 64)
def equations() -> Evidence:
    """(∂L/∂q̇^i)' − ∂L/∂q^i − M_ij q̇^j = λ_j B_i^j."""
    f = affine.functions()

    def terms(p: SimpleNamespace) -> list[Any]:
        lambdas = [-e * row for e, row in zip(p.lambdas, p.rows)]
        return [rate(f.push, p.q, p.v, p.a), -p.pull, -p.field @ p.v, *lambdas]

    return identity(affine.states(), terms, words=WORDS)


@section.misprint(
    "(3.2)",
    65,
    right=r"B_i^j \dot{q}^i = b^j",
    harm=1,
    breaks="As printed, with i summed on the left and free on the right, every constraint would have every value.",
    kind="slip",
)
def constraints() -> Evidence:
    """The constraints B^j·q̇ = b^j, printed with b^i."""

    def printed(p: SimpleNamespace) -> list[Any]:
        return [np.tile(p.rows @ p.v, (2, 1)), -np.tile(p.values, (2, 1)).T]

    return identity(affine.states(), printed, lambda p: [p.rows @ p.v, -p.values], words=WORDS)


@section.refuted(
    "Proposition 3.2.1",
    "Proposition 3.2.1",
    printed=r"\text{for each } q_0 \in Q \text{ Lagrange's equations uniquely determine a trajectory with } q(0) = q_0",
    right=r"\text{for each } \tau_0 \in D_\beta \text{ they uniquely determine a trajectory with } \dot q(0) = \tau_0",
    reason="they are of second order: a trajectory is determined by q(0) and an admissible q̇(0)",
    harm=2,
    breaks="Two motions from one place, with different admissible velocities, both satisfy the equations.",
    kind="slip",
)
def unique() -> Evidence:
    """Lagrange's equations determine one trajectory through each place."""
    from nonholo_papers.motion import integrated

    p = affine.states()[0]
    free = np.linalg.svd(p.rows)[2][2:]  # directions in D
    starts = [p.v, p.v + 0.5 * free[0]]
    ends = []
    for v in starts:
        start = dict(zip(affine.NAMES, p.q)) | dict(zip((f"{n}dot" for n in affine.NAMES), v))
        run = integrated(affine.system(), start, np.array([0.0, 0.3]))
        ends.append(np.array([getattr(run, n)[-1] for n in affine.NAMES]))
    # with q and q̇ given, the accelerations are the unique solution of (3.1) with the differentiated (3.2)
    largest = 0.0
    for s in affine.states():
        whole = np.block([[s.hessian, s.rows.T], [s.rows, np.zeros((2, 2))]])
        found = np.linalg.solve(whole, np.concatenate([s.pull + s.field @ s.v - s.mixed @ s.v, s.bent]))
        largest = worst(largest, gap(found[:4], s.a))
    return Evidence(gap(*ends), largest, None, "two motions from one place, 0.3 later; q̈ for given (q, q̇) is unique")


@section.misprint(
    "§3.2, F²L in coordinates",
    (66, 67),
    right=r"F^{2}L(\tau) = \frac{\partial^{2}L}{\partial \dot{q}^{i}\partial \dot{q}^{j}}(\tau)\,dq^{i} \otimes dq^{j}",
    harm=1,
    breaks="A direct sum dq^i ⊕ dq^j is linear on pairs of vectors, not bilinear.",
    kind="reading",
)
def tensor() -> Evidence:
    """F²L = A_ij dq^i ⊗ dq^j, A_ij = ∂²L/∂q̇^i∂q̇^j, printed with ⊕."""
    f = affine.functions()
    rho, sigma = np.array([0.7, -0.4, 1.1, 0.3]), np.array([-0.5, 0.9, 0.2, 0.8])

    def second(p: SimpleNamespace) -> float:
        return float(slope_along(lambda u: f.push(p.q, p.v + u * sigma) @ rho, 0.3, 8))

    def printed(p: SimpleNamespace) -> list[Any]:
        return [second(p), -float(np.sum(p.hessian * (rho[:, None] + sigma[None, :])))]

    return identity(affine.states(), printed, lambda p: [second(p), -float(rho @ p.hessian @ sigma)])


@section.confirmed("Proposition 3.2.1, proof, the equations for q̈ and λ", (68, 69, 70, 71))
def eliminated() -> Evidence:
    """(∂L/∂q̇)' = Aq̈ + ∂²L/∂q∂q̇ q̇; Aq̈ = Bᵀλ + f; Bq̈ = g; BA⁻¹Bᵀλ = −BA⁻¹f + g."""
    f = affine.functions()

    def terms(p: SimpleNamespace) -> list[Any]:
        rest = p.pull + p.field @ p.v - p.mixed @ p.v
        inverse = np.linalg.inv(p.hessian)
        size = np.zeros(4)
        back = p.rows @ inverse
        return [
            np.concatenate([rate(f.push, p.q, p.v, p.a), p.hessian @ p.a, p.rows @ p.a, back @ p.rows.T @ p.lambdas]),
            -np.concatenate([p.hessian @ p.a, p.rows.T @ p.lambdas, p.bent, -back @ rest]),
            -np.concatenate([p.mixed @ p.v, rest, size[:2], p.bent]),
        ]

    return identity(affine.states(), terms, words=WORDS)


@section.confirmed("Proposition 3.2.1, proof, BA⁻¹Bᵀ is non-singular", (72, 73, 74, 75))
def nonsingular() -> Evidence:
    """BA⁻¹Bᵀλ = 0 implies λ = 0 for independent rows and positive definite A; not so for an indefinite one."""
    def product(rows: Array, inverse: Array) -> Array:
        return np.linalg.multi_dot([rows, inverse, rows.T])

    least = min(float(np.min(np.linalg.eigvalsh(product(p.rows, np.linalg.inv(p.hessian))))) for p in affine.states())
    rows, light = np.array([[1.0, 1.0]]), np.diag([1.0, -1.0])
    dependent = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]])
    return holds(
        ("BA⁻¹Bᵀ is positive definite", least > 1e-3),
        against=[
            ("indefinite A", abs(np.linalg.det(product(rows, light))) > 1e-12),
            ("dependent rows", np.linalg.matrix_rank(product(dependent, np.eye(3))) == 2),
        ],
    )


OTHER = tuple(f"p{k}" for k in range(1, 5))
INTO = ("q1 + q2*q3/5", "q2 - sin(q1)/4", "q3 + q4**2/7", "q4 - q1*q3/6")
BACK = "p1 p2 p3 p4"


def _new() -> SimpleNamespace:
    """L̄ and M̄ given in q̄ = p; L and M in q follow."""
    energy = (
        "p1dot**2*(1 + p2**2/3) + p2dot**2*(2 + sin(p1))/2 + p3dot**2 + p4dot**2*(1 + p3**2/5)/2 + p1dot*p3dot*p4/4"
    )
    energy += " + p2dot**4/20 + p2dot*p4dot/3 - p1*p2*p3/2 - cos(p4) + p1*p3dot/2"
    maps = [se.sympify(e) for e in INTO]
    rates = [sum(m.diff(se.Symbol(n)) * se.Symbol(f"{n}dot") for n in affine.NAMES) for m in maps]
    swap = dict(zip(map(se.Symbol, OTHER), maps)) | {se.Symbol(f"{n}dot"): r for n, r in zip(OTHER, rates)}
    field = [
        ["0", "1+p3", "p2/2", "0.3"],
        ["-1-p3", "0", "p4", "-p1"],
        ["-p2/2", "-p4", "0", "0.7"],
        ["-0.3", "p1", "-0.7", "0"],
    ]
    return SimpleNamespace(
        old=lagrangian(se.sympify(energy).xreplace(swap), affine.NAMES),
        new=lagrangian(energy, OTHER),
        into=column(maps, affine.NAMES),
        field=table(field, OTHER),
    )


@section.confirmed("Proposition 3.2.1, proof, change of coordinates", (76, 77, 78, 80))
def transformation() -> Evidence:
    """q̄̇ = ∂q̄/∂q q̇, L = L̄(q̄(q), ∂q̄/∂q q̇), M = (∂q̄/∂q)ᵀM̄ ∂q̄/∂q and B = B̄ ∂q̄/∂q: forms pulled back along a curve."""
    f = _new()

    def terms(p: SimpleNamespace) -> list[Any]:
        jacobian = slope(f.into, p.q)
        speed = slope_along(lambda h: f.into(p.q + h * p.v), 0.05, 10)
        rows = np.array([[0.3, 1.0, -0.5, 0.2], [0.9, -0.4, 0.1, 0.8]])  # B̄ at this place
        other = np.array([0.4, -0.3, 0.8, 0.5])
        moved = slope_along(lambda h: f.into(p.q + h * other), 0.05, 10)
        field = f.field(f.into(p.q))
        return [
            np.concatenate([speed, f.old.L(p.q, p.v), [speed @ field @ moved], rows @ moved]),
            -np.concatenate(
                [
                    jacobian @ p.v,
                    f.new.L(f.into(p.q), jacobian @ p.v),
                    [p.v @ (jacobian.T @ field @ jacobian) @ other],
                    (rows @ jacobian) @ other,
                ]
            ),
        ]

    return identity(affine.states(), terms)


@section.misprint(
    "Proposition 3.2.1, proof, Lagrange's expression in new coordinates",
    79,
    right=r"\ldots = \left\{ \left(\frac{\partial \overline{L}}{\partial \dot{\overline{q}}^{k}}\right)' - \frac{\partial "
    r"\overline{L}}{\partial \overline{q}^{k}} - \overline{M}_{kj}\dot{\overline{q}}^{j} \right\} \frac{\partial "
    r"\overline{q}^{k}}{\partial q^{i}}",
    harm=1,
    breaks="The dot over q̄ in the momentum is not in the text.",
    kind="reading",
)
def covariant() -> Evidence:
    """Lagrange's expression is a covector, for any curve; the dot in the momentum of L̄ is missing."""
    f = _new()

    def terms(p: SimpleNamespace, dotted: bool) -> list[Any]:
        jacobian = slope(f.into, p.q)
        bent = slope_along(lambda h: slope(f.into, p.q + h * p.v) @ p.v, 0.05, 12)
        place, speed, acceleration = f.into(p.q), jacobian @ p.v, jacobian @ p.a + bent
        momentum = f.new.push if dotted else f.new.pull
        inner = rate(momentum, place, speed, acceleration) - f.new.pull(place, speed) - f.field(place) @ speed
        field = jacobian.T @ f.field(place) @ jacobian
        outer = [rate(f.old.push, p.q, p.v, p.a), -f.old.pull(p.q, p.v), -field @ p.v]
        return [*outer, -jacobian.T @ inner]

    return identity(
        affine.states(), lambda p: terms(p, False), lambda p: terms(p, True), words="any curve, at three places"
    )


@section.confirmed("Proposition 3.2.1, proof, other 1-forms", (81, 82))
def other_forms() -> Evidence:
    """With B^j = α^j_k B̄^k one has b^j = α^j_k b̄^k, and λ_k α^k_j are the multipliers for the B̄^j."""
    alpha = np.array([[0.7, -0.4], [0.5, 1.2]])

    def terms(p: SimpleNamespace) -> list[Any]:
        rows = np.linalg.solve(alpha, p.rows)  # B̄
        values = np.linalg.solve(alpha, p.values)
        direct = np.linalg.lstsq(rows.T, p.force, rcond=None)[0]
        return [np.concatenate([rows @ p.v, direct]), -np.concatenate([values, p.lambdas @ alpha])]

    def turned(p: SimpleNamespace) -> list[Any]:
        rows = np.linalg.solve(alpha, p.rows)
        return [np.linalg.lstsq(rows.T, p.force, rcond=None)[0], -alpha @ p.lambdas]

    return identity(affine.states(), terms, mutants=[turned])


def _energy(natural: bool = False) -> Any:
    f = affine.functions(natural)
    return lambda q, v: f.push(q, v) @ v - f.L(q, v)[0]


@section.confirmed("Proposition 3.2.2, the energy", (84, 85, "Proposition 3.2.2"))
def energy() -> Evidence:
    """For β = 0 the energy ∂L/∂q̇·q̇ − L is constant, with any magnetic form; E' = λ_j⟨B^j, β⟩ in general."""

    def terms(p: SimpleNamespace) -> list[Any]:
        return [float(rate(_energy(), p.q, p.v, p.a)), -float(p.lambdas @ p.values)]

    general = identity(affine.states(), terms)
    still, moved = (
        worst(
            abs(float(rate(_energy(), p.q, p.v, p.a))) / float(np.abs(p.pull) @ np.abs(p.v))
            for p in affine.states(False, a)
        )
        for a in (False, True)
    )
    return Evidence(
        worst(still, general.printed),
        None,
        min(moved, general.mutant or 0),
        "E' relative to |∂L/∂q·q̇|; the mutant has β ≠ 0",
    )
