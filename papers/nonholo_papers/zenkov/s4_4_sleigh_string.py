"""Zenkov 2016, Example 4.2: the sleigh with a constrained string."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import generic, holds, identity
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector, slope
from nonholo_papers.zenkov import _string as string
from nonholo_papers.zenkov._string import SPACE

section = Section("zenkov", "4.2 Example: the sleigh with a constrained string")
section.uncheckable("Figure 3", "Figure 3", "a drawing without numbers", "The sleigh coupled to a constrained string.")


@section.confirmed("Example 4.2, the absolute velocity", 80)
def absolute() -> Evidence:
    """η = z_s⁻¹(ż + v + iωz), with z seen from the sleigh: the velocity of Z = Z₀ + e^{iα}z along the string's own direction."""

    def terms(seed: int) -> list[Vector]:
        p = string.loose(seed)
        alpha, omega, v = 0.4, 0.9, 1.2 - 0.3j
        dot = p.rate

        def place(t: float) -> Vector:
            return 0.2 + np.exp(1j * alpha) * v * t + np.exp(1j * (alpha + omega * t)) * (p.z + t * dot)

        seen = slope(place) / (np.exp(1j * alpha) * p.bent)
        return [seen, -dot / p.bent, -v / p.bent, -1j * omega * p.z / p.bent]

    return identity((1, 2), terms)


@section.misprint(
    "Example 4.2, the Lagrangian",
    81,
    right=r"l = \tfrac12(J\omega^2 + m\bar v v) + \int_0^1 \tfrac12(\bar z_s z_s\,\bar\eta\eta - \lambda(\bar z_s z_s - 1))\,ds",
    harm=3,
    breaks="With the printed l and the η of the line before, the free end asks for λ + η̄η = 0, and λ = 0, (4.12), fails.",
    kind="convention",
    reason="It is right with η = |z_s| z_s⁻¹(ż + v + iωz), the operator of Remark 3.2. With the η of the line before, "
    "|z_s|² stands before η̄η, as in Example 3.2.",
)
def lagrangian() -> Evidence:
    """The kinetic energy of the string is ½∫|z_s η|²; without the factor |z_s|² the constraint was used before the variation."""

    def stretched(seed: int) -> SimpleNamespace:
        """The velocity of the string is turned by the heading, here 0.4."""
        p = string.loose(seed)
        speed = string.loose(seed + 10).xi  # as good as any
        p.eta_seen = speed / p.bent
        p.energy = float(SPACE.total(np.abs(np.exp(0.4j) * speed) ** 2) / 2)
        return p

    def end(p: SimpleNamespace, factor: bool) -> tuple[float, float]:
        """What multiplies Re η̄ at the free end in the variation of l along itself, and λ there."""
        xi = p.xi

        def value(tau: float, way: Vector) -> float:
            z = p.z + tau * p.bent * way
            turned = xi + tau * (SPACE.d(xi) * way - xi * SPACE.d(way))
            square = np.abs(SPACE.d(z)) ** 2
            return float(SPACE.total((square if factor else 1.0) * np.abs(turned) ** 2 - p.tension * (square - 1)) / 2)

        # the boundary term alone: variations that differ by a function with value 1 at s = 1 and ever smaller support have no
        # spectral limit, so the inner terms are subtracted in closed form instead
        way = SPACE.points**2
        square = np.abs(p.bent) ** 2
        momentum = (square if factor else 1.0) * xi
        inner = np.real(np.conj(momentum) * (SPACE.d(xi) * way)) + way * np.real(SPACE.d(np.conj(momentum) * xi))
        bent = p.bent * way
        force = (p.tension - (np.abs(xi) ** 2 if factor else 0.0)) * p.bent
        inner = inner + np.real(SPACE.d(force) * np.conj(bent))
        edge = float(slope(lambda tau: value(tau, way)) - SPACE.total(inner))
        return -edge / float(square[-1]), float(p.tension[-1])

    def printed(seed: int) -> list[Vector]:
        p = stretched(seed)
        edge, tension = end(p, False)
        return [np.array([p.energy, edge]), -np.array([float(SPACE.total(np.abs(p.eta_seen) ** 2) / 2), tension])]

    def right(seed: int) -> list[Vector]:
        p = stretched(seed)
        edge, tension = end(p, True)
        kinetic = float(SPACE.total(np.abs(p.bent * p.eta_seen) ** 2) / 2)
        return [np.array([p.energy, edge]), -np.array([kinetic, tension])]

    return identity(
        (1, 2), printed, right=right, words="the energy where |z_s| ≠ 1, and the natural condition at the free end"
    )


