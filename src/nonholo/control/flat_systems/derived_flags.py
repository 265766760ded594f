"""Conditions for flatness at a generic state, exact modulo a prime: derived flags, characteristics, linearising feedback."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nonholo.algebra.prime.modular_arithmetic import null_space
from nonholo.control.reachability.control_affine import ControlAffine
from nonholo.control.reachability.field_jets import FieldJets, random_place
from nonholo.control.reachability.lie_words import Span
from nonholo.control.reachability.power_series import Coefficients

Fields = list[Coefficients]


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


def linearising_flag(jets: FieldJets) -> bool | None:
    """Single input: whether ``g, ad_f g, …, ad_f^{n−1} g`` span and all but the last are involutive. [Jakubczyk–Respondek 1980]

    A system with one input is flat exactly then. [Charlet, Lévine and Marino 1989] None where the series are too short.
    """
    f, g = jets.fields[0], jets.fields[1]
    size = f.shape[0]
    chain = [g]
    for _ in range(size - 1):
        if chain[-1].shape[1] == 1:
            return None
        chain.append(bracket(jets, f, chain[-1]))
    span = Span(size, jets.p)
    span.add([c[:, 0] for c in chain])
    if span.size < size:
        return False
    inner = Span(size, jets.p)
    inner.add([c[:, 0] for c in chain[:-1]])
    for a in range(size - 1):
        for b in range(a):
            if min(chain[a].shape[1], chain[b].shape[1]) == 1:
                return None
            if bracket(jets, chain[b], chain[a])[:, 0] not in inner:
                return False
    return True
