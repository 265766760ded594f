"""Paths in the plane: place, heading and marks."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.errors import ModelError, NonholoError
from nonholo.model.drawing.drawing_values import evaluate_drawing
from nonholo.model.drawing.shapes import Body, Drawing
from nonholo.model.system import System, known_parameters
from nonholo.present.style.labels import unit_of
from nonholo.program.array_types import Array


def drawing_of(run: Any, drawing: Any = None) -> Drawing | None:
    """The drawing given (an Exhibit or a System has one), or that of the motion's own system, or None."""
    own = getattr(drawing, "drawing", drawing)
    if own is not None and not isinstance(own, Drawing):
        raise ModelError(f"drawing: {type(drawing).__name__} where a Drawing or an Exhibit is needed.")
    if own is not None:
        return own
    system: System | None = run.system
    return system.drawing if system is not None else None


def drawing_values(run: Any, drawing: Drawing, indices: Any, **options: Any) -> dict[str, Any]:
    """The drawing at some instants of the motion, as `nonholo.model.drawing.drawing_values.evaluate_drawing` gives it."""
    system: System | None = run.system
    if system is None:
        raise ModelError(
            "the motion does not carry its system (it was made from bare equations); simulate the System to draw it."
        )
    values = {n: one.values[indices] for n, one in run.quantities.items()}
    return evaluate_drawing(drawing, system, values, known_parameters(system), **options)


Indices = NDArray[np.intp]
_LOOKING = ("blade", "box", "rod")
"""Shapes whose body x-axis is the way they look."""
LEVEL = 0.95
"""The part of a body's long axis that lies in the plane at least, if it is to be a heading."""
_PAIR = re.compile(r"(.*?)([xyz])(\d*)")
_ENTRY = re.compile(r"(.*[A-Za-z_])(\d+)")


def hermite(t: Array, values: Array, slopes: Array, fine: Any) -> Array:
    """Hermite's cubics between neighbouring times (growing), at finer ones; ``values`` may have further axes.

    >>> t = np.array([0.0, 1.0, 3.0])
    >>> hermite(t, t**3, 3 * t**2, [0.5, 2.0]).tolist()
    [0.125, 8.0]
    """
    fine = np.asarray(fine, dtype=np.float64)
    k = np.clip(np.searchsorted(t, fine, side="right") - 1, 0, len(t) - 2)
    width = np.diff(t)[k]
    more = (...,) + (None,) * (values.ndim - 1)
    s, width = ((fine - t[k]) / width)[more], width[more]
    rise = values[k + 1] - values[k]
    bend = rise - width * slopes[k]
    turn = width * (slopes[k + 1] - slopes[k]) - 2 * bend
    return np.asarray(values[k] + s * (width * slopes[k] + s * (bend + turn * (s - 1))), dtype=np.float64)


def is_place(run: Any, x: str, y: str) -> bool:
    """Whether the two quantities are coordinates of one kind (metres, or entries of one vector), to be drawn alike.

    Places are ``x, y``, ``x1, y1``; two coordinates in metres; ``R13, R23`` and ``gamma1, gamma2`` too.
    """
    if x == y or any(run.quantities[n].kind != "coordinate" for n in (x, y) if n in run.quantities):
        return False
    one, two = _PAIR.fullmatch(x), _PAIR.fullmatch(y)
    if one and two and (one[1], one[3]) == (two[1], two[3]):
        return True
    if unit_of(run, x) == unit_of(run, y) == "m":
        return True
    first, second = _ENTRY.fullmatch(x), _ENTRY.fullmatch(y)
    angles = any(unit_of(run, n) == "rad" or n.startswith(("theta", "phi", "psi")) for n in (x, y))
    return bool(first and second and first[1] == second[1] and not angles)


def evenly_along(x: Array, y: Array, count: int) -> Indices:
    """Instants evenly spaced along the path's length, away from its ends; one where it is at rest.

    >>> evenly_along(np.array([0.0, 1.0, 1.0, 1.0, 2.0, 3.0]), np.zeros(6), 2).tolist()
    [1, 4]
    """
    good = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    length = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x[good]), np.diff(y[good])))])
    if not len(good) or not np.isfinite(length[-1]) or length[-1] == 0:
        return np.asarray(good[:1], dtype=np.intp)
    return np.asarray(
        good[np.unique(np.searchsorted(length, np.linspace(0, length[-1], count + 2)[1:-1] * (1 - 1e-12)))],
        dtype=np.intp,
    )