def _balance(seed: int, tension_in_place_of_slope: bool = False) -> list[float]:
    """Virtual power of inertia and tension of the whole against what (4.7)–(4.9) leave over."""
    p = string.riding()
    random = np.random.default_rng(seed)
    mass, inertia, turn = random.uniform(0.5, 1.5, 3)
    s = SPACE.points
    tension, way = (np.polynomial.Polynomial(row)(s) for row in random.uniform(-1, 1, (2, 4)))
    shift = p.bent * way
    held = SPACE.total(tension * np.real(np.conj(p.bent) * SPACE.d(shift)))
    whole = inertia * p.spin * turn + mass * np.real(p.acceleration[0] * np.conj(shift[0]))
    whole += SPACE.total(np.real(p.acceleration * np.conj(shift))) + held
    pull = tension if tension_in_place_of_slope else SPACE.d(tension)
    return [
        float(whole),
        -inertia * p.spin * turn,
        -mass * p.gain * way[0],
        tension[0] * way[0],
        -float(SPACE.total(p.gain * way)),
        float(SPACE.total(pull * way)),
        -tension[-1] * way[-1],
    ]


@section.confirmed("(4.7), (4.8)", printed=r"J\dot\omega = 0, \quad m\dot v = \lambda|_{s=0}")
def sleigh() -> Evidence:
    """The sleigh turns freely, and the string pulls it with its tension; the free end has none."""
    return identity(
        (1, 2, 3), _balance, words="d'Alembert's principle for sleigh and string on a common path, speeding up; η_s = 0"
    )


@section.misprint(
    "(4.9)",
    82,
    right=r"\dot\eta = \eta\eta_s + \lambda_s",
    harm=2,
    breaks="λ|_s is the tension at s, not its slope: the string would be accelerated by its tension; (4.11) has λ_s",
    kind="reading",
)
def string_motion() -> Evidence:
    """The string is accelerated by the slope of its tension."""
    return identity(
        (1, 2, 3),
        lambda k: _balance(k, True),
        right=_balance,
        words="d'Alembert's principle for sleigh and string on a common path; η_s = 0",
    )


@section.misprint(
    "after (4.9), real-valued quantities",
    printed=r"\text{where } \xi \text{ and } \eta \text{ are real-valued}",
    right=r"\text{where } v \text{ and } \eta \text{ are real-valued}",
    harm=1,
    breaks="ξ does not occur in (4.7)–(4.9); v does, and must be real for the blade not to slip",
    kind="slip",
)
def real_valued() -> Evidence:
    """Which of the quantities are real: the sideways speed of the blade is Im v."""

    def across(p: Any, v: complex) -> list[Any]:
        moved = np.exp(1j * p.alpha) * v
        return [np.array([np.real(moved * np.conj(1j * np.exp(1j * p.alpha))), abs(v)]), -np.array([0.0, abs(v)])]

    return identity(
        generic("alpha", signed="a b"),
        lambda p: across(p, p.a + 1j * p.b),
        right=lambda p: across(p, p.a + 0j),
        words="v of any kind, as the sentence leaves it, and v real",
        automatic=False,
    )


@section.conditional(
    "(4.10)",
    (83, "Example 4.2"),
    right="v < 0, or z_s = −1 at s = 0: the string is behind the sleigh",
    reason="z_s = +1 at s = 0 puts the string ahead of a sleigh with v > 0; the sleigh would follow the string, whose "
    "way is not determined.",
    harm=4,
    breaks="a simulation with v > 0 needs the future of the front end; the summary (the string follows the sleigh) fails",
)
def follows() -> Evidence:
    """Each point of the string comes, after the time s/|v|, where the sleigh was."""

    def gap(sign: float) -> list[Vector]:
        p = string.riding()
        v = sign * 0.7
        t, s = 0.2, SPACE.points
        string_place = string.interpolate(p.path, p.place + v * t + s)
        sleigh_before = string.interpolate(p.path, p.place + v * (t - s / abs(v)))
        return [string_place, -sleigh_before]

    return identity((0,), lambda _: gap(+1.0), right=lambda _: gap(-1.0), words="Z(s, t) against Z(0, t − s/|v|)")


