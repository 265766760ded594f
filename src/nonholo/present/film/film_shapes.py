"""Bodies of a scene at one frame as lines and surfaces in space, for matplotlib and plotly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.present.figures.plane_path import hermite
from nonholo.present.film.scene import numbers
from nonholo.program.array_types import Array

PALE = 0.62
"""How far the second tone of a pattern is on the way to white."""
SOFT = {"steelblue": "#4c86c6", "firebrick": "#c8453b", "black": "#2b2f36", "grey": "#8a919c", "lightgrey": "#c9ced6",
        "seagreen": "#3f9a6b", "tan": "#d9bf98", "wheat": "#ecd7ab", "darkorange": "#e07b2e"}  # fmt: skip
"""The tones of the viewer."""


@dataclass(frozen=True)
class Line:
    """A curve in space."""

    points: Array
    colour: str
    width: float = 2.0
    opacity: float = 1.0
    label: str = ""


@dataclass(frozen=True)
class Skin:
    """Flat faces in space: F x 4 x 3 corners, one colour a face."""

    faces: Array
    colours: list[str]
    opacity: float = 1.0
    label: str = ""

    def triangles(self) -> tuple[Array, NDArray[np.intp]]:
        """Corners and, two to a face, triangles; ``colours`` of these are the faces' twice."""
        count = len(self.faces)
        first = np.arange(count) * 4
        halves = np.stack([np.stack([first, first + 1, first + 2], 1), np.stack([first, first + 2, first + 3], 1)], 1)
        return self.faces.reshape(-1, 3), halves.reshape(-1, 3)


Still = Line | Skin


def stills(scene: Mapping[str, Any], frame: int, coarse: bool = False, parts: int = 1) -> list[Still]:
    """Everything at one frame: traces so far brightly, the whole of them faintly, and the bodies.

    Traces are smooth curves with ``parts`` pieces between frames.
    """
    result: list[Still] = []
    for k, trace in enumerate(scene["traces"]):
        points, colour = refined(trace["points"], scene["times"], parts), tone(trace["colour"])
        result.append(Line(points, colour, 1.0, 0.3, trace["label"]))
        result.append(Line(points[: frame * parts + 1], colour, 2.2 if k == 0 else 1.4, 1.0, trace["label"]))
    for body in scene["bodies"]:
        result += _body(body, frame, float(scene["reach"]), 2 if coarse else 1)
    return result


@lru_cache(maxsize=64)
def refined(points: str, times: str, parts: int) -> Array:
    """A packed path as a smooth curve through its points, the slopes those of parabolas through three neighbours."""
    path, t = numbers(points, -1, 3), numbers(times)
    if parts < 2:
        return path
    places = np.arange(parts * (len(t) - 1) + 1) / parts
    if len(t) < 3 or np.any(np.diff(t) * np.sign(t[-1] - t[0]) <= 0):
        return np.column_stack([np.interp(places, np.arange(len(t)), component) for component in path.T])
    order = slice(None, None, 1 if t[-1] > t[0] else -1)
    fine = np.interp(places, np.arange(len(t)), t)
    return hermite(t[order], path[order], np.gradient(path[order], t[order], axis=0, edge_order=2), fine)


def tone(colour: str) -> str:
    """The viewer's softer tone of a named colour."""
    return SOFT.get(colour, colour)


def paler(colour: str, part: float) -> str:
    """A colour on its way to white."""
    from matplotlib.colors import to_hex, to_rgb

    red, green, blue = to_rgb(colour)
    return str(to_hex((red + part * (1 - red), green + part * (1 - green), blue + part * (1 - blue))))


