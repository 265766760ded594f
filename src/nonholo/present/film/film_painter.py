"""Frames of a scene on a matplotlib figure: perspective, light, shadows, painted from far to near."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.present.film.film_shapes import Line, Skin, Still, stills
from nonholo.present.film.scene import numbers
from nonholo.program.array_types import Array

SLOPE = np.tan(np.radians(16.0))
"""Half the height one sees, at unit distance; the viewer's eye has the same."""
PIECES = 4
"""Pieces of a path between two frames."""
NEAR = 2.1
"""How many times its reach one sees to each side of what is followed."""
WORDS = {"fontsize": 10, "color": "#6b7482", "va": "top"}


@dataclass(frozen=True)
class Eye:
    """Looks from ``centre + distance direction`` back along ``direction``."""

    direction: Array
    centre: Array
    distance: float

    @property
    def right(self) -> Array:
        across = np.cross([0.0, 0.0, 1.0], self.direction)
        return np.asarray(across / np.linalg.norm(across))

    @property
    def over(self) -> Array:
        return np.cross(self.direction, self.right)

    def picture(self, points: Array) -> tuple[Array, Array]:
        """Places in the picture, and how near the points are.

        >>> eye = Eye(np.array([0.0, -1.0, 0.0]), np.zeros(3), 5.0)
        >>> eye.picture(np.array([[1.0, 3.0, 2.0]]))[0].tolist()
        [[0.125, 0.25]]
        """
        rest = points - self.centre
        near = rest @ self.direction
        away = np.maximum(self.distance - near, 1e-3 * self.distance)
        return np.stack([rest @ self.right, rest @ self.over], -1) / away[..., None], near


def fitted(direction: Array, points: Array, aspect: float) -> Eye:
    """The nearest eye along a direction that sees all points.

    With x across and z towards the eye, ``|x − c| ≤ (D − z) s`` for all points gives
    ``2 D s = max(x + z s) + max(−x + z s)``; the same holds upwards. The larger ``D`` is taken, and ``c`` so that the
    outermost points are as far from both edges.
    """
    plain = Eye(direction, np.zeros(3), 1.0)
    depth = points @ direction
    middle = float(depth.mean())
    centre, distance = middle * direction, 0.0
    for axis, slope in ((plain.right, 0.86 * SLOPE * aspect), (plain.over, 0.86 * SLOPE)):
        x, z = points @ axis, (depth - middle) * slope
        distance = max(distance, float((x + z).max() + (z - x).max()) / (2 * slope))
    distance = distance or 1.0
    for axis in (plain.right, plain.over):
        centre = centre + _balanced(points @ axis, np.maximum(middle + distance - depth, 1e-9 * distance)) * axis
    return Eye(direction, centre, distance)


def _balanced(places: Array, away: Array) -> float:
    """Where to look so that the outermost places are seen as far from both edges: Newton's steps for max + min = 0."""
    centre = 0.0
    for _ in range(20):
        seen = (places - centre) / away
        high, low = int(np.argmax(seen)), int(np.argmin(seen))
        centre += float((seen[high] + seen[low]) / (1 / away[high] + 1 / away[low]))
    return centre


