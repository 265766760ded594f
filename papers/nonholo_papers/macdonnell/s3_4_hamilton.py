"""§3.4: Hamilton's principle with constraints and a magnetic form; §3.5: natural Lagrangians."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, together, worst
from nonholo_papers.macdonnell import _affine as affine
from nonholo_papers.section import Section
from nonholo_papers.spectral import chebyshev
from nonholo_papers.spectral import slope as slope_along

Array = Any
section = Section("macdonnell", "3.4 Hamilton's principle, 3.5 Natural Lagrangians")
section.rest("notation: q̇^i for the 1-form dq^i", 112, 113)
section.rest("definition", 116, 117, "Definition 3.5.1", "Definition 3.5.2")


@lru_cache
def _curve(moving: bool) -> SimpleNamespace:
    """q, q̇ on a grid of times: the motion from a generic state, or a curve that is none; and a variation, not in D."""
    grid = chebyshev(28, 0.0, 0.8)
    t = grid.points
    if moving:
        from nonholo_papers.motion import integrated

        p = affine.states()[0]
        start = dict(zip(affine.NAMES, p.q)) | dict(zip((f"{n}dot" for n in affine.NAMES), p.v))
        run = integrated(affine.system(), start, t, rtol=1e-12)
        q = np.column_stack([getattr(run, n) for n in affine.NAMES])
        v = np.column_stack([getattr(run, f"{n}dot") for n in affine.NAMES])
    else:
        q = np.column_stack([np.sin(t) + 0.2, 0.3 - t**2, np.cos(2 * t), 0.5 * t + 0.1])
        v = grid.d(q)
    free = np.column_stack([0.4 + t, np.cos(t), 0.7 - t**2, np.sin(2 * t) + 0.3])
    f = affine.functions()
    inside = []
    for place, way in zip(q, free):  # the first and third components are free, B δq = 0 gives the others
        rows = f.rows(place)
        rest = np.linalg.solve(rows[:, [1, 3]], -rows[:, [0, 2]] @ way[[0, 2]])
        inside.append([way[0], rest[0], way[2], rest[1]])
    return SimpleNamespace(grid=grid, q=q, v=v, free=free, inside=np.array(inside))


def _each(function: Any, c: SimpleNamespace) -> Array:
    return np.array([function(q, v) for q, v in zip(c.q, c.v)])


def _variation(c: SimpleNamespace, way: Array) -> float:
    """d/ds ∫L along q + s δq."""
    f = affine.functions()
    rates = c.grid.d(way)

    def action(s: float) -> Any:
        return c.grid.total(np.array([f.L(q, v)[0] for q, v in zip(c.q + s * way, c.v + s * rates)]))

    return float(slope_along(action, 0.05, 8))


@section.confirmed("§3.4, the variation of the action", (108, 109, 110))
def variation() -> Evidence:
    """δ∫L dt = ∫(∂L/∂q δq + ∂L/∂q̇ dδq/dt) = ∫(∂L/∂q − (∂L/∂q̇)')δq + [∂L/∂q̇ δq], for any curve."""
    f = affine.functions()

    def first(c: SimpleNamespace) -> list[float]:
        push, pull = _each(f.push, c), _each(f.pull, c)
        return [
            _variation(c, c.free),
            -float(c.grid.total(np.sum(pull * c.free, 1))),
            -float(c.grid.total(np.sum(push * c.grid.d(c.free), 1))),
        ]

    def second(c: SimpleNamespace) -> list[float]:
        push, pull = _each(f.push, c), _each(f.pull, c)
        ends = push[-1] @ c.free[-1] - push[0] @ c.free[0]
        force = np.sum((pull - c.grid.d(push)) * c.free, 1)
        return [_variation(c, c.free), -float(c.grid.total(force)), -float(ends)]

    found = [identity([_curve(False)], form) for form in (first, second)]
    return together(found, "∫L along shifted curves, on 28 times")


def _terms(c: SimpleNamespace, way: Array, sign: int, reactions: bool) -> list[float]:
    f = affine.functions()
    push = _each(f.push, c)
    turning = float(c.grid.total(np.array([v @ f.field(q) @ w for q, v, w in zip(c.q, c.v, way)])))
    ends = float(push[-1] @ way[-1] - push[0] @ way[0])
    found = [_variation(c, way), sign * turning, -ends]
    if reactions:
        force = c.grid.d(push) - _each(f.pull, c) - np.array([f.field(q) @ v for q, v in zip(c.q, c.v)])
        rows = np.array([f.rows(q) for q in c.q])
        lambdas = np.array([np.linalg.lstsq(r.T, e, rcond=None)[0] for r, e in zip(rows, force)])
        found.append(float(c.grid.total(np.einsum("tj,tji,ti->t", lambdas, rows, way))))
    return found


@section.misprint(
    "§3.4, the variation along a trajectory",
    (111, 114),
    right=r"\delta \int L\,dt - \int M(\dot{q}, \delta q)\,dt = \langle FL, \delta q \rangle |_{t_1}^{t_2} - \int \lambda_j "
    r"B_i^j \delta q^i\,dt, \quad \text{since } M_{ij}\dot q^j\delta q^i = -M(\dot q, \delta q)",
    harm=3,
    breaks="The magnetic force turns the other way.",
    kind="error",
    because="(3.1) times δq^i: the magnetic term is M_ij q̇^j δq^i = M(δq, q̇) = −M(q̇, δq).",
)
def along() -> Evidence:
    """Of any variation of a trajectory: the sign of the magnetic term is wrong (its indices are exchanged)."""
    c = _curve(True)
    return identity(
        [c],
        lambda c: _terms(c, c.free, 1, True),
        lambda c: _terms(c, c.free, -1, True),
        words="a motion of the multiplier witness, varied; affine constraints and M",
    )


@section.misprint(
    "(3.3), Proposition 3.4.1",
    (115, "Proposition 3.4.1"),
    right=r"\delta \int_{t_1}^{t_2} L\,dt - \int_{t_1}^{t_2} M(\dot{q}, \delta q)\,dt = \langle FL, \delta q \rangle "
    r"|_{t_1}^{t_2}",
    harm=3,
    breaks="Hamilton's principle gives motions in the magnetic field −M; the proposition holds with the right sign only.",
    kind="error",
    because=(
        "(3.1) times δq^i has M(δq, q̇) = −M(q̇, δq). With the printed sign a charge in a uniform field runs "
        "through its circle the other way."
    ),
)
def principle() -> Evidence:
    """Trajectories satisfy (3.3) for δq ∈ D, with the other sign of M; other curves do not."""
    c = _curve(True)
    found = identity(
        [c],
        lambda c: _terms(c, c.inside, 1, False),
        lambda c: _terms(c, c.inside, -1, False),
        words="a motion of the multiplier witness, δq ∈ D; a curve that is no motion is the mutant",
    )
    other = identity([_curve(False)], lambda c: _terms(c, c.inside, -1, False))
    return Evidence(found.printed, found.right, min(found.mutant or 0, other.printed), found.words)


def _natural(p: SimpleNamespace, way: Array) -> Any:
    return affine.functions(True).L(p.q, p.v + way)[0]


RHO, SIGMA = np.array([0.7, -0.4, 1.1, 0.3]), np.array([-0.5, 0.9, 0.2, 0.8])


@section.confirmed("Lemma 3.5.1", (118, 119, "Lemma 3.5.1"))
def legendre() -> Evidence:
    """⟨FL(τ), ρ⟩ = K(τ, ρ) for L = ½K − U."""

    def terms(p: SimpleNamespace) -> list[float]:
        metric = affine.functions(True).metric(p.q)
        return [float(slope_along(lambda s: _natural(p, s * RHO), 0.3, 6)), -float(p.v @ metric @ RHO)]

    return identity(affine.states(True), terms)


@section.confirmed("Lemma 3.5.2", "Lemma 3.5.2", printed=r"FL: TQ \to T^*Q \text{ is a diffeomorphism}")
def diffeomorphism() -> Evidence:
    """FL of a natural Lagrangian is one to one and onto in each fibre: τ = K⁻¹FL(τ); a degenerate K would not do."""
    f = affine.functions(True)

    def terms(p: SimpleNamespace) -> list[Any]:
        return [np.linalg.solve(f.metric(p.q), f.push(p.q, p.v)), -p.v]

    found = identity(affine.states(True), terms)
    least = min(float(np.min(np.linalg.eigvalsh(f.metric(p.q)))) for p in affine.states(True))
    return Evidence(
        worst(found.printed, float(least < 0.1)), None, found.mutant, "inverse by K⁻¹; least eigenvalue of K above 0.1"
    )


@section.confirmed("Lemma 3.5.3", (120, 121, "Lemma 3.5.3"))
def second() -> Evidence:
    """F²L(τ) = K for all τ."""

    def terms(p: SimpleNamespace) -> list[float]:
        def once(u: float) -> Any:
            return slope_along(lambda s: _natural(p, u * SIGMA + s * RHO), 0.3, 6)

        return [float(slope_along(once, 0.3, 6)), -float(RHO @ affine.functions(True).metric(p.q) @ SIGMA)]

    return identity(affine.states(True), terms)


@section.confirmed("Lemma 3.5.4", (122, 123, "Lemma 3.5.4"))
def energy() -> Evidence:
    """E = K(τ) + U for a natural Lagrangian."""
    f = affine.functions(True)

    def terms(p: SimpleNamespace) -> list[float]:
        pairing = float(slope_along(lambda s: _natural(p, s * p.v), 0.3, 6))
        return [
            pairing,
            -float(_natural(p, 0 * p.v)),
            -float(p.v @ f.metric(p.q) @ p.v / 2),
            -float(f.potential(p.q)[0]),
        ]

    return identity(affine.states(True), terms)
