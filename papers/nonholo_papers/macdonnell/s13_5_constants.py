"""§§13.5, 13.6: the adjoint equation of the Chaplygin sphere, its reduced system, and its constants."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import holds, identity, share, slope, vanish
from nonholo_papers.macdonnell import _sphere as sphere
from nonholo_papers.macdonnell._fields import along
from nonholo_papers.macdonnell._sphere import across, gamma, inner, omega, place, velocity, with_gamma
from nonholo_papers.macdonnell._together import corrected, equal
from nonholo_papers.macdonnell._turning import LEVEL, UP, pack
from nonholo_papers.section import Section
from nonholo_papers.so3 import AXES, hat, matrix, turn

Array = Any
BALL = ("chaplygin-sphere",)
WITNESS = "along the multiplier form"
section = Section("macdonnell", "13.5 Chaplygin sphere: adjoint equation and constants")
section.rest("notation: the flow, given in the words after it (the bars are lost in the text)", 830, 835)
section.rest("restatement of (13.1)", 832)


def _length(q: Array, s: Any) -> Any:
    """K(γ, γ)."""
    return inner(s, q, gamma(q), gamma(q))


def _slope(function: Any, s: Any, way: Array) -> float:
    """The derivative of a function of (q, s) at the place of a state."""
    return float(along(lambda p: np.array([function(p, s)]), place(s), way)[0])


def _share(s: Any) -> Any:
    """Ω₁, the part of the motion along γ."""
    up = matrix(s).T @ UP
    return up @ sphere.inertia(s) @ omega(s) / (up @ sphere.inertia(s) @ up)


@section.confirmed("Proposition 13.5.1", (824, 825, 826, 828, "Proposition 13.5.1"), exhibits=BALL)
def adjoint() -> Evidence:
    """K([γ, κ_j], γ) = 0, so (7.11) is κ_j{K(γ, γ)Ω₁} = 0 and Ω₁ = C/K(γ, γ); along the motion K(γ, γ)Ω₁ is constant (Λ
    in the text is K).
    """
    gone, changes = [], []
    for s in sphere.states():
        q = place(s)
        for k in range(3):
            way = across(k, s)(q)
            gone.append(abs(inner(s, q, with_gamma(s, q, across(k, s)), gamma(q))))
            changes.append(abs(_slope(_length, s, way)))
    changed = max(changes)

    def momentum(z: Any) -> Any:
        up = matrix(z).T @ UP
        return up @ sphere.inertia(z) @ up * _share(z)

    still = vanish(sphere.states(), lambda s: s.dot(momentum)).printed
    alone = max(abs(float(s.dot(_share))) for s in sphere.states())
    return Evidence(max(*gone, still), None, min(changed, alone), f"brackets by complex steps, Ω₁ {WITNESS}")


@section.refuted(
    "§13.5, the reduced system on S² is Hamiltonian",
    reason="Corollary 8.4.1 misses K([κ_i, κ_j]_N, κ_k)v^j v^k, which does not vanish for two shape variables. The reduced "
    "motion is Hamiltonian after dτ = N dt, N = (1 − mr² n·(J + mr²)⁻¹n)^(−1/2), n = Wᵀe3.",
    printed=r"\text{the reduced system on } S^2 \text{ is Hamiltonian}",
    right=r"\text{the reduced system on } S^2 \text{ is Hamiltonian in the time } d\tau = N\,dt, "
    r"\ N = (1 - mr^2\,n\cdot(J + mr^2)^{-1}n)^{-1/2}, \ n = W^T\epsilon_3",
    harm=4,
    breaks="Integrals, measures and integrators that need a Hamiltonian system do not apply in the time t.",
    exhibits=BALL,
    kind="error",
)
def hamiltonian() -> Evidence:
    """The gyroscopic force on S² would be a function of place and C alone; at one place it varies with the velocity, in
    t, not in τ.
    """
    from nonholo import gallery
    from nonholo_papers.facts._chaplygin_time import gyroscopic

    exhibit = gallery.get("chaplygin-sphere")
    spreads = []
    for power in (0.0, -0.5):
        found, work = gyroscopic(exhibit, power)
        spreads.append(max(share(np.ptp(found), found), work))
    return Evidence(spreads[0], spreads[1], None, "four velocities at one place of S² with one C; right: in the time τ")


@section.confirmed("§13.5, S² is the surface of the sphere", exhibits=BALL)
def surface() -> Evidence:
    """Wᵀe3 labels the orbits: it is invariant and has rank 2; the point that touches is y = −rWᵀe3 in the body, x + Wy =
    x − re3.
    """

    def moved(s: Any) -> Array:
        return (turn(3, 0.8) @ matrix(s)).T @ UP

    ranks = all(
        np.linalg.matrix_rank(slope(lambda w, s=s: (matrix(s) @ (np.eye(3) + hat(w))).T @ UP, np.zeros(3)), 1e-9) == 2
        for s in sphere.states()
    )
    found = equal(
        sphere.states(),
        lambda s: [moved(s), matrix(s).T @ UP],
        lambda s: [place(s)[9:] + matrix(s) @ (-s.r * matrix(s).T @ UP), place(s)[9:] - s.r * UP],
    )
    spatial = min(float(np.max(np.abs(turn(3, 0.8) @ matrix(s) @ UP - matrix(s) @ UP))) for s in sphere.states())
    return Evidence(
        max(found.printed, float(not ranks)), None, min(found.mutant or 0, spatial), "the mutant is We3 for Wᵀe3"
    )


@section.confirmed("§13.6, C", (829, 831, 833), exhibits=BALL)
def vertical() -> Evidence:
    """C = K(γ, γ)Ω₁ = K(τ, γ) = e3·WJω is constant; the flow of γ is W → R₃(s)W, x → x, under which ω and ẋ do not change."""

    def chain(s: Any) -> list[Any]:
        q = place(s)
        tangent = pack(s.dot(matrix), velocity(s))
        rest = tangent - _share(s) * gamma(q)
        parts = np.linalg.lstsq(np.array([across(k, s)(q) for k in range(3)]).T, rest, rcond=None)[0]
        whole = _share(s) * gamma(q) + sum(p * across(k, s)(q) for k, p in enumerate(parts))
        up = matrix(s).T @ UP
        return [
            UP @ (matrix(s) @ sphere.inertia(s) @ omega(s)),
            up @ sphere.inertia(s) @ omega(s),
            inner(s, q, gamma(q), whole),
            _length(q, s) * _share(s),
            inner(s, q, tangent, gamma(q)),
        ]

    def spin(s: Any) -> list[Any]:
        turned = turn(3, 0.6) @ matrix(s)
        moved = turned.T @ s.dot(lambda z: turn(3, 0.6) @ matrix(z))
        return [np.array([moved[2, 1], moved[0, 2], moved[1, 0]]), omega(s)]

    def flow(s: Any) -> list[Any]:
        turned = slope(lambda t: turn(3, t[0]) @ matrix(s), np.zeros(1))[..., 0]
        return [turned, gamma(place(s))[:9].reshape(3, 3)]

    found = equal(sphere.states(), chain, spin, flow)
    still = max(abs(float(s.dot(lambda z: UP @ matrix(z) @ sphere.inertia(z) @ omega(z)))) for s in sphere.states())
    other = max(
        abs(float(s.dot(lambda z: AXES[0] @ matrix(z) @ sphere.inertia(z) @ omega(z)))) for s in sphere.states()
    )
    return Evidence(
        max(found.printed, still), None, min(found.mutant or 0, other), f"C {WITNESS}; the mutant is e1·WJω"
    )


@section.misprint(
    "§13.6, the flow of σ",
    836,
    right=r"\overline{x} = x + srA(\epsilon_i)\epsilon_3, \quad T\sigma_s(\omega, \dot{x}) = (\omega, \dot{x})",
    harm=2,
    breaks="R is a rotation (§2.5): the printed flow turns x about the origin, the right one shifts it.",
    exhibits=BALL,
    kind="error",
    because=(
        "σ moves x with the constant velocity rA(e_i)e₃, so x̄ = x + s rA(e_i)e₃; the rotation R(srA(e_i)e₃) "
        "would move it with rA(e_i)e₃ × x."
    ),
)
def flow() -> Evidence:
    """σ = (Wᵀe_i, rA(e_i)e3) moves x with a constant velocity, so its flow shifts x and keeps ẋ; printed as the rotation
    R(srA(e_i)e3).
    """

    def rotation(y: Array) -> Array:
        """R(y) of §2.5, the turn about y by |y|, to second order and with complex steps."""
        return np.eye(3) + hat(y) + hat(y) @ hat(y) / 2

    def velocity_of(s: Any, k: int, printed: bool) -> Array:
        x, arm = place(s)[9:], s.r * hat(AXES[k]) @ UP
        return slope(lambda t: rotation(t[0] * arm) @ x if printed else x + t[0] * arm, np.zeros(1))[..., 0]

    def terms(s: Any, printed: bool) -> list[Any]:
        return [
            np.array([velocity_of(s, k, printed) for k in (0, 1)]),
            -np.array([s.r * hat(AXES[k]) @ UP for k in (0, 1)]),
        ]

    return identity(
        sphere.states(),
        lambda s: terms(s, True),
        lambda s: terms(s, False),
        words="the flow differentiated at s = 0 against σ",
    )


def _momenta(s: Any) -> Array:
    """e_i·{WJω + mA(re3)ẋ}."""
    return matrix(s) @ sphere.inertia(s) @ omega(s) + s.m * hat(s.r * UP) @ velocity(s)


@section.confirmed("§13.6, σ and the constants C_i", (834, 837), exhibits=BALL)
def three() -> Evidence:
    """σ = (Wᵀe_i, rA(e_i)e3) lies in D, and C_i = K(τ, σ) = ωᵀJWᵀe_i + mẋᵀrA(e_i)e3 = e_i·{WJω + mA(re3)ẋ} is constant."""

    def chain(s: Any) -> list[Any]:
        tangent = pack(s.dot(matrix), velocity(s))
        fields = [pack(hat(e) @ matrix(s), s.r * hat(e) @ UP) for e in AXES]
        return [
            np.array([inner(s, place(s), tangent, f) for f in fields]),
            np.array(
                [omega(s) @ sphere.inertia(s) @ matrix(s).T @ e + s.m * velocity(s) @ (s.r * hat(e) @ UP) for e in AXES]
            ),
            _momenta(s),
        ]

    inside = max(float(np.max(np.abs(s.r * hat(e) @ UP + s.r * LEVEL @ e))) for s in sphere.states() for e in AXES)
    found = equal(sphere.states(), chain)
    still = max(float(np.max(np.abs(s.dot(_momenta)))) for s in sphere.states())
    bare = max(
        float(np.max(np.abs(s.dot(lambda z: matrix(z) @ sphere.inertia(z) @ omega(z))))) for s in sphere.states()
    )
    return Evidence(
        max(found.printed, still, inside), None, min(found.mutant or 0, bare), f"C_i {WITNESS}; the mutant is WJω"
    )


def _moved(s: Any) -> SimpleNamespace:
    about = turn(3, 0.8)
    return SimpleNamespace(
        C=about @ matrix(s) @ sphere.inertia(s) @ omega(s) + s.m * hat(s.r * UP) @ about @ velocity(s), about=about
    )


@section.misprint(
    "§13.6, C̄_i",
    838,
    right=r"\overline{C}_i = \epsilon_i^T\{\overline{W}J\overline{\omega} + mA(r\epsilon_3)\dot{\overline{x}}\} = \epsilon_i^T "
    r"R_3(\phi)\{WJ\omega + mA(r\epsilon_3)\dot{x}\}",
    harm=1,
    breaks="The dots over x are lost in the text.",
    exhibits=BALL,
    kind="reading",
)
def turned() -> Evidence:
    """C̄ = R₃(φ){WJω + mA(re3)ẋ}, printed with x̄ for ẋ."""

    def printed(s: Any) -> list[Any]:
        x = place(s)[9:]
        return [_moved(s).C, -_moved(s).about @ (matrix(s) @ sphere.inertia(s) @ omega(s) + s.m * hat(s.r * UP) @ x)]

    return corrected(
        sphere.states(),
        (printed, lambda s: [_moved(s).C, -_moved(s).about @ _momenta(s)]),
        words="a generic turn about e3",
    )


@section.confirmed("§13.6, ΣC_i²", 839, exhibits=BALL)
def squares() -> Evidence:
    """ΣC̄_i² = ΣC_i² = |WJω + mA(re3)ẋ|²: invariant, quadratic and constant, as the energy is; C̄_i = C_i for i = 3 only."""

    def energy(z: Any) -> Any:
        return omega(z) @ sphere.inertia(z) @ omega(z) / 2 + z.m * velocity(z) @ velocity(z) / 2

    found = equal(sphere.states(), lambda s: [_moved(s).C @ _moved(s).C, _momenta(s) @ _momenta(s)])
    rates = [abs(float(s.dot(q))) for s in sphere.states() for q in (energy, lambda z: _momenta(z) @ _momenta(z))]
    third = max(abs(float(_moved(s).C[2] - _momenta(s)[2])) for s in sphere.states())
    others = min(float(np.max(np.abs(_moved(s).C[:2] - _momenta(s)[:2]))) for s in sphere.states())
    return Evidence(
        max(found.printed, third, *rates), None, min(found.mutant or 0, others), f"a generic turn; rates {WITNESS}"
    )


@section.confirmed("§13.6, C_i is not the momentum about a fixed point", exhibits=BALL)
def contact() -> Evidence:
    """C is the angular momentum about the point of contact, which moves; about the fixed origin P = mA(x)ẋ + WJω is not
    constant.
    """

    def about_origin(z: Any) -> Array:
        return z.m * hat(np.array([z.x, z.y, z.r])) @ velocity(z) + matrix(z) @ sphere.inertia(z) @ omega(z)

    change = max(float(np.max(np.abs(s.dot(about_origin)))) for s in sphere.states())
    still = max(float(np.max(np.abs(s.dot(_momenta)))) for s in sphere.states())
    return holds(("C is constant", still < 1e-12), against=[("P is constant", change < 1e-3)])
