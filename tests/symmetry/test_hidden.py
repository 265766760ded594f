"""Symmetries that are not affine in the coordinates: found, proved and reduced by."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.model.specialise import specialised
from nonholo.symmetry.exact.modular_states import motion_of
from nonholo.symmetry.group.library_symmetries import hidden_symmetries
from tests.symmetry.moved import moved_motion_gap

SKATE_ON_SPHERE = nh.System(
    name="skate on a sphere", coordinates="psi phi th", parameters={"m": 1.3, "J": 0.7, "R": 1.7},
    lagrangian="m*R**2*(thdot**2 + sin(th)**2*phidot**2)/2 + J*(psidot + cos(th)*phidot)**2/2",
    constraints=["thdot*sin(psi) - phidot*sin(th)*cos(psi)"],
)  # fmt: skip
SLEIGH_ON_HALF_PLANE = nh.System(
    name="sleigh on the hyperbolic plane", coordinates="x theta y", parameters={"m": 1.3, "J": 0.7},
    lagrangian="m*(xdot**2 + ydot**2)/(2*y**2) + J*(thetadot + xdot/y)**2/2",
    constraints=["xdot*sin(theta) - ydot*cos(theta)"],
)  # fmt: skip
SLEIGH_IN_POLAR = nh.System(
    name="unbalanced sleigh in polar coordinates", coordinates="r theta phi", parameters={"m": 1.3, "J": 0.7, "a": 0.4},
    lagrangian="m*(rdot**2 + r**2*phidot**2 + a**2*thetadot**2)/2 + J*thetadot**2/2"
    " + m*a*thetadot*(r*phidot*cos(theta - phi) - rdot*sin(theta - phi))",
    constraints=["rdot*sin(theta - phi) - r*phidot*cos(theta - phi)"],
)  # fmt: skip
SKATE_ON_TORUS = nh.System(
    name="skate on a torus", coordinates="psi phi th", parameters={"m": 1.3, "J": 0.7, "R": 2.1},
    lagrangian="m*(thdot**2 + (R + cos(th))**2*phidot**2)/2 + J*(psidot - sin(th)*phidot)**2/2",
    constraints=["thdot*sin(psi) - phidot*(R + cos(th))*cos(psi)"],
)  # fmt: skip
INCLINE_IN_POLAR = nh.System(
    name="point on an incline, polar", coordinates="r phi", parameters={"m": 1.2, "g": 1.1},
    lagrangian="m*(rdot**2 + r**2*phidot**2)/2 - m*g*r*cos(phi)",
)  # fmt: skip
TROUGH_IN_POLAR = nh.System(
    name="point in a trough, polar", coordinates="r phi", parameters={"m": 1.2, "g": 1.1},
    lagrangian="m*(rdot**2 + r**2*phidot**2)/2 - m*g*(r*cos(phi))**2",
)  # fmt: skip
SLOPING_CONSTRAINT_IN_POLAR = nh.System(
    name="constraint that depends on one Cartesian coordinate, polar", coordinates="p f r",
    lagrangian="(rdot**2 + r**2*fdot**2)/2 + (r*fdot*cos(f) + rdot*sin(f) - r**2*(rdot*cos(f) - r*fdot*sin(f))*sin(f)**2/5)**2/2"
    " + pdot**2/2 - p**2*r**2*sin(f)**2",
    constraints=["rdot*cos(f) - r*fdot*sin(f) - r**2*(r*fdot*cos(f) + rdot*sin(f))*sin(f)**2/3"],
)  # fmt: skip
STARTS = {
    SLOPING_CONSTRAINT_IN_POLAR.name: {"p": 0.4, "f": 0.7, "r": 1.1, "pdot": 0.3, "fdot": 0.5},
    TROUGH_IN_POLAR.name: {"r": 1.5, "phi": 0.7, "rdot": 0.4, "phidot": 0.3},
    SKATE_ON_SPHERE.name: {"psi": 0.5, "phi": 0.2, "th": 1.2, "psidot": 0.9, "thdot": 0.5},
    SLEIGH_ON_HALF_PLANE.name: {"x": 0.2, "y": 1.1, "theta": 0.4, "thetadot": 0.8, "xdot": 0.6},
    SLEIGH_IN_POLAR.name: {"r": 1.5, "theta": 0.9, "phi": 0.1, "thetadot": 0.6, "rdot": 0.4},
    INCLINE_IN_POLAR.name: {"r": 1.5, "phi": 0.7, "rdot": 0.4, "phidot": 0.3},
}


def killing(system: nh.System, field: tuple, seed: int) -> float:
    """``ξ^C[L]`` at a random state, by a central difference: shares no code with the search."""
    random = np.random.default_rng(seed)
    values = dict(system.parameters)
    q = {c: float(e) for c, e in zip(system.coordinates, random.uniform(0.5, 1.2, len(system.coordinates)))}
    v = {f"{c}dot": float(e) for c, e in zip(system.coordinates, random.uniform(-1, 1, len(system.coordinates)))}
    start = {**q, **v}
    x = [se.Symbol(c) for c in system.coordinates]

    def number(expr, at):
        return float(se.sympify(expr).subs({se.Symbol(n): e for n, e in {**values, **at}.items()}))

    moved = [number(f, start) for f in field]
    lifted = [sum(number(f.diff(s), start) * start[f"{s}dot"] for s in x) for f in map(se.sympify, field)]

    def at(eps: float) -> dict:
        new = dict(start)
        for c, a, b in zip(system.coordinates, moved, lifted):
            new[c] += eps * a
            new[f"{c}dot"] += eps * b
        return new

    h = 1e-5
    return abs(number(system.lagrangian, at(h)) - number(system.lagrangian, at(-h))) / (2 * h)


@pytest.mark.parametrize(
    ("system", "count"),
    [(SKATE_ON_SPHERE, 2), (SLEIGH_ON_HALF_PLANE, 1), (SLEIGH_IN_POLAR, 2), (SKATE_ON_TORUS, 0), (TROUGH_IN_POLAR, 1)],
    ids=lambda e: getattr(e, "name", e),
)
def test_hidden_symmetries_are_as_many_as_the_group_says(system: nh.System, count: int) -> None:
    """SO(3), SL(2, R), SE(2) less what is affine; a torus has its shift alone."""
    found = hidden_symmetries(motion_of(system))
    assert found is not None and len(found) == count
    for field in found:
        assert max(killing(system, field, seed) for seed in range(3)) < 1e-8


def test_a_torus_without_a_hole_is_a_sphere() -> None:
    found = hidden_symmetries(motion_of(specialised(SKATE_ON_TORUS, {"R": 0.0})))
    assert found is not None and len(found) == 2


@pytest.mark.parametrize("system", [SKATE_ON_SPHERE, SLEIGH_ON_HALF_PLANE, SLEIGH_IN_POLAR], ids=lambda s: s.name)
def test_reduced_by_the_whole_group_the_motion_is_the_full_one(system: nh.System) -> None:
    red = nh.reduce(system, symmetry="all")
    assert red.shape.names == () and len(red.group.names) == 3
    assert _gap(system, red) < 1e-9


def test_without_an_affine_symmetry_a_hidden_one_is_taken() -> None:
    red = nh.reduce(TROUGH_IN_POLAR)
    assert [str(f) for f in red.shape.functions] == ["r*cos(phi)"]
    assert _gap(TROUGH_IN_POLAR, red) < 1e-9


def test_a_hidden_shift_with_a_relative_coordinate_and_a_constraint_reduces() -> None:
    red = nh.reduce(SLOPING_CONSTRAINT_IN_POLAR)
    assert [str(f) for f in red.shape.functions] == ["p", "r*sin(f)"]
    assert _gap(SLOPING_CONSTRAINT_IN_POLAR, red) < 1e-9


def test_a_point_on_an_incline_in_polar_coordinates_is_reduced_by_both_shifts() -> None:
    """Down the incline the Lagrangian changes by a constant, and the equations do not change."""
    found = hidden_symmetries(motion_of(INCLINE_IN_POLAR)) or ()
    assert len(found) == 2
    for field in found:
        assert moved_motion_gap(INCLINE_IN_POLAR, field, STARTS[INCLINE_IN_POLAR.name], dict(INCLINE_IN_POLAR.parameters)) < 1e-7
    red = nh.reduce(INCLINE_IN_POLAR)
    assert red.shape.names == () and len(red.momenta) == 2
    assert _gap(INCLINE_IN_POLAR, red) < 1e-9


def test_momenta_of_hidden_symmetries_are_found() -> None:
    """In the plane it is the velocity along the incline."""
    claims = [f.claim for f in nh.integrals(INCLINE_IN_POLAR) if f.proved]
    assert "phidot*r*cos(phi) + rdot*sin(phi) is constant" in claims


def test_another_word_than_all_is_refused() -> None:
    with pytest.raises(nh.ModelError, match='"all" is needed'):
        nh.reduce(SKATE_ON_SPHERE, symmetry="every")


def _gap(system: nh.System, red: nh.Reduction) -> float:
    start = STARTS[system.name]
    full = nh.simulate(system, start, 2.0, rtol=1e-12, atol=1e-13, t_eval=11, form="multipliers")
    reduced = red.simulate(start, 2.0, rtol=1e-12, atol=1e-13, t_eval=11)
    assert full.outcome == "reached" and reduced.outcome == "reached"
    assert max(np.ptp(full[c]) for c in system.coordinates) > 0.3
    return max(float(np.max(np.abs(full[c] - reduced[c]))) for c in system.coordinates)
