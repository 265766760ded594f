"""Heights on a grid: the spline of SciPy, twice differentiable, and a ball that rolls on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.errors import NonholoError
from nonholo.machines.contact_geometry.grid_heights import grid_height
from nonholo.machines.contact_geometry.surfaces import read_ground
from tests.machines.free_bodies import free_body


def test_the_spline_is_that_of_scipy() -> None:
    """Not-a-knot cubic splines along one direction, then along the other; also beyond the edges."""
    random = np.random.default_rng(3)
    heights = random.normal(size=(6, 5))
    x, y = np.arange(6) * 0.4 - 1.0, np.arange(5) * 0.4 + 0.3
    ours = grid_height(heights, 0.4, (-1.0, 0.3), "ground")
    for a, b in random.uniform([-1.3, 0.0], [1.3, 2.2], size=(12, 2)):
        along = CubicSpline(x, heights, axis=0)(a)
        there = {"x": float(a), "y": float(b)}
        assert abs(evaluate([ours], there)[0] - CubicSpline(y, along)(b)) < 1e-12
        twice = ours.diff("x").diff("y")
        assert abs(evaluate([twice], there)[0] - CubicSpline(y, CubicSpline(x, heights, axis=0)(a, 1))(b, 1)) < 1e-11


@pytest.mark.slow
def test_a_ball_rolls_on_a_grid_and_keeps_its_energy(tmp_path: Path) -> None:
    x, y = np.meshgrid(np.arange(7) - 3.0, np.arange(7) - 3.0, indexing="ij")
    np.save(tmp_path / "hill.npy", 0.1 * x**2 + 0.08 * y**2 + 0.02 * np.sin(3 * x + y))
    system, _ = free_body(
        {"kind": "ball", "radius": 0.2}, {"grid": str(tmp_path / "hill.npy"), "cell": 1.0}, start={"x": 0.9, "y": -0.4}
    )
    run = nh.simulate(system, {"x": 0.9, "y": -0.4, "w1": 1.0, "w2": 2.0}, 10.0, rtol=1e-11, atol=1e-11)
    assert run.outcome.reached
    energy = run.data["energy"].values
    assert np.ptp(energy) < 1e-8 * np.max(np.abs(energy))
    assert np.ptp(run.data["c_x"].values) > 1.0  # it crosses cells


def test_a_file_of_heights_lies_beside_the_machine(tmp_path: Path) -> None:
    np.savetxt(tmp_path / "hill.csv", np.outer(np.arange(4), np.ones(4)) * 0.1, delimiter=",")
    words = 'shape = {kind = "ball", radius = 0.1}\n[[contacts]]\nbody = "b"\n'
    text = f'[ground]\ngrid = "hill.csv"\ncell = 0.5\ncorner = [-1, -1]\n[[bodies]]\nname = "b"\nmass = 1\n{words}'
    (tmp_path / "m.toml").write_text(text)
    system = nh.load(tmp_path / "m.toml")
    start = {n: float(e) for n, e in system.start.items()}
    assert abs(start["z"] - 0.2 - 0.1 * np.sqrt(1.04)) < 1e-9  # a plane of slope 0.2 at x = 0, touched beside the centre
    ground = nh.Ground(grid=np.zeros((4, 4)), cell=1)
    assert ground.grid == ((0.0,) * 4,) * 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"grid": [[1, 2], [3, 4]], "cell": 0.1}, "shape .2, 2.; give finite heights, at least 4"),
        ({"grid": np.zeros((50, 50)), "cell": 0.1}, "2500 heights; at most 400"),
        ({"grid": "nowhere.npy", "cell": 0.1}, "cannot be read"),
        ({"grid": np.zeros((5, 5))}, "grid needs cell"),
        ({"grid": np.zeros((5, 5)), "cell": "R"}, "cell: unknown name 'R'"),
        ({"grid": np.zeros((5, 5)), "cell": 1, "corner": [0]}, "corner has 1 numbers"),
        ({"grid": np.zeros((5, 5)), "cell": 0.0}, "cell = 0; give the distance"),
        ({"sphere": "R", "cone": "R"}, "sphere and cone are given"),
        ({"spere": "R"}, "did you mean 'sphere'"),
        ({"height": "x*y", "turning": "R*t"}, "changes with time under a surface that is not round"),
        ({"height": "x*y", "inside": True}, "height has no inside"),
        ({"implicit": "R - 1"}, "holds none of x, y, z"),
        ({"moving": "sin(t)"}, "give three displacements"),
    ],
)
def test_mistakes_in_a_ground_are_said_in_words(words: dict[str, Any], said: str) -> None:
    with pytest.raises(NonholoError, match=said):
        read_ground(words, ["R"])
