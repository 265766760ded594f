"""Starts: completed, refused with numbers, or repaired."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import nonholo as nh
from nonholo.derive.hamel import hamel
from nonholo.derive.states.consistent_state import complete_state
from nonholo.derive.states.start_completion import Completion, linear_velocities
from nonholo.errors import ModelError, StateError
from nonholo.integrate.many.start_arrays import complete_states
from nonholo.model.system import System
from nonholo.model.system_structure import bare
from tests import systems

P = {"m": 1.3, "J": 0.7, "a": 0.4}


def test_a_partial_start_follows_from_the_constraints():
    full = complete_state(systems.unbalanced_sleigh(), {"theta": 0.3, "omega": 2.0, "v": -1.5}, P)
    assert full["xdot"] == pytest.approx(-1.5 * np.cos(0.3)) and full["ydot"] == pytest.approx(-1.5 * np.sin(0.3))
    assert full["thetadot"] == 2.0 and full["x"] == 0.0 and full["t"] == 0.0


def test_rates_and_quasivelocities_may_be_mixed():
    full = complete_state(systems.unbalanced_sleigh(), {"theta": np.pi / 3, "ydot": 0.9, "thetadot": 1.0}, P)
    assert full["v"] == pytest.approx(0.9 / np.sin(np.pi / 3)) and full["omega"] == 1.0


def test_a_start_that_breaks_a_constraint_says_which_and_by_how_much():
    with pytest.raises(StateError, match=r"constraint 1 .* by 0\.75"):
        complete_state(systems.unbalanced_sleigh(), {"xdot": 2.0, "ydot": 0.75, "thetadot": 0.0}, P)


def test_repair_is_the_mass_orthogonal_projection():
    """Independent: minimise the kinetic energy of the correction over v by a 2-parameter least-squares by hand."""
    given = {"theta": 0.5, "thetadot": 1.1, "xdot": 0.3, "ydot": 1.2}
    full = complete_state(systems.unbalanced_sleigh(), given, P, repair=True)
    s, c = np.sin(0.5), np.cos(0.5)
    m, J, a = P["m"], P["J"], P["a"]
    metric = np.array([[J + m * a**2, -m * a * s, m * a * c], [-m * a * s, m, 0], [m * a * c, 0, m]])
    basis = np.array([[1, 0], [0, c], [0, s]])
    v = np.array([1.1, 0.3, 1.2])
    best = basis @ np.linalg.solve(basis.T @ metric @ basis, basis.T @ metric @ v)
    assert np.allclose([full["thetadot"], full["xdot"], full["ydot"]], best, atol=1e-13)


def test_missing_coordinates_follow_from_holonomic_constraints():
    cart = systems.pendulum_on_cart()
    values = {"M": 1, "m1": 1, "m2": 1, "l1": 2.0, "l2": 1, "g": 9.81}
    full = complete_state(cart, {"x1": 1.2, "y1dot": 0.3}, values)
    assert full["x1"] ** 2 + full["y1"] ** 2 == pytest.approx(4.0, abs=1e-12)
    assert full["x1"] * full["x1dot"] + full["y1"] * 0.3 == pytest.approx(0.0, abs=1e-12)
    with pytest.raises(StateError, match="holonomic"):
        complete_state(cart, {"x1": 1.0, "y1": 1.0}, values)


def test_redundant_coordinates_start_at_the_unit_rotation_and_are_checked():
    values = dict.fromkeys(systems.SUSLOV_PARAMETERS.split(), 1.0)
    assert complete_state(systems.suslov_matrix(), {}, values)["R22"] == 1.0
    with pytest.raises(StateError, match="relation"):
        complete_state(systems.suslov_quaternion(), {"q0": 1.0, "q1": 0.5, "q2": 0, "q3": 0}, {**values, "k": 1})


def test_nonlinear_starts_are_solved_or_refused():
    point = systems.constant_speed()
    full = complete_state(point, {"xdot": 0.6}, {"m": 1, "g": 9.81, "c": 1.0})
    assert abs(full["ydot"]) == pytest.approx(0.8)
    with pytest.raises(StateError, match="constraint 1"):
        complete_state(point, {"xdot": 0.6, "ydot": 0.6}, {"m": 1, "g": 9.81, "c": 1.0})


def test_velocity_parameters_are_found_from_velocities():
    points = systems.parallel_points_parametric()
    full = complete_state(points, {"x1dot": 0.6, "y1dot": 0.8, "v2": -2.0}, {"m1": 1, "m2": 2, "g": 9.81})
    assert full["y2dot"] / full["x2dot"] == pytest.approx(0.8 / 0.6)
    with pytest.raises(StateError, match="parametric form"):
        complete_state(points, {"x1dot": 1, "y1dot": 0, "x2dot": 0, "y2dot": 1}, {"m1": 1, "m2": 2, "g": 9.81})


@pytest.mark.parametrize(
    ("start", "values", "words"),
    [
        ({"omga": 1.0}, P, "did you mean 'omega'"),
        ({"omega": float("nan")}, P, "nan"),
        ({"omega": "fast"}, P, "not a number"),
        ({"omega": 1.0}, {"m": 1, "J": 1}, "'a' has no value"),
        ({"omega": 1.0}, {**P, "mas": 1}, "no parameter 'mas'"),
        ({"omega": 1.0}, {**P, "m": float("inf")}, "inf"),
    ],
)
def test_bad_numbers_are_one_clear_error(start, values, words):
    with pytest.raises(StateError, match=words):
        complete_state(systems.unbalanced_sleigh(), start, values)


def sleigh_with(**changes):
    return systems.unbalanced_sleigh(**changes)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: hamel(sleigh_with(constraints=[systems.BLADE, f"2*({systems.BLADE})"])), "depends on the others"),
        (
            lambda: hamel(sleigh_with(constraints=["xdot", "ydot", "thetadot", "xdot + y*ydot"])),
            "4 constraints on 3 velocities",
        ),
        (
            lambda: hamel(System(coordinates="x y", parameters="m", lagrangian="m/2*xdot**2")),
            "no kinetic energy along ydot",
        ),
        (
            lambda: hamel(System(coordinates="x y", parameters="m", lagrangian="m/2*(xdot + 2*ydot)**2")),
            r"no kinetic energy along xdot - 0\.5\*ydot, which the constraints allow",
        ),
        (lambda: sleigh_with(lagrangian="m/2*xdott**2"), "did you mean 'xdot'"),
        (lambda: sleigh_with(quasivelocities={"omega": "thetadot**2"}), "linear"),
        (lambda: sleigh_with(quasivelocities={"m": "thetadot"}), "m"),
        (lambda: sleigh_with(forces={"thet": "1"}), "neither a coordinate"),
        (lambda: sleigh_with(lagrangian=None), "no lagrangian"),
        (lambda: System(coordinates="x", lagrangian="floor(xdot)**2"), "derivative"),
    ],
)
def test_bad_systems_are_one_clear_error(make, words):
    with pytest.raises(ModelError if "did you mean" not in words else Exception, match=words):
        system = make()
        hamel(system) if isinstance(system, System) else None


def test_rates_by_name_accept_rates_or_quasivelocities():
    equations = hamel(systems.unbalanced_sleigh())
    one = equations.rates({"theta": 0.3, "x": 0, "y": 0, "omega": 2.0, "v": -1.5}, P)
    two = equations.rates(
        {"theta": 0.3, "x": 0, "y": 0, "thetadot": 2.0, "xdot": -1.5 * np.cos(0.3), "ydot": -1.5 * np.sin(0.3)}, P
    )
    assert all(one[n] == pytest.approx(two[n], abs=1e-12) for n in one)
    assert one["x"] == pytest.approx(-1.5 * np.cos(0.3)) and one["v"] == pytest.approx(P["a"] * 4.0)
    with pytest.raises(StateError, match="not given"):
        equations.rates({"theta": 0.3, "x": 0, "y": 0}, P)


def test_projection_also_moves_velocities_without_kinetic_energy():
    steered = System(
        coordinates="theta x",
        parameters="m",
        inputs="u",
        lagrangian="m/2*xdot**2",
        constraints=["thetadot - u", "xdot - 2*thetadot"],
    )
    found = complete_state(steered, {"thetadot": 5.0, "xdot": -3.0, "u": 0.7}, {"m": 1.3}, repair=True)
    assert found["thetadot"] == pytest.approx(0.7, abs=1e-12)
    assert found["xdot"] == pytest.approx(1.4, abs=1e-12)


def test_a_guess_chooses_the_way_a_linkage_is_closed():
    """Four bars: with the crank given there are two configurations, mirror images about the line between the pivots."""
    linkage = nh.System(
        name="four bars", coordinates="a b c", parameters={"p": 1, "q": 2.2, "r": 1.8, "d": 2.0},
        lagrangian="(adot**2 + bdot**2 + cdot**2)/2",
        holonomic=["p*cos(a) + q*cos(b) - r*cos(c) - d", "p*sin(a) + q*sin(b) - r*sin(c)"],
    )  # fmt: skip
    one = nh.complete_state(linkage, {"a": 0.5, "b": "~1.0", "c": "~1.5"})
    two = nh.complete_state(linkage, {"a": 0.5, "b": "~-1.0", "c": "~-1.5"})
    assert one["b"] > 0 > two["b"] and one["a"] == two["a"] == 0.5
    own = replace(linkage, start={"b": -1.0, "c": -1.5})
    assert nh.complete_state(own, {"a": 0.5})["b"] == pytest.approx(two["b"])
    run = nh.simulate(linkage, {"a": 0.5, "b": "~-1.0", "c": "~-1.5", "adot": 0.3}, 0.1)
    assert run["b"][0] == pytest.approx(two["b"])


@pytest.mark.parametrize("sign", [1, -1])
def test_a_start_that_does_not_close_is_told_which_way_it_would_be_closed(sign):
    """The error names the guesses that close it nearby, on the side of the numbers that were given; written so, they do."""
    linkage = nh.System(
        name="four bars", coordinates="a b c", parameters={"p": 1, "q": 2.2, "r": 1.8, "d": 2.0},
        lagrangian="(adot**2 + bdot**2 + cdot**2)/2",
        holonomic=["p*cos(a) + q*cos(b) - r*cos(c) - d", "p*sin(a) + q*sin(b) - r*sin(c)"],
    )  # fmt: skip
    closed = nh.complete_state(linkage, {"a": 0.5, "b": f"~{sign}", "c": f"~{1.5 * sign}"})
    with pytest.raises(nh.StateError, match=r"breaks the holonomic constraint .* by ") as caught:
        nh.simulate(linkage, {"a": 0.5, "b": 1.0 * sign, "c": 1.5 * sign}, 0.1)
    said = str(caught.value)
    assert f'("b": "~{sign}", "c": "~{1.5 * sign:g}" closes it with b = {closed["b"]:.6g}, c = {closed["c"]:.6g})' in said
    assert "repair=True" in said
    unreachable = {"a": 0.5, "b": 1.0, "c": 1.5}
    with pytest.raises(nh.StateError) as caught:  # bars that are too short: no guess helps, and none is named
        nh.complete_state(linkage, unreachable, {"p": 1, "q": 0.1, "r": 0.1, "d": 9.0})
    assert "closes it" not in str(caught.value)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_file_guesses_the_way_a_linkage_is_closed(tmp_path, sign):
    file = tmp_path / "bars.toml"
    file.write_text(
        f"""
