"""The symmetry group of a system: every generator carries motions to motions, and none that does is missed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.algebra.calculus import ONE, ZERO
from nonholo.finding import Measure
from nonholo.geometry.distributions.random_configurations import NoPoints
from nonholo.symmetry.exact.modular_states import Motion, algebraic, motion_of
from nonholo.symmetry.group import shift_turn_algebra, symmetry_group
from nonholo.symmetry.group.determining_equations import Jets
from nonholo.symmetry.group.shift_turn_algebra import decided_algebra, rational_algebra
from nonholo.symmetry.group.symmetry_group import group_of
from nonholo.symmetry.measure import density
from tests.symmetry.moved import moved_motion_gap

RING = nh.System(
    coordinates="x y f", parameters="m r", lagrangian="m*(xdot**2 + ydot**2)/2", holonomic=["x - r*cos(f)", "y - r*sin(f)"]
)
TROUGH = nh.System(
    coordinates="x y z", parameters="m k", lagrangian="m*(xdot**2 + ydot**2 + zdot**2)/2", holonomic=["z - k*x**2"]
)
HELIX = nh.System(
    coordinates="x y z", parameters="m k", lagrangian="m*(xdot**2 + ydot**2 + zdot**2)/2",
    holonomic=["x*sin(k*z) - y*cos(k*z)"],
)  # fmt: skip


@pytest.mark.parametrize(
    ("system", "names", "start", "parameters"),
    [
        (RING, ["shift_f + turn_xy"], {"x": 1.3, "y": 0.0, "f": 0.0, "fdot": 0.7}, {"m": 1.7, "r": 1.3}),
        (TROUGH, ["shift_y"], {"x": 0.4, "y": 0.2, "z": 0.144, "xdot": 0.8, "ydot": -0.3}, {"m": 1.7, "k": 0.9}),
        (HELIX, ["shift_z + (k)*turn_xy"], {"x": 0.9, "y": 0.0, "z": 0.0, "xdot": 0.3, "zdot": 0.8}, {"m": 1.7, "k": 0.6}),
    ],
)
def test_symmetries_are_tangent_to_holonomic_constraints(system, names, start, parameters) -> None:  # type: ignore[no-untyped-def]
    found = group_of(system).plain
    assert list(found) == names
    for field in found.values():
        assert moved_motion_gap(system, field, start, parameters) < 1e-7


def test_the_moved_motion_tells_a_field_that_leaves_the_constraint_or_bends_the_motion() -> None:
    start, parameters = {"x": 0.4, "y": 0.2, "z": 0.144, "xdot": 0.8, "ydot": -0.3}, {"m": 1.7, "k": 0.9}
    one, zero, x = se.Integer(1), se.Integer(0), se.Symbol("x")
    tangent = (one, zero, 2 * se.Symbol("k") * x)  # along the trough, across its level lines
    assert moved_motion_gap(TROUGH, tangent, start, parameters) > 1e-3


def test_a_bead_with_weight_on_a_ring_is_refused_for_the_reason_that_it_has_no_symmetry() -> None:
    bead = nh.System(
        coordinates="x y f", parameters="m r g", lagrangian="m*(xdot**2 + ydot**2)/2 - m*g*y",
        holonomic=["x - r*cos(f)", "y - r*sin(f)"],
    )  # fmt: skip
    assert group_of(bead).plain == {}
    with pytest.raises(nh.ModelError, match="no symmetry is declared"):
        nh.reduce(bead)


SLED = "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2"
SKATE = {"coordinates": "x y th", "parameters": "m J g", "constraints": ["xdot*sin(th) - ydot*cos(th)"]}
HELICOID = "m*(udot**2 + (u**2 + k**2)*fdot**2)/2 - m*g*k*f"
CHANGED = {
    "weight on a helicoid": (
        nh.System(coordinates="u f", parameters="m k g", lagrangian=HELICOID),
        ["shift_f"], {"u": 0.7, "f": 0.3, "udot": 0.4, "fdot": -0.6},
    ),
    "disk on a slope": (
        nh.System(
            coordinates="x y th ph", parameters="m I J r g a",
            lagrangian="m*(xdot**2 + ydot**2)/2 + I*thdot**2/2 + J*phdot**2/2 - m*g*sin(a)*x",
            constraints=["xdot - r*cos(ph)*thdot", "ydot - r*sin(ph)*thdot"],
        ),
        ["shift_x", "shift_y", "shift_th"], {"x": 0.1, "y": 0.2, "th": 0.3, "ph": 0.4, "thdot": 0.8, "phdot": 0.5},
    ),
    "skate pulled round": (
        nh.System(lagrangian=f"{SLED} + m*(x*cos(t) + y*sin(t))", **SKATE),
        ["shift_x", "shift_y"], {"x": 0.1, "y": 0.2, "th": 0.3, "xdot": 0.4, "thdot": 0.9},
    ),
    "skate on a slope in a general direction": (
        nh.System(lagrangian=f"{SLED} - m*g*(0.6*x - 0.8*y)", **SKATE),
        ["shift_x", "shift_y"], {"x": 0.1, "y": 0.2, "th": 0.3, "xdot": 0.4, "thdot": 0.9},
    ),
    "skate with a rate in the Lagrangian": (
        nh.System(lagrangian=f"{SLED} + 2*x*y*xdot + x**2*ydot - m*g*x", **SKATE),
        ["shift_x", "shift_y"], {"x": 0.1, "y": 0.2, "th": 0.3, "xdot": 0.4, "thdot": 0.9},
    ),
    "Atwood's machine": (
        nh.System(
            coordinates="x y", parameters="m k g", lagrangian="m*xdot**2/2 + k*ydot**2/2 + m*g*x + k*g*y", holonomic=["x + y - 3"]
        ),
        ["shift_x - shift_y"], {"x": 1.0, "y": 2.0, "xdot": 0.4},
    ),
}  # fmt: skip
NUMBERS = {"m": 1.3, "J": 0.7, "I": 0.6, "k": 0.9, "g": 2.1, "r": 0.5, "a": 0.4}


@pytest.mark.parametrize("name", CHANGED)
def test_what_changes_the_lagrangian_by_a_total_derivative_is_a_symmetry_and_is_reduced_by(name: str) -> None:
    system, names, start = CHANGED[name]
    values = {n: NUMBERS[n] for n in system.parameters}
    found = group_of(system).plain
    assert list(found) == names
    assert max(moved_motion_gap(system, field, start, values) for field in found.values()) < 1e-7
    reduction = nh.reduce(system)
    call = {"rtol": 1e-12, "atol": 1e-13, "t_eval": 9}
    full, reduced = nh.simulate(system, start, 0.8, values, **call), reduction.simulate(start, 0.8, values, **call)
    for n in (*system.coordinates, "energy"):
        assert np.max(np.abs(full[n] - reduced[n])) < 1e-9


def test_a_weight_written_as_a_force_is_reduced_alike() -> None:
    system, _, _ = CHANGED["weight on a helicoid"]
    forced = nh.System(
        coordinates="u f", parameters="m k g", lagrangian="m*(udot**2 + (u**2 + k**2)*fdot**2)/2", forces={"f": "-m*g*k"}
    )
    one, two = nh.reduce(system), nh.reduce(forced)
    assert one.shape.names == two.shape.names
    assert {n: e.expand() for n, e in one.momentum_equation.items()} == {n: e.expand() for n, e in two.momentum_equation.items()}


def test_the_momentum_of_such_a_symmetry_is_constant_less_a_function_of_time() -> None:
    helicoid, _, start = CHANGED["weight on a helicoid"]
    values = {n: NUMBERS[n] for n in helicoid.parameters}
    t = se.Symbol("t")
    (found,) = [f for f in nh.integrals(helicoid) if f and t in f.expression.free_symbols]
    assert found.proved
    assert found.drift(nh.simulate(helicoid, start, 1.0, values, rtol=1e-11, atol=1e-12)) < 1e-9
    judged = nh.verdict(helicoid)  # it is no integral on the states alone, where one dimension less would be left
    assert not judged


def test_a_potential_that_no_shift_leaves_alone_is_still_refused() -> None:
    curved = nh.System(coordinates="u f", parameters="m k g", lagrangian=HELICOID.replace("k*f", "f**2"))
    assert group_of(curved).plain == {}
    one, zero = se.Integer(1), se.Integer(0)
    start = {"u": 0.7, "f": 0.3, "udot": 0.4, "fdot": -0.6}
    assert moved_motion_gap(curved, (zero, one), start, {"m": 1.3, "k": 0.9, "g": 2.1}) > 1e-2


def test_fields_that_vanish_on_the_holonomic_constraint_are_no_generators() -> None:
    """`(w − 2u) ∂_y` satisfies the conditions on `w = 2u`, where it moves nothing; taken as a symmetry it made `ẏ` a constant."""
    system = nh.System(
        coordinates="u w y", lagrangian="(udot**2 + wdot**2)/(2*(1 + y**2)) + ydot**2/2", holonomic=["w - 2*u"]
    )
    red = nh.reduce(system)
    assert list(red.group.names) == ["shift_u_w"]
    start = {"u": 0.1, "w": 0.2, "y": 0.4, "udot": 0.7, "ydot": 0.3}
    full, short = nh.simulate(system, start, 2.0), red.simulate(start, 2.0)
    assert abs(full.final["ydot"] - start["ydot"]) > 0.1
    assert max(abs(full.final[c] - short.final[c]) for c in "uwy") < 1e-8


def test_every_kind_of_symmetry_is_sought_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduction, verdict, stability and linearisation ask one record."""
    counts = dict.fromkeys(("proposal", "decided_algebra", "hidden_generators"), 0)

    def counted(name: str, own: Any) -> Any:
        def run(*given: Any) -> Any:
            counts[name] += 1
            return own(*given)

        return run

    for name in counts:
        monkeypatch.setattr(symmetry_group, name, counted(name, getattr(symmetry_group, name)))
    system = nh.System(
        coordinates="u w s", lagrangian="1.37*(udot**2 + wdot**2)/2 + 0.61*sdot**2/2",
        constraints=["udot*sin(s) - wdot*cos(s)"], start={"sdot": 0.9, "udot": 0.4},
    )  # fmt: skip
    nh.reduce(system)
    nh.verdict(system)
    nh.linearise(system, comoving=True)
    nh.stability(system)
    assert counts == {"proposal": 1, "decided_algebra": 1, "hidden_generators": 1}


