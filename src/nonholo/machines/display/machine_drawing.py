"""The drawing of a machine: its shapes, its wheels, and lines between the points where bodies without a shape are joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, symbol, written_size
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import Matrix, multiply
from nonholo.algebra.numeric_functions import Formulas
from nonholo.machines.contact_geometry.rigid_pose import Pose, plus, times
from nonholo.machines.contact_geometry.shape_record import ShapeGeometry
from nonholo.machines.dynamics.assembly import Assembly
from nonholo.machines.kinematics.formula_reading import AXES
from nonholo.machines.kinematics.spatial_vectors import point_place, turn
from nonholo.machines.machine_records import GROUND
from nonholo.model.drawing.shapes import Body, Drawing, Point, Rotation, Shape, Trace
from nonholo.notation.write import to_text

COLOURS = ("steelblue", "firebrick", "seagreen", "goldenrod", "slateblue", "darkorange", "teal", "indianred")
AXLE_LAST = (2, 0, 1)
"""Columns of a shape's axes in the order of a drawing, whose discs have their axle along z."""
LONGEST = 2000
"""Symbols, numbers and operations in a formula of a drawing."""
SLENDER = 6.0
"""Lengths by radius of cones that are drawn by their base."""
BLADE = 0.2
"""Radius in metres of a plane wheel without one, where no other length is known."""


def machine_drawing(parts: Assembly) -> Drawing:
    """Every body by its shape, every plane wheel; the path of the first free body."""
    shapes: list[Body] = []
    left_out = undrawn(parts)
    for k, (name, one) in enumerate(parts.placed.items()):
        if name in left_out:
            continue
        colour = COLOURS[k % len(COLOURS)]
        shape = parts.inertias[name].shape
        drawn = [] if shape is None else _shape(name, shape, one.pose, colour, _slender(shape, parts))
        shapes += drawn or _lines(name, parts, colour)
    shapes += [
        part
        for wheel in parts.wheels
        for part in _wheel(wheel.contact.law.point, wheel.heading, wheel.radius, wheel.spin, wheel.contact.law.body)
    ]
    free = [one for one in parts.placed.values() if one.parent == GROUND and len(one.motion.lengths) >= 2]
    traces = tuple(Trace(point_text(one.pose.origin), one.body.name) for one in free[:2])
    names = free[0].motion.lengths[:2] if free else ()
    plane = parts.machine.ground is None or not [e for e in vars(parts.machine.ground).values() if e]
    return Drawing(
        tuple(shapes), traces, "plane" if plane else "none", ((names[0], names[1]),) if len(names) == 2 else ()
    )


def undrawn(parts: Assembly) -> tuple[str, ...]:
    """Bodies so far along a chain of turned joints that their poses, written out as drawings hold them, are too long."""
    return tuple(
        name
        for name, one in parts.placed.items()
        if max(map(written_size, (*one.pose.origin, *(e for row in one.pose.rotation for e in row)))) > LONGEST
    )


def _texts(exprs: Sequence[Expr]) -> tuple[str, ...]:
    return tuple(to_text(e) for e in exprs)


def point_text(exprs: Sequence[Expr]) -> Point:
    """A place as a drawing writes it."""
    x, y, z = _texts(exprs)
    return (x, y, z)


def rotation_text(matrix: Matrix) -> Rotation:
    """Rows of a matrix as a drawing writes them."""
    x, y, z = (point_text(row) for row in matrix)
    return (x, y, z)


def _columns(matrix: Matrix, order: Sequence[int]) -> Matrix:
    return tuple(tuple(row[k] for k in order) for row in matrix)


KINDS: dict[str, tuple[Shape, dict[str, str]]] = {
    "disk": ("disc", {"radius": "radius"}),
    "wheel": ("wheel", {"radius": "radius"}),
    "ball": ("sphere", {"radius": "radius"}),
    "ellipsoid": ("ellipsoid", {"a": "a", "b": "b", "c": "c"}),
    "cylinder": ("disc", {"radius": "radius", "width": "length"}),
    "cone": ("disc", {"radius": "radius"}),
    "rod": ("rod", {"length": "length"}),
    "capsule": ("rod", {"length": "length", "radius": "radius"}),
    "box": ("box", {"x": "x", "y": "y", "z": "z"}),
}
"""Kind of shape -> how it is drawn: the drawing's shape, and its sizes by the shape's."""


