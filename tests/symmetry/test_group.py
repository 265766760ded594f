"""The symmetry group of a system: every generator carries motions to motions, and none that does is missed."""

from __future__ import annotations

import pytest
import symengine as se

import nonholo as nh
from nonholo.symmetry.exact.modular_states import motion_of
from nonholo.symmetry.group.shift_turn_algebra import symmetry_algebra
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
    found = symmetry_algebra(motion_of(system))
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
    assert symmetry_algebra(motion_of(bead)) == {}
    with pytest.raises(nh.ModelError, match="no symmetry is declared"):
        nh.reduce(bead)
