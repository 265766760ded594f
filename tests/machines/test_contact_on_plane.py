"""Bodies on a plane by their support functions: the same accelerations as the hand-written systems of the gallery."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.machines.contact_geometry.shape_record import centre_of_mass, homogeneous_inertia, support, support_point
from nonholo.machines.contact_geometry.support_functions import NORMAL, read_shape
from tests.machines.free_bodies import free_body

RATES = ("w1", "w2", "w3")


def attitude(random: np.random.Generator) -> dict[str, float]:
    turned, _ = np.linalg.qr(random.normal(size=(3, 3)))
    turned *= np.sign(np.linalg.det(turned))
    return {f"R{i + 1}{j + 1}": float(turned[i, j]) for i in range(3) for j in range(3)}


CASES: dict[str, tuple[str, dict[str, Any], dict[str, Any], dict[str, float], tuple[str, str, str]]] = {
    "Chaplygin sphere": (
        "chaplygin-sphere", {}, {"kind": "ball", "radius": "r"},
        {"r": 0.3, "J1": 0.02, "J2": 0.03, "J3": 0.04}, ("J1", "J2", "J3"),
    ),
    "Routh sphere": (
        "routh-sphere", {}, {"kind": "ball", "radius": "r", "offset": [0, 0, "a"]},
        {"r": 0.3, "a": 0.06, "A": 0.03, "C": 0.04}, ("A", "A", "C"),
    ),
    "disk": (
        "rolling-disk", {}, {"kind": "disk", "radius": "r", "axis": "z"}, {"r": 0.3, "A": 0.02, "B": 0.03}, ("A", "A", "B"),
    ),
    "rattleback": (
        "rattleback", {}, {"kind": "ellipsoid", "a": "a", "b": "b", "c": "c", "offset": [0, 0, "h"]},
        {"a": 0.3, "b": 0.2, "c": 0.1, "h": 0.05, "I1": 0.02, "I2": 0.03, "I3": 0.04, "delta": 0.0}, ("I1", "I2", "I3"),
    ),
    "torus": (
        "rolling-body", {"profile": "wheel"}, {"kind": "wheel", "radius": "p + b", "tube": "b", "axis": [0, 0, 2]},
        {"p": 0.3, "b": 0.04, "J1": 0.02, "J3": 0.03}, ("J1", "J1", "J3"),
    ),
    "egg": (
        "rolling-body", {"profile": "egg"}, {"kind": "convex", "support": "sqrt(p**2*(1 - n3**2) + q**2*n3**2) - e*n3"},
        {"p": 0.3, "q": 0.34, "e": 0.04, "J1": 0.02, "J3": 0.03}, ("J1", "J1", "J3"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_accelerations_are_those_of_the_gallery(case: str) -> None:
    entry, options, shape, own, inertia = CASES[case]
    random = np.random.default_rng(5)
    values = {"m": 0.7, "g": 9.81, **own}
    exhibit = nh.gallery.get(entry, **options)
    hand = nh.prepare(exhibit.system, {n: e for n, e in values.items() if n in exhibit.system.parameters})
    words, _ = free_body(shape, values=values, inertia=inertia, start=attitude(random))
    model = nh.prepare(words)
    for _ in range(3):
        state = {**attitude(random), **dict(zip(RATES, random.normal(size=3)))}
        one, two = hand.rates(state), model.rates(state)
        compared = [n for n in one if n in two]
        assert {"w1", "w2", "w3", "xdot", "ydot"} <= set(compared)
        size = max(1.0, max(abs(one[n]) for n in compared))
        assert max(abs(one[n] - two[n]) for n in compared) < 1e-11 * size


SHAPES: dict[str, Mapping[str, Any]] = {
    "disk": {"kind": "disk", "radius": 0.3},
    "wheel": {"kind": "wheel", "radius": 0.3, "tube": 0.05},
    "ball": {"kind": "ball", "radius": 0.3},
    "ellipsoid": {"kind": "ellipsoid", "a": 0.3, "b": 0.2, "c": 0.1},
    "cylinder": {"kind": "cylinder", "radius": 0.2, "length": 0.5},
    "cone": {"kind": "cone", "radius": 0.2, "length": 0.5},
    "rod": {"kind": "rod", "length": 0.5, "axis": [1, 2, -1]},
    "box": {"kind": "box", "x": 0.3, "y": 0.2, "z": 0.1},
    "capsule": {"kind": "capsule", "radius": 0.2, "length": 0.5, "axis": "x"},
    "convex": {"kind": "convex", "support": "0.3 + 0.02*n1*n2 + 0.03*n3**3"},
}


@pytest.mark.parametrize("name", SHAPES)
def test_contact_point_is_the_gradient_of_the_support_function(name: str) -> None:
    """h(n) = n·ρ(n), and ρ is its gradient along the sphere, by central differences."""
    shape = read_shape({**SHAPES[name], "offset": [0.1, -0.2, 0.3]}, [], name)
    far, place = support(shape, NORMAL), support_point(shape, NORMAL)
    random = np.random.default_rng(2)

    def values(normal: np.ndarray) -> np.ndarray:
        return evaluate([far, *place], dict(zip(map(str, NORMAL), normal)))

    for _ in range(5):
        normal = random.normal(size=3)
        normal /= np.linalg.norm(normal)
        reach, *point = values(normal)
        assert abs(reach - np.dot(normal, point)) < 1e-15
        aside = np.cross(normal, random.normal(size=3))
        aside /= np.linalg.norm(aside)
        ahead, behind = (values(np.cos(s) * normal + np.sin(s) * aside)[0] for s in (1e-5, -1e-5))
        assert abs((ahead - behind) / 2e-5 - np.dot(aside, point)) < 1e-9


INSIDE: dict[str, Any] = {
    "ellipsoid": lambda x, y, z: (x / 0.3) ** 2 + (y / 0.2) ** 2 + (z / 0.1) ** 2 < 1,
    "cylinder": lambda x, y, z: (x**2 + y**2 < 0.04) & (abs(z) < 0.25),
    "cone": lambda x, y, z: (z > 0) & (np.sqrt(x**2 + y**2) < 0.2 * (1 - z / 0.5)),
    "box": lambda x, y, z: (abs(x) < 0.15) & (abs(y) < 0.1) & (abs(z) < 0.05),
    "capsule": lambda x, y, z: (np.maximum(abs(x) - 0.25, 0) ** 2 + y**2 + z**2) < 0.04,
}


@pytest.mark.parametrize("name", INSIDE)
def test_inertia_and_centre_are_those_of_the_homogeneous_shape(name: str) -> None:
    """Against sums over the cells of a grid that lie inside."""
    shape = read_shape(SHAPES[name], [], name)
    steps = (np.arange(104) + 0.5) / 100 - 0.52
    points = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    kept = points[INSIDE[name](*points.T)]
    centre = kept.mean(axis=0)
    second = (kept - centre).T @ (kept - centre) / len(kept)
    summed = np.trace(second) * np.eye(3) - second
    one = NORMAL[0] * 0 + 1
    exact = evaluate([e for row in homogeneous_inertia(shape, one) for e in row], {}).reshape(3, 3)
    assert np.max(np.abs(exact - summed)) < 0.02 * np.max(exact)
    assert np.max(np.abs(evaluate(centre_of_mass(shape), {}) - centre)) < 0.003


def test_inertia_of_a_solid_torus_is_its_integral() -> None:
    """∫ over the tube's cross-section, by Gauss–Legendre in radius and the trapezoidal rule in the angle."""
    middle, tube = 0.25, 0.05
    nodes, weights = np.polynomial.legendre.leggauss(8)
    radius, angle = np.meshgrid((nodes + 1) / 2 * tube, np.arange(16) * np.pi / 8, indexing="ij")
    away, up = middle + radius * np.cos(angle), radius * np.sin(angle)
    share = weights[:, None] * radius * away
    axial = np.sum(share * away**2) / np.sum(share)
    across = np.sum(share * (away**2 / 2 + up**2)) / np.sum(share)
    shape = read_shape(SHAPES["wheel"], [], "wheel")
    found = evaluate([e for row in homogeneous_inertia(shape, NORMAL[0] * 0 + 1) for e in row], {}).reshape(3, 3)
    assert np.allclose(found, np.diag([across, axial, across]), atol=1e-15)


def test_a_torus_tends_to_the_thin_disk() -> None:
    """Accelerations differ by O(tube)."""
    random = np.random.default_rng(9)
    start = attitude(random)
    state = {**attitude(random), **dict(zip(RATES, random.normal(size=3)))}
    thin = nh.prepare(free_body({"kind": "disk", "radius": 0.3}, start=start)[0]).rates(state)
    gaps = []
    for tube in (1e-3, 1e-5, 0.0):
        thick = nh.prepare(free_body({"kind": "wheel", "radius": 0.3, "tube": tube}, start=start)[0]).rates(state)
        gaps.append(max(abs(thick[n] - thin[n]) for n in RATES))
    assert gaps[2] < 1e-12
    assert 50 < gaps[0] / gaps[1] < 200
