"""Velocity constraints as residuals C(q, q̇) = 0 and as parametric velocities q̇ = ψ(q, z), each made from the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, atoms, expand, gradient, jacobian, substitute, symbol, symbols, tidy
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import determinant, evaluate, evaluate_matrix
from nonholo.algebra.subspaces import independent_rows
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import rate
from nonholo.model.declared_words import Formula, Names, Parametric
from nonholo.model.system import System, check_system, varied
from nonholo.model.velocities.admissible import Rows, admissible, constraint_rows, samples_of
from nonholo.notation.read import expression, names_of

SMALL = 1e-8


def parametric(system: System, names: Names = (), psi: Mapping[str, Formula] | None = None) -> System:
    """The system with its velocity constraints written as ``q̇ = ψ(q, z)`` [Benenti 2008 (3), (4)].

    Linear and affine constraints are solved in the speeds that `hamel` takes. Nonlinear ones are solved where they are
    linear in as many of the rates as there are constraints; otherwise give the parameters and ψ, which are checked.

    >>> blade = System(coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2",
    ...                constraints=["xdot*sin(th) - ydot*cos(th)"], quasivelocities={"v": "xdot*cos(th) + ydot*sin(th)"})
    >>> names, table = parametric(blade).parametric
    >>> names, table["xdot"]
    (('v', 'z_th'), v*cos(th))
    """
    check_system(system)
    if system.parametric is not None:
        return system
    if not system.frame.plain:
        raise ModelError(f"{system.name}: parametric velocities are written in coordinates; this system has a frame of its own.")
    if psi is not None:
        return _given(system, names_of(names, f"{system.name}: parameters of the velocities"), psi)
    rows = constraint_rows(system)
    v = symbols(system.velocities)
    if rows.linear:
        allowed = admissible(system)
        speeds, table = allowed.speeds, allowed.velocity
    else:
        speeds, table = _solved(system, rows, v)
    renamed = {s: symbol(_parameter_name(str(s), system)) for s in speeds}
    told = dict(zip(map(str, v), substitute(table, renamed)))
    return _replaced(system, tuple(str(renamed[s]) for s in speeds), told)


def _parameter_name(speed: str, system: System) -> str:
    return f"z_{speed[:-3]}" if speed in {rate(c) for c in system.coordinates} else speed


def _replaced(system: System, names: Sequence[str], table: Mapping[str, Any]) -> System:
    gone = tuple(system.quasivelocities)
    return _without_names(
        system, gone, constraints=(), holonomic=(), quasivelocities={}, parametric=(tuple(names), dict(table))
    )


def _without_names(system: System, gone: Sequence[str], **words: Any) -> System:
    """The system in other velocities: start, units and drawing keep what does not speak of the old ones."""
    start = {n: e for n, e in system.start.items() if n in system.coordinates}
    units = {n: e for n, e in system.units.items() if n not in gone}
    return varied(system, start=start, units=units, drawing=None, page=None, **words)


def _solved(system: System, rows: Rows, v: Sequence[Symbol]) -> tuple[tuple[Symbol, ...], tuple[Expr, ...]]:
    """The rates in which the residuals are linear, by Cramer's rule: the best conditioned choice at generic states."""
    count = len(rows.residuals)
    places = samples_of(system)
    best: tuple[float, tuple[Symbol, ...]] | None = None
    for chosen in combinations(v, count):
        matrix = jacobian([expand(e) for e in rows.residuals], chosen)
        if any(e.free_symbols & set(chosen) for row in matrix for e in row):
            continue
        size = min(abs(float(np.linalg.det(evaluate_matrix(matrix, s)))) for s in places)
        if np.isfinite(size) and size > SMALL and (best is None or size > best[0] * 1.001):
            best = (size, chosen)
    if best is None:
        raise ModelError(
            f"{system.name}: the constraints are not linear in any {count} of the rates; give the parameters and ψ: "
            "nh.forms.parametric(s, \"v th\", {\"xdot\": \"v*cos(th)\", …})."
        )
    chosen = best[1]
    matrix = jacobian([expand(e) for e in rows.residuals], chosen)
    side = [-e for e in substitute([expand(e) for e in rows.residuals], dict.fromkeys(chosen, ZERO))]
    whole = determinant(matrix)
    found = {}
    for k, name in enumerate(chosen):
        swapped = tuple(tuple(side[r] if c == k else matrix[r][c] for c in range(count)) for r in range(count))
        found[name] = tidy(determinant(swapped)) / tidy(whole)
    free = tuple(s for s in v if s not in found)
    return free, tuple(found.get(s, s) for s in v)


def _given(system: System, names: tuple[str, ...], psi: Mapping[str, Formula]) -> System:
    known = (*system.coordinates, *system.parameters, *system.inputs, *names, "t")
    missing = [r for r in system.velocities if r not in psi]
    if missing:
        raise ModelError(f"{system.name}: ψ gives no {missing[0]}; it needs every rate: {', '.join(system.velocities)}.")
    table = {r: expression(psi[r], known, f"{system.name}: ψ for {r}") for r in system.velocities}
    rows = constraint_rows(system)
    count = len(system.velocities) - len(rows.residuals)
    if len(names) != count:
        raise ModelError(
            f"{system.name}: {len(names)} parameters; {len(system.velocities)} rates under {len(rows.residuals)} constraints "
            f"need {count} (m = n − r)."
        )
    on_shell = {symbol(r): e for r, e in table.items()}
    random = np.random.default_rng(4)
    left = substitute(rows.residuals, on_shell)
    slopes = jacobian(tuple(table.values()), symbols(names))
    for here in samples_of(system):
        place = {**here, **dict(zip(names, random.uniform(0.4, 1.3, len(names)).tolist()))}
        for label, gap in zip(rows.labels, evaluate(left, place)):
            if not abs(gap) < SMALL:
                raise ModelError(f"{system.name}: ψ breaks {label} by {gap:.3g} at a generic state; it must keep it everywhere.")
        if np.linalg.matrix_rank(evaluate_matrix(slopes, place), tol=1e-9) < count:
            raise ModelError(f"{system.name}: the parameters {', '.join(names)} are dependent: ∂ψ/∂z has not rank {count}.")
    return _replaced(system, names, table)


