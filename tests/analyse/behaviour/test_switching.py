"""Other branches through branch points: closed forms by hand, and systems nobody prepared."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from tests.analyse.behaviour import plain

BICYCLE = Path(__file__).parents[2] / "program" / "whipple-bicycle.toml"

SKATE = nh.System(
    name="skate that is turned, with a bead on a hoop",
    coordinates="x y theta q",
    lagrangian="M/2*(xdot**2 + ydot**2) + m/2*((xdot + R*cos(q)*qdot*cos(theta) - R*sin(q)*thetadot*sin(theta))**2 "
    "+ (ydot + R*cos(q)*qdot*sin(theta) + R*sin(q)*thetadot*cos(theta))**2 + R**2*sin(q)**2*qdot**2) + m*g*R*cos(q)",
    constraints=["ydot*cos(theta) - xdot*sin(theta)", "thetadot - Omega"],
    forces={"x": "-c*xdot", "y": "-c*ydot"},
    parameters={"M": 1.7, "m": 0.6, "R": 0.45, "g": 9.81, "c": 0.8, "Omega": 3.0},
)
"""The bead tilts as on the textbook's hoop, ``cos q = g/(R Ω²)``, but then it pulls the skate along: ``c v = m R Ω² sin q``."""

SLED = nh.System(
    name="sled with a mass on a soft spring",
    coordinates="x y theta q",
    lagrangian="M/2*(xdot**2 + ydot**2) + J/2*thetadot**2 + m/2*((xdot + qdot*cos(theta) - (a + q)*thetadot*sin(theta))**2 "
    "+ (ydot + qdot*sin(theta) + (a + q)*thetadot*cos(theta))**2) + k*q**2/2 - b*q**3/3",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    forces={"q": "-d*qdot"},
    parameters={"M": 1.3, "J": 0.21, "m": 0.7, "a": 0.35, "b": 1.9, "d": 0.6, "k": -0.8},
    start={"xdot": 1.4},
)
"""``k q = b q²``: two branches cross at k = 0 and change roles."""

ROBOT = nh.System(
    name="two-wheeled robot with a leaning body on a spring",
    coordinates="x y theta phi",
    lagrangian="M/2*(xdot**2 + ydot**2) + J/2*thetadot**2 + m/2*((xdot + l*cos(phi)*phidot*cos(theta) - l*sin(phi)*thetadot"
    "*sin(theta))**2 + (ydot + l*cos(phi)*phidot*sin(theta) + l*sin(phi)*thetadot*cos(theta))**2 + l**2*sin(phi)**2*phidot**2) "
    "- m*g*l*cos(phi) - k*phi**2/2",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    forces={"phi": "-d*phidot"},
    parameters={"M": 2.3, "J": 0.17, "m": 1.4, "l": 0.37, "g": 9.81, "k": 6.0, "d": 0.5},
    start={"xdot": 0.8},
)
"""``k φ = m g l sin φ``."""


def test_the_hoop_has_both_tilted_branches() -> None:
    found = nh.branch(plain.HOOP, {"q": 0}, along="Omega", until=8.0, parameters={"Omega": 3.0}, switch=True)
    assert len(found.others) == 2 and found.unstable[-1] == 1
    for one, sign in zip(sorted(found.others, key=lambda b: -b.states[-1, 0]), (1, -1)):
        assert one.outcome == "reached" and not np.any(one.unstable)
        q = one.data["q"].values
        assert np.all(sign * q > 0) and np.allclose(np.cos(q), 9.81 / (0.5 * one.values**2), atol=1e-11)
        assert np.allclose(np.abs(one.eigenvalues[:, 0].imag), one.values * np.abs(np.sin(q)), atol=1e-6)  # Ω sin q
    backwards = nh.branch(plain.HOOP, {"q": 0}, along="Omega", until=2.0)  # the tilted ones lie behind
    assert [round(float(b.values[-1]), 9) for b in backwards.switch(0)] == [6.0, 6.0]
    assert [round(float(b.values[-1]), 9) for b in backwards.switch(until=5.0)] == [5.0, 5.0]


def test_a_skate_is_pulled_along_where_its_bead_tilts() -> None:
    found = nh.branch(SKATE, {"q": 0}, along="Omega", until=7.0, switch=True)
    assert [s.kind for s in found.special] == ["branch point"]
    assert found.special[0].value == pytest.approx(np.sqrt(9.81 / 0.45), rel=1e-10)
    assert len(found.others) == 2
    for one in found.others:
        q, theta, along = (one.data[n].values for n in ("q", "theta", "xdot"))
        assert one.outcome == "reached" and one.eigenvalues.shape[1] == 3
        assert np.allclose(np.cos(q), 9.81 / (0.45 * one.values**2), atol=1e-9)
        assert np.allclose(along / np.cos(theta), 0.6 * 0.45 * one.values**2 * np.sin(q) / 0.8, atol=1e-7)


