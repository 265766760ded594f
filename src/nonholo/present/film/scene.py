"""A motion as plain data to draw: bodies with places and quaternions, traces, ground and a view, ready for JSON."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nonholo.integrate.results.resampling import denser
from nonholo.machines.machine_data import MachineData, body_lines
from nonholo.model.drawing.shapes import Body, Drawing
from nonholo.model.drawing.sketch import lengths_of, places_of, sketch
from nonholo.model.system import known_parameters
from nonholo.present.film.scene_forces import forces_along
from nonholo.program.array_types import Array

if TYPE_CHECKING:
    from nonholo.integrate.motion.trajectory import Trajectory
    from nonholo.model.system import System

FORMAT = 1
QUICK = 0.5
"""A body that turns by more radians than this between two frames needs more frames."""
TOO_QUICK = 1.0
"""A body that turns by more radians than this between two states of the run may seem to turn the other way."""
FAR = 7.0
"""A motion that goes this many times its bodies' size is followed."""
TINY = 25.0
"""Beside a surface or another thing that stands still a body is followed where all is so many times its size."""
SURFACE = (41, 81)
"""Points of a surface along s and r; r is most often an angle."""
STILL = 1e-9
"""Changes below this part of the scene's size are none."""


def scene(run: Trajectory, drawing: Drawing | None = None, frames: int = 300) -> dict[str, Any] | None:
    """The motion as a table for JSON, or None when there is nothing to see in space.

    Without ``drawing`` it is that of the run's own system, else a sketch made from its words.
    About ``frames`` states are stored, up to four times as many where a body turns quickly; they are states of the run,
    or of the same motion computed again where it turns too far between two of them, never interpolated. Wheels whose
    drawing does not define their rolling rotate with the distance travelled. Long arrays are float32 (little endian) in base64,
    see `numbers`: ``times`` N, and for each body ``position`` N x 3, ``rotation`` N x 4 (quaternion x, y, z, w;
    neighbours on the same side), each size a number or N, ``points`` in the body's frame on ``grid``; for each trace
    ``points`` N x 3. ``follow`` is where a camera may look, ``travels`` whether it should, ``reach`` how far the moving
    bodies extend from there, ``forces`` are those of contacts and constraints (see `forces_along`), ``low`` and ``high``
    bound all that is drawn, ``floor`` is the height of a ground to draw
    (or None), ``view`` points from the scene to the eye.
    """
    from nonholo.model.drawing.drawing_values import evaluate_drawing

    found = subject_of(run, drawing)
    if found is None or not len(run.times):
        return None
    chosen, system = found

    def drawn_along(motion: Trajectory) -> tuple[Array, dict[str, Any]]:
        values = {n: one.values for n, one in motion.quantities.items() if one.values.shape == motion.times.shape}
        return values["t"], evaluate_drawing(chosen, system, values, surface_points=SURFACE)

    times, drawn = drawn_along(run)
    if _quickest(drawn) > TOO_QUICK:
        finer = denser(run, 4 * max(2, frames) + 1)
        if finer is not None:
            run, (times, drawn) = finer, drawn_along(finer)
    kept = _kept_frames(drawn, len(times), max(2, frames))
    if not len(kept):
        return None
    bodies = [_body(_rolled(body), kept) for body in drawn["bodies"]]
    traces = [{**trace, "points": trace["points"][kept]} for trace in drawn["traces"]]
    return {
        "format": FORMAT,
        "name": str(run.attributes.get("system", "")),
        "times": packed(times[kept]),
        "ground": chosen.ground,
        "unit": _length_unit(run),
        **_view(bodies, traces, chosen.ground),
        "bodies": [_packed_body(body) for body in bodies],
        "traces": [{**trace, "points": packed(trace["points"])} for trace in traces],
        "forces": [
            {n: packed(e) if isinstance(e, np.ndarray) else e for n, e in one.items()}
            for one in forces_along(run, chosen, system, kept)
        ],
        **_lines(system, [body["label"] for body in bodies]),
    }


