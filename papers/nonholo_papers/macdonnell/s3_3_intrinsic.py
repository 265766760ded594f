"""§3.3: the intrinsic form of Lagrange's equations on TQ; §3.6: Hamiltonian systems."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, slope, worst
from nonholo_papers.macdonnell import _affine as affine
from nonholo_papers.macdonnell._fields import towards
from nonholo_papers.section import Section

Array = Any
section = Section("macdonnell", "3.3 Intrinsic form of Lagrange's equations, 3.6 Hamiltonian systems")
section.rest("definition", 86, 87, 91, 92, 102, "Definition 3.3.1", "Definition 3.3.2", "Definition 3.6.1")
section.rest("the constraints (3.2) again", 89)
section.rest("restates the definition of the energy, display 83", 90)
section.uncheckable(
    "§3.3, where π*M lives",
    (),
    "a slip in words: π: TQ → Q pulls forms on Q back to TQ, not to T*(TQ)",
    "π*M is called a 2-form on T*(TQ).",
)
CONVENTIONS = (
    "in the conventions of Kobayashi and Nomizu, dx∧dy(∂x, ∂y) = ½ and i_X ω = 2ω(X, ·), which displays 103 and 104 use; "
    "with dx∧dy(∂x, ∂y) = 1 and i_X ω = ω(X, ·) it is dθ_L + π*M"
)


def _energy(x: Array, v: Array) -> Any:
    f = affine.functions()
    return f.push(x, v) @ v - f.L(x, v)[0]


def _on_tangents(function: Any, p: SimpleNamespace) -> Array:
    """The differential of a function on TQ: components along dx and dv."""
    return slope(lambda z: function(z[:4], z[4:]), np.concatenate([p.q, p.v]))


def _theta(z: Array) -> Array:
    """θ_L as a covector on TQ."""
    return np.concatenate([affine.functions().push(z[:4], z[4:]), 0 * z[4:]])


def _dtheta(p: SimpleNamespace) -> Array:
    """(dθ)_ab = ∂_aθ_b − ∂_bθ_a."""
    jacobian = slope(_theta, np.concatenate([p.q, p.v]))
    return jacobian.T - jacobian


@section.confirmed("§3.3, the energy and its differential", (93, 94))
def differential() -> Evidence:
    """E = p_i v^i − L (printed v'), dE = v^i dp_i − ∂L/∂x^i dx^i."""
    f = affine.functions()

    def terms(p: SimpleNamespace) -> list[Any]:
        momenta = _on_tangents(f.push, p)
        return [_on_tangents(_energy, p), -p.v @ momenta, np.concatenate([p.pull, np.zeros(4)])]

    return identity(affine.states(), terms)


@section.confirmed("§3.3, θ_L = p_i dx^i", (95, 96, 97, 98, 99, 100))
def canonical() -> Evidence:
    """⟨θ_L, ξ⟩ = ⟨FL(π^T ξ), Tπ ξ⟩: no component along ∂/∂v, p_i along ∂/∂x^i."""
    f = affine.functions()

    def terms(p: SimpleNamespace) -> list[Any]:
        ways = [np.concatenate([0 * p.q, e]) for e in np.eye(4)] + [
            np.concatenate([e, 0.7 * e[::-1]]) for e in np.eye(4)
        ]
        # Tπ of a curve (x, v) is the rate of x; FL there by its definition
        values = towards(lambda v: f.L(p.q, v)[0], p.v, [w[:4] for w in ways], 0.3, 8)
        return [values, -np.concatenate([np.zeros(4), p.momentum])]

    return identity(affine.states(), terms)


@section.confirmed("§3.3, dθ_L = dp_i ∧ dx^i", 101)
def exterior() -> Evidence:
    """dθ_L, as the skew derivative of θ_L, is Σ dp_i ∧ dx^i (in either convention)."""
    f = affine.functions()

    def terms(p: SimpleNamespace) -> list[Any]:
        momenta, places = _on_tangents(f.push, p), np.eye(8)[:4]
        return [_dtheta(p), -momenta.T @ places, places.T @ momenta]

    return identity(affine.states(), terms)


def _pulled_field(p: SimpleNamespace) -> Array:
    whole = np.zeros((8, 8))
    whole[:4, :4] = p.field
    return whole


def _outside(p: SimpleNamespace, covector: Array) -> Array:
    """The part of a covector on TQ that is not in D⁰ = span π*B^j."""
    rows = np.hstack([p.rows, np.zeros((2, 4))])
    return covector - rows.T @ np.linalg.lstsq(rows.T, covector, rcond=None)[0]


def _intrinsic(p: SimpleNamespace, share: float) -> list[Array]:
    motion = np.concatenate([p.v, p.a])
    parts = [motion @ _dtheta(p), share * motion @ _pulled_field(p), _on_tangents(_energy, p)]
    return [_outside(p, part) for part in parts]


@section.conditional(
    "Definition 3.3.3, the intrinsic form",
    (88, "Definition 3.3.3"),
    reason=CONVENTIONS,
    harm=3,
    breaks="Half of the magnetic force, for a reader with the usual conventions and (π*M)(ξ, ζ) = M(Tπξ, Tπζ).",
    kind="convention",
)
def intrinsic() -> Evidence:
    """q̈ ⌟ (dθ_L + ½π*M) + dE ∈ D⁰ (⌟ printed ⊥)."""
    return identity(
        affine.states(),
        lambda p: _intrinsic(p, 0.5),
        lambda p: _intrinsic(p, 1.0),
        words="the part outside D⁰ along the multiplier witness: usual conventions, and Kobayashi and Nomizu's",
    )


@section.conditional(
    "§3.3, π*M in coordinates",
    103,
    reason="with (dx^i∧dx^j)(∂_i, ∂_j) = ½ and M_ij = M(∂_i, ∂_j); in the usual convention π*M = ½M_ij dx^i∧dx^j",
    harm=2,
    breaks="M twice too large, for a reader with the usual convention.",
    kind="convention",
)
def pulled() -> Evidence:
    """π*M = M_ij dx^i ∧ dx^j, summed over all i and j."""

    def form(p: SimpleNamespace, share: float) -> list[Any]:
        wedge = share * (np.einsum("ij,ia,jb->ab", p.field, np.eye(4), np.eye(4)) - p.field.T)
        return [p.field, -wedge]

    return identity(
        affine.states(), lambda p: form(p, 1.0), lambda p: form(p, 0.5), words="on pairs of coordinate fields"
    )


@section.confirmed("Proposition 3.3.1 and its proof", (104, 105, 106, 107, "Proposition 3.3.1"))
def consequence() -> Evidence:
    """The expression is {ṗ_i − ∂L/∂x^i − M_ij ẋ^j}dx^i + {v^i − ẋ^i}dp_i; along ∂/∂v^j it is (v^i − ẋ^i)∂p_i/∂v^j; for ẋ = v
    it lies in the span of the π*B^j."""
    f = affine.functions()
    places = np.eye(8)[:4]

    def expression(p: SimpleNamespace, motion: Array) -> list[Array]:
        momenta = _on_tangents(f.push, p)
        turning = 0.5 * np.einsum("ij,i,ja->a", p.field, motion[:4], places)
        turning = turning - 0.5 * np.einsum("ij,j,ia->a", p.field, motion[:4], places)
        return [momenta @ motion @ places, -motion[:4] @ momenta, turning, p.v @ momenta, -p.pull @ places]

    def terms(p: SimpleNamespace) -> list[Any]:
        # any curve in TQ, with ẋ ≠ v
        motion = np.concatenate([p.v + np.array([0.4, -0.2, 0.3, 0.5]), p.a + 0.3])
        momenta = _on_tangents(f.push, p)
        last = (momenta @ motion - p.pull - p.field @ motion[:4]) @ places
        return [*expression(p, motion), -last, -(p.v - motion[:4]) @ momenta]

    def upward(p: SimpleNamespace) -> list[Any]:
        motion = np.concatenate([p.v + np.array([0.4, -0.2, 0.3, 0.5]), p.a])
        return [np.sum(expression(p, motion), axis=0)[4:], -(p.v - motion[:4]) @ p.hessian]

    def true(p: SimpleNamespace) -> list[Any]:
        return [_outside(p, e) for e in expression(p, np.concatenate([p.v, p.a]))]

    found = [identity(affine.states(), form) for form in (terms, upward)]
    along = identity(affine.states(), true)
    return Evidence(
        worst(e.printed for e in (*found, along)),
        None,
        min(e.mutant or 0 for e in (*found, along)),
        "any curve in TQ; the motion by the multiplier witness",
    )


@section.misprint(
    "Proposition 3.3.1, proof, the last line",
    printed=r"\lambda_j\pi^*B^j = \lambda_j\pi^*(B^j_i dz^i) = \lambda_j B^j_j dx^i",
    right=r"\lambda_j\pi^*B^j = \lambda_j\pi^*(B^j_i dz^i) = \lambda_j B^j_i dx^i",
    harm=1,
    breaks="The index of the constraint form is that of the coordinate, i.",
    kind="slip",
)
def last_line() -> Evidence:
    """λ_jπ*B^j = λ_j B_i^j dx^i, printed B^j_j."""

    def printed(p: SimpleNamespace) -> list[Any]:
        return [p.force, -np.full(4, p.lambdas @ np.diag(p.rows[:, :2]))]

    return identity(affine.states(), printed, lambda p: [p.force, -p.lambdas[0] * p.rows[0], -p.lambdas[1] * p.rows[1]])


@section.confirmed(
    "§3.3, the π*B^j are a basis of D⁰", printed=r"\{\pi^*B^1, \ldots, \pi^*B^r\} \text{ is a local basis for } D^0"
)
def annihilators() -> Evidence:
    """D⁰, the annihilator of (Tπ)⁻¹(D), is spanned by the (B^j, 0)."""

    def distance(p: SimpleNamespace, rows: Array) -> float:
        inside = np.linalg.svd(p.rows)[2][2:]  # D
        ways = np.vstack([np.hstack([inside, np.zeros((2, 4))]), np.hstack([np.zeros((4, 4)), np.eye(4)])])
        exact = np.linalg.svd(ways)[2][len(ways) :]
        rest = rows - rows @ exact.T @ exact
        return float(np.max(np.abs(rest)) / np.max(np.abs(rows))) + float(len(exact) != len(rows))

    good = worst(distance(p, np.hstack([p.rows, np.zeros((2, 4))])) for p in affine.states())
    bad = min(distance(p, np.hstack([p.rows, p.rows])) for p in affine.states())
    return Evidence(
        good, None, bad, "against the null space of (Tπ)⁻¹(D) by singular values; the mutant has parts along dv"
    )


@section.conditional(
    "§3.6, the equations of a Hamiltonian system",
    124,
    reason=CONVENTIONS,
    harm=3,
    breaks="Half of the magnetic force, for a reader with the usual conventions.",
    kind="convention",
)
def hamiltonian() -> Evidence:
    """With D = TQ the motion is q̈ ⌟ (dθ_L + ½π*M) + dE = 0."""

    def free(p: SimpleNamespace, share: float) -> list[Any]:
        a = np.linalg.solve(p.hessian, p.pull + p.field @ p.v - p.mixed @ p.v)
        motion = np.concatenate([p.v, a])
        return [motion @ _dtheta(p), share * motion @ _pulled_field(p), _on_tangents(_energy, p)]

    return identity(
        affine.states(),
        lambda p: free(p, 0.5),
        lambda p: free(p, 1.0),
        words="Lagrange's equations without constraints",
    )


@section.confirmed("§3.6, ω = dθ_L + ½π*M is symplectic", printed=r"\omega = d\theta_L + \tfrac12\pi^*M")
def symplectic() -> Evidence:
    """For dM = 0 and FL a diffeomorphism ω is closed and not degenerate; for this M, which is not closed, it is not closed."""

    def curl(p: SimpleNamespace, closed: bool) -> float:
        def form(z: Array) -> Array:
            q = SimpleNamespace(q=z[:4], v=z[4:])
            field = affine.functions().field(p.q if closed else z[:4])
            whole = _dtheta(q)
            whole[:4, :4] += field
            return whole

        z = np.concatenate([p.q, p.v])
        grow = towards(form, z, np.eye(8), 0.05, 10)
        total = grow + np.einsum("abc->bca", grow) + np.einsum("abc->cab", grow)
        small = float(np.min(np.abs(np.linalg.eigvals(form(z)))))
        return float(np.max(np.abs(total)) / np.max(np.abs(grow))) if small > 1e-3 else 1.0

    return Evidence(
        worst(curl(p, True) for p in affine.states()),
        None,
        min(curl(p, False) for p in affine.states()),
        "dω by differences of Chebyshev, determinant; the mutant is M that is not closed",
    )
