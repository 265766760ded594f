"""Sequences for the discrete equations: places q_k, velocities ξ_{k,k+1} and variations η_k of a generic system on R³."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.spectral import Vector, along
from nonholo_papers.zenkov import _numeric_frame as frame


def sequence(
    seed: int = 1, tau: float = 0.3, h: float = 0.2, count: int = 5, field: Any = frame.operator
) -> SimpleNamespace:
    """``count`` intervals; the ξ are those of the kinematic equation; η_0 = η_N = 0."""
    random = np.random.default_rng(seed)
    q = np.cumsum(random.uniform(-0.2, 0.2, (count + 1, 3)), axis=0)
    eta = random.uniform(-1, 1, (count + 1, 3))
    eta[0] = eta[-1] = 0
    middle = (1 - tau) * q[:-1] + tau * q[1:]
    psi = field(middle)
    xi = np.linalg.solve(psi, ((q[1:] - q[:-1]) / h)[..., None])[..., 0]
    return completed(
        SimpleNamespace(q=q, eta=eta, middle=middle, psi=psi, xi=xi, tau=tau, h=h, count=count, field=field)
    )


def completed(p: SimpleNamespace) -> SimpleNamespace:
    """Momenta, pushes, brackets and the variations (5.7), (5.8), from places, velocities and η."""
    p.mixed = (1 - p.tau) * p.eta[:-1] + p.tau * p.eta[1:]
    p.c = frame.brackets(p.middle, p.field)
    p.momenta = frame.gradient(lambda a, b: density(p, a, b), p.middle, p.xi, 1)
    p.slopes = frame.gradient(lambda a, b: density(p, a, b), p.middle, p.xi, 0)
    p.pushes = np.einsum("nki,nk->ni", p.psi, p.slopes)
    p.turns = frame.dual(p.c, p.xi, p.momenta)
    p.shift = np.einsum("nki,ni->nk", p.psi, p.mixed)
    p.change = (p.eta[1:] - p.eta[:-1]) / p.h + frame.bracket(p.c, p.xi, p.mixed)
    return p


def density(p: SimpleNamespace, q: Vector, xi: Vector) -> Vector:
    """``l^d = h l(q_{k+τ}, ξ_{k,k+1})``."""
    return p.h * frame.in_frame(q, xi, p.field)


def variation(p: SimpleNamespace) -> float:
    """``δs^d`` along (5.7), (5.8), by a complex step in the size of the variation."""
    return float(along(lambda a, b: np.sum(density(p, a, b)), (p.middle, p.xi), (p.shift, p.change)))


def earlier(values: Vector) -> Vector:
    """The interval before each inner node."""
    return values[:-1]


def later(values: Vector) -> Vector:
    """The interval after each inner node."""
    return values[1:]


def hamel_terms(p: SimpleNamespace) -> list[Vector]:
    """The terms of (5.6) at the inner nodes."""
    return [
        (earlier(p.momenta) - later(p.momenta)) / p.h,
        p.tau * earlier(p.pushes),
        (1 - p.tau) * later(p.pushes),
        p.tau * earlier(p.turns),
        (1 - p.tau) * later(p.turns),
    ]


def paired(p: SimpleNamespace, terms: list[Vector]) -> list[float]:
    """``Σ_{k=1}^{N−1} ⟨…, η_k⟩`` of each term."""
    return [float(np.sum(term * p.eta[1:-1])) for term in terms]