def _lines(system: System, labels: Sequence[str]) -> dict[str, dict[str, str]]:
    """The description of each drawn body in a machine's file, by its label; empty for a system in formulas."""
    machine = system.machine
    if not isinstance(machine, MachineData):
        return {}
    known = {body.name for body in machine.bodies}
    return {"lines": {label: body_lines(machine, label) for label in labels if label in known}}


def _length_unit(run: Trajectory) -> str:
    """Metres, unless the motion's coordinates have no unit."""
    units = {run.quantities[n].unit for n in run.of_kind("coordinate")}
    return "" if "1" in units and "m" not in units else "m"


def packed(values: Any) -> str:
    """Array as float32, little endian, in base64.

    >>> numbers(packed([0.5, -2.0])).tolist()
    [0.5, -2.0]
    """
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode("ascii")


def numbers(text: str, *shape: int) -> Array:
    """What `packed` made, as an array of a shape (a length may be -1); not to be written to."""
    flat = _unpacked(text)
    return flat.reshape(shape) if shape else flat


@lru_cache(maxsize=256)
def _unpacked(text: str) -> Array:
    """Cached, since a painter uses the same arrays at each frame."""
    flat = np.frombuffer(base64.b64decode(text), dtype="<f4").astype(float)
    flat.flags.writeable = False
    return flat


def subject_of(run: Trajectory, drawing: Drawing | None) -> tuple[Drawing, System] | None:
    """What to draw, and the system whose names it uses, with the motion's numbers."""
    own = run.system
    chosen = drawing if drawing is not None else own.drawing if own is not None else None
    if chosen is None or not (chosen.bodies or chosen.traces):
        chosen = _sketched(run)
    elif (
        own is not None
        and chosen is own.drawing
        and isinstance(own.machine, MachineData)
        and own.machine.drawing is None
    ):
        chosen = replace(chosen, bodies=(*_ground(run, own, own.machine), *chosen.bodies))
    return None if chosen is None else (chosen, own if own is not None else _bare_system(run))


def _ground(run: Trajectory, system: System, machine: MachineData) -> tuple[Body, ...]:
    """The ground of a machine where the motion goes."""
    from nonholo.machines.display.ground_drawing import ground_drawing

    names = next(iter(places_of(system)), ())
    seen = [run[n] for n in names if n is not None and n in run.quantities]
    return ground_drawing(machine, tuple(system.parameters), [*seen, *[np.zeros(1)] * 3][:3])


def _bare_system(run: Trajectory) -> System:
    """A system that only lends its names: the motion of bare equations remembers no more."""
    from nonholo.model.system import System

    parameters = run.parameters
    names = run.of_kind("coordinate") or ("x",)
    name = str(run.attributes.get("system", "")) or "motion"
    return System(name=name, coordinates=names, parameters=parameters, lagrangian=f"{names[0]}dot**2/2")


def _sketched(run: Trajectory) -> Drawing | None:
    """A drawing for a system that has none of its own: see `nonholo.model.drawing.sketch`."""
    system = run.system if run.system is not None else _bare_system(run)
    names = [n for places in places_of(system) for n in places if n is not None] or lengths_of(system)
    seen = [run[n][np.isfinite(run[n])] for n in names if n in run.quantities]
    spread = max((float(np.ptp(values)) for values in seen if len(values)), default=0.0)
    return sketch(system, known_parameters(system), spread)


