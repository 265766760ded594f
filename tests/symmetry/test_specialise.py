"""Reductions for given parameters, of driven constraints, and symmetries of velocities by parameters."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.errors import NonholoError
from nonholo.finding import Measure, Symmetries
from nonholo.symmetry.group.symmetry_group import group_of

PLAIN = Path(__file__).parents[1] / "plain"


def tilted() -> nh.System:
    """A skate on a plane with slope s: turns about the normal are a symmetry for s = 0 only."""
    return nh.System(
        name="tilted skate",
        coordinates="th x y",
        parameters="m J a s",
        lagrangian="m*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2)/2 + J*thdot**2/2 - m*s*(x + a*cos(th))",
        constraints=["ydot*cos(th) - xdot*sin(th)"],
    )


def test_reduce_with_parameters_finds_what_holds_for_these_values_only() -> None:
    values = {"m": 1.3, "J": 0.7, "a": 0.4}
    general = nh.reduce(tilted())
    level = nh.reduce(tilted(), parameters={"s": 0.0})
    assert len(general.group.names) < len(level.group.names) == 3
    assert "s" not in level.system.parameters
    start = {"th": 0.3, "thdot": 0.8, "xdot": 0.5}
    run = level.simulate(start, 2.0, values)
    full = nh.simulate(tilted(), start, 2.0, {**values, "s": 0.0}, rtol=1e-11, atol=1e-12)
    for name in ("x", "y", "th"):
        assert run.final[name] == pytest.approx(full.final[name], abs=1e-8)


def test_a_parameter_that_was_put_in_cannot_be_given_again() -> None:
    level = nh.reduce(tilted(), parameters={"s": 0.0})
    with pytest.raises(NonholoError, match="parameter"):
        level.simulate({"thdot": 1.0}, 0.5, {"m": 1.3, "J": 0.7, "a": 0.4, "s": 1.0})
    with pytest.raises(NonholoError):
        nh.reduce(tilted(), parameters={"slope": 0.0})


def test_an_input_in_a_constraint_that_is_a_formula_of_time_is_reduced() -> None:
    """A belt that runs with the speed u = 0.3 sin t under the skate."""
    belt = nh.System(
        coordinates="th x y",
        parameters={"m": 1.2, "J": 0.5, "a": 0.3},
        lagrangian="m*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2)/2 + J*thdot**2/2",
        constraints=["ydot*cos(th) - (xdot - u)*sin(th)"],
        inputs={"u": "0.3*sin(t)"},
    )
    start = {"th": 0.4, "thdot": 0.9, "xdot": 0.5}
    run = nh.reduce(belt).simulate(start, 2.0)
    by_time = nh.System(
        coordinates="th x y",
        parameters={"m": 1.2, "J": 0.5, "a": 0.3},
        lagrangian="m*((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2)/2 + J*thdot**2/2",
        constraints=["ydot*cos(th) - (xdot - 0.3*sin(t))*sin(th)"],
    )
    full = nh.simulate(by_time, start, 2.0, rtol=1e-11, atol=1e-12, form="multipliers")
    assert max(abs(run.final[n] - full.final[n]) for n in ("x", "y", "th")) < 1e-8


def test_velocities_by_parameters_have_the_symmetries_of_the_constraint_they_solve() -> None:
    system = nh.load(PLAIN / "sleigh-parametric.toml")
    other = nh.System(
        coordinates=" ".join(system.coordinates),
        parameters=" ".join(system.parameters),
        lagrangian=system.lagrangian,
        constraints=["ydot*cos(th) - xdot*sin(th)"],
    )
    assert list(group_of(system).plain) == list(group_of(other).plain)
    assert list(group_of(system).plain) == ["shift_x", "shift_y", "shift_th + turn_xy"]


def test_a_nonlinear_parametrisation_keeps_the_turns_it_has() -> None:
    """|v| = c by its angle: shifts and turns of the plane; with the speed c (1 + x²/10) the shift along x is none."""
    words = ("z", {"xdot": "c*cos(z)", "ydot": "c*sin(z)"})
    even = nh.System(coordinates="x y", parameters="m c", lagrangian="m*(xdot**2 + ydot**2)/2", parametric=words)
    assert list(group_of(even).plain) == ["shift_x", "shift_y", "turn_xy"]
    words = ("z", {"xdot": "c*(1 + x**2/10)*cos(z)", "ydot": "c*(1 + x**2/10)*sin(z)"})
    bent = nh.System(coordinates="x y", parameters="m c", lagrangian="m*(xdot**2 + ydot**2)/2", parametric=words)
    assert list(group_of(bent).plain) == ["shift_y"]


def test_the_parametric_sleighs_trace_is_that_of_its_hand_made_equation() -> None:
    """At w = s = 0 only ``ẇ = −M r u w/(J + M r²)`` contracts: no density that the symmetries leave alone."""
    found = nh.measure(nh.load(PLAIN / "sleigh-parametric.toml"))
    assert found.verdict == "fails" and "with w = s = 0" in found.evidence
    model = nh.prepare(nh.load(PLAIN / "sleigh-parametric.toml"))
    still = {"th": 0.3, "x": 0.0, "y": 0.0, "r": 0.5, "w": 0.0, "u": 0.6, "s": 0.0}
    slopes = model.jacobian(np.array([still[n] for n in model.names]))
    k = model.names.index("w")
    assert slopes[k, k] == pytest.approx(-0.4 * 0.5 * 0.6 / (0.5 + 0.4 * 0.25), rel=1e-9)


def test_what_is_absent_for_generic_values_is_not_denied_for_special_ones() -> None:
    """Equal springs turn into themselves, and a sleigh with its mass at the blade keeps a measure: both were denied, proved."""
    springs = nh.System(
        coordinates="x y", parameters={"a": 1.0, "b": 1.0}, lagrangian="(xdot**2 + ydot**2)/2 - a*x**2/2 - b*y**2/2"
    )  # fmt: skip
    found = [f for f in nh.verdict(springs).findings if isinstance(f.data, Symmetries)]
    assert [(f.data.names, f.data.values, f.proved) for f in found] == [(("turn_xy",), True, True)]
    apart = [f for f in nh.verdict(springs, {"b": 2.0}).findings if isinstance(f.data, Symmetries)]
    assert [(f.verdict, f.proved) for f in apart] == [("fails", True)]
    words = {
        "coordinates": "th x y", "constraints": ["ydot*cos(th) - xdot*sin(th)"],
        "lagrangian": "((xdot - a*thdot*sin(th))**2 + (ydot + a*thdot*cos(th))**2)/2 + J*thdot**2/2",
    }  # fmt: skip
    held = nh.measure(nh.System(parameters={"J": 0.5, "a": 0.0}, **words))
    assert held and held.proved and isinstance(held.data, Measure) and held.data.values
    for given in ({"J": 0.5, "a": 0.3}, "J a"):
        assert nh.measure(nh.System(parameters=given, **words)).verdict == "fails"
