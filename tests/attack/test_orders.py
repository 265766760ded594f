"""An answer does not depend on what was asked before: every question in random orders against new processes."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import nonholo as nh
from nonholo.derive.hamel import flat_direction
from tests.attack.orders import pair, ties


def orders(*words: str) -> str:
    done = subprocess.run([sys.executable, "-m", "tests.attack.orders", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_answers_in_random_orders_are_those_of_new_processes() -> None:
    found = orders("5", "3", "pair 1e-12", "pair 0", "pair 1", "ties 0", "ties 1", "simulate", "check", "prepare", "complete")
    assert found == "20 questions, 3 orders, 0 answers differ\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_every_question_in_random_orders() -> None:
    assert "0 answers differ" in orders("1", "3")


def test_numbers_that_are_used_decide_about_the_mass() -> None:
    """The system's own value makes the energy flat to a part in 1e12; the motion is asked for with another."""
    used = nh.simulate(pair(0.0), parameters={"e": 1.0}).final
    assert used == nh.simulate(pair(1.0)).final == nh.simulate(pair(1e-12), parameters={"e": 1.0}).final
    assert nh.simulate(pair(1e-12)).outcome == "reached"
    for _ in range(2):
        with pytest.raises(nh.ModelError, match="no kinetic energy along xdot - ydot"):
            nh.simulate(pair(1.0), parameters={"e": 0.0})


def test_numbers_that_are_used_decide_about_the_constraints() -> None:
    moved = nh.simulate(ties(0.0), parameters={"e": 1.0}).final
    assert moved == nh.simulate(ties(1.0)).final
    for system, words in ((ties(0.0), {}), (ties(1.0), {"parameters": {"e": 0.0}})):
        with pytest.raises(nh.ModelError, match="depends on the others"):
            nh.simulate(system, **words)


@pytest.mark.parametrize("unit", [1e-30, 1.0, 1e30])
def test_a_flat_direction_is_found_in_any_units(unit: float) -> None:
    units = np.array([1.0, unit, 1.0])
    turn = np.array([[1.0, 0.3, -0.2], [0.0, 1.1, 0.4]]) * units
    flat = turn.T @ turn  # rank two
    found = np.array(flat_direction(flat.ravel()))
    assert np.max(np.abs(turn @ found)) < 1e-13 * np.max(np.abs(units * found))
    assert flat_direction((flat + np.diag([0.0, 1e-3 * unit * unit, 0.0])).ravel()) == ()