def _kept_frames(drawn: Mapping[str, Any], count: int, frames: int) -> NDArray[np.intp]:
    """The frames to keep: evenly by index, finite in every part, enough for the quickest body."""
    finite = np.ones(count, dtype=bool)
    quickest = _quickest(drawn)
    for body in drawn["bodies"]:
        finite &= np.isfinite(body["position"]).all(axis=1) & np.isfinite(body["rotation"]).all(axis=(1, 2))
        for size in body["size"].values():
            finite &= np.isfinite(size)
        if len(body.get("points", ())) == count:
            finite &= np.isfinite(body["points"]).reshape(count, -1).all(axis=1)
    for trace in drawn["traces"]:
        finite &= np.isfinite(trace["points"]).all(axis=1)
    good = np.flatnonzero(finite)
    plain = max(1, round((len(good) - 1) / frames)) if len(good) else 1
    calm = max(1, int(QUICK / quickest)) if quickest > 0 else plain
    stride = max(min(plain, calm), round(plain / 4), 1)
    chosen = good[::stride]
    return chosen if not len(good) or chosen[-1] == good[-1] else np.append(chosen, good[-1])


def _quickest(drawn: Mapping[str, Any]) -> float:
    """The largest turn of a body from one state to the next, at most half a turn."""
    turns = [0.0]
    for turned in (body["rotation"] for body in drawn["bodies"]):
        cosine = (np.einsum("nij,nij->n", turned[1:], turned[:-1]) - 1) / 2
        turns.append(float(np.arccos(np.clip(np.nan_to_num(cosine, nan=1.0), -1, 1)).max(initial=0.0)))
    return max(turns)


