"""Mass, centre and inertia of homogeneous shapes, and of several together; meshes by their convex hulls.

Of the vertices of an STL or OBJ file the farthest along 14 directions are used; the support function of their hull,
``max_i n·v_i``, is rounded to ``(1/β) log Σ exp(β n·v_i)``, which is larger by at most ``log(count)/β``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from nonholo.machines.machine_records import Shape
from nonholo.machines.robot_files.frame_rotations import matrix, vector
from nonholo.machines.robot_files.robot_description import Geometry, Matrix, Vector
from nonholo.program.array_types import Array

Mass = tuple[float, Vector, Matrix]
"""Mass, centre of mass, inertia matrix about it; in one frame."""


def volume(shape: Geometry) -> float:
    """The volume of a shape; of a mesh 0."""
    s = shape.size
    match shape.kind:
        case "ball":
            return 4 / 3 * math.pi * s[0] ** 3
        case "cylinder":
            return 2 * math.pi * s[0] ** 2 * s[1]
        case "capsule":
            return math.pi * s[0] ** 2 * (2 * s[1] + 4 / 3 * s[0])
        case "box":
            return 8 * s[0] * s[1] * s[2]
        case "ellipsoid":
            return 4 / 3 * math.pi * s[0] * s[1] * s[2]
    return 0.0


def moments(shape: Geometry) -> tuple[float, float, float]:
    """Principal moments of a homogeneous shape of mass one, about its centre, in its axes."""
    s = shape.size
    match shape.kind:
        case "ball":
            return (0.4 * s[0] ** 2,) * 3
        case "cylinder":
            across = s[0] ** 2 / 4 + s[1] ** 2 / 3
            return across, across, s[0] ** 2 / 2
        case "capsule":
            return _capsule(s[0], s[1])
        case "box":
            return (s[1] ** 2 + s[2] ** 2) / 3, (s[0] ** 2 + s[2] ** 2) / 3, (s[0] ** 2 + s[1] ** 2) / 3
        case "ellipsoid":
            return (s[1] ** 2 + s[2] ** 2) / 5, (s[0] ** 2 + s[2] ** 2) / 5, (s[0] ** 2 + s[1] ** 2) / 5
    return 0.0, 0.0, 0.0


def _capsule(r: float, h: float) -> tuple[float, float, float]:
    """A cylinder of half length h between two half balls, by their shares of the volume."""
    ball = (4 * r / 3) / (4 * r / 3 + 2 * h)
    tube = 1 - ball
    along = ball * 0.4 * r**2 + tube * r**2 / 2
    across = ball * (0.4 * r**2 + h**2 + 0.75 * h * r) + tube * (r**2 / 4 + h**2 / 3)
    return across, across, along


def together(parts: Iterable[Mass]) -> Mass:
    """Bodies fixed to each other, by Steiner's theorem."""
    known = list(parts)
    total = sum(mass for mass, _, _ in known)
    if total == 0:
        return 0.0, (0.0, 0.0, 0.0), matrix(np.zeros((3, 3)))
    center = sum((mass * np.array(c) for mass, c, _ in known), np.zeros(3)) / total
    inertia = np.zeros((3, 3))
    for mass, c, tensor in known:
        inertia += np.array(tensor) + mass * steiner(np.array(c) - center)
    return total, vector(center), matrix(inertia)


def steiner(arm: Array) -> Array:
    """``|a|² 1 − a aᵀ``: the inertia of a unit point at ``a``."""
    result: Array = float(arm @ arm) * np.eye(3) - np.outer(arm, arm)
    return result


def of_shape(shape: Geometry, mass: float) -> Mass:
    """A homogeneous shape of this mass, in the frame its pose is given in."""
    return mass, shape.pose.position, turned(moments(shape), np.array(shape.pose.rotation), mass)


def turned(principal: Sequence[float], rotation: Array, factor: float = 1.0) -> Matrix:
    """Principal moments as the matrix in turned axes."""
    return matrix(factor * rotation @ np.diag(principal) @ rotation.T)


Corners = NDArray[np.float64]
MOST_BYTES = 50_000_000
ABOVE = 5
"""Number of parent folders of the robot's file that are searched for a ``package://``."""
ROUNDING = 40.0
"""β times the largest distance from the middle."""
DIRECTIONS = np.array([d for d in product((-1.0, 0.0, 1.0), repeat=3) if np.count_nonzero(d) in (1, 3)])
"""To the faces and corners of a cube."""


def mesh_shape(mesh: Geometry, folder: Path) -> Shape | None:
    """The rounded hull of a mesh in the axes of the geometry; None where no file that is read is at hand."""
    path = _found(mesh.mesh, folder)
    corners = _corners(path) if path is not None else np.empty((0, 3))
    if len(corners) < 4:
        return None
    corners = corners * np.array(mesh.scale)
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    arms = corners - middle
    size = float(np.max(np.linalg.norm(arms, axis=1)))
    spread = np.linalg.svd(arms, compute_uv=False)
    if not np.isfinite(size) or spread[2] < 1e-9 * spread[0]:
        return None  # flat: no hull
    kept = arms[sorted(set(np.argmax(arms @ DIRECTIONS.T, axis=0).tolist()))]
    beta = ROUNDING / size
    terms = [" + ".join(f"({beta * e:.3g})*n{k + 1}" for k, e in enumerate(arm) if abs(e) > 1e-6 * size) for arm in kept]
    text = f"log({' + '.join(f'exp({term})' for term in terms)})/{beta:.4g}"
    x, y, z = (float(e) for e in middle)
    return Shape("convex", support=text, offset=(x, y, z))


def _found(name: str, folder: Path) -> Path | None:
    """The file of a mesh: below the robot's folder or its neighbours; of a package below the folder of its name."""
    plain = name.removeprefix("file://")
    places = [folder / plain]
    if name.startswith(("package://", "model://")):
        package, _, rest = name.split("://", 1)[1].partition("/")
        above = [folder, *folder.resolve().parents][:ABOVE]
        places = [place for up in above for place in (up / package / rest, up / rest)]
    return next((p for p in places if p.is_file() and p.stat().st_size <= MOST_BYTES), None)


def _corners(path: Path) -> Corners:
    """The corners in an STL (binary or text) or OBJ file; none of other files."""
    nothing = np.empty((0, 3))
    data = path.read_bytes()
    if path.suffix.lower() == ".stl":
        count = int.from_bytes(data[80:84], "little")
        if len(data) >= 84 and len(data) == 84 + 50 * count:
            records = np.frombuffer(data, dtype=np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]), offset=84)
            return np.asarray(records["v"], dtype=float).reshape(-1, 3)
        return _words(data, b"vertex") if data.lstrip().startswith(b"solid") else nothing
    return _words(data, b"v") if path.suffix.lower() == ".obj" else nothing


def _words(data: bytes, word: bytes) -> Corners:
    """The three numbers behind a word at the beginning of lines."""
    lines = [line.split()[1:4] for line in data.splitlines() if line.split()[:1] == [word]]
    try:
        return np.array(lines, dtype=float).reshape(-1, 3)
    except ValueError:
        return np.empty((0, 3))


def scale_of(numbers: tuple[float, ...]) -> Vector:
    """One number or three as the scale of a mesh."""
    x, y, z = numbers * 3 if len(numbers) == 1 else numbers
    return (x, y, z)
