"""Declared orders are measured ones; long motions stay finite, on their manifold, and small in memory."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import nonholo as nh
from benchmarks.accuracy import DECLARED, PROBLEMS, by_tolerance, long_run, measured
from tests import systems


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("name", DECLARED)
def test_errors_shrink_with_the_declared_order(name, problem):
    order, _ = measured(name, problem)
    assert order == pytest.approx(DECLARED[name], abs=0.3)


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("name", ["dop853", "taylor"])
def test_a_tighter_tolerance_is_a_smaller_error(name, problem):
    if name == "taylor":
        pytest.importorskip("heyoka")
    errors = [by_tolerance(name, problem, tolerance)[0] for tolerance in (1e-6, 1e-9, 1e-12)]
    assert errors[0] < 1e-4 and errors[1] < 1e-7 and errors[2] < 1e-11
    assert errors[0] > 30 * errors[1] > 900 * errors[2]


def rotation(run, k):
    return np.array([[run[f"R{i}{j}"][k] for j in (1, 2, 3)] for i in (1, 2, 3)])


@pytest.mark.parametrize("name", ["euler-top", "chaplygin-sphere"])
def test_rotation_matrices_stay_rotations_over_1e5_steps(name):
    """Steps so long that without projection the columns would have grown by 1e-6 and more."""
    top = nh.gallery.get(name)
    run = nh.simulate(top.system, top.start, 2000.0, top.parameters, method="rk4", step=0.02, t_eval=[0.0, 1777.777, 2000.0])
    assert run.outcome.reached and run.steps == 100_000
    for k in range(3):
        matrix = rotation(run, k)
        assert np.max(np.abs(matrix.T @ matrix - np.eye(3))) < 1e-12
        assert np.linalg.det(matrix) == pytest.approx(1.0, abs=1e-12)


def test_unit_quaternions_stay_so_and_turn_as_the_matrix_does():
    values = dict(zip(systems.SUSLOV_PARAMETERS.split(), (1.0, 2.0, 3.0, 0.4, 0.3, 0.5, 1.0)))
    start = {"w1": 2.0, "w2": 0.7}
    words = {"method": "rk4", "step": 0.02, "t_eval": [10.0, 2000.0]}
    run = nh.simulate(systems.suslov_quaternion(), start, 2000.0, {**values, "k": 0.0}, **words)
    assert run.outcome.reached and run.steps == 100_000
    q0, q1, q2, q3 = (run[f"q{i}"] for i in range(4))
    assert np.max(np.abs(q0**2 + q1**2 + q2**2 + q3**2 - 1)) < 1e-12
    other = nh.simulate(systems.suslov_matrix(), start, 10.0, values, rtol=1e-12, atol=1e-13, t_eval=[10.0])
    turned = 1 - 2 * (q2[0] ** 2 + q3[0] ** 2), 2 * (q1[0] * q2[0] - q0[0] * q3[0]), 2 * (q1[0] * q3[0] + q0[0] * q2[0])
    assert turned == pytest.approx(rotation(other, 0)[0], abs=1e-6)  # of the order of the step's fourth power


@pytest.mark.slow
def test_a_million_steps_of_the_rattleback_are_finite_and_small_in_memory(record_property):
    """Ten times the steps take no more memory, and by the method's order they drift at least 1e4 times less."""
    long_run(1_000)
    peaks, runs = [], []
    for steps in (100_000, 1_000_000):
        tracemalloc.start()
        runs.append(long_run(steps))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert all(run.outcome.reached and run.data.sizes["t"] == 2 for run in runs)
    assert runs[1].steps == 1_000_000 and all(np.isfinite(v) for v in runs[1].final.values())
    assert peaks[1] < peaks[0] + 1e5
    coarse, fine = (run.drift("energy") for run in runs)
    record_property("energy drift", f"{coarse:.1e} with 1e5 steps, {fine:.1e} with 1e6 steps")
    assert fine < 1e-4 * coarse
