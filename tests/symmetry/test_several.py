"""Momenta with coefficients of several variables: how many there are, and that they stay constant."""

from __future__ import annotations

from math import asinh

import numpy as np
import pytest

import nonholo as nh
from nonholo.algebra.calculus import ONE, ZERO, symbols
from nonholo.finding import LinearMomenta
from nonholo.symmetry.integrals.momentum_rates import momenta
from nonholo.symmetry.integrals.several.pde_prolongation import Closure, closure, equation_of
from nonholo.symmetry.integrals.several.taylor_transport import several_momenta


def counted(system: nh.System, names: str) -> Closure | None:
    found = momenta(system)
    size = len(found.speeds)
    own = tuple(tuple(ONE if i == k else ZERO for i in range(size)) for k in range(size))
    return closure(equation_of(found, own, symbols(names.split())))


def free(lagrangian: str, names: str) -> nh.System:
    return nh.System(coordinates=names, lagrangian=lagrangian)


@pytest.mark.parametrize(
    ("lagrangian", "names", "count"),
    [
        ("(udot**2 + vdot**2)/2", "u v", 3),  # the plane
        ("(udot**2 + sin(u)**2*vdot**2)/2", "u v", 3),  # the sphere
        ("(udot**2 + vdot**2)/(2*v**2)", "u v", 3),  # the hyperbolic plane
        ("(udot**2 + (2 + cos(u))**2*vdot**2)/2", "u v", 1),  # a torus
        ("((1 + u**2)*udot**2 + 2*u*v*udot*vdot + (1 + v**2)*vdot**2)/2", "u v", 1),  # z = (u² + v²)/2, turned
        ("((1 + 4*u**2)*udot**2 + 4*u*v*udot*vdot + (1 + v**2)*vdot**2)/2", "u v", 0),  # z = u² + v²/2, an elliptic one
        ("(udot**2 + vdot**2 + wdot**2)/2", "u v w", 6),  # space
        ("(udot**2 + sin(u)**2*vdot**2 + wdot**2)/2", "u v w", 4),  # a cylinder over a sphere
        ("(udot**2 + vdot**2)/2 - v", "u v", 1),  # a slope
        ("(udot**2 + vdot**2)/2 - (u**2 + v**2)**2", "u v", 1),  # a central force
    ],
)
def test_killing_fields_are_as_many_as_geometry_says(lagrangian: str, names: str, count: int) -> None:
    """Isometries of surfaces [Eisenhart 1926, chapter 6]; with a potential those that keep it."""
    found = counted(free(lagrangian, names), names)
    assert found is not None and found.closed and found.dimension == count


CONTACT = nh.System(
    name="nonholonomic particle", coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=["zdot - y*xdot"]
)
MIXED = nh.System(  # the same with x = u, y = u v
    name="nonholonomic particle, mixed", coordinates="z v u",
    lagrangian="(udot**2 + (u*vdot + v*udot)**2 + zdot**2)/2", constraints=["zdot - u*v*udot"],
)  # fmt: skip


def by_hand(x, y, xdot, ydot) -> np.ndarray:
    """``ẏ`` and ``ẋ √(1 + y²)`` are constant [Rosenberg 1977], so ``x`` goes like ``asinh y``: one more."""
    root = np.sqrt(1 + y**2)
    return np.array([ydot, xdot * root, x * ydot - np.arcsinh(y) * root * xdot])


def test_numbers_are_carried_to_a_combination_of_the_three_known_momenta() -> None:
    found = counted(CONTACT, "x y")
    assert found is not None
    basis = several_momenta(found, {}, [0.3, 0.2])
    random = np.random.default_rng(3)
    states = [dict(zip(("x", "y", "xdot", "ydot"), random.uniform(-1, 1, 4).tolist())) for _ in range(7)]
    ours = np.array([one.many([{**s, "z": 0.0} for s in states]) for one in basis])
    hand = np.array([by_hand(s["x"], s["y"], s["xdot"], s["ydot"]) for s in states]).T
    both = np.vstack([ours, hand])
    sizes = np.linalg.svd(both / np.linalg.norm(both, axis=1, keepdims=True), compute_uv=False)
    assert sizes[2] > 1e-3 and sizes[3] < 1e-9


