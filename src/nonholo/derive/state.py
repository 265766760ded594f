"""A consistent full state from a partial one: what is missing is 0 or follows from the constraints."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import gradient, jacobian, symbol, symbols
from nonholo.algebra.linear import evaluate, evaluate_matrix
from nonholo.algebra.text import to_text
from nonholo.derive.hamel import unconstrained
from nonholo.errors import StateError
from nonholo.model.admissible import Rows, constraint_rows, dependent_names
from nonholo.model.reading import Parametric
from nonholo.model.system import System, check_system, finite, named, parameter_values, resolve

Numbers = NDArray[np.float64]
TOLERANCE = 1e-9


def complete_state(
    system: System,
    given: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    repair: bool = False,
) -> dict[str, float]:
    """The full state: coordinates, rates, frame velocities and quasi-velocities (and velocity parameters), by name.

    Coordinates that are not given stand at the frame's home (0, or the unit rotation) or follow from the holonomic
    constraints; velocities that are not given are 0 or follow from the velocity constraints. Values that break a
    constraint are an error that says which and by how much; ``repair=True`` moves them to the nearest admissible
    ones instead (velocities by mass-orthogonal projection).

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> state = nh.complete_state(sleigh.system, {"theta": 0, "v": 2}, sleigh.parameters)
    >>> state["xdot"], state["ydot"]
    (2.0, 0.0)
    """
    check_system(system)
    numbers = _read(system, system.start if given is None else named(given, f"{system.name}: start", '{"x": 0.5}'))
    values = {"t": 0.0, **dict.fromkeys(system.inputs, 0.0), **parameter_values(system, parameters)}
    values |= {n: numbers.pop(n) for n in ("t", *system.inputs) if n in numbers}
    values |= _coordinates(system, numbers, values, repair)
    speeds = {n: e for n, e in numbers.items() if n not in system.coordinates}
    if system.parametric is not None:
        values |= _parametric(system, system.parametric, speeds, values)
    else:
        velocity = _velocity(system, speeds, values, repair)
        values |= dict(zip(system.velocities, velocity.tolist()))
    names = dependent_names(system)
    values |= dict(zip(names, evaluate(resolve(system, [symbol(n) for n in names]), values).tolist()))
    return {n: e for n, e in values.items() if n not in system.parameters}


def _read(system: System, given: Mapping[str, Any]) -> dict[str, float]:
    extra = system.parametric[0] if system.parametric is not None else ()
    known = (*system.coordinates, *dependent_names(system), *extra, *system.inputs, "t")
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(str(name), known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(known)}."
            raise StateError(f"{system.name}: no state variable is called {name!r}; {hint}")
    return {str(n): finite(e, f"{system.name}: start {n}") for n, e in given.items()}


def _coordinates(
    system: System, given: Mapping[str, float], values: Mapping[str, float], repair: bool
) -> dict[str, float]:
    names = system.coordinates
    point = np.array([given.get(n, h) for n, h in zip(names, system.frame.home)], dtype=float)
    relations = (*system.frame.relations, *system.holonomic)
    if not relations:
        return dict(zip(names, point.tolist()))
    loose = [i for i, n in enumerate(names) if n not in given or repair]
    slopes = jacobian(relations, symbols(names))
    residual: Numbers = np.zeros(0)
    for attempt in range(4):
        trial = point.copy()
        if attempt:  # away from a place where the constraint's slope vanishes
            trial[loose] += np.random.default_rng(attempt).uniform(-0.5, 0.5, len(loose))
        for _ in range(50):
            here = {**values, **dict(zip(names, trial.tolist()))}
            residual = evaluate(relations, here)
            if not loose or not np.all(np.isfinite(residual)) or np.max(np.abs(residual)) < 1e-15:
                break
            step = np.linalg.lstsq(evaluate_matrix(slopes, here)[:, loose], residual, rcond=None)[0]
            trial[loose] -= step
            if np.max(np.abs(step), initial=0.0) < 1e-16:
                break
        if np.all(np.isfinite(residual)) and np.max(np.abs(residual)) < TOLERANCE:
            return dict(zip(names, trial.tolist()))
    worst = int(np.argmax(np.abs(np.nan_to_num(residual, nan=np.inf))))
    label = (
        f"relation {to_text(relations[worst])} = 0"
        if worst < len(system.frame.relations)
        else f"holonomic constraint {to_text(relations[worst])} = 0"
    )
    raise StateError(
        f"{system.name}: the start breaks the {label} by {residual[worst]:.6g}; give coordinates that satisfy it, leave "
        "some out so that they are found, or use complete_state(…, repair=True)."
    )


@dataclass(frozen=True)
class _Linear:
    """Velocity rows as numbers at one configuration."""

    slopes: Numbers
    sides: Numbers


def _velocity(system: System, given: Mapping[str, float], values: Mapping[str, float], repair: bool) -> Numbers:
    rows = constraint_rows(system)
    v = symbols(system.velocities)
    names = list(given)
    forms = (
        evaluate_matrix([gradient(e, v) for e in resolve(system, [symbol(n) for n in names])], values)
        if names
        else np.zeros((0, len(v)))
    )
    wanted = np.array([given[n] for n in names])
    guess = np.linalg.lstsq(forms, wanted, rcond=None)[0] if names else np.zeros(len(v))
    if names and np.max(np.abs(forms @ guess - wanted)) > TOLERANCE * (1 + np.max(np.abs(wanted))):
        raise StateError(
            f"{system.name}: the given velocities {', '.join(names)} contradict each other; give fewer of them."
        )
    if not rows.residuals:
        return guess
    free = _kernel(forms) if names else np.eye(len(v))
    if rows.linear:
        at_rest = {**values, **dict.fromkeys(system.velocities, 0.0)}
        numbers = _Linear(
            evaluate_matrix(rows.slopes, at_rest),
            -evaluate(rows.residuals, at_rest),
        )
        found = _least_motion(system, rows, numbers, guess, free, forms, wanted)
    else:
        found = _newton(rows, system, values, guess, free)
    residual = evaluate(rows.residuals, {**values, **dict(zip(system.velocities, found.tolist()))})
    scale = 1 + float(np.max(np.abs(found), initial=0.0))
    if np.all(np.isfinite(residual)) and np.max(np.abs(residual)) < TOLERANCE * scale:
        return found
    if repair:
        return project_velocity(system, rows, found, values)
    worst = int(np.argmax(np.abs(np.nan_to_num(residual, nan=np.inf))))
    slope = evaluate(rows.slopes[worst], {**values, **dict(zip(system.velocities, found.tolist()))})
    guilty = [n for n, form in zip(names, forms) if np.any((np.abs(form) > TOLERANCE) & (np.abs(slope) > TOLERANCE))]
    raise StateError(
        f"{system.name}: the start breaks {rows.labels[worst]} ({_text(system, rows, worst)} = 0) by {residual[worst]:.6g}; "
        f"change or leave out {'one of ' if len(guilty or names) > 1 else ''}"
        f"{', '.join(guilty or names) or 'the velocities'}, or use complete_state(…, repair=True)."
    )


def _text(system: System, rows: Rows, k: int) -> str:
    return to_text(system.constraints[k]) if k < len(system.constraints) else to_text(rows.residuals[k])


def _kernel(matrix: Numbers) -> Numbers:
    _, sizes, directions = np.linalg.svd(matrix)  # scipy.linalg.null_space, without half a second of importing
    limit = np.finfo(float).eps * max(matrix.shape) * np.max(sizes, initial=0.0)
    return directions[int(np.sum(sizes > limit)) :].T


def _least_motion(
    system: System, rows: Rows, numbers: _Linear, guess: Numbers, free: Numbers, forms: Numbers, wanted: Numbers
) -> Numbers:
    """Among all velocities with the given values and the constraints, the one with the fewest nonzero frame velocities."""
    table, sides = np.vstack([numbers.slopes, forms]), np.concatenate([numbers.sides, wanted])
    found = np.linalg.lstsq(table, sides, rcond=None)[0]
    if np.max(np.abs(table @ found - sides), initial=0.0) > TOLERANCE * (1 + np.max(np.abs(sides), initial=0.0)):
        return (
            guess
            if free.shape[1] == 0
            else guess
            + free @ np.linalg.lstsq(numbers.slopes @ free, numbers.sides - numbers.slopes @ guess, rcond=None)[0]
        )
    return _zero_the_rest(system, table, sides, found)


def _zero_the_rest(system: System, table: Numbers, sides: Numbers, found: Numbers) -> Numbers:
    """Set the missing speeds to zero, in the order quasi-velocities, then frame velocities, as far as they are free."""
    from nonholo.model.admissible import admissible

    size = table.shape[1]
    position = {n: i for i, n in enumerate(system.velocities)}
    order = (
        [position[str(s)] for s in admissible(system).speeds if str(s) in position]
        if not system.quasivelocities
        else []
    )
    for j in [*order, *(j for j in range(size) if j not in order)]:
        row = np.eye(size)[j]
        if np.linalg.matrix_rank(np.vstack([table, row]), tol=1e-9) > np.linalg.matrix_rank(table, tol=1e-9):
            table, sides = np.vstack([table, row]), np.append(sides, 0.0)
    return np.asarray(np.linalg.lstsq(table, sides, rcond=None)[0])


def _newton(rows: Rows, system: System, values: Mapping[str, float], guess: Numbers, free: Numbers) -> Numbers:
    """Move the velocities that are not given onto nonlinear constraints."""
    found = guess.copy()
    start = {**values, **dict(zip(system.velocities, found.tolist()))}
    if not free.shape[1] or float(np.max(np.abs(evaluate(rows.residuals, start)))) < 1e-15:
        return found
    for attempt in range(3):
        trial = guess + free @ (
            np.full(free.shape[1], 1e-3)
            if not attempt
            else np.random.default_rng(attempt).uniform(0.1, 1, free.shape[1])
        )
        residual = np.inf
        for _ in range(80):
            here = {**values, **dict(zip(system.velocities, trial.tolist()))}
            gap = evaluate(rows.residuals, here)
            residual = float(np.max(np.abs(gap)))
            if not np.isfinite(residual) or residual < 1e-15:
                break
            step = np.linalg.lstsq(evaluate_matrix(rows.slopes, here) @ free, gap, rcond=None)[0]
            trial = trial - free @ step
        if residual < TOLERANCE:
            return trial
    return found


def project_velocity(system: System, rows: Rows, velocity: Numbers, values: Mapping[str, float]) -> Numbers:
    """The admissible velocity nearest in kinetic energy: ``v − G⁻¹Aᵀ(A G⁻¹Aᵀ)⁻¹ φ(v)``, repeated when nonlinear.

    By ``[[G, Aᵀ], [A, 0]] (step, λ) = (0, φ)``, so that directions without kinetic energy are moved too.
    """
    metric, _ = unconstrained(system)
    for _ in range(50):
        here = {**values, **dict(zip(system.velocities, velocity.tolist()))}
        residual = evaluate(rows.residuals, here)
        if np.max(np.abs(residual)) < 1e-14:
            break
        slopes = evaluate_matrix(rows.slopes, here)
        size, count = len(velocity), len(residual)
        table = np.block([[evaluate_matrix(metric, here), slopes.T], [slopes, np.zeros((count, count))]])
        velocity = velocity - np.linalg.lstsq(table, np.concatenate([np.zeros(size), residual]), rcond=None)[0][:size]
    return velocity


def _parametric(
    system: System, parametric: Parametric, given: Mapping[str, float], values: Mapping[str, float]
) -> dict[str, float]:
    """Velocity parameters ``z`` as given, or found from given velocities; missing ones are 0."""
    from scipy.optimize import least_squares

    names, table = parametric
    z = {n: given.get(n, 0.0) for n in names}
    loose = [n for n in names if n not in given]
    targets = {n: e for n, e in given.items() if n not in names}
    velocity = [table[v] for v in system.velocities]

    def velocities(parameters: Mapping[str, float]) -> dict[str, float]:
        return dict(zip(system.velocities, evaluate(velocity, {**values, **parameters}).tolist()))

    if targets:
        exprs = resolve(system, [symbol(n) for n in targets])

        def gap(guess: Numbers) -> Numbers:
            here = {**z, **dict(zip(loose, guess.tolist()))}
            numbers: Numbers = evaluate(exprs, {**values, **velocities(here)}) - np.array(list(targets.values()))
            return numbers

        best = None
        for attempt in range(5):
            start = np.random.default_rng(attempt).uniform(0.05, 1, len(loose))
            if loose:
                found = least_squares(gap, start, xtol=1e-15, ftol=1e-15, gtol=1e-15)
                best = found if best is None or found.cost < best.cost else best
            if best is not None and np.max(np.abs(best.fun)) < TOLERANCE:
                break
        residual = best.fun if best is not None else gap(np.zeros(0))
        if np.max(np.abs(residual)) > TOLERANCE * (1 + max(map(abs, targets.values()))):
            raise StateError(
                f"{system.name}: the given velocities {', '.join(targets)} are not of the parametric form (off by "
                f"{np.max(np.abs(residual)):.6g}); give the parameters {', '.join(names)} instead."
            )
        if best is not None:
            z |= dict(zip(loose, best.x.tolist()))
    return {**z, **velocities(z)}
