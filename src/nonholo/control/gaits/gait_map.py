"""What a page or a figure needs to draw gaits: connection, curvature and a loop over a plane of shapes, in one record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import symbols
from nonholo.control.gaits.gait import Gait, gait
from nonholo.control.gaits.horizontal_lift import HorizontalLift, horizontal_lift
from nonholo.control.gaits.local_connection import connection, height
from nonholo.control.gaits.momentum_tables import MomentumTables, momentum_tables
from nonholo.errors import NonholoError, StateError
from nonholo.model.system import System, check_system

Array = NDArray[np.float64]
Frame = Literal["SE(2)", "abelian"] | None
POINTS, PLACES = 31, 5
CYCLES = 3
"""Of a swing in a sketch, from rest."""
REACH, SWING = 1.0, 0.7
"""Of the shapes and of the loop in a sketch, in radians or metres."""
EQUAL = 1e-9
"""Velocities that differ by less are the same."""


@dataclass(frozen=True, eq=False)
class GaitMap:
    """Connection, curvature and perhaps a loop over two shape variables. Made by `gait_map`."""

    name: str
    shape: tuple[str, str]
    group: tuple[str, ...]
    """The other coordinates."""
    axes: tuple[Array, Array]
    """The values of both shape variables on the grid."""
    connection: Array
    """(first, second, group, 2): velocity of each group coordinate per unit rate of each shape variable, at the identity."""
    height: Array
    """(first, second, group): displacement per area of a small loop that turns from the first to the second shape variable."""
    frame: Frame
    """How velocities at the identity are carried to other places: by plane rotations, not at all, or None (tried at several)."""
    pose: tuple[str, ...]
    """With ``"SE(2)"`` the names of x, y and the angle: ``ẋ = X cos θ − Y sin θ, ẏ = X sin θ + Y cos θ``."""
    kinematic: bool
    """Whether the shape alone decides the motion; else the connection gives the part without momentum."""
    momentum: MomentumTables | None = None
    """What carries the system on; None for kinematic systems, and where it is not a polynomial of the velocities."""
    gait: Gait | None = None

    def __str__(self) -> str:
        kind = "the shape alone decides the motion" if self.kinematic else "the shape decides the part without momentum"
        grid = " by ".join(str(len(a)) for a in self.axes)
        head = f"{self.name}: connection and curvature of {', '.join(self.group)} over {', '.join(self.shape)} ({grid}); {kind}"
        return "\n".join([head, *([] if self.gait is None else [str(self.gait)])])

    def loop(self, points: int = 201) -> Array:
        """The gait's loop in shape space, closed, (point, 2); empty without a gait."""
        if self.gait is None:
            return np.zeros((0, 2))
        inner = self.gait.loop
        order = [inner.shape.index(n) for n in self.shape]
        return inner.values(np.linspace(0.0, inner.period, points))[:, order]

    def table(self) -> dict[str, Any]:
        """Everything as plain lists and numbers, for JSON."""
        gait = self.gait
        keys = ("quantity", "displacement", "geometric", "dynamic", "cycles")
        measured = {key: None if gait is None else getattr(gait, key) for key in keys}
        return {
            "kind": "gait-map", "name": self.name, "shape": list(self.shape), "group": list(self.group),
            "axes": [a.tolist() for a in self.axes], "connection": self.connection.tolist(), "height": self.height.tolist(),
            "frame": self.frame, "pose": list(self.pose), "kinematic": self.kinematic, "loop": self.loop().tolist(),
            "momentum": None if self.momentum is None else _lists(self.momentum),
            "period": None if gait is None else gait.loop.period, **measured,
        }  # fmt: skip


def gait_map(
    s: System,
    over: Mapping[str, Any],
    *,
    parameters: Mapping[str, Any] | None = None,
    points: int = POINTS,
    gait: Gait | None = None,
) -> GaitMap:
    """Connection and curvature over two shape variables with their ranges, and a gait's loop on them.

    >>> import nonholo as nh
    >>> board = nh.gallery.get("snakeboard")
    >>> found = nh.control.gait_map(board.system, {"psi": (-1, 1), "phi": (0.2, 1)}, parameters=board.parameters, points=3)
    >>> found.frame, found.pose, found.kinematic, found.connection.shape
    ('SE(2)', ('x', 'y', 'theta'), False, (3, 3, 3, 2))
    """
    check_system(s)
    fields = connection(s, over, parameters=parameters, points=points)
    names = tuple(over)
    if len(names) != 2:
        raise StateError(f"{s.name}: gait map: two shape variables are needed; found {', '.join(names)}.")
    if gait is not None and (not isinstance(gait, Gait) or set(gait.loop.shape) != set(names)):
        raise StateError(f"{s.name}: gait map: the gait must be one of {' and '.join(names)}; give nh.gait(…).")
    curved = height(s, over, parameters=parameters, points=points)
    lift = horizontal_lift(s, names, parameters)
    frame, pose = _frame(lift)
    kinematic, axes = _kinematic(lift), (fields[names[0]].values, fields[names[1]].values)
    return GaitMap(
        s.name, (names[0], names[1]), lift.others, axes,
        np.stack([fields[c].values for c in lift.others], axis=2),
        np.stack([curved[c].values[..., 0] for c in lift.others], axis=2),
        frame, pose, kinematic, None if kinematic else momentum_tables(lift, axes, frame, pose), gait,
    )  # fmt: skip


