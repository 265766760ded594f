"""Gauge momenta with rational coefficients by a null space at random states."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, atoms
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot
from nonholo.algebra.subspaces import rational_kernel
from nonholo.geometry.distributions.numeric_rank import independent
from nonholo.symmetry.integrals.momentum_rates import Field, Momenta, states, table

COLUMNS = 150
"""Libraries with more unknowns than this are not tried."""


def library_fields(found: Momenta, names: Sequence[str] | None = None) -> list[tuple[Field, Expr]]:
    """All ``(σ, φ)`` with ``Σ σ^i p_i + φ`` constant along every motion, for all values of the parameters.

    The ``σ^i`` are rational combinations of 1, the coordinates, sines and cosines of angles, and their products in
    pairs when these are few; ``φ`` is a combination of the same when there are magnetic or affine terms.
    """
    result: list[tuple[Field, Expr]] = []
    for library in _libraries(found, names):
        unknowns = len(found.speeds) + (0 if found.homogeneous else 1)
        if len(library) * unknowns > COLUMNS:
            continue
        kernel = _kernel(found, library)
        result = [_read(found, library, weights) for weights in kernel]
    return [(field, extra) for field, extra in result if any(e != 0 for e in field)]


def _libraries(found: Momenta, names: Sequence[str] | None) -> list[list[Expr]]:
    x = [c for c in found.coordinates if names is None or str(c) in names]
    entries = [e for field in found.fields for e in field] + list(found.momenta)
    turning = {f.args[0] for f in atoms(entries, se.sin, se.cos)}
    turning = {a for a in turning if a.free_symbols and a.free_symbols <= set(x)}
    waves = [f(a) for a in sorted(turning, key=str) for f in (se.sin, se.cos)]
    simple = [*x, *waves]
    pairs = [a * b for a, b in combinations_with_replacement(simple, 2)]
    return [[ONE], [ONE, *simple], [ONE, *simple, *pairs]]


def _kernel(found: Momenta, library: Sequence[Expr]) -> list[list[Expr]]:
    steps = dict(zip(found.coordinates, found.motion))
    library = list(library)
    count, size = len(found.speeds), len(library)
    unknowns = count + (0 if found.homogeneous else 1)
    places = states(found, 2 * size * unknowns // 2 + 12, seed=300)
    numbers = table(found, [*found.momenta, *found.changes, *library, *along(library, steps)], places)
    numbers = numbers[np.all(np.isfinite(numbers), axis=1)]
    p, change = numbers[:, :count], numbers[:, count : 2 * count]
    value, rate = numbers[:, 2 * count : 2 * count + size], numbers[:, 2 * count + size :]
    # functions that depend on one another on the manifold would give momenta that are zero
    kept = independent((value / np.maximum(np.max(np.abs(value), axis=0), 1e-12)).T)
    blocks = np.einsum("ti,tb->tib", p, rate) + np.einsum("ti,tb->tib", change, value)
    columns = [blocks[:, i, b] for i in range(count) for b in kept]
    places_of = [(i, b) for i in range(count) for b in kept]
    if not found.homogeneous:
        columns += [rate[:, b] for b in kept]
        places_of += [(count, b) for b in kept]
    result = []
    for weights in rational_kernel(np.column_stack(columns)):
        full = [ZERO] * (unknowns * size)
        for w, (i, b) in zip(weights, places_of):
            full[i * size + b] = w
        result.append(full)
    return result


def _read(found: Momenta, library: Sequence[Expr], weights: Sequence[Expr]) -> tuple[Field, Expr]:
    count, size = len(found.speeds), len(library)
    parts = [dot(weights[i * size : (i + 1) * size], library) for i in range(len(weights) // size)]
    return tuple(parts[:count]), parts[count] if len(parts) > count else ZERO
