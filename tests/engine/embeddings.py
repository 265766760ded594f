"""The same motion in more coordinates: redundant ones held by holonomic constraints."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import symengine as se

from tests.engine.changes import change, replaced
from tests.engine.record import Expr, Known, rate_of


@change("embedded")
def embedded(one: Known, chance: Random) -> Known | None:
    """A further coordinate ``w = g(q)``, with a kinetic energy ``(ẇ − ġ)²/2`` that vanishes on the constraint."""
    name = next((n for n in ("w", "h", "z3") if n not in one.coordinates and n not in one.parameters), None)
    if name is None:
        return None
    x, y = chance.choice(one.q), chance.choice(one.q)
    g: Expr = chance.choice([x + y, x * y, x**2, 2 * x, se.sin(x)])
    if str(x) in one.angles or str(y) in one.angles:
        g = chance.choice([se.sin(x), se.cos(y)])
    w, wdot = se.Symbol(name), se.Symbol(f"{name}dot")
    (rate,) = rate_of([g], one)
    fields = tuple((*f, se.Add(*(g.diff(q) * e for q, e in zip(one.q, f)))) for f in one.symmetries)
    rest = None
    if one.equilibrium is not None:
        rest = {
            **one.equilibrium,
            name: float(g.xreplace({se.Symbol(c): se.RealDouble(v) for c, v in one.equilibrium.items()})),
        }
    return replace(
        one,
        coordinates=(*one.coordinates, name),
        lagrangian=one.lagrangian + (wdot - rate) ** 2 / 2,
        holonomic=(*one.holonomic, w - g),
        symmetries=fields,
        equilibrium=rest,
        boxes={**one.boxes, name: (-3.0, 3.0)},
    )


@change("heading vector")
def heading(one: Known, chance: Random) -> Known | None:
    """An angle as a unit vector ``(c, s)`` with ``c² + s² = 1``: only where it stands inside sine and cosine."""
    for name in sorted(one.angles):
        a, b = ("c_", "s_") if "c_" not in one.coordinates else ("c3", "s3")
        f, fdot, c, s = se.Symbol(name), se.Symbol(f"{name}dot"), se.Symbol(a), se.Symbol(b)
        cdot, sdot = se.Symbol(f"{a}dot"), se.Symbol(f"{b}dot")
        table = {se.cos(f): c, se.sin(f): s, fdot: c * sdot - s * cdot}
        new = replaced(one, table)
        whole = [
            new.lagrangian,
            *new.constraints,
            *new.holonomic,
            *new.forces.values(),
            *(e for field in new.symmetries for e in field),
        ]
        if (
            any(f in se.sympify(e).free_symbols for e in whole)
            or name in one.forces
            or one.equilibrium is not None
            or name in one.boxes
        ):
            continue
        k = one.coordinates.index(name)
        names = (*one.coordinates[:k], a, b, *one.coordinates[k + 1 :])
        fields = tuple((*field[:k], -s * field[k], c * field[k], *field[k + 1 :]) for field in new.symmetries)
        integrals = tuple(e for e in new.integrals if f not in se.sympify(e).free_symbols)
        boxes = {**one.boxes, a: (0.3, 0.9), b: (0.3, 0.9)}
        return replace(
            new,
            coordinates=names,
            lagrangian=new.lagrangian + (c * cdot + s * sdot) ** 2 / 2,
            symmetries=fields,
            integrals=integrals,
            holonomic=(*new.holonomic, c**2 + s**2 - 1),
            angles=one.angles - {name},
            boxes=boxes,
        )
    return None
