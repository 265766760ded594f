"""Suslov problem on SO(3): published facts and closed forms, with their tests."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._lie_algebra import quadratic_flow
from nonholo_papers.facts._random_states import flows, largest, largest_gap, vector
from nonholo_papers.so3 import matrix

RATES = ("w1", "w2", "w3")

Vector = Any


def _body(values: Any) -> tuple[Vector, Vector]:
    """Moments of inertia and the constraint vector."""
    return np.array([values[n] for n in ("I1", "I2", "I3")]), np.array([values[n] for n in ("a1", "a2", "a3")])


def multiplier(inertia: Vector, a: Vector, w: Vector) -> Any:
    """``λ = −I⁻¹a·(Iw × w)/(I⁻¹a·a)`` [BMZ 2009 §6.1]."""
    return -np.dot(a / inertia, np.cross(inertia * w, w)) / np.dot(a / inertia, a)


def suslov_equations(exhibit: Exhibit) -> Finding:
    """The printed equations, from the rotation matrix, Euler angles, a quaternion and the algebra alone."""
    inertia, a = _body(exhibit.parameters)
    gaps = []
    for system in (exhibit.system, *exhibit.variants.values()):
        for s, r in flows(system, exhibit.parameters, 3):
            w = vector(s, *RATES)
            push = np.cross(inertia * w, w) + multiplier(inertia, a, w) * a
            gaps += [inertia * vector(r, *RATES) - push, a @ w]
    return bounded("I w' = I w × w + λ a, a·w = 0 in four formulations", largest(gaps), 1e-11, "3 generic states each")


def spatial_momentum(exhibit: Exhibit) -> Finding:
    """``d/dt (R I w) = λ R a``."""
    inertia, a = _body(exhibit.parameters)
    gap = largest_gap(
        flows(exhibit.system, exhibit.parameters),
        lambda s: matrix(s) @ (inertia * vector(s, *RATES)),
        lambda s, r: multiplier(inertia, a, vector(s, *RATES)) * (matrix(s) @ a),
    )
    return bounded("μ' = λ a^R", gap, 1e-12, "5 generic states")


def _flow(exhibit: Exhibit, values: Any) -> tuple[Any, Vector]:
    """``z ↦ ż`` on the admissible plane, in an orthonormal basis of it (columns of the second value)."""
    from nonholo.derive.hamel import hamel

    _, a = _body(values)
    basis = np.linalg.svd(a[None, :])[2][1:].T
    basis[:, 1] *= np.sign(np.linalg.det(np.column_stack([basis, a])))
    equations = hamel(exhibit.variants["Lie algebra"], at=values)
    speeds = tuple(map(str, equations.speeds))

    def flow(z: Vector) -> Vector:
        w = dict(zip(RATES, basis @ z))
        found = equations.rates({n: w[n] for n in speeds}, values)
        return basis.T @ np.array([found[n] for n in RATES])

    return flow, basis


def divergence(exhibit: Exhibit) -> Finding:
    """``div = K ⟨ad*_{I⁻¹a} a, w⟩ = K a·(I⁻¹a × w)`` with ``K = 1/(a·I⁻¹a)``; ``T = 0`` on so(3) [BMZ 2009 (5.5)]."""
    inertia, a = _body(exhibit.parameters)
    flow, basis = _flow(exhibit, exhibit.parameters)
    slopes = quadratic_flow(flow, 2)
    gaps = []
    for z in (np.array([0.7, -1.1]), np.array([-0.4, 0.3])):
        wanted = np.dot(a, np.cross(a / inertia, basis @ z)) / np.dot(a / inertia, a)
        gaps.append(np.trace(slopes(z)) - wanted)
    return bounded("div = a·(I⁻¹a × w)/(a·I⁻¹a)", largest(gaps), 1e-12)


def measure(exhibit: Exhibit) -> Finding:
    """The divergence vanishes for the three principal axes and not for the exhibit's own a (nor for two more)."""
    generic = [(0.3, -0.5, 0.8), (0.0, 1.0, 0.2), (1.0, 1.0, 0.0)]
    sizes: dict[bool, list[float]] = {True: [], False: []}
    for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), *generic):
        flow, _ = _flow(exhibit, {**exhibit.parameters, **dict(zip(("a1", "a2", "a3"), axis))})
        trace = quadratic_flow(flow, 2)
        # a linear form on the plane vanishes when it does on a basis
        sizes[sum(map(bool, axis)) == 1].append(max(abs(np.trace(trace(e))) for e in np.eye(2)))
    kept, lost = max(sizes[True]), min(sizes[False])
    evidence = f"largest divergence {kept:.2g} for eigenvectors, smallest {lost:.2g} for others"
    return Finding(
        "measure is preserved exactly for eigenvectors",
        "holds" if kept < 1e-12 < 1e-2 < lost else "fails",
        kept,
        evidence,
    )


