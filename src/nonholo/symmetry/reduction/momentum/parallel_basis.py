"""Bases of S that are parallel under τ: ``dη = −η τ``, so that the momentum equation has no term linear in p and ṙ.

Where τ is flat such a basis exists [BMZ 2009, Theorem 4.4, corrected]; where no quadratic terms remain its momenta are conserved.
Closed forms are found by quadratures: for one momentum, for τ that is triangular in some order of the basis, and for τ that is a
constant matrix times a closed form. Otherwise η is known as numbers, transported along straight lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.budget import within
from nonholo.algebra.calculus import ZERO, atoms, larger_than, substitute, symbols
from nonholo.algebra.expression_types import Expr, Numbers, Symbol
from nonholo.algebra.linear_equations import Matrix, dot, evaluate_all, evaluate_matrix
from nonholo.algebra.numeric_functions import table_function
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import Frame, change_frame
from nonholo.model.system import parameter_values
from nonholo.notation.write import to_text
from nonholo.symmetry.integrals.ode.numeric_momentum import Panels, panels
from nonholo.symmetry.integrals.primitives import closed_form_primitive
from nonholo.symmetry.reduction.momentum.conserving_bases import (
    LIMIT,
    Aligned,
    largest,
    tau_curvature,
    theorem_4_4,
    transport_form,
)
from nonholo.symmetry.reduction.quotient_data import Cube
from nonholo.symmetry.reduction.reduced_equations import lifted_columns, speeds_of
from nonholo.symmetry.reduction.reduction_record import ReductionRecord, require_orthogonal

WORK = 4.0
"""Units of work for the quadratures of a parallel basis."""
LONG = 4000
"""Nodes of a form τ beyond which no closed form is sought."""


def parallel_weights(frame: Aligned) -> Matrix | None:
    """``η[i][a](r)`` in closed form with ``∂_α η = −η τ_α``, one row for each momentum; None where none is found.

    It is checked at random shapes, and that the rows are independent there.
    """
    m, h = frame.vertical, frame.horizontal
    shape = frame.data.shape
    if not m or not h or len(shape.names) != h or frame.data.driven or largest(tau_curvature(frame), frame) > LIMIT:
        return None
    tau, r = transport_form(frame), symbols(shape.names)
    if larger_than([e for block in tau for row in block for e in row], LONG):
        return None
    found = within(WORK, lambda: _quadratures(tau, r, frame.data.samples))
    return found if found is not None and _parallel(found, tau, r, frame.data.samples) else None


def _parallel(eta: Matrix, tau: Cube, r: Sequence[Symbol], samples: Sequence[Mapping[str, float]]) -> bool:
    m = len(eta)
    off = [
        eta[i][c].diff(s) + sum((eta[i][a] * tau[x][a][c] for a in range(m)), ZERO)
        for x, s in enumerate(r) for i in range(m) for c in range(m)
    ]  # fmt: skip
    sizes = [e for row in eta for e in row]
    numbers = np.abs(evaluate_all([*off, *sizes], samples))
    if not np.all(np.isfinite(numbers)):
        return False
    regular = all(np.linalg.matrix_rank(evaluate_matrix(eta, p), tol=1e-8) == m for p in samples)
    return regular and bool(np.all(numbers[:, : len(off)] < 1e-8 * (1 + np.max(numbers[:, len(off) :]))))


def _quadratures(tau: Cube, r: Sequence[Symbol], samples: Sequence[Mapping[str, float]]) -> Matrix | None:
    """The basis by integrals of closed forms; a ValueError where one is not known."""
    m = len(tau[0])
    entries = [[[block[a][c] for block in tau] for c in range(m)] for a in range(m)]
    zero = [[bool(np.max(np.abs(evaluate_all(entries[a][c], samples))) < 1e-12) for c in range(m)] for a in range(m)]
    order = _triangular(zero)
    if order is not None:
        return _by_substitution(entries, zero, order, r, samples)
    return _of_one_matrix(entries, r, samples)


def _triangular(zero: Sequence[Sequence[bool]]) -> list[int] | None:
    """An order in which each component depends on earlier ones alone: ``η_c' = −Σ_a η_a τ[a][c]``."""
    m = len(zero)
    order: list[int] = []
    while len(order) < m:
        ready = [c for c in range(m) if c not in order and all(zero[a][c] or a == c or a in order for a in range(m))]
        if not ready:
            return None
        order.append(ready[0])
    return order


