"""§6.2, end: the frame that conserves the momenta of the unbalanced sleigh."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.bmz.s5_suslov import planar_body
from nonholo_papers.bmz.s6_2_sleigh import SLEIGH, body_momenta, kinetic_energy, sleighs
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, slope, vanish
from nonholo_papers.section import Section

Array = Any
section = Section("bmz", "6.2 Momentum conservation for the unbalanced sleigh")


def ratio(s: Any) -> Any:
    """k, with k² = ma²/(J + ma²)."""
    return np.sqrt(s.m * s.a**2 / (s.J + s.m * s.a**2))


def fields(s: Any, q: Array) -> Array:
    """u1, u2, u3 of (6.2)–(6.4) as rows over (∂θ, ∂x, ∂y)."""
    k = ratio(s)
    c, d, along, up = np.cos(k * q[0]), np.sin(k * q[0]), np.cos(q[0]), np.sin(q[0])
    zero = 0 * c
    return np.array(
        [
            [c, s.a / k * d * along, s.a / k * d * up],
            [-k / s.a * d, c * along, c * up],
            [zero, -up, along],
        ]
    )


def place(s: Any) -> Array:
    """(θ, x, y)."""
    return np.array([s.theta, s.x, s.y])


@section.confirmed("(6.2)–(6.4)", (144, 145, 146), exhibits=SLEIGH)
def conserving_frame() -> Evidence:
    """The components of momentum ⟨∂L/∂q̇, u1⟩ and ⟨∂L/∂q̇, u2⟩ are constant; u3 makes the constraint ξ3 = 0."""

    def push(z: Any) -> Array:
        c, d = np.cos(z.theta), np.sin(z.theta)
        one = z.m * (z.xdot - z.a * z.thetadot * d)
        two = z.m * (z.ydot + z.a * z.thetadot * c)
        return np.array([z.J * z.thetadot + z.a * (two * c - one * d), one, two])

    def terms(s: Any) -> list[Any]:
        parts = [s.dot(lambda z, i=i: fields(z, place(z))[:2, i] * push(z)[i]) for i in range(3)]
        return [parts[0], parts[1], parts[2]]

    def components(s: Any) -> Array:
        return np.linalg.solve(fields(s, place(s)).T, np.array([s.thetadot, s.xdot, s.ydot]))

    zero = max(abs(float(components(s)[2])) for s in sleighs())
    found = identity(sleighs(), terms, words="rates by the multiplier witness")
    return Evidence(max(found.printed, zero), None, found.mutant, found.words)


@section.confirmed("§6.2, u1 and u2 along the motion", 147, exhibits=SLEIGH)
def rates_of_the_fields() -> Evidence:
    """u̇1 = −m a p1/(J + ma²)² u2, u̇2 = a p1/(J + ma²) u1, for the components of (6.2) and (6.3) in the body frame."""

    def body(z: Any) -> Array:
        k = ratio(z)
        c, d = np.cos(k * z.theta), np.sin(k * z.theta)
        return np.array([[c, z.a / k * d], [-k / z.a * d, c]])  # rows: the two fields

    def terms(s: Any) -> list[Any]:
        p1 = body_momenta(s)[0]
        i = s.J + s.m * s.a**2
        u = body(s)
        return [s.dot(body), np.stack([s.m * s.a * p1 / i**2 * u[:, 1], -s.a * p1 / i * u[:, 0]], axis=1)]

    def conserved(s: Any) -> Any:
        """The system is what makes d/dt⟨p, u⟩ vanish, for every p."""
        p1, p2 = body_momenta(s)
        rate = s.dot(body_momenta)
        i = s.J + s.m * s.a**2
        u = np.array([0.6, -1.1])
        return abs(rate @ u + p1 * (-s.m * s.a * p1 / i**2 * u[1]) + p2 * (s.a * p1 / i * u[0]))

    zero = max(float(conserved(s)) for s in sleighs())
    found = identity(sleighs(), terms)
    return Evidence(max(found.printed, zero), None, found.mutant, "rates by the multiplier witness")


@section.confirmed("§6.2, du/dθ", 148, exhibits=SLEIGH)
def slopes_of_the_fields() -> Evidence:
    """du1/dθ = −ma/(J + ma²) u2, du2/dθ = a u1."""

    def terms(s: Any) -> list[Any]:
        k = ratio(s)

        def body(angle: Array) -> Array:
            c, d = np.cos(k * angle[0]), np.sin(k * angle[0])
            return np.array([[c, s.a / k * d], [-k / s.a * d, c]])

        u = body(np.array([s.theta]))
        rate = slope(body, np.array([s.theta]))[:, :, 0]
        return [rate, np.stack([s.m * s.a / (s.J + s.m * s.a**2) * u[:, 1], -s.a * u[:, 0]], axis=1)]

    return identity(sleighs(), terms)


def _brackets(s: Any) -> Array:
    """Components of [u_i, u_j] in the frame, from the fields."""
    q = place(s)
    u = fields(s, q)
    slopes = slope(lambda z: fields(s, z), q)
    bracket = np.einsum("aj,bkj->abk", u, slopes)
    return np.einsum("abk,kc->abc", bracket - np.einsum("abk->bak", bracket), np.linalg.inv(u))


def _printed(s: Any) -> Array:
    k = ratio(s)
    c, d = np.cos(k * s.theta), np.sin(k * s.theta)
    return np.array(
        [
            [-(k**2) / s.a * c, k * d, 1],
            [-k / s.a * c * d, -(c**2), 0],
            [k**2 / s.a**2 * d**2, k / s.a * c * d, 0],
        ]
    )


@section.confirmed("§6.2, brackets and C of the conserving frame", (149, 150), exhibits=SLEIGH)
def brackets() -> Evidence:
    """[u1, u2], [u1, u3], [u2, u3] as printed, from the fields by complex steps."""

    def terms(s: Any) -> list[Any]:
        found = _brackets(s)
        return [np.array([found[0, 1], found[0, 2], found[1, 2]]), -_printed(s)]

    def wrong(s: Any) -> list[Any]:
        one, two = terms(s)
        other = two.copy()
        other[2, 0] *= -1
        return [one, other]

    return identity(sleighs(), terms, mutants=[wrong])


def _energy(s: Any, k: Any) -> list[Any]:
    """The printed terms of 2l in this frame, with ``k`` or ``a`` in the cross term of ξ2 ξ3."""
    xi = np.linalg.solve(fields(s, place(s)).T, np.array([s.thetadot, s.xdot, s.ydot]))
    angle = ratio(s) * s.theta
    return [
        2 * kinetic_energy(s)[0],
        -(s.J + s.m * s.a**2) * xi[0] ** 2,
        -s.m * xi[1] ** 2,
        -2 * s.m * s.a * np.cos(angle) * xi[0] * xi[2],
        2 * s.m * k * np.sin(angle) * xi[1] * xi[2],
        -s.m * xi[2] ** 2,
    ]


@section.misprint(
    "§6.2, Lagrangian in the conserving frame",
    151,
    right=r"l(\xi) = \frac{1}{2}((J + ma^2)(\xi^1)^2 + m(\xi^2)^2 + 2ma \cos k\theta\, \xi^1 \xi^3 - 2mk \sin "
    r"k\theta\, \xi^2 \xi^3 + m(\xi^3)^2)",
    harm=3,
    breaks="p3, and with it Hamel's equations in this frame, which need all momenta; l_c is not touched.",
    exhibits=SLEIGH,
    kind="error",
    because="u₂ = −(k/a) sin kθ e₁ + cos kθ e₂ and ⟨e₁, e₃⟩ = ma, so ⟨u₂, u₃⟩ = −mk sin kθ.",
)
def lagrangian() -> Evidence:
    """The cross term of ξ2 ξ3 is −2ma sin kθ."""
    return identity(
        planar_body(),
        lambda s: _energy(s, s.a),
        lambda s: _energy(s, ratio(s)),
        words="kinetic energy off the constraint",
    )


@section.confirmed("§6.2, constrained Lagrangian in the conserving frame", 152, exhibits=SLEIGH)
def constrained_lagrangian() -> Evidence:
    """On ξ3 = 0 it is ½((J + ma²)ξ1² + mξ2²)."""
    return identity(sleighs(), lambda s: _energy(s, 0)[:3])


@section.confirmed("§6.2, constrained Hamel equations of that frame", 153, exhibits=SLEIGH)
def constant_momenta() -> Evidence:
    """d/dt ∂l_c/∂ξ1 = d/dt ∂l_c/∂ξ2 = 0: by the witness, and by (3.4) with the printed C and the corrected l."""

    def xi(s: Any) -> Array:
        return np.linalg.solve(fields(s, place(s)).T, np.array([s.thetadot, s.xdot, s.ydot]))

    def terms(s: Any, k: Any) -> list[Any]:
        """The right sides of (3.4), c_ji^m p_m ξ^j + u_i[l], which must vanish."""
        z = xi(s)
        table = np.zeros((3, 3, 3))
        for (i, j), row in zip(((0, 1), (0, 2), (1, 2)), _printed(s)):
            table[i, j], table[j, i] = row, -row
        angle = ratio(s) * s.theta
        third = s.m * (s.a * np.cos(angle) * z[0] - k * np.sin(angle) * z[1])
        push = np.array([(s.J + s.m * s.a**2) * z[0], s.m * z[1], third])
        inner = np.einsum("jim,j,m->im", table[:2, :2], z[:2], push)
        return [inner[:, 0], inner[:, 1], inner[:, 2]]

    zero = max(float(np.max(np.abs(s.dot(xi)[:2]))) for s in sleighs())
    found = identity(sleighs(), lambda s: terms(s, ratio(s)), mutants=[lambda s: terms(s, s.a)])
    return Evidence(max(found.printed, zero), None, found.mutant, "(3.4) in this frame; rates of ξ by the witness")


@section.confirmed("§6.2, the body components do not suffice: θ is no shape variable", exhibits=SLEIGH)
def depends_on_the_heading() -> Evidence:
    """The momentum along a body-fixed direction is not constant: the conserving fields depend on the group variable θ."""

    def along(z: Any) -> Any:
        return body_momenta(z) @ np.array([0.6, -1.1])

    def kept(z: Any) -> Any:
        k = ratio(z)
        return body_momenta(z) @ np.array([np.cos(k * z.theta), z.a / k * np.sin(k * z.theta)])

    return vanish(sleighs(), lambda s: s.dot(kept), [lambda s: s.dot(along)], "rates by the multiplier witness")