def _rolled(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A wheel that goes somewhere with a spoke that stays level has no rolling angle of its own: it gets one.

    With ``e`` the level spoke, ``k`` the axle and ``u`` the vertical, a point that touches rests when the wheel turns by
    ``φ`` about its axle with ``r φ̇ (k × u)·e = ṗ·e``.
    """
    turned, place = body["rotation"], body["position"]
    if body["shape"] != "wheel" or np.ptp(place, axis=0).max() <= STILL or not np.all(np.abs(turned[:, 2, 0]) < STILL):
        return body
    spoke, axle = turned[:, :, 0], turned[:, :, 2]
    sign = np.sign(axle[:, 1] * spoke[:, 0] - axle[:, 0] * spoke[:, 1])
    way = np.einsum("ni,ni->n", np.diff(place, axis=0), (spoke[1:] + spoke[:-1]) / 2)
    angle = sign * np.concatenate([[0.0], np.cumsum(np.nan_to_num(way))]) / body["size"]["radius"]
    cos, sin, none, one = np.cos(angle), np.sin(angle), np.zeros(len(angle)), np.ones(len(angle))
    own = np.array([[cos, -sin, none], [sin, cos, none], [none, none, one]])
    return {**body, "rotation": np.einsum("nij,jkn->nik", turned, own)}


def _body(body: Mapping[str, Any], kept: NDArray[np.intp]) -> dict[str, Any]:
    """One body at the stored frames."""
    count = len(body["position"])
    result = {**body, "position": body["position"][kept], "rotation": body["rotation"][kept]}
    result["size"] = {name: size[kept] for name, size in body["size"].items()}
    if "points" in body and len(body["points"]) == count > 1:
        # a wire that changes is sent anew with each frame: fewer points of it will do
        thin = (slice(None, None, 4),) if body["shape"] == "wire" else (slice(None, None, 2), slice(None, None, 4))
        result["points"] = body["points"][kept][:, *thin]
    return result


def _packed_body(body: Mapping[str, Any]) -> dict[str, Any]:
    result = {
        "shape": body["shape"],
        "label": body["label"],
        "colour": body["colour"],
        "position": packed(body["position"]),
        "rotation": packed(quaternions(body["rotation"])),
        "size": {n: float(np.float32(s[0])) if np.ptp(s) == 0 else packed(s) for n, s in body["size"].items()},
        "turns": _turns(body),
        "moves": bool(np.ptp(body["position"], axis=0).max() > STILL),
    }
    if "points" in body:
        result |= {"points": packed(body["points"]), "grid": list(body["points"].shape[1:-1])}
    return result


def _turns(body: Mapping[str, Any]) -> bool:
    return bool(np.ptp(body["rotation"], axis=0).max() > STILL)


def quaternions(rotations: Array) -> Array:
    """Quaternions (x, y, z, w) of N rotation matrices, each on the side of the one before.

    What is no rotation is taken for the one nearest to it. Of the four entries the largest is found first, from the
    diagonal (Shepperd 1978), so that nothing is divided by a small number.

    >>> quaternions(np.array([[[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]])).round(6).tolist()
    [[0.0, 0.0, 0.707107, 0.707107]]
    """
    turned = _nearest_rotations(rotations)
    trace = np.einsum("nii->n", turned)
    largest = np.argmax(np.column_stack([np.einsum("nii->ni", turned), trace]), axis=1)
    found = np.empty((len(turned), 4))
    for first in range(4):
        chosen = largest == first
        m = turned[chosen]
        twist = np.stack([m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]], axis=1)
        if first == 3:
            found[chosen] = np.column_stack([twist, 1 + trace[chosen]])
            continue
        found[chosen, :3] = m[:, :, first] + m[:, first, :]
        found[chosen, first] = 1 - trace[chosen] + 2 * m[:, first, first]
        found[chosen, 3] = twist[:, first]
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    turns = np.sign(np.einsum("ni,ni->n", found[1:], found[:-1]))
    sides = np.concatenate([[1.0], np.cumprod(np.where(turns == 0, 1.0, turns))])
    result: Array = found * sides[:, None]
    return result


def _nearest_rotations(matrices: Array) -> Array:
    """Rotations as they are; where a matrix is none, the rotation nearest to it."""
    gaps = np.abs(np.einsum("nij,nik->njk", matrices, matrices) - np.eye(3)).max(axis=(1, 2))
    wrong = (gaps > STILL) | (np.linalg.det(matrices) < 0)
    if not wrong.any():
        return matrices
    left, _, right = np.linalg.svd(matrices[wrong])
    left[:, :, 2] *= np.sign(np.linalg.det(left @ right))[:, None]
    result = matrices.copy()
    result[wrong] = left @ right
    return result


def half_sizes(body: Mapping[str, Any]) -> Array:
    """Half the body's extent along its own axes, N x 3 (wires, surfaces and arrows have none of their own)."""
    size, shape = body["size"], body["shape"]
    none = np.zeros(len(body["position"]))
    if shape in ("disc", "wheel"):
        halves = [size["radius"], size["radius"], size.get("width", none) / 2]
    elif shape == "ellipsoid":
        halves = [size["a"], size["b"], size["c"]]
    elif shape == "sphere":
        halves = [size["radius"]] * 3
    elif shape == "box":
        halves = [size["x"] / 2, size["y"] / 2, size["z"] / 2]
    elif shape in ("blade", "rod"):
        halves = [size["length"] / 2, size.get("radius", none), size.get("radius", none)]
    else:
        halves = [none] * 3
    return np.stack([np.abs(h) for h in halves], axis=1)


def bounds(body: Mapping[str, Any]) -> tuple[Array, Array]:
    """The lowest and highest corner of a body in space, N x 3 each."""
    place, turn = body["position"], body["rotation"]
    if "points" in body:
        points = np.broadcast_to(body["points"], (len(place), *body["points"].shape[1:])).reshape(len(place), -1, 3)
        spread = np.einsum("nij,npj->npi", turn, points)
        return place + spread.min(axis=1), place + spread.max(axis=1)
    if body["shape"] == "arrow":
        tip = place + np.einsum("nij,jn->ni", turn, np.array([body["size"][n] for n in "xyz"]))
        return np.minimum(place, tip), np.maximum(place, tip)
    half = half_sizes(body)
    if body["shape"] in ("ellipsoid", "sphere"):
        reach = np.sqrt(np.einsum("nij,nj->ni", turn**2, half**2))
    elif body["shape"] in ("disc", "wheel"):
        axis = np.abs(turn[:, :, 2])
        reach = half[:, :1] * np.sqrt(np.clip(1 - axis**2, 0, None)) + half[:, 2:] * axis
    else:
        reach = np.einsum("nij,nj->ni", np.abs(turn), half)
    return place - reach, place + reach


def _view(bodies: list[dict[str, Any]], traces: list[dict[str, Any]], ground: str) -> dict[str, Any]:
    """What the eye needs: the box of everything, a floor, a point to follow, and from where to look."""
    boxes = [bounds(body) for body in bodies]
    lows = [low.min(axis=0) for low, _ in boxes] + [t["points"].min(axis=0) for t in traces]
    highs = [high.max(axis=0) for _, high in boxes] + [t["points"].max(axis=0) for t in traces]
    low, high = np.min(lows, axis=0), np.max(highs, axis=0)
    whole = float(np.linalg.norm(high - low)) or 1.0
    centres = [(a + b) / 2 for a, b in boxes]
    moving = [k for k, c in enumerate(centres) if np.ptp(c, axis=0).max() > STILL * whole]
    # velocities and springs may be long; it is the bodies that one follows
    moving = [k for k in moving if bodies[k]["shape"] not in ("arrow", "wire")] or moving
    if moving:
        lower, upper = (np.array([boxes[k][side] for k in moving]) for side in (0, 1))
        target = (lower.min(axis=0) + upper.max(axis=0)) / 2
        reach = float(np.linalg.norm(upper.max(axis=0) - lower.min(axis=0), axis=1).max()) / 2
    else:
        count = len(bodies[0]["position"] if bodies else traces[0]["points"])
        target, reach = np.broadcast_to((low + high) / 2, (count, 3)), whole / 2
    paths = [t["points"] for t in traces] or [target]
    still = [
        k for k in range(len(boxes)) if k not in moving and bodies[k]["shape"] in ("surface", "sphere", "disc", "box")
    ]
    stage = any(np.linalg.norm(boxes[k][1] - boxes[k][0], axis=1).max() > reach for k in still)
    # a point has no size: how far it goes in terms of that says nothing
    points = all(bodies[k]["shape"] in ("sphere", "point", "arrow", "wire") and not _turns(bodies[k]) for k in moving)
    way = float(np.linalg.norm(np.ptp(target, axis=0)))
    return {
        "low": low.tolist(),
        "high": high.tolist(),
        "floor": 0.0 if ground == "plane" else None if stage else float(low[2] - 0.02 * whole),
        "follow": packed(target),
        "travels": bool(not points and way > reach and whole > 2 * (TINY if stage else FAR) * reach),
        "reach": reach or whole / 2,
        "view": _direction(np.concatenate(paths), low, high),
    }


def _direction(points: Array, low: Array, high: Array) -> list[float]:
    """From the scene to the eye: across the widest way the motion goes, a little turned; flat scenes from higher up."""
    flat = points[:, :2] - points[:, :2].mean(axis=0)
    _, spread, axes = np.linalg.svd(flat, full_matrices=True) if len(flat) > 1 else (None, [0.0, 0.0], np.eye(2))
    along = axes[0] if spread[0] > 1.15 * spread[1] else np.array([1.0, 0.0])
    across = np.array([along[1], -along[0]])
    across = across if across[1] < 0 or (across[1] == 0 and across[0] > 0) else -across
    azimuth = np.arctan2(across[1], across[0]) + 0.35
    tall = (high[2] - low[2]) / (float(np.max(high[:2] - low[:2])) or 1.0)
    height = np.radians(24.0 + 18.0 * float(np.clip(1 - 2.5 * tall, 0, 1)))
    return [float(np.cos(height) * np.cos(azimuth)), float(np.cos(height) * np.sin(azimuth)), float(np.sin(height))]
