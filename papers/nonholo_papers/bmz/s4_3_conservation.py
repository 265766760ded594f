"""§4.3: conserved momenta in a frame that depends on the shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.bmz._se2_bundle import S
from nonholo_papers.bmz.s4_1_reduced import _along, _tau, places
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, identity, moving, vanish
from nonholo_papers.section import Section

section = Section("bmz", "4.3 Momentum conservation relative to the body frame")
section.rest("a constrained Lagrangian system, given", 104, 105)


@section.refuted(
    "Theorem 4.4 (i), Corollary 4.5: τ exact",
    "Theorem 4.4",
    printed="the form τ is exact",
    right=r"d\tau + \tau\wedge\tau = 0, \text{ in the order of (4.12): the connection is flat}",
    reason="Exactness is enough only for one momentum or where the τ_α commute; for one shape variable the "
    "condition is empty.",
    harm=3,
    breaks="Conservation laws are claimed that do not exist (and, for flat forms that are not exact, missed).",
    exhibits=("rolling-disk", "gauge-momentum"),
    kind="error",
)
def exactness() -> Evidence:
    """An exact τ ensures fields η with dη = −⟨τ, η⟩."""
    from scipy.linalg import expm

    x, y = np.array([[0.3, 1.1], [0.4, -0.2]]), np.array([[0.5, -0.7], [0.9, 0.1]])
    r1, r2 = 0.4, -0.3
    # τ = X dr1 + Y dr2 with constant matrices is exact; η is carried along two sides of a rectangle, in both orders
    printed = float(np.max(np.abs(expm(-r2 * y) @ expm(-r1 * x) - expm(-r1 * x) @ expm(-r2 * y))))
    # τ = h⁻¹ dh with h = exp(r1 X) exp(r2 Y) is flat and not closed: τ_1 = exp(−r2 Y) X exp(r2 Y), τ_2 = Y
    turned = expm(-r2 * y) @ x @ expm(r2 * y)
    flat = float(np.max(np.abs(expm(-r2 * y) @ expm(-r1 * x) - expm(-r1 * turned) @ expm(-r2 * y))))
    return Evidence(
        printed,
        flat,
        None,
        "η carried along two paths: an exact τ of constant matrices, and a flat one that is not exact",
    )


def _derivative(t: Any, push: Any, eta: Any, tau: Any) -> list[Any]:
    """The terms of d/dt⟨p, η⟩ for a constant η."""
    quadratic = np.einsum("cab,c,a->b", t.E, t.carried, t.rdot)[S]
    return [t.pdot @ eta, -_along(t, push) @ eta, -tau @ eta, -quadratic @ eta]


@section.misprint(
    "Theorem 4.4 (ii) and its proof, Corollary 4.5",
    (99, 100),
    right=r"\left\langle [\text{ad}_{\mathcal{I}_S^{-1}p}^* (p + \mathcal{I}_{\mathcal{U}S}\mathcal{I}_S^{-1}p) + \langle "
    r"\mathbf{i}_{\dot r} \Lambda, \mathbf{i}_{\dot r} \mathcal{E} \rangle]_S, \eta(r) \right\rangle = 0",
    harm=4,
    breaks="By the printed condition the body momentum of the unbalanced sleigh would be conserved.",
    exhibits=("chaplygin-sleigh",),
    kind="error",
    because=(
        "It follows from (4.7). For the sleigh the printed condition holds for every constant η, and yet p₁ "
        "and p₂ change by (6.1)."
    ),
)
def second_condition() -> Evidence:
    """The rate of ⟨p, η⟩ contains ad*_{ℐ_S⁻¹p} p (the inverse printed T_S⁻¹), without ℐ_US ℐ_S⁻¹ p."""
    eta = np.array([0.8, -0.6])
    return identity(
        places(),
        lambda t: _derivative(t, np.concatenate([t.p, [0.0]]), eta, _tau(t)),
        lambda t: _derivative(t, t.full, eta, _tau(t)),
        words="d/dt⟨p, η⟩ with constant η on R² × SE(2)",
    )


def b(s: Any) -> Any:
    """The exhibit's b(r)."""
    return s.b0 + s.b1 * np.sin(s.r)


def slope(s: Any) -> Any:
    """b′(r)."""
    return s.b1 * np.cos(s.r)


def _gauge() -> list[Any]:
    return moving("gauge-momentum")


@section.confirmed("Theorem 4.4, proof: ⟨p, ⟨i_ṙ τ, η⟩ + η̇⟩; (4.12)", (101, 102), exhibits=("gauge-momentum",))
def parallel_fields() -> Evidence:
    """d/dt⟨p, η⟩ = ⟨p, ⟨i_ṙ τ, η⟩ + η̇⟩, for any η(r), and dη = −⟨τ, η⟩ makes it vanish (τ = b b′ dr)."""

    def terms(s: Any) -> list[Any]:
        tau = b(s) * slope(s) * s.rdot
        other = [s.dot(lambda z: z.s1dot * np.cos(z.r)), -s.s1dot * tau * np.cos(s.r), s.s1dot * np.sin(s.r) * s.rdot]
        eta = np.exp(-(b(s) ** 2) / 2)
        own = [0.0, -s.s1dot * tau * eta, -s.s1dot * s.dot(lambda z: np.exp(-(b(z) ** 2) / 2))]
        return [np.array(pair) for pair in zip(other, own)]

    return identity(
        _gauge(), terms, words="gauge momentum, η = cos r and η = exp(−b²/2), rates by the multiplier witness"
    )


