"""Phase portrait as numbers: many motions in the plane of two quantities, and its equilibria, classified."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.analyse.portrait.plane_equilibria import Line, PlaneEquilibrium, Search, equilibria, limits
from nonholo.analyse.portrait.portrait_plane import Plane, lifted, plane_of, starts_to_states
from nonholo.errors import StateError
from nonholo.integrate.many.members import run_members
from nonholo.integrate.methods import method as method_by_name
from nonholo.integrate.motion.integration import Event

CANDIDATES = 140
"""Motions from which an automatic portrait chooses."""
TIMES = 2400
TURN = 1.1 * np.pi
"""Half the width of a window over an angle: its saddles, often at ±π, are inside."""
WIDER = 16
"""A window is widened by a fifth at most so many times to hold the motions through its saddles."""
LONG = 30.0
"""A motion is followed so many times as long as it takes to cross the window at a typical speed."""


@dataclass(frozen=True, eq=False, repr=False)
class Portrait:
    """What a phase portrait shows, as numbers."""

    names: tuple[str, str]
    window: tuple[tuple[float, float], tuple[float, float]]
    motions: tuple[Numbers, ...] = field(repr=False)
    """Each motion as points (k x 2) in the order of time."""
    equilibria: tuple[PlaneEquilibrium, ...]
    lines: tuple[Line, ...]
    arrows: tuple[Numbers, Numbers] = field(repr=False)
    """Points and flow of a grid, for arrows."""
    separatrices: tuple[Numbers, ...] = field(default=(), repr=False)
    still: bool = False
    """Whether every point of the window is an equilibrium."""

    def __repr__(self) -> str:
        """What is shown, without its numbers."""
        kinds = Counter(e.kind for e in self.equilibria)
        marked = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "no equilibria"
        return f"<{type(self).__name__} of {self.names[0]} and {self.names[1]}: {len(self.motions)} motions; {marked}>"


def portrait(
    system: Any,
    x: str | None = None,
    y: str | None = None,
    parameters: Mapping[str, Any] | None = None,
    *,
    at: Mapping[str, Any] | None = None,
    x_range: Any = None,
    y_range: Any = None,
    starts: Sequence[Any] | None = None,
    levels: Sequence[float] | None = None,
    until: float | None = None,
    spacing: float = 0.06,
    marks: bool = True,
    inputs: Mapping[str, Any] | None = None,
) -> Portrait:
    """The motions of a System, Equations or Exhibit in the plane of two quantities; options as in `phase_portrait`."""
    plane, problem = plane_of(system, x, y, parameters, at, inputs)
    rough = np.maximum(np.abs(plane.base), 1.0)
    given = starts_to_states(plane, problem, starts) if starts is not None else None
    search = _search(plane, given, x_range, y_range, rough)
    grid = lifted(plane, _grid(search, 13))
    points: list[PlaneEquilibrium] = []
    lines: list[Line] = []
    if marks and not any(callable(e) for e in plane.inputs):
        points, lines = equilibria(search, grid)
    seeds, apart = _seeds(search, given, levels, spacing)
    reach = until if until is not None else LONG * search.diagonal / search.speed
    special = _separatrices(search, points, reach) if starts is None or len(starts) else []
    motions, ends = _motions(search, seeds, reach, apart, special)
    limit = limits(search, ends, lines)
    arrows = (plane.points(grid), _plane_flow(plane, grid))
    return Portrait(
        names=plane.names,
        window=((float(search.low[0]), float(search.high[0])), (float(search.low[1]), float(search.high[1]))),
        motions=tuple(motions),
        equilibria=(*points, *limit),
        lines=tuple(lines),
        arrows=arrows,
        separatrices=tuple(special),
        still=plane.closed and bool(np.all(np.abs(arrows[1]) < 1e-12 * search.diagonal)),
    )


def _search(plane: Plane, given: Numbers | None, x_range: Any, y_range: Any, rough: Numbers) -> Search:
    window = [_window(r, n) for r, n in zip((x_range, y_range), plane.names)]
    shown = plane.points(given) if given is not None and len(given) else plane.points(plane.base[None])
    low, high = np.empty(2), np.empty(2)
    for k, ends in enumerate(window):
        reach = 1.25 * max(float(np.nanmax(np.abs(shown[:, k]))), 1e-3)
        low[k], high[k] = ends if ends is not None else (-reach, reach) if reach > 2e-3 else (-2.0, 2.0)
        if ends is None and given is None and _is_angle(plane, k):
            turns = 2 * np.pi * np.round(shown[0, k] / (2 * np.pi))
            low[k], high[k] = turns - TURN, turns + TURN
            window[k] = low[k], high[k]
    first = _with_speed(Search(plane, low, high, rough, 1.0))
    if given is not None or not any(ends is None for ends in window):
        return first
    return _to_saddles(first, [k for k, ends in enumerate(window) if ends is None])


def _with_speed(search: Search) -> Search:
    flow = search.plane.flow(lifted(search.plane, _grid(search, 9)))[:, list(search.plane.own)]
    length = np.linalg.norm(flow[np.all(np.isfinite(flow), axis=1)], axis=1)
    speed = float(np.median(length)) if len(length) else 1.0
    return replace(search, speed=speed if speed > 0 else 1.0)


def _is_angle(plane: Plane, k: int) -> bool:
    """Whether a full turn of a coordinate changes no rate, and a part of it does."""
    if plane.places is None or plane.places[k] >= len(plane.equations.coordinates):
        return False
    states = plane.base + np.random.default_rng(11).uniform(-1, 1, (5, len(plane.base)))
    flows = []
    for turn in (0.0, 2 * np.pi, 1.0):
        moved = states.copy()
        moved[:, plane.places[k]] += turn
        flows.append(plane.flow(moved))
    size = 1e-9 * (1 + float(np.max(np.abs(flows[0]))))
    return bool(np.max(np.abs(flows[1] - flows[0])) < size < np.max(np.abs(flows[2] - flows[0])))


def _to_saddles(search: Search, free: Sequence[int]) -> Search:
    """The window widened along the axes ``free`` until the energy on its edges is above that of its saddles."""
    if not search.plane.closed:
        return search
    saddles = [e for e in equilibria(search, lifted(search.plane, _grid(search, 13)))[0] if e.directions is not None]
    if not saddles:
        return search
    top = float(np.max(search.plane.show(np.array([e.state for e in saddles]))[1]))
    for k in free:
        found = search
        for _ in range(WIDER):
            part = np.linspace(0.0, 1.0, 41)[:, None]
            ends = [found.low + part * (found.high - found.low) for _ in range(2)]
            ends[0][:, k], ends[1][:, k] = found.low[k], found.high[k]
            energy = search.plane.show(lifted(search.plane, np.vstack(ends)))[1]
            if np.all(energy[np.isfinite(energy)] > top):
                search = found
                break
            room = np.zeros(2)
            room[k] = 0.1 * (found.high[k] - found.low[k])
            found = replace(found, low=found.low - room, high=found.high + room)
    return _with_speed(search)


def _window(ends: Any, name: str) -> tuple[float, float] | None:
    if ends is None:
        return None
    low, high = (-ends, ends) if np.ndim(ends) == 0 else ends
    if not float(low) < float(high):
        raise StateError(f"phase portrait: the range of {name} is {ends!r}; give (low, high) with low < high.")
    return float(low), float(high)


def _grid(search: Search, count: int) -> Numbers:
    """Points over the window, away from its edges."""
    part = (np.arange(count) + 0.5) / count
    across, up = np.meshgrid(part, part)
    return search.low + (search.high - search.low) * np.column_stack([across.ravel(), up.ravel()])


def _plane_flow(plane: Plane, states: Numbers) -> Numbers:
    """``(Ẋ, Ẏ)``."""
    return plane.rates(states)[:, :2]


def _seeds(
    search: Search, given: Numbers | None, levels: Sequence[float] | None, spacing: float
) -> tuple[Numbers, float]:
    """States to start from, and how far apart (in parts of the window) motions must stay."""
    if given is not None:
        return given, 1e-9
    if levels is not None:
        return lifted(search.plane, _on_levels(search, levels)), 0.004
    if _conserves_energy(search):
        return lifted(search.plane, _on_levels(search, _nested_levels(search, spacing))), 0.6 * spacing
    golden = np.array([0.7548776662466927, 0.5698402909980532])  # the plastic number's sequence covers a square evenly
    part = (0.5 + np.arange(1, CANDIDATES + 1)[:, None] * golden) % 1
    return lifted(search.plane, search.low + (search.high - search.low) * part), spacing


def _conserves_energy(search: Search) -> bool:
    """Whether the plane's own motions stay on curves of energy that are not the whole plane."""
    if not search.plane.closed:
        return False
    states = lifted(search.plane, _grid(search, 5))
    states = states[np.all(np.isfinite(states), axis=1)]
    change = np.abs(search.plane.rates(states)[:, 2])
    spread = float(np.ptp(search.plane.show(states)[1])) if len(states) else 0.0
    return spread > 0 and bool(np.all(change < 1e-5 * spread * search.speed / search.diagonal))


