"""Conditions for flatness at a generic state, exact modulo a prime: derived flags, characteristics, linearising feedback."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nonholo.algebra.prime.modular_arithmetic import null_space
from nonholo.algebra.prime.power_series import Coefficients, pair_count
from nonholo.control.reachability.control_affine import ControlAffine
from nonholo.control.reachability.field_jets import FieldJets, random_place
from nonholo.geometry.distributions.lie_words import Span

Fields = list[Coefficients]
PAIRS = 2_000_000
"""Products of two terms that a product of series may take."""


def bracket(jets: FieldJets, x: Coefficients, y: Coefficients) -> Coefficients:
    """``[X, Y]`` of series, one degree lower than the shorter of both."""
    ring = jets.ring
    shorter = min(x.shape[1], y.shape[1])
    degree = ring.counts.index(shorter) - 1
    count = ring.counts[degree]
    total = np.zeros((x.shape[0], count), dtype=x.dtype)
    for k, j in enumerate(jets.variables):
        for sign, one, two in ((1, x, y), (-1, y, x)):
            slope = ring.derivative(two, k, degree)
            total = ring.reduced(total + sign * ring.product(slope, one[j, :count][None], degree))
    return np.asarray(total)


def generic_fields(control: ControlAffine, degree: int, values: Mapping[str, float], seed: int = 31) -> FieldJets:
    """The fields about a random state."""
    return FieldJets(control, random_place(control, values, rest=False, seed=seed), degree)


def derived_flag(jets: FieldJets, fields: Sequence[Coefficients]) -> tuple[list[int], list[Fields]]:
    """Dimensions and bases of ``E_0 ⊂ E_1 = E_0 + [E_0, E_0] ⊂ …`` until it stops or the series end."""
    size = fields[0].shape[0]
    span = Span(size, jets.p)
    level: Fields = []
    for f in fields:
        if f[:, 0] not in span:
            span.add([f[:, 0]])
            level.append(f)
    dimensions, bases = [span.size], [list(level)]
    while span.size < size and min(f.shape[1] for f in level) > 1:
        new = list(level)
        for a in range(len(level)):
            for b in range(a):
                made = bracket(jets, level[b], level[a])
                if made[:, 0] not in span:
                    span.add([made[:, 0]])
                    new.append(made)
        if span.size == dimensions[-1]:
            break
        level = new
        dimensions.append(span.size)
        bases.append(level)
    return dimensions, bases


def characteristic(jets: FieldJets, level: Fields) -> Coefficients:
    """The Cauchy characteristic directions of a span at the state: combinations whose brackets with it stay inside, in rows."""
    p, size = jets.p, level[0].shape[0]
    values = [f[:, 0] for f in level]
    outside = null_space(np.array(values, dtype=np.int64), p)  # covectors that vanish on the span
    rows = []
    for f in level:
        rows.append([int(np.sum(v * bracket(jets, g, f)[:, 0] % p) % p) for g in level for _, v in outside])
    combos = null_space(np.array(rows, dtype=np.int64).T, p)
    found = [np.sum([int(c) * v % p for c, v in zip(vector, values)], axis=0) % p for _, vector in combos]
    return np.array(found, dtype=np.int64).reshape(len(found), size)


def linearising_flag(control: ControlAffine) -> bool | None:
    """Whether ``D_k = span(ad_f^j g_i, j ≤ k)`` are all involutive and reach all directions. [Jakubczyk–Respondek 1980]

    Exactly then static feedback linearises the system. One input: it is flat exactly then [Charlet, Lévine and Marino 1989].
    None where the series would be too long.
    """
    size, count = len(control.state), len(control.inputs)
    for degree in range(max(2, -(-size // count)), size + 1):
        if pair_count(size, degree) > PAIRS:
            return None
        answer = _linearising(generic_fields(control, degree, {}))
        if answer is not None:
            return answer
    return None


def _linearising(jets: FieldJets) -> bool | None:
    """The same by series of one degree; None where they are too short."""
    drift, newest = jets.fields[0], list(jets.fields[1:])
    level: Fields = []
    size = drift.shape[0]
    span = Span(size, jets.p)
    while True:
        before = span.size
        span.add([g[:, 0] for g in newest])
        level += newest
        if span.size == size:
            return True
        if span.size == before:
            return False
        if min(g.shape[1] for g in level) == 1:
            return None
        for a in range(len(level)):
            if any(bracket(jets, level[b], level[a])[:, 0] not in span for b in range(a)):
                return False
        newest = [bracket(jets, drift, g) for g in newest]
