"""Zenkov 2016, §5.2: discrete Hamel's equations, with Theorem 5.1, its proof and the variations' motivation."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import holds, identity
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector, along, romberg, slopes
from nonholo_papers.zenkov import _discrete as discrete
from nonholo_papers.zenkov import _numeric_frame as frame

section = Section("zenkov", "5.2 Discrete Hamel's equations")
section.rest("definition (l^a in the text is l^d)", 91)
section.rest("definition", 93, 94, 100, 106, 108)
section.rest("(5.7) with (5.4) put in; one closing bracket too many", 103)


def _sequences(**more: Any) -> list[SimpleNamespace]:
    return [discrete.sequence(seed, tau, **more) for seed, tau in ((1, 0.3), (2, 0.5), (3, 0.8))]


@section.confirmed("(5.3)", 92)
def action_sum() -> Evidence:
    """The action sum approximates the action integral (3.7): along a smooth curve its error has an expansion in h² for
    τ = ½, in h otherwise.
    """

    def summed(count: int, tau: float) -> tuple[float, float]:
        nodes = np.linspace(0, 1, count + 1)

        def place(t: Vector) -> Vector:
            return np.stack([np.sin(1.3 * t), 0.4 * t**2 - 0.3, 0.5 * np.cos(t)], axis=-1)

        q = place(nodes)
        middle = (1 - tau) * q[:-1] + tau * q[1:]
        xi = np.linalg.solve(frame.operator(middle), (count * (q[1:] - q[:-1]))[..., None])[..., 0]
        grid = frame.INTERVAL
        exact = grid.total(frame.lagrangian(place(grid.points), grid.d(place(grid.points))))
        return float(np.sum(frame.in_frame(middle, xi)) / count), float(exact)

    def terms(tau: float, order: int) -> list[float]:
        """The sums with 10, 20, … steps, extrapolated as a series in the power of h, and the integral."""
        found = [summed(count, tau) for count in (10, 20, 40, 80, 160, 320)]
        return [romberg([e for e, _ in found], order), -found[0][1]]

    return identity(
        [(0.5, 2), (0.2, 1)],
        lambda case: terms(*case),
        mutants=[lambda case: terms(0.2, 2)],
        words="sums with 10 to 320 steps, extrapolated in h² for τ = ½ and in h for τ = 0.2",
    )


@section.misprint(
    "before Theorem 5.1, ψ",
    95,
    right=r"\psi_{k+\tau} := \Psi_{q_{k+\tau}}^* D_1 l^d(q_{k+\tau}, \xi_{k,k+1})",
    harm=2,
    breaks="(5.6) uses ψ_{k+τ}; Ψ at the point q + τ, a place plus a number, is something else",
    kind="slip",
)
def pushes() -> Evidence:
    """The notation of the term with D₁l^d; as printed Ψ is taken at q + τ."""

    def printed(p: SimpleNamespace) -> list[float]:
        literal = np.einsum("nki,nk->ni", p.field(p.q[:-1] + p.tau), p.slopes)
        terms = discrete.hamel_terms(p)
        terms[1], terms[2] = p.tau * discrete.earlier(literal), (1 - p.tau) * discrete.later(literal)
        return [discrete.variation(p), *(-x for x in discrete.paired(p, terms))]

    def right(p: SimpleNamespace) -> list[float]:
        return [discrete.variation(p), *(-x for x in discrete.paired(p, discrete.hamel_terms(p)))]

    return identity(_sequences(), printed, right=right, words="(5.6) with both against δs^d")


@section.confirmed("(5.6), Theorem 5.1", (96, 97, "Theorem 5.1"))
def discrete_hamel() -> Evidence:
    """δs^d with the variations (5.7), (5.8) is Σ⟨(5.6), η_k⟩ over the inner nodes, so that both vanish together."""
    return identity(
        _sequences(),
        lambda p: [discrete.variation(p), *(-x for x in discrete.paired(p, discrete.hamel_terms(p)))],
        words="the action sum of a generic system in a generic frame, five intervals, τ = 0.3, 0.5, 0.8",
    )


def _induced(p: SimpleNamespace) -> tuple[Vector, Vector]:
    """δq_{k+τ} and δξ_{k,k+1} that variations δq_k = Ψ_{q_k} η_k of the nodes induce."""
    nodes = np.einsum("nki,ni->nk", p.field(p.q), p.eta)

    def velocity(q: Vector) -> Vector:
        middle = (1 - p.tau) * q[:-1] + p.tau * q[1:]
        return np.linalg.solve(p.field(middle), ((q[1:] - q[:-1]) / p.h)[..., None])[..., 0]

    return (1 - p.tau) * nodes[:-1] + p.tau * nodes[1:], along(velocity, (p.q,), (nodes,))


def _first_order(p: SimpleNamespace) -> list[Vector]:
    """Ψ δξ = δ(Δq/h) − (∂Ψ δq_{k+τ})ξ for the induced variations."""
    shift, change = _induced(p)
    nodes = np.einsum("nki,ni->nk", p.field(p.q), p.eta)
    middle = p.q[:-1] + p.tau * np.diff(p.q, axis=0)
    turned = np.einsum("nki,ni->nk", along(p.field, (middle,), (shift,)), p.xi)
    return [np.einsum("nki,ni->nk", p.field(middle), change), -np.diff(nodes, axis=0) / p.h, turned]


@section.confirmed("(5.7), (5.8), Remark 5.1", (98, 99, "Remark 5.1"))
def defined_variations() -> Evidence:
    """The variations of Theorem 5.1 are a definition: variations of the nodes do not induce them, unless Ψ does not vary."""

    def apart(p: SimpleNamespace) -> float:
        shift, change = _induced(p)
        return max(float(np.max(np.abs(shift - p.shift))), float(np.max(np.abs(change - p.change))))

    varying = [apart(p) for p in _sequences()]
    constant = [apart(p) for p in _sequences(field=frame.coordinate_operator)]
    induced = identity(_sequences(), _first_order)
    return holds(
        ("the induced variations are those of first order", induced.printed < 1e-9),
        (f"induced variations differ by {min(varying):.2g} or more in the generic frame", min(varying) > 1e-3),
        against=[("also for Ψ = 1", max(constant) > 1e-12)],
    )


@section.confirmed(
    "Theorem 5.1, proof, first two lines",
    "101a",
    printed=r"\delta s^d = \sum_{k=0}^{N-1} \langle D_1 l^d_{k+\tau}, \Psi\eta_{k+\tau}\rangle + "
    r"\langle D_2 l^d_{k+\tau}, (\eta_{k+1}-\eta_k)/h + [\xi_{k,k+1},\eta_{k+\tau}]\rangle",
)
def proof_begins() -> Evidence:
    """The variation of the action sum with (5.7) and (5.8) put in."""

    def terms(p: SimpleNamespace) -> list[float]:
        rate = (p.eta[1:] - p.eta[:-1]) / p.h
        return [
            discrete.variation(p),
            -float(np.sum(p.slopes * p.shift)),
            -float(np.sum(p.momenta * rate)),
            -float(np.sum(p.momenta * frame.bracket(p.c, p.xi, p.mixed))),
        ]

    return identity(_sequences(), terms)


def _third(p: SimpleNamespace, first: int) -> list[float]:
    """The third line of the proof, its second sum beginning at ``first``, with the brackets in the order of (5.6)."""
    pushes = np.sum((p.pushes + p.turns)[first:] * p.mixed[first:], axis=1)
    nodes = (discrete.earlier(p.momenta) - discrete.later(p.momenta)) / p.h
    return [discrete.variation(p), -float(np.sum(nodes * p.eta[1:-1])), -float(np.sum(pushes))]


@section.misprint(
    "Theorem 5.1, proof, third line: the sum",
    "101b",
    printed=r"\sum_{k=1}^{N-1} \langle \tfrac1h(\mu_{k-1,k} - \mu_{k,k+1}), \eta_k\rangle + "
    r"\langle \psi_{k+\tau} + [\cdot,\cdot]^*_{q_{k+\tau}}, (1-\tau)\eta_k + \tau\eta_{k+1}\rangle",
    right=r"\sum_{k=1}^{N-1} \langle \tfrac1h(\mu_{k-1,k} - \mu_{k,k+1}), \eta_k\rangle + "
    r"\sum_{k=0}^{N-1} \langle \psi_{k+\tau} + [\cdot,\cdot]^*_{q_{k+\tau}}, (1-\tau)\eta_k + \tau\eta_{k+1}\rangle",
    harm=1,
    breaks="the interval k = 0 contributes τη₁; without it the equation of the first node loses its terms with τ",
    kind="slip",
)
def lost_interval() -> Evidence:
    """After summation by parts the second sum still begins at k = 0."""
    return identity(_sequences(), lambda p: _third(p, 1), right=lambda p: _third(p, 0), words="both against δs^d")


@section.misprint(
    "Theorem 5.1, proof: the order in [·,·]*",
    "101c",
    printed=r"[\mu_{k,k+1}, \xi_{k,k+1}]^*_{q_{k+\tau}}",
    right=r"[\xi_{k,k+1}, \mu_{k,k+1}]^*_{q_{k+\tau}}",
    harm=1,
    breaks="the dual bracket takes a vector first and a covector second, §3.2 and (5.6); read as antisymmetric the sign flips",
    kind="slip",
)
def swapped() -> Evidence:
    """The dual bracket in the last two displays of the proof has its arguments exchanged."""

    def terms(p: SimpleNamespace, turns: Vector) -> list[float]:
        made = SimpleNamespace(**{**vars(p), "turns": turns})
        return [discrete.variation(p), *(-x for x in discrete.paired(p, discrete.hamel_terms(made)))]

    return identity(
        _sequences(),
        lambda p: terms(p, frame.dual(p.c, p.momenta, p.xi)),
        right=lambda p: terms(p, p.turns),
        words="the sum over the inner nodes with both orders against δs^d",
    )


@section.confirmed("(5.9)", 102)
def commuting() -> Evidence:
    """δ(Ψ_q ξ) = d/dt(Ψ_q η) in continuous time."""

    def terms(c: SimpleNamespace) -> list[Vector]:
        shifted = along(lambda tau: frame.INTERVAL.d(c.q + tau * c.shift), (np.array(0.0),), (np.array(1.0),))
        return [shifted, -frame.INTERVAL.d(np.einsum("tki,ti->tk", c.psi, c.eta))]

    return identity([frame.curve(k) for k in (1, 2)], terms)


def _turned(p: SimpleNamespace, way: Vector, frozen: Vector) -> Vector:
    """``(Ψ way)[Ψ frozen]`` at q_{k+τ}."""
    return np.einsum("nkil,nl,ni->nk", slopes(p.field, p.middle), np.einsum("nki,ni->nk", p.psi, way), frozen)


@section.confirmed("§5.2, δΨ", 104)
def operator_variation() -> Evidence:
    """δΨ_{q_{k+τ}} = (Ψη_{k+τ})[Ψ] at q_{k+τ}."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        change = along(lambda e: p.field(p.middle + e * p.shift), (np.array(0.0),), (np.array(1.0),))
        return [change, -np.einsum("nkil,nl->nki", slopes(p.field, p.middle), p.shift)]

    return identity(_sequences(), terms)


