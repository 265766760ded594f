"""The Lagrange–d'Alembert principle: (1)–(4) and the curvature of an Ehresmann connection."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.bmz import _constrained as ground
from nonholo_papers.bmz._generic_frame import frame
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import analytic, identity, slope, symbolic
from nonholo_papers.section import Section

Array = Any
section = Section("notices", "The Lagrange–d'Alembert principle")
section.rest("definition", 1, 5)
section.rest("principle, from which the motion is defined; its consequence is (3)", 2, "Definition 1")
section.uncheckable(
    "The principle, linear constraints cover essentially all physical systems",
    (),
    "A judgement on which systems are of interest.",
    "Constraints linear in the velocities suffice.",
)
WORDS = "two shape variables, two constraints that depend on r and s; rates by the multiplier witness"
R, S = slice(0, 2), slice(2, 4)


def connection(q: Array) -> Array:
    """``A[a, α]`` of (1): the ground's rows say ṡ = rows ṙ."""
    return -ground._rows(q)[:, R]


def curvature(a: Any, q: Array) -> Array:
    """``B[b, α, β]`` as printed, for a connection ``a(q)`` on q = (r, s)."""
    here, slopes = a(q), slope(a, q)  # [b, α, j]
    first = slopes[:, :, R]  # ∂A^b_α/∂r^β
    second = np.einsum("ax,bya->bxy", here, slopes[:, :, S])  # A^a_α ∂A^b_β/∂s^a
    return first - np.einsum("bxy->byx", first) + second - np.einsum("bxy->byx", second)


def kinetic(q: Array, rate: Array) -> Any:
    """``L``."""
    return rate @ ground._metric(q) @ rate / 2 - ground._potential(q)[0, 0]


def full_rate(s: Any) -> Array:
    """q̇."""
    return np.array([s.q1dot, s.q2dot, s.q3dot, s.q4dot])


@lru_cache
def places() -> tuple[SimpleNamespace, ...]:
    """States with L's derivatives and those of L_c."""
    found = []
    for t in ground.places():
        s, q = t.state, t.q
        rate = full_rate(s)

        def reduced_momentum(z: Any) -> Array:
            """∂L_c/∂ṙ."""
            place = ground.place(z)
            lift = np.concatenate([np.eye(2), -connection(place)])
            return lift.T @ ground._metric(place) @ full_rate(z)

        def constrained(z: Array, rdot: Array = rate[R]) -> Any:
            """L_c at fixed ṙ."""
            return kinetic(z, np.concatenate([np.eye(2), -connection(z)]) @ rdot)

        found.append(
            SimpleNamespace(
                state=s,
                q=q,
                rate=rate,
                A=connection(q),
                B=curvature(connection, q),
                push=ground._metric(q) @ rate,
                inertia=s.dot(lambda z: ground._metric(ground.place(z)) @ full_rate(z)),
                force=slope(lambda z, d=rate: kinetic(z, d), q),
                reduced=s.dot(reduced_momentum),
                slopes=slope(constrained, q),
            )
        )
    return tuple(found)


@section.conditional(
    "(2), −δL",
    3,
    reason="Up to a total derivative: −δL = (d/dt ∂L/∂q̇ − ∂L/∂q)δq − d/dt(∂L/∂q̇ δq), whose integral is what "
    "vanishes for fixed ends.",
    harm=1,
    breaks="Read pointwise, −δL is not zero along a motion, only its integral is.",
    kind="convention",
)
def variation_of_the_lagrangian() -> Evidence:
    """−δL = (d/dt ∂L/∂q̇ − ∂L/∂q) δq at each time of a curve."""
    f = frame()
    push = [f.on(f.L.diff(e)) for e in f.rate]
    vary = sum(f.on(f.L.diff(x)) * d for x, d in zip(f.q, f.w)) + sum(p * d for p, d in zip(push, f.wdot))
    lagrange = sum(e * d for e, d in zip(f.lagrange, f.w))
    total = sum(f.along(p) * d for p, d in zip(push, f.w)) + sum(p * d for p, d in zip(push, f.wdot))
    return symbolic(
        [[-vary, -lagrange]], [[-vary, -lagrange, total]], words="an arbitrary curve and variation, 40 digits"
    )


@section.confirmed("(3)", 4)
def eliminated() -> Evidence:
    """d/dt ∂L/∂ṙ − ∂L/∂r = A(d/dt ∂L/∂ṡ − ∂L/∂s)."""
    return identity(
        places(),
        lambda t: [t.inertia[R], -t.force[R], -t.A.T @ t.inertia[S], t.A.T @ t.force[S]],
        words=WORDS,
    )


@section.confirmed("(4)", 6)
def voronetz() -> Evidence:
    """d/dt ∂L_c/∂ṙ − ∂L_c/∂r + A ∂L_c/∂s = −∂L/∂ṡ^b B^b_αβ ṙ^β."""

    def terms(t: Any, order: str = "b,bxy,y->x") -> list[Any]:
        gyro = np.einsum(order, t.push[S], t.B, t.rate[R])
        return [t.reduced, -t.slopes[R], t.A.T @ t.slopes[S], gyro]

    return identity(places(), terms, mutants=[lambda t: terms(t, "b,byx,y->x")], words=WORDS)


@section.confirmed("after (4), B", 7)
def curvature_formula() -> Evidence:
    """B^b_αβ are the components of [X_α, X_β] for X_α = ∂_α − A^a_α ∂_a, by complex steps of the fields."""

    def terms(t: Any) -> list[Any]:
        def fields(q: Array) -> Array:
            return np.concatenate([np.eye(2), -connection(q)]).T

        slopes = slope(fields, t.q)  # [α, k, j]
        bracket = np.einsum("xj,ykj->xyk", fields(t.q), slopes)
        bracket = bracket - np.einsum("xyk->yxk", bracket)
        first = slope(connection, t.q)
        parts = [
            first[:, :, R],
            -np.einsum("bxy->byx", first[:, :, R]),
            np.einsum("ax,bya->bxy", t.A, first[:, :, S]),
            -np.einsum("ay,bxa->bxy", t.A, first[:, :, S]),
        ]
        return [np.einsum("xyk->kxy", bracket)[S], *(-p for p in parts)]

    return identity(places(), terms)


@section.confirmed("after (4), B vanishes precisely when the constraints are holonomic")
def integrable() -> Evidence:
    """B = 0 for ṡ = d/dt of functions of r and s (s1 = c1 e^f, s2 = c2 + g), and not for the generic connection."""
    closed = analytic((("-q3*cos(q1)*q2", "-q3*sin(q1)"), ("-q2", "-q1 - 2*q2")), ground.Q)
    flat = max(float(np.max(np.abs(curvature(closed, t.q)))) for t in places())
    curved = min(float(np.max(np.abs(t.B))) for t in places())
    return Evidence(flat, mutant=curved, words="ṡ1 = s1 d/dt(r2 sin r1), ṡ2 = d/dt(r1 r2 + r2²)")


section.uncheckable(
    "after (4), an Ehresmann connection on the tangent bundle TQ",
    (),
    "A slip of words: the connection is on the bundle Q → R, (r, s) ↦ r, whose vertical directions are those of s.",
    "The constraints define an Ehresmann connection on TQ.",
)
