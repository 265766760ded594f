"""Floquet multipliers of an orbit, their attribution and the verdict.

``P`` is the derivative of ``exp(−s·ξ) φ_T`` at a point of the orbit, on the tangent of ``g = 0``. It leaves the span of the flow
and of the symmetry as it is. What is left, modulo these, has ones for families and for integrals, and the genuine multipliers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.subspaces import kernel, span
from nonholo.analyse.orbits.shooting import Shooting
from nonholo.analyse.stability.spectrum import Spectrum, cut, number

Complex = NDArray[np.complex128]
CIRCLE = 1e-6
"""A multiplier whose size differs from 1 by less than this, beside the size of P, counts as on the unit circle."""
UNSTABLE, ASYMPTOTIC, PARTIAL = "unstable", "asymptotically orbitally stable", "partially asymptotically stable"
STABLE, OPEN, DRIFT = "orbitally stable", "spectrally stable, not decided", "linearly drifting, not decided"
NONE = "no orbit"
DRIVEN = "asymptotically stable"
"""Of a motion that a drive keeps in step."""


def monodromy(shooting: Shooting, unknowns: Numbers) -> Numbers:
    """P on the state of the first node."""
    carrier = shooting.at(unknowns)
    ends = shooting.ends(unknowns)
    places = shooting.places
    total = np.eye(len(unknowns[places[0]]))
    for k, end in enumerate(ends):
        last = k == shooting.nodes - 1
        chart, here = shooting.charts[(k + 1) % shooting.nodes], unknowns[places[(k + 1) % shooting.nodes]]
        _, by_state, _ = carrier.observed(chart, here)
        columns = end.slopes[:, : len(unknowns[places[k]])]
        if last and len(shooting.action):
            columns = shooting.action.matrix(-unknowns[shooting.amounts])[:-1, :-1] @ columns
        free = carrier.free(chart, here)
        total = free @ np.linalg.lstsq(by_state @ free, columns, rcond=None)[0] @ total
    return total


def parts_of(shooting: Shooting, unknowns: Numbers, still: tuple[int, ...] | None = None) -> Spectrum:
    """``P − 1`` cut into flow and symmetry, ones, and the rest."""
    carrier, chart, state = shooting.at(unknowns), shooting.charts[0], unknowns[shooting.places[0]]
    bound = carrier.bound(chart, state)[1]
    matrix = monodromy(shooting, unknowns) - np.eye(len(state))
    return cut(matrix, bound, trivial(shooting, unknowns).T, still)


def trivial(shooting: Shooting, unknowns: Numbers) -> Numbers:
    """The flow and the generators at the first node, columns in the state; the flow first, each of length 1."""
    carrier, chart, state = shooting.at(unknowns), shooting.charts[0], unknowns[shooting.places[0]]
    columns = [carrier.rate(chart, state)]
    if carrier.flow.kernel is chart:
        columns += list(carrier.flow.generator_fields(state[None])[0][0])
    elif len(shooting.action):
        point, by_state, _ = carrier.observed(chart, state)
        columns += list(np.linalg.lstsq(by_state, shooting.action.fields(point), rcond=None)[0].T)
    table = np.array(columns).T
    return np.asarray(table / np.maximum(np.linalg.norm(table, axis=0), 1e-300))


def multipliers(parts: Spectrum) -> Complex:
    """The genuine multipliers, the largest first."""
    if not len(parts.matrix):
        return np.zeros(0, dtype=np.complex128)
    values = [complex(v) for v in 1.0 + np.linalg.eigvals(parts.matrix)]
    ordered = sorted(values, key=lambda v: (-round(abs(v), 9), round(abs(np.angle(v)), 9), v.imag < 0))
    return np.array(ordered, dtype=np.complex128)


def limit_of(parts: Spectrum) -> float:
    """How far from the unit circle counts as on it."""
    return CIRCLE * max(1.0, parts.scale)


def family_ways(shooting: Shooting, unknowns: Numbers, most: int) -> list[Numbers]:
    """Directions (of all unknowns), so many at most, in which there are neighbouring orbits, each tried by a step."""
    size = shooting.size
    scale = np.where(size > 0, size, 1.0)  # what does not move has none
    ways = transversal_kernel(shooting, unknowns)[:, :most]
    found = []
    for way in ways.T:
        for sign in (1.0, -1.0):
            step = 0.01 * sign * way / np.linalg.norm(way)
            trial = shooting.solved((unknowns + step * size)[None], 15)[0]
            moved = float(step @ ((trial - unknowns) / scale)) / float(step @ step)
            if np.isfinite(moved) and abs(moved - 1) < 0.5:
                found.append(way)
                break
    return found


def transversal_kernel(shooting: Shooting, unknowns: Numbers) -> Numbers:
    """The kernel of the equations across flow and symmetry (columns, in sizes)."""
    size, first = shooting.size, shooting.places[0]
    free = kernel(shooting.slope(unknowns[None])[0] * size, 1e-7)
    orbit = span(trivial(shooting, unknowns) / size[first][:, None])
    seen = free[first] - orbit @ (orbit.T @ free[first])
    if shooting.along is not None:
        seen = np.vstack([seen, free[-1:]])
    _, sizes, rows = np.linalg.svd(seen, full_matrices=False)
    return np.asarray(free @ rows[sizes > 1e-4].T)


def judged(parts: Spectrum, values: Complex, family: int, symmetric: bool, timed: bool = False) -> tuple[str, str]:
    """The verdict and what proves it."""
    limit = limit_of(parts)
    modulo = " modulo the symmetry" if symmetric else ""
    sizes = np.abs(values)
    if len(values) and sizes[0] > 1 + limit:
        return UNSTABLE, f"the multiplier {number(complex(values[0]))} lies outside of the unit circle (Lyapunov's first method)"
    inside = bool(len(values)) and bool(np.all(sizes < 1 - limit))
    exact = parts.zeros == family and len(parts.chain) <= 1
    if inside and exact:
        slowest = f"the largest is {number(complex(values[0]))}"
        if not family and timed:
            but = " but those of the symmetry" if symmetric else ""
            where = f"all multipliers of the return after a period{but} lie inside of the unit circle"
            return DRIVEN, f"{where} (Lyapunov, Floquet); {slowest}"
        if not family:
            others = f"all multipliers but that of the flow{' and of the symmetry' if symmetric else ''}"
            return ASYMPTOTIC, f"{others} lie inside of the unit circle (Andronov–Witt); {slowest}"
        ones = "the multiplier 1 is exactly the family's" if family == 1 else f"{family} multipliers 1 are exactly the family's"
        where = f"all others{modulo} lie inside of the unit circle: nearby motions tend to members of the family"
        return PARTIAL, f"{ones}, {where}; {slowest}"
    if not len(values) and exact:
        return STABLE, (
            "every motion nearby is itself such an orbit: there is nothing but the family (a step in each direction was tried), "
            f"{'the phase of the drive' if timed else 'the flow'}{' and the symmetry' if symmetric else ''}"
        )
    if parts.zeros > family or len(parts.chain) > 1:
        more = parts.zeros - family
        beside = f"{more} more than the {family} of the family {'is' if more == 1 else 'are'} 1"
        return DRIFT, f"no multiplier lies outside of the unit circle, but {beside}: tangents may drift"
    return OPEN, "no multiplier lies outside of the unit circle, and some lie on it: the linear return does not decide"


def outside_of(values: Complex, limit: float) -> int:
    """How many multipliers lie outside of the unit circle."""
    return int(np.sum(np.abs(values) > 1 + limit))
