"""Launchers: the bits of single motions, and what they are good for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nonholo.compile import compile_equations
from nonholo.errors import StateError
from nonholo.integrate.methods import DormandPrince8, RungeKutta4
from nonholo.integrate.motion.integration import Event, advance
from nonholo.integrate.motion.model_step import Launcher
from tests.compile import handmade

KERNEL = compile_equations(handmade.pendulum())
THETA, OMEGA = KERNEL.equations.coordinates[0], KERNEL.equations.speeds[0]
VALUES = (9.7, 1.3)


@pytest.mark.parametrize("kind", [DormandPrince8(), RungeKutta4(step=0.01)])
def test_every_launch_is_the_single_motion(kind):
    launch = Launcher(KERNEL, kind, 0, 5, VALUES)
    for start in ((1.0, 0.0), (0.3, 2.0), (1.0, 0.0)):
        end, path = launch(start), advance(KERNEL, kind, 0, start, 5, VALUES)
        assert np.array_equal(end.state, path.final_state)
        assert end.time == 5
        assert end.outcome == path.outcome


def test_return_map_of_the_pendulum_is_the_identity():
    """From the turning point back to it: one period, by the second passage of ω upwards or downwards."""
    launch = Launcher(KERNEL, DormandPrince8(rtol=1e-13, atol=1e-15), 0, 100, VALUES, events=[Event(OMEGA, terminal=2)])
    for top in (0.5, 1.5, 2.9):
        end = launch((top, 0.0))
        assert end.outcome.kind == "event"
        np.testing.assert_allclose(end.state, (top, 0.0), rtol=0, atol=1e-11)


def test_shooting_finds_the_speed_that_reaches_the_top_in_time():
    launch = Launcher(KERNEL, DormandPrince8(rtol=1e-12, atol=1e-13), 0, 1.0, VALUES)
    low, high = 4.0, 8.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if launch((0.0, middle)).state[0] < math.pi else (low, middle)
    path = advance(KERNEL, DormandPrince8(), 0, (0.0, low), 2, VALUES, events=[Event(THETA - math.pi, terminal=1)])
    assert path.final_time == pytest.approx(1.0, abs=1e-8)


def test_events_that_are_not_terminal_are_refused():
    with pytest.raises(StateError, match="must be terminal"):
        Launcher(KERNEL, DormandPrince8(), 0, 1, VALUES, events=[Event(THETA)])
