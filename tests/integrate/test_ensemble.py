"""Many motions: the same as one by one, and one bad member spoils no other."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.integrate.many import start_arrays as starts
from tests import systems

P = {"m": 1.3, "J": 0.7, "a": 0.4}


def test_members_are_bit_for_bit_the_single_motions():
    omegas = np.linspace(0.5, 2.0, 7)
    runs = nh.ensemble(
        systems.unbalanced_sleigh(),
        {"omega": omegas, "v": -1.0},
        6.0,
        {**P, "a": np.linspace(0.2, 0.5, 7)},
        events=["v"],
    )
    for k in (0, 3, 6):
        one = nh.simulate(
            systems.unbalanced_sleigh(),
            {"omega": omegas[k], "v": -1.0},
            6.0,
            {**P, "a": np.linspace(0.2, 0.5, 7)[k]},
            events=["v"],
        )
        assert np.array_equal(runs["x"].values[k], one["x"]) and runs["final_theta"].values[k] == one.final["theta"]
        assert runs["event_0"].values[k, 0] == one.events["v"][0]
    assert set(runs["outcome"].values) == {"reached"} and runs.sizes["member"] == 7


def test_a_failed_member_says_why_and_leaves_the_others_alone():
    blow_up = nh.System(coordinates="x", parameters="m", lagrangian="m/2*xdot**2", forces={"x": "2*m*x**3"})
    runs = nh.ensemble(
        blow_up, [{"x": 0.1, "xdot": 0.01}, {"x": 1.0, "xdot": 1.0}, {"x": np.nan, "xdot": 0.0}], 2.0, {"m": 1.0}
    )
    kinds = list(runs["outcome"].values)
    assert kinds[0] == "reached" and kinds[1] in ("step too small", "not finite") and kinds[2] == "bad start"
    assert runs["end_time"].values[1] == pytest.approx(1.0, abs=1e-3) and str(runs["advice"].values[1])
    assert (
        np.isfinite(runs["x"].values[0]).all()
        and np.isnan(runs["x"].values[1, -1])
        and np.isnan(runs["x"].values[2]).all()
    )
    alone = nh.simulate(blow_up, {"x": 0.1, "xdot": 0.01}, 2.0, {"m": 1.0})
    assert np.array_equal(alone["x"], runs["x"].values[0])


def test_members_whose_frame_degenerates_go_on_in_another():
    headings = np.linspace(0.0, 3.0, 4)
    runs = nh.ensemble(
        systems.balanced_sleigh(),
        {"theta": headings, "thetadot": 0.8, "xdot": 2 * np.cos(headings), "ydot": 2 * np.sin(headings)},
        10.0,
        {"m": 1.1, "J": 0.3},
        rtol=1e-11,
        atol=1e-12,
    )
    assert list(runs["outcome"].values) == ["reached"] * 4
    exact = 2.5 * (np.sin(headings + 8.0) - np.sin(headings))
    assert np.max(np.abs(runs["final_x"].values - exact)) < 1e-8


def test_group_frames_and_parametric_systems_in_ensembles():
    values = dict(zip(systems.SUSLOV_PARAMETERS.split(), (1.0, 2.0, 3.0, 0.4, 0.3, 0.5, 1.0)))
    rates = {"w1": np.array([0.4, 0.9, 1.3]), "w2": 0.2}
    runs = nh.ensemble(systems.suslov_matrix(), rates, 2.0, values)
    one = nh.simulate(systems.suslov_matrix(), {"w1": 0.9, "w2": 0.2}, 2.0, values)
    assert np.max(np.abs(runs["R12"].values[1] - one["R12"])) < 1e-13  # starts are solved together, so rounding differs
    points = nh.ensemble(
        systems.parallel_points_parametric(),
        {"v1": [1.0, 2.0], "v2": -0.5, "th": 0.3, "x2": 1.0},
        1.0,
        {"m1": 1.0, "m2": 2.0, "g": 9.0},
    )
    alone = nh.simulate(
        systems.parallel_points_parametric(),
        {"v1": 2.0, "v2": -0.5, "th": 0.3, "x2": 1.0},
        1.0,
        {"m1": 1.0, "m2": 2.0, "g": 9.0},
    )
    assert np.array_equal(points["x1"].values[1], alone["x1"])


def test_inputs_of_time_reach_every_member_and_the_ends():
    """m ẍ = cos t from rest: x = (1 − cos t)/m; the power of the input at the end is F ẋ."""
    cart = nh.System(coordinates="x", parameters="m", inputs="F", lagrangian="m/2*xdot**2 + F*x", forces={})
    masses = np.array([0.5, 1.6, 3.0])
    runs = nh.ensemble(cart, {"x": np.zeros(3)}, 2.0, {"m": masses}, inputs={"F": np.cos}, rtol=1e-12, atol=1e-13)
    exact = (1 - np.cos(runs["t"].values)) / masses[:, None]
    assert np.max(np.abs(runs["x"].values - exact)) < 1e-11
    energy = np.sin(2.0) ** 2 / (2 * masses) - np.cos(2.0) * exact[:, -1]
    assert runs["final_energy"].values == pytest.approx(energy, abs=1e-11)


@pytest.mark.parametrize(
    ("starts", "parameters", "words"),
    [
        ([], P, "no starts"),
        ([{"omega": 1.0}, {"v": 1.0}], P, "some starts only"),
        ({"omega": [1.0, 2.0], "v": [1.0, 2.0, 3.0]}, P, "different lengths"),
        ({"omega": [1.0, 2.0]}, {"m": 1.0, "J": 1.0}, "'a' has no value"),
        ({"omega": [np.nan, np.nan]}, P, "no member can start"),
    ],
)
def test_bad_ensembles_are_one_clear_error(starts, parameters, words):
    with pytest.raises(nh.StateError, match=words):
        nh.ensemble(systems.unbalanced_sleigh(), starts, 1.0, parameters)


def test_starts_of_many_are_those_of_each_one():
    """Also where the table of one start is singular (x = y = 0), and where another one's is not finite (x = inf)."""
    turning = nh.System(
        coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["x*ydot - y*xdot - z*zdot"]
    )
    random = np.random.default_rng(3)
    given = {n: random.normal(size=8) for n in ("x", "y", "z", "xdot")}
    given["x"][5] = given["y"][5] = 0.0
    given["x"][6] = np.inf
    full, problems = starts.complete_states(turning, given, {}, 8)
    for k in range(8):
        if k == 6:
            assert "not finite" in problems[k] and np.isnan(full["ydot"][k])
            continue
        alone = nh.complete_state(turning, {n: a[k] for n, a in given.items()})
        assert problems[k] == "" and {n: full[n][k] for n in alone} == alone
    assert full["ydot"][5] == full["zdot"][5] == 0.0