def matrix(quaternion: Array) -> Array:
    """The rotation matrix of a quaternion (x, y, z, w).

    >>> matrix(np.array([0.5, 0.5, 0.5, 0.5])).tolist()
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    x, y, z, w = quaternion / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def _body(body: Mapping[str, Any], frame: int, reach: float, coarse: int) -> list[Still]:
    place = numbers(body["position"], -1, 3)[frame]
    turn = matrix(numbers(body["rotation"], -1, 4)[frame])
    size = {n: v if isinstance(v, float | int) else float(numbers(v)[frame]) for n, v in body["size"].items()}
    colour, shape, label = tone(body["colour"]), body["shape"], body["label"]
    stage = not (body["turns"] or body["moves"])

    def put(points: Array) -> Array:
        moved: Array = points @ turn.T + place
        return moved

    if shape == "wire":
        return [Line(put(_own_points(body, frame)), colour, 2.0, 1.0, label)]
    if shape == "rod":
        thick = size.get("radius", max(0.0135 * size["length"], 0.008 * reach))
        return [_rod(size["length"], thick, colour, put, label)]
    if shape == "arrow":
        return [
            Line(put(points), colour, 2.0, 1.0, label) for points in _arrow(np.array([size[n] for n in "xyz"]), reach)
        ]
    if shape == "wheel":
        return [*_spokes(size["radius"], put, label), _shaped(shape, size, colour, put, False, coarse, label, reach)]
    if shape == "surface":
        grid = _own_points(body, frame)
        grid = grid[:: 2 * coarse, :: 2 * coarse] if min(grid.shape[:2]) > 8 * coarse else grid
        # a closed sheet, a ring say, is solid; an open one is glass where it is a stage
        closed = np.allclose(grid[0], grid[-1], atol=1e-5) and np.allclose(grid[:, 0], grid[:, -1], atol=1e-5)
        return [_surface(put(grid), colour, 0.3 if stage and not closed else 1.0, None if stage else (2, 8), label)]
    return [
        _shaped(
            shape, size, colour, put, body["turns"], coarse, label, reach, 0.3 if stage and shape == "sphere" else 1.0
        )
    ]


def _own_points(body: Mapping[str, Any], frame: int) -> Array:
    points = numbers(body["points"], -1, *body["grid"], 3)
    own: Array = points[frame if len(points) > 1 else 0]
    return own


def _shaped(
    shape: str, size: Mapping[str, float], colour: str, put: Any, patterned: bool, coarse: int, label: str, reach: float,
    opacity: float = 1.0,
) -> Skin:  # fmt: skip
    """A ball, disc, tyre, box, blade or point as a skin."""
    if shape in ("sphere", "ellipsoid", "point"):
        radius = size.get("radius", 0.05 * reach)
        axes = np.array([size["a"], size["b"], size["c"]]) if shape == "ellipsoid" else np.full(3, radius)
        small = float(axes.max()) < 0.25 * reach
        rows, columns = (8, 16) if small else (24 // coarse, 32 // coarse)
        up, around = np.meshgrid(np.linspace(0, np.pi, rows + 1), np.linspace(0, 2 * np.pi, columns + 1), indexing="ij")
        grid = axes * np.stack([np.sin(up) * np.cos(around), np.sin(up) * np.sin(around), np.cos(up)], -1)
        return _surface(put(grid), colour, opacity, (2, 8) if patterned and not small else None, label)
    if shape in ("disc", "wheel"):
        radius, half = size["radius"], size.get("width", 0.05 * size["radius"]) / 2
        inner = 0.0 if shape == "disc" else 0.8 * radius
        # a disc's edge is sharp, so that it touches the ground where its rim is
        slant = min(2 * half, 0.12 * radius) if shape == "disc" else 0.0
        edge, rim = (radius - slant, half), (radius, 0.0 if shape == "disc" else half)
        upper = [(inner, half), (0.8 * radius, half), edge, rim]
        rings = upper + [(r, -z) for r, z in reversed(upper[:-1])]
        around = np.linspace(0, 2 * np.pi, 48 // coarse + 1)
        grid = np.array([[(r * np.cos(s), r * np.sin(s), z) for s in around] for r, z in rings])
        faces = _surface(put(grid), colour, opacity, None, label)
        if shape == "disc":
            step = len(around) - 1
            pale = paler(colour, PALE)
            colours = [
                pale if row in (0, len(rings) - 2) and (8 * column // step) % 2 else colour
                for row in range(len(rings) - 1)
                for column in range(step)
            ]
            return Skin(faces.faces, colours, opacity, label)
        return faces
    if shape == "blade":
        height = min(0.3 * size["length"], 0.12 * reach)
        return _block(
            np.array([size["length"], 0.22 * height, height]), np.array([0, 0, height / 2]), colour, put, label
        )
    return _block(np.array([size["x"], size["y"], size["z"]]), np.zeros(3), colour, put, label)


def _surface(grid: Array, colour: str, opacity: float, pattern: tuple[int, int] | None, label: str) -> Skin:
    """A grid of points as faces; a pattern of rows x columns fields in two tones."""
    rows, columns = grid.shape[0] - 1, grid.shape[1] - 1
    faces = np.stack([grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]], axis=2).reshape(-1, 4, 3)
    colours = [colour] * (rows * columns)
    if pattern is not None:
        pale = paler(colour, PALE)
        fields = [(pattern[0] * i // rows + pattern[1] * j // columns) % 2 for i in range(rows) for j in range(columns)]
        colours = [pale if field else colour for field in fields]
    return Skin(faces, colours, opacity, label)


def _block(sizes: Array, centre: Array, colour: str, put: Any, label: str) -> Skin:
    """A box: three pairs of faces."""
    faces = []
    for axis in range(3):
        for side in (-1.0, 1.0):
            one, two = (np.roll(np.eye(3)[axis], k) for k in (1, 2))
            middle = side * np.eye(3)[axis]
            faces.append([middle + a * one + b * two for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))])
    corners = np.array(faces) * sizes / 2 + centre
    return Skin(put(corners.reshape(-1, 3)).reshape(-1, 4, 3), [colour] * 6, 1.0, label)


def _rod(length: float, radius: float, colour: str, put: Any, label: str) -> Skin:
    """Eight sides along the body's x-axis, closed at the ends."""
    around = np.linspace(0, 2 * np.pi, 9)
    rings = [(-length / 2, 0.0), (-length / 2, radius), (length / 2, radius), (length / 2, 0.0)]
    grid = np.array([[(x, r * np.cos(s), r * np.sin(s)) for s in around] for x, r in rings])
    return _surface(put(grid), colour, 1.0, None, label)


def _spokes(radius: float, put: Any, label: str) -> list[Line]:
    lines = []
    for k in range(6):
        end = radius * 0.8 * np.array([np.cos(k * np.pi / 3), np.sin(k * np.pi / 3), 0.0])
        lines.append(Line(put(np.stack([np.zeros(3), end])), SOFT["firebrick" if k == 0 else "grey"], 1.6, 1.0, label))
    return lines


def _arrow(vector: Array, reach: float) -> list[Array]:
    """The shaft and two barbs."""
    length = float(np.linalg.norm(vector))
    if length == 0:
        return [np.zeros((2, 3)), np.zeros((3, 3))]
    along = vector / length
    side = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
    side /= np.linalg.norm(side)
    back = vector - min(0.3 * length, 0.15 * reach) * along
    width = min(0.12 * length, 0.06 * reach)
    return [np.stack([np.zeros(3), vector]), np.stack([back + width * side, vector, back - width * side])]
