"""Small-time local controllability: Sussmann's general theorem with weights, and necessary conditions.

A bracket is bad when the drift occurs an odd number of times in it and each input field an even number of times. The system is
small-time locally controllable at an equilibrium if the brackets span and, for some weights ``l_i ≥ l_0 > 0`` of the fields,
every bad bracket (summed over permutations of inputs of equal weight) lies in the span of brackets of smaller weight.
[Sussmann 1987, Theorem 7.3; Bianchini and Stefani 1993]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from nonholo.algebra.prime.power_series import Coefficients
from nonholo.geometry.distributions.lie_words import LieWords, Span, Type, Word, types

WEIGHTS = 6
"""Input fields weigh at most so many times the drift."""
TRIED = 400
"""Not more combinations of weights than this are tried."""
MANY = 4
"""Sums over permutations are taken for at most so many inputs."""


@dataclass(frozen=True)
class Neutralised:
    """The weights for which every bad bracket is neutralised, and the bad brackets of lower weight that were."""

    weights: tuple[int, ...]
    bad: tuple[Word, ...]


@dataclass(frozen=True)
class Obstruction:
    """A bad bracket that is not neutralised for the weights that came furthest."""

    word: Word
    weights: tuple[int, ...]


def neutralised(words: LieWords, dimension: int) -> Neutralised | Obstruction | None:
    """Weights that satisfy Sussmann's theorem, or the first obstruction for those that came furthest; None: brackets too long."""
    spans: dict[Type, list[Coefficients]] = {}
    best: tuple[int, Obstruction] | None = None
    for weights in _weights(words.count - 1):
        answer = _neutralised_by(words, dimension, weights, spans)
        if isinstance(answer, Neutralised):
            return answer
        if answer is not None and (best is None or answer[0] > best[0]):
            best = answer
    return None if best is None else best[1]


def _weights(inputs: int) -> Iterator[tuple[int, ...]]:
    """``(l_0, l_1 …)``, the lightest first; equal ones first."""
    equal = [(1, *([k] * inputs)) for k in range(1, WEIGHTS + 1)]
    yield from equal
    if inputs > 1 and WEIGHTS**inputs <= TRIED:
        others = [(1, *some) for some in product(range(1, WEIGHTS + 1), repeat=inputs) if len(set(some)) > 1]
        yield from sorted(others, key=lambda w: (sum(w), w))


def _neutralised_by(
    words: LieWords, dimension: int, weights: tuple[int, ...], spans: dict[Type, list[Coefficients]]
) -> Neutralised | tuple[int, Obstruction] | None:
    """One set of weights: bad brackets by weight, each against the span of what is lighter."""

    def weight(kind: Type) -> int:
        return sum(k * w for k, w in zip(kind, weights))

    every = sorted((k for n in range(1, words.longest + 1) for k in types(words.count, n)), key=lambda k: (weight(k), k))
    lower, passed, at = Span(words.dimension, words.p), list[Word](), 0
    while at < len(every) and lower.size < dimension:
        here = weight(every[at])
        level = [k for k in every[at:] if weight(k) == here]
        at += len(level)
        if any(sum(k) > words.longest for k in _bad_types(weights, here)):
            return None
        for kind in level:
            if not is_bad(kind):
                continue
            for word in words.words(kind):
                value = _symmetrised(words, word, weights)
                if not np.any(words.value(word)):
                    continue
                if value not in lower:
                    return lower.size, Obstruction(word, weights)
                passed.append(word)
        for kind in level:
            if kind not in spans:
                spans[kind] = words.span(kind)
            lower.add(spans[kind])
    return Neutralised(weights, tuple(passed)) if lower.size == dimension else None


def is_bad(kind: Type) -> bool:
    """Whether brackets of a type are bad.

    >>> is_bad((1, 2)), is_bad((1, 1)), is_bad((2, 2))
    (True, False, False)
    """
    return kind[0] % 2 == 1 and all(k % 2 == 0 for k in kind[1:])