def test_a_start_of_many_that_breaks_a_constraint_is_bad_alone_and_in_company():
    sleigh = systems.unbalanced_sleigh()
    runs = nh.ensemble(sleigh, {"theta": [0.0, 1.0], "xdot": 1.0, "ydot": 0.0}, 1.0, P)
    assert runs["outcome"].values.tolist() == ["reached", "bad start"]
    assert "breaks the constraints by" in str(runs["advice"].values[1])
    with pytest.raises(nh.StateError, match="breaks constraint 1"):
        nh.complete_state(sleigh, {"theta": 1.0, "xdot": 1.0, "ydot": 0.0}, P)


def test_a_dict_of_inputs_for_each_member():
    spring = nh.System(coordinates="x", lagrangian="xdot**2/2 - x**2", inputs=["F", "G"], forces={"x": "F - G*xdot"})
    starts, inputs = [{"x": 1.0}, {"x": 2.0}], [{"F": 1.0, "G": 0.5}, {"F": "pi/6", "G": 0.0}]
    many = nh.ensemble(spring, starts, 1.0, inputs=inputs)
    for k, (start, given) in enumerate(zip(starts, inputs)):
        assert float(many["final_x"][k]) == nh.simulate(spring, start, 1.0, inputs=given).final["x"]
    with pytest.raises(nh.StateError, match="member 1 has no 'G'"):
        nh.ensemble(spring, starts, 1.0, inputs=[{"F": 1.0, "G": 0.5}, {"F": 1.0}])
