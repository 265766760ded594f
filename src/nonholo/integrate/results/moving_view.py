"""A motion seen from a frame that moves along the symmetry group [pattern evocation, Marsden and Scheurle 1995]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, gradient, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import evaluate
from nonholo.errors import ModelError, StateError, meant
from nonholo.geometry.frames.frame import rate
from nonholo.integrate.results.quantity_arrays import Quantity
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System
from nonholo.notation.read import expression
from nonholo.program.array_types import Array


def seen_from(run: Any, frame: Any, symmetry: Symmetry | None = None) -> Any:
    """The run with its coordinates and their rates in the moving frame; other quantities stay as they are.

    >>> import nonholo as nh
    >>> from nonholo.model.system import System
    >>> point = System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", symmetry=nh.translation("x", "y"))
    >>> run = nh.simulate(point, {"xdot": 2.0, "ydot": 1.0}, 3.0)
    >>> view = seen_from(run, {"shift_x": 2.0})
    >>> round(view.final["x"], 9), round(view.final["y"], 9), round(view.final["xdot"], 9)
    (0.0, 3.0, 0.0)
    """
    system = run.system
    if system is None:
        raise StateError("the run is one of bare equations, which have no symmetry; simulate a System.")
    if hasattr(frame, "moving_frame"):
        symmetry, frame = frame.moving_frame()
    if not isinstance(frame, Mapping):
        raise ModelError(
            f"{system.name}: found {type(frame).__name__} where a frame was needed: velocities by generator, e.g. "
            "{'turn': 0.3, 'shift_x': 1.0}, or nh.orbit(…)."
        )
    matrix = _generator(system, frame, symmetry or system.symmetry, run.parameters)
    names, times = system.coordinates, np.asarray(run.times, dtype=float)
    places = np.stack([np.asarray(run[n], dtype=float) for n in names], axis=1)
    rates = np.stack([np.asarray(run[rate(n)], dtype=float) for n in names], axis=1) if rate(names[0]) in run.names else None
    moved, turned = _in_moving_frame(matrix, times, places, rates)
    more = {n: Quantity(moved[:, k], dict(run.quantities[n].words)) for k, n in enumerate(names)}
    if turned is not None:
        more |= {rate(n): Quantity(turned[:, k], dict(run.quantities[rate(n)].words)) for k, n in enumerate(names)}
    last, first = ({n: float(q.values[k]) for n, q in more.items()} for k in (-1, 0))
    return replace(
        run.with_quantities(more),
        final=FrozenMap({**run.final, **last}),
        first=FrozenMap({**run.first, **first}),
        derivatives=FrozenMap(),
    )


def _generator(system: System, frame: Mapping[str, Any], symmetry: Symmetry | None, parameters: Mapping[str, float]) -> Array:
    """``Σ s_a ξ_a`` as a matrix on ``(q, 1)``: the generators must be affine in the coordinates."""
    if symmetry is None:
        raise ModelError(
            f"{system.name}: no symmetry is declared; give one, seen_from(…, symmetry=nh.planar_motion('x', 'y', 'th'))."
        )
    known = symmetry.generators
    stray = [n for n in frame if str(n) not in known]
    if stray:
        raise ModelError(
            f"{system.name}: there is no generator {stray[0]!r}; "
            f"{meant(str(stray[0]), list(known), 'there are ' + ', '.join(known) + '.')}"
        )
    x = symbols(system.coordinates)
    names = (*system.coordinates, *system.parameters)
    size = len(x)
    total = np.zeros((size + 1, size + 1))
    for name, speed in frame.items():
        table = known[str(name)]
        for k, c in enumerate(system.coordinates):
            field: Expr = expression(table[c], names, f"{system.name}: generator {name}") if c in table else ZERO
            slopes = gradient(field, x)
            if any(e.free_symbols & set(x) for e in slopes):
                raise ModelError(
                    f"{system.name}: the generator {name!r} is not affine in the coordinates, and frames move by affine ones."
                )
            rest = field.xreplace(dict.fromkeys(x, ZERO))
            total[k] += float(speed) * np.array([*evaluate(list(slopes), parameters), *evaluate([rest], parameters)])
    return total


def _in_moving_frame(matrix: Array, times: Array, places: Array, rates: Array | None) -> tuple[Array, Array | None]:
    """``exp(−t A) (q, 1)`` at each time, and ``exp(−t A) ((q̇, 0) − A (q, 1))``."""
    from scipy.linalg import expm

    whole = np.hstack([places, np.ones((len(times), 1))])
    maps = np.array([expm(-t * matrix) for t in times])
    moved = np.einsum("tij,tj->ti", maps, whole)[:, :-1]
    if rates is None:
        return moved, None
    speed = np.hstack([rates, np.zeros((len(times), 1))]) - whole @ matrix.T
    return moved, np.einsum("tij,tj->ti", maps, speed)[:, :-1]
