"""Motion of a field of one's own: conditions on the grid, starts, steps, and what is measured on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, symbol
from nonholo.errors import ModelError, StateError, meant
from nonholo.fields.density.field_record import FieldRecord
from nonholo.fields.density.field_words import EndWords, FieldWords, rate_of
from nonholo.fields.density.jets import Jets
from nonholo.fields.density.semidiscrete import Condition, Names, Patch, Semidiscrete, constants
from nonholo.fields.field_starts import chosen_method, formula, known_keys, sampled, tolerance, wanted_times
from nonholo.fields.field_steppers import NOT_FINITE, REACHED, TOO_MANY, TOO_SMALL
from nonholo.fields.field_trajectory import ending, trajectory
from nonholo.fields.function_grid import interpolation, trigonometric
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.program.array_types import Array

SOLVERS = {"dop853": "DOP853", "radau": "Radau"}
ALLOWED = 1e-3
"""A start may break a constraint by so much, as interpolation does; it is projected. Beyond that it is refused."""


def semidiscrete(field: FieldRecord, inputs: Mapping[str, Any]) -> Semidiscrete:
    """The finite system of a field."""
    w, grid = field.words, field.grid
    places, weights, onto = line_points(field, field.nodes + (field.nodes + 1) // 2)
    jets = Jets(w.unknowns)
    if any(
        jets.order([e for row in w.psi for e in row], u) > 0 for u in w.unknowns
    ):  # velocities between nodes would be two
        places, weights, onto = grid.points, grid.weights, np.eye(field.nodes)
    whole = Patch(w.density, onto, weights, places)
    patches = [whole, *(_body(grid, k, e) for k, e in ((0, w.start), (-1, w.end)) if e.lagrangian != ZERO)]
    forces = [w.forces.get(n, ZERO) for n in (*w.unknowns, *w.components)]
    names = Names(w.unknowns, w.components, w.inputs, w.parameters)
    return Semidiscrete(
        grid,
        names,
        w.psi,
        patches,
        _conditions(field, w),
        forces,
        constants(field.values, w.parameters),
        driven(field, inputs),
    )


def _body(grid: Any, k: int, end: EndWords) -> Patch:
    pick = np.eye(len(grid.points))[[k]]
    return Patch(end.lagrangian, pick, np.ones(1), grid.points[[k]])


def line_points(field: FieldRecord, count: int) -> tuple[Array, Array, Array]:
    """So many points inside the line with weights for integrals, and interpolation to them: Gauss–Legendre, or equal ones."""
    if field.words.periodic:
        places = field.length * np.arange(count) / count
        return places, np.full(count, field.length / count), trigonometric(field.nodes, places, field.length)
    nodes, weights = np.polynomial.legendre.leggauss(count)
    places = field.length * (1 + nodes) / 2
    return places, weights * field.length / 2, interpolation(field.nodes, places, field.length)


def staggered(field: FieldRecord) -> tuple[Array, Array, Array]:
    """One point fewer than nodes, as many as a derivative has degrees of freedom."""
    return line_points(field, field.nodes - 1)


def _conditions(field: FieldRecord, w: FieldWords) -> list[Condition]:
    grid, unit = field.grid, np.eye(field.nodes)
    places, _, between = staggered(field)
    jets = Jets((*w.unknowns, *w.components))
    found = []
    for residual in w.holonomic:
        bent = any(jets.order([residual], u) > 0 for u in w.unknowns)
        found.append(Condition(residual, between if bent else unit, places if bent else grid.points, True))
    for residual in w.constraints:
        bent = any(jets.order([residual], c) > 0 for c in w.components)
        rows = slice(1 if w.start.constraints else 0, -1 if w.end.constraints else None)
        onto, spots = (between, places) if bent else (unit[rows], grid.points[rows])
        found.append(Condition(residual, onto, spots, False))
    for k, end in ((0, w.start), (-1, w.end)):
        here, spot = unit[[k]], grid.points[[k]]
        found += [Condition(rate_of(w, u), here, spot, False) for u in end.held]
        found += [Condition(left - right, here, spot, True) for left, right in end.prescribed]
        found += [Condition(residual, here, spot, False) for residual in end.constraints]
    return found


def driven(field: FieldRecord, given: Mapping[str, Any]) -> Callable[[float, Array], Array]:
    """The inputs at a time and places, one column each."""
    names = field.words.inputs
    stray = [n for n in given if n not in names]
    if stray:
        hint = meant(stray[0], names, f"it has {', '.join(names) or 'none'}.")
        raise StateError(f"{field.name}: no input {stray[0]!r}; {hint}")
    laws: list[Callable[[float, Array], Any]] = []
    for name in names:
        value = given.get(name, 0.0)
        if callable(value):
            laws.append(value)
        else:
            expr = formula(value, ("s", "t", *field.values), f"{field.name}: input {name}")
            fixed = {symbol(n): v for n, v in field.values.items()}
            expr = expr.xreplace(fixed) if fixed else expr
            laws.append(_law(expr, f"{field.name}: input {name}"))

    def columns(t: float, points: Array) -> Array:
        if not laws:
            return np.zeros((len(points), 0))
        return np.column_stack([np.broadcast_to(np.asarray(law(t, points), dtype=float), points.shape) for law in laws])

    return columns


def _law(expr: Any, where: str) -> Callable[[float, Array], Any]:
    from nonholo.algebra.numeric_functions import numeric_function

    function = numeric_function([symbol("s"), symbol("t")], [expr], backend="lambda")
    return lambda t, s: np.asarray(function(np.column_stack([s, np.full(len(s), t)]))).reshape(-1)


def start_state(field: FieldRecord, system: Semidiscrete, start: Mapping[str, Any]) -> Array:
    """Nodal values of a start, projected onto the constraints where they nearly hold."""
    w, s = field.words, field.grid.points
    rates = tuple(f"{u}dot" for u in w.unknowns)
    known = tuple(dict.fromkeys((*w.unknowns, *w.components, *rates)))
    start_texts = known_keys(start, known, field.name)
    fixed = {symbol(n): v for n, v in field.values.items()}

    def values(name: str) -> Array:
        where = f"{field.name}: start {name}"
        given = start_texts.get(name, 0)
        if isinstance(given, (list, tuple, np.ndarray)):
            row = np.asarray(given, dtype=float)
            if row.shape != s.shape:
                raise StateError(f"{where}: {row.shape} numbers where {len(s)} were needed, one for each node.")
            return row
        expr = formula(given, ("s", *field.values), where)
        return sampled(expr.xreplace(fixed) if fixed else expr, ("s",), where, s)

    q = np.array([values(u) for u in w.unknowns])
    own = [n for n in start_texts if n in w.components]
    others = [n for n in start_texts if n in rates and n not in w.components]
    if own and others:
        raise StateError(f"{field.name}: the start gives components ({own[0]}) and rates ({others[0]}); give one kind.")
    if others:
        xi = system.components(0.0, q, np.array([values(r) for r in rates]))
    else:
        xi = np.array([values(c) for c in w.components])
    y = np.concatenate([q.ravel(), xi.ravel()])
    for gap, what, scale in zip(
        system.residuals(0.0, y), ("positional", "velocity"), (1.0, max(1.0, float(np.max(np.abs(xi)))))
    ):
        if len(gap) and float(np.max(np.abs(gap))) > ALLOWED * scale:
            worst = float(np.max(np.abs(gap)))
            raise StateError(
                f"{field.name}: the start breaks its {what} constraints by {worst:.3g}; give one that keeps them."
            )
    return system.projected(0.0, y)


def motion(
    field: FieldRecord,
    start: Mapping[str, Any],
    until: float,
    method: str,
    tolerances: tuple[float, float],
    t_eval: Any,
    inputs: Mapping[str, Any],
    most: int,
) -> Trajectory:
    """States at the times, with everything named."""
    from scipy.integrate import DOP853, Radau

    times = wanted_times(t_eval, until, field.name)
    rtol, atol = (tolerance(v, n, field.name) for v, n in zip(tolerances, ("rtol", "atol")))
    kind = {"DOP853": DOP853, "Radau": Radau}[SOLVERS[chosen_method(method, tuple(SOLVERS), field.name)]]
    system = semidiscrete(field, inputs)
    y, t = start_state(field, system, start), 0.0
    try:
        first = system.rates(0.0, y)
    except np.linalg.LinAlgError:
        raise ModelError(
            f"{field.name}: the accelerations are not determined: some velocity has no mass and no constraint. Give it inertia."
        ) from None
    if not np.all(np.isfinite(first)):
        raise StateError(f"{field.name}: the forces have no finite value at the start.")
    rows, steps, calls, status, guess = [], 0, 0, REACHED, None
    for end in times:
        if end > t:
            solver = kind(system.rates, t, y, end, rtol=rtol, atol=atol, first_step=_first(guess, end - t))
            while solver.status == "running" and steps < most:
                solver.step()
                steps += 1
                guess = solver.step_size if solver.t < end else guess
            calls += solver.nfev
            t, y = float(solver.t), np.asarray(solver.y)
            if solver.status != "finished":
                status = TOO_MANY if solver.status == "running" else TOO_SMALL
            if not np.all(np.isfinite(y)):
                status = NOT_FINITE
            else:
                y = system.projected(t, y)
        rows.append(y)
        if status != REACHED:
            break
    reached = times[: len(rows)].copy()
    if status != REACHED and len(reached):
        reached[-1] = t
    over_space, over_time = quantities(field, system, reached, np.array(rows))
    return trajectory(
        field,
        field.name,
        start,
        method,
        reached,
        {"s": field.grid.points},
        over_space,
        over_time,
        ending(status, t),
        steps,
        calls,
    )


def _first(guess: float | None, room: float) -> float | None:
    return None if guess is None else min(guess, room)


def quantities(
    field: FieldRecord, system: Semidiscrete, times: Array, rows: Array
) -> tuple[dict[str, Array], dict[str, Array]]:
    """Everything named, over (time, s) and over time."""
    w, count = field.words, field.nodes
    places, speeds, totals, pulls, momenta = [], [], [], [], []
    for t, y in zip(times, rows):
        q, xi = system.split(y)
        system.rates(float(t), y)
        pulls.append(system.reactions)
        places.append(q)
        speeds.append(xi)
        mu = system.momenta(float(t), q, xi)
        totals.append(float(np.sum(mu * xi)) - system.lagrangian(float(t), q, xi))
        momenta.append(_spatial(system, float(t), q, xi, mu))
    q, xi, p = np.array(places), np.array(speeds), np.array(momenta)
    space = {u: q[:, k] for k, u in enumerate(w.unknowns)} | {c: xi[:, k] for k, c in enumerate(w.components)}
    if "x" not in space and "y" not in space:
        space["y"] = q[:, 0]
    if "x" not in space:
        space["x"] = np.broadcast_to(field.grid.points, (len(times), count)).copy()
    if "y" not in space:
        space["y"] = np.zeros((len(times), count))
    space |= _multipliers(field, system, np.array(pulls))
    over = {"energy": np.array(totals)} | {f"momentum_{u}": p[:, k].sum(axis=1) for k, u in enumerate(w.unknowns)}
    if {"x", "y"} <= set(w.unknowns):
        x, y = w.unknowns.index("x"), w.unknowns.index("y")
        turn = np.sum(q[:, x] * p[:, y] - q[:, y] * p[:, x], axis=1)
        angle = next((w.unknowns.index(n) for n in ("theta", "th", "phi") if n in w.unknowns), None)
        over["angular_momentum"] = turn if angle is None else turn + p[:, angle].sum(axis=1)
    gaps = [system.residuals(float(t), y) for t, y in zip(times, rows)]
    if system.conditioned:
        over["constraint_residual"] = np.array(
            [max(float(np.max(np.abs(g), initial=0.0)) for g in pair) for pair in gaps]
        )
    return space, over


def _spatial(system: Semidiscrete, t: float, q: Array, xi: Array, mu: Array) -> Array:
    """∂L/∂q̇ = Ψ⁻ᵀ ∂l/∂ξ at the nodes."""
    psi = system.psi_at(t, q, xi)
    return np.asarray(np.linalg.solve(np.transpose(psi, (0, 2, 1)), mu.T[:, :, None])[:, :, 0].T, dtype=float)


def _multipliers(field: FieldRecord, system: Semidiscrete, pulls: Array) -> dict[str, Array]:
    """Multipliers of conditions along the whole line, as densities over s."""
    found: dict[str, Array] = {}
    begin = 0
    places, weights, onto = staggered(field)
    back = np.linalg.pinv(onto) if field.words.periodic else _polynomial(places, field)
    for condition in system.conditions:
        size = len(condition.points)
        part = pulls[:, begin : begin + size]
        begin += size
        if size == field.nodes:
            found[f"multiplier{len(found) + 1}"] = part / field.grid.weights
        elif np.array_equal(condition.points, places):
            found[f"multiplier{len(found) + 1}"] = (part / weights) @ back.T
    return found


def _polynomial(places: Array, field: FieldRecord) -> Array:
    """From values at the staggered points to the polynomial through them at the nodes."""
    series = np.polynomial.chebyshev.chebvander
    degree = len(places) - 1
    inner, outer = (series(2 * p / field.length - 1, degree) for p in (places, field.grid.points))
    return np.asarray(outer @ np.linalg.inv(inner))
