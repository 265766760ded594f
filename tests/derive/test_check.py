"""What `check` says where it cannot compare."""

from __future__ import annotations

from dataclasses import replace

import nonholo as nh
from nonholo.derive.laws.check import _agreement, _at, random_states
from nonholo.finding import Agreement


def test_a_constraint_said_twice_is_named_as_the_reason() -> None:
    twice = nh.System(
        coordinates="x y th",
        parameters="m J",
        lagrangian="m/2*(xdot**2+ydot**2)+J/2*thdot**2",
        constraints=["-xdot*sin(th)+ydot*cos(th)", "2*xdot*sin(th)-2*ydot*cos(th)"],
    )
    first = nh.check(twice)[0]
    assert first.verdict == "fails" and "constraint 2" in first.evidence and "remove it" in first.evidence


def test_rounding_near_a_degenerate_choice_of_speeds_is_no_disagreement() -> None:
    """The second frame's speeds nearly degenerate at one of the random states; 1.06e-10 was called a disagreement."""
    system = nh.System(
        coordinates="f x y x2 y2 z", parameters={"r": 0.9, "g": 2.0, "k": 0.6, "h": 2.0},
        lagrangian="9*((xdot - 2*zdot)**2 + ydot**2)/8 + 9*(x2dot**2 + y2dot**2 + zdot**2)/8 + 9*fdot**2/20 - g*y - h*z",
        holonomic=["x - 2*z - r*cos(f)", "y - r*sin(f)", "z - k*x2**2"],
    )  # fmt: skip
    found = {f.data.one: f.verdict for f in nh.check(system) if isinstance(f.data, Agreement)}
    assert found["hamel in a second frame"] == "holds", found


def test_a_wrong_derivation_disagrees_wherever_the_speeds_degenerate() -> None:
    system = nh.gallery.get("chaplygin-sleigh").system

    def wrong(one: nh.System) -> nh.Equations:
        good = nh.hamel(one)
        return replace(good, force=tuple(e * (1 + 1e-9) for e in good.force))

    states = list(random_states(system))
    truth = [_at(nh.multipliers(system), s) for s in states]
    assert _agreement(system, "hamel", wrong, states, truth).verdict == "fails"
