"""Singular starts, each with the outcome it must have; docs/robust.md shows the same table."""

from __future__ import annotations

from math import asin, cos, log, pi, sin, sqrt
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh

PLANE = "(xdot**2 + ydot**2)/2"
SPACE = "(xdot**2 + ydot**2 + zdot**2)/2"
TOP = nh.System(
    coordinates="phi theta psi", parameters={"A": 1.1, "C": 0.7, "mgl": 2.9},
    lagrangian="A/2*(thetadot**2 + phidot**2*sin(theta)**2) + C/2*(psidot + phidot*cos(theta))**2 - mgl*cos(theta)",
)  # fmt: skip
PENDULUM = nh.System(coordinates="theta phi", lagrangian="(thetadot**2 + sin(theta)**2*phidot**2)/2 + 9.81*cos(theta)")
POLAR = nh.System(coordinates="r phi", lagrangian="(rdot**2 + r**2*phidot**2)/2")
TURNING = nh.System(frame=nh.SO3("R", rates="w1 w2 w3"), lagrangian="w1**2/2 + w2**2 + 3*w3**2/2")
QUATERNION = nh.System(frame=nh.Quaternion("q", rates="w1 w2 w3"), lagrangian="w1**2/2 + w2**2 + 3*w3**2/2")
DISK = nh.gallery.get("rolling-disk")
FALLING = "depends on the others at this configuration"

REFUSED = [
    ("a rolling disk that lies flat", DISK.system, {}, DISK.parameters, "no finite numbers at this start"),
    ("a constraint without slope",
     nh.System(coordinates="x y", lagrangian=PLANE, constraints=["x*xdot + y*ydot"]), {}, None,
     "says nothing at this configuration"),
    ("two constraints that agree here",
     nh.System(coordinates="x y z", lagrangian=SPACE, constraints=["zdot - x*ydot", "zdot + x*ydot"]),
     {"xdot": 1.0}, None, FALLING),
    ("a constraint without slope at its first time",
     nh.System(coordinates="x y", lagrangian=PLANE, constraints=["sin(t)*xdot"]), {"ydot": 1.0}, None,
     "says nothing at t = 0"),
    ("two constraints that agree at their first time",
     nh.System(coordinates="x y z", lagrangian=SPACE, constraints=["xdot - ydot", "xdot - ydot + t*zdot"]), {"zdot": 1.0},
     None, "depends on the others at t = 0"),
    ("two constraints that agree with these parameters",
     nh.System(coordinates="x y z", parameters={"e": 0}, lagrangian=SPACE, constraints=["xdot - ydot", "xdot - ydot + e*zdot"]),
     {}, None, "depends on the others with e = 0"),
    ("a coordinate without inertia",
     nh.System(coordinates="x y", lagrangian="xdot**2/2 - y**2"), {"x": 1.0}, None, "no kinetic energy"),
    ("a quaternion of zeros", QUATERNION, dict.fromkeys(QUATERNION.coordinates, 0.0), None, "breaks the relation"),
    ("a matrix of zeros", TURNING, dict.fromkeys(TURNING.coordinates, 0.0), None, "breaks the relation"),
    ("a reflection for a rotation", TURNING, {"R33": -1.0}, None, "a reflection"),
    ("a snakeboard with both axles across", nh.gallery.get("snakeboard").system,
     {"phi": pi / 2, "theta": pi / 2, "psi": pi / 2}, nh.gallery.get("snakeboard").parameters, FALLING),
    ("two points in one place",
     nh.gallery.get("orthogonal-points").system, {}, nh.gallery.get("orthogonal-points").parameters,
     "says nothing at this configuration"),
]  # fmt: skip
"""Name, system, start, parameters, what the sentence says."""

STOPPED = [
    ("a top at its gimbal pole", TOP, {"psidot": 3.0}, "mass matrix singular", 0.0),
    ("a spherical pendulum in angles, at its pole", PENDULUM, {"thetadot": 1.0}, "mass matrix singular", 0.0),
    ("polar coordinates at the origin", POLAR, {"rdot": 1.0}, "mass matrix singular", 0.0),
    ("polar coordinates that turn at the origin", POLAR, {"phidot": 1.0}, "mass matrix singular", 0.0),
    ("a root at its edge", nh.System(coordinates="x", lagrangian="xdot**2/2 - sqrt(x)"), {"xdot": 1.0}, "not finite", 0.0),
    ("a logarithm at zero", nh.System(coordinates="x", lagrangian="xdot**2/2 - log(x)"), {}, "not finite", 0.0),
    ("a mass that is no number", nh.System(coordinates="x", lagrangian="-sqrt(1 - xdot**2)"), {"xdot": 2.0}, "not finite", 0.0),
    ("two masses that are no numbers", nh.System(coordinates="x y", lagrangian="sqrt(x)*(xdot**2 + ydot**2)"), {"x": -2.0},
     "not finite", 0.0),
    ("a fall into 1/x", nh.System(coordinates="x", lagrangian="xdot**2/2 + 1/x"), {"x": 1.0}, "step too small", pi / sqrt(8)),
    ("a root whose edge is met on the way", nh.System(coordinates="x", lagrangian="xdot**2/2 - 2*sqrt(x)"),
     {"x": 1.0, "xdot": -2.0}, "not finite", (8 * sqrt(2) - 10) / 3),
]  # fmt: skip
"""Name, system, start, kind of the outcome, time of the end (by hand: ẋ² = 2(1/x − 1); ẋ² = 4(2 − √x), so t = ∫ dx/|ẋ|)."""


