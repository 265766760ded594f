"""Which coordinates of a system are angles, so that a whole turn leads back to the same configuration.

A coordinate is an angle when it occurs only in sines, cosines and tangents of whole multiples of it, or
when its unit is ``rad`` and nothing but its rate is used. Whether motions can go round is another question: at the
poles of Euler's angles the metric is singular.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, atoms, depending, expand, gradient, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import evaluate_all
from nonholo.derive.hamel import kinetic_metric
from nonholo.model.specialise import written_formulas
from nonholo.model.system import System
from nonholo.model.velocities.admissible import admissible, samples_of
from nonholo.notation.write import to_text
from nonholo.program.hash_consing import is_deep, shared

GRID = 48
"""Points on the circle at which the metric is evaluated, multiples of 30° and 45° among them."""
SINGULAR = 1e-9
"""A determinant this small beside its largest value is zero."""


def formulas(system: System) -> list[Expr]:
    """Every formula in which the system is written."""
    frame = system.frame
    return [*written_formulas(system), *(se.sympify(e) for row in (*frame.anchor, frame.relations) for e in row)]


def periodic(expr: Expr, angle: Expr) -> bool:
    """Whether an expression has its values again when the angle grows by 2π, as one sees from the way it is written.

    >>> th, x = se.symbols("th x")
    >>> periodic(x*se.sin(2*th + x), th), periodic(th*se.cos(th), th), periodic(se.cos(th/2), th)
    (True, False, False)
    """
    (whole,) = shared([se.sympify(expr)])  # looking up an equal copy would compare both written out
    known: dict[Expr, bool] = {}
    for node in depending([whole], angle):
        good = bool(node.args) and all(known.get(part, True) for part in node.args)
        if not good and isinstance(node, (se.sin, se.cos, se.tan, se.cot, se.sec, se.csc)):
            good = _whole_number(gradient(node.args[0], [angle])[0])
        known[node] = good
    return known.get(whole, True)


def _whole_number(expr: Expr) -> bool:
    """Whether an expression is an integer; deep ones are not multiplied out."""
    return bool(expr.is_Integer or (not is_deep([expr]) and expand(expr).is_Integer))


def angle_coordinates(system: System) -> tuple[str, ...]:
    """The coordinates that are angles.

    >>> skate = System(coordinates="x y th", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2",
    ...     constraints=["ydot*cos(th) - xdot*sin(th)"])
    >>> angle_coordinates(skate)
    ('th',)
    """
    parts = formulas(system)
    used = {s for e in parts for s in e.free_symbols}
    return tuple(
        c
        for c in system.coordinates
        if (symbol(c) in used or system.units.get(c) == "rad") and all(periodic(e, symbol(c)) for e in parts)
    )


def goes_round(system: System, angle: str, parameters: Mapping[str, float] | None = None) -> bool:
    """Whether metric and constraints are regular all round, at generic values of the other coordinates."""
    metric = kinetic_metric(system)
    rows = admissible(system).rows.slopes
    still = dict.fromkeys(symbols(system.velocities), ZERO)
    flat = [e.xreplace(still) for table in (metric, rows) for row in table for e in row]
    turns = 2 * np.pi * np.arange(GRID) / GRID
    for place in samples_of(system):
        places = [{**place, **(parameters or {}), angle: float(a)} for a in turns]
        numbers = evaluate_all(flat, places)
        n = len(metric)
        tables = [numbers[:, : n * n].reshape(-1, n, n)]
        if rows:
            slopes = numbers[:, n * n :].reshape(-1, len(rows), n)
            tables.append(slopes @ np.swapaxes(slopes, 1, 2))
        for table in tables:
            if not np.all(np.isfinite(table)):
                return False
            sizes = np.abs(np.linalg.det(table))
            if not np.min(sizes) > SINGULAR * np.max(sizes):
                return False
    return True


def multivalued(system: System, expr: Expr, angles: Iterable[str] | None = None) -> tuple[str, ...]:
    """The angles that motions can go round, and round which the expression has other values: it is a function only locally.

    The angle of a vector in the expression, ``atan2(y, x)``, is one of them.

    >>> x, y = se.symbols("x y")
    >>> free = System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2")
    >>> multivalued(free, se.atan2(y, x) + x), multivalued(free, se.cos(2*se.atan2(y, x)))
    (('atan2(y, x)',), ())
    """
    held = {str(s) for s in expr.free_symbols}
    found = angle_coordinates(system) if angles is None else angles
    headings = [(e, se.Dummy()) for e in atoms([expr], type(se.atan2(*se.symbols("y x"))))]
    inside = [to_text(e) for e, s in headings if not periodic(expr.xreplace({e: s}), s)]
    return (*(a for a in found if a in held and not periodic(expr, symbol(a)) and goes_round(system, a)), *inside)
