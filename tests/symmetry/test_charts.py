"""Answers that do not change with the chart: rotations in Euler and Cardan angles, spheres in angles, hyperbolic coordinates."""

from __future__ import annotations

import json
from itertools import permutations, product

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.finding import FirstIntegral, is_energy
from nonholo.symmetry.certificate.certificates import certificates
from nonholo.symmetry.exact.modular_states import motion_of
from nonholo.symmetry.group.library_symmetries import hidden_symmetries, isometries
from tests.certificates.checker import check
from tests.symmetry.moved import moved_motion_gap

ANGLES = "a b c"
VALUES = {"A": 1.1, "B": 1.7, "C": 2.3, "m": 0.9, "r": 0.6, "k": 0.4, "I": 0.8, "M": 1.4, "mu": 0.7, "J": 0.5}
START = {"a": 0.4, "b": 0.9, "c": -0.3, "adot": 0.5, "bdot": -0.4, "cdot": 0.7}


def turn(axis: int, angle: se.Expr) -> se.DenseMatrix:
    """The rotation about a coordinate axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix = se.eye(3)
    matrix[i, i] = matrix[j, j] = se.cos(angle)
    matrix[i, j], matrix[j, i] = -se.sin(angle), se.sin(angle)
    return matrix


def angular_velocities(axes: tuple[int, int, int], names: str = ANGLES) -> tuple[list[se.Expr], list[se.Expr]]:
    """ω in the body and in space: each angle's rate along its axis, turned by the turns before it or after it."""
    turns = [turn(axis, angle) for axis, angle in zip(axes, se.symbols(names))]
    rates = se.symbols(" ".join(f"{n}dot" for n in names.split()))
    space, body = se.zeros(3, 1), se.zeros(3, 1)
    for k, (axis, rate) in enumerate(zip(axes, rates)):
        before, after = se.eye(3), se.eye(3)
        for matrix in turns[:k]:
            before = before * matrix
        for matrix in turns[k + 1 :]:
            after = after * matrix
        space, body = space + rate * before[:, axis], body + rate * after.T[:, axis]
    return list(body), list(space)


CONVENTIONS = [a for a in product(range(3), repeat=3) if a[0] != a[1] != a[2]]


@pytest.mark.parametrize("axes", CONVENTIONS, ids=lambda a: "".join("xyz"[k] for k in a))
def test_a_rotation_is_recognised_in_all_twelve_conventions(axes: tuple[int, int, int]) -> None:
    body, _ = angular_velocities(axes)
    top = nh.System(
        coordinates=ANGLES, parameters="A B C", lagrangian=(f"(A*({body[0]})**2 + B*({body[1]})**2 + C*({body[2]})**2)/2")
    )
    (found, *others) = isometries(motion_of(top)).rotations
    assert found.angles == ("a", "b", "c") and found.cardan == (axes[0] != axes[2]) and not others
    values = {n: VALUES[n] for n in "ABC"}
    for field in found.space:
        assert moved_motion_gap(top, field, START, values) < 1e-6


def test_a_body_with_other_moments_in_space_is_no_rotation_of_the_left() -> None:
    _, space = angular_velocities((2, 0, 2))
    strange = nh.System(
        coordinates=ANGLES, parameters="A B C", lagrangian=f"(A*({space[0]})**2 + B*({space[1]})**2 + C*({space[2]})**2)/2"
    )
    (found,) = isometries(motion_of(strange)).rotations  # the inertia is constant in space: turns about axes of the body
    assert found.angles == ("c", "b", "a")


def veselova(axes: tuple[int, int, int], drift: str) -> nh.System:
    body, space = angular_velocities(axes)
    return nh.System(
        coordinates=ANGLES, parameters="A B C k",
        lagrangian=f"(A*({body[0]})**2 + B*({body[1]})**2 + C*({body[2]})**2)/2", constraints=[f"{space[2]} - {drift}"],
    )  # fmt: skip


def independent_momenta(system: nh.System, start: dict[str, float], until: float = 1.0) -> int:
    """How many proved integrals beside the energy there are, each constant along a computed motion."""
    values = {n: VALUES[n] for n in system.parameters}
    run = nh.simulate(system, start, until, values, rtol=1e-11, atol=1e-12)
    found = [f for f in nh.integrals(system) if f and f.proved and not is_energy(f)]
    assert max(f.drift(run) for f in found) < 1e-8
    return len(found)


