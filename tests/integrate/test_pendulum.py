"""Zenkov's pendulum beside RATTLE and Störmer–Verlet, and its generalisation to heavy Suslov tops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import root

import nonholo as nh
from benchmarks import pendulum
from nonholo import gallery
from nonholo.geometry.groups.matrix_groups import Vertical


def test_the_pendulum_in_three_sets_of_coordinates_is_one() -> None:
    """By dop853: γ, a point on a sphere, angles; heights and energies agree."""
    words = {"until": 20.0, "rtol": 1e-12, "atol": 1e-13, "t_eval": 21, "progress": False}
    body, point, angles = (
        nh.simulate(pendulum.system(c, pendulum.START), **words) for c in ("γ", pendulum.POINT, pendulum.ANGLES)
    )
    assert 9.8 * body["gamma3"] == pytest.approx(point["z"], abs=1e-9)
    assert -9.8 * np.cos(angles["theta"]) == pytest.approx(point["z"], abs=1e-9)
    assert body["energy"][0] == pytest.approx(point["energy"][0], rel=1e-13) == pytest.approx(angles["energy"][0], rel=1e-13)


@pytest.mark.parametrize("method", ["rattle", "verlet"])
@pytest.mark.parametrize("coordinates", [pendulum.POINT, pendulum.ANGLES])
def test_rattle_and_verlet_beside_the_papers_method(coordinates: str, method: str) -> None:
    """10,000 steps: the length is kept where it is a coordinate's, the energy to a part in a thousand and not to rounding."""
    run = pendulum.moved(coordinates, method, 10_000)
    length, energy = pendulum.errors(run, coordinates)
    assert run.outcome.reached and 1e-3 < energy.max() < 1e-2
    assert length is None if coordinates == pendulum.ANGLES else length.max() < 1e-15
    if coordinates == pendulum.POINT:
        turn = run["x"] * run["ydot"] - run["y"] * run["xdot"]
    else:
        turn = np.sin(run["theta"]) ** 2 * run["phidot"]
    assert np.max(np.abs(turn / turn[0] - 1)) < 1e-12
    _, ours = pendulum.errors(pendulum.moved("γ", "hamel", 10_000, kinematics="averaged"), "γ")
    assert ours.max() < 1e-14


@pytest.mark.parametrize("method", ["rattle", "verlet"])
def test_compensated_sums_of_rattle_and_verlet(method: str) -> None:
    """A particle that drifts far while it swings: 1000.1 + 0.1 t, a million sums; compensated they are right to the last bits."""
    drifting = nh.System(
        "drifting", coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - y**2/2",
        start={"x": 1000.1, "xdot": 0.1, "y": 1.0},
    )  # fmt: skip

    def gap(compensated: bool) -> float:
        words: dict[str, Any] = {"method": method, "step": 0.1, "compensated": compensated, "progress": False}
        return abs(nh.simulate(drifting, until=1e5, t_eval="end", **words).final["x"] - 11000.1)

    assert gap(True) < 1e-11 < 1e-9 < gap(False)


def suslov(inertia: np.ndarray, centre: np.ndarray, axis: np.ndarray, start: dict[str, float]) -> nh.System:
    """A heavy top in the vertical γ that may not turn about an axis of the body."""
    table = " + ".join(f"({float(inertia[i, j])!r})*xi{i + 1}*xi{j + 1}/2" for i in range(3) for j in range(3))
    weight = " - ".join(["0", *(f"({8.829 * float(c)!r})*gamma{i + 1}" for i, c in enumerate(centre))])
    held = " + ".join(f"({float(a)!r})*xi{i + 1}" for i, a in enumerate(axis))
    return nh.System(
        "heavy Suslov top", frame=Vertical("gamma", rates="xi1 xi2 xi3"), lagrangian=f"{table} + {weight}",
        constraints=[held], start=start,
    )  # fmt: skip


INERTIA = np.array([[0.31, 0.03, 0.05], [0.03, 0.24, -0.04], [0.05, -0.04, 0.2]])
CENTRE, AXIS = np.array([0.05, 0.11, 0.3]), np.array([0.2, -0.3, 1.0])
START = {"gamma1": 0.3, "gamma2": 0.2, "gamma3": -float(np.sqrt(0.87)), "xi1": 2.0, "xi2": -1.0}