class Closed:
    """The closed motion: in coordinates y with energy ``|y|²/2`` on the plane ``a·w = 0``, y turns towards a fixed direction.

    With an orthonormal basis of the plane, its inertia ``M = L Lᵀ``, and ``k = (a/|a|)·I`` on it, ``y = Lᵀ z`` obeys
    ``ẏ = (κ·y/√det M) J y`` with ``κ = L⁻¹ k``, so ``y = |y| (sech u, tanh u)`` along ``(κ, Jκ)``,
    ``u = ν t + δ``, ``ν = |κ||y|/√det M``.
    """

    def __init__(self, inertia: Vector, a: Vector, w: Vector, basis: Vector) -> None:
        plane = basis.T @ np.diag(inertia) @ basis
        self.basis, self.lower = basis, np.linalg.cholesky(plane)
        kappa = np.linalg.solve(self.lower, basis.T @ (inertia * a) / np.linalg.norm(a))
        along = kappa / np.linalg.norm(kappa)
        self.frame = np.column_stack([along, [-along[1], along[0]]])
        y = self.frame.T @ self.lower.T @ basis.T @ w
        self.radius, self.side = float(np.linalg.norm(y)), float(np.sign(y[0]))
        self.rate = float(np.linalg.norm(kappa)) * self.radius / sqrt(float(np.linalg.det(plane)))
        self.shift = float(np.arctanh(y[1] / self.radius))

    def at(self, t: Vector) -> Vector:
        """w at the times t, as columns; the sense of turning follows the sign of ``κ·y``."""
        u = self.rate * t + self.shift
        y = self.radius * np.array([self.side / np.cosh(u), np.tanh(u)])
        return self.basis @ np.linalg.solve(self.lower.T, self.frame @ y)


def eigenvalue(exhibit: Exhibit) -> Finding:
    """At a steady turning the momentum flow has eigenvalues 0 and ∓ν (the third, across the constraint, is 0)."""
    inertia, a = _body(exhibit.parameters)
    flow, basis = _flow(exhibit, exhibit.parameters)
    closed = Closed(inertia, a, basis @ np.array([0.8, 0.5]), basis)
    gaps = []
    for end in (-300.0, 300.0):
        steady = basis.T @ closed.at(np.array([end / closed.rate]))[:, 0]
        found = np.linalg.eigvals(quadratic_flow(flow, 2)(steady)).real
        gaps += [np.sort(found) - np.sort([0.0, -np.sign(end) * closed.rate]), flow(steady)]
    return bounded("eigenvalues 0 and ∓ν at steady turnings", largest(gaps), 1e-9, f"ν = {closed.rate:.6g} 1/s")


def tanh_sech(exhibit: Exhibit) -> Finding:
    """The start's motion against `Closed`, and its limits."""
    from nonholo.derive.states.consistent_state import complete_state
    from nonholo.integrate.motion.simulate import simulate

    inertia, a = _body(exhibit.parameters)
    start = complete_state(exhibit.system, exhibit.start, exhibit.parameters)
    _, basis = _flow(exhibit, exhibit.parameters)
    closed = Closed(inertia, a, np.array([start[n] for n in RATES]), basis)
    run = simulate(exhibit.system, exhibit.start, exhibit.until, exhibit.parameters, rtol=1e-12, atol=1e-13)
    mine = np.array([run.data[n].values for n in RATES])
    return bounded(
        "w follows tanh and sech", largest([mine - closed.at(run.data["t"].values)]), 1e-10, f"{exhibit.until:g} s"
    )


FACTS = (
    Fact(
        "I ẇ = I w × w + λ a with the closed λ, in every set of coordinates", "BMZ 2009 §6.1", suslov_equations
    ),
    Fact("the spatial momentum moves by λ a^R", "BMZ 2009 (5.7)", spatial_momentum),
    Fact("the divergence of the momentum flow", "BMZ 2009 Theorem 5.2, (5.5)", divergence),
    Fact(
        "measure is preserved if a is an eigenvector of inertia, and only then", "BMZ 2009 Theorem 5.3", measure
    ),
    Fact("one real nonzero eigenvalue at an equilibrium", "Notices 2005, after (18)", eigenvalue),
    Fact("the motion is tanh and sech, with its limits", "closed form", tanh_sech),
)
