"""Find first integrals as combinations of given terms by a null space modulo a prime, then prove them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import symengine as se

from nonholo.algebra.calculus import larger_than, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.modular_arithmetic import (
    OTHER,
    P,
    Residues,
    echelon,
    independent_columns,
    null_space,
    rank,
    residue,
    solve,
)
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.algebra.prime.rational_reconstruction import (
    rational_functions,
)
from nonholo.symmetry.exact.dependent_constants import related_weights
from nonholo.symmetry.exact.modular_states import Motion, NoPoints, States, exact_states, on_shell

MARGIN = 12
"""States beyond the number of unknowns."""
PROOF = 24
"""States of the proof; a quarter of them must be good, so that a rate is zero by chance with a probability below 1e-60."""
SEEDS = ((501, P), (601, OTHER))
"""Seeds and primes of a proof."""
Rate = Literal["zero", "trivial", "moving", "open"]
"""What exact arithmetic says of a rate: zero; zero of a quantity that is one number everywhere; not zero; nothing."""
LONG = 1500
"""The most nodes of equations for which searches go through states that are rare."""
ATTEMPTS = 12
"""The most draws of states where roots exist at few of them."""
TERMS = 60
"""Integrals with more terms than this are not read back."""


@dataclass(frozen=True)
class Empty:
    """A set of terms without first integrals beyond those that follow from the known ones."""

    known: tuple[Expr, ...]
    products: int
    terms: frozenset[tuple[Expr, ...]]
    moving: int
    """The rank of their rates."""
    held: int
    """The rank of the known integrals and their products."""


@dataclass(frozen=True)
class Sought:
    """Where to look: the parameters' values (those left out are generic), and whether inputs are zero."""

    motion: Motion
    fixed: Mapping[str, Fraction]
    idle: bool
    drawn: dict[tuple[int, int, int], States] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Cached states by their number, seed and prime, with the values computed there."""
    empty: list[Empty] = field(default_factory=list, init=False, repr=False, compare=False)
    """Terms of which nothing is constant."""
    general: Sequence[Empty] = field(default=(), repr=False, compare=False)
    """Terms of which nothing is constant for generic values of the parameters."""

    def states(self, count: int, seed: int, given: Mapping[str, Any] | None = None, p: int = P) -> States:
        """Random admissible states."""
        found = exact_states(self.motion, count, seed, {**(given or {}), **self.fixed}, self.idle, p)
        if found.points.by_norm and larger_than([*self.motion.formulas.mass, *self.motion.formulas.force], LONG):
            raise NoPoints(f"of equations with more than {LONG} terms and states on roots of a norm only symmetries are sought")
        return found

    def kept(self, count: int, seed: int, p: int = P) -> States:
        """Random admissible states, cached."""
        key = (count, seed, p)
        if key not in self.drawn:
            self.drawn[key] = self.states(count, seed, p=p)
        return self.drawn[key]


ROOMS = (48, 160, 480)
"""Numbers of states that are drawn, so that several libraries share them."""


def enough(sought: Sought, count: int, seed: int) -> States:
    """States of which at least ``count`` are good."""
    size = next((room for room in ROOMS if room >= count), count)
    for attempt in range(4):
        states = sought.kept(size + 8, seed + attempt)
        good = int(np.sum(states.good))
        if good >= count:
            return states
        if attempt == 3 or (not good and size > 60):
            break
        size = int(max(count, size) * (size + 8) / max(1, good) * 1.3) + 16 if good else 4 * size + 64
    raise Unsupported("too few points with real roots")


def columns(
    states: States, factors: Sequence[Expr], terms: Sequence[tuple[int, ...]], most: int | None = None
) -> tuple[Residues, Residues]:
    """Values and rates of the terms, one row for each state: at all of them, good or not, or at ``most`` good ones."""
    p = states.points.p
    shell = on_shell(states.motion, factors)
    used = sorted({k for term in terms for k in term})
    place = {k: row for row, k in enumerate(used)}
    plain, slopes = states.points.values([shell[k] for k in used]), [states.rate(shell[k]) for k in used]
    chosen = np.arange(states.points.count) if most is None else np.flatnonzero(states.good)[:most]  # roots are known now
    count = len(chosen)
    values, rates = np.ones((len(used) + 1, count), dtype=np.int64), np.zeros((len(used) + 1, count), dtype=np.int64)
    for row, (value, slope) in enumerate(zip(plain, slopes)):
        values[row], rates[row] = value[chosen], slope[chosen]
    longest = max(map(len, terms), default=0)  # the last row of values is 1, so that all terms have as many factors
    table = [[place[k] for k in term] + [len(used)] * (longest - len(term)) for term in terms]
    first, second = np.ones((len(terms), count), dtype=np.int64), np.zeros((len(terms), count), dtype=np.int64)
    for factor in np.array(table, dtype=np.intp).reshape(len(terms), longest).T:
        value = values[factor]
        second = (second * value % p + first * rates[factor]) % p
        first = first * value % p
    return first.T, second.T


def constants(
    sought: Sought,
    factors: Sequence[Expr],
    terms: Sequence[tuple[int, ...]],
    known: Sequence[Expr] = (),
    products: int = 1,
) -> list[Expr]:
    """All combinations of the terms that are constant along every motion, beyond what follows from the known ones.

    ``known`` integrals (and their products, up to ``products`` of them) are taken out first. The coefficients
    are rational functions of the parameters that are not fixed; combinations whose coefficients could not be read
    back are left out. Every result is proved (`proved`). Sets of terms without a result are not searched again, and
    with fixed parameters nothing is new where the rates are as independent as they are in general.
    """
    wanted = frozenset(tuple(factors[k] for k in term if factors[k] != 1) for term in terms)
    same = [e for e in sought.empty if e.known == tuple(known) and e.products == products]
    if any(wanted <= e.terms for e in same):
        return []
    factors = [*factors, *known]
    before = [(), *((len(factors) - len(known) + k,) for k in range(len(known)))]
    for _ in range(products - 1):
        before += [(*a, b[0]) for a in before if a for b in before[1 : len(known) + 1] if a[-1] <= b[0]]
    before = list(dict.fromkeys(before))
    rows = len(terms) + len(before) + MARGIN
    states = enough(sought, rows, seed=11)
    values, rates = columns(states, factors, [*before, *terms], rows)
    moving = rank(rates[:, len(before) :])
    nothing = Empty(tuple(known), products, wanted, moving, rank(values[:, : len(before)]))
    whole = len(values) == rows  # otherwise the rank may be the number of states
    kept = []
    if moving < len(terms) and not (whole and nothing in sought.general):
        kept = [k - len(before) for k in independent_columns(values) if k >= len(before)]
    if not kept or len(kept) == moving:  # terms that are left out follow from others, and their rates from theirs
        if whole:
            sought.empty.append(nothing)
        return []
    kernel = null_space(rates[:, [len(before) + k for k in kept]])
    result = []
    for free, vector in kernel:
        support = [kept[int(k)] for k in np.flatnonzero(vector)]
        for related in (False, True) if sought.motion.constants else (False,):
            found = read_back(sought, factors, [terms[k] for k in support], support.index(kept[free]), related)
            if found is not None and proved(sought, found):
                result.append(found)
                break
    return result


def _coefficients(
    sought: Sought,
    factors: Sequence[Expr],
    terms: Sequence[tuple[int, ...]],
    free: int,
    sets: Mapping[str, Residues],
    source: Callable[[States], Residues] | None = None,
) -> tuple[Residues, Any]:
    """The coefficients (1 at ``free``) for many sets of parameters at once; and for which sets they were found."""
    count = len(next(iter(sets.values()))) if sets else 1
    size = len(terms) - (0 if source is not None else 1)
    block = size + 2
    states = sought.states(16 * block, seed=29)
    share = max(0.05, float(np.mean(states.good)))
    block = int(block / share * 1.5) + (12 if share < 1 else 0)
    spread = {n: np.repeat(v, block) for n, v in sets.items()}
    states = sought.states(count * block, seed=37, given=spread)
    _, rates = columns(states, factors, terms)
    if source is not None:
        rates = np.column_stack([rates, source(states)])
    rates = rates.reshape(count, block, size + 1)
    good = states.good.reshape(count, block)
    usable = np.sum(good, axis=1) >= size
    order = np.argsort(~good, axis=1, kind="stable")[:, :size]
    chosen = np.take_along_axis(rates, order[:, :, None], axis=1)
    others = [k for k in range(size + 1) if k != free]
    if not size:
        return np.ones((count, 1), dtype=np.int64), usable
    inner, regular = solve(chosen[:, :, others], -chosen[:, :, free] % P)
    result = np.ones((count, size + 1), dtype=np.int64)
    result[:, others] = inner
    return result, usable & regular


def read_back(
    sought: Sought, factors: Sequence[Expr], terms: Sequence[tuple[int, ...]], free: int, related: bool = False
) -> Expr | None:
    """The combination of the terms with coefficients in the parameters; None when they are not simple enough.

    Roots and angles of parameters are taken for parameters of their own, or, if ``related``, with what ties them together.
    """
    weights = weights_of(sought, factors, terms, free, related=related)
    return None if weights is None else _combined(factors, terms, weights)


def weights_of(
    sought: Sought,
    factors: Sequence[Expr],
    terms: Sequence[tuple[int, ...]],
    free: int,
    source: Callable[[States], Residues] | None = None,
    related: bool = False,
) -> list[Expr] | None:
    """Coefficients ``c`` with ``Σ c_k d(term_k)/dt = 0`` and 1 at ``free``; with a source, ``… + source = 0`` instead."""
    if len(terms) > TERMS:
        return None
    names = [n for n in sought.motion.system.parameters if n not in sought.fixed]
    names = [n for n in names if any(symbol(n) in e.free_symbols for e in _everything(sought.motion))]

    def solved(sets: Mapping[str, Residues]) -> tuple[Residues, Any]:
        return _coefficients(sought, factors, terms, free, sets, source)

    if related:
        return related_weights(sought.motion, names, len(terms) + (0 if source is None else 1), solved)
    return rational_functions(names, solved, 101)


def _everything(motion: Motion) -> list[Expr]:
    equations = motion.equations
    held = [] if motion.allowed.explicit else list(motion.allowed.rows.residuals)
    return [e for row in equations.mass for e in row] + list(equations.force) + list(equations.kinematics) + held


def _combined(factors: Sequence[Expr], terms: Sequence[tuple[int, ...]], weights: Sequence[Expr]) -> Expr:
    whole = _cleared(weights)
    return se.Add(*(w * se.Mul(*(factors[k] for k in term)) for w, term in zip(whole, terms)))


def _cleared(weights: Sequence[Expr]) -> list[Expr]:
    """The coefficients times their common denominator, without a common factor."""
    import sympy

    plain = [sympy.sympify(w) for w in weights]
    parts = [sympy.fraction(sympy.together(w)) for w in plain]
    below = sympy.lcm_list([b for _, b in parts]) if len(parts) > 1 else parts[0][1]
    tops = [sympy.cancel(w * below) for w in plain]
    common = sympy.gcd_list(tops) if len(tops) > 1 else tops[0]
    whole = [sympy.factor(sympy.cancel(t / common)) for t in tops]
    if whole and str(whole[-1]).startswith("-"):
        whole = [-w for w in whole]
    return [se.sympify(w) for w in whole]


def proved(sought: Sought, expression: Expr) -> bool:
    """Whether the rate along the motion is zero: exactly, at random states modulo two primes, and not trivially so."""
    try:
        (shell,) = on_shell(sought.motion, [se.sympify(expression)])
        return all(_rate_at(sought, shell, seed, p) == "zero" for seed, p in SEEDS)
    except (NoPoints, Unsupported):
        return False


def exact_rate(sought: Sought, expression: Expr) -> Rate:
    """The rate along the motion at random admissible states modulo two primes."""
    try:
        (shell,) = on_shell(sought.motion, [se.sympify(expression)])
        found = [_rate_at(sought, shell, seed, p) for seed, p in SEEDS]
    except (NoPoints, Unsupported):
        return "open"
    return found[0] if found[0] == found[1] else "open"


def _rate_at(sought: Sought, shell: Expr, seed: int, p: int) -> Rate:
    """The rate at the good states modulo one prime; a root of parameters may need other parameters."""
    for attempt in range(ATTEMPTS):
        states = sought.kept(2 * PROOF if attempt % 2 == 0 else 20 * PROOF, seed + attempt, p)
        if np.sum(states.good) < PROOF // 4:  # rates at the others would be for nothing
            continue
        rate, value = states.rate(shell), states.points.value(shell)
        good = states.good
        if np.sum(good) >= PROOF // 4:
            if np.any(rate[good]):
                return "open" if states.points.opaque else "moving"
            return "zero" if len(set(value[good].tolist())) > 1 else "trivial"
    return "open"


def vanishes(sought: Sought, exprs: Sequence[Expr]) -> bool:
    """Whether expressions in coordinates and speeds are zero at random states; states are drawn until roots exist at enough."""
    for attempt in range(ATTEMPTS):
        try:
            states = sought.states(PROOF, 15 + attempt)
            found = [states.value(e) for e in exprs]
        except (NoPoints, Unsupported):
            return False
        if np.sum(states.good) >= PROOF // 4:
            return not any(np.any(values[states.good]) for values in found)
    return False


def functionally_independent(sought: Sought, exprs: Sequence[Expr]) -> list[int]:
    """The positions of those that are no functions of those before them, from the rank of their differentials.

    States are drawn until all roots exist at one of them: roots of parameters exist at all states or at none.
    """
    motion = sought.motion
    system, allowed = motion.system, motion.allowed
    held = [*system.holonomic, *([] if allowed.explicit else allowed.rows.residuals)]
    whole = [*held, *on_shell(motion, [se.sympify(e) for e in exprs])]
    x, z = symbols(system.coordinates), motion.equations.speeds
    for attempt in range(2 * ATTEMPTS):
        states = sought.states(12 if attempt < ATTEMPTS else 12 * PROOF, 71 + attempt)
        points, p = states.points, states.points.p
        slopes = [[points.value(e.diff(s)) if s in e.free_symbols else None for s in (*x, *z)] for e in whole]
        if np.any(states.good):
            break
    else:
        raise Unsupported("too few points with real roots")
    place = int(np.flatnonzero(states.good)[0])
    anchor = [[int(points.value(e)[place]) for e in row] for row in system.frame.anchor]
    chosen: list[int] = []
    rows: list[list[int]] = []
    size = 0
    for k, slope in enumerate(slopes):
        numbers = [0 if e is None else int(e[place]) for e in slope]
        inner = [sum(a * row[j] for a, row in zip(numbers, anchor)) % p for j in range(system.frame.size)]
        trial = [*rows, [*inner, *numbers[len(x) :]]]
        if rank(np.array(trial, dtype=np.int64), p) > size:
            rows, size = trial, size + 1
            chosen.append(k - len(held))
    return [k for k in chosen if k >= 0]


def leave_curves(sought: Sought, integrals: Sequence[Expr]) -> bool:
    """Whether integrals of an autonomous system leave curves alone: then every other is a function of them, almost everywhere."""
    motion = sought.motion
    system, allowed, equations = motion.system, motion.allowed, motion.equations
    held = len(system.holonomic) + (0 if allowed.explicit else len(allowed.rows.residuals))
    most = system.frame.size + len(equations.speeds) - held - 1
    if system.inputs or not motion.autonomous or len(integrals) < most:
        return False
    try:
        return len(functionally_independent(sought, integrals)) >= most
    except (NoPoints, Unsupported):
        return False


__all__ = ["Sought", "constants", "echelon", "functionally_independent", "leave_curves", "proved", "residue"]
