"""Random Lie algebras with a metric, constrained or not: whether the flow keeps a measure is known from its divergence.

On a Lie algebra with kinetic energy alone the equations are homogeneous of degree two, and a smooth positive density is preserved
exactly when the divergence vanishes [Kozlov 1988; Jovanović 1998]; without constraints, when the algebra is unimodular.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

import nonholo as nh

FAMILIES = ["so3", "sl2", "heisenberg", "se2", "affine", "semidirect", "abelian", "so3 and affine"]


@dataclass(frozen=True)
class Algebra:
    """Structure constants ``[e_i, e_j] = c[k, i, j] e_k``, a metric, and constraints ``row · ω = 0``, all in small integers."""

    constants: np.ndarray
    metric: np.ndarray
    rows: np.ndarray

    @property
    def names(self) -> list[str]:
        return [f"e{k + 1}" for k in range(len(self.metric))]

    def system(self) -> nh.System:
        names, n = self.names, len(self.names)
        table = {}
        for i in range(n):
            for j in range(i + 1, n):
                parts = [f"{int(c)}*{e}" for e, c in zip(names, self.constants[:, i, j]) if c]
                if parts:
                    table[names[i], names[j]] = " + ".join(parts)
        squares = [
            f"{int(self.metric[i, j])}*{names[i]}*{names[j]}/2" for i in range(n) for j in range(n) if self.metric[i, j]
        ]
        words: dict[str, Any] = {}
        if len(self.rows):
            words["constraints"] = [" + ".join(f"{int(c)}*{e}" for e, c in zip(names, row) if c) for row in self.rows]
        return nh.System(name="Lie algebra", frame=nh.LieAlgebra(table, names), lagrangian=" + ".join(squares), **words)

    def field(self, omega: np.ndarray) -> np.ndarray:
        """``I ω̇ = ad*_ω I ω + λ·rows``, with ``rows · ω̇ = 0``: ``(ad*_ω p)_j = c[k, i, j] p_k ω_i``."""
        push = np.einsum("kij,k,i->j", self.constants, self.metric @ omega, omega)
        m = len(self.rows)
        whole = np.block([[self.metric, -self.rows.T], [self.rows, np.zeros((m, m))]])
        return np.linalg.solve(whole, np.concatenate([push, np.zeros(m)]))[: len(omega)]

    def divergence(self) -> np.ndarray:
        """Of the flow on the admissible subspace, a linear function of ω, as numbers at its basis."""
        basis = _kernel(self.rows, len(self.metric))
        result = []
        for b in basis.T:
            slope = [(self.field(b + e) - self.field(b - e)) / 2 for e in basis.T]  # exact: the field is quadratic
            result.append(float(np.trace(np.linalg.pinv(basis) @ np.array(slope).T)))
        return np.array(result)

    @property
    def kept(self) -> bool:
        return bool(np.max(np.abs(self.divergence()), initial=0.0) < 1e-9)


def _kernel(rows: np.ndarray, n: int) -> np.ndarray:
    if not len(rows):
        return np.eye(n)
    return np.linalg.svd(rows)[2][np.linalg.matrix_rank(rows) :].T


def _family(chance: Random, name: str) -> np.ndarray:
    def blank(n: int) -> np.ndarray:
        return np.zeros((n, n, n), dtype=int)

    def bracket(c: np.ndarray, i: int, j: int, *parts: tuple[int, int]) -> None:
        for k, w in parts:
            c[k, i, j] += w
            c[k, j, i] -= w

    if name in ("so3", "so3 and affine"):
        c = blank(3 if name == "so3" else 5)
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            bracket(c, i, j, (k, 1))
        if name != "so3":
            bracket(c, 3, 4, (4, 1))
    elif name == "sl2":
        c = blank(3)
        bracket(c, 0, 1, (1, 2))
        bracket(c, 0, 2, (2, -2))
        bracket(c, 1, 2, (0, 1))
    elif name == "heisenberg":
        c = blank(3)
        bracket(c, 0, 1, (2, 1))
    elif name == "se2":
        c = blank(3)
        bracket(c, 0, 1, (2, 1))
        bracket(c, 0, 2, (1, -1))
    elif name == "affine":
        c = blank(2)
        bracket(c, 0, 1, (1, 1))
    elif name == "semidirect":  # one direction acts on the others by a matrix: unimodular when its trace is zero
        n = chance.randint(2, 3)
        matrix = [[chance.randint(-2, 2) for _ in range(n)] for _ in range(n)]
        if chance.random() < 0.5:
            matrix[-1][-1] = -sum(matrix[k][k] for k in range(n - 1))
        c = blank(n + 1)
        for j in range(n):
            bracket(c, 0, j + 1, *((i + 1, matrix[i][j]) for i in range(n)))
    else:
        c = blank(chance.randint(2, 3))
    return c


def random_algebra(chance: Random) -> Algebra:
    """A family in a random basis of determinant one, with a random metric and sometimes constraints."""
    c = _family(chance, chance.choice(FAMILIES))
    n = len(c)
    change = np.eye(n, dtype=int)
    for _ in range(chance.randint(0, n)):
        i, j = chance.sample(range(n), 2)
        change[i] += chance.choice([-1, 1]) * change[j]
    back = np.rint(np.linalg.inv(change)).astype(int)
    c = np.einsum("ak,kij,ib,jc->abc", back, c, change, change)
    root = np.array([[chance.randint(-1, 1) for _ in range(n)] for _ in range(n)])
    metric = root @ root.T + np.diag([chance.randint(1, 3) for _ in range(n)])
    rows = np.zeros((0, n), dtype=int)
    if n > 2 and chance.random() < 0.5:
        while not rows.any():
            rows = np.array([[chance.randint(-1, 1) for _ in range(n)]])
    return Algebra(c, metric, rows)
