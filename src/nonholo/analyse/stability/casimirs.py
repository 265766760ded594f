"""Quadratic invariants of momenta that a symmetry rotates among themselves.

A body that turns freely keeps its momentum in space, which every turn of the space changes; its square is left alone and is
what decides about steady rotations (Casimir's function of so(3); Arnold 1966).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.subspaces import kernel
from nonholo.analyse.flow.state_flow import Flow, onto_bound

Numbers = NDArray[np.float64]
MOST = 8
"""Of so many momenta at most forms are looked for."""
ALIKE = 1e-8
"""Changes of unit forms below this are none."""


def invariant_forms(flow: Flow, state: Numbers, momenta: Sequence[Expr], alone: int = 0) -> Numbers:
    """Symmetric matrices Q (a stack) with ``ξ_a[Q_ij P_i P_j] = 0`` for every generator, measured at states nearby.

    The last ``alone`` of the momenta are left alone themselves: they enter by products with others.
    """
    count = len(momenta)
    pairs = [(i, j) for i, j in combinations_with_replacement(range(count), 2) if i < count - alone]
    if not 1 < count <= MOST or not len(flow.fields):
        return np.zeros((0, count, count))
    states = onto_bound(flow, state + np.random.default_rng(4).uniform(-0.3, 0.3, (2 * len(pairs), flow.size)))
    values, slopes = flow.valued(list(momenta), states)
    turned = np.einsum("kpi,kai->kap", slopes, flow.moved(states)[0])
    rows = np.array([values[:, None, i] * turned[:, :, j] + values[:, None, j] * turned[:, :, i] for i, j in pairs])
    table = rows.reshape(len(pairs), -1).T
    table = table[np.all(np.isfinite(table), axis=1)]
    forms = np.zeros((0, count, count))
    for weights in _plain(kernel(table, ALIKE)).T:
        form = np.zeros((count, count))
        for w, (i, j) in zip(weights, pairs):
            form[i, j] += w / 2
            form[j, i] += w / 2
        forms = np.concatenate([forms, form[None]])
    return forms


def _plain(basis: Numbers) -> Numbers:
    """The same space with each column 1 in a place where the others are 0."""
    if not basis.shape[1]:
        return basis
    places: list[int] = []
    left = basis.copy()
    for _ in range(basis.shape[1]):
        sizes = np.round(np.linalg.norm(left, axis=1), 9)
        places.append(int(np.argmax(sizes)))
        row = left[places[-1]] / np.linalg.norm(left[places[-1]])
        left = left - np.outer(left @ row, row)
    found = basis @ np.linalg.inv(basis[places])
    return np.where(np.abs(found) < ALIKE, 0.0, found)


def words(form: Numbers, names: Sequence[str]) -> str:
    """A form as text.

    >>> words(np.eye(2), ["a", "b"]), words(np.array([[0, 1.5], [1.5, 0]]), ["a", "b"])
    ('(a)² + (b)²', '3·(a)·(b)')
    """
    parts = []
    for i, j in combinations_with_replacement(range(len(names)), 2):
        weight = float(form[i, j]) * (1 if i == j else 2)
        if abs(weight) > 1e-9:
            factor = "" if abs(weight - 1) < 1e-9 else f"{weight:.4g}·"
            parts.append(factor + (f"({names[i]})²" if i == j else f"({names[i]})·({names[j]})"))
    return " + ".join(parts)