@section.misprint(
    "§5.2, δ(Ψξ)",
    105,
    right=r"\delta(\Psi_{q_{k+\tau}}\xi_{k,k+1}) = \Psi_{q_{k+\tau}}\delta\xi_{k,k+1} + "
    r"(\Psi\eta_{k+\tau}[\Psi\xi_{k,k+1}])_{k+\tau}",
    harm=1,
    breaks="ξ_{k+1} on the left is not defined; velocities belong to intervals, ξ_{k,k+1}",
    kind="slip",
)
def product_variation() -> Evidence:
    """The variation of Ψξ; on the left stands ξ_{k+1}, here read as the velocity of the next interval."""

    def terms(p: SimpleNamespace, xi: Vector, change: Vector) -> list[Vector]:
        def moved(e: Any) -> Vector:
            return np.einsum("nki,ni->nk", p.field(p.middle + e * p.shift), xi + e * change)

        left = along(moved, (np.array(0.0),), (np.array(1.0),))
        return [left[:-1], -np.einsum("nki,ni->nk", p.psi, p.change)[:-1], -_turned(p, p.mixed, p.xi)[:-1]]

    return identity(
        _sequences(),
        lambda p: terms(p, np.roll(p.xi, -1, axis=0), np.roll(p.change, -1, axis=0)),
        right=lambda p: terms(p, p.xi, p.change),
    )


