"""Declared orders are measured ones; long motions stay finite, on their manifold, and small in memory."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

import nonholo as nh
from benchmarks.accuracy import DECLARED, PROBLEMS, measured


@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("name", DECLARED)
def test_errors_shrink_with_the_declared_order(name, problem):
    order, _ = measured(name, problem)
    assert order > DECLARED[name] - 0.4, order


def test_rotation_matrices_stay_rotations_over_1e5_steps():
    top = nh.gallery.get("euler-top")
    run = nh.simulate(top.system, top.start, 100.0, top.parameters, method="rk4", step=1e-3, t_eval="end")
    assert run.outcome.reached and run.steps == 100_000
    matrix = np.array([[run.final[f"R{i}{j}"] for j in (1, 2, 3)] for i in (1, 2, 3)])
    assert np.max(np.abs(matrix.T @ matrix - np.eye(3))) < 1e-12


@pytest.mark.slow
def test_a_million_steps_of_the_rattleback_are_finite_and_small_in_memory():
    stone = nh.gallery.get("rattleback")
    call = {"method": "rk4", "step": 1e-4, "t_eval": "end"}
    nh.simulate(stone.system, stone.start, 0.01, stone.parameters, **call)
    tracemalloc.start()
    run = nh.simulate(stone.system, stone.start, 100.0, stone.parameters, **call)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert run.outcome.reached and run.steps == 1_000_000 and all(np.isfinite(v) for v in run.final.values())
    assert peak < 50e6
    again = nh.simulate(
        stone.system,
        {k: v for k, v in run.final.items() if k in (*stone.system.coordinates, "w1", "w2", "w3")},
        100.0 + 1e-4,
        stone.parameters,
        **call,
    )
    first = nh.simulate(stone.system, stone.start, 1e-4, stone.parameters, **call)
    assert abs(again["energy"][-1] / first["energy"][-1] - 1) < 1e-6
