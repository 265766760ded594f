"""Make a drawing for a system that has none, from its coordinates, energy and constraints."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import symengine as se

from nonholo.algebra.calculus import atoms, expand, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.errors import NonholoError
from nonholo.model.drawing.drawing_words import drawing_of
from nonholo.model.drawing.shapes import (
    Body,
    Drawing,
    Point,
    Rotation,
    Trace,
    heading,
    matrix_of,
    quaternion_of,
    rolling,
    spinning,
    turned_by,
)
from nonholo.model.drawing.sketch_fit import (
    Blade,
    PlaneSamples,
    Wheel,
    blades,
    centre_of_mass,
    headings_of,
    height,
    incline,
    masses,
    plane_samples,
    rolled,
    rolling_radius,
)
from nonholo.model.drawing.sketch_fit import wheels as wheels_of
from nonholo.model.drawing.sketch_links import blades_between, with_springs
from nonholo.model.drawing.sketch_side import inclined, upright
from nonholo.model.drawing.sketch_sphere import on_sphere, place_on, polar
from nonholo.model.drawing.sketch_vertical import vertical
from nonholo.model.system import System, parameter_values
from nonholo.notation.write import to_text

COLOURS = ("steelblue", "firebrick", "seagreen", "darkorange", "slategrey", "purple")
PLACE = re.compile(r"(.*?)x(_?\d*)")
Place = tuple[Expr, Expr]
ANGLES = ("th", "ph", "psi", "alpha", "beta", "theta", "phi", "gamma")


def sketch(system: System, values: Mapping[str, float], spread: float) -> Drawing | None:
    """A drawing made from the system's words, or None where nothing is found; ``spread`` is how far its motion goes."""
    drawing = _sketch(system, values, spread)
    return drawing and with_springs(system, drawing, spread / 40 or 1.0)


def _sketch(system: System, values: Mapping[str, float], spread: float) -> Drawing | None:
    numbers = parameter_values(system, {n: e for n, e in values.items() if n in system.parameters})
    turns = [part for part in system.frame.recipe or () if part["kind"] in ("SO3", "SE3", "Quaternion")]
    try:
        if turns:
            return _turning(system, numbers, spread, turns[0])
        around = polar(system)
        if around is not None:
            return on_sphere(system, numbers, *around)
        pairs = places_of(system)
        if len(pairs) > 1:
            return upright(system, numbers) or _points(system, numbers, pairs, spread)
        if pairs and pairs[0][2] is None and system.frame.plain:
            return _plane(system, numbers, spread, pairs[0][0], pairs[0][1])
        if pairs:
            return _points(system, numbers, pairs, spread)
        return upright(system, numbers) or vertical(system, numbers, spread) or _arms(system)
    except NonholoError:  # a sketch is a courtesy: a system that cannot be sketched is shown by its path
        return _points(system, numbers, places_of(system), spread)


def lengths_of(system: System) -> list[str]:
    """Coordinates that are neither angles by their names nor inside sines."""
    waves = {str(s) for h in headings_of(system) for s in h.free_symbols}
    return [c for c in system.coordinates if c not in waves and not _is_angle(c)]


def places_of(system: System) -> list[tuple[str, str, str | None]]:
    """Names that are places: ``x, y`` and ``z``, ``x1, y1``, …"""
    names = system.coordinates
    found = []
    for name in names:
        match = PLACE.fullmatch(name)
        if match:
            y, z = (f"{match[1]}{letter}{match[2]}" for letter in "yz")
            if y in names:
                found.append((name, y, z if z in names else None))
    return found