class Painter:
    """Paints frames of a scene; the artists are made once and moved."""

    def __init__(self, scene: Mapping[str, Any], figure: Any) -> None:
        from matplotlib.collections import LineCollection, PolyCollection

        self.scene = scene
        self.times = numbers(scene["times"])
        self.target = numbers(scene["follow"], -1, 3)
        self.reach = float(scene["reach"])
        width, height = figure.get_size_inches()
        self.eye = self._first_eye(float(width / height))
        axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
        axes.set_axis_off()
        axes.set_xlim(-SLOPE * width / height, SLOPE * width / height)
        axes.set_ylim(-SLOPE, SLOPE)
        self.net, self.shades, self.faint, self.bright, self.bodies = (
            axes.add_collection(artist, autolim=False)
            for artist in (
                LineCollection([], colors="#dde2ea", linewidths=0.7, zorder=0),
                PolyCollection([], facecolors="#26324a", edgecolors="none", alpha=0.14, zorder=1),
                LineCollection([], alpha=0.35, zorder=2),
                LineCollection([], capstyle="round", joinstyle="round", zorder=3),
                PolyCollection([], linewidths=0.3, zorder=4),
            )
        )
        self.clock = axes.text(0.03, 0.96, "", transform=axes.transAxes, **WORDS)
        axes.text(0.97, 0.96, str(scene.get("name", "")), transform=axes.transAxes, ha="right", **WORDS)

    def _first_eye(self, aspect: float) -> Eye:
        """The eye at the first frame: on the whole motion, or on what moves when that is small against its path."""
        direction = np.array(self.scene["view"])
        self.follows = bool(self.scene["travels"])
        if self.follows:
            return Eye(direction, self.target[0], NEAR * self.reach / (SLOPE * min(1.0, aspect)))
        looks = np.unique(np.linspace(0, len(self.times) - 1, 13).round().astype(int))
        parts = [part for k in looks for part in stills(self.scene, int(k), coarse=True)]
        return fitted(direction, np.concatenate([_points(part) for part in parts]), aspect)

    def paint(self, frame: int) -> None:
        """Everything at one frame."""
        eye = self.eye
        if self.follows:
            eye = Eye(eye.direction, eye.centre + self.target[frame] - self.target[0], eye.distance)
        parts = stills(self.scene, frame, parts=PIECES)
        lines = [part for part in parts if isinstance(part, Line)]
        skins = [part for part in parts if isinstance(part, Skin)]
        floor = self.scene["floor"]
        if floor is not None:
            self.net.set_segments(_net(eye, self.reach, floor))
            self.shades.set_verts([eye.picture(shade)[0] for skin in skins for shade in _shade(skin, eye, floor)])
        for artist, faint in ((self.faint, True), (self.bright, False)):
            chosen = [line for line in lines if (line.opacity < 1) == faint]
            artist.set_segments([eye.picture(line.points)[0] for line in chosen])
            artist.set_color([line.colour for line in chosen])
            artist.set_linewidth([line.width for line in chosen])
        if skins:
            faces = np.concatenate([skin.faces for skin in skins])
            places, near = eye.picture(faces)
            order = np.argsort(near.mean(axis=1))
            colours = _lit(skins, eye)[order]
            self.bodies.set_verts(places[order])
            self.bodies.set_facecolor(colours)
            # edges of the same colour hide the seams; on glass they would show
            self.bodies.set_edgecolor(np.where(colours[:, 3:] < 1, 0.0, colours))
        self.clock.set_text(f"t = {self.times[frame]:.2f} s")


def _points(part: Still) -> Array:
    return part.points if isinstance(part, Line) else part.faces.reshape(-1, 3)


def _net(eye: Eye, reach: float, z: float) -> list[Array]:
    """Lines on the ground around what one looks at."""
    half = 1.1 * eye.distance
    width = min(eye.distance / 6, 3 * reach)
    power = 10.0 ** np.floor(np.log10(width))
    step = power * min((1, 2, 5, 10), key=lambda k: abs(np.log(k * power / width)))
    around = np.arange(-np.ceil(half / step), np.ceil(half / step) + 1) * step
    x, y = np.round(eye.centre[:2] / step) * step
    far = around[-1]
    ends = [np.array([(x + d, y - far, z), (x + d, y + far, z)]) for d in around]
    ends += [np.array([(x - far, y + d, z), (x + far, y + d, z)]) for d in around]
    return [eye.picture(_before(line, eye))[0] for line in ends]


def _before(line: Array, eye: Eye) -> Array:
    """The part of a line in front of the camera."""
    away = eye.distance - (line - eye.centre) @ eye.direction
    least = 0.1 * eye.distance
    if away.min() >= least or away.max() <= least:
        return line
    part = (least - away[0]) / (away[1] - away[0])
    cut = line[0] + part * (line[1] - line[0])
    return np.stack([cut, line[1]]) if away[0] < least else np.stack([line[0], cut])


def _lamp(eye: Eye) -> Array:
    """Towards the lamp: above, a little behind the eye's left."""
    lamp = 0.5 * eye.direction - 0.6 * eye.right
    lamp[2] = 1.5
    return np.asarray(lamp / np.linalg.norm(lamp))


def _shade(skin: Skin, eye: Eye, floor: float) -> list[Array]:
    """The outline of a body's shadow on the ground."""
    from scipy.spatial import ConvexHull, QhullError

    corners = skin.faces.reshape(-1, 3)
    lamp = _lamp(eye)
    ground = corners[:, :2] - np.clip(corners[:, 2:] - floor, 0, None) * lamp[:2] / lamp[2]
    if skin.opacity < 1:
        return []
    try:
        outline = ground[ConvexHull(ground).vertices]
    except QhullError:  # a body as thin as a line has no shadow to speak of
        return []
    return [np.column_stack([outline, np.full(len(outline), floor)])]


def _lit(skins: list[Skin], eye: Eye) -> Array:
    """The faces' colours in the lamp's light."""
    from matplotlib.colors import to_rgba_array

    lit = []
    for skin in skins:
        normal = np.cross(skin.faces[:, 2] - skin.faces[:, 0], skin.faces[:, 3] - skin.faces[:, 1])
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-30)
        # a face has no outside of its own: the side that looks at the eye is the one seen
        normal *= np.where(normal @ eye.direction < 0, -1.0, 1.0)[:, None]
        colours = to_rgba_array(skin.colours)
        colours[:, :3] *= (0.64 + 0.36 * np.clip(normal @ _lamp(eye), 0, 1))[:, None]
        colours[:, 3] = skin.opacity
        lit.append(colours)
    return np.concatenate(lit)
