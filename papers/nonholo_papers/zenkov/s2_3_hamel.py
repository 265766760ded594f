"""Zenkov 2016, §§2.3, 2.4: Hamel's equations and ideal constraints."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import analytic, holds, identity, moving_system, slope, vanish
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector
from nonholo_papers.zenkov import _numeric_frame as frame

section = Section("zenkov", "2.3, 2.4 Hamel's equations, ideal constraints")
section.rest("definition", 9, 10, 11)


def _curves() -> list[SimpleNamespace]:
    return [frame.curve(seed) for seed in (1, 2, 3)]


@section.confirmed("§2.3, c = 0 where the fields commute", printed=r"c_{ij}^a = 0 \iff [u_i, u_j] = 0")
def commuting() -> Evidence:
    """The Hamel coefficients vanish if and only if the fields commute: columns of the inverse of a Jacobian do, others do not."""
    q = np.random.default_rng(4).uniform(-0.6, 0.6, (5, 3))

    texts = ["x + 0.4*sin(y)", "y + 0.3*z**2", "z + 0.1*z**3"]
    slopes = analytic([[str(se.sympify(e).diff(se.Symbol(n))) for n in "xyz"] for e in texts], "xyz")

    def straightened(places: Vector) -> Vector:
        return np.array([np.linalg.inv(slopes(place)) for place in places])

    found = vanish([q], lambda places: frame.brackets(places, straightened))
    other = float(np.min(np.max(np.abs(frame.brackets(q)), axis=(1, 2, 3))))
    return Evidence(found.printed, None, other, "brackets by complex steps at 5 generic points")


def _hamel(c: SimpleNamespace, lifted: Vector) -> list[float]:
    p = frame.momenta(c)
    return [
        frame.variation(c),
        frame.pair(frame.INTERVAL.d(p), c.eta),
        -frame.pair(frame.dual(c.c, c.xi, p), c.eta),
        -frame.pair(lifted, c.eta),
    ]


@section.confirmed("(2.2)", 12)
def hamel() -> Evidence:
    """Hamel's equations, with u_j[l] the derivative along u_j at fixed ξ."""
    return identity(
        _curves(),
        lambda c: _hamel(c, frame.directional(c)),
        words="δ∫L dt of a generic Lagrangian in coordinates, in a generic frame of R³, on 36 Chebyshev points",
    )


@section.misprint(
    "§2.3, the lift of u_i",
    printed="u_i as fields on TQ whose fibre components equal 0, that is, the vertical lift of the frame's fields",
    right="the lift with zero fibre components in (q, ξ) is a horizontal one; the vertical lift has zero base components, "
    "and along it u_j[l] would be ∂l/∂ξ^j",
    harm=2,
    breaks="with the vertical lift (2.2) reads d/dt ∂l/∂ξ^j = … + ∂l/∂ξ^j: momenta that grow",
    kind="convention",
)
def lift() -> Evidence:
    """In (2.2) the fields u_j act on functions of (q, ξ) by their vertical lifts."""
    return identity(
        _curves(),
        lambda c: _hamel(c, frame.momenta(c)),
        right=lambda c: _hamel(c, frame.directional(c)),
        words="(2.2) with both lifts against δ∫L dt",
    )


@section.confirmed("§2.3, in coordinates", printed=r"u_i = \partial/\partial q^i")
def coordinates() -> Evidence:
    """In the coordinate frame Hamel's equations are the Euler–Lagrange equations: c = 0, ξ = q̇, u_j[l] = ∂L/∂q^j."""

    def terms(c: SimpleNamespace) -> list[Vector]:
        own = frame.curve(c.seed, frame=frame.coordinate_operator)
        hamel = frame.INTERVAL.d(frame.momenta(own, frame.coordinate_operator)) - frame.dual(own.c, own.xi, own.dot)
        hamel = hamel - frame.directional(own, frame.coordinate_operator)
        slopes = [frame.gradient(frame.lagrangian, own.q, own.dot, k) for k in (0, 1)]
        return [hamel, -frame.INTERVAL.d(slopes[1]), slopes[0]]

    return identity([SimpleNamespace(seed=k) for k in (1, 2)], terms)


