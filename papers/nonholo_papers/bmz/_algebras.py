"""Lie algebras by their structure constants ``C[a, b, c]``, ``[e_a, e_b] = C_ab^c e_c``, and flows on their duals."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.evidence import slope

Array = Any


def _table(size: int, *brackets: tuple[int, int, int, float]) -> Array:
    c = np.zeros((size, size, size))
    for i, j, k, value in brackets:
        c[i, j, k] += value
        c[j, i, k] -= value
    return c


SO3 = _table(3, (0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1))
SE2 = _table(3, (0, 1, 2, 1), (0, 2, 1, -1))
SL2 = _table(3, (0, 1, 1, 2), (0, 2, 2, -2), (1, 2, 0, 1))
"""h, e, f."""
HEISENBERG = _table(3, (0, 1, 2, 1))
AFFINE = _table(2, (0, 1, 1, 1))
"""x → a x + b: not unimodular."""
BOOK = _table(3, (0, 1, 1, 1), (0, 2, 2, 0.5))
SO4 = _table(6, (0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1), (3, 4, 5, 1), (4, 5, 3, 1), (5, 3, 4, 1))
"""so(3) + so(3)."""
UNIMODULAR = {"so(3)": SO3, "se(2)": SE2, "sl(2)": SL2, "Heisenberg": HEISENBERG, "so(4)": SO4}
OTHERS = {"affine": AFFINE, "book": BOOK}


def inertia(size: int, seed: int = 3) -> Array:
    """A generic positive matrix."""
    random = np.random.default_rng(seed)
    root = np.eye(size) + 0.4 * random.uniform(-1, 1, (size, size))
    return root @ root.T


def covector(size: int, seed: int = 5) -> Array:
    """Generic components."""
    return np.random.default_rng(seed).uniform(0.3, 1.2, size) * np.random.default_rng(seed + 1).choice((-1, 1), size)


def star(c: Array, xi: Array, alpha: Array) -> Array:
    """``(ad*_ξ α)_b = C_ab^c ξ^a α_c``."""
    return np.einsum("abc,a,c->b", c, xi, alpha)


def free(c: Array, i: Array, p: Array) -> Array:
    """(5.2): ``ad*_Ω p``."""
    return star(c, np.linalg.inv(i) @ p, p)


def suslov(c: Array, i: Array, a: Array, p: Array) -> Array:
    """(5.4) with its multiplier, found from ``⟨a, Ω̇⟩ = 0``."""
    inverse = np.linalg.inv(i)
    rate = star(c, inverse @ p, p)
    return rate - a * (a @ inverse @ rate) / (a @ inverse @ a)


def divergence(flow: Any, p: Array) -> float:
    """The trace of the derivative, by complex steps."""
    return float(np.trace(slope(flow, p)))


def killing(c: Array) -> Array:
    """``B(x, y) = tr(ad_x ad_y)``."""
    return np.einsum("acd,bdc->ab", c, c)