@section.confirmed("Corollary 4.5", (103, "Corollary 4.5"), exhibits=("gauge-momentum",))
def zero_rate() -> Evidence:
    """In the frame η the momentum equation is ṗ = 0 (one shape variable, one momentum; conditions as corrected)."""
    return vanish(
        _gauge(),
        lambda s: s.dot(lambda z: z.s1dot * np.exp(-(b(z) ** 2) / 2)),
        [lambda s: s.dot(lambda z: z.s1dot * np.exp(b(z) ** 2 / 2))],
        words="exp(−b²/2) p, rates by the witness; exp(+b²/2) p is not",
    )


@section.confirmed("§4.3, example: b^S is spanned by ∂_s1 + b ∂_s2", 106, exhibits=("gauge-momentum",))
def span() -> Evidence:
    """D ∩ T Orb is one-dimensional and spanned by this field (the kernel of the constraint and of dr, by SVD)."""
    gaps, mutants = [], []
    for s in _gauge():
        rows = np.array([[1.0, 0, 0], [0, -b(s), 1]])
        kernel = np.linalg.svd(rows)[2][2]
        gaps.append(abs(kernel[2] - b(s) * kernel[1]) + abs(kernel[0]))
        mutants.append(abs(kernel[2] + b(s) * kernel[1]))
    return Evidence(float(max(gaps)), mutant=float(min(mutants)), words="the kernel at generic r")


@section.misprint(
    "§4.3, example: the momentum equation",
    107,
    right=r"\dot{p} = b(r)b'(r)p\dot{r}",
    harm=2,
    breaks="Momentum would change without any motion of the shape; the next line has the right form.",
    exhibits=("gauge-momentum",),
    kind="reading",
)
def momentum_equation() -> Evidence:
    """ṗ = b b′ p r."""

    def terms(s: Any, factor: Any) -> list[Any]:
        return [s.dot(lambda z: z.s1dot), -b(s) * slope(s) * s.s1dot * factor]

    return identity(
        _gauge(), lambda s: terms(s, s.r), lambda s: terms(s, s.rdot), words="p = ṡ1, rates by the multiplier witness"
    )


@section.confirmed("§4.3, example: η and the frame u1, u2, u3", (108, 109), exhibits=("gauge-momentum",))
def stretched_frame() -> Evidence:
    """Along η = exp(−b²/2)(∂_s1 + b ∂_s2) the momentum ∂L/∂q̇·η is constant."""

    def one(z: Any) -> Any:
        return np.exp(-(b(z) ** 2) / 2) * (1 - b(z) ** 2) * z.s1dot

    def two(z: Any) -> Any:
        return np.exp(-(b(z) ** 2) / 2) * b(z) * z.s2dot

    return identity(
        _gauge(),
        lambda s: [s.dot(one), s.dot(two)],
        words="the two parts of the momentum along η, rates by the witness",
    )


@section.confirmed(
    "Theorem 4.1 by `nh.reduce`",
    printed=r"\text{the reduced equations (4.2), (4.3) and the reconstruction (4.4) give the motion}",
)
def by_the_front() -> Evidence:
    """A wagon with drawn numbers, one shape variable, SE(2) and one constraint: reduced, integrated and put together again, it
    moves as by the equations with multipliers; the reduction of another wagon does not.
    """
    import nonholo as nh
    from nonholo.model.symmetry_declaration import planar_motion
    from nonholo_papers.motion import integrated

    def wagon(seed: int) -> Any:
        a, b, c, d, e = np.round(np.random.default_rng(seed).uniform(0.1, 0.5, 5), 2)
        across, ahead = "(ydot*cos(th) - xdot*sin(th))", "(xdot*cos(th) + ydot*sin(th))"
        kinetic = f"(1 + {a}*cos(r))*rdot**2/2 + (2 + {b}*sin(r))*(xdot**2 + ydot**2)/2 + (1.5 + r**2)*thdot**2/2"
        mixed = f"{c}*thdot*{across} + {d}*cos(r)*rdot*thdot + {e}*rdot*{ahead} - {a}*r**2"
        rows = [f"{across} - ({b} + {c}*sin(r))*thdot - {d}*r*rdot"]
        return nh.System(name="a wagon", coordinates="r x y th", lagrangian=f"{kinetic} + {mixed}", constraints=rows)

    start = {"r": 0.4, "x": 0.1, "y": -0.2, "th": 0.3, "rdot": 0.5, "thdot": 0.7, "xdot": 0.2}
    exact = integrated(wagon(3), start, np.array([0.0, 1.5]))
    end = np.array([getattr(exact, n)[-1] for n in ("r", "x", "y", "th")])

    def gap_of(seed: int) -> float:
        reduced = nh.reduce(wagon(seed), planar_motion("x", "y", "th"), witness=False)
        run = reduced.simulate(start, 1.5, rtol=1e-11, atol=1e-13)
        return gap(np.array([run.data[n].values[-1] for n in ("r", "x", "y", "th")]), end)

    return Evidence(gap_of(3), mutant=gap_of(4), words="against the multiplier form, 1.5 s")