@pytest.mark.parametrize(("system", "start", "values", "words"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_refused_in_words(system: nh.System, start: dict, values: dict | None, words: str, capfd) -> None:
    with pytest.raises(nh.NonholoError, match=words):
        nh.simulate(system, start, 2.0, values)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("system", "start", "kind", "time"), [c[1:] for c in STOPPED], ids=[c[0] for c in STOPPED])
def test_an_outcome_where_it_ends(system: nh.System, start: dict, kind: str, time: float) -> None:
    run = nh.simulate(system, start, 2.0)
    assert run.outcome.kind == kind and run.outcome.advice
    assert run.outcome.time == pytest.approx(time, abs=1e-6)


def test_through_a_gimbal_pole_without_turning_it_is_a_plane_pendulum() -> None:
    """The angle goes on beyond the pole: θ̈ = −9.81 sin θ, solved apart by an elliptic integral's first return."""
    from scipy.integrate import solve_ivp

    run = nh.simulate(PENDULUM, {"theta": 0.5}, 2.0)
    apart = solve_ivp(lambda t, y: [y[1], -9.81 * sin(y[0])], (0, 2.0), [0.5, 0.0], rtol=1e-12, atol=1e-13)
    assert run.outcome.reached and run.final["theta"] == pytest.approx(apart.y[0, -1], abs=1e-7)
    assert np.min(run["theta"]) < -0.4  # it has been through the pole


def test_straight_through_the_origin_of_polar_coordinates() -> None:
    run = nh.simulate(POLAR, {"r": 1.0, "rdot": -1.0}, 3.0)
    assert run.outcome.reached and run.final["r"] == pytest.approx(-2.0, abs=1e-9)


def test_poles_are_nowhere_for_a_rotation_matrix() -> None:
    """The same top upright, by its matrix: it sleeps, w3 stays."""
    top = nh.gallery.get("lagrange-top")
    run = nh.simulate(top.system, {"w3": 7.0}, 2.0, top.parameters)
    assert run.outcome.reached and run.final["w3"] == pytest.approx(7.0, abs=1e-12)


def test_an_upright_disk_at_rest_stays() -> None:
    run = nh.simulate(DISK.system, {"R11": 1, "R22": 0, "R23": -1, "R32": 1, "R33": 0}, 2.0, DISK.parameters)
    assert run.outcome.reached and run.final["R32"] == 1.0 and run.final["w1"] == 0.0


def test_pivots_that_are_exactly_zero() -> None:
    """L = ẋẏ − xy: M = [[0, 1], [1, 0]] is regular, and ẍ = −x, ÿ = −y."""
    run = nh.simulate(nh.System(coordinates="x y", lagrangian="xdot*ydot - x*y"), {"x": 1.0, "ydot": 0.5}, 2.0)
    assert run.final["x"] == pytest.approx(cos(2.0), abs=1e-9) and run.final["y"] == pytest.approx(0.5 * sin(2.0), abs=1e-9)


@pytest.mark.parametrize(
    ("constraints", "time"), [(["x*zdot"], 1.0), (["zdot - x*ydot", "zdot - y*ydot"], 1.0), (["sin(x)*zdot - sin(x)*ydot"], 1.0)]
)
def test_rank_lost_on_the_way_is_said_with_its_time(constraints: list[str], time: float) -> None:
    system = nh.System(coordinates="x y z", lagrangian=SPACE, constraints=constraints)
    run = nh.simulate(system, {"x": -1.0, "xdot": 1.0}, 2.0)
    assert run.outcome.reached and "not unique" in run.outcome.advice
    assert run.outcome.unique_until == pytest.approx(time, abs=1e-6)


def test_a_curve_whose_chart_ends_far_away_is_followed() -> None:
    """ẏ = tan(x) ẋ is y = −log cos x at the constant speed 1/cos 1: the chart ends at x = π/2, never reached."""
    system = nh.System(coordinates="x y", lagrangian=PLANE, constraints=["ydot - tan(x)*xdot"])
    run = nh.simulate(system, {"x": 1.0, "xdot": 1.0}, 2.0)
    length = log((1 + sin(1.0)) / cos(1.0)) + 2.0 / cos(1.0)  # ∫ dx/cos x from 0
    assert run.final["x"] == pytest.approx(asin(np.tanh(length)), abs=1e-8)


def test_an_ensemble_tells_each_member_its_own() -> None:
    runs = nh.ensemble(POLAR, {"r": [0.0, 1.0, 2.0], "rdot": -1.0}, 1.5, t_eval=3)
    assert runs["outcome"].values.tolist() == ["mass matrix singular", "reached", "reached"]


@pytest.mark.slow
@pytest.mark.parametrize("name", nh.gallery.system_names())
def test_every_exhibit_from_no_start_at_all(name: str, capfd) -> None:
    exhibit = nh.gallery.get(name)
    quarter = {c: pi / 2 for c in exhibit.system.coordinates if not c.startswith(("R", "q", "gamma"))}
    for start in ({}, dict.fromkeys(exhibit.system.velocities, 1.0), quarter):
        try:
            run = nh.simulate(exhibit.system, start, 1.0, exhibit.parameters)
        except nh.NonholoError as trouble:
            assert len(str(trouble)) > 30
        else:
            assert run.outcome.reached or run.outcome.advice
    assert capfd.readouterr() == ("", "")


def test_the_table_of_the_docs_is_this_one() -> None:
    page = (Path(__file__).parents[2] / "docs" / "robust.md").read_text("utf-8")
    for name, *_, said in (*((c[0], c[-1]) for c in REFUSED), *((c[0], c[3]) for c in STOPPED)):
        row = next((line for line in page.splitlines() if line.startswith(f"| {name} |")), "")
        assert said in row, name