@section.confirmed("§5.2, Δq/h", 107)
def uniform_rate() -> Evidence:
    """Along the straight segment Δq_k/h = (1/h) dq_{k+τ}/dτ."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        def place(tau: Any) -> Vector:
            return (1 - tau) * p.q[:-1] + tau * p.q[1:]

        return [(p.q[1:] - p.q[:-1]) / p.h, -along(place, (np.array(p.tau),), (np.array(1.0),)) / p.h]

    return identity(_sequences(), terms)


@section.confirmed("§5.2, the discrete analogue of d/dt(Ψη)", (109, 110, 111))
def time_derivative() -> Evidence:
    """(1/h)d/dτ(Ψη_{k+τ}) = Ψ(η_{k+1} − η_k)/h + (Ψξ[Ψη]) at q_{k+τ}, with ξ from the kinematic equation."""

    def terms(p: SimpleNamespace) -> list[Vector]:
        def moved(tau: Any) -> Vector:
            place = (1 - tau) * p.q[:-1] + tau * p.q[1:]
            return np.einsum("nki,ni->nk", p.field(place), (1 - tau) * p.eta[:-1] + tau * p.eta[1:])

        rate = np.einsum("nki,ni->nk", p.psi, (p.eta[1:] - p.eta[:-1]) / p.h)
        return [along(moved, (np.array(p.tau),), (np.array(1.0),)) / p.h, -rate, -_turned(p, p.xi, p.mixed)]

    return identity(_sequences(), terms)


@section.misprint(
    "§5.2, the discrete analogue of (5.9)",
    112,
    right=r"\Psi_{q_{k+\tau}}\delta\xi_{k,k+1} = \Psi_{q_{k+\tau}}\frac{\eta_{k+1} - \eta_k}{h} + "
    r"[\Psi\xi_{k,k+1},\Psi\eta_{k+\tau}](q_{k+\tau})",
    harm=1,
    breaks="[·,·]_q is the bracket on W, (3.2); here the Jacobi–Lie bracket of the fields Ψξ, Ψη at q is meant",
    kind="slip",
)
def discrete_commuting() -> Evidence:
    """What makes both analogues equal, and gives (5.8); as printed the bracket is that of W, applied to tangent vectors."""

    def parts(p: SimpleNamespace) -> list[Vector]:
        rate = np.einsum("nki,ni->nk", p.psi, (p.eta[1:] - p.eta[:-1]) / p.h)
        return [np.einsum("nki,ni->nk", p.psi, p.change), -rate]

    def printed(p: SimpleNamespace) -> list[Vector]:
        one, two = (np.einsum("nki,ni->nk", p.psi, e) for e in (p.xi, p.mixed))
        return [*parts(p), -frame.bracket(p.c, one, two)]

    def right(p: SimpleNamespace) -> list[Vector]:
        return [*parts(p), -_turned(p, p.xi, p.mixed), _turned(p, p.mixed, p.xi)]

    return identity(
        _sequences(), printed, right=right, words="fields from derivatives of Ψ, (5.8) from the Hamel coefficients"
    )