def implicit(system: System) -> System:
    """The system with parametric velocities written as residuals ``C(q, q̇) = 0`` [Benenti 2008 (3), (4)].

    Parameters that enter linearly are eliminated by linear algebra; others, with sines, cosines and powers of them, by a
    Gröbner basis. A sine and cosine of a parameter count as two unknowns with ``s² + c² = 1``.

    >>> skate = System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", parametric=("z", {"xdot": "z", "ydot": "x*z"}))
    >>> implicit(skate).constraints
    (ydot - x*xdot,)
    """
    check_system(system)
    told: Parametric | None = system.parametric
    if told is None:
        return system
    names, table = told
    z, v = symbols(names), symbols(system.velocities)
    psi = tuple(table[str(s)] for s in v)
    slopes = jacobian(psi, z)
    if any(e.free_symbols & set(z) for row in slopes for e in row):
        residuals = _eliminated(system, z, v, psi)
    else:
        residuals = _annihilators(system, z, v, psi, slopes)
    if len(residuals) != len(v) - len(z):
        raise ModelError(
            f"{system.name}: the parameters {', '.join(names)} cannot be eliminated by algebra ({len(residuals)} residuals, "
            f"{len(v) - len(z)} needed); give the constraints by hand."
        )
    return _without_names(system, names, parametric=None, constraints=tuple(residuals))


def _annihilators(system: System, z: Sequence[Symbol], v: Sequence[Symbol], psi: Sequence[Expr], slopes: Any) -> list[Expr]:
    """Each further row of ψ as a combination of m independent ones: by Cramer's rule, without denominators."""
    size = len(z)
    place = samples_of(system)[0]
    numbers = evaluate_matrix(slopes, place)
    chosen = max(
        combinations(range(len(v)), size),
        key=lambda rows: (round(abs(float(np.linalg.det(numbers[list(rows)]))), 9), [-r for r in rows]),
    )
    square = [slopes[r] for r in chosen]
    whole = determinant(square) if size else se.Integer(1)
    drift = substitute(psi, dict.fromkeys(z, ZERO))
    found = []
    for i in (i for i in range(len(v)) if i not in chosen):
        residual = whole * (v[i] - drift[i])
        for k, r in enumerate(chosen):
            swapped = [slopes[i] if j == k else row for j, row in enumerate(square)]
            residual -= determinant(swapped) * (v[r] - drift[r])
        found.append(tidy(residual))
    return found


def _eliminated(system: System, z: Sequence[Symbol], v: Sequence[Symbol], psi: Sequence[Expr]) -> list[Expr]:
    import sympy

    hidden: dict[Any, Any] = {}
    unknown: list[Any] = []
    relations: list[Any] = []
    exprs = [expand(e) for e in psi]
    for s in z:
        sine, cosine = se.sin(s), se.cos(s)
        if any(node in (sine, cosine) for e in exprs for node in (*atoms([e], se.sin), *atoms([e], se.cos))):
            one, two = symbol(f"_sin_{s}"), symbol(f"_cos_{s}")
            hidden |= {sine: one, cosine: two}
            unknown += [one, two]
            relations.append(one**2 + two**2 - 1)
    plain = [e.xreplace(hidden) for e in exprs]
    inner = [s for s in z if any(s in e.free_symbols for e in plain)]
    letters = [*inner, *unknown]
    opaque: dict[Any, Any] = {}
    equations = [w - e for w, e in zip(v, plain)] + relations
    trig = atoms(equations, se.sin, se.cos)
    for node in sorted(trig, key=str):
        if node.free_symbols & set(letters):
            raise ModelError(f"{system.name}: {node} of a velocity parameter cannot be eliminated; give the constraints by hand.")
        opaque[node] = symbol(f"_known_{len(opaque)}")
    back = {value: key for key, value in opaque.items()}
    written = [sympy.sympify(str(e.xreplace(opaque))) for e in equations]
    first = [sympy.Symbol(str(s)) for s in letters]
    rest = [sympy.Symbol(str(s)) for s in v]
    try:
        basis = sympy.groebner(written, *first, *rest, order="lex")
    except sympy.polys.polyerrors.PolynomialError:
        raise ModelError(f"{system.name}: velocities that are no polynomials in z; give the constraints by hand.") from None
    found = [g for g in basis.exprs if not g.free_symbols & set(first)]
    residuals = [se.sympify(sympy.fraction(sympy.together(g))[0]).xreplace(back) for g in found]
    return _independent(system, residuals, v, psi, z)


def _independent(
    system: System, residuals: Sequence[Expr], v: Sequence[Symbol], psi: Sequence[Expr], z: Sequence[Symbol]
) -> list[Expr]:
    """As many residuals as there are constraints, with independent slopes at a generic admissible state; short ones first."""
    wanted = len(v) - len(z)
    random = np.random.default_rng(9)
    here = {**samples_of(system)[0], **dict(zip(map(str, z), random.uniform(0.4, 1.3, len(z)).tolist()))}
    here |= dict(zip(map(str, v), evaluate(psi, here).tolist()))
    short = sorted(residuals, key=lambda e: (len(str(e)), str(e)))
    rows = [evaluate(gradient(residual, v), here) for residual in short]
    return [short[k] for k in independent_rows(rows, 1e-8, wanted)]