name = "four bars"
coordinates = "a b c"
lagrangian = "(adot**2 + bdot**2 + cdot**2)/2"
holonomic = ["p*cos(a) + q*cos(b) - r*cos(c) - d", "p*sin(a) + q*sin(b) - r*sin(c)"]
[parameters]
p = 1.0
q = 2.2
r = 1.8
d = 2.0
[start]
a = 0.5
b = "~{sign}"
c = "~{sign}*pi/2"
adot = 0.3
""",
        encoding="utf-8",
    )
    system = nh.load(file)
    run = nh.simulate(system, until=0.1)
    assert np.sign(run["b"][0]) == sign and run["a"][0] == 0.5
    nh.dump(system, tmp_path / "again.toml")
    again = nh.load(tmp_path / "again.toml")
    assert again.start == system.start and nh.simulate(again, until=0.1)["c"][-1] == run["c"][-1]
    with pytest.raises(nh.ModelError, match="only coordinates are guessed"):
        replace(system, start={"adot": "~0.3"})


def test_inputs_of_a_state_are_numbers_or_formulas() -> None:
    cart = System(name="cart", coordinates="x", lagrangian="xdot**2/2", forces={"x": "u + w"}, inputs="u w")
    full = complete_state(cart, {"x": 2.0, "w": 7.0}, inputs={"u": "3 + x", "w": 0.25})
    assert (full["u"], full["w"]) == (5.0, 0.25)
    with pytest.raises(StateError, match="the input 'u' is function"):
        complete_state(cart, {"x": 2.0}, inputs={"u": lambda t: t})
    with pytest.raises(StateError, match="no input is called 'q'"):
        complete_state(cart, {"x": 2.0}, inputs={"q": 1.0})


def test_one_start_has_the_bits_it_has_among_many():
    given, random = {"omega": 1.1, "v": -0.7}, np.random.default_rng(3)
    turns = random.uniform(-3, 3, 4)
    lagrangian, blade = "xdot**2 + ydot**2 + thdot**2", "xdot*sin(th) - ydot*cos(th)"
    wheel = nh.System(coordinates=["x", "y", "th"], constraints=[blade], lagrangian=lagrangian)
    for system, start in ((systems.unbalanced_sleigh(), given), (wheel, {"xdot": 0.3})):
        angle, values = ("theta", P) if system.parameters else ("th", {})
        numbers = {n: np.full(4, e) for n, e in values.items()}
        many, _ = complete_states(system, {**{n: np.full(4, e) for n, e in start.items()}, angle: turns}, numbers, 4)
        for _ in range(2):
            for k, turn in enumerate(turns.tolist()):
                one = complete_state(system, {**start, angle: turn}, values)
                assert all(one[n] == many[n][k] for n in (*system.coordinates, *system.velocities))


def test_a_start_at_rest_needs_no_choice_of_free_velocities() -> None:
    """Whatever is left free, nothing moves; not even where the constraints depend on each other."""
    system = nh.System(coordinates="x y z", lagrangian="xdot**2 + ydot**2 + zdot**2", constraints=["xdot*y", "ydot*y + zdot"])
    ready = Completion(bare(system), ["ydot"])
    at = np.array([[0.0, 1.0, y, 2.0] for y in (3.0, 0.0, np.nan)])
    velocity, gap = linear_velocities(ready, at, np.zeros((3, 1)))
    assert not np.any(velocity[:2]) and not np.any(gap[:2]) and np.isnan(gap[2]) and "order" not in vars(ready)
    moving, gap = linear_velocities(ready, at[:1], np.ones((1, 1)))
    assert moving[0] == pytest.approx([0.0, 1.0, -3.0]) and gap[0] < 1e-12 and "order" in vars(ready)