def _lists(tables: MomentumTables) -> dict[str, Any]:
    return {
        "speeds": list(tables.speeds), "directions": tables.directions.tolist(), "growth": tables.growth.tolist(),
        "monomials": [list(m) for m in tables.monomials],
    }  # fmt: skip


def _places(lift: HorizontalLift) -> list[Array]:
    random = np.random.default_rng(3)
    return [random.uniform(-0.9, 0.9, len(lift.coordinates)) for _ in range(PLACES)]


def _kinematic(lift: HorizontalLift) -> bool:
    """Whether as many directions are admissible as there are shape variables."""
    n = len(lift.coordinates)
    ranks = [int(np.linalg.matrix_rank(lift.bordered(q)[0][n : n + lift.rows, :n], tol=EQUAL)) for q in _places(lift)]
    return n - max(ranks, default=0) == len(lift.shape)


def _frame(lift: HorizontalLift) -> tuple[Frame, tuple[str, ...]]:
    """Compare lifts at places with the same shape."""
    index = {c: k for k, c in enumerate(lift.coordinates)}
    pairs = []
    for q in _places(lift):
        home = np.array([q[k] if c in lift.shape else 0.0 for c, k in index.items()])
        pairs.append((q, lift.at(q), lift.at(home)))
    if all(_nearly_equal(there, here) for _, there, here in pairs):
        return "abelian", ()
    for x, y, angle in permutations(lift.others, 3):
        if all(_nearly_equal(there, _rotated(here, q[index[angle]], index[x], index[y])) for q, there, here in pairs):
            return "SE(2)", (x, y, angle)
    return None, ()


def _nearly_equal(one: Array, two: Array) -> bool:
    return bool(np.allclose(one, two, rtol=EQUAL, atol=EQUAL))


def _rotated(velocities: Array, angle: float, x: int, y: int) -> Array:
    result = velocities.copy()
    c, s = np.cos(angle), np.sin(angle)
    result[[x, y]] = np.array([[c, -s], [s, c]]) @ velocities[[x, y]]
    return result


def shape_variables(s: System) -> tuple[str, ...]:
    """Coordinates that inputs push and that the declared symmetry does not move, if the symmetry moves all others.

    Empty where there are none, or where nothing depends on them: wheels that turn for ever are no shape.

    >>> import nonholo as nh
    >>> shape_variables(nh.gallery.get("snakeboard").system)
    ('psi', 'phi')
    """
    moved = {c for field in (s.symmetry.generators.values() if s.symmetry is not None else ()) for c in field}
    inputs = set(symbols(s.inputs))
    found = tuple(c for c in s.coordinates if c not in moved and c in s.forces and s.forces[c].free_symbols & inputs)
    if not moved or {*found, *moved} != set(s.coordinates):
        return ()
    used = {str(e) for expr in (s.lagrangian, *s.constraints) for e in expr.free_symbols}
    return found if used & set(found) else ()


def gait_sketch(s: System, parameters: Mapping[str, Any] | None = None) -> GaitMap | None:
    """Connection, curvature and the best loop of one harmonic, where a system has two shape variables; else None.

    Shapes go from −1 to 1, the loop stays within 0.7; it moves the first coordinate of the pose as far as possible in a cycle.
    """
    names = shape_variables(s)
    if len(names) != 2:
        return None
    over = dict.fromkeys(names, (-REACH, REACH))
    plain = gait_map(s, over, parameters=parameters)
    if plain.frame is None:
        return None
    quantity = plain.pose[0] if plain.pose else plain.group[0]
    begin = dict(zip(names, (f"{SWING}*sin(t)", f"{SWING}*cos(t)" if plain.kinematic else f"{SWING}*sin(t)")))
    try:
        found = gait(s, names, displacement=quantity, parameters=parameters, bounds=dict.fromkeys(names, SWING), first=begin)
    except NonholoError:
        return plain
    return replace(plain, gait=found)


def swing_sketch(s: System, parameters: Mapping[str, Any] | None = None) -> Gait | None:
    """The best swing of one joint: that of ``[page.gait]``, else of the only shape variable; None where there is neither.

    It has two harmonics within the window of the page or 0.7, and moves the pose's first coordinate in three cycles from rest, in
    the direction in which a plain sine of that size leads.

    >>> import nonholo as nh
    >>> racer = nh.gallery.get("roller-racer")
    >>> found = swing_sketch(racer.system, racer.parameters)
    >>> found.quantity, found.loop.shape, found.displacement > 0
    ('x', ('phi',), True)
    """
    window = s.page.gait if s.page is not None else None
    names = tuple(window.over) if window is not None else shape_variables(s)
    if len(names) != 1:
        return None
    name = names[0]
    low, high = window.over[name] if window is not None else (-SWING, SWING)
    if window is None:
        lift = horizontal_lift(s, names, parameters)
        frame, pose = _frame(lift)
        if frame is None:
            return None
        quantity = pose[0] if pose else lift.others[0]
    else:
        quantity = window.quantity
        if window.loop:
            return gait(s, dict(window.loop), displacement=quantity, parameters=parameters, cycles=CYCLES)
    sine = {name: f"{(low + high) / 2} + {(high - low) / 2}*cos(t)"}
    plain = gait(s, sine, displacement=quantity, parameters=parameters, cycles=CYCLES)
    return gait(
        s, names, displacement=quantity if plain.displacement >= 0 else f"-({quantity})", parameters=parameters, cycles=CYCLES,
        bounds={name: (low, high)}, harmonics=2, first=sine,
    )  # fmt: skip
