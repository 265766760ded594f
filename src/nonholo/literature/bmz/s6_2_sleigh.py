"""§6.2: the Chaplygin sleigh in the body frame and in space."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.literature.bmz._algebras import SE2, star
from nonholo.literature.bmz.s5_suslov import planar_body, planar_inertia, planar_velocity
from nonholo.literature.claim import Evidence
from nonholo.literature.evidence import generic, holds, identity, moving, slope
from nonholo.literature.section import Section

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


def _off(s: Any) -> tuple[Any, Array]:
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
        _, w = _off(s)
        moving_centre = s.dot(lambda z: np.array([z.x + z.a * np.cos(z.theta), z.y + z.a * np.sin(z.theta)]))
        return [moving_centre, -w[1] * along, -w[2] * across, -s.a * w[0] * across]

    return identity(planar_body(), terms)


@section.confirmed("§6.2, l(Ω)", 129, exhibits=SLEIGH)
def reduced_lagrangian() -> Evidence:
    """½((J + ma²)Ω1² + m(Ω2² + Ω3² + 2aΩ1Ω3)) is the kinetic energy, off the constraint too."""

    def terms(s: Any) -> list[Any]:
        energy, w = _off(s)
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
        energy, w = _off(s)
        return [energy, -(s.J + s.m * s.a**2) * w[0] ** 2 / 2, -s.m * w[1] ** 2 / 2]

    return identity(sleighs(), terms)


@section.conditional(
    "§6.2, (b^S)* = {p3 = 0}",
    132,
    reason="As components of p = ∂l_c/∂Ω^S in the dual frame. The body momentum ℐΩ of an admissible motion has p3 = maΩ1 ≠ 0, "
    "and just that component drives (6.1).",
    harm=2,
    breaks="Read as a statement on ℐΩ it makes ad*_Ω p vanish within b^S: the misprint of (4.7).",
    exhibits=SLEIGH,
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


def _momenta(s: Any) -> Array:
    w = planar_velocity(s)
    return np.array([(s.J + s.m * s.a**2) * w[0], s.m * w[1]])


@section.confirmed("(6.1)", 133, exhibits=SLEIGH)
def momentum_equations() -> Evidence:
    """ṗ1 = −a p1 p2/(J + ma²), ṗ2 = m a p1²/(J + ma²)²."""

    def terms(s: Any) -> list[Any]:
        p1, p2 = _momenta(s)
        i = s.J + s.m * s.a**2
        return [s.dot(_momenta), np.array([s.a * p1 * p2 / i, -s.m * s.a * p1**2 / i**2])]

    def wrong(s: Any) -> list[Any]:
        p1, p2 = _momenta(s)
        i = s.J + s.m * s.a**2
        return [s.dot(_momenta), np.array([s.a * p1 * p2 / i, -s.m * s.a * p1**2 / i])]

    return identity(sleighs(), terms, mutants=[wrong], words="rates by the multiplier witness")


@section.confirmed("§6.2, p1 and p2", 134, exhibits=SLEIGH)
def momenta() -> Evidence:
    """p = ∂l_c/∂Ω: (J + ma²)Ω1 and mΩ2, by complex steps of the kinetic energy along e1, e2."""

    def energy(s: Any, w: Array) -> Any:
        c, d = np.cos(s.theta), np.sin(s.theta)
        velocity = np.array([w[1] * c - w[2] * d - s.a * w[0] * d, w[1] * d + w[2] * c + s.a * w[0] * c])
        return s.m / 2 * velocity @ velocity + s.J / 2 * w[0] ** 2

    return identity(sleighs(), lambda s: [slope(lambda w: energy(s, w), planar_velocity(s))[:2], -_momenta(s)])


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
    printed="Assuming a > 0, the equilibria located in the upper half plane are asymptotically stable",
    reason="Within their energy level, or as a set: each is one of a line of equilibria, and motions near it end at another one. "
    "On its ellipse an equilibrium with p2 > 0 attracts.",
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
        sizes.append(float(np.max(np.abs(image - (across @ image) * across))))
    return Evidence(sizes[0], mutant=sizes[1], words="ℐe3 against e3")


@section.confirmed("§6.2, spatial velocities η", 135)
def spatial_velocities() -> Evidence:
    """η = ġg⁻¹ has the components θ̇, ẋ + yθ̇, ẏ − xθ̇ (as a matrix)."""

    def group(s: Any) -> Array:
        c, d = np.cos(s.theta), np.sin(s.theta)
        return np.array([[c, -d, s.x], [d, c, s.y], [0 * c, 0 * c, 1 + 0 * c]])

    def terms(s: Any) -> list[Any]:
        eta = [s.thetadot, s.xdot + s.y * s.thetadot, s.ydot - s.x * s.thetadot]
        hat = np.array([[0, -eta[0], eta[1]], [eta[0], 0, eta[2]], [0, 0, 0]])
        return [s.dot(group) @ np.linalg.inv(group(s)), -hat]

    def wrong(s: Any) -> list[Any]:
        one, two = terms(s)
        other = two.copy()
        other[0, 2] = -(s.xdot - s.y * s.thetadot)
        return [one, other]

    return identity(planar_body(), terms, mutants=[wrong])


def _generators(q: Array) -> Array:
    return np.array(
        [[1 + 0 * q[0], -q[2], q[1]], [0 * q[0], 1 + 0 * q[0], 0 * q[0]], [0 * q[0], 0 * q[0], 1 + 0 * q[0]]]
    )


@section.confirmed("§6.2, generators of the left action", 136)
def generators() -> Evidence:
    """u1, u2, u3 are the velocities at the identity of the left action of SE(2) on itself, and q̇ = η^i u_i."""

    def moved(s: Any, motion: Array) -> Array:
        """h·g with h = (angle, x, y)."""
        c, d = np.cos(motion[0]), np.sin(motion[0])
        return np.array([s.theta + motion[0], c * s.x - d * s.y + motion[1], d * s.x + c * s.y + motion[2]])

    def terms(s: Any) -> list[Any]:
        q = np.array([s.theta, s.x, s.y])
        eta = np.array([s.thetadot, s.xdot + s.y * s.thetadot, s.ydot - s.x * s.thetadot])
        rate = np.array([s.thetadot, s.xdot, s.ydot])
        return [
            np.append(slope(lambda h: moved(s, h), np.zeros(3)).T, [rate], axis=0),
            -np.append(_generators(q), [eta @ _generators(q)], axis=0),
        ]

    return identity(planar_body(), terms)


@section.confirmed("§6.2, brackets of the generators", 137)
def brackets() -> Evidence:
    """[u1, u2] = −u3, [u1, u3] = u2, [u2, u3] = 0."""

    def terms(s: Any) -> list[Any]:
        q = np.array([s.theta, s.x, s.y])
        u = _generators(q)
        slopes = slope(_generators, q)
        bracket = np.einsum("aj,bkj->abk", u, slopes)
        bracket = bracket - np.einsum("abk->bak", bracket)
        return [np.array([bracket[0, 1], bracket[0, 2], bracket[1, 2]]), -np.array([-u[2], u[1], 0 * u[0]])]

    return identity(planar_body(), terms)


def _eta(s: Any) -> Array:
    return np.array([s.thetadot, s.xdot + s.y * s.thetadot, s.ydot - s.x * s.thetadot])


def spatial_energy(s: Any, eta: Array) -> list[Any]:
    """The printed terms of ``l^R``."""
    along, across = eta[1] - s.y * eta[0], eta[2] + s.x * eta[0]
    return [
        (s.J + s.m * s.a**2) / 2 * eta[0] ** 2,
        s.m / 2 * along**2,
        s.m / 2 * across**2,
        -s.m * s.a * eta[0] * along * np.sin(s.theta),
        s.m * s.a * eta[0] * across * np.cos(s.theta),
    ]


@section.confirmed("§6.2, l^R", 138, exhibits=SLEIGH)
def spatial_lagrangian() -> Evidence:
    """The kinetic energy in η (its second argument is η, printed θ)."""
    return identity(planar_body(), lambda s: [_off(s)[0], *(-e for e in spatial_energy(s, _eta(s)))])


@section.misprint(
    "§6.2, l^R(g, θ)",
    printed=r"l^R(g, \theta)",
    right=r"l^R(g, \eta)",
    harm=1,
    breaks="Nothing for a reader; θ is part of g.",
)
def arguments() -> Evidence:
    """l^R is a function of (g, θ) alone."""
    s = planar_body()[0]
    here, other = (float(sum(spatial_energy(s, e))) for e in (_eta(s), _eta(s) + np.array([0.3, -0.2, 0.5])))
    again = float(sum(spatial_energy(s, _eta(s))))
    return Evidence(abs(here - other), abs(here - again), None, "two velocities at one g give two values")


@section.confirmed("§6.2, the constraint in η", 139, exhibits=SLEIGH)
def spatial_constraint() -> Evidence:
    """−(η2 − yη1) sin θ + (η3 + xη1) cos θ = 0."""

    def terms(s: Any) -> list[Any]:
        e = _eta(s)
        return [-(e[1] - s.y * e[0]) * np.sin(s.theta), (e[2] + s.x * e[0]) * np.cos(s.theta)]

    return identity(sleighs(), terms)


def spatial_momenta(s: Any, right: bool = True) -> Array:
    """μ1, μ2, μ3, with the third as corrected or as printed."""
    e = _eta(s)
    along, across = e[1] - s.y * e[0], e[2] + s.x * e[0]
    arm = s.x * np.cos(s.theta) + s.y * np.sin(s.theta)
    first = (s.J + s.m * s.a**2) * e[0] - s.m * s.y * along + s.m * s.x * across + s.m * s.a * e[0] * arm
    third = s.m * ((across if right else along) + s.a * e[0] * np.cos(s.theta))
    return np.array([first, s.m * (along - s.a * e[0] * np.sin(s.theta)), third])


@section.misprint(
    "§6.2, spatial momenta of the sleigh, μ3",
    140,
    right=r"\mu_3 = m[(\eta^3 + x\eta^1) + a\eta^1 \cos \theta]",
    harm=3,
    breaks="The momenta's plane and μ̇ = λ a^R both fail with the printed one. (In μ1 the terms hold on the constraint.)",
    exhibits=SLEIGH,
)
def third_spatial_momentum() -> Evidence:
    """μ3 = m[(η2 − yη1) + aη1 cos θ]; μ1 and μ2 are right, on the constraint."""
    return identity(
        sleighs(),
        lambda s: [slope(lambda e: sum(spatial_energy(s, e)), _eta(s)), -spatial_momenta(s, False)],
        lambda s: [slope(lambda e: sum(spatial_energy(s, e)), _eta(s)), -spatial_momenta(s)],
        words="∂l^R/∂η by complex steps",
    )


@section.conditional(
    "§6.2, μ1 off the constraint",
    printed=r"\mu_1 = (J + ma^2)\eta^1 - my(\eta^2 - y\eta^1) + mx(\eta^3 + x\eta^1) + ma\eta^1(x \cos\theta + y \sin\theta)",
    reason="On the constraint; ∂l^R/∂η1 has also ma times the velocity across the edge, which vanishes there. μ is a derivative of "
    "l^R, taken before the constraint.",
    harm=1,
    breaks="Only tests of μ1 off the constraint.",
    exhibits=SLEIGH,
)
def first_spatial_momentum() -> Evidence:
    """μ1 is ∂l^R/∂η1 for every velocity."""

    def terms(s: Any) -> list[Any]:
        return [slope(lambda e: sum(spatial_energy(s, e)), _eta(s))[0], -spatial_momenta(s)[0]]

    free, constrained = (identity(states, terms) for states in (planar_body(), sleighs()))
    return Evidence(free.printed, constrained.printed, None, "a free body against the sleigh")


@section.confirmed("§6.2, the plane of the spatial momenta", 141, exhibits=SLEIGH)
def momentum_plane() -> Evidence:
    """−μ2 sin θ + μ3 cos θ − ma/(J + ma²)(μ1 + yμ2 − xμ3) = 0, with μ3 as corrected."""

    def terms(s: Any) -> list[Any]:
        one, two, three = spatial_momenta(s)
        turn = s.m * s.a / (s.J + s.m * s.a**2)
        return [-two * np.sin(s.theta), three * np.cos(s.theta), -turn * one, -turn * s.y * two, turn * s.x * three]

    return identity(sleighs(), terms)


def _multiplier(s: Any) -> Any:
    one, two, three = spatial_momenta(s)
    turn = one + s.y * two - s.x * three
    return s.J * turn * (two * np.cos(s.theta) + three * np.sin(s.theta)) / (s.J + s.m * s.a**2) ** 2


@section.confirmed("§6.2, rates of the spatial momenta", 142, exhibits=SLEIGH)
def spatial_rates() -> Evidence:
    """μ̇ = λ(x cos θ + y sin θ, −sin θ, cos θ), with the reaction λ of the multiplier form."""
    forces = _reactions()

    def terms(s: Any) -> list[Any]:
        c, d = np.cos(s.theta), np.sin(s.theta)
        return [s.dot(spatial_momenta), -forces(s) * np.array([s.x * c + s.y * d, -d, c])]

    return identity(sleighs(), terms, words="rates and λ by the multiplier witness")


def _reactions() -> Any:
    from nonholo import gallery
    from nonholo.derive.reactions import reactions

    exhibit = gallery.get("chaplygin-sleigh")
    forces = reactions(exhibit.system)
    names = ("theta", "x", "y", "omega", "v")
    return lambda s: forces.at({n: getattr(s, n) for n in names}, exhibit.parameters)["lambda1"]


@section.confirmed("§6.2, λ of the sleigh", 143, exhibits=SLEIGH)
def multiplier() -> Evidence:
    """λ = J(μ1 + yμ2 − xμ3)(μ2 cos θ + μ3 sin θ)/(J + ma²)² is the reaction of the edge."""
    forces = _reactions()
    return identity(sleighs(), lambda s: [forces(s), -_multiplier(s)], words="λ by the multiplier witness")


@section.refuted(
    "§6.2, spatial momentum is conserved iff θ = const",
    printed="Regardless of the value of a, the spatial momentum of the Chaplygin sleigh is conserved if and only if θ = const",
    right="λ = Jmωv/(J + ma²) vanishes when ωv = 0: for a ≠ 0 only θ = const lasts; for a = 0 turning in place conserves it too",
    reason="At a = 0, v = 0 the sleigh turns with constant ω about its contact point, and all three momenta are constant.",
    harm=2,
    breaks="The classification of motions with constant spatial momentum of the balanced sleigh.",
    exhibits=("balanced-sleigh", "chaplygin-sleigh"),
)
def conserved_when_straight() -> Evidence:
    """A motion with constant spatial momentum has θ = const."""
    from types import SimpleNamespace

    s = SimpleNamespace(m=1.3, J=0.7, a=0.0, theta=0.4, x=0.3, y=-0.8, thetadot=0.9, xdot=0.0, ydot=0.0)
    turning = abs(_multiplier(s))  # conserved, and θ' = 0.9: the printed statement asks for θ' = 0
    law = max(
        abs(_multiplier(z) - z.J * z.m * z.thetadot * planar_velocity(z)[1] / (z.J + z.m * z.a**2)) for z in sleighs()
    )
    return Evidence(
        abs(s.thetadot) if turning < 1e-14 else 0.0, float(law), None, "turning in place at a = 0: μ̇ = 0, θ' = 0.9"
    )


@section.confirmed("§6.2, energy is kept while volume on its levels is not", exhibits=SLEIGH)
def energy_and_volume() -> Evidence:
    """The divergence of (6.1) is −a p2/(J + ma²), not zero, while the energy has rate zero."""

    def terms(p: Any) -> list[Any]:
        trace = np.trace(slope(lambda z: _flow(z, p.m, p.J, p.a), np.array([p.p1, p.p2])))
        return [trace, p.a * p.p2 / (p.J + p.m * p.a**2)]

    found = identity(generic("m J a", signed="p1 p2"), terms)
    told = holds(("energy", ellipses().printed < 1e-12))
    return Evidence(max(found.printed, told.printed), None, found.mutant, "divergence by complex steps")
