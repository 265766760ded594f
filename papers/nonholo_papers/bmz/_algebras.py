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
"""[e1, e2] = e2, [e1, e3] = e3/2."""
SO4 = _table(6, (0, 1, 2, 1), (1, 2, 0, 1), (2, 0, 1, 1), (3, 4, 5, 1), (4, 5, 3, 1), (5, 3, 4, 1))
"""so(3) + so(3)."""
UNIMODULAR = {"so(3)": SO3, "se(2)": SE2, "sl(2)": SL2, "Heisenberg": HEISENBERG, "so(4)": SO4}
OTHERS = {"affine": AFFINE, "book": BOOK}


def book(k: float) -> Array:
    """[e1, e2] = e2, [e1, e3] = k e3: unimodular for k = −1 only."""
    return _table(3, (0, 1, 1, 1), (0, 2, 2, k))


def keeps_measure(c: Array, moments: Array | None = None, a: Array | None = None) -> bool:
    """Whether `nonholo.measure` proves a density for the motion on an algebra (or proves that there is none)."""
    from nonholo import LieAlgebra, System, measure

    size = len(c)
    table = np.eye(size) + np.diag(np.arange(size)) / 4 if moments is None else moments
    rates = [f"w{k + 1}" for k in range(size)]
    square = " + ".join(f"({table[i, j]})*{rates[i]}*{rates[j]}/2" for i in range(size) for j in range(size) if table[i, j])
    rows = [] if a is None else [" + ".join(f"({x})*{w}" for x, w in zip(a, rates) if x)]
    frame = LieAlgebra(c.tolist(), rates=" ".join(rates))
    found = measure(System(name="motion on an algebra", frame=frame, lagrangian=square, constraints=rows))
    if not found.proved:
        raise ValueError(f"the measure of {c.tolist()} is not decided: {found}")
    return found.verdict == "holds"


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
