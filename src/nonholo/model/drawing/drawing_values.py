"""Evaluate a drawing along a trajectory: positions, attitudes, sizes and traces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.errors import StateError
from nonholo.model.drawing.drawing_words import check_body, whereabouts
from nonholo.model.drawing.shapes import Drawing
from nonholo.model.system import System, known_names, parameter_values
from nonholo.notation.parse import parse
from nonholo.program.array_types import Array

WIRE_POINTS = 129
SURFACE_POINTS = (49, 33)
MANY = 200
"""From so many states on, machine code pays."""


def evaluate_drawing(
    drawing: Drawing,
    system: System,
    values: Mapping[str, Any],
    parameters: Mapping[str, Any] | None = None,
    wire_points: int = WIRE_POINTS,
    surface_points: tuple[int, int] = SURFACE_POINTS,
) -> dict[str, Any]:
    """The drawing at N states: arrays by name (coordinates, rates, quasi-velocities); single numbers are spread.

    ``bodies`` is a list of tables with ``position`` (N x 3), ``rotation`` (N x 3 x 3, body to space) and ``size``
    (each N), besides ``shape``, ``label`` and ``colour``; a wire or surface also has ``points`` in the body's frame,
    (N or 1) x S x 3 or (N or 1) x S x R x 3, 1 when they do not depend on the state. ``traces`` is a list of tables
    with ``points`` (N x 3), ``label`` and ``colour``. In the points of a wire or surface the names ``s`` and ``r``
    are the curve's own.

    >>> from nonholo import gallery
    >>> sleigh = gallery.get("chaplygin-sleigh")
    >>> states = {"theta": [0.0, 0.5], "x": 0, "y": 0}
    >>> found = evaluate_drawing(sleigh.drawing, sleigh.system, states, sleigh.parameters)
    >>> found["bodies"][0]["position"][0].tolist()
    [0.4, 0.0, 0.13333333333333333]
    """
    states, count = _states(system, values, parameters)
    names = list(dict.fromkeys((*known_names(system), *_velocity_parameters(system), *states)))
    plan: list[Expr] = []

    def put(texts: Sequence[str], where: str) -> slice:
        begin = len(plan)
        plan.extend(parse(text, names, f"{system.name}: drawing, {where}") for text in texts)
        return slice(begin, len(plan))

    bodies = []
    for k, body in enumerate(drawing.bodies):
        where = whereabouts("body", k, body.label)
        check_body(body, f"{system.name}: drawing, {where}")
        size = put(list(body.size.values()), f"size of {where}")
        flat = [entry for row in body.rotation for entry in row]
        position, rotation = put(body.position, f"position of {where}"), put(flat, f"rotation of {where}")
        bodies.append((body, where, position, rotation, size))
    traces = [(trace, put(trace.point, whereabouts("trace", k, trace.label))) for k, trace in enumerate(drawing.traces)]
    found = _evaluated(system, plan, states, count)

    drawn = []
    for body, where, position, rotation, size in bodies:
        table: dict[str, Any] = {
            "shape": body.shape,
            "label": body.label,
            "colour": body.colour,
            "position": found[:, position],
            "rotation": found[:, rotation].reshape(count, 3, 3),
            "size": {name: found[:, size.start + i] for i, name in enumerate(body.size)},
        }
        if body.points is not None and body.shape in ("wire", "surface"):
            grid = (wire_points,) if body.shape == "wire" else surface_points
            table["points"] = _points(system, body.points, where, names, states, count, table["size"], grid)
        drawn.append(table)
    paths = [{"label": trace.label, "colour": trace.colour, "points": found[:, part]} for trace, part in traces]
    return {"bodies": drawn, "traces": paths}


def _velocity_parameters(system: System) -> tuple[str, ...]:
    return tuple(system.parametric[0]) if system.parametric is not None else ()


def _states(
    system: System, values: Mapping[str, Any], parameters: Mapping[str, Any] | None
) -> tuple[dict[str, Array], int]:
    """Every given name as an array of one length, parameters included."""
    arrays = {str(n): np.asarray(e, dtype=float) for n, e in {"t": 0.0, **values}.items()}
    lengths = {len(e) for e in arrays.values() if e.ndim == 1}
    crooked = [n for n, e in arrays.items() if e.ndim > 1]
    if crooked or len(lengths) > 1:
        found = f"{crooked[0]} has {arrays[crooked[0]].ndim} dimensions" if crooked else f"lengths {sorted(lengths)}"
        raise StateError(f"{system.name}: drawing: the states must be numbers or arrays of one length; found {found}.")
    count = lengths.pop() if lengths else 1
    fixed = {n: np.asarray(e) for n, e in parameter_values(system, parameters).items()}
    return {n: np.broadcast_to(e, (count,)) for n, e in {**arrays, **fixed}.items()}, count


def _evaluated(system: System, exprs: Sequence[Expr], states: Mapping[str, Array], count: int) -> Array:
    """All expressions at all states, count x len(exprs), by one compiled function."""
    used = sorted({str(s) for e in exprs for s in e.free_symbols})
    missing = [n for n in used if n not in states]
    if missing:
        raise StateError(
            f"{system.name}: the drawing needs {', '.join(missing)}, not among the states given; give them too "
            "(complete_state finds the rates and quasi-velocities)."
        )
    if not exprs:
        return np.zeros((count, 0))
    # one argument more, so that a drawing without names is a function too
    backend = "lambda" if count < MANY else "llvm"
    function = numeric_function([*symbols(used), *symbols(["_unused"])], [*exprs, ZERO], backend)
    table = np.column_stack([*(states[n] for n in used), np.zeros(count)])
    result: Array = np.asarray(function(table), dtype=float).reshape(count, -1)[:, :-1]
    return result


def _points(
    system: System,
    points: Sequence[str],
    where: str,
    names: Sequence[str],
    states: Mapping[str, Array],
    count: int,
    size: Mapping[str, Array],
    grid: tuple[int, ...],
) -> Array:
    """The points of a wire (over s) or a surface (over s and r)."""
    own = ("s", "r")[: len(grid)]
    known = list(dict.fromkeys((*names, *own)))
    exprs = [parse(text, known, f"{system.name}: drawing, points of {where}") for text in points]
    used = {str(s) for e in exprs for s in e.free_symbols} - set(own)
    ends = [size[f"{n}{k}"] for n in own for k in (0, 1)]
    still = all(np.ptp(e) == 0 for e in [*ends, *(states[n] for n in used if n in states)]) if count else False
    kept = 1 if still else count
    steps = [np.linspace(0.0, 1.0, n) for n in grid]
    mesh = np.meshgrid(*steps, indexing="ij")
    shape = (kept, *grid)
    spread = {n: np.broadcast_to(e[:kept].reshape(kept, *[1] * len(grid)), shape).ravel() for n, e in states.items()}
    for name, part in zip(own, mesh):
        low, high = (size[f"{name}{k}"][:kept].reshape(kept, *[1] * len(grid)) for k in (0, 1))
        spread[name] = (low + (high - low) * part[None]).ravel()
    total = int(np.prod(shape))
    return _evaluated(system, exprs, spread, total).reshape(*shape, 3)