@pytest.mark.slow
def test_a_particle_has_a_third_momentum_of_two_variables() -> None:
    found = nh.integrals(CONTACT, depends_on=["x", "y"], start={"x": 0.3, "y": 0.2, "xdot": 0.7, "ydot": 0.9})
    count = next(f for f in found if isinstance(f.data, LinearMomenta))
    assert count.data == LinearMomenta(("x", "y"), count=3) and count.exact
    (numeric,) = [f for f in found if "known as numbers" in f.claim]
    assert not numeric.exact and numeric.verdict == "holds"
    rows = []
    for k in range(6):
        random = np.random.default_rng(k)
        start = dict(zip(("x", "y", "xdot", "ydot"), random.uniform(-1, 1, 4).tolist()))
        run = nh.simulate(CONTACT, start, 1.5, rtol=1e-12, atol=1e-13, t_eval=6, form="multipliers")
        hand = by_hand(run["x"], run["y"], run["xdot"], run["ydot"])
        assert np.max(np.ptp(hand, axis=1)) < 1e-10
        values = numeric.along(run)
        assert np.ptp(values) < 1e-9
        rows.append([*hand[:, 0], values[0]])
    table = np.array(rows)
    # it is a combination of the three known ones, and holds the third
    weights, *_ = np.linalg.lstsq(table[:, :3], table[:, 3], rcond=None)
    assert np.max(np.abs(table[:, :3] @ weights - table[:, 3])) < 1e-8 and abs(weights[2]) > 1e-3


def test_a_change_of_coordinates_that_mixes_them_changes_no_count() -> None:
    plain, mixed = counted(CONTACT, "x y"), counted(MIXED, "u v")
    assert plain is not None and mixed is not None
    assert (plain.dimension, plain.closed) == (mixed.dimension, mixed.closed) == (3, True)


@pytest.mark.slow
def test_the_mixed_particle_s_momenta_are_followed_as_numbers() -> None:
    start = {"u": 1.1, "v": 0.3, "udot": 0.5, "vdot": 0.4}
    found = [f for f in nh.integrals(MIXED, depends_on=["u", "v"], start=start) if f and f.expression is not None]
    run = nh.simulate(MIXED, start, 1.5, rtol=1e-12, atol=1e-13, t_eval=6, form="multipliers")
    momenta_found = [f for f in found if "energy" not in f.claim]
    assert len(momenta_found) == 3
    for f in momenta_found:
        assert np.ptp(f.along(run)) < 1e-9
    x, y = run["u"], run["u"] * run["v"]
    hand = by_hand(x, y, run["udot"], run["u"] * run["vdot"] + run["v"] * run["udot"])
    assert np.max(np.ptp(hand, axis=1)) < 1e-10


@pytest.mark.parametrize(
    "constraint", ["zdot - y*xdot - 2*x*ydot", "zdot - x*y*xdot - sin(x)*ydot", "zdot - x**2*y*xdot"]
)
def test_particles_without_a_momentum_of_two_variables(constraint: str) -> None:
    """Told as none, with proof; a random start shows no further constant among velocities linear in time either."""
    particle = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2", constraints=[constraint])
    (none,) = [f for f in nh.integrals(particle) if f.data == LinearMomenta(("x", "y"))] or [None]
    if constraint == "zdot - x**2*y*xdot":
        found = counted(particle, "x y")
        assert found is not None and found.dimension >= 1 and none is None  # ẏ is constant
        return
    assert none is not None and none.verdict == "fails" and none.exact


def test_a_ball_on_a_surface_without_symmetry_has_none_and_on_the_plane_four() -> None:
    """Rolling on a plane: both velocities, the spin, and none with positions beyond ``x ẏ − y ẋ``, which moves straight."""
    plane = nh.System(
        frame=nh.SO3("R", rates="w1 w2 w3", side="spatial") * nh.Euclidean("x y"), parameters={"m": 1.2, "k": 0.3, "r": 0.7},
        lagrangian="m*(xdot**2 + ydot**2)/2 + k*(w1**2 + w2**2 + w3**2)/2", constraints=["xdot - r*w2", "ydot + r*w1"],
    )  # fmt: skip
    found = counted(plane, "x y")
    assert found is not None and found.dimension == 4
    root = "sqrt(1 + 4*x**2 + 9*y**2)"
    bowl = nh.System(
        frame=nh.SO3("R", rates="w1 w2 w3", side="spatial") * nh.Euclidean("x y"), parameters={"m": 1.2, "k": 0.3, "r": 0.7},
        lagrangian="m*(xdot**2 + ydot**2 + (2*x*xdot + 3*y*ydot)**2)/2 + k*(w1**2 + w2**2 + w3**2)/2",
        constraints=[f"xdot - r*(w2 + 3*y*w3)/{root}", f"ydot + r*(w1 + 2*x*w3)/{root}"],
    )  # fmt: skip
    found = counted(bowl, "x y")
    assert found is not None and found.dimension == 0


