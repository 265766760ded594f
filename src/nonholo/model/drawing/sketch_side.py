"""Sketches seen from the side: wheels and points of contacts in a vertical plane, and drawings on a slope."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from nonholo.algebra.calculus import ZERO, expand, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.model.contacts import ContactLaw
from nonholo.model.drawing.drawing_words import drawing_of
from nonholo.model.drawing.shapes import Body, Drawing, Point, Rotation, Trace, turned_by
from nonholo.model.system import System, resolve
from nonholo.notation.write import to_text

Place = tuple[Expr, Expr, Expr]
COLOURS = ("steelblue", "seagreen", "darkorange", "slategrey")


def upright(system: System, values: Mapping[str, float]) -> Drawing | None:
    """Bodies that touch: a wheel where a slip has the rate of an angle in it, else the touching point; None without contacts.

    The place is ``(x, z)`` in the vertical plane, or ``(x1, y1)`` … seen from above.
    """
    if not system.contacts or not system.frame.plain:
        return None
    places = _places(system)
    shapes: list[Body] = []
    centres: list[tuple[Place, Place]] = []
    traces: list[Trace] = []
    for law in system.contacts:
        for names in places:
            found = _wheel(system, law, names, values)
            if found is None:
                continue
            centre, angle, radius, flat = found
            turn = spun(angle, flat)
            size = {"radius": repr(abs(radius)), "width": repr(abs(radius) / 3)}
            colour = COLOURS[len(traces) % len(COLOURS)]
            body = Body("disc", _texts(centre), turn, size, colour=colour, label=f"{angle}")
            if body.position not in [b.position for b in shapes]:
                shapes.append(body)
                traces.append(Trace(_texts(centre), f"path of {angle}", colour if traces else "firebrick"))
            centres.append((_at(names), centre))
    touching = [(_at(names), _three(law.point)) for names in places[:1] for law in system.contacts if len(law.point) == 3]
    reach = 0.06 * (_size(system, touching, values) or 1.0)
    arms = centres if centres else touching
    for one, two in arms:
        shapes += _rod(one, two, reach)
    if not centres:
        for one, two in pairwise(p for _, p in touching):
            shapes += _rod(one, two, reach)
        if touching:
            middle = _texts(touching[0][0])
            shapes.append(Body("sphere", middle, size={"radius": repr(2 * reach)}, colour="firebrick", label="centre"))
            traces.append(Trace(middle, "path"))
    elif any(_apart(one, two) for one, two in centres):
        middle = _texts(centres[0][0])
        shapes.append(Body("sphere", middle, size={"radius": repr(2 * reach)}, colour="firebrick", label="body"))
    return Drawing(tuple(shapes), tuple(traces), "plane") if shapes else None


def _apart(one: Sequence[Expr], two: Sequence[Expr]) -> bool:
    return any(expand(a - b) != 0 for a, b in zip(one, two))


def _rod(one: Sequence[Expr], two: Sequence[Expr], reach: float) -> tuple[Body, ...]:
    if not _apart(one, two):
        return ()
    return drawing_of([{"shape": "rod", "from": _texts(one), "to": _texts(two), "radius": 0.5 * reach}], "sketch").bodies


def _places(system: System) -> list[tuple[str, str | None, str | None]]:
    names, found = set(system.coordinates), []
    for name in system.coordinates:
        head, letter, tail = name.partition("x")
        if letter and not head and (not tail or tail.isdigit()):
            y, z = f"y{tail}", f"z{tail}"
            if (y in names) != (z in names):
                found.append((name, y if y in names else None, z if z in names else None))
    return found


def _at(names: Sequence[str | None]) -> Place:
    x, y, z = (symbol(n) if n is not None else ZERO for n in names)
    return x, y, z


def _three(values: Sequence[Expr]) -> Place:
    x, y, z = values
    return x, y, z


def _texts(place: Sequence[Expr]) -> Point:
    x, y, z = map(to_text, place)
    return x, y, z


def _wheel(
    system: System, law: ContactLaw, names: Sequence[str | None], values: Mapping[str, float]
) -> tuple[Place, str, float, bool] | None:
    """Centre, angle and radius of the round body that touches, and whether it is seen from above."""
    if law.gap is None or len(law.slip) != 1:
        return None
    own = [symbol(n) for n in names if n is not None]
    normal = [law.gap.diff(symbol(n)) if n is not None else ZERO for n in names]
    if all(e == 0 for e in normal):
        return None
    (slip,) = resolve(system, law.slip)
    inside = {str(s) for e in (law.gap, *law.point) for s in e.free_symbols}
    tail = next((n for n in names if n is not None), "")[1:]
    for angle in system.coordinates:
        if angle in inside or symbol(angle) in own or (tail and not angle.endswith(tail)):
            continue
        radius = slip.diff(symbol(f"{angle}dot"))
        if radius == 0 or not {str(s) for s in radius.free_symbols} <= set(values):
            continue
        number = float(radius.xreplace({s: values[str(s)] for s in radius.free_symbols}))
        centre = _at(names)
        if law.point:
            x, y, z = (expand(p + (radius if number > 0 else -radius) * n) for p, n in zip(law.point, normal))
            centre = (x, y, z)
        return centre, angle, number, names[2] is None
    return None


def spun(angle: str, flat: bool) -> Rotation:
    """A disc turned by an angle: about the vertical seen from above, else about y, forwards for growing angles."""
    if flat:
        return ((f"cos({angle})", f"-sin({angle})", "0"), (f"sin({angle})", f"cos({angle})", "0"), ("0", "0", "1"))
    return ((f"cos({angle})", f"sin({angle})", "0"), ("0", "0", "1"), (f"-sin({angle})", f"cos({angle})", "0"))


def _size(system: System, ends: Sequence[tuple[Sequence[Expr], Sequence[Expr]]], values: Mapping[str, float]) -> float:
    """How far contact points are from the place, at rest."""
    at = {**dict.fromkeys(symbols(system.coordinates), ZERO), **{symbol(n): e for n, e in values.items()}}
    gaps = [[float((a - b).xreplace(at)) for a, b in zip(one, two)] for one, two in ends]
    return max((float(np.linalg.norm(gap)) for gap in gaps), default=0.0)


def inclined(drawing: Drawing, rises: tuple[float, float], spread: float, names: tuple[str, str]) -> Drawing:
    """A drawing on a plane that rises by so much along x and y, with the slope itself as a sheet."""
    along = np.array(rises)
    steep = float(np.hypot(*along))
    level = np.sqrt(max(0.0, 1 - steep**2))
    u, v = along / steep  # the way up; across it nothing changes
    turn = np.array([
        [u * u * level + v * v, u * v * (level - 1), -u * steep],
        [u * v * (level - 1), v * v * level + u * u, -v * steep],
        [u * steep, v * steep, level],
    ])  # fmt: skip
    rotation: Rotation = tuple(tuple(repr(float(e)) for e in row) for row in turn)  # type: ignore[assignment]

    def moved(point: Point) -> Point:
        x, y, z = (" + ".join(f"{float(e)!r}*({p})" for e, p in zip(row, point)) for row in turn)
        return x, y, z

    bodies = [replace(b, position=moved(b.position), rotation=turned_by(rotation, b.rotation)) for b in drawing.bodies]
    size = {"s0": f"-{spread!r}", "s1": repr(spread), "r0": f"-{spread!r}", "r1": repr(spread)}
    sheet = Body("surface", rotation=rotation, size=size, points=("s", "r", "0"), colour="wheat", label="slope")
    traces = [replace(t, point=moved(t.point)) for t in drawing.traces]
    return Drawing((sheet, *bodies), tuple(traces), "none", drawing.plots)
