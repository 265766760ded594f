"""A tyre with a relaxation length, against Newton's equations written by hand."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.errors import ModelError
from nonholo.machines.machine_files import loads

CART = """
name = "cart with tyres"
world = "plane"
[[bodies]]
name = "cart"
mass = 12.0
inertia = 1.7
center = [0.1, 0]
[[wheels]]
body = "cart"
name = "rear"
at = [-0.4, 0.05]
relaxation = 0.25
cornering = 900
[[wheels]]
body = "cart"
name = "front"
at = [0.5, 0]
steer = "0.2"
relaxation = "s"
cornering = "c"
[parameters]
s = 0.3
c = 700
"""


def by_hand(x: np.ndarray) -> np.ndarray:
    """Rates of (θ, u, v, ω, e_rear, e_front), with the velocity (u, v) of the origin in the world."""
    theta, u, v, w, *shifts = x
    ahead, left = np.array([np.cos(theta), np.sin(theta)]), np.array([-np.sin(theta), np.cos(theta)])
    force, moment, rates = np.zeros(2), 0.0, []
    centre = 0.1 * ahead
    for shift, (a, b), steer, span, stiff in zip(shifts, ((-0.4, 0.05), (0.5, 0.0)), (0.0, 0.2), (0.25, 0.3), (900, 700)):
        place = a * ahead + b * left
        velocity = np.array([u, v]) + w * np.array([-place[1], place[0]])
        along = np.cos(steer) * ahead + np.sin(steer) * left
        across = np.array([-along[1], along[0]])
        rates.append(-velocity @ across - velocity @ along * shift / span)
        push = stiff / span * shift * across
        force += push
        moment += np.cross(place - centre, push)  # type: ignore[assignment]
    turning = moment / 1.7
    acceleration = force / 12 - turning * np.array([-centre[1], centre[0]]) + w**2 * centre
    return np.array([w, *acceleration, turning, *rates])


def test_accelerations_are_those_of_newton() -> None:
    model = nh.prepare(loads(CART))
    random = np.random.default_rng(7)
    for _ in range(4):
        x = np.array([0.4, 2.0, 0.5, 0.3, 0.01, -0.02]) + 0.3 * random.normal(size=6) * [1, 1, 1, 1, 0.05, 0.05]
        state = dict(zip(("theta", "xdot", "ydot", "thetadot", "rear_tyre", "front_tyre"), x))
        found = model.rates(state)
        got = [found[n] for n in ("theta", "xdot", "ydot", "thetadot", "rear_tyre", "front_tyre")]
        assert np.max(np.abs(got - by_hand(x))) < 1e-11 * np.max(np.abs(got))


def test_a_stiff_tyre_tends_to_the_wheel_that_does_not_slip() -> None:
    """Where the cornering stiffness grows, the side slip falls with its inverse."""
    slips = []
    for stiff in (1e4, 1e5):
        text = CART.replace("cornering = 900", f"cornering = {stiff}").replace("c = 700", f"c = {stiff}")
        run = nh.simulate(loads(text), {"xdot": 2.0, "thetadot": 0.4}, 3.0)
        theta, x, y, w = (run.data[n].values[-1] for n in ("theta", "xdot", "ydot", "thetadot"))
        slips.append(abs(-np.sin(theta) * x + np.cos(theta) * y - 0.4 * w))
        assert run.contacts["across"].values[-1, 0] == pytest.approx(stiff / 0.25 * run.data["rear_tyre"].values[-1], rel=1e-9)
        assert np.all(np.diff(run.data["energy"].values) < 1e-9)  # a tyre only loses energy
    assert 7 < slips[0] / slips[1] < 13


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("cornering = 900\n", ""), "a tyre needs relaxation"),
        (("cornering = 900", "cornering = 900\nslips = true\nfriction = 0.3\nload = 50"), "does not slide"),
    ],
)
def test_mistakes_with_a_tyre(change: tuple[str, str], said: str) -> None:
    with pytest.raises(ModelError, match=said):
        loads(CART.replace(*change, 1))