def _points(
    system: System, values: Mapping[str, float], pairs: Sequence[tuple[str, str, str | None]], spread: float
) -> Drawing | None:
    """A ball for each place, on its path; rods where distances are held, blades, and the surface that one point is held on."""
    if not pairs:
        return None
    bodies, traces = [], []
    for k, (x, y, z) in enumerate(pairs):
        place = (x, y, z or "0")
        label = f"({', '.join(n for n in (x, y, z) if n)})"
        colour = COLOURS[k % len(COLOURS)]
        bodies.append(Body("sphere", place, size={"radius": repr(spread / 40 or 1.0)}, colour=colour, label=label))
        traces.append(Trace(place, "path") if len(pairs) == 1 else Trace(place, label, colour))
    if len(pairs) == 1:
        bodies[0] = Body("sphere", bodies[0].position, size=bodies[0].size, label=bodies[0].label)
        bodies += _surface(system, pairs[0], spread)
    for one, two in combinations(pairs, 2):
        apart = se.Add(*((symbol(a) - symbol(b)) ** 2 for a, b in zip(one, two) if a and b))
        gaps = [expand(e - s * apart) for e in system.holonomic for s in (1, -1)]
        if any(not set(symbols(system.coordinates)) & gap.free_symbols for gap in gaps):
            ends = {"from": [one[0], one[1], one[2] or "0"], "to": [two[0], two[1], two[2] or "0"]}
            bodies += drawing_of([{"shape": "rod", **ends, "radius": spread / 120 or 0.3, "colour": "grey"}], "sketch").bodies
    if system.frame.plain and all(z is None for _, _, z in pairs):
        bodies += blades_between(plane_samples(system, values, *pairs[0][:2]), pairs, spread / 8 or 1.0)
    return Drawing(tuple(bodies), tuple(traces), "plane" if all(z is None for _, _, z in pairs) else "none")


def _surface(system: System, names: tuple[str, str, str | None], spread: float) -> tuple[Body, ...]:
    """The surface ``z = f(x, y)`` that a holonomic constraint holds a point on."""
    x, y, z = names
    if z is None:
        return ()
    for residual in system.holonomic:
        slope = residual.diff(symbol(z))
        over = -residual.xreplace({symbol(z): se.Integer(0)}) / slope if slope.is_Number and slope != 0 else None
        if over is not None and not ({str(s) for s in over.free_symbols} - {x, y, *system.parameters}):
            text = to_text(over.xreplace({symbol(x): symbol("s"), symbol(y): symbol("r")}))
            extent = {n: repr(s * 0.62 * (spread or 1.0)) for n, s in (("s0", -1), ("s1", 1), ("r0", -1), ("r1", 1))}
            return (Body("surface", size=extent, points=("s", "r", text), colour="wheat", label="surface"),)
    return ()


def _turning(system: System, values: Mapping[str, float], spread: float, part: Mapping[str, str]) -> Drawing:
    """A marked ball, or a body with its axes where there is no place."""
    quaternion = part["kind"] == "Quaternion"
    name = str(part.get("name", "q" if quaternion else "R"))
    attitude = quaternion_of(name) if quaternion else matrix_of(name)
    rates = str(part.get("rates", "w1 w2 w3")).split()[:3]
    pairs, around = places_of(system), polar(system)
    size = rolling_radius(system, values, rates, f"{around[0]}dot" if around is not None else None)
    radius = size if size is not None else spread / 12 or 1.0
    if around is not None:
        place, far = place_on(around), float(around[2].xreplace({s: values[str(s)] for s in symbols(values)}))
        radius = radius * far if size is not None else far / 5
        ground = Body("sphere", size={"radius": repr(abs(far - radius))}, colour="wheat", label="sphere")
        return Drawing((ground, *_marked(place, attitude, radius)), (Trace(place, "centre"),), "none")
    if not pairs:
        return Drawing(_marked(("0", "0", "0"), attitude, 1.0), _axis_trace(attitude), "none")
    x, y, z = pairs[0]
    over = height(system, (x, y)) if z is None else None
    if over is None:
        place = (x, y, z or repr(radius))
        return Drawing(_marked(place, attitude, radius), (Trace((x, y, z or "0"), "path"),), "none" if z else "plane")
    bowl = to_text(over.xreplace(dict(zip(symbols((x, y)), (se.Symbol("s"), se.Symbol("r"))))))
    extent = {n: repr(s * 0.62 * (spread or 1.0)) for n, s in (("s0", -1), ("s1", 1), ("r0", -1), ("r1", 1))}
    sheet = Body("surface", size=extent, points=("s", "r", f"{bowl} - {radius!r}"), colour="wheat", label="surface")
    place = (x, y, to_text(over))
    return Drawing((sheet, *_marked(place, attitude, radius)), (Trace(place, "path"),), "none")


