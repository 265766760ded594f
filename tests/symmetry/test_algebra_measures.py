"""Invariant measures on random Lie algebras, unimodular or not, with constraints and with vectors that the algebra moves.

The reference has no code in common with the package. On the algebra ``g`` with metric ``I``, admissible subspace ``D`` and the
orthogonal projection ``P`` on ``D``, the flow ``v̇ = P I⁻¹ ad*_v I v`` has the divergence ``tr(P ad_v|D)``: with orthonormal
``e_α`` in ``D``, ``Σ ⟨I v, [e_α, e_α]⟩ + ⟨I e_α, [v, e_α]⟩``. For one constraint ``a`` this is BMZ (5.5): ``tr ad_v`` less the
share of the normal ``I⁻¹ a``. A vector ``x`` with ``ẋ = A(v) x`` adds ``tr A(v)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy.optimize import least_squares

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate

Array = Any
TINY = 1e-9


@dataclass(frozen=True)
class Case:
    """Constants ``c[i, j, a]``, metric, rows of constraints, matrices ``A_i`` on x (or none) and a potential of x."""

    c: Array
    metric: Array
    rows: Array
    action: Array
    slope: Array
    spring: Array

    @property
    def basis(self) -> Array:
        """Admissible velocities, one in each column."""
        if not len(self.rows):
            return np.eye(len(self.c))
        return np.linalg.svd(self.rows)[2][len(self.rows) :].T

    @property
    def trace(self) -> Array:
        """``Θ_b``: the divergence is ``Θ_b z^b``."""
        root = np.linalg.cholesky(np.linalg.inv(self.basis.T @ self.metric @ self.basis))
        e = self.basis @ root
        ad = np.einsum("ija,ib->baj", self.c, self.basis)
        own = np.einsum("ka,km,bmj,ja->b", e, self.metric, ad, e)
        return own + np.einsum("ib,ikk->b", self.basis, self.action)

    def rates(self, states: Array) -> Array:
        """Rates of x and z at many states."""
        size = self.action.shape[1]
        x, z = states[:, :size], states[:, size:]
        b = self.basis
        v = z @ b.T
        moved = np.einsum("ikl,nl->nik", self.action, x)
        pull = np.einsum("ija,ni,na->nj", self.c, v, v @ self.metric)
        pull -= np.einsum("nik,nk->ni", moved, self.slope + x @ self.spring)
        return np.column_stack([np.einsum("ni,nik->nk", v, moved), pull @ b @ np.linalg.inv(b.T @ self.metric @ b)])

    def system(self) -> nh.System:
        names = [f"e{k + 1}" for k in range(len(self.c))]
        places = [f"x{k + 1}" for k in range(self.action.shape[1])]
        energy = " + ".join(f"({m})/2*{p}*{q}" for p, row in zip(names, self.metric) for q, m in zip(names, row))
        energy += "".join(f" - ({s})*{p}" for p, s in zip(places, self.slope))
        energy += "".join(f" - ({s})/2*{p}*{q}" for p, row in zip(places, self.spring) for q, s in zip(places, row))
        rows = [" + ".join(f"({a})*{n}" for a, n in zip(row, names)) for row in self.rows]
        frame = nh.LieAlgebra(self.c.tolist(), rates=names)
        if places:
            anchor = [
                [" + ".join(f"({self.action[i, k, l]})*{q}" for l, q in enumerate(places)) for i in range(len(names))]
                for k in range(len(places))
            ]
            frame = nh.Frame(places, names, anchor, brackets=self.c.tolist())
        return nh.System(frame=frame, lagrangian=energy, constraints=rows)


def algebra(random: np.random.Generator, size: int) -> Array:
    """A product of algebras that are semisimple, nilpotent or ``R ⋉ R^k``, in a basis of small whole numbers."""
    c = np.zeros((size, size, size), dtype=int)
    at = 0
    while at < size:
        left = size - at
        kind = random.choice(["line", "shear", "so3", "sl2", "heisenberg"]) if left > 2 else random.choice(["line", "shear"])
        if kind == "shear" and left > 1:
            width = int(random.integers(1, min(left, 4)))
            turn = random.integers(-2, 3, (width, width))
            if random.integers(2):
                turn[0, 0] -= np.trace(turn)
            for j in range(width):
                c[at, at + 1 + j, at + 1 : at + 1 + width] = turn[:, j]
            at += width + 1
        elif kind in ("so3", "sl2", "heisenberg"):
            i, j, k = at, at + 1, at + 2
            c[i, j, k] = 1
            if kind != "heisenberg":
                c[j, k, i], c[k, i, j] = (1, 1) if kind == "so3" else (-1, 1)
            at += 3
        else:
            at += 1
    c = c - np.swapaxes(c, 0, 1)
    c = np.where(np.abs(c) > 0, c, 0)
    mixing = np.eye(size, dtype=int)
    for _ in range(size - 1):
        i, j = random.choice(size, 2, replace=False)
        mixing[i] += int(random.choice([-1, 1])) * mixing[j]
    inverse = np.rint(np.linalg.inv(mixing)).astype(int)
    return np.einsum("ip,jq,pqr,ra->ija", mixing, mixing, c, inverse)


def case(seed: int) -> Case:
    random = np.random.default_rng(seed)
    size = int(random.integers(2, 7))
    c = algebra(random, size)
    half = random.integers(-1, 2, (size, size))
    metric = half @ half.T + np.diag(random.integers(1, 4, size))
    count = int(random.integers(0, min(size, 4))) if seed % 3 else 0
    rows = random.integers(-2, 3, (count, size))
    while count and np.linalg.matrix_rank(rows) < count:
        rows = random.integers(-2, 3, (count, size))
    kind = seed % 4
    if kind < 2:
        action = np.zeros((size, 0, 0), dtype=int)
    else:  # x in the dual or in the algebra: as fields [u_i, u_j] = c_ij^a u_a
        ad = np.swapaxes(c, 1, 2)  # ad[i] is the matrix of ad_i
        action = np.swapaxes(ad, 1, 2) if kind == 2 else -ad
    width = action.shape[1]
    slope, spring = random.integers(-2, 3, width), np.diag(random.integers(-1, 3, width))
    if seed % 8 > 5:
        slope, spring = 0 * slope, 0 * spring
    return Case(c, metric, rows, action, slope, spring)


def divergence(one: Case, state: Array, step: float = 1e-3) -> float:
    """By differences, which are exact for rates of the second degree."""
    unit = np.eye(len(state)) * step
    return float(np.trace(one.rates(state + unit) - one.rates(state - unit)) / (2 * step))


def moved(one: Case, states: Array, until: float, count: int = 90) -> Array:
    """By Runge and Kutta."""
    h = until / count
    for _ in range(count):
        a = one.rates(states)
        b = one.rates(states + h / 2 * a)
        c = one.rates(states + h / 2 * b)
        states = states + h / 6 * (a + 2 * b + 2 * c + one.rates(states + h * c))
    return states


def expansion(one: Case, start: Array, until: float) -> tuple[float, Array]:
    """The logarithm of a small volume after a time, over what it was; and where its middle went."""
    step = 1e-4
    corners = np.vstack([start, start + step * np.eye(len(start)), start - step * np.eye(len(start))])
    ends = moved(one, corners, until)
    size = len(start)
    return float(np.linalg.slogdet((ends[1 : size + 1] - ends[size + 1 :]) / (2 * step))[1]), ends[0]


def excluded(one: Case) -> bool:
    """Whether ``X_b[ln f] = −Θ_b`` has no solution near a generic x: the metric is constant, so ``Θ`` is zero along brackets."""
    size = one.action.shape[1]
    pairs = [np.append(a, -t) for a, t in zip(np.einsum("ib,ikl->bkl", one.basis, one.action), one.trace)]
    first = list(pairs)
    grown = True
    while grown:
        grown = False
        for p in first:
            for q in list(pairs):
                a, b = (m[:-1].reshape(size, size) for m in (p, q))
                new = np.append(b @ a - a @ b, 0.0)
                length = np.linalg.norm(new)
                if length > TINY and np.linalg.matrix_rank([*pairs, new / length], tol=1e-7) > len(pairs):
                    pairs.append(new / length)
                    grown = True
    x = np.random.default_rng(3).normal(size=size)
    moved = np.array([np.append(m[:-1].reshape(size, size) @ x, m[-1]) for m in pairs])
    ranks = [np.linalg.matrix_rank(m, tol=1e-7) if m.size else 0 for m in (moved, moved[:, :-1])]
    return bool(ranks[0] > ranks[1])


def contracting(one: Case) -> bool:
    """Whether a state at rest with a divergence that is not zero exists; with no potential the origin of all serves as one."""
    if not np.any(one.slope) and not np.any(one.spring):
        return True
    size = one.action.shape[1]

    def residual(state: Array) -> Array:
        return np.append(one.rates(state[None])[0], one.trace @ state[size:] - 1)

    random = np.random.default_rng(7)
    width = size + one.basis.shape[1]
    found = (least_squares(residual, random.normal(size=width), xtol=1e-15, ftol=1e-15) for _ in range(20))
    return any(np.max(np.abs(one.fun)) < 1e-8 for one in found)


def theorem(one: Case) -> bool:
    """BMZ (5.5), (5.6) for one constraint ``a``: ``K ad*_{I⁻¹a} a + T`` is a multiple of ``a``."""
    (a,) = one.rows
    x = np.linalg.solve(one.metric, a)
    covector = np.einsum("ija,i,a->j", one.c, x, a) / (a @ x) + np.einsum("jkk->j", one.c)
    return bool(np.max(np.abs(covector - a * (covector @ x) / (a @ x))) < TINY)


def examine(seed: int) -> str:
    """Compare the measure of one system with its divergence, with the volumes that its flow carries, and with the theorems."""
    one = case(seed)
    random = np.random.default_rng(1000 + seed)
    found = nh.measure(one.system())
    size = one.action.shape[1]
    states = 0.25 * random.normal(size=(4, size + one.basis.shape[1]))
    for s in states:
        assert divergence(one, s) == pytest.approx(float(one.trace @ s[size:]), abs=1e-8)
    volumes = [expansion(one, s, 0.4) for s in states]
    unimodular = np.max(np.abs(one.trace), initial=0.0) < TINY
    assert found.proved or found.verdict == "unknown"
    if unimodular or not size:
        assert found.verdict == ("holds" if unimodular else "fails")
    if not size and len(one.rows) == 1:
        assert bool(found) == theorem(one)
    if found:
        places = [f"x{k + 1}" for k in range(size)]
        for s, (grown, end) in zip(states, volumes):
            f = [evaluate([found.expression], dict(zip(places, p[:size].tolist())))[0] for p in (s, end)]
            assert min(f) > 0
            assert np.log(f[1] / f[0]) + grown == pytest.approx(0, abs=1e-5)
    else:
        assert max(abs(g) for g, _ in volumes) > 1e-6
    if found.verdict == "fails":
        assert excluded(one) or contracting(one)
    return found.verdict


@pytest.mark.parametrize("first", [0, 12, *(pytest.param(k, marks=pytest.mark.slow) for k in (24, 36, 48))])
def test_measures_on_random_algebras(first: int) -> None:
    for seed in range(first, first + 12):
        examine(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(60, 300, 40))
def test_measures_on_more_random_algebras(first: int) -> None:
    for seed in range(first, first + 40):
        examine(seed)
