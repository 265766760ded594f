"""Prove that no density exists: contradictory conditions ``X_b[ln f] = −Θ_b``, Suslov's criterion, divergences modulo a prime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, expand, gradient, larger_than, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import (
    DependentRows,
    Matrix,
    determinant,
    dot,
    identity,
    multiply,
    solve,
    transpose,
)
from nonholo.algebra.prime.modular_arithmetic import Residues, rank
from nonholo.algebra.prime.modular_arithmetic import solve as solve_modulo
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.derive.hamel import kinetic_metric, lagrangian_in_frame, symmetric_jacobian
from nonholo.errors import ModelError
from nonholo.finding import Density, Finding, Measure, Proved, for_almost_all
from nonholo.geometry.distributions.random_configurations import NoPoints, place_groups, put_on_leaf
from nonholo.geometry.frames.brackets import shorten, structure_functions
from nonholo.geometry.groups.adjoint import rounded_algebra, trace_form
from nonholo.model.specialise import specialised, with_fractions
from nonholo.model.system import TIME, System, check_system, force_covector, known_parameters
from nonholo.model.velocities.admissible import constraint_rows, samples_of
from nonholo.notation.write import to_text
from nonholo.symmetry.exact.modular_states import Motion, States, settle
from nonholo.symmetry.vector_fields import bracket, derivatives, divergence

MOST = 3
"""Absence is decided for at most so many speeds: the metric is inverted by hand."""
DEEP = 3
"""How often brackets are taken."""
NODES = 1500
BRACKETS = 6000
"""Longer expressions are left alone, and brackets that are longer together."""


Word = int | tuple[int, int]
"""An admissible field by its number, or the bracket of two of the list."""


@dataclass(frozen=True)
class BracketContradiction:
    """Admissible fields and brackets of those before: some depend on the others at a place where ``Θ`` does not.

    ``Θ`` is that of ``f dx dp``, so that ``Θ_b z^b = div + d(ln mass)/dt`` with the divergence in the speeds ``z``.
    """

    basis: tuple[tuple[Expr, ...], ...]
    values: tuple[Expr, ...]
    words: tuple[Word, ...]
    mass: Expr
    """The determinant of the metric on the speeds."""


def bracket_contradiction(motion: Motion) -> BracketContradiction | None:
    """A proof that no density of the configuration is preserved, for linear constraints; None if there is none.

    Forces that depend on the configuration alone change neither the divergence nor the conditions.
    """
    system = motion.system
    moving = {*symbols(system.velocities), TIME}
    forced = system.magnetic or system.inputs or any(e.free_symbols & moving for e in force_covector(system))
    if forced or len(motion.allowed.speeds) > MOST or not _homogeneous(motion):
        return None
    try:
        pairs = _conditions(motion)
        if larger_than([e for field, value in pairs for e in (*field, value)], NODES):
            return None
        words = _contradiction(motion, pairs)
    except (NoPoints, Unsupported):
        return None
    if words is None:
        return None
    fields, values = zip(*pairs)
    return BracketContradiction(fields, values, words, determinant(_reduced_metric(motion)))


def kinetic(motion: Motion) -> bool:
    """Whether the rates of the speeds are quadratic in them: kinetic energy alone, linear constraints, no forces."""
    system, speeds = motion.system, symbols(motion.system.velocities)
    if system.forces or system.magnetic or system.inputs or not _homogeneous(motion):
        return False
    energy = lagrangian_in_frame(system)
    still = dict.fromkeys(speeds, ZERO)
    slopes = gradient(energy, speeds)
    flat = [e for row in kinetic_metric(system) for e in row]
    low = [energy.xreplace(still), *(e.xreplace(still) for e in slopes)]
    return all(expand(e) == 0 for e in low) and not any(e.free_symbols & {*speeds, TIME} for e in flat)


def _homogeneous(motion: Motion) -> bool:
    """Whether the constraints are linear in the velocities, without a term of order zero."""
    allowed, speeds = motion.allowed, set(motion.equations.speeds)
    linear = motion.system.parametric is None and allowed.rows.linear and all(e == 0 for e in allowed.rows.sides)
    return linear and not any(e.free_symbols & {*speeds, TIME} for row in allowed.basis for e in row)


def _conditions(motion: Motion) -> list[tuple[tuple[Expr, ...], Expr]]:
    """The admissible fields and ``Θ_b = div X_b − c_ab^a``, with the bracket projected on D by the metric."""
    system, allowed = motion.system, motion.allowed
    frame = system.frame
    fields = transpose(allowed.basis)
    metric = _reduced_metric(motion)
    size = len(fields)
    whole = determinant(metric)
    inverse = [[_cofactor(metric, j, i) / whole for j in range(size)] for i in range(size)]
    l = _metric(motion)
    result = []
    for b in range(size):
        total = divergence(frame, fields[b])
        for a in range(size):
            inner = bracket(frame, fields[a], fields[b])
            lowered = [dot(f, [dot(row, inner) for row in l]) for f in fields]
            total -= dot(inverse[a], lowered)
        result.append((tuple(fields[b]), total))
    return result


def _reduced_metric(motion: Motion) -> list[list[Expr]]:
    still = dict.fromkeys(motion.equations.speeds, ZERO)
    return [[e.xreplace(still) for e in row] for row in motion.equations.mass]


def _metric(motion: Motion) -> list[list[Expr]]:
    still = dict.fromkeys(symbols(motion.system.velocities), ZERO)
    return [[e.xreplace(still) for e in row] for row in kinetic_metric(motion.system)]


def _cofactor(matrix: Sequence[Sequence[Expr]], i: int, j: int) -> Expr:
    rest = [[e for n, e in enumerate(row) if n != j] for k, row in enumerate(matrix) if k != i]
    return (determinant(rest) if rest else ONE) * (-1) ** (i + j)


def _contradiction(motion: Motion, pairs: list[tuple[tuple[Expr, ...], Expr]]) -> tuple[Word, ...] | None:
    """Fields that depend on each other at a random place and have values that do not; as few as are needed."""
    frame = motion.system.frame
    first, words = list(pairs), list[Word](range(len(pairs)))
    for _ in range(DEEP + 1):
        rows = _rows(motion, pairs)
        if rows is None:
            return None
        if _disagree(rows):
            return _needed(rows, words)
        more, made = [], list[Word]()
        for k in range(len(pairs))[-6:]:
            field, value = pairs[k]
            for i, (own, other) in enumerate(first):
                new = bracket(frame, own, field)
                slope = derivatives(frame, own, [value])[0] - derivatives(frame, field, [other])[0]
                if slope == 0 and all(e == 0 for e in new):
                    continue  # fields that commute may still need a value that is not zero
                if not larger_than([*new, slope], NODES):
                    more.append((new, slope))
                    made.append((i, k))
        if not more or larger_than([e for field, value in more for e in (*field, value)], BRACKETS):
            return None
        pairs, words = [*pairs, *more], [*words, *made]
    rows = _rows(motion, pairs)
    return _needed(rows, words) if rows is not None and _disagree(rows) else None


def _rows(motion: Motion, pairs: Sequence[tuple[tuple[Expr, ...], Expr]]) -> Residues | None:
    """The fields on the coordinates and their values, at a random place."""
    system = motion.system
    for attempt in range(8):
        points = Points(6, 41 + attempt)
        settle(points, motion, 41 + attempt)
        place_groups(points, system.frame)
        put_on_leaf(points, system.frame, system.holonomic)
        moved = [[dot(row, field) for row in system.frame.anchor] for field, _ in pairs]
        rows = np.array([points.values([*steps, value]) for steps, (_, value) in zip(moved, pairs)])
        if points.opaque:
            return None  # what is unknown here may make the two values one
        if np.any(points.good):
            return np.asarray(rows[:, :, int(np.flatnonzero(points.good)[0])])
    return None


def _disagree(rows: Residues) -> bool:
    return rank(rows) > rank(rows[:, :-1])


def _needed(rows: Residues, words: Sequence[Word]) -> tuple[Word, ...]:
    """The fields without those that the contradiction does not need, renumbered."""
    kept = list(range(len(words)))
    needed = set[int]()  # those that brackets which are kept are made of
    for k in reversed(range(len(words))):
        rest = [i for i in kept if i != k]
        if k not in needed and rest and _disagree(rows[rest]):
            kept = rest
            continue
        word = words[k]
        needed |= set(word) if isinstance(word, tuple) else set()
    place = {k: i for i, k in enumerate(kept)}
    return tuple(w if isinstance(w, int) else (place[w[0]], place[w[1]]) for w in (words[k] for k in kept))


def divergence_of(motion: Motion) -> Callable[[States], Residues]:
    """The divergence at states, as residues."""
    equations = motion.equations
    on_configurations = divergence(motion.system.frame, motion.allowed.velocity)
    force_slopes = [gradient(e, equations.speeds) for e in equations.force]
    size = len(equations.speeds)
    mass_slopes = [[gradient(e, equations.speeds) for e in row] for row in equations.mass]
    bent = any(g != 0 for row in mass_slopes for e in row for g in e)

    def source(states: States) -> Residues:
        points, p = states.points, states.points.p
        count = points.count
        mass = np.stack(points.values([e for row in equations.mass for e in row]), axis=1).reshape(count, size, size)
        total = points.value(on_configurations)
        for a in range(size):
            right = np.stack(points.values([row[a] for row in force_slopes]), axis=1)
            if bent:
                for j in range(size):
                    step = states.rates[equations.speeds[j]]
                    for i in range(size):
                        right[:, i] = (right[:, i] - points.value(mass_slopes[i][j][a]) * step) % p
            column, regular = solve_modulo(mass, right, p)
            points.good &= regular
            total = (total + column[:, a]) % p
        return total

    return source


THEOREM = "Theorem 5.2 of BMZ 2009"


@dataclass(frozen=True)
class SuslovCriterion:
    """``K_st ad*_{I⁻¹ a^s} a^t + T = γ_s a^s``: a density exists if and only if some γ do [Kozlov 1988; Jovanović 1998].

    For one constraint this is (5.5), ``K ad*_{I⁻¹a} a + T = γ a``. ``residual`` is what is left along the admissible directions.
    """

    forms: Matrix
    """``a^s`` by rows."""
    inertia: Matrix
    factor: Matrix
    """``K``, the inverse of ``⟨a^s, I⁻¹ a^t⟩``; for one constraint the number K of (5.5)."""
    trace: tuple[Expr, ...]
    """``T_B = C_BC^C``."""
    left: tuple[Expr, ...]
    """The left side of (5.6)."""
    gamma: tuple[Expr, ...]
    """``γ_s``, from pairing with ``I⁻¹ a``."""
    residual: tuple[Expr, ...]
    """The left side less ``γ_s a^s``."""
    holds: Finding

    def __str__(self) -> str:
        lines = [f"T = ({', '.join(to_text(e) for e in self.trace)})"]
        if self.forms:
            lines += [f"K = {to_text(self.factor[0][0])}" if len(self.factor) == 1 else "K of several constraints"]
            lines += [f"gamma{s + 1} = {to_text(e)}" for s, e in enumerate(self.gamma)]
        return "\n".join([*lines, str(self.holds)])


def suslov_criterion(system: System) -> SuslovCriterion:
    """The criterion of a quadratic Lagrangian on a Lie algebra with constant linear constraints, none of them, or several.

    >>> from nonholo.geometry.groups.lie_algebra import LieAlgebra
    >>> book = System(frame=LieAlgebra({("e1", "e2"): "e2"}), lagrangian="(e1**2 + e2**2)/2")
    >>> suslov_criterion(book).holds.verdict
    'fails'
    """
    check_system(system)
    known = known_parameters(system)
    system = with_fractions(specialised(system, known))
    v = symbols(system.velocities)
    l = lagrangian_in_frame(system)
    rows = constraint_rows(system) if system.parametric is None else None
    metric = symmetric_jacobian(gradient(l, v), v)
    moving = {*v, *symbols(system.coordinates), symbol("t"), *symbols(system.inputs)}
    forms = () if rows is None else tuple(tuple(row) for row in rows.slopes)
    steady = not any(e.free_symbols & moving for row in (*metric, *forms) for e in row)
    forced = any(e != 0 for e in system.forces.values()) or bool(l.free_symbols & {symbol("t"), *symbols(system.inputs)})
    if system.coordinates or rows is None or not rows.linear or not steady or any(e != 0 for e in rows.sides) or forced:
        raise ModelError(
            f"{system.name}: (5.5) is about a quadratic Lagrangian on a Lie algebra with constant linear constraints and without "
            "forces; give frame=nh.LieAlgebra(…), or ask nh.measure."
        )
    places = samples_of(system)
    trace = trace_form(system.frame)
    left: tuple[Expr, ...] = trace  # without constraints
    gamma: tuple[Expr, ...] = ()
    factor: Matrix = ()
    if forms:
        try:
            duals = transpose(solve(metric, transpose(forms), places))
            factor = solve(multiply(forms, transpose(duals)), identity(len(forms)), places)
        except DependentRows:
            raise ModelError(f"{system.name}: the inertia is singular, or a constraint depends on the others.") from None
        total = list(trace)
        for s, b in enumerate(duals):
            for t, a in enumerate(forms):
                for (i, j, m), c in structure_functions(system.frame).items():
                    total[j] += factor[s][t] * c * b[i] * a[m]
                    total[i] -= factor[s][t] * c * b[j] * a[m]
        left = tuple(shorten(e) for e in total)
        gamma = tuple(shorten(dot(row, [dot(left, b) for b in duals])) for row in factor)
    residual = tuple(shorten(e - sum((g * a[k] for g, a in zip(gamma, forms)), ZERO)) for k, e in enumerate(left))
    found = _finding(residual, bool(known), rounded_algebra(system.frame))
    return SuslovCriterion(forms, metric, factor, trace, left, gamma, residual, found)


def _finding(residual: tuple[Expr, ...], values: bool, rounded: bool) -> Finding:
    import sympy

    left = [sympy.simplify(sympy.sympify(e)) for e in residual]
    data = Measure(Density.SMOOTH, values=values)
    if all(e == 0 for e in left):
        return Finding(data, "holds", None, Proved("(5.6) holds"), ONE, method=THEOREM)
    if rounded:
        return Finding(data, "unknown", None, "the structure constants are rounded: what is left of (5.6) may be rounding")
    if any(e != 0 and not e.free_symbols for e in left):
        words = Proved("(5.6) fails: the divergence of the momentum flow is not zero")
        return Finding(data, "fails", None, words, method=THEOREM)
    shown = ", ".join(str(e) for e in left if e != 0)
    found = Finding(data, "fails", None, Proved(f"it exists only where {shown} vanish"), method=THEOREM)
    return for_almost_all(found, sorted({str(s) for e in left for s in e.free_symbols}))