def test_asinh_is_what_the_third_momentum_needs() -> None:
    """A check of the hand's own formula by one number."""
    assert by_hand(0.3, 0.2, 0.7, 0.9)[2] == pytest.approx(0.27 - asinh(0.2) * 0.7 * np.sqrt(1.04))


TURN = {"1": "(R11*w1 + R12*w2 + R13*w3)", "2": "(R21*w1 + R22*w2 + R23*w3)", "3": "(R31*w1 + R32*w2 + R33*w3)"}
"""Rates of a body in space from its own."""


def rolling(potential: str = "0") -> nh.System:
    """A ball on a plane, with a rotation matrix and rates of the body."""
    return nh.System(
        name="ball", frame=nh.SO3("R", rates="w1 w2 w3") * nh.Euclidean("x y"), parameters="m I r k",
        lagrangian=f"m/2*(xdot**2 + ydot**2) + I/2*(w1**2 + w2**2 + w3**2) - k*({potential})",
        constraints=[f"xdot - r*{TURN['2']}", f"ydot + r*{TURN['1']}"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("potential", "count"),
    # ω is constant, and x ω_x + y ω_y; a spring leaves ω_z alone and, where it is the same all around, the turning of the place
    [
        pytest.param("0", 4, marks=pytest.mark.slow),
        pytest.param("(x**2 + y**2)/2", 2, marks=pytest.mark.slow),
        ("x**2 + y**2/2", 1),
    ],
)
def test_a_ball_in_rates_of_its_body_is_counted_along_fields_that_do_not_turn_with_it(potential: str, count: int) -> None:
    """Along the body's own axes a potential would leave none with coefficients of the place."""
    told = nh.integrals(rolling(potential), depends_on=["x", "y"])
    (line,) = [f for f in told if f.method.startswith("prolongation of the linear partial")]
    assert line.exact and line.data.along == "fields that do not turn with the body"
    assert count in (line.value, line.data.count)


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "count"), [(1, 2), (2, 0)])
def test_a_ball_in_a_paraboloid_in_rates_of_its_body(factor: int, count: int) -> None:
    """Routh's two momenta in a round bowl, none in an elliptic one; the centre moves on ``z = (x² + c y²)/2``."""
    slopes = ("x", f"{factor}*y")
    length = f"sqrt(1 + ({slopes[0]})**2 + ({slopes[1]})**2)"
    normal = {"1": f"(-({slopes[0]})/{length})", "2": f"(-({slopes[1]})/{length})", "3": f"(1/{length})"}
    bowl = nh.System(
        name="bowl", frame=nh.SO3("R", rates="w1 w2 w3") * nh.Euclidean("x y"), parameters="m I r g",
        lagrangian=f"m/2*(xdot**2 + ydot**2 + (({slopes[0]})*xdot + ({slopes[1]})*ydot)**2) + I/2*(w1**2 + w2**2 + w3**2) "
                   f"- m*g*(x**2 + {factor}*y**2)/2",
        constraints=[f"xdot - r*({TURN['2']}*{normal['3']} - {TURN['3']}*{normal['2']})",
                     f"ydot - r*({TURN['3']}*{normal['1']} - {TURN['1']}*{normal['3']})"],
    )  # fmt: skip
    told = nh.integrals(bowl, depends_on=["x", "y"])
    counted = [f for f in told if f.method.startswith("prolongation of the linear partial")]
    assert counted[0].exact and count in (counted[0].value, counted[0].data.count)


def test_products_of_decimals_are_not_rounded_before_momenta_are_counted() -> None:
    """0.35 · 0.35 in the constraint is 49/400: nothing was decided behind 0.12249999999999998."""
    system = nh.System(
        coordinates="r s x y", constraints=["ydot - 0.35*(r + 0.35*s)*xdot"],
        lagrangian="(rdot**2 + sdot**2 + (1.3 + 0.7*r)*xdot**2 + ydot**2)/2 - 0.37*r*s**2",
    )  # fmt: skip
    answers = nh.integrals(system, depends_on=["r", "s"])
    (counted,) = [f for f in answers if isinstance(f.data, LinearMomenta) and f.data.variables == ("r", "s")]
    assert counted.verdict == "fails" and counted.exact