def _by_substitution(
    entries: Any, zero: Any, order: Sequence[int], r: Sequence[Symbol], samples: Sequence[Mapping[str, float]]
) -> Matrix:
    """Row i starts with the factor of its own component, and drags later components along."""
    m = len(order)
    factor: dict[int, Expr] = {}
    for c in order:
        inner = ZERO if zero[c][c] else closed_form_primitive([-e for e in entries[c][c]], r)
        factor[c] = _exponential(inner, samples)
    rows = []
    for place, i in enumerate(order):
        row: list[Expr] = [ZERO] * m
        row[i] = factor[i]
        for c in order[place + 1 :]:
            before = [a for a in order if a != c and row[a] != 0 and not zero[a][c]]
            if before:
                form = [-se.Add(*(row[a] * entries[a][c][x] for a in before)) / factor[c] for x in range(len(r))]
                row[c] = factor[c] * closed_form_primitive(form, r)
        rows.append((i, tuple(row)))
    return tuple(row for _, row in sorted(rows))


def _exponential(expr: Expr, samples: Sequence[Mapping[str, float]]) -> Expr:
    """``exp`` of a sum up to a factor, with powers for logarithms: ``exp(c log u) = u^c``, or ``(−u)^c`` where u is negative."""
    import sympy

    result = sympy.Integer(1)
    for term in sympy.Add.make_args(sympy.expand(sympy.sympify(expr))):
        logs = [f for f in sympy.Mul.make_args(term) if isinstance(f, sympy.log)]
        if len(logs) != 1:
            result *= sympy.exp(term)
            continue
        base = logs[0].args[0]
        below = np.all(evaluate_all([se.sympify(base)], samples) < 0)
        result *= (-base if below else base) ** (term / logs[0])
    return se.sympify(result)


def _exponential_of_two(matrix: Any, angle: Any, samples: Sequence[Mapping[str, float]]) -> Matrix | None:
    """``exp(−F M)`` of a 2 x 2 matrix in real functions: with ``N = M − ½ Tr M``, ``N² = δ``, by cosines where δ < 0.

    None where δ has not one sign at all samples.
    """
    import sympy

    half = matrix.trace() / 2
    rest = matrix - half * sympy.eye(2)
    delta = sympy.factor(half**2 - matrix.det())
    signs = set(np.sign(evaluate_all([se.sympify(delta)], samples)).ravel().tolist())
    if len(signs) != 1 or not signs <= {1.0, -1.0}:
        return None
    root = sympy.sqrt(delta if 1.0 in signs else -delta)
    even, odd = (sympy.cosh, sympy.sinh) if 1.0 in signs else (sympy.cos, sympy.sin)
    found = sympy.exp(-half * angle) * (even(root * angle) * sympy.eye(2) - odd(root * angle) / root * rest)
    return tuple(tuple(se.sympify(found[i, a]) for a in range(2)) for i in range(2))


def without_transport(exprs: Sequence[Expr], momenta: Sequence[Symbol], rates: Sequence[Symbol]) -> tuple[Expr, ...]:
    """Polynomials of second degree in p and ṙ without their terms ``p ṙ``, which vanish in a parallel basis."""
    still, quiet = dict.fromkeys(rates, ZERO), dict.fromkeys(momenta, ZERO)
    parts = [substitute(exprs, still), substitute(exprs, quiet), substitute(exprs, {**still, **quiet})]
    return tuple(a + b - c for a, b, c in zip(*parts))


def exponents_collected(exprs: Sequence[Expr]) -> tuple[Expr, ...]:
    """Expressions with exponents in lowest terms: ``u^(1 − 2m/(2m + 2M)) = u^(M/(m + M))``.

    >>> u, m, M = symbols(["u", "m", "M"])
    >>> exponents_collected([u ** (1 - 2 * m / (2 * m + 2 * M))])
    (u**(M/(M + m)),)
    """
    import sympy

    for _ in range(3):  # powers of the same base join again
        powers = {p for p in atoms(exprs, se.Pow) if p.args[1].free_symbols}
        table = {p: p.args[0] ** se.sympify(sympy.factor(sympy.sympify(p.args[1]))) for p in powers}
        exprs = [e.xreplace(table) for e in exprs]
    return tuple(exprs)


