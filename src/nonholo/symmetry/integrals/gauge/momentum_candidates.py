"""Candidates for gauge momenta: closed forms checked, duplicates removed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import symengine as se

from nonholo.algebra.budget import Purse, within
from nonholo.algebra.calculus import ONE, ZERO, atoms, gradient, node_count, substitute, symbols, tidy
from nonholo.algebra.expression_types import Expr, Quantity, is_expression
from nonholo.algebra.linear_equations import DependentRows, dot, solve
from nonholo.algebra.subspaces import independent
from nonholo.model.system import System, resolve
from nonholo.model.velocities.admissible import admissible
from nonholo.symmetry.integrals.gauge.prolongation import GaugeOde, states_at
from nonholo.symmetry.integrals.integral_text import written
from nonholo.symmetry.integrals.momentum_rates import Field, Momenta, along_field, configuration, defect, states, table
from nonholo.symmetry.integrals.ode.closed_form import ClosedForm, GaussSolution, applied
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum

if TYPE_CHECKING:
    import sympy


CONSTANT = 1e-9
READABLE = 250
UNITS = 1.2
"""Units of work after which shorter forms of one momentum are given up."""
SHORTENING_UNITS = 2.0
"""Units of work after which a shorter form is given up."""


@dataclass(frozen=True, eq=False)
class SpecialMomentum(NumericMomentum):
    """A momentum with special functions: ``closed`` is its SymPy expression, its values come from the same ODE."""

    closed: sympy.Expr | None = None
    function: str = "special functions"
    """Its special function."""

    @property
    def noun(self) -> str:
        """What to call it in a sentence."""
        return f"the momentum with {self.function}"

    def __str__(self) -> str:
        return str(self.closed)


@dataclass(frozen=True)
class Candidate:
    """A quantity believed to be constant, and why."""

    expression: Quantity
    method: str
    special: bool = False
    """Whether it was found for the given values of the parameters only."""
    noun: str = "a momentum"
    """What to call it where its formula is too long."""


def readable(found: Momenta, momentum: Expr) -> Expr:
    """An expression linear in the speeds with each coefficient in its shortest known form."""
    still = dict.fromkeys(found.speeds, ZERO)
    weights = [*substitute(gradient(momentum, found.speeds), still), substitute([momentum], still)[0]]
    names, purse = _rotations(found.system), Purse(UNITS)
    short = dot([shortened(w, names, purse) for w in weights], (*found.speeds, ONE))
    return short if node_count([short]) <= node_count([momentum]) else momentum


def _rotations(system: System) -> list[str]:
    return [str(words["name"]) for words in system.frame.recipe if words["kind"] == "SO3"]


def shortened(expr: Expr, rotations: Sequence[str] = (), purse: Purse | None = None) -> Expr:
    """The shortest among the expression, its ``sin² + cos² = 1`` form, its lowest terms, and that by ``RᵀR = 1``."""
    forms = [expr, tidy(expr)]
    if 1 < node_count([expr]) < READABLE:
        forms += (purse or Purse(UNITS)).within(lambda: _exact_forms(expr, rotations)) or []
    return min(forms, key=lambda e: node_count([e]))


def _exact_forms(expr: Expr, rotations: Sequence[str]) -> list[Expr]:
    import sympy

    plain = sympy.sympify(expr)
    if not plain.atoms(sympy.sin, sympy.cos, sympy.exp) and all(p.exp.is_Integer for p in plain.atoms(sympy.Pow)):
        forms = [sympy.factor(plain)]
        for name in rotations:
            top, bottom = sympy.fraction(sympy.together(plain))
            one, two = orthogonal(top, name, True), orthogonal(top, name, False)
            forms += [sympy.factor(e) / bottom for e in (one, two, orthogonal(one, name, False))]
        return [se.sympify(f) for f in forms]
    return [se.sympify(sympy.factor(plain))]


def orthogonal(polynomial: Any, name: str, rows: bool) -> Any:
    """A SymPy polynomial with products of entries of the first row (or last column) replaced by ``RᵀR = 1`` (or ``RRᵀ = 1``).

    ``R_1i R_1j = δ_ij − R_2i R_2j − R_3i R_3j``,  or  ``R_i3 R_j3 = δ_ij − R_i1 R_j1 − R_i2 R_j2``.
    """
    import sympy

    R = [[sympy.Symbol(f"{name}{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)]
    first, *others = R if rows else [list(c) for c in zip(*R)][::-1]
    if not polynomial.free_symbols & set(first):
        return polynomial
    work, done = sympy.Poly(polynomial, *first), sympy.Integer(0)
    while True:
        rest = sympy.Integer(0)
        for powers, coefficient in work.terms():
            used = [k for k, p in enumerate(powers) for _ in range(p)]
            if len(used) < 2:
                done += coefficient * sympy.Mul(*(first[k] for k in used))
                continue
            i, j, *left = used
            pair = int(i == j) - sum(line[i] * line[j] for line in others)
            rest += coefficient * pair * sympy.Mul(*(first[k] for k in left))
        if rest == 0:
            return sympy.expand(done)
        work = sympy.Poly(rest, *first)


def of_field(found: Momenta, field: Field, extra: Expr, method: str) -> Candidate | None:
    """The momentum of a field (plus a function of the configuration), if it is constant at generic states."""
    momentum = dot(field, found.momenta) + extra
    if not defect(found, momentum, states(found, 3, seed=77)) < CONSTANT:
        return None
    return Candidate(readable(found, momentum), method)


def of_closed(ode: GaugeOde, one: ClosedForm) -> Candidate | None:
    """The momentum of a closed solution of the ODE, checked at generic states; in velocities where this is shorter."""
    found, F = ode.momenta, ode.field
    name = {ode.variable.symbol: ode.variable.expression}
    parts = [along_field(found, f)[0] for f in ode.fields] + ([ONE] if ode.affine else [])
    raw = dot(substitute(applied(F, ode.embedding, one), name), parts)
    places = _checked_places(ode, 4)
    if not defect(found, raw, places) < CONSTANT:
        return None
    method = f"gauge momentum with coefficients of {ode.variable}: {one.method}"
    choices = [readable(found, raw)]
    if ode.weights is not None:
        weights = substitute(applied(F, ode.weights, one, factored=True), name)
        short = dot(weights, _components(found, ode.fields))
        gap = table(found, [raw, *in_speeds_of(found, [short])], places)
        if np.all(np.abs(gap[:, 0] - gap[:, 1]) <= 1e-11 * (1 + np.abs(gap[:, 0]))):
            choices.append(short)
    if one.square is not None:
        inner = ClosedForm(tuple((factor / one.common, vector) for factor, vector in one.terms), one.method)
        bare = dot(substitute(applied(F, ode.embedding, inner), name), parts)
        root = by_root(bare, one.square, (*found.coordinates, *found.speeds))
        whole = None if root is None else substitute([one.common], name)[0] * written(found.system, root)
        if whole is not None and defect(found, whole, places) < CONSTANT:
            return Candidate(whole, method, ode.values is not None)
    best = min(choices, key=lambda e: (_waves_below(e), node_count([e])))
    return Candidate(written(found.system, best), method, ode.values is not None)


def _waves_below(expr: Expr) -> bool:
    """Whether a cosine or sine stands in a denominator, so that the expression fails where that is zero."""
    below = [f.args[0] for f in atoms([expr], se.Pow) if f.args[1].is_Number and f.args[1].is_negative]
    return any(atoms([e], se.sin, se.cos) for e in below)


def _checked_places(ode: GaugeOde, count: int) -> list[dict[str, float]]:
    given = dict(ode.values) if ode.values is not None else None
    return states(ode.momenta, count, given, seed=88)


def _components(found: Momenta, fields: Sequence[Field]) -> list[Expr]:
    """``ζ^k`` in the speeds, from ``z^i = Σ ζ^k y_k^i``."""
    matrix = [[f[i] for f in fields] for i in range(len(found.speeds))]
    orthogonal = _by_projection(found, fields)
    if orthogonal is not None:
        return orthogonal
    if all(e == (1 if i == j else 0) for i, row in enumerate(matrix) for j, e in enumerate(row)):
        return list(found.speeds)
    spots = [configuration(found.system, 3 + k) for k in range(2)]
    try:
        rows = solve(matrix, [[z] for z in found.speeds], spots)
    except DependentRows:
        return list(found.speeds)
    return [row[0] for row in rows]


def _by_projection(found: Momenta, fields: Sequence[Field]) -> list[Expr] | None:
    """``ζ^k = U_k·v / |U_k|²`` in all velocities, where the fields ``U_k`` are orthogonal and of constant length.

    In speeds the same may have a denominator that vanishes, as ``xdot/cos(theta)`` for a blade.
    """
    basis = admissible(found.system).basis
    v = symbols(found.system.velocities)
    whole = [[dot(row, field) for row in basis] for field in fields]
    moving = set(found.coordinates)
    result = []
    for k, one in enumerate(whole):
        if any(tidy(dot(one, other)) != 0 for other in whole[:k]):
            return None
        length = tidy(dot(one, one))
        if length == 0 or length.free_symbols & moving:
            return None
        result.append(dot([tidy(e) for e in one], v) / length)
    return result


def of_special(ode: GaugeOde, one: GaussSolution, like: NumericMomentum) -> Candidate | None:
    """The momentum of a special solution: a SymPy expression, and numbers from the fundamental matrix.

    The two are compared where the special function is known with thirty digits.
    """
    import sympy

    origin, values = like.solution.origin, like.parameters
    start = one.value(origin, values)
    low, high = like.interval
    for s in np.linspace(max(low, -1) * 0.9, min(high, 1) * 0.9, 4):
        expected, found = one.value(float(s), values), (like.solution(s) @ start)[0]
        if not np.max(np.abs(expected - found)) < 1e-10 * (1 + np.max(np.abs(expected))):
            return None
    F = ode.field
    y = one.expression()
    coefficients = [sum(sympy.sympify(F.expression(e)) * v for e, v in zip(row, y) if e != 0) for row in ode.embedding]
    parts = [sympy.sympify(along_field(ode.momenta, f)[0]) for f in ode.fields]
    closed = sum(c * p for c, p in zip(coefficients, parts) if c != 0)
    special = SpecialMomentum(ode, tuple(map(float, start)), like.parameters, like.solution, closed, one.method.partition(",")[0])
    return Candidate(special, f"gauge momentum with coefficients of {ode.variable}: {one.method}")


def values_at(found: Momenta, one: Candidate, places: Sequence[Mapping[str, float]]) -> np.ndarray[Any, Any]:
    """A candidate's values at states."""
    if hasattr(one.expression, "many"):
        return np.asarray(one.expression.many(places))
    (shell,) = in_speeds_of(found, [e for e in (one.expression,) if is_expression(e)])
    return np.asarray(table(found, [shell], places)[:, 0])