def _marked(place: Point, attitude: Rotation, radius: float) -> tuple[Body, ...]:
    """A ball with a spot on it, so that one sees it spin."""
    spot: Point = tuple(f"{p} + {0.93 * radius!r}*({row[0]})" for p, row in zip(place, attitude))  # type: ignore[assignment]
    ball = Body("sphere", place, attitude, {"radius": repr(radius)}, label="ball")
    return (ball, Body("sphere", spot, size={"radius": repr(0.16 * radius)}, colour="firebrick", label="mark"))


def _axis_trace(attitude: Rotation) -> tuple[Trace, ...]:
    tip: Point = tuple(f"1.15*({row[2]})" for row in attitude)  # type: ignore[assignment]
    return (Trace(tip, "third axis"),)


def _plane(system: System, values: Mapping[str, float], spread: float, x: str, y: str) -> Drawing | None:
    """A body in the plane: blades and wheels where the constraints have them, masses where the energy has them."""
    found = plane_samples(system, values, x, y)
    if not found.headings:
        return _points(system, values, [(x, y, None)], spread)
    edges, weights = blades(found), masses(found)
    here = symbols([x, y])
    look = edges[0].heading if edges else found.headings[0]
    joints = list(dict.fromkeys(p for e in edges for p in e.chain))
    feet = {law.name: (law.point[0], law.point[1]) for law in system.contacts if len(law.point) == 3}
    known = [*joints, *weights, *feet.values()]
    size = max((found.reach(p, here) for p in known), default=0.0) or spread / 12 or 1.0
    angle = to_text(look)
    links = list(dict.fromkeys(pair for e in edges for pair in zip(e.chain, e.chain[1:])))
    links += [pair for w in weights for pair in _arm(found, w, [(here[0], here[1]), *joints])]
    lengths = [far for one, two in links if (far := found.reach(one, two)) > 0.05 * size]
    unit = min(size, 1.4 * float(np.median(lengths))) if lengths else size
    # along a chain the first link is one of many: its board is under what turns with it
    own = [p for p in known if found.seen(p, here, look) is not None and found.reach(p, here) > 0.05 * size]
    chained = (own, max(found.reach(p, here) for p in own)) if own else ([], 1.4 * min(lengths, default=size))
    board = chained if len(edges) > 2 else (known, size)
    bodies = [_board(found, look, *board, here, min(unit, board[1]))]
    for one, two in links:
        if found.reach(one, two) > 0.05 * size:
            ends = {"from": [*map(to_text, one), 0.2 * unit], "to": [*map(to_text, two), 0.2 * unit]}
            bodies += drawing_of([{"shape": "rod", **ends, "radius": 0.03 * unit}], "sketch").bodies
    looking = {str(s) for h in found.headings for s in h.free_symbols}
    free = [c for c in system.coordinates if c not in (x, y) and c not in looking]
    rolling_wheels = [_trailing(found, one, edges) for one in wheels_of(found)]
    alone = edges and edges[0].place == tuple(here) and all(found.reach(one.place, here) <= 0.05 * size for one in rolling_wheels)
    wheels = [(c, r) for c in free if alone and (r := rolled(found, look, c)) is not None]
    for name, radius in wheels[:1]:
        turn = turned_by(rolling(angle), spinning(name if radius > 0 else f"-({name})"))
        wheel = {"radius": repr(abs(radius)), "width": repr(abs(radius) / 6)}
        bodies[0] = Body("wheel", (x, y, repr(abs(radius))), turn, wheel, label="wheel")
    rolling_wheels = [] if wheels else rolling_wheels
    for tyred in rolling_wheels:
        turn = turned_by(rolling(to_text(tyred.heading)), spinning(tyred.spin if tyred.radius > 0 else f"-({tyred.spin})"))
        tyre = {"radius": repr(abs(tyred.radius)), "width": repr(abs(tyred.radius) / 4)}
        bodies.append(Body("wheel", _at(tyred.place, abs(tyred.radius)), turn, tyre, colour="black", label=f"wheel {tyred.spin}"))
    for edge in edges if not wheels else edges[1:]:
        if any(_beside(found, edge, one) for one in rolling_wheels):
            continue
        blade = {"length": repr(0.5 * unit)}
        bodies.append(Body("blade", _at(edge.place, 0.0), heading(to_text(edge.heading)), blade, colour="black", label="edge"))
    for name, place in feet.items():
        foot = {"radius": repr(0.09 * unit)}
        bodies.append(Body("sphere", _at(place, 0.09 * unit), size=foot, colour="black", label=name))
    for place in weights:
        if found.reach(place, here) > 0.05 * size:
            ball = {"radius": repr(0.1 * unit)}
            bodies.append(Body("sphere", _at(place, 0.3 * unit), size=ball, colour="firebrick", label="mass"))
    hub = abs(wheels[0][1]) if wheels else 0.14 * size
    spun = {*(w for w, _ in wheels), *(one.spin for one in rolling_wheels)}
    shown = {str(s) for e in edges for s in e.heading.free_symbols} | spun
    shown |= {str(s) for w in weights for e in w for s in e.free_symbols}
    if looking - shown:
        bodies += _leaning(found, looking - shown, hub, here, 0.2 * size)
    rotors = [c for c in free if c not in spun and _is_angle(c)]
    for k, name in enumerate(rotors):
        disc = {"radius": repr(0.3 * size), "width": repr(0.06 * size)}
        at = (x, y, repr((0.24 + 0.1 * k) * size))
        bodies.append(Body("disc", at, heading(f"{angle} + {name}"), disc, colour="darkorange", label=name))
    others = {e.place: f"blade {k}" for k, e in enumerate(edges, 1) if found.reach(e.place, here) > 0.05 * size}
    tyres = {one.place: f"wheel {one.spin}" for one in rolling_wheels}
    called = {place: tyres.get(place, name if len(others) > 1 else "edge") for place, name in others.items()}
    traces = [Trace(_at(place, 0.0), name, "grey") for place, name in called.items()]
    drawing = Drawing(tuple(bodies), (Trace((x, y, "0"), "path"), *traces))
    slope = incline(found)
    return drawing if slope is None else inclined(drawing, slope, max(spread, 4 * size), (x, y))


