"""Coefficients in algebraically dependent constants: roots of parameters, sine and cosine of one angle.

Every such coefficient is ``Σ_τ A_τ Π_{i∈τ} c_i`` over the subsets ``τ`` of the roots ``c_i² = f_i``, with ``A_τ`` rational in
what is free; the values for all signs of the roots give each ``A_τ`` apart, and these are read back one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.modular_arithmetic import P, Residues, draws, inverse, root
from nonholo.algebra.prime.random_points import Points
from nonholo.algebra.prime.rational_reconstruction import LINE, UNKNOWNS, degrees_on, lines, needed, rational
from nonholo.symmetry.exact.modular_states import Motion

DRAWS = 40
MOST = 2
"""The most roots that are taken together."""
HALF = se.Rational(1, 2)
Values = Callable[[Mapping[str, Residues]], tuple[Residues, Any]]
"""The coefficients for many sets of parameters at once, and for which sets they were found."""


def roots_of(motion: Motion) -> list[tuple[str, Expr]]:
    """The constants whose squares are known in what comes before them: ``c² = f``; those further inside first.

    >>> from nonholo.model.system import System
    >>> from nonholo.symmetry.exact.modular_states import motion_of
    >>> energy = "sqrt(1 + b**2)*(xdot**2/2 - x*sin(b) - x**2*cos(b))"
    >>> tilted = motion_of(System(coordinates="x", parameters="b", lagrangian=energy))
    >>> [(str(e), named) for e, named in tilted.constants.items()]
    [('sqrt(1 + b**2)', constant_0_), ('cos(b)', constant_1_), ('sin(b)', constant_2_)]
    >>> roots_of(tilted)
    [('constant_2_', 1 - constant_1_**2), ('constant_0_', 1 + b**2)]
    """
    table = dict(motion.constants)
    result = []
    for e, name in sorted(table.items(), key=lambda pair: len(str(pair[0]))):
        inner = {f: n for f, n in table.items() if f != e}
        if isinstance(e, se.Pow) and e.args[1] == HALF:
            result.append((str(name), e.args[0].xreplace(inner)))
        elif isinstance(e, se.Pow) and e.args[1] == -HALF and 1 / e not in table:
            result.append((str(name), 1 / e.args[0].xreplace(inner)))
        elif isinstance(e, se.sin) and se.cos(e.args[0]) in table:
            result.append((str(name), ONE - table[se.cos(e.args[0])] ** 2))
    return result


def inverses_of(motion: Motion) -> dict[str, str]:
    """The constants ``1/√f`` beside ``√f``, by the names of both."""
    table = dict(motion.constants)
    pairs = [(e, n) for e, n in table.items() if isinstance(e, se.Pow) and e.args[1] == -HALF and 1 / e in table]
    return {str(n): str(table[1 / e]) for e, n in pairs}


def related_weights(motion: Motion, names: Sequence[str], count: int, values: Values) -> list[Expr] | None:
    """The coefficients as expressions in the parameters and constants ``names``; None where they are not simple enough."""
    upside_down = inverses_of(motion)
    squares = [(n, f) for n, f in roots_of(motion) if n in names or n in upside_down.values()]
    if not squares or len(squares) > MOST:
        return None
    free = [n for n in names if n not in dict(squares) and n not in upside_down]

    def whole(sets: Mapping[str, Residues]) -> tuple[Residues, Any]:
        return values({**sets, **{n: inverse(sets[c], P) for n, c in upside_down.items()}})

    base = _base(free, squares)
    line = LINE * 3 ** len(squares) if free else 1
    sets = lines(free, base, 311, line=line) if free else {}
    parts, good = _apart(free, squares, sets, count, whole)
    bounds: list[Any] = []
    for row in parts:
        bounds.append(degrees_on(len(free), row, good, 311, line=line) if free else ())
    if any(b is None for b in bounds) or not np.any(good):
        return None
    sizes = [needed(b) if b else 1 for b in bounds]
    if max(sizes) > UNKNOWNS:
        return None
    fresh = draws(331, (max(sizes) + 6) * 3 ** len(squares))
    sets = {n: fresh() for n in free}
    parts, good = _apart(free, squares, sets, count, whole)
    if int(np.sum(good)) < max(sizes):
        return None
    found = [rational(free, b, [sets[n][good] for n in free], row[good]) for b, row in zip(bounds, parts)]
    if any(f is None for f in found):
        return None
    products = [se.Mul(*symbols(chosen)) for chosen in _subsets(squares)]
    width = len(products)
    return [se.Add(*(a * c for a, c in zip(found[k * width : (k + 1) * width], products) if a is not None)) for k in range(count)]


def _base(free: Sequence[str], squares: Sequence[tuple[str, Expr]]) -> dict[str, int]:
    """Values of what is free where all roots exist: lines along one parameter keep the others."""
    draw = draws(131, DRAWS)
    sets = {n: draw() for n in free}
    _, good = _rooted(free, squares, sets)
    first = int(np.flatnonzero(good)[0]) if np.any(good) else 0
    return {n: int(v[first]) for n, v in sets.items()}


def _rooted(
    free: Sequence[str], squares: Sequence[tuple[str, Expr]], sets: Mapping[str, Residues]
) -> tuple[dict[str, Residues], Any]:
    """The roots for many values of what is free, and where all of them exist."""
    size = len(next(iter(sets.values()))) if sets else 1
    here = Points(size, 7, P)
    for n in free:
        here.set(symbol(n), sets[n])
    found: dict[str, Residues] = {}
    good = np.ones(size, dtype=bool)
    for name, square in squares:
        value, able = root(here.value(square), P)
        good &= able & (value != 0)
        found[name] = np.where(able, value, 1)
        here.set(symbol(name), found[name])
    return found, good


def _subsets(squares: Sequence[tuple[str, Expr]]) -> list[tuple[str, ...]]:
    names = [n for n, _ in squares]
    return [chosen for size in range(len(names) + 1) for chosen in combinations(names, size)]


def _apart(
    free: Sequence[str], squares: Sequence[tuple[str, Expr]], sets: Mapping[str, Residues], count: int, values: Values
) -> tuple[list[Residues], Any]:
    """The ``A_τ`` of every coefficient for many values of what is free, one after the other; and where they were found."""
    size = len(next(iter(sets.values()))) if sets else 1
    found, good = _rooted(free, squares, sets)
    signs = list(product((1, -1), repeat=len(squares)))
    seen = []
    for one in signs:
        given = {**sets, **{n: found[n] * s % P for (n, _), s in zip(squares, one)}}
        numbers, usable = values(given)
        good &= usable
        seen.append(numbers)
    share = int(inverse(np.array([len(signs)]), P)[0])
    names = [n for n, _ in squares]
    result = []
    for k in range(count):
        for chosen in _subsets(squares):
            total = np.zeros(size, dtype=np.int64)
            for one, numbers in zip(signs, seen):
                sign = int(np.prod([s for n, s in zip(names, one) if n in chosen], initial=1))
                total = (total + sign * numbers[:, k]) % P
            for n in chosen:
                total = total * inverse(found[n], P) % P
            result.append(total * share % P)
    return result, good