def smooth_path(run: Any, x: str, y: str, sharp: float = 0.15, finer: int = 6) -> tuple[Array, Array]:
    """The path; when its times are too few to look smooth and both rates are known, with cubic pieces between them.

    The given points stay what they are: Hermite's cubics pass through them with the known velocities.
    """
    across, up = run[x], run[y]
    t, rates = run["t"], [f"{n}dot" for n in (x, y)]
    if len(t) < 3 or any(n not in run.quantities for n in rates) or np.any(np.diff(t) <= 0):
        return across, up
    if not np.all(np.isfinite([across, up])):
        return across, up
    direction = np.unwrap(np.arctan2(np.diff(up), np.diff(across)))
    if np.quantile(np.abs(np.diff(direction)), 0.9) < sharp:
        return across, up
    part = np.arange(finer * (len(t) - 1) + 1) / finer
    fine = np.interp(part, np.arange(len(t)), t)
    values = [hermite(t, run[n], run[r], fine) for n, r in zip((x, y), rates)]
    for value, given in zip(values, (across, up)):
        value[::finer] = given
    return values[0], values[1]


def headings(run: Any, x: str, y: str, drawing: Any = None, count: int = 12) -> tuple[Indices, Array] | None:
    """Instants along a path and the way the body looks there (angle from the x-axis), or None when it has no such way.

    The heading is that of a blade, box or rod drawn at the place; else of the angle that the declared symmetry turns
    with the plane; else of an angle along which the place really moves.
    """
    at = evenly_along(run[x], run[y], count)
    if not len(at):
        return None
    found = _from_drawing(run, x, y, drawing_of(run, drawing), at)
    if found is None:
        angle = _turned_with(run, x, y) or _along_velocity(run, x, y)
        found = run[angle][at] if angle else None
    return None if found is None else (at, np.asarray(found, dtype=float))


def heading_source(run: Any, x: str, y: str, drawing: Any = None) -> dict[str, Any]:
    """Where `headings` has its angles from: the number of a drawn body, or the name of an angle."""
    chosen = drawing_of(run, drawing)
    if chosen is not None and _from_drawing(run, x, y, chosen, np.zeros(1, dtype=np.intp)) is not None:
        return {"body": chosen.bodies.index(_looking(chosen, x, y)[0])}
    angle = _turned_with(run, x, y) or _along_velocity(run, x, y)
    return {"angle": angle} if angle else {}


def _looking(drawing: Drawing, x: str, y: str) -> list[Body]:
    """Bodies at a place that look somewhere."""
    bodies = [b for shape in _LOOKING for b in drawing.bodies if b.shape == shape]
    return [b for b in bodies if b.position[:2] == (x, y)] or [b for b in bodies if _begins_at(b, x, y)]


def _from_drawing(run: Any, x: str, y: str, drawing: Drawing | None, at: Indices) -> Array | None:
    if drawing is None:
        return None
    here = _looking(drawing, x, y)
    if not here:
        return None
    try:
        turn = drawing_values(run, Drawing(bodies=(here[0],)), at)["bodies"][0]["rotation"]
    except NonholoError:
        return None
    along = turn[:, :2, 0]
    if np.min(np.linalg.norm(along, axis=1)) < LEVEL:  # it tumbles: no heading in the plane
        return None
    return np.asarray(np.arctan2(along[:, 1], along[:, 0]), dtype=np.float64)


def _begins_at(body: Body, x: str, y: str) -> bool:
    return body.position[0].startswith(f"{x} ") and body.position[1].startswith(f"{y} ")


def _turned_with(run: Any, x: str, y: str) -> str | None:
    """The angle that a declared turn of the plane moves together with the place."""
    system = run.system
    if system is None or system.symmetry is None:
        return None
    for field in system.symmetry.generators.values():
        if field.get(x) == f"-{y}" and field.get(y) == x:
            angles = [c for c, e in field.items() if e == "1" and c in run.quantities]
            if len(angles) == 1:
                return str(angles[0])
    return None


def _along_velocity(run: Any, x: str, y: str) -> str | None:
    """An angle such that the place moves along it and nowhere else: ``ẋ sin θ = ẏ cos θ`` all the way."""
    rates = [f"{n}dot" for n in (x, y)]
    if any(n not in run.quantities for n in rates):
        return None
    across, up = (run[n] for n in rates)
    speed = np.hypot(across, up)
    for name in run.of_kind("coordinate"):
        if name.startswith(("theta", "phi", "psi", "alpha")):
            angle = run[name]
            sideways = np.abs(across * np.sin(angle) - up * np.cos(angle))
            if np.max(speed, initial=0) > 0 and np.all(sideways <= 1e-6 * np.max(speed)):
                return str(name)
    return None
