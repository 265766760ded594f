"""§3: nonholonomic systems, on four coordinates with two constraints that depend on all of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.bmz._constrained import D, U, places
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, slope
from nonholo_papers.section import Section

section = Section("bmz", "3 Nonholonomic systems")
section.rest("definition", 47, 48, 50, 53, 57, 62)
section.rest("principle, from which the motion is defined; its consequence is (3.4)", 46, "Definition 3.1")
WORDS = "four coordinates, two constraints, generic metric and frame; rates and multipliers by the witness"


@section.confirmed("§3.1, equations with multipliers", 49, exhibits=("chaplygin-sleigh",))
def multipliers() -> Evidence:
    """d/dt ∂L/∂q̇ = ∂L/∂q + λ_s A^s with A q̇ = 0: the accelerations are those of `hamel`, which knows no multipliers."""
    from nonholo.derive.hamel import hamel
    from nonholo_papers.bmz._constrained import _metric, _potential, _system

    equations = hamel(_system())

    def terms(t: Any) -> list[Any]:
        s = t.state
        names = ("q1", "q2", "q3", "q4")
        full = {n: getattr(s, n) for n in (*names, *(f"{n}dot" for n in names))}
        acceleration = np.array([equations.rates(full, {})[f"{n}dot"] for n in names])
        rate = np.array([full[f"{n}dot"] for n in names])
        slopes = slope(_metric, t.q)
        inertia = _metric(t.q) @ acceleration + np.einsum("ijk,j,k->i", slopes, rate, rate)
        force = np.einsum("jki,j,k->i", slopes, rate, rate) / 2 - slope(_potential, t.q)[0, 0]
        reaction = t.multipliers @ t.A
        return [
            np.append(inertia, 0),
            -np.append(force, 0),
            -np.append(reaction, 0),
            np.append(0 * rate, t.A[0] @ rate),
        ]

    # the last term is the constraint itself and vanishes, so mutants are made of the equations alone
    return identity(places(), lambda t: [e[:4] for e in terms(t)[:3]], words=WORDS)


@section.confirmed("(3.2)", 51)
def decomposition() -> Evidence:
    """q̇ = ⟨u, v^D⟩ + ⟨u, v^U⟩ uniquely, and the first part satisfies the constraints."""
    random = np.random.default_rng(1)
    rate = random.uniform(-1, 1, 4)

    def terms(t: Any) -> list[Any]:
        v = np.linalg.solve(t.psi.T, rate)
        return [
            np.append(rate, t.A @ rate),
            -np.append(v[D] @ t.psi[D], 0 * t.A @ rate),
            -np.append(v[U] @ t.psi[U], t.A @ (v[U] @ t.psi[U])),
        ]

    return identity(places(), terms)


@section.confirmed("§3.2, covectors in the dual frame", 52)
def covectors() -> Evidence:
    """a = ⟨a_D, u*⟩ + ⟨a_U, u*⟩ with a_i = ⟨a, u_i⟩."""
    covector = np.random.default_rng(2).uniform(-1, 1, 4)

    def terms(t: Any) -> list[Any]:
        dual = np.linalg.inv(t.psi)  # columns: the dual frame
        along = t.psi @ covector
        return [covector, -dual[:, D] @ along[D], -dual[:, U] @ along[U]]

    return identity(places(), terms)


@section.refuted(
    "(3.3)",
    54,
    right=r"w^{\mathcal{U}} = 0",
    reason="v^U = 0 on the curve and the variation in D (w^U = 0) do not give δv^U = 0: δv = ẇ + [v, w]_q has a U component "
    "wherever D is not integrable. (3.4) is right all the same, from w^U = 0.",
    harm=2,
    breaks="With δv^U = 0 one derives the equations of the constrained Lagrangian (vakonomic-like), not those of mechanics.",
    exhibits=("chaplygin-sleigh",),
    kind="error",
)
def varied_velocity() -> Evidence:
    """The constraints imply δv^U = 0."""

    def terms(t: Any) -> list[Any]:
        w = np.array([0.7, -0.4, 0, 0])
        bracket = np.einsum("ijm,i,j->m", t.c, t.v, w)
        return [bracket[U]]

    # the true δv^U of a curve whose variation is in D: ẇ^U = 0, so [v, w]^U alone
    found = max(float(np.max(np.abs(terms(t)[0]))) for t in places())
    return Evidence(found, words="[v, w]^U for v and w in D at generic points, where it should vanish")


@section.confirmed("Theorem 3.2, (3.4)", (55, "Theorem 3.2"))
def constrained_hamel() -> Evidence:
    """(d/dt ∂l/∂v − [v^D, ∂l/∂v]* − u[l])_D = 0: all p_m enter, taken before v^U = 0."""

    def truncated(t: Any) -> list[Any]:
        inside = np.einsum("ijm,i,m->j", t.c[:, :, D], t.v, t.p[D])
        return [t.rate[D], -inside[D], -t.push[D]]

    return identity(places(), lambda t: [t.rate[D], -t.star[D], -t.push[D]], mutants=[truncated], words=WORDS)


@section.confirmed("§3.2, (3.4) in coordinates", 56)
def in_coordinates() -> Evidence:
    """d/dt ∂l/∂v^i = c_ji^m ∂l/∂v^m v^j + u_i[l] for i, j ≤ n − p, m ≤ n; and q̇ = v^i u_i."""

    def terms(t: Any, order: str = "jim,j,m->i") -> list[Any]:
        s = t.state
        rate = np.array([s.q1dot, s.q2dot, s.q3dot, s.q4dot])
        twice = np.einsum(order, t.c[D, D], t.v[D], t.p)
        zero = np.zeros(4)
        return [
            np.concatenate([t.rate[D], zero]),
            -np.concatenate([twice, zero]),
            -np.concatenate([t.push[D], zero]),
            np.concatenate([np.zeros(2), rate]),
            -np.concatenate([np.zeros(2), t.v[D] @ t.psi[D]]),
        ]

    return identity(places(), terms, mutants=[lambda t: terms(t, "ijm,j,m->i")], words=WORDS)


@section.confirmed("§3.1, variation before the constraints")
def order_matters() -> Evidence:
    """Imposing the constraints before the variation gives other equations: those of l_c alone are not the motion."""

    def early(t: Any) -> list[Any]:
        """The Hamel equations of l_c within D."""
        inside = np.einsum("ijm,i,m->j", t.c[:, :, D], t.v, t.p[D])
        return [t.rate[D], -inside[D], -t.push[D]]

    return identity(
        places(), lambda t: [t.rate[D], -t.star[D], -t.push[D]], mutants=[early], words="l_c alone misses the motion"
    )


@section.confirmed("(3.5)", 58)
def pairing() -> Evidence:
    """⟨A, δq⟩ = ⟨a, w⟩ with δq = w^i u_i: a^s_i = A^s_j ψ_i^j."""
    w = np.array([0.7, -0.4, 1.1, 0.3])
    return identity(places(), lambda t: [t.A @ (w @ t.psi), -t.a @ w])


def _base(t: Any) -> Any:
    return np.array([0.3 + 0.5 * t, -0.2 + np.sin(t), 0.4 - t**2 / 3, 0.1 + t / 4])


def _curve(t: Any, amount: Any) -> Any:
    """Curves whose variation at 0 lies in D: q(t) + s w^i u_i(q(t)) with w in D, through a generic curve that obeys
    nothing.
    """
    from nonholo_papers.bmz._constrained import frame

    base = _base(t)
    w = np.array([np.sin(np.pi * t) * (1 + t), np.sin(np.pi * t) * (0.5 - t), 0 * t, 0 * t])
    return base + amount * (w @ frame(base))


@section.confirmed("§3.3, constrained variations of v", 59)
def constrained_variations() -> Evidence:
    """δv = ẇ + [v, w]_q with ⟨a, w⟩ = 0, for a family of curves whose variation lies in D."""
    from nonholo_papers.bmz._constrained import _rows, frame

    step = 1e-30

    def velocity_of(t: float, amount: complex) -> Any:
        # a central difference in t of the curve's analytic form, eighth order, in complex amount
        h = 1e-2
        weights = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
        rate = sum(c * (_curve(t + k * h, amount) - _curve(t - k * h, amount)) for k, c in weights.items()) / h
        return np.linalg.solve(frame(_curve(t, amount)).T, rate)

    def terms(t: float) -> list[Any]:
        q = np.real(_curve(t, 0.0))
        vary = np.imag(velocity_of(t, 1j * step)) / step
        v = np.real(velocity_of(t, 0.0))
        w = np.array([np.sin(np.pi * t) * (1 + t), np.sin(np.pi * t) * (0.5 - t), 0, 0])
        turn = np.pi * np.cos(np.pi * t)
        wdot = np.array([turn * (1 + t) + np.sin(np.pi * t), turn * (0.5 - t) - np.sin(np.pi * t), 0, 0])
        slopes = slope(frame, q)
        fields = np.einsum("ij,lkj->ilk", frame(q), slopes)
        c = np.einsum("ilk,km->ilm", fields - np.einsum("ilk->lik", fields), np.linalg.inv(frame(q)))
        assert np.max(np.abs(_rows(q) @ (w @ frame(q)))) < 1e-14
        return [vary, -wdot, -np.einsum("ijm,i,j->m", c, v, w)]

    return identity(
        [0.2, 0.55, 0.83], terms, words="a family of curves, differentiated by complex and eighth-order steps"
    )


@section.confirmed("§3.3, δ∫l dt with multipliers", 60)
def action_with_multipliers() -> Evidence:
    """On variations in D the term λ_s a^s w adds nothing, whatever λ is, and the rest is the functional derivative."""

    def terms(t: Any) -> list[Any]:
        w = np.array([0.7, -0.4, 0, 0])
        # along the motion the functional derivative paired with w in D vanishes
        return [w @ t.push, w @ t.star, -w @ t.rate]

    zero = max(float(np.max(np.abs(t.a @ np.array([0.7, -0.4, 0, 0])))) for t in places())
    found = identity(places(), terms, words=WORDS)
    return Evidence(max(found.printed, zero), None, found.mutant, found.words)


@section.confirmed("(3.6)", 61)
def hamel_with_multipliers() -> Evidence:
    """d/dt ∂l/∂v − [v^D, ∂l/∂v]* − u[l] = λ_s a^s, with the λ of the multiplier form in plain coordinates."""
    return identity(places(), lambda t: [t.rate, -t.star, -t.push, -t.multipliers @ t.a], words=WORDS)


@section.confirmed("§3.3, constraints in the momentum representation", 63)
def momentum_constraints() -> Evidence:
    """⟨a, G⁻¹μ⟩ = ⟨μ, b⟩ with b = G⁻¹a, for any μ; both vanish on admissible states."""
    mu = np.array([0.3, -0.8, 0.6, 1.1])
    zero = max(float(np.max(np.abs(t.b @ t.p))) for t in places())
    found = identity(places(), lambda t: [t.a @ np.linalg.solve(t.G, mu), -t.b @ mu])
    return Evidence(max(found.printed, zero), None, found.mutant, found.words)


@section.confirmed("(3.7)", 64)
def momentum_rate() -> Evidence:
    """μ̇ = [v^D, μ]* + u[l] + λ_s a^s."""
    return identity(places(), lambda t: [t.rate, -t.star, -t.push, -t.multipliers @ t.a], words=WORDS)


@section.confirmed("§3.3, the derivative of ⟨μ, b⟩ = 0", 65)
def derivative_of_the_constraint() -> Evidence:
    """⟨μ, ḃ⟩ + ⟨[v, μ]* + u[l], b⟩ + λ⟨a, b⟩ = 0."""
    return identity(
        places(),
        lambda t: [t.brate @ t.p, t.b @ t.star, t.b @ t.push, t.multipliers @ t.a @ t.b.T],
        words=WORDS,
    )


@section.confirmed("(3.8)", 66)
def multiplier_formula() -> Evidence:
    """λ = −(⟨μ, ḃ⟩ + ⟨[v, μ]* + u[l], b⟩)·⟨a, b⟩⁻¹ is the multiplier of the plain coordinates."""

    def terms(t: Any) -> list[Any]:
        inverse = np.linalg.inv(t.a @ t.b.T)
        return [t.multipliers, (t.brate @ t.p) @ inverse, (t.b @ t.star) @ inverse, (t.b @ t.push) @ inverse]

    return identity(places(), terms, words=WORDS)


@section.confirmed("§3.3, (3.6) and (3.4) are equivalent")
def equivalence() -> Evidence:
    """Where the fields span D, a_i = 0 along them, so that (3.6) within D is (3.4)."""
    zero = max(float(np.max(np.abs(t.a[:, D]))) for t in places())
    other = min(float(np.min(np.abs(np.linalg.det(t.a[:, U])))) for t in places())
    return Evidence(zero, mutant=other, words="a^s vanishes on the fields of D and not across")