def in_speeds_of(found: Momenta, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
    """Expressions in any of the system's velocities, in the speeds; inputs are zero."""
    allowed = admissible(found.system)
    names = symbols(found.system.velocities)
    idle = dict.fromkeys(symbols(found.system.inputs), ZERO)
    return substitute(substitute(resolve(found.system, exprs), dict(zip(names, allowed.velocity))), idle)


def distinct(found: Momenta, candidates: Sequence[Candidate], values: Mapping[str, float]) -> list[Candidate]:
    """The candidates that do not follow linearly from those before them."""
    if not candidates:
        return []
    numeric = [c.expression for c in candidates if isinstance(c.expression, NumericMomentum)]
    count = 3 * len(candidates) + 6
    if numeric:
        low, high = numeric[0].interval
        origin = numeric[0].solution.origin
        span = np.linspace(
            origin + 0.4 * (max(low, origin - 1) - origin), origin + 0.4 * (min(high, origin + 1) - origin), count
        )
        variable = numeric[0].ode.variable
        places = [states_at(found, 1, values, variable, float(s), seed=40 + k)[0] for k, s in enumerate(span)]
    else:
        places = states(found, count, values, seed=40)
    rows = np.array([values_at(found, c, places) for c in candidates])
    good = [k for k, row in enumerate(rows) if np.all(np.isfinite(row)) and np.max(np.abs(row)) > 1e-12]
    # a number is constant, too: what differs from others by a number is not counted again
    scaled = np.array([np.ones(len(places)), *(rows[k] / np.max(np.abs(rows[k])) for k in good)])
    return [candidates[good[k - 1]] for k in independent(scaled) if k]


def by_root(momentum: Expr, square: Expr, moving: Iterable[Any]) -> Expr | None:
    """A momentum rational in ``κ = √D`` up to a constant factor, with κ in place of a parameter in which D is linear over linear.

    The parameter is expressed by κ, so that all relations between the two cancel; κ is then written out.

    >>> I, m, x, w, v = se.symbols("I m x w v")
    >>> root = se.sqrt(I / (I + m))
    >>> by_root(I * w - (I + m) * root * (w - x * v), I / (I + m), [x, w, v])
    -w + v*x + w*sqrt(I/(I + m))
    """
    return within(SHORTENING_UNITS, lambda: _short(momentum, square, {str(s) for s in moving}))


def _short(momentum: Expr, square: Expr, moving: set[str]) -> Expr | None:
    import sympy

    D, kappa = sympy.sympify(square), sympy.Symbol("_kappa_", positive=True)
    root = se.Symbol("_root_")
    whole = sympy.sympify(momentum.xreplace({se.sqrt(square): root, 1 / se.sqrt(square): 1 / root}))
    whole = whole.xreplace({sympy.Symbol("_root_"): kappa})
    top, bottom = sympy.fraction(sympy.together(D))
    for parameter in sorted(D.free_symbols, key=str):
        relation = sympy.Poly(top - kappa**2 * bottom, parameter)
        if relation.degree() != 1:
            continue
        a, b = relation.all_coeffs()
        shown = sympy.factor(sympy.cancel(sympy.together(whole.subs(parameter, -b / a))))
        kept = [f for f in sympy.Mul.make_args(shown) if {str(s) for s in f.free_symbols} & moving]
        return se.sympify(sympy.Mul(*kept)).xreplace({se.Symbol("_kappa_"): se.sqrt(square)})
    return None
