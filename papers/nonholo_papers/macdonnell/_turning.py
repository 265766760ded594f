"""Rigid bodies in numbers: places q = (W, x) of twelve entries, fields on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nonholo_papers.so3 import hat, vee

Array = Any
UP = np.array([0.0, 0.0, 1.0])
LEVEL = hat(UP)
"""A(e3)."""


def pack(turned: Array, place: Array) -> Array:
    """(W, x) as one array."""
    return np.concatenate([np.asarray(turned).reshape(-1), place])


def unpack(q: Array) -> tuple[Array, Array]:
    """W and x."""
    return q[:9].reshape(3, 3), q[9:]


def body(spin: Callable[[Array, Array], Array], move: Callable[[Array, Array], Array]) -> Callable[[Array], Array]:
    """The field (ω, ẋ) given by two functions of (W, x), on q: Ẇ = WA(ω)."""

    def field(q: Array) -> Array:
        turned, place = unpack(q)
        return pack(turned @ hat(spin(turned, place)), move(turned, place) + 0 * place)

    return field


def pair(q: Array, way: Array) -> Array:
    """(ω, ẋ) of a tangent vector at q, six numbers."""
    turned, _ = unpack(q)
    return np.concatenate([vee(turned.T @ way[:9].reshape(3, 3)), way[9:]])


def product(q: Array, one: Array, two: Array, inertia: Array, mass: Any) -> Any:
    """K((λ, u), (μ, v)) = λᵀJμ + m uᵀv of two tangent vectors at q."""
    a, b = pair(q, one), pair(q, two)
    return a[:3] @ inertia @ b[:3] + mass * a[3:] @ b[3:]


def cloud(random: np.random.Generator, count: int = 7) -> tuple[Array, Array]:
    """Masses of particles and their places y in the body, with their centre at 0 and the principal axes along 1, 2, 3."""
    weights = random.uniform(0.3, 1.0, count)
    places = random.normal(size=(count, 3))
    places = places - weights @ places / weights.sum()
    spread = np.einsum("k,ki,kj->ij", weights, places, places)
    return weights, places @ np.linalg.eigh(spread)[1]


def inertia_of(weights: Array, places: Array) -> Array:
    """Σ m(y² − yyᵀ)."""
    return sum(m * (y @ y * np.eye(3) - np.outer(y, y)) for m, y in zip(weights, places))