@pytest.mark.parametrize(
    ("axes", "drift", "free", "count"),
    [
        ((0, 1, 2), "k", "cdot", 3),
        ((2, 0, 2), "0", "adot", 2),
        pytest.param((1, 2, 0), "0", "bdot", 2, marks=pytest.mark.slow),
    ],
)
def test_momenta_in_space_of_veselova_s_body(axes: tuple[int, int, int], drift: str, free: str, count: int) -> None:
    """Two components of the momentum in space; with drift the moving energy too."""
    start = {n: e for n, e in START.items() if n != free}
    assert independent_momenta(veselova(axes, drift), start) == count


def test_momenta_in_space_of_chaplygin_s_ball_in_euler_angles() -> None:
    body, space = angular_velocities((2, 0, 2))
    ball = nh.System(
        coordinates=f"x y {ANGLES}", parameters="A B C m r",
        lagrangian=f"(A*({body[0]})**2 + B*({body[1]})**2 + C*({body[2]})**2)/2 + m*(xdot**2 + ydot**2)/2",
        constraints=[f"xdot - r*({space[1]})", f"ydot + r*({space[0]})"],
    )  # fmt: skip
    assert independent_momenta(ball, {**START, "x": 0.0, "y": 0.0}) == 3


@pytest.mark.slow
def test_momenta_in_space_of_chaplygin_s_ball_on_a_sphere_in_angles() -> None:
    """The sphere in its angles and the body in Euler angles turn together; all three momenta in space are constant."""
    body, w = angular_velocities((2, 0, 2))
    across = f"-sin(al)*({w[0]}) + cos(al)*({w[1]})"
    down = f"cos(be)*cos(al)*({w[0]}) + cos(be)*sin(al)*({w[1]}) - sin(be)*({w[2]})"
    ball = nh.System(
        coordinates=f"al be {ANGLES}", parameters="A B C m M r",
        lagrangian=f"(A*({body[0]})**2 + B*({body[1]})**2 + C*({body[2]})**2)/2 + m*M**2*(bedot**2 + sin(be)**2*aldot**2)/2",
        constraints=[f"M*bedot - r*({across})", f"M*sin(be)*aldot + r*({down})"],
    )  # fmt: skip
    start = {**START, "al": 0.3, "be": 1.1}
    hidden = hidden_symmetries(motion_of(ball)) or ()
    assert len(hidden) == 2
    for field in hidden:
        assert moved_motion_gap(ball, field, start, {n: VALUES[n] for n in ball.parameters}) < 1e-6
    assert independent_momenta(ball, start) == 3


@pytest.mark.slow
def test_a_ball_on_a_turning_free_table_is_integrable_in_euler_angles() -> None:
    _, space = angular_velocities((2, 0, 2))
    ball = nh.System(
        coordinates=f"x y f {ANGLES}", parameters="I m M r",
        lagrangian=f"I*(({space[0]})**2 + ({space[1]})**2 + ({space[2]})**2)/2 + m*(xdot**2 + ydot**2)/2 + M*fdot**2/2",
        constraints=[f"xdot + y*fdot - r*({space[1]})", f"ydot - x*fdot + r*({space[0]})"],
    )  # fmt: skip
    hidden = hidden_symmetries(motion_of(ball)) or ()
    assert len(hidden) == 2  # turns of the ball about its own axes
    start = {**START, "x": 0.3, "y": 0.2, "f": 0.1, "fdot": 0.4}
    for field in hidden:
        assert moved_motion_gap(ball, field, start, {n: VALUES[n] for n in ball.parameters}) < 1e-6
    assert nh.verdict(ball)


def test_a_monopole_on_a_sphere_has_its_three_momenta_in_angles() -> None:
    monopole = nh.System(
        coordinates="th ph", parameters="m mu", lagrangian="m*(thdot**2 + sin(th)**2*phdot**2)/2 + mu*cos(th)*phdot"
    )
    assert independent_momenta(monopole, {"th": 1.1, "ph": 0.2, "thdot": 0.4, "phdot": 0.6}) == 3


