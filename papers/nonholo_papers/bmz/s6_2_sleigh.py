"""§6.2: the Chaplygin sleigh in the body frame and in space."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.bmz._algebras import SE2, star
from nonholo_papers.bmz.s5_suslov import planar_body, planar_inertia, planar_velocity
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import generic, holds, identity, moving, slope
from nonholo_papers.section import Section

Array = Any
SLEIGH = ("chaplygin-sleigh",)
section = Section("bmz", "6.2 Chaplygin sleigh")
section.uncheckable(
    "Figure 6.1", "Figure 6.1", "A drawing of the sleigh and its frame, without numbers.", "The Chaplygin sleigh."
)
section.rest("definition", 131)


def sleighs() -> list[Any]:
    """Generic states of the unbalanced sleigh, rates by the multiplier witness."""
    return moving("chaplygin-sleigh")


@section.confirmed("§6.2, body frame e1, e2, e3", 128, exhibits=SLEIGH)
def body_frame() -> Evidence:
    """Ω = (θ̇, along, across) are the components of the velocity in the frame, and its brackets are those of se(2)."""

    def fields(q: Array) -> Array:
        c, d = np.cos(q[0]), np.sin(q[0])
        return np.array([[1 + 0 * c, 0 * c, 0 * c], [0 * c, c, d], [0 * c, -d, c]])

    def terms(s: Any) -> list[Any]:
        q = np.array([s.theta, s.x, s.y])
        slopes = slope(fields, q)
        bracket = np.einsum("aj,bkj->abk", fields(q), slopes)
        bracket = bracket - np.einsum("abk->bak", bracket)
        rate = np.array([s.thetadot, s.xdot, s.ydot])
        return [
            np.append(rate, bracket.reshape(-1)),
            -np.append(planar_velocity(s) @ fields(q), np.einsum("abc,ck->abk", SE2, fields(q)).reshape(-1)),
        ]

    return identity(planar_body(), terms)


def kinetic_energy(s: Any) -> tuple[Any, Array]:
    """The kinetic energy of the body, from the velocity of its centre, and Ω, off the constraint."""
    c, d = np.cos(s.theta), np.sin(s.theta)
    velocity = np.array([s.xdot - s.a * s.thetadot * d, s.ydot + s.a * s.thetadot * c])
    return s.m / 2 * velocity @ velocity + s.J / 2 * s.thetadot**2, planar_velocity(s)


@section.confirmed("§6.2, velocity of the centre of mass")
def centre() -> Evidence:
    """Relative to the body frame it is Ω2 e2 + (Ω3 + aΩ1) e3."""

    def terms(s: Any) -> list[Any]:
        c, d = np.cos(s.theta), np.sin(s.theta)
        along, across = np.array([c, d]), np.array([-d, c])
        _, w = kinetic_energy(s)
        moving_centre = s.dot(lambda z: np.array([z.x + z.a * np.cos(z.theta), z.y + z.a * np.sin(z.theta)]))
        return [moving_centre, -w[1] * along, -w[2] * across, -s.a * w[0] * across]

    return identity(planar_body(), terms)


@section.confirmed("§6.2, l(Ω)", 129, exhibits=SLEIGH)
def reduced_lagrangian() -> Evidence:
    """½((J + ma²)Ω1² + m(Ω2² + Ω3² + 2aΩ1Ω3)) is the kinetic energy, off the constraint too."""

    def terms(s: Any) -> list[Any]:
        energy, w = kinetic_energy(s)
        return [
            energy,
            -(s.J + s.m * s.a**2) * w[0] ** 2 / 2,
            -s.m * w[1] ** 2 / 2,
            -s.m * w[2] ** 2 / 2,
            -s.m * s.a * w[0] * w[2],
        ]

    return identity(planar_body(), terms)


@section.confirmed("§6.2, l_c(Ω)", 130, exhibits=SLEIGH)
def constrained_lagrangian() -> Evidence:
    """½((J + ma²)Ω1² + mΩ2²) is the kinetic energy of admissible motions."""

    def terms(s: Any) -> list[Any]:
        energy, w = kinetic_energy(s)
        return [energy, -(s.J + s.m * s.a**2) * w[0] ** 2 / 2, -s.m * w[1] ** 2 / 2]

    return identity(sleighs(), terms)


@section.conditional(
    "§6.2, (b^S)* = {p3 = 0}",
    132,
    reason="As components of p = ∂l_c/∂Ω^S in the dual frame. The body momentum ℐΩ of an admissible motion has "
    "p3 = maΩ1 ≠ 0, "
    "and just that component drives (6.1).",
    harm=2,
    breaks="Read as a statement on ℐΩ it makes ad*_Ω p vanish within b^S: the misprint of (4.7).",
    exhibits=SLEIGH,
    kind="convention",
)
def dual_space() -> Evidence:
    """The momentum of an admissible motion has p3 = 0."""

    def terms(s: Any, inertia: Array) -> list[Any]:
        w = planar_velocity(s)
        rate = s.dot(lambda z: planar_inertia(z) @ planar_velocity(z))[:2]
        return [rate, -star(SE2, w, inertia @ w)[:2]]

    def flat(s: Any) -> Array:
        i = planar_inertia(s)
        i[2, 0] = 0
        return i

    return identity(
        sleighs(), lambda s: terms(s, flat(s)), lambda s: terms(s, planar_inertia(s)), words="ṗ within b^S by ad*_Ω p"
    )


def body_momenta(s: Any) -> Array:
    w = planar_velocity(s)
    return np.array([(s.J + s.m * s.a**2) * w[0], s.m * w[1]])


@section.confirmed("(6.1)", 133, exhibits=SLEIGH)
def momentum_equations() -> Evidence:
    """ṗ1 = −a p1 p2/(J + ma²), ṗ2 = m a p1²/(J + ma²)²."""

    def terms(s: Any) -> list[Any]:
        p1, p2 = body_momenta(s)
        i = s.J + s.m * s.a**2
        return [s.dot(body_momenta), np.array([s.a * p1 * p2 / i, -s.m * s.a * p1**2 / i**2])]

    def wrong(s: Any) -> list[Any]:
        p1, p2 = body_momenta(s)
        i = s.J + s.m * s.a**2
        return [s.dot(body_momenta), np.array([s.a * p1 * p2 / i, -s.m * s.a * p1**2 / i])]

    return identity(sleighs(), terms, mutants=[wrong], words="rates by the multiplier witness")


@section.confirmed("§6.2, p1 and p2", 134, exhibits=SLEIGH)
def momenta() -> Evidence:
    """p = ∂l_c/∂Ω: (J + ma²)Ω1 and mΩ2, by complex steps of the kinetic energy along e1, e2."""

    def energy(s: Any, w: Array) -> Any:
        c, d = np.cos(s.theta), np.sin(s.theta)
        velocity = np.array([w[1] * c - s.a * w[0] * d, w[1] * d + s.a * w[0] * c])
        return s.m / 2 * velocity @ velocity + s.J / 2 * w[0] ** 2

    return identity(sleighs(), lambda s: [slope(lambda w: energy(s, w), planar_velocity(s)[:2]), -body_momenta(s)])


def _flow(p: Array, m: float = 1.3, j: float = 0.7, a: float = 0.4) -> Array:
    i = j + m * a**2
    return np.array([-a * p[0] * p[1] / i, m * a * p[0] ** 2 / i**2])


@section.confirmed("§6.2, relative equilibria of (6.1) and their eigenvalues", exhibits=SLEIGH)
def equilibria() -> Evidence:
    """For a ≠ 0 the equilibria are p1 = 0, p2 = const, each with eigenvalues 0 and −a p2/(J + ma²)."""

    def terms(p: Any) -> list[Any]:
        values = np.linalg.eigvals(slope(lambda z: _flow(z, p.m, p.J, p.a), np.array([0.0, p.p2])))
        return [np.sort(values), -np.sort([0.0, -p.a * p.p2 / (p.J + p.m * p.a**2)])]

    rest = max(
        float(np.max(np.abs(_flow(np.array([0.0, p.p2]), p.m, p.J, p.a)))) for p in generic("m J a", signed="p2")
    )
    found = identity(generic("m J a", signed="p2"), terms)
    return Evidence(max(found.printed, rest), None, found.mutant, "the derivative of (6.1) by complex steps")


@section.confirmed("§6.2, elliptic arcs", exhibits=SLEIGH)
def ellipses() -> Evidence:
    """p1²/(J + ma²) + p2²/m is constant along (6.1): elliptic arcs; Figure 6.2 shows them."""

    def terms(p: Any) -> list[Any]:
        i = p.J + p.m * p.a**2
        rate = _flow(np.array([p.p1, p.p2]), p.m, p.J, p.a)
        return [2 * p.p1 * rate[0] / i, 2 * p.p2 * rate[1] / p.m]

    return identity(generic("m J a", signed="p1 p2"), terms)


@section.conditional(
    "Figure 6.2: equilibria of the upper half plane are asymptotically stable",
    "Figure 6.2",
    printed="a > 0: equilibria with p2 > 0 are asymptotically stable",
    right="the energy is fixed, or the line of equilibria is taken as a whole",
    reason="Each is one of a line of equilibria, and motions near it end at another one; on its ellipse, where the "
    "energy is fixed, it attracts.",
    harm=2,
    breaks="Lyapunov's definition: a disturbance of the energy never dies out.",
    exhibits=SLEIGH,
)
def asymptotic() -> Evidence:
    """Motions that begin near (0, p2), p2 > 0, tend to (0, p2)."""
    from scipy.integrate import solve_ivp

    m, i = 1.3, 0.7 + 1.3 * 0.16
    gaps = []
    for start, goal in (((0.1, 1.0), 1.0), ((0.1, 1.0), float(np.sqrt(1.0 + m * 0.01 / i)))):
        run = solve_ivp(lambda _, p: _flow(p), (0, 120), start, rtol=1e-12, atol=1e-14)
        gaps.append(abs(run.y[1, -1] - goal) + abs(run.y[0, -1]))
    return Evidence(gaps[0], gaps[1], None, "from (0.1, 1) the motion ends at p2 = √(1 + m p1²/(J + ma²)), not at 1")


@section.confirmed("§6.2, lower half plane unstable, arcs heteroclinic, trivial for a = 0", exhibits=SLEIGH)
def portrait() -> Evidence:
    """Arcs lead from p2 = −P to p2 = +P (a > 0); for a = 0 both momenta are constant."""
    from scipy.integrate import solve_ivp

    start = (0.6, -0.2)
    level = start[1] ** 2 + 1.3 * start[0] ** 2 / (0.7 + 1.3 * 0.16)
    ends = [solve_ivp(lambda _, p: _flow(p), (0, t), start, rtol=1e-12, atol=1e-14).y[:, -1] for t in (-80.0, 80.0)]
    gaps = [abs(ends[0][1] + np.sqrt(level)), abs(ends[1][1] - np.sqrt(level)), abs(ends[0][0]), abs(ends[1][0])]
    still = float(np.max(np.abs(_flow(np.array([0.6, -0.2]), a=0.0))))
    return Evidence(float(max(*gaps, still)), mutant=float(abs(ends[0][1] - np.sqrt(level))), words="t from −80 to 80")


@section.confirmed("§6.2, a = 0: the inertia tensor is block-diagonal", exhibits=("balanced-sleigh",))
def block_diagonal() -> Evidence:
    """At a = 0 the direction of the constraint is an eigendirection of ℐ; for a ≠ 0 it is not."""
    across = np.array([0, 0, 1.0])
    sizes = []
    for s in (moving("balanced-sleigh")[0], sleighs()[0]):
        s.a = getattr(s, "a", 0.0)
        image = planar_inertia(s) @ across
        sizes.append(float(np.max(np.abs(image - s.m * across))))
    return Evidence(sizes[0], mutant=sizes[1], words="ℐe3 against me3")


@section.confirmed("§6.2, energy is kept while volume on its levels is not", exhibits=SLEIGH)
def energy_and_volume() -> Evidence:
    """The divergence of (6.1) is −a p2/(J + ma²), not zero, while the energy has rate zero."""

    def terms(p: Any) -> list[Any]:
        trace = np.trace(slope(lambda z: _flow(z, p.m, p.J, p.a), np.array([p.p1, p.p2])))
        return [trace, p.a * p.p2 / (p.J + p.m * p.a**2)]

    found = identity(generic("m J a", signed="p1 p2"), terms)
    told = holds(("energy", ellipses().printed < 1e-12))
    return Evidence(max(found.printed, told.printed), None, found.mutant, "divergence by complex steps")