def _leaning(found: PlaneSamples, angles: set[str], hub: float, here: Sequence[Expr], least: float) -> tuple[Body, ...]:
    """What leans by angles that nothing else shows, a rider on a wheel: a rod from the hub to the centre of mass.

    Nothing where it would be shorter than ``least``: a light part moves the common centre by less than one can see.
    """
    place = centre_of_mass(found)
    if place is None or not angles & {str(s) for e in place for s in e.free_symbols}:
        return ()
    top = [to_text(place[0]), to_text(place[1]), to_text(place[2] + hub)]
    size = max(float(np.max(np.abs(found.at([place[2]])))), found.reach(place[:2], here))
    if size < least:
        return ()
    ends = {"from": [*map(to_text, here), hub], "to": top}
    ball = {"shape": "ball", "at": top, "radius": 0.14 * size, "colour": "firebrick", "label": "centre of mass"}
    return drawing_of([{"shape": "rod", **ends, "radius": 0.035 * size}, ball], "sketch").bodies


def _trailing(found: PlaneSamples, wheel: Wheel, edges: Sequence[Blade]) -> Wheel:
    """A wheel shifted along its heading to where it does not slip sideways: rolling alone does not determine its trail."""
    for edge in edges:
        seen = found.seen(edge.place, wheel.place, wheel.heading) if edge.heading == wheel.heading else None
        if seen is not None and abs(seen[1]) < 1e-7:
            return replace(wheel, chain=edge.chain)
    return wheel


def _beside(found: PlaneSamples, edge: Blade, wheel: Wheel) -> bool:
    """Whether a blade is on a wheel's axle: the wheel is what does not slip there."""
    seen = found.seen(edge.place, wheel.place, wheel.heading) if edge.heading == wheel.heading else None
    return seen is not None and abs(seen[0]) < 1e-7