def test_a_skate_on_a_breathing_sphere_keeps_its_momentum_along_the_blade() -> None:
    skate = nh.System(
        coordinates="ps ph th", parameters="m J",
        lagrangian="m*(2 + cos(t))**2*(thdot**2 + sin(th)**2*phdot**2)/2 + J*(psdot + cos(th)*phdot)**2/2",
        constraints=["thdot*sin(ps) - phdot*sin(th)*cos(ps)"],
    )  # fmt: skip
    assert independent_momenta(skate, {"ps": 0.5, "ph": 0.2, "th": 1.2, "psdot": 0.9, "thdot": 0.5}) == 2


def test_hyperbolic_coordinates_lose_nothing() -> None:
    """A skate on a helicoid with u = k sinh p."""
    skate = nh.System(
        coordinates="p f be", parameters="m k J",
        lagrangian="m*k**2*cosh(p)**2*(pdot**2 + fdot**2)/2 + J*(bedot + tanh(p)*fdot)**2/2",
        constraints=["pdot*sin(be) - fdot*cos(be)"],
    )  # fmt: skip
    start, values = {"p": 0.3, "f": 0.0, "be": 0.6, "bedot": 0.4, "pdot": 0.5}, {n: VALUES[n] for n in skate.parameters}
    run = nh.simulate(skate, start, 1.0, values, rtol=1e-11, atol=1e-12)
    blade = np.cosh(run["p"]) * (run["fdot"] * np.sin(run["be"]) + run["pdot"] * np.cos(run["be"]))
    assert np.ptp(blade) < 1e-9
    found = [f.along(run) / blade for f in nh.integrals(skate) if f and f.proved and not is_energy(f)]
    free = [f for f in nh.integrals(skate) if f and {"pdot", "fdot"} <= {str(s) for s in f.expression.free_symbols}]
    assert max(np.ptp(r) for r in found) < 1e-7 and any(not is_energy(f) for f in free)
    assert nh.measure(skate)


SLEIGH = {
    "x y th": (
        "m*((xdot - k*thdot*sin(th))**2 + (ydot + k*thdot*cos(th))**2)/2 + J*thdot**2/2", "ydot*cos(th) - xdot*sin(th)",
        {"x": 1.1, "y": 0.2, "th": 0.5, "xdot": 0.4, "thdot": 0.6},
    ),
    "r f th": (
        "m*(rdot**2 + r**2*fdot**2 + k**2*thdot**2)/2 + J*thdot**2/2 + m*k*thdot*(r*fdot*cos(th - f) - rdot*sin(th - f))",
        "rdot*sin(f - th) + r*fdot*cos(f - th)", {"r": 1.1, "f": 0.2, "th": 0.5, "rdot": 0.4, "thdot": 0.6},
    ),
}  # fmt: skip


@pytest.mark.parametrize("chart", SLEIGH)
def test_an_unbalanced_sleigh_has_its_three_integrals_in_polar_coordinates_too(chart: str) -> None:
    lagrangian, constraint, start = SLEIGH[chart]
    sleigh = nh.System(coordinates=chart, parameters="m J k", lagrangian=lagrangian, constraints=[constraint])
    assert independent_momenta(sleigh, start) == 2


def test_orders_of_the_coordinates_do_not_matter() -> None:
    for order in permutations(("th", "ph")):
        monopole = nh.System(
            coordinates=" ".join(order), lagrangian="(thdot**2 + sin(th)**2*phdot**2)/2 + cos(th)*phdot"
        )
        assert sum(1 for f in nh.integrals(monopole) if f) == 4


def families(system: nh.System) -> int:
    return len(list(nh.relative_equilibria(system)))


def test_a_body_in_cardan_or_euler_angles_turns_steadily_about_its_three_axes() -> None:
    """As in SO3, where the three families are found by affine maps."""
    values = {"A": 1.1, "B": 1.7, "C": 2.3}
    matrix = nh.System(
        frame=nh.SO3("R", rates="w1 w2 w3"), parameters=values, lagrangian="(A*w1**2 + B*w2**2 + C*w3**2)/2"
    )
    assert families(matrix) == 3
    for axes in ((0, 1, 2), (2, 0, 2)):
        body, _ = angular_velocities(axes)
        top = nh.System(
            coordinates=ANGLES, parameters=values, lagrangian=f"(A*({body[0]})**2 + B*({body[1]})**2 + C*({body[2]})**2)/2",
            start={"a": 0.2, "b": 0.8, "c": 0.5},
        )  # fmt: skip
        assert families(top) == 3


