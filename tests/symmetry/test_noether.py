"""Noether's theorem and named quantities on systems of no gallery, against rates by multipliers and along motions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.derive.laws.check import random_states

CHARGED = nh.System(
    name="charged bead in a Heisenberg field", coordinates="x y z", parameters="m B k",
    lagrangian="m*(xdot**2 + 2*ydot**2 + zdot**2)/2 - k*z**2/2", constraints=["zdot - y*xdot"], magnetic={("x", "y"): "B*y"},
)  # fmt: skip
TROLLEY = nh.System(
    name="trolley with an arm", coordinates="x y th be", parameters="m J a i",
    lagrangian="m/2*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2) + J/2*thdot**2 + i/2*(thdot + bedot)**2 "
    "- cos(be)",
    constraints=["ydot*cos(th) - xdot*sin(th)"], symmetry=nh.planar_motion("x", "y", "th"),
)  # fmt: skip
BODY = nh.System(
    name="body with a skewed wheel", frame=nh.SO3("R", rates="w1 w2 w3"), parameters="A B C g c",
    lagrangian="(A*w1**2 + B*w2**2 + C*w3**2)/2 - g*R33", constraints=["w1*c + w3"],
)  # fmt: skip
SLIDER = nh.System(
    name="driven slider", coordinates="u v", parameters="m", inputs="F",
    lagrangian="m*(udot**2 + vdot**2)/2 + v*udot", forces={"v": "F"},
)  # fmt: skip


def rate_by_multipliers(system: nh.System, formula: Any, seed: int = 3) -> list[tuple[float, dict[str, float]]]:
    """The derivative along the motion by central differences of the formula between states of the witness."""
    equations = nh.multipliers(system)
    found = []
    for place in random_states(system, None, 3, seed):
        known = {*equations.state, *equations.outputs, "t"}
        state = {n: e for n, e in place.values.items() if n in known} | dict.fromkeys(system.inputs, 0.0)
        flow = equations.rates(state, place.parameters)
        h = 1e-5
        values = []
        for sign in (1, -1):
            moved = {n: e + sign * h * flow.get(n, 0.0) for n, e in place.values.items()}
            values.append(float(evaluate([formula], {**place.parameters, **moved})[0]))
        everything = {**place.parameters, **place.values, **{n: e for n, e in flow.items() if n.startswith("lambda")}}
        found.append(((values[0] - values[1]) / (2 * h), everything))
    return found


FIELDS: list[tuple[nh.System, Any, str, bool, str]] = [
    (CHARGED, {"y": "1"}, "fully", True, "fails"),
    (CHARGED, {"x": "1", "z": "y"}, "not", True, "fails"),
    (CHARGED, "z", "not", False, "fails"),
    (TROLLEY, {"shift_x": "cos(th)", "shift_y": "sin(th)"}, "not", True, "fails"),
    (TROLLEY, {"turn": "1", "shift_x": "y", "shift_y": "-x"}, "not", True, "fails"),
    (TROLLEY, "be", "not", True, "fails"),
    (TROLLEY, "x", "fully", False, "fails"),
    (BODY, {"w2": "1"}, "not", True, "fails"),
    (BODY, {"w1": "R31", "w2": "R32", "w3": "R33"}, "fully", False, "fails"),
    (SLIDER, "v", "not", True, "holds"),
    (SLIDER, "u", "fully", True, "holds"),
]


@pytest.mark.parametrize(("system", "field", "preservation", "inside", "verdict"), FIELDS)
def test_momentum_and_rate_agree_with_multipliers(
    system: nh.System, field: Any, preservation: str, inside: bool, verdict: str
) -> None:
    found = nh.noether(system, field)
    assert (found.preservation, bool(found.inside), found.constant.verdict) == (preservation, inside, verdict)
    for expected, values in rate_by_multipliers(system, found.momentum):
        values |= dict.fromkeys(system.inputs, 0.0)
        assert evaluate([found.rate], values)[0] == pytest.approx(expected, rel=1e-7, abs=1e-7)
        if found.section_rate is not None:
            assert evaluate([found.section_rate], values)[0] == pytest.approx(expected, rel=1e-7, abs=1e-7)


def test_the_section_has_the_momentum_equation_of_the_notices() -> None:
    assert nh.noether(TROLLEY, {"shift_x": "cos(th)", "shift_y": "sin(th)"}).section_rate is not None
    assert nh.noether(TROLLEY, {"shift_x": "1"}).section_rate is None  # it leaves D


def test_magnetic_form_joins_as_the_potential_along_the_field() -> None:
    flat = nh.System(
        coordinates="x y", parameters="m B", lagrangian="m*(xdot**2 + ydot**2)/2 - (x**2 + y**2)**2",
        magnetic={("x", "y"): "B*(1 + x**2 + y**2)"},
    )  # fmt: skip
    found = nh.noether(flat, {"x": "-y", "y": "x"})
    assert found.constant.proved and found.total != 0
    run = nh.simulate(flat, {"x": 0.4, "y": -0.2, "xdot": 0.3, "ydot": 0.9}, 6.0, {"m": 1.3, "B": 0.7}, rtol=1e-12, atol=1e-13)
    assert found.constant.drift(run) < 1e-9
    x, y = run["x"], run["y"]
    alone = 1.3 * (x * run["ydot"] - y * run["xdot"])
    assert np.ptp(alone) > 0.01
    # N(σ) by hand, in the gauge that turns leave alone: N = B (1/2 + r²/4)(x dy − y dx)
    square = x**2 + y**2
    assert np.ptp(alone + 0.7 * square * (0.5 + square / 4)) < 1e-9
    one, other = found.potential.get("x", 0), found.potential.get("y", 0)
    curl = other.diff("x") - (one.diff("y") if one else 0)
    assert float(evaluate([curl], {"x": 0.3, "y": 0.5, "B": 0.7})[0]) == pytest.approx(0.7 * (1 + 0.09 + 0.25))


def test_partly_preserved_lagrangian_is_enough() -> None:
    """The kinetic energy changes across the constraint alone, and the momentum is constant."""
    skew = nh.System(
        name="shear", coordinates="x y z", parameters="k",
        lagrangian="(xdot**2 + ydot**2 + (1 + k*x)*(zdot - y*xdot)**2)/2 + zdot**2/2",
        constraints=["zdot - y*ydot"],
    )  # fmt: skip
    found = nh.noether(skew, {"x": "1"})
    assert found.preservation == "not"
    partly = nh.System(
        name="partial", coordinates="x y z", parameters="k", lagrangian="(xdot**2 + ydot**2 + (1 + k*x**2)*(zdot - y*ydot)**2)/2",
        constraints=["zdot - y*ydot"],
    )  # fmt: skip
    found = nh.noether(partly, {"x": "1"})
    assert (found.preservation, found.constant.proved) == ("partly", True)
    assert all(abs(rate) < 1e-8 for rate, _ in rate_by_multipliers(partly, found.momentum))


def test_bad_fields_are_refused_in_a_line() -> None:
    with pytest.raises(nh.ModelError, match="component along 'q'"):
        nh.noether(TROLLEY, {"q": "1"})
    with pytest.raises(nh.ModelError, match="all along generators"):
        nh.noether(TROLLEY, {"x": "1", "shift_x": "1"})
    with pytest.raises(nh.ModelError, match="table of components"):
        nh.noether(TROLLEY, 3)
    with pytest.raises(nh.ModelError, match="no symmetry of the Lagrangian"):
        nh.noether(CHARGED, {"lift": "y"}, symmetry=nh.Symmetry({"lift": {"z": "1"}}))


CONSTANT = [
    (CHARGED, "m*(xdot**2 + 2*ydot**2 + zdot**2)/2 + k*z**2/2"),
    (BODY, "(A*w1**2 + B*w2**2 + C*w3**2)/2 + g*R33"),
    (TROLLEY, "m/2*(xdot*cos(th) + ydot*sin(th))**2 + (J + 1.0*m*a**2)/2*thdot**2 + i/2*(thdot + bedot)**2 + cos(be)"),
    (SLIDER, "m*udot + v"),
    (nh.System(coordinates="x", lagrangian="xdot**2/2 - x"), "xdot + t"),
]


@pytest.mark.parametrize(("system", "formula"), CONSTANT)
def test_constant_quantities_are_proved(system: nh.System, formula: str) -> None:
    found = nh.conserved(system, formula)
    assert found and found.proved
    start = next(iter(random_states(system, None, 1, 5)))
    names = [n for n in (*system.coordinates, *system.velocities) if n in start.values]
    run = nh.simulate(system, {n: start.values[n] for n in names}, 2.0, start.parameters, rtol=1e-12, atol=1e-13,
                      inputs=dict.fromkeys(system.inputs, 0.3))  # fmt: skip
    assert found.drift(run) < 1e-8


MOVING = [
    (CHARGED, "xdot*sqrt(1 + y**2)"), (BODY, "w2"), (TROLLEY, "thdot"), (SLIDER, "m*vdot + u"), (SLIDER, "vdot**2"),
]  # fmt: skip


@pytest.mark.parametrize(("system", "formula"), MOVING)
def test_a_counterexample_is_a_state_where_the_quantity_moves(system: nh.System, formula: str) -> None:
    found = nh.conserved(system, formula)
    assert found.verdict == "fails"
    case = found.counterexample
    assert case is not None
    start, parameters = dict(case.state), dict(case.parameters)
    run = nh.simulate(system, start, 1e-4, parameters, rtol=1e-12, atol=1e-14, t_eval=[0.0, 1e-4],
                      inputs=dict.fromkeys(system.inputs, 0.0))  # fmt: skip
    values = found.along(run)
    assert (values[1] - values[0]) / 1e-4 == pytest.approx(case.rate, rel=1e-2, abs=1e-4)


def test_conditions_are_said() -> None:
    assert nh.conserved(SLIDER, "m*vdot - u").data.when.idle
    round_body = {"A": 1.2, "B": 1.2, "C": 2.0}
    free = nh.System(frame=nh.SO3("R", rates="w1 w2 w3"), parameters="A B C", lagrangian="(A*w1**2 + B*w2**2 + C*w3**2)/2")
    assert nh.conserved(free, "w3").verdict == "fails"
    assert nh.conserved(free, "w3", round_body).data.when.values
    assert nh.conserved(TROLLEY, "ydot*cos(th) - xdot*sin(th)").proved  # zero at every admissible state
    plane = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2 - x**2 - y**2)/2")
    assert nh.conserved(plane, "atan2(xdot, x) - atan2(ydot, y)").data.when.branches


def test_what_cannot_be_decided_is_open() -> None:
    plane = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - x")
    assert nh.conserved(plane, "abs(ydot)").verdict == "unknown"
    with pytest.raises(nh.ModelError, match="input in it"):
        nh.conserved(SLIDER, "F*u")
    with pytest.raises(nh.ParseError, match="unknown name"):
        nh.conserved(plane, "zdot")