def _of_one_matrix(entries: Any, r: Sequence[Symbol], samples: Sequence[Mapping[str, float]]) -> Matrix | None:
    """``η = exp(−F M)`` where ``τ_α = ∂_α F · M`` with a constant matrix M."""
    import sympy

    m = len(entries)
    pairs = [(a, c) for a in range(m) for c in range(m)]
    numbers = np.array([evaluate_all(entries[a][c], samples) for a, c in pairs])
    lead = int(np.argmax(np.max(np.abs(numbers), axis=(1, 2))))
    form = entries[pairs[lead][0]][pairs[lead][1]]
    ratios = {}
    for a, c in pairs:
        x = next(x for x, e in enumerate(form) if e != 0)
        ratio = sympy.simplify(sympy.sympify(entries[a][c][x]) / sympy.sympify(form[x]))
        if ratio.free_symbols & {sympy.Symbol(str(s)) for s in r}:
            return None
        ratios[a, c] = ratio
    angle = sympy.sympify(closed_form_primitive(form, r))
    matrix = sympy.Matrix(m, m, lambda a, c: ratios[a, c])
    if m == 2:
        return _exponential_of_two(matrix, angle, samples)
    mark = sympy.Symbol("_angle", real=True)
    found = (-mark * matrix).exp().applyfunc(lambda e: sympy.simplify(e.rewrite(sympy.cos))).subs(mark, angle)
    return tuple(tuple(se.sympify(found[i, a]) for a in range(m)) for i in range(m))


@dataclass(frozen=True, eq=False, repr=False)
class MomentumFrame:
    """``η_i^a(r)`` with ``dη = −η τ`` and ``η = 1`` at ``origin``: each row gives a momentum ``η_i^a p_a`` without the τ term."""

    variables: tuple[str, ...]
    momenta: tuple[str, ...]
    origin: tuple[float, ...]
    trace: tuple[Expr, ...]
    """``Tr τ_α`` as functions of the shape."""
    frame: Aligned
    transport: Transport

    @cached_property
    def formula(self) -> Matrix | None:
        """The same basis in closed form, not normalised at the origin; None where none is known."""
        return parallel_weights(self.frame)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        head = f"momenta without the τ term, over {', '.join(self.variables)}"
        if self.formula is None:
            return f"{head}: by numbers, frame(r); no closed form was found"
        rows = [dot(row, symbols(self.momenta)) for row in self.formula]
        return "\n".join([f"{head}:", *(f"  {to_text(e)}" for e in rows)])

    @property
    def variable(self) -> str:
        """The shape variable, where there is one."""
        return self.variables[0]

    def __call__(self, r: Any) -> Numbers:
        """``η[i][a]`` at each value; for several variables one row for each point."""
        points = np.asarray(r, dtype=float)
        if len(self.variables) == 1:
            points = np.atleast_1d(points).reshape(-1, 1)
        return self.transport.at(np.atleast_2d(points))

    def wronskian(self, r: Any) -> Numbers:
        """``W = det η``; it obeys ``d ln W = −Tr τ`` [BMZ 2009 (6.15)]."""
        return np.asarray(np.linalg.det(self(r)))

    def values(self, run: Any) -> Numbers:
        """The momenta ``η_i^a p_a`` along a motion, one row for each time; constant when the theorem's conditions hold."""
        p = np.stack([np.asarray(run[n]) for n in self.momenta], axis=1)
        place = np.stack([np.asarray(run[n]) for n in self.variables], axis=1)
        return np.asarray(np.einsum("tia,ta->ti", self.transport.at(place), p))


@dataclass(frozen=True, eq=False)
class Transport:
    """The solution as numbers: on panels for one variable, along a straight line from the origin for several."""

    rates: Callable[[Numbers], Numbers]
    size: int
    origin: Numbers
    line: Panels | None

    def at(self, points: Numbers) -> Numbers:
        """``η`` at each point; not a number where the equation is singular on the way."""
        if self.line is not None:
            return np.swapaxes(self.line(points[:, 0]), 1, 2)
        found = np.full((len(points), self.size, self.size), np.nan)
        for k, point in enumerate(points):
            step = point - self.origin
            if not np.any(step):
                found[k] = np.eye(self.size)
                continue

            def along(s: Numbers, step: Numbers = step) -> Numbers:
                values = self.rates(self.origin + np.outer(s, step))
                return np.asarray(np.einsum("sxij,x->sij", values, step))

            solved = panels(along, self.size, 0.0, (-1e-3, 1.0))
            if solved is not None:
                found[k] = solved(1.0)[0].T
        return found