def test_the_averaged_method_moves_heavy_suslov_tops() -> None:
    """(6.6) and (6.7) with any inertia, any centre of mass, any axis: the equations by hand, with the reaction, by SciPy."""
    h, weight = 0.02, 0.9 * 9.81
    top = suslov(INERTIA, CENTRE, AXIS, START)
    run = nh.simulate(
        top, until=60 * h, method="hamel", kinematics="averaged", step=h, t_eval="steps", progress=False
    )
    x, g = (np.array([run[f"{n}{i}"][0] for i in (1, 2, 3)]) for n in ("xi", "gamma"))
    assert abs(AXIS @ x) < 1e-14

    def push(x: np.ndarray, g: np.ndarray) -> np.ndarray:
        return np.cross(INERTIA @ x, x) + weight * np.cross(g, CENTRE)

    def gap(new: np.ndarray, x: np.ndarray, g: np.ndarray) -> np.ndarray:
        fast, there, force = new[:3], new[3:6], new[6]
        balance = INERTIA @ (fast - x) - h / 2 * (push(x, g) + push(fast, there)) - force * AXIS
        return np.concatenate([balance, there - g - h * np.cross((there + g) / 2, (fast + x) / 2), [AXIS @ fast]])

    for k in range(60):
        found = root(gap, np.concatenate([x, g, [0.0]]), args=(x, g), tol=1e-14).x
        x, g = found[:3], found[3:6]
        assert [run[f"xi{i}"][k + 1] for i in (1, 2, 3)] == pytest.approx(x, abs=1e-10)
        assert [run[f"gamma{i}"][k + 1] for i in (1, 2, 3)] == pytest.approx(g, abs=1e-10)


@pytest.mark.parametrize("kinematics", ["straight", "averaged", "exponential", "cayley"])
def test_every_kinematics_has_order_two_on_a_heavy_suslov_top_and_keeps_the_vertical(kinematics: str) -> None:
    top = suslov(INERTIA, CENTRE, AXIS, START)
    exact = nh.simulate(top, until=1.0, rtol=1e-13, atol=1e-14, t_eval="end", progress=False).final
    errors = []
    for step in (0.01, 0.005):
        words = {"method": "hamel", "kinematics": kinematics, "step": step, "progress": False}
        run = nh.simulate(top, until=1.0, t_eval="steps", **words)
        errors.append(max(abs(run.final[n] - exact[n]) for n in ("gamma1", "gamma2", "gamma3", "xi1", "xi2", "xi3")))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.1)
    assert np.max(np.abs(run["gamma1"] ** 2 + run["gamma2"] ** 2 + run["gamma3"] ** 2 - 1)) < 1e-13


def test_the_gallerys_top_in_rotation_matrices_and_in_the_vertical() -> None:
    """`heavy-suslov-top` by energy_exact: R and γ go the same way to the order of the step, the energy is kept in both."""
    exhibit = gallery.get("heavy-suslov-top")
    rows = (("I1", "I12", "I13"), ("I12", "I2", "I23"), ("I13", "I23", "I3"))
    inertia = np.array([[exhibit.parameters[n] for n in row] for row in rows])
    centre = np.array([exhibit.parameters[f"c{i}"] for i in (1, 2, 3)])
    begun = {f"gamma{i}": float(exhibit.start[f"R3{i}"]) for i in (1, 2, 3)}
    top = suslov(inertia, centre, np.array([0.0, 0.0, 1.0]), {**begun, "xi1": 2.0, "xi2": -1.0})
    words = {"until": 2.0, "method": "energy_exact", "progress": False, "t_eval": 21}
    gaps = []
    for step in (0.01, 0.005):
        whole = nh.simulate(exhibit.system, exhibit.start, parameters=exhibit.parameters, step=step, **words)
        part = nh.simulate(top, step=step, **words)
        assert whole.drift("energy") < 1e-13 and part.drift("energy") < 1e-13
        gaps.append(max(np.max(np.abs(whole[f"R3{i}"] - part[f"gamma{i}"])) for i in (1, 2, 3)))
    assert gaps[1] < 1e-12 or np.log2(gaps[0] / gaps[1]) == pytest.approx(2, abs=0.2)