def _slender(shape: ShapeGeometry, parts: Assembly) -> bool:
    """Whether a cone is many times as long as wide: of the tread of a wheel on rails the base alone is there."""
    if shape.kind.name != "cone":
        return False
    given = parts.machine.parameters
    told = given if isinstance(given, Mapping) else {}
    known = {n: float(e) if isinstance(e := told.get(n), (int, float)) else 1.0 for n in parts.parameters}
    length, radius = Formulas(tuple(known), [shape.sizes["length"], shape.sizes["radius"]]).at(known)
    return bool(length > SLENDER * radius)


def _shape(name: str, shape: ShapeGeometry, pose: Pose, colour: str, slender: bool) -> list[Body]:
    """One shape, with its axle along the drawing's; a cone or a convex body as its surface."""
    if shape.kind.name in ("cone", "convex") and not slender:
        return [_surface(name, shape, pose, colour)]
    if shape.kind.name not in KINDS:
        return []
    kind, sizes = KINDS[shape.kind.name]
    order = AXLE_LAST if kind in ("disc", "wheel") else (1, 2, 0) if kind == "rod" else (0, 1, 2)
    axes = _columns(shape.axes, order) if shape.kind.axial or kind == "rod" else shape.axes
    size = {key: to_text(shape.sizes[own]) for key, own in sizes.items() if own in shape.sizes}
    if kind in ("disc", "wheel") and "width" not in size and "radius" in size:
        size["width"] = f"({size['radius']})/12" if kind == "disc" else to_text(2 * shape.sizes.get("tube", ZERO))
    return [
        Body(
            kind,
            point_text(point_place(pose, shape.offset)),
            rotation_text(multiply(pose.rotation, axes)),
            size,
            colour=colour,
            label=name,
        )
    ]


def _surface(name: str, shape: ShapeGeometry, pose: Pose, colour: str) -> Body:
    """A cone along its side and then across its base; a convex body by the point of each normal."""
    s, r = symbol("s"), symbol("r")
    if shape.kind.name == "cone":
        along = shape.sizes["length"] * (1 - se.Min(s, ONE))
        wide, high = shape.sizes["radius"] * se.Min(s, 2 - s), "2"
        point = (wide * se.cos(r), along, wide * se.sin(r))
    else:
        around = se.sin(s)
        point, high = shape.kind.point(shape.sizes, (around * se.cos(r), around * se.sin(r), se.cos(s))), "pi"
    place, attitude = point_text(point_place(pose, shape.offset)), rotation_text(multiply(pose.rotation, shape.axes))
    size = {"s0": "0", "s1": high, "r0": "0", "r1": "2*pi"}
    return Body("surface", place, attitude, size, point_text(point), colour, name)


def _lines(name: str, parts: Assembly, colour: str) -> list[Body]:
    """A body's centre of mass, and lines from there to the points where it is joined and touches."""
    machine, read = parts.machine, parts.formulas.vector
    pose, middle = parts.placed[name].pose, parts.inertias[name].center
    points = [middle]
    for joint in (*machine.joints, *machine.loops):
        points += [read(joint.at, "at")] if joint.parent == name else []
        points += [read(joint.in_child, "in_child")] if joint.child == name else []
    points += [read(wheel.at, "at") for wheel in machine.wheels if wheel.body == name]
    points += [read(caster.at, "at") for caster in machine.casters if caster.body == name]
    points += [read(c.at, "at") for c in machine.contacts if c.body == name and c.at is not None]
    points.append((ZERO, ZERO, ZERO))
    ends = [p for k, p in enumerate(points) if k and p != middle and p not in points[:k]]
    s = symbol("s")
    drawn: list[Body] = []
    for end in ends:
        line = plus(times(ONE - s, middle), times(s, end))
        place, attitude = point_text(pose.origin), rotation_text(pose.rotation)
        drawn.append(
            Body("wire", place, attitude, {"s0": "0", "s1": "1"}, point_text(line), colour, "" if drawn else name)
        )
    return [*drawn, Body("point", point_text(point_place(pose, middle)), colour=colour, label="" if drawn else name)]


def _wheel(point: Sequence[Expr], heading: Expr, radius: Expr | None, spin: str | None, body: str) -> list[Body]:
    """A vertical wheel in the plane, seen from above, named as the body that it carries."""
    size = to_text(radius) if radius is not None else str(BLADE / 2)
    upright: Matrix = ((ONE, ZERO, ZERO), (ZERO, ZERO, ONE), (ZERO, -ONE, ZERO))
    attitude = multiply(turn(AXES["z"], heading), upright)
    if spin is not None:
        attitude = multiply(attitude, turn(AXES["z"], symbol(spin)))
    x, y, _ = _texts(point)
    width = {"radius": size, "width": f"({size})/4"}
    return [Body("wheel", (x, y, size), rotation_text(attitude), width, colour="black", label=body)]