def test_the_measure_is_sought_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A verdict and `nh.measure` ask one search: once with symbols, once with the values, where the first denies a measure."""
    asked: list[Any] = []
    own = density.measure_of
    monkeypatch.setattr(density, "measure_of", lambda motion: [asked.append(motion), own(motion)][1])
    system = nh.System(
        coordinates="x", parameters={"c": 0.9}, lagrangian="0.73*xdot**2/2", forces={"x": "-c*xdot"},
    )  # fmt: skip
    shown = [f for f in nh.verdict(system).findings if isinstance(f.data, Measure)]
    assert [f.claim for f in shown] == [nh.measure(system).claim] and len(asked) == 2


@pytest.mark.parametrize("name", ["bicycle", "segway"])
def test_functions_of_parameters_are_numbers_in_contacts_too(name: str) -> None:
    system = nh.gallery.get(name).system
    exact, constants = algebraic(system)
    assert constants
    assert (len(exact.constraints), len(exact.holonomic)) == (len(system.constraints), len(system.holonomic))


@pytest.mark.slow
def test_a_machine_on_a_slope_moves_across_it_alike() -> None:
    found = group_of(nh.gallery.get("segway").system)
    assert list(found.plain) == ["shift_y", "shift_left", "shift_right"]


def test_states_that_do_not_exist_are_not_drawn_a_second_time(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def none(motion: Motion, count: int, seed: int, **words: object) -> Jets:
        drawn.append(seed)
        raise NoPoints

    monkeypatch.setattr(shift_turn_algebra, "jets", none)
    motion = motion_of(nh.gallery.get("chaplygin-sleigh").system)
    assert "too few" in decided_algebra(motion).open and drawn == [3, 3, 3]
    assert rational_algebra(motion, [(ONE, ZERO, ZERO)]) is None and drawn == [3] * 6