def _nested_levels(search: Search, spacing: float) -> list[float]:
    """Energies at even distances from the place of least energy to the edges of the window."""
    points = _grid(search, 41)
    energy = search.plane.show(lifted(search.plane, points))[1]
    bottom = points[int(np.nanargmin(energy))]
    part = np.arange(1.0, spacing, -2.5 * spacing)[:, None]
    edges = [(bottom[0], search.high[1]), (search.high[0], bottom[1]), search.high]
    rays = np.vstack([bottom + part * (np.array(edge) - bottom) * 0.97 for edge in edges])
    found = search.plane.show(lifted(search.plane, rays))[1]
    return [float(e) for e in found[np.isfinite(found)]]


def _on_levels(search: Search, levels: Sequence[float]) -> Numbers:
    """A few points on every piece of the curves of given energy."""
    import contourpy

    count = 81
    across = np.linspace(search.low[0], search.high[0], count)
    up = np.linspace(search.low[1], search.high[1], count)
    mesh = np.meshgrid(across, up)
    states = lifted(search.plane, np.column_stack([m.ravel() for m in mesh]))
    energy = search.plane.show(states)[1].reshape(count, count)
    contours = contourpy.contour_generator(across, up, np.ma.masked_invalid(energy))
    found = [(level, np.asarray(piece)) for level in levels for piece in contours.lines(float(level))]
    found = [(level, piece) for level, piece in found if len(piece) > 3]
    if not found:
        low, high = float(np.nanmin(energy)), float(np.nanmax(energy))
        raise StateError(
            f"{search.plane.equations.name}: no point of the window has an energy of {list(levels)}; here it is between "
            f"{low:.4g} and {high:.4g}: choose levels in between or widen x_range and y_range."
        )
    some = [piece[(len(piece) * np.array([1, 3, 5, 7])) // 8] for _, piece in found]
    return _onto_levels(search, np.vstack(some), np.repeat([level for level, _ in found], 4))


def _onto_levels(search: Search, points: Numbers, wanted: Numbers) -> Numbers:
    """The points moved along the slope of the energy until it is what it shall be (contours of a grid are polygons)."""
    plane = search.plane
    for _ in range(8):
        states = lifted(plane, points)
        slopes = np.nan_to_num(plane.shown_slopes(states))
        # a point of the plane moves its state as little as its quantities and the invariants allow
        moves = np.linalg.pinv(np.concatenate([slopes[:, :2], slopes[:, 3:]], axis=1), rcond=1e-9)[:, :, :2]
        slope = np.einsum("kj,kji->ki", slopes[:, 2], moves)
        gap = np.nan_to_num(plane.show(states)[1] - wanted)
        square = np.sum(slope**2, axis=1)
        points = points - np.where(square > 0, gap / np.where(square > 0, square, 1.0), 0.0)[:, None] * slope
    return points


def _paths(search: Search, states: Numbers, reach: float) -> list[Numbers]:
    """States along the motion from each state for a time (backwards when negative), until the window is left behind."""
    plane = search.plane
    room = 0.15 * (search.high - search.low)
    events = [
        Event((q - float(low)) * (q - float(high)), 0, 1)
        for q, low, high in zip(plane.quantities, search.low - room, search.high + room)
    ]
    runs = run_members(
        plane.kernel,
        method_by_name("dop853", rtol=1e-9, atol=1e-11, max_steps=20_000),
        0.0,
        states,
        reach,
        np.tile(plane.parameters, (len(states), 1)),
        list(plane.inputs),
        np.linspace(0.0, reach, TIMES),
        events,
    )
    return [path[np.all(np.isfinite(path), axis=1)] for path in runs.states]


def _motions(
    search: Search, seeds: Numbers, reach: float, apart: float, drawn: Sequence[Numbers]
) -> tuple[list[Numbers], Numbers]:
    """Motions through the seeds, both ways; one is left out when its seed lies on (or near) what is drawn already."""
    from scipy.spatial import cKDTree

    seeds = seeds[np.all(np.isfinite(seeds), axis=1)]
    if not len(seeds):
        return [], np.empty((0, len(search.plane.base)))
    ahead, behind = _paths(search, seeds, reach), _paths(search, seeds, -reach)
    size = search.high - search.low
    taken: list[Numbers] = []
    trees = [cKDTree(_dense(points / size)) for points in drawn]
    ends: list[Numbers] = []
    for seed, forward, backward in zip(search.plane.points(seeds), ahead, behind):
        if len(forward) < 2 or len(backward) < 2:
            continue
        if any(tree.query(seed / size)[0] < apart for tree in trees):
            continue
        later = search.plane.points(forward)
        if (back := _return(search, later)) is not None:
            points = np.vstack([later[: back + 1], later[:1]])
        else:
            points = np.vstack([search.plane.points(backward)[:0:-1], later])
            ends += [forward[-1], backward[-1]]
        points = _thinned(points, size)
        if len(points) > 2 and np.any(search.inside(points)):
            taken.append(points)
            trees.append(cKDTree(_dense(points / size)))
    return taken, np.array(ends).reshape(len(ends), len(search.plane.base))


def _return(search: Search, points: Numbers) -> int | None:
    """The point after which a closed motion passes through its start again."""
    if not search.plane.closed or len(points) < 4:
        return None
    place = (points - points[0]) / (search.high - search.low)
    step = np.diff(place, axis=0)
    longest = float(np.max(np.linalg.norm(step, axis=1)))
    away = np.flatnonzero(np.linalg.norm(place, axis=1) > max(0.02, 3 * longest))
    if not len(away):
        return None
    square = np.maximum(np.sum(step**2, axis=1), 1e-300)
    part = np.clip(-np.sum(place[:-1] * step, axis=1) / square, 0, 1)
    near = np.linalg.norm(place[:-1] + part[:, None] * step, axis=1) < 1e-3  # of the start to each piece of the path
    back = np.flatnonzero(near[away[0] :])
    return int(away[0] + back[0]) if len(back) else None


def _dense(points: Numbers, fine: float = 1 / 500) -> Numbers:
    """Points along the broken line, so near to each other that a distance to them is one to the line."""
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    at = np.linspace(0, length[-1], int(length[-1] / fine) + 2)
    return np.column_stack([np.interp(at, length, points[:, k]) for k in range(2)])


def _thinned(points: Numbers, size: Numbers, fine: float = 1 / 500) -> Numbers:
    """Without the points that a reader could not tell apart; ends stay."""
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0) / size, axis=1))])
    keep = np.unique(np.concatenate([[0], np.flatnonzero(np.diff(np.floor(length / fine))) + 1, [len(points) - 1]]))
    return np.asarray(points[keep.astype(int)], dtype=np.float64)