def test_branches_that_cross_give_two_halves_and_exchange_their_stability() -> None:
    found = nh.branch(SLED, {"xdot": 1.4}, along="k", until=0.9, switch=True)
    assert found.held == ("xdot",) and found.special[0].value == pytest.approx(0.0, abs=1e-10)
    assert (found.unstable[0], found.unstable[-1]) == (0, 1)
    low, high = sorted(found.others, key=lambda b: b.values[-1])
    assert (low.values[-1], high.values[-1]) == pytest.approx((-0.8, 0.9))
    for one in (low, high):
        assert np.allclose(one.data["q"].values, one.values / 1.9, atol=1e-10)
        assert np.allclose(one.data["xdot"].values, 1.4, atol=1e-12)
    assert np.all(high.unstable == 0) and np.all(low.unstable == 1 + (low.values < -0.35 * 1.9))
    assert [s.value for s in low.special] == pytest.approx([-0.35 * 1.9], abs=1e-9)  # the mass is behind the blade from q = −a on


def test_a_robots_body_leans_below_the_stiffness_of_its_weight() -> None:
    found = nh.branch(ROBOT, {"xdot": 0.8}, along="k", until=3.0, switch=True)
    weight = 1.4 * 9.81 * 0.37
    assert found.special[0].value == pytest.approx(weight, rel=1e-10) and len(found.others) == 2
    for one in found.others:
        phi = one.data["phi"].values
        assert one.outcome == "reached" and np.allclose(one.values * phi, weight * np.sin(phi), atol=1e-9)


def test_branches_that_the_symmetry_maps_to_each_other_are_told_once() -> None:
    """Two modes pass zero at once; every direction of the plane has its branch, and all are one."""
    well = nh.System(
        name="round well", coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 + c*(x**2 + y**2)/2 - (x**2 + y**2)**2/4",
        parameters={"c": -1.0},
    )  # fmt: skip
    found = nh.branch(well, {"x": 0}, along="c", until=1.0, switch=True)
    assert [s.kind for s in found.special] == ["branch point"] and abs(found.special[0].value) < 1e-9
    (ring,) = found.others
    assert np.allclose(ring.data["x"].values ** 2 + ring.data["y"].values ** 2, ring.values, atol=1e-9)


def test_a_zero_without_another_branch_gives_none_and_words_are_given_for_the_rest() -> None:
    sleigh = nh.gallery.get("chaplygin-sleigh")
    found = nh.branch(sleigh.system, {"v": 2}, along="v", until=-2, parameters=sleigh.parameters, switch=True)
    assert [s.kind for s in found.special] == ["branch point"] and found.others == ()
    with pytest.raises(nh.StateError, match="no branch point"):
        found.switch(7)
    shimmy = nh.branch(plain.CASTER, {"y": 0}, along="J", until=0.0137)
    with pytest.raises(nh.StateError, match="'Hopf point' is no branch point"):
        shimmy.switch(shimmy.special[0])
    with pytest.raises(nh.StateError, match="cannot be switched"):
        pickle.loads(pickle.dumps(found)).switch()


def test_a_bifurcation_diagram_shows_all_branches() -> None:
    found = nh.branch(SLED, {"xdot": 1.4}, along="k", until=0.9, switch=True)
    axes = found.plot("q")
    drawn = np.concatenate([line.get_ydata() for line in axes.lines])
    assert np.nanmax(drawn) == pytest.approx(0.9 / 1.9, abs=1e-9) and np.nanmin(drawn) == pytest.approx(-0.8 / 1.9, abs=1e-9)
    alone = replace(found, others=()).plot("q")
    assert np.nanmax(np.concatenate([line.get_ydata() for line in alone.lines])) == 0.0


@pytest.mark.slow
def test_the_bicycles_steady_turns_branch_off_where_it_capsizes() -> None:
    """Basu-Mandal, Chatterjee, Papadopoulos 2007: hands-free circular motions begin there; tried by motions."""
    bicycle = nh.load(BICYCLE)
    straight = nh.branch(bicycle, {"ur": 0, "up": 0, "ud": 0}, along="-rR*ur", until=10.0)
    left, right = straight.switch(1, until=5.0)
    for one in (left, right):
        assert one.outcome == "reached" and one.values[0] == pytest.approx(6.02426201538837, abs=1e-3)
        k = len(one.values) - 1
        start = dict(zip(one.names, one.states[k].tolist()))
        run = nh.simulate(bicycle, start, 0.4, rtol=1e-11, atol=1e-12)
        assert abs(run["phi"][0]) > 0.3 and np.ptp(run["phi"]) < 1e-6 and np.ptp(run["delta"]) < 1e-6
        assert np.ptp(run["psidot"]) < 1e-6 and run["psidot"][0] == pytest.approx(one.velocities["turn"][k], abs=1e-8)
    assert left.states[-1, 3] == pytest.approx(-right.states[-1, 3], abs=1e-7)
