"""Whipple's bicycle with the benchmark's numbers: four rigid bodies, three hinges, two wheels that roll; it balances itself."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
import symengine as se

from nonholo.gallery import _bicycle as b
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace
from nonholo.model.drawing.shapes import heading, spinning, turned_by
from nonholo.model.symmetry_declaration import planar_motion, rotation
from nonholo.model.system import System
from nonholo.notation.write import to_text

TITLE = "Whipple bicycle (benchmark)"
GROUP = "Robots and vehicles"
PAPERS = "Whipple 1899; Meijaard, Papadopoulos, Ruina, Schwab 2007; Basu-Mandal, Chatterjee, Papadopoulos 2007"

VALUES = {
    "w": 1.02, "c": 0.08, "lam": pi / 10, "g": 9.81,
    "rR": 0.3, "mR": 2.0, "IRxx": 0.0603, "IRyy": 0.12,
    "xB": 0.3, "zB": -0.9, "mB": 85.0, "IBxx": 9.2, "IByy": 11.0, "IBzz": 2.8, "IBxz": 2.4,
    "xH": 0.9, "zH": -0.7, "mH": 4.0, "IHxx": 0.05892, "IHyy": 0.06, "IHzz": 0.00708, "IHxz": -0.00756,
    "rF": 0.35, "mF": 3.0, "IFxx": 0.1405, "IFyy": 0.28,
}  # fmt: skip
"""Meijaard et al. 2007, Table 1 (z down there): wheelbase w, trail c, tilt of the steering axis lam; rear wheel R, rear frame
with rider B, handlebar with fork H, front wheel F."""
SPEED = 4.6
"""Between both: the bicycle rights itself."""
UNITS = {
    **dict.fromkeys(("w", "c", "rR", "rF", "xB", "zB", "xH", "zH", "x", "y"), "m"), "g": "m/s²", "v": "m/s",
    **dict.fromkeys(("lam", "psi", "phi", "theta", "delta", "wr", "wf"), "rad"), **dict.fromkeys(("mR", "mB", "mH", "mF"), "kg"),
    **dict.fromkeys((n for n in VALUES if n.startswith("I")), "kg m²"), "leaning": "rad/s", "steering": "rad/s",
}  # fmt: skip


def exhibit() -> Exhibit:
    """Rear contact (x, y), yaw, lean, pitch, steer and both wheels; one holonomic constraint, four of rolling: three speeds."""
    model = b.bicycle()
    return Exhibit(
        name="whipple-bicycle",
        title=TITLE,
        group=GROUP,
        system=whipple(model),
        parameters=VALUES,
        start={"v": SPEED, "leaning": 0.5},
        until=5.0,
        references=(
            "Whipple 1899, The stability of the motion of a bicycle, Quarterly Journal of Pure and Applied Mathematics 30",
            "Meijaard, Papadopoulos, Ruina, Schwab 2007, Linearized dynamics equations for the balance and steer of a bicycle: a "
            "benchmark and review, Proceedings of the Royal Society A 463",
            "Basu-Mandal, Chatterjee, Papadopoulos 2007, Hands-free circular motions of a benchmark bicycle, ibid.",
        ),
        units=UNITS,
        starts={"too slow": {"v": 3.0, "leaning": 0.1}, "capsizing": {"v": 7.0, "leaning": 0.2}},
        drawing=_drawing(model),
        story=(
            "Push it and let go: between 4.3 and 6.0 m/s a bicycle without a rider's hands steers into the fall and stays up, "
            "though nothing in it dissipates. Slower it weaves, faster it slowly capsizes."
        ),
    )


def whipple(model: b.Bicycle) -> System:
    """The system of the four bodies."""
    return System(
        name="Whipple bicycle",
        coordinates=b.COORDINATES,
        parameters=list(VALUES),
        lagrangian=b.lagrangian(model),
        constraints=list(b.rolling(model)),
        holonomic=[model.contact[2]],
        quasivelocities={"v": "rR*wrdot", "leaning": "phidot", "steering": "deltadot"},
        symmetry=planar_motion("x", "y", "psi") * rotation("wr") * rotation("wf"),
    )


def _drawing(model: b.Bicycle) -> Drawing:
    yaw = heading("psi")

    def place(vector: b.Vector) -> Any:
        ahead, left, up = (to_text(e) for e in vector)
        return (f"x + ({ahead})*cos(psi) - ({left})*sin(psi)", f"y + ({ahead})*sin(psi) + ({left})*cos(psi)", up)

    def attitude(matrix: b.Matrix) -> Any:
        return turned_by(yaw, tuple(tuple(to_text(e) for e in row) for row in matrix))  # type: ignore[arg-type]

    def rod(start: b.Vector, end: b.Vector, frame: b.Matrix, colour: str, label: str = "", radius: str = "rR/18") -> Body:
        """A tube between two points, given from the hub or the head in the axes of a frame."""
        base = model.parts[0].place if frame is model.rear else model.head
        middle = b.plus(base, b.applied(frame, b.times(b.ONE / 2, b.plus(start, end))))
        along = b.plus(end, b.times(-b.ONE, start))
        numbers = [float(e.subs(VALUES)) for e in along]
        length = float(np.linalg.norm(numbers))
        tilt = b.rotation_about(1, se.RealDouble(float(np.arctan2(-numbers[2], numbers[0]))))
        size = {"length": f"{length!r}", "radius": radius}
        return Body("rod", place(middle), attitude(b.product(frame, tilt)), size, colour=colour, label=label)

    axle = b.rotation_about(0, se.pi / 2)  # a wheel's axis is its third: turn it to the left
    rear, front = model.rear, model.front
    pedals, seat = b.vector("0.45", 0, "0.0"), b.vector("0.25", 0, "0.6")
    # a point of the steering axis, at this height above the ground: tilt backwards
    top = b.vector(-se.tan(b.LAM) * se.RealDouble(0.95), 0, "0.95")
    low = b.vector(-se.tan(b.LAM) * se.RealDouble(0.62), 0, "0.62")
    neck = b.plus(b.vector(b.W + b.C, 0, -b.RR), low)
    hub = b.vector(-b.C, 0, b.RF)
    wheel, rider = {"radius": "rR", "width": "rR/8"}, {"a": "0.13", "b": "0.17", "c": "0.32"}
    behind = turned_by(attitude(b.product(b.rotation_about(0, b.PHI), axle)), spinning("-wr"))
    before = turned_by(attitude(b.product(front, axle)), spinning("-wf"))
    grip, across = place(b.plus(model.head, b.applied(front, top))), attitude(b.product(front, b.rotation_about(2, se.pi / 2)))
    return Drawing(
        bodies=(
            Body("wheel", place(model.parts[0].place), behind, wheel, colour="black", label="rear wheel"),
            Body("wheel", place(model.hub), before, {"radius": "rF", "width": "rF/9"}, colour="black", label="front wheel"),
            rod(b.vector(0, 0, 0), pedals, rear, "firebrick"),
            rod(b.vector(0, 0, 0), seat, rear, "firebrick"),
            rod(pedals, seat, rear, "firebrick"),
            rod(pedals, neck, rear, "firebrick", "frame"),
            rod(seat, neck, rear, "firebrick"),
            rod(hub, low, front, "steelblue", "fork"),
            rod(low, top, front, "steelblue"),
            Body("rod", grip, across, {"length": "0.5", "radius": "rR/20"}, colour="steelblue", label="handlebar"),
            Body("ellipsoid", place(model.parts[1].place), attitude(rear), rider, colour="grey", label="rider"),
        ),
        traces=(Trace(("x", "y", "0"), "rear wheel"), Trace(place(model.contact), "front wheel", "grey")),
        plots=(("x", "y"), ("t", "phi"), ("t", "delta"), ("t", "v")),
    )  # fmt: skip
