"""Invariants: drift over many steps, order kept, agreement of descriptions with and without multipliers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import symengine as se

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.compile import compile_equations
from nonholo.integrate.methods import DormandPrince8, RungeKutta4
from nonholo.integrate.motion.integration import advance
from tests.compile import handmade

TIGHT = DormandPrince8(rtol=1e-13, atol=1e-15)
INERTIAS = (1.0, 1.7, 2.3)
SPIN = (0.4, 1.9, 0.7)
QUATERNION = (0.5, -0.1, 0.7, math.sqrt(1 - 0.25 - 0.01 - 0.49))


def rotation(q):
    a, b, c, d = q
    return np.array(
        [
            [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d],
        ]
    )


def test_quaternion_drift_stays_below_1e_12_over_1e5_steps():
    kernel = compile_equations(handmade.free_body())
    path = advance(kernel, RungeKutta4(step=0.01), 0, (*QUATERNION, *SPIN), 1000, INERTIAS, record=True)
    assert path.accepted == 100_000
    drift = np.abs(np.sum(path.states[:, :4] ** 2, axis=1) - 1)
    assert drift.max() < 1e-14
    free = replace(kernel.equations, invariants=FrozenMap())
    loose = advance(compile_equations(free), RungeKutta4(step=0.01), 0, (*QUATERNION, *SPIN), 1000, INERTIAS)
    assert abs(np.sum(loose.final_state[:4] ** 2) - 1) > 1e-9  # the projection is what keeps it


def test_rotation_matrix_drift_stays_below_1e_12_over_1e5_steps():
    kernel = compile_equations(handmade.free_body_matrix())
    start = (*rotation(QUATERNION).ravel(), *SPIN)
    path = advance(kernel, RungeKutta4(step=0.01), 0, start, 1000, INERTIAS, record=True)
    assert path.accepted == 100_000
    matrices = path.states[::100, :9].reshape(-1, 3, 3)
    assert np.max(np.abs(np.swapaxes(matrices, 1, 2) @ matrices - np.eye(3))) < 1e-13


def test_matrix_and_quaternion_describe_the_same_rotation():
    """Spatial angular momentum R I ω is conserved, and both descriptions agree."""
    by_matrix = advance(
        compile_equations(handmade.free_body_matrix()), TIGHT, 0, (*rotation(QUATERNION).ravel(), *SPIN), 20, INERTIAS
    ).final_state
    by_quaternion = advance(
        compile_equations(handmade.free_body()), TIGHT, 0, (*QUATERNION, *SPIN), 20, INERTIAS
    ).final_state
    np.testing.assert_allclose(by_matrix[:9].reshape(3, 3), rotation(by_quaternion[:4]), rtol=0, atol=1e-11)
    momentum = rotation(QUATERNION) @ (np.array(INERTIAS) * SPIN)
    found = rotation(by_quaternion[:4]) @ (np.array(INERTIAS) * by_quaternion[4:])
    np.testing.assert_allclose(found, momentum, rtol=0, atol=1e-11)


@pytest.mark.parametrize(
    ("kind", "order", "counts"),
    [
        (lambda h: RungeKutta4(step=h), 4, (100, 200, 400)),
        (lambda h: DormandPrince8(rtol=1e9, atol=1e9, first_step=h, max_step=h), 8, (10, 14, 20)),
    ],
)
def test_projection_keeps_the_order(kind, order, counts):
    kernel = compile_equations(handmade.free_body())
    exact = advance(kernel, TIGHT, 0, (*QUATERNION, *SPIN), 3, INERTIAS).final_state
    errors = []
    for n in counts:
        path = advance(kernel, kind(3 / n), 0, (*QUATERNION, *SPIN), 3, INERTIAS)
        errors.append(np.linalg.norm(path.final_state - exact))
    measured = np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert -measured == pytest.approx(order, abs=0.4)


def test_dense_output_lies_on_the_manifold():
    kernel = compile_equations(handmade.free_body())
    loose = DormandPrince8(rtol=1e-5, atol=1e-5)
    path = advance(kernel, loose, 0, (*QUATERNION, *SPIN), 20, INERTIAS, t_eval=np.linspace(0, 20, 333))
    assert path.accepted < 60
    assert np.max(np.abs(np.sum(path.states[:, :4] ** 2, axis=1) - 1)) < 1e-14


def test_hanging_point_with_multiplier_is_the_pendulum():
    """The indefinite system goes through the pivoted elimination; both invariants are kept."""
    g, l, top = 9.7, 1.3, 2.1
    point = advance(
        compile_equations(handmade.hanging()), TIGHT, 0, (l * math.sin(top), -l * math.cos(top), 0, 0), 6, (g, l),
        t_eval=np.linspace(0, 6, 25),
    )  # fmt: skip
    angle = advance(
        compile_equations(handmade.pendulum()), TIGHT, 0, (top, 0), 6, (g, l), t_eval=np.linspace(0, 6, 25)
    )
    theta, omega = angle.states.T
    np.testing.assert_allclose(point.states[:, 0], l * np.sin(theta), rtol=0, atol=1e-10)
    np.testing.assert_allclose(point.states[:, 3], l * omega * np.sin(theta), rtol=0, atol=1e-10)
    x, y, u, v = point.states.T
    assert np.max(np.abs(x * x + y * y - l * l)) < 1e-14
    assert np.max(np.abs(x * u + y * v)) < 1e-14


def test_speeds_are_corrected_by_their_own_invariants_and_positions_only_by_theirs():
    """A start off the manifold: after a short step positions have moved along their gradient, speeds along theirs."""
    g, l = 9.7, 1.3
    start = np.array([1.0, -1.0, 0.5, 0.2])
    path = advance(compile_equations(handmade.hanging()), RungeKutta4(step=1e-9), 0, start, 1e-9, (g, l))
    x, y, u, v = path.final_state
    assert x * x + y * y == pytest.approx(l * l, abs=1e-14)
    assert x * u + y * v == pytest.approx(0, abs=1e-14)
    assert (x, y) == pytest.approx((l / math.sqrt(2), -l / math.sqrt(2)), abs=1e-8)
    along = (0.5 * 1 - 0.2 * 1) / 2  # what is taken from (u, v) in the direction (1, -1)
    assert (u, v) == pytest.approx((0.5 - along, 0.2 + along), abs=1e-7)


def test_dependent_invariants_do_no_harm():
    equations = handmade.free_body()
    norm = equations.invariants["norm"]
    doubled = replace(equations, invariants=FrozenMap({"norm": norm, "again": 3 * norm, "once more": -norm / 2}))
    path = advance(compile_equations(doubled), RungeKutta4(step=0.01), 0, (*QUATERNION, *SPIN), 20, INERTIAS)
    single = advance(compile_equations(equations), RungeKutta4(step=0.01), 0, (*QUATERNION, *SPIN), 20, INERTIAS)
    assert abs(np.sum(path.final_state[:4] ** 2) - 1) < 1e-14
    np.testing.assert_allclose(path.final_state, single.final_state, rtol=0, atol=1e-12)


def test_nonlinear_constraint_keeps_its_speed():
    """|v| = c under gravity [Benenti]: v = c (cos z, sin z), ż = −g cos z / c; here in u, v with an invariant."""
    x, y, u, v, g, c = se.symbols("x y u v g c")
    one, zero = se.Integer(1), se.Integer(0)
    push = g * v / c**2
    equations = handmade.Equations(
        name="constant speed", origin="by hand", coordinates=(x, y), speeds=(u, v), kinematics=(u, v),
        mass=((one, zero), (zero, one)), force=(push * u, push * v - g), energy=zero, time=handmade.t,
        parameters=(g, c), invariants=FrozenMap({"speed": u**2 + v**2 - c**2}),
    )  # fmt: skip
    start = 0.9
    path = advance(
        compile_equations(equations), RungeKutta4(step=0.01), 0,
        (0, 0, 2 * math.cos(start), 2 * math.sin(start)), 8, (9.7, 2.0),
    )  # fmt: skip
    assert np.hypot(*path.final_state[2:]) == pytest.approx(2.0, abs=1e-15)
    # ż = −(g/c) cos z: the Gudermannian, sin z = tanh(artanh(sin z0) − g t / c)
    tight = advance(
        compile_equations(equations), TIGHT, 0, (0, 0, 2 * math.cos(start), 2 * math.sin(start)), 0.5, (9.7, 2.0)
    )
    angle = math.tanh(math.atanh(math.sin(start)) - 9.7 * 0.5 / 2)
    assert tight.final_state[3] == pytest.approx(2 * angle, abs=1e-12)