@section.confirmed("(4.11), (4.12)", (84, 85))
def tension() -> Evidence:
    """η̇ = λ_s with η̇ the same for all s and λ = 0 at s = 1 gives λ = (s − 1)η̇."""

    def terms(p: Any) -> list[Vector]:
        count = len(SPACE.points)
        rows = SPACE.derivative.copy()
        rows[-1] = np.eye(count)[-1]
        pull = p.gain * np.ones(count)
        pull[-1] = 0.0
        return [np.linalg.solve(rows, pull), -(SPACE.points - 1) * p.gain]

    return identity(
        generic("m", signed="gain"), terms, words="the boundary value problem solved on 22 Chebyshev points"
    )


@section.confirmed(
    "Example 4.2, v = const and λ = 0",
    printed=r"\lambda|_{s=0} = -\dot\eta, \quad v = \mathrm{const}, \quad \lambda = 0",
)
def steady() -> Evidence:
    """(4.8), (4.11), λ(1) = 0 and η = v leave v̇ = 0 and λ = 0 only, for any mass."""
    count = len(SPACE.points)

    def smallest(mass: float, sign: float = 1.0) -> float:
        rows = np.hstack([SPACE.derivative, -np.ones((count, 1))])
        edges = np.zeros((2, count + 1))
        edges[0, count - 1] = 1
        edges[1, 0], edges[1, count] = -sign, mass
        return float(np.linalg.svd(np.vstack([rows, edges]), compute_uv=False)[-1])

    found = [smallest(m) for m in (0.3, 1.0, 2.7)]
    return holds(
        (f"only the zero solution (smallest singular value {min(found):.2g})", min(found) > 1e-2),
        against=[("with the tension pulling backwards and m = 1", smallest(1.0, -1.0) > 1e-9)],
    )


@section.confirmed(
    "Example 4.2, circles", printed="generically uniform circular motion; nongeneric trajectories are straight lines"
)
def circles() -> Evidence:
    """The sleigh with its string, simulated: its path is a circle of radius v/ω, and a straight line for ω = 0."""
    from nonholo.fields import SleighString

    def gap(omega: float, offset: float = 0.0) -> float:
        """How far the blade's path is from that of a uniform turning."""
        v, field = 1.1, SleighString(offset=offset)
        run = field.simulate({"v": v, "omega": omega, "heading": 0.4, "x": 0.2, "y": -0.3}, 4.0, t_eval=9)
        t, way = run["t"], np.exp(0.4j)
        arc = v * t if omega == 0 else v * (np.exp(1j * omega * t) - 1) / (1j * omega)
        return float(np.max(np.abs(run["x"][:, 0] + 1j * run["y"][:, 0] - (0.2 - 0.3j + way * arc))))

    return Evidence(
        max(gap(0.8), gap(-0.5), gap(0.0)), None, gap(0.8, 0.1), "simulations; the mutant has its centre of mass off the blade"
    )


@section.confirmed("Example 4.2, SE(2)-invariance", printed="this system is SE(2)-invariant")
def invariance() -> Evidence:
    """η, and so l and the constraint, depend on z, ż, v, ω only, which a motion of the plane leaves alone."""

    def terms(seed: int) -> list[Vector]:
        p = string.loose(seed)
        angle, shift, alpha, omega, v = 0.9, 0.3 - 1.1j, 0.4, 0.6, 0.8

        def inner(t: float) -> Vector:
            """The string seen from the plane."""
            return np.exp(1j * alpha) * v * t + np.exp(1j * (alpha + omega * t)) * (p.z + t * p.rate)

        def seen(turn: float, offset: complex) -> Vector:
            place = lambda t: offset + np.exp(1j * turn) * inner(t)  # noqa: E731
            return slope(place) / (np.exp(1j * (alpha + turn)) * p.bent)

        return [seen(0.0, 0.0), -seen(angle, shift)]

    return identity((1, 2), terms)


section.uncheckable(
    "Example 4.2, integrability",
    (),
    "a question that the paper leaves open, and a comparison with reconstruction in [5]",
    "The motion is like that of integrable systems; shape dynamics is modulated by group dynamics.",
)