def undrawn(system: System, drawing: Drawing) -> tuple[str, ...]:
    """Coordinates that nothing in a drawing depends on.

    >>> spun = System(coordinates="x y th p", lagrangian="xdot**2 + ydot**2 + thdot**2 + pdot**2",
    ...     constraints=["xdot*sin(th) - ydot*cos(th)"])
    >>> undrawn(spun, sketch(spun, {}, 1.0))
    ('p',)
    """
    bodies = [(*b.position, *(e for row in b.rotation for e in row), *b.size.values(), *(b.points or ())) for b in drawing.bodies]
    texts = " ".join([*(t for body in bodies for t in body), *(t for trace in drawing.traces for t in trace.point)])
    words = set(re.findall(r"[^\W\d]\w*", texts))
    return tuple(c for c in system.coordinates if c not in words)


def _at(place: Sequence[Expr], z: float) -> Point:
    return (to_text(place[0]), to_text(place[1]), repr(z))


def _arm(found: PlaneSamples, place: Place, joints: Sequence[Place]) -> list[tuple[Place, Place]]:
    """The rods that carry a mass: from a joint at constant distance, or along the directions that its place is made of."""
    rigid = next((j for j in joints if found.rigid(j, place)), None)
    if rigid is not None:
        return [(rigid, place)]
    chain = [joints[0]]
    for angle in found.headings:
        step = [_share(e, angle) for e in place]
        if any(e != 0 for e in step):
            chain.append((chain[-1][0] + step[0], chain[-1][1] + step[1]))
    return list(pairwise([*chain[:-1], place])) if len(chain) > 1 else [(joints[0], place)]


def _share(expr: Expr, angle: Expr) -> Expr:
    """The terms of a sum along one direction."""
    terms = expr.args if isinstance(expr, se.Add) else (expr,)
    return se.Add(*(t for t in terms if any(w.args[0] == angle for w in atoms([t], se.sin, se.cos))))


def _board(
    found: PlaneSamples, look: Expr, places: Sequence[Sequence[Expr]], size: float, here: Sequence[Expr], unit: float
) -> Body:
    """A board between all places that turn with the heading; blades of half a ``unit`` look out from under it."""
    own = [found.seen(place, here, look) for place in places]
    ahead = [0.0, *(p[0] for p in own if p is not None)]
    aside = [0.0, *(p[1] for p in own if p is not None)]
    middle, long = (max(ahead) + min(ahead)) / 2, max(ahead) - min(ahead) + 0.2 * unit
    across, wide = (max(aside) + min(aside)) / 2, max(aside) - min(aside) + 0.15 * unit
    text = to_text(look)
    x, y = (to_text(h) for h in here)
    at = (
        f"{x} + {middle!r}*cos({text}) - {across!r}*sin({text})",
        f"{y} + {middle!r}*sin({text}) + {across!r}*cos({text})",
        repr(0.14 * unit),
    )
    return Body("box", at, heading(text), {"x": repr(long), "y": repr(wide), "z": repr(0.05 * unit)}, label="body")


def _is_angle(name: str) -> bool:
    return name.startswith(ANGLES)


def _arms(system: System) -> Drawing | None:
    """A chain of arms of length one, hanging where there is gravity: for systems whose coordinates are angles alone."""
    waves = {str(s) for h in headings_of(system) for s in h.free_symbols}
    angles = [c for c in system.coordinates if c in waves or _is_angle(c)]
    if not angles or not system.frame.plain:
        return None
    hangs = height(system, angles) is not None
    shapes: list[dict[str, object]] = []
    end = ["0", "0", "0"]
    for k, name in enumerate(angles):
        way = (f"sin({name})", "0", f"-cos({name})") if hangs else (f"cos({name})", f"sin({name})", "0")
        tip = [f"{a} + {b}" if a != "0" else b for a, b in zip(end, way)]
        colour = COLOURS[k % len(COLOURS)]
        shapes.append({"shape": "rod", "from": end, "to": tip, "colour": "grey"})
        shapes.append({"shape": "ball", "at": tip, "radius": 0.09, "colour": colour, "label": name})
        end = tip
    path = {"shape": "path", "at": end, "label": "path"}
    return drawing_of({"shapes": [*shapes, path], "ground": "none"}, "sketch")
