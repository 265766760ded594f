"""Findings of a reduction: dimensions, special cases, reversibility, agreement of two derivations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, gradient, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot, evaluate, evaluate_all, evaluate_matrix, transpose
from nonholo.algebra.subspaces import kernel, null_space
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.derive.laws.check import random_states
from nonholo.finding import Agreement, Finding, Property, TimeReversible, bounded
from nonholo.model.system import TIME, System, force_covector
from nonholo.model.velocities.admissible import admissible, constraint_rows, samples_of
from nonholo.symmetry.group.affine_symmetries import echelon, onto_constraints
from nonholo.symmetry.group.group_action import Action
from nonholo.symmetry.reduction.momentum.conserving_bases import Aligned, theorem_4_4
from nonholo.symmetry.reduction.momentum.reduced_coefficients import Coefficients, momentum_side
from nonholo.symmetry.reduction.quotient_data import is_small
from nonholo.symmetry.reduction.section.invariant_basis import Basis
from nonholo.symmetry.reduction.section.shape_space import Shape


def findings_of(
    system: System,
    group: Action,
    shape: Shape,
    basis: Basis,
    frame: Aligned,
    numbers: Coefficients | None,
    equations: Equations,
    momenta: Sequence[str],
    rates: Sequence[str],
    momentum: Sequence[Expr],
) -> tuple[Finding, ...]:
    """Findings of the reduction, besides those on invariance."""
    places = _places(system)
    table = _changes(system, shape, basis)
    h = frame.horizontal
    if system.holonomic and table:
        h = min(_rank(evaluate_matrix(table, place)) or 0 for place in places)
    m = frame.horizontal + frame.vertical - h
    size = len(system.velocities)
    result = [
        Finding(
            Property("the shape is free: D + V = TQ (dimension assumption)", "constraints act on the shape: D + V is not TQ"),
            "holds" if h == shape.size else "fails",
            f"dim Q = {size}, dim D = {h + m}, dim S = {m}, dim Q/G = {shape.size}",
            "ranks at random configurations [MacDonnell 1997, 6.2.7]",
        )
    ]
    result.append(unimodular(group))
    result += _jumps(system, group, table, frame, places)
    result += _horizontal(system, group, places)
    if m == 0:
        result.append(Finding("purely kinematic: S = 0, the shape alone moves the group", "holds"))
    if h == 0:
        result.append(Finding("no shape: the motion is on the group alone (Euler–Poincaré–Suslov)", "holds"))
    if numbers is not None and frame.vertical and not any(e != 0 for e in frame.data.forces):
        result.append(_routes(frame, numbers, momenta, rates, momentum))
    result.append(_reversible(system, frame, equations))
    result += theorem_4_4(frame, tuple(system.inputs))
    quiet = [{**s, **dict.fromkeys(system.inputs, 0.0)} for s in frame.data.samples]
    for places, when in ((frame.data.samples, ""), (quiet, " when the inputs are zero")):
        if frame.vertical and is_small(_polynomial(momentum, momenta, rates), places):
            result.append(Finding(f"every momentum of the basis is conserved{when}", "holds", None, "ṗ = 0 at random shapes"))
            break
    return tuple(result)


def unimodular(group: Action) -> Finding:
    """Whether ``Σ_b c_ab^b = 0`` for every generator: the group has a measure invariant from both sides [BMZ 2009, 5.1]."""
    traces = np.einsum("abb->a", group.constants)
    words = ", ".join(f"Tr ad {n} = {e:g}" for n, e in zip(group.names, traces) if abs(e) > 1e-9)
    return Finding(
        Property("the group is unimodular", "the group is not unimodular"),
        "fails" if words else "holds",
        None,
        words or "Tr ad = 0 for every generator",
    )


def _places(system: System) -> Sequence[dict[str, float]]:
    """Generic configurations that satisfy the holonomic constraints: off these, orbits and D may meet otherwise."""
    count = len(system.velocities) + 3
    if not system.holonomic:
        return samples_of(system, count=count)
    return [s.values | s.parameters for s in random_states(system, None, count)]


def _changes(system: System, shape: Shape, basis: Basis) -> list[list[Expr]]:
    """How the fields of the basis change the shape."""
    slopes = [gradient(f, symbols(system.coordinates)) for f in shape.functions]
    moved = [[dot(row, field) for row in system.frame.anchor] for field in basis.fields]
    return [[dot(slope, field) for field in moved] for slope in slopes]


def _jumps(
    system: System, group: Action, table: list[list[Expr]], frame: Aligned, places: Sequence[dict[str, float]]
) -> list[Finding]:
    """Where the orbits, or the shapes that can change, have fewer dimensions: at the home and start of the system."""
    place = samples_of(system)[0]
    spots = {"the home configuration": dict(zip(system.coordinates, system.frame.home))}
    if system.holonomic:
        spots = {"configurations that satisfy the holonomic constraints": places[0]}
    elif any(n in system.start for n in system.coordinates):
        start = {n: e for n, e in system.start.items() if n in system.coordinates}
        spots["the start configuration"] = {**spots["the home configuration"], **start}
    result = []
    for name, spot in spots.items():
        values = {**place, **spot}
        with np.errstate(all="ignore"):
            orbit = _rank(evaluate_matrix(group.fields, values))
            change = _rank(evaluate_matrix(table, values)) if table else 0
        for what, found, usual in (("orbits", orbit, group.rank), ("changes of shape", change, frame.horizontal)):
            if found is not None and found < usual:
                result.append(
                    Finding(
                        Property(
                            f"the {what} have their usual dimension at {name}",
                            f"the {what} have fewer dimensions at {name}",
                        ),
                        "fails",
                        f"{found} instead of {usual}",
                        "the basis is singular where the system moves; coordinates of the constrained configurations serve better"
                        if system.holonomic
                        else "a singular point of the reduction: start away from it",
                    )
                )
    return result


def _rank(matrix: Any) -> int | None:
    return int(np.linalg.matrix_rank(matrix, tol=1e-9)) if np.all(np.isfinite(matrix)) else None


def _horizontal(system: System, group: Action, places: Sequence[dict[str, float]]) -> list[Finding]:
    """Elements of the algebra whose generator is admissible everywhere, and whether forces push their momenta.

    The momentum of such a generator changes by ``Q(ξ)`` alone (nonholonomic Noether).
    """
    count = len(group.fields)
    kernel = np.eye(count)
    rows = _slopes(system)
    if rows:
        table = [[dot(row, field) for field in group.fields] for row in rows]
        kernel = _null(np.concatenate([evaluate_matrix(table, p) for p in places]), kernel)
    if not len(kernel):
        missing = Property("horizontal symmetries", "no horizontal symmetry")
        return [Finding(missing, "fails", None, "no generator is admissible everywhere")]
    pushes = [dot(field, force_covector(system)) for field in group.fields]
    states = onto_constraints(system, constraint_rows(system), samples_of(system, count=count + 4))
    quiet = [{**s, **dict.fromkeys(system.inputs, 0.0)} for s in states]
    kept = _null(evaluate_all(pushes, states), kernel)
    without = _null(evaluate_all(pushes, quiet), kernel) if system.inputs else kept
    result = []
    if len(kept):
        result.append(Finding("horizontal symmetries", "holds", _words(kept, group), "their momenta are conserved"))
    if len(without) > len(kept):
        reason = "their momenta are conserved when the inputs are zero"
        result.append(Finding("horizontal symmetries while no input pushes", "holds", _words(without, group), reason))
    if len(kernel) > len(without):
        reason = "no generator moves what the constraints hold; their momenta change by what the forces do along them"
        result.append(Finding("horizontal symmetries that forces push", "holds", _words(kernel, group), reason))
    return result


def _slopes(system: System) -> Any:
    """Rows that vanish on the admissible directions."""
    if system.parametric is None:
        return constraint_rows(system).slopes
    allowed = admissible(system)
    still = dict.fromkeys(allowed.speeds, ZERO)
    basis = [substitute(row, still) for row in allowed.basis]
    return null_space(transpose(basis), len(basis), samples_of(system))[1]


def _null(table: Any, inside: Any) -> Any:
    """Rows ``w`` in a span with ``table w = 0``."""
    return kernel(table @ inside.T, 1e-9, least=1.0).T @ inside


def _words(kernel: Any, group: Action) -> str:
    return "; ".join(
        " + ".join(n if abs(w - 1) < 1e-9 else f"{w:.6g} {n}" for w, n in zip(row, group.names) if abs(w) > 1e-9)
        for row in echelon(kernel, 1e-9)
    )



def _polynomial(momentum: Sequence[Expr], momenta: Sequence[str], rates: Sequence[str]) -> list[Expr]:
    random = np.random.default_rng(5)
    names = symbols((*momenta, *rates))
    return [e for _ in range(3) for e in substitute(momentum, {s: se.RealDouble(random.uniform(-1, 1)) for s in names})]


def _routes(
    frame: Aligned, numbers: Coefficients, momenta: Sequence[str], rates: Sequence[str], momentum: Sequence[Expr]
) -> Finding:
    """The momentum equation by brackets in D alone, and by (4.10) with the coefficients of the connection."""
    other = momentum_side(numbers, symbols(momenta), symbols(rates))
    random = np.random.default_rng(11)
    places = [
        {**place, **{n: float(random.uniform(-1, 1)) for n in (*momenta, *rates)}} for place in frame.data.samples
    ]
    one, two = evaluate_all(list(momentum), places), evaluate_all(list(other), places)
    worst = float(np.max(np.abs(one - two)) / (1 + np.max(np.abs(one))))
    return bounded(
        Agreement("momentum equation (4.10)", "brackets inside D"), worst, 1e-9, "largest relative gap at random shapes"
    )


def _reversible(system: System, frame: Aligned, equations: Equations) -> Finding:
    """Proposition 4.3 of BMZ 2009: ``(t, ṙ, p) → (−t, −ṙ, −p)`` leaves the equations as they are.

    Where the constraints are affine, ``A q̇ = b`` with b not zero, the reversed velocities are not admissible: the equations of
    the shape may be those of the reversed motion, but that motion is none of the system's.
    """
    sides = admissible(system).rows.sides
    moved = evaluate_all(list(sides), samples_of(system)) if sides else np.zeros(0)
    if np.max(np.abs(moved), initial=0.0) > 1e-9:
        return Finding(TimeReversible(), "fails", None, "the constraints are affine, and reversed velocities are not admissible")
    if _turned_in_time(system):
        return Finding(TimeReversible(), "fails", None, "the constraints at time −t are others than at t")
    random = np.random.default_rng(2)
    full = hamel(system)
    timed = any(TIME in e.free_symbols for e in (*full.force, *(e for row in full.mass for e in row)))
    places, turned = [], []
    for place in samples_of(system) if timed else frame.data.samples:
        draws = {str(s): float(random.uniform(-1, 1)) for s in (full if timed else equations).speeds}
        places.append({**place, **draws})
        turned.append({**place, **{n: -e for n, e in draws.items()}, "t": -place.get("t", 0.0)})
    if timed:  # momenta hold the time: the accelerations are compared
        one, two = (np.array([_accelerations(full, p) for p in side]) for side in (places, turned))
        how = "the accelerations do not change with the sign of the velocities and of the time"
    else:
        one, two = np.split(evaluate_all(list(equations.force), [*places, *turned]), 2)
        how = "the forces do not change with the sign of the velocities [BMZ 2009, 4.3]"
    worst = float(np.max(np.abs(one - two), initial=0.0) / (1 + np.max(np.abs(one), initial=0.0)))
    return bounded(TimeReversible(), worst, 1e-9, how)


def _accelerations(equations: Equations, place: dict[str, float]) -> Any:
    return np.linalg.solve(evaluate_matrix(equations.mass, place), evaluate(list(equations.force), place))


def _turned_in_time(system: System) -> bool:
    """Whether constraints that hold the time leave other velocities free at −t than at t."""
    slopes = admissible(system).rows.slopes
    if not any(TIME in e.free_symbols for row in slopes for e in row):
        return False
    flat = [e for row in slopes for e in row]
    for place in samples_of(system):
        here = {**place, "t": place.get("t", 0.0) or 0.7}
        one, two = evaluate_all(flat, [here, {**here, "t": -here["t"]}]).reshape(2, len(slopes), -1)
        if np.linalg.matrix_rank(np.vstack([one, two]), tol=1e-9) > np.linalg.matrix_rank(one, tol=1e-9):
            return True
    return False


def witness_gap(reduction: Any, state: Any, parameters: Any, rates: Any) -> float:
    """How far the reduced speeds' rates are from those of another derivation at one full state.

    ``rates`` are that derivation's, by name; the reduced speeds are functions of the coordinates and velocities, so
    the chain rule gives their rates without using the reduced equations.
    """
    from nonholo.symmetry.reduction.reduced_equations import speeds_of

    system: System = reduction.system
    forms = speeds_of(reduction)
    names = (*system.coordinates, *system.velocities)
    moved = [
        dot(gradient(f, symbols(names)), symbols(f"_d{i}" for i in range(len(names)))) + f.diff(TIME) for f in forms.values()
    ]
    values = {**parameters, **state, **{f"_d{i}": rates[n] for i, n in enumerate(names)}}
    expected = evaluate(moved, values)
    begin = {**state, **dict(zip(forms, evaluate(list(forms.values()), values).tolist()))}
    known = {*reduction.reconstruction.state, *map(str, reduction.reconstruction.inputs), "t"}
    found = reduction.reconstruction.rates({n: begin[n] for n in known if n in begin}, parameters)
    gaps = [abs(found[n] - e) for n, e in zip(forms, expected)]
    return float(max(gaps, default=0.0) / (1 + np.max(np.abs(expected), initial=0.0)))
