"""Constraints that fall into types of motion: named, chosen by the user, also at transitional states."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.gallery.rigid_parallel_points import segment

VALUES = {"m1": 1.2, "m2": 0.7, "l": 0.9, "g": 1.4}
TRANSITION = {"phi": 0.5, "xdot": -0.4 * float(np.sin(0.5)), "ydot": 0.4 * float(np.cos(0.5))}


def fork() -> nh.System:
    return nh.System(
        name="fork",
        coordinates="x y z",
        lagrangian="(xdot**2 + ydot**2 + zdot**2)/2 - z",
        constraints=["zdot**2 - x**2*ydot**2"],
    )


def double() -> nh.System:
    return nh.System(
        name="double", coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + 2*zdot**2)/2 - x*z",
        constraints=["(zdot - y*xdot)*(ydot + z*xdot)*(xdot - 1)"],
    )  # fmt: skip


def rod() -> nh.System:
    places = [("x", "y"), ("x + cos(phi)", "y + sin(phi)")]
    rule = "(xdot*cos(phi) + ydot*sin(phi))*(phidot - 2*xdot)"
    return nh.particles([1, 2], places, coordinates="x y phi", constraints=[rule], name="rod")


@pytest.mark.parametrize(("make", "count"), [(lambda: segment("both, (60)"), 2), (fork, 2), (double, 3), (rod, 2)])
def test_each_branch_makes_the_constraint_vanish_and_is_linear(make, count: int) -> None:
    system = make()
    found = nh.forms.constraint_branches(system)
    assert list(found) == ["I", "II", "III"][:count]
    for one in found.values():
        assert nh.classify(one).form in ("linear", "affine")
        place = {**dict.fromkeys(system.coordinates, 0.4), **dict.fromkeys(system.velocities, 0.3)}
        place |= dict.fromkeys(system.parameters, 1.1)
        from nonholo.algebra.linear_equations import evaluate
        from nonholo.model.velocities.admissible import admissible

        allowed = admissible(one)
        z = {str(s): 0.37 for s in allowed.speeds}
        rates = dict(zip(system.velocities, evaluate(allowed.velocity, {**place, **z}).tolist()))
        assert abs(float(evaluate(system.constraints, {**place, **rates})[0])) < 1e-12


def test_types_of_the_rigid_segment_are_those_of_the_paper() -> None:
    """Benenti §8.4: type I is nonholonomic, type II integrable, φ = const."""
    one, two = nh.forms.constraint_branches(segment("both, (60)")).values()
    assert nh.classify(one).kind == "nonholonomic"
    assert nh.classify(two).kind == "holonomic in disguise"


def test_the_user_chooses_at_a_transitional_state() -> None:
    """Each choice is the motion of the system with that linear constraint alone; none is refused with both names."""
    quadratic = segment("both, (60)")
    with pytest.raises(nh.ModelError, match="branch"):
        nh.simulate(quadratic, TRANSITION, 1.0, VALUES)
    for name in ("I", "II"):
        run = nh.simulate(quadratic, TRANSITION, 1.0, VALUES, branch=name)
        plain = nh.simulate(segment(name), TRANSITION, 1.0, VALUES)
        assert {n: run.final[n] for n in ("x", "y", "phi")} == pytest.approx(
            {n: plain.final[n] for n in ("x", "y", "phi")}, abs=1e-8
        )
    ends = [nh.simulate(quadratic, TRANSITION, 1.0, VALUES, branch=k).final["x"] for k in (1, 2)]
    assert abs(ends[0] - ends[1]) > 0.1


def test_wrong_choices_say_what_there_is() -> None:
    with pytest.raises(nh.StateError, match=r"I: .*; II: "):
        nh.simulate(fork(), {"x": 0.5}, 1.0, branch="VII")
    plain = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", constraints=["xdot - ydot"])
    with pytest.raises(nh.StateError, match="one branch only"):
        nh.simulate(plain, {}, 1.0, branch="I")
    with pytest.raises(nh.NonholoError):
        nh.simulate(segment("both, (60)"), {"phi": 0.5, "xdot": 1.0, "ydot": 0.0, "phidot": 0.0}, 1.0, VALUES, branch="I")