def test_a_cylinder_that_rolls_by_a_holonomic_constraint_rolls_steadily() -> None:
    words = {"coordinates": "x p", "parameters": {"m": 1.2, "r": 0.5, "I": 0.3}, "lagrangian": "m*xdot**2/2 + I*pdot**2/2"}
    (written,) = nh.relative_equilibria(nh.System(constraints=["xdot - r*pdot"], **words))
    (found,) = nh.relative_equilibria(nh.System(holonomic=["x - r*p"], **words))
    assert "pdot = 1" in str(written) and "pdot = 1" in str(found)


def dumbbell(mass: float) -> nh.System:
    """Two points on a rod, with a blade along it in its middle."""
    return nh.System(
        coordinates="x1 y1 x2 y2", parameters={"m": 1.0, "M": mass}, start={"x2": 1.0},
        lagrangian="m*(x1dot**2 + y1dot**2)/2 + M*(x2dot**2 + y2dot**2)/2", holonomic=["(x2 - x1)**2 + (y2 - y1)**2 - 1"],
        constraints=["(x1dot + x2dot)*(y2 - y1) - (y1dot + y2dot)*(x2 - x1)"],
    )  # fmt: skip


def test_the_measure_of_a_dumbbell_sleigh_is_the_same_in_points_as_in_an_angle() -> None:
    """Equal masses keep the volume, unequal ones keep nothing; in points both stayed open."""
    equal, unequal = nh.measure(dumbbell(1.0)), nh.measure(dumbbell(2.0))
    assert (equal.verdict, unequal.verdict) == ("holds", "fails") and equal.proved and unequal.proved


def test_the_momenta_of_a_rod_between_points_are_those_of_its_angle() -> None:
    """With ``k = (M − m)/(M + m)``: v cos kθ − ω sin kθ/2 and v sin kθ + ω cos kθ/2, local integrals of unequal masses."""
    sleigh = dumbbell(2.0)
    found = [f for f in nh.integrals(sleigh) if f and isinstance(f.data, FirstIntegral) and f.data.local]
    assert len(found) == 2 and all(f.proved and f.data.local == ("atan2(y2 - y1, x2 - x1)",) for f in found)
    start = {"x1": 0.2, "y1": -0.1, "x2": 1.2, "y2": -0.1, "y2dot": 1.3, "y1dot": -1.3, "x1dot": 0.4, "x2dot": 0.4}
    run = nh.simulate(sleigh, start, 6.0, rtol=1e-12, atol=1e-13, t_eval=400)
    a, b, adot, bdot = (np.asarray(run[f"{c}2{d}"]) - np.asarray(run[f"{c}1{d}"]) for d in ("", "dot") for c in "xy")
    turned, rate = np.unwrap(np.arctan2(b, a)), a * bdot - b * adot
    assert np.max(turned) > np.pi  # beyond the branch of atan2
    ahead = a * np.asarray(run["x2dot"]) + b * np.asarray(run["y2dot"])
    cosine, sine = np.cos(turned / 3), np.sin(turned / 3)
    hand = np.array([ahead * cosine - rate * sine / 2, ahead * sine + rate * cosine / 2])
    assert np.max(np.ptp(hand, axis=1)) < 1e-9
    own = np.array([f.along(run) for f in found])
    assert np.max(np.ptp(own, axis=1)) < 1e-9
    assert np.linalg.matrix_rank(np.array([own[:, 0], hand[:, 0]]), tol=1e-6) == 2


@pytest.mark.slow
def test_the_absence_of_a_measure_in_points_is_certified() -> None:
    (entry,) = certificates(dumbbell(2.0), [nh.measure(dumbbell(2.0))])
    assert entry["kind"] == "no_measure_brackets"
    check(json.loads(json.dumps(entry)))