def _bad_types(weights: Sequence[int], total: int) -> Iterator[Type]:
    """The bad types of a weight in which some input occurs."""
    for some in product(*(range(0, total // w + 1, 2) for w in weights[1:])):
        left = total - sum(k * w for k, w in zip(some, weights[1:]))
        if any(some) and left > 0 and left % weights[0] == 0 and (left // weights[0]) % 2 == 1:
            yield (left // weights[0], *some)


def _symmetrised(words: LieWords, word: Word, weights: Sequence[int]) -> Coefficients:
    """The sum of a bracket over all permutations of inputs of equal weight."""
    groups: dict[int, list[int]] = {}
    for k, w in enumerate(weights):
        if k:
            groups.setdefault(w, []).append(k)
    if len(weights) - 1 > MANY or all(len(g) == 1 for g in groups.values()):
        return words.value(word)
    total = np.zeros_like(words.value(word))
    for choice in product(*(permutations(g) for g in groups.values())):
        table = {0: 0} | {a: b for g, s in zip(groups.values(), choice) for a, b in zip(g, s)}
        total = words.jets.ring.reduced(total + words.value(tuple(table[k] for k in word)))
    return total


def first_order_span(words: LieWords) -> Span:
    """``S^1``: the span of ``ad_f^k g_i`` at an equilibrium, the controllable subspace of the linearisation."""
    found = Span(words.dimension, words.p)
    slope = linear_part(words)
    columns = [words.fields[k][:, 0] for k in range(1, words.count)]
    for _ in range(words.dimension):
        before = found.size
        found.add(columns)
        if found.size == before:
            break
        columns = [words.jets.ring.reduced(_applied(slope, c, words)) for c in columns]
    return found


def _applied(slope: Coefficients, column: Coefficients, words: LieWords) -> Coefficients:
    if not words.p:
        return np.asarray(slope @ column)
    return np.asarray((slope * column[None] % words.p).sum(axis=1))


def linear_part(words: LieWords) -> Coefficients:
    """``∂f/∂x`` at the state."""
    found = np.zeros((words.dimension, words.dimension), dtype=words.fields.dtype)
    if words.jets.degree:
        for k, j in enumerate(words.jets.variables):
            found[:, j] = words.fields[0][:, 1 + k]
    return found


def quadratic_obstruction(words: LieWords) -> Word | None:
    """``[g, [g, f]]`` of a single input outside ``S^1``: then the system is not small-time locally controllable.

    [Sussmann 1983, Proposition 6.3]
    """
    if words.count != 2 or words.longest < 3:
        return None
    word = (1, 1, 0)
    return None if words.value(word) in first_order_span(words) else word


def definite_obstruction(words: LieWords) -> Coefficients | None:
    """A covector λ with λ ⟂ ``S^1`` and ``λ [g_a, [g_b, f]]`` positive definite, where the inputs commute; in numbers only.

    Along it every small motion goes to one side: with ``w = ∫u`` the second order is ``∫ wᵀ(λ[g_a,[g_b,f]])w > 0``, and what
    follows is smaller. Only directions of one dimension are tried.
    """
    inputs = range(1, words.count)
    pairs = [words.jet((a, b)) for a in inputs for b in inputs if a < b]
    if words.p or words.longest < 3 or any(c is not None and np.max(np.abs(c)) > 1e-9 for c in pairs):
        return None
    span = first_order_span(words)
    if span.size != words.dimension - 1:
        return None
    normal = np.linalg.svd(span.rows)[2][-1]
    form = np.array([[normal @ words.value((a, b, 0)) for b in inputs] for a in inputs])
    values = np.linalg.eigvalsh((form + form.T) / 2)
    limit = 1e-9 * max(1.0, float(np.max(np.abs(values))))
    if values[0] > limit:
        return np.asarray(normal)
    return np.asarray(-normal) if values[-1] < -limit else None
