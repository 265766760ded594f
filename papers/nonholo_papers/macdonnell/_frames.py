"""A frame α_i(q) on the coordinates of `_affine`, its brackets, and what Poincaré's equations are made of."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.evidence import slope
from nonholo_papers.macdonnell import _affine as affine
from nonholo_papers.macdonnell._fields import along, brackets, lie, table

Array = Any
FRAME = (
    ("1 + q2/4", "q3/5", "1/3", "q1/6"),
    ("q3/7", "1 + sin(q1)/4", "q4/5", "1/4"),
    ("q1*q2/6", "1/5", "1 + q3**2/6", "q2/7"),
    ("1/6", "q4/4", "cos(q2)/5", "1 + q1/5"),
)
"""Row i is α_i."""


@lru_cache
def rows() -> Any:
    """The frame as a function of q: row i is α_i."""
    return table(FRAME, affine.NAMES)


def fields() -> list[Any]:
    """The four fields."""
    return [lambda q, i=i: rows()(q)[i] for i in range(4)]


def quasi(q: Array, v: Array) -> Array:
    """μ of a velocity."""
    return np.linalg.solve(rows()(q).T, v)


def velocity(q: Array, mu: Array) -> Array:
    """q̇ = μ^j α_j."""
    return mu @ rows()(q)


@lru_cache
def states(natural: bool = False, affine_constraints: bool = True) -> tuple[SimpleNamespace, ...]:
    """States of `_affine` with μ, the brackets, L̄ and its derivatives in the frame."""
    f = affine.functions(natural)
    found = []
    for p in affine.states(natural, affine_constraints):
        s = SimpleNamespace(**vars(p))
        s.alpha = rows()(p.q)
        s.slopes = slope(rows(), p.q)  # [i, j, k] = ∂_k α_i^j
        s.mu = quasi(p.q, p.v)
        s.brackets = brackets(fields(), fields(), p.q)  # [i, j, component]
        s.C = np.einsum("ijn,nk->ijk", s.brackets, np.linalg.inv(s.alpha))
        # L̄(q, μ): slopes at fixed μ, by complex steps
        s.bar_pull = slope(lambda q, mu=s.mu: f.L(q, velocity(q, mu)), p.q)[0]
        s.bar_push = slope(lambda mu, q=p.q: f.L(q, velocity(q, mu)), s.mu)[0]
        s.bar_push_rate = _rate(lambda q, v: rows()(q) @ f.push(q, v), p)
        s.bar_field = s.alpha @ p.field @ s.alpha.T
        s.bar_rows = p.rows @ s.alpha.T  # [j, i] = ⟨B^j, α_i⟩
        if natural:
            s.metric = f.metric(p.q)
            s.gram = s.alpha @ s.metric @ s.alpha.T
            s.gram_slopes = np.stack(
                [along(lambda q: rows()(q) @ f.metric(q) @ rows()(q).T, p.q, a) for a in s.alpha]
            )  # [i, j, k] = α_i{K(α_j, α_k)}
            s.lie = np.stack([s.alpha @ lie(f.metric, field, p.q) @ s.alpha.T for field in fields()])
            s.momentum_rate_bar = _rate(lambda q, v: rows()(q) @ f.metric(q) @ v, p)
            s.push_up = np.array([float(along(f.potential, p.q, a)[0]) for a in s.alpha])  # α_i U
        found.append(s)
    return tuple(found)


def _rate(function: Any, p: SimpleNamespace) -> Array:
    step = 1e-30
    return np.imag(function(p.q + 1j * step * p.v, p.v + 1j * step * p.a)) / step
