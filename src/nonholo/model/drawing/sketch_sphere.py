"""Sketch a point, a skate or a ball on a sphere, from the energy in polar angles."""

from __future__ import annotations

from collections.abc import Mapping

import symengine as se

from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Expr
from nonholo.model.drawing.shapes import Body, Drawing, Point, Rotation, Trace
from nonholo.model.drawing.sketch_fit import squares
from nonholo.model.system import System
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.notation.write import to_text

Polar = tuple[str, str, Expr]


def polar(system: System) -> Polar | None:
    """Polar angle, azimuth and radius of a point on a sphere: ``ρ² (u̇² + v̇² sin² u)`` in the energy."""
    rates = dict(zip(symbols(f"{c}dot" for c in system.coordinates), system.coordinates))
    found = squares(system.lagrangian, set(rates))
    for factor, root in found:
        if root not in rates:
            continue
        u = symbols([rates[root]])[0]
        for other, second in found:
            azimuth = [c for s, c in rates.items() if second == s * se.sin(u)]
            if other == factor and azimuth:
                parts = factor.args if isinstance(factor, se.Mul) else (factor,)
                lengths = [p.args[0] for p in parts if isinstance(p, se.Pow) and p.args[1] == 2]
                return rates[root], azimuth[0], se.Mul(*lengths) if lengths else se.Integer(1)
    return None


def place_on(around: Polar) -> Point:
    u, v, far = around[0], around[1], to_text(around[2])
    return (f"({far})*sin({u})*cos({v})", f"({far})*sin({u})*sin({v})", f"({far})*cos({u})")


def on_sphere(system: System, values: Mapping[str, float], u: str, v: str, radius: Expr) -> Drawing:
    """A point on a sphere, with the blade that a constraint makes of it."""
    place = place_on((u, v, radius))
    far = float(radius.xreplace({s: values[str(s)] for s in symbols(values)}))
    bodies = [Body("sphere", size={"radius": repr(0.985 * far)}, colour="wheat", label="sphere")]
    way = _tangent(system, u, v)
    if way is None:
        bodies.append(Body("sphere", place, size={"radius": repr(far / 14)}, label="point"))
    else:
        board = {"x": repr(0.4 * far), "y": repr(0.12 * far), "z": repr(0.04 * far)}
        bodies.append(Body("box", place, way, board, label="skate"))
        bodies.append(Body("blade", place, way, {"length": repr(0.5 * far)}, colour="black", label="edge"))
    return Drawing(tuple(bodies), (Trace(place, "path"),), "none")


def _tangent(system: System, u: str, v: str) -> Rotation | None:
    """The attitude along the only direction in which the point may move: columns ahead, left, outwards."""
    rows = constraint_rows(system)
    if not rows.linear or len(rows.slopes) != 1 or not system.frame.plain:
        return None
    row = dict(zip(system.coordinates, rows.slopes[0]))
    if any(e != 0 for n, e in row.items() if n not in (u, v)):
        return None
    # a u' + b v' = 0 with speeds ρ u' and ρ sin(u) v': ahead is (b, -a sin u) up to its length
    a, b = to_text(row[u]), to_text(row[v])
    size = f"sqrt(({b})**2 + ({a})**2*sin({u})**2)"
    c, s = f"({b})/{size}", f"(-({a})*sin({u}))/{size}"
    down = (f"cos({u})*cos({v})", f"cos({u})*sin({v})", f"-sin({u})")
    east = (f"-sin({v})", f"cos({v})", "0")
    out = (f"sin({u})*cos({v})", f"sin({u})*sin({v})", f"cos({u})")
    rows3 = tuple((f"({c})*({d}) + ({s})*({e})", f"({c})*({e}) - ({s})*({d})", o) for d, e, o in zip(down, east, out))
    return rows3  # type: ignore[return-value]