def momentum_frame(
    reduction: Any, parameters: Mapping[str, Any] | None = None, *, origin: Any = None, reach: Any = None
) -> MomentumFrame:
    """The basis of S that is parallel under τ, as numbers up to the singular points of its equation, and in closed form if found.

    For several shape variables τ must be flat. ``origin`` is a number, or a table of the shape variables; ``reach`` an interval
    of one variable.

    >>> import nonholo as nh
    >>> penny = nh.gallery.get("basketball")
    >>> red = nh.reduce(penny.system)
    >>> nh.studies.momentum_frame(red, penny.parameters).momenta
    ('p1', 'p2')
    >>> carriage = nh.System(coordinates="r s x z", lagrangian="(rdot**2 + sdot**2 + xdot**2 + zdot**2)/2",
    ...     constraints=["zdot - (r + s**2)*xdot"])
    >>> print(nh.studies.momentum_frame(nh.reduce(carriage)).formula[0][0])
    (1 + 2*r*s**2 + r**2 + s**4)**(-1/2)
    """
    require_orthogonal(reduction)
    frame: Aligned = reduction.frame
    system, shape = reduction.system, reduction.shape
    h, m = frame.horizontal, frame.vertical
    if not h or len(shape.names) != h or not m:
        raise ModelError(
            f"{system.name}: a parallel basis needs free shape variables and at least one momentum; here are {len(shape.names)} "
            f"shape variables, {h} of them free, and {m} momenta."
        )
    if h > 1 and largest(tau_curvature(frame), frame) > LIMIT:
        raise ModelError(f"{system.name}: no basis of S is parallel: τ is not flat, dτ + τ∧τ is not zero.")
    values = parameter_values(system, parameters)
    tau = transport_form(frame)
    names = [*shape.names, *values]
    flat = [-tau[x][a][c] for x in range(h) for c in range(m) for a in range(m)]
    function = table_function(symbols(names), flat)
    rest = np.array(list(values.values()), dtype=float)

    def rates(points: Numbers) -> Numbers:
        rows = np.array([[*np.atleast_1d(e), *rest] for e in points])
        return function(rows).reshape(len(points), h, m, m)

    begin = _origin(reduction, origin)
    line = None
    if h == 1:
        span = (begin[0] - 8.0, begin[0] + 8.0) if reach is None else tuple(reach)
        line = panels(lambda s: rates(np.atleast_1d(s))[:, 0], m, float(begin[0]), span)
        if line is None:
            raise ModelError(
                f"{system.name}: the equation for the conserving frame is singular at {shape.names[0]} = {begin[0]:g}; "
                "choose another origin."
            )
    trace = tuple(sum((tau[x][a][a] for a in range(m)), ZERO) for x in range(h))
    transport = Transport(rates, m, begin, line)
    return MomentumFrame(shape.names, reduction.momenta, tuple(begin.tolist()), trace, frame, transport)


def _origin(reduction: ReductionRecord, given: Any) -> Numbers:
    names = reduction.shape.names
    usual = [float(reduction.frame.data.samples[0][n]) for n in names]
    if given is None:
        return np.array(usual)
    if isinstance(given, Mapping):
        stray = [n for n in given if n not in names]
        if stray:
            raise ModelError(f"{reduction.system.name}: origin: {stray[0]!r} is none of the shape variables {', '.join(names)}.")
        return np.array([float(given.get(n, e)) for n, e in zip(names, usual)])
    point = np.atleast_1d(np.asarray(given, dtype=float))
    if len(point) != len(names):
        raise ModelError(f"{reduction.system.name}: origin: {len(point)} numbers where {', '.join(names)} need {len(names)}.")
    return point


def conserved_momenta(reduction: ReductionRecord) -> tuple[Expr, ...]:
    """``η_i^a p_a`` of a conserving basis in closed form, in coordinates and frame velocities; empty where none is found."""
    weights = parallel_weights(reduction.frame) if all(theorem_4_4(reduction.frame)) and not reduction.frame.cross else None
    if weights is None or tuple(map(str, reduction.equations.speeds)) != (*reduction.rates, *reduction.momenta):
        return ()
    forms = speeds_of(reduction)
    p = [forms[n] for n in reduction.momenta]
    return tuple(se.Add(*(w * e for w, e in zip(reduction.shape.lift(row), p))) for row in weights)


def adapted_frame(reduction: ReductionRecord) -> Frame:
    """The fields of a reduction as a frame for `hamel`: horizontal ones ``h_…``, S ``s_…``, the rest ``n_…`` [BMZ 2009 (2.12)].

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("sleigh-oscillator").system
    >>> nh.studies.adapted_frame(nh.reduce(sleigh, basis="parallel")).velocities
    ('h_r', 's_1', 's_2', 'n_1')
    """
    system = reduction.system
    columns = lifted_columns(reduction.shape, reduction.basis, reduction.frame)
    others = (*reduction.bases.N, *reduction.bases.R)
    whole = [(*row, *(field[i] for field in others)) for i, row in enumerate(columns)]
    names = [f"h_{reduction.shape.names[c]}" for c in reduction.frame.rows]
    names += [f"s_{n.removeprefix('p_') if n.startswith('p_') else k + 1}" for k, n in enumerate(reduction.momenta)]
    names += [f"n_{k + 1}" for k in range(len(others))]
    return change_frame(system.frame, whole, names, parameters=tuple(system.parameters))