def _states() -> list[Any]:
    return moving_system(frame.constrained(), {}, 5)


@section.confirmed(
    "§2.4, the first m equations", printed=r"\xi^{m+1} = \cdots = \xi^n = 0, \quad (2.2)_{j = 1, \dots, m}"
)
def first_equations() -> Evidence:
    """In a frame adapted to the constraints the first m of Hamel's equations govern the constrained motion."""
    return identity(
        _states(),
        lambda p: [term[:2] for term in frame.left_over(p)],
        mutants=[lambda p: list(frame.left_over(p))],
        words="against the multiplier form of a generic system; all n equations together fail",
    )


@section.confirmed("§2.4, the other n − m equations", printed=r"(2.2)_{j = m+1, \dots, n}")
def reaction() -> Evidence:
    """The remaining equations give the reaction, which is the multiplier's covector and lies in the null space of D."""
    from nonholo.derive.laws.reactions import reactions

    known = reactions(frame.constrained())

    def terms(p: Any) -> list[Vector]:
        names = ("x", "y", "z", "xdot", "ydot", "zdot")
        found = known.at({n: getattr(p, n) for n in names}, {})
        force = np.array([found[n] for n in "xyz"])
        q, _ = frame.place(p)
        return [*frame.left_over(p), -frame.adapted(q).T @ force]

    return identity(_states(), terms, words="against the reactions of the multiplier form, all three components")


@section.confirmed("Definition 2.1, uniqueness", printed=r"\text{the reaction of ideal constraints is unique}")
def unique() -> Evidence:
    """Ideal reactions are defined uniquely by the state: the multiplier's equation A G⁻¹ Aᵀ λ = … has full rank on D."""
    ranks, repeated = [], []
    for p in _states():
        q, _ = frame.place(p)
        row = np.linalg.inv(frame.adapted(q))[2:]
        metric = slope(lambda v, q=q: frame.legendre(q, v), np.zeros(3))
        ranks.append(np.linalg.matrix_rank(np.linalg.multi_dot([row, np.linalg.inv(metric), row.T])) == 1)
        twice = np.vstack([row, row])
        repeated.append(np.linalg.matrix_rank(np.linalg.multi_dot([twice, np.linalg.inv(metric), twice.T])) == 2)
    return holds(
        ("A G⁻¹ Aᵀ is regular at 5 states", all(ranks)), against=[("also if a constraint is repeated", any(repeated))]
    )


@section.confirmed(
    "§2.4, conditional invariant manifold",
    printed=r"\text{with the reaction, } D \text{ is an invariant manifold of the forced, unconstrained system}",
)
def invariant_manifold() -> Evidence:
    """The free motion under the reaction keeps the constraint: its row on q̇ has no rate on D; without the reaction it has one."""
    from nonholo.derive.laws.reactions import reactions
    from nonholo.derive.multipliers import multipliers
    from nonholo.model.system import System

    names = ("x", "y", "z", "xdot", "ydot", "zdot")
    known = reactions(frame.constrained())
    free = multipliers(System(name="free", coordinates="x y z", lagrangian=frame.TEXT))

    def row(z: Vector) -> Vector:
        return np.linalg.inv(frame.adapted(z[:3]))[2] @ z[3:]

    def rate(p: Any, reaction: float) -> float:
        state = {n: getattr(p, n) for n in names}
        q, v = frame.place(p)
        metric = slope(lambda u: frame.legendre(q, u), np.zeros(3))
        push = reaction * np.array([known.at(state, {})[n] for n in "xyz"])
        unforced = np.array([free.rates(state, {})[f"{n}dot"] for n in "xyz"])
        change = np.concatenate([v, unforced + np.linalg.solve(metric, push)])
        return float(slope(row, np.concatenate([q, v])) @ change)

    return vanish(_states(), lambda p: rate(p, 1.0), [lambda p: rate(p, 0.0), lambda p: rate(p, 2.0)])
