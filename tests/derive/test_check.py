"""What `check` says where it cannot compare."""

from __future__ import annotations

import nonholo as nh


def test_a_constraint_said_twice_is_named_as_the_reason() -> None:
    twice = nh.System(
        coordinates="x y th",
        parameters="m J",
        lagrangian="m/2*(xdot**2+ydot**2)+J/2*thdot**2",
        constraints=["-xdot*sin(th)+ydot*cos(th)", "2*xdot*sin(th)-2*ydot*cos(th)"],
    )
    first = nh.check(twice)[0]
    assert first.verdict == "fails" and "constraint 2" in first.evidence and "remove it" in first.evidence
