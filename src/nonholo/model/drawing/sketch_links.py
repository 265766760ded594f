"""What holds points together in a sketch: springs in the potential energy, blades in constraints on two points."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, atoms, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.model.drawing.drawing_words import drawing_of
from nonholo.model.drawing.shapes import Body, Drawing, Point
from nonholo.model.drawing.sketch_fit import EXACT, PlaneSamples
from nonholo.model.system import System, resolve
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.notation.write import to_text

TURNS = 6
NUMBER = re.compile(r"[\d.e-]+")
Place = tuple[Expr, Expr]


def elastic(system: System) -> dict[str, Expr]:
    """What the potential energy is linear in by parameters that are neither masses nor gravity: stiffness and energy by it.

    >>> swing = System(coordinates="x", lagrangian="m*xdot**2/2 - k*(x - 2)**2/2", parameters="m k")
    >>> elastic(swing)
    {'k': (1/2)*(-2 + x)**2}
    """
    (energy,) = resolve(system, [system.lagrangian])
    still = energy.xreplace(dict.fromkeys(symbols(system.velocities), ZERO))
    heavy = {s for v in symbols(system.velocities) for s in energy.diff(v).free_symbols} | {symbol("g")}
    parts = {n: -still.diff(symbol(n)) for n in system.parameters if symbol(n) not in heavy}
    moving = set(symbols(system.coordinates))
    return {n: e for n, e in parts.items() if e.free_symbols & moving and not e.free_symbols & {symbol(n), symbol("g")}}


def with_springs(system: System, drawing: Drawing, radius: float) -> Drawing:
    """The drawing with the springs between its bodies, and between a body and a fixed place, as coils named by their stiffness.

    A spring is half the square of a distance, or of what a distance (a square root) differs from its length: second
    derivatives between two points say that they are linked, their sums that a point is linked to a fixed one.
    """
    round_ones = [float(b.size["radius"]) for b in drawing.bodies if "radius" in b.size and NUMBER.fullmatch(b.size["radius"])]
    radius = min([radius, *(0.6 * r for r in round_ones)])
    centres = {b.position: b for b in drawing.bodies if set(b.position) & set(system.coordinates)}
    coils: list[Body] = []
    for name, energy in elastic(system).items():
        roots = [w.args[0] for w in atoms([energy], se.Pow) if w.args[1] == se.Rational(1, 2)]
        inside = roots[0] if len(roots) == 1 else energy
        own = [c for c in symbols(system.coordinates) if c in inside.free_symbols]
        at = [next((p for p in centres if str(c) in p), None) for c in own]
        table = [[inside.diff(a).diff(b) for b in own] for a in own]
        if None in at or any(e.free_symbols & set(own) for row in table for e in row):
            continue
        ends: dict[tuple[Point, Point], None] = {}
        for (i, one), (j, two) in combinations(enumerate(at), 2):
            if one is not None and two is not None and one != two and table[i][j] != 0:
                ends[one, two] = None
        for place in dict.fromkeys(p for p in at if p is not None):
            slopes = {str(own[i]): (sum(table[i], ZERO), inside.diff(own[i])) for i in range(len(own)) if at[i] == place}
            rest = dict.fromkeys(own, ZERO)
            fixed = {n: to_text(-slope.xreplace(rest) / total) for n, (total, slope) in slopes.items() if total != 0}
            if fixed:
                ends[tuple(fixed.get(e, e) for e in place), place] = None  # type: ignore[index]
        coils += [_coil(name, one, two, radius) for one, two in ends]
    return replace(drawing, bodies=(*drawing.bodies, *coils))


def _coil(name: str, one: Point, two: Point, radius: float) -> Body:
    """A wire that winds upwards and aside from one place to another."""
    x, y, z = (f"({a}) + s*(({b}) - ({a}))" for a, b in zip(one, two))
    wave = f"{radius!r}*sin({2 * TURNS}*pi*s)"
    return Body("wire", size={"s0": "0", "s1": "1"}, points=(x, y, f"{z} + {wave}"), colour="slategrey", label=f"spring {name}")


def slack(system: System, drawing: Drawing) -> tuple[str, ...]:
    """Stiffnesses whose springs a sketch does not show."""
    drawn = {b.label for b in drawing.bodies}
    return tuple(n for n in elastic(system) if f"spring {n}" not in drawn)


def blades_between(found: PlaneSamples, pairs: Sequence[tuple[str, str, str | None]], length: float) -> list[Body]:
    """Blades of constraints ``n · ((1 - β) Ṗ₁ + β Ṗ₂) = 0`` on one point or two: across ``n``, at the place that they hold."""
    rows = constraint_rows(found.system)
    names = found.system.coordinates
    bodies: list[Body] = []
    for row in rows.slopes if rows.linear else ():
        numbers = found.at(list(row))
        touched = [p for p in pairs if np.any(np.abs(numbers[:, [names.index(p[0]), names.index(p[1])]]) > EXACT)]
        others = [k for k, n in enumerate(names) if not any(n in p[:2] for p in touched)]
        if not 1 <= len(touched) <= 2 or np.any(np.abs(numbers[:, others]) > EXACT):
            continue
        normals = [numbers[:, [names.index(x), names.index(y)]] for x, y, _ in touched]
        sizes = [np.linalg.norm(n, axis=1) for n in normals]
        if min(float(np.min(s)) for s in sizes) < EXACT:
            continue
        signs = np.sum(normals[0] * normals[-1], axis=1)
        share = sizes[-1] / (sizes[0] + sizes[-1]) if len(touched) == 2 else np.zeros(len(numbers))
        aligned = np.max(np.abs(signs - sizes[0] * sizes[-1])) < 1e-7 * (1 + float(np.max(np.abs(signs))))
        if np.ptp(share) > 1e-7 or not aligned:
            continue  # two points that move against each other have no blade
        part = se.RealDouble(float(np.round(share[0], 9)))
        (x1, y1, _), (x2, y2, _) = touched[0], touched[-1]
        place = [(1 - part) * symbol(a) + part * symbol(b) if part != 0 else symbol(a) for a, b in ((x1, x2), (y1, y2))]
        across = [row[names.index(x1)], row[names.index(y1)]]
        scale = se.RealDouble(length / 2) / se.sqrt(across[0] ** 2 + across[1] ** 2)
        tips = [[to_text(p + s * scale * t) for p, t in zip(place, (-across[1], across[0]))] + ["0"] for s in (-1, 1)]
        shape = {"shape": "rod", "from": tips[0], "to": tips[1], "radius": 0.05 * length, "colour": "black", "label": "edge"}
        bodies += drawing_of([shape], "sketch").bodies
    return bodies