def _separatrices(search: Search, points: Sequence[PlaneEquilibrium], reach: float) -> list[Numbers]:
    """From each saddle, out along the unstable direction and back along the stable one, until another one is reached."""
    from scipy.spatial import cKDTree

    result: list[Numbers] = []
    size = search.high - search.low
    saddles = [(e, e.directions) for e in points if e.directions is not None]
    for saddle, directions in saddles:
        for direction, time in zip(directions, (reach, -reach)):
            step = 1e-5 * search.diagonal * direction / max(float(np.linalg.norm(direction)), 1e-300)
            states = lifted(search.plane, [saddle.point + step, saddle.point - step])
            for path in _paths(search, states, time):
                shown = _until_saddle(search.plane.points(path), [e for e, _ in saddles], size)
                middle = shown[len(shown) // 2] / size
                twin = any(cKDTree(r / size).query(middle)[0] < 4e-3 for r in result)
                if len(shown) > 2 and not twin:
                    result.append(_thinned(shown if time > 0 else shown[::-1], size))
    return result


def _until_saddle(points: Numbers, saddles: Sequence[PlaneEquilibrium], size: Numbers) -> Numbers:
    """The path up to where it comes nearest to a saddle it tends to; beyond, rounding errors would lead it on."""
    begun = np.flatnonzero(np.linalg.norm((points - points[0]) / size, axis=1) > 0.02)
    if not len(begun):
        return points
    distance = np.min([np.linalg.norm((points - s.point) / size, axis=1) for s in saddles], axis=0)[begun[0] :]
    close = np.flatnonzero(distance < 2e-3)
    return points[: int(begun[0] + close[0]) + 1] if len(close) else points
